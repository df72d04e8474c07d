"""Base classes of the discretizers, as scikit-learn transformers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from orangecontrib.sadd.core.cuts import as_whole
from orangecontrib.sadd.core.dask import is_for_dask, require_dask
from orangecontrib.sadd.core.data import MemoryData
from orangecontrib.sadd.core.intervals.fitted import FittedIntervals
from orangecontrib.sadd.core.labels import (
    NO_LABELS,
    UNLABELLED,
    LabelSummary,
    read_labels,
)
from orangecontrib.sadd.core.methods.cells import Sorters, cells_of
from orangecontrib.sadd.core.methods.criterion import mutual_information
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import (
    Callback,
    CategoricalFeatures,
    Data,
    Encoding,
    Missing,
)
from orangecontrib.sadd.core.validation import (
    EstimatorMixin,
    append_rows,
    as_pandas,
    count_rows,
    read_matrix,
)

__all__ = ["Discretizer", "UnsupervisedDiscretizer"]

# If the tables of all features are larger than this together, they are not kept
KEPT_CELLS = 2 ** 22

# With fewer cells, threads cost more than they save
MANY_CELLS = 2 ** 18


@dataclass(repr=False, eq=False, kw_only=True)
class Discretizer(FittedIntervals, EstimatorMixin, BaseEstimator):
    """
    Base class of all discretizers.

    Fields of the dataclass are the parameters, stored as given.
    """

    categorical_features: CategoricalFeatures = None
    missing: Missing = "ignore"
    encode: Encoding = "ordinal"
    sparse_output: bool = True
    n_jobs: int | None = None

    #: Whether rows without a label are used
    uses_unlabelled = False
    #: Whether cuts are decided one by one, and `store_decisions` keeps the decisions
    makes_decisions = False

    def fit(self, X: Data, y: Data = None, sample_weight: Data = None, *,
            callback: Callback | None = None) -> Self:
        """
        Find the cut points.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) are ignored; infinite values are ordinary values. Also
            a Dask array or data frame, or the path of a parquet folder.
        y : array_like, shape (n_rows,)
            Labels of any type. Unsupervised methods use labels only to compute
            `mutual_information_`. With Dask, the name of a column, or a Dask array or
            series divided like X.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice. Weights of labelled rows with a
            mean below 1 are scaled to mean 1, zeros left out. So weights that sum to 1
            are not one row. With Dask, as for y.
        callback : callable, optional
            Called with the fraction done, from 0 to 1. May raise an exception to stop
            the work.

        Returns
        -------
        self
        """
        self.check_parameters()
        data = self.read(X, y, sample_weight, unlabelled_label=getattr(
            self, "unlabelled_label", None))
        self.check_labels(data.labels)
        return self.fit_data(data, callback)

    def read(self, X: Data, y: Data = None, sample_weight: Data = None, *,
             unlabelled_label: object = None, pool: Data = None) -> Any:
        """
        Read the data of a fit, and set the names and categories of features.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        unlabelled_label : label or None
            Rows with this label, and rows with a missing label, are unlabelled.
        pool : array_like, data frame, or what is for Dask, optional
            More rows, without labels, each of weight 1.

        Returns
        -------
        MemoryData or DaskData
        """
        if is_for_dask(X):
            require_dask()
            from orangecontrib.sadd.core.dask.data import DaskData

            return DaskData(self, X, y, sample_weight, unlabelled_label, pool)
        X = as_pandas(X)
        n_rows = count_rows(X)
        if pool is not None:
            X = append_rows(X, pool)
        matrix = read_matrix(self, X, reset=True)
        n_pool = len(matrix) - n_rows
        given = y is not None or self.requires_target
        labels, classes, weights = read_labels(
            self, y if given else np.zeros(n_rows), sample_weight, unlabelled_label,
            n_rows)
        if not given:
            labels = NO_LABELS
        return MemoryData(
            matrix, np.append(classes, np.full(n_pool, UNLABELLED)),
            np.append(weights, np.ones(n_pool)),
            labels._replace(n_unlabelled=labels.n_unlabelled + n_pool),
            self.categorical_features_)

    def set_features(self, categories: Sequence[npt.NDArray[Any] | None]) -> Self:
        """
        Set the features of data that are not read by `read`.

        Parameters
        ----------
        categories : sequence of ndarray or None
            The categories of each feature; None if it is numeric.

        Returns
        -------
        self
        """
        self.n_features_in_ = len(categories)
        self.categories_ = list(categories)
        self.categorical_features_ = np.array(
            [values is not None for values in categories], dtype=bool)
        return self

    def fit_data(self, data: Any, callback: Callback | None = None) -> Self:
        """
        Find the cut points of data that have been read.

        Parameters
        ----------
        data : MemoryData or DaskData
            From `read`.
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        self
        """
        self.classes_ = data.labels.classes
        callback = self._label(data, callback)
        n_features = self.n_features_in_
        self.cut_points_ = [np.zeros(0) for _ in range(n_features)]
        self.mutual_information_ = np.full(n_features, np.nan)
        self.counts_ = [None] * n_features
        self.ranges_ = np.full((n_features, 2), np.nan)
        self._saved_names = None
        self._find_cuts(data, callback)
        for feature, counts in data.code_counts().items():
            self.mutual_information_[feature] = mutual_information(counts)
            self.counts_[feature] = np.pad(counts, (
                (0, 0), (0, len(self.categories_[feature]) - counts.shape[1])))
        self._limit_counts(data.class_totals())
        if not data.labels.given:
            self.mutual_information_[:] = np.nan
        self.count_intervals()
        if callback is not None:
            callback(1.)
        return self

    def count_intervals(self) -> None:
        """Set `n_intervals_` from cut points and categories."""
        self.n_intervals_ = np.array([
            len(cuts) + 1 + (self.missing == "interval") if categories is None
            else len(categories)
            for cuts, categories in zip(
                self.cut_points_, self.categories_, strict=True)], dtype=int)

    def _limit_counts(self, totals):
        """Drop tables that are too large, and count missing values."""
        if sum(counts.size for counts in self.counts_ if counts is not None
               ) > KEPT_CELLS:
            self.counts_ = [None] * len(self.counts_)
        known = [totals if counts is None else counts.sum(axis=1)
                 for counts in self.counts_]
        # Differences of sums of fractions may be below zero
        self.missing_counts_ = as_whole(np.maximum(
            totals - np.reshape(known, (len(known), len(totals))), 0))

    def check_labels(self, labels: LabelSummary) -> None:
        """Raise a ValueError if labels cannot be used."""
        if labels.given and not labels.n_labelled + labels.n_unlabelled:
            raise ValueError("There are no rows.")
        if labels.given and labels.n_unlabelled:
            raise ValueError(
                f"y has missing labels, which {type(self).__name__} cannot use. Remove "
                "these rows, or use SADDDiscretizer, which also learns from them.")

    def _label(self, data, callback):
        """Label unlabelled rows if possible; return a callback for other steps."""
        return callback

    def _find_cuts(self, data, callback):
        """Set the cuts and the mutual information of the numeric features."""
        sorters = Sorters()

        def cut(block):
            for feature, cells in zip(block.features, cells_of(
                    block.columns, block.classes, block.weights, len(self.classes_),
                    sorters), strict=True):
                cuts = self._column_cuts(cells) if len(cells.values) else np.zeros(0)
                table = cells.count(cuts)
                self.cut_points_[feature] = cuts
                self.mutual_information_[feature] = mutual_information(table)
                if not issparse(table):
                    self.counts_[feature] = table
                self.ranges_[feature] = cells.finite_range

        for _ in self._map_blocks(cut, data, callback):
            pass

    def _map_blocks(self, function, data, callback):
        """Apply a function to blocks of columns, in threads if they are large."""
        blocks = data.blocks(callback)
        return map_in_threads(
            function, blocks, self.n_jobs if data.n_cells >= MANY_CELLS else 1)

    def _column_cuts(self, cells):
        """Return the cuts of a column, given its `Cells`, of one value or more."""
        raise NotImplementedError


class UnsupervisedDiscretizer(Discretizer):
    """Base class of discretizers that do not use the class."""

    requires_target = False
