"""What all classifiers of the naive Bayes family have in common.

They read their input, discretize it, with unlabelled rows if the discretizer can make
use of them, and fit a `BayesModel` to the labelled rows.
"""

import warnings
from numbers import Real
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import HasMethods, StrOptions
from sklearn.utils.validation import (
    _num_samples,
    check_is_fitted,
    has_fit_parameter,
)

from orangecontrib.sadd.core.bayes.fitting import CodedRows, RowsInMemory
from orangecontrib.sadd.core.bayes.model import BayesModel
from orangecontrib.sadd.core.bayes.tables import Tables
from orangecontrib.sadd.core.cluster.recognize import is_for_dask, require_dask
from orangecontrib.sadd.core.registry import make_discretizer
from orangecontrib.sadd.core.types import Callback, Data, Floats
from orangecontrib.sadd.core.validation import (
    TagsMixin,
    encode_labels,
    is_unlabelled,
    read_target,
    read_weights,
    validate_data,
)

__all__ = ["BayesClassifier"]

# The share of discretization in the progress of a fit
DISCRETIZATION_SHARE = 0.2


class BayesClassifier(TagsMixin, ClassifierMixin, BaseEstimator):
    """What all classifiers have in common."""

    _parameter_constraints: dict[str, Any] = {
        "discretizer": [str, HasMethods(["fit", "transform"])],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "unlabelled_label": "no_validation",
    }
    # Attributes of the model that are also those of the classifier
    _fitted: tuple[str, ...] = ("tables",)

    classes_: npt.NDArray[Any]
    model_: BayesModel
    tables_: Tables

    def fit(self, X: Data, y: Data, sample_weight: Data = None, *,
            callback: Callback | None = None) -> Self:
        """
        Discretize, estimate probabilities, and find weights.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) contribute nothing. Also a Dask array or data frame,
            or the path of a parquet folder.
        y : array_like, shape (n_rows,)
            Labels of any type. Rows without a label, see `unlabelled_label`, are seen
            by the discretizer only, and only if it can make use of them. With Dask, as
            for `SADDDiscretizer.fit`.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice.
        callback : callable, optional
            Called with the fraction of work done, from 0 to 1. May raise an exception
            to stop the work.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, None, callback)

    def predict(self, X: Data) -> npt.NDArray[Any]:
        """
        Return the most likely class of each row; ties go to the first one.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray, shape (n_rows,)
            Lazy, a Dask array, if X is for Dask.
        """
        check_is_fitted(self)
        if is_for_dask(X):
            return self._lazily("predict", X, None, self.classes_.dtype)
        log_posterior = self.predict_log_proba(X)
        return self.classes_[np.argmax(log_posterior, axis=1)]

    def predict_proba(self, X: Data) -> Floats:
        """
        Return the probabilities of classes, in the order of `classes_`.

        Missing values, and values not seen in training, contribute nothing. A class
        all of whose training rows have weight 0 has probability 0.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
            Lazy, a Dask array, if X is for Dask.
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Data) -> Floats:
        """
        Return the natural logarithms of the probabilities of classes.

        They are finite even where a probability is too small for a number.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
            Lazy, a Dask array, if X is for Dask.
        """
        check_is_fitted(self)
        if is_for_dask(X):
            return self._lazily("predict_log_proba", X, len(self.classes_))
        if getattr(X, "ndim", 2) == 2:  # else the discretizer says what is wrong
            validate_data(self, X, reset=False, skip_check_array=True)
        return self.model_.log_posterior(self.discretizer_.transform(X))

    def check_parameters(self) -> None:
        """Raise a ValueError that says what is wrong with a parameter, if any is."""
        self._validate_params()

    def fit_rows(self, rows: CodedRows, callback: Callback | None = None) -> BayesModel:
        """
        Return a model of rows that are discretized; the classifier is not changed.

        Parameters
        ----------
        rows : CodedRows
            Such as `RowsInMemory`.
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        BayesModel
        """
        return BayesModel(rows.tables())

    def _lazily(self, method, X, width, dtype=np.float64):
        require_dask()
        from orangecontrib.sadd.core.cluster.predict import apply_lazily

        return apply_lazily(self, method, X, width, dtype)

    def _fit(self, X, y, sample_weight, pool, callback):
        self.check_parameters()
        discretizing, fitting = _divided(callback)
        if is_for_dask(X):
            require_dask()
            from orangecontrib.sadd.core.cluster.classify import discretize_rows

            self._check_for_dask()
            rows = discretize_rows(self, X, y, sample_weight, pool, discretizing)
        else:
            rows = self._discretize_rows(X, y, sample_weight, pool, discretizing)
        model = self.model_ = self.fit_rows(rows, fitting)
        for name in self._fitted:
            setattr(self, f"{name}_", getattr(model, name))
        if not model.converged:
            warnings.warn(
                f"{type(self).__name__} has not converged after {model.n_iter} "
                f"iterations ({model.message}). Increase max_iter, or tol, the largest "
                "derivative of the mean loss that passes for zero.",
                ConvergenceWarning, stacklevel=3)
        if callback is not None:
            callback(1.)
        return self

    def _discretize_rows(self, X, y, sample_weight, pool, callback):
        validate_data(self, X, reset=True, skip_check_array=True)
        y = read_target(self, y, _num_samples(X))
        weight = read_weights(sample_weight, len(y))
        if y.dtype.kind == "f" and np.any(np.isinf(y)):
            raise ValueError("Input y contains infinity, which is not a label.")
        unlabelled = is_unlabelled(y, self.unlabelled_label)
        self.classes_, classes = encode_labels(y[~unlabelled])
        self._check_labels(self.classes_, not unlabelled.all(),
                           not np.array_equal(unlabelled, is_unlabelled(y)))
        labelled_X, labelled_weight = X, weight
        if unlabelled.any():
            rows = np.flatnonzero(~unlabelled)
            labelled_X = _safe_indexing(X, rows)
            labelled_weight = None if weight is None else weight[rows]

        discretizer = self._make_discretizer()
        if "unlabelled_label" in discretizer.get_params():
            discretizer.set_params(unlabelled_label=self.unlabelled_label)
            data = X, y, weight
            if pool is not None:
                data = _append_pool(*data, pool, self.unlabelled_label)
        else:
            data = labelled_X, y[~unlabelled], labelled_weight
        self.discretizer_ = _fit_discretizer(discretizer, *data, callback)
        return RowsInMemory(self.discretizer_.transform(labelled_X), classes,
                            len(self.classes_), labelled_weight)

    def _check_labels(self, classes, any_labelled, any_marked):
        """Raise a ValueError if the labels cannot be used."""
        if not any_labelled:
            raise ValueError("All rows are unlabelled; a classifier needs some that "
                             "are labelled.")
        if len(classes) == 1 and any_marked:
            raise ValueError(
                f"Only one class remains, {classes.tolist()[0]!r}, since rows "
                f"labelled {self.unlabelled_label!r} were read as unlabelled. If this "
                "is a label like any other, pass unlabelled_label=None.")

    def _make_discretizer(self):
        if isinstance(self.discretizer, str):
            return make_discretizer(
                self.discretizer, categorical_features=self.categorical_features)
        discretizer = clone(self.discretizer)
        if discretizer.get_params().get("categorical_features", 0) is None:
            discretizer.set_params(categorical_features=self.categorical_features)
        return discretizer

    def _check_for_dask(self):
        """Raise a ValueError if the method needs all rows in one place."""


