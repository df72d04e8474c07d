"""Base classes of the learners.

A learner of the naive Bayes family applies the user's preprocessors and discretizes the
remaining numeric attributes. It drops rows without a class last. So unlabelled rows can
help to discretize. All learners use weights of rows and can be connected to Rank as
scorers. A model does not keep the pool of unlabelled rows.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, ClassVar, TypeAlias

import numpy as np
from Orange.classification import Learner
from Orange.data import DiscreteVariable, Table, Variable
from Orange.data.filter import HasClass
from Orange.preprocess import Preprocess
from Orange.preprocess.discretize import Discretization
from Orange.preprocess.score import LearnerScorer
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.additive.fitting import RowsInMemory
from orangecontrib.sadd.core.classifier_base import BayesClassifier, Classifier
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.types import Callback, Floats, LabellerLike, Missing
from orangecontrib.sadd.scripting.models import (
    AdditiveNaiveBayesModel,
    WeightedNaiveBayesModel,
)
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize, SharesPool
from orangecontrib.sadd.scripting.tables import class_codes, dense, row_weights

__all__ = ["DiscretizerLike", "DiscretizingLearner", "PoolLearner", "Preprocessors"]

Preprocessors: TypeAlias = Preprocess | Sequence[Preprocess] | None
#: The name of a method, or an object
DiscretizerLike: TypeAlias = str | Discretization | Preprocess

#: Parameters that Parameter Fitter may vary, if a learner has them: title and range
FITTED: tuple[tuple[str, str, int, int], ...] = (
    ("k", "Neighbours (k)", 1, 31),
    ("n0", "Rows of MDLP (N0)", 1, 10000),
    ("min_samples", "Minimum rows", 1, 1000),
    ("pairs", "Pairs", 0, 40),
    ("smoothness", "Smoothness", 0, 10),
    ("max_iter", "Iterations", 1, 1000),
)


class PoolLearner(SharesPool, Learner, LearnerScorer):
    """
    Base class of all learners.

    `classifier` is the class of core with the parameters and the model of a learner.
    """

    classifier: ClassVar[type[Classifier]]
    # Weights are honoured. But Orange's AdaBoost, which asks for this, accepts only
    # learners that wrap estimators of scikit-learn.
    supports_weights = False
    # As a scorer
    feature_type = Variable
    class_type = DiscreteVariable
    # Set in the copy that a call works with
    _progress: Callback = staticmethod(dummy_callback)
    _labelling: PseudoLabels | None = None
    # Of all learners
    discretizer: Any
    unlabelled: Table | None

    def __post_init__(self) -> None:
        # Orange stores preprocessors as a tuple
        super().__init__(self.__dict__.pop("preprocessors"))
        # Wrong parameters raise a ValueError at once
        self._estimator().check_parameters()

    @property
    def params(self) -> dict[str, object]:
        """Arguments that make an equal learner; for Parameter Fitter."""
        return {name: getattr(self, name) for name, _ in self._reprable_fields()}

    @property
    def fitted_parameters(self) -> list:
        """Parameters that Parameter Fitter may vary."""
        # It needs limits of parameters that, like k="auto", are not numbers
        return [self.FittedParameter(name, title, int, lowest, highest)
                for name, title, lowest, highest in FITTED if name in self.params]

    def __call__(self, data: Table, progress_callback: Callback | None = None
                 ) -> Any:
        learner = copy(self)  # a call does not change the learner
        if progress_callback is not None:
            learner._progress = progress_callback
        model = super(PoolLearner, learner).__call__(data, progress_callback)
        model.labelling = learner._labelling
        return model

    def _estimator(self):
        """Return the classifier of core with the parameters of this learner."""
        return self.classifier(**self._parameters_of(self.classifier))

    def _parameters_of(self, cls):
        """Return the parameters that mean the same for this learner and a class."""
        # Orange's discretizers are other objects than those of core
        names = set(signature(cls).parameters) - {"discretizer"}
        return {name: value for name, value in vars(self).items() if name in names}

    def score(self, data: Table) -> tuple[Floats, tuple[Variable, ...]]:
        """Return the importances of attributes, for `score_data`."""
        model = self(data)
        return model.importances, model.domain.attributes


@dataclass(repr=False, eq=False, kw_only=True)
class DiscretizingLearner(PoolLearner):
    """Base class of the learners of the naive Bayes family."""

    classifier: ClassVar[type[BayesClassifier]]
    __returns__ = WeightedNaiveBayesModel

    random_state: int = 0
    preprocessors: Preprocessors = ()
    labeller: LabellerLike = "neighbours"
    min_confidence: float = 0
    min_samples: float | None = None
    max_intervals: int | None = None
    missing: Missing = "ignore"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preprocessor()

    def preprocess(self, data: Table, progress_callback: Callback | None = None
                   ) -> Table:
        """Apply the user's preprocessors, discretize, and drop unlabelled rows."""
        if progress_callback is None:
            progress_callback = dummy_callback
        data = super().preprocess(data, wrap_callback(progress_callback, end=0.1))
        discretize = self.preprocessor()
        if data.domain.has_continuous_attributes():
            if isinstance(discretize, SADDDiscretize):
                data, self._labelling = discretize.discretize(
                    data, wrap_callback(progress_callback, start=0.1))
            else:
                data = discretize(data)
        return HasClass()(data)

    def preprocessor(self) -> Preprocess:
        """Return the preprocessor that discretizes the remaining numeric attributes."""
        if isinstance(self.discretizer, Preprocess):
            if self.unlabelled is not None:
                raise ValueError(
                    "A discretization that is a preprocessor has its own unlabelled "
                    "data; give them to the preprocessor, not to the learner.")
            return self.discretizer
        # Models are those of core, which keeps attributes with a single interval
        return SADDDiscretize(method=self.discretizer, remove_const=False,
                              **self._parameters_of(SADDDiscretize))

    def fit_storage(self, data: Table) -> WeightedNaiveBayesModel:
        """Fit a model to a table that is categorical and has no unlabelled rows."""
        numeric = [var.name for var in data.domain.attributes if not var.is_discrete]
        if numeric:
            raise ValueError("These variables are still numeric after discretization: "
                             f"{', '.join(numeric)}.")
        # Codes may be means, see `read_rows`
        rows = RowsInMemory(
            np.floor(dense(data.X)), class_codes(data).astype(np.int64),
            len(data.domain.class_var.values), row_weights(data))
        if not rows.weights.any():
            raise ValueError("There are no rows with a class to learn from.")
        # No ConvergenceWarning: 100 iterations are the authors' choice, and a
        # cross-validation would repeat the warning for each fold
        fitted = self._estimator().fit_rows(
            rows, wrap_callback(self._progress, start=0.1))
        # A model does not need the weights of its training rows
        fitted = replace(fitted, instance_weights=None)
        if fitted.additive:
            return AdditiveNaiveBayesModel(data.domain, fitted)
        return WeightedNaiveBayesModel(data.domain, fitted)
