"""What all learners of the naive Bayes family have in common.

A learner discretizes whatever is numeric after the user's preprocessors, and drops
rows without a class last: so no preprocessor can break it, and unlabelled rows can
help to discretize. All learners honour weights of rows, can be connected to Rank as
scorers, and leave no trace of the pool of unlabelled rows in the model.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from inspect import signature
from typing import TypeAlias

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
from orangecontrib.sadd.core.types import (
    Callback,
    Floats,
    LabellerLike,
    Missing,
    PoolUse,
)
from orangecontrib.sadd.cutting import Discretized
from orangecontrib.sadd.labelling import Labelling, label_rows
from orangecontrib.sadd.models import AdditiveNaiveBayesModel, WeightedNaiveBayesModel
from orangecontrib.sadd.preprocessors import SADDDiscretize, SharesPool
from orangecontrib.sadd.tables import class_codes, dense, row_weights

__all__ = ["DiscretizingLearner", "Preprocessors"]

Preprocessors: TypeAlias = Preprocess | Sequence[Preprocess] | None

#: Parameters that Parameter Fitter may vary, if a learner has them: title and range
FITTED: tuple[tuple[str, str, int, int], ...] = (
    ("k", "Neighbours (k)", 1, 31),
    ("n0", "Rows of MDLP (N0)", 1, 10000),
    ("min_samples", "Minimum rows", 1, 1000),
    ("max_iter", "Iterations", 1, 1000),
    ("shrinkage", "Shrinkage", 0, 100),
)


@dataclass
class _Call:
    """What Orange does not pass on from a call, or from preprocessing, to fitting."""

    progress: Callback = dummy_callback
    pool: PoolRows | None = None
    labelling: Labelling | None = None


class DiscretizingLearner(SharesPool, Learner, LearnerScorer):
    """
    What all learners have in common.

    `classifier` is that of core whose parameters and model a learner has.
    """

    classifier: type[BayesClassifier]
    discretization: str | Discretization | Preprocess
    __returns__ = WeightedNaiveBayesModel
    supports_weights = True
    preprocessors = ()
    # As a scorer
    feature_type = Variable
    class_type = DiscreteVariable
    # Of a copy that does the work of a call
    _call: _Call | None = None

    def __init__(self, preprocessors: Preprocessors, unlabelled: Table | None,
                 random_state: int, *, labeller: LabellerLike, min_confidence: float,
                 pool_use: PoolUse, min_samples: float | None,
                 max_intervals: int | None, missing: Missing) -> None:
        super().__init__(preprocessors)
        self.unlabelled = unlabelled
        self.random_state = random_state
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.pool_use = pool_use
        self.min_samples = min_samples
        self.max_intervals = max_intervals
        self.missing = missing

    @property
    def params(self) -> dict[str, object]:
        """Arguments that make an equal learner; for Parameter Fitter."""
        return {name: getattr(self, name) for name, _ in self._reprable_fields()}

    @property
    def fitted_parameters(self) -> list:
        """Parameters that Parameter Fitter may vary."""
        # It asks for limits of parameters that, like k="auto", are not numbers
        return [self.FittedParameter(name, title, int, lowest, highest)
                for name, title, lowest, highest in FITTED if name in self.params]

    def __call__(self, data: Table, progress_callback: Callback | None = None
                 ) -> WeightedNaiveBayesModel:
        learner = copy(self)  # a call leaves no trace in the learner
        learner._call = _Call(progress_callback or dummy_callback)
        model = super(DiscretizingLearner, learner).__call__(data, progress_callback)
        model.labelling = learner._call.labelling
        return model

    def preprocess(self, data: Table, progress_callback: Callback | None = None
                   ) -> Table:
        """Apply the user's preprocessors, discretize, and drop unlabelled rows."""
        if progress_callback is None:
            progress_callback = dummy_callback
        data = super().preprocess(data, wrap_callback(progress_callback, end=0.1))
        rest = wrap_callback(progress_callback, start=0.1)
        discretize, call = self.discretizer(), self._call or _Call()
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
        return SADDDiscretize(method=self.discretization, remove_const=False,
                              **self._parameters_of(SADDDiscretize))

    def fit_storage(self, data: Table) -> WeightedNaiveBayesModel:
        """Fit a model to a table that is categorical and has no unlabelled rows."""
        numeric = [var.name for var in data.domain.attributes if not var.is_discrete]
        if numeric:
            raise ValueError("These variables are still numeric after discretization: "
                             f"{', '.join(numeric)}.")
        y, weights = class_codes(data), row_weights(data)
        if not len(y) or weights is not None and not weights.any():
            raise ValueError("There are no rows with a class to learn from.")
        # Some preprocessors impute the mean of a categorical attribute, which Orange
        # shows, and models predict, as the value that it is rounded down to
        rows = RowsInMemory(np.floor(dense(data.X)), y.astype(np.int64),
                            len(data.domain.class_var.values), weights,
                            self._pool(data.domain))
        # No ConvergenceWarning: 100 iterations are the authors' choice, and a
        # cross-validation would repeat it for each fold
        fitted = self._estimator().fit_rows(
            rows, wrap_callback((self._call or _Call()).progress, start=0.1))
        # A model need not remember the weights of its training rows
        fitted = replace(fitted, instance_weights=None)
        if fitted.additive:
            return AdditiveNaiveBayesModel(data.domain, fitted)
        return WeightedNaiveBayesModel(data.domain, fitted)

    def _pool(self, domain):
        """Return the pool of this call, with shares of all classes."""
        pool = (self._call or _Call()).pool
        if pool is None or pool.codes.shape[1] != len(domain.attributes):
            return None
        n_more = len(domain.class_var.values) - pool.shares.shape[1]
        return pool._replace(shares=np.pad(pool.shares, ((0, 0), (0, n_more))))

    def _estimator(self):
        """Return the classifier of core with the parameters of this learner."""
        return self.classifier(**self._parameters_of(self.classifier))

    def _parameters_of(self, cls):
        """Return the parameters that this learner and a class have in common."""
        names = signature(cls).parameters
        return {name: value for name, value in vars(self).items() if name in names}

    def _check_parameters(self):
        """Raise a ValueError that says what is wrong with a parameter, if any is."""
        self._estimator().check_parameters()
        discretizer = self.discretizer()
        if self.pool_use == "counts" and not getattr(
                discretizer, "uses_unlabelled", False):
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
