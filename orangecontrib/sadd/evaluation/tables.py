"""Summaries of a table of results: accuracies and tests, intervals, times, curves.

The table is that of `evaluate_fold`. Accuracies and calibration errors are in per cent.
"""

import warnings
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from baycomp import two_on_multiple, two_on_single
from scipy import stats

from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.evaluation.candidates import REFERENCES
from orangecontrib.sadd.evaluation.protocol import NEIGHBOURS

__all__ = ["MEASURES", "ROPE", "Comparison", "Contender", "Friedman",
           "accuracy_table", "calibration_error", "candidate_averages",
           "candidate_curves", "candidate_differences", "candidate_table",
           "comparisons", "critical_difference", "friedman", "interval_counts",
           "label", "labels", "main_rows", "mean_intervals", "reliability",
           "run_times", "summaries", "sweep"]

LEVEL = 0.05
#: Accuracies that differ by less are practically equivalent.
ROPE = 1.0
# Samples of the Bayesian test, enough for two decimals
N_SAMPLES = 10_000

#: Measures of candidates, and whether a larger value is better
MEASURES = {"accuracy": True, "log_loss": False, "brier": False,
            "calibration_error": False}

# The classifier that compares discretizers, if it was run
BASE = "NB"
WAYS = {"test": "transductive", "training": "semi-supervised", "none": "inductive"}
INTERVALS = ["1", "2", "3", "4", "5", ">5"]
CANDIDATE = ["classifier", "pool"]


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


def labels(frame: pd.DataFrame, prefix: str = "", *, classifier: bool = True
           ) -> list[str]:
    """Return the names of a frame's rows, perhaps with the classifier."""
    columns = [frame[prefix + "method"] if prefix + "method" in frame else "",
               frame[prefix + "pool"], frame.get("labelled", 1.0),
               frame["classifier"] if classifier else ""]
    return [label(*row) for row in pd.DataFrame(
        dict(enumerate(columns)), index=frame.index).to_numpy()]


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
        """Signs of `test` by data set, of the first variant of SADD against others."""
        return {other: self.test(one, other)[1] for one, other in reversed(self.pairs)}

    @property
    def pairs(self) -> list[tuple[Contender, Contender]]:
        """Pairs to test: variants of SADD, and others with the same classifier."""
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

        Several data sets are compared by the signed-rank test of mean accuracies, a
        single one by the correlated t-test of its folds.

        Returns
        -------
        tuple of float or None
            Probabilities that the first is better by more than `ROPE`, that both are
            equivalent, and that the second is better. None without enough folds.
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


def main_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of methods, with the first k and N0 of SADD only."""
    rows = table[table["method"] != ""]
    sadd = rows[rows["method"] == "SADD"]
    if sadd.empty:
        return rows
    return rows[rows["k"].isin(["", sadd["k"].iloc[0]])
                & (rows["n0"].isna() | (rows["n0"] == sadd["n0"].iloc[0]))]


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
    rows = main_rows(table)
    rows = rows[rows["measure"] == "accuracy"]
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


def accuracy_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean accuracy and deviation of each method on each data set."""
    rows = table[(table["measure"] == "accuracy") & (table["method"] != "")]
    names = ["dataset", "labelled", "classifier_labels", "method", "pool", "k", "n0",
             "classifier"]
    groups = rows.assign(value=100 * rows["value"]).groupby(
        names, sort=False, dropna=False)
    return groups["value"].agg(folds="count", mean="mean", std="std").reset_index()


def interval_counts(table: pd.DataFrame) -> pd.DataFrame:
    """
    Count the attributes of each data set by their number of intervals.

    Returns
    -------
    DataFrame
        ``dataset``, ``method``, ``pool``, number of ``attributes``, ``mean`` number of
        intervals, and the counts ``1`` to ``5`` and ``>5``. They are by the mean
        number of intervals of an attribute over folds, rounded half up.
    """
    rows = main_rows(table)
    names = ["dataset", "method", "pool"]
    means = rows[rows["measure"] == "intervals"].groupby(
        [*names, "item"], sort=False)["value"].mean()
    rounded = np.floor(means + 0.5).clip(1, len(INTERVALS))
    frame = means.groupby(level=names, sort=False).agg(attributes="size", mean="mean")
    for number, name in enumerate(INTERVALS, start=1):
        frame[name] = (rounded == number).groupby(level=names, sort=False).sum()
    return frame.reset_index()


