"""The cuts of a tree that stay if there may be no more than so many intervals.

The splitter cuts intervals in two, these again, and so on: a tree. From its root, the
cut that gains most is taken as long as there is room, out of those whose interval has
been made by cuts that were taken.
"""

import heapq

import numpy as np

from orangecontrib.sadd.core.cuts import tie_keys
from orangecontrib.sadd.core.splitting.criterion import noise

__all__ = ["keep_most_gain"]


def keep_most_gain(splits, max_intervals):
    """
    Take the cuts that gain most, and no child without its parent.

    Parameters
    ----------
    splits : Splits
        All decisions about all columns.
    max_intervals : int

    Returns
    -------
    Splits
        Without decisions about intervals that are not made any more. Cuts that had to
        go are not accepted.
    """
    accepted = splits.accepted.copy()
    stays = np.ones(len(accepted), dtype=bool)
    # Parents come before their children: equal ends are those of infinite cuts
    order = np.lexsort((-splits.rows, -splits.upper, splits.lower, splits.column))
    bounds = np.flatnonzero(np.diff(splits.column[order], prepend=-1, append=-1))
    for start, end in zip(bounds[:-1], bounds[1:], strict=True):
        nodes = order[start:end]
        if np.count_nonzero(accepted[nodes]) < max_intervals:
            continue
        children = _children(splits, nodes.tolist())
        taken, seen = _take(splits, nodes[0], children, max_intervals - 1)
        stays[nodes] = np.isin(nodes, seen)
        accepted[nodes] = np.isin(nodes, taken)
    return type(splits)(*(field[stays] for field in
                          splits._replace(accepted=accepted)))


def _children(splits, nodes):
    """Return the decisions about the parts of each interval."""
    children = {node: [] for node in nodes}
    path = []
    for node in nodes:
        while path and not (splits.lower[path[-1]] <= splits.lower[node]
                            and splits.upper[node] <= splits.upper[path[-1]]):
            path.pop()
        if path:
            children[path[-1]].append(node)
        path.append(node)
    return children


def _take(splits, root, children, n_cuts):
    """Return the cuts that are taken, and all that could be chosen from."""
    # Gains that differ by rounding are equal; ties go to the smallest cut
    key = tie_keys(max(noise(splits.rows[root]), 1e-300))
    taken, seen, heap = [], [root], []

    def add(node):
        if splits.accepted[node]:
            heapq.heappush(heap, (
                -key(splits.gain[node] * splits.rows[node]), splits.cut[node], node))

    add(root)
    while heap and len(taken) < n_cuts:
        *_, node = heapq.heappop(heap)
        taken.append(node)
        for child in children[node]:
            seen.append(child)
            add(child)
    return taken, seen
