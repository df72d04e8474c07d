"""The published numbers that ship with the package."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.evaluation.report.published import (
    Comparison,
    averages,
    notes,
    paper_facts,
    published_table,
    wins_in_rows,
)
from tests.shared import DATASETS, SHARED, manifest, needs_shared

ACCURACIES = ("res", "ablation-semi", "res2")


def key(name):
    """Key of a data set by its name in the paper, which has a slip of its own."""
    found = re.sub("[^a-z0-9]", "", name.lower())
    return {"ionophere": "ionosphere"}.get(found, found)


def column(name):
    name = name.replace("$", "")
    return name.replace("^E", " eager").replace("^L", " lazy")


@pytest.fixture(scope="module")
def paper():
    with open(SHARED / "paper_tables.json", encoding="utf-8") as file:
        return json.load(file)


@needs_shared
class TestSameAsThePaper:
    @pytest.mark.parametrize("name", ACCURACIES)
    def test_accuracies(self, paper, name):
        ours, theirs = published_table(name), paper[name]
        assert ours["columns"] == [column(c) for c in theirs["columns"]]
        assert ours["rows"] == {
            key(row): {column(c): cell for c, cell in cells.items()}
            for row, cells in theirs["rows"].items()
        }
        assert ours["printed_averages"] == {
            column(c): value for c, value in theirs["avg_printed"].items()
        }

    @pytest.mark.parametrize("name", ["sum", "sum1", "sum2"])
    def test_wins(self, paper, name):
        theirs = {column(c): wins for c, wins in paper[name].items()}
        assert published_table(name)["wins"] == theirs

    def test_intervals_with_two_rows_swapped_back(self, paper):
        rows = {key(name): row for name, row in paper["interval"]["rows"].items()}
        rows["mfeatfac"], rows["indoorloc"] = rows["indoorloc"], rows["mfeatfac"]
        ours = published_table("interval")
        assert ours["bins"] == paper["interval"]["bins"]
        assert ours["rows"] == {
            name: {"SADD": row["SADD"], "MDLP": row["MDLP"], "gain": row["PG"]}
            for name, row in rows.items()
        }

    def test_case_study(self, paper):
        ours = published_table("case")
        for name, theirs in paper["case"].items():
            row = ours["printed_averages"] if name == "AVG" else ours["rows"][name]
            for method in ("SADD", "MDLP"):
                assert row[method] == [theirs[f"{method}_num"], theirs[f"{method}_MI"]]

    def test_data_sets(self, paper):
        for name, theirs in paper["dataset"].items():
            ours = paper_facts(name)
            assert ours["title"] == name
            assert ours["rows"] == theirs["instances"]
            for fact in ("attributes", "categorical", "classes"):
                assert ours[fact] == theirs[fact]

    def test_averages_of_rows(self, paper):
        for name in ACCURACIES:
            for label, check in paper["checks"][f"{name}_avg"].items():
                recomputed = averages(name)[column(label)]
                assert recomputed == pytest.approx(check["recomputed"], abs=1e-4)

    def test_wins_in_rows(self, paper):
        for other, check in paper["checks"]["res_wtl"].items():
            wins = wins_in_rows("res", "SADD", other)
            assert wins == (check["win"], check["tie"], check["loss"])

    def test_reasons_fit_the_files(self):
        """A data set is marked if and only if it has not the paper's figures."""
        facts = {
            name: {
                "rows": row["rows"],
                "numeric": row["numeric_attributes"],
                "categorical": row["categorical_attributes"],
                "classes": row["classes"],
            }
            for name, row in manifest().iterrows()
        }
        comparison = Comparison(facts)
        for name, fact in facts.items():
            known = paper_facts(name)
            assert comparison.key(name) is not None
            same = (
                fact["numeric"] + fact["categorical"] == known["attributes"]
                and fact["categorical"] == known["categorical"]
                and fact["classes"] == known["classes"]
            )
            reasons = [
                find("res", name) for find in (comparison.obstacle, comparison.caveat)
            ]
            # These have the same figures, but not all their columns were discretized.
            is_part = name in ("vowel", "wave", "indoorloc")
            assert any(reasons) == (not same or is_part), name
            if not same:
                assert comparison.obstacle("interval", name) is not None

    def test_attributes_of_the_case_study_exist(self):
        header = pd.read_csv(DATASETS / "vowel.csv.gz", nrows=0).columns
        assert set(published_table("case")["attributes"].values()) < set(header)


