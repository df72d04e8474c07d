"""The interface of rows for fits, in memory and in the partitions of Dask."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.labelling.labellers import Labeller
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import LabelSummary
from orangecontrib.sadd.core.types import Callback, Floats, Integers, Mask
from orangecontrib.sadd.core.validation import dense

__all__ = ["AnyRows", "Block"]


class Block(NamedTuple):
    """
    Numeric columns with the rows that have a class and a weight.

    Attributes
    ----------
    X : ndarray or csc matrix of float64, shape (n_rows, n_features)
    features : ndarray of int
        Those of the block.
    classes : ndarray of int32, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
        Above 0.
    """

    X: Any
    features: Integers
    classes: Integers
    weights: Floats

    @property
    def columns(self) -> Floats:
        """The features, shape (n_features, n_rows), copied when they are read."""
        return np.ascontiguousarray(dense(self.X.T[self.features]))


class AnyRows(Protocol):
    """
    Rows in memory or in the partitions of Dask: what a fit needs of them.

    Attributes
    ----------
    labels : LabelSummary
    categories : list of ndarray or None
        The categories of each feature; None if it is numeric.
    categorical : ndarray of bool, shape (n_features,)
    variables : sequence or None
        Names of the features, or Orange's variables; None if they have none.
    features : ndarray of int
        The features to be discretized.
    n_cells : float
        Number of rows times features to be discretized.
    pseudo_labels : PseudoLabels or None
        Labels that have been predicted, from `with_labels`.
    """

    @property
    def labels(self) -> LabelSummary: ...

    @property
    def categories(self) -> Sequence[Any]: ...

    @property
    def categorical(self) -> Mask: ...

    @property
    def variables(self) -> Any: ...

    @property
    def features(self) -> Integers: ...

    @property
    def n_cells(self) -> float: ...

    @property
    def pseudo_labels(self) -> PseudoLabels | None: ...

    def labelled_rows(self, most: int | None, random_state: Any
                      ) -> tuple[Floats, Integers, Floats]:
        """Return values, classes and weights of labelled rows, of at most `most`."""

    def unlabelled_rows(self) -> tuple[Floats, Floats]:
        """Return the unlabelled rows, or a sample, and their weights."""

    def predict(self, labeller: Labeller, callback: Callback | None) -> PseudoLabels:
        """Return pseudo-labels of the unlabelled rows."""

    def with_labels(self, labels: PseudoLabels | None, min_confidence: float,
                    callback: Callback | None = None) -> Self:
        """Return rows whose labels are given or predicted."""

    def blocks(self, callback: Callback | None = None) -> Iterator[Block]:
        """Yield blocks of the features to be discretized, and report the progress."""

    def code_counts(self) -> dict[int, np.ndarray]:
        """Return the counts of classes and codes of each categorical feature."""

    def without_labels(self) -> Self:
        """Return all rows as rows of a single class, for methods without a target."""

    def coded_rows(self, cuts: Cuts, n_jobs: int | None = None) -> Any:
        """Return the labelled rows as codes, for a classifier."""

    def training_rows(self, labels: PseudoLabels | None, min_confidence: float,
                      cut_points: Sequence[Floats]) -> Any:
        """Return all rows for a fit of SADD Tables."""

    def sample(self, most: int, random_state: Any) -> Any:
        """Return `Rows`: at most so many labelled, and as many unlabelled ones."""
