"""Slow, literal versions of published pseudo-code, to compare ours with."""

import math

import numpy as np

# Entropies that differ by less are equal; the pseudo-code has no rounding errors
EQUAL = 1e-12


def entropy(counts):
    """E(S), Eqn. (entropy) of the paper, in bits."""
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def partition(x, y, n_classes, n0=None, weights=None):
    """
    Algorithm 1 of Wang, Ren and Bai (2023), procedure PARTITION, for one attribute.

    Without `n0` it is the algorithm of Fayyad and Irani (1993).
    """
    weights = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=float)
    known = ~np.isnan(x) & (weights > 0)
    order = np.argsort(x[known], kind="stable")
    x, y, weights = x[known][order], y[known][order], weights[known][order]
    counts = weights[:, None] * (y[:, None] == np.arange(n_classes))
    return np.array(sorted(_partition(x, counts, n0)))


def _partition(s, counts, n0):
    total = counts.sum(axis=0)
    n = total.sum()
    if n < 2:
        return
    candidates = []
    for d in range(1, len(s)):
        if s[d - 1] < s[d]:
            left, right = counts[:d].sum(axis=0), counts[d:].sum(axis=0)
            information = left.sum() / n * entropy(left)
            information += right.sum() / n * entropy(right)
            candidates.append((information, d, left, right))
    if not candidates:
        return
    least = min(information for information, *_ in candidates)
    information, d, left, right = next(
        candidate for candidate in candidates if candidate[0] <= least + EQUAL)
    gain = entropy(total) - information
    k, k1, k2 = (int((part > 0).sum()) for part in (total, left, right))
    delta = math.log2(3 ** k - 2) - (
        k * entropy(total) - k1 * entropy(left) - k2 * entropy(right))
    theta = (math.log2(n - 1) + delta) / n
    if n0 is not None:
        theta *= 1 / (1 + math.exp(-n / n0))
    if gain > EQUAL and gain > theta:
        yield s[d - 1] + (s[d] - s[d - 1]) / 2
        yield from _partition(s[:d], counts[:d], n0)
        yield from _partition(s[d:], counts[d:], n0)
