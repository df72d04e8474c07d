"""How often each class is in each interval, known from the splits without counting.

Whoever cuts an interval knows the classes on both sides. What was said last about the
interval that begins at a cut is about one that was not cut again.
"""

from itertools import pairwise

import numpy as np

__all__ = ["LeafCounts"]


class LeafCounts:
    """
    Weights of classes in intervals.

    Examples
    --------
    >>> counts = LeafCounts()
    >>> counts.add(np.array([0]), np.array([-np.inf]), np.array([[4, 4]]))
    >>> counts.add(np.array([0, 0]), np.array([-np.inf, 5]), np.array([[4, 1], [0, 3]]))
    >>> counts.tables([np.array([5.])], 2)[0]
    array([[4, 0],
           [1, 3]])
    """

    def __init__(self):
        self._n_parts = 0
        self._parts = []
        self._cells = []

    def add(self, column, lower, totals, labels=None):
        """
        Add intervals, those that have been cut before their parts.

        Parameters
        ----------
        column : ndarray of int
        lower : ndarray of float64
            The cut where each interval begins, or minus infinity.
        totals : ndarray, shape (n_intervals, n_classes)
            Weight of each class.
        labels : ndarray of int, shape (n_intervals, n_classes), optional
            Which classes these are; by default all of them.
        """
        interval, klass = np.nonzero(totals)
        weights = totals[interval, klass]
        if labels is not None:
            klass = labels[interval, klass]
        self._parts.append((column, lower))
        self._cells.append((interval + self._n_parts, klass, weights))
        self._n_parts += len(column)

    def tables(self, cut_points, n_classes):
        """
        Return the tables of all columns.

        Parameters
        ----------
        cut_points : list of ndarray
            Cuts of each column: all that were made, or some of them.
        n_classes : int

        Returns
        -------
        list of ndarray, shape (n_classes, n_cuts + 1)
        """
        if not cut_points:
            return []
        column, lower = map(np.concatenate, zip(*self._parts, strict=True))
        part, klass, weights = map(np.concatenate, zip(*self._cells, strict=True))
        order = np.lexsort((np.arange(len(column)), lower, column))
        is_last = np.append((np.diff(column[order]) > 0)
                            | (lower[order][1:] > lower[order][:-1]), True)
        leaves = order[is_last]
        widths = np.array([len(cuts) + 1 for cuts in cut_points])
        ends = np.cumsum(widths)
        interval = np.full(len(column), -1)
        if ends[-1] == len(leaves):
            interval[leaves] = np.arange(len(leaves))
        else:  # some cuts are left out
            starts = np.append(0, np.cumsum(np.bincount(column[leaves])))
            for own, (cuts, end) in enumerate(zip(cut_points, ends, strict=True)):
                some = leaves[starts[own]:starts[own + 1]]
                interval[some] = end - len(cuts) - 1 + np.searchsorted(
                    cuts, lower[some], side="right")
        cells = np.flatnonzero(interval[part] >= 0)
        table = np.bincount(
            klass[cells] * ends[-1] + interval[part[cells]], weights[cells],
            n_classes * ends[-1]).astype(weights.dtype).reshape(n_classes, -1)
        return [table[:, start:end] for start, end in pairwise([0, *ends.tolist()])]
