"""The weighted naive Bayes family: one posterior, one loss, one gradient.

RNB mixes two weighted naive Bayes models,

    P(c | x) = alpha P_D(c | x, W) + (1 - alpha) P_I(c | x, w),
    P_D(c | x, W) ~ P(c) prod_j P(a_j | c)^W_cj    (weights depend on class: CAWNB),
    P_I(c | x, w) ~ P(c) prod_j P(a_j | c)^w_j     (weights do not: WANBIA),

with all weights and alpha within [0, 1]. WANBIA is the same with alpha fixed at 0 and
without W, and CAWNB with alpha fixed at 1 and without w.

Value and gradient are sums over rows. An `Objective` makes them of `Sums`, which
`RowObjective` has from blocks of rows in memory, and others may have from the workers
of a cluster. These sums are exact: with the same rows, however they are ordered, joined
or distributed, a search for weights takes the same steps and ends at the same weights.
"""

from dataclasses import dataclass, replace

import numpy as np

from orangecontrib.sadd.core.bayes.layout import Layout
from orangecontrib.sadd.core.bayes.losses import LOSSES
from orangecontrib.sadd.core.bayes.rowblocks import (
    MAX_COMBINATIONS,
    group_rows,
    join_columns,
    one_hot,
    row_blocks,
)
from orangecontrib.sadd.core.exactsums import (
    MAX_LEVEL,
    common_level,
    grid_scale,
    level_scale,
    rounded_total,
    total_as_float,
)

__all__ = ["BLOCK_BYTES", "Objective", "RowObjective", "Sums", "add_parts"]

# The size of the scores of a block of rows, in bytes; they should fit into a cache. A
# handful of arrays of this size, or of that of the tables, is all that an evaluation
# needs. The rows take 4 bytes for each row and (joined) attribute, and 16 for each row,
# and the ones of a block at most 64 MB.
BLOCK_BYTES = 2 ** 20

# Up to this total, weights that are whole numbers count as repeated rows. A row's terms
# are rounded to a unit that grows with the total, and its error then counts as often.
MOST_COUNTED = 2 ** 24


@dataclass(frozen=True, eq=False)
class Sums:
    """
    What some rows add to a loss and to its gradient.

    Attributes
    ----------
    value, by_alpha : int
        The loss, and its derivative by alpha, as from `exactsums`.
    by_column : ndarray of float64, shape (n_columns, n_models x n_scores)
        Derivatives by the columns of the weighted tables: whole numbers. That by the
        last column, which has no weight, has no meaning.
    level : int
        At which they are rounded, see `exactsums`.
    """

    value: int
    by_alpha: int
    by_column: np.ndarray
    level: int

    def __add__(self, other):
        return Sums(self.value + other.value, self.by_alpha + other.by_alpha,
                    self.by_column + other.by_column, self.level)


def add_parts(evaluate, parts, level=MAX_LEVEL):
    """
    Add the sums over several parts, all at the lowest of their levels.

    Parameters
    ----------
    evaluate : callable
        Gives the `Sums` of a part, or None if it has no rows, at a level or at a lower
        one.
    parts : sequence
    level : int
        The highest level.

    Returns
    -------
    Sums or None
    """
    total = None
    for part in parts:
        sums = evaluate(part, level)
        if sums is None:
            continue
        if total is not None and sums.level < level:
            # This is rare: derivatives of all rows before this part are very small
            return add_parts(evaluate, parts, sums.level)
        level = sums.level
        total = sums if total is None else total + sums
    return total


class Objective:
    """
    The loss of a model, and its gradient, from sums over rows.

    A subclass has a method `sums`.

    Parameters
    ----------
    tables : Tables
        Of all rows. The sum of their weights must be exact, see `round_weights`.
    model : {"wanbia", "cawnb", "rnb"}
    objective : {"mse", "cll"}
        See `losses`.
    """

    def __init__(self, tables, model="rnb", objective="mse"):
        if objective not in LOSSES:
            raise ValueError("The objective must be 'mse' or 'cll', "
                             f"not {objective!r}.")
        self.layout = Layout(model, tables.n_classes, tables.n_attributes)
        self.total_weight = float(tables.class_counts.sum())
        self._tables = tables
        self._loss = LOSSES[objective](tables.n_classes)
        # For two classes all depends on the difference of their scores
        self._binary = tables.n_classes == 2
        self._n_scores = 1 if self._binary else tables.n_classes
        # No derivative of a row's loss by a score is above 1 before it is multiplied by
        # its constant, nor is the squared error above 2
        self._scale = grid_scale(2 * self.total_weight)
        self._by_attribute = one_hot(
            tables.attribute[:, None], max(1, tables.n_attributes)).T

    def sums(self, theta, level=MAX_LEVEL):
        """Give the `Sums` over all rows, as for `add_parts`."""
        raise NotImplementedError

    def value_and_gradient(self, theta):
        """
        Give the loss and its derivatives by the parameters.

        Parameters
        ----------
        theta : ndarray, shape (layout.size,)

        Returns
        -------
        value : float
        gradient : ndarray, shape (layout.size,)
        """
        sums = self.sums(theta)
        if sums is None:
            return 0., np.zeros(self.layout.size)
        tables = self._tables
        of_value, of_alpha, of_models = self._loss.constants(self._mixture(theta))
        derivatives = sums.by_column.T.reshape(len(of_models), -1, tables.n_columns)
        scale = self._scale * level_scale(sums.level)
        derivatives = derivatives * (of_models / scale)[:, None, None]
        if self._binary:
            derivatives = np.concatenate((-derivatives, derivatives), axis=1)
        derivatives *= tables.log_likelihood
        gradient = self._by_attribute @ derivatives.reshape(-1, tables.n_columns).T
        gradient = gradient.T[:, :tables.n_attributes].reshape(
            len(of_models), tables.n_classes, tables.n_attributes)
        return of_value * total_as_float(sums.value) / self._scale, self.layout.pack(
            gradient[0].sum(axis=0), gradient[-1],
            of_alpha * total_as_float(sums.by_alpha) / self._scale)

    def _mixture(self, theta):
        """Give the shares of the models."""
        alpha = self.layout.unpack(theta)[2]
        return np.array([1 - alpha, alpha]) if self.layout.has_alpha else np.ones(1)

    def _scores(self, theta):
        """
        Give the terms of scores, rounded so that scores are exact, whoever adds them.

        Returns
        -------
        prior : ndarray, shape (n_models, n_scores)
        columns : ndarray, shape (n_models, n_scores, n_columns)
        bound : float
            No finite score is above this.
        """
        weights, class_weights, _ = self.layout.unpack(theta)
        columns = np.array([self._tables.weighted(part)
                            for part in (weights, class_weights) if part is not None])
        prior = self._tables.log_prior
        if self._binary:
            columns = columns[:, 1:] - columns[:, :1]
            prior = prior[1:] - prior[:1]
        bound = np.abs(prior[np.isfinite(prior)]).max(initial=0) \
            + self.layout.n_attributes * np.abs(columns).max(initial=0)
        scale = grid_scale(bound)
        columns *= scale
        np.rint(columns, out=columns)
        columns /= scale
        prior = np.rint(prior * scale) / scale
        return np.tile(prior, (len(columns), 1)), columns, bound


