"""MDLP and SADD: from sorted columns to trees of decisions, and to cut points.

`grow` finds the best cut of each interval of some columns, by the compiled page
`_tree`. N0 changes whether a cut is accepted, but not which cut is best. So trees that
are grown with `any_n0` serve every N0, and `accept` reads them for each.
"""

import heapq
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.arithmetic import as_whole, cut_between, tie_keys
from orangecontrib.sadd.core.methods import _tree
from orangecontrib.sadd.core.methods.cells import Sorters
from orangecontrib.sadd.core.methods.criterion import (
    Decision,
    adaptive_factor,
    noise,
)

__all__ = ["AcceptedCuts", "Trees", "accept", "grow", "join", "n0_steps"]

# If there are more classes, rows in intervals are not counted by class
MOST_CLASSES = 2 ** 8


class Trees(NamedTuple):
    """
    The trees of decisions of some columns.

    Attributes
    ----------
    sizes : ndarray of int, shape (n_columns,)
        Number of nodes of each column. The first of them is the root. The others come
        in pairs, the part below a cut first.
    back : ndarray of int
        How many nodes before each node its parent is; 0 for a root.
    place : ndarray of int
        The first row after the best cut, among sorted rows, those of equal value and
        class as one. It is -1 if no cut gains anything, or enough.
    cut, rows, rows_left, gain, theta : ndarray of float64
        As for `Decision`. Without a cut, the cut is NaN, and the last three are 0.
    below : ndarray of float64, shape (n_nodes, n_classes)
        Weights of classes below the cut, from the first row of the column on. If there
        are more than `MOST_CLASSES`, it has no columns.
    sums : ndarray of float64, shape (n_columns, n_classes)
        Weights of classes in each column; without columns like `below`.
    missing : ndarray of float64, shape (n_columns, n_classes)
        Weights of classes of rows whose value is missing.
    ranges : ndarray of float64, shape (n_columns, 2)
        The least and the largest finite value, or NaN.
    """

    sizes: np.ndarray
    back: np.ndarray
    place: np.ndarray
    cut: np.ndarray
    rows: np.ndarray
    rows_left: np.ndarray
    gain: np.ndarray
    theta: np.ndarray
    below: np.ndarray
    sums: np.ndarray
    missing: np.ndarray
    ranges: np.ndarray

    @property
    def roots(self):
        """The first node of each column, and the number of nodes."""
        return np.append(0, np.cumsum(self.sizes))


def grow(columns, classes, weights, n_classes, n0=None, *, min_samples=None,
         any_n0=False, sorters=None):
    """
    Grow the trees of some columns.

    Parameters
    ----------
    columns : ndarray of float64, shape (n_columns, n_rows)
        In C order. NaN is left out.
    classes : ndarray of int32, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
        Above 0.
    n_classes : int
    n0 : float or None
        N0 of SADD; None for MDLP.
    min_samples : int, float or None
        As for `arithmetic.least_rows`.
    any_n0 : bool
        Grow trees that serve any N0, and MDLP; `n0` is ignored. Also find the best cut
        of an interval where no cut can exceed the threshold.
    sorters : Sorters, optional

    Returns
    -------
    Trees

    Examples
    --------
    >>> x = np.array([[1., 2, 3, 4, 6, 7, 8, 9]])
    >>> trees = grow(x, np.repeat([0, 1], 4).astype(np.intc), np.ones(8), 2)
    >>> accept(trees).cut_points
    [array([5.])]
    """
    n_columns = len(columns)
    if columns.shape[1] != len(classes):
        raise ValueError("There must be a class and a weight for each row.")
    inverse_n0 = 0. if any_n0 else np.inf if n0 is None else 1 / float(n0)
    n_counted = n_classes if n_classes <= MOST_CLASSES else 0
    roots = np.zeros(n_columns + 1, dtype=np.intp)
    of_columns = [np.zeros((n_columns, n_counted)), np.zeros((n_columns, n_classes)),
                  np.zeros((n_columns, 2))]
    room = 16 * n_columns + 1024
    nodes = [np.zeros((room, 4), dtype=np.intp), np.zeros((room, 6)),
             np.zeros((room, n_counted))]
    with (sorters or Sorters()).sorter(classes, weights, n_classes) as sorter:
        grower = _tree.Grower(
            sorter, weights, n_classes, inverse_n0, min_samples or 0.)
        bits = columns.view(np.uint64)
        done = grower.grow(bits, 0, roots, *of_columns, *nodes)
        while done < n_columns:
            nodes = [np.pad(array, ((0, 3 * len(array)), (0, 0))) for array in nodes]
            done = grower.grow(bits, done, roots, *of_columns, *nodes)
    places, numbers, below = (array[:roots[-1]] for array in nodes)
    _, _, place, parent = places.T
    lower, upper, rows, rows_left, gain, theta = numbers.T
    cut = np.full(len(place), np.nan)
    known = place >= 0
    cut[known] = cut_between(lower[known], upper[known])
    return Trees(np.diff(roots), np.arange(len(parent)) - parent, place, cut, rows,
                 rows_left, gain, theta, below.copy(), *of_columns)


