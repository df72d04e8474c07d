"""Labels for unlabelled rows."""
