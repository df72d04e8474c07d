"""A table of accuracies: its figures, and the cells that a page shows."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import groupby, pairwise

import pandas as pd

from orangecontrib.sadd.evaluation.report.elements import TableCell, signed
from orangecontrib.sadd.evaluation.report.published import (
    Comparison,
    averages,
    legend_of,
    published_table,
)
from orangecontrib.sadd.evaluation.report.scores import KNN, Contender, Scores
from orangecontrib.sadd.evaluation.report.statistics import compare

__all__ = ["AccuracyTable", "beside"]

BETTER, WORSE = "●", "○"
NOTE, PART = "†", "‡"
# Tables with more columns are printed in smaller type.
WIDE = 13


class AccuracyTable:
    """
    Accuracies of several contenders on all data sets, beside those of the paper.

    Parameters
    ----------
    scores : Scores
    comparison : Comparison
    contenders : list of Contender
        Those without a result are left out.
    rivals : dict of Contender and Contender, optional
        For a contender: the one with which it is compared by a t-test.

    Attributes
    ----------
    contenders : list of Contender
    means, deviations : DataFrame
        In per cent, by data set and contender.
    records : dict of Contender and Record
        Of the rival against the contender.
    """

    def __init__(
        self, scores: Scores, comparison: Comparison, contenders: Iterable[Contender],
        rivals: Mapping[Contender, Contender] | None = None,
    ) -> None:
        self.scores = scores
        self.comparison = comparison
        self.contenders = scores.present(contenders)
        means = scores.means(self.contenders).dropna(how="all")
        self.means = means
        self.deviations = scores.deviations(self.contenders).loc[means.index]
        self.rivals = {
            contender: rival for contender, rival in (rivals or {}).items()
            if contender in self.contenders and rival in self.contenders
        }
        self.records = {
            contender: compare(scores.folds(rival), scores.folds(contender))
            for contender, rival in self.rivals.items()
        }

    def find(self, method: str, pool: str | None = None) -> Contender | None:
        """Return the contender with a method and, if given, a pool; None if none."""
        return next((
            c for c in self.contenders
            if c.method == method and pool in (None, c.pool)
        ), None)

    @property
    def others(self) -> list[Contender]:
        """The contenders that are neither SADD nor k-NN."""
        return [c for c in self.contenders if c.method not in ("SADD", KNN)]

    @cached_property
    def common(self) -> list[str]:
        """Data sets on which all contenders have all results; averages are of these."""
        # A contender whose hardest folds failed would win.
        partial = {name for names in self._incomplete.values() for name in names}
        return [name for name in self.means.dropna().index if name not in partial]

    @cached_property
    def averages(self) -> pd.DataFrame:
        """
        Averages over data sets, beside those of the paper, by contender.

        ``published`` is computed from the paper's rows of the same data sets, ``same``
        is ours on these; ``comparable_...`` leave out data sets that differ from the
        authors'; ``printed`` is what the paper prints, if all its data sets are there.
        """
        rows = []
        for contender in self.contenders:
            ours = self.means[contender]
            row = {"datasets": len(self.common), "mean": ours[self.common].mean()}
            if contender.reference is not None:
                table, column = contender.reference
                keys = {
                    name: key for name in self.common
                    if (key := self.comparison.key(name)) is not None
                }
                alike = {
                    name: key for name, key in keys.items()
                    if self.comparison.obstacle(table, name) is None
                }
                for prefix, known in (("", keys), ("comparable_", alike)):
                    row[f"{prefix}published_datasets"] = len(known)
                    if known:
                        row[f"{prefix}same"] = ours[list(known)].mean()
                        published = averages(table, known.values())
                        row[f"{prefix}published"] = published[column]
                content = published_table(table)
                if len(keys) == len(content["rows"]):
                    row["printed"] = content["printed_averages"][column]
            rows.append(row)
        return pd.DataFrame(rows, index=pd.Index(self.contenders, dtype=object))

    @cached_property
    def _incomplete(self):
        return {c: self.scores.incomplete(c) for c in self.contenders}

    @cached_property
    def compared(self) -> pd.DataFrame:
        """Means without those of k-NN, which is no discretizer and is never bold."""
        return self.means[[c for c in self.contenders if c.method != KNN]]

    @cached_property
    def _best(self):
        return self.compared.max(axis=1)

    @cached_property
    def ranks(self) -> pd.Series:
        """Average ranks of the contenders without k-NN, 1 the best."""
        return self.compared.loc[self.common].rank(axis=1, ascending=False).mean()

    @property
    def kind(self) -> str:
        """CSS class."""
        return "figures wide" if len(self.contenders) >= WIDE else "figures"

    @property
    def head(self) -> list[TableCell]:
        """Names of the columns."""
        return [TableCell("Data set")] + [
            TableCell(c.short, mark=NOTE if self._note(None, c) else "",
                      kind=self._kind(c))
            for c in self.contenders
        ]

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Headings above several columns, and how many; empty if there are none."""
        names = [contender.group for contender in self.contenders]
        return [
            (name or "", len(list(same))) for name, same in groupby(names)
        ] if any(names) else []

    @property
    def body(self) -> list[list[TableCell]]:
        """A row for each data set."""
        return [
            [self._name(name), *(self._cell(name, c) for c in self.contenders)]
            for name in self.means.index
        ]

    @property
    def foot(self) -> list[list[TableCell]]:
        """Rows of averages."""
        figures = self.averages
        if not self.common:
            return []
        n = len(self.common)
        best = figures["mean"][self.compared.columns].max()
        n_same, n_comparable = (
            figures.get(f"{prefix}published_datasets", pd.Series([0])).max()
            for prefix in ("", "comparable_")
        )
        records = figures.to_dict("records")
        ranks = self.ranks.reindex(figures.index)
        rows = [
            [TableCell(f"Average of {n}"), *(
                TableCell(f"{row['mean']:.2f}", beside(row) if n_same == n else None,
                          best=row["mean"] == best)
                for row in records
            )],
            [TableCell("Average rank"), *(
                TableCell(f"{rank:.2f}", best=rank == ranks.min())
                if rank == rank else TableCell("")
                for rank in ranks
            )],
        ]
        if 0 < n_same < n:
            rows.append(_row_of(f"Average of {n_same:g} published", records))
        if 0 < n_comparable < n_same:
            name = f"Average of {n_comparable:g} comparable"
            rows.append(_row_of(name, records, "comparable_"))
        if "printed" in figures:
            rows.append([TableCell("Printed average"), *(
                TableCell(f"{value:.2f}" if value == value else "")
                for value in figures["printed"]
            )])
        return rows

    @property
    def notes(self) -> dict[str, str]:
        """Notes on published figures, with the figures that each is about."""
        found: dict[str, list[str]] = {}
        for name in (None, *self.means.index):
            for c in self.contenders:
                is_shown = name is None or pd.notna(self.means.at[name, c])
                note = self._note(name, c)
                if note and is_shown:
                    where = c.label if name is None else f"{name} {c.label}"
                    found.setdefault(note, []).append(where)
        return {note: ", ".join(where) for note, where in found.items()}

    @property
    def legend(self) -> str:
        """Explanation of figures and marks."""
        parts = ["Accuracy in per cent, mean ± sample standard deviation over folds. "]
        if any(c.reference for c in self.contenders):
            parts.append(
                "Beneath: the published figure and, in brackets, ours minus it. "
            )
        without = " k-NN apart," if self.find(KNN) else ""
        parts.append(f"Bold: best in the row,{without} ties included. ")
        rivals = set(self.rivals.values())
        if rivals:
            name = "its variant with SADD, transductive,"
            if len(rivals) == 1:
                name = rivals.pop().label
            parts.append(
                f"{BETTER} {name} is significantly better than this, {WORSE} is "
                "significantly worse (one-tailed paired t-test over folds at 0.05). "
            )
        parts.append(legend_of(self._mark(name)[0] for name in self.means.index))
        if any(self._incomplete.values()):
            parts.append(f"{PART} some folds have no result. ")
        return "".join(parts).strip()

    def _name(self, name):
        mark, reason = self._mark(name)
        return TableCell(name, mark=mark, title=reason)

    def _mark(self, name):
        """Return the mark of a data set that differs from the paper's, and why."""
        references = [c.reference for c in self.contenders if c.reference]
        return self.comparison.mark(references[0][0] if references else None, name)

    def _note(self, name, contender):
        if contender.reference is None:
            return None
        table, column = contender.reference
        return self.comparison.cell_note(table, name, column)

    @cached_property
    def _starts(self):
        """Contenders before which there is a line."""
        kinds = [c.group or c.method == KNN for c in self.contenders]
        changes = [before != after for before, after in pairwise(kinds)]
        return {
            c for c, is_start in zip(self.contenders[1:], changes, strict=True)
            if is_start
        }

    def _kind(self, contender):
        return "group" if contender in self._starts else None

    def _cell(self, name, contender):
        mean = self.means.at[name, contender]
        published = None
        if contender.reference is not None:
            table, column = contender.reference
            published = self.comparison.cell(table, name, column)
        if mean != mean:
            small = None if published is None else f"{published[0]:.2f}"
            return TableCell(small=small, kind=self._kind(contender))
        marks, titles = [], []
        record = self.records.get(contender)
        sign = record.marks.get(name, 0) if record else 0
        if sign:
            marks.append(BETTER if sign > 0 else WORSE)
            word = "better" if sign > 0 else "worse"
            titles.append(f"{self.rivals[contender].label} is significantly {word}.")
        if name in self._incomplete[contender]:
            marks.append(PART)
            known = int(self.scores.folds(contender).loc[name].notna().sum())
            titles.append(f"{known} of {self.scores.n_folds} folds have a result.")
        small = None
        if published is not None:
            small = f"{published[0]:.2f} ({signed(mean - published[0])})"
            if self._note(name, contender):
                marks.append(NOTE)
        deviation = self.deviations.at[name, contender]
        text = f"{mean:.2f}"
        if deviation == deviation:
            text += f"\u2009±\u2009{deviation:.2f}"
        is_best = contender.method != KNN and mean == self._best[name]
        return TableCell(text, small, "".join(marks), is_best, " ".join(titles) or None,
                         self._kind(contender))


def _row_of(name, records, prefix=""):
    """Return a row of averages over a part of the data sets."""
    return [TableCell(name), *(
        TableCell("") if (small := beside(row, prefix)) is None
        else TableCell(f"{row[f'{prefix}same']:.2f}", small)
        for row in records
    )]


def beside(row: Mapping, prefix: str = "") -> str | None:
    """Return the published average and the difference, None if not published."""
    published = row.get(f"{prefix}published")
    if published is None or published != published:
        return None
    return f"{published:.2f} ({signed(row[f'{prefix}same'] - published)})"
