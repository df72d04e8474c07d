"""Sums that do not depend on the order of their terms, nor on how these are divided.

Rounding makes a sum of floating-point numbers depend on the order of additions. A
search that follows such sums, like that of `minimizer`, then takes another path where
rows come in another order, or from several workers. Here terms are rounded, before
they are added, to multiples of a unit so large that no sum needs more than the 53 bits
of a float64. All additions are exact then, in any order, and as fast as any others.

The price is that the unit depends on the largest possible sum instead of on each term:
n terms below 1 are rounded to about n 2^-53 each, and their errors are independent.
That is what rounding in a sum costs as well. Where all terms are much smaller than they
might be, the unit is smaller, too: it has *levels*.
"""

import math

import numpy as np

__all__ = ["MAX_LEVEL", "common_level", "exact_sum", "exact_total", "grid_scale",
           "level_scale", "round_weights", "rounded_total", "total_as_float"]

# Bits of a float64, and the exponent of the smallest one
PRECISION = 53
SMALLEST = 1074

# Scales are kept where neither they nor their inverse leave the range of float64
MAX_EXPONENT = 900

# Rests of rounding are rounded once more: so many of them fit into one. Sums of up to
# 2^31 of these rests are exact.
FINER = 2 ** 22

# Units of a level are 2^10 times smaller than those of the level before
LEVEL_BITS = 10
MAX_LEVEL = 6

# So many terms are looked at first, since most often one of them is large enough
PROBE = 64


def grid_scale(bound):
    """
    Give a power of two by which to multiply terms before rounding them to integers.

    Sums of these are exact if, without rounding, none is above the bound.

    Parameters
    ----------
    bound : float

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> terms = np.array([0.1, 0.2, 0.3, 1e-17])
    >>> float(terms.sum()) == float(terms[::-1].sum())
    False
    >>> rounded = np.rint(terms * grid_scale(1.))
    >>> float(rounded.sum()) == float(rounded[::-1].sum())
    True
    """
    # One bit is for what rounding adds to the sum
    exponent = PRECISION - 1 - math.frexp(bound)[1]
    return math.ldexp(1., max(-MAX_EXPONENT, min(exponent, MAX_EXPONENT)))


def level_scale(level):
    """
    Give what terms are to be multiplied by before they are rounded at a level.

    Examples
    --------
    >>> level_scale(0), level_scale(1)
    (1.0, 1024.0)
    """
    return math.ldexp(1., LEVEL_BITS * level)


def common_level(terms, bound):
    """
    Give the finest level at which terms may be rounded, for the largest of them.

    That of all terms is the lowest one of any parts of them.

    Parameters
    ----------
    terms : ndarray of float64, shape (n_models, n_scores, n_rows)
    bound : float or ndarray of float64, shape (n_rows,)
        How large the terms of a row might be.

    Returns
    -------
    int

    Examples
    --------
    >>> import numpy as np
    >>> common_level(np.array([[[0.01, 0.]]]), 1.)
    0
    >>> common_level(np.array([[[1e-7, 0.]]]), 1.)
    2
    """
    for rows in (slice(PROBE), slice(None)):
        largest = np.abs(terms[..., rows]).max(axis=(0, 1))
        share = (largest / (bound if np.isscalar(bound) else bound[rows])).max()
        if share * level_scale(1) > 1:
            return 0
    return min(-math.frexp(share)[1] // LEVEL_BITS, MAX_LEVEL) if share > 0 \
        else MAX_LEVEL


def rounded_total(terms, count=None, scale=1.):
    """
    Round terms and add them.

    Parameters
    ----------
    terms : ndarray of float64
    count : ndarray of float64, optional
        How many times each of them is added.
    scale : float
        From `grid_scale`. Terms are rounded to multiples of its inverse, and what is
        left of them to multiples that are `FINER` times smaller.

    Returns
    -------
    int
        In units of the smallest float64, as `exact_total`.

    Examples
    --------
    >>> import numpy as np
    >>> total_as_float(rounded_total(np.array([0.5, 0.25, 1e-10])))
    0.75
    """
    terms = terms * scale
    multiples = np.rint(terms)
    rest = np.rint((terms - multiples) * FINER)
    total = FINER * _total(multiples, count) + _total(rest, count)
    return (total << (SMALLEST + 1 - math.frexp(scale)[1])) // FINER


def _total(integers, count):
    return int(integers.sum() if count is None else integers @ count)


def exact_total(terms, count=None):
    """
    Add terms of any size without rounding.

    Parameters
    ----------
    terms : ndarray of float64
    count : ndarray of float64, optional
        How many times each of them is added.

    Returns
    -------
    int
        In units of the smallest float64.

    Notes
    -----
    It takes as many passes as the terms, together, have groups of some 30 adjacent bits
    that are not zero: two or three if all of them are of similar size.

    Examples
    --------
    >>> import numpy as np
    >>> total_as_float(exact_total(np.array([1e16, 1., -1e16])))
    1.0
    """
    n_terms = len(terms) if count is None else count.sum()
    digits = PRECISION - math.frexp(n_terms)[1]
    if digits < 2:
        raise ValueError(f"Not more than 2^51 terms can be added, but these are "
                         f"{n_terms:g}.")
    total = 0
    while (largest := np.abs(terms).max(initial=0)) > 0:
        # Multiples of a unit, by which the largest has just so many digits
        unit = max(math.frexp(largest)[1] - digits, -SMALLEST)
        multiples = np.rint(np.ldexp(terms, -unit))
        total += _total(multiples, count) << (unit + SMALLEST)
        terms = terms - np.ldexp(multiples, unit)
    return total


def total_as_float(total):
    """
    Give a sum of `exact_total` and `rounded_total` as the nearest float64.

    Examples
    --------
    >>> total_as_float(3 << 1073)
    1.5
    """
    return total / (1 << SMALLEST)


def exact_sum(values):
    """
    Give the sum of numbers, rounded once: it does not depend on their order.

    Examples
    --------
    >>> import numpy as np
    >>> exact_sum(np.array([1e16, 1., -1e16]))
    1.0
    """
    return total_as_float(exact_total(values))


def round_weights(weights, total=None):
    """
    Round weights of rows so that all of their sums are exact.

    Parameters
    ----------
    weights : ndarray of float64 or None
        Not negative.
    total : float, optional
        Their `exact_sum`, together with that of other rows elsewhere.

    Returns
    -------
    ndarray of float64 or None
        Multiples of about 2^-52 of the total. A weight that is not zero does not become
        zero, but one of these: its row counts, if little.

    Examples
    --------
    >>> import numpy as np
    >>> weights = np.array([0.1, 0.2, 0.3])
    >>> bool(weights[0] + weights[1] + weights[2] == weights[::-1].cumsum()[-1])
    False
    >>> weights = round_weights(weights)
    >>> bool(weights[0] + weights[1] + weights[2] == weights[::-1].cumsum()[-1])
    True
    """
    if weights is None:
        return None
    scale = grid_scale(exact_sum(weights) if total is None else total)
    return np.where(weights > 0, np.maximum(np.rint(weights * scale), 1), 0) / scale
