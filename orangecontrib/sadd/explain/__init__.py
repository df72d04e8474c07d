"""What the widgets show and send, computed without widgets."""
