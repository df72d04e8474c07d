"""Names that do not fit: what distinguishes them is what is kept."""

import os
import re
from bisect import bisect_left

from AnyQt.QtCore import Qt

__all__ = ["NameShortener"]

ELLIPSIS = "…"

# Fewer characters than this of what all names begin with do not remind of it
SHORTEST_START = 6


class NameShortener:
    """
    Elides names, but not the part in which they differ.

    Parameters
    ----------
    names : sequence of str
        All names, of which a few may be seen at a time.
    """

    def __init__(self, names=()):
        names = list(names)
        self._start = self._end = 0
        # Names are shortened whenever they are painted
        self._known = {}
        if len(names) > 1:
            self._start = _shared(names)
            self._end = _shared([name[self._start:][::-1] for name in names])

    def shortened(self, name, metrics, width):
        """Return a name that fits into a width, in pixels."""
        key = name, width
        if key not in self._known:
            self._known[key] = self._shorten(name, metrics, width)
        return self._known[key]

    def _shorten(self, name, metrics, width):
        if metrics.horizontalAdvance(name) <= width:
            return name
        own = name[self._start:len(name) - self._end]
        short = own + ELLIPSIS if self._end > 1 else name[self._start:]
        for end, fewest in ((name[self._start:], SHORTEST_START), (short, 0)):
            start = self._longest_start(name, end, metrics, width)
            if start is not None and start >= fewest:
                return name[:start] + (ELLIPSIS if start < self._start else "") + end
        return metrics.elidedText(
            own if self._start + self._end else name, Qt.ElideMiddle, width)

    def _longest_start(self, name, end, metrics, width):
        """Return how many characters fit before an ellipsis and the end, or None."""
        n_fitting = bisect_left(
            range(self._start), True,
            key=lambda n: metrics.horizontalAdvance(name[:n] + ELLIPSIS + end) > width)
        if n_fitting:
            return n_fitting - 1
        return 0 if not self._start and metrics.horizontalAdvance(end) <= width \
            else None


def _shared(names):
    """Return how many characters all names begin with, in whole words."""
    # Or numbers would lose their first digits
    return len(re.sub(r"[^\W_]*$", "", os.path.commonprefix(names)))
