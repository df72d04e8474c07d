"""Slow, literal versions of published pseudo-code, to compare ours with."""

import math

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from orangecontrib.sadd.core.methods.cells import Cells

# Entropies that differ by less are equal; the pseudo-code has no rounding errors
EQUAL = 1e-12


def random_problem(seed=0, n_rows=150, n_attributes=6, n_classes=3, missing=0.1):
    """Return discretized rows with missing values, and classes that all occur."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    y[:n_classes] = np.arange(n_classes)
    codes = rng.integers(4, size=(n_rows, n_attributes)) + y[:, None] % 2
    codes[:, 1] = codes[:, 0] + rng.integers(2, size=n_rows)
    codes = codes.astype(float)
    codes[rng.random(codes.shape) < missing] = np.nan
    return codes, y


def count_classes(column, labels):
    """Return the distinct values of a column, and a table of classes x values."""
    values, index = np.unique(column, return_inverse=True)
    counts = np.zeros((labels.max() + 1, len(values)), dtype=np.int64)
    np.add.at(counts, (labels, index), 1)
    return values, counts


def cells(values, counts):
    """Return the `Cells` of a table of classes x values."""
    table = np.asarray(counts, dtype=float).T
    places, classes = np.nonzero(table)
    bounds = np.searchsorted(places, np.arange(len(table) + 1))
    return Cells(values, bounds.astype(np.intc), classes.astype(np.intc),
                 table[places, classes], counts.shape[0])


def entropy(counts):
    """E(S), Eqn. (entropy) of the paper, in bits."""
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def partition(x, y, n_classes, n0=None, weights=None, min_samples=None,
              max_intervals=None):
    """
    Algorithm 1 of Wang, Ren and Bai (2023), procedure PARTITION, for one attribute.

    Without `n0` it is the algorithm of Fayyad and Irani (1993). Of more intervals than
    `max_intervals`, the cuts with the largest N G stay, none without those above it.
    """
    weights = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=float)
    known = ~np.isnan(x) & (weights > 0)
    order = np.argsort(x[known], kind="stable")
    x, y, weights = x[known][order], y[known][order], weights[known][order]
    counts = weights[:, None] * (y[:, None] == np.arange(n_classes))
    least = 0 if min_samples is None else min_samples if min_samples >= 1 \
        else min_samples * counts.sum()
    tree = _partition(x, counts, n0, least - 1e-7)
    cuts, open_nodes = [], [tree] if tree else []
    while open_nodes and (max_intervals is None or len(cuts) + 1 < max_intervals):
        most = max(gain for gain, *_ in open_nodes)
        node = min((node for node in open_nodes if node[0] >= most - 1e-9),
                   key=lambda node: node[1])
        open_nodes.remove(node)
        cuts.append(node[1])
        open_nodes += [part for part in node[2:] if part]
    return np.array(sorted(cuts))


def _partition(s, counts, n0, least):
    """Return N G, the cut, and what is below and above it; None if there is no cut."""
    total = counts.sum(axis=0)
    n = total.sum()
    if n < 2:
        return None
    candidates = []
    for d in range(1, len(s)):
        if s[d - 1] < s[d]:
            left, right = counts[:d].sum(axis=0), counts[d:].sum(axis=0)
            if min(left.sum(), right.sum()) < least:
                continue
            information = left.sum() / n * entropy(left)
            information += right.sum() / n * entropy(right)
            candidates.append((information, d, left, right))
    if not candidates:
        return None
    lowest = min(information for information, *_ in candidates)
    information, d, left, right = next(
        candidate for candidate in candidates if candidate[0] <= lowest + EQUAL)
    gain = entropy(total) - information
    k, k1, k2 = (int((part > 0).sum()) for part in (total, left, right))
    delta = math.log2(3 ** k - 2) - (
        k * entropy(total) - k1 * entropy(left) - k2 * entropy(right))
    theta = (math.log2(n - 1) + delta) / n
    if n0 is not None:
        theta *= 1 / (1 + math.exp(-n / n0))
    if gain > EQUAL and gain > theta:
        return (n * gain, s[d - 1] + (s[d] - s[d - 1]) / 2,
                _partition(s[:d], counts[:d], n0, least),
                _partition(s[d:], counts[d:], n0, least))
    return None


def smooth_tables(X, cut_points, n_values, targets, weights, all_X, all_weights,
                  smoothness=2.0):
    """
    SADD Tables, with dense matrices of rows x basis functions.

    Cuts are None for a categorical column, which has `n_values` codes. Shares, means
    and deviations are those of `all_X`. Returns the tables and the intercept.
    """
    matrices, parts = [], []
    for column, cuts, size, seen in zip(
            X.T, cut_points, n_values, all_X.T, strict=True):
        known = ~np.isnan(seen)
        values, mass = seen[known], all_weights[known] / all_weights[known].sum()
        rows = np.zeros((len(X), size if cuts is None else len(cuts) + 1))
        if cuts is None:
            shares = np.array([mass[values == code].sum() for code in range(size)])
            matrix = np.eye(size) - shares
            for row, code in zip(rows, column, strict=True):
                if code in range(size):
                    row[:] = matrix[int(code)]
        else:
            matrix, knots = _basis(values, mass, cuts, smoothness)
            for row, value in zip(rows, column, strict=True):
                if not np.isnan(value):
                    row[:] = _between(value, knots, matrix)
        matrices.append(matrix)
        parts.append(rows)
    rows = np.hstack(parts)
    n_basis, n_classes = rows.shape[1], targets.shape[1]
    total = weights.sum()

    def loss(flat):
        B, b = flat[:-n_classes].reshape(n_basis, n_classes), flat[-n_classes:]
        scores = rows @ B + b
        log_p = scores - logsumexp(scores, axis=1, keepdims=True)
        value = -(weights[:, None] * targets * log_p).sum() + (B ** 2).sum() / 2
        slope = weights[:, None] * (np.exp(log_p) - targets)
        return value / total, np.append(
            (rows.T @ slope + B).ravel(), slope.sum(axis=0)) / total

    start = np.append(np.zeros(n_basis * n_classes),
                      np.log(weights @ targets / total))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={
        "ftol": 0, "gtol": 1e-11, "maxiter": 10 ** 5, "maxfun": 10 ** 6})
    B, b = found.x[:-n_classes].reshape(n_basis, n_classes), found.x[-n_classes:]
    ends = np.cumsum([len(matrix) for matrix in matrices])[:-1]
    return [matrix @ part for matrix, part in zip(
        matrices, np.split(B, ends), strict=True)], b - b.mean()


def _basis(values, mass, cuts, smoothness):
    """Return M_j and the knots of a numeric column."""
    interval = [sum(value >= cut for cut in cuts) for value in values]
    n = len(cuts) + 1
    shares, knots = np.zeros(n), np.full(n, np.nan)
    for v in range(n):
        inside = np.array([u == v for u in interval])
        shares[v] = mass[inside].sum()
        if shares[v]:
            knots[v] = (mass[inside] * values[inside]).sum() / shares[v]
    filled = np.flatnonzero(shares)
    knots = np.interp(np.arange(n), filled, knots[filled])
    matrix = np.zeros((n, n))
    if n == 1:
        return matrix, knots
    mean = (mass * values).sum()
    deviation = math.sqrt((mass * (values - mean) ** 2).sum())
    z = np.clip((knots - mean) / deviation, -3, 3)
    matrix[:, 0] = z - (shares * z).sum()
    for v in range(n):
        for h in range(1, n):
            matrix[v, h] = smoothness / math.sqrt(n - 1) * ((v >= h) - shares[h:].sum())
    return matrix, knots


def _between(value, knots, matrix):
    """Return the row of M_j at a value: interpolated, constant beyond the knots."""
    if value <= knots[0]:
        return matrix[0]
    if value >= knots[-1]:
        return matrix[-1]
    v = max(u for u in range(len(knots)) if knots[u] <= value)
    part = (value - knots[v]) / (knots[v + 1] - knots[v])
    return (1 - part) * matrix[v] + part * matrix[v + 1]
