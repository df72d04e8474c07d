"""The page and the files of a report."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.evaluation.report.page import write_report
from orangecontrib.sadd.evaluation.resulttables import ResultTables
from tests.evaluation import fabricated

pytestmark = pytest.mark.usefixtures("few_samples")

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
        return " ".join(self.words).replace("\n", " ")

    def having(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def report(folder, made):
    path = write_report(folder, *made)
    assert path == folder / "report.html"
    text = path.read_text(encoding="utf-8")
    assert "nan" not in text.lower()
    return Checker(text), text


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
        tables = re.findall("<table.*?</table>", text, re.S)
        assert len(tables) > 10
        for table in tables:
            rows = re.findall("<tr>(.*?)</tr>", table, re.S)
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
        tables, _ = fabricated.make(["iris", "bupa"], folds=2)
        tables.fits[["seconds_discretize", "seconds_classify"]] = np.nan
        page, _ = report(tmp_path, (tables, {}))
        assert "time" not in page.ids

    def test_no_results(self, tmp_path):
        _, run = fabricated.make(["iris"], folds=2)
        page, _ = report(tmp_path, (ResultTables.of([], []), run))
        assert "No result." in page.text

    def test_everything_failed(self, tmp_path):
        tables, run = fabricated.make(["iris"], folds=2)
        failed = tables.fits.assign(accuracy=np.nan, error="ValueError: no")
        page, _ = report(tmp_path, (ResultTables(failed, tables.attributes[:0]), run))
        assert "failures" in page.ids

    def test_failures(self, tmp_path):
        tables, run = fabricated.make(["iris", "bupa"], folds=3)
        fits = tables.fits
        is_caim = (fits["method"] == "CAIM") & (fits["dataset"] == "iris")
        fits.loc[is_caim, "accuracy"] = np.nan
        fits.loc[is_caim, "error"] = f"ValueError: {EVIL}"
        first = fits.index[fits["method"] == "EW"][0]
        fits.loc[first, "accuracy"] = np.nan
        page, text = report(tmp_path, (tables, run))
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

    def test_from_files(self, tmp_path):
        tables, run = fabricated.make(["iris", "bupa"], folds=2)
        write_report(tmp_path / "a", tables, run)
        tables.write(tmp_path)
        write_report(tmp_path / "b", ResultTables.read(tmp_path), run)
        for path in (tmp_path / "a").iterdir():
            assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


class TestFullDisk:
    """What was there stays there whole if writing fails or is interrupted."""

    @pytest.fixture(scope="class")
    def made(self):
        return fabricated.make(["iris", "bupa"], folds=2, fractions=(1.0,),
                               methods=("SADD", "MDLP"), classifiers=("NB",))

    @pytest.mark.parametrize("name", ["accuracy.csv", "run_time.csv", "report.html"])
    @pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
    def test_old_file_stays(self, name, error, made, tmp_path, monkeypatch):
        write_report(tmp_path, *made)
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        opened = open

        def open_full(path, *args, **kwargs):
            file = opened(path, *args, **kwargs)
            if name in str(path):
                def fail(text):
                    raise error("No space left on device")
                file.write("x")
                monkeypatch.setattr(file, "write", fail, raising=False)
            return file

        monkeypatch.setattr("builtins.open", open_full)
        with pytest.raises(error):
            write_report(tmp_path, *made)
        assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


class TestEscaping:
    @pytest.fixture
    def page(self, tmp_path):
        tables, run = fabricated.make(["iris", "vowel"], folds=2)
        for frame in (tables.fits, tables.attributes):
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
        return report(tmp_path, (tables, run))

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
        tables, run = fabricated.make(["vowel"], folds=2, fractions=(1.0,))
        names = run["datasets"]["vowel"]["attribute_names"][3:]
        tables.attributes["attribute"] = tables.attributes["attribute"].replace(
            dict(zip(names, case["attributes"].values(), strict=True)))
        checker, _ = report(tmp_path, (tables, run))
        assert not checker.having("script")
        assert f"{EVIL} A1" in checker.text

    def test_long_names(self, tmp_path):
        long = "x" * 200
        made = fabricated.make([long, "iris"], folds=2, fractions=(1.0,))
        checker, _ = report(tmp_path, made)
        assert long in checker.text
