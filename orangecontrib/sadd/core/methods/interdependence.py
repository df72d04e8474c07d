"""CAIM and CACC: greedy top-down cuts by class-attribute interdependence.

Both methods start from one interval and add the cut that raises a criterion of all
intervals most. They differ in the criterion alone.
"""

import heapq
import math

import numpy as np

from orangecontrib.sadd.core.arithmetic import cut_between, least_rows, tie_keys

__all__ = ["cacc_cuts", "caim_cuts"]

# Contributions closer than this, relative to the largest possible one, are equal. Their
# rounding errors depend on the order of the classes.
_TOLERANCE = 1e-12


def caim_cuts(cells, min_samples=None, max_intervals=None):
    """
    Cut a column by class-attribute interdependence maximization (CAIM).

    The criterion of Kurgan and Cios (2004) is the mean of ``max ** 2 / total`` over the
    intervals. `max` is the count of the most frequent class of the interval, and
    `total` the count of all its classes. The best cut is added while the criterion
    rises, or there are fewer intervals than classes; on ties, the smallest. A column of
    a single class is not cut. (The published algorithm starts from a criterion of 0 and
    would cut it once.)

    Each cut takes time proportional to the nonzero counts of its interval. Memory is
    proportional to the nonzero counts of the column.

    Parameters
    ----------
    cells : Cells
    min_samples : int or float, optional
        Minimum weight of rows in an interval, or their share if below 1.
    max_intervals : int, optional
        Maximum number of intervals, even if there are more classes.

    Returns
    -------
    ndarray of float64
        Increasing cut points.

    Examples
    --------
    >>> from orangecontrib.sadd.core.methods.cells import cells_of
    >>> x, classes = np.arange(8.), np.array([0, 0, 0, 0, 0, 1, 1, 1], dtype=np.intc)
    >>> cells, = cells_of([x], classes, np.ones(8), 2)
    >>> caim_cuts(cells)
    array([4.5])
    """
    def contributions(weights, class_counts, _):
        # counts of each class only grow, so the maximum is cumulative
        return np.maximum.accumulate(class_counts) ** 2 / weights.cumsum()

    def criterion(total, n_intervals):
        return total / n_intervals

    values, cells = cells.values, _Cells(cells)
    # max ** 2 / total <= max <= the rows of the most frequent class
    tolerance = _TOLERANCE * cells.class_totals.max(initial=0)
    return _greedy_cuts(values, cells, contributions, criterion, tolerance,
                        min_samples, max_intervals)


def cacc_cuts(cells, min_samples=None, max_intervals=None):
    """
    Cut a column by the class-attribute contingency coefficient (CACC).

    The criterion of Tsai, Lee and Yang (2008) is ``sqrt(y / (y + M))`` for M rows. Here
    ``y = chi2 / log(n)`` of the table of classes and n intervals. The criterion grows
    with y, so values of y are compared. Cuts are added as in `caim_cuts`.

    With each cut, chi2 rises faster than log(n). So an attribute unrelated to the class
    may be cut nearly everywhere.

    Each cut takes time proportional to the nonzero counts of its interval. Memory is
    proportional to the nonzero counts of the column.

    Parameters
    ----------
    cells, min_samples, max_intervals
        As in `caim_cuts`.

    Returns
    -------
    ndarray of float64
        Increasing cut points.

    Examples
    --------
    >>> from orangecontrib.sadd.core.methods.cells import cells_of
    >>> x, classes = np.arange(8.), np.array([0, 0, 0, 0, 0, 1, 1, 1], dtype=np.intc)
    >>> cells, = cells_of([x], classes, np.ones(8), 2)
    >>> cacc_cuts(cells)
    array([4.5])
    """
    values, cells = cells.values, _Cells(cells)

    def contributions(weights, class_counts, labels):
        # the sum of count ** 2 / class total grows by this much with each cell
        growth = weights * (2 * class_counts - weights) / cells.class_totals[labels]
        return growth.cumsum() / weights.cumsum()

    def criterion(total, n_intervals):
        return (total - 1) / math.log(n_intervals)

    # a contribution is a weighted mean of shares of classes, hence at most 1
    return _greedy_cuts(values, cells, contributions, criterion, _TOLERANCE,
                        min_samples, max_intervals)


