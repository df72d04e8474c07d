"""The rows of a fit in the partitions of Dask.

`DaskRows` are `AnyRows` of `orangecontrib.sadd.core.anyrows`. Its blocks are
short tables: the distinct values of a column, with the weight of each class at them.
"""

import math
from copy import copy
from dataclasses import replace

import numpy as np
from dask.base import compute
from dask.delayed import delayed
from scipy.sparse import coo_array

from orangecontrib.sadd.core.anyrows import Block
from orangecontrib.sadd.core.dask.codedrows import PartitionedCodedRows
from orangecontrib.sadd.core.dask.partitions import Source, draw_rows, open_pool
from orangecontrib.sadd.core.dask.passes import persist_parts, persist_tree
from orangecontrib.sadd.core.dask.reader import Reader, learn_features, survey_labels
from orangecontrib.sadd.core.dask.shorttables import short_tables
from orangecontrib.sadd.core.dask.termrows import PartitionedTrainingRows
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import (
    NO_LABELS,
    UNLABELLED,
    LabelSummary,
    read_target,
)
from orangecontrib.sadd.core.rows import Rows

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
        return self._collect(True, self._used, most, random_state)

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
        return Rows(X, classes, weights,
                    LabelSummary.of(self.labels.classes, classes, weights),
                    self.categories, n_data=len(X))

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
        rows._reader = delayed(replace)(
            self._reader, classes=NO_LABELS.classes, has_target=False)
        rows._classes = None
        return rows

    def training_rows(self, labels, min_confidence, cut_points):
        """Return all rows for a fit of SADD Tables, which stay on their workers."""
        return PartitionedTrainingRows(self._map(
            _training_rows, self._all, delayed(labels, traverse=False), min_confidence,
            cut_points), cut_points, self.categories)

    def blocks(self, callback=None):
        """
        Yield a `Block` for each numeric column.

        Its rows are the cells of the short table: each value and class once, and NaN
        for missing values.
        """
        for _, grid, table in short_tables(
                self._of_columns, self.features.tolist(), len(self.labels.classes),
                callback):
            table = _with_rows(coo_array(table))
            # Columns beyond the grid, two if it is empty, are missing values
            values = np.append(grid, [np.nan, np.nan])
            yield Block(values[table.col][:, None], np.zeros(1, dtype=np.intp),
                        table.row.astype(np.intc), table.data.astype(np.float64))

    def _of_columns(self, features, *task):
        return self._map(_of_columns, features, features, *task, each=self._classes)

    def code_counts(self):
        """Count rows as in memory, see `Rows.code_counts`."""
        if not self.categorical.any():
            return {}
        tables = persist_tree(_add_codes, self._map(
            _count_codes, self._all, each=self._classes)).compute()
        return {feature: _with_rows(table) for feature, table in tables.items()}

    def coded_rows(self, cuts, n_jobs=None):
        """Return the labelled rows as codes, which stay on their workers."""
        cuts = delayed(cuts, traverse=False)
        return PartitionedCodedRows([
            delayed(_code)(part, self._reader, cuts, n_jobs)
            for part in self._source.partitions(self._all)])


def _read_rows(part, chosen, reader, labelled):
    """Return some of the labelled, or unlabelled, rows of a partition."""
    rows = reader.rows(part)
    some = np.flatnonzero(rows.used if labelled else ~rows.labelled)[chosen]
    return rows.X[some], rows.given[some], rows.weights[some]


def _label(part, _, reader, labeller, min_confidence):
    """Return classes, pseudo-labels included, and weights, in few bytes."""
    rows = reader.rows(part)
    rows = rows.with_labels(rows.predict(labeller, None), min_confidence)
    return (rows.classes.astype(np.min_scalar_type(-len(reader.classes))),
            rows.weights.astype(np.int8) if np.all(rows.weights == 1)
            else rows.weights)


def _training_rows(part, _, reader, labels, min_confidence, cut_points):
    rows = reader.rows(part)
    predicted = rows.predict(labels.labeller, None) if rows.labels.n_unlabelled \
        else None
    return rows.training_rows(predicted, min_confidence, cut_points)


def _of_columns(part, labels, reader, features, function, *arguments):
    """Apply a function to the columns, classes and weights of a partition."""
    classes, weights = labels or reader.labels(*part)
    used = (classes != UNLABELLED) & (weights > 0)
    return function(
        reader.numbers(part[0], features)[used].T, classes[used].astype(np.intc),
        weights[used].astype(np.float64), *arguments)


def _count_codes(part, labels, reader):
    return reader.rows(part, labels).code_counts()


def _with_rows(table):
    """Return a table of counts, which are not all zero."""
    if not table.sum():
        raise ValueError("There are no rows.")
    return table


def _add_codes(parts):
    return {feature: sum(part[feature] for part in parts) for feature in parts[0]}


def _code(part, reader, cuts, n_jobs):
    return reader.rows(part).coded_rows(cuts, n_jobs)
