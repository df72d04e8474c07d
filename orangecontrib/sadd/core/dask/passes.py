"""Passes over partitions: progress, and trees of sums."""

from dask.base import persist
from dask.callbacks import Callback as TaskCallback
from dask.delayed import delayed
from distributed import as_completed, futures_of

__all__ = ["persist_parts", "persist_tree"]

# Partial results that one task combines
FAN_IN = 4


def persist_parts(tasks, callback=None):
    """
    Compute one object for each partition and leave it on its worker.

    Parameters
    ----------
    tasks : list of Delayed
    callback : callable, optional
        Called with the fraction done. If it raises an exception, the remaining tasks
        are cancelled and finished ones are released.

    Returns
    -------
    list of Delayed
        Their results are kept as long as these objects exist.
    """
    with _local_progress(callback):
        kept = list(persist(*tasks))
    futures = futures_of(kept)
    if futures:  # on a cluster
        for done, future in enumerate(as_completed(futures), 1):
            if future.status != "finished":
                future.result()  # raises
            if callback is not None:
                callback(done / len(futures))
    return kept


def persist_tree(combine, parts, callback=None):
    """
    Combine one object of each partition, a few at a time, in the order of partitions.

    Parameters
    ----------
    combine : callable
        Called with a list of objects, returns one.
    parts : list of Delayed
    callback : callable, optional
        As for `persist_parts`.

    Returns
    -------
    Delayed
        The result, left on its worker.
    """
    # The parts themselves are not persisted, so that Dask drops combined parts
    marks = [delayed(_mark)(part) for part in parts]
    while len(parts) > 1:
        parts = [delayed(combine)(parts[start:start + FAN_IN])
                 for start in range(0, len(parts), FAN_IN)]
    return persist_parts([*parts, *marks], callback)[0]


def _mark(part):
    """Return nothing, as a sign that a part is done."""


def _local_progress(callback):
    """Report the progress of Dask's schedulers without a cluster, in this context."""
    if callback is None:
        return TaskCallback()

    def report(key, result, graph, state, worker):
        done = len(state["finished"])
        callback(done / (done + sum(
            len(state[name]) for name in ("ready", "waiting", "running"))))

    return TaskCallback(posttask=report)
