"""Cut points: where a column is divided, in which interval a value is, and counts.

Every method of this package decides *between which two neighbouring values* to cut.
This module alone computes the number that stands for the cut, and the side on which a
value lies. It decides whether a cut leaves enough rows on both sides, and which cuts
are equally good. It also counts the rows of each class in each interval, or with any
other code.
"""

from typing import Any

import numpy as np

__all__ = ["MAX_CODE", "add_tables", "as_whole", "assign_intervals", "contingency",
           "cut_between", "least_rows", "tie_keys"]

# 0.1 + 0.7 is less than 0.8
ROUNDING = 1e-9

# A table is as wide as the largest code
MAX_CODE = 2 ** 24

# Up to this many cuts, comparing a column with each is faster than a binary search
FEW_CUTS = 96


def cut_between(lower, upper):
    """
    Return the cut that separates each value of `lower` from the value of `upper`.

    The cut is the midpoint, as in Fayyad and Irani (1993) and in the code of the
    authors of SADD. It always satisfies ``lower < cut <= upper``, even if the midpoint
    overflows or is rounded to `lower`. A value equal to a cut belongs to the upper
    interval, so the cut always separates the two values. The cut beside an infinite
    value is the outermost finite number, or infinity. So no other finite value is in
    the interval of infinity.

    Parameters
    ----------
    lower, upper : float or array_like of float
        Neighbouring values, ``lower < upper``.

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> cut_between([1, 5], [2, 7])
    array([1.5, 6. ])
    """
    lower = np.asarray(lower, dtype=np.float64)
    upper = np.asarray(upper, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        step = upper - lower
        cut = lower + step / 2
    if np.all((lower < cut) & (cut < upper)):
        return cut
    # (a + b) / 2 may overflow, and so may b - a: then halve first
    with np.errstate(over="ignore", invalid="ignore"):
        cut = np.where(np.isfinite(step), cut, lower / 2 + upper / 2)
    least = -np.finfo(np.float64).max
    cut = np.where(np.isneginf(lower), np.where(np.isposinf(upper), 0, least), cut)
    return np.where((lower < cut) & (cut <= upper), cut, upper)


def assign_intervals(values, cut_points, missing=False):
    """
    Return the index of the interval of each value; NaN for NaN.

    A value equal to a cut belongs to the upper interval, as everywhere in Orange.

    Parameters
    ----------
    values : ndarray of float64
    cut_points : ndarray of float64
        Strictly increasing.
    missing : bool
        Whether NaN has an interval of its own, after all others.

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> import numpy as np
    >>> assign_intervals(np.array([0, 1.5, 9, np.nan]), np.array([1.5, 6]))
    array([ 0.,  1.,  2., nan])
    """
    values = np.ascontiguousarray(values)
    if len(cut_points) > FEW_CUTS:
        codes = np.searchsorted(cut_points, values, side="right")
    else:
        codes = np.zeros(values.shape, dtype=np.uint8)
        for cut in cut_points:
            codes += values >= cut
    codes = codes.astype(np.float64)
    unknown = np.isnan(values)
    if unknown.any():
        codes[unknown] = len(cut_points) + 1 if missing else np.nan
    return codes


def contingency(codes, classes, n_classes, weights, n_codes=0):
    """
    Return the weight of rows of each class and code.

    Parameters
    ----------
    codes : ndarray of float64, shape (n_rows,)
        Integers from 0; rows where it is NaN are left out.
    classes : ndarray of int, shape (n_rows,)
        From 0 to `n_classes` - 1; rows with a negative one are left out.
    n_classes : int
    weights : ndarray of float64, shape (n_rows,)
    n_codes : int
        The least number of columns.

    Returns
    -------
    ndarray, shape (n_classes, largest code + 1)

    Examples
    --------
    >>> codes, classes = np.array([0, 2, 2, np.nan]), np.array([0, 0, 1, 1])
    >>> contingency(codes, classes, 2, weights=np.ones(4))
    array([[1, 0, 1],
           [0, 0, 1]])
    """
    known = ~np.isnan(codes) & (classes >= 0)
    if not known.all():
        codes, classes, weights = codes[known], classes[known], weights[known]
    if np.any((codes < 0) | (codes >= MAX_CODE) | (codes != np.floor(codes))):
        raise ValueError("Codes of discretized values must be integers from 0 to "
                         f"{MAX_CODE - 1}; NaN stands for a missing value.")
    codes = codes.astype(np.intp)
    width = max(n_codes, int(codes.max(initial=-1)) + 1)
    counts = np.bincount(codes + width * classes, weights, width * n_classes)
    return as_whole(counts.reshape(n_classes, width))


def as_whole(counts):
    """Return counts as whole numbers, if they are."""
    with np.errstate(invalid="ignore"):  # for those beyond whole numbers
        whole = counts.astype(np.int64)
    return whole if (whole == counts).all() else counts


def add_tables(tables):
    """
    Add tables, of which some have fewer columns.

    Examples
    --------
    >>> add_tables([np.array([[1]]), np.array([[1, 2]])])
    array([[2, 2]])
    """
    width = max(table.shape[1] for table in tables)
    return sum(np.pad(table, ((0, 0), (0, width - table.shape[1])))
               for table in tables)


def least_rows(min_samples: float | None, total: Any) -> Any:
    """
    Return the weight that each interval must hold, less a tolerance for rounding.

    Parameters
    ----------
    min_samples : int, float or None
        Number of rows; None if there is no limit. A number below 1 is a share of the
        rows with a value and a class.
    total : float or ndarray
        Weight of the rows of a column.

    Examples
    --------
    >>> round(least_rows(0.1, 150), 6), round(least_rows(20, 150), 6)
    (15.0, 20.0)
    """
    if min_samples is None:
        return 0.
    rows = min_samples * total if min_samples < 1 else float(min_samples)
    return rows * (1 - ROUNDING)


def tie_keys(tolerance):
    """
    Return a function that maps numbers that are equal up to a tolerance to one integer.

    Integers are in the order of the numbers. Ties between cuts go to the first.
    Rounding must not decide which cut is the first, because it depends on the order of
    the classes.

    Examples
    --------
    >>> key = tie_keys(0.1)
    >>> key(3.0) == key(3.04) != key(4.0)
    True
    """
    known = set()

    def key(number):
        rounded = round(number / tolerance)
        # Equal numbers may be rounded to neighbouring integers; the first of them
        # stands for all three
        for near in (rounded, rounded - 1, rounded + 1):
            if near in known:
                return near
        known.add(rounded)
        return rounded

    return key
