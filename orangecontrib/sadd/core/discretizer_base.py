"""What all discretizers have in common, as scikit-learn transformers."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.cluster.recognize import is_for_dask, require_dask
from orangecontrib.sadd.core.cuts import assign_intervals
from orangecontrib.sadd.core.exactsums import round_weights
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.core.splitting.runs import ClassGroups
from orangecontrib.sadd.core.types import Callback, Data, Floats, Integers
from orangecontrib.sadd.core.validation import (
    TagsMixin,
    encode_labels,
    is_unlabelled,
    read_matrix,
    read_target,
    read_weights,
)

__all__ = ["Discretizer", "UnsupervisedDiscretizer", "column_blocks"]

# Columns are copied in blocks of about so many cells: reading a matrix column by
# column would read it from memory as often as a cache line has room for numbers
BLOCK_CELLS = 2 ** 21


class Discretizer(OneToOneFeatureMixin, TagsMixin, TransformerMixin, BaseEstimator):
    """What all discretizers have in common."""

    _parameter_constraints: dict[str, Any] = {
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    }

    cut_points_: list[Floats]
    n_intervals_: Integers
    mutual_information_: Floats
    classes_: npt.NDArray[Any]

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
            Labels of any type. Methods that do not use them take them only to compute
            `mutual_information_`. The name of a column of a Dask data frame or of
            a parquet folder, or a Dask array or series divided like X.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice. With Dask, as for y.
        callback : callable, optional
            Is told the share of work done, from 0 to 1. May raise an exception to
            stop the work.

        Returns
        -------
        self
        """
        self.check_parameters()
        if is_for_dask(X):
            require_dask()
            from orangecontrib.sadd.core.cluster.discretize import fit_discretizer

            fit_discretizer(self, X, y, sample_weight, callback)
            return self
        X = read_matrix(self, X, reset=True)
        weights = round_weights(read_weights(sample_weight, len(X)))
        classes = self._read_classes(X, y, weights, callback)
        groups = ClassGroups(classes, len(self.classes_), weights)
        n_features = X.shape[1]
        self.cut_points_ = [np.zeros(0) for _ in range(n_features)]
        self.mutual_information_ = np.full(n_features, np.nan)
        self._find_cuts(X, groups, callback)
        for feature in np.flatnonzero(self.categorical_features_):
            self.mutual_information_[feature] = _code_information(
                X[:, feature], classes, len(self.classes_), weights)
        self._finish(y is not None)
        return self

    def _finish(self, has_target):
        """Set what follows from the cuts."""
        if not has_target:
            self.mutual_information_[:] = np.nan
        self.n_intervals_ = np.array([
            len(cuts) + 1 if categories is None else len(categories)
            for cuts, categories in zip(
                self.cut_points_, self.categories_, strict=True)])

    def check_parameters(self) -> None:
        """Raise a ValueError that says what is wrong with a parameter, if any is."""
        self._validate_params()

    def transform(self, X: Data) -> Floats:
        """
        Give the interval of each value.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Also a Dask array or data frame, or the path of a parquet folder.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_features)
            Index of the interval or of the category, NaN where a value is missing or
            a category is unknown. A value equal to a cut belongs to the upper interval.
            A Dask array, not computed yet, if X is for Dask.
        """
        check_is_fitted(self)
        if is_for_dask(X):
            require_dask()
            from orangecontrib.sadd.core.cluster.predict import apply_lazily

            return apply_lazily(self, "transform", X, self.n_features_in_)
        return self._codes(read_matrix(self, X, reset=False))

    def _codes(self, X):
        """Intervals of numbers, as `read_matrix` gives them."""
        codes = np.empty(X.shape)
        for feature, cuts in enumerate(self.cut_points_):
            column = X[:, feature]
            if not self.categorical_features_[feature]:
                column = assign_intervals(column, cuts)
            codes[:, feature] = column
        return codes

    def _read_classes(self, X, y, weights, callback):
        """Class index of each row; also sets `classes_`."""
        y = read_target(self, y, len(X))
        self._check_labels(unlabelled=is_unlabelled(y).any())
        self.classes_, classes = encode_labels(y)
        return classes

    def _check_labels(self, classes=None, *, unlabelled, used=True, marked=False):
        """Raise a ValueError if the labels cannot be used; see `Survey`."""
        if unlabelled:
            raise ValueError(
                f"y has missing labels, which {type(self).__name__} cannot use. Remove "
                "these rows, or use SADDDiscretizer, which learns from them, too.")

    def _find_cuts(self, X, groups, callback):
        columns = _numeric_columns(X, self.categorical_features_, callback)
        for feature, column in columns:
            runs = groups.runs(column)
            values, counts = self._distinct(column, runs, groups)
            if len(values):
                self.cut_points_[feature] = self._column_cuts(values, counts)
            below = runs.count(np.append(self.cut_points_[feature], np.nan))
            self.mutual_information_[feature] = mutual_information(
                np.diff(below, axis=1, prepend=0))

    def _distinct(self, column, runs, groups):
        """Distinct values of a column, and their weights: classes x values."""
        return runs.distinct()

    def _find_cuts_of(self, columns, has_weight, callback):
        """Find the cuts of `SortedColumns`, which are elsewhere."""
        for column, feature in enumerate(columns.features):
            values, counts = self._distinct_of(columns, column)
            if len(values):
                self.cut_points_[feature] = self._column_cuts(values, counts)
            if callback is not None:
                callback((column + 1) / len(columns.features))
        tables = columns.counts([self.cut_points_[f] for f in columns.features])
        self.mutual_information_[columns.features] = list(
            map(mutual_information, tables))

    def _distinct_of(self, columns, column):
        return columns.distinct(column)

    def _column_cuts(self, values, counts):
        """Cut points of a column with these distinct values and counts by class."""
        raise NotImplementedError


def _numeric_columns(X, categorical, callback=None):
    """Yield index and contents of each numeric column, contiguous in memory."""
    for block in column_blocks(X, categorical, callback):
        yield from zip(block, np.ascontiguousarray(X[:, block].T), strict=True)


def column_blocks(X, categorical, callback=None):
    """Yield indices of numeric columns, some at a time, and tell the progress."""
    features = np.flatnonzero(~categorical)
    step = max(1, BLOCK_CELLS // max(1, len(X)))
    for start in range(0, len(features), step):
        yield features[start:start + step]
        if callback is not None:
            callback(min(1., (start + step) / len(features)))


def _code_information(codes, classes, n_classes, weights):
    known = ~np.isnan(codes)
    if not known.any():
        return 0.
    codes = codes[known].astype(int)
    n_values = codes.max() + 1
    counts = np.bincount(classes[known] * n_values + codes,
                         None if weights is None else weights[known],
                         minlength=n_classes * n_values)
    return mutual_information(counts.reshape(n_classes, n_values))


class UnsupervisedDiscretizer(Discretizer):
    """Discretizers that do not look at the class."""

    requires_target = False

    def _read_classes(self, X, y, weights, callback):
        if y is not None:
            return super()._read_classes(X, y, weights, callback)
        self.classes_ = np.zeros(1)
        return np.zeros(len(X), dtype=np.int64)

    def _distinct(self, column, runs, groups):
        # A table of all classes would be large where they are many, and of no use
        return groups.as_one_class().runs(column).distinct()

    def _distinct_of(self, columns, column):
        return columns.distinct(column, by_class=False)
