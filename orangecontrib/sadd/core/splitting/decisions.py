"""Decisions about intervals: which cut is the best, and whether it is made.

However the best cuts are found, here ties are broken, the criterion is applied, and
what was decided is kept. Cuts divide intervals in two, these again, and so on: a tree.
Its leaves are the intervals that a user gets (`LeafCounts`); if there may not be so
many of them, some cuts have to go (`keep_most_gain`).
"""

import heapq
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.cuts import tie_keys
from orangecontrib.sadd.core.splitting.criterion import judge, n_log_n, noise

__all__ = ["SLACK", "LeafCounts", "Splits", "can_be_cut", "choose_cuts", "decide",
           "keep_most_gain"]

# Cumulative sums collect more rounding errors than one sum over the classes. Cuts that
# come this close to the best one are compared anew.
SLACK = 1000


def can_be_cut(totals):
    """Return which intervals have at least two rows, by weight, of two classes."""
    # Algorithm 1, line 5: a single sample is not partitioned
    enough = totals.sum(axis=1) >= 2 * (1 - 1e-9)  # 1.1 + 0.9 is less than 2
    return enough & (np.count_nonzero(totals > 0, axis=1) >= 2)


class Splits(NamedTuple):
    """The best cuts of some intervals, and what was decided about them; arrays."""

    column: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    rows: np.ndarray
    rows_left: np.ndarray
    rows_right: np.ndarray
    cut: np.ndarray
    gain: np.ndarray
    theta: np.ndarray
    adapted_theta: np.ndarray
    accepted: np.ndarray


def choose_cuts(owner, totals, left):
    """
    Choose the best cut of each interval; ties go to the lowest.

    Parameters
    ----------
    owner : ndarray of int
        The interval of each cut, in increasing order.
    totals, left : ndarray, shape (n_cuts, n_classes)
        Weight of each class in that interval, and to the left of the cut.

    Returns
    -------
    ndarray of int
        Index of the chosen cuts.
    """
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    if len(first) == len(owner):
        return first
    right = totals - left
    # Each side by itself, so that mirror images give the very same sum
    gains = ((n_log_n(left).sum(axis=1) - n_log_n(left.sum(axis=1)))
             + (n_log_n(right).sum(axis=1) - n_log_n(right.sum(axis=1))))
    group = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(owner))))
    best = np.maximum.reduceat(gains, first)
    equal = np.flatnonzero(gains >= best[group] - noise(totals.sum(axis=1)))
    return equal[np.flatnonzero(np.diff(owner[equal], prepend=-1))]


def decide(intervals, which, left, cuts, n0, leaves):
    """
    Decide whether to make cuts.

    Parameters
    ----------
    intervals : Intervals or GridIntervals
        What matters are `totals`, `column`, `lower`, `upper` and `labels`.
    which : ndarray of int
        The interval of each cut.
    left : ndarray, shape (n_cuts, n_classes)
    cuts : ndarray of float64
    n0 : float or None
        N0 of SADD; None for MDLP.
    leaves : LeafCounts or None
        Gets the classes of the parts.

    Returns
    -------
    splits : Splits
    accepted : ndarray of int
        Index of the cuts that are made.
    """
    totals, column = intervals.totals[which], intervals.column[which]
    lower = intervals.lower[which]
    verdict = judge(totals, left, n0)
    rows, rows_left = totals.sum(axis=1), left.sum(axis=1)
    accepted = np.flatnonzero(verdict.accepted)
    if leaves is not None and len(accepted):
        labels = None if intervals.labels is None \
            else intervals.labels[which[accepted]]
        leaves.add(column[accepted], lower[accepted], left[accepted], labels)
        leaves.add(column[accepted], cuts[accepted], (totals - left)[accepted], labels)
    return Splits(column, lower, intervals.upper[which], rows, rows_left,
                  rows - rows_left, cuts, *verdict), accepted


class LeafCounts:
    """
    Weights of classes in intervals, known from the decisions without counting.

    Whoever cuts an interval knows the classes on both sides. What was said last about
    the interval that begins at a cut is about one that was not cut again.

    Examples
    --------
    >>> counts = LeafCounts()
    >>> counts.add(np.array([0]), np.array([-np.inf]), np.array([[4, 4]]))
    >>> counts.add(np.array([0, 0]), np.array([-np.inf, 5]), np.array([[4, 1], [0, 3]]))
    >>> counts.tables([np.array([5.])], 2)[0]
    array([[4, 0],
           [1, 3]])
    """

    def __init__(self):
        self._n_parts = 0
        self._parts = []
        self._cells = []

    def add(self, column, lower, totals, labels=None):
        """
        Add intervals, those that have been cut before their parts.

        Parameters
        ----------
        column : ndarray of int
        lower : ndarray of float64
            The cut where each interval begins, or minus infinity.
        totals : ndarray, shape (n_intervals, n_classes)
            Weight of each class.
        labels : ndarray of int, shape (n_intervals, n_classes), optional
            Which classes these are; by default all of them.
        """
        interval, klass = np.nonzero(totals)
        weights = totals[interval, klass]
        if labels is not None:
            klass = labels[interval, klass]
        self._parts.append((column, lower))
        self._cells.append((interval + self._n_parts, klass, weights))
        self._n_parts += len(column)

    def tables(self, cut_points, n_classes):
        """
        Return the tables of all columns.

        Parameters
        ----------
        cut_points : list of ndarray
            Cuts of each column: all that were made, or some of them.
        n_classes : int

        Returns
        -------
        list of ndarray, shape (n_classes, n_cuts + 1)
        """
        if not cut_points:
            return []
        column, lower = map(np.concatenate, zip(*self._parts, strict=True))
        part, klass, weights = map(np.concatenate, zip(*self._cells, strict=True))
        order = np.lexsort((lower, column))  # stable
        column_of, lower_of = column[order], lower[order]
        is_last = np.ones(len(order), dtype=bool)
        is_last[:-1] = (column_of[1:] > column_of[:-1]) | (lower_of[1:] > lower_of[:-1])
        leaves = order[is_last]
        widths = np.array([len(cuts) + 1 for cuts in cut_points])
        ends = np.cumsum(widths)
        interval = np.full(len(column), -1)
        if ends[-1] == len(leaves):
            interval[leaves] = np.arange(len(leaves))
        else:  # some cuts are left out
            starts = np.append(0, np.cumsum(np.bincount(column[leaves])))
            for own, (cuts, end) in enumerate(zip(cut_points, ends, strict=True)):
                some = leaves[starts[own]:starts[own + 1]]
                interval[some] = end - len(cuts) - 1 + np.searchsorted(
                    cuts, lower[some], side="right")
        cells = np.flatnonzero(interval[part] >= 0)
        table = np.bincount(
            klass[cells] * ends[-1] + interval[part[cells]], weights[cells],
            n_classes * ends[-1]).astype(weights.dtype).reshape(n_classes, -1)
        return [table[:, start:end] for start, end in pairwise([0, *ends.tolist()])]


def keep_most_gain(splits, max_intervals):
    """
    Take the cuts that gain most, and no child without its parent.

    From the root, the cut that gains most is taken as long as there is room, out of
    those whose interval has been made by cuts that were taken.

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
