"""Summaries of a table of results: accuracies, intervals, times, whole classifiers.

The table is that of `evaluate_fold`. Accuracies and calibration errors are in per cent.
"""

from itertools import product

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.comparison import Comparison, overlap_of
from orangecontrib.sadd.evaluation.contenders import (
    NEIGHBOURS,
    SADD_TABLES,
    Contender,
    shown_name,
)
from orangecontrib.sadd.evaluation.significance import interval, mean_intervals

__all__ = ["IS_WHOLE", "MEASURES", "accuracy_table", "calibration_error",
           "interval_counts", "learning_curves", "reliability", "run_times",
           "shown_names", "summaries", "whole_averages", "whole_differences",
           "whole_table"]

#: Measures of classifiers as a whole, and whether a larger value is better
MEASURES = {"accuracy": True, "log_loss": False, "brier": False,
            "calibration_error": False}
INTERVALS = ["1", "2", "3", "4", "5", ">5"]
#: Columns that name a classifier as a whole
IS_WHOLE = ["classifier", "pool"]
# Classifiers from which the differences of all others are shown
BASES = (SADD_TABLES, "RNB+")


def shown_names(frame: pd.DataFrame, prefix: str = "", *, classifier: bool = True
                ) -> list[str]:
    """Return the names of a frame's rows, perhaps with the classifier."""
    columns = [frame[prefix + "discretizer"] if prefix + "discretizer" in frame else "",
               frame[prefix + "pool"], frame.get("labelled", 1.0),
               frame["classifier"] if classifier else ""]
    return [shown_name(*row) for row in pd.DataFrame(
        dict(enumerate(columns)), index=frame.index).to_numpy()]


