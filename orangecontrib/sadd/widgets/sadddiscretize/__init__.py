"""Parts of SADD Discretize."""