def sweep(table: pd.DataFrame) -> pd.DataFrame:
    """Average the accuracy of SADD for each k and N0, if more than one was run."""
    frame = accuracy_table(table)
    names = ["labelled", "classifier_labels", "pool", "classifier", "k", "n0"]
    frame = frame[frame["method"] == "SADD"]
    is_sweep = len(frame[["k", "n0"]].drop_duplicates()) > 1
    return frame[slice(None) if is_sweep else slice(0)].groupby(
        names, sort=False)["mean"].agg(datasets="size", mean="mean").reset_index()


def run_times(table: pd.DataFrame) -> pd.DataFrame:
    """Sum the times of discretizers and classifiers over all folds with all labels."""
    rows = main_rows(table)
    rows = rows[(rows["labelled"] == 1) & (rows["method"] != NEIGHBOURS)
                & rows["measure"].str.startswith("seconds_")]
    return rows.groupby(["measure", *Contender._fields], sort=False).agg(
        seconds=("value", "sum"), fits=("value", "size"),
        data_sets=("dataset", "nunique")).reset_index()


def _bin_sums(table, names):
    """Return sums over the bins of probabilities by these columns."""
    measures = ["rows", "confidence", "right"]
    sums = table[table["measure"].isin(measures)].groupby(
        [*names, "item", "measure"], sort=False)["value"].sum()
    return sums.unstack("measure").reindex(columns=measures)


def calibration_error(bins: pd.DataFrame) -> float:
    """
    Compute the expected calibration error (ECE).

    It is the mean over rows of the distance, in their bin, between the mean confidence
    and the fraction of correct predictions.

    Parameters
    ----------
    bins : DataFrame
        Sums of ``rows``, ``confidence`` and ``right``, a row for each bin.

    Examples
    --------
    >>> bins = {"rows": [1, 2], "confidence": [1.0, 1.25], "right": [1, 1]}
    >>> round(calibration_error(pd.DataFrame(bins)), 4)
    0.0833
    """
    gaps = (bins["confidence"] - bins["right"]).abs()
    return float(gaps.sum() / bins["rows"].sum())


def reliability(table: pd.DataFrame) -> pd.DataFrame:
    """
    Compute the fraction of correct predictions by the probability of the class.

    Returns
    -------
    DataFrame
        ``classifier``, ``pool`` and bin ``item``; ``rows`` in the bin over all data
        sets, their mean ``confidence`` and the fraction ``right``.
    """
    sums = _bin_sums(table[table["labelled"] == 1], CANDIDATE)
    return sums.assign(confidence=sums["confidence"] / sums["rows"],
                       right=sums["right"] / sums["rows"]).reset_index()


def candidate_table(table: pd.DataFrame) -> pd.DataFrame:
    """
    Compute the measures of candidates on each data set.

    Returns
    -------
    DataFrame
        ``dataset``, ``labelled``, ``classifier``, ``pool``, number of ``fits``, and
        means over folds of the measures and ``seconds``. The calibration error is of
        the test rows of all folds together. ``complete`` marks the data sets on which
        all candidates have all results.
    """
    names = ["dataset", "labelled", *CANDIDATE]
    columns = [*names, "fits", *MEASURES, "seconds", "complete"]
    rows = table[(table["method"] == "") & (table["measure"] != "error")]
    if rows.empty:
        return pd.DataFrame()
    figures = rows.groupby([*names, "measure"], sort=False)["value"].agg(
        ["mean", "size"]).unstack("measure")
    frame = figures["mean"].rename(columns={"seconds_classify": "seconds"})
    frame["calibration_error"] = _bin_sums(rows, names).groupby(
        level=names, sort=False).apply(calibration_error)
    frame[["accuracy", "calibration_error"]] *= 100
    frame["fits"] = figures["size", "accuracy"]
    fits = frame["fits"].groupby(level=["dataset", "labelled"])
    n_candidates = len(rows[CANDIDATE].drop_duplicates())
    frame["complete"] = (fits.transform("size") == n_candidates) & (
        fits.transform("min") == fits.transform("max"))
    return frame.reset_index()[columns]


def candidate_averages(frame: pd.DataFrame) -> pd.DataFrame:
    """Average a `candidate_table` over its complete data sets."""
    groups = frame[frame["complete"]].groupby(["labelled", *CANDIDATE], sort=False)
    means = groups[[*MEASURES, "seconds"]].mean()
    means.insert(0, "datasets", groups.size())
    return means.reset_index().sort_values("labelled", kind="stable")


