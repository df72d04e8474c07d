"""A column as sorted runs, one per class: what a supervised discretizer asks.

A discretizer never needs the rows of a column in order. It asks two questions:

* how many rows of each class are below these thresholds (`ClassRuns.count`), and
* which rows lie in these blocks (`ClassRuns.rows`).

Sorting each class by itself answers both and is cheaper than ordering the column:
`numpy.sort` takes a third of the time of `numpy.argsort`, and no labels have to be
carried along. Whatever else can answer the two questions, such as a cluster that
counts by map and reduce, can stand in for `ClassRuns`; the splitter will not notice.
What the parts of a column, each in a place of its own, contribute to an answer is in
`questions`.
"""

from copy import copy
from dataclasses import dataclass
from functools import partial
from math import isfinite

import numpy as np
from scipy.sparse import csr_array

__all__ = ["COMPRESS_BELOW", "ClassGroups", "ClassRuns", "Rows", "compress",
           "block_index", "cumulate", "finite_range", "ranges"]

# Runs with at most this share of distinct values are stored as (value, weight)
COMPRESS_BELOW = 0.75

# A table of classes and values is sparse if it has more cells than this for a row
DENSE_CELLS = 8


class ClassGroups:
    """
    Rows grouped by class; computed once and used for every column.

    Parameters
    ----------
    classes : ndarray of int
        Class of each row, 0 to `n_classes` - 1; rows with a negative one are left out.
    n_classes : int
    weights : ndarray of float64, optional
        Weight of each row. Rows without weight are left out. Whole numbers are
        kept as integers, so that they are exactly the same as repeated rows.
    """

    def __init__(self, classes, n_classes, weights=None):
        classes = np.asarray(classes)
        self.n_classes = n_classes
        if weights is not None and np.all(weights == 1):
            weights = None
        # numpy sorts small integers by radix, several times faster
        small = classes.astype(np.int16) if n_classes < 2 ** 15 else classes
        order = np.argsort(small, kind="stable")
        order = order[np.searchsorted(small, 0, sorter=order):]
        if weights is not None:
            order = order[weights[order] > 0]
            weights = weights[order]
            if np.all(weights == np.floor(weights)) and weights.sum() < 2 ** 53:
                weights = weights.astype(np.int64)
        self.order = order
        self.weights = weights
        self.starts = np.searchsorted(small[order], np.arange(n_classes + 1))

    @property
    def totals(self):
        """Weight of each class."""
        if self.weights is None:
            return np.diff(self.starts)
        return np.array([self.weights[start:end].sum() for start, end
                         in zip(self.starts[:-1], self.starts[1:], strict=True)])

    def as_one_class(self):
        """Return the same rows and weights without regard to the class."""
        united = copy(self)
        united.n_classes = 1
        united.starts = self.starts[[0, -1]]
        return united

    def runs(self, column):
        """Return the runs of one column, an ndarray of float64; NaN is left out."""
        return ClassRuns.from_column(column, self)


@dataclass
class Rows:
    """
    Rows in increasing order of value, taken from one or more blocks.

    Attributes
    ----------
    values, classes : ndarray
    before : ndarray
        Weight of the rows of the same class before this one, counted from the first of
        these rows.
    starts : ndarray of int
        First row of each block, and the number of rows.
    weights : ndarray or None
        Weight of each row; None if that is one.
    """

    values: np.ndarray
    classes: np.ndarray
    before: np.ndarray
    starts: np.ndarray
    weights: np.ndarray | None

    def __len__(self):
        return len(self.values)

    @property
    def unit(self):
        """Every row weighs one."""
        return self.weights is None

    @property
    def after(self):
        """Weight of the rows of the same class up to this one, with it."""
        return self.before + (1 if self.unit else self.weights)

    @property
    def cumulative(self):
        """Weight of all of these rows up to this one, with it."""
        return np.arange(1, len(self) + 1) if self.unit else np.cumsum(self.weights)


