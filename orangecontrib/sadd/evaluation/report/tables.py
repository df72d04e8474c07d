"""Tables of accuracies."""

from functools import cached_property
from itertools import groupby, pairwise

import pandas as pd

from orangecontrib.sadd.evaluation.report.differences import (
    difference,
    difference_legend,
)
from orangecontrib.sadd.evaluation.report.findings import signed
from orangecontrib.sadd.evaluation.report.markup import Cell, element, join, table
from orangecontrib.sadd.evaluation.report.published import averages, published_table
from orangecontrib.sadd.evaluation.report.scores import KNN
from orangecontrib.sadd.evaluation.report.statistics import compare

__all__ = ["AccuracyTable"]

BETTER, WORSE = "●", "○"
NOTE, PART = "†", "‡"
# Tables with more columns are printed in smaller type.
WIDE = 13


class AccuracyTable:
    """
    Accuracies of several columns on all data sets, beside those of the paper.

    Parameters
    ----------
    scores : Scores
    comparison : Comparison
    columns : list of Column
        Those without a result are left out.
    references : dict of str and Column, optional
        For labels of columns: the column with which it is compared by a t-test.

    Attributes
    ----------
    columns : list of Column
    means, deviations : DataFrame
        In per cent: a row a data set, a column for each label.
    records : dict of str and Record
        Of the reference against a column, by the latter's label.
    """

    def __init__(self, scores, comparison, columns, references=None):
        self.scores = scores
        self.comparison = comparison
        self.columns = scores.present(columns)
        means = scores.means(self.columns).dropna(how="all")
        self.means = means
        self.deviations = scores.deviations(self.columns).loc[means.index]
        labels = {column.label for column in self.columns}
        self.references = {
            label: reference for label, reference in (references or {}).items()
            if label in labels and reference.label in labels
        }
        self.records = {
            column.label: compare(
                scores.folds(self.references[column.label]), scores.folds(column)
            )
            for column in self.columns if column.label in self.references
        }

    @cached_property
    def common(self):
        """Data sets on which every column has all results; averages are over these."""
        # A column whose hardest folds failed would win.
        partial = {name for names in self._incomplete.values() for name in names}
        return [name for name in self.means.dropna().index if name not in partial]

    @cached_property
    def averages(self):
        """
        Averages over data sets, beside those of the paper; a row a column.

        ``published`` is computed from the paper's rows of the same data sets, ``same``
        is ours on these; ``comparable_...`` leave out data sets that differ from the
        authors'; ``printed`` is what the paper prints, if all its data sets are there.
        """
        rows = {}
        for column in self.columns:
            ours = self.means[column.label]
            row = {"datasets": len(self.common), "mean": ours[self.common].mean()}
            if column.published is not None:
                keys = {name: self.comparison.key(name) for name in self.common}
                keys = {name: key for name, key in keys.items() if key is not None}
                alike = {
                    name: key for name, key in keys.items()
                    if self.comparison.obstacle(column.table, name) is None
                }
                for prefix, known in (("", keys), ("comparable_", alike)):
                    published = averages(column.table, known.values())
                    row[f"{prefix}published_datasets"] = len(known)
                    if known:
                        row[f"{prefix}same"] = ours[list(known)].mean()
                        row[f"{prefix}published"] = published[column.published]
                content = published_table(column.table)
                if len(keys) == len(content["rows"]):
                    row["printed"] = content["printed_averages"][column.published]
            rows[column.label] = row
        return pd.DataFrame.from_dict(rows, orient="index")

    @cached_property
    def _incomplete(self):
        return {c.label: self.scores.incomplete(c) for c in self.columns}

    @cached_property
    def rivals(self):
        """Means without those of k-NN, which is no discretizer, and has no bold."""
        return self.means.drop(columns=KNN, errors="ignore")

    @cached_property
    def _best(self):
        return self.rivals.max(axis=1)

    @cached_property
    def ranks(self):
        """Average ranks of the columns without k-NN, 1 the best."""
        return self.rivals.loc[self.common].rank(axis=1, ascending=False).mean()

    def markup(self, caption):
        """Return the table with its legend and its notes."""
        noted = {}  # by what is to be said: where
        head = ["Data set", *(self._head(column, noted) for column in self.columns)]
        body = [
            [self._name(name), *(self._cell(name, c, noted) for c in self.columns)]
            for name in self.means.index
        ]
        groups = self._groups()
        kind = "figures wide" if len(head) > WIDE else "figures"
        parts = [table(caption, head, body, self._foot(), kind, groups)]
        parts.append(element("p", self._legend(), class_="legend"))
        if noted:
            items = [
                element("li", f"{NOTE} ", element("i", ", ".join(where)), f": {note}")
                for note, where in noted.items()
            ]
            parts.append(element("ul", *items, class_="notes"))
        return join(parts)

    def _name(self, name):
        mark, reason = self._difference(name)
        return Cell(name, mark=mark, title=reason)

    def _difference(self, name):
        """Mark of a data set that differs from the paper's, and why."""
        for column in self.columns:
            if column.published is not None:
                return difference(self.comparison, column.table, name)
        return "", None

    def _head(self, column, noted):
        mark = ""
        if column.published is not None:
            note = self.comparison.cell_note(column.table, None, column.published)
            if note:
                noted.setdefault(note, []).append(column.label)
                mark = NOTE
        return Cell(column.short or column.label, mark=mark, kind=self._kind(column))

    def _groups(self):
        names = [column.group for column in self.columns]
        return [
            (name or "", len(list(same))) for name, same in groupby(names)
        ] if any(names) else []

    @cached_property
    def _starts(self):
        """Columns before which there is a line."""
        pairs = pairwise([None, *(c.group or c.method == KNN for c in self.columns)])
        starts = [before != group for before, group in pairs]
        return {c for c, is_start in zip(self.columns, starts, strict=True) if is_start}

    def _kind(self, column):
        is_start = column in self._starts and column != self.columns[0]
        return "group" if is_start else None

    def _cell(self, name, column, noted):
        mean = self.means.at[name, column.label]
        published = None
        if column.published is not None:
            published = self.comparison.cell(column.table, name, column.published)
        if mean != mean:
            small = None if published is None else f"{published[0]:.2f}"
            return Cell(small=small, kind=self._kind(column))
        marks, titles = [], []
        record = self.records.get(column.label)
        sign = record.marks.get(name, 0) if record else 0
        if sign:
            reference = self.references[column.label].label
            marks.append(BETTER if sign > 0 else WORSE)
            word = "better" if sign > 0 else "worse"
            titles.append(f"{reference} is significantly {word}.")
        if name in self._incomplete[column.label]:
            marks.append(PART)
            known = int(self.scores.folds(column).loc[name].notna().sum())
            titles.append(f"{known} of {self.scores.n_folds} folds have a result.")
        small = None
        if published is not None:
            small = f"{published[0]:.2f} ({signed(mean - published[0])})"
            note = self.comparison.cell_note(column.table, name, column.published)
            if note:
                marks.append(NOTE)
                noted.setdefault(note, []).append(f"{name} {column.label}")
        deviation = self.deviations.at[name, column.label]
        text = f"{mean:.2f}"
        if deviation == deviation:
            text += f"\u2009±\u2009{deviation:.2f}"
        is_best = column.method != KNN and mean == self._best[name]
        title = " ".join(titles) or None
        return Cell(
            text, small, "".join(marks), is_best, title, self._kind(column)
        )

    def _foot(self):
        figures = self.averages
        if not self.common:
            return []
        n = len(self.common)
        best = figures["mean"].drop(KNN, errors="ignore").max()
        n_same, n_comparable = (
            figures.get(f"{prefix}published_datasets", pd.Series([0])).max()
            for prefix in ("", "comparable_")
        )
        rows = [
            [f"Average of {n}", *(
                Cell(
                    f"{row['mean']:.2f}", _beside(row) if n_same == n else None,
                    best=row["mean"] == best,
                )
                for row in figures.to_dict("records")
            )],
            ["Average rank", *(
                Cell(f"{rank:.2f}", best=rank == self.ranks.min())
                if rank == rank else Cell("")
                for rank in self.ranks.reindex(figures.index)
            )],
        ]
        if 0 < n_same < n:
            rows.append(_row_of(f"Average of {n_same:g} published", figures))
        if 0 < n_comparable < n_same:
            name = f"Average of {n_comparable:g} comparable"
            rows.append(_row_of(name, figures, "comparable_"))
        if "printed" in figures:
            rows.append(["Printed average", *(
                Cell(f"{value:.2f}") if value == value else Cell("")
                for value in figures["printed"]
            )])
        return rows

    def _legend(self):
        parts = ["Accuracy in per cent, mean ± sample standard deviation over folds. "]
        if any(column.published for column in self.columns):
            parts.append(
                "Beneath: the published figure and, in brackets, ours minus it. "
            )
        without = " k-NN apart," if KNN in self.means else ""
        parts.append(f"Bold: best in the row,{without} ties included. ")
        references = dict.fromkeys(r.label for r in self.references.values())
        if references:
            name = "its variant with SADD, transductive,"
            if len(references) == 1:
                name = next(iter(references))
            parts.append(
                f"{BETTER} {name} is significantly better than this, {WORSE} is "
                "significantly worse (one-tailed paired t-test over folds at 0.05). "
            )
        parts.append(difference_legend(map(self._difference, self.means.index)))
        if any(self._incomplete.values()):
            parts.append(f"{PART} some folds have no result. ")
        return "".join(parts).strip()


def _row_of(name, figures, prefix=""):
    """A row of averages over a part of the data sets, beside the published ones."""
    return [name, *(
        Cell("") if (beside := _beside(row, prefix)) is None
        else Cell(f"{row[f'{prefix}same']:.2f}", beside)
        for row in figures.to_dict("records")
    )]


def _beside(row, prefix=""):
    published = row.get(f"{prefix}published")
    if published is None or published != published:
        return None
    return f"{published:.2f} ({signed(row[f'{prefix}same'] - published)})"
