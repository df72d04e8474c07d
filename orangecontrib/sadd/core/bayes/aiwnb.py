"""Naive Bayes with weights of attributes and of training rows: AIWNB.

Zhang, Jiang, Yu (2021) weight attributes by what they tell about the class less what
they tell about each other (CFW), and count training rows with weights: *eager* ones,
how frequent a row's values are, or *lazy* ones, how much a row resembles the row to be
classified.

Lazy weights need not be computed. With the one-hot matrices Z of training rows, Z_c of
those of class c, diagonal S_c of their sample weights and q of a query, the row weights
are 1 + Z q, so that the weighted counts of all values in class c are

    Z_c' S_c (1 + Z_c q) = (counts of values) + (Z_c' S_c Z_c) q.

The matrices in brackets, the counts of pairs of values, do not depend on the query. Of
their product with q only the elements of the query's own values are needed, and sums
over the values of each attribute. Where the matrices would be too large, the same
product is taken in the other order.
"""

import numpy as np
from scipy.special import expit, xlogy
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core.bayes.rowblocks import one_hot
from orangecontrib.sadd.core.bayes.tables import log_smoothed_prior, sum_by_attribute

__all__ = ["LazyCounts", "attribute_weights", "eager_instance_weights"]

# Counts of pairs of values may take this much memory, in bytes,
PAIR_BYTES = 2 ** 28
# less where most of them are zero, and can be left out,
SPARSE_PAIR_BYTES = 2 ** 24
# and so may each array of the work on a block of rows, attributes, or queries.
BLOCK_BYTES = 2 ** 25
# As many as caches hold, for queries that look up pairs
LOOKUP_BYTES = 2 ** 20

# Pairs are counted by a dense product if its multiplications are no more than this
# many times those of a sparse one: they are so much faster.
DENSE_RATIO = 40


