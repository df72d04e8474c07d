"""Summaries of a table of results: accuracies, intervals, times, candidates.

The table is that of `evaluate_fold`. Accuracies and calibration errors are in per cent.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import stats

from orangecontrib.sadd.evaluation.candidates import REFERENCES
from orangecontrib.sadd.evaluation.comparison import Comparison, Contender, label
from orangecontrib.sadd.evaluation.protocol import NEIGHBOURS

__all__ = ["MEASURES", "accuracy_table", "calibration_error", "candidate_averages",
           "candidate_curves", "candidate_differences", "candidate_table",
           "interval_counts", "labels", "mean_intervals", "reliability", "run_times",
           "summaries"]

#: Measures of candidates, and whether a larger value is better
MEASURES = {"accuracy": True, "log_loss": False, "brier": False,
            "calibration_error": False}
INTERVALS = ["1", "2", "3", "4", "5", ">5"]
CANDIDATE = ["classifier", "pool"]


def labels(frame: pd.DataFrame, prefix: str = "", *, classifier: bool = True
           ) -> list[str]:
    """Return the names of a frame's rows, perhaps with the classifier."""
    columns = [frame[prefix + "method"] if prefix + "method" in frame else "",
               frame[prefix + "pool"], frame.get("labelled", 1.0),
               frame["classifier"] if classifier else ""]
    return [label(*row) for row in pd.DataFrame(
        dict(enumerate(columns)), index=frame.index).to_numpy()]


def accuracy_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean accuracy and deviation of each method on each data set."""
    rows = table[(table["measure"] == "accuracy") & (table["method"] != "")]
    names = ["dataset", "labelled", "classifier_labels", "method", "pool", "classifier"]
    groups = rows.assign(value=100 * rows["value"]).groupby(names, sort=False)
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
    names = ["dataset", "method", "pool"]
    means = table[table["measure"] == "intervals"].groupby(
        [*names, "item"], sort=False)["value"].mean()
    rounded = np.floor(means + 0.5).clip(1, len(INTERVALS))
    frame = means.groupby(level=names, sort=False).agg(attributes="size", mean="mean")
    for number, name in enumerate(INTERVALS, start=1):
        frame[name] = (rounded == number).groupby(level=names, sort=False).sum()
    return frame.reset_index()


def run_times(table: pd.DataFrame) -> pd.DataFrame:
    """Sum the times of discretizers and classifiers over all folds with all labels."""
    rows = table[(table["labelled"] == 1) & ~table["method"].isin(["", NEIGHBOURS])
                 & table["measure"].str.startswith("seconds_")]
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

    The error of a bin is the distance between its mean confidence and its fraction of
    correct predictions. ECE is the mean over rows.

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
    half = frame.pop("sem") * stats.t.isf(0.025, frame["datasets"] - 1)
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
    rows = table[(table["method"] == "") & table["measure"].isin(MEASURES)].merge(
        complete, on=keys)
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
        is_base = (rows["classifier"] == reference) & (rows["pool"] == pool)
        pairs = rows[~is_base].merge(rows.loc[is_base, [*keys, "value"]], on=keys)
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
        "intervals": interval_counts(table),
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
