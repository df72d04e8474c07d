"""Labels that are not given: predicted ones, and how good they are."""

import math
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from orangecontrib.sadd.core.labels import UNLABELLED
from orangecontrib.sadd.core.types import Floats, Integers, Mask

__all__ = ["LabellerScore", "PseudoLabels"]


class LabellerScore(NamedTuple):
    """
    Number of labelled rows that a labeller predicts correctly when they are left out.

    Attributes
    ----------
    right, total : float

    Examples
    --------
    >>> score = LabellerScore(22, 30)
    >>> round(score.share, 2), round(score.standard_error, 3), score.margin
    (0.73, 0.078, 5)
    """

    right: float
    total: float

    @property
    def share(self) -> float:
        """The share of rows that are right; 0 without rows."""
        return self.right / max(self.total, 1)

    @property
    def standard_error(self) -> float:
        """
        Standard error of the share, never 0.

        As Agresti and Coull (1998) advise, two right and two wrong rows are added.
        """
        n_rows = self.total + 4
        share = (self.right + 2) / n_rows
        return math.sqrt(share * (1 - share) / n_rows)

    @property
    def margin(self) -> int:
        """Rows more or fewer that would be no surprise: two standard errors."""
        return math.ceil(2 * self.standard_error * self.total)


@dataclass(frozen=True, eq=False)
class PseudoLabels:
    """
    Labels of unlabelled rows that a labeller has predicted.

    Attributes
    ----------
    proba : ndarray of float64, shape (n_rows, n_classes), or None
        None if they stay on Dask's workers, and in a `summary`.
    classes : ndarray of int, shape (n_rows,), or None
        The most likely class of each row. Ties go to the first, or are broken by
        `neighbours`.
    k : int or None
        Number of neighbours; None for other labellers.
    k_scores : dict
        Accuracy of each k that was tried.
    score : LabellerScore or None
        Accuracy on labelled rows, see `score_labellers`.
    n_rows, n_confident : int
        Of a `summary`: pseudo-labels of rows that count, and those among them that are
        used because they have enough confidence.
    labeller : Labeller or None
        Predicts labels on Dask's workers.
    """

    proba: Any
    classes: Any
    k: int | None = None
    k_scores: dict[int, float] = field(default_factory=dict)
    score: LabellerScore | None = None
    n_rows: int = 0
    n_confident: int = 0
    labeller: Any = None

    @classmethod
    def none(cls, n_classes: int) -> "PseudoLabels":
        """Return the labels of no rows."""
        return cls(np.zeros((0, n_classes)), np.zeros(0, dtype=np.intp))

    @property
    def confidence(self) -> Floats:
        """The probability of each label."""
        return self.proba.max(axis=1, initial=0)

    def used_classes(self, min_confidence: float) -> Integers:
        """Return the classes; `UNLABELLED` where the confidence is too low."""
        return np.where(self.confidence >= min_confidence, self.classes, UNLABELLED)

    def summary(self, counted: Mask, min_confidence: float) -> "PseudoLabels":
        """
        Return the numbers about these labels, without probabilities.

        Parameters
        ----------
        counted : ndarray of bool, shape (n_rows,)
        min_confidence : float
        """
        confidence = self.confidence[counted]
        return replace(
            self, proba=None, classes=None, n_rows=len(confidence),
            n_confident=int(np.count_nonzero(confidence >= min_confidence)))
