"""The demo: its figures are those of the report, and the command prints them."""

import re

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.__main__ import main
from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.evaluation.significance import corrected_test

DATA = ["iris", "heart_disease"]
FIRST = ["SADD Tables with unlabelled rows", "SADD Tables", "random forest",
         "RNB+ with unlabelled rows", "logistic regression",
         "self-training with unlabelled rows"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Output of the demo, and its results with few labels."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.print", lambda *parts, sep=" ", end="\n", flush=False:
                      printed.append(sep.join(map(str, parts)) + end))
        printed: list[str] = []
        assert main(["demo", "--data", *DATA, "--draws", "3", "--folds", "2",
                     "-o", str(folder / "out")]) == 0
    return "".join(printed), folder / "out"


def test_figures_are_means_of_the_results(demo):
    text, folder = demo
    rows = pd.read_csv(folder / "results.csv").query("measure == 'accuracy'")
    assert set(rows["labelled"]) == {30} and rows["repeat"].nunique() == 3
    draws = 100 * rows.fillna({"pool": "none"}).pivot(
        index=["classifier", "pool"], columns=["dataset", "repeat"], values="value")
    assert len(draws) == len(FIRST)
    base = draws.loc["SADD Tables", "training"]
    for name in FIRST:
        pool = "training" if "with unlabelled" in name else "none"
        own = draws.loc[name.partition(" with")[0], pool]
        (line,) = re.findall(
            rf"^{re.escape(name)}  +(\S+) +(\S+) +(\S+) *$", text, re.M)
        for data, cell in zip(DATA, line, strict=False):
            assert abs(float(cell.rstrip("*")) - own[data].mean()) < 0.051
            p, _ = corrected_test((own - base)[data].to_numpy()[None], 0.5)
            assert cell.endswith("*") == (p[0] < 0.05)
        assert abs(float(line[2].rstrip("*")) - own.mean()) < 0.051


def test_report_is_named_and_discretizers_follow(demo):
    text, folder = demo
    assert f"The report is {folder / 'report.html'}." in text
    assert "SADD Tables" in (folder / "report.html").read_text(encoding="utf-8")
    names = ["SADD inductive", "SADD transductive",
             *(name for name in DISCRETIZERS if name != "SADD")]
    for name in names:
        (cells,) = re.findall(rf"^{name} +([\d.]+) +([\d.]+) +([\d.]+)$", text, re.M)
        assert np.all(np.array(cells, dtype=float) > 0)
    assert len(text.splitlines()) < 50  # a page


@pytest.mark.parametrize(["arguments", "message"], [
    (["--folds", "1"], "a number of 2 or more is needed"),
    (["--draws", "many"], "a number of 2 or more is needed"),
    (["--data", "moon"], "invalid choice: 'moon'"),
])
def test_wrong_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["demo", *arguments])
    assert message in capsys.readouterr().err


def test_too_many_labels(capsys):
    assert main(["demo", "--data", "iris", "--labels", "80"]) == 1
    assert "too few" in capsys.readouterr().err
