"""Comparison of methods and classifiers by their accuracy on the same folds."""

import warnings
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from baycomp import two_on_multiple, two_on_single
from scipy import stats

from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.evaluation.protocol import NEIGHBOURS

__all__ = ["ROPE", "Comparison", "Contender", "Friedman", "comparisons",
           "critical_difference", "friedman", "label"]

LEVEL = 0.05
#: Accuracies, in per cent, that differ by less are practically equivalent.
ROPE = 1.0
# Samples of the Bayesian test, enough for two decimals
N_SAMPLES = 10_000

# The classifier that compares discretizers, if it was run
BASE = "NB"
WAYS = {"test": "transductive", "training": "semi-supervised", "none": "inductive"}


class Contender(NamedTuple):
    """A method, the source of its unlabelled rows, and a classifier."""

    method: str
    pool: str = "none"
    classifier: str = BASE


def label(method: str, pool: str = "none", labelled: float = 1.0, classifier: str = ""
          ) -> str:
    """
    Return the name of a contender or of a candidate to show.

    Examples
    --------
    >>> label("SADD", "test"), label("MDLP", classifier="RNB")
    ('SADD transductive', 'RNB on MDLP')
    >>> label("", "training", 10, "RNB+")
    'RNB+ with unlabelled rows'
    """
    if not method:
        return classifier + (" with unlabelled rows" if pool != "none" else "")
    if method == "SADD":
        is_only = pool == "none" and labelled < 1
        method += " labelled only" if is_only else f" {WAYS[pool]}"
    return f"{classifier} on {method}" if classifier else method


class Comparison:
    """
    Accuracy of contenders on the same folds.

    Parameters
    ----------
    rows : DataFrame
        Rows of the results with accuracies, of a single value of ``labelled``.
    classifier_labels : str
        As in the results.

    Attributes
    ----------
    contenders : list of Contender
        By classifier, with variants of SADD first. The labeller is the last.
    folds : dict of Contender and DataFrame
        Accuracies by data set and fold.
    means, deviations : DataFrame
        Mean and sample standard deviation over folds, by data set and contender.
    is_partial : DataFrame
        Whether some folds have no result, arranged as the means.
    common : Index
        Data sets on which all contenders have all results.
    """

    def __init__(self, rows: pd.DataFrame, classifier_labels: str = "all") -> None:
        self.labelled = rows["labelled"].iloc[0]
        self.classifier_labels = classifier_labels
        names, place = list(Contender._fields), ["repeat", "fold"]
        order = [*CLASSIFIERS, ""]
        self.contenders = sorted(
            (Contender(*c) for c in rows[names].drop_duplicates().to_numpy()),
            key=lambda c: (c.method == NEIGHBOURS, order.index(c.classifier)))
        wide = 100 * rows.pivot(index="dataset", columns=[*names, *place],
                                values="value").sort_index(axis=1)
        every = pd.MultiIndex.from_frame(rows[place].drop_duplicates())
        self.folds = {c: wide[tuple(c)].reindex(rows["dataset"].unique(), columns=every)
                      for c in self.contenders}
        # Rounded, so that another order of summation does not break a tie
        self.means = self._by_contender(lambda folds: folds.mean(axis=1).round(9))
        self.deviations = self._by_contender(lambda folds: folds.std(axis=1))
        counts = self._by_contender(lambda folds: folds.count(axis=1))
        self.is_partial = counts.lt(counts.max(axis=1), axis=0)
        self.common = self.means.index[~self.is_partial.any(axis=1)]

    def _by_contender(self, function):
        return pd.concat({c: function(folds) for c, folds in self.folds.items()},
                         axis=1, names=Contender._fields)

    @property
    def ranked(self) -> list[Contender]:
        """The contenders without the labeller, which is no discretizer."""
        return [c for c in self.contenders if c.method != NEIGHBOURS]

    @property
    def classifiers(self) -> list[str]:
        """The classifiers; that of the labeller is an empty string."""
        return list(dict.fromkeys(c.classifier for c in self.contenders))

    @property
    def is_family(self) -> bool:
        """Whether there are several classifiers."""
        return len({*self.classifiers} - {""}) > 1

    def label(self, contender: Contender) -> str:
        """Return the name of a contender without the classifier."""
        return label(contender.method, contender.pool, self.labelled)

    @cached_property
    def signs(self) -> dict[Contender, pd.Series]:
        """Signs of `test` by data set, of the first variant of SADD and each rival."""
        return {other: self.test(one, other)[1] for one, other in reversed(self.pairs)}

    @property
    def pairs(self) -> list[tuple[Contender, Contender]]:
        """Pairs to test: variants of SADD, and rivals with the same classifier."""
        return [
            (one, other) for one in self.contenders for other in self.contenders
            if one.method == "SADD" and one != other
            and (other.method != "SADD" or one.pool != "none")
            and (other.classifier == one.classifier
                 or other.method == NEIGHBOURS and not self.is_family)]

    def test(self, one: Contender, other: Contender) -> tuple[pd.Series, pd.Series]:
        """
        Compare two contenders by a one-tailed paired t-test over folds.

        Returns
        -------
        gaps : Series
            Differences of mean accuracy by data set.
        signs : Series
            1 where the first is significantly better, -1 where it is significantly
            worse, else 0. A constant difference is significant.
        """
        first, second = self.folds[one], self.folds[other]
        gaps = (first - second).mean(axis=1).round(7)
        with warnings.catch_warnings():
            # There may be no variance, or too few folds.
            warnings.simplefilter("ignore", RuntimeWarning)
            test = stats.ttest_rel(first, second, axis=1, nan_policy="omit",
                                   alternative="greater")
        p = np.ma.filled(test.pvalue, np.nan)
        is_significant = np.where(gaps > 0, p, 1 - p) < LEVEL
        return gaps, np.sign(gaps).fillna(0) * is_significant

    def bayesian_test(self, one: Contender, other: Contender
                      ) -> tuple[float, ...] | None:
        """
        Compare two contenders by a Bayesian test.

        With several data sets, by the signed-rank test of mean accuracies. With a
        single one, by the correlated t-test of its folds.

        Returns
        -------
        tuple of float or None
            Probabilities of: the first better by more than `ROPE`, both equivalent, the
            second better. None without enough folds.
        """
        folds = (self.folds[one] - self.folds[other]).dropna(how="all")
        if len(folds) > 1:
            gaps = folds.mean(axis=1).round(7).to_numpy()
            found = two_on_multiple(gaps, np.zeros(len(gaps)), ROPE,
                                    nsamples=N_SAMPLES, random_state=0)
        else:
            gaps = folds.to_numpy()[~folds.isna()]
            n_repeats = folds.columns.get_level_values("repeat").nunique()
            if len(gaps) // n_repeats < 2:
                return None
            found = two_on_single(gaps, np.zeros(len(gaps)), ROPE,
                                  runs=1 if len(gaps) % n_repeats else n_repeats)
        return tuple(map(float, found))

    @cached_property
    def averages(self) -> pd.DataFrame:
        """Average accuracy and rank of each contender over the common data sets."""
        means = self.means.loc[self.common]
        ranks = means[self.ranked].rank(axis=1, ascending=False)
        return pd.DataFrame({
            "labelled": self.labelled, "classifier_labels": self.classifier_labels,
            "datasets": len(means), "mean": means.mean(), "rank": ranks.mean(),
        }, index=means.columns)

    @property
    def average_grid(self) -> pd.DataFrame:
        """Average accuracy by classifier and method."""
        return pd.DataFrame({name: {
            c.classifier: self.averages["mean"][c] for c in self.ranked
            if self.label(c) == name} for name in map(self.label, self.ranked)})

    @cached_property
    def wins(self) -> pd.DataFrame:
        """Numbers of data sets on which SADD is better, level or worse."""
        rows = []
        for pair in self.pairs:
            gaps, signs = self.test(*pair)
            rows.append({
                **self._keys(*pair), "wins": (gaps > 0).sum(),
                "ties": (gaps == 0).sum(), "losses": (gaps < 0).sum(),
                "significant_wins": (signs > 0).sum(),
                "significant_losses": (signs < 0).sum()})
        return pd.DataFrame(rows)

    @cached_property
    def bayesian(self) -> pd.DataFrame:
        """Probabilities that one contender of each pair is better."""
        names = ["first_better", "equivalent", "second_better"]
        return pd.DataFrame([
            self._keys(*pair) | dict(zip(names, found, strict=True))
            for pair in self.pairs if (found := self.bayesian_test(*pair)) is not None])

    def _keys(self, one, other):
        return {"labelled": self.labelled, "classifier_labels": self.classifier_labels,
                "classifier": one.classifier, "first_method": one.method,
                "first_pool": one.pool, "second_method": other.method,
                "second_pool": other.pool}


