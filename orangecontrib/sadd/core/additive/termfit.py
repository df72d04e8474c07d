"""The fit of SADD Tables.

All terms are fitted together by penalized log loss, with L-BFGS: see `axes` for places,
and `basis` for components.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from orangecontrib.sadd.core.additive.axes import Axis, Places
from orangecontrib.sadd.core.additive.basis import CurveBasis, PairBasis
from orangecontrib.sadd.core.additive.descent import descend
from orangecontrib.sadd.core.additive.rowsums import with_steps, without_steps
from orangecontrib.sadd.core.additive.terms import Term, TermModel
from orangecontrib.sadd.core.types import Callback, Floats

__all__ = ["MOST_CELLS", "Solution", "TermFit", "TermLoss"]

# L-BFGS estimates curvature by this many steps, or by fewer to save memory. With many
# intervals, many steps halve the number of iterations.
MAX_CORRECTIONS = 80
MEMORY_CELLS = 2 ** 23

# The table of a pair has at most this many cells
MOST_CELLS = 400

# The least curvature, and the least variance
LEAST = 1e-9


class Solution(NamedTuple):
    """
    Components of a fit.

    Attributes
    ----------
    components : ndarray of float64, shape (n_components, n_scores)
        Those of curves, of the intercept, and of pairs.
    pairs : sequence of pair of int
    penalty, loss, n_iter, converged, message
        As for `TermModel`.
    """

    components: Floats
    pairs: Sequence[tuple[int, int]] = ()
    penalty: float = 1
    loss: float = np.nan
    n_iter: int = 0
    converged: bool = True
    message: str = ""


class TermFit:
    """
    Rows whose values lie on axes, to fit terms with several penalties and pairs.

    Parameters
    ----------
    rows : TrainingRows
        Or others with the same methods.
    smoothness : float
        As for `bases_of`.

    Attributes
    ----------
    present : ndarray of int
        Classes that have a target above 0. Solutions have no others.
    total : float
        Weight of the rows with a target.
    """

    def __init__(self, rows: Any, smoothness: float = 2) -> None:
        self.rows, self.smoothness = rows, smoothness
        self.axes = rows.curve_axes()
        self.basis = CurveBasis(self.axes, smoothness)
        self._mass = rows.mass()
        self.present = np.flatnonzero(self._mass)
        self.total = self._mass.sum()
        self._pair_axes: dict[int, Axis] = {}
        self._placed: tuple[Any, Any] = None, None

    @property
    def start(self) -> Solution:
        """Components of 0, and intercepts by the shares of classes."""
        logs = np.log(self._mass[self.present] / self.total)
        logs = logs[1:] - logs[:1] if len(logs) == 2 else logs - logs.mean()
        components = np.zeros((self.basis.size, len(logs)))
        components[-1] = logs
        return Solution(components)

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
            Where the search begins. Its pairs must be the first ones.
        max_iter : int
        tol : float
            The search ends when no derivative of the mean loss is above this.
        callback : callable, optional
            Called with the fraction of iterations done. May raise an exception to stop
            the work.
        """
        loss = self.loss(pairs, penalty, strength)
        first = slopes = loss.join(start or self.start)
        # Lengths of steps in the search. The fourth root of the curvature is a
        # compromise: with the square root, terms that are correlated with each other
        # take more steps than without any lengths.
        shares = self._mass[self.present] / self.total
        curvature = max(shares @ (1 - shares) / len(shares), LEAST)
        lengths = (curvature * np.maximum(loss.variances, LEAST)
                   + loss.penalties) ** -0.25

        def evaluate(steps):
            nonlocal slopes
            value, slopes = loss(first + lengths * steps)
            return value, lengths * slopes

        steps, history, converged, message = descend(
            evaluate, np.zeros(len(first)), max_iter=max_iter, tol=0, callback=callback,
            is_done=lambda *_: np.abs(loss.turn(slopes)).max() <= tol,
            n_corrections=max(10, min(MAX_CORRECTIONS, MEMORY_CELLS // len(first))))
        return Solution(
            (first + lengths * steps).reshape(loss.shape), list(pairs), penalty,
            float(history[-1]), len(history) - 1, converged, message)

    def loss(self, pairs: Sequence[tuple[int, int]] = (), penalty: float = 1,
             strength: float = 1) -> "TermLoss":
        """Return the loss that `fit` minimizes."""
        places, basis = self._of_pairs(pairs)
        if tuple(pairs) != self._placed[0]:
            self._placed = None, None  # they are as large as the data
            self._placed = tuple(pairs), self.rows.placed(
                places, self.present, self.total)
        return TermLoss(self.basis, basis, self._placed[1], len(self.present),
                        penalty / self.total, strength)

    def pair_axes(self, features: Iterable[int]) -> dict[int, Axis]:
        """Return the axes of features in pairs."""
        features = list(features)
        new = [feature for feature in features if feature not in self._pair_axes]
        if new:
            self._pair_axes.update(zip(new, self.rows.pair_axes(new), strict=True))
        return {feature: self._pair_axes[feature] for feature in features}

    def _of_pairs(self, pairs):
        """Return the places of rows in curves and pairs, and the basis of pairs."""
        axes = self.pair_axes(sorted({feature for pair in pairs for feature in pair}))
        return Places(self.axes, pairs, axes), PairBasis(pairs, axes, self.smoothness)

    def log_posterior(self, solution: Solution, X: Floats) -> Floats:
        """Return ln P of present classes for other rows."""
        return self.model(solution, describes=False).log_posterior(X)[:, self.present]

    def model(self, solution: Solution, describes: bool = True,
              pairs_gain: float = np.nan) -> TermModel:
        """
        Return the model with these components.

        Parameters
        ----------
        solution : Solution
        describes : bool
            Whether terms have weights of rows and importances.
        pairs_gain : float
            See `Choice.gain`.
        """
        places, basis = self._of_pairs(solution.pairs)
        split = self.basis.size
        curves = self.basis.entries(solution.components[:split])
        curves[self.basis.unseen] = 0
        entries = np.concatenate((curves, basis.entries(solution.components[split:])))
        rows = np.zeros((2, 1 + len(entries)))
        importances = np.zeros(len(places.axes))
        if describes:  # both of two classes have the same numbers
            rows, importances = self.rows.summaries(places, with_steps(entries))
        tables = np.zeros((len(entries), len(self._mass)))
        tables[:, self.present] = np.column_stack((-entries, entries)) \
            if len(self.present) == 2 else entries
        terms = []
        for features, axes, first, importance in zip(
                [*((feature,) for feature in range(len(self.axes))), *solution.pairs],
                places.axes, places.starts.tolist(),
                (importances / self.total).tolist(), strict=True):
            shape = tuple(map(len, axes))
            end = first + math.prod(shape)
            terms.append(Term(
                features, tuple(axis.knots for axis in axes),
                tables[first - 1:end - 1].reshape(*shape, -1),
                rows[:, first:end].reshape(2, *shape), importance))
        intercept = np.full(len(self._mass), -np.inf)
        intercept[self.present] = tables[places.intercept - 1, self.present]
        return TermModel(terms, intercept, solution.penalty, solution.loss,
                         solution.n_iter, solution.converged, solution.message,
                         pairs_gain)


class TermLoss:
    """
    The mean loss of rows with the penalty, as a function of all components.

    Two classes have a single score, the log-odds.

    Parameters
    ----------
    curves : CurveBasis
    tables : PairBasis
    rows : PlacedRows
        Or others with `sums`. Their weights add up to 1.
    n_classes : int
    penalty, strength : float
        As for `TermFit.fit`, but for the mean loss.

    Attributes
    ----------
    shape : pair of int
        The numbers of components and of scores.
    penalties, variances : ndarray of float64, shape (n_components * n_scores,)
    """

    def __init__(self, curves: CurveBasis, tables: PairBasis, rows: Any,
                 n_classes: int, penalty: float, strength: float) -> None:
        self._curves, self._tables = curves, tables
        self._rows, self._n_classes = rows, n_classes
        self.shape = curves.size + len(tables.variances), \
            1 if n_classes == 2 else n_classes
        variances = np.concatenate((curves.variances, tables.variances))
        penalties = np.full(len(variances), float(penalty))
        penalties[curves.size - 1] = 0
        penalties[curves.size:] *= strength
        if n_classes == 2:  # log-odds are twice the score of a class
            penalties /= 2
        self.variances, self.penalties = (
            np.repeat(part, self.shape[1]) for part in (variances, penalties))

    def __call__(self, components: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        curves, tables = self._parts(components)
        entries = np.concatenate((
            self._curves.entries(curves), self._tables.entries(tables)))
        if self._n_classes != 2:  # the page takes differences from the first class
            entries = entries[:, 1:] - entries[:, :1]
        value, _, slopes = self._rows.sums(
            entries[len(curves) - 1], with_steps(entries), (1, self._n_classes),
            squared=False)
        slopes = without_steps(slopes)
        if self._n_classes != 2:
            slopes = np.column_stack((-slopes.sum(axis=1), slopes))
        curves, tables = self._parts(slopes)
        gradient = np.concatenate((
            self._curves.pull_back(curves), self._tables.pull_back(tables))).ravel()
        shrunk = self.penalties * components
        return value + float(shrunk @ components) / 2, gradient + shrunk

    def turn(self, components: Floats) -> Floats:
        """Return coefficients for components."""
        curves, tables = self._parts(components)
        return np.concatenate((self._curves.turn(curves), self._tables.turn(tables)))

    def join(self, solution: Solution) -> Floats:
        """Return the components of a solution as one vector; 0 for new pairs."""
        found = np.zeros(self.shape)
        found[:len(solution.components)] = solution.components
        return found.ravel()

    def _parts(self, numbers):
        """Return numbers of curves and of pairs, of each score."""
        numbers = numbers.reshape(self.shape)
        return numbers[:self._curves.size], numbers[self._curves.size:]
