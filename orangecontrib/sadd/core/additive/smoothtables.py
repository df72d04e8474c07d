"""SADD Tables: an additive model with curves that are linear between knots.

The score of a class is an intercept plus one term a feature. The term of a numeric
feature is interpolated between its *knots*, the means of its intervals. The term of a
categorical feature is an entry a category. Missing and new values add 0.

The entries of all features lie below each other in one matrix, *theta*, with a column
a class. They are linear in coefficients B, which the penalty 1/2 |B|^2 keeps small.
Coefficients are a slope along the knots and a step at each cut, or an entry a category.
All are centred by the shares of rows. `Basis` computes theta from B and pulls gradients
back, in time linear in the number of entries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import log_softmax

from orangecontrib.sadd.core.additive.rowsums import (
    EncodedRows,
    by_class,
    differences,
    sum_rows,
)
from orangecontrib.sadd.core.arithmetic import assign_intervals, contingency
from orangecontrib.sadd.core.threads import one_blas_thread
from orangecontrib.sadd.core.types import Callback, Floats, Integers, Mask

__all__ = ["Axis", "Basis", "MeanLoss", "SmoothTables", "fit_tables", "measure_axes"]

# The slope does not grow beyond this many standard deviations from the mean
STEEPEST = 3

# L-BFGS estimates curvature by this many steps, or by fewer to save memory. With many
# intervals, many steps halve the number of iterations.
MAX_CORRECTIONS = 80
MEMORY_CELLS = 2 ** 23

# Squares of larger numbers might overflow
HUGE = 1e100


@dataclass(frozen=True, eq=False)
class Axis:
    """
    The values of a feature, where its table has entries.

    Attributes
    ----------
    knots : ndarray of float64, shape (n_entries,), or None
        Mean of each interval; None for a categorical feature.
    rows : ndarray of float64, shape (2, n_entries)
        Weight of labelled and of unlabelled rows in each interval or category.
    slope : ndarray of float64, shape (n_entries,)
        Knots in standard deviations from the mean; 0 for a categorical feature.
    """

    knots: Floats | None
    rows: Floats
    slope: Floats

    def __len__(self) -> int:
        return len(self.slope)

    @property
    def shares(self) -> Floats:
        """Share of each entry in the rows without missing values."""
        rows = self.rows.sum(axis=0)
        return rows / max(rows.sum(), np.finfo(float).tiny)

    def place(self, column: Floats) -> tuple[Integers, Floats]:
        """
        Return where values lie between entries.

        Parameters
        ----------
        column : ndarray of float64, shape (n_rows,)
            Numbers, or codes of categories; a code with a fraction is rounded down.

        Returns
        -------
        entries : ndarray of int
            The entry at or below each value. The number of entries stands for a missing
            or new value.
        fractions : ndarray of float64
            Position between this entry and the next one, from 0 to 1.
        """
        if self.knots is None:
            position = np.floor(np.where(column < len(self), column, np.nan))
        else:
            position = np.interp(column, self.knots, np.arange(len(self)))
            # Between tiny or huge numbers a slope may overflow: they have a step
            steep = ~np.isfinite(position) & ~np.isnan(column)
            position[steep] = np.maximum(
                np.searchsorted(self.knots, column[steep], side="right") - 1, 0)
        position = np.where(np.isnan(position), len(self), position)
        entries = position.astype(np.intp)
        return entries, position - entries

    def interpolate(self, table: Floats, column: Floats) -> Floats:
        """Return the entries of a table at values, shape (n_rows, n_classes)."""
        table = np.concatenate((table, np.zeros((2, table.shape[1]))))
        entries, fractions = self.place(column)
        return (1 - fractions)[:, None] * table[entries] \
            + fractions[:, None] * table[entries + 1]


def measure_axes(X: Floats, labelled: Mask, weights: Floats,
                 cut_points: Sequence[Floats],
                 categories: Sequence[npt.NDArray[Any] | None]) -> list[Axis]:
    """
    Return where the tables of features have their entries.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        All rows; NaN where a value is missing, codes in categorical columns.
    labelled : ndarray of bool, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    cut_points : sequence of ndarray
        Cut points of each numeric feature.
    categories : sequence of ndarray or None
        Categories of each feature; None for a numeric feature.

    Returns
    -------
    list of Axis
        Each of them has at least one entry.
    """
    part, axes = np.where(labelled, 0, 1), []
    for column, cuts, values in zip(X.T, cut_points, categories, strict=True):
        codes = column if values is not None else assign_intervals(column, cuts)
        size = len(cuts) + 1 if values is None else max(1, len(values))
        rows = contingency(codes, part, 2, weights, size).astype(np.float64)
        axes.append(_numeric_axis(column, weights, codes, rows) if values is None
                    else Axis(None, rows, np.zeros(size)))
    return axes


def _numeric_axis(column, weights, codes, rows):
    known = np.flatnonzero(~np.isnan(column) & (weights > 0))
    values, weights, codes = column[known], weights[known], codes[known]
    n_intervals = rows.shape[1]
    finite = values[np.isfinite(values)]
    if not len(finite):
        return Axis(np.zeros(n_intervals), rows, np.zeros(n_intervals))
    values = np.clip(values, finite.min(), finite.max())
    unit = max(1, np.abs(finite).max() / HUGE)
    values = values / unit
    totals = rows.sum(axis=0)
    filled = np.flatnonzero(totals)
    sums = np.bincount(codes.astype(np.intp), weights * values, n_intervals)
    # An empty interval has its knot between those of its neighbours
    knots = np.interp(
        np.arange(n_intervals), filled, sums[filled] / totals[filled])
    mean = np.average(values, weights=weights)
    deviation = np.sqrt(np.average((values - mean) ** 2, weights=weights))
    slope = np.zeros(n_intervals)
    if deviation > 0 and n_intervals > 1:
        slope = np.clip((knots - mean) / deviation, -STEEPEST, STEEPEST)
    return Axis(knots * unit, rows, slope)


class Basis:
    """
    Linear functions from coefficients to table entries, of all features at once.

    The last coefficient and entry of each class is its intercept.

    Parameters
    ----------
    axes : sequence of Axis
    smoothness : float
        Height of the basis function of a step, times the square root of the number of
        cuts. Larger values allow steeper steps.

    Attributes
    ----------
    starts : ndarray of int, shape (n_features + 1,)
        First entry of each feature, and the entry of the intercept.
    unseen : ndarray of bool, shape (size,)
        Entries of categories that no row has.
    """

    def __init__(self, axes: Sequence[Axis], smoothness: float) -> None:
        sizes = [*(len(axis) for axis in axes), 1]
        self.starts = np.append(0, np.cumsum(sizes))[:-1]
        self._feature = np.repeat(np.arange(len(sizes)), sizes)
        self._first = self.starts[self._feature]
        self._last = self._first + np.take(sizes, self._feature) - 1
        self._shares = np.concatenate([*(axis.shares for axis in axes), [0]])[:, None]
        self.unseen = np.concatenate(
            [*((axis.shares == 0) & (axis.knots is None) for axis in axes), [False]])
        self._slope = np.concatenate([*(axis.slope for axis in axes), [0]])[:, None]
        self._step = np.zeros_like(self._slope)
        self._direct = np.ones_like(self._slope)
        for start, axis in zip(self.starts, axes, strict=False):
            if axis.knots is not None:
                entries = slice(start, start + len(axis))
                self._direct[entries] = 0
                self._step[entries][1:] = smoothness / np.sqrt(max(1, len(axis) - 1))

    @property
    def size(self) -> int:
        """Number of entries, and of coefficients, for each class."""
        return len(self._feature)

    def entries(self, coefficients: Floats) -> Floats:
        """Return theta, shape (size, n_classes), for coefficients of this shape."""
        steps = np.cumsum(self._step * coefficients, axis=0)
        theta = self._direct * coefficients + self._slope * coefficients[self._first]
        theta += steps - steps[self._first]
        means = self._sum(self._shares * theta)
        return theta - means[self._feature]

    def pull_back(self, gradient: Floats) -> Floats:
        """Return the gradient by coefficients for a gradient by theta."""
        gradient = gradient - self._shares * self._sum(gradient)[self._feature]
        below = np.cumsum(gradient, axis=0)
        from_here = below[self._last] - below + gradient
        found = self._direct * gradient + self._step * from_here
        found[self.starts] += self._sum(self._slope * gradient)
        return found

    def _sum(self, entries):
        """Return the sum over the entries of each feature."""
        return np.add.reduceat(entries, self.starts)


@dataclass(frozen=True, eq=False)
class SmoothTables:
    """
    A fitted model.

    Attributes
    ----------
    axes : list of Axis
    tables : list of ndarray of float64, shape (n_entries, n_classes)
        Contribution of each knot or category to the score of each class. The scores of
        all classes add up to 0.
    intercept : ndarray of float64, shape (n_classes,)
        Scores of an average row; minus infinity for a class without rows.
    importances : ndarray of float64, shape (n_features,)
        Mean absolute contribution of each feature to the rows of the fit.
    loss : float
        Mean loss of a row, penalty included.
    n_iter : int
    converged : bool
    message : str
        Reason why the search has ended.
    """

    axes: list[Axis]
    tables: list[Floats]
    intercept: Floats
    importances: Floats
    loss: float
    n_iter: int
    converged: bool
    message: str

    def contributions(self, X: Floats) -> Floats:
        """Return contributions of values, shape (n_rows, n_features, n_classes)."""
        found = np.empty((*X.shape, len(self.intercept)))
        for feature, added in enumerate(self._added(X)):
            found[:, feature] = added
        return found

    def log_posterior(self, X: Floats) -> Floats:
        """Return the logarithms of probabilities, shape (n_rows, n_classes)."""
        scores = np.tile(self.intercept, (len(X), 1))
        for added in self._added(X):
            scores += added
        return log_softmax(scores, axis=1)

    def _added(self, X):
        """Yield the contributions of each feature."""
        for axis, table, column in zip(self.axes, self.tables, X.T, strict=True):
            yield axis.interpolate(table, column)



def fit_tables(axes: list[Axis], X: Floats, targets: Floats, weights: Floats, *,
               smoothness: float = 2, max_iter: int = 200, tol: float = 1e-5,
               callback: Callback | None = None) -> SmoothTables:
    """
    Fit tables to rows, with L-BFGS.

    Parameters
    ----------
    axes : list of Axis
    X : ndarray of float64, shape (n_rows, n_features)
    targets : ndarray of float64, shape (n_rows, n_classes)
        Probabilities of classes: 0 and 1 for labelled rows.
    weights : ndarray of float64, shape (n_rows,)
    smoothness : float
        As for `Basis`.
    max_iter : int
    tol : float
        The search ends when no derivative of the mean loss is above this.
    callback : callable, optional
        Called with the fraction of iterations done. May raise an exception to stop the
        work.

    Returns
    -------
    SmoothTables
    """
    mass = weights @ targets
    present = np.flatnonzero(mass)
    loss = MeanLoss(axes, X, targets[:, present], weights, smoothness)
    iterations = 0

    def after_iteration(_):
        nonlocal iterations
        iterations += 1
        if callback is not None:
            callback(iterations / max_iter)

    n_corrections = max(10, min(MAX_CORRECTIONS, MEMORY_CELLS // len(loss.start)))
    # On products as small as these, threads wait longer than they compute
    with one_blas_thread():
        found = minimize(
            loss, loss.start, jac=True, method="L-BFGS-B", callback=after_iteration,
            options={"ftol": 0, "gtol": tol, "maxiter": max_iter,
                     "maxfun": 50 * int(max_iter), "maxcor": n_corrections})
    theta = np.zeros((loss.basis.size, len(mass)))
    theta[-1] = -np.inf
    theta[:, present] = loss.entries(found.x)
    theta[loss.basis.unseen] = 0
    tables = np.split(theta, loss.basis.starts[1:])[:len(axes)]
    importances = np.array([
        weights @ np.abs(axis.interpolate(table[:, present], column)).mean(axis=1)
        for axis, table, column in zip(axes, tables, X.T, strict=True)]) / weights.sum()
    return SmoothTables(
        axes, tables, theta[-1], importances, float(found.fun), int(found.nit),
        bool(found.success), str(found.message))


class MeanLoss:
    """
    The mean loss of rows with the penalty, as a function of all coefficients.

    Parameters
    ----------
    axes, X, targets, weights, smoothness
        As for `fit_tables`. Each class has a target above 0.

    Attributes
    ----------
    basis : Basis
    start : ndarray of float64
        Coefficients of 0, and intercepts by the shares of classes.
    """

    def __init__(self, axes: Sequence[Axis], X: Floats, targets: Floats,
                 weights: Floats, smoothness: float) -> None:
        total = weights.sum()
        self.basis = Basis(axes, smoothness)
        self._shape = self.basis.size, targets.shape[1]
        self._penalty = np.full((self.basis.size, 1), 1 / total)
        self._penalty[-1] = 0
        # A single entry is 0. The intercept is one more column; the entry of missing
        # values follows it.
        features = [feature for feature, axis in enumerate(axes) if len(axis) > 1]
        columns = np.full((len(X), len(features) + 1), self.basis.size - 1,
                          dtype=np.int32)
        fractions = np.zeros(columns.shape)
        for index, feature in enumerate(features):
            entries, fractions[:, index] = axes[feature].place(X[:, feature])
            columns[:, index] = np.where(
                entries < len(axes[feature]), self.basis.starts[feature] + entries,
                self.basis.size)
        self._rows = EncodedRows(
            columns, weights / total, targets=np.ascontiguousarray(targets),
            fractions=fractions)
        start = np.zeros(self._shape)
        start[-1] = np.log(weights @ targets / total)
        start[-1] -= start[-1].mean()  # no derivative changes the sum over classes
        self.start = start.ravel()

    def __call__(self, coefficients: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        coefficients = coefficients.reshape(self._shape)
        shape = 1, self._shape[1]
        entries = differences(self.basis.entries(coefficients)[:, None])
        # The next entry, for missing values, is zero
        table = np.concatenate((entries, np.zeros((1, entries.shape[1]))))
        value, _, slopes = sum_rows(
            self._rows, np.zeros(table.shape[1]), table, shape, squared=False)
        gradient = self.basis.pull_back(by_class(slopes[:-1], *shape)[:, 0])
        shrunk = self._penalty * coefficients
        value += float(np.vdot(shrunk, coefficients)) / 2
        return value, (gradient + shrunk).ravel()

    def entries(self, coefficients: Floats) -> Floats:
        """Return table entries and, in the last row, intercepts."""
        return self.basis.entries(coefficients.reshape(self._shape))
