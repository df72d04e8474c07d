"""The rows of a fit of SADD Tables: targets, weights, and where values lie."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive.axes import (
    Axis,
    Placement,
    curve_axes,
    pair_axis,
)
from orangecontrib.sadd.core.additive.rowsums import NOTHING, PlacedRows
from orangecontrib.sadd.core.additive.terms import Term, interpolate
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import sample_rows
from orangecontrib.sadd.core.types import Floats, Integers, Mask, RandomState
from orangecontrib.sadd.core.validation import dense

__all__ = ["Places", "TrainingRows", "add_summaries"]

# Rows that are summarized at once
BLOCK_ROWS = 2 ** 16


class Places(NamedTuple):
    """
    Where the entries of curves and of pairs are in one table.

    Attributes
    ----------
    curves : Placement
    features : list of int
        Those in pairs.
    in_pairs : Placement
        Of these features.
    pairs : ndarray of int32, shape (n_pairs, 4)
        See `PlacedRows`.
    intercept : int
    present : ndarray of int
        Classes that have a target above 0.
    total : float
        Weight of all rows with a target; that of placed rows is 1.
    """

    curves: Placement
    features: list[int]
    in_pairs: Placement
    pairs: npt.NDArray[np.int32]
    intercept: int
    present: Integers
    total: float


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

    def pair_axis(self, feature: int) -> Axis:
        """Return the axis of a feature in pairs."""
        return pair_axis(np.ascontiguousarray(self.X[:, feature]), self.weights,
                         self.categories[feature])

    def placed(self, places: Places) -> PlacedRows:
        """Return the rows with a target as entries of curves and pairs."""
        X, weights, targets = self.X, self.weights, self.targets
        if not self.used.all():
            X, weights, targets = (
                part[self.used] for part in (X, weights, targets))
        return PlacedRows(
            places.curves(X), weights / places.total,
            targets if len(places.present) == targets.shape[1]
            else np.ascontiguousarray(targets[:, places.present]),
            places.in_pairs(X, places.features) if places.features else NOTHING,
            places.pairs, places.intercept)

    def summaries(self, terms: Sequence[Term], present: Integers
                  ) -> list[tuple[Floats, float]]:
        """
        Return sums over rows for each term.

        Parameters
        ----------
        terms : sequence of Term
            Without these sums.
        present : ndarray of int
            Classes that have a target above 0.

        Returns
        -------
        list of tuple
            The weight of the labelled and of the unlabelled rows nearest to each entry,
            and the sum of absolute contributions to rows with a target.
        """
        # Features have an axis of their own, and another one in pairs
        axes = {(len(term.features), feature): axis for term in terms
                for feature, axis in zip(term.features, term.axes, strict=True)}
        place = Placement(list(axes.values()), [0] * len(axes), np.nan)
        features = [feature for _, feature in axes]
        # Both of two classes have the same numbers
        classes = present[1:] if len(present) == 2 else present
        parts = []
        for start in range(0, max(1, len(self.X)), BLOCK_ROWS):
            rows = slice(start, start + BLOCK_ROWS)
            columns = dict(zip(axes, place(self.X[rows], features).T, strict=True))
            parts.append([self._summary(term.table[..., classes], rows, [
                columns[len(term.features), feature] for feature in term.features])
                for term in terms])
        return add_summaries(parts)

    def _summary(self, table, rows, positions):
        added = np.abs(interpolate(table, positions)).mean(axis=1)
        importance = self.used[rows] * self.weights[rows] @ added
        known = ~np.isnan(np.sum(positions, axis=0))
        shape = table.shape[:-1]
        cells = np.ravel_multi_index([
            np.floor(position[known] + .5).astype(np.intp) for position in positions],
            shape)
        size = int(np.prod(shape))
        counts = np.bincount(cells + size * ~self.labelled[rows][known],
                             self.weights[rows][known], 2 * size)
        return counts.reshape(2, *shape).astype(np.float64), float(importance)


def add_summaries(parts: Sequence[list[tuple[Floats, float]]]
                  ) -> list[tuple[Floats, float]]:
    """Add the summaries of parts of the rows."""
    return [(np.sum([rows for rows, _ in term], axis=0), sum(own for _, own in term))
            for term in zip(*parts, strict=True)]
