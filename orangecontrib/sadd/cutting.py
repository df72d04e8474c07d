"""From rows to cut points: all columns of a table at once.

`Discretized` holds the cuts, the rows that they were found in, and the reason if there
are no cuts. Preprocessors apply it, and widgets show it.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import Domain, Table, Variable

from orangecontrib.sadd.core.cuts import assign_intervals, contingency
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.intervals.evidence import CountedIntervals, interval_table
from orangecontrib.sadd.core.pseudolabels.labellers import PseudoLabels
from orangecontrib.sadd.core.registry import DISCRETIZERS, method_of
from orangecontrib.sadd.core.splitting.criterion import Decision
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import Callback, Integers
from orangecontrib.sadd.intervals import apply_cuts, discretized_variable
from orangecontrib.sadd.labelling import as_labeller
from orangecontrib.sadd.tables import Rows, dense

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Discretized", "check_class", "counts_of", "find_cuts"]


@dataclass(frozen=True, eq=False)
class Discretized:
    """
    Results of `find_cuts`.

    Attributes
    ----------
    rows : Rows
        Rows of the search.
    columns : ndarray of int
        Index, in ``rows.attributes``, of each numeric variable.
    cut_points : list of ndarray
        Cut points of each of these variables.
    mutual_information : ndarray of float64
        Between the intervals of each variable and the class, in bits; NaN if not
        computed.
    labels : PseudoLabels or None
        Pseudo-labels of the unlabelled rows, if the method uses them.
    reason : str
        Why no variable can be cut, in a sentence; empty if there is no obstacle.
    names : list or None
        For each variable the names of its intervals, or None for the usual ones.
    missing : bool
        Whether missing values have an interval of their own, the last one.
    ranges : ndarray, shape (n_variables, 2), or None
        The least and the largest finite value of each variable, if stored.
    fitted : Discretizer or None
        The discretizer of all attributes, if it was fitted.
    """

    rows: Rows
    columns: np.ndarray
    cut_points: list[np.ndarray]
    mutual_information: np.ndarray
    labels: PseudoLabels | None = None
    reason: str = ""
    names: list | None = None
    missing: bool = False
    ranges: np.ndarray | None = None
    fitted: Discretizer | None = None

    def with_n0(self, n0: float | None) -> "Discretized":
        """
        Return the cuts of SADD with another N0, without reading the rows again.

        Cuts must have been found with `store_decisions`.

        Parameters
        ----------
        n0 : float or None
            None for MDLP on the same rows.
        """
        if self.fitted is None:
            return self
        return self._follow(self.fitted.with_n0(n0))

    def _follow(self, fitted):
        """Take cuts and information from a fitted discretizer."""
        return replace(
            self, fitted=fitted,
            cut_points=[fitted.cut_points_[column] for column in self.columns],
            mutual_information=fitted.mutual_information_[self.columns],
            ranges=fitted.ranges_[self.columns])

    def decisions(self, index: int) -> list[Decision]:
        """Return the decisions of MDLP or SADD about a variable, if they are stored."""
        find = getattr(self.fitted, "decisions_about", None)
        return [] if find is None else find(self.columns[index])

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
            Whether to leave out variables with a single interval. They are kept if no
            other attribute is left, because Orange cannot predict without attributes.
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
        Return the evidence of each interval about the class.

        Labelled rows are counted by class, and unlabelled rows in a column of their
        own. See `orangecontrib.sadd.core.intervals.evidence.interval_table` for the
        columns.

        Parameters
        ----------
        classes : sequence of str
            Values of the class variable; empty without a class variable.
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
        Weight of rows. Unlabelled rows are the last row, and missing values the last
        column.
    missing : bool
        Whether missing values are an interval.
    names : sequence of str, optional
        Of intervals; by default the usual ones.
    """
    unlabelled = table[-1] if missing else table[-1, :-1]
    return CountedIntervals(
        var.name, names or discretized_variable(var, cuts, missing=missing).values,
        cuts, table[:-1, :-1], table[:-1, -1], unlabelled)


def check_class(domain: Domain, estimator: Discretizer) -> None:
    """
    Raise a ValueError if a method needs a class, and the data has none.

    A fold may lack labels, but the class variable is that of the whole data.

    Parameters
    ----------
    domain : Domain
    estimator : Discretizer
    """
    method = method_of(estimator)
    names = ", ".join(name for name, other in DISCRETIZERS.items()
                      if not other.uses_class)
    if method.uses_class and not domain.has_discrete_class:
        raise ValueError(
            f"{method.name} needs data with a single categorical class. Choose one, or "
            f"a method that needs none: {names}.")


def find_cuts(rows: Rows, estimator: Discretizer, labels: PseudoLabels | None = None,
              *, features: Integers | None = None, callback: Callback | None = None
              ) -> Discretized:
    """
    Find the cut points of all numeric variables.

    Data without enough rows, classes or values has no cuts.

    Parameters
    ----------
    rows : Rows
        From `orangecontrib.sadd.tables.read_rows`. Methods other than SADD use rows of
        the data only, and supervised methods labelled rows only.
    estimator : estimator
        Any of the discretizers in `orangecontrib.sadd.core`. It is not changed.
    labels : PseudoLabels, optional
        Of the unlabelled rows, if already computed; from `labelling.label_rows`.
    features : ndarray of int, optional
        The variables to be cut, by default all numeric ones.
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
    if features is None:
        features = np.flatnonzero(~rows.categorical)
    reason = _obstacle(rows, features, method)
    if reason:
        return Discretized(rows, features, [np.zeros(0)] * len(features),
                           np.full(len(features), np.nan), None, reason,
                           missing=estimator.missing == "interval",
                           ranges=np.full((len(features), 2), np.nan))
    data = rows.as_data(method.uses_class, features)
    if labels is not None:
        data.use_labels(labels, estimator.min_confidence)
    # Neither clone nor set_params, which take Orange's learners for estimators
    fitted = copy(estimator).set_features(rows.categories)
    if method.uses_unlabelled:
        fitted.labeller = as_labeller(estimator.labeller, rows.attributes)
    with use_threads():
        fitted.fit_data(data, callback)
    return Discretized(
        rows, features, [], np.zeros(0), data.pseudo_labels,
        missing=estimator.missing == "interval", fitted=fitted)._follow(fitted)


def _obstacle(rows, features, method):
    """Return the reason why no variable can be cut, or an empty text."""
    if not len(features):
        return "There are no numeric variables."
    if not method.uses_class:
        return "" if rows.data_weights.any() else "There are no rows."
    if not rows.has_class:
        return f"{method.name} needs data with a categorical class."
    if not rows.labelled.any():
        return "There are no labelled rows."
    if np.ptp(rows.y[rows.labelled]) == 0:
        return "All labelled rows are of the same class."
    return ""
