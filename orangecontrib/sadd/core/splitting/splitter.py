"""MDLP and SADD: from columns to cut points.

Long intervals are split one by one, with a bound that spares most of their rows;
what is short enough is collected, over all columns, and split together. Columns of
some thousands of rows are split together with the same bound.
"""

from itertools import pairwise

import numpy as np

from orangecontrib.sadd.core.cuts import cut_between, least_rows
from orangecontrib.sadd.core.splitting.criterion import Decision, EntropyTerms, judge
from orangecontrib.sadd.core.splitting.decisions import (
    LeafCounts,
    Splits,
    can_be_cut,
    keep_most_gain,
)
from orangecontrib.sadd.core.splitting.gridintervals import (
    GridIntervals,
    SortedColumns,
)
from orangecontrib.sadd.core.splitting.longintervals import (
    AdaptiveGrid,
    BlockInterval,
    Grid,
)
from orangecontrib.sadd.core.splitting.questions import (
    ROUND,
    answer_from,
    search_in_rounds,
)
from orangecontrib.sadd.core.splitting.runs import COMPRESS_BELOW
from orangecontrib.sadd.core.splitting.shortintervals import Intervals, split_step

__all__ = ["Splitter", "columns_together"]

# Intervals with fewer stored values are split row by row
SHORT = 2 ** 15

# Columns with so many rows, of so many classes, are split block by block and together.
# With fewer rows or more classes most blocks would have to be searched.
MIDDLE = 2 ** 12, 2 ** 18
MIDDLE_CELLS = 2 ** 20
FEW_CLASSES = 8

# Rows by which a column is known as one with few values
SAMPLE = 2 ** 10

# Rows that are split together: many, for few calls, but not more than caches hold
ROWS_TOGETHER = 2 ** 17

# Long columns are copied a few at a time, of about this many cells: reading a matrix
# column by column would read it from memory as often as a cache line has numbers
BLOCK_CELLS = 2 ** 21
BLOCK_COLUMNS = 4

# Limit of intervals x classes that are split together, for memory's sake
COUNTS_TOGETHER = 2 ** 21


