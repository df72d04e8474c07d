"""Learners of the naive Bayes family for Orange.

A learner discretizes whatever is numeric after the user's preprocessors, and drops
rows without a class last: so no preprocessor can break it, and unlabelled rows can
help to discretize. All learners honour weights of rows, can be connected to Rank as
scorers, and leave no trace of the pool of unlabelled rows in the model.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from Orange.classification import Learner
from Orange.data import DiscreteVariable, Table, Variable
from Orange.data.filter import HasClass
from Orange.preprocess import Preprocess
from Orange.preprocess.discretize import Discretization
from Orange.preprocess.score import LearnerScorer
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.bayes.fitting import PoolRows, RowsInMemory
from orangecontrib.sadd.core.classifier_base import BayesClassifier
from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.types import (
    Callback,
    Floats,
    LabellerLike,
    LossName,
    Neighbours,
    PoolUse,
)
from orangecontrib.sadd.cutting import Discretized
from orangecontrib.sadd.discretize import SADDDiscretize, SharesPool
from orangecontrib.sadd.labelling import Labelling, label_rows
from orangecontrib.sadd.models import AdditiveNaiveBayesModel, WeightedNaiveBayesModel
from orangecontrib.sadd.tables import class_codes, dense, row_weights

__all__ = ["RECIPES", "AIWNBLearner", "CAWNBLearner", "DiscretizingLearner",
           "NBLearner", "RNBLearner", "RNBPlusLearner", "WANBIALearner",
           "WeightedNaiveBayesModel"]

_Discretization: TypeAlias = str | Discretization | Preprocess
_Preprocessors: TypeAlias = Preprocess | Sequence[Preprocess] | None

#: What RNB+ recommends, by the name of the recipe; explicit settings win
RECIPES: dict[str, dict[str, Any]] = {
    "published": {"labeller": "neighbours", "pool_use": "intervals",
                  "objective": "mse", "shrinkage": 0},
    "few-labels": {"labeller": "committee", "pool_use": "counts", "objective": "cll",
                   "shrinkage": 1},
}


@dataclass
class _Call:
    """What Orange does not pass from a call, and from preprocessing, to fitting."""

    progress: Callback = dummy_callback
    pool: PoolRows | None = None
    labelling: Labelling | None = None


_call: ContextVar[_Call] = ContextVar("call")


class DiscretizingLearner(SharesPool, Learner, LearnerScorer):
    """
    What all learners have in common.

    `classifier` is that of core whose parameters and model a learner has.
    """

    classifier: type[BayesClassifier]
    __returns__ = WeightedNaiveBayesModel
    supports_weights = True
    preprocessors = ()
    # As a scorer
    feature_type = Variable
    class_type = DiscreteVariable

    @property
    def params(self) -> dict[str, object]:
        """Arguments that make an equal learner; for Parameter Fitter."""
        return {name: getattr(self, name) for name, _ in self._reprable_fields()}

    def __call__(self, data: Table, progress_callback: Callback | None = None
                 ) -> WeightedNaiveBayesModel:
        call = _Call(progress_callback or dummy_callback)
        token = _call.set(call)
        try:
            model = super().__call__(data, progress_callback)
        finally:
            _call.reset(token)
        model.labelling = call.labelling
        return model

    def preprocess(self, data: Table, progress_callback: Callback | None = None
                   ) -> Table:
        """Apply the user's preprocessors, discretize, and drop unlabelled rows."""
        if progress_callback is None:
            progress_callback = dummy_callback
        data = super().preprocess(data, wrap_callback(progress_callback, end=0.1))
        rest = wrap_callback(progress_callback, start=0.1)
        discretize, call = self.discretizer(), _call.get(_Call())
        counts = self.pool_use == "counts" and data.domain.has_discrete_class
        if counts or any(var.is_continuous for var in data.domain.attributes):
            if isinstance(discretize, SADDDiscretize) and discretize.finds_cuts:
                found = discretize.find(data, rest)
                call.labelling = Labelling.of(found.labels, discretize.min_confidence)
                if counts:
                    call.pool = pool_rows(found, discretize)
                data = found.transform(data, discretize.remove_const and not counts)
            else:
                data = discretize(data)
        return HasClass()(data)

    def discretizer(self) -> Preprocess:
        """Return the preprocessor that discretizes what is still numeric."""
        if isinstance(self.discretization, Preprocess):
            if self.unlabelled is not None:
                raise ValueError(
                    "A discretization that is a preprocessor has its own unlabelled "
                    "data; give them to the preprocessor, not to the learner.")
            return self.discretization
        # Models are those of core, which keeps attributes with a single interval
        return SADDDiscretize(
            self.unlabelled, method=self.discretization, remove_const=False,
            random_state=self.random_state, labeller=self.labeller,
            min_confidence=self.min_confidence)

    def fit_storage(self, data: Table) -> WeightedNaiveBayesModel:
        """Fit a model to a table that is categorical and has no unlabelled rows."""
        numeric = [var.name for var in data.domain.attributes if not var.is_discrete]
        if numeric:
            raise ValueError("These variables are still numeric after discretization: "
                             f"{', '.join(numeric)}.")
        y, weights = class_codes(data), row_weights(data)
        if not len(y) or weights is not None and not weights.any():
            raise ValueError("There are no rows with a class to learn from.")
        rows = RowsInMemory(dense(data.X), y.astype(np.int64),
                            len(data.domain.class_var.values), weights,
                            self._pool(data.domain))
        # No ConvergenceWarning: 100 iterations are the authors' choice, and a
        # cross-validation would repeat it for each fold
        fitted = self._estimator().fit_rows(
            rows, wrap_callback(_call.get(_Call()).progress, start=0.1))
        # A model need not remember the weights of its training rows
        fitted = replace(fitted, instance_weights=None)
        if fitted.additive:
            return AdditiveNaiveBayesModel(data.domain, fitted)
        return WeightedNaiveBayesModel(data.domain, fitted)

    def _pool(self, domain):
        """Return the pool of this call, with shares of all classes."""
        pool = _call.get(_Call()).pool
        if pool is None or pool.codes.shape[1] != len(domain.attributes):
            return None
        n_more = len(domain.class_var.values) - pool.shares.shape[1]
        return pool._replace(shares=np.pad(pool.shares, ((0, 0), (0, n_more))))

    def _estimator(self):
        """Return the classifier of core with the parameters of this learner."""
        names = self.classifier().get_params()
        return self.classifier(**{
            name: value for name, value in vars(self).items() if name in names})

    def _check_parameters(self):
        """Raise a ValueError that says what is wrong with a parameter, if any is."""
        self._estimator().check_parameters()
        discretizer = self.discretizer()
        if self.pool_use == "counts" and not (
                isinstance(discretizer, SADDDiscretize)
                and getattr(discretizer.discretization(), "name", "") == "SADD"):
            raise ValueError(
                "Only SADD lends labels to unlabelled rows, so that they can be "
                "counted. Choose it, or pool_use='intervals'.")

    def score(self, data: Table) -> tuple[Floats, tuple[Variable, ...]]:
        """Return the importances of attributes, for `score_data`."""
        model = self(data)
        return model.importances, model.domain.attributes


