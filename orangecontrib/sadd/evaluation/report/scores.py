"""Results of a benchmark, arranged by what is compared: one row a data set."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.evaluation.protocol import NEIGHBOURS as KNN
from orangecontrib.sadd.evaluation.report.published import published_table

__all__ = ["Column", "KNN", "Scores", "family_columns", "method_columns"]

BASE = "NB"
FAMILY_ORDER = ("CAWNB", "WANBIA", "AIWNB eager", "AIWNB lazy", "RNB")

# Columns that tell the rows of `results` apart.
TEXT = ("dataset", "classifier_labels", "method", "pool", "k", "classifier")
KEYS = ("labelled", "classifier_labels", "method", "pool", "classifier")

# How SADD is shown, by its pool; without one, it depends on whether there was a choice.
POOLS = {"test": "transductive", "training": "semi-supervised", "none": "inductive"}
POOLS_OF_FEW = POOLS | {"none": "labelled only"}


@dataclass(frozen=True)
class Column:
    """
    What stands in one column of a table: a method with a classifier.

    Attributes
    ----------
    label : str
        Name to show.
    method, pool, classifier, labelled, classifier_labels
        As in the results.
    table, published : str or None
        Table of the paper, and its column, that it is to be compared with.
    group, short : str or None
        Heading of several columns, and the heading of this one under it.
    """

    label: str
    method: str
    pool: str = "none"
    classifier: str = BASE
    labelled: float = 1.0
    classifier_labels: str = "all"
    table: str | None = None
    published: str | None = None
    group: str | None = None
    short: str | None = None

    @property
    def key(self):
        """Values of `KEYS`."""
        return tuple(getattr(self, name) for name in KEYS)


class Scores:
    """
    Accuracies in per cent.

    Parameters
    ----------
    results : DataFrame
        One row for each fit and fold; see the documentation of the benchmark.
    run : dict
        Of which ``"settings"`` and ``"datasets"`` are read. The first `k` and `n0` of
        the settings are those of the main tables.

    Attributes
    ----------
    all, main : DataFrame
        Results, and those with the main `k` and `n0`.
    datasets : list of str
        Names in the order of the run.
    k, n0 : str, float
        Of the main tables; an empty string and NaN if there is no SADD.
    """

    def __init__(self, results: pd.DataFrame, run: dict | None = None):
        run = run or {}
        self.all = _tidy(results)
        found = list(dict.fromkeys(self.all["dataset"]))
        described = [name for name in run.get("datasets", {}) if name in found]
        self.datasets = described + [name for name in found if name not in described]
        self._settings = settings = run.get("settings", {})
        self.k = _first(map(_k_text, _as_list(settings.get("k"))), self.all["k"], "")
        self.n0 = _first(
            map(float, _as_list(settings.get("n0"))), self.all["n0"], np.nan
        )
        # Methods without these parameters have none there.
        is_main = self.all["k"].isin(["", self.k]) & (
            self.all["n0"].isna() | (self.all["n0"] == self.n0)
        )
        self.main = self.all[is_main]

    @cached_property
    def _folds(self):
        return {
            key: _pivot(group) for key, group in self.main.groupby(list(KEYS))
        }

    @cached_property
    def n_folds(self):
        """Number of folds of a data set, over all repeats."""
        expected = self._settings.get("folds", 0) * self._settings.get("repeats", 1)
        return expected or len(self.all[["repeat", "fold"]].drop_duplicates())

    @property
    def n_repeats(self):
        """How many times the cross-validation was repeated."""
        return max(self.all["repeat"].nunique(), 1)

    def find(self, column: Column) -> tuple | None:
        """Return the key of a column in the results, None if it is not there.

        The k-NN knows no classifier, and may be noted with any pool.
        """
        if column.key in self._folds:
            return column.key
        if column.method == KNN:
            same = [
                key for key in self._folds
                if key[2] == KNN and key[0] == column.labelled
            ]
            # First the one that is trained with the same labels, if they are told.
            same.sort(key=lambda key: key[1] != column.classifier_labels)
            return same[0] if same else None
        return None

    def present(self, columns: list[Column]) -> list[Column]:
        """Return those columns that have a result."""
        found = [column for column in columns if self.find(column) is not None]
        return [c for c in found if self.folds(c).notna().any(axis=None)]

    def folds(self, column: Column) -> pd.DataFrame:
        """Return accuracies: a row a data set, a column a fold; NaN if missing."""
        return self._folds[self.find(column)].reindex(self.datasets)

    def means(self, columns: list[Column]) -> pd.DataFrame:
        """Return mean accuracies: a row a data set, one column for each column."""
        # Rounded, so that sums in another order do not break a tie.
        return pd.DataFrame(
            {c.label: self.folds(c).mean(axis=1).round(9) for c in columns},
            index=self.datasets,
        )

    def deviations(self, columns: list[Column]) -> pd.DataFrame:
        """Return sample standard deviations over folds, arranged as the means."""
        return pd.DataFrame(
            {c.label: self.folds(c).std(axis=1, ddof=1) for c in columns},
            index=self.datasets,
        )

    def incomplete(self, column: Column) -> list[str]:
        """Return the names of data sets of which some folds have no result."""
        counts = self.folds(column).notna().sum(axis=1)
        return [name for name in self.datasets if 0 < counts[name] < self.n_folds]

    def attribute_means(
        self, dataset: str, column: Column, figure: str
    ) -> np.ndarray:
        """
        Return the mean over folds of a figure of each numeric attribute.

        Parameters
        ----------
        dataset : str
        column : Column
        figure : {"intervals", "information"}

        Returns
        -------
        ndarray
            Empty if there is none.
        """
        rows = self._attribute_rows.get((dataset, *column.key))
        if rows is None:
            return np.empty(0)
        vectors = [np.array(text.split(), dtype=float) for text in rows[figure]]
        length = max(map(len, vectors))
        vectors = [vector for vector in vectors if len(vector) == length]
        return np.mean(vectors, axis=0) if length else np.empty(0)

    @cached_property
    def _attribute_rows(self):
        rows = self.main[self.main["accuracy"].notna()]
        return dict(iter(rows.groupby(["dataset", *KEYS])))

    def failures(self) -> pd.DataFrame:
        """Return the results that have an error, or no accuracy."""
        return self.all[(self.all["error"] != "") | self.all["accuracy"].isna()]

    @cached_property
    def fractions(self):
        """Fractions of labelled rows below 1, the largest first."""
        return sorted(set(self.all["labelled"]) - {1.0}, reverse=True)

    @cached_property
    def base(self):
        """The classifier that discretizers are compared with: NB if it was run."""
        names = [name for name in dict.fromkeys(self.all["classifier"]) if name]
        return BASE if BASE in names or not names else names[0]


def method_columns(
    classifier: str = BASE, labelled: float = 1.0, classifier_labels: str = "all"
) -> list[Column]:
    """
    Return the columns of the tables that compare discretizers.

    SADD comes first, as it was published; beside it the inductive variant and, last,
    plain k-NN.

    Examples
    --------
    >>> [column.label for column in method_columns()][:3]
    ['SADD transductive', 'SADD inductive', 'MDLP']
    """
    rest: dict[str, Any] = {
        "classifier": classifier,
        "labelled": labelled,
        "classifier_labels": classifier_labels,
    }
    table = None
    if classifier == BASE and classifier_labels == "all":
        table = {1.0: "res", 0.4: "ablation-semi"}.get(labelled)
    in_paper = published_table(table)["columns"] if table else []
    pools, ways = ["test", "none"], POOLS
    if labelled < 1:
        pools, ways = ["training", "none", "test"], POOLS_OF_FEW
    columns = [Column(f"SADD {ways[pool]}", "SADD", pool, **rest) for pool in pools]
    columns += [Column(name, name, **rest) for name in DISCRETIZERS if name != "SADD"]
    columns.append(Column(KNN, KNN, **(rest | {"classifier": ""})))
    return [
        replace(column, table=table, published=column.method)
        if column.method in in_paper and column not in columns[1:len(pools)] else column
        for column in columns
    ]


def family_columns(classifier: str) -> list[Column]:
    """
    Return the columns of a classifier: with MDLP, and with SADD in its two ways.

    Examples
    --------
    >>> [column.label for column in family_columns("RNB")]
    ['RNB', 'RNB+ transductive', 'RNB+ inductive']
    """
    with_mdlp = Column(
        classifier, "MDLP", classifier=classifier, group=classifier, short="MDLP"
    )
    with_sadd, inductive = (
        Column(
            f"{classifier}+ {POOLS[pool]}", "SADD", pool, classifier,
            group=classifier, short=f"+\u00a0{POOLS[pool]}",
        )
        for pool in ("test", "none")
    )
    if classifier in FAMILY_ORDER:
        with_mdlp = replace(with_mdlp, table="res2", published=classifier)
        with_sadd = replace(with_sadd, table="res2", published=f"{classifier}+")
    return [with_mdlp, with_sadd, inductive]


def _tidy(results):
    frame = results.copy()
    for name in (*TEXT, "intervals", "information", "error"):
        if name not in frame:
            frame[name] = ""
        frame[name] = frame[name].map(_text)
    frame["k"] = frame["k"].map(_k_text)
    for name in ("labelled", "n0", "accuracy", "chosen_k"):
        values = frame[name] if name in frame else np.nan
        frame[name] = pd.to_numeric(values, errors="coerce")
    frame["accuracy"] *= 100
    return frame


def _text(value):
    return "" if value is None or value != value else str(value)


def _k_text(value):
    # A column of numbers with gaps comes from a CSV file as floats.
    text = _text(value)
    return text[:-2] if text.endswith(".0") else text


def _as_list(value):
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _first(wanted, column, default):
    """The first of the settings, or else of the results, that is in the results."""
    found = [value for value in dict.fromkeys(column) if value != "" and value == value]
    return next((value for value in [*wanted, *found] if value in found), default)


def _pivot(group):
    return group.pivot_table(
        index="dataset", columns=["repeat", "fold"], values="accuracy",
        aggfunc="last", dropna=False, observed=True,
    )
