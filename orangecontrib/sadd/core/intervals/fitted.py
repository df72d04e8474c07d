"""Methods of fitted discretizers: apply, name, count and save intervals."""

from collections.abc import Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.cluster import apply_lazily, is_for_dask
from orangecontrib.sadd.core.cuts import assign_intervals
from orangecontrib.sadd.core.intervals.cutsjson import (
    SavedCuts,
    SavedVariable,
    are_labels,
    from_text,
    is_plain,
    to_text,
)
from orangecontrib.sadd.core.intervals.encoding import (
    MISSING,
    as_labels,
    as_one_hot,
    codes_of,
    interval_names,
    middles,
    output_container,
)
from orangecontrib.sadd.core.intervals.evidence import CountedIntervals, interval_table
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Data, Encoding, Floats, Integers, Missing
from orangecontrib.sadd.core.validation import category_array, read_matrix

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FittedIntervals"]

# Cells that are encoded at a time
BLOCK_CELLS = 2 ** 18

_Fitted = TypeVar("_Fitted")


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
            return self._transform_lazily(X)
        codes = self.to_codes(read_matrix(self, X, reset=False))
        if self.encode == "interval":
            return as_labels(codes, self.interval_names(), output_container(self),
                             self.get_feature_names_out(),
                             X.index if hasattr(X, "iloc") else None)
        if self.encode == "onehot":
            return as_one_hot(codes, self.interval_names(), self.sparse_output)
        return codes

    def _transform_lazily(self, X):
        return apply_lazily(
            self, "transform", X, sum(map(len, self.interval_names()))
            if self.encode == "onehot" else self.n_features_in_,
            object if self.encode == "interval" else np.float64,
            self.encode == "onehot" and self.sparse_output)

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

    def interval_table(self) -> "pd.DataFrame":
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
        return interval_table(self.counted(), self.classes_.tolist())

    def counted(self) -> Iterator[CountedIntervals]:
        """Yield each feature with the rows in its intervals; none if not counted."""
        names = OneToOneFeatureMixin.get_feature_names_out(self)
        for name, intervals, cuts, categories, counts, missing in zip(
                names, self.interval_names(), self.cut_points_, self.categories_,
                self.counts_, self.missing_counts_, strict=True):
            yield CountedIntervals(
                str(name), intervals, cuts if categories is None else None,
                np.zeros((len(missing), len(cuts) + 1)) if counts is None else counts,
                missing)

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
        return to_text(_save(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """
        Return the fitted discretizer that `to_json` has written.

        Nothing in the text is executed. A wrong text raises a ValueError.

        Parameters
        ----------
        text : str
        """
        try:
            saved = from_text(text)
        except ValueError as error:
            raise ValueError(f"The text {error}") from error
        return _restore(cls, saved)


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


def _save(discretizer: Any) -> SavedCuts:
    """Return the cuts of a fitted discretizer as they are saved."""
    names = getattr(discretizer, "feature_names_in_", None)
    classes = _plain_labels("label", discretizer.classes_)
    if names is not None and len(set(names)) < len(names):
        raise ValueError("Several features have the same name. Rename them, and fit "
                         "again.")
    variables = []
    for feature, (cuts, categories, intervals) in enumerate(zip(
            discretizer.cut_points_, discretizer.categories_,
            discretizer.interval_names(), strict=True)):
        name = f"x{feature}" if names is None else str(names[feature])
        kind: dict[str, Any] = {"type": "numeric", "intervals": intervals,
                                "missing": discretizer.missing == "interval"}
        if categories is not None:
            kind = {"type": "categorical",
                    "categories": tuple(_plain_labels("category", categories))}
        variables.append(SavedVariable.of(
            name, cuts=cuts, information=discretizer.mutual_information_[feature],
            ends=discretizer.ranges_[feature],
            counts=discretizer.counts_[feature],
            missing_counts=discretizer.missing_counts_[feature], **kind))
    return SavedCuts(tuple(variables), {
        "method": discretizer.short_name, "parameters": _parameters(discretizer),
        "named": names is not None, "classes": classes})


def _plain_labels(kind, labels):
    """Return labels or categories that JSON can hold, or raise a ValueError."""
    labels = labels.tolist()
    if not are_labels(labels):
        odd = next((label for label in labels if not is_plain(label)), labels)
        raise ValueError(f"JSON cannot hold the {kind} {odd!r}. Make all of them text, "
                         "or all finite numbers, and fit again.")
    return labels


def _parameters(discretizer):
    """Return the parameters that JSON can hold."""
    given = {name: value.tolist() if isinstance(value, np.generic | np.ndarray)
             else value for name, value in discretizer.get_params(deep=False).items()}
    return {name: value for name, value in given.items()
            if value is None or is_plain(value)
            or isinstance(value, list | tuple) and all(map(is_plain, value))}


def _restore(cls: type[_Fitted], saved: SavedCuts) -> _Fitted:
    """Return a fitted discretizer of a class."""
    discretizer: Any = cls(**_known_parameters(cls, saved))
    variables = saved.variables
    n_features = len(variables)
    discretizer.n_features_in_ = n_features
    if saved.about.get("named", True):
        discretizer.feature_names_in_ = np.array(
            [var.name for var in variables], dtype=object)
    discretizer.categorical_features_ = np.array(
        [var.type == "categorical" for var in variables], dtype=bool)
    discretizer.categories_ = [
        None if var.categories is None else category_array(var.categories)
        for var in variables]
    discretizer.cut_points_ = [np.array(var.cuts, dtype=np.float64)
                               for var in variables]
    discretizer.n_intervals_ = np.array([
        len(var.cuts) + 1 + var.missing if var.categories is None
        else len(var.categories) for var in variables], dtype=int)
    discretizer.mutual_information_ = np.array([
        np.nan if var.information is None else var.information for var in variables])
    discretizer.ranges_ = np.array([
        var.range or (np.nan, np.nan) for var in variables]).reshape(n_features, 2)
    classes = saved.about.get("classes") or []
    discretizer.classes_ = np.array(classes) if str in map(type, classes) \
        else category_array(classes)
    discretizer.counts_ = [None if var.counts is None else np.array(var.counts)
                           for var in variables]
    discretizer.missing_counts_ = np.array([
        var.missing_counts or [0] * len(discretizer.classes_) for var in variables]
    ).reshape(n_features, len(discretizer.classes_))
    discretizer._saved_names = [var.intervals for var in variables]
    return discretizer


def _known_parameters(cls, saved):
    """Return the parameters of the discretizer, or raise a ValueError."""
    method = saved.about.get("method", cls.short_name)
    if method != cls.short_name:
        raise ValueError(f"The cut points are those of {method}, and {cls.__name__} "
                         "cannot take them.")
    missing = {var.missing for var in saved.cut_variables}
    given = saved.about.get("parameters", {})
    parameters = {name: value for name, value in given.items()
                  if name in cls._get_param_names()}
    if missing:
        parameters["missing"] = "interval" if True in missing else "ignore"
    cls(**parameters).check_parameters()
    return parameters
