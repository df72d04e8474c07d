"""Sums over rows of losses and their derivatives, in blocks and threads.

The compiled page `_objective` does the work on a block of rows.
"""

from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.additive._objective import (
    add_slopes,
    log_losses,
    score_rows,
    squared_errors,
)
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["EncodedRows", "by_class", "differences", "log_posteriors", "sum_rows"]

#: No array, for the compiled page
NOTHING = np.empty((0, 0))

# Values or scores in a block of rows, which should fit into the cache
BLOCK_VALUES = 2 ** 16
# Threads take parts of several blocks. Each part has a gradient of its own. So a part
# has at least this many values, and at least as many values as the gradient has.
PART_VALUES = 2 ** 18


class EncodedRows(NamedTuple):
    """
    Rows whose values are entries of tables.

    Attributes
    ----------
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The table entry of each value. The last entry of the table, which must be zero,
        stands for a value that is unknown.
    weights : ndarray, shape (n_rows,)
    classes : ndarray of int32, shape (n_rows,)
        The class of each row, if there are no `targets`.
    targets : ndarray of float64, shape (n_rows, n_classes)
        Probabilities of classes that should be predicted.
    fractions : ndarray of float64, shape (n_rows, n_attributes)
        Position of a value between its entry and the next one, from 0 to 1, for linear
        interpolation. It must be 0 at the last entry of an attribute. By default values
        are entries.
    """

    columns: np.ndarray
    weights: np.ndarray
    classes: np.ndarray = np.empty(0, dtype=np.int32)
    targets: np.ndarray = NOTHING
    fractions: np.ndarray = NOTHING


def sum_rows(rows: EncodedRows, prior: Floats, table: Floats, shape: tuple[int, int],
             alpha: float = 0, *, squared: bool = True) -> tuple[float, float, Floats]:
    """
    Return the loss of rows and its derivatives by the entries of tables.

    The score of a class is the prior plus the entries of a row. One or two models are
    mixed; see `_objective` for the formulas. Blocks of rows are computed in threads,
    and added in their order. So the result does not depend on the number of threads.

    Parameters
    ----------
    rows : EncodedRows
    prior : ndarray of float64, shape (width,)
        `differences` of finite numbers. For a derivative by the prior, add an attribute
        with a single entry to all rows.
    table : ndarray of float64, shape (n_entries, width)
    shape : pair of int
        The numbers of models and classes.
    alpha : float
        The share of the second model; 0 if there is only one.
    squared : bool
        Whether the loss is the squared error, sum_c (t_c - P_c)^2; otherwise it is the
        log loss, - sum_c t_c ln P_c.

    Returns
    -------
    value : float
        The loss: a sum over rows, times their weights.
    by_alpha : float
        Its derivative by alpha.
    gradient : ndarray of float64, shape (n_entries, width)
        Its derivatives by the entries. Those by the last entry have no meaning.

    Examples
    --------
    >>> rows = EncodedRows(np.array([[0], [1]], dtype=np.int32), np.ones(2),
    ...                    np.array([0, 1], dtype=np.int32))
    >>> value, _, gradient = sum_rows(rows, np.zeros(2), np.zeros((3, 2)), (1, 2))
    >>> value, by_class(gradient, 1, 2)[:2, 0]
    (1.0, array([[-0.5,  0.5],
           [ 0.5, -0.5]]))
    """
    n_rows, n_attributes = rows.columns.shape
    n_models, n_classes = shape
    losses = squared_errors if squared else log_losses
    size = 1 + BLOCK_VALUES // max(1, n_models * n_classes, n_attributes)
    in_part = 1 + max(PART_VALUES, table.size) // max(1, n_attributes)

    def sum_part(start):
        value, by_alpha, gradient = 0., 0., np.zeros(table.shape)
        part = [array[start:start + in_part] for array in rows]
        for first in range(0, max(1, len(part[0])), size):
            columns, weights, classes, targets, fractions = (
                array[first:first + size] for array in part)
            scores = np.empty((len(columns), n_models, n_classes))
            score_rows(columns, fractions, prior, table, np.empty(len(prior)), scores)
            slopes = np.zeros((len(columns), len(prior)))
            found = losses(
                classes, targets, weights, alpha, scores, np.exp(scores), slopes)
            value += found[0]
            by_alpha += found[1]
            add_slopes(columns, fractions, slopes, gradient)
        return value, by_alpha, gradient

    starts = range(0, max(1, n_rows), in_part)
    found = map_in_threads(sum_part, starts) if len(starts) > 1 \
        else map(sum_part, starts)
    value, by_alpha, gradient = next(found)
    for more, more_by_alpha, slopes in found:
        value += more
        by_alpha += more_by_alpha
        gradient += slopes
    return value, by_alpha, gradient


def differences(scores: Floats) -> Floats:
    """
    Return the differences of scores from the first class, as the page takes them.

    Parameters
    ----------
    scores : ndarray of float64, shape (..., n_models, n_classes)

    Returns
    -------
    ndarray of float64, shape (..., width)
        For each model, the classes but the first one. A zero is appended if their
        number is odd.
    """
    *shape, n_models, n_classes = scores.shape
    width = n_models * (n_classes - 1)
    found = np.zeros((*shape, width + width % 2))
    found[..., :width] = (scores[..., 1:] - scores[..., :1]).reshape(*shape, width)
    return found


def by_class(slopes: Floats, n_models: int, n_classes: int) -> Floats:
    """Return derivatives by scores of all classes, (..., n_models, n_classes)."""
    *shape, _ = slopes.shape
    found = np.empty((*shape, n_models, n_classes))
    found[..., 1:] = slopes[..., :n_models * (n_classes - 1)].reshape(
        *shape, n_models, n_classes - 1)
    # A number added to the scores of all classes changes nothing
    found[..., 0] = -found[..., 1:].sum(axis=-1)
    return found


def log_posteriors(columns: np.ndarray, prior: Floats, table: Floats) -> Floats:
    """
    Return the logarithms of the probabilities of classes, for each model.

    Parameters
    ----------
    columns : ndarray of int32, shape (n_rows, n_attributes)
        As for `EncodedRows`.
    prior : ndarray of float64, shape (n_models, n_classes)
    table : ndarray of float64, shape (n_entries, n_models, n_classes)

    Returns
    -------
    ndarray of float64, shape (n_rows, n_models, n_classes)
    """
    scores = np.empty((len(columns), *prior.shape))
    base = differences(prior)
    score_rows(columns, NOTHING, base, differences(table), np.empty_like(base), scores)
    scores -= np.log(np.exp(scores).sum(axis=2, keepdims=True))
    return scores
