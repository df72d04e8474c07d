"""The rows of a fit: values, classes and weights.

`read` makes `Rows` in memory, or `dask.rows.DaskRows` for Dask. Both are `AnyRows`, so
that a fit is one sequence of steps. Rows do not change: labels that are predicted make
new rows. A discretizer gets numeric columns in blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from orangecontrib.sadd.core.anyrows import Block
from orangecontrib.sadd.core.arithmetic import contingency
from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.dask import is_for_dask, require_dask
from orangecontrib.sadd.core.labelling.labellers import Labeller
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import (
    NO_LABELS,
    UNLABELLED,
    LabelSummary,
    read_labels,
    sample_rows,
)
from orangecontrib.sadd.core.types import Callback, Data, Floats, Integers, Mask
from orangecontrib.sadd.core.validation import (
    append_rows,
    as_pandas,
    count_rows,
    dense,
    read_matrix,
)

__all__ = ["Rows", "read"]

# Columns are read in blocks of about this many cells
BLOCK_CELLS = 2 ** 18


@dataclass(frozen=True, eq=False)
class Rows:
    """
    Rows in memory, from `read`, or from `rows_of` of a table of Orange.

    Rows of the data come first, then rows of the pool, which are without labels.

    Attributes
    ----------
    X : ndarray or csc matrix of float64, shape (n_rows, n_features)
        NaN where a value is missing; codes in categorical columns.
    given : ndarray of int, shape (n_rows,)
        Classes that are given; `UNLABELLED` for other rows.
    weights : ndarray of float64, shape (n_rows,)
    labels : LabelSummary
        About labels that are given.
    categories : list of ndarray or None
        The categories of each feature; None if it is numeric.
    variables : sequence or None
        Names of the features, or Orange's variables; None if they have none.
    n_data : int
        Number of rows of the data, labelled and unlabelled.
    n_known : int
        Number of rows of the pool that were left out because they are in the data.
    wanted : ndarray of int or None
        The features to be discretized, by default all numeric ones.
    pseudo_labels : PseudoLabels or None
        Labels of the other rows, if they have been predicted.
    min_confidence : float
        Pseudo-labels with a lower confidence are ignored.
    """

    X: Any
    given: Integers
    weights: Floats
    labels: LabelSummary
    categories: Sequence[Any]
    variables: Any = None
    n_data: int = 0
    n_known: int = 0
    wanted: Integers | None = None
    pseudo_labels: PseudoLabels | None = None
    min_confidence: float = 0

    def __len__(self) -> int:
        return len(self.given)

    @cached_property
    def categorical(self) -> Mask:
        """Mask of the columns that hold codes."""
        return np.array([values is not None for values in self.categories], dtype=bool)

    @cached_property
    def features(self) -> Integers:
        """The features to be discretized."""
        return np.flatnonzero(~self.categorical) if self.wanted is None \
            else self.wanted

    @cached_property
    def classes(self) -> Integers:
        """Given and predicted classes; `UNLABELLED` for other rows."""
        if self.pseudo_labels is None:
            return self.given
        classes = self.given.copy()
        classes[~self.labelled] = self.pseudo_labels.used_classes(self.min_confidence)
        classes[self.unknown] = UNLABELLED
        return classes

    @cached_property
    def labelled(self) -> Mask:
        """Mask of the rows with a given label."""
        return self.given != UNLABELLED

    @cached_property
    def used(self) -> Mask:
        """Mask of the rows with a given label, and a weight above 0."""
        return self.labelled & (self.weights > 0)

    @cached_property
    def unknown(self) -> Mask:
        """Mask of unlabelled rows with missing values only, which are left out."""
        # The first column suffices for most rows
        unknown = ~self.labelled & np.isnan(dense(self.X[:, :1])).all(axis=1)
        some = self.X[np.flatnonzero(unknown)]
        unknown[unknown] = np.isnan(dense(some)).all(axis=1)
        return unknown

    @property
    def n_pool(self) -> int:
        """Number of rows of the pool."""
        return len(self) - self.n_data

    def take(self, rows: Integers) -> "Rows":
        """Return some of the rows, in increasing order, without predicted labels."""
        given, weights = self.given[rows], self.weights[rows]
        labels = LabelSummary.of(
            self.labels.classes, given, weights, given=self.labels.given)
        return replace(
            self, X=self.X[rows], given=given, weights=weights, labels=labels,
            n_data=int(np.count_nonzero(rows < self.n_data)), pseudo_labels=None)

    def sample(self, most: int, random_state: Any) -> "Rows":
        """Return at most so many labelled rows, and as many unlabelled ones."""
        parts = [np.flatnonzero(self.used), np.flatnonzero(~self.labelled)]
        if max(map(len, parts)) <= most:
            return self
        return self.take(np.sort(np.concatenate([
            part[sample_rows(len(part), most, random_state)] for part in parts])))

    @property
    def n_cells(self) -> int:
        """Number of rows times numeric columns."""
        return self.X.shape[0] * len(self.features)

    def labelled_rows(self, most: int | None, random_state: Any
                      ) -> tuple[Floats, Integers, Floats]:
        """Return values, classes and weights of labelled rows, of at most `most`."""
        rows = np.flatnonzero(self.used)
        rows = rows[sample_rows(len(rows), most, random_state)]
        return dense(self.X[rows]), self.classes[rows], self.weights[rows]

    def predict(self, labeller: Labeller, callback: Callback | None) -> PseudoLabels:
        """Return pseudo-labels of the unlabelled rows."""
        return labeller.predict(dense(self.X[~self.labelled]), callback)

    def unlabelled_rows(self) -> tuple[Floats, Floats]:
        """Return the unlabelled rows and their weights."""
        rows = ~self.labelled
        return dense(self.X[rows]), self.weights[rows]

    def without_labels(self) -> "Rows":
        """Return all rows as rows of a single class, for methods without a target."""
        given = np.zeros(len(self), dtype=np.int64)
        return replace(
            self, given=given, labels=LabelSummary.of(
                NO_LABELS.classes, given, self.weights, given=False),
            pseudo_labels=None)

    def without_pool(self) -> "Rows":
        """Return the rows of the data."""
        return self.take(np.arange(self.n_data)) if self.n_pool else self

    def with_labels(self, labels: PseudoLabels | None, min_confidence: float,
                    callback: Callback | None = None) -> "Rows":
        """
        Return rows whose labels are given or predicted.

        Parameters
        ----------
        labels : PseudoLabels or None
            Of the rows without a given label.
        min_confidence : float
            Rows with a lower confidence remain unlabelled.
        callback : callable, optional
            For Dask.
        """
        return replace(self, pseudo_labels=labels, min_confidence=min_confidence)

    def blocks(self, callback: Callback | None = None) -> Iterator[Block]:
        """Yield blocks of numeric columns, and report the progress."""
        used = (self.classes >= 0) & (self.weights > 0)
        X, classes, weights = self.X, self.classes, self.weights
        if not used.all():
            X, classes, weights = X[np.flatnonzero(used)], classes[used], weights[used]
        classes = classes.astype(np.intc)
        step = max(1, BLOCK_CELLS // max(1, len(classes)))
        for start in range(0, len(self.features), step):
            if callback is not None and start:
                callback(start / len(self.features))
            yield Block(X, self.features[start:start + step], classes, weights)

    def code_counts(self) -> dict[int, np.ndarray]:
        """
        Count the rows of each class and code of each categorical feature.

        Returns
        -------
        dict of ndarray, shape (n_classes, n_categories + 1)
            Weights; the last column is that of missing values.
        """
        counts = {}
        for feature in np.flatnonzero(self.categorical).tolist():
            codes = dense(self.X[:, [feature]]).ravel()
            n_codes = len(self.categories[feature])
            counts[feature] = contingency(
                np.where(np.isnan(codes), n_codes, codes), self.classes,
                len(self.labels.classes), self.weights, n_codes + 1)
        return counts

    def coded_rows(self, cuts: Cuts, n_jobs: int | None = None) -> Any:
        """Return the labelled rows as codes, for a classifier."""
        # Discretizers do not need models
        from orangecontrib.sadd.core.additive.fitting import CodedRows

        X = dense(self.X[self.labelled])
        return CodedRows(
            cuts.codes(X, n_jobs), self.given[self.labelled], len(self.labels.classes),
            self.weights[self.labelled])

    def training_rows(self, labels: PseudoLabels | None, min_confidence: float,
                      cut_points: Sequence[Floats]) -> Any:
        """Return all rows for a fit of SADD Tables, see `TrainingRows.of`."""
        from orangecontrib.sadd.core.additive.termrows import TrainingRows

        return TrainingRows.of(self, labels, min_confidence, cut_points)


def read(estimator: Any, X: Data, y: Data = None, sample_weight: Data = None, *,
         unlabelled_label: object = None, unlabelled: Data = None) -> Any:
    """
    Read the data of a fit, and set the names and categories of features.

    Parameters
    ----------
    estimator : Discretizer
    X, y, sample_weight
        As for `Discretizer.fit`.
    unlabelled_label : label or None
        Rows with this label, and rows with a missing label, are unlabelled.
    unlabelled : array_like, data frame, or what is for Dask, optional
        More rows, without labels, each of weight 1.

    Returns
    -------
    Rows or DaskRows

    Examples
    --------
    >>> from orangecontrib.sadd.core import MDLPDiscretizer
    >>> rows = read(MDLPDiscretizer(), [[1], [2]], ["no", "yes"], unlabelled=[[3]])
    >>> rows.classes
    array([ 0,  1, -1])
    """
    if is_for_dask(X):
        require_dask()
        from orangecontrib.sadd.core.dask.rows import DaskRows

        return DaskRows(estimator, X, y, sample_weight, unlabelled_label, unlabelled)
    X = as_pandas(X)
    n_rows = count_rows(X)
    if unlabelled is not None:
        X = append_rows(X, unlabelled)
    matrix = read_matrix(estimator, X, reset=True)
    n_pool = len(matrix) - n_rows
    given = y is not None or estimator.requires_target
    labels, classes, weights = read_labels(
        estimator, y if given else np.zeros(n_rows), sample_weight, unlabelled_label,
        n_rows)
    if not given:
        labels = labels._replace(classes=NO_LABELS.classes, given=False)
    return Rows(
        matrix, np.append(classes, np.full(n_pool, UNLABELLED)),
        np.append(weights, np.ones(n_pool)),
        labels._replace(n_unlabelled=labels.n_unlabelled + n_pool),
        estimator.categories_, getattr(estimator, "feature_names_in_", None), n_rows)
