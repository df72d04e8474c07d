"""The rows of a fit in memory: arrays of values, classes and weights.

`Discretizer.read` makes them; `dask.data.DaskData` is the same for Dask. A
discretizer gets numeric columns in blocks, by `blocks`. The sequence of a fit is the
same for both.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse

from orangecontrib.sadd.core.arithmetic import contingency
from orangecontrib.sadd.core.labelling.labellers import Labeller
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import (
    NO_LABELS,
    UNLABELLED,
    LabelSummary,
    sample_rows,
)
from orangecontrib.sadd.core.types import Callback, Floats, Integers, Mask

__all__ = ["Block", "MemoryData"]

# Columns are read in blocks of about this many cells
BLOCK_CELLS = 2 ** 18
# A row of a matrix is contiguous in memory, so even long columns are read together
LEAST_COLUMNS = 2


class Block(NamedTuple):
    """
    Numeric columns with the rows that have a class and a weight.

    Attributes
    ----------
    features : ndarray of int
        Index of each column.
    columns : ndarray of float64, shape (n_columns, n_rows)
        In C order.
    classes : ndarray of int32, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
        Above 0.
    """

    features: Integers
    columns: Floats
    classes: Integers
    weights: Floats


class MemoryData:
    """
    Data in memory.

    Parameters
    ----------
    X : ndarray or csc matrix of float64, shape (n_rows, n_features)
        NaN where a value is missing; codes in categorical columns.
    classes : ndarray of int, shape (n_rows,)
        `UNLABELLED` for rows without a label.
    weights : ndarray of float64, shape (n_rows,)
    labels : LabelSummary
    categorical : ndarray of bool, shape (n_features,)
    features : ndarray of int, optional
        The features to be discretized, by default all numeric ones.
    """

    def __init__(self, X: Any, classes: Integers, weights: Floats,
                 labels: LabelSummary, categorical: Mask,
                 features: Integers | None = None) -> None:
        self.X = X
        self.classes = classes.copy()
        self.weights = weights
        self.labels = labels
        self.categorical = categorical
        self.features = np.flatnonzero(~categorical) if features is None else features
        self.labelled = classes != UNLABELLED
        self.pseudo_labels: PseudoLabels | None = None
        if labels.n_unlabelled:
            unknown = ~self.labelled
            unknown[unknown] = _nothing_known(X[np.flatnonzero(unknown)])
            self.weights = np.where(unknown, 0, weights)

    @property
    def n_cells(self) -> int:
        """Number of rows times numeric columns."""
        return self.X.shape[0] * len(self.features)

    def labelled_rows(self, most: int | None, random_state: Any
                      ) -> tuple[Floats, Integers, Floats]:
        """Return values, classes and weights of labelled rows, of at most `most`."""
        rows = np.flatnonzero(self.labelled & (self.weights > 0))
        if most is not None and len(rows) > most:
            rows = rows[sample_rows(len(rows), most, random_state)]
        return _dense(self.X[rows]), self.classes[rows], self.weights[rows]

    def predict(self, labeller: Labeller, callback: Callback | None) -> PseudoLabels:
        """Return pseudo-labels of the unlabelled rows."""
        return labeller.predict(_dense(self.X[~self.labelled]), callback)

    def unlabelled_rows(self) -> tuple[Floats, Floats]:
        """Return the unlabelled rows and their weights."""
        rows = ~self.labelled
        return _dense(self.X[rows]), self.weights[rows]

    def without_labels(self) -> "MemoryData":
        """Return all rows as rows of a single class, for methods without a target."""
        return MemoryData(
            self.X, np.zeros(len(self.classes), dtype=np.int64), self.weights,
            NO_LABELS, self.categorical, self.features)

    def use_labels(self, found: PseudoLabels | None, min_confidence: float) -> None:
        """
        Use pseudo-labels with enough confidence as labels.

        Rows with a confidence below `min_confidence` remain unlabelled.
        """
        if found is not None:
            self.classes[~self.labelled] = found.used_classes(min_confidence)
        self.pseudo_labels = found

    def blocks(self, callback: Callback | None = None) -> Iterator[Block]:
        """Yield blocks of numeric columns, and report the progress."""
        used = (self.classes >= 0) & (self.weights > 0)
        classes, weights = self.classes[used].astype(np.intc), self.weights[used]
        X = self.X if used.all() else self.X[np.flatnonzero(used)]
        step = max(1, BLOCK_CELLS // max(1, len(classes)))
        if not issparse(X):
            step = max(LEAST_COLUMNS, step)
        for start in range(0, len(self.features), step):
            if callback is not None and start:
                callback(start / len(self.features))
            features = self.features[start:start + step]
            columns = np.ascontiguousarray(_dense(X[:, features]).T)
            yield Block(features, columns, classes, weights)

    def code_counts(self, categories: Sequence[Any]) -> dict[int, np.ndarray]:
        """
        Count the rows of each class and code of each categorical feature.

        Parameters
        ----------
        categories : sequence of ndarray or None
            The categories of each feature.

        Returns
        -------
        dict of ndarray, shape (n_classes, n_categories + 1)
            Weights; the last column is that of missing values.
        """
        counts = {}
        for feature in np.flatnonzero(self.categorical).tolist():
            codes, n_codes = _dense(self.X[:, [feature]]).ravel(), len(
                categories[feature])
            counts[feature] = contingency(
                np.where(np.isnan(codes), n_codes, codes), self.classes,
                len(self.labels.classes), self.weights, n_codes + 1)
        return counts

    def coded_rows(self, discretizer: Any) -> tuple[Floats, Integers, int, Floats]:
        """
        Return the labelled rows as codes, for a classifier.

        Returns
        -------
        codes : ndarray of float64, shape (n_rows, n_features)
            Whole numbers from 0; NaN is a missing value.
        classes : ndarray of int, shape (n_rows,)
        n_classes : int
        weights : ndarray of float64, shape (n_rows,)
        """
        rows = self.labelled
        return (discretizer.cuts_.codes(_dense(self.X[rows]), discretizer.n_jobs),
                self.classes[rows],
                len(self.labels.classes), self.weights[rows])


def _nothing_known(X):
    """Return which rows have missing values only."""
    if issparse(X):
        missing = csr_array(X)
        missing.data = np.isnan(missing.data)
        return missing.sum(axis=1) == X.shape[1]
    return np.isnan(X).all(axis=1)


def _dense(X):
    return X.toarray() if issparse(X) else X
