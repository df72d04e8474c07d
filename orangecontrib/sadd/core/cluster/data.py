"""The data of a fit in the partitions of Dask.

`DaskData` has the methods of `orangecontrib.sadd.core.data.MemoryData`. Its blocks are
short tables: the distinct values of a column, with the weight of each class at them.
"""

from functools import partial

import numpy as np
from dask.base import compute
from dask.delayed import delayed

from orangecontrib.sadd.core.cluster.partitions import Source, open_pool
from orangecontrib.sadd.core.cluster.passes import compute_tree, persist_parts
from orangecontrib.sadd.core.cluster.reader import (
    Reader,
    learn_features,
    survey_labels,
)
from orangecontrib.sadd.core.cluster.shorttables import (
    count_at_grid,
    find_grid,
    grid_size,
    unite_grids,
)
from orangecontrib.sadd.core.cuts import add_tables, contingency
from orangecontrib.sadd.core.data import Block
from orangecontrib.sadd.core.labels import (
    UNLABELLED,
    LabelledRows,
    read_target,
    sample_rows,
)
from orangecontrib.sadd.core.threads import part_of

__all__ = ["DaskData"]

# Bytes of the tables of columns that are counted at the same time
TABLE_BYTES = 2 ** 26

# Labelled rows of more bytes are not collected unless their number is given
MOST_LABELLED = 2 ** 27


