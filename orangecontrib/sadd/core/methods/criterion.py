"""Entropy, information, and the criterion of MDLP and SADD.

An interval is cut where the class information entropy is least. The cut is kept if its
information gain G exceeds a threshold. Both halves are then treated likewise. For MDLP
(Fayyad and Irani, 1993) the threshold is

    theta = (log2(N - 1) + Delta) / N,
    Delta = log2(3^k - 2) - (k E(S) - k1 E(S1) - k2 E(S2)),

For SADD (Wang, Ren and Bai, 2023, Algorithm 1) it is s(N / N0) theta, with the logistic
function s. N is the number of rows in the interval that is cut. Thus MDLP is SADD
without N0.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

__all__ = ["Decision", "adaptive_factor", "entropy", "mutual_information", "n_log_n",
           "noise"]


class Decision(NamedTuple):
    """
    Decision about one interval.

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
        Threshold in use: of SADD, or of MDLP if there is no N0.
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

    Gains that differ by less are equal, and a smaller gain is no gain. So neither
    rounding nor the order of classes chooses among equally good cuts.
    """
    return 1e-13 * n_log_n(rows)


def adaptive_factor(rows, n0):
    """Return s(N / N0), by which SADD lowers the threshold of MDLP; 1 without N0."""
    with np.errstate(over="ignore"):
        return 1.0 if n0 is None else 1 / (1 + np.exp(-rows / n0))
