"""Sums over rows of losses and their derivatives, in blocks and threads.

The compiled page `_objective` does the work on a block of rows.
"""

from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.bayes._objective import add_rows, score_rows
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["EncodedRows", "sum_rows"]

#: No array, for the compiled page
NOTHING = np.empty((0, 0))

# Scores of a block, and their exponentials, should fit into the cache
BLOCK_SCORES = 2 ** 14
# Threads take parts of rows. Each part has a gradient of its own, so that a part has at
# least this many values, and as many as there are numbers in the gradient.
PART_VALUES = 2 ** 17


class EncodedRows(NamedTuple):
    """
    Rows whose values are entries of tables.

    Attributes
    ----------
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The table entry of each value. The last entry of the table, which must be zero,
        stands for a value that is unknown.
    weights : ndarray of float64, shape (n_rows,)
    classes : ndarray of int32, shape (n_rows,)
        The class of each row, if there are no `targets`.
    targets : ndarray of float64, shape (n_rows, n_classes)
        Probabilities of classes that should be predicted.
    fractions : ndarray of float64, shape (n_rows, n_attributes)
        How far a value lies between its entry and the next one, from 0 to 1, for linear
        interpolation. It must be 0 where there is no next entry of the same attribute.
        By default values are entries. Otherwise, the table must end with two entries of
        zero, of which the first one stands for a value that is unknown.
    """

    columns: np.ndarray
    weights: np.ndarray
    classes: np.ndarray = np.empty(0, dtype=np.int32)
    targets: np.ndarray = NOTHING
    fractions: np.ndarray = NOTHING

    def part(self, start: int, stop: int) -> "EncodedRows":
        """Return some of the rows."""
        return EncodedRows(*(array[start:stop] for array in self))


def sum_rows(rows: EncodedRows, prior: Floats, table: Floats,
             mixture: tuple[float, float] = (1., 0.), *, squared: bool = True,
             n_jobs: int | None = None) -> tuple[float, float, Floats]:
    """
    Return the loss of rows and its derivatives by the entries of tables.

    The score of a class is the prior plus the entries of a row. One or two models are
    mixed; see `_objective` for the formulas. The result does not depend on the number
    of threads.

    Parameters
    ----------
    rows : EncodedRows
    prior : ndarray of float64, shape (n_models, n_classes)
        Finite. There is no derivative by it: if you need it, add an attribute with a
        single entry to all rows.
    table : ndarray of float64, shape (n_entries, n_models, n_classes)
    mixture : pair of float
        Shares of the models.
    squared : bool
        Whether the loss is the squared error, sum_c (t_c - P_c)^2; otherwise it is the
        log loss, - sum_c t_c ln P_c.
    n_jobs : int, optional
        Number of threads, as for `n_threads`.

    Returns
    -------
    value : float
        The loss: a sum over rows, times their weights.
    by_share : float
        Its derivative by the share of the second model.
    gradient : ndarray of float64, shape (n_entries, n_models, n_classes)
        Its derivatives by the entries. Those by the last entry have no meaning.

    Examples
    --------
    >>> rows = EncodedRows(np.array([[0], [1]], dtype=np.int32), np.ones(2),
    ...                    np.array([0, 1], dtype=np.int32))
    >>> value, _, gradient = sum_rows(rows, np.zeros((1, 2)), np.zeros((3, 1, 2)))
    >>> value, gradient[:2, 0]
    (1.0, array([[-0.5,  0.5],
           [ 0.5, -0.5]]))
    """
    n_entries, n_models, n_classes = table.shape
    # Only differences from the first class matter
    prior = (prior[:, 1:] - prior[:, :1]).ravel()
    differences = (table[..., 1:] - table[..., :1]).reshape(n_entries, -1)
    shares = np.array(mixture, dtype=np.float64)
    n_rows, n_attributes = rows.columns.shape

    def sum_part(part):
        sums, gradient = np.zeros(2), np.zeros_like(differences)
        slope, target = np.empty(len(prior)), np.empty(n_classes)
        for block in _split(part, max(1, BLOCK_SCORES // (n_models * n_classes))):
            scores = np.empty((len(block.columns), n_models, n_classes))
            score_rows(block.columns, block.fractions, prior, differences, slope,
                       scores)
            add_rows(block.columns, block.fractions, block.classes, block.targets,
                     block.weights, shares, squared, scores, np.exp(scores), target,
                     slope, sums, gradient)
        return sums, gradient

    size = max(PART_VALUES, differences.size) // max(1, n_attributes) + 1
    parts = _split(rows, size)
    found = map_in_threads(sum_part, parts, n_jobs) if n_rows > size \
        else map(sum_part, parts)
    sums, gradient = next(found)
    for more, slopes in found:
        sums += more
        gradient += slopes
    gradient = gradient.reshape(n_entries, n_models, n_classes - 1)
    gradient = np.concatenate((-gradient.sum(axis=2, keepdims=True), gradient), axis=2)
    return float(sums[0]), float(sums[1]), gradient


def _split(rows, size):
    """Yield parts of rows, at least one."""
    n_rows = len(rows.columns)
    if n_rows <= size:
        yield rows
        return
    for start in range(0, n_rows, size):
        yield rows.part(start, start + size)
