"""The build notices what pages say wrongly about widgets and pictures."""

from io import StringIO
from unittest.mock import patch

import pytest
from sphinx.application import Sphinx
from tools import manifest

PAGE = """\
---
widget: owsome
---

# Some widget

{callout}`Method` is {control}`Method`, {control}`Data` and
{control}`Apply <owother>`.

![](images/some.png)
"""
READABLE = {"owsome": ({"Method", "Data", "legend"}, ["Method", "Data"]),
            "owother": ({"Apply"}, ["Apply"])}
PICTURES = {"pictures": {"some.png": {"widget": "owsome", "callouts": ["Method"]}}}


@pytest.fixture
def build(tmp_path):
    """Build a page, and give warnings and HTML."""
    def run(page):
        source = tmp_path / "source"
        (source / "images").mkdir(parents=True)
        (source / "images" / "some.png").touch()
        (source / "index.md").write_text(page, encoding="utf-8")
        warnings = StringIO()
        with patch("tools.controls.collect", READABLE.__getitem__), \
                patch.object(manifest, "load", lambda: PICTURES):
            app = Sphinx(source, None, tmp_path / "html", tmp_path / "trees", "html",
                         {"extensions": ["myst_parser", "tools.roles"]},
                         status=None, warning=warnings)
            app.build()
        return (warnings.getvalue(),
                (tmp_path / "html" / "index.html").read_text(encoding="utf-8"))

    return run


def test_right_page(build):
    warnings, html = build(PAGE)
    assert warnings == ""
    assert '<span class="callout">1</span>' in html
    assert '<span class="guilabel control">Apply</span>' in html


@pytest.mark.parametrize("old, new, warning", [
    ("{control}`Data`", "{control}`Data` {control}`Dat`",
     "there is no 'Dat' in the widget owsome"),
    ("Apply <owother>", "Data <owother>", "there is no 'Data' in the widget owother"),
    ("{control}`Data`", "Data", "does not mention 'Data' of its widget"),
    ("widget: owsome", "title: none", "no widget is named in which 'Method' could be"),
    ("{callout}`Method`", "It", "does not explain 'Method'"),
    ("{callout}`Method`", "{callout}`Method` {callout}`Data`", "no number for 'Data'"),
    ("some.png", "other.png", "no script makes the picture other.png"),
])
def test_wrong_page(build, old, new, warning):
    assert old in PAGE
    assert warning in build(PAGE.replace(old, new))[0]
