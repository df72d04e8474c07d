"""The distribution of a variable by class, large and small, and between any cuts."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.arithmetic import (
    assign_intervals,
    contingency,
    cut_between,
)

__all__ = ["Picture", "Thumbnail", "bin_edges", "draw", "make_thumbnail"]

# The largest number of bars in a histogram, and the number in a thumbnail
MOST_BINS = 80
N_BARS = 24

# Larger values are drawn at this end of the axis. The length of an axis must be finite,
# and sums with it must not overflow.
LARGEST = 1e307

# Shorter ranges are drawn like a single value, for the same reason
SHORTEST = 1e-290


@dataclass(frozen=True, eq=False)
class Picture:
    """
    The distribution of a variable.

    Attributes
    ----------
    edges : ndarray of float64, shape (n_bins + 1,)
    labelled, unlabelled : ndarray, shape (n_classes, n_bins)
        Rows of each class; unlabelled rows count for the class of their pseudo-label.
    values : ndarray of float64
        The finite values, each once, increasing.
    count : callable
        Returns labelled and unlabelled rows of each class in each interval of cuts.
    """

    edges: np.ndarray
    labelled: np.ndarray
    unlabelled: np.ndarray
    values: np.ndarray
    count: Callable

    def place(self, value):
        """Return how many distinct values are below a value."""
        return int(np.searchsorted(self.values, value))

    def cut_at(self, place):
        """Return the cut in the middle, with this number of distinct values below."""
        return cut_between(*self.values[place - 1:place + 1]).item()

    def cut_near(self, value, steps=0):
        """
        Return the cut in the middle between two values, near a given one.

        Parameters
        ----------
        value : float
        steps : int
            0 for the cut that separates the same rows as the value. 1 and -1 for the
            next cut above and below. The value itself if there is no cut to move to.
        """
        place = self.place(value) + steps
        return self.cut_at(place) if 0 < place < len(self.values) else value


def draw(values, classes, unlabelled, n_classes, weights):
    """
    Return the picture of a variable; None if it has no finite value.

    Parameters
    ----------
    values : ndarray of float64
    classes : ndarray of int
        The class of each row, or its pseudo-label; rows below 0 are left out.
    unlabelled : ndarray of bool
    n_classes : int
    weights : ndarray of float64

    Returns
    -------
    Picture or None

    Examples
    --------
    >>> picture = draw(np.array([1., 2, 2, 3]), np.array([0, 0, 1, 1]),
    ...                np.array([False, False, False, True]), 2, np.ones(4))
    >>> picture.edges
    array([0.5, 1.5, 2.5, 3.5])
    >>> picture.labelled
    array([[1, 1, 0],
           [0, 1, 0]])
    >>> picture.count([2])[0]
    array([[1, 1],
           [0, 1]])
    """
    finite = values[np.isfinite(values) & (classes >= 0)]
    edges = bin_edges(finite)
    if edges is None:
        return None

    def count(cuts, values=values):
        codes = assign_intervals(values, cuts)
        return tuple(contingency(codes[rows], classes[rows], n_classes, weights[rows],
                                 len(cuts) + 1) for rows in (~unlabelled, unlabelled))

    bars = count(edges[1:-1], np.where(np.isfinite(values), values, np.nan))
    return Picture(edges, *bars, np.unique(finite), count)


def bin_edges(values):
    """
    Return the edges of bins, strictly increasing; None if there are no values.

    Each value of a coarse grid is in the middle of a bin.

    Examples
    --------
    >>> bin_edges(np.array([1., 2, 2, 4]))
    array([0.5, 1.5, 2.5, 3.5, 4.5])
    """
    if not len(values):
        return None
    distinct = np.unique(np.clip(values, -LARGEST, LARGEST))
    low, high = _ends(distinct)
    if high > distinct[-1]:
        return np.array([low, high])
    width = np.diff(distinct).min()
    n_bins = round((high - low) / width) + 1 if width > (high - low) / MOST_BINS else 0
    if n_bins and np.allclose((distinct - low) / width,
                              np.round((distinct - low) / width), atol=1e-3):
        edges = low + width * (np.arange(n_bins + 1) - .5)
    else:
        n_bins = int(np.clip(4 * len(values) ** (1 / 3), 10, MOST_BINS))
        edges = np.linspace(low, high, n_bins + 1)
    return np.unique(edges)  # some may be equal, by rounding


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """
    The lowest and the highest value, and bars of equal width between them.

    Attributes
    ----------
    low, high : float
    counts : ndarray, shape (n_classes, n_bars)
    """

    low: float
    high: float
    counts: np.ndarray

    @property
    def length(self):
        """The length of the axis."""
        return self.high - self.low

    def place(self, value):
        """Return the position of a value, from 0 at the left to 1 at the right."""
        return (min(max(value, self.low), self.high) - self.low) / self.length


def make_thumbnail(values, classes, n_classes, weights):
    """
    Return the thumbnail of a variable; None if no value is finite.

    Parameters
    ----------
    values : ndarray of float64
    classes : ndarray of int
        Rows with a negative class are left out.
    n_classes : int
    weights : ndarray of float64

    Examples
    --------
    >>> thumbnail = make_thumbnail(
    ...     np.array([0., 1, 24]), np.array([0, 1, 1]), 2, np.ones(3))
    >>> thumbnail.counts[:, [0, 1, 2, -1]]
    array([[1, 0, 0, 0],
           [0, 1, 0, 1]])
    >>> thumbnail.place(6)
    0.25
    """
    use = np.isfinite(values)
    if not use.all():
        values, classes, weights = values[use], classes[use], weights[use]
    if not len(values):
        return None
    low, high = _ends(np.clip(values, -LARGEST, LARGEST))
    bars = np.floor((np.clip(values, low, high) - low) / (high - low) * N_BARS)
    return Thumbnail(low, high, contingency(
        np.minimum(bars, N_BARS - 1), classes, n_classes, weights, N_BARS))


def _ends(values):
    """Return the least and the largest value, which differ even if they are equal."""
    low, high = values.min().item(), values.max().item()
    if high - low < SHORTEST:
        half = max(.5, abs(low) * 2. ** -40)  # not lost by rounding
        return low - half, high + half
    return low, high
