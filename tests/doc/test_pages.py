"""What pages show can be done: code, commands, and the steps of the tutorial."""

import doctest
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from types import ModuleType
from unittest.mock import patch

import dask.array
import numpy as np
import pytest
from make_workflows import Workflow
from Orange.data import Table
from Orange.widgets.data.owdatasampler import SampleRandomN, SampleRandomP
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate
from sklearn.datasets import load_iris
from tools import benchmarkreport, commandhelp, manifest
from tools.commandhelp import command_help, options

from orangecontrib.sadd.core import MDLPDiscretizer, SADDDiscretizer
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.cutting import find_cuts
from orangecontrib.sadd.evaluation.report.statistics import mean_interval
from orangecontrib.sadd.tables import read_rows
from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tests.doc import DOC
from tests.shared import ROOT
from tests.widgets.canvas import registry

BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?",
                   re.DOTALL | re.MULTILINE)
PAGES = ["tutorial", "scripting", "scikit-learn", "fair-comparison", "add-a-method",
         "choosing-intervals"]


def read(name):
    return (DOC / f"{name}.md").read_text(encoding="utf-8")


def run_blocks(page):
    """Run the blocks of a page one after the other; return what they have made."""
    blocks = BLOCK.findall(read(page))
    assert len(blocks) == read(page).count("```python") > 0
    namespace = {"__name__": page}
    for script, expected in blocks:
        output = StringIO()
        with redirect_stdout(output):
            exec(script, namespace)
        assert output.getvalue() == expected
    return namespace


@pytest.mark.parametrize("page", PAGES)
def test_code(page, tmp_path, monkeypatch):
    """Blocks of a page print what follows them."""
    monkeypatch.chdir(tmp_path)
    with patch.dict(DISCRETIZERS):
        run_blocks(page)


