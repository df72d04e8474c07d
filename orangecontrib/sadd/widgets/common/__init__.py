"""Parts that both widgets use."""
