"""The naive Bayes family, from NB to RNB+, as learners for Orange."""

from dataclasses import dataclass
from typing import Literal

from Orange.data import Table

from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.types import LossName, Neighbours
from orangecontrib.sadd.scripting.learner_base import (
    DiscretizerLike,
    DiscretizingLearner,
)
from orangecontrib.sadd.scripting.models import AdditiveNaiveBayesModel

__all__ = ["AIWNBLearner", "CAWNBLearner", "NBLearner", "RNBLearner", "RNBPlusLearner",
           "WANBIALearner"]


@dataclass(repr=False, eq=False)
class RNBLearner(DiscretizingLearner):
    """
    Regularized naive Bayes, RNB: a mixture of WANBIA and CAWNB.

    Parameters
    ----------
    discretizer : str, Discretization or Preprocess
        Discretization of numeric attributes: the name of a method, or an object.
    unlabelled : Table, optional
        Unlabelled rows; used if the discretization is SADD. See `SADDDiscretize`.
    objective : {"squared_error", "log_loss"}
        The loss on training rows that is minimized.
    max_iter : int
        Maximum number of iterations. If it is reached, the model's `converged` is
        false; there is no warning.
    tol : float
        The search ends when no projected derivative of the mean loss of a row is above
        this.
    random_state : int
        For the choice of k if the discretization is SADD.
    preprocessors : Preprocess or sequence of Preprocess, optional
        Applied before discretization.
    labeller, min_confidence
        As for `SADD`. Other discretizations ignore them.
    min_samples, max_intervals, missing
        As for `SADDDiscretize`, if the discretization is the name of a method.

    See Also
    --------
    orangecontrib.sadd.core.RNBClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = RNBLearner()(iris)
    >>> float((model(iris) == iris.Y).mean().round(2))
    0.96
    """

    name = "RNB"
    classifier = RNBClassifier

    discretizer: DiscretizerLike = "MDLP"
    unlabelled: Table | None = None
    objective: LossName = "squared_error"
    max_iter: int = 100
    tol: float = 1e-7


class WANBIALearner(RNBLearner):
    """
    Weighting to alleviate the naive Bayes independence assumption, WANBIA.

    Each attribute has one weight.

    Parameters
    ----------
    discretizer, unlabelled, objective, max_iter, tol, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, min_samples, max_intervals, missing
        As for `RNBLearner`.

    See Also
    --------
    orangecontrib.sadd.core.WANBIAClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> WANBIALearner()(Table("iris")).weights.round(2)
    array([0.  , 0.  , 0.65, 0.7 ])
    """

    name = "WANBIA"
    classifier = WANBIAClassifier
    __returns__ = AdditiveNaiveBayesModel


class CAWNBLearner(RNBLearner):
    """
    Class-specific attribute weighted naive Bayes, CAWNB.

    Each attribute has a weight for each class.

    Parameters
    ----------
    discretizer, unlabelled, objective, max_iter, tol, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, min_samples, max_intervals, missing
        As for `RNBLearner`.

    See Also
    --------
    orangecontrib.sadd.core.CAWNBClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> CAWNBLearner()(Table("iris")).class_weights.shape
    (3, 4)
    """

    name = "CAWNB"
    classifier = CAWNBClassifier
    __returns__ = AdditiveNaiveBayesModel


@dataclass(repr=False, eq=False)
class RNBPlusLearner(DiscretizingLearner):
    """
    RNB+: regularized naive Bayes with SADD.

    Parameters
    ----------
    k, n0, standardize, labeller, min_confidence, min_samples, max_intervals, missing
        As for `SADD`.
    unlabelled : Table, optional
        Unlabelled rows, besides those without a class. See `SADDDiscretize`.
    objective, max_iter, tol, random_state, preprocessors
        As for `RNBLearner`.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = RNBPlusLearner(unlabelled=iris)(iris[::2])
    >>> float((model(iris[1::2]) == iris[1::2].Y).mean().round(2))
    0.93
    """

    name = "RNB+"
    classifier = RNBClassifier

    discretizer = "SADD"

    k: Neighbours = "auto"
    n0: float | None = 2000
    standardize: bool = True
    unlabelled: Table | None = None
    objective: LossName = "squared_error"
    max_iter: int = 100
    tol: float = 1e-7


@dataclass(repr=False, eq=False)
class AIWNBLearner(DiscretizingLearner):
    """
    Attribute and instance weighted naive Bayes, AIWNB.

    Parameters
    ----------
    discretizer, unlabelled, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, min_samples, max_intervals, missing
        As for `RNBLearner`.
    instance_weighting : {"eager", "lazy"}
        "eager" weights rows once, by the frequency of their values. "lazy" weights rows
        for each prediction, by their similarity to the predicted row. Nomogram cannot
        show lazy models.

    See Also
    --------
    orangecontrib.sadd.core.AIWNBClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> AIWNBLearner()(Table("iris")).weights.round(2)
    array([0.46, 0.47, 0.53, 0.54])
    """

    name = "AIWNB"
    classifier = AIWNBClassifier

    discretizer: DiscretizerLike = "MDLP"
    unlabelled: Table | None = None
    instance_weighting: Literal["eager", "lazy"] = "eager"


@dataclass(repr=False, eq=False)
class NBLearner(DiscretizingLearner):
    """
    Naive Bayes, NB, discretized and smoothed like the weighted models.

    Unlike Orange's `NaiveBayesLearner`, it differs from them in the weights only. So
    the difference of scores is the effect of the weights.

    Parameters
    ----------
    discretizer, unlabelled, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, min_samples, max_intervals, missing
        As for `RNBLearner`.

    See Also
    --------
    orangecontrib.sadd.core.NaiveBayesClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = NBLearner()(iris)
    >>> float((model(iris) == iris.Y).mean().round(2))
    0.95
    """

    name = "NB"
    classifier = NaiveBayesClassifier
    __returns__ = AdditiveNaiveBayesModel

    discretizer: DiscretizerLike = "MDLP"
    unlabelled: Table | None = None
