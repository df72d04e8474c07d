"""Figures from left-out rows: what cuts are worth, and how often folds find them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from Orange.util import dummy_callback, wrap_callback
from scipy.stats import binom

from orangecontrib.sadd.core.additive.fitting import CodedRows
from orangecontrib.sadd.core.classifiers import NaiveBayesClassifier
from orangecontrib.sadd.core.methods.criterion import entropy
from orangecontrib.sadd.core.rows import Rows
from orangecontrib.sadd.core.validation import dense
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.scripting.cutting import find_cuts

__all__ = ["Bands", "CrossValidated", "cross_validate", "find_bands",
           "is_large", "least_difference", "split_folds"]

# Folds, and from this number of labelled rows on fewer of them
N_FOLDS, FEWER_FOLDS = 10, 5
MANY_ROWS = 1000

# Cells of a table that is cross-validated on request only
LARGE = 1_000_000

# Columns that are encoded at once
BLOCK = 16

# Cuts are the same if at most this share of the rows lies between them
SAME = 0.1

# Differences that chance exceeds less often than this are not due to chance
SIGNIFICANCE = 0.05


class Bands(NamedTuple):
    """
    Where folds put the cuts of a variable.

    Attributes
    ----------
    low, high : ndarray of float64, shape (n_cuts,)
        The lowest and the highest place of each cut; NaN if no fold has it.
    n_found : ndarray of int, shape (n_cuts,)
        The number of folds that have each cut.
    n_folds : int
    """

    low: np.ndarray
    high: np.ndarray
    n_found: np.ndarray
    n_folds: int

    @property
    def is_weak(self) -> np.ndarray:
        """Whether fewer than half of the folds have a cut."""
        return 2 * self.n_found < self.n_folds


def find_bands(values: np.ndarray, cuts: Sequence[float],
               folds: Sequence[np.ndarray]) -> Bands:
    """
    Find the cuts of a variable among those of the folds.

    Each cut of a fold belongs to the nearest cut, by the number of rows between both.
    If several cuts of a fold belong to the same cut, the nearest of them counts. If
    more than a tenth of the rows are between both, it is another cut.

    Parameters
    ----------
    values : ndarray of float64
        Of the variable; values that are not finite are left out.
    cuts : sequence of float
    folds : sequence of ndarray of float64
        The cuts in each fold.

    Examples
    --------
    >>> bands = find_bands(np.arange(20.), [5., 15.], [
    ...     np.array([4.5]), np.array([6., 15.]), np.array([10.])])
    >>> bands.low, bands.high, bands.n_found
    (array([ 4.5, 15. ]), array([ 6., 15.]), array([2, 1]))
    """
    values, n_cuts = np.sort(values[np.isfinite(values)]), len(cuts)
    low, high = np.full(n_cuts, np.inf), np.full(n_cuts, -np.inf)
    found = np.concatenate([*folds, ()])
    if n_cuts and len(found):
        fold = np.repeat(np.arange(len(folds)), list(map(len, folds)))
        places, own = np.searchsorted(values, found), np.searchsorted(values, cuts)
        left = np.clip(np.searchsorted(own, places), 1, n_cuts) - 1
        right = np.minimum(left + 1, n_cuts - 1)
        gaps = np.abs(places - own[left]), np.abs(places - own[right])
        nearest, gap = np.where(gaps[1] < gaps[0], right, left), np.minimum(*gaps)
        order = np.lexsort((gap, fold, nearest))
        order = order[gap[order] <= SAME * len(values)]
        # The nearest cut of each fold comes first
        order = order[np.unique((nearest * len(folds) + fold)[order],
                                return_index=True)[1]]
        np.minimum.at(low, nearest[order], found[order])
        np.maximum.at(high, nearest[order], found[order])
        n_found = np.bincount(nearest[order], minlength=n_cuts)
    else:
        n_found = np.zeros(n_cuts, dtype=int)
    low[n_found == 0] = high[n_found == 0] = np.nan
    return Bands(low, high, n_found, len(folds))


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """
    Figures from labelled rows that were left out.

    Attributes
    ----------
    information : ndarray of float64, shape (n_variables,)
        Mean of log2 p(class | interval) - log2 p(class), in bits.
    shares : ndarray of float64, shape (n_variables,)
        Information as a fraction of the class entropy.
    is_right : ndarray of bool, shape (n_labelled,)
        Whether naive Bayes predicts the class of each row, fold by fold.
    weights : ndarray of float64, shape (n_labelled,)
    cut_points : list of list of ndarray
        For each variable, the cuts that the method finds in each fold.
    bands : list of Bands
        Where folds put the cuts of all rows, for each variable.
    """

    information: np.ndarray
    shares: np.ndarray
    is_right: np.ndarray
    weights: np.ndarray
    cut_points: list[list[np.ndarray]]
    bands: list[Bands]

    @property
    def right(self) -> float:
        """Weight of the rows that naive Bayes predicts correctly."""
        return float(self.weights @ self.is_right)

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.weights.sum())

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return len(self.cut_points[0])

    def least_difference(self, other: "CrossValidated") -> float:
        """Return the least difference of `right` that is not due to chance."""
        weights = self.weights[self.is_right != other.is_right]
        # Weighted rows tell as much as fewer rows of equal weight
        n_rows = round(weights.sum() ** 2 / (weights ** 2).sum()) if len(weights) else 0
        unit = weights.sum() / n_rows if n_rows else self.weights.mean()
        return float(unit * least_difference(n_rows))


def least_difference(n_rows: int) -> int:
    """
    Return the least difference between counts of right rows that is not due to chance.

    This is McNemar's exact test, two-sided, at 5 %. Only rows count that one of two
    models predicts correctly. Each is as likely to speak for one model as for the
    other. At least six such rows are needed.

    Parameters
    ----------
    n_rows : int
        Rows that one of two models predicts correctly.

    Examples
    --------
    >>> least_difference(30), least_difference(3)
    (12, 6)
    """
    fewer = int(binom.ppf(SIGNIFICANCE / 2, n_rows, 0.5))
    fewer -= int(binom.cdf(fewer, n_rows, 0.5) > SIGNIFICANCE / 2)
    if fewer < 0:  # all rows speak for the same model, and there are too few of them
        n_rows, fewer = int(np.ceil(1 - np.log2(SIGNIFICANCE))), 0
    return n_rows - 2 * fewer


def is_large(analysis: Analysis) -> bool:
    """Return whether a table is cross-validated on request only."""
    return analysis.rows.X.shape[0] * len(analysis.variables) > LARGE


def split_folds(rows: Rows) -> list[np.ndarray]:
    """
    Return the test rows of each fold: labelled rows, stratified by class.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.scripting.tables import rows_of
    >>> [len(test) for test in split_folds(rows_of(Table("iris")))]
    [15, 15, 15, 15, 15, 15, 15, 15, 15, 15]
    """
    labelled = np.random.RandomState(0).permutation(np.flatnonzero(rows.used))
    labelled = labelled[np.argsort(rows.given[labelled], kind="stable")]
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
    rows, tests = analysis.rows, split_folds(analysis.rows)
    information, is_right, cut_points = zip(*(
        _validate_fold(analysis, parameters, treatments, fold, test, wrap_callback(
            callback, fold / len(tests), (fold + 1) / len(tests)))
        for fold, test in enumerate(tests)), strict=True)
    weights = rows.weights[np.concatenate(tests)]
    information = sum(information) / weights.sum()
    whole = entropy(np.bincount(rows.given[rows.used], rows.weights[rows.used]))
    cut_points = list(map(list, zip(*cut_points, strict=True)))
    in_use, _ = analysis.treat(parameters, treatments)
    return CrossValidated(
        information, information / whole, np.concatenate(is_right), weights, cut_points,
        [find_bands(analysis.column(index), cuts, cut_points[index])
         for index, cuts in enumerate(in_use.cut_points)])


def _validate_fold(analysis, parameters, treatments, fold, test, callback):
    """Return the information, which rows are right, and the cuts that were found."""
    rows = analysis.rows
    train = np.setdiff1d(np.arange(len(rows)), test)

    def find(parameters):
        callback(0)
        return analysis.keep_any_n0(f"fold {fold}", parameters, lambda: find_cuts(
            rows.take(train), parameters.estimator(), named=False, callback=callback))

    cuts, _ = analysis.treat(parameters, treatments, find)
    # Cuts by hand are the same in each fold; so these are those of the method
    own, _ = analysis.treat(parameters, {
        key: treatment for key, treatment in treatments.items()
        if isinstance(treatment, str)}, find)
    seen, new = (CodedRows(
        _codes(cuts, rows, part), rows.given[part], len(analysis.classes),
        rows.weights[part]) for part in (train[rows.used[train]], test))
    model = NaiveBayesClassifier().fit_model(seen)
    gains = _gains(model.tables, seen, new, 1 / rows.labels.n_occurring)
    right = model.log_posterior(new.codes).argmax(axis=1) == new.classes
    return new.weights @ gains[:, ~rows.categorical], right, own.cut_points


def _codes(cuts, rows, part):
    """Return the codes of some rows."""
    codes, numeric = dense(rows.X[part]), np.flatnonzero(~rows.categorical)
    for start in range(0, len(numeric), BLOCK):  # without a copy of all columns
        features = np.arange(start, min(start + BLOCK, len(numeric)))
        codes[:, numeric[features]] = cuts.take(features).codes(
            codes[:, numeric[features]])
    return codes


def _gains(tables, seen, new, pseudo_count):
    """
    Return what each interval says about the class of each new row, in bits.

    The shares of classes in an interval are those of the rows seen, with a pseudo-count
    for each class. Naive Bayes smooths shares of intervals in a class instead.
    """
    prior = (tables.class_counts + pseudo_count) / (tables.class_counts.sum() + 1)
    # Intervals without rows are in the last column, which counts no rows
    columns = tables.encode(new.codes)
    posterior = (tables.counts[new.classes[:, None], columns] + pseudo_count) \
        / (tables.counts.sum(axis=0)[columns] + 1)
    gains = np.log2(posterior / prior[new.classes][:, None])
    # Missing values, and variables with a single interval, say nothing
    is_cut = (seen.codes > 0).any(axis=0) | (new.codes > 0).any(axis=0)
    gains[np.isnan(new.codes) | ~is_cut] = 0
    return gains
