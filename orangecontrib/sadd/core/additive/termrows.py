"""The rows of a fit of SADD Tables: targets, weights, and where values lie."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive.axes import Axis, Places
from orangecontrib.sadd.core.additive.knots import curve_axes, pair_axes
from orangecontrib.sadd.core.additive.rowsums import BLOCK_VALUES, PlacedRows
from orangecontrib.sadd.core.additive.terms import contributions
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import sample_rows
from orangecontrib.sadd.core.types import Floats, Integers, Mask, RandomState
from orangecontrib.sadd.core.validation import dense

__all__ = ["TrainingRows"]


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

    @classmethod
    def of(cls, rows: Any, labels: PseudoLabels | None, min_confidence: float,
           cut_points: Sequence[Floats]) -> "TrainingRows":
        """
        Return rows with labels and pseudo-labels as targets.

        Parameters
        ----------
        rows : Rows
        labels : PseudoLabels or None
            Of the unlabelled rows.
        min_confidence : float
            Rows with a lower confidence have no target.
        cut_points : sequence of ndarray
        """
        labelled, weights = rows.labelled, rows.weights
        targets = np.zeros((len(weights), len(rows.labels.classes)))
        targets[labelled, rows.given[labelled]] = 1
        used = (weights > 0) & ~rows.unknown
        if labels is not None:
            targets[~labelled] = labels.proba
            used[~labelled] &= labels.confidence >= min_confidence
        return cls(dense(rows.X), labelled, weights, targets, used, cut_points,
                   rows.categories)

    def sample(self, most: int, random_state: RandomState) -> "TrainingRows":
        """Return these rows, or a sample of rows with a target, of `most` rows."""
        chosen = np.flatnonzero(self.used)
        if len(chosen) <= most:
            return self
        return self.take(chosen[sample_rows(len(chosen), most, random_state)])

    def take(self, rows: Integers) -> "TrainingRows":
        """Return some of the rows."""
        return self._replace(**{name: getattr(self, name)[rows] for name in (
            "X", "labelled", "weights", "targets", "used")})

    def mass(self) -> Floats:
        """Return the weight of the targets of each class."""
        return self.weights[self.used] @ self.targets[self.used]

    def curve_axes(self) -> list[Axis]:
        """Return the axis of each feature."""
        return curve_axes(self.X, self.weights, self.cut_points, self.categories)

    def pair_axes(self, features: Sequence[int]) -> list[Axis]:
        """Return the axes of features in pairs."""
        return pair_axes(self.X[:, features], self.weights, [
            self.categories[feature] for feature in features])

    def placed(self, places: Places, present: Integers, total: float) -> PlacedRows:
        """
        Return the rows with a target as entries of curves and pairs.

        Parameters
        ----------
        places : Places
        present : ndarray of int
            Classes that have a target above 0.
        total : float
            Weight of all rows with a target; that of placed rows is 1.
        """
        X, weights, targets = self.X, self.weights, self.targets
        if not self.used.all():
            X, weights, targets = (
                part[self.used] for part in (X, weights, targets))
        return PlacedRows(
            *places(X), weights / total, targets if len(present) == targets.shape[1]
            else np.ascontiguousarray(targets[:, present]),
            places.pairs, places.intercept)

    def summaries(self, places: Places, table: Floats) -> tuple[Floats, Floats]:
        """
        Return sums over rows, which add up over parts of the rows.

        Parameters
        ----------
        places : Places
        table : ndarray of float64, shape (n_entries, 2, n_classes)
            From `with_steps`.

        Returns
        -------
        rows : ndarray of float64, shape (2, n_entries)
            The weight of the labelled and of the unlabelled rows nearest to each entry.
        sizes : ndarray of float64, shape (n_terms,)
            The sum of absolute contributions to rows with a target.
        """
        n_entries = len(table)
        found, sizes = np.zeros(2 * n_entries), np.zeros(len(places.starts))
        first, second, start, size = places.pairs.T
        step = 1 + BLOCK_VALUES // max(1, self.X.shape[1] + len(first))
        for begin in range(0, max(1, len(self.X)), step):
            rows = slice(begin, begin + step)
            singles, in_pairs = places(self.X[rows])
            added = np.abs(contributions(table, places.pairs, singles, in_pairs))
            sizes += self.used[rows] * self.weights[rows] @ added.mean(axis=2)
            one, other = (np.floor(in_pairs[:, side] + .5) for side in (first, second))
            nearest = np.hstack((np.floor(singles + .5), np.where(
                (one < 0) | (other < 0), 0, start + one * size + other)))
            nearest += n_entries * ~self.labelled[rows, None]
            found += np.bincount(
                nearest.astype(np.intp).ravel(),
                np.repeat(self.weights[rows], nearest.shape[1]), 2 * n_entries)
        return found.reshape(2, -1), sizes
