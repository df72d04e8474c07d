"""The tables of naive Bayes on discretized attributes: counts, smoothed.

All tables are parts of one array. It has a row for each class, and a column for each
value of an attribute in the training rows. The last column is zero: it stands for
missing and unseen values. So a row of data is a row of column numbers, and every model
of the family adds up columns. No step has a branch for missing values.
"""

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.arithmetic import add_tables, contingency

__all__ = ["Tables", "add_counts", "count_codes", "fit_tables", "log_smoothed_prior",
           "sum_by_attribute", "tables_from_counts"]

# Values are encoded in blocks of about this many
BLOCK_VALUES = 2 ** 16


@dataclass(frozen=True, eq=False)
class Tables:
    """
    Smoothed class and value probabilities of one training set.

    Attributes
    ----------
    log_prior : ndarray of shape (n_classes,)
        ln P(c); minus infinity for a class that has no training row.
    log_likelihood : ndarray of shape (n_classes, n_columns)
        ln P(a_j | c) of every value in the training rows, attribute by attribute. The
        last column, for missing and new values, is zero.
    counts : ndarray of shape (n_classes, n_columns)
        The weight of training rows with that class and value; the last column is 0.
    class_counts : ndarray of shape (n_classes,)
        The weight of the training rows of each class.
    attribute : ndarray of int of shape (n_columns,)
        The attribute to which a column belongs; that of the last one is 0.
    n_values : ndarray of int of shape (n_attributes,)
        n_j, the number of distinct values of each attribute in the training rows.
    lookup : ndarray of int32, starts : ndarray of int of shape (n_attributes + 1,)
        ``lookup[starts[j] + code]`` is the column of value `code` of attribute j.
    """

    log_prior: np.ndarray
    log_likelihood: np.ndarray
    counts: np.ndarray
    class_counts: np.ndarray
    attribute: np.ndarray
    n_values: np.ndarray
    lookup: np.ndarray
    starts: np.ndarray

    @property
    def n_attributes(self):
        """The number of attributes."""
        return len(self.n_values)

    @property
    def n_classes(self):
        """The number of classes, including those without training rows."""
        return len(self.log_prior)

    @property
    def present(self):
        """Indices of the classes that have training rows."""
        return np.flatnonzero(np.isfinite(self.log_prior))

    @property
    def n_columns(self):
        """The number of columns of the tables, the last one included."""
        return self.log_likelihood.shape[1]

    def encode(self, codes):
        """
        Return the column of each value; the last column where it is NaN or unseen.

        Parameters
        ----------
        codes : ndarray of float64 of shape (n_rows, n_attributes)

        Returns
        -------
        ndarray of int32 of shape (n_rows, n_attributes)
        """
        n_codes = np.diff(self.starts) - 1
        columns = np.empty(codes.shape, dtype=np.int32)
        step = max(1, BLOCK_VALUES // max(1, codes.shape[1]))
        for start in range(0, len(codes), step):
            block = codes[start:start + step]
            # The last slot of an attribute leads to the last column. NaN fails both
            # comparisons.
            slots = np.where((block >= 0) & (block < n_codes), block, n_codes)
            slots += self.starts[:-1]
            self.lookup.take(slots.astype(np.intp), out=columns[start:start + step])
        return columns

    def weighted(self, weights=None):
        """
        Multiply the log-likelihoods by weights of attributes.

        Parameters
        ----------
        weights : ndarray of shape (n_attributes,) or (n_classes, n_attributes)
            None leaves them as they are, which is naive Bayes.

        Returns
        -------
        ndarray of shape (n_classes, n_columns)
        """
        if weights is None or self.n_attributes == 0:
            return self.log_likelihood
        return self.log_likelihood * np.asarray(weights)[..., self.attribute]


def fit_tables(codes, y, n_classes, weights=None):
    """
    Estimate the tables of naive Bayes, smoothed as in the paper and its code.

    With weight n_c of the rows of class c, C classes with rows, and n_j values of
    attribute j,

        P(c) = (n_c + 1 / C) / (n + 1),
        P(a_j | c) = (n_{a_j, c} + 1 / n_j) / (n_c + 1).

    This is the m-estimate with m = 1 and a uniform prior, not Laplace's. In the second
    line, n_c counts only rows with a value of attribute j. So the probabilities of the
    values sum to 1 for every class. Rows of weight 0 have no effect. A class without
    rows gets probability 0 and does not count in C.

    Parameters
    ----------
    codes : ndarray of float64 of shape (n_rows, n_attributes)
        Integers from 0; NaN is a missing value.
    y : ndarray of int of shape (n_rows,)
        Indices of classes.
    n_classes : int
    weights : ndarray of float64 of shape (n_rows,), optional
        Ones by default.

    Returns
    -------
    Tables

    Examples
    --------
    >>> import numpy as np
    >>> tables = fit_tables(np.array([[0.], [0.], [1.], [1.]]), [0, 0, 0, 1], 2)
    >>> np.exp(tables.log_prior)
    array([0.7, 0.3])
    >>> np.exp(tables.log_likelihood)
    array([[0.625, 0.375, 1.   ],
           [0.25 , 0.75 , 1.   ]])
    """
    if weights is None:
        weights = np.ones(len(y))
    return tables_from_counts(*count_codes(codes, np.asarray(y), n_classes, weights))


def count_codes(codes, y, n_classes, weights):
    """
    Count classes and values, for `tables_from_counts`.

    Parameters
    ----------
    codes, y, n_classes, weights
        As for `fit_tables`.

    Returns
    -------
    class_counts : ndarray of shape (n_classes,)
        Weight of each class.
    counts : list of ndarray of shape (n_classes, largest code + 1)
        For each attribute, the weight of each class and code.
    """
    if not np.all(weights > 0):
        used = weights > 0
        codes, y, weights = codes[used], y[used], weights[used]
    return np.bincount(y, weights, n_classes), [
        contingency(column.copy(), y, n_classes, weights) for column in codes.T]


def add_counts(counts):
    """Add the counts of parts of rows, each from `count_codes`."""
    class_counts, tables = zip(*counts, strict=True)
    return sum(class_counts), [add_tables(parts) for parts in zip(*tables, strict=True)]


def tables_from_counts(class_counts, value_counts):
    """
    Estimate the tables from counts.

    Parameters
    ----------
    class_counts : ndarray of shape (n_classes,)
    value_counts : list of ndarray of shape (n_classes, n_codes)

    Returns
    -------
    Tables
    """
    n_classes, n_attributes = len(class_counts), len(value_counts)
    counts, lookup = [], []
    n_values = np.zeros(n_attributes, dtype=np.intp)
    n_columns = 0
    for j, table in enumerate(value_counts):
        seen = np.flatnonzero(table.any(axis=0))
        columns = np.full(table.shape[1] + 1, -1, dtype=np.int32)
        columns[seen] = np.arange(n_columns, n_columns + len(seen))
        counts.append(table[:, seen])
        lookup.append(columns)
        n_values[j] = len(seen)
        n_columns += len(seen)
    counts.append(np.zeros((n_classes, 1)))
    counts = np.concatenate(counts, axis=1)
    starts = np.cumsum([0] + [len(columns) for columns in lookup])
    lookup = np.concatenate(lookup) if lookup else np.empty(0, dtype=np.int32)
    lookup[lookup < 0] = n_columns
    attribute = np.append(np.repeat(np.arange(n_attributes), n_values), 0)

    log_likelihood = np.zeros_like(counts)
    if n_columns:
        totals = sum_by_attribute(counts[:, :-1], n_values)
        log_likelihood[:, :-1] = np.log(
            (counts[:, :-1] + 1 / n_values[attribute[:-1]])
            / (totals[:, attribute[:-1]] + 1))
    return Tables(log_smoothed_prior(class_counts), log_likelihood, counts,
                  class_counts, attribute, n_values, lookup, starts)


def sum_by_attribute(array, n_values, axis=-1):
    """Sum along an axis over the values of each attribute, of which it has n_values."""
    filled = n_values > 0
    starts = (np.cumsum(n_values) - n_values)[filled]
    if filled.all() and len(filled):
        return np.add.reduceat(array, starts, axis=axis)
    totals = np.zeros((len(n_values), *np.moveaxis(array, axis, 0).shape[1:]))
    if filled.any():
        totals[filled] = np.moveaxis(np.add.reduceat(array, starts, axis=axis), axis, 0)
    return np.moveaxis(totals, 0, axis)


def log_smoothed_prior(class_counts):
    """Return ln P(c) for counts (..., n_classes); minus infinity without any rows."""
    # Without any row at all, all classes are equally likely
    present = (class_counts > 0) | ~class_counts.any(axis=-1, keepdims=True)
    n_present = present.sum(axis=-1, keepdims=True)
    total = class_counts.sum(axis=-1, keepdims=True)
    prior = np.where(present, (class_counts + 1 / n_present) / (total + 1), 0)
    with np.errstate(divide="ignore"):
        return np.log(prior)
