"""Discretized rows in partitions, for the naive Bayes family."""

from dask.base import compute
from dask.delayed import delayed

from orangecontrib.sadd.core.bayes.objective import Layout, Objective
from orangecontrib.sadd.core.bayes.tables import (
    add_counts,
    count_codes,
    tables_from_counts,
)
from orangecontrib.sadd.core.cluster.passes import persist_parts, persist_tree

__all__ = ["RowsInPartitions"]


class RowsInPartitions:
    """
    Rows in partitions, labelled and discretized, like `RowsInMemory`.

    Parameters
    ----------
    parts : list of Delayed
        `RowsInMemory` of each partition.
    """

    def __init__(self, parts):
        self._parts = parts

    def tables(self):
        """Return the tables of naive Bayes."""
        return tables_from_counts(*persist_tree(
            add_counts, [delayed(_count)(part) for part in self._parts]).compute())

    def objective(self, tables, model, loss):
        """Return the loss of a model, as for `Objective`."""
        return _PartitionObjective(self._parts, tables, model, loss)


class _PartitionObjective:
    """The loss of a model on rows in partitions, and its gradient."""

    def __init__(self, parts, tables, model, loss):
        self.layout = Layout(model, tables.n_classes, tables.n_attributes)
        tables = delayed(tables, traverse=False)
        self._objectives = persist_parts([
            delayed(_objective)(part, tables, model, loss) for part in parts])

    def value_and_gradient(self, theta):
        """Add the losses and gradients of partitions, in their order."""
        theta = delayed(theta)
        found, = compute([delayed(Objective.value_and_gradient)(part, theta)
                          for part in self._objectives])
        values, gradients = zip(*found, strict=True)
        return sum(values), sum(gradients)


def _count(rows):
    return count_codes(*rows)


def _objective(rows, tables, model, loss):
    return rows.objective(tables, model, loss).compact()
