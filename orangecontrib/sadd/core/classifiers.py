"""The naive Bayes family as scikit-learn classifiers.

Each of them discretizes and then fits a model of `bayes`. They differ in its weights:
no weights, weights that minimize a loss, or the weights of AIWNB.
"""

from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar, Literal

from orangecontrib.sadd.core.additive.fitting import Fittable, fit_weights
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.classifier_base import BayesClassifier
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.types import (
    Callback,
    Floats,
    LabellerLike,
    LossName,
    Missing,
    Neighbours,
    RandomState,
)

__all__ = ["AIWNBClassifier", "CAWNBClassifier", "NaiveBayesClassifier",
           "RNBClassifier", "RNBPlusClassifier", "WANBIAClassifier"]


class NaiveBayesClassifier(BayesClassifier):
    """
    Naive Bayes on discretized features.

    Parameters
    ----------
    discretizer : str or estimator
        A name from `DISCRETIZERS`, or a transformer that returns codes from 0.
    categorical_features : mask, indices, names, "from_dtype", or None
        Columns that are categorical already. Used if `discretizer` is a name, or an
        estimator whose own `categorical_features` is None.
    unlabelled_label : label or None
        Rows with this label, and rows with a missing label, are unlabelled. None if all
        labels are real.
    n_jobs : int, optional
        Number of threads; -1 for all cores. Results do not depend on it.

    Attributes
    ----------
    classes_ : ndarray
    discretizer_ : estimator
        The fitted discretizer.
    model_ : BayesModel
        The fitted model: probabilities and weights.
    tables_ : Tables
        Smoothed probabilities of classes and values.
    n_features_in_ : int
    feature_names_in_ : ndarray of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> nb = NaiveBayesClassifier().fit(X, y)
    >>> nb.predict_proba(X[50:52]).round(3)
    array([[0.   , 0.988, 0.012],
           [0.   , 0.988, 0.012]])
    """


@dataclass(repr=False, eq=False)
class _OptimizedClassifier(BayesClassifier):
    """Base class of WANBIA, CAWNB and RNB, which differ in `_model` only."""

    _: KW_ONLY
    objective: LossName = "squared_error"
    max_iter: int = 100
    tol: float = 1e-7

    _model: ClassVar[str]

    weights_: Floats | None = field(init=False)
    class_weights_: Floats | None = field(init=False)
    alpha_: float | None = field(init=False)
    loss_: float = field(init=False)
    loss_history_: Floats = field(init=False)
    n_iter_: int = field(init=False)
    converged_: bool = field(init=False)

    def fit_rows(self, rows: Fittable, callback: Callback | None = None) -> BayesModel:
        return fit_weights(rows, self._model, self.objective, self.max_iter, self.tol,
                           callback)


class RNBClassifier(_OptimizedClassifier):
    """
    Regularized naive Bayes, RNB.

    A mixture of two weighted naive Bayes models, alpha P_D + (1 - alpha) P_I. P_D has
    weights for each class. The weights of P_I are common to all classes. Weights and
    alpha are found by L-BFGS-B in [0, 1], starting at 1 and at 0.5.

    Parameters
    ----------
    discretizer : str or estimator
        A name from `DISCRETIZERS`, or a transformer that returns codes from 0.
    objective : {"squared_error", "log_loss"}
        The loss to minimize. It is the squared error of the probabilities, summed over
        rows and classes, or minus the log-likelihood, summed over rows.
    max_iter : int
        Maximum number of iterations.
    tol : float
        Convergence is when no derivative of the mean loss of a row, projected to the
        box, is larger than this.
    categorical_features : mask, indices, names, "from_dtype", or None
        Columns that are categorical already. Used if `discretizer` is a name, or an
        estimator whose own `categorical_features` is None.
    unlabelled_label : label or None
        Rows with this label, and rows with a missing label, are unlabelled. None if all
        labels are real.

    Attributes
    ----------
    weights_ : ndarray, shape (n_features,), or None
        Weights of features common to all classes; None in CAWNB.
    class_weights_ : ndarray, shape (n_classes, n_features), or None
        Weights of features for each class; None in WANBIA.
    alpha_ : float
        Share of the model with weights for each class.
    loss_ : float
        The loss on the training rows.
    loss_history_ : ndarray, shape (n_iter_ + 1,)
        The loss at the start and after each iteration.
    n_iter_ : int
        Number of iterations.
    converged_ : bool
        Whether it has converged; if not, there is a `ConvergenceWarning`.
    classes_, discretizer_, model_, tables_, n_features_in_, feature_names_in_
        As for `NaiveBayesClassifier`.

    References
    ----------
    Wang, S., Ren, J., Bai, R. (2020). A regularized attribute weighting framework for
    naive Bayes. IEEE Access 8.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> rnb = RNBClassifier(discretizer="MDLP").fit(X, y)
    >>> rnb.class_weights_.shape, round(rnb.loss_, 2), rnb.converged_
    ((3, 4), 8.36, True)
    """

    _model = "rnb"


