"""How strong the penalty of SADD Tables is, and which and how many pairs it has.

The penalty and the number of pairs are chosen by the log loss of labelled rows that are
left out, in five parts. Pairs are ranked by what would explain the residuals.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.additive.axes import Places
from orangecontrib.sadd.core.additive.basis import bases_of
from orangecontrib.sadd.core.additive.rowsums import with_steps
from orangecontrib.sadd.core.additive.termfit import MOST_CELLS, Solution, TermFit
from orangecontrib.sadd.core.additive.terms import at_places
from orangecontrib.sadd.core.threads import one_blas_thread
from orangecontrib.sadd.core.types import Callback, Floats, Integers, RandomState

__all__ = ["DEFAULT_STRENGTH", "Choice", "LeftOut", "choose", "rank_pairs",
           "split_rows"]

# Factors of the penalty, in the order of the search
PENALTIES = (10., 3., 1., 0.3)
# Numbers of pairs and their further factors, the simplest first
STEPS = ((10, 16.), (10, 4.), (40, 4.))
DEFAULT_STRENGTH = 4.
# Simpler steps are chosen if they are not worse than the best by more standard errors
TOLERATED = 0.5

# Pairs are those of this many variables, and are compared on this many rows
MOST_FEATURES = 60
MOST_ROWS = 10_000

N_FOLDS = 5
#: Fewer labelled rows choose nothing
LEAST_ROWS = 20


class Choice(NamedTuple):
    """
    A choice of the penalty and of pairs.

    Attributes
    ----------
    penalty : float
    n_pairs : int
        The greatest number of pairs.
    strength : float
        Further factor of the penalty of pairs.
    gain : float
        How much less the mean loss of left-out rows is with pairs, if their number is
        chosen by the other parts; 0 without pairs, NaN if nothing was chosen.
    """

    penalty: float = 1.
    n_pairs: int = 0
    strength: float = DEFAULT_STRENGTH
    gain: float = np.nan


class LeftOut(NamedTuple):
    """
    A part of the labelled rows that is left out, and the rest.

    Attributes
    ----------
    rest : TermFit
        The fit of the other rows.
    X : ndarray of float64, shape (n_rows, n_features)
    classes : ndarray of int, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    """

    rest: TermFit
    X: Floats
    classes: Integers
    weights: Floats

    def losses(self, solution: Solution) -> Floats:
        """Return the log loss of each row."""
        logs = self.rest.log_posterior(solution, self.X)
        place = np.searchsorted(self.rest.present, self.classes)
        return -logs[np.arange(len(logs)), place]


def choose(parts: Sequence[LeftOut], penalty: float | str, pairs: int | str, *,
           max_iter: int = 200, tol: float = 1e-4, callback: Callback | None = None
           ) -> Choice:
    """
    Choose the penalty and the number of pairs.

    The penalty with the least mean loss is chosen. Then the first step, beginning with
    no pairs, whose mean loss is within half a standard error of the best.

    Parameters
    ----------
    parts : sequence of LeftOut
    penalty : float or "auto"
        A number is not changed.
    pairs : int or "auto"
    max_iter, tol
        As for `TermFit.fit`.
    callback : callable, optional
        Called with the fraction of work done. May raise an exception to stop the work.
    """
    weights = np.concatenate([part.weights for part in parts])
    factors = PENALTIES if penalty == "auto" else (float(penalty),)
    n_steps = len(STEPS) if pairs == "auto" else 0
    n_done, n_fits = 0, len(parts) * (len(factors) + n_steps)

    def fit_rest(part, start, *parameters):
        nonlocal n_done
        found = part.rest.fit(*parameters, start=start, max_iter=max_iter, tol=tol)
        n_done += 1
        if callback is not None:
            callback(n_done / n_fits)
        return found

    def losses(solutions):
        return np.concatenate([part.losses(solution) for part, solution in zip(
            parts, solutions, strict=True)])

    solutions: list[list[Solution]] = [[part.rest.start for part in parts]]
    for factor in factors:
        solutions.append([fit_rest(part, start, factor) for part, start in zip(
            parts, solutions[-1], strict=True)])
    found = [losses(path) for path in solutions[1:]]
    best = int(np.argmin([weights @ each for each in found]))
    factor, path = factors[best], solutions[best + 1]
    if pairs != "auto":
        return Choice(factor, int(pairs))
    ranked = [rank_pairs(part.rest, solution, factor * DEFAULT_STRENGTH)
              for part, solution in zip(parts, path, strict=True)]
    steps, found = [Choice(factor, gain=0.)], [found[best]]
    most = max(map(len, ranked))
    for n_pairs, strength in STEPS:
        if n_pairs > most and strength == steps[-1].strength:
            continue  # the same pairs again
        path = [fit_rest(part, start, factor, order[:n_pairs], strength)
                for part, start, order in zip(parts, path, ranked, strict=True)]
        steps.append(Choice(factor, n_pairs, strength))
        found.append(losses(path))
    chosen = steps[_simplest(found, weights)]
    if chosen.n_pairs:
        chosen = chosen._replace(gain=_gain(
            np.array(found), weights, np.cumsum([len(part.X) for part in parts])))
    return chosen


def _gain(losses, weights, ends):
    """Return the mean gain of each part, with the step that the other parts choose."""
    total = 0.
    for part in np.split(np.arange(len(weights)), ends[:-1]):
        others = np.delete(np.arange(len(weights)), part)
        step = _simplest(losses[:, others], weights[others])
        total += weights[part] @ (losses[0, part] - losses[step, part])
    return float(total / weights.sum())


def _simplest(losses, weights):
    """Return the first of several losses that is not clearly worse than the best."""
    total = weights.sum()
    means = [weights @ each / total for each in losses]
    best = int(np.argmin(means))
    for index, each in enumerate(losses):
        gaps = each - losses[best]
        mean = weights @ gaps / total
        error = np.sqrt(weights @ (gaps - mean) ** 2) / total
        if mean <= TOLERATED * error:
            return index
    return best


def rank_pairs(fit: TermFit, solution: Solution, penalty: float,
               random_state: RandomState = 0) -> list[tuple[int, int]]:
    """
    Return the pairs of the most important variables, the best first.

    Pairs whose tables would be too large are left out.

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
    model = fit.model(solution)
    X, weights = rows.X[rows.used], rows.weights[rows.used][:, None]
    P = np.exp(model.log_posterior(X)[:, fit.present])
    R = weights * (rows.targets[rows.used][:, fit.present] - P)
    V = weights * P * (1 - P)
    if len(fit.present) == 2:  # both classes have the same numbers
        R, V = R[:, 1:], V[:, 1:]
    important = np.argsort(-model.importances, kind="stable")[:MOST_FEATURES]
    axes = {feature: axis for feature, axis in small.pair_axes(
        sorted(important.tolist())).items() if 1 < len(axis) <= MOST_CELLS // 2}
    places = Places(list(axes.values()))
    placed = np.maximum(places(X[:, list(axes)])[0] - (places.starts - 1), 0)
    columns = {feature: at_places(with_steps(basis.matrix), own)
               for feature, basis, own in zip(
                   axes, bases_of(list(axes.values()), fit.smoothness), placed.T,
                   strict=True)}
    pairs, found = [], []
    with one_blas_thread():
        for first, left in columns.items():
            others = [second for second in columns if second > first
                      and len(axes[first]) * len(axes[second]) <= MOST_CELLS]
            if not others:
                continue
            right = np.concatenate([columns[other] for other in others], axis=1)
            squared = right ** 2
            score, expected, variance = np.zeros((3, right.shape[1]))
            for r, v in zip(R.T, V.T, strict=True):
                g = (left * r[:, None]).T @ right
                h = (left ** 2 * v[:, None]).T @ squared
                score += (g ** 2 / (h + penalty)).sum(axis=0)
                chance = h / (h + penalty)
                expected += chance.sum(axis=0)
                variance += 2 * (chance ** 2).sum(axis=0)
            starts = np.cumsum([0, *(len(axes[other]) for other in others)])[:-1]
            score, expected, variance = (
                np.add.reduceat(part, starts) for part in (score, expected, variance))
            pairs += [(first, second) for second in others]
            found += ((score - expected) / np.sqrt(
                np.maximum(variance, np.finfo(float).tiny))).tolist()
    order = np.argsort(-np.array(found), kind="stable")
    return [pairs[index] for index in order]


def split_rows(X: Floats, classes: Integers, seed: int) -> list[Integers]:
    """
    Return the labelled rows in parts, stratified; rows of rare classes are left out.

    Parts depend neither on the order of rows, nor on the order or the units of columns,
    nor on the order of classes.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
    classes : ndarray of int, shape (n_rows,)
    seed : int
    """
    keys = np.full(len(X), seed, dtype=np.uint64)
    for column in X.T:
        rank = np.unique(column, return_inverse=True)[1]
        keys += _mix(rank.astype(np.uint64))
    order = np.argsort(_mix(keys), kind="stable")
    # Classes in the order of their first rows
    _, first, own = np.unique(classes[order], return_index=True, return_inverse=True)
    own = np.argsort(np.argsort(first))[own]
    counts = np.bincount(own)
    by_class = order[np.argsort(own, kind="stable")]
    by_class = by_class[np.repeat(counts > 1, counts)]
    return [by_class[part::N_FOLDS] for part in range(N_FOLDS)]


def _mix(keys):
    """Return pseudo-random numbers for integers."""
    keys = (keys + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    keys ^= keys >> np.uint64(27)
    keys *= np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))
