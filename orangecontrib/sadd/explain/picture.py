"""The distribution of a variable by class, as a histogram and between any cuts."""

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.splitting.runs import ClassGroups, ClassRuns

__all__ = ["Picture", "bin_edges", "draw"]

# Bars of a histogram, at most
MOST_BINS = 80


@dataclass(frozen=True, eq=False)
class Picture:
    """
    The distribution of a variable.

    Attributes
    ----------
    edges : ndarray of float64, shape (n_bins + 1,)
    labelled, unlabelled : ndarray, shape (n_classes, n_bins)
        Rows of each class; for unlabelled rows it is the pseudo-label.
    """

    edges: np.ndarray
    labelled: np.ndarray
    unlabelled: np.ndarray
    _labelled_runs: ClassRuns
    _unlabelled_runs: ClassRuns

    def counts(self, cuts):
        """
        Count rows between cuts, fast enough to drag one.

        Returns
        -------
        ndarray, shape (n_classes + 1, len(cuts) + 1)
            Unlabelled rows are in the last row.
        """
        ends = np.append(np.asarray(cuts, dtype=np.float64), np.nan)
        labelled, unlabelled = (
            np.diff(runs.count(ends), axis=1, prepend=0)
            for runs in (self._labelled_runs, self._unlabelled_runs))
        return np.vstack((labelled, unlabelled.sum(axis=0)))


def draw(values, classes, n_classes, unlabelled, weights=None):
    """
    Give the picture of a variable; None if it has no finite value.

    Parameters
    ----------
    values : ndarray of float64
    classes : ndarray of int
        Class of each row, or pseudo-label.
    n_classes : int
    unlabelled : ndarray of bool
    weights : ndarray of float64, optional

    Returns
    -------
    Picture or None

    Examples
    --------
    >>> import numpy as np
    >>> picture = draw(np.array([1., 2, 2, 3]), np.array([0, 0, 1, 1]), 2,
    ...                np.array([False, False, False, True]))
    >>> picture.edges
    array([0.5, 1.5, 2.5, 3.5])
    >>> picture.labelled
    array([[1, 1, 0],
           [0, 1, 0]])
    >>> picture.counts([2])
    array([[1, 1],
           [0, 1],
           [0, 1]])
    """
    edges = bin_edges(values[np.isfinite(values)])
    if edges is None:
        return None
    runs = [
        ClassGroups(classes[mask], n_classes, None if weights is None else weights[mask]
                    ).runs(values[mask])
        for mask in (~unlabelled, unlabelled)]
    ends = edges.copy()
    ends[-1] = np.nextafter(ends[-1], np.inf)  # the last bin is closed
    bars = (np.diff(part.count(ends), axis=1) for part in runs)
    return Picture(edges, *bars, *runs)


def bin_edges(values):
    """Edges of bins; on a coarse grid of values, each bin has one in the middle."""
    if not len(values):
        return None
    distinct = np.unique(values)
    low, high = distinct[0], distinct[-1]
    if low == high:
        return np.array([low - .5, low + .5])
    width = np.diff(distinct).min()
    n_bins = round((high - low) / width) + 1 if width > (high - low) / MOST_BINS else 0
    if n_bins and np.allclose((distinct - low) / width,
                              np.round((distinct - low) / width), atol=1e-3):
        return low + width * (np.arange(n_bins + 1) - .5)
    n_bins = int(np.clip(4 * len(values) ** (1 / 3), 10, MOST_BINS))
    return np.linspace(low, high, n_bins + 1)