class WANBIAClassifier(_OptimizedClassifier):
    """
    WANBIA: naive Bayes with a weight of each feature, found by optimization.

    Parameters
    ----------
    discretizer, objective, max_iter, tol
        As for `RNBClassifier`.
    categorical_features, unlabelled_label, n_jobs
        As for `NaiveBayesClassifier`.

    Attributes
    ----------
    weights_, loss_, loss_history_, n_iter_, converged_
        As for `RNBClassifier`; `class_weights_` is None and `alpha_` is 0.
    classes_, discretizer_, model_, tables_, n_features_in_, feature_names_in_
        As for `NaiveBayesClassifier`.

    References
    ----------
    Zaidi, N. A., Cerquides, J., Carman, M. J., Webb, G. I. (2013). Alleviating naive
    Bayes attribute independence assumption by attribute weighting. Journal of Machine
    Learning Research 14, 1947-1988.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> WANBIAClassifier().fit(X, y).weights_.round(2)
    array([0.  , 0.  , 0.65, 0.7 ])
    """

    _model = "wanbia"


class CAWNBClassifier(_OptimizedClassifier):
    """
    CAWNB: naive Bayes with a weight of each feature in each class.

    Parameters
    ----------
    discretizer, objective, max_iter, tol
        As for `RNBClassifier`.
    categorical_features, unlabelled_label, n_jobs
        As for `NaiveBayesClassifier`.

    Attributes
    ----------
    class_weights_, loss_, loss_history_, n_iter_, converged_
        As for `RNBClassifier`; `weights_` is None and `alpha_` is 1.
    classes_, discretizer_, model_, tables_, n_features_in_, feature_names_in_
        As for `NaiveBayesClassifier`.

    References
    ----------
    Jiang, L., Zhang, L., Yu, L., Wang, D. (2019). Class-specific attribute weighted
    naive Bayes. Pattern Recognition 88, 321-330.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CAWNBClassifier().fit(X, y).class_weights_.shape
    (3, 4)
    """

    _model = "cawnb"


@dataclass(repr=False, eq=False, kw_only=True)
class RNBPlusClassifier(RNBClassifier):
    """
    RNB+: regularized naive Bayes on features discretized by SADD.

    Parameters
    ----------
    k, n0, standardize, random_state, labeller, min_confidence, max_labelled
        As for `SADDDiscretizer`.
    min_samples, max_intervals, missing
        As for `MDLPDiscretizer`.
    objective, max_iter, tol, n_jobs
        As for `RNBClassifier`.
    categorical_features : mask, indices, names, "from_dtype", or None
        Columns that are categorical already.
    unlabelled_label : label or None
        Rows with this label, and rows with a missing label, are unlabelled. They take
        part in discretization with the labels of their nearest neighbours. None if all
        labels are real.

    Attributes
    ----------
    discretizer_ : SADDDiscretizer
    weights_, class_weights_, alpha_, loss_, loss_history_, n_iter_, converged_
        As for `RNBClassifier`.
    classes_, model_, tables_, n_features_in_, feature_names_in_
        As for `NaiveBayesClassifier`.

    References
    ----------
    Wang, S., Ren, J., Bai, R. (2023). A semi-supervised adaptive discriminative
    discretization method improving discrimination power of regularized naive Bayes.
    Expert Systems with Applications 225, 120094.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> rnb = RNBPlusClassifier(k=5, max_iter=1000).fit(
    ...     X[::2], y[::2], unlabelled=X[1::2])
    >>> round(rnb.score(X[1::2], y[1::2]), 2)
    0.93
    """

    discretizer: str | Discretizer = field(default="SADD", init=False)
    k: Neighbours = "auto"
    n0: float | None = 2000
    standardize: bool = True
    random_state: RandomState = 0
    labeller: LabellerLike = "neighbours"
    min_confidence: float = 0
    max_labelled: int | None = None
    min_samples: float | None = None
    max_intervals: int | None = None
    missing: Missing = "ignore"

    _shared = ("categorical_features", "k", "n0", "standardize", "random_state",
               "labeller", "min_confidence", "max_labelled", "min_samples",
               "max_intervals", "missing")


@dataclass(repr=False, eq=False)
class AIWNBClassifier(BayesClassifier):
    """
    AIWNB: naive Bayes with weights of features and of training rows.

    Features are weighted by their information about the class, less their information
    about each other. "eager" weights rows once, by the frequency of their values.
    "lazy" weights rows for each prediction, by their similarity to the predicted row.

    Parameters
    ----------
    discretizer, categorical_features, unlabelled_label, n_jobs
        As for `NaiveBayesClassifier`.
    instance_weighting : {"eager", "lazy"}

    Attributes
    ----------
    weights_ : ndarray, shape (n_features,)
        Weights of features.
    instance_weights_ : ndarray, shape (n_labelled_rows,), or None
        Weights of labelled training rows, by which those in `tables_` are multiplied;
        None if lazy, and with Dask.
    classes_, discretizer_, model_, tables_, n_features_in_, feature_names_in_
        As for `NaiveBayesClassifier`.

    References
    ----------
    Zhang, H., Jiang, L., Yu, L. (2021). Attribute and instance weighted naive Bayes.
    Pattern Recognition 111, 107674.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> AIWNBClassifier().fit(X, y).weights_.round(2)
    array([0.46, 0.47, 0.53, 0.54])
    """

    _: KW_ONLY
    instance_weighting: Literal["eager", "lazy"] = "eager"

    weights_: Floats = field(init=False)
    instance_weights_: Floats | None = field(init=False)

    def fit_rows(self, rows: Fittable, callback: Callback | None = None) -> BayesModel:
        return rows.aiwnb(self.instance_weighting)
