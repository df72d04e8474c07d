"""Discretized rows in partitions, for the naive Bayes family."""

from dask.base import compute
from dask.delayed import delayed

from orangecontrib.sadd.core.bayes.fitting import RowsInMemory
from orangecontrib.sadd.core.bayes.objective import Layout, Objective
from orangecontrib.sadd.core.bayes.tables import (
    add_counts,
    count_codes,
    tables_from_counts,
)
from orangecontrib.sadd.core.cluster.passes import persist_parts, persist_tree
from orangecontrib.sadd.core.labels import UNLABELLED

__all__ = ["RowsInPartitions"]


class RowsInPartitions:
    """
    Rows in partitions, labelled and discretized, like `RowsInMemory`.

    Parameters
    ----------
    partitions : list of tuple
        Lazy rows, labels and weights.
    reader : Delayed
        A `Reader`.
    discretizer : Discretizer
        Fitted.
    """

    def __init__(self, partitions, reader, discretizer):
        discretizer = delayed(discretizer, traverse=False)
        self._parts = [delayed(_code)(part, reader, discretizer)
                       for part in partitions]

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
            delayed(RowsInMemory.objective)(part, tables, model, loss)
            for part in parts])

    def value_and_gradient(self, theta):
        """Add the losses and gradients of partitions, in their order."""
        theta = delayed(theta)
        found, = compute([delayed(Objective.value_and_gradient)(part, theta)
                          for part in self._objectives])
        values, gradients = zip(*found, strict=True)
        return sum(values), sum(gradients)


def _code(part, reader, discretizer):
    """Return the labelled rows of a partition as `RowsInMemory`."""
    classes, weights = reader.labels(*part)
    labelled = classes != UNLABELLED
    return RowsInMemory(discretizer.to_codes(reader.matrix(part[0])[labelled]),
                        classes[labelled], len(reader.classes), weights[labelled])


def _count(rows):
    return count_codes(*rows)
