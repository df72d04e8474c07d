"""Methods of fitted discretizers: apply, name, count and save intervals."""

from functools import wraps
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.cuts import assign_intervals
from orangecontrib.sadd.core.dask import apply_lazily, is_for_dask
from orangecontrib.sadd.core.intervals.cutsjson import from_json, to_json
from orangecontrib.sadd.core.intervals.encoding import (
    MISSING,
    as_labels,
    as_one_hot,
    codes_of,
    interval_names,
    middles,
)
from orangecontrib.sadd.core.intervals.evidence import CountedIntervals, interval_table
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Data, Encoding, Floats, Integers, Missing
from orangecontrib.sadd.core.validation import output_config, read_matrix

__all__ = ["FittedIntervals"]

# Cells that are encoded at a time
BLOCK_CELLS = 2 ** 18


class FittedIntervals(OneToOneFeatureMixin, TransformerMixin):
    """Transformer of numbers to intervals by given cut points."""

    #: Name of the method, as the paper prints it
    short_name: str

    missing: Missing
    encode: Encoding
    sparse_output: bool
    n_jobs: int | None

    cut_points_: list[Floats]
    n_intervals_: Integers
    mutual_information_: Floats
    classes_: npt.NDArray[Any]
    counts_: list[npt.NDArray[Any] | None]
    missing_counts_: npt.NDArray[Any]
    ranges_: Floats
    categories_: list[npt.NDArray[Any] | None]
    categorical_features_: npt.NDArray[np.bool_]
    n_features_in_: int
    # Names of intervals that were read, or None for the usual ones
    _saved_names: list[tuple[str, ...] | None] | None = None

    def transform(self, X: Data) -> Floats:
        """
        Return the interval of each value.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Also a Dask array or data frame, or the path of a parquet folder.

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
        if is_for_dask(X):
            width = self.n_features_in_
            if self.encode == "onehot":
                width = sum(map(len, self.interval_names()))
            return apply_lazily(
                self, "transform", X, width,
                object if self.encode == "interval" else np.float64,
                self.encode == "onehot" and self.sparse_output)
        codes = self.to_codes(read_matrix(self, X, reset=False))
        if self.encode == "interval":
            return as_labels(
                codes, self.interval_names(), output_config("transform", self)["dense"],
                self.get_feature_names_out(), X.index if hasattr(X, "iloc") else None)
        if self.encode == "onehot":
            return as_one_hot(codes, self.interval_names(), self.sparse_output)
        return codes

    def to_codes(self, X: Floats) -> Floats:
        """Return the intervals of numbers, as from `read_matrix`."""
        codes = np.empty(X.shape)

        def encode(rows):
            for feature, cuts in enumerate(self.cut_points_):
                column = X[rows, feature]
                if not self.categorical_features_[feature]:
                    column = assign_intervals(
                        column, cuts, self.missing == "interval")
                codes[rows, feature] = column

        # In blocks that a cache holds: each column of a row lies beside the next
        step = max(1024, BLOCK_CELLS // max(1, X.shape[1]))
        blocks = [slice(start, start + step) for start in range(0, len(X), step)]
        for _ in map_in_threads(encode, blocks, self.n_jobs):
            pass
        return codes

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
        if is_for_dask(X):
            numbers = all(values is None or values.dtype.kind in "iuf"
                          for values in self.categories_)
            return apply_lazily(self, "inverse_transform", X, len(self.cut_points_),
                                np.float64 if numbers else object)
        codes = codes_of(X, self.interval_names(), self.encode)
        columns = []
        for feature, (column, cuts) in enumerate(
                zip(codes.T, self.cut_points_, strict=True)):
            values = self.categories_[feature]
            if values is None:
                values = middles(cuts, *self.ranges_[feature])
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
        missing = (MISSING,) if self.missing == "interval" else ()
        saved = self._saved_names or [None] * len(self.cut_points_)
        return [names or (
            interval_names(cuts.tolist()) + missing if categories is None
            else tuple(map(str, categories.tolist())))
            for cuts, categories, names in zip(
                self.cut_points_, self.categories_, saved, strict=True)]

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
        if any(counts is None for counts in self.counts_):
            raise ValueError(
                "Rows in intervals were not counted. Either there are too many "
                "classes and intervals, or the cut points were read from JSON without "
                "counts.")
        variables = [
            CountedIntervals(str(name), intervals, cuts if categories is None else None,
                             counts, missing)
            for name, intervals, cuts, categories, counts, missing in zip(
                OneToOneFeatureMixin.get_feature_names_out(self), self.interval_names(),
                self.cut_points_, self.categories_, self.counts_, self.missing_counts_,
                strict=True)]
        return interval_table(variables, self.classes_.tolist())

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
            names, self.interval_names(), strict=True) for interval in intervals]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"Two one-hot columns would have the name {twice!r}. "
                             "Rename a feature or a category.")
        return np.array(names, dtype=object)

    def to_json(self) -> str:
        """
        Return the fitted discretizer as JSON.

        The text is that of a file that the command line writes with ``--cuts`` and
        reads with ``--apply``; see `orangecontrib.sadd.core.intervals.cutsjson`. It
        contains cut points, the counts of `interval_table`, and parameters that are
        numbers, texts or lists of them. Decisions, pseudo-labels and other parameters,
        such as classifiers, are left out.

        Examples
        --------
        >>> from orangecontrib.sadd.core import MDLPDiscretizer
        >>> mdlp = MDLPDiscretizer().fit([[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5)
        >>> MDLPDiscretizer.from_json(mdlp.to_json()).transform([[0], [9]])
        array([[0.],
               [1.]])
        """
        check_is_fitted(self)
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """
        Return the fitted discretizer that `to_json` has written.

        Nothing in the text is executed. A wrong text raises a ValueError.

        Parameters
        ----------
        text : str
        """
        return from_json(cls, text)


def _unless_lazy(method):
    """Keep lazy results out of the data frames of `set_output`."""
    @wraps(method)
    def transform(self, X, *args, **parameters):
        # scikit-learn has wrapped the method
        chosen = method.__wrapped__ if is_for_dask(X) else method
        return chosen(self, X, *args, **parameters)

    return transform


for _name in ("transform", "fit_transform"):
    setattr(FittedIntervals, _name, _unless_lazy(getattr(FittedIntervals, _name)))