def fold_sizes():
    """Data sets whose ten stratified folds are all of one size, and that size."""
    return {"iris": 15, "seeds": 21, "heart": 27}


def possible_divisors(mean, deviation, size):
    """Divisors (10: population, 9: sample) with which counts of hits are whole."""
    total = round(mean / 100 * size * 10)
    found = set()
    for divisor in (9, 10):
        low, high = (
            ((deviation + e) / 100 * size) ** 2 * divisor + total**2 / 10
            for e in (-0.0051, 0.0051)
        )
        if np.floor(high) >= np.ceil(low):
            found.add(divisor)
    return found


@pytest.mark.parametrize("table, label, divisor", [
    *(("res", label, 10) for label in published_table("res")["columns"]),
    *(("ablation-semi", c, 9) for c in published_table("ablation-semi")["columns"]),
    *(("res2", c, 9 if "+" in c else 10) for c in published_table("res2")["columns"]),
])
def test_which_standard_deviation_was_published(table, label, divisor):
    """What the notes say: sums of squares of whole numbers admit one divisor only."""
    rows = published_table(table)["rows"]
    possible = [
        possible_divisors(*rows[name][label], size)
        for name, size in fold_sizes().items()
    ]
    assert set.intersection(*possible) == {divisor}


def test_averages_of_some_data_sets():
    rows = published_table("res")["rows"]
    expected = (rows["iris"]["EW"][0] + rows["wine"]["EW"][0]) / 2
    assert averages("res", ["iris", "wine"])["EW"] == pytest.approx(expected)
    assert averages("res", []) == {}


def test_notes():
    for name in ("res", "ablation-semi", "res2", "sum", "sum1", "sum2", "interval"):
        assert notes(name) and all(text.endswith((".", ")")) for text in notes(name))
    assert notes("no such table") == []


class TestComparison:
    def test_names(self):
        names = ["Page-Block", "page_block", "Ionophere", "ionosphere", "optdigits"]
        comparison = Comparison(dict.fromkeys(names))
        found = ["pageblock", "pageblock", "ionosphere", "ionosphere", "opdigit"]
        assert [comparison.key(name) for name in names] == found

    def test_a_namesake_with_other_rows_is_another_data_set(self):
        comparison = Comparison({"wine": {"rows": 178}})
        assert comparison.key("wine") is None
        assert comparison.cell("res", "wine", "SADD") is None
        assert comparison.intervals("wine") is None
        assert comparison.obstacle("res", "wine") is None
        assert comparison.cell_note("res", "wine", "SADD") is None

    def test_unknown(self):
        comparison = Comparison({"mine": {"rows": 10}})
        assert comparison.cell("res", "mine", "SADD") is None
        assert comparison.obstacle("res", "mine") is None

    def test_obstacle(self):
        cardio = {"rows": 2126, "numeric": 21, "categorical": 0, "classes": 10}
        comparison = Comparison({"cardio": cardio})
        assert "NSP" in comparison.obstacle("res", "cardio")
        assert comparison.caveat("res", "cardio") is None
        whole = Comparison({"cardio": cardio | {"numeric": 23}})
        assert whole.obstacle("res", "cardio") is None
        odd = Comparison({"cardio": cardio | {"numeric": 20}})
        assert "20" in odd.obstacle("res", "cardio")

    def test_obstacle_of_some_tables(self):
        comparison = Comparison({"wave": {}, "vowel": {}})
        assert comparison.obstacle("res", "wave") is None
        assert "21" in comparison.caveat("res", "wave")
        assert comparison.caveat("interval", "wave") is None
        assert "21" in comparison.obstacle("interval", "wave")
        assert comparison.obstacle("res", "vowel") is not None
        assert comparison.obstacle("case", "vowel") is None

    def test_cell_notes(self):
        comparison = Comparison({"madelon": {}, "iris": {}})
        assert "underflow" in comparison.cell_note("res", "madelon", "EW")
        assert comparison.cell_note("res", "madelon", "MDLP") is None
        assert comparison.cell_note("res", "iris", "EW") is None
        assert "KEEL" in comparison.cell_note("res", None, "PKID")