class ClassRuns:
    """
    The values of a column, sorted within each class.

    Parameters
    ----------
    values : list of ndarray of float64
        For each class the sorted values.
    cumulative : list of ndarray, or None
        For each class the weight of the rows before each position, one element
        longer than `values`. None if each row weighs one.
    """

    def __init__(self, values, cumulative=None):
        self.values = values
        self.cumulative = cumulative

    @classmethod
    def from_column(cls, column, groups):
        """Sort the values of a column within the classes of `ClassGroups`."""
        grouped = column.take(groups.order)
        starts = groups.starts
        values, cumulative = [], []
        for start, end in zip(starts[:-1], starts[1:], strict=True):
            run = grouped[start:end]
            if groups.weights is None:
                run.sort()
            else:
                order = np.argsort(run)
                run = run[order]
                weights = groups.weights[start:end][order]
            if len(run) and np.isnan(run[-1]):  # NaN is sorted to the end
                run = run[:np.searchsorted(run, np.nan)]
            values.append(run)
            if groups.weights is not None:
                cumulative.append(cumulate(weights[:len(run)]))
        if groups.weights is not None:
            pairs = map(compress, values, cumulative)
        elif _distinct_share(values) <= COMPRESS_BELOW:
            pairs = map(compress, values)
        else:
            return cls(values)
        values, cumulative = zip(*pairs, strict=True)
        return cls(list(values), list(cumulative))

    @property
    def n_classes(self):
        """Number of classes, also those without rows."""
        return len(self.values)

    @property
    def size(self):
        """Number of stored values; equal values of a class may be stored once."""
        return sum(map(len, self.values))

    @property
    def totals(self):
        """Weight of each class."""
        if self.cumulative is None:
            return np.array([len(run) for run in self.values], dtype=np.int64)
        return np.array([cumulative[-1] for cumulative in self.cumulative])

    def count(self, thresholds):
        """
        Return the weight of each class below the thresholds.

        Parameters
        ----------
        thresholds : ndarray of float64
            NaN stands above every value.

        Returns
        -------
        ndarray, shape (n_classes, n_thresholds)
        """
        positions = self.positions(thresholds)
        if self.cumulative is None:
            return positions
        return np.array([cumulative.take(position) for cumulative, position
                         in zip(self.cumulative, positions, strict=True)])

    def rows(self, lower, upper):
        """
        Return the rows of the blocks ``lower <= value < upper``.

        Parameters
        ----------
        lower, upper : ndarray of float64
            Ends of the blocks, in increasing order, not overlapping. NaN stands
            above every value.

        Returns
        -------
        Rows
        """
        first = self.positions(lower)
        lengths = self.positions(upper) - first
        unit = self.cumulative is None
        values, before, weights = [], [], []
        for klass, (run, start, length) in enumerate(
                zip(self.values, first, lengths, strict=True)):
            index = block_index(start, length)
            values.append(run[index])
            if not unit:
                cumulative = self.cumulative[klass]
                weights.append(cumulative[1:][index] - cumulative[:-1][index])
                before.append(cumulative[:-1][index] - cumulative[start[0]]
                              if len(start) == 1 else cumulate(weights[-1])[:-1])
        values = np.concatenate(values)
        # The sort that numpy calls stable merges runs that are sorted already
        order = np.argsort(values, kind="stable")
        sizes = lengths.sum(axis=1)
        classes = np.repeat(np.arange(self.n_classes, dtype=np.int32), sizes)
        before = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes) \
            if unit else np.concatenate(before)
        starts = np.concatenate(([0], np.cumsum(lengths.sum(axis=0))))
        return Rows(values.take(order), classes.take(order), before.take(order), starts,
                    None if unit else np.concatenate(weights).take(order))

    def thresholds(self, every):
        """Return about each `every`-th value, sorted, without duplicates."""
        sample, skip = [], every - 1
        for run in self.values:
            sample.append(run[skip::every])
            skip = (skip - len(run)) % every
        return np.unique(np.concatenate(sample))

    def distinct(self):
        """
        Return the distinct values of the column and their weight in each class.

        Returns
        -------
        values : ndarray of float64, shape (n_values,)
        counts : ndarray or scipy.sparse.csr_array, shape (n_classes, n_values)
            Sparse if it is large: most of it is zero where there are many classes.
        """
        if self.n_classes == 1:
            run, = self.values
            values, cumulative = compress(
                run, None if self.cumulative is None else self.cumulative[0])
            return values, np.diff(cumulative)[None, :]
        values = np.unique(np.concatenate(self.values))
        column_of = partial(np.searchsorted, values)
        n_cells = self.n_classes * len(values)
        if n_cells > DENSE_CELLS * self.size:
            return values, self._table(len(values), column_of)
        weights, cells = self._weights(), column_of(np.concatenate(self.values))
        cells += np.repeat(np.arange(self.n_classes) * len(values),
                           [len(run) for run in self.values])
        counts = np.bincount(cells, weights, n_cells)
        return values, counts.astype(weights.dtype).reshape(self.n_classes, -1)

    def table(self, cuts):
        """
        Return the weight of each class in each interval between cuts.

        Takes time and memory proportional to the stored values, whereas `count` takes
        as much as there are classes times cuts.

        Returns
        -------
        scipy.sparse.csr_array, shape (n_classes, n_cuts + 1)
        """
        return self._table(
            len(cuts) + 1, partial(np.searchsorted, cuts, side="right"))

    def _table(self, n_columns, column_of):
        """Add the weights of values by class and by the column they belong to."""
        ends = np.cumsum([0, *map(len, self.values)])
        table = csr_array(
            (self._weights(), column_of(np.concatenate(self.values)), ends),
            shape=(self.n_classes, n_columns))
        table.sum_duplicates()
        return table

    def _weights(self):
        """Return the weights of all stored values."""
        if self.cumulative is None:
            return np.ones(self.size, dtype=np.int64)
        return np.concatenate([np.diff(run) for run in self.cumulative])

    def neighbours(self, thresholds):
        """
        Return the largest value below each threshold and the smallest not below it.

        Returns
        -------
        below, above : ndarray of float64
            Infinite where there is none.
        """
        below = np.full(len(thresholds), -np.inf)
        above = np.full(len(thresholds), np.inf)
        for run, place in zip(self.values, self.positions(thresholds), strict=True):
            some = place > 0
            below[some] = np.maximum(below[some], run[place[some] - 1])
            some = place < len(run)
            above[some] = np.minimum(above[some], run[place[some]])
        return below, above

    def finite_range(self):
        """Return the least and the largest finite value, or NaN."""
        return finite_range(self.values)

    def positions(self, thresholds):
        """Return the number of stored values of each class below the thresholds."""
        return np.array([np.searchsorted(run, thresholds) for run in self.values],
                        dtype=np.int64)


