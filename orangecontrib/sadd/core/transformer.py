"""Transformers by `Cuts`: the methods of fitted discretizers."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.dask import apply_lazily, is_for_dask
from orangecontrib.sadd.core.intervals.encoding import (
    as_labels,
    as_one_hot,
    codes_of,
    middles,
)
from orangecontrib.sadd.core.types import Data, Encoding, Floats, Integers
from orangecontrib.sadd.core.validation import output_config, read_matrix

__all__ = ["CutsTransformer"]


class _Transformer(OneToOneFeatureMixin, TransformerMixin):
    """Transformer of data in memory; scikit-learn adds data frames to its results."""

    encode: Encoding
    sparse_output: bool
    n_jobs: int | None
    cuts_: Cuts

    def transform(self, X: Data) -> Floats:
        codes = self.cuts_.codes(read_matrix(self, X, reset=False), self.n_jobs)
        if self.encode == "interval":
            return as_labels(
                codes, self.cuts_.names, output_config("transform", self)["dense"],
                self.get_feature_names_out(), X.index if hasattr(X, "iloc") else None)
        if self.encode == "onehot":
            return as_one_hot(codes, self.cuts_.names, self.sparse_output)
        return codes


# Lazy results must not become data frames, so scikit-learn does not wrap these methods
class CutsTransformer(  # type: ignore[call-arg]
        _Transformer, auto_wrap_output_keys=None):
    """Transformer of numbers to intervals by `cuts_`."""

    #: Name of the method, as the paper prints it
    short_name: str

    def fit_transform(self, X: Data, y: Data = None, **parameters: Any) -> Floats:
        """Fit, and return the intervals of the same data; see `fit`, `transform`."""
        fitted = self.fit(X, y, **parameters)
        return fitted.transform(X)

    def transform(self, X: Data) -> Floats:
        """
        Return the interval of each value.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Also a Dask array or data frame.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_features)
            Index of the interval or category; NaN for a missing value or a new
            category. A value equal to a cut belongs to the upper interval. A Dask
            array, not computed yet, if X is for Dask. With another `encode`, names of
            intervals, or columns of ones and zeros. Blocks of a Dask array are sparse
            where the result is.
        """
        check_is_fitted(self)
        if not is_for_dask(X):
            return super().transform(X)
        width = sum(map(len, self.cuts_.names)) if self.encode == "onehot" \
            else len(self.cuts_)
        return apply_lazily(
            self, "transform", X, width,
            object if self.encode == "interval" else np.float64,
            self.encode == "onehot" and self.sparse_output)

    def inverse_transform(self, X: Data) -> npt.NDArray[Any]:
        """
        Return a representative value of each interval.

        That is its middle; an interval without an end ends at the outermost finite
        value of `fit`. `transform` returns the same interval for it.

        Parameters
        ----------
        X : array_like, sparse matrix or data frame
            As from `transform`.

        Returns
        -------
        ndarray, shape (n_rows, n_features)
            Of float64, or of objects if categories are not numbers. Missing, NaN, where
            there is no interval. A Dask array, not computed yet, if X is one.
        """
        check_is_fitted(self)
        cuts = self.cuts_
        if is_for_dask(X):
            numbers = all(values is None or values.dtype.kind in "iuf"
                          for values in cuts.categories)
            return apply_lazily(self, "inverse_transform", X, len(cuts),
                                np.float64 if numbers else object)
        codes = codes_of(X, cuts.names, self.encode)
        columns = []
        for feature, (column, values) in enumerate(
                zip(codes.T, cuts.categories, strict=True)):
            if values is None:
                values = middles(cuts.cut_points[feature], *cuts.ranges[feature])
            elif values.dtype == bool:  # and not 1 and 0
                values = values.astype(object)
            values = np.append(values, [np.nan, np.nan])  # missing, and no interval
            columns.append(values[np.where(
                np.isnan(column), len(values) - 1, column).astype(int)])
        return np.column_stack(columns)

    def interval_names(self) -> list[tuple[str, ...]]:
        """
        Name the intervals of each feature, as Orange would; or its categories.

        Returns
        -------
        list of tuple of str
            In the order of the codes that `transform` returns.
        """
        check_is_fitted(self)
        return self.cuts_.names

    def interval_table(self) -> pd.DataFrame:
        """
        Return the evidence of each interval about the class: rows, shares, weights.

        Rows are those of `fit`, by weight; pseudo-labels count as labels.

        Returns
        -------
        pandas.DataFrame
            A row for each interval of each feature. See
            `orangecontrib.sadd.core.intervals.evidence.interval_table` for the columns.

        Examples
        --------
        >>> from orangecontrib.sadd.core import MDLPDiscretizer
        >>> mdlp = MDLPDiscretizer().fit([[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5)
        >>> print(mdlp.interval_table().iloc[:, :9].to_string())
          variable interval  from   to  rows  missing  rows_0  rows_1  share_0
        0       x0    < 2.5   NaN  2.5    10        0      10       0      1.0
        1       x0    ≥ 2.5   2.5  NaN    10        0       0      10      0.0
        """
        check_is_fitted(self)
        return self.cuts_.evidence()

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """
        Return the names of the columns that `transform` returns.

        Parameters
        ----------
        input_features : array_like of str, optional
            Names of features, if the data of `fit` had none; otherwise the same names.

        Returns
        -------
        ndarray of object
            Names of features; with one-hot, these and of intervals: ``x0=< 0.5``.
        """
        names = super().get_feature_names_out(input_features)
        if self.encode != "onehot":
            return names
        names = [f"{name}={interval}" for name, intervals in zip(
            names, self.cuts_.names, strict=True) for interval in intervals]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"Two one-hot columns would have the name {twice!r}. "
                             "Rename a feature or a category.")
        return np.array(names, dtype=object)

    @property
    def cut_points_(self) -> list[Floats]:
        """Cut points of each feature; none for categorical ones."""
        return list(self.cuts_.cut_points)

    @property
    def n_intervals_(self) -> Integers:
        """Number of intervals, or of categories."""
        return self.cuts_.n_intervals

    @property
    def mutual_information_(self) -> Floats:
        """Of intervals and class, in bits, without rows with a missing value."""
        return self.cuts_.information

    @property
    def counts_(self) -> list[npt.NDArray[Any] | None]:
        """Weight of each class in each interval of each feature."""
        return list(self.cuts_.counts)

    @property
    def missing_counts_(self) -> npt.NDArray[Any]:
        """Weight of rows of each class whose value is missing."""
        return self.cuts_.missing_counts

    @property
    def ranges_(self) -> Floats:
        """The least and the largest finite value of each numeric feature."""
        return self.cuts_.ranges

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """Labels of the classes."""
        return self.cuts_.classes
