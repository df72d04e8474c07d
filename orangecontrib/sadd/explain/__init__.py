"""Figures, sentences and outputs of the windows, computed without widgets."""
