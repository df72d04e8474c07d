"""MDLP and SADD: from columns to cut points.

Long intervals are split one by one, with a bound that spares most of their rows;
what is short enough is collected, over all columns, and split together.
"""

import numpy as np

from orangecontrib.sadd.core.blocksplitter import BlockInterval, Grid
from orangecontrib.sadd.core.cuts import cut_between
from orangecontrib.sadd.core.entropy import Decision, EntropyTerms, judge
from orangecontrib.sadd.core.rowsplitter import (
    Intervals,
    Splits,
    can_be_cut,
    split_step,
)

__all__ = ["Splitter"]

# Intervals with fewer stored values are split row by row
SHORT = 2 ** 14

# Rows that are split together: what fits a processor's cache
ROWS_TOGETHER = 2 ** 16

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
    >>> from orangecontrib.sadd.core.runs import ClassGroups
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
            interval = BlockInterval(Grid(runs), -np.inf, np.nan, np.zeros_like(totals),
                                     totals, self._terms)
            self._split_long(interval, column)

    def _add_short(self, intervals):
        intervals.column += len(self._n_rows)
        self._n_rows.extend(intervals.totals.sum(axis=1))
        self._wait(intervals.take(np.flatnonzero(can_be_cut(intervals.totals))))

    def cut_points(self):
        """Give the cut points of each column, in the order they were added."""
        return [np.sort(splits.cut[splits.verdict.accepted])
                for splits in self._by_column()]

    def mutual_information(self):
        """
        Give the mutual information between intervals and class for each column.

        It is what all cuts have gained, each weighted by the rows it was made in.
        """
        return np.array([
            splits.verdict.gain[accepted] @ splits.rows[accepted] / n_rows if n_rows
            else 0.
            for splits, n_rows in zip(self._by_column(), self._n_rows, strict=True)
            for accepted in (splits.verdict.accepted,)])

    def decisions(self):
        """Give the decisions about each column, from the left and from the whole."""
        decisions = []
        for splits in self._by_column():
            fields = (splits.lower, splits.upper, splits.rows, splits.rows_left,
                      splits.rows - splits.rows_left, splits.cut, *splits.verdict)
            decisions.append(sorted(
                map(Decision._make, zip(*(field.tolist() for field in fields),
                                        strict=True)),
                key=lambda decision: (decision.lower, -decision.upper)))
        return decisions

    def _split_long(self, interval, column):
        stack = [(interval, -np.inf, np.inf)]
        while stack:
            interval, lower, upper = stack.pop()
            if not can_be_cut(interval.totals[None, :])[0]:
                continue
            if interval.size <= SHORT:
                self._wait(Intervals.of_rows(interval.rows(), interval.totals, column,
                                             lower, upper))
                continue
            below, above, left = interval.best_cut(self.n0, self.explain)
            if left is None:
                continue
            cut = cut_between(below, above)
            verdict = judge(interval.totals[None, :], left[None, :], self.n0)
            self._splits.append(Splits(
                *(np.array([field]) for field in (
                    column, lower, upper, cut, interval.totals.sum(), left.sum())),
                verdict))
            if verdict.accepted[0]:
                first, second = interval.divide(above, left)
                stack.append((second, cut, upper))
                stack.append((first, lower, cut))

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
                stack += [intervals.take(np.arange(half)),
                          intervals.take(np.arange(half, len(intervals)))]
                continue
            splits, parts = split_step(
                intervals, self.n0, self._terms, self.explain)
            self._splits.append(splits)
            stack.append(parts)

    def _by_column(self):
        self._split_waiting()
        nothing = np.zeros(0)
        splits = [Splits(nothing.astype(int), *[nothing] * 5,
                         judge(np.zeros((0, 1)), np.zeros((0, 1)), None)),
                  *self._splits]
        merged = _concatenate(splits)
        self._splits = [merged]
        order = np.argsort(merged.column, kind="stable")
        ends = np.searchsorted(merged.column[order], np.arange(len(self._n_rows) + 1))
        return [_take(merged, order[start:end])
                for start, end in zip(ends[:-1], ends[1:], strict=True)]


def _concatenate(splits):
    fields = [np.concatenate([getattr(part, name) for part in splits])
              for name in ("column", "lower", "upper", "cut", "rows", "rows_left")]
    verdicts = zip(*(part.verdict for part in splits), strict=True)
    return Splits(*fields, splits[0].verdict._make(map(np.concatenate, verdicts)))


def _take(splits, index):
    return Splits(splits.column[index], splits.lower[index], splits.upper[index],
                  splits.cut[index], splits.rows[index], splits.rows_left[index],
                  splits.verdict._make(field[index] for field in splits.verdict))
