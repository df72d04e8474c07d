"""The page and the files of a report."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.evaluation.report import bayesian
from orangecontrib.sadd.evaluation.report.page import write_report
from tests.evaluation import fabricated

VOID = {"br", "meta"}
EVIL = '<script>alert("1")</script> & co'


class Checker(HTMLParser):
    """Collects what a page has, and fails on tags that are not closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.links = [], [], [], []
        self.words = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self):
        return " ".join(self.words)

    def having(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def report(folder, made):
    results, times, run = made
    path = write_report(folder, results, times, run)
    assert path == folder / "report.html"
    text = path.read_text(encoding="utf-8")
    assert "nan" not in text.lower()
    return Checker(text), text


@pytest.fixture(scope="module", autouse=True)
def few_samples():
    """Bayesian tests take most of the time; a small sample will do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bayesian, "N_SAMPLES", 300)
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The report of all data sets, with what was given."""
    made = fabricated.make(folds=3)
    folder = tmp_path_factory.mktemp("report")
    page, text = report(folder, made)
    return page, text, folder


class TestPage:
    def test_sections_and_links(self, whole):
        page, _, _ = whole
        assert page.ids == [
            "discretizers", "family", "labels", "intervals", "vowel", "bayesian",
            "time", "datasets", "environment",
        ]
        assert page.links == [f"#{name}" for name in page.ids]

    def test_loads_nothing(self, whole):
        page, text, _ = whole
        for tag, attributes in page.tags:
            assert tag not in {"link", "script", "img", "iframe", "object", "image"}
            assert not {"src", "srcset", "xlink:href"} & set(attributes)
        assert "url(" not in text and "@import" not in text and "@font-face" not in text
        assert not re.search("https?://", text)

    def test_accessible(self, whole):
        page, _, _ = whole
        assert page.having("html") == [{"lang": "en"}]
        assert all("scope" in th for th in page.having("th"))
        n_tables = len(page.having("table"))
        assert len(page.having("caption")) == n_tables > 10
        images = page.having("svg")
        assert len(images) == len(page.having("figcaption")) > 5
        assert all(image["role"] == "img" and image["aria-label"] for image in images)
        # A drawing has a title and a description of its own.
        assert len(page.having("desc")) == len(images)
        assert [m["name"] for m in page.having("meta") if "name" in m][0] == "viewport"

    def test_rows_are_as_long_as_the_head(self, whole):
        _, text, _ = whole
        for table in re.findall("<table.*?</table>", text):
            rows = re.findall("<tr>(.*?)</tr>", table)
            widths = {len(re.findall("<t[hd]", row)) for row in rows[2:]}
            assert len(widths) == 1

    def test_themes_and_print(self, whole):
        _, text, _ = whole
        assert "prefers-color-scheme: dark" in text
        assert "@media print" in text and "@page" in text

    def test_words(self, whole):
        page, _, _ = whole
        assert "has the highest average of 9 discretizers" in page.text
        assert "come from the test rows" in page.text
        assert "The plain k-NN" in page.text
        assert "RNB +" in page.text
        assert "2026-08-01" in page.text
        assert "Some Processor" in page.text
        assert "python -m orangecontrib.sadd benchmark --jobs 2" in page.text

    def test_published_figures_and_notes(self, whole):
        page, _, _ = whole
        assert "79.27" in page.text
        assert "swapped" in page.text
        assert "the number of the row among them" in page.text

    def test_summaries(self, whole):
        _, _, folder = whole
        assert sorted(path.name for path in folder.iterdir()) == [
            "accuracy.csv", "averages.csv", "bayesian.csv", "case_study.csv",
            "intervals.csv", "report.html", "run_time.csv", "sweep.csv", "wins.csv",
        ]
        accuracy = pd.read_csv(folder / "accuracy.csv")
        iris = accuracy[
            (accuracy["dataset"] == "iris") & (accuracy["method"] == "CAIM")
            & (accuracy["labelled"] == 1)
        ]
        assert iris["published"].item() == 94.0

    def test_same_input_same_files(self, tmp_path):
        for name in ("one", "two"):
            write_report(tmp_path / name, *fabricated.make(["iris", "bupa"], folds=3))
        for path in (tmp_path / "one").iterdir():
            other = tmp_path / "two" / path.name
            assert path.read_bytes() == other.read_bytes()


class TestOddRuns:
    @pytest.mark.parametrize("kwargs", [
        {"datasets": ["iris"]},
        {"datasets": ["mine"], "fractions": (1.0,)},
        {"datasets": ["iris"], "folds": 1, "fractions": (1.0,)},
        {"datasets": ["iris", "bupa"], "folds": 2},
        {"datasets": ["iris", "mine"], "repeats": 2},
        {"datasets": ["iris"], "methods": ("MDLP", "EW")},
        {"datasets": ["iris"], "methods": ("SADD",)},
        {"datasets": ["iris", "bupa", "wine"], "methods": ("SADD", "EW")},
        {"datasets": ["iris", "bupa"], "methods": ("PKID",), "classifiers": ("NB",)},
        {"datasets": ["iris", "bupa"], "classifiers": ("RNB",)},
        {"datasets": ["iris", "bupa"], "fractions": (0.4,)},
        {"datasets": ["iris", "bupa"], "fractions": (0.2, 0.1)},
        {"datasets": ["iris"], "k": ("auto", 1, 5), "n0": (2000.0, 500.0)},
    ], ids=str)
    def test_is_written(self, kwargs, tmp_path):
        page, _ = report(tmp_path, fabricated.make(**({"folds": 3} | kwargs)))
        assert "datasets" in page.ids

    def test_no_times_and_an_empty_run(self, tmp_path):
        results, _, _ = fabricated.make(["iris", "bupa"], folds=2)
        page, _ = report(tmp_path, (results, None, {}))
        assert "time" not in page.ids

    def test_no_results(self, tmp_path):
        results, times, run = fabricated.make(["iris"], folds=2)
        page, _ = report(tmp_path, (results[:0], times[:0], run))
        assert "No result." in page.text

    def test_everything_failed(self, tmp_path):
        results, times, run = fabricated.make(["iris"], folds=2)
        results["accuracy"] = np.nan
        results["error"] = "ValueError: no"
        results["intervals"] = results["information"] = ""
        page, _ = report(tmp_path, (results, times, run))
        assert "failures" in page.ids

    def test_failures(self, tmp_path):
        results, times, run = fabricated.make(["iris", "bupa"], folds=3)
        is_caim = (results["method"] == "CAIM") & (results["dataset"] == "iris")
        results.loc[is_caim, "accuracy"] = np.nan
        results.loc[is_caim, "error"] = f"ValueError: {EVIL}"
        first = results.index[results["method"] == "EW"][0]
        results.loc[first, "accuracy"] = np.nan
        page, text = report(tmp_path, (results, times, run))
        assert "failures" in page.ids
        assert f"ValueError: {EVIL}" in page.text
        assert "2 of 3 folds have a result." in text
        # Averages are over data sets that all methods have.
        assert "Average of 1" in page.text

    def test_sweep(self, tmp_path):
        made = fabricated.make(["iris", "bupa"], folds=2, k=(1, 5), n0=(2000.0, 500.0))
        page, _ = report(tmp_path, made)
        assert "sweep" in page.ids
        assert "SADD transductive, k = 5" in page.text
        assert "N0 = 500" in page.text

    def test_without_baycomp(self, tmp_path, monkeypatch):
        monkeypatch.setattr(bayesian, "is_available", lambda: False)
        page, _ = report(tmp_path, fabricated.make(["iris", "bupa"], folds=2))
        assert "needs the package baycomp" in page.text
        assert not (tmp_path / "bayesian.csv").exists()

    def test_from_files(self, tmp_path):
        results, times, run = fabricated.make(["iris", "bupa"], folds=2)
        write_report(tmp_path / "a", results, times, run)
        for name, frame in (("results", results), ("times", times)):
            frame.to_csv(tmp_path / f"{name}.csv", index=False)
        results = pd.read_csv(tmp_path / "results.csv", float_precision="round_trip")
        times = pd.read_csv(tmp_path / "times.csv", float_precision="round_trip")
        write_report(tmp_path / "b", results, times, run)
        for path in (tmp_path / "a").iterdir():
            assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


class TestEscaping:
    @pytest.fixture
    def page(self, tmp_path):
        results, times, run = fabricated.make(["iris", "vowel"], folds=2)
        for frame in (results, times):
            frame["dataset"] = frame["dataset"].replace("iris", EVIL)
        facts = run["datasets"]
        facts[EVIL] = facts.pop("iris") | {
            "title": EVIL, "attribute_names": [EVIL] * 4
        }
        run["command"] = EVIL
        run["settings"]["missing"] = EVIL
        run["versions"][EVIL] = EVIL
        run["machine"]["cpu"] = EVIL
        run["failures"] = [EVIL]
        return report(tmp_path, (results, times, run))

    def test_names_are_text(self, page):
        checker, text = page
        assert not checker.having("script")
        assert "<script" not in text
        assert checker.text.count(EVIL) > 5

    def test_attributes_of_the_case_study(self, tmp_path, monkeypatch):
        from orangecontrib.sadd.evaluation.report.published import published_table

        case = published_table("case")
        monkeypatch.setitem(case, "attributes", {
            name: f"{EVIL} {name}" for name in case["attributes"]
        })
        results, times, run = fabricated.make(["vowel"], folds=2, fractions=(1.0,))
        names = run["datasets"]["vowel"]["attribute_names"]
        names[3:] = case["attributes"].values()
        checker, _ = report(tmp_path, (results, times, run))
        assert not checker.having("script")
        assert f"{EVIL} A1" in checker.text

    def test_long_names(self, tmp_path):
        long = "x" * 200
        made = fabricated.make([long, "iris"], folds=2, fractions=(1.0,))
        checker, _ = report(tmp_path, made)
        assert long in checker.text
