"""What the widgets show, without the widgets."""
