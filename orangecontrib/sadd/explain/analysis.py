"""Results about a table that SADD Discretize shows, computed step by step.

`Analysis` caches each step, so a change of a parameter repeats only the steps that
depend on it. For example, pseudo-labels do not depend on N0.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from Orange.data import Domain, Table
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import find_obstacle
from orangecontrib.sadd.core.methods.entropy import n0_steps
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.core.validation import dense
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.picture import Picture, Thumbnail, draw, make_thumbnail
from orangecontrib.sadd.scripting.cutting import find_cuts
from orangecontrib.sadd.scripting.labelling import label_rows, summarize
from orangecontrib.sadd.scripting.tables import (
    match_columns,
    rows_of,
    set_attributes,
    summarize_classes,
)
from orangecontrib.sadd.scripting.treatments import treat

__all__ = ["NO_CLASS", "Analysis", "Findings", "table_obstacle"]

# Results that are kept in case the user returns to earlier parameters
KEPT_RESULTS = 6

ROUNDING = 1e-9

# The class of unlabelled rows, for people, if no method predicts it
NO_CLASS = "no class"


def table_obstacle(data: Table, method: str | None = None) -> str:
    """
    Return a key for the reason why a table cannot be used.

    Parameters
    ----------
    data : Table
    method : str, optional
        The method of discretization. By default, a classifier.

    Returns
    -------
    str
        A key of `OBSTACLES` of core, or "" if there is no obstacle.

    Examples
    --------
    >>> iris = Table("iris")
    >>> table_obstacle(iris[:50], "SADD"), table_obstacle(iris[:50], "EW")
    ('one_class', '')
    """
    categorical = np.array([var.is_discrete for var in data.domain.attributes])
    return find_obstacle(summarize_classes(data), categorical,
                         DISCRETIZERS[method].estimator if method else None)


class Analysis:
    """
    A table, a pool of unlabelled rows, and their discretizations.

    Parameters
    ----------
    data : Table
        There must be no obstacle; see `table_obstacle`.
    pool : Table, optional
        Unlabelled rows.

    Attributes
    ----------
    variables : list of ContinuousVariable
        The numeric attributes. Methods take the index of one of them.
    has_classes : bool
        Whether rows of at least two classes are labelled.
    classes : tuple of str
        The names of the classes; a single one if `has_classes` is false.

    Examples
    --------
    >>> iris = Table("iris")
    >>> analysis = Analysis(iris[::2], iris)
    >>> [len(cuts) for cuts in analysis.find_cuts(Parameters()).cut_points]
    [4, 3, 3, 3]
    """

    def __init__(self, data: Table, pool: Table | None = None) -> None:
        self.data = data
        self.given_pool = pool
        self.has_classes = not table_obstacle(data)
        self.classes = data.domain.class_var.values if self.has_classes else ("rows",)
        attributes = data.domain.attributes
        self._columns = [i for i, var in enumerate(attributes) if var.is_continuous]
        self.variables = [attributes[column] for column in self._columns]
        self._kept: dict[str, dict[Any, Any]] = {}

    @cached_property
    def _matched_pool(self):
        pool, attributes = self.given_pool, self.data.domain.attributes
        if pool is None:
            return None, ()
        X, missing = match_columns(pool, attributes)
        if len(missing) == len(attributes):
            return None, missing
        domain = Domain(attributes, self.data.domain.class_vars, pool.domain.metas)
        return set_attributes(
            pool.transform(Domain((), None, domain.metas)), domain, X,
            np.full((len(pool), len(domain.class_vars)), np.nan)), missing

    @property
    def pool(self):
        """The pool with the attributes of the data, without labels; None if useless."""
        return self._matched_pool[0]

    @property
    def missing(self):
        """Attributes that the pool lacks."""
        return self._matched_pool[1]

    @cached_property
    def rows(self):
        """Rows of the data and of the pool."""
        return rows_of(self.data, self.pool)

    @cached_property
    def missing_shares(self):
        """The fraction of missing values of each variable."""
        return np.array([np.isnan(self.column(index)).mean()
                         for index in range(len(self.variables))])

    @cached_property
    def n_unlabelled(self):
        """The number of unlabelled rows."""
        return self.rows.labels.n_unlabelled

    def column(self, index):
        """Return the values of a variable for all rows."""
        return dense(self.rows.X[:, [self._columns[index]]]).ravel()

    def labels(self, parameters: Parameters, callback: Callable = dummy_callback
               ) -> PseudoLabels | None:
        """Return the pseudo-labels; None if there are none."""
        if not self.n_unlabelled or not self.has_classes:
            return None
        sadd = replace(parameters, method="SADD", values={})
        return self.keep("labels", parameters.of_labels, lambda: label_rows(
            self.rows, sadd.estimator(), callback))

    def find_cuts(self, parameters: Parameters, callback: Callable = dummy_callback
                  ) -> Cuts:
        """Return the cuts of all variables."""
        def find():
            labels = None
            if parameters.uses_unlabelled:
                labels = self.labels(parameters, wrap_callback(callback, end=0.5))
            return find_cuts(self.rows, parameters.estimator(), labels,
                             callback=wrap_callback(callback, start=0.5))

        return self.keep_any_n0("cuts", parameters, find)

    def treat(self, parameters: Parameters, treatments: Mapping,
              find: Callable[[Parameters], Cuts] | None = None
              ) -> tuple[Cuts, dict[str, bool]]:
        """Return cuts after treatments, and variables that are not discretized."""
        find = find or self.find_cuts
        return treat(find(parameters), self.variables, treatments,
                     lambda method: find(replace(parameters, method=method)))

    def keep_any_n0(self, kind: str, parameters: Parameters, find: Callable
                    ) -> Cuts:
        """Return cached cuts; for another N0, only their trees are read again."""
        n0 = parameters.numbers.get("n0")
        if n0 is None:
            return self.keep(kind, parameters.key, find)
        grown = self.keep(f"{kind}, any N0", parameters.with_n0(None).key, find)
        return self.keep(kind, parameters.key, lambda: grown.with_n0(n0))

    def keep(self, kind: str, key: Any, compute: Callable) -> Any:
        """Return a cached result, or compute it and drop the oldest one."""
        # Each step is atomic: a picture may be drawn while cuts are being found
        results = self._kept.setdefault(kind, {})
        result = results.pop(key, None)
        if result is None:
            result = compute()
            for oldest in list(results)[:max(0, len(results) + 1 - KEPT_RESULTS)]:
                results.pop(oldest, None)
        results[key] = result
        return result


def _possible_cuts(found, lowest, highest):
    """Return what N0 between two ends change; see `Findings.possible_cuts`."""
    steps = np.zeros(0) if found.decided is None \
        else n0_steps(found.decided.accepted.trees)
    steps = steps[(steps >= lowest) & (steps < highest)]
    low, high = steps[[0, -1]].tolist() if len(steps) else (lowest, lowest)
    # Rounding must not decide on which side of a step they are
    return low, high, *(sum(map(len, found.with_n0(end).cut_points)) for end in (
        low * (1 - ROUNDING), high * (1 + ROUNDING)))


@dataclass(frozen=True, eq=False)
class Findings:
    """
    The cuts of a method and of the compared method.

    Attributes
    ----------
    analysis : Analysis
    parameters : Parameters
    compared_parameters : Parameters or None
    treatments : mapping
        See `treat`.
    labels : PseudoLabels or None
        None if no row is unlabelled, or no method uses the class.
    found : Cuts
        The cuts of the method, without treatments.
    all_found : Cuts
        The cuts of the method with all pseudo-labels, at any confidence.
    compared : Cuts or None
    """

    analysis: Analysis
    parameters: Parameters
    compared_parameters: Parameters | None
    treatments: Mapping
    labels: PseudoLabels | None
    found: Cuts
    all_found: Cuts
    compared: Cuts | None

    @classmethod
    def of(cls, analysis: Analysis, parameters: Parameters,
           compared_parameters: Parameters | None = None,
           treatments: Mapping = MappingProxyType({}),
           callback: Callable = dummy_callback) -> "Findings":
        """Find the cuts."""
        labels = None
        if DISCRETIZERS[parameters.method].uses_class \
                or compared_parameters is not None \
                and compared_parameters.uses_unlabelled:
            labels = analysis.labels(parameters, wrap_callback(callback, end=.7))
        found = analysis.find_cuts(parameters, wrap_callback(callback, .7, .8))
        # The same cuts, from the cache, if no pseudo-label is ignored
        all_found = analysis.find_cuts(
            replace(parameters, min_confidence=0), wrap_callback(callback, .8, .9))
        compared = None if compared_parameters is None else analysis.find_cuts(
            compared_parameters, wrap_callback(callback, .9))
        return cls(analysis, parameters, compared_parameters, treatments, labels,
                   found, all_found, compared)

    @property
    def compared_method(self) -> str:
        """The name of the method to compare with; empty if there is none."""
        return "" if self.compared_parameters is None \
            else self.compared_parameters.method

    @property
    def labelling(self) -> PseudoLabels | None:
        """The pseudo-labels in a few numbers; None if there are none."""
        return summarize(
            self.labels, self.analysis.rows, self.parameters.min_confidence)

    @cached_property
    def treatment(self) -> tuple[Cuts, dict[str, bool]]:
        """The cuts after treatments, and variables that are not discretized."""
        return self.analysis.treat(self.parameters, self.treatments)

    @property
    def treated(self) -> Cuts:
        """The cuts after treatments."""
        return self.treatment[0]

    @cached_property
    def possible_cuts(self) -> tuple[float, float, int, int] | None:
        """
        What other N0 change; None if the method has no N0.

        These are the N0 above and below which the number of cuts changes, and the
        numbers of cuts beyond them.
        """
        n0 = DISCRETIZERS[self.parameters.method].parameters.get("n0")
        return None if n0 is None else self.analysis.keep(
            "possible", self.parameters.with_n0(None).key,
            lambda: _possible_cuts(self.found, n0.lowest, n0.highest))

    def ignored_cuts(self, index):
        """Return the cuts of a variable that depend on ignored pseudo-labels."""
        return np.setdiff1d(self.all_found.cut_points[index],
                            self.found.cut_points[index])

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of classes, with a name for rows without one if there are any."""
        analysis = self.analysis
        return (*analysis.classes, NO_CLASS) if analysis.has_classes \
            and analysis.n_unlabelled and self.labels is None else analysis.classes

    @cached_property
    def row_classes(self) -> tuple[np.ndarray, np.ndarray]:
        """
        The class of each row, and whether it is unlabelled.

        Unlabelled rows below the confidence have a negative class. Those without
        pseudo-labels have the last of `classes`.
        """
        analysis = self.analysis
        unlabelled = ~analysis.rows.labelled
        if not analysis.has_classes:
            return np.zeros(len(unlabelled), dtype=np.int64), np.zeros_like(unlabelled)
        classes = np.where(
            unlabelled, len(analysis.classes), analysis.rows.given)
        if self.labels is not None:
            classes[unlabelled] = self.labels.used_classes(
                self.parameters.min_confidence)
        return classes, unlabelled

    def picture(self, index: int) -> Picture | None:
        """Return the picture of a variable; None if no value is finite."""
        analysis = self.analysis
        return analysis.keep(
            "pictures", (index, self.labels, self.parameters.min_confidence),
            lambda: draw(analysis.column(index), *self.row_classes,
                         len(self.classes), analysis.rows.weights))

    def thumbnails(self, callback: Callable = dummy_callback
                   ) -> list[Thumbnail | None]:
        """Return the thumbnail of each variable; None if no value is finite."""
        analysis = self.analysis

        def make():
            made = []
            for index in range(len(analysis.variables)):
                callback(index / len(analysis.variables))
                made.append(make_thumbnail(
                    analysis.column(index), self.row_classes[0],
                    len(self.classes), analysis.rows.weights))
            return made

        return analysis.keep(
            "thumbnails", (self.labels, self.parameters.min_confidence), make)
