"""What a discretization does to a table, step by step, and all that a window shows.

`Analysis` remembers each step, so that a user who changes a parameter waits only for
the steps that depend on it: pseudo-labels do not depend on N0, nor does a method depend
on the one that it is compared with. Nothing here knows of a user interface.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

import numpy as np
from Orange.data import Domain
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.contingency import contingency
from orangecontrib.sadd.core.cuts import assign_intervals
from orangecontrib.sadd.core.pseudolabels.labellers import PseudoLabels
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.cutting import Discretized, find_cuts
from orangecontrib.sadd.explain.outputs import make_outputs
from orangecontrib.sadd.explain.picture import IntervalCounts, draw
from orangecontrib.sadd.labelling import Labelling, label_rows
from orangecontrib.sadd.tables import dense, labelled_classes, match_columns, read_rows

__all__ = ["Analysis", "Findings", "Parameters", "find", "find_obstacle"]

# Results that are kept in case the user returns to earlier parameters
KEPT_RESULTS = 6


@dataclass(frozen=True)
class Parameters:
    """The name of a method, and the parameters of SADD."""

    method: str = "SADD"
    k: int | str = "auto"
    n0: float = 2000
    normalize: bool = True
    labeller: object = "neighbours"
    min_confidence: float = 0

    @property
    def of_labels(self):
        """The parameters on which pseudo-labels depend."""
        return self.labeller, self.k, self.normalize

    @property
    def of_sadd(self):
        """Names and values of the parameters of SADD."""
        return {name: value for name, value in vars(self).items() if name != "method"}

    @property
    def key(self):
        """The parameters on which cuts depend."""
        if not DISCRETIZERS[self.method].uses_unlabelled:
            return (self.method,)
        return self.method, self.n0, self.min_confidence, *self.of_labels

    def estimator(self):
        """Return the estimator, which keeps its decisions if it makes any."""
        parameters = {}
        if DISCRETIZERS[self.method].uses_unlabelled:
            parameters = self.of_sadd
        estimator = make_discretizer(self.method, **parameters)
        if hasattr(estimator, "store_decisions"):
            estimator.store_decisions = True
        return estimator


def find_obstacle(data, *, discretize=True):
    """
    Return why nothing can be learned from a table, as a word.

    Parameters
    ----------
    data : Table
    discretize : bool
        Whether numeric attributes are needed; if not, any attributes will do.

    Returns
    -------
    str
        "no_class", "no_numeric", "no_rows", "all_unlabelled", "one_class",
        "no_attributes", or "" if there is no obstacle.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> find_obstacle(iris[:50])
    'one_class'
    >>> find_obstacle(iris)
    ''
    """
    attributes = data.domain.attributes
    if not data.domain.has_discrete_class:
        return "no_class"
    if discretize and not any(var.is_continuous for var in attributes):
        return "no_numeric"
    if not len(data):
        return "no_rows"
    classes = labelled_classes(data)
    if not len(classes):
        return "all_unlabelled"
    if np.all(classes == classes[0]):
        return "one_class"
    return "" if attributes else "no_attributes"


class Analysis:
    """
    A table with a pool of unlabelled rows, and what discretization does to them.

    Parameters
    ----------
    data : Table
        It must have no obstacle; see `find_obstacle`.
    pool : Table, optional
        Unlabelled rows.

    Attributes
    ----------
    variables : list of ContinuousVariable
        The numeric attributes. All methods take the index of one of them.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> analysis = Analysis(iris[::2], iris)
    >>> cuts = analysis.find_cuts(Parameters()).cut_points
    >>> [len(points) + 1 for points in cuts]
    [5, 4, 4, 4]
    >>> [round(analysis.count(i, points).share, 2) for i, points in enumerate(cuts)]
    [0.44, 0.34, 0.87, 0.9]
    """

    def __init__(self, data, pool=None):
        self.data = data
        self.given_pool = pool
        self.class_var = data.domain.class_var
        attributes = data.domain.attributes
        self._columns = [i for i, var in enumerate(attributes) if var.is_continuous]
        self.variables = [attributes[column] for column in self._columns]
        self._labels = {}
        self._found = {}
        self._pictures = {}

    @cached_property
    def _matched_pool(self):
        pool, attributes = self.given_pool, self.data.domain.attributes
        if pool is None:
            return None, ()
        X, missing = match_columns(pool, attributes)
        if len(missing) == len(attributes):
            return None, missing
        matched = pool.transform(Domain((), None, pool.domain.metas))
        # Not Table.from_numpy, which writes NaN over infinite values, even of the pool
        with matched.unlocked_reference():
            matched.domain = Domain(
                attributes, self.data.domain.class_vars, pool.domain.metas)
            matched.X, matched.Y = X, np.full(len(pool), np.nan)
        return matched, missing

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
        return read_rows(self.data, self.pool)

    @cached_property
    def missing_shares(self):
        """The fraction of missing values of each variable."""
        return np.array([np.isnan(self.column(index)).mean()
                         for index in range(len(self.variables))])

    @cached_property
    def n_labelled(self):
        """The number of labelled rows."""
        return int(np.count_nonzero(~np.isnan(self.rows.y)))

    @property
    def n_unlabelled(self):
        """The number of unlabelled rows."""
        return len(self.rows) - self.n_labelled

    @cached_property
    def _codes(self):
        """The class of each row; the number of classes for unlabelled rows."""
        return np.where(np.isnan(self.rows.y), len(self.class_var.values), self.rows.y
                        ).astype(np.int64)

    def column(self, index):
        """Return the values of a variable for all rows."""
        return _values(self.rows, self._columns[index])

    def labels(self, parameters, callback=dummy_callback):
        """Return the pseudo-labels; None if no row is unlabelled."""
        if not self.n_unlabelled:
            return None
        sadd = replace(parameters, method="SADD")
        return _remembered(self._labels, parameters.of_labels, lambda: label_rows(
            self.rows, sadd.estimator(), callback))

    def find_cuts(self, parameters, callback=dummy_callback):
        """Find the cuts of all variables, as a `Discretized`, and count rows there."""
        def find():
            labels = None
            if DISCRETIZERS[parameters.method].uses_unlabelled:
                labels = self.labels(parameters, wrap_callback(callback, end=0.5))
            return find_cuts(self.rows, parameters.estimator(), labels,
                             callback=wrap_callback(callback, start=0.5, end=0.8))

        found = _remembered(self._found, parameters.key, find)
        counting = wrap_callback(callback, start=0.8)
        for index, cuts in enumerate(found.cut_points):
            counts = self.count(index, cuts)
            _ = counts.information, counts.share  # now, in the thread that computes
            counting((index + 1) / len(self.variables))
        return found

    def count(self, index, cuts):
        """Return the `IntervalCounts` between any cuts of a variable."""
        return self._counted(self._columns[index], tuple(cuts))

    @cached_property
    def _counted(self):
        # All that one result needs, for each result that is kept
        return lru_cache(KEPT_RESULTS * len(self.variables) * 2)(
            partial(_count, self.rows, self._codes, len(self.class_var.values) + 1))

    def picture(self, index, labels):
        """
        Return the picture of a variable; None if no value is finite.

        Parameters
        ----------
        index : int
        labels : PseudoLabels or None
        """
        key = index, None if labels is None else (labels.k, id(labels))
        return _remembered(self._pictures, key, lambda: self._draw(index, labels))

    def _draw(self, index, labels):
        unlabelled = np.isnan(self.rows.y)
        classes = self._codes
        if labels is not None:
            classes = classes.copy()
            classes[unlabelled] = labels.classes
        return draw(self.column(index), classes, len(self.class_var.values), unlabelled,
                    self.rows.weights)


def _values(rows, column):
    return dense(rows.X[:, [column]]).ravel()


def _count(rows, codes, n_codes, column, cuts):
    intervals = assign_intervals(_values(rows, column), cuts)
    return IntervalCounts(
        contingency(intervals, codes, n_codes, rows.weights, len(cuts) + 1))


def _remembered(results, key, compute):
    """Return a result that is known already, or compute it and forget the oldest."""
    # Each step is atomic: a picture may be drawn while cuts are being found
    result = results.pop(key, None)
    if result is None:
        result = compute()
        for oldest in list(results)[:max(0, len(results) + 1 - KEPT_RESULTS)]:
            results.pop(oldest, None)
    results[key] = result
    return result


@dataclass(frozen=True, eq=False)
class Findings:
    """
    The cuts of a method, and of the one that it is compared with.

    Attributes
    ----------
    analysis : Analysis
    parameters : Parameters
        Those of the method.
    labels : PseudoLabels or None
        None if no row is unlabelled.
    found : Discretized
        The cuts of the method, none of them edited.
    compared : Discretized or None
    compared_method : str
        Empty if there is none.
    """

    analysis: Analysis
    parameters: Parameters
    labels: PseudoLabels | None
    found: Discretized
    compared: Discretized | None = None
    compared_method: str = ""

    @property
    def labelling(self):
        """The labels in a few numbers; None if there are none."""
        return Labelling.of(self.labels, self.parameters.min_confidence)


def find(analysis, parameters, compared_method, edited, make_step, *,
         with_outputs=True, remove_const=True):
    """
    Find cuts and, if wanted, make the tables that the widget sends.

    Parameters
    ----------
    analysis : Analysis
    parameters : Parameters
    compared_method : str
        The method to compare with; empty for none.
    edited : dict of int to list of float
        Cuts that replace those of the method in the outputs, by index of the variable.
    make_step : callable
        Called with the fraction done before and after a step, and its name; returns
        the callback for the step, which may raise an exception to stop the work.
    with_outputs : bool
        Whether to make the outputs.
    remove_const : bool
        Whether to leave out variables with a single interval there.

    Returns
    -------
    findings : Findings
    outputs : Outputs or None
    """
    make_step(0, 0, "Reading data...")
    _ = analysis.missing_shares  # remembered for messages
    labels = analysis.labels(parameters, make_step(0, .6, "Labelling rows..."))
    found = analysis.find_cuts(parameters, make_step(.6, .75, "Cutting..."))
    compared = outputs = None
    if compared_method:
        compared = analysis.find_cuts(
            replace(parameters, method=compared_method),
            make_step(.75, .85, "Comparing..."))
    for index, cuts in edited.items():
        analysis.count(index, cuts)  # remembered for the table of variables
    if with_outputs:
        cuts = [edited.get(index, cuts) for index, cuts in enumerate(found.cut_points)]
        outputs = make_outputs(
            analysis, replace(found, cut_points=cuts), parameters, remove_const,
            make_step(.85, 1, "Making tables..."))
    return Findings(
        analysis, parameters, labels, found, compared, compared_method), outputs
