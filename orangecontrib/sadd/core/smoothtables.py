"""SADD Tables: an additive model whose curves are linear between intervals' means.

The score of a class is an intercept plus one term a feature. The term of a numeric
feature is interpolated between its *knots*, the means of its intervals. The term of a
categorical feature is an entry a category. Missing and unseen values add 0.

The entries of all features lie below each other in one matrix, *theta*, with a column
a class. They are linear in coefficients B, which the penalty 1/2 |B|^2 keeps small:
a slope along the knots and a step at each cut, or an entry a category, all centred by
the shares of rows. `Basis` computes theta from B and pulls gradients back, in time
linear in the number of entries.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit, log_softmax
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core.cuts import assign_intervals
from orangecontrib.sadd.core.types import Callback, Floats, Mask

__all__ = ["Axis", "Basis", "MeanLoss", "SmoothTables", "fit_tables", "measure_axes"]

# The slope does not grow beyond this many standard deviations from the mean
STEEPEST = 3

# Steps by which L-BFGS estimates curvature
MAX_CORRECTIONS = 20

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
        """Share of each entry in the rows whose value is known."""
        rows = self.rows.sum(axis=0)
        return rows / max(rows.sum(), np.finfo(float).tiny)

    def place(self, column: Floats) -> tuple[Floats, Floats]:
        """
        Return where values lie between entries.

        Parameters
        ----------
        column : ndarray of float64, shape (n_rows,)
            Numbers, or codes of categories.

        Returns
        -------
        lower : ndarray of int
            The entry at or below each value; 0 if the value is missing or unseen.
        shares : ndarray of float64, shape (n_rows, 2)
            Weights of this entry and of the next one; both 0 if the value is missing.
        """
        if self.knots is None:
            position = np.where(column < len(self), column, np.nan)
        else:
            position = np.interp(column, self.knots, np.arange(len(self)))
        known = ~np.isnan(position)
        position = np.where(known, position, 0)
        lower = np.clip(position.astype(np.intp), 0, max(len(self) - 2, 0))
        upper_share = position - lower
        return lower, np.column_stack((1 - upper_share, upper_share)) * known[:, None]


def measure_axes(X: Floats, labelled: Mask, weights: Floats,
                 cut_points: Sequence[Floats | None], n_values: Sequence[int]
                 ) -> list[Axis]:
    """
    Return where the tables of features have their entries.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        All rows; NaN where a value is missing, codes in categorical columns.
    labelled : ndarray of bool, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    cut_points : sequence of ndarray or None
        Of each feature; None for a categorical one.
    n_values : sequence of int
        Number of categories of each categorical feature.

    Returns
    -------
    list of Axis
    """
    axes = []
    for column, cuts, size in zip(X.T, cut_points, n_values, strict=True):
        if cuts is None:
            rows = _rows_of(column, labelled, weights, size)
            axes.append(Axis(None, rows, np.zeros(size)))
        else:
            axes.append(_numeric_axis(column, labelled, weights, cuts))
    return axes


def _rows_of(codes, labelled, weights, n_codes):
    known = ~np.isnan(codes)
    cells = np.where(labelled, 0, n_codes)[known] + codes[known].astype(np.intp)
    return np.bincount(cells, weights[known], 2 * n_codes).reshape(2, n_codes)


def _numeric_axis(column, labelled, weights, cuts):
    known = np.flatnonzero(~np.isnan(column) & (weights > 0))
    values, weights, labelled = column[known], weights[known], labelled[known]
    n_intervals = len(cuts) + 1
    codes = assign_intervals(values, cuts)
    rows = _rows_of(codes, labelled, weights, n_intervals)
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
    Linear functions from coefficients to tables, of all features at once.

    The last entry, which belongs to no feature, is always 0.

    Parameters
    ----------
    axes : sequence of Axis
    smoothness : float
        How steep a step may be: its basis function is as high as this, divided by the
        square root of the number of cuts.
    """

    def __init__(self, axes: Sequence[Axis], smoothness: float) -> None:
        sizes = [*(len(axis) for axis in axes), 1]
        self.starts = np.append(0, np.cumsum(sizes))[:-1]
        self._first = np.repeat(self.starts, sizes)
        self._feature = np.repeat(np.arange(len(sizes)), sizes)
        self._last = self._first + np.repeat(sizes, sizes) - 1
        self._shares = np.concatenate(
            [*(axis.shares for axis in axes), [1]])[:, None]
        self._slope = np.concatenate([*(axis.slope for axis in axes), [0]])[:, None]
        self._step = np.zeros((self.size, 1))
        self._direct = np.ones((self.size, 1))
        for start, axis in zip(self.starts[:-1], axes, strict=True):
            if axis.knots is not None:
                entries = slice(start, start + len(axis))
                self._direct[entries] = 0
                self._step[entries][1:] = smoothness / np.sqrt(max(1, len(axis) - 1))

    @property
    def size(self) -> int:
        """Number of entries, and of coefficients a class."""
        return len(self._first)

    def tables(self, coefficients: Floats) -> Floats:
        """Return theta, shape (size, n_classes), for coefficients of this shape."""
        steps = np.cumsum(self._step * coefficients, axis=0)
        theta = self._direct * coefficients + self._slope * coefficients[self._first]
        theta += steps - steps[self._first]
        means = np.add.reduceat(self._shares * theta, self.starts)
        return theta - means[self._feature]

    def pull_back(self, gradient: Floats) -> Floats:
        """Return the gradient by coefficients for a gradient by theta."""
        totals = np.add.reduceat(gradient, self.starts)
        gradient = gradient - self._shares * totals[self._feature]
        below = np.cumsum(gradient, axis=0)
        from_here = below[self._last] - below + gradient
        found = self._direct * gradient + self._step * from_here
        found[self.starts] += np.add.reduceat(self._slope * gradient, self.starts)
        return found


