"""Sums over rows of losses and their derivatives, in blocks and threads.

The compiled pages `_objective` and `_places` do the work on a block of rows.
"""

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.additive._objective import (
    add_slopes,
    log_losses,
    score_rows,
    squared_errors,
)
from orangecontrib.sadd.core.additive._places import (
    add_at_places,
    score_places,
    target_losses,
)
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["IndexedRows", "PlacedRows", "differences", "log_odds",
           "log_posteriors", "with_steps", "without_steps"]

#: No array, for the compiled page
NOTHING = np.empty((0, 0))
NO_PAIRS = np.empty((0, 4), dtype=np.int32)

# Values or scores in a block of rows, which should fit into the cache
BLOCK_VALUES = 2 ** 16
# Threads take parts of several blocks. Each part has a gradient of its own. So a part
# has at least this many values, and at least as many values as the gradient has.
PART_VALUES = 2 ** 18


class BlockedRows:
    """Base class of rows whose losses are computed block by block."""

    weights: np.ndarray

    @property
    def n_entries(self) -> int:
        """Number of entries of a row."""
        raise NotImplementedError

    def score(self, rows: slice, prior: Floats, table: Floats, scores: Floats) -> None:
        """Compute the scores of a slice of rows."""
        raise NotImplementedError

    def losses(self, rows: slice, alpha: float, squared: bool, scores: Floats,
               slopes: Floats) -> tuple[float, float]:
        """Return the loss and its derivative by alpha; fill derivatives by scores."""
        raise NotImplementedError

    def add(self, rows: slice, slopes: Floats, gradient: Floats) -> None:
        """Add derivatives by scores to those by table entries."""
        raise NotImplementedError

    def sums(self, prior: Floats, table: Floats, shape: tuple[int, int],
             alpha: float = 0, *, squared: bool = True) -> tuple[float, float, Floats]:
        """
        Return the loss of the rows and its derivatives by the entries of tables.

        The score of a class is the prior plus the entries of a row. One or two models
        are mixed; see `_objective` for the formulas. Blocks of rows are computed in
        threads, and added in their order. So the result does not depend on the number
        of threads.

        Parameters
        ----------
        prior : ndarray of float64, shape (width,)
            `differences` of finite numbers.
        table : ndarray of float64, shape (n_entries, width) or (n_entries, 2, width)
        shape : pair of int
            The numbers of models and classes.
        alpha : float
            The share of the second model; 0 if there is only one.
        squared : bool
            Whether the loss is the squared error, sum_c (t_c - P_c)^2; otherwise it is
            the log loss, - sum_c t_c ln P_c.

        Returns
        -------
        value : float
            The loss: a sum over rows, times their weights.
        by_alpha : float
            Its derivative by alpha.
        gradient : ndarray of float64, of the shape of the table
            Its derivatives by the entries. Those by the entry of unknown values have no
            meaning.

        Examples
        --------
        >>> rows = IndexedRows(np.array([[0], [1]], dtype=np.int32), np.ones(2),
        ...                    np.array([0, 1], dtype=np.int32))
        >>> value, _, gradient = rows.sums(np.zeros(2), np.zeros((3, 2)), (1, 2))
        >>> value, gradient[:2, 0]
        (1.0, array([ 0.5, -0.5]))
        """
        n_rows, n_entries = len(self.weights), max(1, self.n_entries)
        n_models, n_classes = shape
        size = 1 + BLOCK_VALUES // max(n_models * n_classes, n_entries)
        in_part = 1 + max(PART_VALUES, table.size) // n_entries

        def sum_part(start):
            value, by_alpha, gradient = 0., 0., np.zeros(table.shape)
            end = min(start + in_part, n_rows)
            for first in range(start, max(start + 1, end), size):
                block = slice(first, min(first + size, end))
                scores = np.empty((block.stop - first, n_models, n_classes))
                self.score(block, prior, table, scores)
                slopes = np.zeros((len(scores), len(prior)))
                found = self.losses(block, alpha, squared, scores, slopes)
                value += found[0]
                by_alpha += found[1]
                self.add(block, slopes, gradient)
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


@dataclass(frozen=True, eq=False)
class IndexedRows(BlockedRows):
    """
    Rows whose values are entries of tables.

    Attributes
    ----------
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The table entry of each value. The last entry of the table, which must be zero,
        stands for a value that is unknown.
    weights : ndarray, shape (n_rows,)
    classes : ndarray of int32, shape (n_rows,)
    """

    columns: np.ndarray
    weights: np.ndarray
    classes: np.ndarray

    @property
    def n_entries(self):
        """Number of entries of a row."""
        return self.columns.shape[1]

    def score(self, rows, prior, table, scores):
        score_rows(self.columns[rows], prior, table, np.empty_like(prior), scores)

    def losses(self, rows, alpha, squared, scores, slopes):
        return (squared_errors if squared else log_losses)(
            self.classes[rows], self.weights[rows], alpha, scores, np.exp(scores),
            slopes)

    def add(self, rows, slopes, gradient):
        add_slopes(self.columns[rows], slopes, gradient)


