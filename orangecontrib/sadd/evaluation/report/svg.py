"""Parts of drawings. Colours are classes, which the page's style sheet defines."""

import numpy as np

from orangecontrib.sadd.evaluation.report.markup import element

__all__ = ["Drawing", "log_ticks", "nice_ticks", "shorten"]


def shorten(name, length=20):
    """
    Cut a long name.

    Examples
    --------
    >>> shorten("a_very_long_name_of_a_data_set", 12)
    'a_very_long…'
    """
    return name if len(name) <= length else f"{name[: length - 1]}…"


def nice_ticks(low, high, n=6):
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


def log_ticks(low, high):
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


def _number(value):
    return f"{value:.1f}".removesuffix(".0")


class Drawing:
    """
    An SVG image for a page.

    Parameters
    ----------
    width, height : float
    title, description : str
        For those who cannot see it.
    """

    def __init__(self, width, height, title, description):
        self.width = width
        self.height = height
        self._parts = [element("title", title), element("desc", description)]
        self._label = title

    def line(self, x1, y1, x2, y2, kind="axis"):
        """Draw a line."""
        self._add("line", kind, x1=x1, y1=y1, x2=x2, y2=y2)

    def circle(self, x, y, r=4.5, kind="first", tip=None):
        """Draw a circle; `tip` is told when the mouse rests on it."""
        self._add("circle", kind, tip, cx=x, cy=y, r=r)

    def rect(self, x, y, width, height, kind="first", tip=None):
        """Draw a rectangle."""
        self._add(
            "rect", kind, tip, x=x, y=y, width=max(width, 0), height=height
        )

    def text(self, x, y, text, anchor="start", kind=None, tip=None):
        """Write; `anchor` is the part of the text at `x`: start, middle or end."""
        content = [text] if tip is None else [element("title", tip), text]
        self._parts.append(element(
            "text", *content, x=_number(x), y=_number(y), text_anchor=anchor,
            class_=kind,
        ))

    def _add(self, name, kind, tip=None, **geometry):
        geometry = {key: _number(value) for key, value in geometry.items()}
        content = () if tip is None else (element("title", tip),)
        self._parts.append(element(name, *content, class_=kind, **geometry))

    def figure(self, caption):
        """Return the image as a figure with a caption."""
        image = element(
            "svg", *self._parts, role="img", aria_label=self._label,
            viewBox=f"0 0 {_number(self.width)} {_number(self.height)}",
            # On a phone the figure scrolls, rather than become too small to read.
            style=f"max-width:{_number(self.width)}px;"
            f"min-width:{_number(min(self.width, 0.8 * self.width))}px",
        )
        box = element("div", image, class_="scroll plot", tabindex=0)
        return element("figure", box, element("figcaption", caption))
