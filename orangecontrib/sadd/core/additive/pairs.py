"""Which pairs of variables SADD Tables may use: what would explain its residuals."""

import numpy as np

from orangecontrib.sadd.core.additive.axes import Places
from orangecontrib.sadd.core.additive.basis import bases_of
from orangecontrib.sadd.core.additive.rowsums import with_steps
from orangecontrib.sadd.core.additive.termfit import MOST_CELLS, Solution, TermFit
from orangecontrib.sadd.core.additive.terms import at_places
from orangecontrib.sadd.core.threads import one_blas_thread
from orangecontrib.sadd.core.types import Floats, RandomState

__all__ = ["candidate_pairs", "rank_pairs"]

# Pairs are those of this many variables, and are compared on this many rows
MOST_FEATURES = 60
MOST_ROWS = 10_000


def candidate_pairs(fit: TermFit, importances: Floats) -> list[tuple[int, int]]:
    """
    Return the pairs of the most important variables whose tables are small enough.

    Parameters
    ----------
    fit : TermFit
    importances : ndarray of float64, shape (n_features,)
    """
    order = np.argsort(-importances, kind="stable")[:MOST_FEATURES]
    sizes = {feature: len(axis)
             for feature, axis in fit.pair_axes(order.tolist()).items()}
    chosen = sorted(feature for feature, size in sizes.items() if size > 1)
    return [(first, second) for index, first in enumerate(chosen)
            for second in chosen[index + 1:]
            if sizes[first] * sizes[second] <= MOST_CELLS]


def rank_pairs(fit: TermFit, solution: Solution, penalty: float,
               random_state: RandomState = 0) -> list[tuple[int, int]]:
    """
    Return candidates for pairs, the best first.

    With residuals R = targets - probabilities, variances V = P (1 - P) and the columns
    G of a pair, each coefficient and class scores g^2 / (h + penalty), where g = G' R
    and h = (G * G)' V. By chance this is h / (h + penalty). Sums over a pair are
    compared with their expectation, in standard deviations.

    Parameters
    ----------
    fit : TermFit
    solution : Solution
        Of the variables alone.
    penalty : float
    random_state : int, RandomState instance or None
        For the choice of rows, if there are more than 10,000.
    """
    rows = fit.rows.sample(MOST_ROWS, random_state)
    small = fit if rows is fit.rows else TermFit(rows, fit.smoothness)
    used, weights = rows.used, rows.weights[rows.used]
    model = fit.model(solution, describes=False)
    added = model.contributions(rows.X[used])[:, :, fit.present]
    importances = weights @ np.abs(added).mean(axis=2)
    pairs = candidate_pairs(small, importances)
    if not pairs:
        return []
    P = np.exp(model.log_posterior(rows.X[used])[:, fit.present])
    R = weights[:, None] * (rows.targets[used][:, fit.present] - P)
    V = weights[:, None] * P * (1 - P)
    if len(fit.present) == 2:  # both classes have the same numbers
        R, V = R[:, 1:], V[:, 1:]
    features = sorted({feature for pair in pairs for feature in pair})
    axes = list(small.pair_axes(features).values())
    places = Places(axes)
    placed, _ = places(rows.X[used][:, features])
    placed -= places.starts[:len(features)] - 1
    columns = {
        feature: at_places(with_steps(basis.matrix), np.maximum(own, 0))
        for feature, basis, own in zip(
            features, bases_of(axes, small.smoothness), placed.T, strict=True)}
    found = []
    with one_blas_thread():
        partners: dict[int, list[int]] = {}
        for first, second in pairs:
            partners.setdefault(first, []).append(second)
        for first, others in partners.items():
            right = np.concatenate([columns[other] for other in others], axis=1)
            squared = right ** 2
            score, expected, variance = np.zeros((3, right.shape[1]))
            for r, v in zip(R.T, V.T, strict=True):
                left = columns[first]
                g = (left * r[:, None]).T @ right
                h = (left ** 2 * v[:, None]).T @ squared
                score = score + (g ** 2 / (h + penalty)).sum(axis=0)
                chance = h / (h + penalty)
                expected = expected + chance.sum(axis=0)
                variance = variance + 2 * (chance ** 2).sum(axis=0)
            starts = np.cumsum([0, *(columns[other].shape[1] for other in others)])[:-1]
            score, expected, variance = (
                np.add.reduceat(part, starts) for part in (score, expected, variance))
            found.append((score - expected) / np.sqrt(
                np.maximum(variance, np.finfo(float).tiny)))
    order = np.argsort(-np.concatenate(found), kind="stable")
    return [pairs[index] for index in order]
