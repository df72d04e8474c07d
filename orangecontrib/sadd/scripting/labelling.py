"""Pseudo-labels for unlabelled rows of Orange tables."""

from collections.abc import Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import NamedTuple, TypeVar

import numpy as np
from Orange.base import Learner
from Orange.data import DiscreteVariable, Domain, Table, Variable
from sklearn.base import BaseEstimator, ClassifierMixin

from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labelling.labellers import LabellerScore, PseudoLabels
from orangecontrib.sadd.core.types import Callback, Floats, Integers
from orangecontrib.sadd.scripting.tables import Rows

__all__ = ["Labelling", "LabellerError", "LearnerAsClassifier", "label_rows",
           "with_labeller"]

_Labelled = TypeVar("_Labelled", bound=BaseEstimator)


class LabellerError(ValueError):
    """Raised when a user-supplied labeller fails."""


class Labelling(NamedTuple):
    """
    Summary of the pseudo-labels of unlabelled rows.

    Attributes
    ----------
    score : LabellerScore
    k : int or None
        Number of neighbours; None for other labellers.
    n_confident, n_rows : int
        Number of pseudo-labels with enough confidence, and of all pseudo-labels. Rows
        about which nothing is known, and rows without a weight, are left out.
    """

    score: LabellerScore
    k: int | None
    n_confident: int
    n_rows: int

    @classmethod
    def of(cls, labels: PseudoLabels | None, rows: Rows, min_confidence: float = 0
           ) -> "Labelling | None":
        """Return the numbers about pseudo-labels of rows; None if there are none."""
        if labels is None or labels.score is None:
            return None
        data = rows.as_data()
        confidence = labels.confidence[data.weights[~data.labelled] > 0]
        n_confident = np.count_nonzero(confidence >= min_confidence)
        return cls(labels.score, labels.k, int(n_confident), len(confidence)) \
            if len(confidence) else None


class LearnerAsClassifier(ClassifierMixin, BaseEstimator):
    """
    An Orange learner as a scikit-learn classifier.

    Parameters
    ----------
    learner : Learner
    attributes : sequence of Variable
        The columns of the matrices that it is fitted to.

    Examples
    --------
    >>> from Orange.classification import NaiveBayesLearner
    >>> iris = Table("iris")
    >>> classifier = LearnerAsClassifier(NaiveBayesLearner(), iris.domain.attributes)
    >>> classifier.fit(iris.X, iris.Y.astype(int)).predict_proba(iris.X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    #: It preprocesses data itself
    takes_raw = True

    def __init__(self, learner: Learner, attributes: Sequence[Variable] = ()) -> None:
        self.learner = learner
        self.attributes = attributes

    def __sklearn_clone__(self) -> "LearnerAsClassifier":
        # scikit-learn would treat the learner as an estimator: kNN has a `get_params`
        return LearnerAsClassifier(deepcopy(self.learner), self.attributes)

    def fit(self, X: Floats, y: Integers, sample_weight: Floats | None = None
            ) -> "LearnerAsClassifier":
        """Fit the learner to rows and the indices of their classes."""
        self.classes_ = np.unique(y)
        self._domain = Domain(self.attributes, DiscreteVariable(
            "class", [str(label) for label in self.classes_.tolist()]))
        codes = np.searchsorted(self.classes_, y).astype(np.float64)
        table = Table.from_numpy(self._domain, X, codes, W=sample_weight)
        with _failing_as_labeller():
            self._model = self.learner(table)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return the probabilities of classes."""
        table = Table.from_numpy(self._domain, X, np.full(len(X), np.nan))
        with _failing_as_labeller():
            return np.asarray(self._model(table, self._model.Probs))


@contextmanager
def _failing_as_labeller():
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise LabellerError(str(error) or type(error).__name__) from error


def with_labeller(estimator: _Labelled, attributes: Sequence[Variable] = ()
                  ) -> _Labelled:
    """
    Return a copy of an estimator with a labeller for core.

    Orange's learners become classifiers. Neither `clone` nor `set_params` would do:
    they take learners for estimators.
    """
    def wrap(labeller):
        if isinstance(labeller, list | tuple):
            return list(map(wrap, labeller))
        return LearnerAsClassifier(labeller, attributes) \
            if isinstance(labeller, Learner) else labeller

    estimator = copy(estimator)
    if hasattr(estimator, "labeller"):
        estimator.labeller = wrap(estimator.labeller)
    return estimator


def label_rows(rows: Rows, estimator: SADDDiscretizer, callback: Callback | None = None
               ) -> PseudoLabels:
    """
    Predict labels of unlabelled rows.

    The labeller gets all attributes. Sparse tables are made dense for it.

    Parameters
    ----------
    rows : Rows
        Some of them must be labelled.
    estimator : SADDDiscretizer
        Its `labeller`, `k`, `standardize` and `random_state` are used. The labeller may
        also be an Orange learner, or a list of learners.
    callback : callable, optional

    Returns
    -------
    PseudoLabels
        In the order of the unlabelled rows.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.core import SADDDiscretizer
    >>> from orangecontrib.sadd.scripting.tables import read_rows
    >>> iris = Table("iris")
    >>> label_rows(read_rows(iris[::2], iris), SADDDiscretizer(k=3)).classes[[0, 40]]
    array([0, 1])
    """
    return with_labeller(estimator, rows.attributes).label(rows.as_data(), callback)