def join(parts, n_classes):
    """Return the trees of several lists of columns as one `Trees`."""
    parts = list(parts)
    if not parts:
        return grow(np.zeros((0, 0)), np.zeros(0, np.intc), np.zeros(0), n_classes)
    return parts[0] if len(parts) == 1 else Trees(
        *map(np.concatenate, zip(*parts, strict=True)))


@dataclass
class AcceptedCuts:
    """
    The cuts of trees that are accepted.

    Attributes
    ----------
    trees : Trees
    reached : ndarray of bool
        Nodes with a cut and accepted parents.
    accepted : ndarray of bool
    adapted_theta : ndarray of float64
        Threshold of each node.
    cut_points : list of ndarray
        Of each column, in increasing order.
    """

    trees: Trees
    reached: np.ndarray
    accepted: np.ndarray
    adapted_theta: np.ndarray

    def __post_init__(self):
        trees = self.trees
        nodes = np.flatnonzero(self.accepted)
        self._column = np.cumsum(trees.back == 0)[nodes] - 1
        self._nodes = nodes[np.lexsort((trees.place[nodes], self._column))]
        self._n_cuts = np.bincount(self._column, minlength=len(trees.sizes))
        cuts, ends = trees.cut[self._nodes], np.cumsum(self._n_cuts)
        # Unlike those of `np.split`, these calls take no time
        self.cut_points = [cuts[end - n:end] for n, end in zip(
            self._n_cuts.tolist(), ends.tolist(), strict=True)]

    def mutual_information(self):
        """
        Return the mutual information between intervals and class for each column.

        It is the sum of the gains of all cuts, weighted by the rows of their interval.
        """
        trees = self.trees
        gained = np.bincount(
            self._column, trees.gain[self._nodes] * trees.rows[self._nodes],
            len(trees.sizes))
        n_rows = trees.rows[trees.back == 0]
        return gained / np.where(n_rows > 0, n_rows, 1)

    def counts(self):
        """Return the weight of each class in each interval; None if not counted."""
        if not self.trees.below.shape[1]:
            return [None] * len(self.cut_points)
        ends = np.cumsum(self._n_cuts + 1)
        starts = ends - self._n_cuts - 1
        upto = np.empty((len(self._nodes) + len(ends), self.trees.below.shape[1]))
        is_last = np.zeros(len(upto), dtype=bool)
        is_last[ends - 1] = True
        upto[is_last], upto[~is_last] = self.trees.sums, self.trees.below[self._nodes]
        table = upto.copy()
        table[1:] -= upto[:-1]
        table[starts] = upto[starts]
        # Differences of sums of fractions may be below zero
        table = as_whole(np.maximum(table, 0)).T
        return [table[:, start:end] for start, end in zip(
            starts.tolist(), ends.tolist(), strict=True)]

    def decisions(self, column):
        """Return the decisions about a column: by lower end, wide ones first."""
        trees, found = self.trees, []
        own = slice(*trees.roots[column:column + 2].tolist())
        for node, (back, *numbers) in enumerate(zip(*(field[own].tolist() for field in (
                trees.back, trees.rows, trees.rows_left, trees.rows - trees.rows_left,
                trees.cut, trees.gain, trees.theta, self.adapted_theta, self.accepted)),
                strict=True)):
            lower, upper = -np.inf, np.inf
            if back:
                parent = found[node - back]
                lower, upper = (parent.lower, parent.cut) if node % 2 \
                    else (parent.cut, parent.upper)
            found.append(Decision(lower, upper, *numbers))
        return sorted(compress(found, self.reached[own]),
                      key=lambda decision: (decision.lower, -decision.upper))