def mean_intervals(values: pd.Series, by: Iterable) -> pd.DataFrame:
    """
    Compute means of groups with 95 % confidence intervals by Student's t.

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
    frame = values.groupby(by, sort=False).agg(datasets="count", mean="mean", sem="sem")
    half = frame.pop("sem") * stats.t.isf(LEVEL / 2, frame["datasets"] - 1)
    return frame.assign(low=frame["mean"] - half, high=frame["mean"] + half)


def candidate_curves(table: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """
    Average measures over the complete data sets for each number of labels.

    Parameters
    ----------
    table, frame : DataFrame
        Results, and their `candidate_table`.

    Returns
    -------
    DataFrame
        ``measure``, ``classifier``, ``pool``, ``labelled``; ``mean``, ``low`` and
        ``high``, with confidence intervals over repetitions.
    """
    keys, names = ["dataset", "labelled"], ["measure", *CANDIDATE, "labelled"]
    complete = frame.loc[frame["complete"], keys].drop_duplicates()
    rows = table[table["measure"].isin(MEASURES)].merge(complete, on=keys)
    means = rows.groupby([*names, "repeat"], sort=False)["value"].mean().reset_index()
    means.loc[means["measure"] == "accuracy", "value"] *= 100
    return mean_intervals(means["value"], [means[name] for name in names]).drop(
        columns="datasets").reset_index()


def candidate_differences(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Compare all candidates with each reference, on the complete data sets.

    Parameters
    ----------
    frame : DataFrame
        As from `candidate_table`.

    Returns
    -------
    DataFrame
        ``reference``, ``reference_pool``, ``measure``, ``classifier``, ``pool``,
        ``labelled``; number of ``datasets``; the ``mean`` difference with its
        confidence interval over data sets, ``low`` to ``high``; and the number of data
        sets on which the candidate is ``better``.
    """
    keys = ["dataset", "labelled", "measure"]
    names = ["measure", *CANDIDATE, "labelled"]
    rows = frame[frame["complete"]].melt(
        ["dataset", "labelled", *CANDIDATE], list(MEASURES), "measure")
    pool = "training" if (rows["pool"] == "training").any() else "none"
    parts = []
    for reference in REFERENCES:
        is_it = (rows["classifier"] == reference) & (rows["pool"] == pool)
        pairs = rows[~is_it].merge(rows.loc[is_it, [*keys, "value"]], on=keys)
        # Rounded, so that equal figures are equal
        gaps = (pairs["value_x"] - pairs["value_y"]).round(9)
        by = [pairs[name] for name in names]
        is_better = (gaps > 0) == pairs["measure"].map(MEASURES)
        found = mean_intervals(gaps, by).assign(
            better=(is_better & (gaps != 0)).groupby(by, sort=False).sum())
        parts.append(found.reset_index().assign(reference=reference,
                                                reference_pool=pool))
    return pd.concat(parts, ignore_index=True)


def summaries(table: pd.DataFrame, compared: dict[str, list[Comparison]]
              ) -> dict[str, pd.DataFrame]:
    """
    Return the summaries of a benchmark by the names of their files.

    Parameters
    ----------
    table : DataFrame
        Results.
    compared : dict
        As from `comparisons`.

    Returns
    -------
    dict of str and DataFrame
        Some may be empty.
    """
    full = [*compared["discretizers"], *compared["family"]]
    every = [*full, *compared["labels"]]
    found = {
        "accuracy": accuracy_table(table),
        "averages": _joined(c.averages.reset_index() for c in every),
        "wins": _joined(c.wins for c in every),
        "bayesian": _joined(c.bayesian for c in full),
        "intervals": interval_counts(table), "sweep": sweep(table),
        "run_time": run_times(table), "candidates": candidate_table(table),
        "reliability": reliability(table),
    }
    frame = found["candidates"]
    if frame.empty or not frame["complete"].any():
        return found | dict.fromkeys(["candidate_averages", "differences", "curves"],
                                     pd.DataFrame())
    return found | {
        "candidate_averages": candidate_averages(frame),
        "differences": candidate_differences(frame),
        "curves": candidate_curves(table, frame)}


def _joined(frames):
    frames = list(frames)
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