@dataclass(frozen=True, eq=False)
class PlacedRows(BlockedRows):
    """
    Rows whose values lie between entries of tables, of curves and of pairs.

    There is one model, and its loss is the log loss.

    Their tables and gradients are those of `_places`, from `with_steps`.

    Attributes
    ----------
    places : ndarray of float64, shape (n_rows, n_attributes)
        Number of an entry, plus the fraction of the way to the next one; 0 where a
        value is missing.
    pair_places : ndarray of float64, shape (n_rows, n_attributes in pairs)
        The same in the tables of pairs, from 0; -1 where a value is missing.
    weights : ndarray, shape (n_rows,)
    targets : ndarray of float64, shape (n_rows, n_classes)
        Probabilities of classes that should be predicted.
    pairs : ndarray of int32, shape (n_pairs, 4)
        Two columns of `pair_places`, the first entry of the table, and its number of
        entries for a value of the first attribute.
    intercept : int
        The entry to which the derivative by the prior is added.
    """

    places: np.ndarray
    pair_places: np.ndarray
    weights: np.ndarray
    targets: np.ndarray
    pairs: np.ndarray
    intercept: int

    @property
    def n_entries(self):
        """Number of entries of a row."""
        return 2 * self.places.shape[1] + 4 * len(self.pairs) + 1

    def score(self, rows, prior, table, scores):
        score_places(self.places[rows], self.pair_places[rows], self.pairs, prior,
                     table, scores)

    def losses(self, rows, alpha, squared, scores, slopes):
        return target_losses(self.targets[rows], self.weights[rows], scores,
                             np.exp(scores), slopes), 0.

    def add(self, rows, slopes, gradient):
        add_at_places(self.places[rows], self.pair_places[rows], self.pairs, slopes,
                      gradient)
        gradient[self.intercept, 0] += slopes.sum(axis=0)


def with_steps(entries: Floats) -> Floats:
    """
    Return entries and their differences to the next one, as `_places` takes them.

    Parameters
    ----------
    entries : ndarray of float64, shape (n_entries, width)

    Returns
    -------
    ndarray of float64, shape (1 + n_entries, 2, width)
        The first entry, of missing values, is zero.

    Examples
    --------
    >>> with_steps(np.array([[2.], [5.]]))[:, :, 0]
    array([[ 0.,  0.],
           [ 2.,  3.],
           [ 5., -5.]])
    """
    found = np.zeros((len(entries) + 1, 2, entries.shape[1]))
    found[1:, 0] = entries
    found[1:, 1] = -entries
    found[1:-1, 1] += entries[1:]
    return found


def without_steps(gradient: Floats) -> Floats:
    """Return the derivatives by entries for those by the result of `with_steps`."""
    found = gradient[1:, 0] - gradient[1:, 1]
    found[1:] += gradient[1:-1, 1]
    return found


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


def log_odds(scores: Floats) -> Floats:
    """
    Return scores of classes as log-odds.

    For two classes, they are those of a class against the other one. For more classes,
    they are compared with the mean of all classes.

    Parameters
    ----------
    scores : ndarray of float64, shape (..., n_classes)

    Examples
    --------
    >>> log_odds(np.array([0., 3])), log_odds(np.array([0., 3, 6]))
    (array([-3.,  3.]), array([-3.,  0.,  3.]))
    """
    if scores.shape[-1] == 2:
        return scores - scores[..., ::-1]
    return scores - scores.mean(axis=-1, keepdims=True)


def log_posteriors(columns: np.ndarray, prior: Floats, table: Floats) -> Floats:
    """
    Return the logarithms of the probabilities of classes, for each model.

    Parameters
    ----------
    columns : ndarray of int32, shape (n_rows, n_attributes)
        As for `IndexedRows`.
    prior : ndarray of float64, shape (n_models, n_classes)
    table : ndarray of float64, shape (n_entries, n_models, n_classes)

    Returns
    -------
    ndarray of float64, shape (n_rows, n_models, n_classes)
    """
    scores = np.empty((len(columns), *prior.shape))
    base = differences(prior)
    score_rows(columns, base, differences(table), np.empty_like(base), scores)
    scores -= np.log(np.exp(scores).sum(axis=2, keepdims=True))
    return scores
