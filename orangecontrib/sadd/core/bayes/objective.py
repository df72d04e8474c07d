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

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.bayes.losses import LOSSES
from orangecontrib.sadd.core.bayes.rowblocks import (
    MAX_COMBINATIONS,
    group_rows,
    join_columns,
    one_hot,
    row_blocks,
)
from orangecontrib.sadd.core.exactsums import ExactSummation, add_parts, round_terms

__all__ = ["Layout", "Objective", "RowObjective", "ShrunkObjective"]

# The size of the scores of a block of rows, in bytes; they should fit into a cache. A
# handful of arrays of this size, or of that of the tables, is all that an evaluation
# needs. The rows take 4 bytes for each row and (joined) attribute, and 16 for each row,
# and the ones of a block at most 64 MB.
BLOCK_BYTES = 2 ** 20


@dataclass(frozen=True)
class Layout:
    """
    The parameters of WANBIA, CAWNB and RNB as one vector, theta.

    Parameters
    ----------
    model : {"wanbia", "cawnb", "rnb"}
    n_classes, n_attributes : int

    Examples
    --------
    >>> layout = Layout("rnb", 2, 3)
    >>> layout.size
    10
    >>> layout.unpack(layout.start)
    (array([1., 1., 1.]), array([[1., 1., 1.],
           [1., 1., 1.]]), 0.5)
    """

    model: str
    n_classes: int
    n_attributes: int

    def __post_init__(self):
        if self.model not in ("wanbia", "cawnb", "rnb"):
            raise ValueError("The model must be 'wanbia', 'cawnb' or 'rnb', "
                             f"not {self.model!r}.")

    @property
    def has_weights(self):
        """Whether there are weights of attributes, w."""
        return self.model != "cawnb"

    @property
    def has_class_weights(self):
        """Whether there are weights of attributes for each class, W."""
        return self.model != "wanbia"

    @property
    def has_alpha(self):
        """Whether the share of the class-dependent part, alpha, is free."""
        return self.model == "rnb"

    @property
    def size(self):
        """The number of parameters."""
        n_weights = self.has_weights + self.has_class_weights * self.n_classes
        return n_weights * self.n_attributes + self.has_alpha

    @property
    def start(self):
        """The authors' starting point: naive Bayes, mixed of equal parts."""
        theta = np.ones(self.size)
        if self.has_alpha:
            theta[-1] = 0.5
        return theta

    def pack(self, weights, class_weights, alpha):
        """Return the vector; parameters that the model lacks are ignored."""
        parts = [np.ravel(weights)] * self.has_weights \
            + [np.ravel(class_weights)] * self.has_class_weights \
            + [[alpha]] * self.has_alpha
        return np.concatenate(parts)

    def unpack(self, theta):
        """Return (w, W, alpha); None for weights that the model lacks."""
        weights = class_weights = None
        alpha = 1.0 if self.model == "cawnb" else 0.0
        if self.has_alpha:
            alpha, theta = float(theta[-1]), theta[:-1]
        if self.has_weights:
            weights, theta = theta[:self.n_attributes], theta[self.n_attributes:]
        if self.has_class_weights:
            class_weights = theta.reshape(self.n_classes, self.n_attributes)
        return weights, class_weights, alpha


