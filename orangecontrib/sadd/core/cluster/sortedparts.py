"""Columns of a partition, sorted, and those of several partitions as one.

A threshold is looked up in the runs of each partition. So that data of many partitions
do not take longer for each row than data of a few, those of a worker are merged into
larger ones, column by column; more than a few million rows need not be together.
"""

from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.cluster.transfer import SMALL, Stored
from orangecontrib.sadd.core.cuts import add_tables, contingency
from orangecontrib.sadd.core.labels import UNLABELLED
from orangecontrib.sadd.core.splitting import questions
from orangecontrib.sadd.core.splitting.runs import ClassGroups

__all__ = ["MergedPart", "SortedPart", "Summary", "add_summaries", "merge", "sort"]

# Fractions of multiples of this are spread evenly, however many there are
GOLDEN = (5 ** 0.5 - 1) / 2

# What is open of files counts as memory of a worker. So many bytes of columns are
# opened at a time; to open each of many columns on its own would take long.
OPEN_BYTES = 2 ** 25


class Summary(NamedTuple):
    """
    A summary of sorted columns.

    Attributes
    ----------
    totals : ndarray, shape (n_columns, n_classes)
        Weights.
    sizes, largest : ndarray of int, shape (n_columns,)
        Number of stored values: of all partitions, and of the one that has most.
    codes : dict
        For each categorical feature, the weights: classes x codes.
    n_rows : int
        Rows that have a weight.
    ranges : ndarray, shape (n_columns, 2)
        The least and the largest finite value of each column; NaN without any.
    class_totals : ndarray, shape (n_classes,)
        Weight of each class, of rows with and without values.
    """

    totals: np.ndarray
    sizes: np.ndarray
    largest: np.ndarray
    codes: dict
    n_rows: int
    ranges: np.ndarray
    class_totals: np.ndarray


class SortedPart:
    """
    Sorted columns of one partition.

    Parameters
    ----------
    runs : list of ClassRuns
    summary : Summary
    index : int
        Number of the partition.
    """

    def __init__(self, runs, summary, index):
        self._runs = Stored(runs)
        self.summary = summary
        self.index = index

    @property
    def offset(self):
        """Where a sample begins, see `questions.sample`."""
        return self.index * GOLDEN % 1

    def open(self):
        """Return the runs, by number of the column."""
        return self._runs.open()


class MergedPart(SortedPart):
    """
    Sorted columns of several partitions.

    Parameters
    ----------
    parts : list of SortedPart
    """

    def __init__(self, parts):
        self.summary = add_summaries([part.summary for part in parts])
        self.index = parts[0].index
        n_columns = len(self.summary.sizes)
        self._runs = []
        at_once = max(1, OPEN_BYTES // max(1, 8 * self.summary.n_rows))
        for start in range(0, n_columns, at_once):
            opened = [part.open() for part in parts]
            for column in range(start, min(start + at_once, n_columns)):
                runs = questions.merge([runs[column] for runs in opened])
                self._runs.append(Stored(runs, small=SMALL // n_columns))
            del opened

    def open(self):
        """Return the runs, by number of the column; one column is open at a time."""
        return _OneAtATime(self._runs)


class _OneAtATime:
    """Opens columns one at a time: pages in use count as memory of the worker."""

    def __init__(self, stored):
        self._stored = stored
        self._column = self._runs = None

    def __getitem__(self, column):
        if column != self._column:
            self._runs = None
            self._column, self._runs = column, self._stored[column].open()
        return self._runs


def sort(reader, labeller, n_classes, index, *partition):
    """
    Read a partition and sort its columns.

    Parameters
    ----------
    reader : Reader
    labeller : tuple of Labeller and min_confidence, or None
        Labels the unlabelled rows; without it they are left out.
    n_classes : int
    index : int
        Number of the partition.
    *partition
        As for the reader.

    Returns
    -------
    SortedPart
    """
    part = reader(*partition)
    unlabelled = part.classes == UNLABELLED
    if unlabelled.any():
        if labeller is None:
            part = part.rows(~unlabelled)
        else:
            lend, min_confidence = labeller
            part.classes[unlabelled] = lend(part.X[unlabelled]).trusted_classes(
                min_confidence)
    groups = ClassGroups(part.classes, n_classes, part.weights)
    categorical = reader.estimator.categorical_features_
    runs = [groups.runs(np.ascontiguousarray(part.X[:, feature]))
            for feature in np.flatnonzero(~categorical)]
    codes = {feature: contingency(part.X[:, feature], part.classes, n_classes,
                                  part.weights)
             for feature in np.flatnonzero(categorical).tolist()}
    sizes = np.array([run.size for run in runs], dtype=np.int64)
    summary = Summary(
        np.array([run.totals for run in runs]).reshape(len(runs), n_classes), sizes,
        sizes, codes, len(groups.order),
        np.array([run.finite_range() for run in runs]).reshape(len(runs), 2),
        groups.totals)
    return SortedPart(runs, summary, index)


def merge(*parts):
    """Return the columns of several parts as one."""
    return MergedPart(parts)


def add_summaries(summaries):
    """Add summaries; codes that some have not met are zero there."""
    totals, sizes, largest, codes, n_rows, ranges, class_totals = zip(
        *summaries, strict=True)
    added = {feature: add_tables([code[feature] for code in codes])
             for feature in codes[0]}
    ranges = np.array(ranges)
    return Summary(
        sum(totals), sum(sizes), np.max(largest, axis=0), added, sum(n_rows),
        np.stack((np.fmin.reduce(ranges[..., 0], axis=0),
                  np.fmax.reduce(ranges[..., 1], axis=0)), axis=1),
        sum(class_totals))
