"""Naive Bayes with weights of attributes and of training rows: AIWNB.

Zhang, Jiang, Yu (2021) weight attributes by their information about the class less
their information about each other (CFW). *Eager* weights of training rows are the
frequencies of their values. *Lazy* weights are their similarity to the row to be
classified. The compiled page `_aiwnb` has the loops.
"""

import numpy as np
from scipy.special import expit

from orangecontrib.sadd.core.additive._aiwnb import compare, mutual_informations
from orangecontrib.sadd.core.additive.tables import log_smoothed_prior, sum_by_attribute
from orangecontrib.sadd.core.threads import map_in_threads

__all__ = ["LazyCounts", "attribute_weights", "eager_instance_weights"]

# The column of the page's results that is wanted
INFORMATION = 2
# Queries are computed in blocks with this many counts
BLOCK_COUNTS = 2 ** 16
# Rows are numbered by 32-bit integers
MOST_ROWS = 2 ** 31 - 1
# Information below this is zero, up to rounding
NO_INFORMATION = 1e-12


def attribute_weights(tables, columns, y, weights):
    """
    Weight attributes by relevance and redundancy, as in CFW (Jiang et al., 2019).

    With I the mutual information of values that occur,

        NI(A_j; C) = I(A_j; C) / mean over j of I(A_j; C),
        NI(A_j; A_k) = I(A_j; A_k) / mean over pairs j != k of I(A_j; A_k),
        D_j = NI(A_j; C) - mean over k != j of NI(A_j; A_k),
        w_j = 1 / (1 + exp(-D_j)).

    If a mean is zero, all terms that it would divide are zero. A single attribute is
    not redundant: its weight is 0.73, or 0.5 without information about the class. Each
    information is computed from the rows that have both values.

    Time is proportional to the number of rows times the square of the number of
    attributes.

    Parameters
    ----------
    tables : Tables
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The training rows, from ``tables.encode``.
    y : ndarray of int, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)

    Returns
    -------
    ndarray, shape (n_attributes,)

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.additive.tables import fit_tables
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> tables = fit_tables(codes, y, 2)
    >>> attribute_weights(tables, tables.encode(codes), y, np.ones(4)).round(3)
    array([0.881, 0.5  ])
    """
    n_attributes = tables.n_attributes
    if len(columns) > MOST_ROWS:
        raise ValueError(f"There are {len(columns):,} rows, and AIWNB reads at most "
                         f"{MOST_ROWS:,}. Pass a sample of them.")
    if not n_attributes:
        return np.zeros(0)
    used = weights > 0
    columns, weights = columns[used], weights[used]
    # The class is the last attribute; its values come before the missing one
    missing = tables.n_columns - 1
    last = missing + tables.n_classes
    rows = np.empty((len(weights), n_attributes + 1), dtype=np.int32)
    rows[:, :-1] = np.where(columns < missing, columns, last)
    rows[:, -1] = missing + y[used]
    attribute = np.repeat(
        np.arange(n_attributes + 2, dtype=np.int32),
        [*tables.n_values, tables.n_classes, 1])
    ends_of = np.cumsum(tables.n_values)

    def informations(j):
        n_values = tables.n_values[j]
        key = np.minimum(rows[:, j] - (ends_of[j] - n_values), n_values).astype(
            np.min_scalar_type(n_values))
        order = np.argsort(key, kind="stable").astype(np.int32)  # of bytes, it is fast
        ends = np.cumsum(np.bincount(key, minlength=n_values + 1))[:-1]
        found = np.zeros((n_attributes + 2, 3))
        mutual_informations(
            order, ends.astype(np.int32), rows, j + 1, weights, attribute,
            np.empty(last + 1, dtype=np.int32), np.zeros((last + 1, 2)), found)
        return found[j + 1:-1, INFORMATION]

    information = np.zeros((n_attributes + 1, n_attributes + 1))
    for j, found in enumerate(map_in_threads(informations, range(n_attributes))):
        information[j, j + 1:] = found
    return _weigh(information)


