"""What is sent to workers and back, and what they keep in files.

A partition is sent as a recipe, if possible: how to make it, in one task together with
what is done with it. What else is sent is measured, and made short: counts below
increasing thresholds increase, too, and by little, so they are sent as differences, in
the shortest type that holds them.

What a worker keeps is mapped into memory while it is used. A worker with a gigabyte may
be in charge of many gigabytes of sorted columns, of which each question touches a few
pages. Dask would write whole objects to disk and read them back for each question; here
the operating system reads the pages that are used and keeps them as long as there is
memory. A file is private to its process and is deleted with its object. If an object is
sent elsewhere, its contents are sent; if its worker dies, Dask computes it anew.
"""

import io
import mmap
import os
import pickle
import sys
import tempfile
import weakref

import dask
import numpy as np
from dask.core import flatten, get_dependencies

__all__ = ["SMALL", "Recipe", "Stored", "dumps", "loads", "make_recipes"]

# Objects of fewer bytes stay in memory
SMALL = 2 ** 20

ALIGNMENT = 64


def dumps(content):
    """
    Return an object as bytes.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.arange(0, 10 ** 9, 1000)
    >>> len(dumps(counts)) / counts.nbytes < 0.26
    True
    >>> np.array_equal(loads(dumps(counts)), counts)
    True
    """
    file = io.BytesIO()
    _Pickler(file, protocol=5).dump(content)
    return file.getvalue()


def loads(content):
    """Return the object of which these are the bytes."""
    return pickle.loads(content)


class _Pickler(pickle.Pickler):
    def reducer_override(self, array):
        if type(array) is not np.ndarray or array.dtype != np.int64 \
                or not array.ndim or array.shape[-1] < 8:
            return NotImplemented
        steps = np.diff(array, axis=-1)
        if not steps.size or steps.min() < 0 or steps.max() >= 2 ** 32:
            return NotImplemented
        steps = steps.astype(np.min_scalar_type(steps.max()))
        return _cumulate, (array[..., :1].copy(), steps)


def _cumulate(first, steps):
    return np.cumsum(np.concatenate((first, steps), axis=-1), axis=-1, dtype=np.int64)


class Stored:
    """
    An object in a file.

    Parameters
    ----------
    content : object
        Its NumPy arrays are written as they are and not copied when it is opened;
        they cannot be changed then.
    small : int
        An object of this many bytes or fewer stays in memory.

    Examples
    --------
    >>> import numpy as np
    >>> Stored({"squares": np.arange(3) ** 2}).open()
    {'squares': array([0, 1, 4])}
    """

    def __init__(self, content, small=SMALL):
        buffers = []
        self._head = pickle.dumps(content, protocol=5, buffer_callback=buffers.append)
        views = [buffer.raw() for buffer in buffers]
        self.nbytes = len(self._head) + sum(view.nbytes for view in views)
        self._small = small
        self._content = self._path = None
        if self.nbytes <= small:
            self._content, self._head = content, None
            return
        handle, self._path = tempfile.mkstemp(".columns", "sadd-", _folder())
        weakref.finalize(self, _remove, self._path)
        self._places = []
        with os.fdopen(handle, "wb") as file:
            for view in views:
                file.seek(-file.tell() % ALIGNMENT, os.SEEK_CUR)
                self._places.append((file.tell(), view.nbytes))
                file.write(view)

    def open(self):
        """Return the object; its arrays are read from the file when they are used."""
        if self._path is None:
            return self._content
        with open(self._path, "rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)) \
                if os.fstat(file.fileno()).st_size else memoryview(b"")
        return pickle.loads(self._head, buffers=[
            mapped[start:start + length] for start, length in self._places])

    def __reduce__(self):
        return Stored, (self.open(), self._small)

    def __sizeof__(self):
        # What counts for Dask is what the worker holds in memory
        own = len(self._head) if self._path is not None else self.nbytes
        return own + sys.getsizeof(self.__dict__)


def _folder():
    """Return where a worker keeps its files, or Dask its own; None for the system's."""
    try:
        from distributed import get_worker

        return get_worker().local_directory
    except (ImportError, ValueError):  # no worker
        folder = dask.config.get("temporary-directory", None)
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
        return folder


def _remove(path):
    try:
        os.remove(path)
    except OSError:  # the worker's folder may have gone already
        pass


class Recipe:
    """
    A piece of a graph, which is computed where it is needed.

    Parameters
    ----------
    graph : dict
    key : hashable
        Of the result.
    """

    def __init__(self, graph, key):
        self.graph = graph
        self.key = key

    def compute(self):
        """Follow the recipe, in this thread."""
        return dask.get(self.graph, self.key)


def make_recipes(partitions):
    """
    Return recipes for partitions, if these do not share anything.

    Dask may let one worker read a partition and another one, which has nothing to do,
    go on with it; then the rows travel. If a partition is made from nothing that others
    are made from, as when each is read from a file, all of it is better done in one
    task.

    Parameters
    ----------
    partitions : list of tuple
        Lazy arguments of each partition, and others.

    Returns
    -------
    list of tuple
        With recipes in the place of lazy arguments; or the partitions as they are if
        some share a task, or depend on what is in a cluster already.

    Examples
    --------
    >>> from dask.delayed import delayed
    >>> read = delayed(len, pure=True)
    >>> (recipe, name), _ = make_recipes([(read("a"), "first"), (read("bc"), "second")])
    >>> recipe.compute(), name
    (1, 'first')
    """
    graphs, owners = {}, {}
    for partition in partitions:
        for lazy in filter(dask.is_dask_collection, partition):
            graph = lazy.__dask_graph__()
            if id(graph) not in graphs:
                graphs[id(graph)] = graph, dict(graph)
    recipes = []
    for index, partition in enumerate(partitions):
        recipe = []
        for argument in partition:
            if dask.is_dask_collection(argument):
                _, tasks = graphs[id(argument.__dask_graph__())]
                key, = flatten(argument.__dask_keys__())
                piece = _needed(tasks, key)
                if piece is None or any(
                        owners.setdefault(name, index) != index for name in piece):
                    return partitions
                argument = Recipe(piece, key)
            recipe.append(argument)
        recipes.append(tuple(recipe))
    return recipes


def _needed(tasks, key):
    """Return the part of a graph that leads to a key; None if it leads elsewhere."""
    piece, waiting = {}, [key]
    while waiting:
        name = waiting.pop()
        if name in piece:
            continue
        if name not in tasks or _is_future(tasks[name]):
            return None
        piece[name] = tasks[name]
        # A task knows also those that are not in the graph
        waiting.extend(getattr(tasks[name], "dependencies", None)
                       or get_dependencies(tasks, name))
    return piece


def _is_future(task):
    return any(type(part).__module__.startswith("distributed.")
               for part in (task, getattr(task, "value", None)))
