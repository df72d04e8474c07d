"""The published figures, and the comparison of a rerun with them."""

import gzip
import json
import re
import sys

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.evaluation.experiment import PUBLISHED
from tests.evaluation import fabricated
from tests.shared import DATASETS, ROOT, SHARED, manifest, needs_shared

sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))

import papers_data  # noqa: E402
import published  # noqa: E402
import rerun  # noqa: E402
from published import published_table  # noqa: E402

pytestmark = pytest.mark.usefixtures("few_samples")

ACCURACIES = ("res", "ablation-semi", "res2")


def key(name):
    """Key of a data set by its name in the paper, which has a slip of its own."""
    found = re.sub("[^a-z0-9]", "", name.lower())
    return {"ionophere": "ionosphere"}.get(found, found)


def column(name):
    name = name.replace("$", "")
    return name.replace("^E", " eager").replace("^L", " lazy")


def facts_of(row):
    """Facts of a data set by its row in the manifest."""
    return {"rows": row["rows"], "numeric": row["numeric_attributes"],
            "categorical": row["categorical_attributes"], "classes": row["classes"]}


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
            ours = published.content()["datasets"][published.key_of(name)]
            assert ours["title"] == name
            assert ours["rows"] == theirs["instances"]
            for fact in ("attributes", "categorical", "classes"):
                assert ours[fact] == theirs[fact]

    def test_reasons_fit_the_files(self):
        """A data set has a mark if and only if its facts are not the paper's."""
        for name, row in manifest().iterrows():
            facts = facts_of(row)
            known = published.content()["datasets"][published.key_of(name, row["rows"])]
            same = (
                facts["numeric"] + facts["categorical"] == known["attributes"]
                and facts["categorical"] == known["categorical"]
                and facts["classes"] == known["classes"])
            # These have the same figures, but not all their columns were discretized.
            is_part = name in ("vowel", "wave", "indoorloc")
            assert bool(published.mark("res", name, facts)) == (not same or is_part)
            if not same:
                assert published.mark("interval", name, facts) == published.DIFFERENT

    def test_attributes_of_the_case_study_exist(self):
        header = pd.read_csv(DATASETS / "vowel.csv.gz", nrows=0).columns
        assert set(published_table("case")["attributes"].values()) < set(header)


class TestDataSets:
    CARDIO = {"rows": 2126, "numeric": 21, "categorical": 0, "classes": 10}

    def test_keys_ignore_case_and_punctuation(self):
        names = ["Page-Block", "page_block", "Ionophere", "ionosphere", "optdigits"]
        assert [published.key_of(name) for name in names] == [
            "pageblock", "pageblock", "ionosphere", "ionosphere", "opdigit"]

    def test_data_set_with_other_rows_is_another_one(self):
        assert published.key_of("wine", 178) is None
        assert published.key_of("mine", 10) is None

    def test_differences(self):
        reason, tables = published.difference("cardio", self.CARDIO)
        assert "NSP" in reason and "res" in tables
        whole = self.CARDIO | {"numeric": 23}
        assert published.difference("cardio", whole) == ("", [])
        assert "20" in published.difference("cardio", self.CARDIO | {"numeric": 20})[0]

    def test_difference_that_matters_for_some_tables(self):
        wave = {"rows": 5000, "numeric": 40, "categorical": 0, "classes": 3}
        assert published.mark("res", "wave", wave) == published.SIMILAR
        assert published.mark("interval", "wave", wave) == published.DIFFERENT


