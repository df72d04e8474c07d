"""SADD Tables as a scikit-learn classifier."""

import warnings
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples, check_is_fitted

from orangecontrib.sadd.core.cluster import is_for_dask
from orangecontrib.sadd.core.columns import _append
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.exactsums import raise_weights
from orangecontrib.sadd.core.labels import (
    UNLABELLED,
    check_one_class,
    read_target,
    read_weights,
    summarize_labels,
)
from orangecontrib.sadd.core.pseudolabels.labellers import (
    Labeller,
    LabellerScore,
    PseudoLabels,
    check_labeller,
)
from orangecontrib.sadd.core.registry import make_discretizer
from orangecontrib.sadd.core.smoothtables import (
    SmoothTables,
    fit_tables,
    measure_axes,
)
from orangecontrib.sadd.core.threads import part_of, use_threads
from orangecontrib.sadd.core.types import (
    Callback,
    CategoricalFeatures,
    Data,
    Floats,
    Integers,
    LabellerLike,
    RandomState,
)
from orangecontrib.sadd.core.validation import EstimatorMixin, read_matrix

__all__ = ["FittedTables", "SADDTablesClassifier"]

# Progress of a fit: after labelling, and after discretization
LABELLED, DISCRETIZED = 0.5, 0.6


class FittedTables(NamedTuple):
    """
    Result of `SADDTablesClassifier.fit_rows`.

    Attributes
    ----------
    model : SmoothTables
    discretizer : Discretizer
        Fitted, with the cut points.
    labels : PseudoLabels or None
        Pseudo-labels of unlabelled rows; None if there are no such rows.
    importances : ndarray of float64, shape (n_features,)
        Mean absolute contribution of each feature.
    """

    model: SmoothTables
    discretizer: Discretizer
    labels: PseudoLabels | None
    importances: Floats


