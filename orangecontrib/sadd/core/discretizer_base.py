"""What all discretizers have in common, as scikit-learn transformers."""

from functools import wraps
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.cluster.recognize import is_for_dask
from orangecontrib.sadd.core.columns import apply_lazily, open_columns
from orangecontrib.sadd.core.cuts import assign_intervals
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.core.splitting.questions import Count, Distinct, Table
from orangecontrib.sadd.core.types import Callback, Data, Floats, Integers
from orangecontrib.sadd.core.validation import TagsMixin, read_matrix

__all__ = ["Discretizer", "UnsupervisedDiscretizer"]

# Tables of classes and intervals that are larger are sparse: each row may be of a class
# of its own
MOST_CELLS = 2 ** 21


class Discretizer(OneToOneFeatureMixin, TagsMixin, TransformerMixin, BaseEstimator):
    """What all discretizers have in common."""

    #: Whether rows without a label take part
    uses_unlabelled = False
    #: Label of rows without a label, besides a missing one
    unlabelled_label: object = None

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
            A weight of 2 is the same as the row twice. Weights of labelled rows whose
            mean, without those that are 0, is below 1, are multiplied by what makes
            it 1: weights that sum to 1 do not mean a single row. With Dask, as for y.
        callback : callable, optional
            Called with the fraction done, from 0 to 1. May raise an exception to stop
            the work.

        Returns
        -------
        self
        """
        self.check_parameters()
        columns = open_columns(
            self, X, y, sample_weight,
            unlabelled_label=self.unlabelled_label)
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
        self._find_cuts(columns, callback)
        for feature, counts in columns.code_counts().items():
            self.mutual_information_[feature] = mutual_information(counts)
        if not columns.labels.given:
            self.mutual_information_[:] = np.nan
        self.n_intervals_ = np.array([
            len(cuts) + 1 if categories is None else len(categories)
            for cuts, categories in zip(
                self.cut_points_, self.categories_, strict=True)])
        if callback is not None:
            callback(1.)
        return self

    def check_parameters(self) -> None:
        """Raise a ValueError that says what is wrong with a parameter, if any is."""
        self._validate_params()

    def check_labels(self, labels: Any) -> None:
        """Raise a ValueError if labels, a `LabelSummary`, cannot be used."""
        if labels.given and labels.n_unlabelled:
            raise ValueError(
                f"y has missing labels, which {type(self).__name__} cannot use. Remove "
                "these rows, or use SADDDiscretizer, which learns from them, too.")

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
            Index of the interval or of the category, NaN where a value is missing or
            a category is unknown. A value equal to a cut belongs to the upper interval.
            A Dask array, not computed yet, if X is for Dask.
        """
        check_is_fitted(self)
        if is_for_dask(X):
            return apply_lazily(self, "transform", X, self.n_features_in_)
        return self.encode(read_matrix(self, X, reset=False))

    def encode(self, X: Floats) -> Floats:
        """Return the intervals of numbers, as from `read_matrix`."""
        codes = np.empty(X.shape)
        for feature, cuts in enumerate(self.cut_points_):
            column = X[:, feature]
            if not self.categorical_features_[feature]:
                column = assign_intervals(column, cuts)
            codes[:, feature] = column
        return codes

    def _label(self, columns, callback):
        """Label unlabelled rows, if it can; return the callback for what remains."""
        return callback

    def _find_cuts(self, columns, callback):
        """Set the cuts and the mutual information of the numeric features."""
        found = columns.search(self._search, callback)
        for feature, (cuts, information) in zip(columns.features, found, strict=True):
            self.cut_points_[feature] = cuts
            self.mutual_information_[feature] = information

    def _search(self):
        """Ask for the values of a column; return its cuts and mutual information."""
        values, counts = yield from self._values()
        cuts = self._column_cuts(values, counts) if len(values) else np.zeros(0)
        if len(self.classes_) * len(cuts) > MOST_CELLS:
            return cuts, mutual_information((yield Table(cuts)))
        below = yield Count(np.append(cuts, np.nan))
        return cuts, mutual_information(np.diff(below, axis=1, prepend=0))

    def _values(self):
        return (yield Distinct())

    def _column_cuts(self, values, counts):
        """Return the cuts of a column, given its values and their counts by class."""
        raise NotImplementedError


def _unless_lazy(method):
    """Let `set_output`, which puts results into a data frame, leave lazy ones alone."""
    @wraps(method)
    def transform(self, X, *args, **parameters):
        # scikit-learn has wrapped the method
        chosen = method.__wrapped__ if is_for_dask(X) else method
        return chosen(self, X, *args, **parameters)

    return transform


for _name in ("transform", "fit_transform"):
    setattr(Discretizer, _name, _unless_lazy(getattr(Discretizer, _name)))


class UnsupervisedDiscretizer(Discretizer):
    """Discretizers that do not look at the class."""

    requires_target = False

    def _values(self):
        # A table of all classes would be large where they are many, and of no use
        return (yield Distinct(by_class=False))
