"""What rows add to the loss of a mixture of naive Bayes models, and to its gradient.

Probabilities are always exp(score - highest score), normalized. With two classes all
depends on the difference of their scores, which takes half the time.

What a row adds must not depend on the block it is in. Hence there are no products of
matrices here, which may group terms by their place in memory.
"""

import numpy as np

__all__ = ["LOSSES", "LogLoss", "SquaredError"]

# The derivative of -ln P by alpha, (P_I - P_D) / P, is beyond all numbers where alpha
# switches off the only model that gives a row's class a chance.
MAX_LOG_RATIO = 300


class SquaredError:
    """
    The authors' sum over rows and classes of (1[c] - P(c | x))^2.

    There is no factor of 1/2 or 1/n.

    Parameters
    ----------
    n_classes : int

    Attributes
    ----------
    rows : callable
        Called with the scores (model, class, row) of a block, or (model, 1, row) for
        the difference of two classes; the rows' classes; a factor for each row, or for
        all of them; and the shares of the models, (1 - alpha, alpha). Returns each
        row's loss and its derivative by alpha, or None if there is one model.
        Derivatives by scores replace the scores. All are to be multiplied by the
        `constants`.
    bounded_slopes : bool
        Whether derivatives by alpha are bounded.
    """

    bounded_slopes = True

    def __init__(self, n_classes):
        self._binary = n_classes == 2
        self.rows = _binary_squared_error if self._binary else _squared_error

    def constants(self, mixture):
        """Return those of the loss, of its slope, and of the scores of each model."""
        n = 1 + self._binary  # errors of two classes are equal
        return n, -2 * n, -2 * n * mixture

    def bound(self, _):
        """Return the largest loss of a row, without its constant."""
        return 2.


class LogLoss:
    """
    Minus the sum of ln P(class of the row | x).

    Parameters and attributes are those of `SquaredError`.
    """

    bounded_slopes = False

    def __init__(self, n_classes):
        self._n_classes = n_classes
        self.rows = _binary_log_loss if n_classes == 2 else _log_loss

    def constants(self, mixture):
        """Return those of the loss, of its slope, and of the scores of each model."""
        return 1, 1, np.ones(len(mixture))

    def bound(self, score):
        """Return the largest loss of a row if no score is above this."""
        # One of the models has a share of 1/2 or more
        return 2 * score + np.log(2 * self._n_classes)


LOSSES = {"mse": SquaredError, "cll": LogLoss}


def _squared_error(scores, y, factor, mixture):
    _exponentiate(scores)
    scores /= scores.sum(axis=1, keepdims=True)
    residual = -scores[0]
    if len(scores) == 2:
        difference = scores[1] - scores[0]
        residual -= mixture[1] * difference
    residual.reshape(-1)[_own_class(y)] += 1
    weighted = residual * factor
    value = np.einsum("cn,cn->n", weighted, residual)
    by_alpha = np.einsum("cn,cn->n", weighted, difference) if len(scores) == 2 else None
    # With q_c = dL / dP_c, dL / ds_c = P_c (q_c - sum_c' q_c' P_c'). The authors' code
    # drops the terms of other classes, which makes it no gradient of L.
    scores *= weighted - np.einsum("kcn,cn->kn", scores, weighted)[:, None]
    return value, by_alpha


def _binary_squared_error(scores, y, factor, mixture):
    margin, sign = _own_margin(scores, y)
    # P of the own class is 1 / (1 + e) or e / (1 + e)
    e = np.exp(-np.abs(margin))
    own = np.where(margin > 0, 1, e)
    e += 1
    own /= e
    residual = 1 - own[0]
    if len(own) == 2:
        difference = own[1] - own[0]
        residual -= mixture[1] * difference
    weighted = residual * factor
    value = weighted * residual
    by_alpha = weighted * difference if len(own) == 2 else None
    own *= 1 - own
    np.multiply(own, weighted * sign, out=scores[:, 0])
    return value, by_alpha


def _log_loss(scores, y, factor, mixture):
    own = _own_class(y)
    flat = scores.reshape(len(scores), -1)
    log_own = flat[:, own] - scores.max(axis=1)
    _exponentiate(scores)
    total = scores.sum(axis=1)
    log_own -= np.log(total)
    value, share, by_alpha = _mixed_log_loss(log_own, factor, mixture)
    scores *= (share / total)[:, None]
    flat[:, own] -= share
    return value, by_alpha


def _binary_log_loss(scores, y, factor, mixture):
    margin, sign = _own_margin(scores, y)
    e = np.exp(-np.abs(margin))
    log_own = np.minimum(margin, 0) - np.log1p(e)
    value, share, by_alpha = _mixed_log_loss(log_own, factor, mixture)
    other = np.where(margin > 0, e, 1) / (1 + e)
    np.multiply(other, share * -sign, out=scores[:, 0])
    return value, by_alpha


def _exponentiate(scores):
    """Replace scores by probabilities that are not normalized yet."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)


def _own_class(y):
    """Return the place of each row's own class in an array (class, row), flattened."""
    return y * len(y) + np.arange(len(y))


def _own_margin(scores, y):
    """Return the score of the own class less that of the other, and its sign."""
    sign = 2.0 * y - 1
    return scores[:, 0] * sign, sign


def _mixed_log_loss(log_own, factor, mixture):
    """Return -ln P of the own class, the models' shares in P, and dL / d alpha."""
    with np.errstate(divide="ignore"):
        log_parts = np.log(mixture)[:, None] + log_own
    log_mixed = np.logaddexp.reduce(log_parts)
    share = np.exp(log_parts - log_mixed)
    ratio = np.exp(np.minimum(log_own - log_mixed, MAX_LOG_RATIO))
    by_alpha = (ratio[0] - ratio[-1]) * factor if len(ratio) == 2 else None
    return -log_mixed * factor, share * factor, by_alpha
