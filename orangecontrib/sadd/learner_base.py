"""What learners of naive Bayes models have in common.

A learner discretizes whatever is numeric after the user's preprocessors, and drops
rows without a class last: so no preprocessor can break it, and unlabelled rows can
help to discretize. All learners honour weights of rows, can be connected to Rank as
scorers, and leave no trace of the pool of unlabelled rows in the model.
"""

from contextvars import ContextVar
from numbers import Integral, Real

import numpy as np
from Orange.classification import Learner
from Orange.data import DiscreteVariable, Table, Variable
from Orange.data.filter import HasClass
from Orange.preprocess import Preprocess
from Orange.preprocess.score import LearnerScorer
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.bayes.objective import RowObjective
from orangecontrib.sadd.core.bayes.search import minimize_objective
from orangecontrib.sadd.core.bayes.tables import fit_tables
from orangecontrib.sadd.core.exactsums import round_weights
from orangecontrib.sadd.core.types import Callback, Floats
from orangecontrib.sadd.discretize import SADDDiscretize, SharesPool
from orangecontrib.sadd.models import WeightedNaiveBayesModel
from orangecontrib.sadd.tables import class_codes, dense, row_weights

__all__ = ["DiscretizingLearner", "OptimizingLearner"]

# Orange passes the progress callback to preprocessing, but not to fitting
_progress = ContextVar("progress", default=dummy_callback)


class DiscretizingLearner(SharesPool, Learner, LearnerScorer):
    """What all learners have in common."""

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
        token = _progress.set(progress_callback or dummy_callback)
        try:
            return super().__call__(data, progress_callback)
        finally:
            _progress.reset(token)

    def preprocess(self, data: Table, progress_callback: Callback | None = None
                   ) -> Table:
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

    def discretizer(self) -> Preprocess:
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

    def fit_storage(self, data: Table) -> WeightedNaiveBayesModel:
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

    def score(self, data: Table) -> tuple[Floats, tuple[Variable, ...]]:
        """Give the importances of attributes, for `score_data`."""
        model = self(data)
        return model.importances, model.domain.attributes


class OptimizingLearner(DiscretizingLearner):
    """Learners that search for weights; `model` is what core calls the model."""

    model: str

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
        weights = round_weights(weights)
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
