"""Parts of RNB+."""
