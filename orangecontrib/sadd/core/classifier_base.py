"""Base classes of the classifiers.

Classifiers of the naive Bayes family read their input, discretize it, and fit a
`BayesModel` to the labelled rows. The discretizer also gets unlabelled rows if it can
use them.
"""

import warnings
from dataclasses import KW_ONLY, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from orangecontrib.sadd.core.additive.fitting import CodedRows
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.additive.tables import Tables
from orangecontrib.sadd.core.dask import apply_lazily, is_for_dask
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labels import check_labelled, read_labels, read_target
from orangecontrib.sadd.core.parameters import (
    EstimatorMixin,
    estimator_class,
    has_methods,
    parameter,
    same,
)
from orangecontrib.sadd.core.rows import read
from orangecontrib.sadd.core.threads import part_of, use_threads
from orangecontrib.sadd.core.types import (
    Callback,
    CategoricalFeatures,
    Data,
    Floats,
)
from orangecontrib.sadd.core.validation import (
    as_pandas,
    count_rows,
    read_matrix,
    safe_indexing,
    validate_data,
)

__all__ = ["BayesClassifier", "Classifier"]

# The share of discretization in the progress of a fit
DISCRETIZATION_SHARE = 0.2


@estimator_class
class Classifier(EstimatorMixin, ClassifierMixin, BaseEstimator):
    """
    Base class of all classifiers: predictions of a model with `log_posterior`.

    Subclasses add the parameter `discretizer`.
    """

    _: KW_ONLY
    categorical_features: CategoricalFeatures = same(
        Discretizer, "categorical_features", default="from_dtype",
        details="Used if `discretizer` is a name, or an estimator whose own "
        "`categorical_features` is None.")
    unlabelled_label: object = same(SADDDiscretizer, "unlabelled_label")
    n_jobs: int | None = same(Discretizer, "n_jobs")

    # Parameters of the classifier that are also those of the discretizer
    _shared: ClassVar[tuple[str, ...]] = ("categorical_features",)

    classes_: npt.NDArray[Any] = field(init=False)
    discretizer_: Any = field(init=False)
    feature_names_in_: npt.NDArray[Any] = field(init=False)
    model_: Any = field(init=False)

    def fit(self, X: Data, y: Data, sample_weight: Data = None, *,
            unlabelled: Data = None, callback: Callback | None = None) -> Self:
        """
        Fit the discretizer, and then the model.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) add nothing to scores. Also a Dask array or data frame.
        y : array_like, shape (n_rows,)
            Labels of any type. Rows without a label (see `unlabelled_label`) are used
            by the discretizer, if it can use them, and by SADD Tables. With Dask, as
            for `SADDDiscretizer.fit`.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice. Weights of labelled rows with a
            mean below 1 are scaled to mean 1, zeros left out. So weights that sum to 1,
            as in boosting, are not one row.
        unlabelled : array_like or data frame, shape (n_unlabelled, n_features)
            More rows without labels, each of weight 1. For Dask if X is.
        callback : callable, optional
            Called with the fraction of work done, from 0 to 1. May raise an exception
            to stop the work.

        Returns
        -------
        self
        """
        self.check_parameters()
        discretizer = self.make_discretizer()
        with use_threads(self.n_jobs):
            model = self._fit(discretizer, (X, y, sample_weight), unlabelled, callback)
        self.discretizer_ = discretizer
        self._set_attributes(model)
        if not model.converged:
            warnings.warn(
                f"{type(self).__name__} has not converged after {model.n_iter} "
                f"iterations ({model.message}). Increase max_iter or tol.",
                ConvergenceWarning, stacklevel=2)
        if callback is not None:
            callback(1.)
        return self

    def _fit(self, discretizer, data, pool, callback):
        """Fit a discretizer to data and unlabelled rows, and return a model."""
        raise NotImplementedError

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
            return apply_lazily(self, "predict", X, None, self.classes_.dtype)
        log_posterior = self.predict_log_proba(X)
        return self.classes_[np.argmax(log_posterior, axis=1)]

    def predict_proba(self, X: Data) -> Floats:
        """
        Return the probabilities of classes, in the order of `classes_`.

        Missing values, and values that do not occur in training rows, contribute
        nothing. If all training rows of a class have weight 0, its probability is 0.

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

        They are finite even where a probability underflows.

        Parameters
        ----------
        X
            As for `predict_proba`.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
            Lazy, a Dask array, if X is for Dask.
        """
        check_is_fitted(self)
        if is_for_dask(X):
            return apply_lazily(self, "predict_log_proba", X, len(self.classes_))
        with use_threads(self.n_jobs):
            return self.model_.log_posterior(self._read_rows(X))

    def _read_rows(self, X):
        """Return rows as the model takes them."""
        check_is_fitted(self)
        if getattr(X, "ndim", 2) == 2:  # else the discretizer raises an error
            validate_data(self, X, reset=False, skip_check_array=True)
        return self._encode(self.discretizer_, X)

    def _encode(self, discretizer, X):
        """Return rows as the model takes them, by a fitted discretizer."""
        raise NotImplementedError

    def _take_labels(self, labels):
        """Set the classes, or raise a ValueError if the labels cannot be used."""
        check_labelled(labels, self)
        if labels.classes.dtype.kind == "f" and np.any(np.isinf(labels.classes)):
            raise ValueError("Input y contains infinity, which is not a label.")
        self.classes_ = labels.classes

    def _read(self, discretizer, X, y, sample_weight, **parameters):
        """Read the data of a fit; set the classes and the names of features."""
        if y is None:
            read_target(self, None, 0)  # raises
        rows = read(discretizer, X, y, sample_weight,
                    unlabelled_label=self.unlabelled_label, **parameters)
        self._take_labels(rows.labels)
        self.n_features_in_ = discretizer.n_features_in_
        vars(self).pop("feature_names_in_", None)  # of an earlier fit
        if hasattr(discretizer, "feature_names_in_"):
            self.feature_names_in_ = discretizer.feature_names_in_
        return rows

    def _set_attributes(self, model):
        """Set the fitted attributes that show a model."""
        self.model_ = model

    def make_discretizer(self) -> Any:
        """Return the discretizer, not fitted."""
        # The registry also lists the classifiers
        from orangecontrib.sadd.core.registry import make_discretizer

        if isinstance(self.discretizer, str):
            return make_discretizer(self.discretizer, **{
                name: getattr(self, name) for name in self._shared})
        discretizer = clone(self.discretizer)
        if discretizer.get_params().get("categorical_features", 0) is None:
            discretizer.set_params(categorical_features=self.categorical_features)
        return discretizer


