"""SADD Tables: a model of terms, which are curves of variables and tables of pairs.

The score of a class is an intercept plus a term for each variable and for some pairs of
variables. The term of a numeric variable is a line, plus a ramp between the means of
neighbouring intervals. The term of a categorical variable is a number for each
category. The term of a pair is bilinear, and holds only what the two variables do
together. Missing and new values add 0.

Two classes have a single score, the log-odds of the second one. Scores of more classes
add up to 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orangecontrib.sadd.core.additive.axes import Axis, Placement
from orangecontrib.sadd.core.additive.rowsums import NOTHING, PlacedRows, with_steps
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["Term", "TermModel", "interpolate"]

# Rows are predicted in blocks with about this many values
BLOCK_VALUES = 2 ** 16


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

    @property
    def axes(self) -> list[Axis]:
        """The places of knots or categories, without slopes and shares."""
        return [Axis(knots, *np.zeros((3, size))) for knots, size in zip(
            self.knots, self.table.shape, strict=False)]


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
    pairs_gain : float
        See `Choice.gain`.
    """

    terms: list[Term]
    intercept: Floats
    penalty: float
    loss: float
    n_iter: int
    converged: bool
    message: str
    pairs_gain: float = np.nan

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
        return [term.axes for term in self.terms]


class _PlacedTerms:
    """The entries of all terms as one table, for predictions."""

    def __init__(self, model):
        present = model._present
        cells = [term.table[..., present].reshape(-1, len(present))
                 for term in model.terms]
        starts = 1 + np.cumsum([0, *map(len, cells)])
        self._n_classes = len(present)
        scores = np.concatenate((*cells, model.intercept[None, present]))
        # Of two classes, the columns are log-odds; else compare with the first class
        scores = np.ascontiguousarray(
            scores[:, 1:] - (len(present) > 2) * scores[:, :1])
        self._table, self._prior = with_steps(scores[:-1]), scores[-1]
        n_single = sum(len(term.features) == 1 for term in model.terms)
        self._place = Placement(
            [axis for axis, in model._axes[:n_single]], starts[:n_single], 0)
        axes: dict[int, Axis] = {}  # of features in pairs
        pairs = []
        for index in range(n_single, len(model.terms)):
            features = model.terms[index].features
            for feature, axis in zip(features, model._axes[index], strict=True):
                axes.setdefault(feature, axis)
            pairs.append((*map(list(axes).index, features), starts[index],
                          model.terms[index].table.shape[1]))
        self._pairs = np.array(pairs, dtype=np.int32).reshape(-1, 4)
        self._in_pairs = list(axes)
        self._place_pairs = Placement(list(axes.values()), np.zeros(len(axes)), -1)

    def log_posterior(self, X):
        """Return ln P of classes with rows."""
        rows = PlacedRows(
            self._place(X), np.empty(0), NOTHING,
            self._place_pairs(X, self._in_pairs), self._pairs, 0)
        scores = np.empty((len(X), 1, self._n_classes))
        rows.score(slice(None), self._prior, self._table, scores)
        scores = scores[:, 0]
        return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


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
