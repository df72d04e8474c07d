"""What all discretizers have in common, as scikit-learn transformers."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from orangecontrib.sadd.core.columns import open_columns
from orangecontrib.sadd.core.intervals.fitted import FittedIntervals
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.core.splitting.questions import Count, Distinct, Table
from orangecontrib.sadd.core.types import (
    Callback,
    CategoricalFeatures,
    Data,
    Encoding,
    Missing,
)
from orangecontrib.sadd.core.validation import EstimatorMixin

__all__ = ["LIMITS", "Discretizer", "UnsupervisedDiscretizer"]

# Larger tables of classes and intervals are sparse: each row may be a class of its own
MOST_CELLS = 2 ** 21

# If the tables of all features are larger than this together, they are not kept
KEPT_CELLS = 2 ** 22

#: Constraints of the parameters that limit intervals
LIMITS: dict[str, Any] = {
    "min_samples": [Interval(Integral, 1, None, closed="left"),
                    Interval(RealNotInt, 0, 1, closed="neither"), None],
    "max_intervals": [Interval(Integral, 1, None, closed="left"), None],
}


class Discretizer(FittedIntervals, EstimatorMixin, BaseEstimator):
    """What all discretizers have in common."""

    #: Whether rows without a label take part
    uses_unlabelled = False
    #: Whether cuts are decided one by one, and `store_decisions` keeps the decisions
    makes_decisions = False
    store_decisions: bool
    #: Label of rows without a label, besides a missing one
    unlabelled_label: object = None

    _parameter_constraints: dict[str, Any] = {
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "n_jobs": [Integral, None],
        "missing": [StrOptions({"ignore", "interval"})],
        "encode": [StrOptions({"ordinal", "label", "onehot"})],
        "sparse_output": ["boolean"],
    }

    def __init__(self, *, categorical_features: CategoricalFeatures = None,
                 missing: Missing = "ignore", encode: Encoding = "ordinal",
                 sparse_output: bool = True, n_jobs: int | None = None) -> None:
        self.categorical_features = categorical_features
        self.missing = missing
        self.encode = encode
        self.sparse_output = sparse_output
        self.n_jobs = n_jobs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.encode == "label":  # is not of a numeric type
            tags.transformer_tags.preserves_dtype = []
        return tags

    def _more_tags(self):  # scikit-learn 1.5
        return {**super()._more_tags(), **(
            {"preserves_dtype": []} if self.encode == "label" else {})}

    def fit(self, X: Data, y: Data = None, sample_weight: Data = None, *,
            callback: Callback | None = None) -> Self:
        """
        Find the cut points.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) are ignored; infinite ones are values like others.
            Also a Dask array or data frame, or the path of a parquet folder.
        y : array_like, shape (n_rows,)
            Labels of any type. Methods that do not need them use them only to compute
            `mutual_information_`. The name of a column of a Dask data frame or of
            a parquet folder, or a Dask array or series divided like X.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice. If the mean of the weights of
            labelled rows, zeros left out, is below 1, all weights are scaled so that
            it is 1: weights that sum to 1 do not mean a single row. With Dask, as
            for y.
        callback : callable, optional
            Called with the fraction done, from 0 to 1. May raise an exception to stop
            the work.

        Returns
        -------
        self
        """
        self.check_parameters()
        columns = open_columns(
            self, X, y, sample_weight, unlabelled_label=self.unlabelled_label)
        self.check_labels(columns.labels)
        return self.fit_columns(columns, callback)

    def fit_columns(self, columns: Any, callback: Callback | None = None) -> Self:
        """
        Find the cut points of data that have been read.

        Parameters
        ----------
        columns : Columns
            From `open_columns`, for this estimator.
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        self
        """
        self.classes_ = columns.labels.classes
        callback = self._label(columns, callback)
        n_features = self.n_features_in_
        self.cut_points_ = [np.zeros(0) for _ in range(n_features)]
        self.mutual_information_ = np.full(n_features, np.nan)
        self.counts_ = [None] * n_features
        self._saved_names = None
        self._find_cuts(columns, callback)
        for feature, counts in columns.code_counts().items():
            self.mutual_information_[feature] = mutual_information(counts)
            self.counts_[feature] = np.pad(counts, (
                (0, 0), (0, len(self.categories_[feature]) - counts.shape[1])))
        self._limit_counts(columns.class_totals())
        self.ranges_ = np.full((n_features, 2), np.nan)
        self.ranges_[columns.features] = columns.ranges()
        if not columns.labels.given:
            self.mutual_information_[:] = np.nan
        self.n_intervals_ = np.array([
            len(cuts) + 1 + (self.missing == "interval") if categories is None
            else len(categories)
            for cuts, categories in zip(
                self.cut_points_, self.categories_, strict=True)])
        if callback is not None:
            callback(1.)
        return self

    def _limit_counts(self, totals):
        """Forget tables that are too large, and count missing values."""
        if sum(counts.size for counts in self.counts_ if counts is not None
               ) > KEPT_CELLS:
            self.counts_ = [None] * len(self.counts_)
        missing = np.zeros((len(self.counts_), len(totals)), dtype=totals.dtype)
        kept = [feature for feature, counts in enumerate(self.counts_)
                if counts is not None]
        if kept:  # in one sum, since features may be many
            tables = [self.counts_[feature] for feature in kept]
            ends = np.cumsum([counts.shape[1] for counts in tables])
            known = np.add.reduceat(
                np.concatenate(tables, axis=1), np.append(0, ends[:-1]), axis=1)
            missing[kept] = np.maximum(totals - known.T, 0)
        self.missing_counts_ = missing

    def check_labels(self, labels: Any) -> None:
        """Raise a ValueError if labels, a `LabelSummary`, cannot be used."""
        if labels.given and not labels.n_labelled + labels.n_unlabelled:
            raise ValueError("There are no rows.")
        if labels.given and labels.n_unlabelled:
            raise ValueError(
                f"y has missing labels, which {type(self).__name__} cannot use. Remove "
                "these rows, or use SADDDiscretizer, which learns from them, too.")

    def _label(self, columns, callback):
        """Label unlabelled rows if possible; return the callback for what remains."""
        return callback

    def _find_cuts(self, columns, callback):
        """Set the cuts and the mutual information of the numeric features."""
        found = columns.search(self._search, callback)
        for feature, (cuts, counts) in zip(columns.features, found, strict=True):
            self.cut_points_[feature] = cuts
            self.mutual_information_[feature] = mutual_information(counts)
            if not issparse(counts):
                self.counts_[feature] = counts

    def _search(self):
        """Ask for the values of a column; return its cuts and counts by class."""
        values, counts = yield from self._values()
        cuts = self._column_cuts(values, counts) if len(values) else np.zeros(0)
        if len(self.classes_) * len(cuts) > MOST_CELLS:
            return cuts, (yield Table(cuts))
        below = yield Count(np.append(cuts, np.nan))
        return cuts, np.diff(below, axis=1, prepend=0)

    def _values(self):
        return (yield Distinct())

    def _column_cuts(self, values, counts):
        """Return the cuts of a column, given its values and their counts by class."""
        raise NotImplementedError


class UnsupervisedDiscretizer(Discretizer):
    """Discretizers that do not look at the class."""

    requires_target = False

    def _values(self):
        # A table of all classes would be large where they are many, and of no use
        return (yield Distinct(by_class=False))
