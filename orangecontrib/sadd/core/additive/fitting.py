"""The fit of the naive Bayes family to rows that are labelled and discretized.

RNB mixes two weighted naive Bayes models,

    P(c | x) = (1 - alpha) P_I(c | x, w) + alpha P_D(c | x, W),
    P_I(c | x, w) ~ P(c) prod_j P(a_j | c)^w_j     (weights do not depend on class),
    P_D(c | x, W) ~ P(c) prod_j P(a_j | c)^W_cj    (weights depend on class),

with all weights and alpha within [0, 1]. WANBIA is P_I alone, and CAWNB is P_D alone.

Table entries are linear in the weights, and `rowsums` adds up the losses of rows.

The gradient is exact. The authors' code passes half of it, and for W it leaves out the
terms of other classes.
"""

from typing import Any, NamedTuple

import numpy as np

from orangecontrib.sadd.core.additive.aiwnb import (
    LazyCounts,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.additive.descent import descend
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.additive.rowsums import IndexedRows, differences
from orangecontrib.sadd.core.additive.tables import Tables, fit_tables
from orangecontrib.sadd.core.types import Callback, Floats, Integers, LossName

__all__ = ["CodedRows", "Objective", "fit_aiwnb", "fit_weights"]


class CodedRows(NamedTuple):
    """
    Labelled rows that are discretized.

    `PartitionedCodedRows`, of Dask, has the same two methods.

    Attributes
    ----------
    codes : ndarray of float64, shape (n_rows, n_attributes)
        Integers from 0; NaN is a missing value.
    classes : ndarray of int, shape (n_rows,)
    n_classes : int
    weights : ndarray of float64, shape (n_rows,)
    """

    codes: Floats
    classes: Integers
    n_classes: int
    weights: Floats

    def tables(self) -> Tables:
        """Return the tables of naive Bayes."""
        return fit_tables(*self)

    def encode(self, tables: Tables) -> IndexedRows:
        """Return the rows with a weight as `Objective` takes them."""
        codes, classes, _, weights = self
        if not np.all(weights > 0):
            used = weights > 0
            codes, classes, weights = codes[used], classes[used], weights[used]
        # An attribute with a single value has P(a_j | c) = 1 and adds nothing
        columns = tables.encode(codes)[:, tables.n_values > 1]
        return IndexedRows(
            np.ascontiguousarray(columns), np.ascontiguousarray(weights),
            np.searchsorted(tables.present, classes).astype(np.int32))


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
    start : ndarray of float64
        The authors' starting point: naive Bayes, mixed of equal parts.

    Examples
    --------
    >>> codes, classes = np.array([[0.], [0.], [1.], [1.]]), np.array([0, 0, 0, 1])
    >>> rows = CodedRows(codes, classes, 2, np.ones(4))
    >>> tables = rows.tables()
    >>> value, gradient = Objective(tables, rows.encode(tables), "wanbia")(np.ones(1))
    >>> round(value, 4), gradient.round(4)
    (1.0916, array([-0.187]))
    """

    def __init__(self, tables: Tables, rows: Any, model: str = "rnb",
                 loss: LossName = "squared_error") -> None:
        self._rows, self.model = rows, model
        self._squared = {"squared_error": True, "log_loss": False}[loss]
        # Classes without rows have the probability 0 and no entry
        present = tables.present
        attribute = tables.attribute[:-1, None]
        logs = tables.log_likelihood[present, :-1].T
        self._of_classes = tables.n_classes, tables.n_attributes
        first = 0
        parts: list[tuple[Any, Any]] = []
        if model != "cawnb":  # w
            parts.append(((logs[:, 1:] - logs[:, :1], 0), (attribute, 0)))
            first = tables.n_attributes
        if model != "wanbia":  # W
            own = first + tables.n_attributes * present + attribute
            parts.append(((logs[:, 1:], -logs[:, :1]), (own[:, 1:], own[:, :1])))
            first += tables.n_attributes * tables.n_classes
        self.start = np.append(np.ones(first), [.5] * (len(parts) - 1))
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
        theta : ndarray
            Like `start`: w, W and alpha, as far as the model has them.
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

    def unpack(self, theta: Floats) -> tuple[Floats | None, Floats | None, float]:
        """Return (w, W, alpha); None for weights that the model lacks."""
        if self.model == "wanbia":
            return theta, None, 0.
        if self.model == "cawnb":
            return None, theta.reshape(self._of_classes), 1.
        n_attributes = self._of_classes[1]
        return (theta[:n_attributes], theta[n_attributes:-1].reshape(self._of_classes),
                float(theta[-1]))


def fit_weights(rows: Any, model: str, loss: LossName = "squared_error",
                max_iter: int = 100, tol: float = 1e-7,
                callback: Callback | None = None) -> BayesModel:
    """
    Fit WANBIA, CAWNB or RNB: minimize the loss with L-BFGS-B in the box [0, 1].

    Start, box, scale and memory are those of the code by the authors of RNB. The loss
    is not convex. With another scale or memory the search often ends in another
    minimum. The minimum may differ by tens of per cent, but the classifier is not more
    accurate.

    Parameters
    ----------
    rows : CodedRows or PartitionedCodedRows
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"squared_error", "log_loss"}
    max_iter : int
    tol : float
        The search ends when no projected derivative of the mean loss of a row is above
        this.
    callback : callable, optional
        Called with the fraction of iterations done, after each of them. May raise an
        exception to stop the work.

    Examples
    --------
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> fit_weights(CodedRows(codes, y, 2, np.ones(4)), "wanbia").weights
    array([1., 1.])
    """
    tables = rows.tables()
    objective = Objective(tables, rows.encode(tables), model, loss)
    start, total_weight = objective.start, tables.class_counts.sum()
    if not len(start):  # without attributes there is nothing to weight
        value, _ = objective(start)
        return BayesModel(
            tables, *objective.unpack(start), value,
            message="There are no parameters.", loss_history=np.array([value]))

    def is_done(theta, value, slope):
        # The test of scipy would also compare distances from bounds with a sum over
        # rows
        moved = np.minimum(np.maximum(theta - slope / total_weight, 0), 1)
        # A first step from many attributes may end where every posterior is 0 or 1.
        # There, derivatives vanish far from any minimum. Such a point is worse than a
        # model without attributes; L-BFGS-B uses their sum and leaves this point.
        return np.abs(moved - theta).max() <= tol \
            and value <= objective(np.zeros_like(theta))[0]

    theta, history, converged, message = descend(
        objective, start, n_corrections=5, max_iter=max_iter, tol=tol,
        box=(0., 1.), is_done=is_done, callback=callback)
    return BayesModel(tables, *objective.unpack(theta), float(history[-1]),
                      len(history) - 1, converged, message, history)


def fit_aiwnb(rows: CodedRows, instance_weighting: str) -> BayesModel:
    """Fit AIWNB, with "eager" or "lazy" weights of rows."""
    tables = rows.tables()
    columns = tables.encode(rows.codes)
    weights = attribute_weights(tables, columns, rows.classes, rows.weights)
    if instance_weighting == "lazy":
        return BayesModel(tables, weights, lazy=LazyCounts(
            tables, columns, rows.classes, rows.weights))
    by_row = eager_instance_weights(tables, columns)
    weighted = rows._replace(weights=rows.weights * by_row)
    return BayesModel(weighted.tables(), weights, instance_weights=by_row)
