"""Tests and intervals of differences: over folds, and over data sets."""

import warnings
from typing import NamedTuple

import numpy as np
import pandas as pd
from baycomp import two_on_multiple
from scipy import stats

from orangecontrib.sadd.core.types import Floats

__all__ = ["FEWEST_DATASETS", "ROPE", "Friedman", "bayesian_test", "corrected_test",
           "critical_difference", "friedman", "interval", "mean_intervals",
           "one_tailed_test"]

LEVEL = 0.05
#: Accuracies, in per cent, that differ by less are practically equivalent.
ROPE = 1.0
#: Tests over data sets need at least this number of them.
FEWEST_DATASETS = 6
# Samples of the Bayesian test, enough for two decimals
N_SAMPLES = 10_000
# Decimals of differences, so that another order of summation does not break a tie
DECIMALS = 7


def corrected_test(gaps: Floats, overlap: float) -> tuple[Floats, Floats]:
    """
    Test differences over folds, whose training rows overlap.

    The t-test of Nadeau and Bengio is two-sided. It adds `overlap` to 1 / n, the factor
    of the variance. baycomp's correlated t-test has the same distribution.

    Parameters
    ----------
    gaps : ndarray of shape (n_tests, n_folds)
        Differences; NaN where a fold has no result.
    overlap : float
        Test rows of a fold per training row.

    Returns
    -------
    p : ndarray of shape (n_tests,)
        A constant difference has the p-value 0; no difference, or a single fold, 1.
    half : ndarray of shape (n_tests,)
        Half the width of the 95 % confidence interval of the mean; NaN for a single
        fold.

    References
    ----------
    C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52
    (2003) 239-281.

    Examples
    --------
    >>> p, half = corrected_test(np.array([[1.0, 2, 3]]), overlap=0.5)
    >>> p.round(2), half.round(2)
    (array([0.16]), array([3.93]))
    """
    known = np.ma.masked_invalid(np.round(gaps, DECIMALS))
    n, mean = known.count(axis=1), np.ma.filled(known.mean(axis=1), 0.0)
    deviation = np.where(n > 1, np.ma.filled(known.std(axis=1, ddof=1), np.nan), np.nan)
    error = deviation * np.sqrt(1 / np.maximum(n, 1) + overlap)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.t.sf(np.abs(mean) / error, n - 1)
        half = error * stats.t.isf(LEVEL / 2, n - 1)
    return np.nan_to_num(p, nan=1.0), half


def one_tailed_test(first: Floats, second: Floats) -> Floats:
    """
    Test as the paper does: one-tailed, paired, folds as if they were independent.

    Returns
    -------
    ndarray of shape (n_tests,)
        p-values of the hypothesis that the first is not better. NaN where folds are
        missing or no differences vary.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # There may be too few folds, or no variance.
        warnings.simplefilter("ignore", RuntimeWarning)
        test = stats.ttest_rel(first, second, axis=1, nan_policy="omit",
                               alternative="greater")
    return np.ma.filled(test.pvalue, np.nan)


def interval(gaps: pd.DataFrame, overlap: float) -> dict[str, float]:
    """
    Return the mean difference and its 95 % confidence interval.

    Parameters
    ----------
    gaps : DataFrame
        A row for each data set and a column for each fold.
    overlap : float
        As for `corrected_test`, which gives the interval for a single data set. With
        several, it is that of Student's t over data sets.

    Returns
    -------
    dict
        ``datasets``, ``mean``, ``low`` and ``high``; NaN if there is no interval.
    """
    means = gaps.mean(axis=1).dropna()
    if len(means) > 1:
        return mean_intervals(means, [0] * len(means)).iloc[0].to_dict()
    if means.empty:
        return {"datasets": 0, "mean": np.nan, "low": np.nan, "high": np.nan}
    mean = float(means.iloc[0])
    half = float(corrected_test(gaps.loc[means.index].to_numpy(), overlap)[1][0])
    return {"datasets": 1, "mean": mean, "low": mean - half, "high": mean + half}


def mean_intervals(values: pd.Series, by: list, overlap: float = 0.0) -> pd.DataFrame:
    """
    Compute means of groups with 95 % confidence intervals by Student's t.

    Parameters
    ----------
    values : Series
    by : list
        Groups, as for `Series.groupby`.
    overlap : float
        As for `corrected_test`, where the values are those of folds.

    Returns
    -------
    DataFrame
        ``datasets``, the number of values; ``mean``, ``low`` and ``high``. With a
        single value the limits are NaN.

    Examples
    --------
    >>> mean_intervals(pd.Series([1, 2, 3]), [0, 0, 0]).round(2).values.tolist()
    [[3.0, 2.0, -0.48, 4.48]]
    """
    frame = values.groupby(by, sort=False).agg(datasets="count", mean="mean", std="std")
    half = frame.pop("std") * np.sqrt(1 / frame["datasets"] + overlap) * stats.t.isf(
        LEVEL / 2, frame["datasets"] - 1)
    return frame.assign(low=frame["mean"] - half, high=frame["mean"] + half)


def bayesian_test(gaps: Floats) -> tuple[float, ...] | None:
    """
    Compare two contenders by the Bayesian signed-rank test of baycomp.

    Parameters
    ----------
    gaps : ndarray of shape (n_datasets,)
        Differences of mean accuracy.

    Returns
    -------
    tuple of float or None
        Probabilities of: the first better by more than `ROPE`, both equivalent, the
        second better. None with too few data sets.
    """
    if len(gaps) < FEWEST_DATASETS:
        return None
    found = two_on_multiple(np.round(gaps, DECIMALS), np.zeros(len(gaps)), ROPE,
                            nsamples=N_SAMPLES, random_state=0)
    return tuple(map(float, found))


class Friedman(NamedTuple):
    """
    The Friedman test of several contenders on several data sets.

    Attributes
    ----------
    ranks : Series
        Average rank of each contender, the best first.
    n_datasets : int
    statistic, p_value : float
        Of the hypothesis that all contenders rank alike.
    critical_difference : float
        Of average ranks by Nemenyi, at the level 0.05.
    """

    ranks: pd.Series
    n_datasets: int
    statistic: float
    p_value: float
    critical_difference: float


def friedman(means: pd.DataFrame) -> Friedman | None:
    """
    Test whether contenders differ in their ranks.

    Parameters
    ----------
    means : DataFrame
        Mean accuracies, a row for each data set and a column for each contender. Rows
        with NaN are left out.

    Returns
    -------
    Friedman or None
        None with fewer than three contenders or `FEWEST_DATASETS`.
    """
    means = means.dropna().round(DECIMALS)
    n_datasets, n_contenders = means.shape
    if n_contenders < 3 or n_datasets < FEWEST_DATASETS:
        return None
    ranks = means.rank(axis=1, ascending=False).mean().sort_values(kind="stable")
    with np.errstate(invalid="ignore"):  # all ranks may be tied
        statistic, p = stats.friedmanchisquare(*means.to_numpy().T)
    return Friedman(ranks, n_datasets, float(np.nan_to_num(statistic)),
                    float(np.nan_to_num(p, nan=1.0)),
                    critical_difference(n_contenders, n_datasets))


def critical_difference(n_contenders: int, n_datasets: float) -> float:
    """
    Compute the critical difference of average ranks by the test of Nemenyi.

    References
    ----------
    J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal
    of Machine Learning Research 7 (2006) 1-30.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    q = stats.studentized_range.ppf(1 - LEVEL, n_contenders, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_contenders * (n_contenders + 1) / (6 * n_datasets)))
