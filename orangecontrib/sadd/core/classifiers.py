"""The naive Bayes family as scikit-learn classifiers.

Each of them discretizes and then fits a `BayesModel`. They differ in its weights:
no weights, weights that minimize a loss, or the weights of AIWNB.
"""

from dataclasses import KW_ONLY, field
from typing import Any, ClassVar, Literal

from orangecontrib.sadd.core.additive.fitting import fit_aiwnb, fit_weights
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.classifier_base import BayesClassifier
from orangecontrib.sadd.core.dask import is_for_dask
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.parameters import (
    estimator_class,
    one_of,
    parameter,
    real,
    same,
    shared_parameters,
    whole,
)
from orangecontrib.sadd.core.types import (
    Callback,
    Floats,
    LabellerLike,
    LossName,
    Missing,
    NeighbourCount,
    RandomState,
)

__all__ = ["AIWNBClassifier", "CAWNBClassifier", "NaiveBayesClassifier",
           "RNBClassifier", "RNBPlusClassifier", "WANBIAClassifier"]


@estimator_class
class NaiveBayesClassifier(BayesClassifier):
    """
    Naive Bayes on discretized features.

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


@estimator_class
class _OptimizedClassifier(BayesClassifier):
    """Base class of WANBIA, CAWNB and RNB, which differ in `_model` only."""

    _: KW_ONLY
    objective: LossName = parameter(
        "squared_error", [one_of("squared_error", "log_loss")],
        '{"squared_error", "log_loss"}',
        "The loss on training rows that the search for weights minimizes.",
        "It is the squared error of the probabilities, summed over rows and classes, "
        "or minus the log-likelihood, summed over rows.")
    max_iter: int = parameter(
        100, [whole()], "int", "Maximum number of iterations.",
        "If it is reached, `converged` of the model is false.", title="Iterations",
        lowest=1, highest=10 ** 5, fitted=(1, 1000))
    tol: float = parameter(
        1e-7, [real(0, closed="left")], "float",
        "The largest derivative of the mean loss of a row, projected to the box, that "
        "counts as zero.")

    _model: ClassVar[str]

    weights_: Floats | None = field(init=False)
    class_weights_: Floats | None = field(init=False)
    alpha_: float | None = field(init=False)
    loss_: float = field(init=False)
    loss_history_: Floats = field(init=False)
    n_iter_: int = field(init=False)
    converged_: bool = field(init=False)

    def fit_model(self, rows: Any, callback: Callback | None = None) -> BayesModel:
        return fit_weights(rows, self._model, self.objective, self.max_iter, self.tol,
                           callback)

    def _set_attributes(self, model):
        super()._set_attributes(model)
        self.weights_, self.class_weights_ = model.weights, model.class_weights
        self.alpha_ = model.alpha
        self.loss_, self.loss_history_ = model.loss, model.loss_history
        self.n_iter_, self.converged_ = model.n_iter, model.converged


@estimator_class
class RNBClassifier(_OptimizedClassifier):
    """
    Regularized naive Bayes, RNB.

    A mixture of two weighted naive Bayes models, alpha P_D + (1 - alpha) P_I. P_D has
    weights for each class. The weights of P_I are common to all classes. Weights and
    alpha are found by L-BFGS-B in [0, 1], starting at 1 and at 0.5.

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


@estimator_class
class WANBIAClassifier(_OptimizedClassifier):
    """
    WANBIA: naive Bayes with a weight of each feature, found by optimization.

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


@estimator_class
class CAWNBClassifier(_OptimizedClassifier):
    """
    CAWNB: naive Bayes with a weight of each feature in each class.

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


@estimator_class
class RNBPlusClassifier(RNBClassifier):
    """
    RNB+: regularized naive Bayes on features discretized by SADD.

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

    _: KW_ONLY
    discretizer: str | Discretizer = field(default="SADD", init=False)
    k: NeighbourCount = same(SADDDiscretizer, "k")
    n0: float | None = same(SADDDiscretizer, "n0")
    standardize: bool = same(SADDDiscretizer, "standardize")
    random_state: RandomState = same(SADDDiscretizer, "random_state")
    labeller: LabellerLike = same(SADDDiscretizer, "labeller")
    min_confidence: float = same(SADDDiscretizer, "min_confidence")
    max_labelled: int | None = same(SADDDiscretizer, "max_labelled")
    min_samples: float | None = same(SADDDiscretizer, "min_samples")
    max_intervals: int | None = same(SADDDiscretizer, "max_intervals")
    missing: Missing = same(SADDDiscretizer, "missing")

    _shared = ("categorical_features", "max_labelled",
               *shared_parameters(SADDDiscretizer))


@estimator_class
class AIWNBClassifier(BayesClassifier):
    """
    AIWNB: naive Bayes with weights of features and of training rows.

    Features are weighted by their information about the class, less their information
    about each other. "eager" weights rows once, by the frequency of their values.
    "lazy" weights rows for each prediction, by their similarity to the predicted row.

    Attributes
    ----------
    weights_ : ndarray, shape (n_features,)
        Weights of features.
    instance_weights_ : ndarray, shape (n_labelled_rows,), or None
        Weights of labelled training rows, by which those in `tables_` are multiplied;
        None if lazy.
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
    instance_weighting: Literal["eager", "lazy"] = parameter(
        "eager", [one_of("eager", "lazy")], '{"eager", "lazy"}',
        "Whether rows are weighted once, or for each prediction.",
        'Nomogram cannot show "lazy" models.')

    weights_: Floats = field(init=False)
    instance_weights_: Floats | None = field(init=False)

    def fit_model(self, rows: Any, callback: Callback | None = None) -> BayesModel:
        return fit_aiwnb(rows, self.instance_weighting)

    def _set_attributes(self, model):
        super()._set_attributes(model)
        self.weights_, self.instance_weights_ = model.weights, model.instance_weights

    def _discretize(self, discretizer, X, *data):
        if is_for_dask(X):
            raise ValueError(
                "AIWNBClassifier needs all rows in memory. Pass X.compute() and "
                "y.compute(), or use RNBPlusClassifier, which runs on Dask.")
        return super()._discretize(discretizer, X, *data)
