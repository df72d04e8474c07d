"""The nine methods, one column at a time."""
