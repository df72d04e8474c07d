"""Axes of SADD Tables: where the tables of terms have entries, and places between them.

A numeric variable has its entries at *knots*, and the table is linear between them. A
categorical variable has an entry for each category. A place is the number of an entry,
plus the fraction of the way to the next one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive._places import (
    add_at_places,
    measure_intervals,
    place_values,
)
from orangecontrib.sadd.core.additive.rowsums import (
    BLOCK_VALUES,
    NO_PAIRS,
    NOTHING,
    without_steps,
)
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["Axis", "Places", "curve_axes", "measure_axes", "pair_axes", "quantiles"]

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


@dataclass(frozen=True, eq=False)
class Axis:
    """
    The places of a variable where a table has entries.

    Attributes
    ----------
    knots : ndarray of float64, shape (n_entries,), or None
        None for a categorical variable.
    slope : ndarray of float64, shape (n_entries,)
        Knots in standard deviations from the mean; 0 for a categorical variable.
    steps : ndarray of bool, shape (n_entries,)
        Knots where a ramp from the knot before ends.
    shares : ndarray of float64, shape (n_entries,)
        Share of each entry in the rows without missing values. A row between two knots
        is shared by them. So the mean of a table over the rows is ``shares @ table``.
    """

    knots: Floats | None
    slope: Floats
    steps: npt.NDArray[np.bool_]
    shares: Floats

    def __len__(self) -> int:
        return len(self.slope)


class Places:
    """
    The places of rows in the tables of all terms, which are joined into one.

    The first entry is 0, for missing values. Then come the entries of curves, that of
    the intercept, and those of pairs.

    Parameters
    ----------
    curves : sequence of Axis
        Of all features.
    pairs : sequence of pair of int
    pair_axes : dict of int to Axis
        Of features in pairs.

    Attributes
    ----------
    axes : list of tuple of Axis
        One of each feature, two of each pair.
    starts : ndarray of int, shape (n_terms,)
        The first entry of each term.
    intercept : int
        The entry of the intercept.
    size : int
        The number of entries.
    pairs : ndarray of int32, shape (n_pairs, 4)
        See `_places`.

    Examples
    --------
    >>> axis = Axis(np.array([0., 2, 4]), *np.zeros((3, 3)))
    >>> Places([axis])(np.array([[-1.], [3], [np.nan]]))[0].tolist()
    [[1.0], [2.5], [0.0]]
    """

    def __init__(self, curves: Sequence[Axis],
                 pairs: Sequence[tuple[int, int]] = (),
                 pair_axes: Mapping[int, Axis] | None = None) -> None:
        of_pairs = dict(sorted((pair_axes or {}).items()))
        self.axes = [*((axis,) for axis in curves), *(
            (of_pairs[first], of_pairs[second]) for first, second in pairs)]
        n_curves = len(curves)
        sizes = [math.prod(map(len, own)) for own in self.axes]
        starts = np.cumsum([1, *sizes[:n_curves], 1, *sizes[n_curves:]])
        self.intercept, self.size = int(starts[n_curves]), int(starts[-1])
        self.starts = np.delete(starts[:-1], n_curves)
        self._features = list(of_pairs)
        self.pairs = np.array([
            (self._features.index(first), self._features.index(second), start,
             len(of_pairs[second])) for (first, second), start in zip(
                 pairs, self.starts[n_curves:], strict=True)],
            dtype=np.int32).reshape(-1, 4)
        self._curves = _placing(curves, self.starts[:n_curves], 0)
        self._in_pairs = _placing(of_pairs.values(), np.zeros(len(of_pairs)), -1)

    def __call__(self, X: Floats) -> tuple[Floats, Floats]:
        """
        Return the places of the values of rows.

        Parameters
        ----------
        X : ndarray of float64, shape (n_rows, n_features)
            Numbers, or codes of categories; a code with a fraction is rounded down.

        Returns
        -------
        places : ndarray of float64, shape (n_rows, n_features)
        pair_places : ndarray of float64, shape (n_rows, n_features in pairs)
            On the axes of pairs, from 0; -1 for missing and new values.
        """
        return (_place(X, self._curves),
                _place(X[:, self._features], self._in_pairs) if self._features
                else np.empty((len(X), 0)))


# Older pickles of models hold objects of this name, which are not used
Placement = Places


def _placing(axes, offsets, missing):
    """Return the arguments of `place_values` for some axes."""
    flat = np.concatenate((*(
        np.zeros(len(axis)) if axis.knots is None else axis.knots for axis in axes),
        [0.]))
    starts = np.cumsum([0, *map(len, axes)])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        slopes = 1 / np.diff(flat)
    # Between tiny or huge numbers a slope may overflow: they have a step
    slopes[~np.isfinite(slopes)] = 0
    slopes[starts[1:] - 1] = 0
    return (flat, slopes, starts.astype(np.int32),
            np.asarray(offsets, dtype=np.int32),
            np.array([axis.knots is not None for axis in axes], dtype=np.int32),
            missing)


def _place(X, arguments):
    positions = np.empty(X.shape)

    def place(rows):
        place_values(np.ascontiguousarray(X[rows], dtype=np.float64), *arguments,
                     positions[rows])

    _in_parts(place, X)
    return positions


def _in_parts(function, X):
    """Return the results of a function of slices of rows, computed in threads."""
    step = 1 + BLOCK_VALUES // max(1, X.shape[1])
    parts = [slice(start, start + step) for start in range(0, max(1, len(X)), step)]
    return list((map_in_threads if len(parts) > 1 else map)(function, parts))


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
    deviation = np.sqrt(squares / np.maximum(totals, TINY))
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

    sums = without_steps(sum(_in_parts(add, X)))[:, 0]
    found = []
    for axis, first in zip(axes, places.starts - 1, strict=True):
        own = sums[first:first + len(axis)]
        found.append(replace(axis, shares=own / max(own.sum(), TINY)))
    return found