def described(run):
    """Describe the data sets as those of the paper."""
    for name, facts in run["datasets"].items():
        known = published.content()["datasets"].get(published.key_of(name))
        if known:
            facts |= {"rows": known["rows"], "categorical": known["categorical"],
                      "numeric": known["attributes"] - known["categorical"],
                      "classes": known["classes"]}
    return run


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the page of all data sets of the paper and one more, and the tables."""
    folder = tmp_path_factory.mktemp("paper")
    table, run = fabricated.make(
        [*published_table("res")["rows"], "mine"], **PUBLISHED | {"folds": 2})
    page = rerun.write_comparison(folder, table, described(run))
    return page.read_text(encoding="utf-8"), {
        path.stem: pd.read_csv(path, keep_default_na=False)
        for path in folder.glob("*.csv")}


class TestComparison:
    def test_accuracies(self, files):
        frame = files[1]["accuracy"]
        rows = frame[(frame["classifier"] == "NB") & (frame["discretizer"] == "MDLP")
                     & (frame["classifier_labels"] == "all")].set_index(
                         ["dataset", "labelled"])
        iris = rows.loc["iris", 1.0]
        assert (float(iris["published"]), float(iris["published_std"])) == (92.67, 6.29)
        assert float(iris["difference"]) == pytest.approx(iris["mean"] - 92.67)
        assert iris["comparable"] == "yes"
        assert float(rows.loc[("iris", 0.4), "published"]) == 95.33
        assert rows.loc[("mine", 1.0), "published"] == ""
        assert (frame["published"] != "").sum() == 31 * (9 + 5 + 10)

    def test_averages(self, files):
        frame = files[1]["averages"]
        caim = frame[(frame["discretizer"] == "CAIM")
                     & (frame["labelled"] == 1)].iloc[0]
        assert float(caim["printed"]) == 79.27
        assert float(caim["published"]) == pytest.approx(79.70, abs=0.005)
        assert float(caim["published_datasets"]) == 31
        inductive = frame[(frame["discretizer"] == "SADD") & (frame["pool"] == "none")]
        assert (inductive["published"] == "").all()

    def test_wins(self, files):
        frame = files[1]["wins"].astype(str)
        row = frame[(frame["labelled"] == "1.0") & (frame["classifier"] == "NB")
                    & (frame["first_pool"] == "test")
                    & (frame["second_discretizer"] == "MDLP")].iloc[0]
        assert row["published_wins":].tolist() == ["31", "19", "30 / 1 / 0"]
        assert (frame["published_wins"] != "").sum() == 8 + 5 + 4

    def test_page(self, files):
        text = files[0]
        for words in ("within a point", "79.27", "swapped", "Not in the paper"):
            assert words in text

    def test_wins_need_all_data_sets(self, tmp_path):
        table, run = fabricated.make(["iris"], folds=2)
        rerun.write_comparison(tmp_path, table, described(run))
        assert "published_wins" not in pd.read_csv(tmp_path / "wins.csv")

    def test_case_study(self):
        table, run = fabricated.make(["vowel"], folds=2, discretizers=("SADD", "MDLP"))
        names = published_table("case")["attributes"]
        parts = [table.replace({"item": {"length": name, "width": f"{name}b"}})
                 for name in names.values()]
        intervals = pd.concat(parts)[lambda t: t["measure"].isin(
            ["intervals", "information"])]
        case = rerun.case_study(intervals, described(run)["datasets"])
        mdlp = case[case["discretizer"] == "MDLP"].set_index("published_name")
        assert list(mdlp.index) == [f"A{i}" for i in range(1, 11)]
        assert mdlp.loc["A1", "published_intervals"] == 8
        sadd = case[(case["discretizer"] == "SADD") & (case["pool"] == "test")]
        assert sadd["published_information"].iloc[0] == 1.0921
        few = intervals[intervals["item"] != "f9"]
        assert rerun.case_study(few, run["datasets"]).empty


@needs_shared
def test_data_sets_are_those_of_the_manifest():
    files = papers_data.files(DATASETS)
    assert len(files) == 31
    for path, (name, row) in zip(files, manifest().iterrows(), strict=True):
        if name in ("indoorloc", "musk", "madelon"):
            continue  # they take seconds to read
        data = papers_data.load(path)
        assert data.name == name
        assert data.facts == facts_of(row) | {"missing": row["missing_cells"]}


@pytest.mark.parametrize("names, words", [
    (["a"], "lacks b, c, which its MANIFEST.csv lists"), (None, "has no MANIFEST.csv")])
def test_folder_without_some_data_sets_gets_a_sentence(names, words, tmp_path):
    if names:
        (tmp_path / "MANIFEST.csv").write_text("name,rows\na,1\nb,1\nc,1\n")
        (tmp_path / "a.csv.gz").write_bytes(b"")
    with pytest.raises(SystemExit, match=words):
        rerun.main([str(tmp_path), "-o", str(tmp_path / "out")])


def test_text_is_categorical_and_numbers_are_numeric(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(
        b"flag,kind,size,class\n0,x,1.5,c1\n1,y,,c2\n0,,2.5,c1\n"))
    data = papers_data.load(tmp_path / "a.csv.gz")
    assert data.name == "a" and data.y.tolist() == [0, 1, 0]
    assert data.categorical.tolist() == [False, True, False]
    np.testing.assert_array_equal(
        data.X, [[0, 0, 1.5], [1, 1, np.nan], [0, np.nan, 2.5]])


@needs_shared
def test_rerun_of_one_data_set(tmp_path):
    rerun.main([str(DATASETS / "iris.csv.gz"), "-o", str(tmp_path)])
    names = {path.name for path in tmp_path.iterdir()}
    assert {"report.html", "comparison.html", "accuracy.csv", "run.json"} <= names
    ours = pd.read_csv(tmp_path / "accuracy.csv").query("discretizer == 'MDLP'")
    assert ours["published"].notna().any()
