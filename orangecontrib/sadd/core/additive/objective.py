"""The weighted naive Bayes family: one posterior, one loss, one gradient.

RNB mixes two weighted naive Bayes models,

    P(c | x) = (1 - alpha) P_I(c | x, w) + alpha P_D(c | x, W),
    P_I(c | x, w) ~ P(c) prod_j P(a_j | c)^w_j     (weights do not depend on class),
    P_D(c | x, W) ~ P(c) prod_j P(a_j | c)^W_cj    (weights depend on class),

with all weights and alpha within [0, 1]. WANBIA is P_I alone, and CAWNB is P_D alone.

Table entries are linear in the weights, and `rowsums` adds up the losses of rows. The
transposed matrices map derivatives by entries to derivatives by weights.

The gradient is exact. The authors' code passes half of it, and for W it leaves out the
terms of other classes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

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
        shared = np.repeat(attribute, len(present), axis=1), tables.n_attributes
        of_class = (attribute + tables.n_attributes * present,
                    tables.n_attributes * tables.n_classes)
        weights = {"wanbia": [shared], "cawnb": [of_class], "rnb": [shared, of_class]}
        self._to_entries = [
            _differences(tables, *own) for own in weights[model]]
        self._shape = len(self._to_entries), len(present)
        self._prior = differences(np.tile(tables.log_prior[present],
                                          (len(self._to_entries), 1)))
        self._to_weights = [matrix.T.tocsr() for matrix in self._to_entries]
        self._n_entries = tables.n_columns

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """
        Return the loss and its derivatives by the parameters.

        Parameters
        ----------
        theta : ndarray, shape (layout.size,)
        """
        step = self._shape[1] - 1
        entries = np.zeros((self._n_entries, len(self._prior)))
        first = 0
        for model, matrix in enumerate(self._to_entries):
            weights = theta[first:first + matrix.shape[1]]
            entries[:-1, model * step:(model + 1) * step] = (
                matrix @ weights).reshape(len(entries) - 1, step)
            first += matrix.shape[1]
        # A single model is the first one, so alpha is 0 even for CAWNB
        value, by_alpha, slopes = self._rows.sums(
            self._prior, entries, self._shape, theta[-1] if len(theta) > first else 0.,
            squared=self._squared)
        gradient = [matrix @ slopes[:-1, model * step:(model + 1) * step].ravel()
                    for model, matrix in enumerate(self._to_weights)]
        return value, np.append(np.concatenate(gradient),
                                [by_alpha] * (len(theta) - first))


def _differences(tables, weight, n_weights):
    """
    Return the matrix from weights to entries.

    Entries are differences of scores from the first class, see `rowsums`. The score of
    a class is the logarithm of its probability times a weight, whose number is given
    for each entry and class.
    """
    logs = tables.log_likelihood[tables.present, :-1].T
    place = np.arange(logs.size).reshape(logs.shape)
    scores = csr_array((logs.ravel(), (place.ravel(), weight.ravel())),
                       shape=(logs.size, n_weights))
    return scores[place[:, 1:].ravel()] \
        - scores[np.repeat(place[:, 0], logs.shape[1] - 1)]
