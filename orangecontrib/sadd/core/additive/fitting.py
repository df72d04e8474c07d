"""Fitting of the naive Bayes family to rows that are labelled and discretized.

L-BFGS-B finds the weights of WANBIA, CAWNB and RNB. Start, box, scale and memory are
those of the code by the authors of RNB. The loss is not convex. With another scale or
memory the search often ends in another minimum. The minimum may differ by tens of per
cent, but the classifier is not more accurate.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.optimize import minimize

from orangecontrib.sadd.core.additive.aiwnb import (
    LazyCounts,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.additive.objective import Objective
from orangecontrib.sadd.core.additive.tables import Tables, fit_tables
from orangecontrib.sadd.core.threads import one_blas_thread
from orangecontrib.sadd.core.types import Floats, Integers, LossName

__all__ = ["Fittable", "RowsInMemory", "fit_weights"]


class Fittable(Protocol):
    """Rows that are labelled and discretized, in memory or elsewhere."""

    def tables(self) -> Tables:
        """Return the tables of naive Bayes."""

    def objective(self, tables: Tables, model: str, loss: LossName) -> Any:
        """Return the loss of a model, with the interface of `Objective`."""

    def aiwnb(self, instance_weighting: str) -> BayesModel:
        """Return the model of AIWNB, "eager" or "lazy"."""


class RowsInMemory(NamedTuple):
    """
    Rows in memory, labelled and discretized.

    Attributes
    ----------
    codes : ndarray of float64, shape (n_rows, n_attributes)
        Integers from 0; NaN is a missing value.
    y : ndarray of int, shape (n_rows,)
        Indices of classes.
    n_classes : int
    weights : ndarray of float64, shape (n_rows,)
    """

    codes: Floats
    y: Integers
    n_classes: int
    weights: Floats

    def tables(self) -> Tables:
        """Return the tables of naive Bayes."""
        return fit_tables(self.codes, self.y, self.n_classes, self.weights)

    def objective(self, tables: Tables, model: str, loss: LossName) -> Objective:
        """Return the loss of a model, as for `Objective`."""
        return Objective(tables, self.codes, self.y, self.weights, model, loss)

    def aiwnb(self, instance_weighting: str) -> BayesModel:
        """Return the model of AIWNB, "eager" or "lazy"."""
        tables = self.tables()
        columns = tables.encode(self.codes)
        weights = attribute_weights(tables, columns, self.y, self.weights)
        if instance_weighting == "lazy":
            return BayesModel(tables, weights, lazy=LazyCounts(
                tables, columns, self.y, self.weights))
        by_row = eager_instance_weights(tables, columns)
        weighted = self._replace(weights=self.weights * by_row)
        return BayesModel(weighted.tables(), weights, instance_weights=by_row)


def fit_weights(rows, model, loss="squared_error", max_iter=100, tol=1e-7,
                callback=None):
    """
    Fit WANBIA, CAWNB or RNB: minimize the loss with L-BFGS-B in the box [0, 1].

    Parameters
    ----------
    rows : Fittable
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"squared_error", "log_loss"}
    max_iter : int
    tol : float
        The search ends when no projected derivative of the mean loss of a row is above
        this.
    callback : callable, optional
        Called with the fraction of iterations done, after each of them. May raise an
        exception to stop the work.

    Returns
    -------
    BayesModel

    Examples
    --------
    >>> import numpy as np
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> fit_weights(RowsInMemory(codes, y, 2, np.ones(4)), "wanbia").weights
    array([1., 1.])
    """
    tables = rows.tables()
    objective = rows.objective(tables, model, loss)
    layout = objective.layout
    total_weight = tables.class_counts.sum()
    history = []
    slope = None
    converged = False

    def evaluate(theta):
        nonlocal slope
        value, slope = objective.value_and_gradient(theta)
        if not history:
            history.append(value)
        return value

    def after_iteration(intermediate_result):
        nonlocal converged
        history.append(float(intermediate_result.fun))
        if callback is not None:
            callback((len(history) - 1) / max_iter)
        # The last evaluation is that of the point that has been accepted. The test of
        # scipy would also compare distances from bounds with a sum over rows.
        theta = intermediate_result.x
        moved = np.minimum(np.maximum(theta - slope / total_weight, 0), 1)
        if np.abs(moved - theta).max() <= tol and not is_plateau(history[-1]):
            converged = True
            raise StopIteration

    def is_plateau(loss):
        # A first step from many attributes may end where every posterior is 0 or 1.
        # There, derivatives vanish far from any minimum. Such a point is worse than a
        # model without attributes; L-BFGS-B uses their sum and leaves this point.
        return loss > objective.value_and_gradient(np.zeros(layout.size))[0]

    if not layout.size:  # without attributes there is nothing to weight
        evaluate(layout.start)
        return BayesModel(
            tables, *layout.unpack(layout.start), history[0],
            message="There are no parameters.", loss_history=np.array(history))
    # On products as small as these, threads wait longer than they compute
    with one_blas_thread():
        # The gradient is always that of the last value
        result = minimize(
            evaluate, layout.start, jac=lambda _: slope, method="L-BFGS-B",
            bounds=np.tile([0.0, 1.0], (layout.size, 1)), callback=after_iteration,
            options={"maxcor": 5, "ftol": 0, "gtol": tol,
                     "maxiter": max_iter, "maxfun": 50 * int(max_iter)})
    message = "The gradient is zero within the tolerance." if converged \
        else str(result.message)
    return BayesModel(
        tables, *layout.unpack(result.x), float(result.fun), int(result.nit),
        converged or bool(result.success), message, np.array(history))
