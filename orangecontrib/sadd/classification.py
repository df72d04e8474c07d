"""Learners of the naive Bayes family for Orange."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.preprocess.discretize import Discretization

from orangecontrib.sadd.core.bayes.aiwnb import (
    LazyModel,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.bayes.tables import fit_tables
from orangecontrib.sadd.core.types import Neighbours
from orangecontrib.sadd.discretize import SADDDiscretize
from orangecontrib.sadd.learner_base import DiscretizingLearner, OptimizingLearner
from orangecontrib.sadd.models import AdditiveNaiveBayesModel, WeightedNaiveBayesModel

__all__ = ["AIWNBLearner", "CAWNBLearner", "NBLearner", "RNBLearner",
           "RNBPlusLearner", "WANBIALearner", "WeightedNaiveBayesModel"]

_Discretization: TypeAlias = str | Discretization | Preprocess
_Objective: TypeAlias = Literal["mse", "cll"]
_Preprocessors: TypeAlias = Preprocess | Sequence[Preprocess] | None


class RNBLearner(OptimizingLearner):
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
        The largest number of iterations. That it was reached is told by the model's
        `converged`, not by a warning.
    tol : float
        Convergence is when no derivative of the mean loss of a row, projected to the
        box of weights, is larger than this.
    random_state : int
        For the choice of k if the discretization is SADD.
    preprocessors : Preprocess or sequence of Preprocess, optional
        Applied before discretization.

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
    model = "rnb"

    def __init__(self, discretization: _Discretization = "MDLP",
                 unlabelled: Table | None = None, objective: _Objective = "mse",
                 max_iter: int = 100, tol: float = 1e-7, random_state: int = 0,
                 preprocessors: _Preprocessors = None) -> None:
        super().__init__(preprocessors)
        self.discretization = discretization
        self.unlabelled = unlabelled
        self.objective = objective
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self._check()


class WANBIALearner(RNBLearner):
    """
    Weighting to alleviate the naive Bayes independence assumption, WANBIA.

    Each attribute has a weight.

    Parameters
    ----------
    discretization, unlabelled, objective, max_iter, tol, random_state, preprocessors
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
    model = "wanbia"
    __returns__ = AdditiveNaiveBayesModel


class CAWNBLearner(RNBLearner):
    """
    Class-specific attribute weighted naive Bayes, CAWNB.

    Each attribute has a weight for each class.

    Parameters
    ----------
    discretization, unlabelled, objective, max_iter, tol, random_state, preprocessors
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
    model = "cawnb"
    __returns__ = AdditiveNaiveBayesModel


class RNBPlusLearner(OptimizingLearner):
    """
    RNB+: regularized naive Bayes with SADD.

    Parameters
    ----------
    k : "auto", int or sequence of int
        Number of neighbours that label a row; "auto" chooses it by validation.
    n0 : float or None
        Number of rows above which the threshold approaches that of MDLP.
    normalize : bool
        Standardize numeric variables before distances are computed.
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
    0.95
    """

    name = "RNB+"
    model = "rnb"

    def __init__(self, k: Neighbours = "auto", n0: float | None = 2000,
                 normalize: bool = True, unlabelled: Table | None = None,
                 objective: _Objective = "mse", max_iter: int = 100, tol: float = 1e-7,
                 random_state: int = 0, preprocessors: _Preprocessors = None) -> None:
        super().__init__(preprocessors)
        self.k = k
        self.n0 = n0
        self.normalize = normalize
        self.unlabelled = unlabelled
        self.objective = objective
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self._check()

    def discretizer(self) -> SADDDiscretize:
        return SADDDiscretize(self.unlabelled, self.k, self.n0, self.normalize,
                              remove_const=False, random_state=self.random_state)

    @property
    def fitted_parameters(self) -> list:
        """Parameters that Parameter Fitter may vary."""
        # It asks for limits of parameters that, like k="auto", are not numbers
        return [self.FittedParameter("k", "Neighbours (k)", int, 1, 31),
                self.FittedParameter("n0", "Rows of MDLP (N0)", int, 1, 10000)]


class AIWNBLearner(DiscretizingLearner):
    """
    Attribute and instance weighted naive Bayes, AIWNB.

    Parameters
    ----------
    discretization, unlabelled, random_state, preprocessors
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

    def __init__(self, discretization: _Discretization = "MDLP",
                 unlabelled: Table | None = None,
                 instance_weighting: Literal["eager", "lazy"] = "eager",
                 random_state: int = 0, preprocessors: _Preprocessors = None) -> None:
        super().__init__(preprocessors)
        self.discretization = discretization
        self.unlabelled = unlabelled
        self.instance_weighting = instance_weighting
        self.random_state = random_state
        if instance_weighting not in ("eager", "lazy"):
            raise ValueError("The weighting of instances must be 'eager' or 'lazy', "
                             f"not {instance_weighting!r}.")
        self.discretizer()

    def _fit_codes(self, domain, codes, y, weights):
        n_classes = len(domain.class_var.values)
        tables = fit_tables(codes, y, n_classes, weights)
        columns = tables.encode(codes)
        by_attribute = attribute_weights(tables, columns, weights)
        if self.instance_weighting == "lazy":
            lazy = LazyModel(tables, columns, y, by_attribute, weights)
            return WeightedNaiveBayesModel(domain, tables, by_attribute, lazy=lazy)
        by_row = eager_instance_weights(tables, columns)
        if weights is not None:
            by_row = by_row * weights
        return AdditiveNaiveBayesModel(
            domain, fit_tables(codes, y, n_classes, by_row), by_attribute)


class NBLearner(DiscretizingLearner):
    """
    Naive Bayes, NB, discretized and smoothed as its weighted relatives.

    It differs from them in nothing but the weights, as Orange's own naive Bayes does
    not: the difference of scores is what weights are worth.

    Parameters
    ----------
    discretization, unlabelled, random_state, preprocessors
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
    __returns__ = AdditiveNaiveBayesModel

    def __init__(self, discretization: _Discretization = "MDLP",
                 unlabelled: Table | None = None, random_state: int = 0,
                 preprocessors: _Preprocessors = None) -> None:
        super().__init__(preprocessors)
        self.discretization = discretization
        self.unlabelled = unlabelled
        self.random_state = random_state
        self.discretizer()

    def _fit_codes(self, domain, codes, y, weights):
        tables = fit_tables(codes, y, len(domain.class_var.values), weights)
        return AdditiveNaiveBayesModel(domain, tables)
