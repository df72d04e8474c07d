"""Discretized rows in partitions: their counts, and the sums over them.

Partitions are discretized once. What they contribute to a loss and its gradient is
computed and added where they are. All of these sums are exact, as they are in memory:
it makes no difference where rows are, and which worker is faster.
"""

import ctypes
import os
import sys
from functools import cache

import numpy as np

from orangecontrib.sadd.core.bayes.fitting import (
    PoolRows,
    RowsInMemory,
    unique_groups,
)
from orangecontrib.sadd.core.bayes.objective import Objective
from orangecontrib.sadd.core.bayes.tables import (
    add_counts,
    count_codes,
    tables_from_counts,
)
from orangecontrib.sadd.core.cluster.runner import may_reuse_memory
from orangecontrib.sadd.core.cluster.transfer import Stored
from orangecontrib.sadd.core.exactsums import add_parts, unite_sums
from orangecontrib.sadd.core.labels import UNLABELLED

__all__ = ["PartitionObjective", "RowsInPartitions", "count_pool"]

# What mallopt calls M_TRIM_THRESHOLD and M_MMAP_THRESHOLD; memory that may be kept for
# the next block, and a size that none of its arrays exceeds as a rule
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
KEPT_MEMORY, LARGE_ARRAY = 2 ** 24, 2 ** 22


class RowsInPartitions:
    """
    The form of `CodedRows` for Dask: labelled rows, discretized, in partitions.

    Parameters
    ----------
    runner : Runner
    partitions : list of tuple
    reader : Reader
    discretizer : Discretizer
        Fitted.
    n_classes : int
    pool_counts : tuple, optional
        From `count_pool`.
    """

    def __init__(self, runner, partitions, reader, discretizer, n_classes,
                 pool_counts=None):
        self.runner = runner
        self.n_classes = n_classes
        self._pool_counts = pool_counts
        self._kept = runner.keep("rnb-codes", _discretize, partitions, reader,
                                 discretizer)
        self._counts = add_counts(runner.ask(
            "rnb-tables", _count, self._kept, n_classes))

    def tables(self):
        """Count and smooth, with the same result as in memory."""
        counts = self._counts
        if self._pool_counts is not None:
            counts = add_counts([counts, self._pool_counts])
        return tables_from_counts(*counts)

    def groups(self):
        return unique_groups(np.concatenate(
            self.runner.ask("rnb-groups", _groups, self._kept)))

    def objectives(self, model, loss, tables):
        """Return losses of a model and their gradients, as `PartitionObjective`."""
        total = float(self._counts[0].sum())
        kept = self.runner.keep(
            "rnb-rows", _prepare, [(part,) for part in self._kept], self.n_classes,
            model, loss, tables, total, near=self._kept)
        together = _Together(self.runner, kept)
        return [PartitionObjective(together, index, seen, model, loss, total)
                for index, seen in enumerate(tables.values())]


def count_pool(runner, partitions, reader, discretizer, labeller, total):
    """
    Count the unlabelled rows of partitions by the probabilities of their classes.

    Parameters
    ----------
    runner : Runner
    partitions : list of tuple
    reader : Reader
    discretizer : Discretizer
        Fitted.
    labeller : tuple of Labeller and min_confidence
    total : float
        The weight of all unlabelled rows.

    Returns
    -------
    tuple
        As from `count_codes`.
    """
    return add_counts(runner.ask(
        "rnb-pool", _count_pool, partitions, reader, discretizer, labeller, total,
        lazy=True))


class PartitionObjective(Objective):
    """
    The loss of a model on rows in partitions, and its gradient.

    Parameters
    ----------
    together : _Together
    index : int
        Number of the group of rows.
    tables, model, loss, total_weight
        As for `Objective`.
    """

    def __init__(self, together, index, tables, model, loss, total_weight):
        super().__init__(tables, model, loss, total_weight)
        self._together = together
        self._index = index

    def sums(self, theta, precision=None):
        """Return the sums over all partitions."""
        return unite_sums(lambda precision: self._together.ask(
            self._index, theta, precision), precision)


class _Together:
    """Asks for the sums of all groups of rows at once."""

    def __init__(self, runner, kept):
        self.runner = runner
        self._kept = kept
        self._theta = self._replies = None

    def ask(self, index, theta, precision):
        """Return the sums of a group, from each place."""
        if precision is not None:  # a group that needs another one
            return [sums for sums, in self._ask(theta, [index], precision)]
        if self._theta is None or not np.array_equal(theta, self._theta):
            self._replies = self._ask(theta, None, None)
            self._theta = np.array(theta)
        return [sums[index] for sums in self._replies]

    def _ask(self, theta, groups, precision):
        return self.runner.ask("rnb-gradient", _evaluate, self._kept, theta, groups,
                               precision, may_reuse_memory())


def _discretize(reader, discretizer, *partition):
    part = reader(*partition)
    part = part.rows(part.classes != UNLABELLED)
    codes = discretizer.to_codes(part.X)
    # Counted from 1, with 0 for a missing value, they fit a byte or two
    codes = np.where(np.isnan(codes), 0, codes + 1)
    codes = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
    return Stored((codes, part.classes, part.weights))


def _open(stored):
    codes, classes, weights = stored.open()
    known = codes > 0
    codes = codes - 1.
    codes[~known] = np.nan
    return codes, classes, weights


def _count(parts, n_classes):
    return add_counts([count_codes(codes, classes, n_classes, weights)
                    for codes, classes, weights in map(_open, parts)])


def _groups(parts):
    return np.unique(np.concatenate([
        RowsInMemory(*_open(part)[:2], 0, _open(part)[2]).groups() or np.zeros((0, 2))
        for part in parts]), axis=0)


def _prepare(n_classes, model, loss, tables, total, stored):
    codes, classes, weights = _open(stored)
    rows = RowsInMemory(codes, classes, n_classes, weights)
    return Stored(rows.objectives(model, loss, tables, total))


def _count_pool(partitions, reader, discretizer, labeller, total):
    partition, = partitions
    lend, min_confidence = labeller
    part = reader(*partition)
    part = part.rows(part.classes == UNLABELLED)
    found = lend(part.X)
    trusted = found.confidence >= min_confidence
    part = part.rows(trusted)
    return PoolRows.weighted(
        discretizer.to_codes(part.X), found.proba[trusted], part.weights, total).count()


def _evaluate(parts, theta, groups, precision, reuse_memory):
    """Return the sums of some groups of rows, or of all, over some partitions."""
    if reuse_memory:
        _reuse_pages()
    if groups is None:
        groups = range(len(parts[0].open()))
    # What is open of a file counts as memory of the worker: one part at a time
    return [add_parts(lambda part, precision, group=group: part.open()[group].sums(
        theta, precision), parts, precision) for group in groups]


@cache
def _reuse_pages():
    """
    Let malloc place the arrays of a block where those of the block before were.

    Dask sets MALLOC_TRIM_THRESHOLD_ for its workers, so that they return memory soon.
    Then glibc maps new pages for each array above 128 kB; filling these with zeros
    takes two to three times as long as all of the computing. This changes the worker's
    process for as long as it lives; see `runner` for how to forbid it.
    """
    if "MALLOC_TRIM_THRESHOLD_" in os.environ and sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:  # it is there in glibc
            mallopt(TRIM_THRESHOLD, KEPT_MEMORY)
            mallopt(MMAP_THRESHOLD, LARGE_ARRAY)
