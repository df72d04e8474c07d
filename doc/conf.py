"""Settings of Sphinx: https://www.sphinx-doc.org/en/master/usage/configuration.html"""

import shutil
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from tools import benchmarkreport  # noqa: E402

project = "Orange3-SADD"
author = "Orange3-SADD contributors"
copyright = author
version = release = installed_version("Orange3-SADD")
language = "en-GB"

extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
    "tools.commandhelp", "tools.mathsvg", "tools.roles",
]
exclude_patterns = ["_build", "*-report", "tools"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "substitution"]
myst_heading_anchors = 3

autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
# Types are words in docstrings, "sequence of int", and not names to be linked to
napoleon_use_param = napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]

nitpicky = True
# Of other projects, whose inventories would have to be fetched
nitpick_ignore_regex = [
    ("py:.*", r"(Orange|numpy|sklearn|AnyQt)\..*"),
]

html_theme = "furo"
html_title = "Orange3-SADD"
html_static_path = ["_static"]
html_css_files = ["sadd.css"]
html_math_renderer = "svg"
html_copy_source = html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#3f6212", "color-brand-content": "#3f6212"},
    "dark_css_variables": {
        "color-brand-primary": "#a3c76d", "color-brand-content": "#a3c76d"},
}

# Figures of the runs of the benchmark whose reports are put beside the pages
myst_substitutions = benchmarkreport.substitutions()


def copy_report(app, exception):
    """Put the reports beside the pages."""
    if exception is None and app.builder.format == "html":
        for report in benchmarkreport.FOLDERS:
            shutil.copytree(report, Path(app.outdir, report.name), dirs_exist_ok=True)


def setup(app):
    """Extend Sphinx."""
    app.connect("build-finished", copy_report)


linkcheck_anchors = False
