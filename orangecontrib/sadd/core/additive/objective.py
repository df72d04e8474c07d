"""The weighted naive Bayes family: one posterior, one loss, one gradient.

RNB mixes two weighted naive Bayes models,

    P(c | x) = (1 - alpha) P_I(c | x, w) + alpha P_D(c | x, W),
    P_I(c | x, w) ~ P(c) prod_j P(a_j | c)^w_j     (weights do not depend on class),
    P_D(c | x, W) ~ P(c) prod_j P(a_j | c)^W_cj    (weights depend on class),

with all weights and alpha within [0, 1]. WANBIA is P_I alone, and CAWNB is P_D alone.

A matrix maps weights to table entries, and `rowsums` adds up the losses of rows. The
transposed matrix maps derivatives by entries to derivatives by weights.

The gradient is exact. The authors' code passes half of it, and for W it leaves out the
terms of other classes.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from orangecontrib.sadd.core.additive.rowsums import EncodedRows, differences, sum_rows
from orangecontrib.sadd.core.additive.tables import Tables
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
        Of these rows, or of more rows.
    codes : ndarray, shape (n_rows, n_attributes)
        As for `fit_tables`.
    y : ndarray of int, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
        Weights of rows; rows with a weight of 0 are left out.
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
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.additive.tables import fit_tables
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
        # Classes without rows have the probability 0 and no entry
        present = np.flatnonzero(np.isfinite(tables.log_prior))
        self._shape = 1 + (model == "rnb"), len(present)
        prior = np.tile(tables.log_prior[present], (self._shape[0], 1))
        self._prior = differences(prior)
        self._n_entries = tables.n_columns
        self._to_entries = self._linear_map(tables, present)
        self._to_weights = self._to_entries.T.tocsr()
        if not np.all(weights > 0):
            used = weights > 0
            codes, y, weights = codes[used], y[used], weights[used]
        # An attribute with a single value has P(a_j | c) = 1 and adds nothing
        columns = tables.encode(codes)[:, tables.n_values > 1]
        self._rows = EncodedRows(
            np.ascontiguousarray(columns), np.ascontiguousarray(weights),
            np.searchsorted(present, y).astype(np.int32))

    def _linear_map(self, tables, present):
        """
        Return the matrix that maps w and W to table entries.

        Entries are differences of scores from the first class, see `rowsums`:

            w_j (ln P(a_j | c) - ln P(a_j | first)) for P_I,
            W_cj ln P(a_j | c) - W_first,j ln P(a_j | first) for P_D.
        """
        n_attributes, n_models = tables.n_attributes, self._shape[0]
        logs = tables.log_likelihood[present, :-1].T
        attribute = tables.attribute[:-1, None]
        width = len(self._prior)
        row = np.arange(len(logs))[:, None] * width + np.arange(len(present) - 1)
        parts = []  # rows, columns and values of the matrix
        if self.layout.model != "cawnb":
            parts = [(row, attribute, logs[:, 1:] - logs[:, :1])]
        if self.layout.model != "wanbia":
            row = row + (n_models - 1) * (len(present) - 1)
            # Columns of W_cj; in RNB, w comes before
            own = (n_models - 1 + present) * n_attributes + attribute
            parts += [(row, own[:, 1:], logs[:, 1:]),
                      (row, own[:, :1], -logs[:, :1])]
        rows, columns, values = (
            np.concatenate([np.broadcast_to(part[i], row.shape).ravel()
                            for part in parts]) for i in range(3))
        n_weights = self.layout.size - (self.layout.model == "rnb")
        return csr_array((values, (rows, columns)), shape=(
            tables.n_columns * width, n_weights))

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
        n_weights = self._to_entries.shape[1]
        # A single model is the first one, so alpha is 0 even for CAWNB
        alpha = theta[-1] if len(theta) > n_weights else 0.
        entries = (self._to_entries @ theta[:n_weights]).reshape(
            self._n_entries, len(self._prior))
        value, by_alpha, slopes = sum_rows(
            self._rows, self._prior, entries, self._shape, alpha, squared=self._squared)
        gradient = np.full(len(theta), by_alpha)
        gradient[:n_weights] = self._to_weights @ slopes.ravel()
        return value, gradient
