"""Sums that do not depend on the order of their terms, nor on how these are divided.

Rounding makes a sum of floating-point numbers depend on the order of additions. A
search that follows such sums, like that of `bayes.fitting`, then takes another path
where rows come in another order, or from several workers. Here terms are rounded,
before they are added, to multiples of a unit so large that no sum needs more than the
53 bits of a float64. All additions are exact then, in any order, and as fast as any
others.

The price is that the unit depends on the largest possible sum instead of on each term:
n terms below 1 are rounded to about n 2^-53 each, and their errors are independent.
That is what rounding in a sum costs as well. Where all terms are much smaller than they
might be, the unit is smaller, too: this is the *precision* of a sum, a whole number
that `ExactSummation` chooses, and that others only hand on.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

__all__ = ["ExactSummation", "Sums", "add_parts", "exact_total",
           "raise_weights", "round_terms", "round_weights", "total_as_float",
           "unite_sums", "weight_factor"]

# Bits of a float64, and the exponent of the smallest one
MANTISSA = 53
SMALLEST = 1074

# Scales are kept where neither they nor their inverse leave the range of float64
MAX_EXPONENT = 900

# Rests of rounding are rounded once more: so many of them fit into one. Sums of up to
# 2^31 of these rests are exact.
FINER = 2 ** 22

# Each step of precision makes units 2^10 times smaller
STEP_BITS = 10
FINEST = 6

# So many terms are looked at first, since most often one of them is large enough
PROBE = 64

# Up to this total, weights that are whole numbers count as repeated rows. A row's terms
# are rounded to a unit that grows with the total, and its error then counts as often.
MOST_COUNTED = 2 ** 24


@dataclass(frozen=True, eq=False)
class Sums:
    """
    What some rows add to a loss and to its derivatives, from an `ExactSummation`.

    Attributes
    ----------
    value, by_alpha : int
        The loss, and its derivative by alpha, in units of the smallest float64.
    by_column : ndarray of float64, shape (n_columns, n_scores)
        Derivatives by the scores, summed by column: whole numbers.
    precision : int
        With which derivatives are rounded. Only sums of the same precision can be
        added; `add_parts` and `unite_sums` see to that.
    """

    value: int
    by_alpha: int
    by_column: np.ndarray
    precision: int

    def __add__(self, other):
        return Sums(self.value + other.value, self.by_alpha + other.by_alpha,
                    self.by_column + other.by_column, self.precision)

    def collapsed(self, matrix):
        """Multiply the sums by column by a matrix of zeros and ones, from the left."""
        return replace(self, by_column=matrix @ self.by_column)


class ExactSummation:
    """
    Exact sums over rows of a loss and of its derivatives.

    The derivatives of a row by scores must not be above 1, before they are multiplied
    by the row's weight.

    Parameters
    ----------
    total_weight : float
        Of all rows, wherever they are.
    """

    def __init__(self, total_weight):
        self.total_weight = total_weight
        self._scale = _grid_scale(2 * total_weight)

    def split_weights(self, sample_weight):
        """
        Split weights of rows into factors and numbers of equal rows.

        A row of weight 2 is the row twice, each of which is rounded.

        Parameters
        ----------
        sample_weight : ndarray of float64, shape (n_rows,)
            Above 0.

        Returns
        -------
        weight, count : ndarray of float64, shape (n_rows,), or None
            None where all are 1.
        """
        if self.total_weight > MOST_COUNTED:
            return sample_weight, None
        whole = sample_weight == np.floor(sample_weight)
        return (None if whole.all() else np.where(whole, 1., sample_weight),
                np.where(whole, sample_weight, 1.))

    def factor(self, weight):
        """Return by what to multiply what rows of these weights, or of 1, add."""
        return self._scale if weight is None else weight * self._scale

    def sum_rows(self, block, losses, slopes, derivatives, *, largest_loss,
                 bounded_slopes=True, precision=None):
        """
        Sum over the rows of a block what they add, multiplied by their `factor`.

        Parameters
        ----------
        block : RowBlock
        losses : ndarray, shape (n_rows,)
        slopes : ndarray, shape (n_rows,), or None
            Derivatives by alpha; None stands for zeros.
        derivatives : ndarray, shape (n_models, n_scores, n_rows)
            Derivatives by scores. Will be changed.
        largest_loss : float
            Bound of the loss of a row, without its factor.
        bounded_slopes : bool
            Whether the derivatives by alpha are not above 2, without their factor.
        precision : int, optional
            The highest precision, from other `Sums` to which these will be added.

        Returns
        -------
        Sums
        """
        finest = _possible_precision(derivatives, block.factor)
        precision = finest if precision is None else min(precision, finest)
        value_scale = _grid_scale(largest_loss * self.total_weight) / self._scale
        by_alpha = 0
        if slopes is not None:
            add = _rounded_total if bounded_slopes else exact_total
            by_alpha = add(slopes, block.count)
        if precision:
            derivatives *= _precision_scale(precision)
        np.rint(derivatives, out=derivatives)
        if block.count is not None:
            derivatives *= block.count
        return Sums(_rounded_total(losses, block.count, value_scale), by_alpha,
                    block.sum_by_combination(derivatives), precision)

    def as_floats(self, sums):
        """Return the loss, its derivative by alpha, and those by scores, as numbers."""
        scale = self._scale * _precision_scale(sums.precision)
        return (total_as_float(sums.value) / self._scale,
                total_as_float(sums.by_alpha) / self._scale, sums.by_column / scale)


def add_parts(evaluate, parts, precision=None):
    """
    Add the sums over several parts, one after another.

    Parameters
    ----------
    evaluate : callable
        Called with a part and a precision, returns `Sums` of this precision or of a
        lower one, or None if the part has no rows.
    parts : sequence
    precision : int, optional
        The highest precision.

    Returns
    -------
    Sums or None
    """
    total = None
    for part in parts:
        sums = evaluate(part, precision)
        if sums is None:
            continue
        if total is not None and sums.precision < precision:
            # This is rare: derivatives of all rows before this part are very small
            return add_parts(evaluate, parts, sums.precision)
        precision = sums.precision
        total = sums if total is None else total + sums
    return total


def unite_sums(evaluate, precision=None):
    """
    Add sums from several places that do not know of each other.

    Parameters
    ----------
    evaluate : callable
        Called with a precision, returns a list of `Sums`, or None, of each place. It is
        called again if the precision of some of them is higher than that of others.
    precision : int, optional
        The highest precision.

    Returns
    -------
    Sums or None
    """
    found = [sums for sums in evaluate(precision) if sums is not None]
    if not found:
        return None
    lowest = min(sums.precision for sums in found)
    if any(sums.precision > lowest for sums in found):
        return unite_sums(evaluate, lowest)
    return sum(found[1:], start=found[0])


def _grid_scale(bound):
    """
    Return a power of two by which to multiply terms before rounding them to integers.

    Sums of these are exact if, without rounding, none is above the bound.
    """
    # One bit is for what rounding adds to the sum
    exponent = MANTISSA - 1 - math.frexp(bound)[1]
    return math.ldexp(1., max(-MAX_EXPONENT, min(exponent, MAX_EXPONENT)))


def _precision_scale(precision):
    return math.ldexp(1., STEP_BITS * precision)


def _possible_precision(terms, bound):
    """
    Return the highest precision that the largest of some terms allows.

    That of all terms is the lowest one of any parts of them.

    Parameters
    ----------
    terms : ndarray of float64, shape (n_models, n_scores, n_rows)
    bound : float or ndarray of float64, shape (n_rows,)
        How large the terms of a row might be.
    """
    for rows in (slice(PROBE), slice(None)):
        largest = np.abs(terms[..., rows]).max(axis=(0, 1))
        share = (largest / (bound if np.isscalar(bound) else bound[rows])).max()
        if share * _precision_scale(1) > 1:
            return 0
    return min(-math.frexp(share)[1] // STEP_BITS, FINEST) if share > 0 else FINEST


def _rounded_total(terms, count=None, scale=1.):
    """
    Round terms and add them; the result is in units of the smallest float64.

    Terms are rounded to multiples of the inverse of a scale, from `_grid_scale`, and
    what is left of them to multiples that are `FINER` times smaller.
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
    digits = MANTISSA - math.frexp(n_terms)[1]
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
    """Return a sum from `exact_total` as the nearest float64."""
    return total / (1 << SMALLEST)


