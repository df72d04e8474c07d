"""The weighted naive Bayes family: one posterior, one loss, one gradient.

RNB mixes two weighted naive Bayes models,

    P(c | x) = alpha P_D(c | x, W) + (1 - alpha) P_I(c | x, w),
    P_D(c | x, W) ~ P(c) prod_j P(a_j | c)^W_cj    (weights depend on class: CAWNB),
    P_I(c | x, w) ~ P(c) prod_j P(a_j | c)^w_j     (weights do not: WANBIA),

with all weights and alpha within [0, 1]. WANBIA is the same with alpha fixed at 0 and
without W, and CAWNB with alpha fixed at 1 and without w.

Value and gradient are sums over rows. `RowObjective` sums over blocks of rows in
memory. `minimizer` takes anything with its `layout`, `total_weight` and
`value_and_gradient`, for instance a sum over the workers of a cluster.
"""

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.rowblocks import (
    MAX_COMBINATIONS,
    group_rows,
    join_columns,
    one_hot,
    row_blocks,
)

__all__ = ["BLOCK_BYTES", "Layout", "RowObjective"]

# The size of the scores of a block of rows, in bytes; they should fit into a cache. A
# handful of arrays of this size, or of that of the tables, is all that an evaluation
# needs. The rows take 4 bytes for each row and (joined) attribute, and 16 for each row,
# and the ones of a block at most 64 MB.
BLOCK_BYTES = 2 ** 20

# The derivative of -ln P by alpha, (P_I - P_D) / P, is beyond all numbers where alpha
# switches off the only model that gives a row's class a chance.
MAX_LOG_RATIO = 300


