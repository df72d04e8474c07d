"""The weighted naive Bayes family: one posterior, one loss, one gradient.

RNB mixes two weighted naive Bayes models,

    P(c | x) = (1 - alpha) P_I(c | x, w) + alpha P_D(c | x, W),
    P_I(c | x, w) ~ P(c) prod_j P(a_j | c)^w_j     (weights do not depend on class),
    P_D(c | x, W) ~ P(c) prod_j P(a_j | c)^W_cj    (weights depend on class),

with all weights and alpha within [0, 1]. WANBIA is P_I alone, and CAWNB is P_D alone.

Table entries are linear in the weights, and `rowsums` adds up the losses of rows.

The gradient is exact. The authors' code passes half of it, and for W it leaves out the
terms of other classes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from orangecontrib.sadd.core.additive.rowsums import differences
from orangecontrib.sadd.core.additive.tables import Tables
from orangecontrib.sadd.core.types import Floats, LossName

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

    def unpack(self, theta: Floats) -> tuple[Floats | None, Floats | None, float]:
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
    The loss of a model on rows, and its gradient, as a function of the parameters.

    Parameters
    ----------
    tables : Tables
        Of these rows, or of more rows.
    rows : IndexedRows
        From `CodedRows.encode`, or others with `sums`.
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"squared_error", "log_loss"}
        "squared_error" is the authors' sum over rows and classes of
        (1[c] - P(c | x))^2, without a factor of 1/2 or 1/n. "log_loss" is minus the sum
        over rows of ln P(class of the row | x).

    Attributes
    ----------
    layout : Layout

    Examples
    --------
    >>> from orangecontrib.sadd.core.additive.fitting import CodedRows
    >>> codes, classes = np.array([[0.], [0.], [1.], [1.]]), np.array([0, 0, 0, 1])
    >>> rows = CodedRows(codes, classes, 2, np.ones(4))
    >>> tables = rows.tables()
    >>> value, gradient = Objective(tables, rows.encode(tables), "wanbia")(np.ones(1))
    >>> round(value, 4), gradient.round(4)
    (1.0916, array([-0.187]))
    """

    def __init__(self, tables: Tables, rows: Any, model: str = "rnb",
                 loss: LossName = "squared_error") -> None:
        self.layout = Layout(model, tables.n_classes, tables.n_attributes)
        self._rows = rows
        self._squared = {"squared_error": True, "log_loss": False}[loss]
        # Classes without rows have the probability 0 and no entry
        present = tables.present
        attribute = tables.attribute[:-1, None]
        logs = tables.log_likelihood[present, :-1].T
        n_attributes, first = tables.n_attributes, 0
        parts: list[tuple[Any, Any]] = []
        if model != "cawnb":  # w
            parts.append(((logs[:, 1:] - logs[:, :1], 0), (attribute, 0)))
            first = n_attributes
        if model != "wanbia":  # W
            own = first + n_attributes * present + attribute
            parts.append(((logs[:, 1:], -logs[:, :1]), (own[:, 1:], own[:, :1])))
        self._shape = len(parts), len(present)
        self._prior = differences(np.tile(tables.log_prior[present], (len(parts), 1)))
        # An entry is a difference of scores from the first class, see `rowsums`. A
        # score is a sum of factors times weights, given by their numbers in theta.
        shape = 2, len(logs), len(self._prior)
        self._factors, self._weights = np.zeros(shape), np.zeros(shape, dtype=np.intp)
        width = len(present) - 1
        for index, part in enumerate(parts):
            columns = slice(index * width, (index + 1) * width)
            for array, sides in zip((self._factors, self._weights), part, strict=True):
                array[0, :, columns], array[1, :, columns] = sides

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """
        Return the loss and its derivatives by the parameters.

        Parameters
        ----------
        theta : ndarray, shape (layout.size,)
        """
        entries = np.zeros((self._factors.shape[1] + 1, len(self._prior)))
        np.sum(self._factors * theta.take(self._weights), axis=0, out=entries[:-1])
        # A single model is the first one, so alpha is 0 even for CAWNB
        is_mixed = self._shape[0] == 2
        value, by_alpha, slopes = self._rows.sums(
            self._prior, entries, self._shape, theta[-1] if is_mixed else 0.,
            squared=self._squared)
        gradient: Any = np.bincount(
            self._weights.ravel(), (self._factors * slopes[:-1]).ravel(), len(theta))
        if is_mixed:
            gradient[-1] = by_alpha
        return value, gradient
