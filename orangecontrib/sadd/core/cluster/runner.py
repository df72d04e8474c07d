"""Tasks on partitions, run where the partitions are.

Everything goes through the scheduler that Dask would use, threads or a cluster. On
a cluster, a round of questions is one task for each thread of a worker, about all
partitions that this worker holds: what comes back are sums over them. These tasks are
tied to their workers, loosely, so that nothing is moved unless a worker has died. Then
Dask computes what was lost anew, from the data.

Some settings keep a fit from filling memory. They are settings of Dask, so that
``dask.config.set({"sadd.max-distinct": 10 ** 7})``, a file of Dask's configuration, or
``DASK_SADD__MAX_DISTINCT`` change them.

======================  =======================================================
`sadd.max-distinct`     distinct values of a column, by class, for the methods
                        that need all of them on the client
`sadd.max-labelled`     bytes of labelled rows that are sent to all workers, which
                        find in them the neighbours of unlabelled ones
`sadd.round-size`       numbers that SADD and MDLP send in a round; with more of
                        them rounds are fewer, and take more memory on the client
`sadd.reuse-memory`     whether a worker that searches for weights may call glibc's
                        ``mallopt``, which lets it keep 16 MB of freed memory; if
                        false, a search may take several times as long
======================  =======================================================
"""

import logging
import time
from dataclasses import dataclass, field
from uuid import uuid4

import dask
from dask.delayed import delayed

from orangecontrib.sadd.core.cluster.transfer import (
    Recipe,
    dumps,
    loads,
    make_recipes,
)
from orangecontrib.sadd.core.splitting.questions import ROUND

__all__ = ["Runner", "Traffic", "limit", "may_reuse_memory"]

log = logging.getLogger(__name__)

DEFAULTS = {"max-distinct": 2 ** 22, "max-labelled": 2 ** 27, "round-size": ROUND}


def limit(name):
    """
    Return the present value of a limit.

    Examples
    --------
    >>> limit("max-distinct")
    4194304
    """
    value = int(dask.config.get(f"sadd.{name}", DEFAULTS[name]))
    if value < 1:
        raise ValueError(f"The setting sadd.{name} must be above 0, not {value}.")
    return value


def may_reuse_memory():
    """Return whether workers may change how their process allocates memory."""
    return bool(dask.config.get("sadd.reuse-memory", True))


@dataclass
class Traffic:
    """
    What was sent between the client and the workers during a fit.

    Attributes
    ----------
    rounds : int
        Passes over the partitions.
    sent, received : int
        Bytes, from and to the client. What each worker gets counts for each of them.
    by_task : dict
        For each kind of task: rounds, bytes sent and received, seconds.
    """

    rounds: int = 0
    sent: int = 0
    received: int = 0
    by_task: dict = field(default_factory=dict)

    @property
    def bytes(self):
        """Bytes in both directions."""
        return self.sent + self.received

    def add(self, name, sent, received, seconds):
        """Count a round."""
        self.rounds += 1
        self.sent += sent
        self.received += received
        before = self.by_task.get(name, (0, 0, 0, 0.))
        self.by_task[name] = tuple(
            a + b for a, b in zip(before, (1, sent, received, seconds), strict=True))
        log.info("%s: %d bytes sent, %d received in %.2f s", name, sent, received,
                 seconds)


