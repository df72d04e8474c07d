"""Roles for names in widgets, checked against the real widgets when pages are built.

``{control}`Method` `` is something that can be read in the widget that the page is
about, or ``{control}`Fixed sample size <owdatasampler>` `` in another one. A page says
what it is about at its top: ``widget: owsadddiscretize``. Modules stand for widgets.

``{callout}`Method` `` is the number of a part in the numbered picture of the widget.

The build warns, and with ``-W`` fails, if there is no such text in the widget; if the
page of a widget leaves a control, an input or an output unmentioned; if it leaves out a
number of its picture; and if a picture is not one that `pictures.py` makes.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

from tools import manifest

__all__ = ["setup"]

log = logging.getLogger(__name__)


def control_role(name, rawtext, text, lineno, inliner, options=None, content=()):
    """Mark what is said to be in a widget; it is checked when the page is read."""
    label, widget = re.fullmatch(r"(.*?)(?:\s*<(\w+)>)?", text, re.DOTALL).groups()
    node = nodes.inline(rawtext, label, classes=["guilabel", "control"])
    node["widget"], node["source_line"] = widget, lineno
    return [node], []


def callout_role(name, rawtext, text, lineno, inliner, options=None, content=()):
    """Mark the place of a number."""
    node = nodes.inline(rawtext, "", classes=["callout"])
    node["part"], node["source_line"] = text, lineno
    return [node], []


def check_page(app, doctree):
    """Compare what a page says with the widgets, and number its callouts."""
    docname = app.env.docname
    about = app.env.metadata[docname].get("widget")
    named = set()
    for node in doctree.findall(nodes.inline):
        if "widget" not in node:
            continue
        place = docname, node["source_line"]
        widget = node["widget"] or about
        if widget == about:
            named.add(node.astext())
        if widget is None:
            log.warning("no widget is named in which %r could be", node.astext(),
                        location=place)
        elif node.astext() not in app.widget_texts(widget)[0]:
            log.warning("there is no %r in the widget %s", node.astext(), widget,
                        location=place)
    if about is not None:
        for name in app.widget_texts(about)[1]:
            if name not in named:
                log.warning("the page does not mention %r of its widget", name,
                            location=docname)
        number_callouts(doctree, docname, about)


def number_callouts(doctree, docname, widget):
    """Number each callout as in the picture."""
    numbers = manifest.callouts(widget)
    used = set()
    for node in doctree.findall(nodes.inline):
        if "part" not in node:
            continue
        if node["part"] in numbers:
            used.add(node["part"])
            node += nodes.Text(str(numbers[node["part"]]))
        else:
            log.warning("the picture has no number for %r", node["part"],
                        location=(docname, node["source_line"]))
    for part in numbers:
        if part not in used:
            log.warning("the page does not explain %r, a number in its picture", part,
                        location=docname)


def check_pictures(app, doctree):
    """Report pictures that no script makes."""
    made = set(manifest.load()["pictures"])
    for node in doctree.findall(nodes.image):
        name = Path(node["uri"]).name
        if "://" not in node["uri"] and name not in made:
            log.warning("no script makes the picture %s", name,
                        location=app.env.docname)


class WidgetTexts:
    """Remembers what can be read in widgets: (all texts, what a page has to name)."""

    def __init__(self):
        self._known = {}

    def __call__(self, widget):
        if widget not in self._known:
            from tools.controls import collect  # Qt only where it is needed

            self._known[widget] = collect(widget)
        return self._known[widget]


def setup(app):
    """Add the roles and the checks."""
    app.widget_texts = WidgetTexts()
    app.add_role("control", control_role)
    app.add_role("callout", callout_role)
    app.connect("doctree-read", check_page)
    app.connect("doctree-read", check_pictures)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
