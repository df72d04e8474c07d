"""Orange learners that lend labels to unlabelled rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from Orange.base import Learner
from Orange.data import DiscreteVariable, Domain, Table, Variable
from sklearn.base import BaseEstimator, ClassifierMixin

from orangecontrib.sadd.core.types import Floats, Integers

__all__ = ["LearnerAsClassifier", "as_labeller", "is_learner"]


class LearnerAsClassifier(ClassifierMixin, BaseEstimator):
    """
    An Orange learner as a scikit-learn classifier.

    Parameters
    ----------
    learner : Learner
    attributes : sequence of Variable
        The columns of the matrices that it is given.

    Examples
    --------
    >>> from Orange.classification import NaiveBayesLearner
    >>> iris = Table("iris")
    >>> classifier = LearnerAsClassifier(NaiveBayesLearner(), iris.domain.attributes)
    >>> classifier.fit(iris.X, iris.Y.astype(int)).predict_proba(iris.X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    #: It preprocesses for itself
    sees_raw = True

    def __init__(self, learner: Learner, attributes: Sequence[Variable] = ()) -> None:
        self.learner = learner
        self.attributes = attributes

    def fit(self, X: Floats, y: Integers, sample_weight: Floats | None = None
            ) -> "LearnerAsClassifier":
        """Fit the learner to rows and the indices of their classes."""
        self.classes_ = np.unique(y)
        self._domain = Domain(self.attributes, DiscreteVariable(
            "class", [str(label) for label in self.classes_.tolist()]))
        codes = np.searchsorted(self.classes_, y).astype(np.float64)
        self._model = self.learner(Table.from_numpy(
            self._domain, X, codes, W=sample_weight))
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return the probabilities of classes."""
        table = Table.from_numpy(self._domain, X, np.full(len(X), np.nan))
        return np.asarray(self._model(table, self._model.Probs))


def is_learner(labeller: Any) -> bool:
    """Return whether this is an Orange learner."""
    return isinstance(labeller, Learner)


def as_labeller(labeller: Any, attributes: Sequence[Variable]) -> Any:
    """Return what core takes for a labeller; Orange learners become classifiers."""
    if is_learner(labeller):
        return LearnerAsClassifier(labeller, attributes)
    if isinstance(labeller, list | tuple):
        return [as_labeller(member, attributes) for member in labeller]
    return labeller
