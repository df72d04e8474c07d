"""What a page is made of: sections, cells of tables, and drawings.

Templates put them in words, and write drawings as SVG. Colours are classes, which the
style sheet of the page defines for light and dark.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Drawing", "Section", "Shape", "TableCell", "count", "log_ticks",
           "nice_ticks", "scale", "shorten", "signed"]


MISSING = "–"


@dataclass(frozen=True, eq=False)
class Section:
    """
    A part of the report.

    Attributes
    ----------
    name : str
        Of its template, and of links to it.
    title : str
    content : dict
        What the template shows.
    """

    name: str
    title: str
    content: dict


@dataclass(frozen=True)
class TableCell:
    """
    A cell of a table on a page.

    Attributes
    ----------
    text : str
        The figure.
    small : str, optional
        What stands beneath it.
    mark : str
        What stands after it.
    best : bool
        Whether it is shown in bold.
    title : str, optional
        Shown when the mouse rests on it.
    kind : str, optional
        CSS class.
    """

    text: str = MISSING
    small: str | None = None
    mark: str = ""
    best: bool = False
    title: str | None = None
    kind: str | None = None


def count(n: int, singular: str) -> str:
    """
    Return a number with its noun.

    Examples
    --------
    >>> count(1, "data set"), count(3, "data set")
    ('1 data set', '3 data sets')
    """
    return f"{n} {singular if n == 1 else singular + 's'}"


def signed(value: float) -> str:
    """
    Write a difference with its sign.

    Examples
    --------
    >>> signed(-0.251)
    '−0.25'
    >>> signed(-0.001)
    '0.00'
    """
    return f"{value:+.2f}".replace("-", "−") if abs(value) >= 0.005 else "0.00"


def shorten(name: str, length: int = 20) -> str:
    """
    Cut a long name.

    Examples
    --------
    >>> shorten("a_very_long_name_of_a_data_set", 12)
    'a_very_long…'
    """
    return name if len(name) <= length else f"{name[: length - 1]}…"


def nice_ticks(low: float, high: float, n: int = 6) -> np.ndarray:
    """
    Choose round values for the ticks of an axis that covers a range.

    Examples
    --------
    >>> nice_ticks(-2.3, 11.8).tolist()
    [-5.0, 0.0, 5.0, 10.0, 15.0]
    """
    span = max(high - low, 1e-9)
    power = 10 ** np.floor(np.log10(span / n))
    step = next(power * m for m in (1, 2, 5, 10) if power * m * n >= span)
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    return step * np.arange(first, last + 1)


def log_ticks(low: float, high: float) -> np.ndarray:
    """
    Choose values for the ticks of a logarithmic axis that covers a range.

    Examples
    --------
    >>> log_ticks(1.7, 60).tolist()
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]
    """
    first, last = np.floor(np.log10(low)), np.ceil(np.log10(high))
    powers = 10.0 ** np.arange(first, last + 1)
    ticks = np.sort(np.outer(powers, [1, 2, 5]).ravel())
    inside = (ticks > low / 2.5) & (ticks < high * 2.5)
    return ticks[inside]


def scale(
    ticks: Sequence[float] | np.ndarray, start: float, end: float,
    transform: Callable[[Any], Any] = float,
) -> Callable[[float], float]:
    """
    Return the function from values to positions on an axis with these ticks.

    Examples
    --------
    >>> scale(np.array([0, 5, 10]), 100, 200)(2.5)
    125.0
    """
    low, high = transform(ticks[0]), transform(ticks[-1])
    span = (high - low) or 1
    return lambda value: start + (transform(value) - low) / span * (end - start)


class Shape(NamedTuple):
    """An element of a drawing: its name, attributes, text, and what a mouse shows."""

    name: str
    attributes: dict[str, str | None]
    text: str = ""
    tip: str | None = None


@dataclass(eq=False)
class Drawing:
    """
    A drawing on a page.

    Attributes
    ----------
    width, height : float
    title, description : str
        For those who cannot see it.
    caption : str
    shapes : list of Shape
    """

    width: float
    height: float
    title: str
    description: str
    caption: str
    shapes: list[Shape] = field(default_factory=list)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, kind: str = "axis"
    ) -> None:
        """Draw a line."""
        self._add("line", kind, x1=x1, y1=y1, x2=x2, y2=y2)

    def circle(
        self, x: float, y: float, r: float = 4.5, kind: str = "first",
        tip: str | None = None,
    ) -> None:
        """Draw a circle; `tip` is shown when the mouse rests on it."""
        self._add("circle", kind, tip=tip, cx=x, cy=y, r=r)

    def rect(
        self, x: float, y: float, width: float, height: float, kind: str = "first",
        tip: str | None = None,
    ) -> None:
        """Draw a rectangle."""
        self._add("rect", kind, tip=tip, x=x, y=y, width=max(width, 0), height=height)

    def text(
        self, x: float, y: float, text: object, anchor: str = "start",
        kind: str | None = None, tip: str | None = None,
    ) -> None:
        """Write; `anchor` is the part of the text at `x`: start, middle or end."""
        self._add("text", kind, str(text), tip, x=x, y=y)
        self.shapes[-1].attributes["text-anchor"] = anchor

    def _add(self, name, kind, text="", tip=None, **geometry):
        numbers = {key: f"{n:.1f}".removesuffix(".0") for key, n in geometry.items()}
        self.shapes.append(Shape(name, {"class": kind, **numbers}, text, tip))
