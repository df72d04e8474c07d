"""Unsupervised bins: equal width, equal frequency, PKID and FFD.

Except for equal width, boundaries are at given numbers of rows. Equal values are never
separated: a boundary between them moves to the nearer end of their run. If both ends
are equally near, it moves to the lower end. (The other rules are those of KEEL, which
counts a row too many downwards and decides ties at random.)

Functions take the distinct values of a column, in increasing order, and the number, or
weight, of rows at each. They return increasing cut points.
"""

import math

import numpy as np

from orangecontrib.sadd.core.arithmetic import cut_between
from orangecontrib.sadd.core.methods import _sort

__all__ = ["equal_frequency_cuts", "equal_width_cuts", "fixed_frequency_cuts",
           "proportional_cuts"]

# Relative to all rows: distances that differ less are equal up to rounding.
_TOLERANCE = 1e-12

# More bins than this are made only where there are values
MANY_BINS = 1000


def equal_width_cuts(values, n_bins):
    """
    Cut the range of finite values into bins of equal width.

    There may be fewer bins if the width is too small for the precision of numbers.
    If there are more than 1,000 bins and two for each value, empty bins are joined with
    their neighbours. Time is O(n).

    Examples
    --------
    >>> import numpy as np
    >>> equal_width_cuts(np.array([0., 1, 8]), 4)
    array([2., 4., 6.])
    """
    finite = values[np.searchsorted(values, -np.inf, side="right"):
                    np.searchsorted(values, np.inf)]
    if len(finite) < 2:
        return np.empty(0)
    low, high = finite[[0, -1]].tolist()
    steps = _steps(finite, n_bins)
    if math.isfinite(high - low):
        cuts = low + steps * ((high - low) / n_bins)
    else:
        cuts = low * (1 - steps / n_bins) + high * (steps / n_bins)
    return np.unique(cuts[(low < cuts) & (cuts <= high)])


def _are_too_many(n_bins, values):
    """Return whether most bins would be empty."""
    return n_bins > max(MANY_BINS, 2 * len(values))


def _steps(values, n_bins):
    """Return the ends of bins, as multiples of their width, that are needed."""
    if not _are_too_many(n_bins, values):
        return np.arange(1, n_bins)
    n_bins = float(n_bins)
    low, high = values[0] / 2, values[-1] / 2  # halves do not overflow
    below = np.floor((values / 2 - low) / (high - low) * n_bins)
    steps = np.unique(np.concatenate((below, below + 1)))
    return steps[(steps >= 1) & (steps < n_bins)]


def equal_frequency_cuts(values, weights, n_bins):
    """
    Cut a column into bins with the same number of rows, as far as ties allow.

    Boundaries are multiples of the number of rows by `n_bins`; as in KEEL, they are
    rounded, half up, to whole rows. Weights that are not whole numbers are not
    rounded. Time is O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> equal_frequency_cuts(np.array([1., 2, 3, 4]), np.array([3, 1, 1, 1]), 2)
    array([1.5])
    """
    total = weights.sum().item()
    if not _are_whole(weights) or _are_too_many(n_bins, values):
        return _cuts_at_multiples(total / n_bins, float(n_bins), values, weights)
    # floor(step * total / n_bins + 1 / 2), without intermediate rounding
    doubled = 2 * int(total) * np.arange(1, n_bins) + n_bins
    return _cuts_at(doubled // (2 * n_bins), values, weights)


def proportional_cuts(values, weights):
    """
    Cut a column into as many intervals as there are rows in an interval (PKID).

    Proportional k-interval discretization of Yang and Webb (2001). The number of
    intervals is the rounded square root of the number of rows. As in KEEL, the number
    of rows in an interval is rounded down, and the last interval takes the remainder.
    It is not rounded down if weights are not whole numbers. Time is O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> proportional_cuts(np.arange(9.), np.ones(9, dtype=int))
    array([2.5, 5.5])
    """
    total = weights.sum().item()
    n_intervals = max(1, math.floor(math.sqrt(total) + 0.5))
    quota = total // n_intervals if _are_whole(weights) else total / n_intervals
    return _cuts_at_multiples(quota, n_intervals, values, weights)


def fixed_frequency_cuts(values, weights, frequency):
    """
    Cut a column into intervals with a sufficient number of rows (FFD).

    Fixed frequency discretization of Yang and Webb (2009), who recommend 30 rows.
    The last interval holds the remainder. Time is O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> fixed_frequency_cuts(np.arange(9.), np.ones(9, dtype=int), 4)
    array([3.5, 7.5])
    """
    n_intervals = math.ceil(weights.sum().item() / frequency)
    return _cuts_at_multiples(frequency, n_intervals, values, weights)


def _are_whole(weights):
    # a limit far above any number of rows keeps integer arithmetic from overflowing
    return weights.sum() < 2 ** 40 and (weights == np.floor(weights)).all()


def _cuts_at_multiples(quota, n_intervals, values, weights):
    """Cut after each quota of rows, except after the last one.

    Of the boundaries within a run of equal values, the first and the last one decide.
    If there are more boundaries than values, others are left out, so memory is O(n) for
    any weights.
    """
    if n_intervals <= len(values):
        multiples = np.arange(1, n_intervals)
    else:
        multiples = np.floor(np.cumsum(weights) / quota)
        multiples = np.unique(np.concatenate(
            ([1, n_intervals - 1], multiples, multiples + 1)))
        multiples = multiples[(multiples >= 1) & (multiples < n_intervals)]
    return _cuts_at(multiples * float(quota), values, weights)


def _cuts_at(boundaries, values, weights):
    """Cut between values so that the rows below are nearest to each boundary."""
    weights = np.asarray(weights, dtype=np.float64)
    places = np.empty(len(boundaries), dtype=np.intp)
    n_places = _sort.nearest_places(
        weights, np.asarray(boundaries, dtype=np.float64),
        _TOLERANCE * weights.sum(), places)
    places = places[:n_places]
    return cut_between(values[places - 1], values[places])
