"""What a report is made from, computed once."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from orangecontrib.sadd.evaluation.report import bayesian
from orangecontrib.sadd.evaluation.report.intervaltables import (
    case_frame,
    interval_frame,
)
from orangecontrib.sadd.evaluation.report.published import Comparison, published_table
from orangecontrib.sadd.evaluation.report.scores import (
    FAMILY_ORDER,
    KNN,
    Scores,
    family_columns,
    method_columns,
)
from orangecontrib.sadd.evaluation.report.tables import AccuracyTable
from orangecontrib.sadd.evaluation.report.wins import win_row

__all__ = ["Contents", "Labels"]


@dataclass(frozen=True, eq=False)
class Labels:
    """
    Comparison of discretizers when a part of the training rows is labelled.

    Attributes
    ----------
    fraction : float
    classifier_labels : str
        As in the results.
    table : AccuracyTable
    wins : list of dict
    """

    fraction: float
    classifier_labels: str
    table: AccuracyTable
    wins: list


class Contents:
    """
    Tables and tests of a benchmark.

    Parameters
    ----------
    results, times : DataFrame
    run : dict
    """

    def __init__(self, results, times, run):
        self.run = run
        self.times = times
        self.scores = Scores(results, run)
        facts = run.get("datasets", {})
        self.comparison = Comparison(
            {name: facts.get(name) for name in self.scores.datasets}
        )

    @property
    def is_whole_paper(self):
        """Whether all data sets of the paper are there, so that wins compare."""
        keys = {self.comparison.key(name) for name in self.scores.datasets} - {None}
        return keys == set(published_table("res")["rows"])

    def _methods(self, **kwargs):
        """A table of discretizers, and the wins of the variants of SADD in it."""
        columns = self.scores.present(
            method_columns(self.scores.base, **kwargs)
        )
        of_sadd = [column for column in columns if column.method == "SADD"]
        references = {}
        if of_sadd:
            references = {
                column.label: of_sadd[0] for column in columns if column != of_sadd[0]
            }
        table = AccuracyTable(self.scores, self.comparison, columns, references)
        summary = {"res": "sum", "ablation-semi": "sum2"}.get(columns[0].table) \
            if columns and self.is_whole_paper else None
        wins = [
            win_row(self.scores, first, second, summary)
            for first in of_sadd for second in columns
            if second != first and not (second in of_sadd and first != of_sadd[0])
        ]
        return table, wins

    @cached_property
    def _full(self):
        return self._methods()

    @property
    def methods(self):
        """Table of discretizers with all labels."""
        return self._full[0]

    @property
    def method_wins(self):
        """Wins of SADD over the other discretizers."""
        return self._full[1]

    @cached_property
    def labels(self):
        """Tables of discretizers with a part of the labels."""
        found = []
        for fraction in self.scores.fractions:
            for which in ("all", "labelled"):
                table, wins = self._methods(labelled=fraction, classifier_labels=which)
                if any(column.method != KNN for column in table.columns):
                    found.append(Labels(fraction, which, table, wins))
        return found

    @cached_property
    def classifiers(self):
        """Classifiers other than NB that were run with MDLP or SADD, in order."""
        found = set(self.scores.all["classifier"])
        others = sorted(found - set(FAMILY_ORDER) - {"", "NB"})
        return [
            name for name in (*FAMILY_ORDER, *others)
            if name in found and self.scores.present(family_columns(name))
        ]

    @cached_property
    def family(self):
        """Table of the classifiers, each with MDLP and with SADD; None if none."""
        if not self.classifiers:
            return None
        columns, references = [], {}
        for name in self.classifiers:
            with_mdlp, *with_sadd = family_columns(name)
            columns += [with_mdlp, *with_sadd]
            present = self.scores.present(with_sadd)
            if present:
                references[with_mdlp.label] = present[0]
        columns += [column for column in method_columns() if column.method == KNN]
        return AccuracyTable(self.scores, self.comparison, columns, references)

    @cached_property
    def family_wins(self):
        """Wins of classifiers with SADD over the same with MDLP."""
        wins = []
        for name in self.classifiers:
            with_mdlp, *with_sadd = family_columns(name)
            if self.scores.present([with_mdlp]):
                wins += [
                    win_row(self.scores, column, with_mdlp,
                            "sum1" if self.is_whole_paper else None)
                    for column in self.scores.present(with_sadd)
                ]
        return wins

    @cached_property
    def discretizers(self):
        """Columns of the table of discretizers, without k-NN."""
        return [column for column in self.methods.columns if column.method != KNN]

    @cached_property
    def intervals(self):
        """Counts of intervals of all discretizers; see `interval_frame`."""
        return interval_frame(self.scores, self.discretizers)

    @cached_property
    def case(self):
        """The case study of the paper; None if its data set is not there."""
        return case_frame(self.scores, self.run, self.shown_intervals, self.comparison)

    @property
    def shown_intervals(self):
        """Columns of the table of intervals: SADD in its ways, and MDLP."""
        return [c for c in self.discretizers if c.method in ("SADD", "MDLP")]

    @cached_property
    def bayesian(self):
        """
        Bayesian comparisons; a row a pair of columns.

        ``first``, ``second``; probabilities that the ``first_better``, that they are
        ``equivalent``, that the ``second_better``. None without baycomp.
        """
        if not bayesian.is_available():
            return None
        of_sadd = [c for c in self.discretizers if c.method == "SADD"]
        pairs = [
            (first, second)
            for first in of_sadd for second in self.methods.columns
            if second.method != "SADD"
        ]
        pairs += list(zip(of_sadd[:1], of_sadd[1:], strict=False))
        for name in self.classifiers:
            with_mdlp, *with_sadd = family_columns(name)
            if self.scores.present([with_mdlp]):
                pairs += [(c, with_mdlp) for c in self.scores.present(with_sadd)]
        rows = []
        for first, second in pairs:
            found = bayesian.probabilities(
                self.scores.folds(first), self.scores.folds(second),
                self.scores.n_repeats,
            )
            if found is not None:
                rows.append((first.label, second.label, *found))
        names = ["first", "second", "first_better", "equivalent", "second_better"]
        return pd.DataFrame(rows, columns=names)
