"""Labels of rows: which there are, the rows that have one, and a sample of them."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

from orangecontrib.sadd.core.pseudolabels.labellers import UNLABELLED
from orangecontrib.sadd.core.types import Floats, Integers
from orangecontrib.sadd.core.validation import encode_labels, is_unlabelled

__all__ = ["UNLABELLED", "LabelSummary", "LabelledRows", "sample_rows",
           "summarize_labels"]


class LabelSummary(NamedTuple):
    """
    What the labels of the data are like.

    Attributes
    ----------
    classes : ndarray
        The distinct labels, sorted.
    n_labelled, n_unlabelled : int
    n_marked : int
        Unlabelled rows whose label is not missing, but is the one that stands for it.
    n_used : int
        Labelled rows that have a weight.
    given : bool
        Whether there are labels at all. Without them, all rows are of one class.
    """

    classes: np.ndarray
    n_labelled: int
    n_unlabelled: int
    n_marked: int
    n_used: int
    given: bool = True


def summarize_labels(y, unlabelled_label=None, weights=None):
    """
    Number the labels of rows.

    Parameters
    ----------
    y : ndarray
        From `read_target`.
    unlabelled_label : label or None
    weights : ndarray of float64, optional

    Returns
    -------
    labels : LabelSummary
    classes : ndarray of int
        Index of the label of each row, or `UNLABELLED`.
    """
    labelled = ~is_unlabelled(y, unlabelled_label)
    classes = np.full(len(y), UNLABELLED, dtype=np.int64)
    names, classes[labelled] = encode_labels(y[labelled])
    n_labelled = int(labelled.sum())
    # A row without weight counts neither as a neighbour nor as a row
    used = labelled if weights is None else labelled & (weights > 0)
    return LabelSummary(
        names, n_labelled, len(y) - n_labelled,
        int(np.sum(~labelled & ~is_unlabelled(y))), int(used.sum())), classes


class LabelledRows(NamedTuple):
    """Rows that have a label and a weight; the weights are None if all are equal."""

    X: Floats
    classes: Integers
    weights: Floats | None


def sample_rows(n_rows, n_wanted, random_state):
    """Draw rows at random; return their numbers in increasing order."""
    return np.sort(sample_without_replacement(
        n_rows, n_wanted, random_state=check_random_state(random_state)))