def accept(trees, n0=None, max_intervals=None):
    """
    Accept cuts from the roots downwards.

    Parameters
    ----------
    trees : Trees
    n0 : float or None
        N0 of SADD; None for MDLP. It is that of `grow`, unless trees serve any N0.
    max_intervals : int, optional
        Cuts with the largest N G are kept, see `_keep_most_gain`.

    Returns
    -------
    AcceptedCuts
    """
    with np.errstate(invalid="ignore"):
        adapted = adaptive_factor(trees.rows, n0) * trees.theta
        # theta is negative for few rows of many classes; yet a cut that gains nothing
        # is never made
        passes = (trees.place >= 0) & (trees.gain > adapted) \
            & (trees.gain * trees.rows > noise(trees.rows))
    passes_of, inside = passes.tolist(), [True] * len(passes)
    for node, back in enumerate(trees.back.tolist()):
        if back:
            inside[node] = inside[node - back] and passes_of[node - back]
    reached = np.array(inside, dtype=bool) & (trees.place >= 0)
    accepted = passes & reached
    if max_intervals is not None:
        for first, last in pairwise(trees.roots.tolist()):
            if np.count_nonzero(accepted[first:last]) >= max_intervals:
                _keep_most_gain(trees, first, last, reached, accepted, max_intervals)
    return AcceptedCuts(trees, reached, accepted, adapted)


def n0_steps(trees):
    """
    Return the N0 above which one more cut is accepted each, in increasing order.

    Cuts that any N0 accepts, and cuts that none accepts, are left out.

    Parameters
    ----------
    trees : Trees
        Grown with `any_n0`.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        # s(N / N0) theta < gain
        ratio = np.where(trees.theta > 0, trees.gain / trees.theta, np.inf)
        steps = np.where(ratio >= 1, 0., trees.rows / np.log(ratio / (1 - ratio)))
    passes = (trees.place >= 0) & (trees.gain * trees.rows > noise(trees.rows))
    steps = np.where(passes & (ratio > .5), steps, np.inf).tolist()
    for node, back in enumerate(trees.back.tolist()):
        if back:
            steps[node] = max(steps[node], steps[node - back])
    steps = np.array(steps)
    return np.sort(steps[(steps > 0) & np.isfinite(steps)])


def _keep_most_gain(trees, first, last, reached, accepted, max_intervals):
    """
    Keep the accepted cuts of a column with the largest N G, and those above them.

    N G is what a cut adds to the mutual information, times all rows. Candidates are the
    cuts of intervals between kept cuts. From the root, the candidate with the largest
    N G is kept, until there are enough cuts.
    """
    children = {node: [] for node in range(first, last)}
    for node in range(first + 1, last):
        children[node - trees.back[node]].append(node)
    # N G that differ by rounding are equal; ties go to the smallest cut
    key = tie_keys(max(noise(trees.rows[first]), 1e-300))
    taken, seen, heap = [], [], []

    def see(node):
        if reached[node]:
            seen.append(node)
        if accepted[node]:
            heapq.heappush(heap, (-key(trees.gain[node] * trees.rows[node]),
                                  trees.cut[node], node))

    see(first)
    while heap and len(taken) < max_intervals - 1:
        *_, node = heapq.heappop(heap)
        taken.append(node)
        for child in children[node]:
            see(child)
    reached[first:last] = accepted[first:last] = False
    reached[seen] = accepted[taken] = True
