"""Comparison of contenders by their accuracy on the same folds."""

from functools import cached_property

import numpy as np
import pandas as pd

from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.evaluation.contenders import NEIGHBOURS, Contender, shown_name
from orangecontrib.sadd.evaluation.significance import (
    DECIMALS,
    LEVEL,
    bayesian_test,
    corrected_test,
    interval,
    one_tailed_test,
)

__all__ = ["Comparison", "comparisons", "overlap_of"]

# The classifier that compares discretizers, if it was run
BASE = "NB"


def overlap_of(table: pd.DataFrame) -> float:
    """Return test rows per training row: of folds, or of random splits."""
    folds = table["fold"].nunique()
    return 1 / (folds - 1) if folds > 1 and table["labelled"].max() <= 1 else 1 / 2


class Comparison:
    """
    Accuracy of contenders on the same folds.

    Parameters
    ----------
    rows : DataFrame
        Rows of the results with accuracies, of a single value of ``labelled``.
    classifier_labels : str
        As in the results.
    published : bool
        Whether significance is counted by the paper's test.

    Attributes
    ----------
    contenders : list of Contender
        By classifier, with SADD first. The labeller is the last.
    folds : dict of Contender and DataFrame
        Accuracies by data set and fold.
    means, deviations : DataFrame
        Mean and sample standard deviation over folds, by data set and contender.
    is_partial : DataFrame
        Whether some folds have no result, arranged as the means.
    common : Index
        Data sets on which all contenders have all results.
    """

    def __init__(self, rows: pd.DataFrame, classifier_labels: str = "all",
                 published: bool = False) -> None:
        self.labelled = rows["labelled"].iloc[0]
        self.classifier_labels, self.published = classifier_labels, published
        self.overlap = overlap_of(rows)
        names, place = list(Contender._fields), ["repeat", "fold"]
        order = [*CLASSIFIERS, ""]
        self.contenders = sorted(
            (Contender(*c) for c in rows[names].drop_duplicates().to_numpy()),
            key=lambda c: (c.discretizer == NEIGHBOURS, order.index(c.classifier)))
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
        return [c for c in self.contenders if c.discretizer != NEIGHBOURS]

    @property
    def classifiers(self) -> list[str]:
        """The classifiers; that of the labeller is an empty string."""
        return list(dict.fromkeys(c.classifier for c in self.contenders))

    @property
    def is_family(self) -> bool:
        """Whether there are several classifiers."""
        return len({*self.classifiers} - {""}) > 1

    def name_of(self, contender: Contender) -> str:
        """Return the name of a contender without the classifier."""
        return shown_name(contender.discretizer, contender.pool, self.labelled)

    @cached_property
    def signs(self) -> dict[Contender, pd.Series]:
        """Signs of `test` by data set, of the first SADD and each other contender."""
        return {other: self.test(one, other)[1] for one, other in reversed(self.pairs)}

    @property
    def pairs(self) -> list[tuple[Contender, Contender]]:
        """Pairs to test: SADD, and contenders with the same classifier."""
        return [
            (one, other) for one in self.contenders for other in self.contenders
            if one.discretizer == "SADD" and one != other
            and (other.discretizer != "SADD" or one.pool != "none")
            and (other.classifier == one.classifier
                 or other.discretizer == NEIGHBOURS and not self.is_family)]

    def test(self, one: Contender, other: Contender) -> tuple[pd.Series, pd.Series]:
        """
        Compare two contenders on each data set, by a t-test over folds.

        Returns
        -------
        gaps : Series
            Differences of mean accuracy by data set.
        signs : Series
            1 where the first is significantly better, -1 where it is significantly
            worse, else 0. A constant difference is significant.
        """
        first, second = self.folds[one].to_numpy(), self.folds[other].to_numpy()
        gaps = (self.folds[one] - self.folds[other]).mean(axis=1).round(DECIMALS)
        if self.published:
            p = one_tailed_test(first, second)
            p = np.where(gaps > 0, p, 1 - p)
        else:
            p = corrected_test(first - second, self.overlap)[0]
        return gaps, np.sign(gaps).fillna(0) * (p < LEVEL)

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
            if self.name_of(c) == name} for name in map(self.name_of, self.ranked)})

    @cached_property
    def wins(self) -> pd.DataFrame:
        """Differences of SADD from other contenders, and on how many data sets."""
        rows = []
        for one, other in self.pairs:
            gaps, signs = self.test(one, other)
            rows.append({
                **self._keys(one, other),
                **interval(self.folds[one] - self.folds[other], self.overlap),
                "wins": (gaps > 0).sum(), "ties": (gaps == 0).sum(),
                "losses": (gaps < 0).sum(), "significant_wins": (signs > 0).sum(),
                "significant_losses": (signs < 0).sum()})
        return pd.DataFrame(rows).astype({"datasets": int}) if rows else pd.DataFrame()

    @cached_property
    def bayesian(self) -> pd.DataFrame:
        """Probabilities that one contender of each pair is better."""
        names = ["first_better", "equivalent", "second_better"]
        gaps = {pair: (self.means[pair[0]] - self.means[pair[1]]).dropna().to_numpy()
                for pair in self.pairs}
        return pd.DataFrame([
            self._keys(*pair) | dict(zip(names, found, strict=True))
            for pair in self.pairs if (found := bayesian_test(gaps[pair])) is not None])

    def _keys(self, one, other):
        return {"labelled": self.labelled, "classifier_labels": self.classifier_labels,
                "classifier": one.classifier, "first_discretizer": one.discretizer,
                "first_pool": one.pool, "second_discretizer": other.discretizer,
                "second_pool": other.pool}


def comparisons(table: pd.DataFrame, published: bool = False
                ) -> dict[str, list[Comparison]]:
    """
    Arrange accuracies for comparison.

    Parameters
    ----------
    table : DataFrame
        Results, as from `evaluate_fold`.
    published : bool
        As for `Comparison`.

    Returns
    -------
    dict
        "discretizers": with all labels and NB, or the first classifier if NB was not
        run. "family": other classifiers on SADD and MDLP. "labels": discretizers with
        a part of the labels. The first two lists have at most one element.
    """
    rows = table[(table["measure"] == "accuracy") & (table["discretizer"] != "")]
    is_labeller = rows["discretizer"] == NEIGHBOURS
    others = rows["classifier"][~is_labeller].unique()
    base = BASE if BASE in others or not len(others) else others[0]
    family = ~rows["classifier"].isin([BASE, ""]) & (rows["labelled"] == 1) \
        & rows["discretizer"].isin(["SADD", "MDLP"])
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
            found[name].append(Comparison(
                rows[chosen | is_labeller & labelled], which, published))
    return found
