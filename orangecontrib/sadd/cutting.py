"""From rows to cut points: all columns of a table at once.

One object, `Discretized`, has the cuts, the rows that they were found from, and why
there may be none, for preprocessors to apply and for widgets to show.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, Table, Variable
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.cuts import assign_intervals, contingency
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.intervals.evidence import CountedIntervals, interval_table
from orangecontrib.sadd.core.labels import UNLABELLED
from orangecontrib.sadd.core.pseudolabels.labellers import PseudoLabels
from orangecontrib.sadd.core.registry import method_of
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import Callback
from orangecontrib.sadd.intervals import apply_cuts, discretized_variable
from orangecontrib.sadd.labelling import label_rows
from orangecontrib.sadd.tables import Rows, dense

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Discretized", "counts_of", "find_cuts"]

# Sparse columns are made dense in blocks of about this many cells
BLOCK_CELLS = 2 ** 22


@dataclass(frozen=True, eq=False)
class Discretized:
    """
    What `find_cuts` has found.

    Attributes
    ----------
    rows : Rows
        What it was found from.
    columns : ndarray of int
        Index, in ``rows.attributes``, of each numeric variable.
    cut_points : list of ndarray
        Cut points of each of these variables.
    mutual_information : ndarray of float64
        Between the intervals of each variable and the class, in bits; NaN if not known.
    decisions : list of list of Decision
        For each variable the decisions of MDLP and SADD, if asked for.
    labels : PseudoLabels or None
        Pseudo-labels of the unlabelled rows, if the method uses them.
    reason : str
        Why no variable can be cut, in a sentence; empty if there is no obstacle.
    names : list or None
        For each variable the names of its intervals, or None for the usual ones.
    missing : bool
        Whether missing values have an interval of their own, the last one.
    ranges : ndarray, shape (n_variables, 2), or None
        The least and the largest finite value of each variable, if known.
    """

    rows: Rows
    columns: np.ndarray
    cut_points: list[np.ndarray]
    mutual_information: np.ndarray
    decisions: list[list]
    labels: PseudoLabels | None = None
    reason: str = ""
    names: list | None = None
    missing: bool = False
    ranges: np.ndarray | None = None

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The numeric variables."""
        return tuple(self.rows.attributes[column] for column in self.columns)

    def transform(self, data: Table, remove_const: bool = True) -> Table:
        """
        Replace numeric attributes by their intervals.

        Parameters
        ----------
        data : Table
            Its attributes must be those of the rows.
        remove_const : bool
            Whether to leave out variables with a single interval. They stay if nothing
            else would be left, since Orange refuses to predict without attributes.
            An interval of missing values counts if there were any.

        Returns
        -------
        Table
        """
        cut_points = dict(zip(self.columns.tolist(), self.cut_points, strict=True))
        all_names = self.names or [None] * len(self.columns)
        names = dict(zip(self.columns.tolist(), all_names, strict=True))
        if len(cut_points) == len(self.rows.attributes):
            remove_const = remove_const and not all(
                self._is_constant(*pair) for pair in cut_points.items())
        attributes, sources, points = [], [], []
        for source, var in enumerate(self.rows.attributes):
            cuts = cut_points.get(source)
            if cuts is not None:
                if remove_const and self._is_constant(source, cuts):
                    continue
                var = discretized_variable(var, cuts, names[source], self.missing)
            attributes.append(var)
            sources.append(source)
            points.append(cuts)
        domain = Domain(attributes, data.domain.class_vars, data.domain.metas)
        return apply_cuts(data, domain, sources, points, self.missing)

    def _is_constant(self, column, cuts):
        """Return whether all rows are in one interval of a numeric attribute."""
        return not len(cuts) and not (
            self.missing and np.isnan(dense(self.rows.X[:, [column]])).any())

    def interval_table(self, classes: Sequence[str] = ()) -> "pd.DataFrame":
        """
        Return what each interval tells about the class.

        Labelled rows count for their class, unlabelled ones by themselves. See
        `orangecontrib.sadd.core.intervals.evidence.interval_table` for the columns.

        Parameters
        ----------
        classes : sequence of str
            Values of the class variable; none if there is no such variable.
        """
        return interval_table(self.counted(len(classes)), classes)

    def counted(self, n_classes: int = 0) -> list[CountedIntervals]:
        """Return the rows of each class in the intervals of each variable."""
        rows = self.rows
        if n_classes:
            classes = np.where(np.isnan(rows.y), n_classes, rows.y).astype(np.int64)
        else:
            n_classes, classes = 1, np.zeros(len(rows), dtype=np.int64)
        all_names = self.names or [None] * len(self.columns)
        found = []
        for var, column, cuts, names in zip(
                self.variables, self.columns, self.cut_points, all_names, strict=True):
            codes = assign_intervals(
                dense(rows.X[:, [column]]).ravel(), cuts, missing=True)
            table = contingency(
                codes, classes, n_classes + 1, rows.weights, len(cuts) + 2)
            found.append(counts_of(var, cuts, table, self.missing, names))
        return found

    def codes(self, rows: np.ndarray) -> np.ndarray:
        """Return the intervals and categories of some rows, for all attributes."""
        X = dense(self.rows.X[rows]).copy()
        for column, cuts in zip(self.columns, self.cut_points, strict=True):
            X[:, column] = assign_intervals(X[:, column], cuts, self.missing)
        return np.floor(X)  # a mean may have been imputed for a category