class TestAddedMethod(base.WidgetTest):
    """What the page on adding a method promises, without another line of code."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Dask imports the class from its module, as workers do
        module = ModuleType("add-a-method")
        for patched in (patch.dict(DISCRETIZERS),
                        patch.dict(sys.modules, {module.__name__: module})):
            patched.start()
            cls.addClassCleanup(patched.stop)
        vars(module).update(run_blocks(module.__name__))
        cls.estimator = module.OneCutDiscretizer

    def test_dask_finds_the_same_cuts(self):
        X, y = load_iris(return_X_y=True)
        expected = self.estimator(least_rows=10).fit(X, y).cut_points_
        found = self.estimator(least_rows=10).fit(
            dask.array.from_array(X, chunks=(40, 4)),
            dask.array.from_array(y, chunks=40)).cut_points_
        np.testing.assert_array_equal(found, expected)

    def test_odd_columns_have_no_cut(self):
        X = np.array([[np.nan, 1, 0], [np.nan, 1, 1]] * 10)
        cuts = self.estimator().fit(X, [0, 0, 1, 1] * 5).cut_points_
        self.assertEqual([len(found) for found in cuts], [0, 0, 0])

    def test_widgets_have_it_with_its_parameter(self):
        iris = Table("iris")
        for cls, combo, output in ((OWRNBPlus, "discretization_combo", "model"),
                                   (OWSADDDiscretize, "method_combo", "data")):
            with self.subTest(cls.name):
                widget = self.create_widget(cls)
                index = list(DISCRETIZERS).index("OneCut")
                simulate.combobox_activate_index(getattr(widget, combo), index)
                control = widget.method_numbers.controls["OneCut", "least_rows"]
                self.assertTrue(control.isVisibleTo(widget))
                control.spin.setValue(60)  # so that classes of 50 cannot be cut off
                self.send_signal(widget.Inputs.data, iris, widget=widget)
                self.wait_until_finished(widget)
                sent = self.get_output(getattr(widget.Outputs, output), widget=widget)
                self.assertNotIn("< 2.45", sent.domain["petal length"].values)
                self.assertEqual(len(sent.domain["petal length"].values), 2)


def test_help_of_commands_is_shown():
    assert doctest.testmod(commandhelp).attempted > 0
    assert doctest.testmod(commandhelp).failed == 0


def test_options_in_pages_exist():
    known = {command: options(command_help(command))
             for command in ("demo", "discretize", "benchmark")}
    _, *sections = re.split(r"^## ", read("commandline"), flags=re.MULTILINE)
    assert {section.partition("\n")[0] for section in sections} == set(known)
    for section in sections:
        name = section.partition("\n")[0]
        assert options(section) <= known[name], name
    assert options(read("benchmark")) <= known["benchmark"]


def test_commands_in_pages_exist():
    called = {name for page in ("commandline", "benchmark") for name in re.findall(
        r"python -m orangecontrib\.sadd ([a-z]+)", read(page))}
    assert called == {"demo", "discretize", "benchmark"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", DOC / "tutorial.md"):
        for target in re.findall(r"(?:^    |`)make ([a-z]+)",
                                 path.read_text(encoding="utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_canvas_connects_as_the_tutorial_says():
    flow = Workflow(registry(), "", "")
    for widget in ("owdatasampler", "owsadddiscretize", "owrnbplus", "ownaivebayes",
                   "owtestandscore"):
        flow.node(widget, (0, 0), widget)

    def proposed(source, sink):
        links = flow.scheme.propose_links(flow.nodes[source], flow.nodes[sink])
        output, input_, weight = links[0]
        asks = any(other == weight for *_, other in links[1:])
        return output.name, input_.name, asks

    assert proposed("owdatasampler", "owsadddiscretize") == (
        "Data Sample", "Data", False)
    assert proposed("owdatasampler", "owrnbplus") == ("Data Sample", "Data", False)
    assert proposed("owrnbplus", "owtestandscore") == ("Learner", "Learner", False)
    assert proposed("owdatasampler", "owtestandscore") == (
        "Data Sample", "Data", False)
    assert proposed("owsadddiscretize", "ownaivebayes") == ("Data", "Data", False)
    flow.link("owdatasampler", "Data Sample", "owtestandscore", "Data")
    assert proposed("owdatasampler", "owtestandscore") == (
        "Data Sample", "Test Data", False)


def test_widgets_are_where_the_tutorial_says():
    categories = {desc.name: desc.category for desc in registry().widgets()}
    text = " ".join(read("tutorial").split())
    for category, name in (("Data", "File"), ("Transform", "Data Sampler"),
                           ("SADD", "SADD Discretize"), ("SADD", "RNB+"),
                           ("Evaluate", "Test and Score"), ("Model", "kNN")):
        assert categories[name] == category
        assert f"category *{category}*" in text
        assert f"*{name}*" in text


def test_the_pictures_of_the_tutorial_show_what_it_says():
    shown = {name: " ".join(picture["shows"])
             for name, picture in manifest.load()["pictures"].items()}
    text = " ".join(read("tutorial").split())
    assert "Here that is 25 of 30" in text
    for name in ("tutorial-discretize.png", "tutorial-weights.png"):
        assert "25 of 30 labelled rows right" in shown[name]
    assert "here it relies on the former alone" in text
    assert "α = 1.000" in shown["tutorial-weights.png"]
    figures = re.search(r"right for (\d+) % of those .*?for (\d+) %, and the "
                        r"neighbours for (\d+) %", text).groups()
    for figure in figures:
        assert f"0.{figure}" in shown["tutorial-scores.png"]


def test_the_tutorial_says_what_was_decided_about_age():
    """The samples are those of Data Sampler, as it draws them in the tutorial."""
    data = Table("heart_disease")
    for sampler in (SampleRandomP(.7, random_state=42),
                    SampleRandomN(30, random_state=42)):
        others, sample = sampler(data)
        pool, data = data[others], data[sample]
    found = find_cuts(read_rows(data, pool), SADDDiscretizer(store_decisions=True))
    whole, _, upper = found.decisions[0]
    assert found.labels.score == (25, 30)
    text = " ".join(read("tutorial").split())
    assert "*age* was cut at 54.5, since that gains twice the information" in text
    assert (whole.cut, whole.accepted) == (54.5, True)
    assert round(whole.gain / whole.adapted_theta, 1) == 2
    assert "the one at 70.5 falls short by only 7 %" in text
    assert (upper.cut, upper.accepted) == (70.5, False)
    assert round(100 * (1 - upper.gain / upper.adapted_theta)) == 7
    assert "MDLP, the method on the right of the table, makes one interval" in text
    assert not any(map(len, find_cuts(read_rows(data), MDLPDiscretizer()).cut_points))


def slug(title):
    """The anchor of a heading, as GitHub and the manual make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_of_pages_outside_the_manual_lead_somewhere(name):
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / name).read_text(encoding="utf-8"))
    for link in links:
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        assert (ROOT / path).is_file(), link
        if anchor:
            titles = re.findall(r"^#+ (.*)$", (ROOT / path).read_text(encoding="utf-8"),
                                re.MULTILINE)
            assert anchor in map(slug, titles), link
    assert name != "README.md" or len(links) > 10