class SADDTablesClassifier(EstimatorMixin, ClassifierMixin, BaseEstimator):
    """
    SADD Tables: an interpretable additive model that also uses unlabelled rows.

    The score of a class is an intercept plus what the value of each feature adds. A
    numeric feature has a table of its intervals, interpolated between their means; a
    categorical feature has a table of its categories. The tables are fitted by
    penalized log loss. The labeller predicts probabilities of classes for unlabelled
    rows, and these are targets like the labels.

    Parameters
    ----------
    discretizer : str or Discretizer
        A name from `DISCRETIZERS`, or a discretizer. SADD uses unlabelled rows with
        their pseudo-labels, methods without a target use all rows, and other methods
        use labelled rows.
    labeller : "committee", "neighbours", classifier, or list of classifiers
        Predicts the probabilities of classes of unlabelled rows, as for
        `SADDDiscretizer`.
    min_confidence : float
        Unlabelled rows whose best probability is below this have no target.
    smoothness : float
        Larger values allow steeper steps between intervals. With 0, curves are straight
        lines up to three standard deviations from the mean.
    max_iter : int
        Maximum number of iterations of L-BFGS.
    tol : float
        The search ends when no derivative of the mean loss is above this.
    categorical_features : mask, indices, names, "from_dtype", or None
        Columns that are categorical. Other columns are numeric.
    unlabelled_label : label or None
        Rows with this label, and rows with a missing label, are unlabelled. None if all
        labels are real.
    random_state : int, RandomState instance or None
        For the choice of rows that choose k, and for the score of the labeller.
    n_jobs : int, optional
        Number of threads; -1 for all cores.

    Attributes
    ----------
    classes_ : ndarray
    tables_ : list of ndarray of float64, shape (n_entries, n_classes)
        What each knot or category of each feature adds to the score of each class. The
        mean over the training rows' intervals or categories is 0.
    knots_ : list of ndarray of float64, shape (n_entries,), or None
        Mean of each interval of each feature; None for categorical features.
    intercept_ : ndarray of float64, shape (n_classes,)
        Score of an average row.
    importances_ : ndarray of float64, shape (n_features,)
        Mean absolute contribution of each feature to the scores of training rows.
    model_ : SmoothTables
        The fitted model.
    discretizer_ : Discretizer
        The fitted discretizer, with `cut_points_`.
    loss_ : float
        Mean loss of a row, penalty included.
    n_iter_ : int
    converged_ : bool
        Whether the search converged. If not, there is a `ConvergenceWarning`.
    labeller_score_ : LabellerScore or None
        How many labelled rows, `right` of `total`, the labeller predicts correctly when
        they are left out. None if there are no unlabelled rows.
    pseudo_label_proba_ : ndarray of float64, shape (n_unlabelled, n_classes)
        Probabilities of classes of unlabelled rows with a weight above 0.
    categories_ : list of ndarray or None
        Categories of each categorical feature.
    n_features_in_ : int
    feature_names_in_ : ndarray of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tables = SADDTablesClassifier().fit(X[::5], y[::5], X_unlabelled=X[1::2])
    >>> round(tables.score(X[1::2], y[1::2]), 2)
    0.93
    >>> tables.knots_[3].round(2), tables.tables_[3][:, 0].round(2)
    """

    _parameter_constraints: dict[str, Any] = {
        "discretizer": [str, Discretizer],
        "labeller": "no_validation",
        "min_confidence": [Interval(Real, 0, 1, closed="both")],
        "smoothness": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "unlabelled_label": "no_validation",
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    classes_: npt.NDArray[Any]
    tables_: list[Floats]
    knots_: list[Floats | None]
    intercept_: Floats
    importances_: Floats
    model_: SmoothTables
    discretizer_: Discretizer
    loss_: float
    n_iter_: int
    converged_: bool
    labeller_score_: LabellerScore | None
    pseudo_label_proba_: Floats
    categories_: list[npt.NDArray[Any] | None]

    def __init__(self, discretizer: str | Discretizer = "SADD", *,
                 labeller: LabellerLike = "committee", min_confidence: float = 0,
                 smoothness: float = 2, max_iter: int = 200, tol: float = 1e-5,
                 categorical_features: CategoricalFeatures = "from_dtype",
                 unlabelled_label: object = -1, random_state: RandomState = 0,
                 n_jobs: int | None = None) -> None:
        self.discretizer = discretizer
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.smoothness = smoothness
        self.max_iter = max_iter
        self.tol = tol
        self.categorical_features = categorical_features
        self.unlabelled_label = unlabelled_label
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Data, y: Data, sample_weight: Data = None, *,
            X_unlabelled: Data = None, callback: Callback | None = None) -> Self:
        """
        Fit the tables.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) add nothing to scores.
        y : array_like, shape (n_rows,)
            Labels of any type. See `unlabelled_label` for rows without a label.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice. Weights of labelled rows with
            a mean below 1 are scaled to mean 1.
        X_unlabelled : array_like or data frame, shape (n_unlabelled, n_features)
            More rows without labels, each of weight 1.
        callback : callable, optional
            Called with the fraction of work done, from 0 to 1. May raise an exception
            to stop the work.

        Returns
        -------
        self
        """
        self.check_parameters()
        if is_for_dask(X):
            raise ValueError(
                "SADDTablesClassifier needs all rows in memory. Pass X.compute() and "
                "y.compute(), or use RNBPlusClassifier, which runs on Dask.")
        X, classes, weights = self._read(X, y, sample_weight, X_unlabelled)
        found = self.fit_rows(
            X, classes, weights, len(self.classes_),
            [None if values is None else len(values) for values in self.categories_],
            callback)
        model = self.model_ = found.model
        self.discretizer_ = found.discretizer
        self.tables_, self.intercept_ = model.tables, model.intercept
        self.knots_ = [axis.knots for axis in model.axes]
        self.importances_ = found.importances
        self.loss_, self.n_iter_ = model.loss, model.n_iter
        self.converged_ = model.converged
        self.labeller_score_ = found.labels and found.labels.score
        self.pseudo_label_proba_ = np.zeros((0, len(self.classes_))) \
            if found.labels is None else found.labels.proba
        if not model.converged:
            warnings.warn(
                f"{type(self).__name__} has not converged after {model.n_iter} "
                f"iterations ({model.message}). Increase max_iter or tol.",
                ConvergenceWarning, stacklevel=2)
        if callback is not None:
            callback(1.)
        return self

    def fit_rows(self, X: Floats, classes: Integers, weights: Floats, n_classes: int,
                 n_values: Sequence[int | None], callback: Callback | None = None
                 ) -> FittedTables:
        """
        Return the model of rows that have been read; the classifier is not changed.

        Parameters
        ----------
        X : ndarray of float64, shape (n_rows, n_features)
            NaN where a value is missing, codes in categorical columns.
        classes : ndarray of int, shape (n_rows,)
            Index of the class, or `UNLABELLED`.
        weights : ndarray of float64, shape (n_rows,)
        n_classes : int
        n_values : sequence of int or None
            Number of categories of each feature; None for a numeric feature.
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        FittedTables
        """
        used = weights > 0
        X, classes, weights = X[used], classes[used], weights[used]
        labelled = classes != UNLABELLED
        categorical = np.array([size is not None for size in n_values], dtype=bool)
        targets = np.zeros((len(X), n_classes))
        targets[labelled, classes[labelled]] = 1
        trusted = labelled.copy()
        labels = None
        with use_threads(self.n_jobs):
            if not labelled.all():
                labels = Labeller(
                    self.labeller, X[labelled], classes[labelled], n_classes,
                    categorical=categorical, weights=weights[labelled],
                    unlabelled=X[~labelled], unlabelled_weights=weights[~labelled],
                    random_state=self.random_state,
                    callback=part_of(callback, 0, 0))(
                        X[~labelled], part_of(callback, 0, LABELLED))
                targets[~labelled] = labels.proba
                classes = classes.copy()
                classes[~labelled] = labels.classes
                trusted[~labelled] = labels.confidence >= self.min_confidence
            discretizer = self._make_discretizer(categorical)
            rows = trusted if discretizer.uses_unlabelled \
                else labelled if discretizer.requires_target else slice(None)
            discretizer.fit(X[rows], classes[rows], weights[rows],
                            callback=part_of(callback, LABELLED, DISCRETIZED))
            axes = measure_axes(
                X, labelled, weights,
                [cuts if size is None else None for cuts, size
                 in zip(discretizer.cut_points_, n_values, strict=True)],
                [size or 0 for size in n_values])
            model = fit_tables(
                axes, X[trusted], targets[trusted], weights[trusted],
                smoothness=self.smoothness, max_iter=self.max_iter, tol=self.tol,
                callback=part_of(callback, DISCRETIZED, 1))
        return FittedTables(model, discretizer, labels, model.importances(X, weights))

    def predict(self, X: Data) -> npt.NDArray[Any]:
        """
        Return the most likely class of each row; ties go to the first class.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray, shape (n_rows,)
        """
        log_posterior = self.predict_log_proba(X)
        return self.classes_[np.argmax(log_posterior, axis=1)]

    def predict_proba(self, X: Data) -> Floats:
        """
        Return the probabilities of classes, in the order of `classes_`.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values, and categories not seen in training, add nothing.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Data) -> Floats:
        """
        Return the natural logarithms of the probabilities of classes.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
        """
        check_is_fitted(self)
        return self.model_.log_posterior(read_matrix(self, X, reset=False))

    def contributions(self, X: Data) -> Floats:
        """
        Return what the value of each feature adds to the score of each class.

        The sum over features, with `intercept_`, is the score of a class. The
        probabilities are the softmax of scores, so that the difference between the
        scores of two classes is the log-odds between them.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_features, n_classes)
        """
        check_is_fitted(self)
        return self.model_.contributions(read_matrix(self, X, reset=False))

    def check_parameters(self) -> None:
        """Raise a ValueError that says what is wrong with a parameter, if any is."""
        super().check_parameters()
        check_labeller(self.labeller)
        self._make_discretizer(None).check_parameters()

    def _make_discretizer(self, categorical):
        discretizer = make_discretizer(self.discretizer) \
            if isinstance(self.discretizer, str) else clone(self.discretizer)
        discretizer.set_params(categorical_features=categorical)
        if discretizer.uses_unlabelled:  # rows have pseudo-labels already
            discretizer.set_params(unlabelled_label=None)
        return discretizer

    def _read(self, X, y, sample_weight, pool):
        n_data = _num_samples(X)
        matrix = read_matrix(
            self, X if pool is None else _append(X, pool), reset=True)
        y = read_target(self, y, n_data)
        weights = read_weights(sample_weight, n_data)
        labels, classes = summarize_labels(y, self.unlabelled_label, weights)
        if not labels.n_labelled:
            raise ValueError("All rows are unlabelled; a classifier needs some that "
                             "are labelled.")
        if not labels.n_used:
            raise ValueError("sample_weight is zero for every labelled row; give at "
                             "least one a weight.")
        if labels.classes.dtype.kind == "f" and np.any(np.isinf(labels.classes)):
            raise ValueError("Input y contains infinity, which is not a label.")
        check_one_class(labels, self.unlabelled_label)
        self.classes_ = labels.classes
        n_pool = len(matrix) - n_data
        if weights is None:
            weights = np.ones(n_data)
        weights = raise_weights(weights, classes != UNLABELLED)
        return (matrix, np.append(classes, np.full(n_pool, UNLABELLED)),
                np.append(weights, np.ones(n_pool)))
