"""The distribution of a variable by class, large and small, and between any cuts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orangecontrib.sadd.core.cuts import contingency, cut_between
from orangecontrib.sadd.core.splitting.criterion import entropy, mutual_information
from orangecontrib.sadd.core.splitting.runs import ClassGroups, ClassRuns

__all__ = ["IntervalCounts", "Picture", "Thumbnail", "bin_edges", "draw",
           "make_thumbnail"]

# The largest number of bars in a histogram, and the number in a thumbnail
MOST_BINS = 80
N_BARS = 24

# Larger values are drawn here, at the end of the axis: the length of an axis must be a
# finite number, with some room for those who compute with it
LARGEST = 1e307

# Shorter ranges are drawn like a single value, for the same reason
SHORTEST = 1e-290


@dataclass(frozen=True, eq=False)
class IntervalCounts:
    """
    The rows of each class in each interval of a variable.

    Attributes
    ----------
    table : ndarray, shape (n_classes + 1, n_intervals)
        The last row counts unlabelled rows.
    lent : ndarray, shape (n_classes, n_intervals), or None
        Unlabelled rows by the class of their pseudo-label, if it is known.

    Examples
    --------
    >>> counts = IntervalCounts(np.array([[2, 0], [0, 2], [5, 1]]))
    >>> counts.information, counts.share
    (1.0, 1.0)
    """

    table: np.ndarray
    lent: np.ndarray | None = None

    @classmethod
    def of(cls, labelled, lent):
        """Return the counts of labelled rows and of those with pseudo-labels."""
        return cls(np.vstack((labelled, lent.sum(axis=0))), lent)

    @cached_property
    def information_with_lent(self):
        """Mutual information of intervals and classes, pseudo-labels included."""
        return mutual_information(self.table[:-1] + self.lent)

    @cached_property
    def information(self):
        """Mutual information of intervals and classes of labelled rows, in bits."""
        return mutual_information(self.table[:-1])

    @cached_property
    def share(self):
        """The same as a fraction of the class entropy."""
        whole = entropy(self.table[:-1].sum(axis=1))
        return float(self.information / whole) if whole > 0 else 0.


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
    """

    edges: np.ndarray
    labelled: np.ndarray
    unlabelled: np.ndarray
    values: np.ndarray
    _labelled_runs: ClassRuns
    _unlabelled_runs: ClassRuns

    def count(self, cuts):
        """Return the `IntervalCounts` between cuts, fast enough to drag one."""
        ends = np.append(np.asarray(cuts, dtype=np.float64), np.nan)
        labelled, unlabelled = (
            np.diff(runs.count(ends), axis=1, prepend=0)
            for runs in (self._labelled_runs, self._unlabelled_runs))
        return IntervalCounts.of(labelled, unlabelled)

    def cut_near(self, value, steps=0):
        """
        Return the cut in the middle between two values, near a given one.

        Parameters
        ----------
        value : float
        steps : int
            0 for the cut that parts the same rows as one at the value, 1 for the next
            one above, -1 for that below. The value itself if there is none.
        """
        place = np.searchsorted(self.values, value) + steps
        if not 0 < place < len(self.values):
            return value
        return cut_between(*self.values[place - 1:place + 1]).item()


def draw(values, classes, n_classes, unlabelled, weights=None):
    """
    Return the picture of a variable; None if it has no finite value.

    Parameters
    ----------
    values : ndarray of float64
    classes : ndarray of int
        The class of each row, or its pseudo-label.
    n_classes : int
    unlabelled : ndarray of bool
    weights : ndarray of float64, optional

    Returns
    -------
    Picture or None

    Examples
    --------
    >>> picture = draw(np.array([1., 2, 2, 3]), np.array([0, 0, 1, 1]), 2,
    ...                np.array([False, False, False, True]))
    >>> picture.edges
    array([0.5, 1.5, 2.5, 3.5])
    >>> picture.labelled
    array([[1, 1, 0],
           [0, 1, 0]])
    >>> picture.count([2]).table
    array([[1, 1],
           [0, 1],
           [0, 1]])
    """
    finite = values[np.isfinite(values)]
    edges = bin_edges(finite)
    if edges is None:
        return None
    runs = [
        ClassGroups(classes[mask], n_classes, None if weights is None else weights[mask]
                    ).runs(values[mask])
        for mask in (~unlabelled, unlabelled)]
    ends = edges.copy()
    ends[0] = min(ends[0], finite.min())
    with np.errstate(over="ignore"):  # after the largest number comes infinity
        # The last bin is closed
        ends[-1] = np.nextafter(max(ends[-1], finite.max()), np.inf)
    bars = (np.diff(part.count(ends), axis=1) for part in runs)
    return Picture(edges, *bars, np.unique(finite), *runs)


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

    def place(self, value):
        """Return where a value is, from 0 at the left to 1 at the right."""
        return (min(max(value, self.low), self.high) - self.low) \
            / (self.high - self.low)


def make_thumbnail(values, classes, n_classes, weights=None):
    """
    Return the thumbnail of a variable; None if no value is finite.

    Parameters
    ----------
    values : ndarray of float64
    classes : ndarray of int
        Rows with a negative class are left out.
    n_classes : int
    weights : ndarray of float64, optional

    Examples
    --------
    >>> thumbnail = make_thumbnail(np.array([0., 1, 24]), np.array([0, 1, 1]), 2)
    >>> thumbnail.counts[:, [0, 1, 2, -1]]
    array([[1, 0, 0, 0],
           [0, 1, 0, 1]])
    >>> thumbnail.place(6)
    0.25
    """
    use = np.isfinite(values)
    if not use.all():
        values, classes = values[use], classes[use]
        weights = None if weights is None else weights[use]
    if not len(values):
        return None
    low, high = _ends(np.clip(values, -LARGEST, LARGEST))
    bars = np.floor((np.clip(values, low, high) - low) / (high - low) * N_BARS)
    return Thumbnail(low, high, contingency(
        np.minimum(bars, N_BARS - 1), classes, n_classes, weights, N_BARS))


def _ends(values):
    """Return the least and the largest value, some way apart even if they are equal."""
    low, high = values.min().item(), values.max().item()
    if high - low < SHORTEST:
        half = max(.5, abs(low) * 2. ** -40)  # not lost by rounding
        return low - half, high + half
    return low, high
