"""The figures of the paper, and the data sets for which they cannot be compared.

``published.json`` holds accuracies in per cent with their standard deviations, counts
of intervals, and wins. It also has notes on slips of the paper, and on data sets that
differ.
"""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

KEYS = ["labelled", "classifier_labels", "discretizer", "pool", "classifier"]

# Marks of data sets that are not, or not quite, those of the paper
DIFFERENT, SIMILAR = "≠", "≈"


@cache
def content():
    """Return the contents of ``published.json``."""
    path = Path(__file__).with_name("published.json")
    return json.loads(path.read_text(encoding="utf-8"))


def published_table(name):
    """
    Return a table of the paper by its label.

    Examples
    --------
    >>> published_table("res")["rows"]["iris"]["SADD"]
    [96.0, 4.42]
    """
    return content()["tables"][name]


@cache
def columns():
    """
    Return what the columns of the tables of accuracies are in our results.

    Returns
    -------
    DataFrame
        `KEYS`, ``table``, ``column`` and the ``printed`` average.
    """
    rows = []
    for table, labelled, pool in (("res", 1.0, "test"),
                                  ("ablation-semi", 0.4, "training")):
        rows += [(labelled, "all", name, pool if name == "SADD" else "none", "NB",
                  table, name) for name in published_table(table)["columns"]]
    for name in published_table("res2")["columns"]:
        way = ("SADD", "test") if name.endswith("+") else ("MDLP", "none")
        rows.append((1.0, "all", *way, name.rstrip("+"), "res2", name))
    frame = pd.DataFrame(rows, columns=[*KEYS, "table", "column"])
    return frame.assign(printed=[
        published_table(row.table)["printed_averages"][row.column]
        for row in frame.itertuples()])


@cache
def accuracies():
    """Return published accuracies: `KEYS`, ``table``, ``column``, ``key`` and both."""
    return pd.DataFrame([
        {**column._asdict(), "key": key, "published": row[column.column][0],
         "published_std": row[column.column][1]}
        for column in columns().itertuples(index=False)
        for key, row in published_table(column.table)["rows"].items()])


def wins_in_rows(table, first, second):
    """
    Count wins, ties and losses of a column of the paper, by the printed figures.

    Examples
    --------
    >>> wins_in_rows("res", "SADD", "FFD")
    (26, 1, 4)
    """
    rows = published_table(table)["rows"].values()
    signs = [np.sign(row[first][0] - row[second][0]) for row in rows]
    return signs.count(1), signs.count(0), signs.count(-1)


def key_of(dataset, rows=None):
    """
    Return the key of a data set in the paper's tables, None if it is not there.

    Case and punctuation of the name do not matter. A data set with another number of
    rows is another one.

    Examples
    --------
    >>> key_of("Page-Block"), key_of("wine", rows=178)
    ('pageblock', None)
    """
    key = re.sub("[^a-z0-9]", "", dataset.lower())
    key = content()["aliases"].get(key, key)
    known = content()["datasets"].get(key)
    return key if known and rows in (None, known["rows"]) else None


def difference(dataset, facts):
    """
    Return how a data set differs from that of the paper.

    Parameters
    ----------
    dataset : str
    facts : dict
        Numbers of ``"rows"``, ``"numeric"``, ``"categorical"`` and ``"classes"``.

    Returns
    -------
    reason : str
        Empty if it does not differ.
    tables : list of str
        Tables of the paper that are not comparable for this reason.
    """
    key = key_of(dataset, facts["rows"])
    if key is None:
        return "", []
    attributes = facts["numeric"] + facts["categorical"]
    every = list(content()["tables"])
    entry = content()["not_comparable"].get(key)
    if entry is not None and attributes == entry["attributes"]:
        return entry["reason"], entry.get("tables", every)
    known = content()["datasets"][key]
    for what, here in (("attributes", attributes), ("classes", facts["classes"])):
        if here != known[what]:
            return f"The paper has {known[what]} {what}; here there are {here}.", every
    return "", []


def mark(table, dataset, facts):
    """Return the mark of a data set in a table, empty if it is comparable."""
    reason, tables = difference(dataset, facts)
    return DIFFERENT if table in tables else SIMILAR if reason else ""