def attribute_weights(tables, columns, sample_weight=None, *, pair_bytes=PAIR_BYTES):
    """
    Weight attributes by relevance and redundancy, as in CFW (Jiang et al., 2019).

    With I the mutual information of values that occur, in bits,

        NI(A_j; C) = I(A_j; C) / mean over j of I(A_j; C),
        NI(A_j; A_k) = I(A_j; A_k) / mean over pairs j != k of I(A_j; A_k),
        D_j = NI(A_j; C) - mean over k != j of NI(A_j; A_k),
        w_j = 1 / (1 + exp(-D_j)).

    Where a mean is zero, all that it would divide is zero and stays so: without
    information about the class, or about each other, attributes are not relevant, or
    not redundant. A single attribute is not redundant either; its weight is 0.73, or
    0.5 if it says nothing about the class. Each information is computed from the rows
    where both values are known.

    It takes time proportional to the square of the number of values, times rows.

    Parameters
    ----------
    tables : Tables
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The training rows, from ``tables.encode``.
    sample_weight : ndarray, shape (n_rows,), optional
        The same as for `tables`.
    pair_bytes : int
        Limit of the size of the counts of pairs of values.

    Returns
    -------
    ndarray, shape (n_attributes,)

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.bayes.tables import fit_tables
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> tables = fit_tables(codes, y, 2)
    >>> attribute_weights(tables, tables.encode(codes)).round(3)
    array([0.881, 0.5  ])
    """
    n_values, n_attributes = tables.n_values, tables.n_attributes
    if not n_attributes:
        return np.zeros(0)
    weight = np.ones(len(columns)) if sample_weight is None \
        else np.asarray(sample_weight, dtype=np.float64)
    class_information = _information(tables.counts[:, :-1].T, n_values,
                                     np.array([tables.n_classes]))[:, 0]
    relevance = _normalized(class_information, class_information.mean())
    if n_attributes < 2:
        return expit(relevance)

    onehot = one_hot(columns, tables.n_columns)[:, :-1]
    pair_information = np.zeros((n_attributes, n_attributes))
    ends = np.cumsum(n_values)
    if _is_sparse(onehot, onehot):
        pair_bytes = min(pair_bytes, SPARSE_PAIR_BYTES)
    # A slab of pairs: some attributes with themselves and with all that follow
    widest = max(1, int(n_values.max()))
    height = max(1, pair_bytes // (8 * widest * tables.n_columns))
    for first in range(0, n_attributes, height):
        last = min(first + height, n_attributes)
        start, stop = ends[first] - n_values[first], ends[last - 1]
        following = onehot if first == 0 else onehot[:, start:]
        own = following if last == n_attributes else following[:, :stop - start]
        if 8 * own.shape[1] * following.shape[1] > pair_bytes:  # a single attribute
            information = _sparse_information(own, following, weight, n_values[first:])
        else:
            information = _information(_count_pairs(own, following, weight),
                                       n_values[first:last], n_values[first:])
        pair_information[first:last, first:] = information
        pair_information[first:, first:last] = information.T
    np.fill_diagonal(pair_information, 0)
    n_pairs = n_attributes * (n_attributes - 1)
    redundancy = _normalized(pair_information, pair_information.sum() / n_pairs)
    return expit(relevance - redundancy.sum(axis=1) / (n_attributes - 1))


def _count_pairs(left, right, weight):
    """Return left' diag(weight) right for two one-hot matrices."""
    n_rows, n_left = left.shape
    n_right = right.shape[1]
    if _is_sparse(left, right):
        return ((left.T * weight) @ right).toarray()
    counts = np.zeros((n_left, n_right))
    step = max(1, BLOCK_BYTES // (8 * max(1, n_right)))
    root = np.sqrt(weight)[:, None]
    with threadpool_limits(1, user_api="blas"):
        for start in range(0, n_rows, step):
            rows = slice(start, start + step)
            dense = right[rows].toarray() * root[rows]
            # the product of a matrix with its own transpose takes half the time
            other = dense if left is right else left[rows].toarray() * root[rows]
            counts += other.T @ dense
    return counts


def _is_sparse(left, right):
    """Return whether a sparse product of one-hot matrices takes less time."""
    n_rows, n_left = left.shape
    return n_rows ** 2 * n_left * right.shape[1] > DENSE_RATIO * left.nnz * right.nnz


def _normalized(information, mean):
    return information / mean if mean > 0 else np.zeros_like(information)


def _information(joint, n_rows, n_columns):
    """
    Return the mutual informations, in bits, of many pairs of attributes.

    `joint` has the counts of values of some attributes, `n_rows` of each, by those of
    others, `n_columns` of each. With N the sum of a pair's counts n_uv,
    I = (sum n_uv log n_uv - sum n_u. log n_u. - sum n_.v log n_.v + N log N) / N.
    """
    def sum_rows(array):
        return sum_by_attribute(array, n_rows, axis=0)

    by_row = sum_by_attribute(joint, n_columns)
    by_column = sum_rows(joint)
    total = sum_rows(by_row)
    sums = sum_rows(sum_by_attribute(xlogy(joint, joint), n_columns))
    sums -= sum_rows(xlogy(by_row, by_row))
    sums -= sum_by_attribute(xlogy(by_column, by_column), n_columns)
    sums += xlogy(total, total)
    return _bits(sums, total)


def _sparse_information(left, right, weight, n_columns):
    """
    Return the same for one attribute, the columns of `left`, that has many values.

    There are no more pairs that occur than rows, for each of the other attributes.
    """
    n_attributes = len(n_columns)
    joint = ((left.T * weight) @ right).tocsr()
    attribute = np.repeat(np.arange(n_attributes), n_columns)[joint.indices]
    value = np.repeat(np.arange(joint.shape[0]), np.diff(joint.indptr))
    by_row = np.bincount(value * n_attributes + attribute, joint.data,
                         joint.shape[0] * n_attributes).reshape(-1, n_attributes)
    by_column = np.bincount(joint.indices, joint.data, joint.shape[1])
    total = by_row.sum(axis=0)
    sums = np.bincount(attribute, xlogy(joint.data, joint.data), n_attributes)
    sums -= xlogy(by_row, by_row).sum(axis=0)
    sums -= sum_by_attribute(xlogy(by_column, by_column), n_columns)
    sums += xlogy(total, total)
    return _bits(sums, total)[None]


def _bits(sums, total):
    information = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
    # what is left of zero by rounding must not become a mean to divide by
    information[information < 1e-12] = 0
    return information / np.log(2)


def eager_instance_weights(tables, columns):
    """
    Weight rows by the frequencies of their values: the weights of AIWNB^E.

    W_i is the sum over attributes of f_ij n_j, where f_ij is the share of (weighted)
    training rows that have the value of row i, among those whose value is known, and
    n_j the number of values. A missing value counts as the average of known ones, so
    that it neither raises nor lowers the weight. Without any known value all weights
    are 1.

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
    >>> from orangecontrib.sadd.core.bayes.tables import fit_tables
    >>> codes = np.array([[0.], [0.], [0.], [1.], [np.nan]])
    >>> tables = fit_tables(codes, np.zeros(5, dtype=int), 1)
    >>> eager_instance_weights(tables, tables.encode(codes))
    array([1.5 , 1.5 , 1.5 , 0.5 , 1.25])
    """
    counts = tables.counts.sum(axis=0)
    totals = sum_by_attribute(counts[:-1], tables.n_values)
    known = totals > 0
    if not known.any():
        return np.ones(len(columns))
    attribute = tables.attribute[:-1]
    frequency = counts[:-1] / totals[attribute]
    average = np.bincount(attribute, frequency ** 2, tables.n_attributes)
    value = np.append(frequency * tables.n_values[attribute], 0)
    missing = columns == tables.n_columns - 1
    return one_hot(columns, tables.n_columns) @ value \
        + missing @ (average * tables.n_values)


class LazyCounts:
    """
    AIWNB^L: rows are weighted anew for each query, by 1 + the number of equal values.

    Parameters
    ----------
    tables : Tables
    columns : ndarray of int32, shape (n_rows, n_attributes)
        Training rows, from ``tables.encode``.
    y : ndarray of int, shape (n_rows,)
    sample_weight : ndarray, shape (n_rows,), optional
    pair_bytes : int
        Limit of the size of the counts of pairs of values. Above it training rows are
        kept, and each query is compared with all of them.
    block_bytes : int
        Limit of the size of a work array.

    Attributes
    ----------
    block_size : int
        How many queries there should be at once.
    """

    def __init__(self, tables, columns, y, sample_weight=None, *,
                 pair_bytes=PAIR_BYTES, block_bytes=BLOCK_BYTES):
        self.tables = tables
        weight = np.ones(len(y)) if sample_weight is None \
            else np.asarray(sample_weight, dtype=np.float64)
        # The last column, nothing known, must not match itself
        onehot = one_hot(columns, tables.n_columns)[:, :-1]
        rows = [(onehot[(y == c) & (weight > 0)], weight[(y == c) & (weight > 0)])
                for c in range(tables.n_classes)]
        self._rows = self._pairs = None
        if 8 * tables.n_classes * tables.n_columns ** 2 <= pair_bytes:
            self._count_pairs(rows)
            block_bytes = min(block_bytes, LOOKUP_BYTES)
            longest = tables.n_classes * max(1, tables.n_attributes)
        else:
            self._rows = rows
            longest = max(tables.n_columns, *(len(weight) for _, weight in rows))
        self.block_size = max(1, block_bytes // (8 * longest))

    def _count_pairs(self, rows):
        """Count pairs of values, by class, and sums over the second of a pair."""
        n_columns, n_classes = self.tables.n_columns, self.tables.n_classes
        pairs = np.zeros((n_columns, n_columns, n_classes))
        for c, (own, weight) in enumerate(rows):
            pairs[:-1, :-1, c] = _count_pairs(own, own, weight)
        # Nothing known is no value, and has no pairs
        totals = sum_by_attribute(pairs[:-1, :-1], self.tables.n_values, axis=1)
        self._pair_totals = totals.reshape(
            n_columns - 1, self.tables.n_attributes * n_classes)
        self._pairs = pairs.reshape(-1, n_classes)

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
        queries = one_hot(columns, tables.n_columns)[:, :-1]
        known = columns < tables.n_columns - 1
        # sum of the weights of all rows of a class
        class_counts = tables.class_counts + queries @ tables.counts[:, :-1].T
        class_counts[:, tables.class_counts == 0] = 0
        scores = log_smoothed_prior(class_counts)
        count = self._compare if self._pairs is None else self._look_up
        counts, totals = count(columns, queries)
        counts += tables.counts.T[columns]
        counts += 1 / np.maximum(tables.n_values, 1)[:, None]
        totals += sum_by_attribute(tables.counts[:, :-1], tables.n_values).T
        totals += 1
        counts /= totals
        logs = np.log(counts, out=counts)
        logs[~known] = 0
        return scores + np.einsum("ijc,j->ic", logs, weights)

    def _look_up(self, columns, queries):
        """
        Sum the numbers of equal values over rows that have the value of a query.

        Returns
        -------
        counts, totals : ndarray, shape (n_queries, n_attributes, n_classes)
            For the query's value of each attribute, and for all values of it.
        """
        columns = columns.astype(np.intp)
        counts = np.zeros((*columns.shape, self.tables.n_classes))
        for first in columns.T * self.tables.n_columns:
            counts += self._pairs.take(first[:, None] + columns, axis=0)
        return counts, (queries @ self._pair_totals).reshape(counts.shape)

    def _compare(self, columns, queries):
        """Return what `_look_up` does, by comparing queries with all training rows."""
        counts = np.empty((*columns.shape, self.tables.n_classes))
        totals = np.empty_like(counts)
        for c, (rows, weight) in enumerate(self._rows):
            equal = rows @ queries.T.toarray()
            equal *= weight[:, None]
            sums = np.zeros((len(columns), self.tables.n_columns))
            sums[:, :-1] = (rows.T @ equal).T
            counts[..., c] = np.take_along_axis(sums, columns, axis=1)
            totals[..., c] = sum_by_attribute(sums[:, :-1], self.tables.n_values)
        return counts, totals