def columns_together(n_rows):
    """Return how many columns, of so many rows, to sort at a time."""
    if MIDDLE[0] <= n_rows <= MIDDLE[1]:
        return max(1, MIDDLE_CELLS // n_rows)
    if n_rows <= SHORT:
        return ROWS_TOGETHER // max(1, n_rows)
    return max(1, min(BLOCK_COLUMNS, BLOCK_CELLS // n_rows))


def _are_plain(columns):
    """Return whether columns have no missing values, and not few values."""
    sample = np.sort(columns[:, :SAMPLE], axis=1)
    distinct = np.count_nonzero(sample[:, 1:] > sample[:, :-1], axis=1) + 1
    if distinct.min(initial=SAMPLE) <= COMPRESS_BELOW * sample.shape[1]:
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        return not np.isnan(columns.sum(axis=1)).any()  # nor both infinities


class Splitter:
    """
    Find the cut points of columns by MDLP or SADD.

    Takes O(n log n) time for a column of n rows, most of it spent in sorting. Cut
    points are known only when all columns have been added.

    Parameters
    ----------
    n0 : float, optional
        N0 of SADD. Without it, the method is MDLP.
    largest : int, optional
        Number of rows, if they weigh one each.
    explain : bool
        Keep all decisions, also about intervals that are hopeless from the start.
    min_samples : int or float, optional
        Weight of rows, or their share if below 1, that each interval must hold.
    max_intervals : int, optional
        The cuts that gain most stay, see `keep_most_gain`.
    count : bool
        Keep what `counts` returns.

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.splitting.runs import ClassGroups
    >>> groups = ClassGroups(np.array([0, 0, 0, 0, 1, 1, 1, 1]), 2)
    >>> splitter = Splitter()
    >>> splitter.add(groups.runs(np.array([1., 2, 3, 4, 6, 7, 8, 9])))
    >>> splitter.cut_points()
    [array([5.])]
    """

    def __init__(self, n0=None, largest=None, explain=False, min_samples=None,
                 max_intervals=None, count=False):
        self.n0 = n0
        self.explain = explain
        self.min_samples = min_samples
        self.max_intervals = max_intervals
        self._terms = EntropyTerms(largest)
        self._n_rows = []
        self._n_waiting = 0
        self._waiting = []
        self._splits = []
        self._leaves = LeafCounts() if count else None

    @staticmethod
    def splits_together(groups):
        """Return whether to sort several columns of these `ClassGroups` together."""
        return groups.weights is None and len(groups.order) <= max(SHORT, MIDDLE[1])

    @staticmethod
    def sort_together(columns, groups):
        """
        Sort columns, in any thread.

        Parameters
        ----------
        columns : ndarray of float64, shape (n_columns, n_rows)
        groups : ClassGroups
            See `splits_together`.

        Returns
        -------
        SortedColumns, Intervals, or list of ClassRuns
        """
        n_rows = len(groups.order)
        if MIDDLE[0] <= n_rows <= MIDDLE[1] and groups.n_classes <= FEW_CLASSES \
                and _are_plain(columns):
            return SortedColumns(columns, groups)
        if n_rows <= SHORT:
            return Intervals.of_columns(columns, groups)
        return [groups.runs(column) for column in columns]

    def add_sorted(self, columns):
        """Add what `sort_together` returned."""
        if isinstance(columns, SortedColumns):
            self._add_middle(columns)
        elif isinstance(columns, Intervals):
            self._add_short(columns)
        else:
            for runs in columns:
                self.add(runs)

    def add(self, runs):
        """Add a column, an instance of `ClassRuns`."""
        column = len(self._n_rows)
        totals = runs.totals
        self._n_rows.append(totals.sum())
        self._add_whole([column], totals[None, :])
        if not can_be_cut(totals[None, :])[0]:
            return
        if runs.size <= SHORT:
            rows = runs.rows(np.array([-np.inf]), np.array([np.nan]))
            self._wait(Intervals.of_rows(rows, totals, column))
        else:
            # Depth first, so that what was touched last is split next
            stack = [(self._whole(Grid.of_runs(runs), totals), column, -np.inf, np.inf)]
            while stack:
                parts = answer_from(runs, self._split(*stack.pop(), short=SHORT))
                stack.extend(reversed(parts))

    def add_together(self, totals, sizes, ask, cost=1, room=ROUND, progress=None):
        """
        Add columns that are elsewhere and can be asked questions, many at a time.

        Intervals of all columns are split side by side, see `search_in_rounds`.

        Parameters
        ----------
        totals : sequence of ndarray, shape (n_classes,)
            Weight of each class in each column.
        sizes : sequence of int
            Number of stored values of each column.
        ask : callable
            Takes a list of pairs of column, from 0, and question; returns the list of
            answers.
        cost : float
            To count below a threshold costs as much as to fetch so many rows.
        room : int
            About how many numbers may be sent in a round.
        progress : callable, optional
            Called with the fraction of rows, of all columns, that need not be asked
            about any more. May raise an exception to stop the work.
        """
        first = len(self._n_rows)
        n_classes = max(map(len, totals), default=0)
        self._n_rows.extend(total.sum() for total in totals)
        if len(totals):
            self._add_whole(first + np.arange(len(totals)), np.array(totals))
        search_in_rounds(
            [(self._whole(AdaptiveGrid.empty(total, size, cost), total), first + column,
              -np.inf, np.inf)
             for column, (total, size) in enumerate(zip(totals, sizes, strict=True))],
            lambda interval, *where: self._split(
                interval, *where, short=interval.grid.few_rows),
            lambda questions: ask([(column - first, question)
                                   for column, question in questions]),
            lambda column, question: question.numbers(n_classes, sizes[column - first]),
            room, progress)

    def _add_whole(self, columns, totals):
        if self._leaves is not None:
            self._leaves.add(
                np.asarray(columns), np.full(len(columns), -np.inf), totals)

    def _whole(self, grid, totals):
        return BlockInterval(
            grid, -np.inf, np.nan, np.zeros_like(totals), totals, self._terms)

    def _add_short(self, intervals):
        intervals.column += len(self._n_rows)
        self._n_rows.extend(intervals.totals.sum(axis=1))
        self._add_whole(intervals.column, intervals.totals)
        useful = can_be_cut(intervals.totals)
        if not useful.all():
            intervals = intervals.take(np.flatnonzero(useful))
        self._split_short(intervals)
        while self._n_waiting >= ROWS_TOGETHER:
            self._split_waiting()

    def _add_middle(self, columns):
        intervals = GridIntervals.of_columns(columns, len(self._n_rows))
        self._n_rows.extend(intervals.totals.sum(axis=1))
        self._add_whole(intervals.column, intervals.totals)
        if not can_be_cut(intervals.totals[:1]).any():
            return
        while len(intervals):
            splits, intervals, crowded = intervals.split_step(
                self.n0, self._terms, self.explain,
                self._least_rows(intervals.column), self._leaves)
            if splits is not None:
                self._splits.append(splits)
            if len(crowded):
                self._wait(crowded)

    def _least_rows(self, column):
        return None if self.min_samples is None else least_rows(
            self.min_samples, np.array(self._n_rows)[column])

    def cut_points(self):
        """Return the cut points of each column, in the order they were added."""
        splits = self._all_splits()
        accepted = splits.accepted
        column, cuts = splits.column[accepted], splits.cut[accepted]
        order = np.lexsort((cuts, column))
        cuts = cuts[order]
        ends = np.searchsorted(column[order], np.arange(len(self._n_rows) + 1)).tolist()
        # Unlike those of `np.split`, these calls take no time
        return [cuts[start:end] for start, end in pairwise(ends)]

    def mutual_information(self):
        """
        Return the mutual information between intervals and class for each column.

        It is what all cuts have gained, each weighted by the rows it was made in.
        """
        splits = self._all_splits()
        n_rows = np.array(self._n_rows, dtype=np.float64)
        information = np.bincount(
            splits.column, splits.gain * splits.rows * splits.accepted, len(n_rows))
        return information / np.where(n_rows > 0, n_rows, 1)

    def counts(self, cut_points, n_classes):
        """Return the weight of each class between the cut points of each column."""
        return self._leaves.tables(cut_points, n_classes)

    def decisions(self):
        """Return the decisions about each column, from the left and from the whole."""
        decisions = [[] for _ in self._n_rows]
        columns, *fields = (field.tolist() for field in self._all_splits())
        for column, *decision in zip(columns, *fields, strict=True):
            decisions[column].append(Decision(*decision))
        for of_column in decisions:
            of_column.sort(key=lambda decision: (decision.lower, -decision.upper))
        return decisions

    def _split(self, interval, column, lower, upper, short):
        """Split an interval: ask about it, and return the parts to be split next."""
        least = least_rows(self.min_samples, self._n_rows[column])
        if not can_be_cut(interval.totals[None, :])[0] \
                or interval.totals.sum() < 2 * least:
            return ()
        if interval.size <= short:
            rows = yield interval.rows()
            self._wait(Intervals.of_rows(rows, interval.totals, column, lower, upper))
            return ()
        below, above, left = yield from interval.best_cut(
            self.n0, self.explain, least)
        if left is None:
            return ()
        cut = cut_between(below, above)
        verdict = judge(interval.totals[None, :], left[None, :], self.n0)
        rows, rows_left = interval.totals.sum(), left.sum()
        self._splits.append(Splits(*(np.array([field]) for field in (
            column, lower, upper, rows, rows_left, rows - rows_left, cut)), *verdict))
        if not verdict.accepted[0]:
            return ()
        first, second = interval.divide(above, left)
        if self._leaves is not None:
            self._leaves.add(np.array([column, column]), np.array([lower, cut]),
                             np.stack((first.totals, second.totals)))
        return (first, column, lower, cut), (second, column, cut, upper)

    def _wait(self, intervals):
        """Let short intervals wait, unless they are enough to be split together."""
        self._waiting.append(intervals)
        self._n_waiting += len(intervals.values)
        while self._n_waiting >= ROWS_TOGETHER:
            self._split_waiting()

    def _split_waiting(self):
        waiting, self._waiting, self._n_waiting = self._waiting, [], 0
        n_counts = max(part.totals.shape[1] for part in waiting) \
            * sum(map(len, waiting))
        if n_counts <= COUNTS_TOGETHER:
            waiting = [Intervals.join(waiting)]
        for intervals in waiting:
            self._split_short(intervals)

    def _split_short(self, intervals):
        """Split short intervals once; their parts wait."""
        if not len(intervals):
            return
        if intervals.totals.size > COUNTS_TOGETHER and len(intervals) > 1:
            half = len(intervals) // 2
            for part in (np.arange(half), np.arange(half, len(intervals))):
                self._split_short(intervals.take(part).compact())
            return
        splits, parts = split_step(
            intervals, self.n0, self._terms, self.explain,
            self._least_rows(intervals.column), self._leaves)
        if splits is not None:
            self._splits.append(splits)
        if parts is not None and len(parts):
            self._waiting.append(parts.compact())
            self._n_waiting += len(parts.values)

    def _all_splits(self):
        while self._waiting:
            self._split_waiting()
        if not self._splits:
            nothing = np.zeros(0)
            return Splits(nothing.astype(int), *[nothing] * 9, nothing.astype(bool))
        splits = Splits(*map(np.concatenate, zip(*self._splits, strict=True)))
        if self.max_intervals is not None:
            splits = keep_most_gain(splits, self.max_intervals)
        self._splits = [splits]
        return splits
