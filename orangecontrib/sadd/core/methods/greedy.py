"""CAIM, CACC and ChiMerge: one cut or merger at a time, the best one.

CAIM and CACC start from one interval and add the cut that raises a criterion of all
intervals most. They differ in the criterion alone. Each cut takes time proportional to
the nonzero counts of its interval. Memory is proportional to the nonzero counts of the
column. ChiMerge starts from one interval for each value, and merges neighbours.

Functions take `Cells`, and return increasing cut points. `min_samples` is the minimum
weight of rows in an interval, or their share if below 1. The compiled page `_greedy`
does the work.
"""

import numpy as np
from scipy.special import chdtri

from orangecontrib.sadd.core.arithmetic import cut_between, least_rows
from orangecontrib.sadd.core.methods import _greedy

__all__ = ["cacc_cuts", "caim_cuts", "chimerge_cuts"]

# Values of chi2, and contributions relative to the largest one, are equal if they are
# closer than this. Their rounding errors depend on the order of the classes.
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

    Examples
    --------
    >>> from orangecontrib.sadd.core.methods.cells import cells_of
    >>> x, classes = np.arange(8.), np.array([0, 0, 0, 0, 0, 1, 1, 1], dtype=np.intc)
    >>> cells, = cells_of([x], classes, np.ones(8), 2)
    >>> caim_cuts(cells)
    array([4.5])
    """
    # max ** 2 / total <= max <= the rows of the most frequent class
    class_totals = _class_totals(cells)
    return _cuts(cells, class_totals, True, _TOLERANCE * class_totals.max(initial=0),
                 min_samples, max_intervals)


def cacc_cuts(cells, min_samples=None, max_intervals=None):
    """
    Cut a column by the class-attribute contingency coefficient (CACC).

    The criterion of Tsai, Lee and Yang (2008) is ``sqrt(y / (y + M))`` for M rows. Here
    ``y = chi2 / log(n)`` of the table of classes and n intervals. The criterion grows
    with y, so values of y are compared. Cuts are added as in `caim_cuts`.

    With each cut, chi2 rises faster than log(n). So an attribute unrelated to the class
    may be cut nearly everywhere.
    """
    # a contribution is a weighted mean of shares of classes, hence at most 1
    return _cuts(cells, _class_totals(cells), False, _TOLERANCE,
                 min_samples, max_intervals)


def chimerge_cuts(cells, significance=0.05, max_intervals=None):
    """
    Cut a column where the classes of neighbouring intervals differ significantly.

    As in Kerber (1992), each value begins as an interval of its own. The neighbours
    with the smallest chi2 are merged, the first ones on ties, while their chi2 is below
    a threshold. The threshold is the quantile ``1 - significance`` of the chi-squared
    distribution. The degrees of freedom are C - 1 for C classes. Expected counts of
    zero contribute 0.

    Preparing the intervals takes time proportional to their cells. A merge takes
    O(log n), plus the number of classes in both intervals; see `_greedy`.

    If there are more than `max_intervals`, they are merged even if they differ
    significantly.

    Examples
    --------
    >>> from orangecontrib.sadd.core.methods.cells import cells_of
    >>> classes = np.repeat([0, 1], [5, 3]).astype(np.intc)
    >>> cells, = cells_of([np.arange(8.)], classes, np.ones(8), 2)
    >>> chimerge_cuts(cells)
    array([4.5])
    >>> chimerge_cuts(cells, max_intervals=1)
    array([], dtype=float64)
    """
    n_values = len(cells.values)
    n_classes = np.count_nonzero(_class_totals(cells))
    if n_values < 2 or n_classes < 2:
        return np.empty(0)
    places, *runs = _runs(cells)
    merger = _greedy.Merger(
        *runs, len(cells.missing), chdtri(n_classes - 1, significance),
        min(max_intervals or n_values, n_values), _TOLERANCE)
    merger.run()
    return _cuts_at(places[np.flatnonzero(merger.totals)[1:]], cells)


def _runs(cells):
    """Return the first values of runs, and their bounds, classes and weights."""
    n_values, classes, weights = (
        len(cells.values), cells.free_integers, cells.free_numbers)
    places, bounds = (np.empty(n, dtype=np.intc) for n in (n_values, n_values + 1))
    n = _greedy.join_pure(*cells[1:4], places, bounds, classes, weights)
    n_cells = bounds[n]
    return places[:n], bounds[:n + 1], classes[:n_cells], weights[:n_cells]


def _cuts_at(places, cells):
    """Return the cuts below some values."""
    return cut_between(cells.values[places - 1], cells.values[places])


def _class_totals(cells):
    return np.bincount(cells.classes, cells.weights, len(cells.missing))


def _cuts(cells, class_totals, is_caim, tolerance, min_samples, max_intervals):
    """Add the cut that raises the criterion most, until none is accepted."""
    values, bounds, classes, weights = cells[:4]
    n_classes = np.count_nonzero(class_totals)
    if len(values) < 2 or n_classes < 2:
        return np.empty(0)
    if len(values) <= n_classes and min_samples is None and max_intervals is None:
        # As many intervals as classes: all there can be
        return cut_between(values[:-1], values[1:])
    rows_below, least = np.empty(0), 0.
    if min_samples is not None:
        rows_below = np.append(0, np.cumsum(weights))[bounds]
        least = least_rows(min_samples, rows_below[-1])

    def cut(places, bounds, classes, weights):
        cutter = _greedy.Cutter(
            bounds, classes, weights, class_totals, is_caim, rows_below, least,
            min(max_intervals or len(values), len(values)), tolerance)
        gains = cutter.run()
        return places[np.flatnonzero(cutter.is_cut)], gains

    if min_samples is None:
        found, gains = cut(*_runs(cells))
        if gains:
            return _cuts_at(found, cells)
    # The best, or lowest, cut may be inside a run
    found, _ = cut(np.arange(len(values)), bounds, classes, weights)
    return _cuts_at(found, cells)