class _Cells:
    """Counts of a column that are not zero, by value, then by class."""

    def __init__(self, cells):
        _, bounds, labels, weights, n_classes = cells
        self._labels, self._weights, self._bounds = labels, weights, bounds
        self.class_totals = np.bincount(labels, weights, n_classes)
        # rows of the same class up to each cell, and before it
        by_class = np.argsort(labels, kind="stable")
        ends = np.cumsum(np.bincount(labels, minlength=n_classes))
        self._up_to = np.empty_like(weights)
        self._up_to[by_class] = np.concatenate([
            part.cumsum() for part in np.split(weights[by_class], ends[:-1])])
        self._before = self._up_to - weights
        self._scratch = np.empty((2, n_classes))

    def contributions(self, start, stop, function):
        """Return contributions of intervals from start up to each value and down
        from stop to each value.

        The function gets weights of cells, counts of their classes so far, and their
        labels, in the order of growth.
        """
        bounds = self._bounds[start:stop + 1]
        cells = slice(bounds[0], bounds[-1])
        bounds = bounds - bounds[0]
        labels, weights = self._labels[cells], self._weights[cells]
        up_to, before = self._up_to[cells], self._before[cells]
        # Rows of a class before its first cell here and up to its last one. If an index
        # is repeated, NumPy keeps the value that was assigned last.
        first, last = self._scratch
        first[labels[::-1]] = before[::-1]
        last[labels] = up_to
        growing_up = function(weights, up_to - first[labels], labels)
        growing_down = function(
            weights[::-1], (last[labels] - before)[::-1], labels[::-1])[::-1]
        return growing_up[bounds[1:] - 1], growing_down[bounds[:-1]]

    def rows_below(self):
        """Return the weight of rows below each value, and of all rows."""
        return np.append(0, np.cumsum(self._weights))[self._bounds]


def _greedy_cuts(values, cells, contributions, criterion, tolerance, min_samples=None,
                 max_intervals=None):
    """Add the cut that raises the criterion most, until none is accepted.

    The criterion rises with the sum of contributions of the intervals. So a cut changes
    no other interval's best candidate, and the best cut has the largest gain. A heap
    holds the best candidate of every interval.
    """
    n_values = len(values)
    n_classes = np.count_nonzero(cells.class_totals)
    if n_values < 2 or n_classes < 2:
        return np.empty(0)
    if n_values <= n_classes and min_samples is None and max_intervals is None:
        # As many intervals as classes: all there can be
        return cut_between(values[:-1], values[1:])

    max_intervals = math.inf if max_intervals is None else max_intervals
    if min_samples is not None:
        rows_below = cells.rows_below()
        least = least_rows(min_samples, rows_below[-1])
    tie_key = tie_keys(tolerance)
    heap = []

    def add_candidate(start, stop):
        if stop - start < 2:
            return
        below, above = cells.contributions(start, stop, contributions)
        gains = below[:-1] + above[1:] - below[-1]
        if min_samples is not None:
            left = rows_below[start + 1:stop] - rows_below[start]
            right = rows_below[stop] - rows_below[start] - left
            allowed = (left >= least) & (right >= least)
            if not allowed.any():
                return
            gains[~allowed] = -np.inf
        index = np.argmax(gains >= gains.max() - tolerance).item()
        gain = gains[index].item()
        heapq.heappush(heap, (-tie_key(gain), start + index + 1, gain, start, stop))

    total = cells.contributions(0, n_values, contributions)[0][-1].item()
    global_criterion = 0.0
    positions = []
    add_candidate(0, n_values)
    while heap and len(positions) + 1 < max_intervals:
        _, cut, gain, start, stop = heapq.heappop(heap)
        n_intervals = len(positions) + 1
        total += gain
        # the criterion has to rise by more than rounding can account for
        if (n_intervals >= n_classes and
                criterion(total - tolerance, n_intervals + 1) <= global_criterion):
            break
        # as published: also if it falls, to have as many intervals as classes
        global_criterion = criterion(total, n_intervals + 1)
        positions.append(cut)
        add_candidate(start, cut)
        add_candidate(cut, stop)

    positions = np.sort(np.array(positions, dtype=np.intp))
    return cut_between(values[positions - 1], values[positions])
