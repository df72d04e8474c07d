"""What a discretization does to data, step by step, for those who want to see it.

`Analysis` remembers each step, so that whoever changes a parameter waits only for the
steps that depend on it: pseudo-labels do not depend on N0, nor does a method depend on
the one it is compared with. Nothing here knows of a user interface.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from Orange.data import Domain, Table
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.core.splitting.criterion import entropy, mutual_information
from orangecontrib.sadd.cutting import Discretized, find_cuts, label_rows
from orangecontrib.sadd.explain.picture import draw
from orangecontrib.sadd.tables import dense, labelled_classes, match_columns, read_rows

__all__ = ["Analysis", "Explained", "Parameters", "find_obstacle", "share_kept"]

# Results that are kept for the case that a user changes his mind
KEPT_RESULTS = 6


@dataclass(frozen=True)
class Parameters:
    """Parameters of SADD, and the name of the method."""

    method: str = "SADD"
    k: int | str = "auto"
    n0: float = 2000
    normalize: bool = True

    @property
    def neighbours(self):
        """What pseudo-labels depend on."""
        return self.k, self.normalize

    @property
    def key(self):
        """What cuts depend on."""
        if not DISCRETIZERS[self.method].uses_unlabelled:
            return (self.method,)
        return self.method, self.n0, *self.neighbours

    def with_method(self, method):
        """The same with another method."""
        return replace(self, method=method)

    def estimator(self):
        """The estimator, which keeps its decisions if it takes any."""
        parameters = {}
        if DISCRETIZERS[self.method].uses_unlabelled:
            parameters = {"k": self.k, "n0": self.n0, "normalize": self.normalize}
        estimator = make_discretizer(self.method, **parameters)
        if hasattr(estimator, "store_decisions"):
            estimator.set_params(store_decisions=True)
        return estimator


def find_obstacle(data):
    """
    Tell why a table cannot be discretized with regard to its class.

    Returns
    -------
    str
        "no_class", "no_numeric", "no_rows", "all_unlabelled", "one_class", or "".

    Examples
    --------
    >>> iris = Table("iris")
    >>> find_obstacle(iris[:50])
    'one_class'
    >>> find_obstacle(iris)
    ''
    """
    if not data.domain.has_discrete_class:
        return "no_class"
    if not any(var.is_continuous for var in data.domain.attributes):
        return "no_numeric"
    if not len(data):
        return "no_rows"
    classes = labelled_classes(data)
    if not len(classes):
        return "all_unlabelled"
    return "one_class" if np.all(classes == classes[0]) else ""


@dataclass(frozen=True, eq=False)
class Explained:
    """
    Cut points of all numeric variables, and what is left of the information.

    Attributes
    ----------
    found : Discretized
    counts : list of ndarray, shape (n_classes + 1, n_intervals)
        For each variable the rows of each class in each interval; unlabelled ones are
        in the last row.
    """

    found: Discretized
    counts: list[np.ndarray]

    @cached_property
    def information(self):
        """Information about the class kept by each variable, in bits."""
        return np.array([mutual_information(counts[:-1]) for counts in self.counts])

    @cached_property
    def share(self):
        """The same as a share of the class entropy."""
        return np.array([share_kept(counts) for counts in self.counts])

    @property
    def cut_points(self):
        """Cut points of each variable."""
        return self.found.cut_points

    def edited(self, cut_points, counts):
        """
        Replace the cut points of some variables.

        Parameters
        ----------
        cut_points : dict
            By index of the variable.
        counts : dict
            As the attribute, for the same variables.
        """
        def replaced(values, new):
            return [new.get(index, value) for index, value in enumerate(values)]

        found = replace(self.found, cut_points=replaced(self.cut_points, cut_points))
        return Explained(found, replaced(self.counts, counts))


def share_kept(counts):
    """Mutual information of classes and intervals as a share of the class entropy."""
    whole = entropy(counts[:-1].sum(axis=1))
    return float(mutual_information(counts[:-1]) / whole) if whole > 0 else 0.


class Analysis:
    """
    Discretization of a table, and all that can be told about it.

    Parameters
    ----------
    data : Table
        It must have no obstacle; see `find_obstacle`.
    pool : Table, optional
        Unlabelled rows.

    Examples
    --------
    >>> iris = Table("iris")
    >>> analysis = Analysis(iris[::2], iris)
    >>> explained = analysis.explain(Parameters())
    >>> [len(cuts) + 1 for cuts in explained.cut_points]
    [5, 4, 4, 4]
    >>> explained.share.round(2)
    array([0.43, 0.34, 0.87, 0.9 ])
    """

    def __init__(self, data, pool=None):
        self.data = data
        self.given_pool = pool
        self.class_var = data.domain.class_var
        self._labels = {}
        self._explained = {}
        self._pictures = {}

    @cached_property
    def _matched_pool(self):
        if self.given_pool is None:
            return None, ()
        attributes = self.data.domain.attributes
        X, missing = match_columns(self.given_pool, attributes)
        if len(missing) == len(attributes):
            return None, missing
        pool = self.given_pool
        domain = Domain(attributes, self.data.domain.class_vars, pool.domain.metas)
        matched = Table.from_numpy(
            domain, X, np.full((len(pool), 1), np.nan), pool.metas,
            pool.W if pool.has_weights() else None, ids=pool.ids)
        matched.name, matched.attributes = pool.name, pool.attributes
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
    def columns(self):
        """Index of each numeric attribute."""
        return np.flatnonzero(~self.rows.categorical)

    @cached_property
    def variables(self):
        """The numeric attributes."""
        return [self.rows.attributes[column] for column in self.columns]

    @cached_property
    def missing_shares(self):
        """Share of missing values of each numeric variable."""
        return np.array([np.isnan(self.column(index)).mean()
                         for index in range(len(self.columns))])

    @cached_property
    def n_labelled(self):
        """Number of labelled rows."""
        return int(np.count_nonzero(~np.isnan(self.rows.y)))

    @property
    def n_unlabelled(self):
        """Number of unlabelled rows."""
        return len(self.rows) - self.n_labelled

    @cached_property
    def _codes(self):
        """Class of each row, the number of classes for unlabelled rows."""
        return np.where(np.isnan(self.rows.y), len(self.class_var.values), self.rows.y
                        ).astype(np.int64)

    def column(self, index):
        """Values of a numeric variable for all rows."""
        return dense(self.rows.X[:, [self.columns[index]]]).ravel()

    def labels(self, parameters, callback=dummy_callback):
        """Give the pseudo-labels; None if no row is unlabelled."""
        if not self.n_unlabelled:
            return None
        return _remembered(
            self._labels, parameters.neighbours,
            lambda: label_rows(
                self.rows, parameters.with_method("SADD").estimator(), callback))

    def explain(self, parameters, callback=dummy_callback):
        """Find the cuts, and count the rows between them."""
        def find():
            labels = None
            if DISCRETIZERS[parameters.method].uses_unlabelled:
                labels = self.labels(parameters, wrap_callback(callback, end=0.5))
            found = find_cuts(self.rows, parameters.estimator(), labels,
                              callback=wrap_callback(callback, start=0.5, end=0.8))
            counting = wrap_callback(callback, start=0.8)
            counts = []
            for index, cuts in enumerate(found.cut_points):
                counts.append(self.count(index, cuts))
                counting((index + 1) / len(self.columns))
            explained = Explained(found, counts)
            _ = explained.information, explained.share  # now, while nobody waits
            return explained

        return _remembered(self._explained, parameters.key, find)

    def count(self, index, cuts):
        """Count rows between the cuts of a variable: see `Explained.counts`."""
        values = self.column(index)
        n_classes, n_intervals = len(self.class_var.values) + 1, len(cuts) + 1
        cells = np.searchsorted(cuts, values, side="right")
        cells += self._codes * n_intervals
        known, weights = ~np.isnan(values), self.rows.weights
        counts = np.bincount(cells[known], None if weights is None else weights[known],
                             minlength=n_classes * n_intervals)
        return counts.reshape(n_classes, n_intervals)

    def picture(self, index, labels):
        """
        Give the picture of a numeric variable; None if no value is known.

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


def _remembered(results, key, compute):
    """Give a result that is known already, or compute it and forget the oldest."""
    if key not in results:
        result = compute()
        while len(results) >= KEPT_RESULTS:
            results.pop(next(iter(results)), None)
        results[key] = result
    return results[key]
