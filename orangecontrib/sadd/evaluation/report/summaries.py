"""Summaries of a benchmark as tables with identifiers, for programs and for the page.

Each is written to a CSV file of the same name, where numbers have eight digits.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.report.published import (
    Comparison,
    published_table,
    wins_in_rows,
)
from orangecontrib.sadd.evaluation.report.scores import (
    KEYS,
    Contender,
    Scores,
    family_contenders,
    method_contenders,
)
from orangecontrib.sadd.evaluation.report.statistics import Record, compare

__all__ = [
    "Wins", "accuracy_frame", "average_frame", "bin_counts", "case_frame",
    "interval_frame", "pair_columns", "sweep_frame", "time_frame", "wins_frame",
]

PAIR = ("labelled", "classifier_labels", "classifier", "first_method", "first_pool",
        "second_method", "second_pool")


def pair_columns(first: Contender, second: Contender) -> dict[str, object]:
    """Return what identifies a comparison of two contenders."""
    values = (first.labelled, first.classifier_labels, first.classifier, first.method,
              first.pool, second.method, second.pool)
    return dict(zip(PAIR, values, strict=True))


@dataclass(frozen=True)
class Wins:
    """
    Wins of a contender over another.

    Attributes
    ----------
    first, second : Contender
    record : Record
    printed : (int, int) or None
        Wins and significant wins that the paper prints.
    in_rows : (int, int, int) or None
        Wins, ties and losses in the rows of the paper's table of accuracies.
    """

    first: Contender
    second: Contender
    record: Record
    printed: tuple[int, int] | None = None
    in_rows: tuple[int, int, int] | None = None

    @classmethod
    def count(
        cls, scores: Scores, first: Contender, second: Contender,
        summary: str | None = None,
    ) -> "Wins":
        """
        Compare two contenders on all data sets.

        Parameters
        ----------
        scores : Scores
        first, second : Contender
        summary : str, optional
            Table of the paper with wins, if this comparison is in it.
        """
        record = compare(scores.folds(first), scores.folds(second))
        if summary and first.reference and second.reference:
            table, column = first.reference
            other = second.reference[1]
            printed = published_table(summary)["wins"].get(other)
            if printed is not None:
                in_rows = wins_in_rows(table, column, other)
                return cls(first, second, record, tuple(printed), in_rows)
        return cls(first, second, record)


def wins_frame(wins: Iterable[Wins]) -> pd.DataFrame:
    """Return numbers of wins, ties and losses, beside those that the paper prints."""
    return pd.DataFrame([
        {
            **pair_columns(row.first, row.second),
            "wins": row.record.wins,
            "ties": row.record.ties,
            "losses": row.record.losses,
            "significant_wins": row.record.significant_wins,
            "significant_losses": row.record.significant_losses,
            "published_wins": row.printed and row.printed[0],
            "published_significant_wins": row.printed and row.printed[1],
        }
        for row in wins
    ])


def average_frame(averages: pd.DataFrame) -> pd.DataFrame:
    """Return averages by contender with columns that identify it."""
    keys = pd.DataFrame(
        [contender.key for contender in averages.index], columns=list(KEYS)
    )
    return pd.concat([keys, averages.reset_index(drop=True)], axis=1)


def bin_counts(numbers: Iterable[float]) -> dict[str, int]:
    """
    Count attributes with 1, 2, 3, 4, 5 and more intervals.

    Parameters
    ----------
    numbers : array-like of float
        Mean number of intervals of each attribute, which is rounded (half up).

    Returns
    -------
    dict of str and int

    Examples
    --------
    >>> bin_counts([1.0, 2.4, 2.5, 17])
    {'1': 1, '2': 1, '3': 1, '4': 0, '5': 0, '>5': 1}
    """
    names = published_table("interval")["bins"]
    rounded = np.floor(np.asarray(numbers, dtype=float) + 0.5).astype(int)
    bins = np.clip(rounded, 1, len(names)) - 1
    counts = np.bincount(bins, minlength=len(names)).tolist()
    return dict(zip(names, counts, strict=True))


def interval_frame(scores: Scores, contenders: Iterable[Contender]) -> pd.DataFrame:
    """
    Count the attributes of each data set by their number of intervals.

    Returns
    -------
    DataFrame
        ``dataset``, ``method``, ``pool``, number of ``attributes``, ``mean`` number of
        intervals, and the counts ``1`` to ``5`` and ``>5``.
    """
    rows = []
    for name in scores.datasets:
        for contender in contenders:
            numbers = scores.attribute_means(name, contender)["intervals"]
            if len(numbers):
                rows.append({
                    "dataset": name, "method": contender.method, "pool": contender.pool,
                    "attributes": len(numbers), "mean": numbers.mean(),
                    **bin_counts(numbers),
                })
    names = ["dataset", "method", "pool", "attributes", "mean"]
    return pd.DataFrame(rows, columns=[*names, *published_table("interval")["bins"]])


def case_frame(
    scores: Scores, contenders: Iterable[Contender], comparison: Comparison
) -> pd.DataFrame | None:
    """
    Return intervals and information of the attributes of the paper's case study.

    Returns
    -------
    DataFrame or None
        ``published_name`` and name of an ``attribute``, ``method``, ``pool``,
        ``intervals`` and ``information``, and both as ``published_...``. None if the
        data set or one of the attributes is not there.
    """
    case = published_table("case")
    name = next(
        (d for d in scores.datasets if comparison.key(d) == case["dataset"]), None
    )
    rows = []
    for contender in contenders:
        means = scores.attribute_means(name, contender) if name is not None else None
        if means is None or not set(case["attributes"].values()) <= set(means.index):
            continue
        for published_name, attribute in case["attributes"].items():
            theirs = case["rows"][published_name].get(
                contender.reference and contender.reference[1], (np.nan, np.nan)
            )
            rows.append({
                "published_name": published_name, "attribute": attribute,
                "method": contender.method, "pool": contender.pool,
                **means.loc[attribute],
                "published_intervals": theirs[0], "published_information": theirs[1],
            })
    return pd.DataFrame(rows) if rows else None


def sweep_frame(scores: Scores) -> pd.DataFrame:
    """
    Average the accuracy with SADD for each k and N0.

    Returns
    -------
    DataFrame
        ``labelled``, ``classifier_labels``, ``pool``, ``classifier``, ``k``, ``n0``,
        number of ``datasets`` and ``mean`` accuracy over them.
    """
    names = [*KEYS, "k", "n0"]
    rows = scores.all[(scores.all["method"] == "SADD") & scores.all["accuracy"].notna()]
    means = rows.groupby([*names, "dataset"])["accuracy"].mean()
    figures = means.groupby(level=names).agg(datasets="size", mean="mean")
    return figures.reset_index().drop(columns="method")


def time_frame(
    scores: Scores, discretizers: list[Contender], family: list[Contender]
) -> pd.DataFrame:
    """
    Sum the times of discretizers and of classifiers, in all folds with all labels.

    Returns
    -------
    DataFrame
        ``what`` ("discretizer" or "classifier"), ``method``, ``pool``, ``classifier``,
        ``seconds``, and the numbers of ``fits`` and of ``data_sets``.
    """
    names = ["method", "pool", "classifier"]
    fits = scores.main[scores.main["labelled"] == 1]
    sums = fits.groupby(names).agg(
        discretizer=("seconds_discretize", "sum"),
        classifier=("seconds_classify", "sum"),
        fits=("dataset", "size"), data_sets=("dataset", "nunique"),
    )
    classifiers = [
        c for c in (*discretizers, *family)
        if c.method in ("MDLP", "SADD") and c.pool in ("none", "test")
    ]
    rows = []
    parts = {"discretizer": discretizers, "classifier": classifiers}
    for what, contenders in parts.items():
        for contender in contenders:
            key = contender.method, contender.pool, contender.classifier
            if key in sums.index and sums.at[key, what] > 0:
                seconds, n_fits, n_datasets = sums.loc[key, [what, "fits", "data_sets"]]
                rows.append((what, *key, seconds, int(n_fits), int(n_datasets)))
    return pd.DataFrame(rows, columns=["what", *names, "seconds", "fits", "data_sets"])


def accuracy_frame(
    scores: Scores, comparison: Comparison, classifiers: Iterable[str]
) -> pd.DataFrame:
    """
    Return mean accuracy and deviation of everything that was run, beside the paper's.

    Returns
    -------
    DataFrame
        A row for each data set, method, pool, parameters and classifier. Accuracies
        are in per cent.
    """
    contenders = [*method_contenders(), *method_contenders(labelled=0.4)]
    contenders += [c for name in classifiers for c in family_contenders(name)]
    references = {c.key: c.reference for c in contenders if c.reference}
    names = ["dataset", "labelled", "classifier_labels", "method", "pool", "k", "n0",
             "classifier"]
    groups = scores.all.groupby(names, sort=False, dropna=False)["accuracy"]
    frame = groups.agg(folds="count", mean="mean", std="std").reset_index()
    published: list[tuple] = []
    for dataset, mean, *key in zip(
        frame["dataset"], frame["mean"], *(frame[name] for name in KEYS), strict=True
    ):
        table, column = references.get(tuple(key), ("", ""))
        cell = comparison.cell(table, dataset, column) if table else None
        if cell is None:
            published.append((None, None, None, None))
            continue
        is_same = comparison.obstacle(table, dataset) is None
        published.append((*cell, mean - cell[0], "yes" if is_same else "no"))
    names = ["published", "published_std", "difference", "comparable"]
    frame[names] = pd.DataFrame(published, index=frame.index, columns=names)
    return frame
