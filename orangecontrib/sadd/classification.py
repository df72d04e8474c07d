"""The naive Bayes family, from NB to RNB+, as learners for Orange."""

from typing import Any, Literal, TypeAlias

from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.preprocess.discretize import Discretization

from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.types import (
    LabellerLike,
    LossName,
    Missing,
    Neighbours,
    PoolUse,
)
from orangecontrib.sadd.learner_base import DiscretizingLearner, Preprocessors
from orangecontrib.sadd.models import AdditiveNaiveBayesModel

__all__ = ["RECIPES", "AIWNBLearner", "CAWNBLearner", "NBLearner", "RNBLearner",
           "RNBPlusLearner", "WANBIALearner"]

_Discretization: TypeAlias = str | Discretization | Preprocess

#: What RNB+ recommends, by the name of the recipe; explicit settings win
RECIPES: dict[str, dict[str, Any]] = {
    "published": {"labeller": "neighbours", "pool_use": "intervals",
                  "objective": "mse", "shrinkage": 0},
    "few-labels": {"labeller": "committee", "pool_use": "counts", "objective": "cll",
                   "shrinkage": 1},
}


class RNBLearner(DiscretizingLearner):
    """
    Regularized naive Bayes, RNB: a mixture of WANBIA and CAWNB.

    Parameters
    ----------
    discretization : str, Discretization or Preprocess
        How to discretize numeric attributes: the name of a method, or an object.
    unlabelled : Table, optional
        Unlabelled rows; used if the discretization is SADD. See `SADDDiscretize`.
    objective : {"mse", "cll"}
        What is minimized: the squared error, or the conditional log-likelihood.
    max_iter : int
        The largest number of iterations. If it is reached, the model's `converged` is
        false; there is no warning.
    tol : float
        Convergence is when no derivative of the mean loss of a row, projected to the
        box of weights, is larger than this.
    random_state : int
        For the choice of k if the discretization is SADD.
    preprocessors : Preprocess or sequence of Preprocess, optional
        Applied before discretization.
    shrinkage : float
        How strongly weights are drawn to those of naive Bayes, so that they do not
        overfit few rows; 0 is as published.
    labeller, min_confidence
        As for `SADD`, which the discretization must be for these to have an effect.
    pool_use : {"intervals", "counts"}
        What unlabelled rows are used for, if the discretization is SADD: for the
        intervals, as published; or for the probabilities of values and classes, too,
        where each of them counts by the probabilities of its classes.
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

    def __init__(self, discretization: _Discretization = "MDLP",
                 unlabelled: Table | None = None, objective: LossName = "mse",
                 max_iter: int = 100, tol: float = 1e-7, random_state: int = 0,
                 preprocessors: Preprocessors = None, shrinkage: float = 0,
                 labeller: LabellerLike = "neighbours", min_confidence: float = 0,
                 pool_use: PoolUse = "intervals", min_samples: float | None = None,
                 max_intervals: int | None = None, missing: Missing = "ignore"
                 ) -> None:
        super().__init__(
            preprocessors, unlabelled, random_state, labeller=labeller,
            min_confidence=min_confidence, pool_use=pool_use, min_samples=min_samples,
            max_intervals=max_intervals, missing=missing)
        self.discretization = discretization
        self.objective = objective
        self.max_iter = max_iter
        self.tol = tol
        self.shrinkage = shrinkage
        self._check_parameters()


class WANBIALearner(RNBLearner):
    """
    Weighting to alleviate the naive Bayes independence assumption, WANBIA.

    Each attribute has a weight.

    Parameters
    ----------
    discretization, unlabelled, objective, max_iter, tol, random_state, preprocessors
        As for `RNBLearner`.
    shrinkage, labeller, min_confidence, pool_use, min_samples, max_intervals, missing
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
    discretization, unlabelled, objective, max_iter, tol, random_state, preprocessors
        As for `RNBLearner`.
    shrinkage, labeller, min_confidence, pool_use, min_samples, max_intervals, missing
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


