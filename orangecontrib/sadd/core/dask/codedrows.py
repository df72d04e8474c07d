"""Discretized rows in partitions, for the naive Bayes family."""

from dask.base import compute
from dask.delayed import delayed

from orangecontrib.sadd.core.additive.aiwnb import (
    LazyCounts,
    eager_instance_weights,
    value_pairs,
    weights_from_pairs,
)
from orangecontrib.sadd.core.additive.fitting import RowsInMemory
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.additive.objective import Layout, Objective
from orangecontrib.sadd.core.additive.tables import (
    add_counts,
    count_codes,
    tables_from_counts,
)
from orangecontrib.sadd.core.dask.passes import persist_parts, persist_tree

__all__ = ["RowsInPartitions"]

# Pairs of values and classes that AIWNB counts, 64 MB
MOST_PAIRS = 2 ** 23


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
        return tables_from_counts(*self._add(_count, add_counts))

    def _add(self, function, combine, *shared):
        """Apply a function to each partition, and combine the results."""
        return persist_tree(combine, [
            delayed(function)(part, *shared) for part in self._parts]).compute()

    def objective(self, tables, model, loss):
        """Return the loss of a model, as for `Objective`."""
        return _PartitionObjective(self._parts, tables, model, loss)

    def aiwnb(self, instance_weighting):
        """Return the model of AIWNB, "eager" or "lazy"."""
        tables = self.tables()
        n_pairs = (tables.n_columns - 1) ** 2 * tables.n_classes
        if n_pairs > MOST_PAIRS:
            raise ValueError(
                f"With Dask, AIWNB would count {n_pairs:,} pairs of values. Choose a "
                "discretizer with fewer intervals.")
        shared = delayed(tables, traverse=False)
        pairs = self._add(_count_pairs, sum, shared)
        weights = weights_from_pairs(tables, pairs)
        if instance_weighting == "lazy":
            return BayesModel(tables, weights, lazy=LazyCounts(tables, pairs=pairs))
        counts = self._add(_count_weighted, add_counts, shared)
        return BayesModel(tables_from_counts(*counts), weights)


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


def _count(rows):
    return count_codes(*rows)


def _count_pairs(rows, tables):
    return value_pairs(tables, tables.encode(rows.codes), rows.y, rows.weights)


def _count_weighted(rows, tables):
    by_row = eager_instance_weights(tables, tables.encode(rows.codes))
    return count_codes(*rows._replace(weights=rows.weights * by_row))
