"""Models that add up contributions: the naive Bayes family, and SADD Tables."""
