"""What pages show can be done: code, commands, and the steps of the tutorial."""

import doctest
import re
from contextlib import redirect_stdout
from io import StringIO

import pytest
from make_workflows import Workflow
from tools import benchmarkreport, commandhelp
from tools.commandhelp import command_help, options

from tests.doc import DOC
from tests.shared import ROOT
from tests.widgets.canvas import registry

BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?",
                   re.DOTALL | re.MULTILINE)
PAGES = ["tutorial", "scripting", "scikit-learn", "fair-comparison"]


def read(name):
    return (DOC / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_code(page, tmp_path, monkeypatch):
    """Blocks of a page run one after the other, and print what follows them."""
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(read(page))
    assert len(blocks) == read(page).count("```python") > 0
    namespace = {"__name__": page}
    for script, expected in blocks:
        output = StringIO()
        with redirect_stdout(output):
            exec(script, namespace)
        assert output.getvalue() == expected


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


def test_results_in_the_readme_are_those_of_the_report():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text == benchmarkreport.readme_with(benchmarkreport.averages_table())
    assert "benchmark ../shared/datasets" in text
    report = (benchmarkreport.FOLDER / "report.html").read_text(encoding="utf-8")
    for row in benchmarkreport.averages().values():
        assert f"{float(row['mean']):.2f}" in report
