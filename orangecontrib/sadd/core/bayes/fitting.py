"""Fitting of the naive Bayes family to rows that are labelled and discretized.

Weights of WANBIA, CAWNB and RNB are searched for by L-BFGS-B, with start, box, scale
and memory as in the code of the authors of RNB. The loss is not convex: another scale
or memory often ends in another minimum, lower or higher by up to tens of per cent, but
not with a more accurate classifier.
"""

from typing import Protocol

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core.bayes.aiwnb import (
    LazyCounts,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.bayes.model import BayesModel
from orangecontrib.sadd.core.bayes.objective import Objective, RowObjective
from orangecontrib.sadd.core.bayes.tables import Tables, fit_tables
from orangecontrib.sadd.core.exactsums import round_weights

__all__ = ["CodedRows", "RowsInMemory", "fit_aiwnb", "fit_weights",
           "minimize_objective"]


class CodedRows(Protocol):
    """Rows that are labelled and discretized, wherever they are."""

    def tables(self) -> Tables:
        """Count and smooth."""

    def objective(self, tables: Tables, model: str, loss: str) -> Objective:
        """Return the loss of a model on these rows, and its gradient."""


class RowsInMemory:
    """
    The form of `CodedRows` in memory.

    Parameters
    ----------
    codes : ndarray of float64, shape (n_rows, n_attributes)
        Integers from 0; NaN is a missing value.
    y : ndarray of int, shape (n_rows,)
        Indices of classes.
    n_classes : int
    sample_weight : ndarray of float64, shape (n_rows,), optional
        Will be rounded, so that sums of weights are exact.
    """

    def __init__(self, codes, y, n_classes, sample_weight=None):
        self.codes = codes
        self.y = y
        self.n_classes = n_classes
        self.weights = round_weights(sample_weight)

    def tables(self):
        return fit_tables(self.codes, self.y, self.n_classes, self.weights)

    def objective(self, tables, model, loss):
        return RowObjective(tables, tables.encode(self.codes), self.y, self.weights,
                            model=model, loss=loss)


def fit_weights(rows, model, loss, max_iter, tol, callback=None):
    """
    Fit WANBIA, CAWNB or RNB.

    Parameters
    ----------
    rows : CodedRows
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"mse", "cll"}
    max_iter, tol
        As for `minimize_objective`.
    callback : callable, optional
        Called with the fraction of iterations done. May raise an exception to stop the
        work.

    Returns
    -------
    BayesModel
    """
    objective = rows.objective(rows.tables(), model, loss)
    return minimize_objective(objective, max_iter, tol, callback and (
        lambda iteration, _: callback(iteration / max_iter)))


def fit_aiwnb(rows, instance_weighting):
    """
    Fit AIWNB.

    Parameters
    ----------
    rows : RowsInMemory
    instance_weighting : {"eager", "lazy"}

    Returns
    -------
    BayesModel
    """
    tables = rows.tables()
    columns = tables.encode(rows.codes)
    weights = attribute_weights(tables, columns, rows.weights)
    if instance_weighting == "lazy":
        return BayesModel(tables, weights, lazy=LazyCounts(
            tables, columns, rows.y, rows.weights))
    by_row = eager_instance_weights(tables, columns)
    weighted = by_row if rows.weights is None else by_row * rows.weights
    return BayesModel(fit_tables(rows.codes, rows.y, rows.n_classes, weighted), weights,
                      instance_weights=by_row)


def minimize_objective(objective, max_iter=100, tol=1e-7, callback=None):
    """
    Find the weights that minimize the loss, with L-BFGS-B in the box [0, 1].

    Parameters
    ----------
    objective : Objective
        Or anything with `tables`, `layout`, `total_weight` and `value_and_gradient`.
    max_iter : int
    tol : float
        The search ends when no projected derivative of the mean loss of a row is above
        this.
    callback : callable, optional
        Called with the number of iterations and the loss after each of them. May raise
        an exception to stop the work.

    Returns
    -------
    BayesModel

    Examples
    --------
    >>> import numpy as np
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = RowsInMemory(codes, y, 2)
    >>> objective = rows.objective(rows.tables(), "wanbia", "mse")
    >>> minimize_objective(objective).weights
    array([1., 1.])
    """
    layout = objective.layout
    history = []
    slope = None
    converged = False

    def evaluate(theta):
        nonlocal slope
        value, slope = objective.value_and_gradient(theta)
        if not history:
            history.append(value)
        return value, slope

    def after_iteration(intermediate_result):
        nonlocal converged
        history.append(float(intermediate_result.fun))
        if callback is not None:
            callback(len(history) - 1, history[-1])
        # The last evaluation is that of the point that has been accepted. scipy's own
        # test would compare distances from bounds, too, with a sum over rows.
        theta = intermediate_result.x
        step = np.clip(theta - slope / objective.total_weight, 0, 1) - theta
        if np.abs(step).max() <= tol and not is_plateau(history[-1]):
            converged = True
            raise StopIteration

    def is_plateau(loss):
        # A first step from many attributes may end where every posterior is 0 or 1,
        # so that derivatives vanish far from any minimum. Such a point is worse than
        # no attributes at all; L-BFGS-B, which looks at their sum, finds a way out.
        return loss > objective.value_and_gradient(np.zeros(layout.size))[0]

    if not layout.size:  # without attributes there is nothing to weight
        evaluate(layout.start)
        return BayesModel(
            objective.tables, *layout.unpack(layout.start), history[0],
            message="There are no parameters.", loss_history=np.array(history))
    # On products as small as these, threads wait longer than they compute
    with threadpool_limits(1, user_api="blas"):
        result = minimize(
            evaluate, layout.start, jac=True, method="L-BFGS-B",
            bounds=np.tile([0.0, 1.0], (layout.size, 1)), callback=after_iteration,
            options={"maxcor": 5, "ftol": 0, "gtol": tol,
                     "maxiter": max_iter, "maxfun": 50 * max_iter})
    message = "The gradient is zero within the tolerance." if converged \
        else str(result.message)
    return BayesModel(
        objective.tables, *layout.unpack(result.x), float(result.fun), int(result.nit),
        converged or bool(result.success), message, np.array(history))