def round_terms(bound, *arrays):
    """
    Round terms so that sums of them are exact, if none of these is above a bound.

    Parameters
    ----------
    bound : float
    *arrays : ndarray of float64

    Returns
    -------
    list of ndarray of float64

    Examples
    --------
    >>> import numpy as np
    >>> terms = np.array([0.1, 0.2, 0.3, 1e-17])
    >>> float(terms.sum()) == float(terms[::-1].sum())
    False
    >>> rounded, = round_terms(1., terms)
    >>> float(rounded.sum()) == float(rounded[::-1].sum())
    True
    """
    scale = _grid_scale(bound)
    return [np.rint(array * scale) / scale for array in arrays]


def round_weights(weights, total=None):
    """
    Round weights of rows so that all of their sums are exact.

    Parameters
    ----------
    weights : ndarray of float64 or None
        Not negative.
    total : float, optional
        Their sum, from `exact_total`, together with that of rows elsewhere.

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
    if total is None:
        total = total_as_float(exact_total(weights))
    # A total of 128, say, must have the same grid as one just below it by rounding
    scale = _grid_scale(total * (1 + 2 ** -20))
    return np.where(weights > 0, np.maximum(np.rint(weights * scale), 1), 0) / scale


def raise_weights(weights, counted):
    """
    Multiply weights by their `weight_factor`.

    Parameters
    ----------
    weights : ndarray of float64 or None
    counted : ndarray of bool
        Rows whose mean weight decides: those that are labelled.

    Returns
    -------
    ndarray of float64 or None
    """
    if weights is None:
        return None
    counted = weights[counted & (weights > 0)]
    return weights * weight_factor(total_as_float(exact_total(counted)), len(counted))


def weight_factor(total, n_rows):
    """
    Return the factor that raises the mean weight to 1, or 1 if it is not below that.

    Whole weights stand for repeated rows, so their mean is never below 1. Weights with
    a lower mean, such as those that sum to 1, say which rows count more than others,
    and nothing about how many rows there are.

    Parameters
    ----------
    total : float
        Sum of the weights.
    n_rows : int
        Number of rows that have a weight.

    Examples
    --------
    >>> weight_factor(1.0, 150), weight_factor(200.0, 150)
    (150.0, 1.0)
    """
    # Means that are 1 up to rounding have been raised before
    return n_rows / total if 0 < total < n_rows * (1 - 1e-9) else 1.0
