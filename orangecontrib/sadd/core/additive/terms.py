"""SADD Tables: a model of terms, which are curves of variables and tables of pairs.

The score of a class is an intercept plus a term for each variable and for some pairs of
variables. The term of a numeric variable is a line, plus a ramp between the means of
neighbouring intervals. The term of a categorical variable is a number for each
category. The term of a pair is bilinear, and holds only what the two variables do
together. Missing and new values add 0.

Two classes have a single score, the log-odds of the second one. Scores of more classes
add up to 0.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive._places import score_places
from orangecontrib.sadd.core.additive.axes import Axis, Places
from orangecontrib.sadd.core.additive.rowsums import with_steps
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["Term", "TermModel", "at_places", "contributions"]

# Rows are predicted in blocks with about this many values
BLOCK_VALUES = 2 ** 16

# Older pickles of models hold an object of this name, which is not used
_PlacedTerms = Places


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

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the fields, without what is computed from them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

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
        for rows in self._blocks(X):
            found[rows] = contributions(
                self._table, self._places.pairs, *self._places(X[rows]))
        return found

    def log_posterior(self, X: Floats) -> Floats:
        """Return the logarithms of probabilities, shape (n_rows, n_classes)."""
        # Classes without rows have the probability 0
        found = np.full((len(X), len(self.intercept)), -np.inf)
        present = np.flatnonzero(np.isfinite(self.intercept))
        # Of two classes, scores are log-odds; else compare with the first class
        table = np.ascontiguousarray(self._table[..., present[1:]] - (
            len(present) > 2) * self._table[..., present[:1]])
        prior = self.intercept[present[1:]] - (
            len(present) > 2) * self.intercept[present[:1]]

        def predict(rows):
            scores = np.empty((len(X[rows]), 1, len(present)))
            score_places(*self._places(X[rows]), self._places.pairs, prior, table,
                         scores)
            scores = scores[:, 0]
            found[rows, present] = scores - np.log(
                np.exp(scores).sum(axis=1, keepdims=True))

        for _ in map_in_threads(predict, self._blocks(X)):
            pass
        return found

    def _blocks(self, X):
        step = max(1, BLOCK_VALUES // max(1, len(self.terms)))
        return [slice(start, start + step) for start in range(0, len(X), step)]

    @cached_property
    def _places(self):
        axes = [term.axes for term in self.terms]
        of_pairs = {feature: axis for own, term in zip(axes, self.terms, strict=True)
                    for feature, axis in zip(term.features, own, strict=True)
                    if len(own) == 2}
        return Places([own[0] for own in axes if len(own) == 1], self.pairs, of_pairs)

    @cached_property
    def _table(self):
        n_classes = len(self.intercept)
        n_single = len(self.terms) - len(self.pairs)
        cells = [term.table.reshape(-1, n_classes) for term in self.terms]
        return with_steps(np.concatenate(
            (*cells[:n_single], np.zeros((1, n_classes)), *cells[n_single:])))


def at_places(table: Floats, places: Floats) -> Floats:
    """
    Return the entries of a table at places, in their shape, for each class.

    Parameters
    ----------
    table : ndarray of float64, shape (n_entries, 2, n_classes)
        From `with_steps`.
    places : ndarray of float64
        From 0.

    Examples
    --------
    >>> at_places(with_steps(np.array([[4.], [8.]])), np.array([0, 1, 1.5]))[:, 0]
    array([0., 4., 6.])
    """
    below = places.astype(np.intp)
    found = table[below, 1]
    found *= (places - below)[..., None]
    found += table[below, 0]
    return found


def contributions(table: Floats, pairs: npt.NDArray[np.int32], places: Floats,
                  pair_places: Floats) -> Floats:
    """
    Return what each term adds to the scores of rows.

    Parameters
    ----------
    table : ndarray of float64, shape (n_entries, 2, n_classes)
        From `with_steps`.
    pairs, places, pair_places
        Of `Places`.

    Returns
    -------
    ndarray of float64, shape (n_rows, n_terms, n_classes)
    """
    found = at_places(table, places)
    if not len(pairs):
        return found
    first, second, start, size = pairs.T
    place, other = pair_places[:, first], pair_places[:, second]
    below = np.floor(place)
    low = start + below * size + other
    low[(place < 0) | (other < 0)] = 0
    # There may be no next entry
    part = np.where(low > 0, place - below, 0)
    added = at_places(table, low)
    added += part[..., None] * (at_places(table, low + size * (part > 0)) - added)
    return np.concatenate((found, added), axis=1)