@dataclass(frozen=True, eq=False)
class SmoothTables:
    """
    A fitted model.

    Attributes
    ----------
    axes : list of Axis
    tables : list of ndarray of float64, shape (n_entries, n_classes)
        What each knot or category adds to the score of each class. The scores of all
        classes add up to 0.
    intercept : ndarray of float64, shape (n_classes,)
        Scores of an average row; minus infinity for a class without rows.
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
    loss: float = 0.
    n_iter: int = 0
    converged: bool = True
    message: str = ""

    def contribution(self, feature: int, column: Floats) -> Floats:
        """Return what the values of a feature add, shape (n_rows, n_classes)."""
        table = self.tables[feature]
        lower, shares = self.axes[feature].place(column)
        if not len(table):
            return np.zeros((len(column), len(self.intercept)))
        upper = np.minimum(lower + 1, len(table) - 1)
        return shares[:, :1] * table[lower] + shares[:, 1:] * table[upper]

    def contributions(self, X: Floats) -> Floats:
        """Return what each value adds, shape (n_rows, n_features, n_classes)."""
        found = np.empty((*X.shape, len(self.intercept)))
        for feature, column in enumerate(X.T):
            found[:, feature] = self.contribution(feature, column)
        return found

    def log_posterior(self, X: Floats) -> Floats:
        """Return the logarithms of probabilities, shape (n_rows, n_classes)."""
        scores = np.tile(self.intercept, (len(X), 1))
        for feature, column in enumerate(X.T):
            scores += self.contribution(feature, column)
        return log_softmax(scores, axis=1)

    def importances(self, X: Floats, weights: Floats) -> Floats:
        """Return the mean absolute contribution of each feature to rows."""
        return np.array([
            np.average(np.abs(self.contribution(feature, column)).mean(axis=1),
                       weights=weights)
            for feature, column in enumerate(X.T)])


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
    basis = Basis(axes, smoothness)
    loss = MeanLoss(basis, axes, X, targets[:, present], weights)
    iterations = 0

    def after_iteration(_):
        nonlocal iterations
        iterations += 1
        if callback is not None:
            callback(iterations / max_iter)

    # On products as small as these, threads wait longer than they compute
    with threadpool_limits(1, user_api="blas"):
        found = minimize(
            loss, loss.start, jac=True, method="L-BFGS-B", callback=after_iteration,
            options={"ftol": 0, "gtol": tol, "maxiter": max_iter,
                     "maxfun": 50 * max_iter, "maxcor": MAX_CORRECTIONS})
    theta = np.zeros((basis.size, len(mass)))
    intercept = np.full(len(mass), -np.inf)
    theta[:, present], intercept[present] = loss.tables(found.x)
    return SmoothTables(
        axes, np.split(theta[:-1], basis.starts[1:-1]), intercept, float(found.fun),
        int(found.nit), bool(found.success), str(found.message))


class MeanLoss:
    """
    The mean loss of rows with the penalty, as a function of all coefficients.

    Two classes have opposite tables, so that the coefficients of their difference are
    enough, with half the penalty.

    Parameters
    ----------
    basis, axes, X, targets, weights
        As for `Basis` and `fit_tables`; each class has a target above 0.

    Attributes
    ----------
    start : ndarray of float64
        No coefficients, and intercepts by the shares of classes.
    """

    def __init__(self, basis: Basis, axes: Sequence[Axis], X: Floats, targets: Floats,
                 weights: Floats) -> None:
        total = weights.sum()
        self._basis = basis
        self._binary = targets.shape[1] == 2
        self._targets = targets[:, 1:] if self._binary else targets
        self._weights = weights[:, None] / total
        self._penalty = (0.5 if self._binary else 1) / total
        self._rows = _design(basis, axes, X)
        intercept = np.log(weights @ targets / total)
        intercept = intercept[1:] - intercept[:1] if self._binary \
            else intercept - intercept.mean()
        self.start = np.append(np.zeros(basis.size * len(intercept)), intercept)

    def __call__(self, coefficients: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        coefficients = coefficients.reshape(self._basis.size + 1, -1)
        inner = coefficients[:-1]
        scores = self._rows @ self._basis.tables(inner)
        scores += coefficients[-1]
        if self._binary:
            log_total = np.logaddexp(0, scores)
            proba = expit(scores)
        else:
            scores -= scores.max(axis=1, keepdims=True)
            proba = np.exp(scores)
            total = proba.sum(axis=1, keepdims=True)
            proba /= total
            log_total = np.log(total)
        losses = log_total - np.sum(self._targets * scores, axis=1, keepdims=True)
        by_scores = self._weights * (proba - self._targets)
        gradient = np.empty_like(coefficients)
        gradient[:-1] = self._basis.pull_back(self._rows.T @ by_scores)
        gradient[:-1] += self._penalty * inner
        gradient[-1] = by_scores.sum(axis=0)
        value = np.vdot(self._weights, losses) + self._penalty / 2 * np.vdot(inner, inner)
        return float(value), gradient.ravel()

    def tables(self, coefficients: Floats) -> tuple[Floats, Floats]:
        """Return theta and the intercepts of all classes."""
        coefficients = coefficients.reshape(self._basis.size + 1, -1)
        theta, intercept = self._basis.tables(coefficients[:-1]), coefficients[-1]
        if not self._binary:
            return theta, intercept
        halves = np.array([-0.5, 0.5])
        return theta * halves, intercept * halves


def _design(basis, axes, X):
    """Return rows as a sparse matrix: two entries a feature."""
    entries = np.zeros((*X.shape, 2), dtype=np.int32)
    shares = np.zeros((*X.shape, 2))
    for feature, (axis, column) in enumerate(zip(axes, X.T, strict=True)):
        lower, shares[:, feature] = axis.place(column)
        entries[:, feature] = (basis.starts[feature] + lower)[:, None] + (0, 1)
    ends = 2 * X.shape[1] * np.arange(len(X) + 1)
    return csr_matrix((shares.ravel(), entries.ravel(), ends),
                      shape=(len(X), basis.size))
