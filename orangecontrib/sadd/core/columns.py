"""What a discretizer asks of data, and the data in memory that answer.

A discretizer sees its rows through `Columns` alone: which labels there are, the rows
that have one, and the answers to questions about each numeric column. `MemoryColumns`
answer from sorted runs, one for each class; `cluster.columns.DaskColumns` ask the
partitions of Dask. The sequence of a fit is the same for both.
"""

from collections.abc import Callable, Generator
from typing import Any, Protocol

import numpy as np
from sklearn.utils.validation import _num_samples

from orangecontrib.sadd.core.bayes.fitting import CodedRows, PoolRows, RowsInMemory
from orangecontrib.sadd.core.cluster import is_for_dask, require_dask
from orangecontrib.sadd.core.cuts import contingency
from orangecontrib.sadd.core.exactsums import (
    exact_total,
    raise_weights,
    round_weights,
    total_as_float,
)
from orangecontrib.sadd.core.labels import (
    UNLABELLED,
    LabelledRows,
    LabelSummary,
    read_target,
    read_weights,
    sample_rows,
    summarize_labels,
)
from orangecontrib.sadd.core.pseudolabels.labellers import Labeller, PseudoLabels
from orangecontrib.sadd.core.splitting.questions import answer_from
from orangecontrib.sadd.core.splitting.runs import ClassGroups
from orangecontrib.sadd.core.splitting.splitter import columns_together
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Callback, Data, Integers
from orangecontrib.sadd.core.validation import as_pandas, read_matrix

__all__ = ["Columns", "MemoryColumns", "apply_lazily", "open_columns"]

# With fewer cells, threads cost more than they save
MANY_CELLS = 2 ** 20


class Columns(Protocol):
    """
    What a discretizer asks of data.

    Attributes
    ----------
    labels : LabelSummary
    features : ndarray of int
        The features that are numeric.
    n_rows : int
        Rows that have a class and a weight.
    weighted : bool
        Whether rows may weigh something else than one.
    """

    labels: LabelSummary
    features: Integers

    @property
    def n_rows(self) -> int: ...

    @property
    def weighted(self) -> bool: ...

    def labelled_rows(self, most: int | None, random_state: Any) -> LabelledRows:
        """Return the labelled rows, or `most` of them, drawn at random."""

    def label(self, labeller: Labeller, min_confidence: float,
              callback: Callback | None) -> PseudoLabels | None:
        """
        Let a labeller lend classes to unlabelled rows.

        Rows with a confidence below `min_confidence` remain unlabelled.

        Returns
        -------
        PseudoLabels or None
            None where these stay with the rows.
        """

    def search(self, start: Callable[[], Generator], callback: Callback | None
               ) -> list:
        """
        Answer the questions of a search in each numeric column.

        Parameters
        ----------
        start : callable
            Returns a generator that yields questions, is sent the answers, and returns
            the result.
        callback : callable or None
            Called with the fraction done.

        Returns
        -------
        list
            The result for each column.
        """

    def split(self, splitter: Any, callback: Callback | None) -> None:
        """Add all numeric columns to a `Splitter`."""

    def code_counts(self) -> dict[int, np.ndarray]:
        """Return, for each categorical feature, the weights: classes x codes."""

    def class_totals(self) -> np.ndarray:
        """Return the weight of each class, of rows with and without values."""

    def ranges(self) -> np.ndarray:
        """
        Return the least and largest finite value of each numeric feature, or NaN.

        They are known once columns have been sorted, by `search` or `split`.
        """

    def coded_rows(self, discretizer: Any, with_pool: bool = False) -> CodedRows:
        """
        Return the labelled rows as codes, for a classifier.

        With a pool, unlabelled rows count by the probabilities of their classes.
        """


def open_columns(
    estimator: Any, X: Data, y: Data = None, sample_weight: Data = None, *,
    unlabelled_label: object = None, pool: Data = None, labelled_only: bool = False
) -> Columns:
    """
    Read the data of a fit, wherever they are.

    Parameters
    ----------
    estimator : Discretizer
        Learns the names of features and their categories, see `read_matrix`.
    X, y, sample_weight
        As for `Discretizer.fit`.
    unlabelled_label : label or None
        Rows with this label, and those with a missing one, are unlabelled.
    pool : array_like, data frame, or what is for Dask, optional
        More rows, without labels, each of weight 1.
    labelled_only : bool
        Leave out rows without a label.

    Returns
    -------
    Columns
    """
    arguments = estimator, X, y, sample_weight, unlabelled_label, pool, labelled_only
    if not is_for_dask(X):
        return MemoryColumns(*arguments)
    require_dask()
    from orangecontrib.sadd.core.cluster.columns import DaskColumns

    return DaskColumns(*arguments)


def apply_lazily(estimator, method, X, width, dtype=np.float64, sparse=False):
    """Apply a method of a fitted estimator to data for Dask, see `cluster.columns`."""
    require_dask()
    from orangecontrib.sadd.core.cluster import columns

    return columns.apply_lazily(estimator, method, X, width, dtype, sparse)


