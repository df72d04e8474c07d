"""Accuracies and intervals of a benchmark, arranged by contender and data set."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.evaluation.protocol import NEIGHBOURS as KNN
from orangecontrib.sadd.evaluation.report.published import published_table
from orangecontrib.sadd.evaluation.resulttables import ResultTables

__all__ = [
    "BASE", "FAMILY_ORDER", "KEYS", "KNN", "POOLS", "POOLS_OF_FEW", "Contender",
    "Scores", "family_contenders", "method_contenders",
]

BASE = "NB"
FAMILY_ORDER = ("CAWNB", "WANBIA", "AIWNB eager", "AIWNB lazy", "RNB")

# Columns of the results that identify a contender
KEYS = ("labelled", "classifier_labels", "method", "pool", "classifier")

# How SADD is called, by its pool; without one, it depends on whether there was a choice
POOLS = {"test": "transductive", "training": "semi-supervised", "none": "inductive"}
POOLS_OF_FEW = POOLS | {"none": "labelled only"}


@dataclass(frozen=True)
class Contender:
    """
    A method with a classifier: what stands in one column of a table.

    Attributes
    ----------
    method, pool, classifier, labelled, classifier_labels
        As in the results; they identify a contender.
    in_family : bool
        Whether it is shown among the classifiers, and not among the discretizers.

    Examples
    --------
    >>> Contender("SADD", "test").label, Contender("SADD", "test").reference
    ('SADD transductive', ('res', 'SADD'))
    """

    method: str
    pool: str = "none"
    classifier: str = BASE
    labelled: float = 1.0
    classifier_labels: str = "all"
    in_family: bool = field(default=False, compare=False)

    @property
    def key(self) -> tuple:
        """Values of `KEYS`."""
        return tuple(getattr(self, name) for name in KEYS)

    @property
    def way(self) -> str:
        """How SADD uses its pool, in words."""
        return (POOLS if self.labelled == 1 else POOLS_OF_FEW)[self.pool]

    @property
    def label(self) -> str:
        """Name to show."""
        if self.method == "SADD":
            return f"{f'{self.classifier}+' if self.in_family else 'SADD'} {self.way}"
        return self.classifier if self.in_family else self.method

    @property
    def short(self) -> str:
        """Name to show where the classifier is shown above."""
        if not self.in_family:
            return self.label
        return f"+\u00a0{self.way}" if self.method == "SADD" else self.method

    @property
    def group(self) -> str | None:
        """Heading of several contenders."""
        return self.classifier if self.in_family else None

    @property
    def reference(self) -> tuple[str, str] | None:
        """Table of the paper, and its column, to compare it with; None if none."""
        if self.in_family:
            marks = {("MDLP", "none"): "", ("SADD", "test"): "+"}
            mark = marks.get((self.method, self.pool))
            if mark is None or self.classifier not in FAMILY_ORDER:
                return None
            return "res2", self.classifier + mark
        if self.classifier != BASE or self.classifier_labels != "all":
            return None
        table, pool = {
            1.0: ("res", "test"), 0.4: ("ablation-semi", "training")
        }.get(self.labelled, (None, None))
        if table is None or (self.method == "SADD" and self.pool != pool):
            return None
        is_there = self.method in published_table(table)["columns"]
        return (table, self.method) if is_there else None


class Scores:
    """
    Accuracies in per cent, and numbers of intervals.

    Parameters
    ----------
    tables : ResultTables
    run : dict, optional
        The contents of ``run.json``, of which ``"settings"`` and ``"datasets"`` are
        read. The first `k` and `n0` of the settings are those of the main tables.

    Attributes
    ----------
    all, main : DataFrame
        Fits of methods, and those with the main `k` and `n0`.
    datasets : list of str
        Names in the order of the run.
    k, n0 : str, float
        Of the main tables; an empty string and NaN if there is no SADD.
    """

    def __init__(self, tables: ResultTables, run: dict | None = None) -> None:
        run = run or {}
        fits = tables.fits.assign(accuracy=100 * tables.fits["accuracy"])
        # Candidates have no method.
        self.all = fits[fits["method"] != ""]
        found = list(fits["dataset"].unique())
        described = [name for name in run.get("datasets", {}) if name in found]
        self.datasets = described + [name for name in found if name not in described]
        self._settings = settings = run.get("settings", {})
        self.k = _first(map(str, settings.get("k", ())), self.all["k"], "")
        self.n0 = _first(map(float, settings.get("n0", ())), self.all["n0"], np.nan)
        self.main = self.all[self._is_main(self.all)]
        self._attributes = tables.attributes[self._is_main(tables.attributes)]

    def _is_main(self, frame):
        # Methods without these parameters have none there.
        return frame["k"].isin(["", self.k]) & (
            frame["n0"].isna() | (frame["n0"] == self.n0)
        )

    @cached_property
    def _folds(self):
        return self.main.pivot(
            index=[*KEYS, "dataset"], columns=["repeat", "fold"], values="accuracy"
        )

    @cached_property
    def _keys(self):
        return set(self.main[list(KEYS)].itertuples(index=False, name=None))

    @cached_property
    def n_folds(self) -> int:
        """Number of folds of a data set, over all repeats."""
        expected = self._settings.get("folds", 0) * self._settings.get("repeats", 1)
        return expected or len(self.all[["repeat", "fold"]].drop_duplicates())

    @property
    def n_repeats(self) -> int:
        """How many times the cross-validation was repeated."""
        return max(self.all["repeat"].nunique(), 1)

    def find(self, contender: Contender) -> tuple | None:
        """
        Return the key of a contender in the results, None if it is not there.

        The k-NN has no classifier, and may have any pool.
        """
        if contender.key in self._keys:
            return contender.key
        if contender.method == KNN:
            same = sorted(
                key for key in self._keys
                if key[2] == KNN and key[0] == contender.labelled
            )
            # First the one that is trained with the same labels
            same.sort(key=lambda key: key[1] != contender.classifier_labels)
            return same[0] if same else None
        return None

    def present(self, contenders: Iterable[Contender]) -> list[Contender]:
        """Return those contenders that have a result."""
        return [
            c for c in contenders
            if self.find(c) is not None and self.folds(c).notna().any(axis=None)
        ]

    def folds(self, contender: Contender) -> pd.DataFrame:
        """Return accuracies by data set and fold; NaN where there is none."""
        return self._folds.loc[self.find(contender)].reindex(self.datasets)

    def means(self, contenders: Iterable[Contender]) -> pd.DataFrame:
        """Return mean accuracies by data set and contender."""
        # Rounded, so that sums in another order do not break a tie
        return pd.DataFrame(
            {c: self.folds(c).mean(axis=1).round(9) for c in contenders},
            index=self.datasets,
        )

    def deviations(self, contenders: Iterable[Contender]) -> pd.DataFrame:
        """Return sample standard deviations over folds, arranged as the means."""
        return pd.DataFrame(
            {c: self.folds(c).std(axis=1, ddof=1) for c in contenders},
            index=self.datasets,
        )

    def incomplete(self, contender: Contender) -> list[str]:
        """Return the names of data sets of which some folds have no result."""
        counts = self.folds(contender).notna().sum(axis=1)
        return [name for name in self.datasets if 0 < counts[name] < self.n_folds]

    @cached_property
    def _attribute_means(self):
        names = ["dataset", "labelled", "method", "pool"]
        means = self._attributes.groupby([*names, "attribute"], sort=False)[
            ["intervals", "information"]
        ].mean()
        return {
            key: group.droplevel(names) for key, group in means.groupby(level=names)
        }

    def attribute_means(self, dataset: str, contender: Contender) -> pd.DataFrame:
        """
        Return means over folds for each numeric attribute.

        Returns
        -------
        DataFrame
            ``intervals`` and ``information``, by the name of the attribute; no rows if
            there are no results.
        """
        key = dataset, contender.labelled, contender.method, contender.pool
        empty = self._attributes[["intervals", "information"]].iloc[:0]
        return self._attribute_means.get(key, empty)

    @cached_property
    def fractions(self) -> list[float]:
        """Fractions of labelled rows below 1, the largest first."""
        return sorted(set(self.all["labelled"]) - {1.0}, reverse=True)

    @cached_property
    def base(self) -> str:
        """The classifier that discretizers are compared with: NB if it was run."""
        names = [name for name in self.all["classifier"].unique() if name]
        return BASE if BASE in names or not names else names[0]


def method_contenders(
    classifier: str = BASE, labelled: float = 1.0, classifier_labels: str = "all"
) -> list[Contender]:
    """
    Return the contenders in a comparison of discretizers.

    SADD comes first, as it was published; beside it the inductive variant and, last,
    plain k-NN.

    Examples
    --------
    >>> [contender.label for contender in method_contenders()][:3]
    ['SADD transductive', 'SADD inductive', 'MDLP']
    """
    pools = ["test", "none"] if labelled == 1 else ["training", "none", "test"]
    others = [name for name in DISCRETIZERS if name != "SADD"]
    return [
        Contender(method, pool, base, labelled, classifier_labels)
        for method, pool, base in (
            *(("SADD", pool, classifier) for pool in pools),
            *((name, "none", classifier) for name in others),
            (KNN, "none", ""),
        )
    ]


def family_contenders(classifier: str) -> list[Contender]:
    """
    Return the contenders of a classifier: with MDLP, and with both variants of SADD.

    Examples
    --------
    >>> [contender.label for contender in family_contenders("RNB")]
    ['RNB', 'RNB+ transductive', 'RNB+ inductive']
    """
    return [
        Contender(method, pool, classifier, in_family=True)
        for method, pool in (("MDLP", "none"), ("SADD", "test"), ("SADD", "none"))
    ]


def _first(wanted, column, default):
    """Return the first of the settings, or else of the results, that has results."""
    found = [value for value in column.unique() if value != "" and value == value]
    return next((value for value in [*wanted, *found] if value in found), default)
