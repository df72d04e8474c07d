"""Widgets of the category SADD."""

from pathlib import Path

NAME = "SADD"
DESCRIPTION = "Semi-supervised discretization and regularized naive Bayes."
ICON = "icons/category.svg"
BACKGROUND = "#D9E4C8"
PRIORITY = 200

# Pages that F1 opens; `make docs` builds them from doc/widgets
WIDGET_HELP_PATH = ((str(Path(__file__).parent / "help" / "index.html"), None),)
