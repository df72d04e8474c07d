"""Pseudo-labels for unlabelled rows of Orange tables."""

from collections.abc import Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import TypeVar

import numpy as np
from Orange.base import Learner
from Orange.data import DiscreteVariable, Domain, Table, Variable
from sklearn.base import BaseEstimator, ClassifierMixin

from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.labelling import labellers as core
from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore, PseudoLabels
from orangecontrib.sadd.core.labels import find_obstacle
from orangecontrib.sadd.core.rows import Rows
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import (
    Callback,
    Floats,
    Integers,
    LabellerLike,
    NeighbourCount,
)

__all__ = ["LabellerError", "LearnerAsClassifier", "label_rows", "score_labellers",
           "summarize", "with_labeller"]

_Labelled = TypeVar("_Labelled", bound=BaseEstimator)


class LabellerError(ValueError):
    """Raised when a user-supplied labeller fails."""


def summarize(labels: PseudoLabels | None, rows: Rows, min_confidence: float = 0
              ) -> PseudoLabels | None:
    """
    Return the numbers about pseudo-labels of rows, for windows and models.

    Parameters
    ----------
    labels : PseudoLabels or None
    rows : Rows
        Rows about which nothing is known, and rows without a weight, do not count.
    min_confidence : float

    Returns
    -------
    PseudoLabels or None
        Without probabilities; None if no row counts.
    """
    if labels is None or labels.score is None:
        return None
    counted = (rows.weights > 0) & ~rows.unknown
    found = labels.summary(counted[~rows.labelled], min_confidence)
    return found if found.n_rows else None


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


def as_labeller(labeller: LabellerLike, attributes: Sequence[Variable]
                ) -> LabellerLike:
    """Return a labeller for core: Orange's learners become classifiers."""
    if isinstance(labeller, list | tuple):
        return [as_labeller(member, attributes) for member in labeller]
    return LearnerAsClassifier(labeller, attributes) \
        if isinstance(labeller, Learner) else labeller


def with_labeller(estimator: _Labelled, attributes: Sequence[Variable] = ()
                  ) -> _Labelled:
    """
    Return a copy of an estimator with a labeller for core.

    Neither `clone` nor `set_params` would do: they take learners for estimators.
    """
    estimator = copy(estimator)
    if hasattr(estimator, "labeller"):
        estimator.labeller = as_labeller(estimator.labeller, attributes)
    return estimator


def score_labellers(rows: Rows, labellers: Sequence[LabellerLike], *,
                    k: NeighbourCount = "auto", standardize: bool = True,
                    random_state: int = 0, callback: Callback | None = None
                    ) -> list[LabellerScore]:
    """
    Estimate the accuracy of labellers on the labelled rows of a table.

    The score is that of `PseudoLabels` for the same rows and parameters.

    Parameters
    ----------
    rows : Rows
        Some of them must be labelled.
    labellers : sequence
        Names, learners, classifiers, or lists of them.
    k, standardize, random_state
        As for `SADD`.
    callback : callable, optional

    Examples
    --------
    >>> from orangecontrib.sadd.scripting.tables import rows_of
    >>> rows = rows_of(Table("iris")[::2], Table("iris"))
    >>> score_labellers(rows, ["neighbours", "committee"])
    [LabellerScore(right=70, total=75), LabellerScore(right=71, total=75)]
    """
    return core.score_labellers(
        rows, as_labeller(list(labellers), rows.variables), callback,
        k=k, standardize=standardize, random_state=random_state)


def label_rows(rows: Rows, estimator: Discretizer, callback: Callback | None = None
               ) -> PseudoLabels | None:
    """
    Predict labels of unlabelled rows.

    The labeller gets all attributes. Sparse tables are made dense for it.

    Parameters
    ----------
    rows : Rows
    estimator : Discretizer
        If it is SADD, its `labeller`, `k`, `standardize` and `random_state` are used.
        The labeller may also be an Orange learner, or a list of learners.
    callback : callable, optional

    Returns
    -------
    PseudoLabels or None
        In the order of the unlabelled rows. None if there are none, if the method does
        not use them, or if rows cannot be cut.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.core import SADDDiscretizer
    >>> from orangecontrib.sadd.scripting.tables import rows_of
    >>> iris = Table("iris")
    >>> label_rows(rows_of(iris[::2], iris), SADDDiscretizer(k=3)).classes[[0, 40]]
    array([0, 1])
    """
    if not estimator.uses_unlabelled or not rows.labels.n_unlabelled \
            or find_obstacle(rows.labels, rows.categorical, estimator):
        return None
    with use_threads():
        return with_labeller(estimator, rows.variables).label(rows, callback)