class DaskData:
    """
    Rows in the partitions of Dask.

    Parameters
    ----------
    estimator, X, y, sample_weight, unlabelled_label, pool
        As for `orangecontrib.sadd.core.data.open_data`.
    """

    def __init__(self, estimator, X, y=None, sample_weight=None, unlabelled_label=None,
                 pool=None):
        self._source = Source(X, y, sample_weight)
        self._pool = None if pool is None else open_pool(pool, self._source)
        if y is None and estimator.requires_target:
            read_target(estimator, None, 0)  # raises
        learn_features(estimator, self._source, self._pool)
        self.labels, self._used, factor = survey_labels(
            self._source, self._pool, unlabelled_label)
        self.features = np.flatnonzero(~estimator.categorical_features_)
        self._categorical = np.flatnonzero(estimator.categorical_features_).tolist()
        self._reader = delayed(Reader(
            estimator, self._source.names, self._source.features, self.labels.classes,
            y is not None, unlabelled_label, factor), traverse=False)
        self._ranges = np.full((len(self._source.features), 2), np.nan)
        self._classes = None

    def _partitions(self, features):
        """Return lazy rows, labels and weights of all partitions."""
        parts = self._source.partitions(features)
        return parts if self._pool is None else [
            *parts, *self._pool.partitions(features)]

    def labelled_rows(self, most, random_state):
        n_rows = n_used = sum(self._used)
        chosen = None
        if most is not None and n_used > most:
            n_rows, chosen = most, sample_rows(n_used, most, random_state)
        n_bytes = 8 * n_rows * len(self._source.features)
        if most is None and n_bytes > MOST_LABELLED:
            raise ValueError(
                f"There are {n_rows:,} labelled rows, of {n_bytes / 1e6:,.0f} MB. To "
                "label the unlabelled rows, each worker would need all of them. Set "
                "max_labelled, to take a random sample.")
        features = list(range(len(self._source.features)))
        ends = np.cumsum(self._used)
        found, = compute([
            delayed(_labelled_rows)(
                part, self._reader, None if chosen is None
                else chosen[(chosen >= end - used) & (chosen < end)] - (end - used))
            for part, used, end in zip(
                self._source.partitions(features), self._used, ends, strict=True)
            if used])
        return LabelledRows(*map(np.concatenate, zip(*found, strict=True)))

    def label(self, labeller, min_confidence, callback):
        # Pseudo-labels stay with the rows
        self._classes = self._persist_classes(
            range(len(self._source.features)), labeller, min_confidence, callback)

    def classes(self):
        """Return the class and the weight of each row, persisted."""
        if self._classes is None:
            self._classes = self._persist_classes(())
        return self._classes

    def _persist_classes(self, features, labeller=None, min_confidence=0.,
                         callback=None):
        labeller = delayed(labeller, traverse=False)
        return persist_parts([
            delayed(_label)(part, self._reader, labeller, min_confidence)
            for part in self._partitions(list(features))], callback)

    def blocks(self, callback=None):
        """
        Yield a `Block` for each numeric column.

        Its rows are those of the short table: each value and class once.
        """
        size = grid_size()
        step = max(1, TABLE_BYTES // (12 * size * len(self.labels.classes)))
        n_columns = len(self.features)
        for start in range(0, n_columns, step):
            features = self.features[start:start + step].tolist()
            share = part_of(callback, start / n_columns,
                            min(1, (start + step) / n_columns))
            tables = self._short_tables(features, size, share)
            for feature, (grid, table) in zip(features, tables, strict=True):
                finite = grid[np.isfinite(grid)]
                if len(finite):
                    self._ranges[feature] = finite[[0, -1]]
                table = table.tocoo()
                yield Block(np.array([feature]), grid[table.col][None],
                            table.row, table.data)

    def _short_tables(self, features, size, callback):
        """Return the grid and the weights of classes at it, of each column."""
        grids = self._over_columns(
            _find_grids, features, size, partial(_unite_columns, size=size),
            part_of(callback, 0, 0.5))
        grids = [values for values, _ in grids]
        tables = self._over_columns(
            _count_columns, features, delayed(grids), _add_columns,
            part_of(callback, 0.5, 1))
        return list(zip(grids, tables, strict=True))

    def _over_columns(self, function, features, argument, combine, callback):
        """Apply a function to columns of each partition, and combine the results."""
        return compute_tree(combine, [
            delayed(function)(part, labels, self._reader, features, argument)
            for part, labels in zip(
                self._partitions(features), self.classes(), strict=True)], callback)

    def code_counts(self):
        if not self._categorical:
            return {}
        return self._over_columns(
            _count_codes, list(range(len(self._source.features))), self._categorical,
            _add_codes, None)

    def class_totals(self):
        return compute_tree(sum, [
            delayed(_class_totals)(labels, len(self.labels.classes))
            for labels in self.classes()])

    def ranges(self):
        return self._ranges[self.features]


def _labelled_rows(part, reader, chosen):
    """Return labelled rows that have a weight, or some of them."""
    classes, weights = reader.labels(*part)
    rows = np.flatnonzero((classes != UNLABELLED) & (weights > 0))
    if chosen is not None:
        rows = rows[chosen]
    return reader.matrix(part[0])[rows], classes[rows], weights[rows]


def _label(part, reader, labeller, min_confidence):
    """Return the classes and weights of a partition, in few bytes."""
    classes, weights = reader.labels(*part)
    unlabelled = classes == UNLABELLED
    if labeller is not None and unlabelled.any():
        found = labeller(reader.matrix(part[0])[unlabelled])
        classes[unlabelled] = found.trusted_classes(min_confidence)
    if np.all(weights == 1):
        weights = weights.astype(np.int8)
    return classes.astype(np.min_scalar_type(-len(reader.classes))), weights


def _find_grids(part, labels, reader, features, size):
    classes, weights = labels
    used = (classes != UNLABELLED) & (weights > 0)
    return [find_grid(column[used], size)
            for column in reader.numbers(part[0], features).T]


def _unite_columns(parts, size):
    return [unite_grids(grids, size) for grids in zip(*parts, strict=True)]


def _count_columns(part, labels, reader, features, grids):
    classes, weights = labels
    order = np.argsort(classes, kind="stable")
    order = order[(classes[order] != UNLABELLED) & (weights[order] > 0)]
    ends = np.cumsum(np.bincount(classes[order], minlength=len(reader.classes)))
    weights = weights[order].astype(np.float64)
    return [count_at_grid(column[order], ends, weights, grid)
            for column, grid in zip(
                reader.numbers(part[0], features).T, grids, strict=True)]


def _add_columns(parts):
    return [sum(tables[1:], start=tables[0]) for tables in zip(*parts, strict=True)]


def _count_codes(part, labels, reader, _, categorical):
    X = reader.matrix(part[0])
    classes, weights = labels
    return {feature: contingency(X[:, feature], classes.astype(np.intp),
                                 len(reader.classes), weights)
            for feature in categorical}


def _add_codes(parts):
    return {feature: add_tables([counts[feature] for counts in parts])
            for feature in parts[0]}


def _class_totals(labels, n_classes):
    classes, weights = labels
    known = classes != UNLABELLED
    return np.bincount(classes[known], weights[known], n_classes)
