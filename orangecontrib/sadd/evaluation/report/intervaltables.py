"""Tables of numbers of intervals, and the case study of the paper."""

from itertools import groupby

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.report.differences import (
    difference,
    difference_legend,
)
from orangecontrib.sadd.evaluation.report.markup import Cell, join, paragraph, table
from orangecontrib.sadd.evaluation.report.published import published_table

__all__ = [
    "case_frame",
    "case_table",
    "interval_frame",
    "interval_table",
    "mean_intervals",
]

N_BINS = 6


def bin_counts(numbers):
    """
    Count attributes with 1, 2, 3, 4, 5 and more intervals.

    Parameters
    ----------
    numbers : array-like of float
        Mean number of intervals of each attribute, which is rounded (half up).

    Returns
    -------
    list of int

    Examples
    --------
    >>> bin_counts([1.0, 2.4, 2.5, 17])
    [1, 1, 1, 0, 0, 1]
    """
    rounded = np.floor(np.asarray(numbers, dtype=float) + 0.5).astype(int)
    return np.bincount(
        np.clip(rounded, 1, N_BINS) - 1, minlength=N_BINS
    ).tolist()


def interval_frame(scores, columns):
    """
    Count the attributes of each data set by their number of intervals.

    Parameters
    ----------
    scores : Scores
    columns : list of Column

    Returns
    -------
    DataFrame
        A row for each data set and column: ``dataset``, ``column``, ``attributes``,
        ``mean`` number of intervals, and the counts ``1`` to ``5`` and ``>5``.
    """
    rows = []
    for name in scores.datasets:
        for column in columns:
            numbers = scores.attribute_means(name, column, "intervals")
            if len(numbers):
                counts = dict(
                    zip(published_table("interval")["bins"], bin_counts(numbers),
                        strict=True)
                )
                rows.append({
                    "dataset": name, "column": column.label,
                    "attributes": len(numbers), "mean": numbers.mean(), **counts,
                })
    names = ["dataset", "column", "attributes", "mean"]
    return pd.DataFrame(
        rows, columns=[*names, *published_table("interval")["bins"]]
    )


def mean_intervals(frame, labels):
    """Return the mean number of intervals: a row a data set, a column a label."""
    means = frame.pivot(index="dataset", columns="column", values="mean")
    return means.reindex(columns=labels)


def interval_table(caption, frame, columns, comparison):
    """
    Make the table of numbers of intervals.

    Parameters
    ----------
    caption : str
    frame : DataFrame
        From `interval_frame`.
    columns : list of Column
        Those to show. The published counts stand beneath those whose `published` is
        SADD or MDLP.
    comparison : Comparison

    Returns
    -------
    Markup
    """
    bins = published_table("interval")["bins"]
    head = ["Data set"] + [
        Cell(text, kind="group" if i == 0 else None)
        for _ in columns for i, text in enumerate(bins)
    ]
    groups = [(column.label, len(bins)) for column in columns]
    rows = {
        key: row for key, row in zip(
            zip(frame["dataset"], frame["column"], strict=True),
            frame.to_dict("records"), strict=True,
        )
    }
    body = []
    for name in dict.fromkeys(frame["dataset"]):
        published = comparison.intervals(name) or {}
        mark, reason = difference(comparison, "interval", name)
        cells = [Cell(name, mark=mark, title=reason)]
        for column in columns:
            counts = rows.get((name, column.label))
            theirs = published.get(column.published)
            for i, text in enumerate(bins):
                cells.append(Cell(
                    "–" if counts is None else counts[text] or "·",
                    None if theirs is None else theirs[i] or "·",
                    kind="group" if i == 0 else None,
                ))
        body.append(cells)
    legend = difference_legend(
        difference(comparison, "interval", name) for name in frame["dataset"]
    )
    return join([
        table(caption, head, body, kind="figures counts", groups=groups),
        paragraph(legend, class_="legend") if legend else None,
    ])


def case_frame(scores, run, columns, comparison):
    """
    Give intervals and information of the attributes of the paper's case study.

    Parameters
    ----------
    scores : Scores
    run : dict
        Of which the names of the numeric attributes are read.
    columns : list of Column
    comparison : Comparison

    Returns
    -------
    DataFrame or None
        A row an attribute; for each column its ``intervals`` and ``information`` and,
        if published, ``published_...``. None if the data set is not there.
    """
    case = published_table("case")
    name = next(
        (d for d in scores.datasets if comparison.key(d) == case["dataset"]), None
    )
    names = run.get("datasets", {}).get(name, {}).get("attribute_names", [])
    places = [
        names.index(attribute) for attribute in case["attributes"].values()
        if attribute in names
    ]
    if name is None or len(places) != len(case["attributes"]):
        return None
    rows = {}
    for column in columns:
        for figure, position in (("intervals", 0), ("information", 1)):
            values = scores.attribute_means(name, column, figure)
            if len(values) != len(names):
                continue
            for paper_name, place in zip(case["rows"], places, strict=True):
                row = rows.setdefault(paper_name, {
                    "attribute": names[place],
                })
                row[f"{column.label} {figure}"] = values[place]
                theirs = case["rows"][paper_name].get(column.published)
                if theirs is not None:
                    row[f"{column.label} published {figure}"] = theirs[position]
    return pd.DataFrame.from_dict(rows, orient="index") if rows else None


def case_table(caption, frame, columns):
    """
    Make the table of the case study.

    Parameters
    ----------
    caption : str
    frame : DataFrame
        From `case_frame`.
    columns : list of Column

    Returns
    -------
    Markup
    """
    shown = [
        (column.label, figure, digits)
        for column in columns
        for figure, digits in (("intervals", 1), ("information", 4))
        if f"{column.label} {figure}" in frame
    ]
    head = ["Attribute"] + [
        Cell("bits") if figure == "information" else Cell(figure, kind="group")
        for _, figure, _ in shown
    ]
    labels = [label for label, _, _ in shown]
    groups = [(label, len(list(same))) for label, same in groupby(labels)]

    def cells(row):
        for label, figure, digits in shown:
            theirs = row.get(f"{label} published {figure}")
            small = None
            if theirs is not None:
                small = f"{theirs:.4f}" if figure == "information" else f"{theirs:g}"
            kind = "group" if figure == "intervals" else None
            text = f"{row[f'{label} {figure}']:.{digits}f}"
            yield Cell(text, small, kind=kind)

    body = [
        [f"{name} ({row['attribute']})", *cells(row)] for name, row in frame.iterrows()
    ]
    mean = frame.drop(columns="attribute").mean()
    foot = [["Average", *cells(mean)]]
    return table(caption, head, body, foot, "figures", groups)
