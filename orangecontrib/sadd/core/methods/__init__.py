"""The methods that SADD is compared with, one column at a time."""