class RNBPlusLearner(DiscretizingLearner):
    """
    RNB+: regularized naive Bayes with SADD.

    Parameters
    ----------
    k, n0, standardize, labeller, min_confidence, min_samples, max_intervals, missing
        As for `SADD`.
    unlabelled : Table, optional
        Unlabelled rows, besides those without a class. See `SADDDiscretize`.
    objective, max_iter, tol, random_state, preprocessors, shrinkage, pool_use
        As for `RNBLearner`.
    recipe : {"published", "few-labels"}
        What `labeller`, `pool_use`, `objective` and `shrinkage` are if they are not
        given: "neighbours", "intervals", "mse" and 0, or "committee", "counts", "cll"
        and 1, which we recommend where labels are few.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = RNBPlusLearner(unlabelled=iris)(iris[::2])
    >>> float((model(iris[1::2]) == iris[1::2].Y).mean().round(2))
    0.93
    >>> RNBPlusLearner(recipe="few-labels", shrinkage=2)
    RNBPlusLearner(shrinkage=2, recipe='few-labels')
    """

    name = "RNB+"
    classifier = RNBClassifier
    discretization = "SADD"

    def __init__(self, k: Neighbours = "auto", n0: float | None = 2000,
                 standardize: bool = True, unlabelled: Table | None = None,
                 objective: LossName | None = None, max_iter: int = 100,
                 tol: float = 1e-7, random_state: int = 0,
                 preprocessors: Preprocessors = None, labeller: LabellerLike = None,
                 min_confidence: float = 0, pool_use: PoolUse | None = None,
                 shrinkage: float | None = None,
                 recipe: Literal["published", "few-labels"] = "published",
                 min_samples: float | None = None,
                 max_intervals: int | None = None, missing: Missing = "ignore"
                 ) -> None:
        if recipe not in RECIPES:
            raise ValueError("The recipe must be 'published' or 'few-labels', "
                             f"not {recipe!r}.")
        given = {"objective": objective, "labeller": labeller, "pool_use": pool_use,
                 "shrinkage": shrinkage}
        chosen = {name: default if given[name] is None else given[name]
                  for name, default in RECIPES[recipe].items()}
        super().__init__(
            preprocessors, unlabelled, random_state, labeller=chosen["labeller"],
            min_confidence=min_confidence, pool_use=chosen["pool_use"],
            min_samples=min_samples, max_intervals=max_intervals, missing=missing)
        self.k = k
        self.n0 = n0
        self.standardize = standardize
        self.objective = chosen["objective"]
        self.max_iter = max_iter
        self.tol = tol
        self.shrinkage = chosen["shrinkage"]
        self.recipe = recipe
        if recipe == "few-labels":
            self.name = "RNB+ few labels"
        self._check_parameters()

    def _reprable_omit_param(self, name, default, value):
        from_recipe = RECIPES[self.recipe]
        return name in from_recipe and value == from_recipe[name] \
            or super()._reprable_omit_param(name, default, value)


class AIWNBLearner(DiscretizingLearner):
    """
    Attribute and instance weighted naive Bayes, AIWNB.

    Parameters
    ----------
    discretization, unlabelled, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, pool_use, min_samples, max_intervals, missing
        As for `RNBLearner`.
    instance_weighting : {"eager", "lazy"}
        How rows are weighted: once, by how frequent their values are, or anew for
        each prediction, by how much they resemble the row to be classified. Models
        with the latter cannot be shown in Nomogram.

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

    def __init__(self, discretization: _Discretization = "MDLP",
                 unlabelled: Table | None = None,
                 instance_weighting: Literal["eager", "lazy"] = "eager",
                 random_state: int = 0, preprocessors: Preprocessors = None,
                 labeller: LabellerLike = "neighbours", min_confidence: float = 0,
                 pool_use: PoolUse = "intervals", min_samples: float | None = None,
                 max_intervals: int | None = None, missing: Missing = "ignore"
                 ) -> None:
        super().__init__(
            preprocessors, unlabelled, random_state, labeller=labeller,
            min_confidence=min_confidence, pool_use=pool_use, min_samples=min_samples,
            max_intervals=max_intervals, missing=missing)
        self.discretization = discretization
        self.instance_weighting = instance_weighting
        self._check_parameters()


class NBLearner(DiscretizingLearner):
    """
    Naive Bayes, NB, discretized and smoothed as its weighted relatives.

    Unlike Orange's own naive Bayes it differs from them in the weights only, so the
    difference of scores is what weights are worth.

    Parameters
    ----------
    discretization, unlabelled, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, pool_use, min_samples, max_intervals, missing
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

    def __init__(self, discretization: _Discretization = "MDLP",
                 unlabelled: Table | None = None, random_state: int = 0,
                 preprocessors: Preprocessors = None,
                 labeller: LabellerLike = "neighbours", min_confidence: float = 0,
                 pool_use: PoolUse = "intervals", min_samples: float | None = None,
                 max_intervals: int | None = None, missing: Missing = "ignore"
                 ) -> None:
        super().__init__(
            preprocessors, unlabelled, random_state, labeller=labeller,
            min_confidence=min_confidence, pool_use=pool_use, min_samples=min_samples,
            max_intervals=max_intervals, missing=missing)
        self.discretization = discretization
        self._check_parameters()