class Objective:
    """
    The loss of a model, and its gradient, from sums over rows.

    A subclass has a method `sums`.

    Parameters
    ----------
    tables : Tables
        Of all rows. The sum of their weights must be exact, see `round_weights`.
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"mse", "cll"}
        See `losses`.
    total_weight : float, optional
        Of the rows; that of the rows in the tables by default.
    """

    def __init__(self, tables, model="rnb", loss="mse", total_weight=None):
        if loss not in LOSSES:
            raise ValueError(f"The objective must be 'mse' or 'cll', not {loss!r}.")
        self.layout = Layout(model, tables.n_classes, tables.n_attributes)
        self.tables = tables
        self.total_weight = float(
            tables.class_counts.sum() if total_weight is None else total_weight)
        self._loss = LOSSES[loss](tables.n_classes)
        self._summation = ExactSummation(self.total_weight)
        # For two classes all depends on the difference of their scores
        self._binary = tables.n_classes == 2
        self._n_scores = 1 if self._binary else tables.n_classes
        self._by_attribute = one_hot(
            tables.attribute[:, None], max(1, tables.n_attributes)).T

    def sums(self, theta, precision=None):
        """Return the `Sums` over all rows, or None, as for `add_parts`."""
        raise NotImplementedError

    def value_and_gradient(self, theta):
        """
        Return the loss and its derivatives by the parameters.

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
        tables = self.tables
        value, by_alpha, by_column = self._summation.as_floats(sums)
        of_value, of_alpha, of_models = self._loss.constants(self._mixture(theta))
        # That by the last column, which has no weight, has no meaning
        derivatives = by_column.T.reshape(len(of_models), -1, tables.n_columns)
        derivatives = derivatives * of_models[:, None, None]
        if self._binary:
            derivatives = np.concatenate((-derivatives, derivatives), axis=1)
        derivatives *= tables.log_likelihood
        gradient = self._by_attribute @ derivatives.reshape(-1, tables.n_columns).T
        gradient = gradient.T[:, :tables.n_attributes].reshape(
            len(of_models), tables.n_classes, tables.n_attributes)
        return of_value * value, self.layout.pack(
            gradient[0].sum(axis=0), gradient[-1], of_alpha * by_alpha)

    def _mixture(self, theta):
        """Return the shares of the models."""
        alpha = self.layout.unpack(theta)[2]
        return np.array([1 - alpha, alpha]) if self.layout.has_alpha else np.ones(1)

    def _scores(self, theta):
        """
        Return the terms of scores, rounded so that scores are exact, whoever adds them.

        Returns
        -------
        prior : ndarray, shape (n_models, n_scores)
        columns : ndarray, shape (n_models, n_scores, n_columns)
        bound : float
            No finite score is above this.
        """
        weights, class_weights, _ = self.layout.unpack(theta)
        columns = np.array([self.tables.weighted(part)
                            for part in (weights, class_weights) if part is not None])
        prior = self.tables.log_prior
        if self._binary:
            columns = columns[:, 1:] - columns[:, :1]
            prior = prior[1:] - prior[:1]
        bound = np.abs(prior[np.isfinite(prior)]).max(initial=0) \
            + self.layout.n_attributes * np.abs(columns).max(initial=0)
        prior, columns = round_terms(bound, prior, columns)
        return np.tile(prior, (len(columns), 1)), columns, bound


class RowObjective(Objective):
    """
    The loss of a model on rows in memory, and its gradient.

    Parameters
    ----------
    tables : Tables
        Of these rows, or of these and others.
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The rows, from ``tables.encode``.
    y : ndarray of int, shape (n_rows,)
    sample_weight : ndarray, shape (n_rows,), optional
    model, loss, total_weight
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
                 loss="mse", total_weight=None, block_bytes=BLOCK_BYTES, join=True,
                 group=True):
        super().__init__(tables, model, loss, total_weight)
        y = np.asarray(y, dtype=np.intp)
        weight = count = None
        if sample_weight is not None:
            weight = np.asarray(sample_weight, dtype=np.float64)
            if not np.all(weight > 0):
                used = weight > 0
                columns, y, weight = columns[used], y[used], weight[used]
            weight, count = self._summation.split_weights(weight)

        joined, self._expand, self._n_first = join_columns(
            columns, tables.n_values, tables.n_columns, MAX_COMBINATIONS if join else 1)
        self._collapse = self._expand.T
        if group:
            joined, y, weight, count = group_rows(joined, y, weight, count)
        n_models = self.layout.has_weights + self.layout.has_class_weights
        n_combinations = self._expand.shape[0]
        # A block adds to a table of all combinations, so it may as well be as large
        size = max(n_combinations, block_bytes // (8 * n_models * self._n_scores))
        self._rows = (joined, y, self._summation.factor(weight), count, n_combinations,
                      size)
        self._blocks = row_blocks(*self._rows)

    def __getstate__(self):
        # Blocks are views of the rows, and ones
        return {name: value for name, value in vars(self).items() if name != "_blocks"}

    def __setstate__(self, state):
        vars(self).update(state)
        self._blocks = row_blocks(*self._rows)

    def sums(self, theta, precision=None):
        """
        Return the sums over these rows.

        Parameters
        ----------
        theta : ndarray, shape (layout.size,)
        precision : int, optional
            As for `add_parts`.

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

        def evaluate(block, precision):
            # Class-major: sums and maxima over classes then run along memory
            scores = np.empty((*prior.shape, len(block)))
            np.copyto(scores.reshape(-1, len(block)),
                      (block.onehot @ by_combination).T)
            losses, slopes = self._loss.rows(scores, block.y, block.factor, mixture)
            # The scores have been replaced by derivatives
            return self._summation.sum_rows(
                block, losses, slopes, scores, largest_loss=self._loss.bound(bound),
                bounded_slopes=self._loss.bounded_slopes, precision=precision)

        sums = add_parts(evaluate, self._blocks, precision)
        return sums and sums.collapsed(self._collapse)


class ShrunkObjective:
    """
    A loss in which each row is left out of its own tables, and weights are shrunk.

    With lambda the shrinkage, lambda (sum (W_cj - w_j)^2 + sum (w_j - 1)^2) is added to
    the loss; in CAWNB, which has no w, W - 1 stands in the place of W - w. So few rows
    leave the weights near those of naive Bayes. Without leaving rows out, attributes
    with many values would seem to be better than they are.

    Parameters
    ----------
    objectives : list of Objective
        Of groups of rows that are all rows together, each with the tables that these
        rows see.
    tables : Tables
        Those of all rows.
    shrinkage : float
        Lambda, above 0.
    """

    def __init__(self, objectives, tables, shrinkage):
        self.tables = tables
        self.layout = objectives[0].layout
        self.total_weight = objectives[0].total_weight
        self._objectives = objectives
        self._shrinkage = shrinkage

    def value_and_gradient(self, theta):
        """Return the loss and its derivatives, as `Objective` does."""
        value, gradient = self._penalty(theta)
        for objective in self._objectives:
            loss, slope = objective.value_and_gradient(theta)
            value += loss
            gradient += slope
        return value, gradient

    def _penalty(self, theta):
        weights, class_weights, _ = self.layout.unpack(theta)
        value, by_weight, by_class_weight = 0., None, None
        if class_weights is not None:
            difference = class_weights - (1 if weights is None else weights)
            value += np.sum(difference ** 2)
            by_class_weight = difference
        if weights is not None:
            value += np.sum((weights - 1) ** 2)
            by_weight = weights - 1
            if class_weights is not None:
                by_weight = by_weight - difference.sum(axis=0)
        slope = 2 * self._shrinkage * self.layout.pack(
            0 if by_weight is None else by_weight,
            0 if by_class_weight is None else by_class_weight, 0.)
        return self._shrinkage * float(value), slope