def pool_rows(found: Discretized, discretize: SADDDiscretize) -> PoolRows | None:
    """Return the unlabelled rows as codes and probabilities; None if there are none."""
    rows, labels = found.rows, found.labels
    unlabelled = np.isnan(rows.y)
    if not unlabelled.any() or not rows.labelled.any():
        return None
    if labels is None:  # there was nothing to cut
        labels = label_rows(rows, discretize.discretization().estimator())
    weights = None if rows.weights is None else rows.weights[unlabelled]
    trusted = labels.confidence >= discretize.min_confidence
    return PoolRows.weighted(
        found.codes(np.flatnonzero(unlabelled)[trusted]), labels.proba[trusted],
        None if weights is None else weights[trusted],
        float(unlabelled.sum() if weights is None else weights.sum()))


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
                 preprocessors: _Preprocessors = None, shrinkage: float = 0,
                 labeller: LabellerLike = "neighbours", min_confidence: float = 0,
                 pool_use: PoolUse = "intervals") -> None:
        super().__init__(preprocessors)
        self.discretization = discretization
        self.unlabelled = unlabelled
        self.objective = objective
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.shrinkage = shrinkage
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.pool_use = pool_use
        self._check_parameters()


class WANBIALearner(RNBLearner):
    """
    Weighting to alleviate the naive Bayes independence assumption, WANBIA.

    Each attribute has a weight.

    Parameters
    ----------
    discretization, unlabelled, objective, max_iter, tol, random_state, preprocessors
        As for `RNBLearner`.
    shrinkage, labeller, min_confidence, pool_use
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
    shrinkage, labeller, min_confidence, pool_use
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
    k, n0, normalize, labeller, min_confidence
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

    def __init__(self, k: Neighbours = "auto", n0: float | None = 2000,
                 normalize: bool = True, unlabelled: Table | None = None,
                 objective: LossName | None = None, max_iter: int = 100,
                 tol: float = 1e-7, random_state: int = 0,
                 preprocessors: _Preprocessors = None, labeller: LabellerLike = None,
                 min_confidence: float = 0, pool_use: PoolUse | None = None,
                 shrinkage: float | None = None,
                 recipe: Literal["published", "few-labels"] = "published") -> None:
        super().__init__(preprocessors)
        if recipe not in RECIPES:
            raise ValueError("The recipe must be 'published' or 'few-labels', "
                             f"not {recipe!r}.")
        self.k = k
        self.n0 = n0
        self.normalize = normalize
        self.unlabelled = unlabelled
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.min_confidence = min_confidence
        self.recipe = recipe
        given = {"objective": objective, "labeller": labeller, "pool_use": pool_use,
                 "shrinkage": shrinkage}
        for name, default in RECIPES[recipe].items():
            setattr(self, name, default if given[name] is None else given[name])
        if recipe == "few-labels":
            self.name = "RNB+ few labels"
        self._check_parameters()

    def _reprable_omit_param(self, name, default, value):
        from_recipe = RECIPES[self.recipe]
        return name in from_recipe and value == from_recipe[name] \
            or super()._reprable_omit_param(name, default, value)

    def discretizer(self) -> SADDDiscretize:
        return SADDDiscretize(
            self.unlabelled, self.k, self.n0, self.normalize, remove_const=False,
            random_state=self.random_state, labeller=self.labeller,
            min_confidence=self.min_confidence)

    @property
    def fitted_parameters(self) -> list:
        """Parameters that Parameter Fitter may vary."""
        # It asks for limits of parameters that, like k="auto", are not numbers
        return [self.FittedParameter("k", "Neighbours (k)", int, 1, 31),
                self.FittedParameter("n0", "Rows of MDLP (N0)", int, 1, 10000),
                self.FittedParameter("shrinkage", "Shrinkage", int, 0, 100)]


class AIWNBLearner(DiscretizingLearner):
    """
    Attribute and instance weighted naive Bayes, AIWNB.

    Parameters
    ----------
    discretization, unlabelled, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, pool_use
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
                 random_state: int = 0, preprocessors: _Preprocessors = None,
                 labeller: LabellerLike = "neighbours", min_confidence: float = 0,
                 pool_use: PoolUse = "intervals") -> None:
        super().__init__(preprocessors)
        self.discretization = discretization
        self.unlabelled = unlabelled
        self.instance_weighting = instance_weighting
        self.random_state = random_state
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.pool_use = pool_use
        self._check_parameters()


class NBLearner(DiscretizingLearner):
    """
    Naive Bayes, NB, discretized and smoothed as its weighted relatives.

    It differs from them in the weights only, unlike Orange's own naive Bayes: the
    difference of scores is what weights are worth.

    Parameters
    ----------
    discretization, unlabelled, random_state, preprocessors
        As for `RNBLearner`.
    labeller, min_confidence, pool_use
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
                 preprocessors: _Preprocessors = None,
                 labeller: LabellerLike = "neighbours", min_confidence: float = 0,
                 pool_use: PoolUse = "intervals") -> None:
        super().__init__(preprocessors)
        self.discretization = discretization
        self.unlabelled = unlabelled
        self.random_state = random_state
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.pool_use = pool_use
        self._check_parameters()
