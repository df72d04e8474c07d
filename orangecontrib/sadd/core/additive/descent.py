"""Minimization by L-BFGS, which both families of models share."""

from collections.abc import Callable as Function

import numpy as np
from scipy.optimize import OptimizeResult, minimize

from orangecontrib.sadd.core.threads import one_blas_thread
from orangecontrib.sadd.core.types import Callback, Floats

__all__ = ["descend"]


def descend(function: Function[[Floats], tuple[float, Floats]], start: Floats, *,
            n_corrections: int, max_iter: int, tol: float,
            box: tuple[float, float] | None = None,
            is_done: Function[[Floats, float, Floats], bool] | None = None,
            callback: Callback | None = None) -> OptimizeResult:
    """
    Minimize a function.

    Parameters
    ----------
    function : callable
        Returns the value and the gradient at a point.
    start : ndarray of float64
    n_corrections : int
        Number of steps by which curvature is estimated.
    max_iter : int
    tol : float
        The search ends when no derivative, projected to the box, is above this.
    box : pair of float, optional
        The bounds of all parameters.
    is_done : callable, optional
        Called with the point, the value and the gradient after each iteration. The
        search ends when it returns true.
    callback : callable, optional
        Called with the fraction of iterations done, after each of them. May raise an
        exception to stop the work.

    Returns
    -------
    OptimizeResult
        With the values at the start and after each iteration, `history`.

    Examples
    --------
    >>> found = descend(lambda at: (float(at @ at), 2 * at), np.ones(2), max_iter=9,
    ...                 n_corrections=5, tol=1e-5)
    >>> found.success, found.history.round(2)
    (True, array([2.  , 0.17, 0.  ]))
    """
    history: list[float] = []
    slope = np.zeros(0)
    was_done = False

    def evaluate(point):
        nonlocal slope
        value, slope = function(point)
        if not history:
            history.append(value)
        return value, slope

    def after_iteration(intermediate_result):
        nonlocal was_done
        history.append(float(intermediate_result.fun))
        if callback is not None:
            callback((len(history) - 1) / max_iter)
        # The last evaluation is that of the point that has been accepted
        if is_done is not None and is_done(intermediate_result.x, history[-1], slope):
            was_done = True
            raise StopIteration

    # On products as small as these, threads wait longer than they compute
    with one_blas_thread():
        found = minimize(
            evaluate, start, jac=True, method="L-BFGS-B", callback=after_iteration,
            bounds=None if box is None else np.tile(box, (len(start), 1)),
            options={"maxcor": n_corrections, "ftol": 0, "gtol": tol,
                     "maxiter": max_iter, "maxfun": 50 * int(max_iter)})
    if was_done:
        found.success = True
        found.message = "The gradient is zero within the tolerance."
    found.history = np.array(history)
    return found
