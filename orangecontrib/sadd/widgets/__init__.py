"""Widgets of the category SADD."""

import sysconfig

NAME = "SADD"
DESCRIPTION = "Semi-supervised discretization and regularized naive Bayes."
ICON = "icons/category.svg"
BACKGROUND = "#D9E4C8"
PRIORITY = 200

# Where Orange looks for help: in a working copy, where a wheel puts it, and online
WIDGET_HELP_PATH = (
    ("{DEVELOP_ROOT}/doc/_build/html/index.html", None),
    (sysconfig.get_path("data") + "/help/orange3-sadd/index.html", None),
)
