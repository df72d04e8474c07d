"""What fitted intervals are called, how they are encoded, counted and saved."""
