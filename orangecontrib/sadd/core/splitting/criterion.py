"""MDLP and SADD: the criterion by which both cut.

An interval is cut where the class information entropy is least, and the cut is kept
if its information gain G exceeds a threshold; both halves are then treated likewise.
For MDLP (Fayyad and Irani, 1993) the threshold is

    theta = (log2(N - 1) + Delta) / N,
    Delta = log2(3^k - 2) - (k E(S) - k1 E(S1) - k2 E(S2)),

and for SADD (Wang, Ren and Bai, 2023, Algorithm 1) it is s(N / N0) theta, where s
is the logistic function and N the number of rows in the interval that is cut. Thus
MDLP is SADD without N0.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

__all__ = ["Decision", "EntropyTerms", "Verdict", "entropy", "judge", "minimal_gain",
           "mutual_information", "n_log_n", "noise"]

# Tables of n log2 n above this size would not fit a processor's cache and not pay
LARGEST_TABLE = 2 ** 21


class Decision(NamedTuple):
    """
    What the splitter decided about one interval.

    Attributes
    ----------
    lower, upper : float
        Cuts at the ends of the interval; infinite at the ends of the column.
    rows : float
        Number (weight) of rows in the interval, the paper's N.
    rows_left, rows_right : float
        The same on both sides of the best cut.
    cut : float
        The best cut.
    gain : float
        Its information gain in bits, G.
    theta : float
        Threshold of MDLP.
    adapted_theta : float
        Threshold in use: that of SADD, or of MDLP if there is no N0.
    accepted : bool
    """

    lower: float
    upper: float
    rows: float
    rows_left: float
    rows_right: float
    cut: float
    gain: float
    theta: float
    adapted_theta: float
    accepted: bool


class EntropyTerms:
    """
    n log2 n of counts, looked up in a table where the counts are integers.

    Parameters
    ----------
    largest : int, optional
        The largest count that will be asked for. Without it, there is no table.
    """

    def __init__(self, largest):
        self._table = self._steps = None
        if largest is not None and largest < LARGEST_TABLE:
            self._table = n_log_n(np.arange(int(largest) + 1))
            self._steps = np.diff(self._table)

    def __call__(self, counts):
        if self._table is not None and counts.dtype.kind == "i":
            return self._table.take(counts)
        return n_log_n(counts)

    def gains(self, before, after, totals):
        """
        Return by how much each row, on its way to the left side, raises N G.

        Parameters
        ----------
        before, after : ndarray
            Weight of its class on the left side, before and after it moves there.
            `after` is None if each row weighs one; then the differences of terms
            can be looked up, too.
        totals : ndarray
            Weight of its class on both sides.
        """
        if after is None:
            if self._steps is not None:
                rest = totals - before
                rest -= 1
                gains = self._steps.take(before)
                gains -= self._steps.take(rest)
                return gains
            after = before + 1
        return ((self(after) - self(before))
                + (self(totals - after) - self(totals - before)))


def n_log_n(counts):
    """Return n log2 n, and 0 for no rows."""
    return counts * np.log2(counts, out=np.zeros(counts.shape), where=counts > 0)


def entropy(counts):
    """Return the entropy, in bits, of counts along the last axis."""
    totals = counts.sum(axis=-1)
    # An empty row has entropy 0
    return ((n_log_n(totals) - n_log_n(counts).sum(axis=-1))
            / np.where(totals > 0, totals, 1))


def mutual_information(counts):
    """
    Return the mutual information, in bits, between the rows and columns of a table.

    Parameters
    ----------
    counts : ndarray or scipy.sparse.csr_array, shape (n_classes, n_values)

    Examples
    --------
    >>> import numpy as np
    >>> mutual_information(np.array([[2, 0], [0, 2]]))
    1.0
    """
    total = counts.sum()
    if not total:
        return 0.0
    cells = counts.data if issparse(counts) else counts
    information = (n_log_n(cells).sum() - n_log_n(counts.sum(axis=0)).sum()
                   - n_log_n(counts.sum(axis=1)).sum() + n_log_n(total))
    # The difference of nearly equal numbers may be -1e-17
    return max(float(information) / float(total), 0.0)


def noise(rows):
    """
    Return the largest error of a computed N G.

    Gains that differ by less are equal, so that rounding never chooses among cuts
    that are equally good, nor the order of classes; and less than this is no gain.
    """
    return 1e-13 * n_log_n(rows)


def log2_schemes(n_classes):
    """Return log2(3^k - 2); 3^k itself overflows from 647 classes on."""
    return n_classes * np.log2(3) + np.log2(1 - 2 * 3.0 ** -n_classes)


def adaptive_factor(rows, n0):
    """Return s(N / N0), by which SADD lowers the threshold of MDLP; 1 without N0."""
    return 1.0 if n0 is None else 1 / (1 + np.exp(-rows / n0))


def minimal_gain(totals, n0):
    """
    Return N G up to which no cut of an interval is accepted, whatever it is.

    Delta is least when both sides are pure. A search need not look for cuts that
    will be refused anyway.

    Parameters
    ----------
    totals : ndarray, shape (n_intervals, n_classes)
    n0 : float or None

    Returns
    -------
    ndarray, shape (n_intervals,)
    """
    rows = totals.sum(axis=1)
    k = np.count_nonzero(totals > 0, axis=1)
    least = np.log2(rows - 1) + log2_schemes(k) - k * entropy(totals)
    return np.maximum(noise(rows), adaptive_factor(rows, n0) * least)


class Verdict(NamedTuple):
    """Information gain and thresholds of cuts, and whether they are accepted."""

    gain: np.ndarray
    theta: np.ndarray
    adapted_theta: np.ndarray
    accepted: np.ndarray


def judge(totals, left, n0):
    """
    Decide whether to cut intervals into `left` and the rest.

    Parameters
    ----------
    totals, left : ndarray, shape (n_intervals, n_classes)
        Weight of each class in the intervals, and in their left parts.
    n0 : float or None
        N0 of SADD; None for MDLP.

    Returns
    -------
    Verdict

    Examples
    --------
    Four rows of either class, separated by the cut:

    >>> import numpy as np
    >>> verdict = judge(np.array([[4, 4]]), np.array([[4, 0]]), 2000)
    >>> verdict.gain, verdict.adapted_theta.round(3), verdict.accepted
    (array([1.]), array([0.226]), array([ True]))
    """
    parts = np.stack((totals, left, totals - left))
    rows, rows_left, rows_right = parts.sum(axis=2)
    k, k1, k2 = np.count_nonzero(parts > 0, axis=2)
    whole, first, second = entropy(parts)
    gain = whole - (rows_left * first + rows_right * second) / rows
    delta = log2_schemes(k) - (k * whole - k1 * first - k2 * second)
    theta = (np.log2(rows - 1) + delta) / rows
    adapted = adaptive_factor(rows, n0) * theta
    # theta is negative for few rows of many classes; yet a cut that gains nothing
    # is never made
    return Verdict(gain, theta, adapted,
                   (gain > adapted) & (gain * rows > noise(rows)))
