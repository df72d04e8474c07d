"""Probability that one method is better than another, by baycomp."""

import inspect

import numpy as np
import pandas as pd

__all__ = ["ROPE", "is_available", "probabilities"]

# Accuracies, in per cent, that differ by less are the same for practical purposes.
ROPE = 1.0
# Enough for two decimals, at a second a comparison.
N_SAMPLES = 10_000


def is_available() -> bool:
    """Tell whether baycomp can be imported; it comes with Orange."""
    try:
        import baycomp  # noqa: F401
    except ImportError:
        return False
    return True


def probabilities(
    first: pd.DataFrame, second: pd.DataFrame, runs: int = 1, rope: float = ROPE,
    seed: int = 0,
) -> tuple[float, float, float] | None:
    """
    Compute the probabilities that the first of two methods is better, or the second.

    On several data sets by the Bayesian signed-rank test of mean accuracies; on a
    single one by the Bayesian correlated t-test of its folds.

    Parameters
    ----------
    first, second : DataFrame
        Accuracies in per cent: a row a data set, a column a fold.
    runs : int
        How many times the cross-validation was repeated.
    rope : float
        Region of practical equivalence, in per cent.
    seed : int
        Of the sample. The same seed gives the same probabilities.

    Returns
    -------
    (float, float, float) or None
        That the first is better, that they are equivalent, that the second is better.
        None if there is nothing to compare.
    """
    first, second = first.align(second)
    pairs = [
        (one[known], other[known])
        for one, other in zip(first.to_numpy(), second.to_numpy(), strict=True)
        if (known := ~np.isnan(one) & ~np.isnan(other)).any()
    ]
    if len(pairs) > 1:
        x, y = np.array([[one.mean(), other.mean()] for one, other in pairs]).T
        return _signed_rank(x, y, rope, seed)
    if len(pairs) == 1 and len(pairs[0][0]) // runs > 1:
        from baycomp import two_on_single

        x, y = pairs[0]
        if len(x) % runs:
            runs = 1
        better, equal, worse = two_on_single(x, y, rope, runs=runs)
        return float(better), float(equal), float(worse)
    return None


def _signed_rank(x, y, rope, seed):
    from baycomp import SignedRankTest

    if "random_state" in inspect.signature(SignedRankTest.sample).parameters:
        posterior = SignedRankTest(
            x, y, rope, nsamples=N_SAMPLES, random_state=seed
        )
        return tuple(map(float, posterior.probs()))
    # Until 1.0.2 baycomp draws from numpy's global generator.
    state = np.random.get_state()
    try:
        np.random.seed(seed)
        return tuple(map(float, SignedRankTest(x, y, rope, nsamples=N_SAMPLES).probs()))
    finally:
        np.random.set_state(state)
