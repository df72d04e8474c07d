"""MDLP and SADD: from columns to cut points.

Long intervals are split one by one, with a bound that spares most of their rows;
what is short enough is collected, over all columns, and split together.
"""

import numpy as np

from orangecontrib.sadd.core.cuts import cut_between
from orangecontrib.sadd.core.splitting.adaptivegrid import AdaptiveGrid
from orangecontrib.sadd.core.splitting.criterion import Decision, EntropyTerms, judge
from orangecontrib.sadd.core.splitting.longintervals import BlockInterval, Grid
from orangecontrib.sadd.core.splitting.questions import answer_from
from orangecontrib.sadd.core.splitting.rounds import ROUND, search_in_rounds
from orangecontrib.sadd.core.splitting.shortintervals import (
    Intervals,
    Splits,
    can_be_cut,
    split_step,
)

__all__ = ["Splitter"]

# Intervals with fewer stored values are split row by row
SHORT = 2 ** 15

# Rows that are split together: many, for few calls, but not more than caches hold
ROWS_TOGETHER = 2 ** 17

# Limit of intervals x classes that are split together, for memory's sake
COUNTS_TOGETHER = 2 ** 21


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

    def __init__(self, n0=None, largest=None, explain=False):
        self.n0 = n0
        self.explain = explain
        self._terms = EntropyTerms(largest)
        self._n_rows = []
        self._n_waiting = 0
        self._waiting = []
        self._splits = []

    def add_columns(self, columns, groups):
        """
        Add columns of numbers.

        Parameters
        ----------
        columns : ndarray of float64, shape (n_columns, n_rows)
            NaN where a value is missing.
        groups : ClassGroups
        """
        if groups.weights is None and len(groups.order) <= SHORT:
            step = max(1, ROWS_TOGETHER // max(1, len(groups.order)))
            for start in range(0, len(columns), step):
                self._add_short(
                    Intervals.of_columns(columns[start:start + step], groups))
                self._split_waiting()
        else:
            for column in columns:
                self.add(groups.runs(column))

    def add(self, runs):
        """Add a column, an instance of `ClassRuns`."""
        column = len(self._n_rows)
        totals = runs.totals
        self._n_rows.append(totals.sum())
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

        Intervals of all columns are split side by side, see `rounds`.

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

    def _whole(self, grid, totals):
        return BlockInterval(
            grid, -np.inf, np.nan, np.zeros_like(totals), totals, self._terms)

    def _add_short(self, intervals):
        intervals.column += len(self._n_rows)
        self._n_rows.extend(intervals.totals.sum(axis=1))
        useful = can_be_cut(intervals.totals)
        if not useful.all():
            intervals = intervals.take(np.flatnonzero(useful))
        self._wait(intervals)

    def cut_points(self):
        """Return the cut points of each column, in the order they were added."""
        splits = self._all_splits()
        accepted = splits.accepted
        column, cuts = splits.column[accepted], splits.cut[accepted]
        order = np.lexsort((cuts, column))
        ends = np.searchsorted(column[order], np.arange(1, len(self._n_rows)))
        return np.split(cuts[order], ends)[:len(self._n_rows)]

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
        if not can_be_cut(interval.totals[None, :])[0]:
            return ()
        if interval.size <= short:
            rows = yield interval.rows()
            self._wait(Intervals.of_rows(rows, interval.totals, column, lower, upper))
            return ()
        below, above, left = yield from interval.best_cut(self.n0, self.explain)
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
        return (first, column, lower, cut), (second, column, cut, upper)

    def _wait(self, intervals):
        self._waiting.append(intervals)
        self._n_waiting += len(intervals.values)
        if self._n_waiting >= ROWS_TOGETHER:
            self._split_waiting()

    def _split_waiting(self):
        if not self._waiting:
            return
        stack = [Intervals.join(self._waiting)]
        self._waiting.clear()
        self._n_waiting = 0
        while stack:
            intervals = stack.pop()
            if not len(intervals):
                continue
            if intervals.totals.size > COUNTS_TOGETHER and len(intervals) > 1:
                half = len(intervals) // 2
                stack += [intervals.take(np.arange(half)).compact(),
                          intervals.take(np.arange(half, len(intervals))).compact()]
                continue
            splits, parts = split_step(
                intervals, self.n0, self._terms, self.explain)
            if splits is not None:
                self._splits.append(splits)
            if parts is not None:
                stack.append(parts.compact())

    def _all_splits(self):
        self._split_waiting()
        if not self._splits:
            nothing = np.zeros(0)
            return Splits(nothing.astype(int), *[nothing] * 9, nothing.astype(bool))
        self._splits = [Splits(*map(np.concatenate, zip(*self._splits, strict=True)))]
        return self._splits[0]