def accuracy_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean accuracy and deviation of each contender on each data set."""
    rows = table[(table["measure"] == "accuracy") & (table["discretizer"] != "")]
    names = ["dataset", "labelled", "classifier_labels", *Contender._fields]
    groups = rows.assign(value=100 * rows["value"]).groupby(names, sort=False)
    return groups["value"].agg(folds="count", mean="mean", std="std").reset_index()


def interval_counts(table: pd.DataFrame) -> pd.DataFrame:
    """
    Count the attributes of each data set by their number of intervals.

    Returns
    -------
    DataFrame
        ``dataset``, ``discretizer``, ``pool``, number of ``attributes``, ``mean``
        number of intervals, and the counts ``1`` to ``5`` and ``>5``. They are by the
        mean number of intervals of an attribute over folds, rounded half up.
    """
    names = ["dataset", "discretizer", "pool"]
    means = table[table["measure"] == "intervals"].groupby(
        [*names, "item"], sort=False)["value"].mean()
    rounded = np.floor(means + 0.5).clip(1, len(INTERVALS))
    frame = means.groupby(level=names, sort=False).agg(attributes="size", mean="mean")
    for number, name in enumerate(INTERVALS, start=1):
        frame[name] = (rounded == number).groupby(level=names, sort=False).sum()
    return frame.reset_index()


def run_times(table: pd.DataFrame) -> pd.DataFrame:
    """Sum the times of discretizers and classifiers over all folds with all labels."""
    rows = table[(table["labelled"] == 1) & ~table["discretizer"].isin(["", NEIGHBOURS])
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
    sums = _bin_sums(table[table["labelled"] == 1], IS_WHOLE)
    return sums.assign(confidence=sums["confidence"] / sums["rows"],
                       right=sums["right"] / sums["rows"]).reset_index()


def whole_table(table: pd.DataFrame) -> pd.DataFrame:
    """
    Compute the measures of classifiers as a whole on each data set.

    Returns
    -------
    DataFrame
        ``dataset``, ``labelled``, ``classifier``, ``pool``, number of ``fits``, and
        means over folds of the measures and ``seconds``. The calibration error is of
        the test rows of all folds together. ``complete`` marks the data sets on which
        all classifiers have all results.
    """
    names = ["dataset", "labelled", *IS_WHOLE]
    columns = [*names, "fits", *MEASURES, "seconds", "complete"]
    rows = table[(table["discretizer"] == "") & (table["measure"] != "error")]
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
    n_whole = len(rows[IS_WHOLE].drop_duplicates())
    frame["complete"] = (fits.transform("size") == n_whole) & (
        fits.transform("min") == fits.transform("max"))
    return frame.reset_index()[columns]


def whole_averages(frame: pd.DataFrame) -> pd.DataFrame:
    """Average a `whole_table` over its complete data sets."""
    groups = frame[frame["complete"]].groupby(["labelled", *IS_WHOLE], sort=False)
    means = groups[[*MEASURES, "seconds"]].mean()
    means.insert(0, "datasets", groups.size())
    return means.reset_index().sort_values("labelled", kind="stable")


def _folds(table, frame):
    """Return results of complete data sets, a row each, and a column for each fold."""
    keys = ["dataset", "labelled"]
    rows = table[(table["discretizer"] == "") & table["measure"].isin(MEASURES)].merge(
        frame.loc[frame["complete"], keys].drop_duplicates(), on=keys)
    is_share = rows["measure"] == "accuracy"
    rows["value"] = rows["value"].where(~is_share, 100 * rows["value"])
    # The calibration error is of all folds together.
    errors = frame[frame["complete"]].assign(
        measure="calibration_error", repeat=0, fold=0, value=frame["calibration_error"])
    names = ["measure", *IS_WHOLE, "labelled", "repeat", "fold"]
    return pd.concat([rows, errors]).pivot(
        index="dataset", columns=names, values="value").sort_index(axis=1)


def learning_curves(table: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """
    Average measures for each number of labels, always over the same data sets.

    Parameters
    ----------
    table, frame : DataFrame
        Results, and their `whole_table`.

    Returns
    -------
    DataFrame
        ``measure``, ``classifier``, ``pool``, ``labelled``; ``mean``, ``low`` and
        ``high``, with confidence intervals over random splits; number of ``datasets``,
        those that are complete with each number of labels. Empty if there are none.
    """
    folds = _folds(table, frame).dropna()
    if folds.empty:
        return pd.DataFrame()
    means = folds.mean().rename("mean").reset_index()
    found = mean_intervals(means["mean"], [means[name] for name in (
        "measure", *IS_WHOLE, "labelled")], overlap_of(table))
    return found.assign(datasets=len(folds)).reset_index()


def whole_differences(table: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """
    Compare classifiers as a whole with each of `BASES`, on the complete data sets.

    Arguments are those of `learning_curves`.

    Returns
    -------
    DataFrame
        ``base``, ``base_pool``, ``measure``, ``classifier``, ``pool``, ``labelled``;
        number of ``datasets``; the ``mean`` difference from the base, with its
        confidence interval, ``low`` to ``high``, see `interval`; and the number of
        data sets on which the classifier is ``better``.
    """
    folds, overlap, rows = _folds(table, frame), overlap_of(table), []
    pool = "training" if (frame["pool"] == "training").any() else "none"
    names = folds.columns.droplevel(["repeat", "fold"]).unique()
    contenders = frame[frame["complete"]][[*IS_WHOLE, "labelled"]].drop_duplicates()
    for base, measure in product(BASES, MEASURES):
        for classifier, source, labelled in contenders.itertuples(index=False):
            key = measure, base, pool, labelled
            if key in names and (classifier, source) != (base, pool):
                gaps = folds[measure, classifier, source, labelled] - folds[key]
                # Rounded, so that equal figures are equal
                means = gaps.mean(axis=1).round(9)
                better = (means > 0) if MEASURES[measure] else (means < 0)
                rows.append({
                    "base": base, "base_pool": pool, "measure": measure,
                    "classifier": classifier, "pool": source, "labelled": labelled,
                    **interval(gaps, overlap), "better": int(better.sum())})
    return pd.DataFrame(rows).astype({"datasets": int}) if rows else pd.DataFrame()


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
        "run_time": run_times(table), "classifiers": whole_table(table),
        "reliability": reliability(table),
    }
    frame = found["classifiers"]
    if frame.empty or not frame["complete"].any():
        return found | dict.fromkeys(["classifier_averages", "differences", "curves"],
                                     pd.DataFrame())
    return found | {
        "classifier_averages": whole_averages(frame),
        "differences": whole_differences(table, frame),
        "curves": learning_curves(table, frame)}


def _joined(frames):
    frames = list(frames)
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
