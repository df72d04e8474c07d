"""Labellers, which predict pseudo-labels: neighbours, any classifier, or a committee.

The paper's M (section 3.3.1) may be a single classifier or several. Each of them is
fitted to the labelled rows in a `Space` of numbers, and returns probabilities.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from orangecontrib.sadd.core.labelling.neighbours import (
    MOST_SCORED,
    Neighbours,
    own_order,
)
from orangecontrib.sadd.core.labels import UNLABELLED
from orangecontrib.sadd.core.threads import one_blas_thread

__all__ = ["COMMITTEE", "Labeller", "LabellerScore", "PseudoLabels", "Space",
           "check_labeller", "committee"]

COMMITTEE = "committee"

# Parts of labelled rows for the score of a labeller, and trees of a committee in each
# part. The score then takes no longer than the committee itself.
N_FOLDS = 5
N_SCORED_TREES = 20

# Squares of larger numbers might overflow
HUGE = 1e100

# Maximum distance of a value from labelled rows, in units of their range
FAR = 1e6


class LabellerScore(NamedTuple):
    """
    Number of labelled rows that a labeller predicts correctly when they are left out.

    Attributes
    ----------
    right, total : int
    """

    right: int
    total: int


@dataclass(frozen=True, eq=False)
class PseudoLabels:
    """
    Pseudo-labels of unlabelled rows.

    Attributes
    ----------
    proba : ndarray of float64, shape (n_rows, n_classes)
    k, k_scores, score
        Of the `Labeller`.
    """

    proba: np.ndarray
    k: int | None = None
    k_scores: dict = field(default_factory=dict)
    score: LabellerScore | None = None

    @property
    def classes(self):
        """The most likely class of each row; ties go to the first."""
        return self.proba.argmax(axis=1)

    @property
    def confidence(self):
        """Its probability."""
        return self.proba.max(axis=1, initial=0)

    def used_classes(self, min_confidence):
        """Return the classes; `UNLABELLED` where the confidence is too low."""
        return np.where(self.confidence >= min_confidence, self.classes, UNLABELLED)


def committee(n_trees=100):
    """Return the classifiers of a committee, not fitted."""
    return [LogisticRegression(C=1., max_iter=1000),
            ExtraTreesClassifier(n_trees, random_state=0)]


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


class Space:
    """
    Coordinates of rows.

    Numeric columns are standardized if `standardize`, categorical ones are one-hot;
    missing values are the mean or the most frequent category.

    Scikit-learn's scalers and encoders are not used, for three reasons. Weights count
    as repeated rows here. Infinite and very large values must not overflow. The result
    must not depend on the order of rows.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        Rows of which mean, deviation and categories are computed. NaN where missing;
        codes in categorical columns.
    categorical : ndarray of bool, shape (n_features,)
    standardize : bool
    weights : ndarray of float64, optional
    """

    def __init__(self, X, categorical, standardize=True, weights=None):
        weights = np.ones(len(X)) if weights is None else weights
        self.categorical = categorical
        self.lowest, self.highest = _finite_range(X[:, ~categorical])
        magnitude = np.maximum(-self.lowest, self.highest)
        if not standardize:  # a common unit leaves the neighbours as they are
            magnitude = np.full_like(magnitude, magnitude.max(initial=0))
        self.unit = np.where(magnitude > HUGE, magnitude, 1)
        with np.errstate(over="ignore"):
            margin = FAR * (self.highest - self.lowest)
            self.limits = self.lowest - margin, self.highest + margin
        numeric = self._finite(X)
        known = ~np.isnan(numeric)
        mass = weights @ known
        mass[mass == 0] = 1
        self.mean = weights @ np.where(known, numeric, 0) / mass
        self.scale = np.ones(numeric.shape[1])
        if standardize:
            centred = np.where(known, numeric - self.mean, 0)
            self.scale = np.sqrt(weights @ centred ** 2 / mass)
        # A constant column is equally far from all labelled rows. Its deviation may be
        # a rounding error, and division by it would give the column a huge weight.
        self.scale[(self.scale == 0) | (self.lowest == self.highest)] = np.inf
        self.n_values, self.mode = [], []
        for column in X[:, categorical].T:
            some = ~np.isnan(column)
            counts = np.bincount(column[some].astype(int), weights[some], minlength=1)
            self.n_values.append(len(counts))
            self.mode.append(counts.argmax())

    def __call__(self, X):
        """Return the coordinates of rows."""
        numeric = self._finite(X)
        numeric = np.where(np.isnan(numeric), self.mean, numeric)
        parts = [(numeric - self.mean) / self.scale]
        for column, n_values, mode in zip(
                X[:, self.categorical].T, self.n_values, self.mode, strict=True):
            codes = np.where(np.isnan(column), mode, column).astype(int)
            # A new category is equally far from all other categories
            parts.append((codes[:, None] == np.arange(n_values)).astype(np.float64))
        if not X.shape[1]:
            return np.zeros((len(X), 1))  # all rows are in the same place
        return np.ascontiguousarray(np.concatenate(parts, axis=1))

    def _finite(self, X):
        numeric = X[:, ~self.categorical]
        # Infinite values would be infinitely far from each other, and from the mean;
        # squares of values far from all labelled ones would overflow
        return np.where(np.isinf(numeric),
                        np.clip(numeric, self.lowest, self.highest),
                        np.clip(numeric, *self.limits)) / self.unit


def _finite_range(numeric):
    finite = np.isfinite(numeric)
    lowest = np.where(finite, numeric, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(finite, numeric, -np.inf).max(axis=0, initial=-np.inf)
    some = finite.any(axis=0)
    return np.where(some, lowest, 0), np.where(some, highest, 0)


class Labeller:
    """
    Predicts pseudo-labels, once it is fitted to labelled rows.

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
    unlabelled : ndarray of float64, shape (n_unlabelled, n_features), optional
        Unlabelled rows. For classifiers, columns are standardized by these and the
        labelled rows together; for neighbours, as published, by labelled rows alone.
    unlabelled_weights : ndarray of float64, shape (n_unlabelled,), optional
    k, standardize, random_state, callback
        As for `Neighbours` and `Space`; `k` is for neighbours only.

    Attributes
    ----------
    k : int or None
        Number of neighbours; None for other labellers.
    k_scores : dict
        As for `Neighbours`.
    score : LabellerScore
        Neighbours leave out one row at a time, other labellers one of five parts. A
        committee then has 20 trees. A sample is used if there are more than 2,000 rows,
        or 10,000 if neighbours choose k.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.], [1.], [8.], [9.]]), np.array([0, 0, 1, 1])
    >>> labeller = Labeller("neighbours", X, y, 2, k=1)
    >>> labeller(np.array([[2.], [7.]])).classes, labeller.score
    (array([0, 1]), LabellerScore(right=4, total=4))
    """

    def __init__(self, labeller, X, classes, n_classes, *, categorical=None,
                 weights=None, unlabelled=None, unlabelled_weights=None, k="auto",
                 standardize=True, random_state=0, callback=None):
        if categorical is None:
            categorical = np.zeros(X.shape[1], dtype=bool)
        # Not even the sums behind mean and deviation may depend on the order of rows
        order = own_order(X, classes)
        X, classes = X[order], classes[order]
        weights = np.ones(len(X)) if weights is None else weights[order]
        self.n_classes, self.k, self.k_scores = n_classes, None, {}
        self._neighbours = None
        if labeller == "neighbours":
            self._space = Space(X, categorical, standardize, weights)
            self._neighbours = found = Neighbours(
                self._space(X), classes, n_classes, weights, k=k,
                random_state=random_state, callback=callback)
            self.k, self.k_scores = found.k, found.k_scores
            self.score = LabellerScore(*found.score(random_state, callback))
            return
        unlabelled = X[:0] if unlabelled is None else unlabelled
        if unlabelled_weights is None:
            unlabelled_weights = np.ones(len(unlabelled))
        self._space = Space(np.concatenate((X, unlabelled)), categorical, standardize,
                            np.append(weights, unlabelled_weights))
        if isinstance(labeller, str):
            members, scored = committee(), committee(N_SCORED_TREES)
        else:
            members = scored = labeller if isinstance(labeller, list | tuple) \
                else [labeller]
        points = self._space(X)

        def fit(members, rows):
            return [_fit_member(member, (X if _takes_raw(member) else points)[rows],
                                classes[rows], weights[rows]) for member in members]

        self._members = fit(members, slice(None))
        right, parts = 0, _parts(classes, random_state)
        for test in parts if len(X) > 1 else []:
            train = np.setdiff1d(np.concatenate(parts), test)
            proba = self._mean_proba(fit(scored, train), points[test], X[test])
            right += int(np.sum(proba.argmax(axis=1) == classes[test]))
            if callback is not None:
                callback(0.)
        self.score = LabellerScore(right, sum(map(len, parts)))

    def __call__(self, X, callback=None):
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
            proba = self._neighbours.predict_proba(points, callback)
        else:
            proba = self._mean_proba(self._members, points, X, callback)
        return PseudoLabels(proba, self.k, self.k_scores, self.score)

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
