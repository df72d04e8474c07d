"""Labellers, which predict pseudo-labels: neighbours, any classifier, or a committee.

The paper's M (section 3.3.1) may be a single classifier or several. Each of them is
fitted to the labelled rows in a `Space` of numbers, and returns probabilities.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core.labels import UNLABELLED
from orangecontrib.sadd.core.pseudolabels.neighbours import (
    MOST_SCORED,
    Neighbours,
    own_order,
)

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
    if isinstance(labeller, str) and labeller in ("neighbours", COMMITTEE):
        return
    members = labeller if isinstance(labeller, list | tuple) else [labeller]
    for member in members:
        if isinstance(member, type) or not (
                hasattr(member, "fit") and hasattr(member, "predict_proba")):
            break
    else:
        if len(members):
            return
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
        codes = X[:, categorical]
        self.n_values = np.array(
            [_largest_code(column) + 1 for column in codes.T], dtype=int)
        self.mode = np.array(
            [np.argmax(np.bincount(column[known].astype(int), weights[known],
                                   minlength=1))
             for column in codes.T for known in (~np.isnan(column),)], dtype=int)

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


def _largest_code(column):
    return int(np.nanmax(column, initial=0)) if len(column) else 0


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
        By leaving out one row at a time for neighbours, and one of five parts for other
        labellers; a committee has 20 trees then. Of a sample where there are more than
        2,000 rows, or 10,000 if neighbours choose k.

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
        self.k, self.k_scores = None, {}
        if isinstance(labeller, str) and labeller == "neighbours":
            self._space = Space(X, categorical, standardize, weights)
            points = self._space(X)
            found = Neighbours(points, classes, n_classes, weights, k=k,
                               random_state=random_state, callback=callback)
            self.k, self.k_scores = found.k, found.k_scores
            self._members = [found]
            self.score = LabellerScore(*found.score(random_state, callback))
            return
        if unlabelled is None:
            unlabelled = X[:0]
        if unlabelled_weights is None:
            unlabelled_weights = np.ones(len(unlabelled))
        self._space = Space(np.concatenate((X, unlabelled)), categorical, standardize,
                            np.append(weights, unlabelled_weights))
        points = self._space(X)
        scored = labeller = labeller if isinstance(labeller, list | tuple) \
            else [labeller]
        if labeller == [COMMITTEE]:
            labeller, scored = committee(), committee(N_SCORED_TREES)

        def fit(members, rows):
            return [_fit_member(member, points[rows], X[rows], classes[rows], n_classes,
                                weights[rows]) for member in members]

        self._members = fit(labeller, np.arange(len(X)))
        self.score = _cross_validate(
            lambda rows: fit(scored, rows), points, X, classes, random_state, callback)

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
        return PseudoLabels(_mean_proba(self._members, self._space(X), X, callback),
                            self.k, self.k_scores, self.score)


class _Member:
    """A fitted classifier, with probabilities of all classes."""

    def __init__(self, classifier, classes, n_classes, takes_raw):
        self.classifier = classifier
        self.classes = classes
        self.n_classes = n_classes
        self.takes_raw = takes_raw

    def predict_proba(self, X, callback=None):
        proba = np.zeros((len(X), self.n_classes))
        if self.classifier is None:  # a single class
            proba[:, self.classes] = 1
        elif len(X):
            proba[:, self.classes] = self.classifier.predict_proba(X)
        return proba


def _fit_member(member, points, X, classes, n_classes, weights):
    """Fit a classifier."""
    present = np.unique(classes)
    takes_raw = isinstance(member, Pipeline) or getattr(member, "takes_raw", False)
    if len(present) == 1:
        return _Member(None, present, n_classes, takes_raw)
    parameters = {}
    if not np.all(weights == 1) and has_fit_parameter(member, "sample_weight"):
        parameters["sample_weight"] = weights
    # On products as small as these, threads wait longer than they compute
    with threadpool_limits(1, user_api="blas"):
        fitted = clone(member).fit(X if takes_raw else points, classes, **parameters)
    return _Member(fitted, fitted.classes_, n_classes, takes_raw)


def _mean_proba(members, points, X, callback=None):
    total = 0.
    for index, member in enumerate(members):
        seen = X if getattr(member, "takes_raw", False) else points
        total = total + member.predict_proba(seen, callback and (
            lambda done, index=index: callback((index + done) / len(members))))
        if callback is not None:
            callback((index + 1) / len(members))
    return total / len(members)


def _cross_validate(fit, points, X, classes, random_state, callback):
    """Return the score of members that are fitted to all but a part of the rows."""
    random = check_random_state(random_state)
    rows = random.permutation(len(X))[:MOST_SCORED]
    rows = rows[np.argsort(classes[rows], kind="stable")]  # stratified
    n_folds = min(N_FOLDS, len(rows))
    right = 0
    for fold in range(n_folds if len(rows) > 1 else 0):
        test = rows[fold::n_folds]
        train = np.setdiff1d(rows, test)
        proba = _mean_proba(fit(train), points[test], X[test])
        right += int(np.sum(proba.argmax(axis=1) == classes[test]))
        if callback is not None:
            callback(0.)
    return LabellerScore(right, len(rows))
