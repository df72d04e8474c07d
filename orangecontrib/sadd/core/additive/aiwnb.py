"""Naive Bayes with weights of attributes and of training rows: AIWNB.

Zhang, Jiang, Yu (2021) weight attributes by their information about the class less
their information about each other (CFW). *Eager* weights of training rows are the
frequencies of their values. *Lazy* weights are their similarity to the row to be
classified. The compiled page `_aiwnb` has the loops.
"""

import numpy as np
from scipy.special import expit

from orangecontrib.sadd.core.additive._aiwnb import (
    compare,
    count_pairs,
    look_up,
    mutual_informations,
)
from orangecontrib.sadd.core.additive.tables import log_smoothed_prior, sum_by_attribute
from orangecontrib.sadd.core.methods.criterion import mutual_information
from orangecontrib.sadd.core.threads import map_in_threads

__all__ = ["LazyCounts", "attribute_weights", "eager_instance_weights", "value_pairs",
           "weights_from_pairs"]

# At most this many pairs of values are counted in advance, or as many as there are
# values in the training rows
MANY_PAIRS = 2 ** 20
# Pairs are counted in blocks of rows that a cache holds
BLOCK_ROWS = 2 ** 10
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
        found = np.zeros((3, n_attributes + 2))
        mutual_informations(
            order, ends.astype(np.int32), rows, j + 1, weights, attribute,
            np.empty(last + 1, dtype=np.int32), *np.zeros((2, last + 1)), *found)
        return found[-1, j + 1:-1]

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


def weights_from_pairs(tables, pairs):
    """
    Weight attributes as `attribute_weights` does.

    Parameters
    ----------
    tables : Tables
    pairs : ndarray, shape (n_values, n_values, n_classes)
        From `value_pairs`.

    Returns
    -------
    ndarray, shape (n_attributes,)
    """
    pairs = pairs.sum(axis=2)
    ends = np.cumsum(tables.n_values)
    values = [slice(end - n, end) for n, end in zip(tables.n_values, ends, strict=True)]
    information = np.zeros((len(values) + 1, len(values) + 1))
    for j, own in enumerate(values):
        information[j, -1] = mutual_information(tables.counts[:, own])
        for k in range(j + 1, len(values)):
            information[j, k] = mutual_information(pairs[own, values[k]])
    return _weigh(information)


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


def value_pairs(tables, columns, y, weights):
    """
    Count pairs of values by class.

    Parameters
    ----------
    tables, columns, y, weights
        As for `attribute_weights`.

    Returns
    -------
    ndarray, shape (n_values, n_values, n_classes)
    """
    n_values = tables.n_columns - 1
    pairs = np.zeros((n_values, n_values, tables.n_classes))
    rows = _arrays(tables, columns, y, weights)
    for start in range(0, len(y), BLOCK_ROWS):
        count_pairs(*(part[start:start + BLOCK_ROWS] for part in rows), pairs)
    pairs += pairs.transpose(1, 0, 2).copy()
    values = np.arange(n_values)
    pairs[values, values] /= 2  # an attribute and itself
    return pairs


def _arrays(tables, columns, y, weights):
    """Return rows as the compiled page reads them."""
    return (_known(tables, columns), np.ascontiguousarray(y, dtype=np.int32),
            np.ascontiguousarray(weights))


class LazyCounts:
    """
    AIWNB^L: rows have weights for each query, 1 + the number of equal values.

    The weighted count of a value is a sum over the rows with this value: 1 plus the
    number of values that the row shares with the query. If there are few pairs of
    values, these numbers are added up from the counts of pairs. Otherwise they are
    added up from all training rows.

    Parameters
    ----------
    tables : Tables
    columns : ndarray of int32, shape (n_rows, n_attributes)
        Training rows, from ``tables.encode``.
    y : ndarray of int, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    many_pairs : int
        Maximum number of pairs of values to be counted in advance. It is at least the
        number of values in the training rows.

    Attributes
    ----------
    block_size : int
        The number of queries to be computed at once.
    """

    def __init__(self, tables, columns=None, y=None, weights=None, *,
                 many_pairs=MANY_PAIRS, pairs=None):
        self.tables = tables
        self.block_size = max(
            1, BLOCK_COUNTS // (tables.n_classes * max(1, tables.n_attributes)))
        self._rows = self._pairs = None
        if pairs is None:
            n_values = tables.n_columns - 1
            if n_values ** 2 * tables.n_classes > max(many_pairs, columns.size):
                self._rows = _arrays(tables, columns, y, weights)
                return
            pairs = value_pairs(tables, columns, y, weights)
        self._pairs = pairs, np.ascontiguousarray(
            sum_by_attribute(pairs, tables.n_values, axis=1))

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
        equal = np.zeros((2, len(columns), tables.n_classes, tables.n_attributes))
        queries = _known(tables, columns, -2)
        if self._pairs is not None:
            look_up(queries, *self._pairs, *equal)
        else:
            compare(queries, *self._rows, *equal)
        counts, totals = equal
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
