"""Fitting of the naive Bayes family to rows that are labelled and discretized.

Weights of WANBIA, CAWNB and RNB are searched for by L-BFGS-B, with start, box, scale
and memory as in the code of the authors of RNB. The loss is not convex: another scale
or memory often ends in another minimum, lower or higher by up to tens of per cent, but
not with a more accurate classifier.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core.bayes.aiwnb import (
    LazyCounts,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.bayes.model import BayesModel
from orangecontrib.sadd.core.bayes.objective import (
    Objective,
    RowObjective,
    ShrunkObjective,
)
from orangecontrib.sadd.core.bayes.tables import (
    Tables,
    add_counts,
    count_codes,
    fit_tables,
    tables_from_counts,
)
from orangecontrib.sadd.core.exactsums import round_weights

__all__ = ["CodedRows", "PoolRows", "RowsInMemory", "coarse_weights", "fit_aiwnb",
           "fit_weights", "minimize_objective", "unique_groups"]

#: Class, and weight that is left out with each row
Group: TypeAlias = tuple[int, float]


class CodedRows(Protocol):
    """Rows that are labelled and discretized, wherever they are."""

    def tables(self) -> Tables:
        """Count and smooth."""

    def groups(self) -> list[Group]:
        """Return the classes and weights of rows, each once."""

    def objectives(self, model: str, loss: str, tables: Mapping[Group | None, Tables]
                   ) -> list[Objective]:
        """
        Return losses of a model and their gradients.

        Parameters
        ----------
        model, loss : str
            As for `fit_weights`.
        tables : dict
            By the group of rows that sees them; None stands for all rows.
        """


class PoolRows(NamedTuple):
    """
    Unlabelled rows that count in the tables.

    Attributes
    ----------
    codes : ndarray of float64, shape (n_rows, n_attributes)
    shares : ndarray of float64, shape (n_rows, n_classes)
        By how much a row counts in each class: its probabilities times its weight,
        rounded so that their sums are exact.
    """

    codes: np.ndarray
    shares: np.ndarray

    @classmethod
    def weighted(cls, codes, proba, weights, total):
        """Multiply by weights, which add up to a total with those of rows elsewhere."""
        if weights is not None:
            proba = proba * weights[:, None]
        return cls(codes, round_weights(proba, total))

    def count(self):
        """Count classes and values, as `count_codes`."""
        n_classes = self.shares.shape[1]
        counted = [count_codes(self.codes, np.full(len(self.codes), klass), n_classes,
                               self.shares[:, klass]) for klass in range(n_classes)]
        return add_counts(counted)


class RowsInMemory:
    """
    The form of `CodedRows` in memory.

    Parameters
    ----------
    codes : ndarray of float64, shape (n_rows, n_attributes)
        Integers from 0; NaN is a missing value.
    y : ndarray of int, shape (n_rows,)
        Indices of classes.
    n_classes : int
    sample_weight : ndarray of float64, shape (n_rows,), optional
        Will be rounded, so that sums of weights are exact.
    pool : PoolRows, optional
    """

    def __init__(self, codes, y, n_classes, sample_weight=None, pool=None):
        self.codes = codes
        self.y = y
        self.n_classes = n_classes
        self.weights = round_weights(sample_weight)
        self.pool = pool

    def tables(self):
        counts = count_codes(self.codes, self.y, self.n_classes, self.weights)
        if self.pool is not None:
            counts = add_counts([counts, self.pool.count()])
        return tables_from_counts(*counts)

    @cached_property
    def _group_of_row(self):
        weights = np.ones(len(self.y)) if self.weights is None \
            else coarse_weights(self.weights)
        return np.column_stack((self.y, weights))

    def groups(self):
        return unique_groups(self._group_of_row[self._group_of_row[:, 1] > 0])

    def objectives(self, model, loss, tables, total_weight=None):
        if total_weight is None:
            total_weight = len(self.y) if self.weights is None else self.weights.sum()
        columns = next(iter(tables.values())).encode(self.codes)
        found = []
        for group, seen in tables.items():
            rows = slice(None) if group is None \
                else (self._group_of_row == group).all(axis=1)
            found.append(RowObjective(
                seen, columns[rows], self.y[rows],
                None if self.weights is None else self.weights[rows], model=model,
                loss=loss, total_weight=total_weight))
        return found

    def with_pool_as_rows(self):
        """Return the same rows, with those of the pool once for each class."""
        if self.pool is None:
            return self
        codes, shares = self.pool
        row, klass = np.nonzero(shares)
        weights = np.ones(len(self.y)) if self.weights is None else self.weights
        return RowsInMemory(
            np.concatenate((self.codes, codes[row])), np.append(self.y, klass),
            self.n_classes, np.append(weights, shares[row, klass]))


def coarse_weights(weights):
    """
    Round weights down to three significant bits, so that few of them are different.

    Examples
    --------
    >>> coarse_weights(np.array([0.3, 1, 7, 9]))
    array([0.25, 1.  , 7.  , 8.  ])
    """
    fraction, exponent = np.frexp(weights)
    return np.ldexp(np.floor(8 * fraction) / 8, exponent)


def unique_groups(groups):
    """Return groups, an array of classes and weights, without duplicates, sorted."""
    return [(int(klass), float(weight))
            for klass, weight in np.unique(groups, axis=0).tolist()]


def fit_weights(rows, model, loss, max_iter, tol, shrinkage=0, callback=None):
    """
    Fit WANBIA, CAWNB or RNB.

    Parameters
    ----------
    rows : CodedRows
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"mse", "cll"}
    max_iter, tol
        As for `minimize_objective`.
    shrinkage : float
        As for `ShrunkObjective`; 0 for the loss as published.
    callback : callable, optional
        Called with the fraction of iterations done. May raise an exception to stop the
        work.

    Returns
    -------
    BayesModel
    """
    tables = rows.tables()
    if shrinkage:
        objective = ShrunkObjective(
            rows.objectives(model, loss, {
                group: tables.without_row(*group).centred()
                for group in rows.groups()}),
            tables.centred(), shrinkage)
    else:
        objective, = rows.objectives(model, loss, {None: tables})
    return minimize_objective(objective, max_iter, tol, callback and (
        lambda iteration, _: callback(iteration / max_iter)))


def fit_aiwnb(rows, instance_weighting):
    """
    Fit AIWNB.

    Parameters
    ----------
    rows : RowsInMemory
    instance_weighting : {"eager", "lazy"}

    Returns
    -------
    BayesModel
    """
    n_labelled, rows = len(rows.y), rows.with_pool_as_rows()
    tables = rows.tables()
    columns = tables.encode(rows.codes)
    weights = attribute_weights(tables, columns, rows.weights)
    if instance_weighting == "lazy":
        return BayesModel(tables, weights, lazy=LazyCounts(
            tables, columns, rows.y, rows.weights))
    by_row = eager_instance_weights(tables, columns)
    weighted = by_row if rows.weights is None else by_row * rows.weights
    return BayesModel(fit_tables(rows.codes, rows.y, rows.n_classes, weighted), weights,
                      instance_weights=by_row[:n_labelled])


def minimize_objective(objective, max_iter=100, tol=1e-7, callback=None):
    """
    Find the weights that minimize the loss, with L-BFGS-B in the box [0, 1].

    Parameters
    ----------
    objective : Objective
        Or anything with `tables`, `layout`, `total_weight` and `value_and_gradient`.
    max_iter : int
    tol : float
        The search ends when no projected derivative of the mean loss of a row is above
        this.
    callback : callable, optional
        Called with the number of iterations and the loss after each of them. May raise
        an exception to stop the work.

    Returns
    -------
    BayesModel

    Examples
    --------
    >>> import numpy as np
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = RowsInMemory(codes, y, 2)
    >>> objective, = rows.objectives("wanbia", "mse", {None: rows.tables()})
    >>> minimize_objective(objective).weights
    array([1., 1.])
    """
    layout = objective.layout
    history = []
    slope = None
    converged = False

    def evaluate(theta):
        nonlocal slope
        value, slope = objective.value_and_gradient(theta)
        if not history:
            history.append(value)
        return value, slope

    def after_iteration(intermediate_result):
        nonlocal converged
        history.append(float(intermediate_result.fun))
        if callback is not None:
            callback(len(history) - 1, history[-1])
        # The last evaluation is that of the point that has been accepted. scipy's own
        # test would compare distances from bounds, too, with a sum over rows.
        theta = intermediate_result.x
        step = np.clip(theta - slope / objective.total_weight, 0, 1) - theta
        if np.abs(step).max() <= tol and not is_plateau(history[-1]):
            converged = True
            raise StopIteration

    def is_plateau(loss):
        # A first step from many attributes may end where every posterior is 0 or 1,
        # so that derivatives vanish far from any minimum. Such a point is worse than
        # no attributes at all; L-BFGS-B, which looks at their sum, finds a way out.
        return loss > objective.value_and_gradient(np.zeros(layout.size))[0]

    if not layout.size:  # without attributes there is nothing to weight
        evaluate(layout.start)
        return BayesModel(
            objective.tables, *layout.unpack(layout.start), history[0],
            message="There are no parameters.", loss_history=np.array(history))
    # On products as small as these, threads wait longer than they compute
    with threadpool_limits(1, user_api="blas"):
        result = minimize(
            evaluate, layout.start, jac=True, method="L-BFGS-B",
            bounds=np.tile([0.0, 1.0], (layout.size, 1)), callback=after_iteration,
            options={"maxcor": 5, "ftol": 0, "gtol": tol,
                     "maxiter": max_iter, "maxfun": 50 * max_iter})
    message = "The gradient is zero within the tolerance." if converged \
        else str(result.message)
    return BayesModel(
        objective.tables, *layout.unpack(result.x), float(result.fun), int(result.nit),
        converged or bool(result.success), message, np.array(history))
