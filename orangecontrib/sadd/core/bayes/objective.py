"""The weighted naive Bayes family: one posterior, one loss, one gradient.

RNB mixes two weighted naive Bayes models,

    P(c | x) = (1 - alpha) P_I(c | x, w) + alpha P_D(c | x, W),
    P_I(c | x, w) ~ P(c) prod_j P(a_j | c)^w_j     (weights do not depend on class),
    P_D(c | x, W) ~ P(c) prod_j P(a_j | c)^W_cj    (weights depend on class),

with all weights and alpha within [0, 1]. WANBIA is P_I alone, and CAWNB is P_D alone.

Parameters become tables of weighted log-likelihoods, `rowsums` adds up the losses of
rows, and derivatives by table entries become derivatives by parameters.
"""

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.bayes.rowsums import EncodedRows, sum_rows
from orangecontrib.sadd.core.bayes.tables import Tables, sum_by_attribute
from orangecontrib.sadd.core.types import Floats, Integers, LossName

__all__ = ["Layout", "Objective"]


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
    def size(self):
        """The number of parameters."""
        n_weights = {"wanbia": 1, "cawnb": self.n_classes, "rnb": self.n_classes + 1}
        return n_weights[self.model] * self.n_attributes + (self.model == "rnb")

    @property
    def start(self):
        """The authors' starting point: naive Bayes, mixed of equal parts."""
        theta = np.ones(self.size)
        if self.model == "rnb":
            theta[-1] = 0.5
        return theta

    def pack(self, weights, class_weights, alpha):
        """Return the vector; parameters that the model lacks are ignored."""
        if self.model == "wanbia":
            return np.ravel(weights)
        if self.model == "cawnb":
            return np.ravel(class_weights)
        return np.concatenate((np.ravel(weights), np.ravel(class_weights), [alpha]))

    def unpack(self, theta):
        """Return (w, W, alpha); None for weights that the model lacks."""
        shape = self.n_classes, self.n_attributes
        if self.model == "wanbia":
            return theta, None, 0.0
        if self.model == "cawnb":
            return None, theta.reshape(shape), 1.0
        n_attributes = self.n_attributes
        return (theta[:n_attributes], theta[n_attributes:-1].reshape(shape),
                float(theta[-1]))


class Objective:
    """
    The loss of a model on rows, and its gradient.

    Losses and gradients of parts of the rows add up to those of all rows.

    Parameters
    ----------
    tables : Tables
        Of these rows, or of these and others.
    codes : ndarray, shape (n_rows, n_attributes)
        As for `fit_tables`.
    y : ndarray of int, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"squared_error", "log_loss"}
        The authors' sum over rows and classes of (1[c] - P(c | x))^2, without a factor
        of 1/2 or 1/n; or minus the sum over rows of ln P(class of the row | x).

    Attributes
    ----------
    layout : Layout

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.bayes.tables import fit_tables
    >>> codes, y = np.array([[0.], [0.], [1.], [1.]]), np.array([0, 0, 0, 1])
    >>> objective = Objective(fit_tables(codes, y, 2), codes, y, np.ones(4), "wanbia")
    >>> value, gradient = objective.value_and_gradient(np.ones(1))
    >>> round(value, 4), gradient.round(4)
    (1.0916, array([-0.187]))
    """

    def __init__(self, tables: Tables, codes: Floats, y: Integers, weights: Floats,
                 model: str = "rnb", loss: LossName = "squared_error") -> None:
        self.layout = Layout(model, tables.n_classes, tables.n_attributes)
        self._squared = {"squared_error": True, "log_loss": False}[loss]
        self._n_values, self._attribute = tables.n_values, tables.attribute
        # Classes without rows have no chance, and no part
        self._present = np.flatnonzero(np.isfinite(tables.log_prior))
        self._prior = np.tile(tables.log_prior[self._present], (2, 1))
        self._logs = np.ascontiguousarray(tables.log_likelihood[self._present].T)
        if not np.all(weights > 0):
            used = weights > 0
            codes, y, weights = codes[used], y[used], weights[used]
        self._rows = EncodedRows(
            tables.encode(codes), np.ascontiguousarray(weights),
            np.searchsorted(self._present, y)).compact()

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
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
        weights, class_weights, alpha = self.layout.unpack(theta)
        if not self.layout.n_attributes:
            class_weights, weights = None, np.zeros(1)
        exponents = [part for part in (
            weights, None if class_weights is None else class_weights[self._present].T
        ) if part is not None]
        table = np.empty((len(self._logs), len(exponents), len(self._present)))
        for q, part in enumerate(exponents):
            by_column = part[self._attribute].reshape(len(table), -1)
            np.multiply(self._logs, by_column, out=table[:, q])
        value, by_alpha, gradient = sum_rows(
            self._rows, self._prior[:len(exponents)], table,
            alpha if len(exponents) == 2 else 0, squared=self._squared)
        gradient *= self._logs[:, None]
        by_weight = sum_by_attribute(gradient[:-1], self._n_values, axis=0)
        by_class = np.zeros((self.layout.n_classes, self.layout.n_attributes))
        by_class[self._present] = by_weight[:, -1].T
        return value, self.layout.pack(by_weight[:, 0].sum(axis=1), by_class, by_alpha)