def _divided(callback):
    """Return callbacks for discretization and for what follows it."""
    if callback is None:
        return None, None
    share = DISCRETIZATION_SHARE
    return (lambda done: callback(share * done),
            lambda done: callback(share + (1 - share) * done))


def _fit_discretizer(discretizer, X, y, sample_weight, callback):
    """Fit a discretizer, with what it can take."""
    parameters = {}
    if sample_weight is not None:
        if not has_fit_parameter(discretizer, "sample_weight"):
            raise ValueError(f"{type(discretizer).__name__} cannot use sample_weight; "
                             "choose another discretizer, or do not pass weights.")
        parameters["sample_weight"] = sample_weight
    if callback is not None and has_fit_parameter(discretizer, "callback"):
        parameters["callback"] = callback
    return discretizer.fit(X, y, **parameters)


def _append_pool(X, y, weight, pool, unlabelled_label):
    """Append unlabelled rows."""
    n_pool = _num_samples(pool)
    if hasattr(X, "iloc") and hasattr(pool, "iloc"):
        import pandas as pd

        absent = [name for name in X.columns if name not in pool.columns]
        if absent:
            raise ValueError("X_unlabelled lacks the columns "
                             f"{', '.join(map(repr, absent))}.")
        stacked = pd.concat((X, pool[X.columns]), ignore_index=True)
    else:
        X, pool = np.asarray(X), np.asarray(pool)
        if X.shape[1:] != pool.shape[1:]:
            raise ValueError(f"X_unlabelled has the shape {pool.shape}, but X has "
                             f"{X.shape[1]} features.")
        stacked = np.concatenate((X, pool))
    if y.dtype.kind in "if" and isinstance(unlabelled_label, Real):
        labels = np.append(y, np.full(n_pool, unlabelled_label))
    else:
        labels = np.full(len(y) + n_pool, None, dtype=object)
        labels[:len(y)] = y
    if weight is not None:
        weight = np.append(weight, np.ones(n_pool))
    return stacked, labels, weight
