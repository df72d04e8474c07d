"""Knots of SADD Tables: the axes of variables, found from their values.

A curve may bend at the means of intervals between cuts. The table of a pair bends at
means between quantiles.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive._places import add_at_places, measure_intervals
from orangecontrib.sadd.core.additive.axes import Axis, Places, in_parts
from orangecontrib.sadd.core.additive.rowsums import NO_PAIRS, NOTHING, without_steps
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["curve_axes", "measure_axes", "pair_axes", "quantiles"]

# The slope does not grow beyond this many standard deviations from the mean
STEEPEST = 3

# A curve with fewer cuts may also bend at its quartiles
FEW_CUTS = 3
QUARTILES = np.array([0.25, 0.5, 0.75])

# Where variables in pairs are cut
QUINTILES = np.array([0.2, 0.4, 0.6, 0.8])

NO_CUTS = np.zeros(0)

# Differences of larger numbers might overflow
HUGE = 1e300
TINY, LARGEST = np.finfo(float).tiny, np.finfo(float).max

# Threads measure the columns of larger tables
MANY_VALUES = 10 ** 6


def curve_axes(X: Floats, weights: Floats, cut_points: Sequence[Floats],
               categories: Sequence[npt.NDArray[Any] | None]) -> list[Axis]:
    """
    Return the axes of the curves of all variables; each has at least one entry.

    A curve may bend at the mean of each interval between cuts, or between quartiles if
    there are fewer than three cuts. Its line ends three standard deviations from the
    mean.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        NaN where a value is missing, codes in categorical columns.
    weights : ndarray of float64, shape (n_rows,)
    cut_points : sequence of ndarray
        Cut points of each numeric variable.
    categories : sequence of ndarray or None
        Categories of each variable; None for a numeric variable.
    """
    cuts = list(cut_points)
    few = [feature for feature, values in enumerate(categories)
           if values is None and len(cuts[feature]) < FEW_CUTS]
    for feature, found in zip(few, quantiles(X, few, weights, QUARTILES), strict=True):
        cuts[feature] = np.union1d(cuts[feature], found) if len(cuts[feature]) \
            else found
    return measure_axes(X, weights, cuts, categories, has_ends=True)


def pair_axes(X: Floats, weights: Floats,
              categories: Sequence[npt.NDArray[Any] | None]) -> list[Axis]:
    """
    Return the axes of variables in pairs, for columns of some variables.

    Knots are the means of at most five intervals between quantiles.
    """
    cuts = quantiles(X, range(X.shape[1]), weights, QUINTILES)
    return measure_axes(X, weights, cuts, categories)


def quantiles(X: Floats, features: Sequence[int], weights: Floats, shares: Floats
              ) -> list[Floats]:
    """
    Return cuts of features at quantiles that leave rows on both sides.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
    features : sequence of int
    weights : ndarray of float64, shape (n_rows,)
    shares : ndarray of float64
        Of rows below each cut.

    Examples
    --------
    >>> X = np.array([[1., 2, 3, 4, 4, 4]]).T
    >>> quantiles(X, [0], np.ones(6), np.array([0.25, 0.5, 0.9]))
    [array([1.5, 3.5])]
    """
    used = slice(None) if np.all(weights > 0) else np.flatnonzero(weights > 0)
    weights = weights[used]
    is_even, up_to = np.ptp(weights) == 0 if len(weights) else True, weights.cumsum()

    def cut(feature):
        values, below = X[used, feature], up_to
        if is_even:
            values = np.sort(values)
        else:
            order = np.argsort(values, kind="stable")
            values, below = values[order], weights[order].cumsum()
        values = values[:values.searchsorted(np.nan)]
        n_rows = len(values)
        if not n_rows or values[0] == values[-1]:
            return NO_CUTS
        # The run of equal values at a share, and the nearer one of its ends
        targets = shares * below[n_rows - 1]
        at = values[np.minimum(below[:n_rows].searchsorted(targets), n_rows - 1)]
        first, last = values.searchsorted(at), values.searchsorted(at, side="right")
        is_nearer = targets - below[first - 1] <= below[last - 1] - targets
        ends = np.where(is_nearer & (first > 0) | (last == n_rows), first, last)
        ends = ends[np.append(True, ends[1:] > ends[:-1])]
        low, high = values[ends - 1], values[ends]
        with np.errstate(invalid="ignore"):  # between infinities
            middle = low / 2 + high / 2
        return np.where((middle > low) & (middle <= high), middle, high)

    return list((map_in_threads if X.size > MANY_VALUES else map)(cut, features))


def measure_axes(X: Floats, weights: Floats, cuts: Sequence[Floats],
                 categories: Sequence[npt.NDArray[Any] | None], has_ends: bool = False
                 ) -> list[Axis]:
    """
    Return the axes of columns.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_columns)
    weights : ndarray of float64, shape (n_rows,)
    cuts : sequence of ndarray of float64
        Those of categories are not used.
    categories : sequence of ndarray or None
    has_ends : bool
        Whether there are two more knots, three standard deviations from the mean.
    """
    n_columns = X.shape[1]
    cuts = [own if values is None else NO_CUTS
            for own, values in zip(cuts, categories, strict=True)]
    n_intervals = np.array([len(own) + 1 for own in cuts], dtype=np.intp)
    starts = np.append(0, np.cumsum(n_intervals)).astype(np.int32)
    flat_cuts = np.concatenate((NO_CUTS, *cuts))
    sums, totals = np.zeros((starts[-1], 2)), np.zeros(n_columns)
    ranges = np.zeros((n_columns, 4))

    def measure(columns):
        own = starts[columns.start:columns.stop + 1]
        measure_intervals(
            X[:, columns], weights, flat_cuts[own[0] - columns.start:], own - own[0],
            sums[own[0]:own[-1]], totals[columns], ranges[columns])

    # Threads take cache lines of eight numbers
    list((map_in_threads if X.size > MANY_VALUES else map)(measure, [
        slice(first, min(first + 8, n_columns)) for first in range(0, n_columns, 8)]))
    low, high, mean, squares = ranges.T
    # Rounding may leave a sum of squares a little below 0
    deviation = np.sqrt(np.maximum(squares, 0) / np.maximum(totals, TINY))
    # Knots are means, as shares of the range, with two more at the ends
    first = starts[:-1] + 2 * np.arange(n_columns)
    last = first + n_intervals + 1
    column = np.repeat(np.arange(n_columns), n_intervals + 2)
    is_mean = np.ones(len(column), dtype=bool)
    is_mean[first] = is_mean[last] = False
    knots = np.zeros(len(column))
    knots[is_mean] = _means(sums, starts)
    knots[first], knots[last] = mean - STEEPEST * deviation, mean + STEEPEST * deviation
    kept, steps = is_mean & (low < high)[column], is_mean.copy()
    kept[first + 1], steps[first + 1] = True, False
    if has_ends:
        kept[first] = (deviation > 0) & (knots[first] < knots[first + 1])
        kept[last] = (deviation > 0) & (knots[last] > knots[last - 1])
    sizes = np.add.reduceat(kept, first) if n_columns else first
    knots, steps, column = knots[kept], steps[kept], column[kept]
    slope = np.clip((knots - mean[column]) / np.where(
        deviation > 0, deviation, np.inf)[column], -STEEPEST, STEEPEST)
    half = np.where(np.maximum(-low, high) > HUGE, .5, 1)
    with np.errstate(over="ignore"):
        knots = np.clip(
            (knots * (high * half - low * half)[column] + (low * half)[column])
            / half[column], -LARGEST, LARGEST)
    found = []
    for values, size, end in zip(
            categories, sizes.tolist(), np.cumsum(sizes).tolist(), strict=True):
        own = slice(end - size, end)
        found.append(Axis(knots[own], slope[own], steps[own], NO_CUTS)
                     if values is None
                     else Axis(None, *np.zeros((3, max(1, len(values))))))
    return _with_shares(found, X, weights)


def _means(sums, starts):
    """Return the means of intervals, those of empty ones between their neighbours."""
    means = sums[:, 1] / np.maximum(sums[:, 0], TINY)
    is_empty = sums[:, 0] == 0
    for column in np.unique(np.searchsorted(
            starts, np.flatnonzero(is_empty), side="right")) - 1:
        own = slice(starts[column], starts[column + 1])
        filled = np.flatnonzero(~is_empty[own])
        if len(filled):
            means[own] = np.interp(
                np.arange(own.stop - own.start), filled, means[own][filled])
    return means


def _with_shares(axes, X, weights):
    """Return axes with the shares of entries in the rows."""
    places = Places(axes)

    def add(rows):
        found = np.zeros((places.size, 2, 1))
        add_at_places(places(X[rows])[0], NOTHING, NO_PAIRS, weights[rows, None], found)
        return found

    sums = without_steps(sum(in_parts(add, X)))[:, 0]
    found = []
    for axis, first in zip(axes, places.starts - 1, strict=True):
        own = sums[first:first + len(axis)]
        found.append(replace(axis, shares=own / max(own.sum(), TINY)))
    return found
