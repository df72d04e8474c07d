"""Summaries of a benchmark as tables for programs."""

import pandas as pd

from orangecontrib.sadd.evaluation.report.contents import Contents
from orangecontrib.sadd.evaluation.report.runsections import sweep_frame, time_frame
from orangecontrib.sadd.evaluation.report.scores import (
    KEYS,
    family_columns,
    method_columns,
)

__all__ = ["accuracy_frame", "summaries"]


def summaries(contents: Contents) -> dict[str, pd.DataFrame | None]:
    """
    Return the tables for programs.

    Parameters
    ----------
    contents : Contents

    Returns
    -------
    dict of str and DataFrame
        By the name of the file.
    """
    wins = [*contents.method_wins, *contents.family_wins]
    wins += [row for part in contents.labels for row in part.wins]
    tables = [contents.methods, contents.family, *(p.table for p in contents.labels)]
    averages = []
    for table in tables:
        if table is not None and table.columns:
            frame = table.averages.rename_axis("column").reset_index()
            frame.insert(0, "labelled", [c.labelled for c in table.columns])
            frame.insert(1, "classifier_labels",
                         [c.classifier_labels for c in table.columns])
            averages.append(frame)
    case = contents.case
    return {
        "accuracy": accuracy_frame(contents),
        "averages": pd.concat(averages) if averages else None,
        "wins": pd.DataFrame(wins).drop(columns="rows", errors="ignore"),
        "intervals": contents.intervals,
        "case_study": None if case is None
        else case.rename_axis("published_name").reset_index(),
        "bayesian": contents.bayesian,
        "sweep": sweep_frame(contents.scores),
        "run_time": time_frame(contents),
    }


def accuracy_frame(contents: Contents) -> pd.DataFrame:
    """
    Give mean accuracy and deviation of all that was run, beside what is published.

    Returns
    -------
    DataFrame
        A row for each data set, method, pool, parameters and classifier. Accuracies
        are in per cent.
    """
    scores, comparison = contents.scores, contents.comparison
    columns = {column.key: column for column in method_columns()}
    columns |= {c.key: c for c in method_columns(labelled=0.4)}
    columns |= {
        column.key: column
        for name in contents.classifiers for column in family_columns(name)
    }
    names = ["dataset", "labelled", "classifier_labels", "method", "pool", "k", "n0",
             "classifier"]
    groups = scores.all.groupby(names, sort=False, dropna=False)["accuracy"]
    frame = groups.agg(folds="count", mean="mean", std="std").reset_index()
    published = []
    for row in frame.itertuples():
        column = columns.get(tuple(getattr(row, name) for name in KEYS))
        cell = None
        if column is not None and column.published is not None:
            cell = comparison.cell(column.table, row.dataset, column.published)
        if column is None or cell is None:
            published.append((None, None, None, None))
            continue
        is_same = comparison.obstacle(column.table, row.dataset) is None
        difference = row.mean - cell[0]
        published.append((*cell, difference, "yes" if is_same else "no"))
    names = ["published", "published_std", "difference", "comparable"]
    frame[names] = pd.DataFrame(published, index=frame.index, columns=names)
    return frame
