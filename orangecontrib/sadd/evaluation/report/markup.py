"""HTML and SVG from small parts, with everything that is text escaped."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Cell", "Markup", "element", "join", "paragraph", "table"]

VOID = {"br", "meta"}
MISSING = "–"


class Markup(str):
    """Text that is HTML already."""


def element(name: str, /, *children: object, **attributes: object) -> Markup:
    """
    Make an element.

    Parameters
    ----------
    name : str
        Name of the tag.
    *children : str, Markup, list of them, or None
        Contents. Whatever is not `Markup` is escaped.
    **attributes
        An underscore at the end is dropped, others become hyphens. None leaves an
        attribute out; True leaves its value out.

    Returns
    -------
    Markup

    Examples
    --------
    >>> element("p", "a < b", element("b", "!"), class_="note", id=None)
    '<p class="note">a &lt; b<b>!</b></p>'
    """
    parts = [name]
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(key)
        elif value is not None and value is not False:
            parts.append(f'{key}="{html.escape(str(value))}"')
    start = f"<{' '.join(parts)}>"
    return Markup(start if name in VOID else f"{start}{join(children)}</{name}>")


def join(children: Iterable[object]) -> Markup:
    """Join contents of an element to one; None is left out."""
    parts: list[str] = []
    for child in children:
        if isinstance(child, Markup):
            parts.append(child)
        elif isinstance(child, (list, tuple)):
            parts.append(join(child))
        elif child is not None:
            parts.append(html.escape(str(child)))
    return Markup("".join(parts))


def paragraph(*children: object, **attributes: object) -> Markup:
    """Make a paragraph."""
    return element("p", *children, **attributes)


@dataclass(frozen=True)
class Cell:
    """
    A cell of a table.

    Attributes
    ----------
    text : str
        The figure.
    small : str, optional
        What stands beneath it.
    mark : str
        What stands after it.
    best : bool
        Whether it is to be shown in bold.
    title : str, optional
        What to tell when a mouse rests on it.
    kind : str, optional
        CSS class.
    """

    text: object = MISSING
    small: object = None
    mark: object = ""
    best: bool = False
    title: str | None = None
    kind: str | None = None


def table(caption, head, body, foot=(), kind=None, groups=()):
    """
    Make a table that scrolls within itself where it is too wide.

    Parameters
    ----------
    caption : str
    head : list of (str, Markup or Cell)
        Names of columns.
    body, foot : list of lists
        Rows; the first cell of each is the name of the row.
    kind : str, optional
        CSS class.
    groups : list of (str, int), optional
        Headings above those of columns, and how many columns each spans; they do not
        include the first column.

    Returns
    -------
    Markup
    """
    first, *others = [_cell("th", cell, scope="col") for cell in head]
    rows = [element("tr", first, *others)]
    if groups:
        spans = [
            element("th", title, scope="colgroup", colspan=span, class_="group")
            for title, span in groups
        ]
        first = _cell("th", head[0], scope="col", rowspan=2)
        rows = [element("tr", first, *spans), element("tr", *others)]
    parts = [
        element("caption", caption),
        element("thead", *rows),
        element("tbody", *map(_row, body)),
    ]
    if foot:
        parts.append(element("tfoot", *map(_row, foot)))
    # A region that scrolls must be reached by keyboard and have a name.
    return element(
        "div", element("table", *parts, class_=kind),
        class_="scroll", tabindex=0, role="region", aria_label=_plain(caption),
    )


def _row(cells):
    first, *others = cells
    return element(
        "tr", _cell("th", first, scope="row"), *(_cell("td", cell) for cell in others)
    )


def _cell(name, cell, **attributes):
    if not isinstance(cell, Cell):
        cell = Cell(cell)
    text = element("b", cell.text) if cell.best else cell.text
    if cell.mark:
        text = [text, element("span", cell.mark, class_="mark")]
    small = None if cell.small is None else element("small", cell.small)
    return element(
        name, text, small, title=cell.title, class_=cell.kind, **attributes
    )


def _plain(caption):
    return html.unescape(caption) if isinstance(caption, Markup) else caption