def finite_range(runs):
    """
    Return the least and the largest finite value of sorted runs, or NaN.

    Examples
    --------
    >>> finite_range([np.array([-np.inf, 2, 5]), np.array([1., 4])])
    (1.0, 5.0)
    """
    runs = [run for run in runs if len(run)]
    if not runs:
        return np.nan, np.nan
    least = min(float(run[0]) for run in runs)
    largest = max(float(run[-1]) for run in runs)
    if isfinite(least) and isfinite(largest):
        return least, largest
    finite = [run[np.searchsorted(run, -np.inf, side="right"):
                  np.searchsorted(run, np.inf)] for run in runs]
    return finite_range(finite)


def _distinct_share(values):
    """Return about the share of values of runs that differ from the one before."""
    size = distinct = 0
    for run in values:
        # Some neighbours are enough; all of them where they are few
        step = max(1, len(run) // 2048)
        size += len(run[::step])
        distinct += min(1, len(run)) + np.count_nonzero(
            run[step::step] != run[step - 1:-1:step])
    return distinct / max(1, size)


def block_index(starts, lengths):
    """Return what `ranges` does, as a slice if there is a single range."""
    if len(starts) == 1:  # a view is enough
        return slice(starts[0], starts[0] + lengths[0])
    return ranges(starts, lengths)


def ranges(starts, lengths):
    """Return the elements `starts[i]` to `starts[i] + lengths[i]`, for all i."""
    index = np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
    return index + np.arange(len(index))


def cumulate(weights):
    """Return the sum of the weights before each position, and the total."""
    cumulative = np.zeros(len(weights) + 1, dtype=weights.dtype)
    np.cumsum(weights, out=cumulative[1:])
    return cumulative


def compress(values, cumulative=None):
    """Join equal values of a run; each row weighs one unless weights are given."""
    if not len(values):
        return values, np.zeros(1, dtype=np.int64) if cumulative is None else cumulative
    last = np.append(np.flatnonzero(values[1:] != values[:-1]), len(values) - 1)
    if cumulative is None:
        return values[last], np.append(0, last + 1)
    return values[last], np.concatenate((cumulative[:1], cumulative[last + 1]))
