"""Work for several threads at a time, and its progress.

Threads save time because numpy and scipy release the lock of Python.
"""

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import TypeVar

import joblib
from joblib.parallel import get_active_backend
from threadpoolctl import ThreadpoolController

from orangecontrib.sadd.core.types import Callback

__all__ = ["map_in_threads", "n_threads", "one_blas_thread", "part_of", "use_threads"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def n_threads(n_jobs: int | None = None) -> int:
    """
    Return the number of threads to use.

    Parameters
    ----------
    n_jobs : int, optional
        As everywhere in scikit-learn: -1 for all cores; None for one, or for the number
        of `joblib.parallel_config`. In processes of joblib and Dask, the default is
        one, because they use the other cores.
    """
    if n_jobs is None:
        _, n_jobs = get_active_backend()
    if n_jobs is None or n_jobs < 0 and multiprocessing.parent_process() is not None:
        return 1
    return max(1, joblib.effective_n_jobs(n_jobs))


def use_threads(n_jobs: int | None = -1) -> AbstractContextManager:
    """
    Set the default number of threads within this context.

    Parameters
    ----------
    n_jobs : int, optional
        As for `n_threads`; None changes nothing.

    Examples
    --------
    >>> with use_threads(2):
    ...     n_threads()
    2
    """
    if n_jobs is None:
        return nullcontext()
    return joblib.parallel_config("threading", n_jobs=n_jobs)


def one_blas_thread() -> AbstractContextManager:
    """
    Limit BLAS to one thread within this context, for many small products.

    Examples
    --------
    >>> import numpy as np
    >>> with one_blas_thread():
    ...     np.ones((2, 2)) @ np.ones(2)
    array([2., 2.])
    """
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries():
    """Return the libraries of this process; to find them takes milliseconds."""
    return ThreadpoolController()


def part_of(callback: Callback | None, start: float, end: float) -> Callback | None:
    """
    Return a callback for a part of the work, None if there is no callback.

    Parameters
    ----------
    callback : callable or None
        Called with the fraction of all work done.
    start, end : float
        Fractions done when the part begins, and when it ends.

    Examples
    --------
    >>> part_of(print, 0.5, 1)(0.2)
    0.6
    """
    if callback is None:
        return None
    return lambda done: callback(start + (end - start) * done)


def map_in_threads(function: Callable[[Item], Result], items: Iterable[Item],
                   n_jobs: int | None = None) -> Iterator[Result]:
    """
    Apply a function to items, several at a time; yield results in their order.

    At most one result waits for each thread. If the caller stops, for instance by an
    exception, no further item is started.

    Parameters
    ----------
    function : callable
    items : iterable
    n_jobs : int, optional
        As for `n_threads`.

    Examples
    --------
    >>> list(map_in_threads(abs, [-1, 2, -3], n_jobs=2))
    [1, 2, 3]
    """
    threads = n_threads(n_jobs)
    if threads == 1:
        yield from map(function, items)
        return
    waiting: deque = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
