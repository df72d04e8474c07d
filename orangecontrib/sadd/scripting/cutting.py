"""From rows to cut points: all columns of a table at once.

`Discretized` holds the cuts, the rows that they were found in, and the reason if there
are no cuts. Preprocessors apply it, and widgets show it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from Orange.data import Domain, Table, Variable

from orangecontrib.sadd.core.cuts import assign_intervals, contingency
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.intervals.evidence import CountedIntervals, interval_table
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.methods.criterion import Decision
from orangecontrib.sadd.core.registry import DISCRETIZERS, method_of
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import Callback, Floats, Integers
from orangecontrib.sadd.scripting.intervals import discretized_variable
from orangecontrib.sadd.scripting.labelling import summarize, with_labeller
from orangecontrib.sadd.scripting.tables import Rows, dense

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Discretized", "check_class", "find_cuts"]


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
    labels : PseudoLabels or None
        Pseudo-labels of the unlabelled rows, if the method uses them.
    reason : str
        Why no variable can be cut, in a sentence; empty if there is no obstacle.
    names : list or None
        For each variable the names of its intervals, or None for the usual ones.
    missing : bool
        Whether missing values have an interval of their own, the last one.
    fitted : Discretizer or None
        The discretizer of all attributes; None for cuts from a file.
    exempt : mapping
        Index of each variable that is not discretized, and the variable itself, or None
        if it is removed; see `treatments.treat`.
    """

    rows: Rows
    columns: np.ndarray
    cut_points: list[np.ndarray]
    labels: PseudoLabels | None = None
    reason: str = ""
    names: list | None = None
    missing: bool = False
    fitted: Any = None
    exempt: Mapping[int, Variable | None] = field(default_factory=dict)

    def with_n0(self, n0: float | None) -> "Discretized":
        """
        Return the cuts of SADD with another N0, without reading the rows again.

        Cuts must have been found with `store_decisions`.

        Parameters
        ----------
        n0 : float or None
            None for MDLP on the same rows.
        """
        fitted = self.fitted.with_n0(n0)
        return replace(self, fitted=fitted, cut_points=[
            fitted.cut_points_[column] for column in self.columns])

    @property
    def mutual_information(self) -> Floats:
        """Between intervals and class, in bits; NaN if not computed."""
        return np.full(len(self.columns), np.nan) if self.fitted is None \
            else self.fitted.mutual_information_[self.columns]

    @property
    def ranges(self) -> Floats:
        """The least and the largest finite value of each variable; NaN if unknown."""
        return np.full((len(self.columns), 2), np.nan) if self.fitted is None \
            else self.fitted.ranges_[self.columns]

    @property
    def labelling(self) -> PseudoLabels | None:
        """Summary of the pseudo-labels; None if there are none."""
        return None if self.labels is None \
            else summarize(self.labels, self.rows, self.fitted.min_confidence)

    def decisions(self, index: int) -> list[Decision]:
        """Return the decisions of MDLP or SADD about a variable, if they are stored."""
        return self.fitted.decisions_about(self.columns[index]) \
            if self.fitted.makes_decisions else []

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
            It must have the attributes of the rows.
        remove_const : bool
            Whether to leave out variables with a single interval. They are kept if no
            other attribute is left, because Orange cannot predict without attributes.
            An interval of missing values counts if there were any.

        Returns
        -------
        Table
        """
        attributes = list(self.rows.attributes)
        n_constant = sum(map(self._is_constant, self.columns, self.cut_points))
        remove_const = remove_const and n_constant < len(attributes)
        for column, cuts, names in zip(
                self.columns, self.cut_points, self._names(), strict=True):
            if column in self.exempt:
                attributes[column] = self.exempt[column]
            elif remove_const and self._is_constant(column, cuts):
                attributes[column] = None
            else:
                attributes[column] = discretized_variable(
                    attributes[column], cuts, names, self.missing)
        return data.transform(Domain(
            [var for var in attributes if var is not None], data.domain.class_vars,
            data.domain.metas))

    def _names(self):
        return self.names or [None] * len(self.columns)

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
        found = []
        for var, column, cuts, names in zip(self.variables, self.columns,
                                            self.cut_points, self._names(),
                                            strict=True):
            codes = assign_intervals(
                dense(rows.X[:, [column]]).ravel(), cuts, missing=True)
            # Unlabelled rows are the last row, and missing values the last column
            table = contingency(
                codes, classes, n_classes + 1, rows.weights, len(cuts) + 2)
            found.append(CountedIntervals(
                var.name, names or discretized_variable(
                    var, cuts, missing=self.missing).values, cuts,
                table[:-1, :-1], table[:-1, -1],
                table[-1] if self.missing else table[-1, :-1]))
        return found

    def codes(self, X: np.ndarray) -> np.ndarray:
        """Return the intervals and categories of rows, for all attributes."""
        codes = X.copy()
        for column, cuts in zip(self.columns, self.cut_points, strict=True):
            codes[:, column] = assign_intervals(X[:, column], cuts, self.missing)
        return codes


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
        From `orangecontrib.sadd.scripting.tables.read_rows`. Methods other than SADD
        use rows of the data only, and supervised methods labelled rows only.
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
    >>> from orangecontrib.sadd.scripting.tables import read_rows
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
    if reason:  # no variable is discretized
        data = rows.as_data(False, features[:0]).without_labels()
    else:
        data = rows.as_data(method.uses_class, features)
        if labels is not None:
            data.use_labels(labels, estimator.min_confidence)
    fitted = with_labeller(estimator, rows.attributes).set_features(rows.categories)
    with use_threads():
        fitted.fit_data(data, callback)
    return Discretized(
        rows, features, [fitted.cut_points_[feature] for feature in features],
        data.pseudo_labels, reason, missing=estimator.missing == "interval",
        fitted=fitted)


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
