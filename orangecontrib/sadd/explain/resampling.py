"""Figures from left-out rows: cross-validation and resamples."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from Orange.base import Learner
from Orange.data import Table
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.additive.fitting import RowsInMemory
from orangecontrib.sadd.core.classifiers import NaiveBayesClassifier
from orangecontrib.sadd.core.methods.criterion import entropy
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.scripting.cutting import find_cuts
from orangecontrib.sadd.scripting.tables import Rows, class_codes, dense, read_rows
from orangecontrib.sadd.scripting.treatments import treat

__all__ = ["N_RESAMPLES", "CrossValidated", "count_found_again", "count_right",
           "cross_validate", "is_large", "resample", "resampled_cuts", "split_rows"]

# Folds, and from this number of labelled rows on fewer of them
N_FOLDS, FEWER_FOLDS = 10, 5
MANY_ROWS = 1000

# Cells of a table that is cross-validated on request only
LARGE = 1_000_000

N_RESAMPLES = 20

# Cuts are the same if they are no farther apart than this fraction of all values
TOLERANCE = 0.05


class CrossValidated(NamedTuple):
    """
    Figures from labelled rows that were left out.

    Attributes
    ----------
    information : ndarray of float64, shape (n_variables,)
        Mean of log2 p(class | interval) - log2 p(class), in bits.
    shares : ndarray of float64, shape (n_variables,)
        Information as a fraction of the class entropy.
    right, total : float
        Weight of the rows that naive Bayes predicts correctly, and of all rows.
    n_folds : int
    """

    information: np.ndarray
    shares: np.ndarray
    right: float
    total: float
    n_folds: int


def is_large(analysis: Analysis) -> bool:
    """Return whether a table is cross-validated on request only."""
    return analysis.rows.X.shape[0] * len(analysis.variables) > LARGE


def split_rows(rows: Rows) -> list[np.ndarray]:
    """
    Return the test rows of each fold: labelled rows, stratified by class.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.scripting.tables import read_rows
    >>> [len(test) for test in split_rows(read_rows(Table("iris")))]
    [15, 15, 15, 15, 15, 15, 15, 15, 15, 15]
    """
    labelled = np.random.RandomState(0).permutation(np.flatnonzero(rows.labelled))
    labelled = labelled[np.argsort(rows.y[labelled], kind="stable")]
    n_folds = min(FEWER_FOLDS if len(labelled) > MANY_ROWS else N_FOLDS, len(labelled))
    return [np.sort(labelled[fold::n_folds]) for fold in range(n_folds)]


def cross_validate(analysis: Analysis, parameters: Parameters,
                   treatments: Mapping = MappingProxyType({}),
                   callback: Callable = dummy_callback) -> CrossValidated:
    """
    Estimate the information of the intervals of a method on left-out rows.

    For each fold, cuts and pseudo-labels are computed again from all other rows. Cuts
    edited by hand are not changed. A table of each variable counts the classes of
    labelled rows in its intervals. 1 / C is added to each count for C classes. Naive
    Bayes on these intervals and on categorical attributes predicts the left-out rows,
    as `NBLearner` does. No label of a left-out or of an unlabelled row is read.

    Parameters
    ----------
    analysis : Analysis
        It must have classes.
    parameters : Parameters
    treatments : mapping, optional
        See `treat`.
    callback : callable
        Called with the fraction done. May raise an exception to stop the work.

    Examples
    --------
    >>> from Orange.data import Table
    >>> result = cross_validate(Analysis(Table("iris")), Parameters())
    >>> result.information.round(2), result.right, result.total
    (array([0.58, 0.25, 1.29, 1.32]), 139.0, 150.0)
    """
    return analysis.keep(
        "cross-validated", (parameters.key, repr(treatments)),
        lambda: _cross_validate(analysis, parameters, treatments, callback))


def _cross_validate(analysis, parameters, treatments, callback):
    rows, tests = analysis.rows, split_rows(analysis.rows)
    information, right, total = (sum(part) for part in zip(*(
        _validate_fold(analysis, parameters, treatments, fold, test, wrap_callback(
            callback, fold / len(tests), (fold + 1) / len(tests)))
        for fold, test in enumerate(tests)), strict=True))
    whole = entropy(np.bincount(
        rows.y[rows.labelled].astype(int), rows.weights[rows.labelled]))
    return CrossValidated(information / total, information / total / whole, right,
                          total, len(tests))


def _validate_fold(analysis, parameters, treatments, fold, test, callback):
    """Return the information, the weight of rows that are right, and of all rows."""
    rows = analysis.rows
    train = np.setdiff1d(np.arange(len(rows)), test)

    def find(parameters):
        callback(0)
        return analysis.keep_any_n0(f"fold {fold}", parameters, lambda: find_cuts(
            _take(rows, train), parameters.estimator(), callback=callback))

    cuts, _ = treat(find(parameters), analysis.variables, treatments,
                    lambda method: find(parameters.with_method(method)))
    numeric = np.flatnonzero(~rows.categorical)

    def codes_of(part):
        codes = dense(rows.X[part])
        codes[:, numeric] = cuts.codes(codes[:, numeric])
        return codes

    train = train[rows.labelled[train]]
    seen_classes, new_classes = (rows.y[part].astype(int) for part in (train, test))
    seen, new = map(codes_of, (train, test))
    model = NaiveBayesClassifier().fit_rows(
        RowsInMemory(seen, seen_classes, len(analysis.classes), rows.weights[train]))
    tables, pseudo_count = model.tables, 1 / len(np.unique(rows.y[rows.labelled]))
    prior = (tables.class_counts + pseudo_count) / (tables.class_counts.sum() + 1)
    # Intervals without training rows are in the last column, which counts no rows
    columns = tables.encode(new)[:, numeric]
    posterior = (tables.counts[new_classes[:, None], columns] + pseudo_count) \
        / (tables.counts.sum(axis=0)[columns] + 1)
    gains = np.log2(posterior / prior[new_classes][:, None])
    gains[np.isnan(new[:, numeric])] = 0
    gains[:, ~((seen > 0).any(axis=0) | (new > 0).any(axis=0))[numeric]] = 0
    right = model.log_posterior(new).argmax(axis=1) == new_classes
    weights = rows.weights[test]
    return weights @ gains, float(weights @ right), float(weights.sum())


def count_right(learner: Learner, data: Table, callback: Callable = dummy_callback
                ) -> tuple[int, int]:
    """
    Return how many labelled rows a learner predicts correctly when they are left out.

    The folds are the same as in `cross_validate`. Left-out rows are not in the pool.

    Parameters
    ----------
    learner : Learner
        With the attribute `unlabelled`.
    data : Table
    callback : callable
        Called with the fraction done. May raise an exception to stop the work.

    Returns
    -------
    right, total : int

    Examples
    --------
    >>> from orangecontrib.sadd.scripting.classification import NBLearner
    >>> count_right(NBLearner(), Table("iris"))
    (139, 150)
    """
    learner, right, total = copy(learner), 0, 0
    if learner.unlabelled is not None:
        learner.unlabelled = learner.unlabelled[
            ~np.isin(learner.unlabelled.ids, data.ids)]
    tests = split_rows(read_rows(data))
    for fold, test in enumerate(tests):
        model = learner(data[np.setdiff1d(np.arange(len(data)), test)], wrap_callback(
            callback, fold / len(tests), (fold + 1) / len(tests)))
        right += int(np.count_nonzero(model(data[test]) == class_codes(data)[test]))
        total += len(test)
    return right, total


def _take(rows, kept):
    """Return some of the rows."""
    return replace(rows, X=rows.X[kept], y=rows.y[kept], weights=rows.weights[kept],
                   n_data=int(np.count_nonzero(kept < rows.n_data)))


def resample(rows: Rows, rng: np.random.RandomState) -> Rows:
    """
    Draw as many labelled rows as there are, with replacement; others stay.

    A row that is drawn twice has twice the weight. So the score of a labeller never
    uses a copy of the row that is left out.
    """
    labelled = np.flatnonzero(rows.labelled)
    times = np.bincount(rng.choice(labelled, len(labelled)), minlength=len(rows))
    weights = rows.weights.copy()
    weights[labelled] *= times[labelled]
    return _take(replace(rows, weights=weights),
                 np.flatnonzero((times > 0) | ~rows.labelled))


def resampled_cuts(rows: Rows, parameters: Parameters, n_resamples: int = N_RESAMPLES,
                   callback: Callable = dummy_callback
                   ) -> Iterator[Sequence[np.ndarray]]:
    """
    Yield the cuts of all variables for one resample after the other.

    Parameters
    ----------
    rows : Rows
    parameters : Parameters
    n_resamples : int
    callback : callable
        Called with the fraction done of a resample. May raise an exception to stop
        the work.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.scripting.tables import read_rows
    >>> iris = Table("iris")
    >>> some = resampled_cuts(read_rows(iris[::5], iris), Parameters(), 3)
    >>> [len(cuts) for cuts in some]
    [4, 4, 4]
    """
    estimator = parameters.estimator(store_decisions=False)
    rng = np.random.RandomState(0)
    for _ in range(n_resamples):
        yield find_cuts(
            resample(rows, rng), estimator, callback=callback).cut_points


def count_found_again(cut: float, resampled: Sequence[np.ndarray],
                      low: float, high: float) -> int:
    """
    Return the number of resamples with this cut, or with a cut close to it.

    Examples
    --------
    >>> count_found_again(5., [np.array([4.9]), np.array([]), np.array([1.])], 0, 10)
    1
    """
    reach = TOLERANCE * (high - low)
    return sum(bool(len(cuts)) and float(np.abs(cuts - cut).min()) <= reach
               for cuts in resampled)
