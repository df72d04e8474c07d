"""SADD Tables: a model of terms, which are curves of variables and tables of pairs.

The score of a class is an intercept plus a term for each variable and for some pairs of
variables. The term of a numeric variable is a line, plus a ramp between the means of
neighbouring intervals. The term of a categorical variable is a number for each
category. The term of a pair is bilinear, and holds only what the two variables do
together. Missing and new values add 0.

All terms are fitted together by penalized log loss, with L-BFGS: see `basis` for
coefficients and `axes` for places. Two classes have a single score, the log-odds of the
second one. Scores of more classes add up to 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive.axes import Axis, curve_axes, pair_axes
from orangecontrib.sadd.core.additive.basis import CurveBasis, PairBasis, matrix_of
from orangecontrib.sadd.core.additive.descent import descend
from orangecontrib.sadd.core.additive.rowsums import (
    NOTHING,
    PlacedRows,
    by_class,
    differences,
    placed_log_posteriors,
)
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Callback, Floats, Integers, Mask

__all__ = ["Solution", "Term", "TermFit", "TermLoss", "TermModel", "TrainingRows"]

# L-BFGS estimates curvature by this many steps, or by fewer to save memory. With many
# intervals, many steps halve the number of iterations.
MAX_CORRECTIONS = 80
MEMORY_CELLS = 2 ** 23

# Rows are predicted in blocks with about this many values
BLOCK_VALUES = 2 ** 16

# The table of a pair has at most this many cells
MOST_CELLS = 400


@dataclass(frozen=True, eq=False)
class Term:
    """
    What a variable, or a pair of variables, adds to scores.

    Attributes
    ----------
    features : tuple of int
        One or two indices.
    knots : tuple of ndarray or None
        Of each feature: the numbers between which the table is linear; None for a
        categorical one.
    table : ndarray of float64, shape (n, n_classes) or (n_first, n_second, n_classes)
        What each knot or category adds: for two classes, to the log-odds of a class
        against the other; for more, to its log-probability compared with the mean of
        all classes. The mean over the training rows is 0; that of a pair is 0 along
        either variable.
    rows : ndarray of float64, shape (2, n) or (2, n_first, n_second)
        Weight of the labelled and of the unlabelled training rows nearest to each knot
        or with each category.
    importance : float
        Mean absolute contribution to the training rows.
    """

    features: tuple[int, ...]
    knots: tuple[Floats | None, ...]
    table: Floats
    rows: Floats
    importance: float


@dataclass(frozen=True, eq=False)
class TermModel:
    """
    A fitted model.

    Attributes
    ----------
    terms : list of Term
        One for each feature, then one for each pair.
    intercept : ndarray of float64, shape (n_classes,)
        What an average row adds, like `Term.table`; minus infinity for a class without
        rows.
    penalty : float
        Factor of the penalty.
    loss : float
        Mean loss of a row, penalty included.
    n_iter : int
    converged : bool
    message : str
        Reason why the search has ended.
    """

    terms: list[Term]
    intercept: Floats
    penalty: float
    loss: float
    n_iter: int
    converged: bool
    message: str

    @property
    def importances(self) -> Floats:
        """The importance of each term."""
        return np.array([term.importance for term in self.terms])

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The features of each pair."""
        return [(first, second) for first, *others in (
            term.features for term in self.terms) for second in others]

    def contributions(self, X: Floats) -> Floats:
        """Return contributions of rows, shape (n_rows, n_terms, n_classes)."""
        found = np.empty((len(X), len(self.terms), len(self.intercept)))
        for index, term in enumerate(self.terms):
            found[:, index] = interpolate(term.table, [
                axis.place(X[:, feature]) for axis, feature in zip(
                    self._axes[index], term.features, strict=True)])
        return found

    def log_posterior(self, X: Floats) -> Floats:
        """Return the logarithms of probabilities, shape (n_rows, n_classes)."""
        # Classes without rows have the probability 0
        found = np.full((len(X), len(self.intercept)), -np.inf)

        def predict(rows):
            found[rows, self._present] = self._placed.log_posterior(X[rows])

        step = max(1, BLOCK_VALUES // max(1, len(self.terms)))
        for _ in map_in_threads(predict, [
                slice(start, start + step) for start in range(0, len(X), step)]):
            pass
        return found

    @cached_property
    def _present(self):
        return np.flatnonzero(np.isfinite(self.intercept))

    @cached_property
    def _placed(self):
        return _PlacedTerms(self)

    @cached_property
    def _axes(self):
        return [[_axis(knots, size) for knots, size in zip(
            term.knots, term.table.shape, strict=False)] for term in self.terms]


class _PlacedTerms:
    """The entries of all terms as one table, for predictions."""

    def __init__(self, model):
        present = model._present
        cells = [term.table[..., present].reshape(-1, len(present))
                 for term in model.terms]
        starts = np.cumsum([0, *map(len, cells)])
        scores = np.concatenate((*cells, np.zeros((1, len(present)))))
        if len(present) == 2:  # columns are the log-odds of either class
            scores = scores * [0, 1]
        self._table = differences(scores[:, None])
        intercept = model.intercept[present] * (
            [0, 1] if len(present) == 2 else np.ones(len(present)))
        self._prior = differences(intercept[None])
        self._n_classes = len(present)
        n_single = sum(len(term.features) == 1 for term in model.terms)
        self._single = [axis for axis, in model._axes[:n_single]]
        self._starts = np.append(starts[:n_single], starts[-1]).astype(np.int32)
        self._axes = {}  # of features in pairs
        pairs = []
        for index in range(n_single, len(model.terms)):
            for feature, axis in zip(
                    model.terms[index].features, model._axes[index], strict=True):
                self._axes.setdefault(feature, axis)
            place = [list(self._axes).index(feature)
                     for feature in model.terms[index].features]
            pairs.append((*place, starts[index], model.terms[index].table.shape[1]))
        self._pairs = np.array(pairs, dtype=np.int32).reshape(-1, 4)

    def log_posterior(self, X):
        """Return ln P of classes with rows."""
        positions = np.empty((len(X), len(self._single)))
        for feature, axis in enumerate(self._single):
            positions[:, feature] = axis.place(X[:, feature])
        pair_positions = np.empty((len(X), len(self._axes)))
        for index, (feature, axis) in enumerate(self._axes.items()):
            pair_positions[:, index] = axis.place(X[:, feature])
        rows = PlacedRows(positions, self._starts, int(self._starts[-1]), positions,
                          NOTHING, pair_positions, self._pairs)
        return placed_log_posteriors(rows, self._prior, self._table, self._n_classes)


def _axis(knots, size):
    return Axis(knots, np.zeros(size), np.zeros(size, bool), np.zeros(size))


def interpolate(table: Floats, positions: Sequence[Floats]) -> Floats:
    """
    Return the entries of a table at positions on one or two axes.

    Parameters
    ----------
    table : ndarray of float64, shape (n, n_classes) or (n_first, n_second, n_classes)
    positions : sequence of ndarray of float64, shape (n_rows,)

    Returns
    -------
    ndarray of float64, shape (n_rows, n_classes)
        0 where a position is NaN.
    """
    known = ~np.isnan(np.sum(positions, axis=0))
    found = np.zeros((len(known), table.shape[-1]))
    corners: list[tuple[Any, Any]] = [((), 1.)]
    for size, position in zip(table.shape, positions, strict=False):
        position = position[known]
        below = position.astype(np.intp)
        part = position - below
        above = np.minimum(below + 1, size - 1)
        corners = [((*place, at), factor * share) for place, factor in corners
                   for at, share in ((below, 1 - part), (above, part))]
    found[known] = sum(factor[:, None] * table[place] for place, factor in corners)
    return found


class TrainingRows(NamedTuple):
    """
    The rows of a fit, and their cuts.

    Attributes
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        NaN where a value is missing, codes in categorical columns.
    labelled : ndarray of bool, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    targets : ndarray of float64, shape (n_rows, n_classes)
        Probabilities of classes: 0 and 1 for labelled rows.
    used : ndarray of bool, shape (n_rows,)
        Rows with a target that is used. The others only show where rows lie.
    cut_points : sequence of ndarray
    categories : sequence of ndarray or None
        Of each feature; None if it is numeric.
    """

    X: Floats
    labelled: Mask
    weights: Floats
    targets: Floats
    used: Mask
    cut_points: Sequence[Floats]
    categories: Sequence[npt.NDArray[Any] | None]

    def take(self, rows: Integers) -> "TrainingRows":
        """Return some of the rows."""
        return self._replace(**{name: getattr(self, name)[rows] for name in (
            "X", "labelled", "weights", "targets", "used")})


class Solution(NamedTuple):
    """
    Coefficients of a fit.

    Attributes
    ----------
    curves : ndarray of float64, shape (n_curve_coefficients, n_scores)
    pairs : sequence of pair of int
    tables : list of ndarray of float64
        Coefficients of each pair.
    strength : float
        Penalty of the pairs.
    penalty : float
    """

    curves: Floats
    pairs: Sequence[tuple[int, int]] = ()
    tables: Sequence[Floats] = ()
    strength: float = 1
    penalty: float = 1
    loss: float = np.nan
    n_iter: int = 0
    converged: bool = True
    message: str = ""


class TermFit:
    """
    Rows that are placed on axes, to fit terms with several penalties and pairs.

    Parameters
    ----------
    rows : TrainingRows
    smoothness : float
        As for `CurveBasis`.

    Attributes
    ----------
    present : ndarray of int
        Classes that have a target above 0. Solutions have no others.
    """

    def __init__(self, rows: TrainingRows, smoothness: float = 2) -> None:
        self.rows, self.smoothness = rows, smoothness
        self.axes, self._positions = curve_axes(
            rows.X, rows.weights, rows.cut_points, rows.categories)
        self.basis = CurveBasis(self.axes, smoothness)
        weights = rows.weights[rows.used]
        targets = rows.targets[rows.used]
        mass = weights @ targets
        self.present = np.flatnonzero(mass)
        self.total = weights.sum()
        self._weights = weights / self.total
        self._targets = np.ascontiguousarray(targets[:, self.present])
        # A term with a single entry is 0
        self._varying = np.flatnonzero([len(axis) > 1 for axis in self.axes])
        self._shares = mass[self.present] / self.total
        self._pair_places: dict[int, tuple[Axis, Floats, Floats]] = {}

    @property
    def start(self) -> Solution:
        """Coefficients of 0, and intercepts by the shares of classes."""
        curves = np.zeros((self.basis.size, n_scores(len(self.present))))
        logs = np.log(self._shares)
        curves[-1] = logs[1] - logs[0] if len(logs) == 2 else logs - logs.mean()
        return Solution(curves)

    def fit(self, penalty: float = 1, pairs: Sequence[tuple[int, int]] = (),
            strength: float = 1, *, start: Solution | None = None, max_iter: int = 200,
            tol: float = 1e-5, callback: Callback | None = None) -> Solution:
        """
        Fit the terms of all variables and of pairs.

        Parameters
        ----------
        penalty : float
            Factor of the penalty, half the sum of squared coefficients.
        pairs : sequence of pair of int
        strength : float
            Further factor for the coefficients of pairs.
        start : Solution, optional
            Of other penalties or pairs, where the search begins.
        max_iter : int
        tol : float
            The search ends when no derivative of the mean loss is above this.
        callback : callable, optional
            Called with the fraction of iterations done. May raise an exception to stop
            the work.
        """
        loss = TermLoss(self, pairs, penalty, strength)
        first = loss.join(start or self.start)
        found = descend(
            loss, first, max_iter=max_iter, tol=tol, callback=callback,
            n_corrections=max(10, min(MAX_CORRECTIONS, MEMORY_CELLS // len(first))))
        curves, tables = loss.split(found.x)
        return Solution(curves, list(pairs), tables, strength, penalty,
                        float(found.fun), int(found.nit), bool(found.success),
                        str(found.message))

    def placed(self, basis: PairBasis, pairs: Sequence[tuple[int, int]]) -> PlacedRows:
        """Return the used rows as entries of curves and pairs."""
        used = self.rows.used
        chosen = slice(None) if used.all() else used
        places = self._positions[chosen]
        if len(self._varying) < places.shape[1]:
            places = np.ascontiguousarray(places[:, self._varying])
        features = sorted({feature for pair in pairs for feature in pair})
        pair_places = np.column_stack([
            self.pair_axis(feature)[1][chosen] for feature in features]
            ) if pairs else NOTHING
        return self._placed(basis, pairs, places, features, pair_places,
                            self._weights, self._targets)

    def _placed(self, basis, pairs, places, features, pair_places, weights, targets):
        zero = self.basis.size + basis.size
        table = [(features.index(first), features.index(second),
                  self.basis.size + start, len(self.pair_axis(second)[0]))
                 for (first, second), start in zip(pairs, basis.starts, strict=False)]
        return PlacedRows(
            places, np.append(self.basis.starts[self._varying], zero).astype(np.int32),
            self.basis.size - 1, weights, targets, pair_places,
            np.array(table, dtype=np.int32).reshape(-1, 4))

    def pair_axis(self, feature: int) -> tuple[Axis, Floats, Floats]:
        """Return the axis of a feature in pairs, positions, and its `matrix_of`."""
        if feature not in self._pair_places:
            (axis,), positions = pair_axes(
                self.rows.X, self.rows.weights, [feature], self.rows.categories)
            self._pair_places[feature] = (
                axis, positions[:, 0], matrix_of(axis, self.smoothness))
        return self._pair_places[feature]

    def pair_basis(self, pairs: Sequence[tuple[int, int]]) -> PairBasis:
        """Return the basis of pairs."""
        return PairBasis([(self.pair_axis(first)[2], self.pair_axis(second)[2])
                          for first, second in pairs])

    def log_posterior(self, solution: Solution, X: Floats) -> Floats:
        """Return ln P of present classes for other rows."""
        return self.model(solution, describes=False).log_posterior(X)[:, self.present]

    def tables(self, solution: Solution) -> tuple[list[Floats], list[Floats], Floats]:
        """Return the tables of variables and of pairs, and the intercept."""
        entries = self.basis.entries(solution.curves)
        entries[self.basis.unseen] = 0
        *curves, intercept = np.split(self._all_classes(entries), self.basis.starts[1:])
        absent = np.setdiff1d(np.arange(intercept.shape[1]), self.present)
        intercept[0, absent] = -np.inf
        basis = self.pair_basis(solution.pairs)
        tables = []
        if solution.pairs:
            found = self._all_classes(basis.entries(np.concatenate(solution.tables)))
            for (first, second), table in zip(solution.pairs, np.split(
                    found, basis.starts[1:-1]), strict=True):
                tables.append(table.reshape(len(self.pair_axis(first)[0]),
                                            len(self.pair_axis(second)[0]), -1))
        return curves, tables, intercept[0]

    def _all_classes(self, scores):
        found = np.zeros((len(scores), self.rows.targets.shape[1]))
        found[:, self.present] = np.column_stack((-scores, scores)) \
            if len(self.present) == 2 else scores
        return found

    def model(self, solution: Solution, describes: bool = True) -> TermModel:
        """Return the model with these coefficients."""
        curves, tables, intercept = self.tables(solution)
        terms = []
        for feature, (axis, table) in enumerate(zip(self.axes, curves, strict=True)):
            terms.append(self._term(
                (feature,), [axis], table, [self._positions[:, feature]], describes))
        for pair, table in zip(solution.pairs, tables, strict=True):
            axes, places, _ = zip(*map(self.pair_axis, pair), strict=True)
            terms.append(self._term(tuple(pair), axes, table, places, describes))
        return TermModel(terms, intercept, solution.penalty, solution.loss,
                         solution.n_iter, solution.converged, solution.message)

    def _term(self, features, axes, table, positions, describes):
        knots = tuple(axis.knots for axis in axes)
        shape = table.shape[:-1]
        if not describes:
            return Term(features, knots, table, np.zeros((2, *shape)), 0.)
        rows, size = self.rows, int(np.prod(shape))
        counts, importance = np.zeros(2 * size), 0.
        for start in range(0, len(rows.X), BLOCK_VALUES):
            block = slice(start, start + BLOCK_VALUES)
            places = [position[block] for position in positions]
            weights = rows.weights[block]
            added = interpolate(table[..., self.present], places)
            importance += rows.used[block] * weights @ np.abs(added).mean(axis=1)
            known = ~np.isnan(np.sum(places, axis=0))
            cells = np.ravel_multi_index([
                np.floor(place[known] + .5).astype(np.intp) for place in places], shape)
            counts += np.bincount(cells + size * ~rows.labelled[block][known],
                                  weights[known], 2 * size)
        return Term(features, knots, table, counts.reshape(2, *shape),
                    float(importance / self.total))


def n_scores(n_classes: int) -> int:
    """Return the number of scores: a single one, log-odds, for two classes."""
    return 1 if n_classes == 2 else n_classes


class TermLoss:
    """
    The mean loss of rows with the penalty, as a function of all coefficients.

    Parameters
    ----------
    fit : TermFit
    pairs, penalty, strength
        As for `TermFit.fit`.
    """

    def __init__(self, fit: TermFit, pairs: Sequence[tuple[int, int]] = (),
                 penalty: float = 1, strength: float = 1) -> None:
        self._curves, self._n_classes = fit.basis, len(fit.present)
        self._pairs = fit.pair_basis(pairs)
        self._pair_keys = list(pairs)
        self._rows = fit.placed(self._pairs, pairs)
        self._shape = (self._curves.size + self._pairs.size,
                       n_scores(self._n_classes))
        self._penalty = np.full((self._shape[0], 1), penalty / fit.total)
        self._penalty[self._curves.size - 1] = 0
        self._penalty[self._curves.size:] *= strength
        if self._n_classes == 2:  # log-odds are twice the score of a class
            self._penalty /= 2

    def __call__(self, coefficients: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        coefficients = coefficients.reshape(self._shape)
        entries = self.entries(coefficients)
        shape = 1, self._n_classes
        # The next entry, for missing values, is zero
        if self._n_classes == 2:
            table = np.zeros((len(entries) + 1, 2))
            table[:-1, :1] = entries
        else:
            entries = differences(entries[:, None])
            table = np.concatenate((entries, np.zeros((1, entries.shape[1]))))
        value, _, slopes = self._rows.sums(
            np.zeros(table.shape[1]), table, shape, squared=False)
        slopes = slopes[:-1, :1] if self._n_classes == 2 \
            else by_class(slopes[:-1], *shape)[:, 0]
        split = self._curves.size
        gradient = np.concatenate((
            self._curves.pull_back(slopes[:split]),
            self._pairs.pull_back(slopes[split:])))
        shrunk = self._penalty * coefficients
        value += float(np.vdot(shrunk, coefficients)) / 2
        return value, (gradient + shrunk).ravel()

    def entries(self, coefficients: Floats) -> Floats:
        """Return the entries of curves, the intercept, and the entries of pairs."""
        split = self._curves.size
        return np.concatenate((self._curves.entries(coefficients[:split]),
                               self._pairs.entries(coefficients[split:])))

    def join(self, solution: Solution) -> Floats:
        """Return coefficients as one vector; those of new pairs are 0."""
        known = dict(zip(solution.pairs, solution.tables, strict=True))
        found = np.zeros(self._shape)
        found[:self._curves.size] = solution.curves
        for pair, start in zip(self._pair_keys, self._pairs.starts, strict=False):
            if pair in known:
                first = self._curves.size + start
                found[first:first + len(known[pair])] = known[pair]
        return found.ravel()

    def split(self, coefficients: Floats) -> tuple[Floats, list[Floats]]:
        """Return the coefficients of curves, and those of each pair."""
        found = coefficients.reshape(self._shape)
        ends = self._curves.size + self._pairs.starts[:-1]
        curves, *tables = np.split(found, ends)
        return curves, tables
