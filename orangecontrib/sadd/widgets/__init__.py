"""Widgets of the category SADD."""

import sysconfig

NAME = "SADD"
DESCRIPTION = "Semi-supervised discretization and regularized naive Bayes."
ICON = "icons/category.svg"
BACKGROUND = "#D9E4C8"
PRIORITY = 200

# Where Orange looks for help: in a working copy, where the manual is built or else the
# pages of the widgets; then where a wheel puts it, which for a user without rights to
# write into the environment is a folder of their own
WIDGET_HELP_PATH = (
    ("{DEVELOP_ROOT}/doc/_build/html/index.html", None),
    ("{DEVELOP_ROOT}/doc/_build/help/index.html", None),
    *((sysconfig.get_path("data", scheme) + "/help/orange3-sadd/index.html", None)
      for scheme in (sysconfig.get_default_scheme(),
                     sysconfig.get_preferred_scheme("user"))),
)
