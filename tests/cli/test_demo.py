"""The demo: its figures are those of the report, and the command prints them."""

import re

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.__main__ import main
from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.evaluation.significance import corrected_test

DATA = ["iris", "heart_disease"]
FIRST = ["SADD Tables + unlabelled", "SADD Tables", "random forest",
         "RNB+ + unlabelled", "logistic regression", "self-training + unlabelled"]


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


def draws_of(folder, measure):
    """Results by contender, data set and draw."""
    rows = pd.read_csv(folder / "results.csv").query("measure == @measure")
    assert set(rows["labelled"]) == {30} and rows["repeat"].nunique() == 3
    return rows.fillna({"pool": "none"}).pivot(
        index=["classifier", "pool"], columns=["dataset", "repeat"], values="value")


def test_figures_are_means_of_the_results(demo):
    text, folder = demo
    draws, losses = 100 * draws_of(folder, "accuracy"), draws_of(folder, "log_loss")
    assert len(draws) == len(FIRST)
    base = draws.loc["SADD Tables", "training"]
    for name in FIRST:
        key = name.removesuffix(" + unlabelled"), (
            "training" if name.endswith("unlabelled") else "none")
        own = draws.loc[key]
        (line,) = re.findall(
            rf"^{re.escape(name)}  +(\S+) +(\S+) +(\S+) +(\S+) *$", text, re.M)
        for data, cell in zip(DATA, line, strict=False):
            assert abs(float(cell.rstrip("*")) - own[data].mean()) < 0.051
            p, _ = corrected_test((own - base)[data].to_numpy()[None], 0.5)
            assert cell.endswith("*") == (p[0] < 0.05)
        assert abs(float(line[2].rstrip("*")) - own.mean()) < 0.051
        assert abs(float(line[3].rstrip("*")) - losses.loc[key].mean()) < 0.00051


def test_report_is_named_and_discretizers_follow(demo):
    text, folder = demo
    assert ("* differs" in text) == ("*" in text.split("\n\n")[1])
    assert f"The report is {folder / 'report.html'}." in text
    assert "SADD Tables" in (folder / "report.html").read_text(encoding="utf-8")
    names = ["SADD inductive", "SADD transductive",
             *(name for name in DISCRETIZERS if name != "SADD")]
    for name in names:
        (cells,) = re.findall(rf"^{name} +([\d.]+) +([\d.]+) +([\d.]+)$", text, re.M)
        assert np.all(np.array(cells, dtype=float) > 0)
    # A page of a terminal
    lines = [line for line in text.splitlines() if not line.startswith("The report")]
    assert len(lines) < 50 and max(map(len, lines)) <= 88


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
