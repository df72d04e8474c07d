"""The tables and tests of a report, computed once."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from orangecontrib.sadd.evaluation.report import statistics, summaries
from orangecontrib.sadd.evaluation.report.accuracytable import AccuracyTable
from orangecontrib.sadd.evaluation.report.candidatereport import CandidateScores
from orangecontrib.sadd.evaluation.report.published import Comparison, published_table
from orangecontrib.sadd.evaluation.report.scores import (
    FAMILY_ORDER,
    KNN,
    Contender,
    Scores,
    family_contenders,
    method_contenders,
)
from orangecontrib.sadd.evaluation.report.summaries import Wins
from orangecontrib.sadd.evaluation.resulttables import ResultTables

__all__ = ["Contents", "MethodComparison"]


@dataclass(frozen=True, eq=False)
class MethodComparison:
    """
    Comparison of discretizers by their accuracy.

    Attributes
    ----------
    fraction : float
        Of labelled rows.
    classifier_labels : str
        As in the results.
    table : AccuracyTable
    wins : list of Wins
        Of the variants of SADD.
    """

    fraction: float
    classifier_labels: str
    table: AccuracyTable
    wins: list[Wins]


class Contents:
    """
    Tables and tests of a benchmark.

    Parameters
    ----------
    tables : ResultTables
    run : dict
        The contents of ``run.json``.
    """

    def __init__(self, tables: ResultTables, run: dict) -> None:
        self.run = run
        self.scores = Scores(tables, run)
        self.candidates = CandidateScores(tables)
        #: Fits that have an error, or no accuracy
        self.failures = tables.fits[
            (tables.fits["error"] != "") | tables.fits["accuracy"].isna()]
        facts = run.get("datasets", {})
        self.comparison = Comparison(
            {name: facts.get(name) for name in self.scores.datasets}
        )

    @cached_property
    def is_published(self) -> bool:
        """Whether there are published figures for one of the data sets."""
        return any(self.comparison.key(name) for name in self.scores.datasets)

    @cached_property
    def is_whole_paper(self) -> bool:
        """Whether all data sets of the paper are there, so that wins compare."""
        keys = {self.comparison.key(name) for name in self.scores.datasets} - {None}
        return keys == set(published_table("res")["rows"])

    def _compare(self, fraction=1.0, classifier_labels="all"):
        contenders = self.scores.present(
            method_contenders(self.scores.base, fraction, classifier_labels)
        )
        of_sadd = [c for c in contenders if c.method == "SADD"]
        rivals = {c: of_sadd[0] for c in contenders if of_sadd and c != of_sadd[0]}
        table = AccuracyTable(self.scores, self.comparison, contenders, rivals)
        summary = None
        if contenders and contenders[0].reference and self.is_whole_paper:
            paper_table, _ = contenders[0].reference
            summary = {"res": "sum", "ablation-semi": "sum2"}[paper_table]
        wins = [
            Wins.count(self.scores, first, second, summary)
            for first in of_sadd for second in contenders
            if second != first and not (second in of_sadd and first != of_sadd[0])
        ]
        return MethodComparison(fraction, classifier_labels, table, wins)

    @cached_property
    def methods(self) -> MethodComparison:
        """Comparison of discretizers with all labels."""
        return self._compare()

    @cached_property
    def few_labels(self) -> list[MethodComparison]:
        """Comparisons of discretizers with a part of the labels."""
        found = [
            self._compare(fraction, which)
            for fraction in self.scores.fractions for which in ("all", "labelled")
        ]
        return [
            part for part in found
            if any(c.method != KNN for c in part.table.contenders)
        ]

    @cached_property
    def classifiers(self) -> list[str]:
        """Classifiers other than NB that were run with MDLP or SADD, in order."""
        found = set(self.scores.all["classifier"])
        others = sorted(found - set(FAMILY_ORDER) - {"", "NB"})
        return [
            name for name in (*FAMILY_ORDER, *others)
            if name in found and self.scores.present(family_contenders(name))
        ]

    @cached_property
    def family(self) -> AccuracyTable | None:
        """Table of the classifiers, each with MDLP and with SADD; None if none."""
        if not self.classifiers:
            return None
        contenders, rivals = [], {}
        for name in self.classifiers:
            with_mdlp, *with_sadd = family_contenders(name)
            contenders += [with_mdlp, *with_sadd]
            if present := self.scores.present(with_sadd):
                rivals[with_mdlp] = present[0]
        contenders.append(Contender(KNN, classifier=""))
        return AccuracyTable(self.scores, self.comparison, contenders, rivals)

    @cached_property
    def _family_pairs(self):
        """Each classifier with SADD, and with MDLP."""
        pairs = []
        for name in self.classifiers:
            with_mdlp, *with_sadd = family_contenders(name)
            if self.scores.present([with_mdlp]):
                pairs += [(c, with_mdlp) for c in self.scores.present(with_sadd)]
        return pairs

    @cached_property
    def family_wins(self) -> list[Wins]:
        """Wins of classifiers with SADD over the same with MDLP."""
        summary = "sum1" if self.is_whole_paper else None
        return [
            Wins.count(self.scores, first, second, summary)
            for first, second in self._family_pairs
        ]

    @cached_property
    def discretizers(self) -> list[Contender]:
        """Contenders in the comparison of discretizers, without k-NN."""
        return [c for c in self.methods.table.contenders if c.method != KNN]

    @cached_property
    def shown_intervals(self) -> list[Contender]:
        """Contenders in the table of intervals: variants of SADD, and MDLP."""
        return [c for c in self.discretizers if c.method in ("SADD", "MDLP")]

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Numbers of intervals of all discretizers."""
        return summaries.interval_frame(self.scores, self.discretizers)

    @cached_property
    def case(self) -> pd.DataFrame | None:
        """The case study of the paper; None if its data set is not there."""
        return summaries.case_frame(self.scores, self.shown_intervals, self.comparison)

    @cached_property
    def sweep(self) -> pd.DataFrame:
        """Average accuracy with SADD for each k and N0."""
        return summaries.sweep_frame(self.scores)

    @cached_property
    def times(self) -> pd.DataFrame:
        """Times of discretizers and classifiers."""
        family = self.family.contenders if self.family else []
        return summaries.time_frame(self.scores, self.discretizers, family)

    @cached_property
    def bayesian(self) -> list[tuple[Contender, Contender, tuple]]:
        """
        Bayesian comparisons of pairs of contenders.

        Probabilities that the first is better, that they are equivalent, that the
        second is better.
        """
        of_sadd = [c for c in self.discretizers if c.method == "SADD"]
        pairs = [
            (first, second)
            for first in of_sadd for second in self.methods.table.contenders
            if second.method != "SADD"
        ]
        pairs += list(zip(of_sadd[:1], of_sadd[1:], strict=False))
        rows = []
        for first, second in [*pairs, *self._family_pairs]:
            found = statistics.bayesian_probabilities(
                self.scores.folds(first), self.scores.folds(second),
                self.scores.n_repeats,
            )
            if found is not None:
                rows.append((first, second, found))
        return rows

    def summaries(self) -> dict[str, pd.DataFrame | None]:
        """Return the tables for programs, by the name of the file."""
        wins = [*self.methods.wins, *self.family_wins]
        wins += [row for part in self.few_labels for row in part.wins]
        tables = [self.methods.table, self.family, *(p.table for p in self.few_labels)]
        averages = [
            summaries.average_frame(table.averages)
            for table in tables if table is not None and table.contenders
        ]
        names = ["first_better", "equivalent", "second_better"]
        bayesian = [
            summaries.pair_columns(first, second) | dict(zip(names, found, strict=True))
            for first, second, found in self.bayesian
        ]
        return {
            "accuracy": summaries.accuracy_frame(
                self.scores, self.comparison, self.classifiers),
            "averages": pd.concat(averages) if averages else None,
            "wins": summaries.wins_frame(wins),
            "intervals": self.intervals,
            "case_study": self.case,
            "bayesian": pd.DataFrame(bayesian),
            "sweep": self.sweep,
            "run_time": self.times,
            **self.candidates.summaries(),
        }
