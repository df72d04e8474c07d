"""The numbers of the paper, and where they cannot be compared with ours.

They lie in ``published.json``: accuracies in per cent with their standard deviations,
by data set and column; counts of intervals; wins. Its notes say which of them are
slips of the paper, and which data sets differ from those that the authors had.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import numpy as np

__all__ = [
    "DIFFERENT",
    "SIMILAR",
    "Comparison",
    "averages",
    "legend_of",
    "notes",
    "paper",
    "paper_facts",
    "published_table",
    "wins_in_rows",
]

# Marks of data sets that are not, or not quite, those of the paper
DIFFERENT, SIMILAR = "≠", "≈"


@cache
def _published():
    resource = files("orangecontrib.sadd.evaluation.report") / "published.json"
    return json.loads(resource.read_text(encoding="utf-8"))


def paper() -> str:
    """Return the reference to the paper."""
    return _published()["paper"]


def published_table(name: str) -> dict:
    """
    Return a table of the paper.

    Parameters
    ----------
    name : str
        Its label in the paper: ``"res"``, ``"ablation-semi"``, ``"res2"``,
        ``"sum"``, ``"sum1"``, ``"sum2"``, ``"interval"`` or ``"case"``.

    Returns
    -------
    dict

    Examples
    --------
    >>> published_table("res")["rows"]["iris"]["SADD"]
    [96.0, 4.42]
    """
    return _published()["tables"][name]


def notes(table: str) -> list[str]:
    """Return the notes on a table of the paper, a sentence or more each."""
    return _published()["notes"].get(table, [])


def averages(
    table: str, datasets: Iterable[str] | None = None
) -> dict[str, float]:
    """
    Compute the averages of the columns of a table of accuracies from its rows.

    Parameters
    ----------
    table : str
        ``"res"``, ``"ablation-semi"`` or ``"res2"``.
    datasets : iterable of str, optional
        Keys of data sets, as `Comparison.key` returns them; by default all.

    Returns
    -------
    dict of str and float
        Empty if there are no data sets.

    Examples
    --------
    The paper prints 79.27.

    >>> round(averages("res")["CAIM"], 2)
    79.7
    """
    content = published_table(table)
    rows = list(content["rows"]) if datasets is None else list(datasets)
    if not rows:
        return {}
    return {
        column: float(np.mean([content["rows"][row][column][0] for row in rows]))
        for column in content["columns"]
    }


def wins_in_rows(table: str, first: str, second: str) -> tuple[int, int, int]:
    """
    Count the data sets on which a column of the paper is better than another.

    Returns
    -------
    (int, int, int)
        Wins, ties and losses of the first, by the printed figures.

    Examples
    --------
    >>> wins_in_rows("res", "SADD", "FFD")
    (26, 1, 4)
    """
    rows = published_table(table)["rows"].values()
    signs = [np.sign(row[first][0] - row[second][0]) for row in rows]
    return signs.count(1), signs.count(0), signs.count(-1)


def _normalized(name):
    key = re.sub("[^a-z0-9]", "", name.lower())
    return _published()["aliases"].get(key, key)


def paper_facts(dataset: str) -> dict | None:
    """
    Return what the paper says about a data set, None if it is not in the paper.

    Examples
    --------
    >>> paper_facts("mice_protein")["attributes"]
    82
    """
    return _published()["datasets"].get(_normalized(dataset))


def legend_of(marks: Iterable[str]) -> str:
    """Return the explanation of those marks of `Comparison.mark` that occur."""
    marks = set(marks)
    text = ""
    if DIFFERENT in marks:
        text += f"{DIFFERENT} not the data that the authors had. "
    if SIMILAR in marks:
        text += f"{SIMILAR} described otherwise in the paper, but comparable here. "
    return f"{text}Reasons are under “Data sets”. " if text else ""


class Comparison:
    """
    The numbers published for the data sets of a run.

    A data set is recognized by its name, in which case and punctuation do not matter,
    and by its number of rows: there is more than one `wine`.

    Parameters
    ----------
    datasets : dict of str and dict
        Names of data sets; of each, if they are known, the numbers of ``"rows"``,
        ``"numeric"`` and ``"categorical"`` attributes, and ``"classes"``.

    Examples
    --------
    >>> comparison = Comparison({"Page-Block": {}, "wine": {"rows": 178}})
    >>> comparison.cell("res", "Page-Block", "MDLP")
    (93.62, 1.62)
    >>> comparison.key("wine") is None
    True
    """

    def __init__(self, datasets: dict[str, dict | None]) -> None:
        self._facts = {name: dict(facts or {}) for name, facts in datasets.items()}

    def key(self, dataset: str) -> str | None:
        """Return the key of a data set in the paper's tables, None if it has none."""
        known = paper_facts(dataset)
        if known is None:
            return None
        rows = self._facts.get(dataset, {}).get("rows")
        is_same = rows is None or int(rows) == known["rows"]
        return _normalized(dataset) if is_same else None

    def cell(
        self, table: str, dataset: str, column: str
    ) -> tuple[float, float] | None:
        """Return (mean, standard deviation) in per cent, None if not published."""
        key = self.key(dataset)
        row = published_table(table)["rows"].get(key, {})
        return tuple(row[column]) if column in row else None

    def intervals(self, dataset: str) -> dict | None:
        """Return the row of the table of intervals as a dict, None if it has none."""
        return published_table("interval")["rows"].get(self.key(dataset))

    def obstacle(self, table: str, dataset: str) -> str | None:
        """Return why figures of a table are not for the same data, None if they are."""
        reason, tables = self._difference(dataset)
        return reason if table in tables else None

    def caveat(self, table: str, dataset: str) -> str | None:
        """Return how the paper's data set differs where this does not matter."""
        reason, tables = self._difference(dataset)
        return None if table in tables else reason

    def mark(self, table: str | None, dataset: str) -> tuple[str, str | None]:
        """
        Return the mark of a data set in a table, and the reason for it.

        The mark is empty if the data set is that of the paper, or there is no table.
        """
        if table is not None and (reason := self.obstacle(table, dataset)):
            return DIFFERENT, reason
        if table is not None and (reason := self.caveat(table, dataset)):
            return SIMILAR, reason
        return "", None

    def _difference(self, dataset):
        """Return how a data set differs, and for which tables it matters."""
        key = self.key(dataset)
        if key is None:
            return None, ()
        every = tuple(_published()["tables"])
        facts = self._facts.get(dataset, {})
        attributes = None
        if "numeric" in facts and "categorical" in facts:
            attributes = int(facts["numeric"]) + int(facts["categorical"])
        entry = _published()["not_comparable"].get(key)
        if entry is not None and attributes in (None, entry["attributes"]):
            return entry["reason"], entry.get("tables", every)
        known = paper_facts(key)
        for what, here in (
            ("attributes", attributes), ("classes", facts.get("classes"))
        ):
            if here is not None and int(here) != known[what]:
                reason = f"The paper has {known[what]} {what}; here there are {here}."
                return reason, every
        return None, ()

    def cell_note(
        self, table: str, dataset: str | None, column: str
    ) -> str | None:
        """Return the note on a published figure, None if there is none.

        With None for a data set: the note on the whole column.
        """
        key = None if dataset is None else self.key(dataset)
        if dataset is not None and key is None:
            return None
        for entry in _published()["cell_notes"]:
            if (
                entry["table"] == table
                and entry["dataset"] == key
                and column in entry["columns"]
            ):
                return entry["note"]
        return None
