"""What the pictures show: ``images/manifest.json``.

It tells what could be read in each picture when it was taken, so that a picture that is
out of date is noticed on any machine, whatever its fonts and pixels.
"""

import functools
import json
from importlib.metadata import version
from pathlib import Path

from AnyQt import QtCore

__all__ = ["IMAGES", "callouts", "load", "save", "versions"]

IMAGES = Path(__file__).parents[1] / "images"
FILE = IMAGES / "manifest.json"


def versions():
    """Return the versions on which the look of widgets and figures in them depend."""
    # Which names must be cut off depends on Qt
    return {"Qt": QtCore.qVersion().partition(".")[0],
            **{name: version(name) for name in ("Orange3", "scikit-learn")}}


@functools.cache
def load():
    """Read the manifest."""
    if not FILE.exists():
        return {"versions": {}, "pictures": {}}
    return json.loads(FILE.read_text(encoding="utf-8"))


def save(pictures):
    """Write what pictures show, by their names; those that are gone are forgotten."""
    FILE.write_text(json.dumps(
        {"versions": versions(), "pictures": dict(sorted(pictures.items()))},
        indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    load.cache_clear()


def callouts(widget):
    """Numbers of the parts in the numbered picture of a widget, by its module."""
    for picture in load()["pictures"].values():
        if picture.get("widget") == widget:
            return {part: number
                    for number, part in enumerate(picture["callouts"], start=1)}
    return {}
