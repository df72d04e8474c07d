"""Parts that several windows use."""