class MemoryColumns:
    """
    Columns in memory.

    Parameters
    ----------
    estimator, X, y, sample_weight, unlabelled_label, pool, labelled_only
        As for `open_columns`.
    """

    def __init__(self, estimator, X, y=None, sample_weight=None, unlabelled_label=None,
                 pool=None, labelled_only=False):
        n_data = None
        if pool is not None:
            n_data = _num_samples(X)
            X = _append(X, pool)
        self.X = read_matrix(estimator, X, reset=True)
        self._n_jobs = estimator.n_jobs
        self._categorical = estimator.categorical_features_
        self.features = np.flatnonzero(~self._categorical)
        n_data = len(self.X) if n_data is None else n_data
        weights = read_weights(sample_weight, n_data)
        if y is None and not estimator.requires_target:
            self.classes = np.zeros(len(self.X), dtype=np.int64)
            self.labels = LabelSummary(np.zeros(1), 0, 0, 0, 0, given=False)
            self._labelled = np.ones(len(self.X), dtype=bool)
        else:
            y = read_target(estimator, y, n_data)
            self.labels, classes = summarize_labels(y, unlabelled_label, weights)
            n_pool = len(self.X) - n_data
            self.classes = np.append(classes, np.full(n_pool, UNLABELLED))
            self._labelled = self.classes != UNLABELLED
            self.labels = self.labels._replace(
                n_unlabelled=self.labels.n_unlabelled + n_pool)
        if weights is not None:
            weights = np.append(raise_weights(weights, self._labelled[:n_data]),
                                np.ones(len(self.X) - n_data))
            if labelled_only:
                weights[~self._labelled] = 0
        self._given_weights = weights
        self.weights = round_weights(weights)
        self._groups = self._pseudo_labels = None
        self._ranges = []

    @property
    def _used(self):
        return self._labelled if self.weights is None \
            else self._labelled & (self.weights > 0)

    @property
    def groups(self):
        """The rows that have a class, by class."""
        if self._groups is None:
            self._groups = ClassGroups(
                self.classes, len(self.labels.classes), self.weights)
        return self._groups

    @property
    def n_rows(self):
        return len(self.groups.order)

    @property
    def weighted(self):
        return self.groups.weights is not None

    def labelled_rows(self, most, random_state):
        rows = np.flatnonzero(self._used)
        if most is not None and len(rows) > most:
            rows = rows[sample_rows(len(rows), most, random_state)]
        return LabelledRows(self.X[rows], self.classes[rows],
                            None if self.weights is None else self.weights[rows])

    def label(self, labeller, min_confidence, callback):
        unlabelled = ~self._labelled
        found = labeller(self.X[unlabelled], callback)
        self.classes[unlabelled] = found.trusted_classes(min_confidence)
        self._groups = None
        self._pseudo_labels = found, min_confidence
        return found

    def search(self, start, callback):
        return [answer_from(runs, start()) for runs in self._runs(callback)]

    def split(self, splitter, callback):
        groups = self.groups
        if not splitter.splits_together(groups):
            for runs in self._runs(callback):
                splitter.add(runs)
            return
        self._ranges = []
        for columns in self._in_threads(
                lambda block: splitter.sort_together(self._copied(block), groups),
                self._blocks(callback)):
            splitter.add_sorted(columns)
            self._ranges.append(
                [runs.finite_range() for runs in columns] if isinstance(columns, list)
                else columns.finite_ranges())

    def _runs(self, callback):
        """Yield the sorted runs of each column."""
        self._ranges = []
        for runs in self._in_threads(self.groups.runs, self._each_column(callback)):
            self._ranges.append([runs.finite_range()])
            yield runs

    def _in_threads(self, sort, items):
        """Sort columns, which takes few calls and much time, in other threads."""
        return map_in_threads(
            sort, items, self._n_jobs if self.X.size >= MANY_CELLS else 1,
            caller_works=True)

    def _each_column(self, callback):
        for block in self._blocks(callback):
            yield from self._copied(block)

    def _copied(self, block):
        return np.ascontiguousarray(self.X[:, block].T)

    def _blocks(self, callback):
        """Yield indices of some numeric columns at a time, and report the progress."""
        features = self.features
        step = columns_together(len(self.X))
        for start in range(0, len(features), step):
            if callback is not None and start:
                callback(start / len(features))
            yield features[start:start + step]

    def coded_rows(self, discretizer, with_pool=False):
        labelled = self._labelled
        weights = self._given_weights
        pool = None
        if with_pool and self._pseudo_labels is not None:
            pool = self._pool_rows(discretizer)
        return RowsInMemory(
            discretizer.to_codes(self.X[labelled]), self.classes[labelled],
            len(self.labels.classes), None if weights is None
            else weights[labelled], pool)

    def _pool_rows(self, discretizer):
        found, min_confidence = self._pseudo_labels
        weights = None if self._given_weights is None \
            else self._given_weights[~self._labelled]
        total = len(found.proba) if weights is None \
            else total_as_float(exact_total(weights))
        trusted = found.confidence >= min_confidence
        return PoolRows.weighted(
            discretizer.to_codes(self.X[~self._labelled][trusted]),
            found.proba[trusted],
            None if weights is None else weights[trusted], total)

    def code_counts(self):
        n_classes = len(self.labels.classes)
        return {feature: contingency(self.X[:, feature], self.classes, n_classes,
                                     self.weights)
                for feature in np.flatnonzero(self._categorical).tolist()}

    def class_totals(self):
        return self.groups.totals

    def ranges(self):
        return np.concatenate((np.zeros((0, 2)), *self._ranges))


def _append(X, pool):
    """Append unlabelled rows."""
    X, pool = as_pandas(X), as_pandas(pool)
    if hasattr(X, "iloc") and hasattr(pool, "iloc"):
        import pandas as pd

        absent = [name for name in X.columns if name not in pool.columns]
        if absent:
            raise ValueError("X_unlabelled lacks the columns "
                             f"{', '.join(map(repr, absent))}.")
        return pd.concat((X, pool[X.columns]), ignore_index=True)
    X, pool = np.asarray(X), np.asarray(pool)
    if X.shape[1:] != pool.shape[1:]:
        raise ValueError(f"X_unlabelled has the shape {pool.shape}, but X has "
                         f"{X.shape[1]} features.")
    return np.concatenate((X, pool))
