"""Minimization by L-BFGS, which both families of models share."""

from collections.abc import Callable as Function

import numpy as np
from scipy.optimize import fmin_l_bfgs_b

from orangecontrib.sadd.core.threads import one_blas_thread
from orangecontrib.sadd.core.types import Callback, Floats

__all__ = ["descend"]


def descend(function: Function[[Floats], tuple[float, Floats]], start: Floats, *,
            n_corrections: int, max_iter: int, tol: float,
            box: tuple[float, float] | None = None,
            is_done: Function[[Floats, float, Floats], bool] | None = None,
            callback: Callback | None = None
            ) -> tuple[Floats, Floats, bool, str]:
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
    point : ndarray of float64
    history : ndarray of float64, shape (n_iter + 1,)
        The values at the start and after each iteration.
    converged : bool
    message : str
        Why the search ended.

    Examples
    --------
    >>> _, history, converged, _ = descend(
    ...     lambda at: (float(at @ at), 2 * at), np.ones(2), n_corrections=5,
    ...     max_iter=9, tol=1e-5)
    >>> converged, history.round(2)
    (True, array([2.  , 0.17, 0.  ]))
    """
    history: list[float] = []
    value, slope = np.nan, start
    was_done = False

    def evaluate(point):
        nonlocal value, slope
        value, slope = function(point)
        if not history:
            history.append(value)
        return value

    def after_iteration(point):
        nonlocal was_done
        # The last evaluation is that of the point that has been accepted
        history.append(value)
        if callback is not None:
            callback((len(history) - 1) / max_iter)
        if is_done is not None and is_done(point, value, slope):
            was_done = True
            raise StopIteration

    # On products as small as these, threads wait longer than they compute. scipy asks
    # for the gradient where it has asked for the value.
    with one_blas_thread():
        point, _, found = fmin_l_bfgs_b(
            evaluate, start, lambda _: slope, callback=after_iteration,
            bounds=None if box is None else [box] * len(start), m=n_corrections,
            factr=0, pgtol=tol, maxiter=max_iter, maxfun=50 * int(max_iter))
    message = "The gradient is zero within the tolerance." if was_done \
        else found["task"]
    return point, np.array(history), was_done or not found["warnflag"], message
