"""Learners of weighted naive Bayes models for Orange.

A learner discretizes whatever is numeric after the user's preprocessors, and drops
rows without a class last: so no preprocessor can break it, and unlabelled rows can
help to discretize. All learners honour weights of rows, can be connected to Rank as
scorers, and leave no trace of the pool of unlabelled rows in the model.
"""

from contextvars import ContextVar
from numbers import Integral, Real

import numpy as np
from Orange.classification import Learner
from Orange.data import DiscreteVariable, Variable
from Orange.data.filter import HasClass
from Orange.preprocess import Preprocess
from Orange.preprocess.score import LearnerScorer
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.bayes import fit_tables
from orangecontrib.sadd.core.instance_weights import (
    LazyModel,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.minimizer import minimize_objective
from orangecontrib.sadd.core.weights import RowObjective
from orangecontrib.sadd.discretize import SADDDiscretize, SharesPool
from orangecontrib.sadd.models import AdditiveNaiveBayesModel, WeightedNaiveBayesModel
from orangecontrib.sadd.tables import class_codes, dense, row_weights

__all__ = ["AIWNBLearner", "CAWNBLearner", "RNBLearner", "RNBPlusLearner",
           "WANBIALearner", "WeightedNaiveBayesModel"]

# Orange passes the progress callback to preprocessing, but not to fitting
_progress = ContextVar("progress", default=dummy_callback)


class _NaiveBayesLearner(SharesPool, Learner, LearnerScorer):
    """What all learners have in common."""

    __returns__ = WeightedNaiveBayesModel
    supports_weights = True
    preprocessors = ()
    # As a scorer
    feature_type = Variable
    class_type = DiscreteVariable

    @property
    def params(self):
        """Arguments that make an equal learner; for Parameter Fitter."""
        return {name: getattr(self, name) for name, _ in self._reprable_fields()}

    def __call__(self, data, progress_callback=None):
        token = _progress.set(progress_callback or dummy_callback)
        try:
            return super().__call__(data, progress_callback)
        finally:
            _progress.reset(token)

    def preprocess(self, data, progress_callback=None):
        """Apply the user's preprocessors, discretize, and drop unlabelled rows."""
        if progress_callback is None:
            progress_callback = dummy_callback
        data = super().preprocess(data, wrap_callback(progress_callback, end=0.1))
        if any(var.is_continuous for var in data.domain.attributes):
            discretize = self.discretizer()
            if isinstance(discretize, SADDDiscretize):
                data = discretize(data, wrap_callback(progress_callback, start=0.1))
            else:
                data = discretize(data)
        return HasClass()(data)

    def discretizer(self):
        """Give the preprocessor that discretizes what is still numeric."""
        if isinstance(self.discretization, Preprocess):
            if self.unlabelled is not None:
                raise ValueError(
                    "A discretization that is a preprocessor has its own unlabelled "
                    "data; give them to the preprocessor, not to the learner.")
            return self.discretization
        # Models are those of core, which keeps attributes with a single interval
        return SADDDiscretize(self.unlabelled, method=self.discretization,
                              remove_const=False, random_state=self.random_state)

    def fit_storage(self, data):
        """Fit a model to a table that is categorical and has no unlabelled rows."""
        numeric = [var.name for var in data.domain.attributes if not var.is_discrete]
        if numeric:
            raise ValueError("These variables are still numeric after discretization: "
                             f"{', '.join(numeric)}.")
        y, weights = class_codes(data), row_weights(data)
        if not len(y) or weights is not None and not weights.any():
            raise ValueError("There are no rows with a class to learn from.")
        return self._fit_codes(data.domain, dense(data.X), y.astype(np.int64), weights)

    def _fit_codes(self, domain, codes, y, weights):
        raise NotImplementedError

    def score(self, data):
        """Give the importances of attributes, for `score_data`."""
        model = self(data)
        return model.importances, model.domain.attributes


class _OptimizingLearner(_NaiveBayesLearner):
    """Learners that search for weights; `model` is what core calls the model."""

    model = None

    def _check(self):
        if self.objective not in ("mse", "cll"):
            raise ValueError(
                f"The objective must be 'mse' or 'cll', not {self.objective!r}.")
        if not isinstance(self.max_iter, Integral) or self.max_iter < 1:
            raise ValueError("The largest number of iterations, max_iter, must be a "
                             f"whole number above 0, not {self.max_iter!r}.")
        if not isinstance(self.tol, Real) or not self.tol >= 0:
            raise ValueError("The largest derivative that passes for zero, tol, must "
                             f"be a number of 0 or more, not {self.tol!r}.")
        self.discretizer()

    def _fit_codes(self, domain, codes, y, weights):
        tables = fit_tables(codes, y, len(domain.class_var.values), weights)
        objective = RowObjective(tables, tables.encode(codes), y, weights,
                                 model=self.model, objective=self.objective)
        progress = wrap_callback(_progress.get(), start=0.1)
        found = minimize_objective(
            objective, self.max_iter, self.tol,
            lambda n_iter, _: progress(n_iter / self.max_iter))
        model = self.__returns__(domain, tables, found.weights, found.class_weights,
                                 found.alpha)
        # No ConvergenceWarning: 100 iterations are the authors' choice, and a
        # cross-validation would repeat it for each fold
        model.converged, model.n_iter = found.converged, found.n_iter
        model.loss, model.loss_history = found.loss, found.loss_history
        return model


class RNBLearner(_OptimizingLearner):
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

    def __init__(self, discretization="MDLP", unlabelled=None, objective="mse",
                 max_iter=100, tol=1e-7, random_state=0, preprocessors=None):
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


class RNBPlusLearner(_OptimizingLearner):
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

    def __init__(self, k="auto", n0=2000, normalize=True, unlabelled=None,
                 objective="mse", max_iter=100, tol=1e-7, random_state=0,
                 preprocessors=None):
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

    def discretizer(self):
        return SADDDiscretize(self.unlabelled, self.k, self.n0, self.normalize,
                              remove_const=False, random_state=self.random_state)

    @property
    def fitted_parameters(self):
        """Parameters that Parameter Fitter may vary."""
        # It asks for limits of parameters that, like k="auto", are not numbers
        return [self.FittedParameter("k", "Neighbours (k)", int, 1, 31),
                self.FittedParameter("n0", "Rows of MDLP (N0)", int, 1, 10000)]


class AIWNBLearner(_NaiveBayesLearner):
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

    def __init__(self, discretization="MDLP", unlabelled=None,
                 instance_weighting="eager", random_state=0, preprocessors=None):
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
