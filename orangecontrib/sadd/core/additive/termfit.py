"""The fit of SADD Tables.

All terms are fitted together by penalized log loss, with L-BFGS: see `basis` for
coefficients, `axes` for places, `termloss` for the loss, and `directions` for the
search.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from orangecontrib.sadd.core.additive.axes import Axis, Places
from orangecontrib.sadd.core.additive.basis import CurveBasis, PairBasis, matrix_of
from orangecontrib.sadd.core.additive.descent import descend
from orangecontrib.sadd.core.additive.directions import (
    MOST_ROTATED,
    Directions,
    plain,
    principal,
    product,
)
from orangecontrib.sadd.core.additive.rowsums import with_steps
from orangecontrib.sadd.core.additive.termloss import TermLoss, n_scores
from orangecontrib.sadd.core.additive.terms import Term, TermModel
from orangecontrib.sadd.core.types import Callback, Floats

__all__ = ["MOST_CELLS", "Solution", "TermFit"]

# L-BFGS estimates curvature by this many steps, or by fewer to save memory. With many
# intervals, many steps halve the number of iterations.
MAX_CORRECTIONS = 80
MEMORY_CELLS = 2 ** 23

# The table of a pair has at most this many cells
MOST_CELLS = 400


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
    penalty, loss, n_iter, converged, message
        As for `TermModel`.
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
    Rows whose values lie on axes, to fit terms with several penalties and pairs.

    Parameters
    ----------
    rows : TrainingRows
        Or others with the same methods.
    smoothness : float
        As for `CurveBasis`.

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
        self._pair_axes: dict[int, tuple[Axis, Floats]] = {}
        self._last: tuple[Any, Any] = None, None

    @property
    def start(self) -> Solution:
        """Coefficients of 0, and intercepts by the shares of classes."""
        curves = np.zeros((self.basis.size, n_scores(len(self.present))))
        logs = np.log(self._mass[self.present] / self.total)
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
        loss = self.loss(pairs, penalty, strength)
        first = loss.join(start or self.start)
        *_, directions = self._prepared(pairs)
        scale, slopes = directions.scale(loss.penalty), first

        def move(steps):
            steps = scale * steps.reshape(loss.shape)
            return first + directions.forth(steps).ravel()

        def evaluate(steps):
            nonlocal slopes
            value, slopes = loss(move(steps))
            return value, (scale * directions.back(slopes.reshape(loss.shape))).ravel()

        steps, history, converged, message = descend(
            evaluate, np.zeros(len(first)), max_iter=max_iter, tol=0, callback=callback,
            is_done=lambda *_: np.abs(slopes).max() <= tol,
            n_corrections=max(10, min(MAX_CORRECTIONS, MEMORY_CELLS // len(first))))
        curves, tables = loss.split(move(steps))
        return Solution(curves, list(pairs), tables, strength, penalty,
                        float(history[-1]), len(history) - 1, converged, message)

    def loss(self, pairs: Sequence[tuple[int, int]] = (), penalty: float = 1,
             strength: float = 1) -> TermLoss:
        """Return the loss that `fit` minimizes."""
        basis, rows, _ = self._prepared(pairs)
        return TermLoss(self.basis, basis, pairs, rows, len(self.present),
                        penalty / self.total, strength)

    def _prepared(self, pairs):
        """Return the basis of pairs, the rows in their places, and directions."""
        if tuple(pairs) != self._last[0]:
            basis = self.pair_basis(pairs)
            parts = [*self._parts, plain(1)]
            for pair in pairs:
                axes = [self.pair_axis(feature)[0] for feature in pair]
                parts.append(product(*map(self._part, axes)))
            shares = self._mass[self.present] / self.total
            directions = Directions(parts, shares @ (1 - shares) / len(shares))
            self._last = None, None  # its places are as large as the data
            rows = self.rows.placed(self.places(pairs), self.present, self.total)
            self._last = tuple(pairs), (basis, rows, directions)
        return self._last[1]

    def _part(self, axis):
        return plain(len(axis)) if len(axis) > MOST_ROTATED \
            else principal(matrix_of(axis, self.smoothness), axis.shares)

    @cached_property
    def _parts(self):
        return list(map(self._part, self.axes))

    def pair_axis(self, feature: int) -> tuple[Axis, Floats]:
        """Return the axis of a feature in pairs, and its `matrix_of`."""
        self.find_pair_axes([feature])
        return self._pair_axes[feature]

    def find_pair_axes(self, features: Iterable[int]) -> None:
        """Find the axes of several features in pairs, faster than one by one."""
        new = [feature for feature in features if feature not in self._pair_axes]
        for feature, axis in zip(new, self.rows.pair_axes(new) if new else (),
                                 strict=True):
            self._pair_axes[feature] = axis, matrix_of(axis, self.smoothness)

    def places(self, pairs: Sequence[tuple[int, int]]) -> Places:
        """Return where rows lie in the tables of curves and of pairs."""
        self.find_pair_axes(sorted({feature for pair in pairs for feature in pair}))
        return Places(self.axes, pairs, {
            feature: axis for feature, (axis, _) in self._pair_axes.items()})

    def pair_basis(self, pairs: Sequence[tuple[int, int]]) -> PairBasis:
        """Return the basis of pairs."""
        return PairBasis([(self.pair_axis(first)[1], self.pair_axis(second)[1])
                          for first, second in pairs])

    def log_posterior(self, solution: Solution, X: Floats) -> Floats:
        """Return ln P of present classes for other rows."""
        return self.model(solution, describes=False).log_posterior(X)[:, self.present]

    def model(self, solution: Solution, describes: bool = True) -> TermModel:
        """
        Return the model with these coefficients.

        Parameters
        ----------
        solution : Solution
        describes : bool
            Whether terms have weights of rows and importances.
        """
        places = self.places(solution.pairs)
        entries = self._entries(solution)
        rows = np.zeros((2, 1 + len(entries)))
        importances = np.zeros(len(self.axes) + len(solution.pairs))
        if describes:
            # Both of two classes have the same numbers
            rows, importances = self.rows.summaries(places, with_steps(
                entries[:, 1:] if len(self.present) == 2 else entries))
        tables = np.zeros((len(entries), len(self._mass)))
        tables[:, self.present] = entries
        features = [*((feature,) for feature in range(len(self.axes))),
                    *map(tuple, solution.pairs)]
        n_single = len(self.axes)  # then there is the intercept
        terms = []
        for own, start, importance in zip(
                features, np.delete(places.starts[:-1], n_single),
                (importances / self.total).tolist(), strict=True):
            axes = [self.axes[own[0]]] if len(own) == 1 else [
                self.pair_axis(feature)[0] for feature in own]
            shape = tuple(map(len, axes))
            chosen = slice(start, start + np.prod(shape))
            terms.append(Term(
                own, tuple(axis.knots for axis in axes),
                tables[chosen.start - 1:chosen.stop - 1].reshape(*shape, -1),
                rows[:, chosen].reshape(2, *shape), importance))
        intercept = np.full(len(self._mass), -np.inf)
        intercept[self.present] = entries[places.intercept - 1]
        return TermModel(terms, intercept, solution.penalty, solution.loss,
                         solution.n_iter, solution.converged, solution.message)

    def _entries(self, solution):
        """Return the entries of curves, intercept and pairs, of present classes."""
        curves = self.basis.entries(solution.curves)
        curves[self.basis.unseen] = 0
        scores = np.concatenate((curves, self.pair_basis(solution.pairs).entries(
            np.concatenate((curves[:0], *solution.tables)))))
        return np.column_stack((-scores, scores)) if len(self.present) == 2 else scores
