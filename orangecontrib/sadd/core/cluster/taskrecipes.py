"""How to make a partition, in one task together with what is done with it.

Dask may let one worker read a partition and another one, which has nothing to do,
go on with it; then the rows travel. If a partition is made from nothing that others are
made from, as when each is read from a file, all of it is better done in one task.
"""

import dask
from dask.core import flatten, get_dependencies

__all__ = ["Recipe", "make_recipes"]


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
    """The part of a graph that leads to a key; None if it leads out of the graph."""
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
