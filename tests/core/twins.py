"""Slow, literal versions of published pseudo-code, to compare ours with."""

import math

import numpy as np

# Entropies that differ by less are equal; the pseudo-code has no rounding errors
EQUAL = 1e-12


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
