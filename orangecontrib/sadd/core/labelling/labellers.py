"""Labellers, which predict pseudo-labels: neighbours, any classifier, or a committee.

The paper's M (section 3.3.1) may be a single classifier or several. Each of them is
fitted to the labelled rows in a `Space` of numbers, and returns probabilities.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from orangecontrib.sadd.core.labelling.neighbours import MOST_SCORED, Neighbours
from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore, PseudoLabels
from orangecontrib.sadd.core.labelling.search import project
from orangecontrib.sadd.core.labelling.space import Space
from orangecontrib.sadd.core.threads import one_blas_thread, part_of
from orangecontrib.sadd.core.types import (
    Callback,
    LabellerLike,
    NeighbourCount,
    RandomState,
)

__all__ = ["COMMITTEE", "Labeller", "check_labeller", "committee", "label",
           "score_labellers"]

COMMITTEE = "committee"

# Parts of labelled rows for the score of a labeller, and trees of a committee in each
# part. The score then takes no longer than the committee itself.
N_FOLDS = 5
N_SCORED_TREES = 20


def committee(n_trees=100):
    """Return the classifiers of a committee, not fitted."""
    # Threads make trees of few rows slower, and race for the filters of warnings
    return [LogisticRegression(C=1., max_iter=1000),
            ExtraTreesClassifier(n_trees, random_state=0, n_jobs=1)]


def check_labeller(labeller):
    """Raise a ValueError if this cannot be a labeller."""
    if isinstance(labeller, str):
        usable = labeller in ("neighbours", COMMITTEE)
    else:
        members = labeller if isinstance(labeller, list | tuple) else [labeller]
        usable = len(members) > 0 and all(
            hasattr(member, "fit") and hasattr(member, "predict_proba")
            and not isinstance(member, type) for member in members)
    if not usable:
        raise ValueError(
            "The labeller must be 'neighbours', 'committee', a classifier with "
            f"predict_proba, or a list of such classifiers, not {labeller!r}.")


def label(rows: Any, labeller: LabellerLike = "neighbours", *,
          k: NeighbourCount = "auto", standardize: bool = True,
          max_labelled: int | None = None, random_state: RandomState = 0,
          scored: bool = True, callback: Callback | None = None) -> PseudoLabels:
    """
    Predict labels of unlabelled rows.

    Parameters
    ----------
    rows : Rows or DaskRows
        Some of them are labelled.
    labeller : "neighbours", "committee", classifier, or list of classifiers
        See `Labeller`.
    k, standardize, random_state
        See `Labeller`.
    max_labelled : int or None
        Maximum number of labelled rows, drawn at random, that the labeller learns from.
    scored : bool
        Whether to estimate the accuracy of the labeller, which takes as long again. If
        not, only a choice depends on the labels, and a committee has 20 trees.
    callback : callable, optional
        Called with the fraction done. May raise an exception to stop the work.

    Returns
    -------
    PseudoLabels
        In the order of the unlabelled rows.
    """
    made = _make(rows, labeller, callback, k=k, standardize=standardize,
                 max_labelled=max_labelled, random_state=random_state)
    score = made.score(part_of(callback, 0, 0)) if scored else None
    return replace(rows.predict(made.fit(scored), callback), score=score)


def score_labellers(rows: Any, labellers: Sequence[LabellerLike],
                    callback: Callback | None = None, **parameters: Any
                    ) -> list[LabellerScore]:
    """
    Estimate the accuracy of labellers on labelled rows, as `label` does.

    Neighbours leave out one row at a time; k is chosen without this row. Other
    labellers leave out one of five parts, which are the same for all of them. A
    committee then has 20 trees. If there are more than 2,000 labelled rows, a sample
    of them is left out.

    Parameters
    ----------
    rows : Rows or DaskRows
    labellers : sequence
        Each as for `label`.
    callback : callable, optional
        Called with the fraction done. May raise an exception to stop the work.
    **parameters
        As for `label`.
    """
    scores = []
    for index, labeller in enumerate(labellers):
        done = index / len(labellers)
        made = _make(rows, labeller, part_of(callback, done, done), **parameters)
        scores.append(made.score(part_of(callback, done, done)))
    return scores


def _make(rows, labeller, callback, *, max_labelled=None, random_state=0, **parameters):
    """Return a labeller that is not fitted to the labelled rows yet."""
    X, classes, weights = rows.labelled_rows(max_labelled, random_state)
    unlabelled = None if labeller == "neighbours" else rows.unlabelled_rows()
    return Labeller(
        labeller, X, classes, len(rows.labels.classes), categorical=rows.categorical,
        weights=weights, unlabelled=unlabelled, random_state=random_state,
        callback=part_of(callback, 0, 0), **parameters)


class Labeller:
    """
    Predicts labels, once it is fitted to labelled rows.

    Parameters
    ----------
    labeller : "neighbours", "committee", classifier, or list of classifiers
        A committee averages the probabilities of logistic regression (L2, C = 1) and of
        100 extremely randomized trees. The probabilities of a list of classifiers are
        averaged likewise. A classifier gets standardized numeric columns, one-hot
        categorical columns, and imputed missing values. A `Pipeline` gets the numbers
        and codes unchanged.
    X : ndarray of float64, shape (n_rows, n_features)
        Labelled rows; NaN where a value is missing, codes in categorical columns.
    classes : ndarray of int, shape (n_rows,)
    n_classes : int
    categorical : ndarray of bool, shape (n_features,), optional
    weights : ndarray of float64, shape (n_rows,), optional
        Classifiers that cannot use weights ignore them.
    unlabelled : tuple of ndarray, optional
        Unlabelled rows and their weights. For classifiers, columns are standardized by
        these and the labelled rows together; for neighbours, as published, by labelled
        rows alone.
    k, standardize, random_state, callback
        As for `Neighbours` and `Space`; `k` is for neighbours only.

    Attributes
    ----------
    k : int or None
        Number of neighbours; None for other labellers.
    k_scores : dict
        As for `Neighbours`.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.], [1.], [8.], [9.]]), np.array([0, 0, 1, 1])
    >>> labeller = Labeller("neighbours", X, y, 2, k=1)
    >>> labeller.fit().predict(np.array([[2.], [7.]])).classes, labeller.score()
    (array([0, 1]), LabellerScore(right=4, total=4))
    """

    def __init__(self, labeller, X, classes, n_classes, *, categorical=None,
                 weights=None, unlabelled=None, k="auto", standardize=True,
                 random_state=0, callback=None):
        if categorical is None:
            categorical = np.zeros(X.shape[1], dtype=bool)
        self.n_classes, self.k, self.k_scores = n_classes, None, {}
        self._neighbours, self._random_state = None, random_state
        weights = np.ones(len(X)) if weights is None else weights
        # Not even the sums behind mean and deviation may depend on the order of rows
        if labeller == "neighbours":
            order = np.argsort(project(X), kind="stable")
            X, classes, weights = X[order], classes[order], weights[order]
            self._space = Space(X, categorical, standardize, weights)
            self._neighbours = found = Neighbours(
                self._space(X), classes, n_classes, weights, k=k,
                random_state=random_state, callback=callback)
            self.k, self.k_scores = found.k, found.k_scores
            return
        order = np.lexsort((project(X), classes))
        X, classes, weights = X[order], classes[order], weights[order]
        others, their_weights = unlabelled or (X[:0], weights[:0])
        self._space = Space(np.concatenate((X, others)), categorical, standardize,
                            np.append(weights, their_weights))
        self._rows = X, self._space(X), classes, weights
        if isinstance(labeller, str):
            self._members, self._scored = committee(), committee(N_SCORED_TREES)
        else:
            self._members = self._scored = list(labeller) \
                if isinstance(labeller, list | tuple) else [labeller]

    def fit(self, full=True):
        """
        Fit the classifiers; neighbours need none. Return the labeller.

        A committee that is not `full` has 20 trees.
        """
        if self._neighbours is None:
            self._members = self._fit(
                self._members if full else self._scored, slice(None))
        return self

    def score(self, callback=None):
        """Return the `LabellerScore`, see `score_labellers`."""
        if self._neighbours is not None:
            return LabellerScore(*self._neighbours.score(callback))
        X, points, classes, _ = self._rows
        right, parts = 0, _parts(classes, self._random_state)
        for test in parts if len(X) > 1 else []:
            train = np.setdiff1d(np.concatenate(parts), test)
            proba = self._mean_proba(
                self._fit(self._scored, train), points[test], X[test])
            right += int(np.sum(proba.argmax(axis=1) == classes[test]))
            if callback is not None:
                callback(0.)
        return LabellerScore(right, sum(map(len, parts)))

    def predict(self, X, callback=None):
        """
        Label rows.

        Parameters
        ----------
        X : ndarray of float64, shape (n_rows, n_features)
        callback : callable, optional
            Called with the fraction done. May raise an exception to stop the work.

        Returns
        -------
        PseudoLabels
        """
        points = self._space(X)
        if self._neighbours is not None:
            found = self._neighbours.predict(points, callback)
        else:
            proba = self._mean_proba(self._members, points, X, callback)
            found = proba, proba.argmax(axis=1)
        return PseudoLabels(*found, self.k, self.k_scores)

    def _fit(self, members, rows):
        X, points, classes, weights = self._rows
        return [_fit_member(member, (X if _takes_raw(member) else points)[rows],
                            classes[rows], weights[rows]) for member in members]

    def _mean_proba(self, members, points, X, callback=None):
        total = np.zeros((len(X), self.n_classes))
        for index, member in enumerate(members):
            if len(X):
                total[:, member.classes_] += member.predict_proba(
                    X if _takes_raw(member) else points)
            if callback is not None:
                callback((index + 1) / len(members))
        return total / len(members)


def _takes_raw(member):
    return isinstance(member, Pipeline) or getattr(member, "takes_raw", False)


def _fit_member(member, rows, classes, weights):
    """Return a fitted copy of a classifier, or a dummy for a single class."""
    if np.all(classes == classes[0]):
        return DummyClassifier().fit(rows, classes)
    parameters = {}
    if not np.all(weights == 1) and has_fit_parameter(member, "sample_weight"):
        parameters["sample_weight"] = weights
    # On products as small as these, threads wait longer than they compute
    with one_blas_thread():
        return clone(member).fit(rows, classes, **parameters)


def _parts(classes, random_state):
    """Return rows that are left out together to score a labeller, stratified."""
    rows = check_random_state(random_state).permutation(len(classes))[:MOST_SCORED]
    rows = rows[np.argsort(classes[rows], kind="stable")]
    n_parts = min(N_FOLDS, len(rows))
    return [rows[part::n_parts] for part in range(n_parts)]
