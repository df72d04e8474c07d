"""Slow, literal versions of published pseudo-code, to compare ours with."""

import itertools
import math

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

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
                 table[places, classes], np.zeros(counts.shape[0]), (np.nan, np.nan),
                 np.empty(len(places)), np.empty(len(places), dtype=np.intc))


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
                  smoothness=2.0, penalty=1.0, pairs=(), strength=4.0):
    """
    SADD Tables, with dense matrices of rows x basis functions.

    Cuts are None for a categorical column, which has `n_values` codes. Shares, means
    and deviations are those of `all_X`. Returns a table for each column and each pair,
    the intercept, and the loss.
    """
    rows, matrices, shapes = tables_basis(
        X, cut_points, n_values, all_X, all_weights, pairs, smoothness)
    factors = [penalty] * X.shape[1] + [penalty * strength] * len(pairs)
    B, b, value = fit_basis(rows, factors, targets, weights)
    # Scores of two classes are half their log-odds
    unit = 2 if targets.shape[1] == 2 else 1
    return [unit * (matrix @ part).reshape(*shape, -1)
            for matrix, part, shape in zip(matrices, B, shapes, strict=True)
            ], unit * (b - b.mean()), value


def tables_basis(X, cut_points, n_values, all_X, all_weights, pairs=(), smoothness=2.0):
    """Return the bases of columns and pairs: at rows, at entries, and their shapes."""
    single, curves = [], []
    for column, cuts, size, seen in zip(
            X.T, cut_points, n_values, all_X.T, strict=True):
        known = ~np.isnan(seen)
        values, mass = seen[known], all_weights[known] / all_weights[known].sum()
        curve_cuts = cuts
        if cuts is not None and len(cuts) < 3:
            curve_cuts = sorted({*cuts, *_cuts_at(values, mass, (.25, .5, .75))})
        curves.append(_column(column, curve_cuts, size, values, mass, smoothness, True))
        quintiles = None if cuts is None else _cuts_at(values, mass, (.2, .4, .6, .8))
        single.append(_column(column, quintiles, size, values, mass, smoothness, False))
    found = [(rows, matrix, (len(matrix),)) for matrix, rows in curves]
    for first, second in pairs:
        found.append((
            np.array([np.kron(one, other) for one, other in zip(
                single[first][1], single[second][1], strict=True)]),
            np.kron(single[first][0], single[second][0]),
            (len(single[first][0]), len(single[second][0]))))
    return tuple(zip(*found, strict=True))


def fit_basis(rows, factors, targets, weights):
    """Return the coefficients of each basis, the intercept, and the loss."""
    sizes, rows = [part.shape[1] for part in rows], np.hstack(rows)
    penalties = np.repeat(factors, sizes)[:, None]
    n_basis, n_classes = rows.shape[1], targets.shape[1]
    total = weights.sum()

    def loss(flat):
        B, b = flat[:-n_classes].reshape(n_basis, n_classes), flat[-n_classes:]
        log_p = log_softmax(rows @ B + b, axis=1)
        value = -(weights[:, None] * targets * log_p).sum() \
            + (penalties * B ** 2).sum() / 2
        slope = weights[:, None] * (np.exp(log_p) - targets)
        return value / total, np.append(
            (rows.T @ slope + penalties * B).ravel(), slope.sum(axis=0)) / total

    start = np.append(np.zeros(n_basis * n_classes),
                      np.log(weights @ targets / total))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={
        "ftol": 0, "gtol": 1e-11, "maxiter": 10 ** 5, "maxfun": 10 ** 6})
    B, b = found.x[:-n_classes].reshape(n_basis, n_classes), found.x[-n_classes:]
    return np.split(B, np.cumsum(sizes)[:-1]), b, found.fun


def rank_tables(X, cut_points, n_values, targets, weights, penalty, strength=4.0):
    """Return all pairs, the best first, and their scores."""
    basis = X, cut_points, n_values, X, weights
    rows = tables_basis(*basis)[0]
    B, b, _ = fit_basis(rows, [penalty] * len(rows), targets, weights)
    P = softmax(np.hstack(rows) @ np.vstack(B) + b, axis=1)
    R, V = weights[:, None] * (targets - P), weights[:, None] * P * (1 - P)
    if targets.shape[1] == 2:
        R, V = R[:, :1], V[:, :1]
    pairs = list(itertools.combinations(range(X.shape[1]), 2))
    found = {}
    for pair, G in zip(pairs, tables_basis(*basis, pairs)[0][X.shape[1]:], strict=True):
        g, h = G.T @ R, (G ** 2).T @ V
        chance = h / (h + penalty * strength)
        found[pair] = ((g ** 2 / (h + penalty * strength)).sum() - chance.sum()) \
            / np.sqrt(2 * (chance ** 2).sum())
    return sorted(pairs, key=lambda pair: -found[pair]), found


