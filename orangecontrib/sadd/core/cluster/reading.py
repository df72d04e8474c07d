"""A partition as numbers: what a worker does first with its rows."""

import sys
from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.exactsums import round_weights
from orangecontrib.sadd.core.labels import UNLABELLED
from orangecontrib.sadd.core.validation import (
    is_unlabelled,
    nonnegative_weights,
    read_matrix,
    read_target,
)

__all__ = ["Part", "Reader", "pick", "plain_text"]

@dataclass
class Part:
    """
    Rows of a partition.

    Attributes
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
    classes : ndarray of int64
        Class of each row; `UNLABELLED` where it is not known.
    weights : ndarray of float64, or None
    """

    X: np.ndarray
    classes: np.ndarray
    weights: np.ndarray | None

    def rows(self, index):
        """Return some of the rows."""
        return Part(self.X[index], self.classes[index],
                    None if self.weights is None else self.weights[index])


def pick(source_names, frame, y, weights):
    """Return features, labels and weights, some of which may be columns."""
    features, target, weight = source_names
    # A pool of unlabelled rows has neither labels nor weights
    if target is not None and target in frame.columns:
        y = frame[target]
    if weight is not None and weight in frame.columns:
        weights = frame[weight]
    if features is not None and frame is not None:
        frame = frame[[name for name in features if name in frame.columns]]
    return frame, y, weights


def plain_text(frame):
    """Return text of types of its own, which Dask makes of it, as plain objects."""
    types = getattr(frame, "dtypes", None)
    if types is None:
        return frame
    return frame.astype({name: object for name, dtype in types.items()
                         if dtype.name in ("string", "str")})


@dataclass
class Reader:
    """
    Reads partitions.

    Parameters
    ----------
    estimator : estimator
        Knows the features and their categories, see `read_matrix`.
    names : tuple
        Features, target and weight of the source, if they are columns.
    classes : ndarray
        Labels, sorted.
    has_target : bool
        Without it, all rows are of the only class.
    unlabelled_label : label or None
    total_weight : float or None
        For `round_weights`; None if there are no weights.
    weight_factor : float
        By which weights are multiplied, but not those of a pool.
    """

    estimator: object
    names: tuple
    classes: np.ndarray
    has_target: bool
    unlabelled_label: object = None
    total_weight: float | None = None
    weight_factor: float = 1.0

    def __call__(self, frame, y, weights):
        """Return the partition as a `Part`."""
        _release_memory()
        frame, y, weights = pick(self.names, frame, y, weights)
        n_rows = len(frame)
        if n_rows:
            X = read_matrix(self.estimator, plain_text(frame), reset=False)
        else:  # scikit-learn would refuse it
            X = np.zeros((0, len(self.estimator.categorical_features_)))
        weights = nonnegative_weights(weights, n_rows)
        if weights is not None:
            weights = weights * self.weight_factor
        if self.total_weight is not None:
            # Rows of a pool have none of their own
            weights = round_weights(
                np.ones(n_rows) if weights is None else weights, self.total_weight)
        if y is None:  # a pool of unlabelled rows, or a method that needs no labels
            classes = np.full(n_rows, UNLABELLED if self.has_target else 0)
            return Part(X, classes, weights)
        y = read_target(self.estimator, y, n_rows)
        unlabelled = is_unlabelled(y, self.unlabelled_label)
        classes = np.full(n_rows, UNLABELLED, dtype=np.int64)
        if len(self.classes):
            classes[~unlabelled] = np.searchsorted(self.classes, y[~unlabelled])
        return Part(X, classes, weights)


def _release_memory():
    """Let Arrow return what it needed to read a file and keeps for the next one."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