class Runner:
    """Runs tasks and counts what is sent; one for each fit."""

    def __init__(self):
        self.traffic = Traffic()

    @property
    def n_places(self):
        """Number of tasks that answer a question."""
        client = active_client()
        return dask.system.CPU_COUNT if client is None else max(
            1, sum(client.nthreads().values()))

    def keep(self, name, function, partitions, *shared, near=None, progress=None):
        """
        Compute an object for each partition and leave it where it is.

        Parameters
        ----------
        name : str
            Of the tasks, as the dashboard shows it.
        function : callable
            Gets the shared arguments, and those of a partition.
        partitions : list of tuple
            Arguments for each partition; they may be lazy.
        *shared
            Arguments for all partitions, sent once to each worker.
        near : list of Delayed, optional
            What is kept already, for the same partitions: computed in the same places.
        progress : callable, optional
            Called with the fraction of partitions that are done.

        Returns
        -------
        list of Delayed
        """
        start = time.perf_counter()
        token = uuid4().hex
        shared, n_bytes = self._share(name, token, shared)
        client = active_client()
        if near is None:
            places = [None] * len(partitions)
            partitions = make_recipes(partitions)
        else:
            places = _places(client, near)
        tasks = []
        for index, (place, arguments) in enumerate(
                zip(places, partitions, strict=True)):
            with _bound_to(place):
                tasks.append(delayed(_unpacked, pure=False)(
                    function, shared, *arguments,
                    dask_key_name=f"{name}-{index}-{token}"))
        tasks = list(dask.persist(*tasks))
        if client is not None:
            _wait(tasks, progress)
        self.traffic.add(name, n_bytes, 0, time.perf_counter() - start)
        return tasks

    def merge(self, name, function, kept, sizes, most, progress=None):
        """
        Compute an object from several that are in the same place, and leave it there.

        Parameters
        ----------
        name : str
        function : callable
            Gets some of the objects.
        kept : list of Delayed
            From `keep`.
        sizes : list of int
        most : int
            Largest sum of the sizes of objects that it gets.
        progress : callable, optional
            As for `keep`.

        Returns
        -------
        list of Delayed
            These, and objects that remain alone.
        """
        batches = []
        for _, members in _groups(active_client(), kept):
            room = -1
            for index in members:
                room -= sizes[index]
                if room < 0:
                    batches.append([])
                    room = most - sizes[index]
                batches[-1].append(kept[index])
        alone = [batch[0] for batch in batches if len(batch) == 1]
        batches = [batch for batch in batches if len(batch) > 1]
        if not batches:
            return alone
        near = [batch[0] for batch in batches]
        return alone + self.keep(name, function, batches, near=near, progress=progress)

    def ask(self, name, function, kept, *shared, each=False, lazy=False):
        """
        Ask all partitions.

        Parameters
        ----------
        name : str
        function : callable
            Gets a list of kept objects and the shared arguments, and returns their sum,
            or another summary.
        kept : list of Delayed
            From `keep`.
        *shared
        each : bool
            The function returns a list with an element for each object.
        lazy : bool
            The objects are not from `keep`, but tuples of lazy and other things, from
            the data. A task must not have more than one of them in memory.

        Returns
        -------
        list
            What the function returned for each group of partitions; with `each`, one
            element for each partition, in their order.
        """
        start = time.perf_counter()
        token = uuid4().hex
        shared, n_bytes = self._share(name, token, shared)
        if lazy:
            groups = [(None, [index]) for index in range(len(kept))]
            kept = make_recipes(kept)
        else:
            groups = _groups(active_client(), kept)
        tasks = []
        for index, (worker, members) in enumerate(groups):
            with _bound_to(worker):
                tasks.append(delayed(_packed, pure=False)(
                    function, [kept[member] for member in members], shared,
                    dask_key_name=f"{name}-{index}-{token}"))
        replies = dask.compute(*tasks)
        self.traffic.add(name, n_bytes, sum(map(len, replies)),
                         time.perf_counter() - start)
        replies = list(map(loads, replies))
        if not each:
            return replies
        ordered = [None] * len(kept)
        for (_, members), reply in zip(groups, replies, strict=True):
            for member, element in zip(members, reply, strict=True):
                ordered[member] = element
        return ordered

    @staticmethod
    def _share(name, token, shared):
        """Put arguments for all tasks into one object, which is sent on its own."""
        content = dumps(shared)
        client = active_client()
        n_workers = 1 if client is None else max(1, len(client.nthreads()))
        return (delayed(content, name=f"{name}-question-{token}"),
                len(content) * n_workers)


def active_client():
    """Return the client of a cluster that Dask would use, or None."""
    get = dask.base.get_scheduler()
    owner = getattr(get, "__self__", None)
    return owner if hasattr(owner, "who_has") else None


def _groups(client, kept):
    """Return pairs of a worker, or None, and the partitions that are its task."""
    if client is None:
        n_groups = min(len(kept), dask.system.CPU_COUNT)
        return [(None, list(range(start, len(kept), n_groups)))
                for start in range(n_groups)]
    threads = client.nthreads()
    by_worker, elsewhere = {}, []
    for index, worker in enumerate(_places(client, kept)):
        if worker in threads:
            by_worker.setdefault(worker, []).append(index)
        else:  # lost, or not computed yet
            elsewhere.append((None, [index]))
    groups = [(worker, members[start::threads[worker]])
              for worker, members in sorted(by_worker.items())
              for start in range(min(threads[worker], len(members)))]
    return groups + elsewhere


def _places(client, kept):
    """Return the worker that holds each object, or None."""
    if client is None:
        return [None] * len(kept)
    from distributed import futures_of

    futures = [futures_of(task) for task in kept]
    places = client.who_has([some[0] for some in futures if len(some) == 1])
    return [min(places.get(some[0].key, ()), default=None) if len(some) == 1 else None
            for some in futures]


def _bound_to(worker):
    """Tie tasks that are made in this context to a worker, as long as it lives."""
    return dask.annotate(**({} if worker is None else {
        "workers": [worker], "allow_other_workers": True}))


def _wait(tasks, progress):
    from distributed import as_completed, futures_of

    futures = futures_of(tasks)
    for done, future in enumerate(as_completed(futures)):
        if future.status == "error":
            future.result()  # raises
        if progress is not None:
            progress((done + 1) / len(futures))


def _unpacked(function, shared, *arguments):
    return function(*loads(shared), *map(_made, arguments))


def _packed(function, members, shared):
    members = [tuple(map(_made, member)) if isinstance(member, tuple) else member
               for member in members]
    return dumps(function(members, *loads(shared)))


def _made(argument):
    return argument.compute() if isinstance(argument, Recipe) else argument
