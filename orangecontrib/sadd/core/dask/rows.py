"""The rows of a fit in the partitions of Dask.

`DaskRows` are `AnyRows` of `orangecontrib.sadd.core.anyrows`. Its blocks are
short tables: the distinct values of a column, with the weight of each class at them.
"""

import math
from copy import copy
from dataclasses import replace
from functools import partial

import numpy as np
from dask.base import compute
from dask.delayed import delayed
from scipy.sparse import coo_array

from orangecontrib.sadd.core.additive.fitting import CodedRows
from orangecontrib.sadd.core.additive.termrows import TrainingRows
from orangecontrib.sadd.core.anyrows import Block
from orangecontrib.sadd.core.arithmetic import contingency
from orangecontrib.sadd.core.dask.codedrows import PartitionedCodedRows
from orangecontrib.sadd.core.dask.partitions import Source, draw_rows, open_pool
from orangecontrib.sadd.core.dask.passes import persist_parts, persist_tree
from orangecontrib.sadd.core.dask.reader import Reader, learn_features, survey_labels
from orangecontrib.sadd.core.dask.shorttables import (
    TABLE_BYTES,
    count_at_grids,
    find_grid,
    grid_size,
    join_tables,
    unite_grids,
)
from orangecontrib.sadd.core.dask.termrows import PartitionedTrainingRows
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import (
    NO_LABELS,
    UNLABELLED,
    LabelSummary,
    read_target,
)
from orangecontrib.sadd.core.rows import Rows
from orangecontrib.sadd.core.threads import part_of

__all__ = ["DaskRows"]

# Labelled rows of more bytes are not collected unless their number is given
MOST_LABELLED = 2 ** 27

# Unlabelled rows by which columns are standardized
MOST_SAMPLED = 2 ** 16