@dataclass(frozen=True)
class Layout:
    """
    Which parameters a model has, and where they are in the vector to be optimized.

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
        """Where the authors start: naive Bayes, mixed of equal parts."""
        theta = np.ones(self.size)
        if self.has_alpha:
            theta[-1] = 0.5
        return theta

    def pack(self, weights, class_weights, alpha):
        """Give the vector; parameters that the model lacks are ignored."""
        parts = [np.ravel(weights)] * self.has_weights \
            + [np.ravel(class_weights)] * self.has_class_weights \
            + [[alpha]] * self.has_alpha
        return np.concatenate(parts)

    def unpack(self, theta):
        """Give (w, W, alpha); None for weights that the model lacks."""
        weights = class_weights = None
        alpha = 1.0 if self.model == "cawnb" else 0.0
        if self.has_alpha:
            alpha, theta = float(theta[-1]), theta[:-1]
        if self.has_weights:
            weights, theta = theta[:self.n_attributes], theta[self.n_attributes:]
        if self.has_class_weights:
            class_weights = theta.reshape(self.n_classes, self.n_attributes)
        return weights, class_weights, alpha


class RowObjective:
    """
    The loss of a model on rows in memory, and its gradient.

    Parameters
    ----------
    tables : Tables
    columns : ndarray of int32, shape (n_rows, n_attributes)
        The rows, as given by ``tables.encode``.
    y : ndarray of int, shape (n_rows,)
    sample_weight : ndarray, shape (n_rows,), optional
    model : {"wanbia", "cawnb", "rnb"}
    objective : {"mse", "cll"}
        "mse" is the authors' sum over rows and classes of (1[c] - P(c | x))^2, without
        a factor of 1/2 or 1/n; "cll" is minus the sum of ln P(class of the row | x).
    block_bytes : int
        Rows are processed in blocks whose scores take no more memory than this, or
        than those of the combinations of values, see `rowblocks`.
    join, group : bool
        Whether to look for recurring parts of rows, and for recurring rows. The result
        is the same but for rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.bayes import fit_tables
    >>> codes, y = np.array([[0.], [0.], [1.], [1.]]), np.array([0, 0, 0, 1])
    >>> tables = fit_tables(codes, y, 2)
    >>> objective = RowObjective(tables, tables.encode(codes), y, model="wanbia")
    >>> value, gradient = objective.value_and_gradient(np.ones(1))
    >>> round(value, 4), gradient.round(4)
    (1.0916, array([-0.187]))
    """

    def __init__(self, tables, columns, y, sample_weight=None, *, model="rnb",
                 objective="mse", block_bytes=BLOCK_BYTES, join=True, group=True):
        if objective not in ("mse", "cll"):
            raise ValueError("The objective must be 'mse' or 'cll', "
                             f"not {objective!r}.")
        self.layout = Layout(model, tables.n_classes, tables.n_attributes)
        # For two classes all depends on the difference of their scores
        self._binary = tables.n_classes == 2
        self._loss = {("mse", False): _squared_error, ("cll", False): _log_loss,
                      ("mse", True): _binary_squared_error,
                      ("cll", True): _binary_log_loss}[objective, self._binary]
        y = np.asarray(y, dtype=np.intp)
        weight = np.ones(len(y)) if sample_weight is None \
            else np.asarray(sample_weight, dtype=np.float64)
        if not np.all(weight > 0):
            columns, y, weight = columns[weight > 0], y[weight > 0], weight[weight > 0]
        self.total_weight = float(weight.sum())

        self._tables = tables
        self._by_attribute = one_hot(
            tables.attribute[:, None], max(1, tables.n_attributes)).T
        joined, self._expand, self._n_first = join_columns(
            columns, tables.n_values, tables.n_columns, MAX_COMBINATIONS if join else 1)
        self._collapse = self._expand.T
        if group:
            joined, y, weight = group_rows(joined, y, weight)
        prior = tables.log_prior
        if self._binary:
            prior = prior[1:] - prior[:1]
        n_models = self.layout.has_weights + self.layout.has_class_weights
        self._prior = np.tile(prior, n_models)
        n_combinations = self._expand.shape[0]
        # A block adds to a table of all combinations, so it may as well be as large
        self._rows = joined, y, weight, n_combinations, max(
            1, n_combinations, block_bytes // (8 * len(self._prior)))
        self._blocks = row_blocks(*self._rows)

    def __getstate__(self):
        # Blocks are views of the rows, and ones
        return {name: value for name, value in vars(self).items() if name != "_blocks"}

    def __setstate__(self, state):
        vars(self).update(state)
        self._blocks = row_blocks(*self._rows)

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
        tables = self._tables
        weights, class_weights, alpha = self.layout.unpack(theta)
        parts = np.array([tables.weighted(part) for part in (weights, class_weights)
                          if part is not None])
        mixture = np.array([1 - alpha, alpha]) if len(parts) == 2 else np.ones(1)
        if self._binary:
            parts = parts[:, 1:] - parts[:, :1]
        n_models, n_scores, n_columns = parts.shape
        by_combination = self._expand @ parts.reshape(-1, n_columns).T
        # Each row has one of the combinations of the first attributes
        by_combination[:self._n_first] += self._prior

        value = d_alpha = 0.0
        factors = np.ones(n_models)
        derivatives = np.zeros_like(by_combination)
        for block in self._blocks:
            # Class-major: sums and maxima over classes then run along memory
            scores = np.empty((n_models, n_scores, len(block)))
            np.copyto(scores.reshape(-1, len(block)),
                      (block.onehot @ by_combination).T)
            block_value, factors, block_d_alpha = self._loss(scores, block, mixture)
            value += block_value
            d_alpha += block_d_alpha
            derivatives += block.transposed @ \
                np.ascontiguousarray(scores.reshape(-1, len(block)).T)

        derivatives *= np.repeat(factors, n_scores)
        derivatives = (self._collapse @ derivatives).T.reshape(parts.shape)
        if self._binary:
            derivatives = np.concatenate((-derivatives, derivatives), axis=1)
        derivatives *= tables.log_likelihood
        gradient = self._by_attribute @ derivatives.reshape(-1, n_columns).T
        gradient = gradient.T[:, :tables.n_attributes].reshape(
            n_models, tables.n_classes, tables.n_attributes)
        return float(value), self.layout.pack(
            gradient[0].sum(axis=0), gradient[-1], d_alpha)


# Each loss is given the scores (model, class, row) of a block of rows and the shares of
# the models, (1 - alpha, alpha). It returns the loss, factors for each model, and the
# derivative by alpha. Derivatives by scores, to be multiplied by these factors, replace
# the scores. Probabilities are always exp(score - highest score), normalized.

def _squared_error(scores, block, mixture):
    _exponentiate(scores)
    scores /= scores.sum(axis=1, keepdims=True)
    residual = -scores[0]
    if len(scores) == 2:
        difference = scores[1] - scores[0]
        residual -= mixture[1] * difference
    residual.reshape(-1)[_own_class(block)] += 1
    weighted = residual if block.weight is None else residual * block.weight
    value = np.vdot(weighted, residual)
    d_alpha = -2 * np.vdot(weighted, difference) if len(scores) == 2 else 0.0
    # With q_c = dL / dP_c, dL / ds_c = P_c (q_c - sum_c' q_c' P_c'). The authors' code
    # drops the terms of other classes, which makes it no gradient of L.
    scores *= weighted - np.einsum("kcn,cn->kn", scores, weighted)[:, None]
    return value, -2 * mixture, d_alpha


def _log_loss(scores, block, mixture):
    own = _own_class(block)
    flat = scores.reshape(len(scores), -1)
    log_own = flat[:, own] - scores.max(axis=1)
    _exponentiate(scores)
    total = scores.sum(axis=1)
    log_own -= np.log(total)
    value, share, d_alpha = _mixed_log_loss(log_own, block, mixture)
    scores *= (share / total)[:, None]
    flat[:, own] -= share
    return value, np.ones(len(scores)), d_alpha


def _binary_squared_error(scores, block, mixture):
    margin, sign = _own_margin(scores, block)
    # P of the own class is 1 / (1 + e) or e / (1 + e)
    e = np.exp(-np.abs(margin))
    own = np.where(margin > 0, 1, e)
    e += 1
    own /= e
    residual = 1 - mixture @ own
    weighted = residual if block.weight is None else residual * block.weight
    value = 2 * (weighted @ residual)
    d_alpha = -4 * (weighted @ (own[-1] - own[0]))
    own *= 1 - own
    np.multiply(own, weighted * sign, out=scores[:, 0])
    return value, -4 * mixture, d_alpha


def _binary_log_loss(scores, block, mixture):
    margin, sign = _own_margin(scores, block)
    e = np.exp(-np.abs(margin))
    log_own = np.minimum(margin, 0) - np.log1p(e)
    value, share, d_alpha = _mixed_log_loss(log_own, block, mixture)
    other = np.where(margin > 0, e, 1) / (1 + e)
    np.multiply(other, share * -sign, out=scores[:, 0])
    return value, np.ones(len(scores)), d_alpha


def _exponentiate(scores):
    """Replace scores by probabilities that are not normalized yet."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)


def _own_class(block):
    """Give the place of each row's own class in an array (class, row), flattened."""
    return block.y * len(block) + np.arange(len(block))


def _own_margin(scores, block):
    """Give the score of the row's own class less that of the other, and its sign."""
    sign = 2.0 * block.y - 1
    return scores[:, 0] * sign, sign


def _mixed_log_loss(log_own, block, mixture):
    """Give -ln P of the own class, the models' shares in P, and dL / d alpha."""
    with np.errstate(divide="ignore"):
        log_parts = np.log(mixture)[:, None] + log_own
    log_mixed = np.logaddexp.reduce(log_parts)
    share = np.exp(log_parts - log_mixed)
    ratio = np.exp(np.minimum(log_own - log_mixed, MAX_LOG_RATIO))
    slope = ratio[0] - ratio[-1]
    if block.weight is None:
        return -log_mixed.sum(), share, slope.sum()
    share *= block.weight
    return -(block.weight @ log_mixed), share, block.weight @ slope
