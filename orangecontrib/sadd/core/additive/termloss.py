"""The loss of SADD Tables, as a function of the coefficients of terms."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from orangecontrib.sadd.core.additive.basis import CurveBasis, PairBasis
from orangecontrib.sadd.core.additive.rowsums import with_steps, without_steps
from orangecontrib.sadd.core.types import Floats

__all__ = ["TermLoss", "n_scores"]


def n_scores(n_classes: int) -> int:
    """Return the number of scores: a single one, log-odds, for two classes."""
    return 1 if n_classes == 2 else n_classes


class TermLoss:
    """
    The mean loss of rows with the penalty, as a function of all coefficients.

    Parameters
    ----------
    curves : CurveBasis
    tables : PairBasis
    pairs : sequence of pair of int
    rows : PlacedRows
        Or others with `sums`. Their weights add up to 1.
    n_classes : int
    penalty, strength : float
        As for `TermFit.fit`, but for the mean loss.
    """

    def __init__(self, curves: CurveBasis, tables: PairBasis,
                 pairs: Sequence[tuple[int, int]], rows: Any, n_classes: int,
                 penalty: float, strength: float) -> None:
        self._curves, self._tables, self._pairs = curves, tables, list(pairs)
        self._rows, self._n_classes = rows, n_classes
        self.shape = curves.size + tables.size, n_scores(n_classes)
        self.penalty = np.full((self.shape[0], 1), float(penalty))
        self.penalty[curves.size - 1] = 0
        self.penalty[curves.size:] *= strength
        if n_classes == 2:  # log-odds are twice the score of a class
            self.penalty /= 2

    def __call__(self, coefficients: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        coefficients = coefficients.reshape(self.shape)
        entries = self.entries(coefficients)
        if self._n_classes != 2:  # the page takes differences from the first class
            entries = entries[:, 1:] - entries[:, :1]
        split = self._curves.size
        value, _, slopes = self._rows.sums(
            entries[split - 1], with_steps(entries), (1, self._n_classes),
            squared=False)
        slopes = without_steps(slopes)
        if self._n_classes != 2:
            slopes = np.column_stack((-slopes.sum(axis=1), slopes))
        gradient = np.concatenate((
            self._curves.pull_back(slopes[:split]),
            self._tables.pull_back(slopes[split:])))
        shrunk = self.penalty * coefficients
        value += float(np.vdot(shrunk, coefficients)) / 2
        return value, (gradient + shrunk).ravel()

    def entries(self, coefficients: Floats) -> Floats:
        """Return the entries of curves, the intercept, and the entries of pairs."""
        split = self._curves.size
        return np.concatenate((self._curves.entries(coefficients[:split]),
                               self._tables.entries(coefficients[split:])))

    def join(self, solution: Any) -> Floats:
        """Return the coefficients of a `Solution` as one vector; 0 for new pairs."""
        known = dict(zip(solution.pairs, solution.tables, strict=True))
        found = np.zeros(self.shape)
        found[:self._curves.size] = solution.curves
        for pair, start in zip(self._pairs, self._tables.starts, strict=False):
            if pair in known:
                first = self._curves.size + start
                found[first:first + len(known[pair])] = known[pair]
        return found.ravel()

    def split(self, coefficients: Floats) -> tuple[Floats, list[Floats]]:
        """Return the coefficients of curves, and those of each pair."""
        found = coefficients.reshape(self.shape)
        ends = self._curves.size + self._tables.starts[:-1]
        curves, *tables = np.split(found, ends)
        return curves, tables