def counts_of(var: Variable, cuts: np.ndarray, table: np.ndarray, missing: bool,
              names: Sequence[str] | None = None) -> CountedIntervals:
    """
    Return a variable with the rows in its intervals, for `interval_table`.

    Parameters
    ----------
    var : ContinuousVariable
    cuts : ndarray of float64
    table : ndarray, shape (n_classes + 1, n_intervals + 1)
        Weight of rows: the last row is that of unlabelled ones, the last column that of
        missing values.
    missing : bool
        Whether missing values are an interval.
    names : sequence of str, optional
        Of intervals; by default the usual ones.
    """
    unlabelled = table[-1] if missing else table[-1, :-1]
    return CountedIntervals(
        var.name, names or discretized_variable(var, cuts, missing=missing).values,
        cuts, table[:-1, :-1], table[:-1, -1], unlabelled)


def find_cuts(rows: Rows, estimator: Discretizer, labels: PseudoLabels | None = None,
              *, callback: Callback | None = None) -> Discretized:
    """
    Find the cut points of all numeric variables.

    Never fails for want of rows, classes or values: there are no cuts then.

    Parameters
    ----------
    rows : Rows
        From `orangecontrib.sadd.tables.read_rows`. Methods other than SADD use rows of
        the data only, and those with a label if they need one.
    estimator : estimator
        Any of the discretizers in `orangecontrib.sadd.core`. It is not changed.
    labels : PseudoLabels, optional
        Of the unlabelled rows, if they are known already; from `labelling.label_rows`.
    callback : callable, optional
        Called with the fraction done, from 0 to 1. May raise an exception to stop
        the work.

    Returns
    -------
    Discretized

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.core import SADDDiscretizer
    >>> from orangecontrib.sadd.tables import read_rows
    >>> iris = Table("iris")
    >>> found = find_cuts(read_rows(iris[::2], iris), SADDDiscretizer())
    >>> [len(cuts) for cuts in found.cut_points]
    [4, 3, 3, 3]
    >>> found.rows.n_pool, found.labels.k
    (75, 5)
    """
    method = method_of(estimator)
    if callback is None:
        callback = dummy_callback
    columns = np.flatnonzero(~rows.categorical)
    use, reason = _usable(rows, columns, method)
    if reason:
        return Discretized(rows, columns, [np.zeros(0)] * len(columns),
                           np.full(len(columns), np.nan),
                           [[] for _ in columns], None, reason,
                           missing=estimator.missing == "interval",
                           ranges=np.full((len(columns), 2), np.nan))
    y = rows.y
    if estimator.uses_unlabelled and np.isnan(y).any():
        if labels is None:
            labels = label_rows(rows, estimator, wrap_callback(callback, end=0.5))
        callback = wrap_callback(callback, start=0.5)
        y = y.copy()
        y[np.isnan(y)] = labels.trusted_classes(estimator.min_confidence)
        use = use & (y != UNLABELLED)
    else:
        labels = None
    fitted = list(_fit_blocks(rows, columns, use, y, estimator, callback))
    return Discretized(
        rows, columns,
        [cuts for block in fitted for cuts in block.cut_points_],
        np.concatenate([block.mutual_information_ for block in fitted]),
        [decisions for block in fitted
         for decisions in getattr(block, "decisions_", [[]] * block.n_features_in_)],
        labels, missing=estimator.missing == "interval",
        ranges=np.concatenate([block.ranges_ for block in fitted]))


def _usable(rows, columns, method):
    """Return the rows that the method can use, and why no variable can be cut."""
    use, reason = rows.labelled, ""
    if not method.uses_class:
        use = np.arange(len(rows)) < rows.n_data
        if rows.weights is not None:
            use &= rows.weights > 0
    if not len(columns):
        reason = "There are no numeric variables."
    elif method.uses_class and not rows.has_class:
        reason = f"{method.name} needs data with a categorical class."
    elif not use.any():
        reason = "There are no labelled rows." if method.uses_class \
            else "There are no rows."
    elif method.uses_class and np.ptp(rows.y[use]) == 0:
        reason = "All labelled rows are of the same class."
    elif method.uses_unlabelled:
        use = np.ones(len(rows), dtype=bool)
    return use, reason


def _fit_blocks(rows, columns, use, y, estimator, callback):
    """Fit a discretizer to all columns or, if they are sparse, to some at a time."""
    X, weights = rows.X, rows.weights
    step = len(columns)
    if sp.issparse(X):
        step = max(1, BLOCK_CELLS // len(rows))
    if not use.all():
        X, y = X[use], y[use]
        weights = None if weights is None else weights[use]
    y = None if np.isnan(y).any() else y.astype(np.int64)
    estimator = copy(estimator)
    if estimator.uses_unlabelled:  # all rows have a label now
        # Neither clone nor set_params, which take Orange's learners for estimators
        estimator.unlabelled_label, estimator.labeller = None, "neighbours"
    for start in range(0, len(columns), step):
        block = columns[start:start + step]
        # A dense table of numbers is not copied
        cells = X if len(block) == X.shape[1] else X[:, block]
        with use_threads():
            fitted = copy(estimator).fit(
                dense(cells), y, weights,
                callback=wrap_callback(callback, start / len(columns),
                                       (start + len(block)) / len(columns)))
        yield fitted
