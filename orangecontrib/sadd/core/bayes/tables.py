"""The tables of naive Bayes on discretized attributes: counts, smoothed.

All tables live in one flat array, one row per class and one column per value of an
attribute that occurs in the training rows; a last column, all zeros, stands for
*nothing known*. A row of data then becomes a row of column numbers, a missing or
unseen value just points at the last column, and every model of the family is a sum
of columns: a product of a one-hot matrix and the (weighted) tables. No step has a
branch for missing values.
"""

from dataclasses import dataclass, replace

import numpy as np

from orangecontrib.sadd.core.cuts import add_tables, contingency

__all__ = ["Tables", "add_counts", "count_codes", "fit_tables", "log_smoothed_prior",
           "sum_by_attribute", "tables_from_counts"]


@dataclass(frozen=True, eq=False)
class Tables:
    """
    Smoothed class and value probabilities of one training set.

    Attributes
    ----------
    log_prior : ndarray of shape (n_classes,)
        ln P(c); minus infinity for a class that has no training row.
    log_likelihood : ndarray of shape (n_classes, n_columns)
        ln P(a_j | c) of every value seen in training, attribute by attribute. The
        last column is zero: a value about which nothing is known.
    counts : ndarray of shape (n_classes, n_columns)
        The weight of training rows with that class and value; the last column is 0.
    class_counts : ndarray of shape (n_classes,)
        The weight of the training rows of each class.
    attribute : ndarray of int of shape (n_columns,)
        The attribute to which a column belongs; that of the last one is 0.
    n_values : ndarray of int of shape (n_attributes,)
        n_j, the number of distinct values of each attribute seen in training.
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
        columns = np.empty(codes.shape, dtype=np.int32)
        for j in range(codes.shape[1]):
            # Whatever is not a code of this attribute goes to its last slot, which
            # always leads to the last column. NaN fails both comparisons.
            n_codes = self.starts[j + 1] - self.starts[j] - 1
            code = codes[:, j]
            known = (code >= 0) & (code < n_codes)
            slot = np.where(known, code, n_codes).astype(np.intp)
            columns[:, j] = self.lookup[self.starts[j]:self.starts[j + 1]].take(slot)
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


    def centred(self):
        """
        Return the same with log-likelihoods whose mean over the classes is 0.

        Naive Bayes does not change, and weights of attributes then have an effect on
        the difference of classes only. Classes without rows do not count in the mean.
        """
        present = self.class_counts > 0
        if not present.any():
            return self
        mean = self.log_likelihood[present].mean(axis=0)
        return replace(self, log_likelihood=self.log_likelihood - mean)

    def without_row(self, klass, weight=1.):
        """
        Return tables as if a row of a class had been left out.

        Every value has the probability that it would have if it were the value of this
        row. The numbers of values and of classes stay the same.

        Parameters
        ----------
        klass : int
        weight : float
            Of the row, not above the weight of the class.

        Returns
        -------
        Tables
            Its `counts` are still those of all rows.

        Examples
        --------
        >>> import numpy as np
        >>> tables = fit_tables(np.array([[0.], [0.], [1.], [1.]]), [0, 0, 0, 1], 2)
        >>> np.exp(tables.without_row(0).log_likelihood)
        array([[0.5       , 0.16666667, 1.        ],
               [0.25      , 0.75      , 1.        ]])
        """
        log_likelihood = self.log_likelihood.copy()
        if self.n_columns > 1:
            counts = self.counts[klass, :-1]
            totals = sum_by_attribute(counts, self.n_values) - weight
            attribute = self.attribute[:-1]
            log_likelihood[klass, :-1] = np.log(
                (np.maximum(counts - weight, 0) + 1 / self.n_values[attribute])
                / (np.maximum(totals, 0)[attribute] + 1))
        class_counts = self.class_counts.copy()
        class_counts[klass] = max(class_counts[klass] - weight, 0)
        return replace(self, log_likelihood=log_likelihood, log_prior=(
            log_smoothed_prior(class_counts, self.class_counts > 0)))


def fit_tables(codes, y, n_classes, sample_weight=None):
    """
    Estimate the tables of naive Bayes, smoothed as in the paper and its code.

    With n_c the weight of the rows of class c, C the number of classes that have any,
    and n_j the number of values of attribute j that occur,

        P(c) = (n_c + 1 / C) / (n + 1),
        P(a_j | c) = (n_{a_j, c} + 1 / n_j) / (n_c + 1).

    This is the m-estimate with m = 1 and a uniform prior, not Laplace's. In the
    second line n_c counts only rows whose value of attribute j is known, so
    that the probabilities of the values sum to 1 for every class. A row of weight 0
    is as good as absent. A class without rows gets probability 0 and does not count
    in C.

    Parameters
    ----------
    codes : ndarray of float64 of shape (n_rows, n_attributes)
        Integers from 0; NaN is a missing value.
    y : ndarray of int of shape (n_rows,)
        Indices of classes.
    n_classes : int
    sample_weight : ndarray of shape (n_rows,), optional

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
    return tables_from_counts(*count_codes(codes, y, n_classes, sample_weight))


def count_codes(codes, y, n_classes, sample_weight=None):
    """
    Count classes and values, for `tables_from_counts`; counts can be added.

    Parameters
    ----------
    codes, y, n_classes, sample_weight
        As for `fit_tables`.

    Returns
    -------
    class_counts : ndarray of shape (n_classes,)
        Weight of each class.
    counts : list of ndarray of shape (n_classes, largest code + 1)
        For each attribute, the weight of each class and code.
    """
    codes = np.asarray(codes, dtype=np.float64)
    y = np.asarray(y, dtype=np.intp)
    if sample_weight is None:
        weight = np.ones(len(y))
    else:
        weight = np.asarray(sample_weight, dtype=np.float64)
    if not np.all(weight > 0):
        codes, y, weight = codes[weight > 0], y[weight > 0], weight[weight > 0]

    return np.bincount(y, weight, n_classes), [
        contingency(column, y, n_classes, weight) for column in codes.T]


def add_counts(counts):
    """Add what `count_codes` has counted in several places."""
    class_counts, tables = zip(*counts, strict=True)
    return sum(class_counts), [add_tables(parts) for parts in zip(*tables, strict=True)]


def tables_from_counts(class_counts, value_counts):
    """
    Estimate the tables from what `count_codes` has counted.

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
    shape = list(array.shape)
    shape[axis] = len(n_values)
    totals = np.zeros(shape)
    if filled.any():
        np.moveaxis(totals, axis, 0)[filled] = np.moveaxis(
            np.add.reduceat(array, starts, axis=axis), axis, 0)
    return totals


def log_smoothed_prior(class_counts, present=None):
    """
    Return ln P(c) for counts (..., n_classes).

    It is minus infinity for classes that are not present, by default those without
    rows.
    """
    if present is None:
        # without any row at all there is nothing to prefer: all classes are likely
        present = (class_counts > 0) | ~class_counts.any(axis=-1, keepdims=True)
    n_present = present.sum(axis=-1, keepdims=True)
    total = class_counts.sum(axis=-1, keepdims=True)
    prior = np.where(present, (class_counts + 1 / n_present) / (total + 1), 0)
    with np.errstate(divide="ignore"):
        return np.log(prior)