class DaskRows:
    """
    Rows in the partitions of Dask.

    Parameters
    ----------
    estimator : Discretizer
        Learns the names of features and their categories.
    X, y, sample_weight, unlabelled_label, pool
        As for `orangecontrib.sadd.core.rows.read`; `pool` is `unlabelled`.

    Attributes
    ----------
    labels : LabelSummary
    categories : list of ndarray or None
    categorical : ndarray of bool, shape (n_features,)
    variables : ndarray of str or None
    features : ndarray of int
        The features that are numeric.
    pseudo_labels : PseudoLabels or None
        Without probabilities, which stay on the workers.
    """

    def __init__(self, estimator, X, y=None, sample_weight=None, unlabelled_label=None,
                 pool=None):
        source = Source(X, y, sample_weight)
        pool = None if pool is None else open_pool(pool, source)
        if y is None and estimator.requires_target:
            read_target(estimator, None, 0)  # raises
        learn_features(estimator, source, pool)
        self.labels, factor, self._used, self._unlabelled = survey_labels(
            source, pool, unlabelled_label)
        self._source, self._pool = source, pool
        self.categorical = estimator.categorical_features_
        self.categories = estimator.categories_
        self.variables = getattr(estimator, "feature_names_in_", None)
        self.features = np.flatnonzero(~self.categorical)
        self._all = list(range(len(self.categorical)))
        self._reader = delayed(Reader(
            estimator, source.features, self.labels.classes, y is not None,
            unlabelled_label, factor), traverse=False)
        self.pseudo_labels = None
        self._classes = None

    #: As many as pay for threads
    n_cells = math.inf

    def _map(self, function, features, *shared, each=None):
        """
        Apply a function to the partitions of the data and the pool.

        Its arguments are rows, labels and weights, one of `each`, the reader, and
        shared arguments.
        """
        parts = self._source.partitions(features)
        if self._pool is not None:
            parts += self._pool.partitions(features)
        return [delayed(function)(part, own, self._reader, *shared)
                for part, own in zip(parts, each or [None] * len(parts), strict=True)]

    def labelled_rows(self, most, random_state):
        n_rows = sum(self._used)
        n_bytes = 8 * n_rows * len(self.categorical)
        if most is None and n_bytes > MOST_LABELLED:
            raise ValueError(
                f"There are {n_rows:,} labelled rows, of {n_bytes / 1e6:,.0f} MB. To "
                "label the unlabelled rows, each worker would need all of them. Set "
                "max_labelled, to take a random sample.")
        return self._collect(True, self._used, most or n_rows, random_state)

    def unlabelled_rows(self):
        """Return the unlabelled rows, or a sample, and their weights."""
        n_rows = sum(self._unlabelled)
        X, _, weights = self._collect(False, self._unlabelled, MOST_SAMPLED, 0)
        return X, weights * (n_rows / max(1, len(X)))

    def _collect(self, labelled, sizes, most, random_state):
        """Collect labelled or unlabelled rows; partitions have `sizes` of them."""
        chosen = draw_rows(sizes, most, random_state)
        tasks = self._map(_read_rows, self._all, labelled, each=chosen)
        found, = compute([task for task, rows in zip(tasks, chosen, strict=True)
                          if len(rows)])
        return tuple(map(np.concatenate, zip(*found, strict=True)))

    def sample(self, most, random_state):
        """Return rows in memory, see `Rows.sample`."""
        X, classes, weights = map(np.concatenate, zip(*(
            self._collect(labelled, sizes, most, random_state)
            for labelled, sizes in ((True, self._used), (False, self._unlabelled))
            if sum(sizes)), strict=True))
        return _in_memory(X, classes, weights, self.labels.classes, self.categories)

    def predict(self, labeller, callback):
        """Return pseudo-labels, which are predicted where their rows are."""
        return PseudoLabels(None, None, labeller.k, labeller.k_scores,
                            labeller=labeller)

    def with_labels(self, labels, min_confidence, callback=None):
        """Return rows whose labels are given or predicted, see `Rows`."""
        rows = copy(self)
        rows.pseudo_labels = labels
        rows._classes = persist_parts(self._map(
            _label, self._all, delayed(labels.labeller, traverse=False),
            min_confidence), callback)
        return rows

    def without_labels(self):
        """Return all rows as rows of a single class, see `Rows.without_labels`."""
        rows = copy(self)
        rows.labels, rows.pseudo_labels = NO_LABELS, None
        rows._reader = delayed(replace)(self._reader, classes=NO_LABELS.classes)
        rows._classes = persist_parts(self._map(_without_labels, self._all))
        return rows

    def training_rows(self, labels, min_confidence, cut_points):
        """Return all rows for a fit of SADD Tables, which stay on their workers."""
        return PartitionedTrainingRows(self._map(
            _training_rows, self._all, delayed(labels, traverse=False), min_confidence,
            cut_points, self.categories), cut_points, self.categories)

    def blocks(self, callback=None):
        """
        Yield a `Block` for each numeric column.

        Its rows are the cells of the short table: each value and class once, and NaN
        for missing values.
        """
        size = grid_size()
        step = max(1, TABLE_BYTES // (12 * size * len(self.labels.classes)))
        n_columns = len(self.features)
        for start in range(0, n_columns, step):
            features = self.features[start:start + step].tolist()
            share = part_of(callback, start / n_columns,
                            min(1, (start + step) / n_columns))
            tables = self._short_tables(features, size, share)
            for feature, ((grid, _), table) in zip(features, tables, strict=True):
                table = _with_rows(coo_array(table))
                # Columns beyond the grid, two if it is empty, are missing values
                values = np.append(grid, [np.nan, np.nan])
                yield Block(np.array([feature]), values[table.col][None],
                            table.row.astype(np.intc), table.data.astype(np.float64))

    def _short_tables(self, features, size, callback):
        """Return the grid of each column, and the weights of classes at its values."""
        grids = self._over_columns(
            _find_grids, features, size, partial(unite_grids, size=size),
            part_of(callback, 0, 0.5))
        tables = self._over_columns(
            _count_columns, features, grids, join_tables, part_of(callback, 0.5, 1))
        return zip(*compute(grids, tables), strict=True)

    def _over_columns(self, function, features, argument, combine, callback=None):
        """Apply a function to columns of each partition, and combine the results."""
        return persist_tree(combine, self._map(
            function, features, features, argument, each=self._classes), callback)

    def code_counts(self):
        """Count rows as in memory, see `Rows.code_counts`."""
        categorical = np.flatnonzero(self.categorical).tolist()
        if not categorical:
            return {}
        sizes = [len(self.categories[feature]) for feature in categorical]
        tables = self._over_columns(
            _count_codes, self._all, (categorical, sizes), _add_codes).compute()
        return dict(zip(categorical, map(_with_rows, tables), strict=True))

    def coded_rows(self, discretizer):
        """Return the labelled rows as codes, which stay on their workers."""
        discretizer = delayed(discretizer, traverse=False)
        return PartitionedCodedRows([
            delayed(_code)(part, self._reader, discretizer)
            for part in self._source.partitions(self._all)])


def _read_rows(part, chosen, reader, labelled):
    """Return some of the labelled, or unlabelled, rows of a partition."""
    classes, weights = reader.labels(*part)
    rows = np.flatnonzero((classes != UNLABELLED) & (weights > 0) if labelled
                          else classes == UNLABELLED)[chosen]
    return reader.matrix(part[0])[rows], classes[rows], weights[rows]


def _label(part, _, reader, labeller, min_confidence):
    """Return classes, pseudo-labels included, and weights, in few bytes."""
    classes, weights = reader.labels(*part)
    unlabelled = np.flatnonzero((classes == UNLABELLED) & (weights > 0))
    if len(unlabelled):
        X = reader.matrix(part[0])[unlabelled]
        # Rows with missing values only are left out
        known = ~np.isnan(X).all(axis=1)
        classes[unlabelled[known]] = labeller.predict(X[known]).used_classes(
            min_confidence)
    return (classes.astype(np.min_scalar_type(-len(reader.classes))),
            weights.astype(np.int8) if np.all(weights == 1) else weights)


def _without_labels(part, _, reader):
    """Return classes of 0, and weights."""
    classes, weights = reader.labels(*part)
    return np.zeros(len(classes), dtype=np.int8), weights


def _in_memory(X, classes, weights, names, categories):
    return Rows(X, classes, weights, LabelSummary.of(names, classes, weights),
                categories, n_data=len(X))


def _training_rows(part, _, reader, labels, min_confidence, cut_points, categories):
    """Return the rows of a partition, labelled, as `TrainingRows`."""
    classes, weights = reader.labels(*part)
    rows = _in_memory(
        reader.matrix(part[0]), classes, weights, reader.classes, categories)
    predicted = None
    if rows.labels.n_unlabelled:
        predicted = rows.predict(labels.labeller, None)
    return TrainingRows.of(rows, predicted, min_confidence, cut_points)


def _used(part, labels, reader):
    """Return which rows have a class and a weight, and both of these."""
    classes, weights = labels or reader.labels(*part)
    used = (classes != UNLABELLED) & (weights > 0)
    return used, classes[used].astype(np.intc), weights[used].astype(np.float64)


def _find_grids(part, labels, reader, features, size):
    used, *_ = _used(part, labels, reader)
    columns = reader.numbers(part[0], features)[used].T
    return [find_grid(column, size) for column in columns]


def _count_columns(part, labels, reader, features, grids):
    used, *vectors = _used(part, labels, reader)
    columns = reader.numbers(part[0], features)[used].T
    return count_at_grids(
        columns, [grid for grid, _ in grids], *vectors, len(reader.classes))


def _count_codes(part, labels, reader, _, categorical):
    features, sizes = categorical
    used, classes, weights = _used(part, labels, reader)
    codes = reader.matrix(part[0])[used][:, features]
    return [contingency(np.where(np.isnan(column), size, column), classes,
                        len(reader.classes), weights, size + 1)
            for column, size in zip(codes.T, sizes, strict=True)]


def _with_rows(table):
    """Return a table of counts, which are not all zero."""
    if not table.sum():
        raise ValueError("There are no rows.")
    return table


def _add_codes(parts):
    return [sum(tables) for tables in zip(*parts, strict=True)]


def _code(part, reader, discretizer):
    """Return the labelled rows of a partition as `CodedRows`."""
    classes, weights = reader.labels(*part)
    labelled = classes != UNLABELLED
    return CodedRows(discretizer.cuts_.codes(reader.matrix(part[0])[labelled]),
                     classes[labelled], len(reader.classes), weights[labelled])