def _weigh(information):
    """Weight attributes by information about each other and, last, the class."""
    n_attributes = len(information) - 1
    # Zero up to rounding must not become a mean to divide by
    information[information < NO_INFORMATION] = 0
    relevance = _normalized(information[:-1, -1], n_attributes)
    redundancy = information[:-1, :-1] + information[:-1, :-1].T
    redundancy = _normalized(redundancy, n_attributes * (n_attributes - 1))
    return expit(relevance - redundancy.sum(axis=1) / max(1, n_attributes - 1))


def _normalized(information, n):
    """Divide by the mean of n terms."""
    total = information.sum()
    return information * (n / total) if total > 0 else information


def _known(tables, columns, unknown=-1):
    """Return the columns of values, and a negative number for missing values."""
    return np.where(columns < tables.n_columns - 1, columns, np.int32(unknown))


def eager_instance_weights(tables, columns):
    """
    Weight rows by the frequencies of their values: the weights of AIWNB^E.

    W_i is the sum over attributes of f_ij n_j, where n_j is the number of values. The
    frequency f_ij is the share of (weighted) training rows with the value of row i.
    Rows with a missing value do not count in it. A missing value counts as the average
    of the other values, so it does not change the weight. If all values are missing,
    all weights are 1.

    Parameters
    ----------
    tables : Tables
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The rows, from ``tables.encode``.

    Returns
    -------
    ndarray, shape (n_rows,)

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.additive.tables import fit_tables
    >>> codes = np.array([[0.], [0.], [0.], [1.], [np.nan]])
    >>> tables = fit_tables(codes, np.zeros(5, dtype=int), 1)
    >>> eager_instance_weights(tables, tables.encode(codes))
    array([1.5 , 1.5 , 1.5 , 0.5 , 1.25])
    """
    counts = tables.counts[:, :-1].sum(axis=0)
    if not len(counts):
        return np.ones(len(columns))
    attribute = tables.attribute[:-1]
    frequency = counts / sum_by_attribute(counts, tables.n_values)[attribute]
    terms = np.append(frequency * tables.n_values[attribute], 0)
    averages = np.bincount(attribute, frequency * terms[:-1], tables.n_attributes)
    weights = np.zeros(len(columns))
    for j, average in enumerate(averages):
        terms[-1] = average
        weights += terms[columns[:, j]]
    return weights


class LazyCounts:
    """
    AIWNB^L: rows have weights for each query, 1 + the number of equal values.

    The weighted count of a value is a sum over the training rows with this value: 1
    plus the number of values that the row shares with the query. So each query is
    compared with all training rows.

    Parameters
    ----------
    tables : Tables
    columns : ndarray of int32, shape (n_rows, n_attributes)
        Training rows, from ``tables.encode``.
    y : ndarray of int, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)

    Attributes
    ----------
    block_size : int
        The number of queries to be computed at once.
    """

    def __init__(self, tables, columns, y, weights):
        self.tables = tables
        self.block_size = max(
            1, BLOCK_COUNTS // (tables.n_classes * max(1, tables.n_attributes)))
        self._rows = (_known(tables, columns), np.ascontiguousarray(y, dtype=np.int32),
                      np.ascontiguousarray(weights))

    def scores(self, columns, weights):
        """
        Return the logarithms of P(c, x), not normalized.

        Parameters
        ----------
        columns : ndarray of int32, shape (n_queries, n_attributes)
            From ``tables.encode``.
        weights : ndarray, shape (n_attributes,)
            Weights of attributes.

        Returns
        -------
        ndarray, shape (n_queries, n_classes)
        """
        tables = self.tables
        counts, totals = np.zeros(
            (2, len(columns), tables.n_classes, tables.n_attributes))
        queries = _known(tables, columns, -2)
        compare(queries, *self._rows, counts, totals)
        counts += tables.counts.T[columns].transpose(0, 2, 1)
        # The sum of the weights of all rows of a class
        class_counts = tables.class_counts + tables.counts.T[columns].sum(axis=1)
        class_counts[:, tables.class_counts == 0] = 0
        counts += 1 / np.maximum(tables.n_values, 1)
        totals += sum_by_attribute(tables.counts[:, :-1], tables.n_values) + 1
        counts /= totals
        logs = np.log(counts, out=counts)
        logs *= (queries >= 0)[:, None]
        return log_smoothed_prior(class_counts) + logs @ weights
