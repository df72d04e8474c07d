"""Pictures: each is made by a script, shown by a page, small, and up to date."""

import os
import re
import subprocess
import sys

import pytest
from tools import manifest

from tests.doc import DOC
from tests.shared import ROOT

PAGES = [ROOT / "README.md", *(path for path in DOC.rglob("*.md")
                               if "_build" not in path.parts)]
LARGEST = 150_000
FILES = {path.name: path for path in manifest.IMAGES.iterdir()
         if path.suffix in (".png", ".svg")}


def test_scripts_make_exactly_the_pictures_that_pages_show():
    shown = {name for path in PAGES for name in re.findall(
        r"images/([\w-]+\.(?:png|svg))", path.read_text(encoding="utf-8"))}
    assert shown == set(FILES)
    assert shown == set(manifest.load()["pictures"])


def test_pictures_are_small():
    assert [name for name, path in FILES.items()
            if path.stat().st_size > LARGEST] == []


def test_figures_tell_nothing_about_the_machine():
    for name, path in FILES.items():
        if path.suffix == ".svg":
            text = path.read_text(encoding="utf-8")
            assert "<dc:date>" not in text, name
            assert not re.search(r"/(work|tmp|root|home)/", text), name


def test_pictures_show_what_is_there():
    """As far as it can be read: texts in windows, widgets and links of workflows."""
    if manifest.load()["versions"] != manifest.versions():
        pytest.skip("the pictures were taken with other versions of Orange or Qt")
    result = subprocess.run(
        [sys.executable, DOC / "pictures.py", "--check"], capture_output=True,
        text=True, check=False, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    assert result.returncode == 0, (
        f"make screenshots takes these anew: {result.stdout}{result.stderr}")