def choose_tables(parts, n_values):
    """
    Return the penalty, the number of pairs, their strength, and the gain.

    Parts are cut points, the other rows with classes and weights, and the left-out rows
    likewise.
    """
    def losses(part, penalty, pairs=(), strength=1.):
        cuts, (X, y, weights), (X_out, y_out, _) = part
        basis = cuts, n_values, X, weights, pairs
        factors = [penalty] * X.shape[1] + [penalty * strength] * len(pairs)
        B, b, _ = fit_basis(
            tables_basis(X, *basis)[0], factors, np.eye(y.max() + 1)[y], weights)
        scores = np.hstack(tables_basis(X_out, *basis)[0]) @ np.vstack(B) + b
        return -log_softmax(scores, axis=1)[np.arange(len(y_out)), y_out]

    w = [part[2][2] for part in parts]
    whole = np.concatenate(w)
    by_penalty = {penalty: [losses(part, penalty) for part in parts]
                  for penalty in (10, 3, 1, 0.3)}
    penalty = min(by_penalty, key=lambda p: whole @ np.concatenate(by_penalty[p]))
    orders = [rank_tables(
        X, cuts, n_values, np.eye(y.max() + 1)[y], weights, penalty)[0]
        for cuts, (X, y, weights), _ in parts]
    steps = [(0, 4.), (10, 16.), (10, 4.), (40, 4.)]
    if len(orders[0]) <= 10:
        steps.pop()
    found = [by_penalty[penalty]] + [
        [losses(part, penalty, order[:n], strength)
         for part, order in zip(parts, orders, strict=True)]
        for n, strength in steps[1:]]

    def first(some):
        weights = np.concatenate([w[i] for i in some])
        joined = [np.concatenate([step[i] for i in some]) for step in found]
        best = min(joined, key=lambda loss: weights @ loss)
        for index, loss in enumerate(joined):
            mean = np.average(loss - best, weights=weights)
            error = np.sqrt((weights * (loss - best - mean) ** 2).sum()) / weights.sum()
            if mean <= error / 2:
                return index

    chosen = first(range(len(parts)))
    gains = []
    for i in range(len(parts)):
        step = first([j for j in range(len(parts)) if j != i])
        gains.append(w[i] @ (found[0][i] - found[step][i]))
    return penalty, *steps[chosen], sum(gains) / whole.sum() if chosen else 0


def _cuts_at(values, mass, shares):
    """Return, for each share, the cut with nearly this share of rows below it."""
    distinct = sorted(set(values))
    found = set()
    for share in shares:
        gaps = [abs(mass[values <= value].sum() - share) for value in distinct[:-1]]
        if gaps:
            low = min(range(len(gaps)), key=lambda i: round(gaps[i], 9))
            found.add((distinct[low] + distinct[low + 1]) / 2)
    return sorted(found)


def _column(column, cuts, size, values, mass, smoothness, has_ends):
    """Return the matrix of entries x coefficients, and that of rows x coefficients."""
    if cuts is None:
        places = np.arange(size)
        matrix = np.eye(size)
    else:
        places, matrix = _basis(values, mass, cuts, smoothness, has_ends)
    hats = np.eye(len(places))
    at = [_between(value, places, hats) for value in values]
    shares = mass @ np.array(at).reshape(len(values), len(places))
    matrix = matrix - shares @ matrix
    rows = np.zeros((len(column), matrix.shape[1]))
    for row, value in zip(rows, column, strict=True):
        if not np.isnan(value) and (cuts is not None or value in range(size)):
            row[:] = _between(value, places, matrix)
    return matrix, rows


def _basis(values, mass, cuts, smoothness, has_ends):
    """Return the knots of a numeric column, and the slope and steps at them."""
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
    mean = (mass * values).sum()
    deviation = math.sqrt((mass * (values - mean) ** 2).sum())
    own = knots
    if has_ends:
        first, last = mean - 3 * deviation, mean + 3 * deviation
        knots = np.array([knot for knot in (first, *own, last)
                          if knot in own or not own[0] <= knot <= own[-1]])
    z = np.clip((knots - mean) / deviation, -3, 3)
    steps = [smoothness / math.sqrt(max(1, n - 1)) * (knots >= knot)
             for knot in own[1:]]
    return knots, np.column_stack((z, *steps))


def _between(value, knots, matrix):
    """Return the row of M_j at a value: interpolated, constant beyond the knots."""
    if value <= knots[0]:
        return matrix[0]
    if value >= knots[-1]:
        return matrix[-1]
    v = max(u for u in range(len(knots)) if knots[u] <= value)
    part = (value - knots[v]) / (knots[v + 1] - knots[v])
    return (1 - part) * matrix[v] + part * matrix[v + 1]