class RowObjective(Objective):
    """
    The loss of a model on rows in memory, and its gradient.

    Parameters
    ----------
    tables : Tables
        Of these rows, or of these and others.
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The rows, as given by ``tables.encode``.
    y : ndarray of int, shape (n_rows,)
    sample_weight : ndarray, shape (n_rows,), optional
    model, objective
        As for `Objective`.
    block_bytes : int
        Rows are processed in blocks whose scores take no more memory than this, or
        than those of the combinations of values, see `rowblocks`.
    join, group : bool
        Whether to look for recurring parts of rows, and for recurring rows. The result
        is the same.

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.bayes.tables import fit_tables
    >>> codes, y = np.array([[0.], [0.], [1.], [1.]]), np.array([0, 0, 0, 1])
    >>> tables = fit_tables(codes, y, 2)
    >>> objective = RowObjective(tables, tables.encode(codes), y, model="wanbia")
    >>> value, gradient = objective.value_and_gradient(np.ones(1))
    >>> round(value, 4), gradient.round(4)
    (1.0916, array([-0.187]))
    """

    def __init__(self, tables, columns, y, sample_weight=None, *, model="rnb",
                 objective="mse", block_bytes=BLOCK_BYTES, join=True, group=True):
        super().__init__(tables, model, objective)
        y = np.asarray(y, dtype=np.intp)
        weight = count = None
        if sample_weight is not None:
            weight = np.asarray(sample_weight, dtype=np.float64)
            if not np.all(weight > 0):
                used = weight > 0
                columns, y, weight = columns[used], y[used], weight[used]
            if self.total_weight <= MOST_COUNTED:
                # A row of weight 2 is the row twice, each of which is rounded
                whole = weight == np.floor(weight)
                count = np.where(whole, weight, 1.)
                weight = None if whole.all() else np.where(whole, 1., weight)

        joined, self._expand, self._n_first = join_columns(
            columns, tables.n_values, tables.n_columns, MAX_COMBINATIONS if join else 1)
        self._collapse = self._expand.T
        if group:
            joined, y, weight, count = group_rows(joined, y, weight, count)
        factor = None if weight is None else weight * self._scale
        n_models = self.layout.has_weights + self.layout.has_class_weights
        n_combinations = self._expand.shape[0]
        # A block adds to a table of all combinations, so it may as well be as large
        self._rows = joined, y, factor, count, n_combinations, max(
            n_combinations, block_bytes // (8 * n_models * self._n_scores))
        self._blocks = row_blocks(*self._rows)

    def __getstate__(self):
        # Blocks are views of the rows, and ones
        return {name: value for name, value in vars(self).items() if name != "_blocks"}

    def __setstate__(self, state):
        vars(self).update(state)
        self._blocks = row_blocks(*self._rows)

    def sums(self, theta, level=MAX_LEVEL):
        """
        Give the sums over these rows.

        Parameters
        ----------
        theta : ndarray, shape (layout.size,)
        level : int
            The highest level of rounding.

        Returns
        -------
        Sums or None
            None if there are no rows.
        """
        prior, columns, bound = self._scores(theta)
        mixture = self._mixture(theta)
        by_combination = self._expand @ columns.reshape(-1, columns.shape[2]).T
        # Each row has one of the combinations of the first attributes
        by_combination[:self._n_first] += prior.ravel()
        value_scale = grid_scale(
            self._loss.bound(bound) * self.total_weight) / self._scale

        def evaluate(block, level):
            # Class-major: sums and maxima over classes then run along memory
            scores = np.empty((*prior.shape, len(block)))
            np.copyto(scores.reshape(-1, len(block)),
                      (block.onehot @ by_combination).T)
            factor = self._scale if block.factor is None else block.factor
            losses, slopes = self._loss.rows(scores, block.y, factor, mixture)
            level = min(level, common_level(scores, factor))
            return Sums(
                rounded_total(losses, block.count, value_scale),
                0 if slopes is None else self._loss.add_by_alpha(slopes, block.count),
                block.add_up(scores, level_scale(level)), level)

        sums = add_parts(evaluate, self._blocks, level)
        return sums and replace(sums, by_column=self._collapse @ sums.by_column)
