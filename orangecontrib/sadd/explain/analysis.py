"""What a discretization does to a table, step by step.

`Analysis` remembers each step, so that a user who changes a parameter waits only for
the steps that depend on it: pseudo-labels do not depend on N0, nor does a method depend
on the one that it is compared with. Nothing here knows of a user interface.
"""

from dataclasses import replace
from functools import cached_property, lru_cache, partial

import numpy as np
from Orange.data import Domain
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.cuts import assign_intervals, contingency
from orangecontrib.sadd.cutting import counts_of, find_cuts
from orangecontrib.sadd.explain.picture import IntervalCounts, draw, make_thumbnail
from orangecontrib.sadd.labelling import label_rows
from orangecontrib.sadd.tables import dense, labelled_classes, match_columns, read_rows

__all__ = ["Analysis", "find_obstacle"]

# Results that are kept in case the user returns to earlier parameters
KEPT_RESULTS = 6

# Cells of a table that is cut in a moment
SMALL = 300_000


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
    >>> from orangecontrib.sadd.explain.parameters import Parameters
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
        self._thumbnails = {}

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

    @property
    def is_small(self):
        """Whether cuts are found fast enough to be shown while a slider moves."""
        n_rows = len(self.data) + (0 if self.given_pool is None
                                   else len(self.given_pool))
        return n_rows * len(self.variables) <= SMALL

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
        sadd = replace(parameters, method="SADD", values={})
        return _remembered(self._labels, parameters.of_labels, lambda: label_rows(
            self.rows, sadd.estimator(), callback))

    def find_cuts(self, parameters, callback=dummy_callback):
        """Find the cuts of all variables, as a `Discretized`, and count rows there."""
        def find():
            labels = None
            if parameters.uses_unlabelled:
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

    def counted(self, index, cuts):
        """Return the rows between any cuts of a variable as `CountedIntervals`."""
        table = self.count(index, cuts).table
        missing = np.maximum(self._class_totals - table.sum(axis=1), 0)
        return counts_of(self.variables[index], np.asarray(cuts, dtype=np.float64),
                         np.column_stack((table, missing)), missing=False)

    @cached_property
    def _class_totals(self):
        return np.bincount(
            self._codes, self.rows.weights, len(self.class_var.values) + 1)

    @cached_property
    def _counted(self):
        # All that one result needs, for each result that is kept
        return lru_cache(KEPT_RESULTS * len(self.variables) * 2)(
            partial(_count, self.rows, self._codes, len(self.class_var.values) + 1))

    def picture(self, index, labels, min_confidence=0):
        """
        Return the picture of a variable; None if no value is finite.

        Parameters
        ----------
        index : int
        labels : PseudoLabels or None
        min_confidence : float
            Unlabelled rows below this confidence are left out.
        """
        return _remembered(self._pictures, (index, min_confidence, labels), lambda:
                           self._draw(index, labels, min_confidence))

    def _draw(self, index, labels, min_confidence):
        values, weights = self.column(index), self.rows.weights
        classes, unlabelled = self.classes(labels, min_confidence)
        use = classes >= 0
        if not use.all():
            values, classes, unlabelled = values[use], classes[use], unlabelled[use]
            weights = None if weights is None else weights[use]
        return draw(values, classes, len(self.class_var.values), unlabelled, weights)

    def thumbnails(self, labels, min_confidence=0, callback=dummy_callback):
        """
        Return a `Thumbnail` of each variable, or None if no value is finite.

        Parameters
        ----------
        labels, min_confidence
            As for `picture`.
        callback : callable
        """
        def make():
            classes, _ = self.classes(labels, min_confidence)
            made, n_variables = [], len(self.variables)
            for index in range(n_variables):
                callback(index / n_variables)
                made.append(make_thumbnail(
                    self.column(index), classes, len(self.class_var.values),
                    self.rows.weights))
            return made

        return _remembered(self._thumbnails, (min_confidence, labels), make)

    def classes(self, labels, min_confidence=0):
        """
        Return the class of each row, and which of them is a pseudo-label.

        Parameters
        ----------
        labels : PseudoLabels or None
        min_confidence : float

        Returns
        -------
        classes : ndarray of int
            Below 0 for unlabelled rows whose pseudo-label is not trusted.
        unlabelled : ndarray of bool
        """
        classes, unlabelled = self._codes, np.isnan(self.rows.y)
        if labels is not None:
            classes = classes.copy()
            classes[unlabelled] = labels.trusted_classes(min_confidence)
        return classes, unlabelled


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