@pytest.mark.parametrize("path", benchmarkreport.PAGES, ids=lambda path: path.name)
def test_figures_in_pages_are_those_of_the_runs(path):
    text = path.read_text(encoding="utf-8")
    assert text == benchmarkreport.filled(path)
    mark, command = ("scaling", "benchmarks/scale_out.py") \
        if path.stem == "scaling" else ("results", "benchmark ../shared/datasets")
    assert f"<!-- {mark} -->" in text and command in text


def test_averages_are_those_of_the_report():
    report = (benchmarkreport.FOLDER / "report.html").read_text(encoding="utf-8")
    for row in benchmarkreport.averages().values():
        assert f"{float(row['mean']):.2f}" in report


def test_the_run_shows_what_the_page_on_scaling_says():
    run = benchmarkreport.read_run(benchmarkreport.SCALING)
    found = run["results"]
    peers = [row["in_memory"] for row in found if "in_memory" in row]
    assert len(found) > 2 and len(peers) > 0
    for peer in peers:  # "identical"
        assert peer["same_cuts"]
    assert peers[0]["rnb"]["same_weights"]
    sizes = [8 * run["columns"] * row["rows"] for row in found]
    shares = [row["moved"] / size for row, size in zip(found, sizes, strict=True)]
    assert sorted(shares, reverse=True) == shares  # "smaller as data grow"
    assert max(shares) < .1  # "a few per cent"
    # "the client's memory hardly depends on the size of the data"
    own = [row["client"] - row["client_before"] for row in found]
    assert own[-1] - own[0] < .05 * (sizes[-1] - sizes[0])
    assert all(row["worker"] < 1e9 for row in found) and run["memory"] == "1GB"
    assert all(row["dask"] <= row["moved"] for row in found)  # "is smaller"
    assert sizes[-1] > 1e9  # more than a worker may use


def test_code_on_scaling(tmp_path, monkeypatch):
    """The blocks run on small data, and without processes of their own."""
    monkeypatch.chdir(tmp_path)
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.assign(**{"class": y}).to_parquet("measurements.parquet")
    X.to_parquet("new.parquet")
    laptop, processes, cluster = (
        script for script, _ in BLOCK.findall(read("scaling")))
    namespace = {}
    exec(laptop, namespace)
    assert namespace["codes"].compute().shape == X.shape
    few = processes.replace("n_workers=4", "n_workers=1, processes=False, "
                            "dashboard_address=None")
    assert few != processes
    exec(few, namespace)
    compile(cluster, "scaling", "exec")  # needs a cluster


def bounds(row):
    return float(row["low"]), float(row["high"])


def test_the_runs_show_what_the_guide_says_of_rivals():
    """If a new run shows something else, the prose of the page must be changed."""
    gap = benchmarkreport.difference
    for name in ("random forest", "gradient boosting", "SADD, logistic regression"):
        assert bounds(gap("accuracy", name))[0] > 0, name
    low, high = bounds(gap("accuracy", "logistic regression"))
    assert low < 0 < high
    means = {name: row for (_, name, _), row in benchmarkreport.means_of(
        benchmarkreport.RIVALS).items()}
    for measure in ("log_loss", "calibration_error"):
        best = min(means, key=lambda name: float(means[name][measure]))
        assert best == "SADD, logistic regression", measure
    errors = [float(means[name]["calibration_error"])
              for name in ("logistic regression", "RNB+", "random forest")]
    assert errors == sorted(errors)
    leads = list(benchmarkreport.leads(
        benchmarkreport.RIVALS, "random forest", "RNB+").values())
    far = [lead for lead in leads if lead > benchmarkreport.FAR]
    assert len(far) < len(leads) / 2 and sum(far) > sum(leads) / 2


