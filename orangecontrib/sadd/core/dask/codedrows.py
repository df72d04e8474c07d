"""Discretized rows in partitions, and sums over partitions."""

from dask.base import compute
from dask.delayed import delayed

from orangecontrib.sadd.core.additive.fitting import CodedRows
from orangecontrib.sadd.core.additive.tables import (
    add_counts,
    count_codes,
    tables_from_counts,
)
from orangecontrib.sadd.core.dask.passes import persist_parts, persist_tree

__all__ = ["PartitionedCodedRows", "PartitionedSums"]


class PartitionedCodedRows:
    """
    Rows in partitions, labelled and discretized, like `CodedRows`.

    Parameters
    ----------
    parts : list of Delayed
        `CodedRows` of each partition.
    """

    def __init__(self, parts):
        self._parts = parts

    def tables(self):
        """Return the tables of naive Bayes."""
        counts = persist_tree(add_counts, [
            delayed(_count)(part) for part in self._parts]).compute()
        return tables_from_counts(*counts)

    def encode(self, tables):
        """Return the rows as `Objective` takes them, on their workers."""
        tables = delayed(tables, traverse=False)
        return PartitionedSums([
            delayed(CodedRows.encode)(part, tables) for part in self._parts])


class PartitionedSums:
    """
    Rows in partitions, with the sums of `BlockedRows`.

    Parameters
    ----------
    parts : list of Delayed
        `BlockedRows` of each partition; they are kept on their workers.
    """

    def __init__(self, parts):
        self._parts = persist_parts(parts)

    def sums(self, *arguments, **options):
        """Add the losses and derivatives of partitions, in their order."""
        arguments = delayed(arguments, traverse=False)
        found, = compute([delayed(_sums)(part, arguments, options)
                          for part in self._parts])
        return tuple(map(sum, zip(*found, strict=True)))


def _count(rows):
    return count_codes(*rows)


def _sums(rows, arguments, options):
    return rows.sums(*arguments, **options)
