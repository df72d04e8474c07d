"""The search for the weights of a naive Bayes model.

L-BFGS-B, with start, box, scale and memory as in the code of the authors of RNB. The
loss is not convex: another scale or memory often ends in another minimum, lower or
higher by up to tens of per cent, but not with a more accurate classifier.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

__all__ = ["FittedWeights", "minimize_objective"]


@dataclass(eq=False)
class FittedWeights:
    """
    What `minimize_objective` has found.

    Attributes
    ----------
    weights : ndarray, shape (n_attributes,), or None
        w; None if the model lacks them.
    class_weights : ndarray, shape (n_classes, n_attributes), or None
        W; None if the model lacks them.
    alpha : float
    loss : float
    n_iter : int
    converged : bool
    message : str
        Why the optimization has ended.
    loss_history : ndarray, shape (n_iter + 1,)
        The loss at the start and after each iteration.
    """

    weights: np.ndarray | None
    class_weights: np.ndarray | None
    alpha: float
    loss: float
    n_iter: int
    converged: bool
    message: str
    loss_history: np.ndarray


def minimize_objective(objective, max_iter=100, tol=1e-7, callback=None):
    """
    Find the weights that minimize the loss, with L-BFGS-B in the box [0, 1].

    Parameters
    ----------
    objective : RowObjective
        Or anything with `layout`, `total_weight` and `value_and_gradient`.
    max_iter : int
    tol : float
        Ends when no projected derivative of the mean loss of a row is above this.
    callback : callable, optional
        Called with the number of iterations and the loss after each of them. May raise
        an exception to stop the work.

    Returns
    -------
    FittedWeights

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.bayes.tables import fit_tables
    >>> from orangecontrib.sadd.core.bayes.objective import RowObjective
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> tables = fit_tables(codes, y, 2)
    >>> objective = RowObjective(tables, tables.encode(codes), y, model="wanbia")
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
        return FittedWeights(*layout.unpack(layout.start), history[0], 0, True,
                             "There are no parameters.", np.array(history))
    # On products as small as these, threads wait longer than they compute
    with threadpool_limits(1, user_api="blas"):
        result = minimize(
            evaluate, layout.start, jac=True, method="L-BFGS-B",
            bounds=np.tile([0.0, 1.0], (layout.size, 1)), callback=after_iteration,
            options={"maxcor": 5, "ftol": 0, "gtol": tol,
                     "maxiter": max_iter, "maxfun": 50 * max_iter})
    message = "The gradient is zero within the tolerance." if converged \
        else str(result.message)
    return FittedWeights(
        *layout.unpack(result.x), float(result.fun), int(result.nit),
        converged or bool(result.success), message, np.array(history))