class Friedman(NamedTuple):
    """
    The Friedman test of several methods on several data sets.

    Attributes
    ----------
    ranks : Series
        Average rank of each method, the best first.
    n_datasets : int
    statistic, p_value : float
        Of the hypothesis that all methods rank alike.
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
    Test whether methods differ in their ranks.

    Parameters
    ----------
    means : DataFrame
        Mean accuracies, a row for each data set and a column for each method. Rows
        with NaN are left out.

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
    with np.errstate(invalid="ignore"):  # all ranks may be tied
        statistic, p = stats.friedmanchisquare(*means.to_numpy().T)
    return Friedman(ranks, n_datasets, float(np.nan_to_num(statistic)),
                    float(np.nan_to_num(p, nan=1.0)),
                    critical_difference(n_methods, n_datasets))


def critical_difference(n_methods: int, n_datasets: float) -> float:
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
    q = stats.studentized_range.ppf(1 - LEVEL, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def comparisons(table: pd.DataFrame) -> dict[str, list[Comparison]]:
    """
    Arrange accuracies for comparison.

    Returns
    -------
    dict
        "discretizers": with all labels and NB, or the first classifier if NB was not
        run. "family": other classifiers on SADD and MDLP. "labels": discretizers with
        a part of the labels. The first two lists have at most one element.
    """
    rows = table[(table["measure"] == "accuracy") & (table["method"] != "")]
    is_labeller = rows["method"] == NEIGHBOURS
    others = rows["classifier"][~is_labeller].unique()
    base = BASE if BASE in others or not len(others) else others[0]
    family = ~rows["classifier"].isin([BASE, ""]) & (rows["labelled"] == 1) \
        & rows["method"].isin(["SADD", "MDLP"])
    wanted = [("family", family, "all")]
    for labelled in sorted(rows["labelled"].unique(), reverse=True):
        for which in ("all", "labelled"):
            wanted.append((
                "discretizers" if labelled == 1 else "labels",
                (rows["labelled"] == labelled) & (rows["classifier"] == base)
                & (rows["classifier_labels"] == which), which))
    found: dict[str, list[Comparison]] = {"discretizers": [], "family": [],
                                          "labels": []}
    for name, chosen, which in wanted:
        if chosen.any():
            labelled = rows["labelled"] == rows["labelled"][chosen].iloc[0]
            found[name].append(
                Comparison(rows[chosen | is_labeller & labelled], which))
    return found
