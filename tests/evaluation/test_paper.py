"""The published figures, and the comparison of a rerun with them."""

import json
import re
import sys

import pandas as pd
import pytest

from tests.evaluation import fabricated
from tests.shared import DATASETS, ROOT, SHARED, needs_shared

sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))

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

    def test_intervals_with_two_rows_swapped_back(self, paper):
        rows = {key(name): row for name, row in paper["interval"]["rows"].items()}
        rows["mfeatfac"], rows["indoorloc"] = rows["indoorloc"], rows["mfeatfac"]
        ours = published_table("interval")
        assert ours["bins"] == paper["interval"]["bins"]
        assert ours["rows"] == {
            name: {"SADD": row["SADD"], "MDLP": row["MDLP"], "gain": row["PG"]}
            for name, row in rows.items()
        }


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
    table, run = fabricated.make([*published_table("res")["rows"], "mine"], folds=2)
    page = rerun.write_comparison(folder, table, described(run))
    return page.read_text(encoding="utf-8"), {
        path.stem: pd.read_csv(path, keep_default_na=False)
        for path in folder.glob("*.csv")}


class TestComparison:
    def test_accuracies(self, files):
        frame = files[1]["accuracy"]
        rows = frame[(frame["classifier"] == "NB") & (frame["method"] == "MDLP")
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
        caim = frame[(frame["method"] == "CAIM") & (frame["labelled"] == 1)].iloc[0]
        assert float(caim["printed"]) == 79.27
        assert float(caim["published"]) == pytest.approx(79.70, abs=0.005)
        assert float(caim["published_datasets"]) == 31
        inductive = frame[(frame["method"] == "SADD") & (frame["pool"] == "none")]
        assert (inductive["published"] == "").all()

    def test_page(self, files):
        text = files[0]
        for words in ("within a point", "79.27", "swapped", "Not in the paper"):
            assert words in text


@needs_shared
def test_rerun_of_one_data_set(tmp_path):
    rerun.main([str(DATASETS / "iris.csv.gz"), "-o", str(tmp_path)])
    names = {path.name for path in tmp_path.iterdir()}
    assert {"report.html", "comparison.html", "accuracy.csv", "run.json"} <= names
    ours = pd.read_csv(tmp_path / "accuracy.csv").query("method == 'MDLP'")
    assert ours["published"].notna().any()
