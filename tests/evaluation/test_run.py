"""The results of a benchmark are the same, however often it is interrupted."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.__main__ import main
from orangecontrib.sadd.evaluation.datasets import load
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.protocol import COLUMNS
from orangecontrib.sadd.evaluation.run import (
    failures_of,
    read_csv,
    replacing,
    run_benchmark,
    write_csv,
)
from tests.signals import INTERRUPTIBLE
from tests.waiting import wait_until

IRIS, WINE = load("iris"), load("wine")
SMALL = Experiment(discretizers=("SADD", "MDLP"), classifiers=("NB", "RNB"), folds=3)
QUICK = replace(SMALL, classifiers=("NB",), label_fractions=(1.0,))
COMMAND = ["benchmark", "iris", "breast_cancer", "--folds", "8", "--discretizers",
           "SADD", "CAIM", "--classifiers", "NB", "WANBIA"]


def figures_of(folder):
    """Return the results without the times, which vary."""
    table = read_csv(folder / "results.csv")
    return table[~table["measure"].str.startswith("seconds")].reset_index(drop=True)


def assert_same(one, other):
    pd.testing.assert_frame_equal(one, other, check_exact=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    run_benchmark([IRIS, WINE], SMALL, folder)
    return folder


class TestRun:
    def test_description(self, folder):
        run = json.loads((folder / "run.json").read_text())
        assert run["settings"]["folds"] == 3
        assert run["datasets"]["wine"]["rows"] == 178
        assert run["machine"]["cores"] >= 1
        assert "scikit-learn" in run["versions"]
        assert run["computed"] == run["tasks"] == 6

    def test_two_jobs_give_the_same_results(self, folder, tmp_path):
        run_benchmark([IRIS, WINE], SMALL, tmp_path, jobs=2)
        assert_same(figures_of(tmp_path), figures_of(folder))

    def test_finished_folds_are_not_computed_again(self, folder):
        before = (folder / "results.csv").read_bytes()
        assert run_benchmark([IRIS, WINE], SMALL, folder)[1]["computed"] == 0
        assert (folder / "results.csv").read_bytes() == before
        assert {path.name for path in folder.iterdir()} == {
            "finished", "results.csv", "run.json"}

    def test_other_settings_and_data_are_kept_apart(self, tmp_path):
        other = replace(IRIS, y=IRIS.y[::-1].copy())
        for data, settings, computed in (
                (IRIS, QUICK, 3), (IRIS, replace(QUICK, seed=1), 3), (other, QUICK, 3),
                (IRIS, QUICK, 0)):
            assert run_benchmark([data], settings, tmp_path)[1]["computed"] == computed

    def test_order_of_earlier_runs_does_not_matter(self, folder, tmp_path):
        run_benchmark([WINE], SMALL, tmp_path)
        run_benchmark([IRIS, WINE], SMALL, tmp_path)
        assert_same(figures_of(tmp_path), figures_of(folder))

    def test_odd_names_stay_inside_the_folder(self, tmp_path):
        data = replace(IRIS, name="../../<b>ä/\\:*?")
        run_benchmark([data], QUICK, tmp_path / "out")
        assert [path.name for path in tmp_path.iterdir()] == ["out"]
        assert set(figures_of(tmp_path / "out")["dataset"]) == {data.name}

    def test_names_must_differ(self, tmp_path):
        with pytest.raises(ValueError, match="the same name"):
            run_benchmark([IRIS, IRIS], QUICK, tmp_path)


def test_csv_keeps_text_and_all_digits(tmp_path):
    row = dict.fromkeys(COLUMNS, "") | {
        "repeat": 0, "fold": 1, "labelled": 0.1 + 0.2, "value": np.nan}
    table = pd.DataFrame([
        row | {"dataset": name, "item": 'a "b", c\nd'} for name in ("007", "NA", "1e3")
    ], columns=COLUMNS)
    for name in ("table.csv", "table.csv.gz"):
        write_csv(tmp_path / name, table)
        assert_same(read_csv(tmp_path / name), table)


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_interrupted_writing_leaves_the_old_file(error, tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("old")
    with pytest.raises(error):
        with replacing(path) as file:
            file.write(b"half")
            raise error
    assert [p.name for p in tmp_path.iterdir()] == ["file.csv"]
    assert path.read_text() == "old"


def test_data_set_that_cannot_be_split(tmp_path):
    few = replace(IRIS, X=IRIS.X[::40], y=IRIS.y[::40])
    table, _ = run_benchmark([few, WINE], QUICK, tmp_path)
    failures = failures_of(table)
    assert len(failures) == 3
    assert "iris, fold 1: ValueError: n_splits=3" in failures[0]
    assert set(table["dataset"][table["measure"] == "accuracy"]) == {"wine"}


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory, few_samples):
    folder = tmp_path_factory.mktemp("whole")
    assert main([*COMMAND, "-o", str(folder)]) == 0
    return figures_of(folder)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX are needed")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_continues(number, uninterrupted, tmp_path):
    command = [*COMMAND, "-o", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "orangecontrib.sadd", *command], text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
        **INTERRUPTIBLE)
    wait_until(lambda: process.poll() is not None
               or len(list(tmp_path.rglob("output.pkl"))) >= 3)
    assert process.poll() is None
    os.killpg(process.pid, number)
    message = process.communicate()[1]
    assert not (tmp_path / "results.csv").exists()
    if number != signal.SIGKILL:
        assert process.returncode == 128 + number
        assert "the same command continues from there" in message
    assert main(command) == 0
    assert_same(figures_of(tmp_path), uninterrupted)
    run = json.loads((tmp_path / "run.json").read_text())
    assert run["tasks"] - run["computed"] >= 3