def test_the_runs_show_what_the_guide_says_of_intervals():
    leads = benchmarkreport.leads(
        benchmarkreport.RIVALS, "SADD, logistic regression", "logistic regression")
    found = list(leads.values())
    # "Depends on the data", and "Try both"
    low, high = mean_interval(found)[1:]
    assert low < 0 < high
    assert found[0] > 1 and found[-1] < -1
    assert "helps on about half of them" in read("scikit-learn")
    assert abs(sum(lead > 0 for lead in found) / len(found) - .5) < .1
    # Computed as the differences of the report are
    for name in ("random forest", "k-NN"):
        row = benchmarkreport.difference("accuracy", name)
        leads = list(benchmarkreport.leads(
            benchmarkreport.RIVALS, name, "RNB+").values())
        np.testing.assert_allclose(
            mean_interval(leads),
            [float(row[key]) for key in ("mean", "low", "high")], atol=1e-5)
        assert sum(lead > 0 for lead in leads) == int(row["better"])


def test_the_runs_show_what_the_benchmark_page_says():
    recipe = benchmarkreport.difference("accuracy", "RNB+ few labels")
    assert 0 < bounds(recipe)[0] and float(recipe["mean"]) < 1  # "a little"
    means = {name: row for (_, name, _), row in benchmarkreport.means_of(
        benchmarkreport.RIVALS).items()}
    for measure in ("log_loss", "calibration_error"):
        assert float(means["RNB+ few labels"][measure]) < float(means["RNB+"][measure])
    for name in ("random forest", "gradient boosting"):
        assert float(means[name]["calibration_error"]) > \
            float(means["RNB+"]["calibration_error"])
    ranks = sorted(means, key=lambda name: -float(means[name]["accuracy"]))
    assert set(ranks[:2]) == {"random forest", "gradient boosting"}
    gaps = benchmarkreport.gaps_of(benchmarkreport.FEW_LABELS)
    low, high = bounds(gaps["10", "accuracy", "RNB+ few labels", "training",
                            "RNB+", "training"])
    assert low < 0 < high  # "though with 10 labels the interval includes 0"
    assert "on Musk it is" in benchmarkreport.few_labels_limits()


def test_the_runs_show_what_the_guide_says_of_few_labels():
    gaps = benchmarkreport.gaps_of(benchmarkreport.FEW_LABELS)
    means = benchmarkreport.means_of(benchmarkreport.FEW_LABELS)
    recipe = "RNB+ few labels", "training"
    numbers = {number for number, *_ in means}
    assert len(numbers) == 4
    for n in numbers:
        assert float(gaps[n, "accuracy", *recipe, "RNB+", "training"]["mean"]) > 0
        assert bounds(gaps[n, "log_loss", *recipe, "RNB+", "training"])[1] < 0
        low, high = bounds(gaps[n, "accuracy", *recipe, "logistic regression", "none"])
        assert low < 0 < high
        # "far above that of logistic regression", in How it works
        assert float(means[n, "RNB+", "none"]["log_loss"]) > \
            2 * float(means[n, "logistic regression", "none"]["log_loss"])
        for other in ("logistic regression", "committee"):
            for measure in ("log_loss", "calibration_error"):
                assert float(means[n, *recipe][measure]) > \
                    float(means[n, other, "none"][measure])
            difference = float(means[n, *recipe]["accuracy"]) \
                - float(means[n, other, "none"]["accuracy"])
            assert abs(difference) < 1.5


def test_the_runs_show_what_the_guide_says_of_discretizers():
    found = {key: float(row["mean"])
             for key, row in benchmarkreport.averages().items()}
    assert found["MDLP", "none", "NB"] < found["SADD", "none", "NB"] \
        < found["SADD", "test", "NB"] < found["k-NN", "none", ""]
    # "Most of its published advantage"
    assert "most of its published advantage" in read("fair-comparison")
    assert 2 * found["SADD", "none", "NB"] < \
        found["MDLP", "none", "NB"] + found["SADD", "test", "NB"]