@estimator_class
class BayesClassifier(Classifier):
    """Base class of the classifiers of the naive Bayes family."""

    discretizer: str | Discretizer = parameter(
        "MDLP", [str, has_methods("fit", "transform")], "str or estimator",
        "A name from `DISCRETIZERS`, or a transformer that returns codes from 0.",
        shared=False)

    model_: BayesModel = field(init=False)
    tables_: Tables = field(init=False)

    def _fit(self, discretizer, data, pool, callback):
        discretize = self._discretize if isinstance(discretizer, Discretizer) \
            else self._discretize_by_others
        coded = discretize(
            discretizer, *data, pool, part_of(callback, 0, DISCRETIZATION_SHARE))
        return self.fit_model(coded, part_of(callback, DISCRETIZATION_SHARE, 1))

    def _set_attributes(self, model):
        super()._set_attributes(model)
        self.tables_ = model.tables

    def fit_model(self, rows: Any, callback: Callback | None = None) -> BayesModel:
        """
        Return a model of rows that are discretized; the classifier is not changed.

        Parameters
        ----------
        rows : CodedRows or PartitionedCodedRows
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        BayesModel
        """
        return BayesModel(rows.tables())

    def _discretize(self, discretizer, X, y, sample_weight, pool, callback):
        """Fit a discretizer, and return its codes of labelled rows."""
        discretizer.check_parameters()
        uses_unlabelled = discretizer.uses_unlabelled
        if uses_unlabelled:
            discretizer.set_params(unlabelled_label=self.unlabelled_label)
        rows = self._read(
            discretizer, X, y, sample_weight,
            unlabelled=pool if uses_unlabelled else None)
        discretizer.fit_rows(rows, callback)
        return rows.coded_rows(discretizer.cuts_, discretizer.n_jobs)

    def _discretize_by_others(self, discretizer, X, y, sample_weight, pool, callback):
        """Fit a transformer that is not of this package; return rows likewise."""
        if is_for_dask(X):
            raise ValueError(
                f"{type(discretizer).__name__} cannot discretize data for Dask. Choose "
                "one of the discretizers of orangecontrib.sadd.")
        validate_data(self, X, reset=True, skip_check_array=True)
        labels, classes, weights = read_labels(
            self, y, sample_weight, self.unlabelled_label, count_rows(X))
        self._take_labels(labels)
        if labels.n_unlabelled:
            rows = np.flatnonzero(classes >= 0)
            X, classes, weights = safe_indexing(X, rows), classes[rows], weights[rows]
        parameters = {}
        if sample_weight is not None:
            if not has_fit_parameter(discretizer, "sample_weight"):
                raise ValueError(
                    f"{type(discretizer).__name__} cannot use sample_weight; choose "
                    "another discretizer, or do not pass weights.")
            parameters["sample_weight"] = weights
        discretizer.fit(X, self.classes_[classes], **parameters)
        return CodedRows(
            self._encode(discretizer, X), classes, len(self.classes_), weights)

    def _encode(self, discretizer, X):
        if isinstance(discretizer, Discretizer):
            return discretizer.cuts_.codes(
                read_matrix(discretizer, X, reset=False), discretizer.n_jobs)
        found = discretizer.transform(X)
        try:
            codes = np.asarray(as_pandas(found), dtype=np.float64)
        except (TypeError, ValueError):  # for instance a sparse matrix
            codes = np.zeros(0)
        known = codes[~np.isnan(codes)]
        if codes.ndim != 2 or len(codes) != count_rows(X) \
                or np.any(known != np.floor(known)) or np.any(known < 0):
            raise ValueError(
                f"{type(discretizer).__name__}.transform must return whole numbers "
                "from 0, one row for each row of X, like "
                'KBinsDiscretizer(encode="ordinal").')
        return codes
