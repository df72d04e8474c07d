"""The page and the files of a report."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.evaluation.page import write_report
from tests.evaluation import fabricated

pytestmark = pytest.mark.usefixtures("few_samples")

VOID = {"br", "meta"}
FEW = {"classifiers": ("NB", "RNB")}
SETTINGS = {"label_fractions": (1.0, 0.4)}
NAMES = ["iris", "wine", "bupa", "mine", "ecoli", "glass"]
EVIL = '<script>alert("1")</script> & co'


class Checker(HTMLParser):
    """Collects the parts of a page, and fails if tags are not closed in order."""

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
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)
    return Checker(text), text


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    return *report(folder, fabricated.make(NAMES, **SETTINGS)), folder


class TestPage:
    def test_sections_and_links(self, whole):
        page, text, _ = whole
        sections = ["discretizers", "family", "labels", "intervals", "bayesian",
                    "time", "datasets", "environment"]
        assert re.findall('<section id="(.*?)">', text) == sections
        assert page.links == [f"#{name}" for name in sections]
        assert len(set(page.ids)) == len(page.ids)

    def test_loads_nothing(self, whole):
        page, text, _ = whole
        for tag, attributes in page.tags:
            assert tag not in {"link", "script", "img", "iframe", "object", "image"}
            assert not {"src", "srcset"} & set(attributes)
            assert attributes.get("xlink:href", "#").startswith("#")
        assert "@import" not in text and "@font-face" not in text
        assert set(re.findall(r"url\((.)", text)) <= {"#"}
        # Names of namespaces are not loaded.
        assert not re.search("https?://", re.sub(r'xmlns(:\w+)?="[^"]*"', "", text))

    def test_is_accessible(self, whole):
        page, _, _ = whole
        assert page.having("html") == [{"lang": "en"}]
        assert all("scope" in th for th in page.having("th"))
        assert len(page.having("caption")) == len(page.having("table")) > 10
        images = [tag for tag in page.having("div") if tag.get("role") == "img"]
        assert len(images) == len(page.having("svg")) == len(page.having("figcaption"))
        assert len(images) > 5 and all(len(i["aria-label"]) > 20 for i in images)

    def test_rows_are_as_long_as_the_head(self, whole):
        for table in re.findall("<table.*?</table>", whole[1], re.S):
            rows = re.findall("<tr>(.*?)</tr>", table, re.S)
            # The head may have a row of groups and a row of columns.
            grouped = "rowspan" in table
            widths = {len(re.findall("<t[hd]", row)) for row in rows[1 + grouped:]}
            assert widths == {len(re.findall("<th", rows[grouped])) + grouped}

    def test_colours(self, whole):
        _, text, _ = whole
        assert text.count("prefers-color-scheme: dark") == 1
        assert "@media print" in text and "@page" in text
        for drawing in re.findall("<svg.*?</svg>", text, re.S):
            # Plots have a light background on every page.
            assert "fill: #ffffff" in drawing and "var(" not in drawing

    def test_words(self, whole):
        for words in ("6 data sets", "The best other discretizer is",
                      f"rank 1 of {len(DISCRETIZERS)}",
                      "With the test rows, SADD is", "k-NN on its own has",
                      "two-sided t-test", "2026-08-01", "Some Processor",
                      "python -m orangecontrib.sadd benchmark --jobs 2"):
            assert words in whole[0].text

    def test_words_of_the_findings_are_explained_above_them(self, whole):
        words, findings = re.findall(
            '<dl class="words">(.*?)</dl>.*?<div class="findings">(.*?)</div>',
            whole[1], re.S)[0]
        for word in ("accuracy", "discretizer", "inductive", "transductive", "k-NN",
                     "MDLP", "SADD", "NB"):
            assert word in findings.replace("Accuracy", "accuracy")
            assert word.lower() in words.lower()

    def test_files_depend_on_the_results_only(self, whole, tmp_path):
        (tmp_path / "curves.csv").write_text("of another experiment")
        write_report(tmp_path, *fabricated.make(NAMES, **SETTINGS))
        first, again = ({path.name: path.read_bytes() for path in folder.iterdir()}
                        for folder in (whole[2], tmp_path))
        assert first == again
        assert {"accuracy.csv", "report.html", "wins.csv"} < set(first)


class TestFewDataSets:
    @pytest.mark.parametrize("names, words", [
        (["iris"], "This is a single data set"),
        (["iris", "wine", "mine"], "These are 3 data sets")])
    def test_a_sentence_stands_for_tests_over_data_sets(self, names, words, tmp_path):
        page, text = report(tmp_path, fabricated.make(names, **FEW))
        assert words in page.text and "need at least 6" in page.text
        assert "Average ranks" not in text and "bayesian" not in page.ids
        assert "1 data sets" not in text

    def test_single_data_set_has_no_averages_over_data_sets(self, tmp_path):
        text = report(tmp_path, fabricated.make(["iris"]))[1]
        assert "The naive Bayes family" in text and "By classifier" in text
        assert "1 data sets" not in text

    def test_interval_of_a_single_data_set(self, tmp_path):
        page, text = report(tmp_path, fabricated.make(["iris"], **FEW))
        assert page.text.startswith("\n") or "iris, stratified" in page.text
        assert "over folds, corrected for the training rows" in page.text
        assert re.search(r"<td>(<b>)?[+−]?\d+\.\d\d(</b>)? \[.\d+\.\d\d, ", text)
        assert "Significantly better" not in text

    @pytest.mark.parametrize("levels, words", [
        ({"SADD": 85, "MDLP": 82}, r"SADD is \d\.\d\d points above MDLP"),
        ({"SADD": 82, "MDLP": 85}, r"SADD is \d\.\d\d points below MDLP")])
    def test_gain_is_two_differences(self, levels, words, tmp_path, monkeypatch):
        for name, level in levels.items():
            monkeypatch.setitem(fabricated.LEVELS, name, level)
        text = report(tmp_path, fabricated.make(["iris", "wine"], **FEW))[0].text
        assert re.search(rf"With the test rows, {words}; without the test rows "
                         r"\d\.\d\d points \w+ it", text)
        assert "account for" not in text


class TestOddRuns:
    @pytest.mark.parametrize("settings", [
        {"datasets": ["iris"]},
        {"datasets": ["iris"], "label_fractions": (1.0,), "folds": 1},
        {"datasets": ["iris"], "repeats": 2},
        {"datasets": ["iris"], "discretizers": ("MDLP", "EW")},
        {"datasets": ["iris"], "discretizers": ("SADD",)},
        {"datasets": ["iris", "bupa", "wine"], "discretizers": ("SADD", "EW")},
        {"discretizers": ("PKID",), "classifiers": ("NB",)},
        {"classifiers": ("RNB",)},
        {"label_fractions": (0.4,)},
        {"label_fractions": (0.2, 0.1)},
        {"all_pairs": True},
    ], ids=str)
    def test_page_is_written(self, settings, tmp_path):
        page, _ = report(tmp_path, fabricated.make(**FEW | settings))
        assert "datasets" in page.ids

    def test_no_results(self, tmp_path):
        table, run = fabricated.make(**FEW)
        page, _ = report(tmp_path, (table[:0], run))
        assert "iris" in page.text
        failed = table.assign(measure="error", item="ValueError: no", value=np.nan)
        page, _ = report(tmp_path, (failed[:50], run))
        assert "failures" in page.ids

    def test_failures(self, tmp_path):
        table, run = fabricated.make(classifiers=("NB",), label_fractions=(1.0,))
        failed = table.index[(table["discretizer"] == "CAIM")
                             & (table["dataset"] == "iris")
                             & (table["measure"] == "accuracy")]
        table.loc[failed, ["measure", "item"]] = ["error", f"ValueError: {EVIL}"]
        of_ew = (table["discretizer"] == "EW") & (table["measure"] == "accuracy")
        page, text = report(tmp_path, (table.drop(table.index[of_ew][-1]), run))
        assert f"ValueError: {EVIL}" in page.text
        assert "‡" in text
        # Neither data set has all results.
        assert "Average of" not in text

    def test_run_without_description(self, tmp_path):
        page, _ = report(tmp_path, (fabricated.make(**FEW)[0], {}))
        assert "environment" not in page.ids


@pytest.mark.filterwarnings("error")
def test_names_are_text(tmp_path):
    names = ["x" * 200, "007", "1e3", "NA", "$x_1$"]
    table, run = fabricated.make([EVIL, *names], **FEW)
    run["command"] = EVIL
    run["settings"] = run["settings"] | {"missing": EVIL}
    run["versions"][EVIL] = EVIL
    run["machine"]["cpu"] = EVIL
    page, text = report(tmp_path, (table, run))
    assert "<script" not in text
    assert page.text.count(EVIL) > 5
    for name in names:
        assert f'<th scope="row">{name}</th>' in text
