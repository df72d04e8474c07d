"""Axes of SADD Tables: where the table of a variable has entries.

A numeric variable has its entries at *knots*, and the table is linear between them. A
categorical variable has an entry for each category. A position on an axis is the number
of an entry, plus the fraction of the way to the next one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive._places import add_at_places, place_values
from orangecontrib.sadd.core.additive.rowsums import (
    BLOCK_VALUES,
    NO_PAIRS,
    NOTHING,
    without_steps,
)
from orangecontrib.sadd.core.arithmetic import assign_intervals
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats, Integers

__all__ = ["Axis", "Placement", "curve_axes", "curve_axis", "measure_axis", "pair_axis",
           "quantiles"]

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

    def place(self, column: Floats) -> Floats:
        """
        Return the positions of values; NaN for missing and new values.

        Parameters
        ----------
        column : ndarray of float64, shape (n_rows,)
            Numbers, or codes of categories; a code with a fraction is rounded down.
        """
        return Placement([self], [0], np.nan)(column[:, None])[:, 0]


class Placement:
    """
    Places rows on several axes at once.

    Parameters
    ----------
    axes : sequence of Axis
    offsets : sequence of int
        Position of the first entry of each axis.
    missing : float
        Position of missing and new values.
    """

    def __init__(self, axes: Sequence[Axis], offsets: Sequence[int] | Integers,
                 missing: float) -> None:
        knots = [np.zeros(len(axis)) if axis.knots is None else axis.knots
                 for axis in axes]
        starts = np.cumsum([0, *map(len, axes)])
        flat = np.concatenate((*knots, [0.]))
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            slopes = 1 / np.diff(flat)
        # Between tiny or huge numbers a slope may overflow: they have a step
        slopes[~np.isfinite(slopes)] = 0
        slopes[starts[1:] - 1] = 0
        self._arguments = (
            flat, slopes, starts.astype(np.int32),
            np.asarray(offsets, dtype=np.int32),
            np.array([axis.knots is not None for axis in axes], dtype=np.int32),
            missing)

    def __call__(self, X: Floats, features: Sequence[int] | slice = slice(None)
                 ) -> Floats:
        """Return the positions of values, shape (n_rows, n_axes), of some features."""
        n_axes = len(self._arguments[3])
        positions = np.empty((len(X), n_axes))

        def place(rows):
            place_values(np.ascontiguousarray(X[rows][:, features], dtype=np.float64),
                         *self._arguments, positions[rows])

        step = 1 + BLOCK_VALUES // max(1, n_axes)
        starts = range(0, len(X), step)
        for _ in (map_in_threads if len(starts) > 1 else map)(place, [
                slice(start, start + step) for start in starts]):
            pass
        return positions


def curve_axes(X: Floats, weights: Floats, cut_points: Sequence[Floats],
               categories: Sequence[npt.NDArray[Any] | None]
               ) -> list[Axis]:
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
    def measure(feature):
        column, values = np.ascontiguousarray(X[:, feature]), categories[feature]
        return curve_axis(column, weights, cut_points[feature], values)

    return list(map_in_threads(measure, range(X.shape[1])) if X.size > 10 ** 6
                else map(measure, range(X.shape[1])))


def curve_axis(column: Floats, weights: Floats, cuts: Floats,
               categories: npt.NDArray[Any] | None) -> Axis:
    """Return the axis of a curve, see `curve_axes`."""
    if categories is None and len(cuts) < FEW_CUTS:
        cuts = np.union1d(cuts, quantiles(column, weights, QUARTILES))
    return measure_axis(column, weights, cuts, categories, has_ends=True)


def pair_axis(column: Floats, weights: Floats, categories: npt.NDArray[Any] | None
              ) -> Axis:
    """
    Return the axis of a variable in pairs.

    Its knots are the means of at most five intervals between quantiles.
    """
    cuts = quantiles(column, weights, QUINTILES) if categories is None else NO_CUTS
    return measure_axis(column, weights, cuts, categories)


def quantiles(column: Floats, weights: Floats, shares: Floats) -> Floats:
    """
    Return cuts at quantiles that leave rows on both sides.

    Parameters
    ----------
    column, weights : ndarray of float64, shape (n_rows,)
    shares : ndarray of float64
        Of rows below each cut.

    Examples
    --------
    >>> quantiles(np.array([1., 2, 3, 4, 4, 4]), np.ones(6), np.array([0.25, 0.5, 0.9]))
    array([1.5, 3.5])
    """
    known = ~np.isnan(column) & (weights > 0)
    values, order = np.unique(column[known], return_inverse=True)
    if len(values) < 2:
        return np.zeros(0)
    below = np.cumsum(np.bincount(order, weights[known]))
    # The cut between two values whose share of rows below it is the nearest one
    targets = shares * below[-1]
    right = np.clip(np.searchsorted(below, targets), 1, len(values) - 1)
    index = np.where(targets - below[right - 1] <= below[right] - targets,
                     right - 1, right)
    index = np.unique(np.minimum(index, len(values) - 2))
    low, high = values[index], values[index + 1]
    with np.errstate(invalid="ignore"):  # between infinities
        middle = low / 2 + high / 2
    return np.where((middle > low) & (middle <= high), middle, high)


def measure_axis(column: Floats, weights: Floats, cuts: Floats,
                 categories: npt.NDArray[Any] | None, has_ends: bool = False) -> Axis:
    """
    Return the axis of a column.

    Parameters
    ----------
    column, weights : ndarray of float64, shape (n_rows,)
    cuts : ndarray of float64
        Of a numeric column; not used for categories.
    categories : ndarray or None
    has_ends : bool
        Whether there are two more knots, three standard deviations from the mean.
    """
    if categories is not None:
        size = max(1, len(categories))
        axis = Axis(None, np.zeros(size), np.zeros(size, dtype=bool), np.zeros(size))
    else:
        knots, slope, steps = _numeric_knots(column, weights, cuts, has_ends)
        axis = Axis(knots, slope, steps, np.zeros(len(knots)))
    places = Placement([axis], [1], 0)(column[:, None])
    sums = np.zeros((1 + len(axis), 2, 1))
    add_at_places(places, NOTHING, NO_PAIRS, weights[:, None], sums)
    shares = without_steps(sums)[:, 0]
    return replace(axis, shares=shares / max(shares.sum(), np.finfo(float).tiny))


def _numeric_knots(column, weights, cuts, has_ends):
    """Return knots, slope, and which knots end a ramp."""
    known = ~np.isnan(column) & (weights > 0)
    if not known.all():
        column, weights = column[known], weights[known]
    values, n_intervals = column, len(cuts) + 1
    if not np.isfinite(values).all():
        finite = values[np.isfinite(values)]
        lowest, highest = (finite.min(), finite.max()) if len(finite) else (0., 0.)
        values = np.clip(values, lowest, highest)
    elif len(values):
        lowest, highest = values.min(), values.max()
    if not len(values) or lowest == highest:
        knot = lowest if len(values) else 0.
        return np.full(1, knot), np.zeros(1), np.zeros(1, dtype=bool)
    # Sums of values with a large offset would be rounded, and squares might underflow
    # or overflow: values are computed with as shares of their range
    half = .5 if max(-lowest, highest) > HUGE else 1
    span = highest * half - lowest * half
    values = (values * half - lowest * half) / span
    codes = assign_intervals(column, cuts).astype(np.intp)
    totals = np.bincount(codes, weights, n_intervals)
    filled = np.flatnonzero(totals)
    sums = np.bincount(codes, weights * values, n_intervals)
    # An empty interval has its knot between those of its neighbours
    means = np.interp(np.arange(n_intervals), filled, sums[filled] / totals[filled])
    mean = sums.sum() / totals.sum()
    deviation = np.sqrt(weights @ (values - mean) ** 2 / totals.sum())
    knots, steps = means, np.arange(n_intervals) > 0
    if has_ends and deviation > 0:
        first, last = mean - STEEPEST * deviation, mean + STEEPEST * deviation
        before, after = int(first < means[0]), int(last > means[-1])
        knots = np.concatenate(([first] * before, means, [last] * after))
        steps = np.concatenate(([False] * before, steps, [False] * after))
    slope = np.zeros(len(knots))
    if deviation > 0:
        slope = np.clip((knots - mean) / deviation, -STEEPEST, STEEPEST)
    with np.errstate(over="ignore"):
        limit = np.finfo(float).max
        return (np.clip((knots * span + lowest * half) / half, -limit, limit), slope,
                steps.astype(bool))
