"""Labels and weights of rows.

Convert labels and weights to class indices and non-negative floats; raise an error that
explains how to fix bad input.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.random import sample_without_replacement

__all__ = ["NO_LABELS", "OBSTACLES", "UNLABELLED", "LabelSummary", "check_labelled",
           "check_total_weight", "encode_labels", "find_obstacle", "is_unlabelled",
           "nonnegative_weights", "read_labels", "read_target", "sample_rows",
           "scale_weights", "summarize_labels", "weight_factor"]

# Class of rows without a label, and of rows with a pseudo-label below the confidence
UNLABELLED = -1

# Weights with a sum below this, or above its inverse, are out of range
TINY = 1e-100


def read_target(estimator, y, n_rows):
    """Return the labels as a 1-d array of any type, one for each row."""
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but "
            "the target y is None.")
    if type(y) is not np.ndarray or y.ndim != 1:
        y = column_or_1d(_plain(y), warn=True)
    if len(y) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but y has {len(y)}.")
    return y


def _plain(y):
    """Return labels of an extension type of pandas as objects, not as float64."""
    if isinstance(getattr(y, "dtype", np.dtype(object)), np.dtype) \
            or not hasattr(y, "to_numpy"):
        return y
    labels = np.fromiter(iter(y), object, len(y))
    if pd.isna(labels).any():
        return labels
    plain = np.array(labels.tolist())
    return plain if plain.shape == labels.shape else labels


def is_unlabelled(y, unlabelled_label=None):
    """Return which rows have no label: a missing one, or `unlabelled_label`."""
    missing = pd.isna(y)
    if unlabelled_label is not None:
        known = ~missing
        missing[known] = np.asarray(y[known] == unlabelled_label, dtype=bool)
    return missing


def encode_labels(y):
    """
    Number the labels.

    Returns
    -------
    classes : ndarray
        The distinct labels, sorted.
    codes : ndarray of int
        Index of each label.
    """
    if y.dtype.kind == "f" and np.any(y != np.floor(y)):
        raise ValueError(
            "Unknown label type: continuous. Discretize the target first, or pass "
            "labels as whole numbers or text.")
    try:
        return np.unique(y, return_inverse=True)
    except TypeError as error:
        raise ValueError(
            "Labels of several types cannot be put in order; make them all text or all "
            "numbers.") from error


def nonnegative_weights(sample_weight, n_rows):
    """Return weights, or one weight of all rows, as float64; all may be zero."""
    weights = np.asarray(sample_weight, dtype=np.float64)
    if not weights.ndim:
        weights = np.full(n_rows, weights)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has the shape {weights.shape}, but it must be "
                         f"one weight for each of {n_rows} rows.")
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise ValueError("sample_weight has missing, infinite or negative values; give "
                         "each row a weight of 0 or more.")
    return weights


def scale_weights(weights, counted):
    """
    Scale weights with a mean below 1 to mean 1.

    Whole weights stand for repeated rows, so their mean is never below 1. Weights with
    a lower mean, such as weights that sum to 1, rank rows and do not count them.

    Parameters
    ----------
    weights : ndarray of float64
    counted : ndarray of bool
        Labelled rows. The mean of their weights, zeros left out, decides.

    Examples
    --------
    >>> scale_weights(np.array([0.25, 0.75, 0]), np.array([True, True, False]))
    array([0.5, 1.5, 0. ])
    """
    if weights.min(initial=1) >= 1:
        return weights
    counted = weights[counted & (weights > 0)]
    # Exactly, so that equal weights become 1
    return weights * weight_factor(math.fsum(counted), len(counted))


def weight_factor(total, n_rows):
    """
    Return the factor that raises the mean weight to 1, at least 1.

    Parameters
    ----------
    total : float
        Sum of the weights.
    n_rows : int
        Number of rows that have a weight.
    """
    # Means that are 1 up to rounding have been raised before
    return n_rows / total if 0 < total < n_rows * (1 - 1e-9) else 1.0


def check_total_weight(total):
    """Raise a ValueError if the sum of weights is out of range."""
    if not total > 0:
        raise ValueError(
            "sample_weight is zero for every row; give at least one a weight.")
    if not TINY < total < 1 / TINY:
        raise ValueError(f"sample_weight sums to {total:g}, which is out of range. "
                         "Rescale the weights.")


class LabelSummary(NamedTuple):
    """
    A summary of the labels of the data.

    Attributes
    ----------
    classes : ndarray
        The distinct labels, sorted.
    n_labelled, n_unlabelled : int
    n_marked : int
        Unlabelled rows that have `unlabelled_label`, and not a missing label.
    n_used : int
        Labelled rows that have a weight.
    n_occurring : int
        Number of classes of labelled rows that have a weight.
    given : bool
        Whether there are labels at all. Without them, all rows are of one class.
    """

    classes: np.ndarray
    n_labelled: int
    n_unlabelled: int
    n_marked: int
    n_used: int
    n_occurring: int
    given: bool = True

    @classmethod
    def of(cls, names: np.ndarray, classes: np.ndarray, weights: np.ndarray,
           n_marked: int = 0, given: bool = True) -> "LabelSummary":
        """Summarize the labels of rows, given the index of the class of each row."""
        labelled = classes != UNLABELLED
        # A row without weight counts neither as a neighbour nor as a row
        used = labelled & (weights > 0)
        n_labelled = int(labelled.sum())
        counts = np.bincount(classes[used], minlength=1)
        return cls(names, n_labelled, len(classes) - n_labelled, n_marked,
                   int(used.sum()), int(np.count_nonzero(counts)), given)


#: All rows are of one class
NO_LABELS = LabelSummary(np.zeros(1), 0, 0, 0, 0, 0, given=False)

#: Reasons why rows cannot be cut, or cannot teach a classifier
OBSTACLES = {
    "no_numeric": "There are no numeric variables.",
    "no_class": "There is no single categorical class.",
    "no_rows": "There are no rows.",
    "all_unlabelled": "All rows are unlabelled; label some of them.",
    "one_class": "All labelled rows are of the same class.",
    "no_attributes": "There are no variables.",
}


def find_obstacle(labels: LabelSummary, categorical: np.ndarray, estimator: Any = None
                  ) -> str:
    """
    Return the reason why rows cannot be cut, or cannot teach a classifier.

    Parameters
    ----------
    labels : LabelSummary
    categorical : ndarray of bool, shape (n_features,)
    estimator : Discretizer, optional
        The estimator, or its class. By default, a classifier.

    Returns
    -------
    str
        A key of `OBSTACLES`, or "" if there is no obstacle.

    Examples
    --------
    >>> find_obstacle(NO_LABELS, np.array([True]))
    'no_class'
    """
    uses_class = estimator is None or estimator.requires_target
    if estimator is not None and np.all(categorical):
        return "no_numeric"
    if uses_class and not labels.given:
        return "no_class"
    if not labels.n_labelled + labels.n_unlabelled:
        return "no_rows"
    if uses_class and not labels.n_used:
        return "all_unlabelled"
    if uses_class and labels.n_occurring == 1:
        return "one_class"
    return "" if len(categorical) else "no_attributes"


def check_labelled(labels: LabelSummary, estimator: Any) -> None:
    """Raise a ValueError if an estimator cannot learn from these labels."""
    obstacle = find_obstacle(labels, np.zeros(1, dtype=bool), estimator)
    if labels.given and obstacle in ("no_rows", "all_unlabelled"):
        raise ValueError(OBSTACLES[obstacle] if not labels.n_labelled else
                         "sample_weight is zero for every labelled row; give at least "
                         "one a weight.")
    if len(labels.classes) == 1 and labels.n_marked:
        raise ValueError(
            f"Only one class remains, {labels.classes.tolist()[0]!r}, since rows "
            f"labelled {estimator.unlabelled_label!r} were read as unlabelled. If this "
            "is a label like any other, pass unlabelled_label=None.")


def read_labels(estimator, y, sample_weight, unlabelled_label, n_rows):
    """
    Read labels and weights of rows.

    Parameters
    ----------
    estimator : estimator
        Is named in error messages.
    y, sample_weight : array_like
    unlabelled_label : label or None
    n_rows : int

    Returns
    -------
    labels : LabelSummary
    classes : ndarray of int
        Index of the label of each row, or `UNLABELLED`.
    weights : ndarray of float64
        See `scale_weights`; ones if there are none given.
    """
    y = read_target(estimator, y, n_rows)
    weights = np.ones(n_rows)
    if sample_weight is not None:
        weights = nonnegative_weights(sample_weight, n_rows)
        check_total_weight(weights.sum())
    labels, classes = summarize_labels(y, unlabelled_label, weights)
    return labels, classes, scale_weights(weights, classes != UNLABELLED)


def summarize_labels(y, unlabelled_label, weights):
    """
    Number the labels of rows.

    Parameters
    ----------
    y : ndarray
        From `read_target`.
    unlabelled_label : label or None
    weights : ndarray of float64

    Returns
    -------
    labels : LabelSummary
    classes : ndarray of int
        Index of the label of each row, or `UNLABELLED`.
    """
    labelled = ~is_unlabelled(y, unlabelled_label)
    classes = np.full(len(y), UNLABELLED, dtype=np.int64)
    names, classes[labelled] = encode_labels(y[labelled])
    n_marked = int(np.count_nonzero(~labelled)) - int(pd.isna(y).sum())
    return LabelSummary.of(names, classes, weights, n_marked), classes


def sample_rows(n_rows, most, random_state):
    """
    Draw at most `most` rows at random; return their numbers in increasing order.

    Examples
    --------
    >>> sample_rows(3, 5, 0)
    array([0, 1, 2])
    """
    if most is None or n_rows <= most:
        return np.arange(n_rows)
    return np.sort(sample_without_replacement(
        n_rows, most, random_state=check_random_state(random_state)))
