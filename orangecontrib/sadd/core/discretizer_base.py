"""Base classes of the discretizers, as scikit-learn transformers."""

from dataclasses import KW_ONLY, replace
from itertools import chain
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.anyrows import AnyRows
from orangecontrib.sadd.core.arithmetic import as_whole
from orangecontrib.sadd.core.cuts import Cuts, kept_counts
from orangecontrib.sadd.core.intervals.cutsjson import plain_parameters
from orangecontrib.sadd.core.labels import check_labelled
from orangecontrib.sadd.core.methods.cells import Sorters, cells_of
from orangecontrib.sadd.core.methods.criterion import mutual_information
from orangecontrib.sadd.core.parameters import (
    EstimatorMixin,
    estimator_class,
    one_of,
    parameter,
    whole,
)
from orangecontrib.sadd.core.rows import read
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.transformer import CutsTransformer
from orangecontrib.sadd.core.types import (
    Callback,
    CategoricalFeatures,
    Data,
    Encoding,
    Missing,
)

__all__ = ["Discretizer"]

# With fewer cells, threads cost more than they save
MANY_CELLS = 2 ** 18


@estimator_class
class Discretizer(CutsTransformer, EstimatorMixin, BaseEstimator):
    """
    Base class of all discretizers.

    Attributes
    ----------
    cut_points_ : list of ndarray
        Cut points of each feature; none for categorical ones.
    n_intervals_ : ndarray of int
        Number of intervals, or of categories.
    mutual_information_ : ndarray of float64
        Between intervals and class, in bits, without rows with a missing value; NaN
        without y.
    counts_ : list of ndarray, shape (n_classes, n_intervals), or None
        Weight of each class in each interval of each feature, without missing values;
        None if there are too many of them. See `interval_table`.
    missing_counts_ : ndarray, shape (n_features, n_classes)
        Weight of rows whose value is missing.
    ranges_ : ndarray, shape (n_features, 2)
        The least and the largest finite value of each numeric feature.
    cuts_ : Cuts
        All of these; see `orangecontrib.sadd.core.cuts`.
    classes_ : ndarray
    categories_ : list of ndarray or None
    categorical_features_ : ndarray of bool
    n_features_in_ : int
    feature_names_in_ : ndarray of str
    """

    _: KW_ONLY
    categorical_features: CategoricalFeatures = parameter(
        None, ["array-like", one_of("from_dtype"), None],
        'mask, indices, names, or "from_dtype", optional',
        "Columns that are categorical already.",
        "They become codes. SADD also uses them in the search for neighbours.",
        shared=False)
    missing: Missing = parameter(
        "ignore", [one_of("ignore", "interval")], '{"ignore", "interval"}',
        "Whether missing values stay missing, or form an interval of their own.",
        "The interval is the last one. Cut points do not depend on this. A missing "
        "category stays missing.", title="Missing values as an interval")
    encode: Encoding = parameter(
        "ordinal", [one_of("ordinal", "interval", "onehot")],
        '{"ordinal", "interval", "onehot"}',
        "Result of `transform`: the index of each interval; its name, or a category if "
        "`set_output` selects a data frame; or ones and zeros.", shared=False)
    sparse_output: bool = parameter(
        True, ["boolean"], "bool", "Whether one-hot is a sparse matrix.", shared=False)
    n_jobs: int | None = parameter(
        None, [whole(None, -1), whole(), None], "int, optional",
        "Number of threads; -1 for all cores.", "Results do not depend on it.",
        shared=False)

    #: Whether rows without a label are used
    uses_unlabelled = False
    #: Whether an increasing function of the values keeps the intervals
    uses_order_only = True
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
            a Dask array or data frame.
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
        rows = read(self, X, y, sample_weight, unlabelled_label=getattr(
            self, "unlabelled_label", None))
        check_labelled(rows.labels, self)
        if rows.labels.given and rows.labels.n_unlabelled and not self.uses_unlabelled:
            raise ValueError(
                f"y has missing labels, which {type(self).__name__} cannot use. Remove "
                "these rows, or use SADDDiscretizer, which also learns from them.")
        return self.fit_rows(rows, callback)

    def fit_rows(self, rows: AnyRows, callback: Callback | None = None) -> Self:
        """
        Find the cut points of rows that have been read.

        Parameters
        ----------
        rows : Rows or DaskRows
            From `orangecontrib.sadd.core.rows.read`.
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        self
        """
        self.cuts_ = self.discretize(rows, callback)
        return self

    def discretize(self, rows: AnyRows, callback: Callback | None = None) -> Cuts:
        """
        Return the cuts of rows, and their counts; the estimator is not changed.

        All fits do this: in memory, on Dask, of windows, and of their folds.

        Parameters
        ----------
        rows : Rows or DaskRows
        callback : callable, optional
            As for `fit`.
        """
        n_features, classes = len(rows.categories), rows.labels.classes
        cut_points = [np.zeros(0)] * n_features
        counts: list[Any] = [None] * n_features
        information = np.full(n_features, np.nan)
        missing = np.zeros((n_features, len(classes)))
        ranges = np.full((n_features, 2), np.nan)
        columns, decided = self._find_cuts(rows, callback)
        for feature, column in zip(rows.features.tolist(), columns, strict=True):
            (cut_points[feature], counts[feature], missing[feature],
             information[feature], ranges[feature]) = column
        for feature, table in rows.code_counts().items():
            counts[feature], missing[feature] = as_whole(table[:, :-1]), table[:, -1]
            information[feature] = mutual_information(counts[feature])
        if not rows.labels.given:
            information[:] = np.nan
        if callback is not None:
            callback(1.)
        return Cuts(
            cut_points, rows.categories, self.missing == "interval", information,
            ranges, classes, kept_counts(counts), as_whole(missing),
            features=rows.variables, decided=decided)

    def to_json(self) -> str:
        """
        Return the fitted discretizer as JSON.

        The text is that of a file that the command line writes with ``--cuts`` and
        reads with ``--apply``; see `orangecontrib.sadd.core.intervals.cutsjson`. It
        contains cut points, the counts of `interval_table`, and parameters that are
        numbers, texts or lists of them. Decisions, pseudo-labels and other parameters,
        such as classifiers, are left out.

        Examples
        --------
        >>> from orangecontrib.sadd.core import MDLPDiscretizer
        >>> mdlp = MDLPDiscretizer().fit([[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5)
        >>> MDLPDiscretizer.from_json(mdlp.to_json()).transform([[0], [9]])
        array([[0.],
               [1.]])
        """
        check_is_fitted(self)
        return replace(self.cuts_, about={
            "method": self.short_name,
            "parameters": plain_parameters(self.get_params(deep=False)),
            "named": self.cuts_.features is not None}).to_json()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """
        Return the fitted discretizer that `to_json` has written.

        Nothing in the text is executed. A wrong text raises a ValueError.

        Parameters
        ----------
        text : str
        """
        try:
            cuts = Cuts.from_json(text)
        except ValueError as error:
            raise ValueError(f"The text {error}") from error
        method = cuts.about.get("method", cls.short_name)
        if method != cls.short_name:
            raise ValueError(f"The cut points are those of {method}, and "
                             f"{cls.__name__} cannot take them.")
        given = cuts.about.get("parameters", {})
        parameters = {name: given[name] for name in cls().get_params() if name in given}
        if any(categories is None for categories in cuts.categories):
            parameters["missing"] = "interval" if cuts.missing else "ignore"
        discretizer = cls(**parameters)
        discretizer.check_parameters()
        discretizer.n_features_in_ = len(cuts)
        discretizer.categories_ = cuts.categories
        discretizer.categorical_features_ = np.array(
            [values is not None for values in cuts.categories], dtype=bool)
        if cuts.features is not None:
            discretizer.feature_names_in_ = np.array(cuts.features, dtype=object)
        discretizer.cuts_ = cuts
        return discretizer

    def _find_cuts(self, rows, callback):
        """
        Find the cuts of numeric features.

        Returns
        -------
        columns : iterable of tuple
            Of each feature, its cuts, counts unless they are many, weights of classes
            where it is missing, information and range.
        decided : Decided or None
        """
        n_classes, sorters = len(rows.labels.classes), Sorters()

        def cut(block):
            return [self._cut_column(cells) for cells in cells_of(
                block.columns, block.classes, block.weights, n_classes, sorters)]

        return chain.from_iterable(self._map_blocks(cut, rows, callback)), None

    def _cut_column(self, cells):
        cuts = self._column_cuts(cells) if len(cells.values) else np.zeros(0)
        counts, information = cells.count(cuts, limited=True)
        return cuts, counts, cells.missing.copy(), information, cells.range

    def _map_blocks(self, function, rows, callback):
        """Apply a function to blocks of columns, in threads if they are large."""
        blocks = rows.blocks(callback)
        return map_in_threads(
            function, blocks, self.n_jobs if rows.n_cells >= MANY_CELLS else 1)

    def _column_cuts(self, cells):
        """Return the cuts of a column, given its `Cells`, of one value or more."""
        raise NotImplementedError
