"""Partitions as numbers, and the first look at all of them.

`learn_features` finds the categories of all partitions, `survey_labels` their labels
and weights. With these, a `Reader` converts each partition by itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from dask.base import compute
from dask.delayed import delayed
from sklearn.base import clone

from orangecontrib.sadd.core.labels import (
    NO_LABELS,
    UNLABELLED,
    LabelSummary,
    check_total_weight,
    encode_labels,
    is_unlabelled,
    nonnegative_weights,
    read_target,
    summarize_labels,
    weight_factor,
)
from orangecontrib.sadd.core.rows import Rows
from orangecontrib.sadd.core.validation import (
    categorical_mask,
    read_matrix,
    sorted_categories,
    validate_data,
)

__all__ = ["Reader", "learn_features", "survey_labels"]


@dataclass(frozen=True)
class Reader:
    """
    Converts partitions.

    Attributes
    ----------
    estimator : estimator
        Has learned the features and their categories, see `read_matrix`.
    features : list
        Columns that are features.
    classes : ndarray
        Labels, sorted.
    has_target : bool
        Without it, all rows are of the only class.
    unlabelled_label : label or None
    factor : float
        The factor by which weights are multiplied.
    """

    estimator: Any
    features: list
    classes: np.ndarray
    has_target: bool
    unlabelled_label: Any = None
    factor: float = 1.

    def matrix(self, rows):
        """Return all features as float64."""
        if not len(rows):  # scikit-learn would reject it
            return np.zeros((0, len(self.features)))
        if hasattr(rows, "iloc"):
            rows = rows[self.features]
        return read_matrix(self.estimator, rows, reset=False)

    def numbers(self, rows, features):
        """Return numeric features as float64; an array has these columns only."""
        if not len(rows):
            return np.zeros((0, len(features)))
        if hasattr(rows, "iloc"):
            rows = rows[[self.features[feature] for feature in features]]
        estimator = clone(self.estimator).set_params(categorical_features=None)
        return read_matrix(estimator, rows, reset=True)

    def rows(self, part, labels=None):
        """Return a partition as `Rows`, with these classes and weights if given."""
        classes, weights = labels or self.labels(*part)
        classes = classes.astype(np.int64)
        return Rows(self.matrix(part[0]), classes, weights,
                    LabelSummary.of(self.classes, classes, weights),
                    self.estimator.categories_, n_data=len(classes))

    def labels(self, rows, y, weights):
        """Return the class, or `UNLABELLED`, and the weight of each row."""
        n_rows = len(rows)
        weights = np.ones(n_rows) if weights is None \
            else nonnegative_weights(weights, n_rows) * self.factor
        # Without labels it is a pool, or a method that does not need them
        classes = np.full(n_rows, UNLABELLED if self.has_target else 0)
        if self.has_target and y is not None:
            y = read_target(self.estimator, y, n_rows)
            labelled = ~is_unlabelled(y, self.unlabelled_label)
            classes[labelled] = np.searchsorted(self.classes, y[labelled])
        return classes, weights


def survey_labels(source, pool, unlabelled_label=None):
    """
    Look at all labels and weights.

    Parameters
    ----------
    source : Source
    pool : Source or None
    unlabelled_label : label or None

    Returns
    -------
    labels : LabelSummary
    factor : float
        See `weight_factor`.
    used, unlabelled : list of int
        Labelled rows that have a weight, and unlabelled rows, in each partition of the
        source and then of the pool.
    """
    if not source.has_target and not source.has_weight:
        return NO_LABELS, 1., [], []
    parts, n_pool = compute(
        [delayed(_survey)(*part, unlabelled_label)
         for part in source.partitions([])],
        [delayed(len)(rows) for rows, *_ in pool.partitions([])] if pool else [])
    summaries, weights = zip(*parts, strict=True)
    total, counted, n_counted = map(sum, zip(*weights, strict=True))
    if source.has_weight:
        check_total_weight(total)
    factor = weight_factor(counted, n_counted)
    if not source.has_target:
        return NO_LABELS, factor, [], []
    classes, n_labelled, n_unlabelled, n_marked, used, *_ = zip(*summaries, strict=True)
    known = [some for some in classes if len(some)]
    distinct = encode_labels(np.concatenate(known))[0] if known else np.zeros(0)
    unlabelled = [*n_unlabelled, *n_pool]
    labels = LabelSummary(distinct, sum(n_labelled), sum(unlabelled), sum(n_marked),
                          sum(used), len(distinct))
    return labels, factor, [*used, *[0] * len(n_pool)], unlabelled


def _survey(rows, y, weights, unlabelled_label):
    """Return the labels of a partition, and sums of its weights."""
    n_rows = len(rows)
    weights = np.ones(n_rows) if weights is None \
        else nonnegative_weights(weights, n_rows)
    labels, counted = None, weights
    if y is not None:
        labels, classes = summarize_labels(
            read_target(None, y, n_rows), unlabelled_label, weights)
        counted = weights[classes != UNLABELLED]
    return labels, (weights.sum(), counted.sum(), np.count_nonzero(counted))


def learn_features(estimator, source, pool=None):
    """
    Set the names and types of features of an estimator, and their categories.

    Parameters
    ----------
    estimator : estimator
        As for `read_matrix`.
    source : Source
    pool : Source, optional
    """
    if source.is_frame:
        types = source.rows.dtypes
        example = pd.DataFrame({name: pd.Series(dtype=types[name])
                                for name in source.features})
    else:
        example = np.zeros((0, len(source.features)), source.rows.dtype)
    validate_data(estimator, example, reset=True, skip_check_array=True)
    features = range(len(source.features))
    mask = categorical_mask(estimator.categorical_features, example)
    which = np.flatnonzero(mask).tolist()
    estimator.categorical_features_ = np.isin(features, which)
    estimator.categories_ = [None for _ in features]
    if which:
        names = [source.features[feature] for feature in which]
        found, = compute([
            delayed(_categories)(rows, names) for own in filter(None, (source, pool))
            for rows, *_ in own.partitions(which)])
        for feature, parts in zip(which, zip(*found, strict=True), strict=True):
            estimator.categories_[feature] = sorted_categories(set().union(*parts))


def _categories(rows, names):
    """Return the distinct cells of the columns in a partition, all categorical."""
    columns = [rows[name] for name in names] if hasattr(rows, "iloc") \
        else map(pd.Series, rows.T)
    return [column.dropna().drop_duplicates().tolist() for column in columns]
