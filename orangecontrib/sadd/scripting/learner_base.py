"""Base classes of the learners.

A learner of the naive Bayes family applies the user's preprocessors and discretizes the
remaining numeric attributes. It drops rows without a class last. So unlabelled rows can
help to discretize. All learners use weights of rows and can be connected to Rank as
scorers. A model does not keep the pool of unlabelled rows.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import field, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np
from Orange.classification import Learner
from Orange.data import DiscreteVariable, Table, Variable
from Orange.data.filter import HasClass
from Orange.preprocess import Preprocess
from Orange.preprocess.score import LearnerScorer
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.additive.fitting import CodedRows
from orangecontrib.sadd.core.classifier_base import BayesClassifier, Classifier
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.parameters import (
    parameter,
    select,
    shared_parameters,
    takes,
)
from orangecontrib.sadd.core.types import Callback, Floats
from orangecontrib.sadd.core.validation import dense
from orangecontrib.sadd.scripting.discretize import DiscretizerLike, check_discretizer
from orangecontrib.sadd.scripting.models import (
    AdditiveNaiveBayesModel,
    WeightedNaiveBayesModel,
)
from orangecontrib.sadd.scripting.preprocessors import (
    SADDDiscretize,
    SharesPool,
    discretize,
)
from orangecontrib.sadd.scripting.tables import class_codes, row_weights

__all__ = ["DiscretizingLearner", "PoolLearner", "Preprocessors"]

Preprocessors: TypeAlias = Preprocess | Sequence[Preprocess] | None


@takes()
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
    _progress = staticmethod(dummy_callback)
    _labelling: PseudoLabels | None = field(default=None, init=False)

    discretizer: DiscretizerLike | Preprocess = parameter(
        "MDLP", [], "str, Discretizer, Discretization or Preprocess",
        "Discretization of numeric attributes: the name of a method, or an object with "
        "parameters of its own.")
    unlabelled: Table | None = parameter(
        None, [], "Table, optional",
        "Unlabelled rows, besides those without a class; see `SADDDiscretize`.")
    preprocessors: Preprocessors = parameter(
        (), [], "Preprocess or sequence of Preprocess, optional", "Applied first.",
        kw_only=True)

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
        return [self.FittedParameter(name, found.title, int, *found.fitted)
                for name, found in shared_parameters(type(self)).items()
                if found.fitted]

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
        return self.classifier(**select(self.classifier, vars(self)))

    def score(self, data: Table) -> tuple[Floats, tuple[Variable, ...]]:
        """Return the importances of attributes, for `score_data`."""
        model = self(data)
        return model.importances, model.domain.attributes


class DiscretizingLearner(PoolLearner):
    """Base class of the learners of the naive Bayes family."""

    classifier: ClassVar[type[BayesClassifier]]
    __returns__ = WeightedNaiveBayesModel

    def __init_subclass__(cls, core: type[BayesClassifier] | None = None) -> None:
        if core is not None:
            cls.classifier = core
            # Others make sense only if it is certain that the discretizer is SADD
            takes(core, SADDDiscretizer, without=("k", "n0", "standardize"))(cls)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.discretizer, Preprocess):
            check_discretizer(self.discretizer, vars(self))
        elif self.unlabelled is not None:
            raise ValueError(
                "A discretization that is a preprocessor has its own unlabelled data; "
                "give them to the preprocessor, not to the learner.")

    def preprocess(self, data: Table, progress_callback: Callback | None = None
                   ) -> Table:
        """Apply the user's preprocessors, discretize, and drop unlabelled rows."""
        if progress_callback is None:
            progress_callback = dummy_callback
        data = super().preprocess(data, wrap_callback(progress_callback, end=0.1))
        step, values = self.discretizer, {**vars(self), "remove_const": False}
        if isinstance(step, SADDDiscretize):
            step, values = step.method, vars(step)
        if not data.domain.has_continuous_attributes():
            pass
        elif isinstance(step, Preprocess):
            data = step(data)
        else:
            # Attributes with a single interval are kept: models are those of core
            data, self._labelling = discretize(
                data, step, values, wrap_callback(progress_callback, start=0.1))
        return HasClass()(data)

    def fit_storage(self, data: Table) -> WeightedNaiveBayesModel:
        """Fit a model to a table that is categorical and has no unlabelled rows."""
        numeric = [var.name for var in data.domain.attributes if not var.is_discrete]
        if numeric:
            raise ValueError("These variables are still numeric after discretization: "
                             f"{', '.join(numeric)}.")
        # Codes may be means, see `rows_of`
        rows = CodedRows(
            np.floor(dense(data.X)), class_codes(data).astype(np.int64),
            len(data.domain.class_var.values), row_weights(data))
        if not rows.weights.any():
            raise ValueError("There are no rows with a class to learn from.")
        # No ConvergenceWarning: 100 iterations are the authors' choice, and a
        # cross-validation would repeat the warning for each fold
        fitted = self._estimator().fit_model(
            rows, wrap_callback(self._progress, start=0.1))
        # A model does not need the weights of its training rows
        fitted = replace(fitted, instance_weights=None)
        if fitted.additive:
            return AdditiveNaiveBayesModel(data.domain, fitted)
        return WeightedNaiveBayesModel(data.domain, fitted)
