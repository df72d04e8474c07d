"""Settings of Sphinx: https://www.sphinx-doc.org/en/master/usage/configuration.html"""

import os
import sys
from importlib.metadata import version as installed_version

sys.path.insert(0, os.path.dirname(__file__))  # for formulas.py
# Commands on pages run with this Python
os.environ["PATH"] = os.pathsep.join((os.path.dirname(sys.executable),
                                      os.environ["PATH"]))
os.environ |= {"COLUMNS": "80", "NO_COLOR": "1"}

project = "Orange3-SADD"
author = "Orange3-SADD contributors"
copyright = author
version = release = installed_version("Orange3-SADD")
language = "en-GB"

extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary",
    "sphinx.ext.napoleon", "sphinxcontrib.programoutput", "formulas",
]
exclude_patterns = ["_build", "*-report"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
# Types in docstrings are words, such as "sequence of int", not links
napoleon_use_param = napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]

nitpicky = True
# Inventories of other projects are not fetched
nitpick_ignore_regex = [
    ("py:.*", r"(Orange|numpy|sklearn|AnyQt)\..*"),
]

html_math_renderer = "svg"
html_theme = "furo"
html_title = "Orange3-SADD"
html_static_path = ["_static"]
html_css_files = ["sadd.css"]
html_copy_source = html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#3f6212", "color-brand-content": "#3f6212"},
    "dark_css_variables": {
        "color-brand-primary": "#a3c76d", "color-brand-content": "#a3c76d"},
}

linkcheck_anchors = False

# Only the pages of the widgets, which are shipped: see help.py
if tags.has("help"):  # noqa: F821 (a name that Sphinx defines)
    html_theme, html_theme_options = "basic", {}
    templates_path = ["_help"]
    include_patterns = ["index.md", "widgets/*.md"]
    # A link to another page of the manual becomes text
    suppress_warnings = ["myst.xref_missing", "toc"]
