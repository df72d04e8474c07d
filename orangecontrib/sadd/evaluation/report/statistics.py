"""Tests whether one method is better than another."""

import inspect
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

__all__ = [
    "ROPE",
    "Friedman",
    "Record",
    "bayesian_probabilities",
    "compare",
    "critical_difference",
    "friedman",
    "groups_alike",
    "mean_interval",
    "paired_t_test",
]

LEVEL = 0.05
# Differences of accuracies, in per cent, below this are errors of rounding.
TINY = 1e-7
# Accuracies, in per cent, that differ by less are the same for practical purposes.
ROPE = 1.0
# Enough for two decimals, at a second for each comparison
N_SAMPLES = 10_000


def paired_t_test(first: ArrayLike, second: ArrayLike) -> float:
    """
    Test whether the first of two methods is better, by a one-tailed paired t-test.

    Parameters
    ----------
    first, second : array-like of shape (n_folds,)
        Accuracies in the same folds. Folds in which either is NaN are left out.

    Returns
    -------
    float
        The p-value; NaN with fewer than two folds. If all differences are equal, there
        is no variance to test against: 0 if the first is better, 1 if it is not.

    Examples
    --------
    >>> round(paired_t_test([3, 4, 5, 7], [1, 3, 4, 4]), 4)
    0.0177
    >>> paired_t_test([2, 2], [1, 1]), paired_t_test([1, 1], [1, 1])
    (0.0, 1.0)
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    difference = first - second
    known = ~np.isnan(difference)
    if known.sum() < 2:
        return np.nan
    if np.ptp(difference[known]) < TINY:
        return 0.0 if difference[known].mean() > TINY else 1.0
    test = stats.ttest_rel(first[known], second[known], alternative="greater")
    return float(test.pvalue)


def mean_interval(values: ArrayLike) -> tuple[float, float, float]:
    """
    Return the mean and its 95 % confidence interval, by Student's t.

    NaN values are left out; with a single value there is no interval, only NaN.

    Examples
    --------
    >>> [round(figure, 2) for figure in mean_interval([1, 2, 3])]
    [2.0, -0.48, 4.48]
    """
    known = np.asarray(values, dtype=float)
    known = known[~np.isnan(known)]
    if not len(known):
        return np.nan, np.nan, np.nan
    mean = float(known.mean())
    if len(known) == 1:
        return mean, np.nan, np.nan
    half = float(stats.sem(known) * stats.t.isf(LEVEL / 2, len(known) - 1))
    return mean, mean - half, mean + half


@dataclass(frozen=True)
class Record:
    """
    How a method does against another over data sets.

    Attributes
    ----------
    wins, ties, losses : int
        Numbers of data sets, by mean accuracy.
    significant_wins, significant_losses : int
        Those of them that are significant.
    marks : dict of str and int
        For each data set 1 if the first method is significantly better, -1 if it is
        significantly worse, else 0.
    """

    wins: int
    ties: int
    losses: int
    significant_wins: int
    significant_losses: int
    marks: dict[str, int]


def compare(
    first: pd.DataFrame, second: pd.DataFrame, level: float = LEVEL
) -> Record:
    """
    Compare two methods on each data set.

    Parameters
    ----------
    first, second : DataFrame
        Accuracies, with a row for each data set and a column for each fold.
    level : float
        Level of significance of the one-tailed paired t-test.

    Returns
    -------
    Record
        Of the data sets on which both have a result.
    """
    counts = {1: 0, 0: 0, -1: 0}
    marks = {}
    first, second = first.align(second)
    rows = zip(first.index, first.to_numpy(), second.to_numpy(), strict=True)
    for name, one, other in rows:
        known = ~np.isnan(one) & ~np.isnan(other)
        one, other = one[known], other[known]
        if not len(one):
            continue
        difference = np.mean(one - other)
        sign = 0 if abs(difference) < TINY else int(np.sign(difference))
        counts[sign] += 1
        ahead, behind = (one, other) if sign >= 0 else (other, one)
        marks[name] = sign if sign and paired_t_test(ahead, behind) < level else 0
    signs = list(marks.values())
    return Record(
        counts[1], counts[0], counts[-1], signs.count(1), signs.count(-1), marks
    )


@dataclass(frozen=True, eq=False)
class Friedman:
    """
    The Friedman test of several methods on several data sets.

    Attributes
    ----------
    ranks : Series
        Average rank of each method, the best first; 1 is the best rank.
    n_datasets : int
    statistic, p_value : float
        Of the chi-square test that the ranks are alike.
    critical_difference : float
        Of average ranks, by Nemenyi, at the level of 0.05.
    """

    ranks: pd.Series
    n_datasets: int
    statistic: float
    p_value: float
    critical_difference: float


def critical_difference(
    n_methods: int, n_datasets: int, level: float = LEVEL
) -> float:
    """
    Compute the critical difference of average ranks by the test of Nemenyi.

    Parameters
    ----------
    n_methods, n_datasets : int
    level : float

    Returns
    -------
    float

    References
    ----------
    J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal
    of Machine Learning Research 7 (2006) 1-30.

    Examples
    --------
    The example of the paper: four methods and 14 data sets.

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    q = stats.studentized_range.ppf(1 - level, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def friedman(means: pd.DataFrame) -> Friedman | None:
    """
    Test whether methods differ in their ranks.

    Parameters
    ----------
    means : DataFrame
        Mean accuracies, with a row for each data set and a column for each method.
        Rows with NaN are left out.

    Returns
    -------
    Friedman or None
        None with fewer than three methods or two data sets.
    """
    means = means.dropna().round(7)
    n_datasets, n_methods = means.shape
    if n_methods < 3 or n_datasets < 2:
        return None
    ranks = means.rank(axis=1, ascending=False).mean().sort_values(kind="stable")
    if np.all(np.ptp(means.to_numpy(), axis=1) == 0):
        # Everything is tied, which leaves nothing to divide by.
        statistic, p_value = 0.0, 1.0
    else:
        statistic, p_value = map(
            float, stats.friedmanchisquare(*means.to_numpy().T)
        )
    return Friedman(
        ranks, n_datasets, statistic, p_value,
        critical_difference(n_methods, n_datasets),
    )


def groups_alike(ranks: pd.Series, difference: float) -> list[tuple[int, int]]:
    """
    Find the groups of methods whose ranks do not differ significantly.

    Parameters
    ----------
    ranks : Series
        Average ranks in ascending order.
    difference : float
        Critical difference.

    Returns
    -------
    list of (int, int)
        Positions of the first and the last method of each group of two or more that
        is not part of another group.

    Examples
    --------
    >>> groups_alike(pd.Series([1.0, 1.5, 2.2, 4.0]), 1.0)
    [(0, 1), (1, 2)]
    """
    values = ranks.to_numpy()
    last = np.searchsorted(values, values + difference, side="right") - 1
    spans = [(-1, -1), *((first, int(end)) for first, end in enumerate(last))]
    return [
        span for before, span in pairwise(spans)
        if span[1] > span[0] and span[1] > before[1]
    ]


def bayesian_probabilities(
    first: pd.DataFrame, second: pd.DataFrame, runs: int = 1
) -> tuple[float, float, float] | None:
    """
    Compute the probabilities that the first of two methods is better, or the second.

    On several data sets by the Bayesian signed-rank test of mean accuracies; on a
    single one by the Bayesian correlated t-test of its folds. Differences up to `ROPE`
    are practically none. The sample that is drawn is always the same.

    Parameters
    ----------
    first, second : DataFrame
        Accuracies in per cent, with a row for each data set and a column for each
        fold.
    runs : int
        How many times the cross-validation was repeated.

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
        return _signed_rank(x, y)
    if len(pairs) == 1 and len(pairs[0][0]) // runs > 1:
        from baycomp import two_on_single

        x, y = pairs[0]
        if len(x) % runs:
            runs = 1
        better, equal, worse = two_on_single(x, y, ROPE, runs=runs)
        return float(better), float(equal), float(worse)
    return None


def _signed_rank(x, y):
    from baycomp import SignedRankTest

    if "random_state" in inspect.signature(SignedRankTest.sample).parameters:
        posterior = SignedRankTest(x, y, ROPE, nsamples=N_SAMPLES, random_state=0)
        return tuple(map(float, posterior.probs()))
    # Until 1.0.2 baycomp draws from numpy's global generator.
    state = np.random.get_state()
    try:
        np.random.seed(0)
        return tuple(map(float, SignedRankTest(x, y, ROPE, nsamples=N_SAMPLES).probs()))
    finally:
        np.random.set_state(state)
