"""The results of a benchmark are the same, however often it is interrupted."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.evaluation.datasets import load_bundled
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.run import run_benchmark, tasks_of
from tests.signals import INTERRUPTIBLE
from tests.waiting import wait_until

IRIS, WINE = load_bundled("iris"), load_bundled("wine")
SMALL = Experiment(methods=("SADD", "MDLP"), classifiers=("NB", "RNB"), folds=3,
                   labelled=(1.0, 0.4))
QUICK = replace(SMALL, classifiers=("NB",), labelled=(1.0,))
COMMAND = ["benchmark", "iris", "wine", "breast_cancer", "--folds", "8",
           "--methods", "SADD", "CAIM", "--classifiers", "NB", "WANBIA"]


def csv_of(folder):
    return (folder / "results.csv").read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    run_benchmark([IRIS, WINE], SMALL, folder)
    return folder


class TestRun:
    @staticmethod
    def run(folder, data=(IRIS, WINE), settings=SMALL, **parameters):
        return run_benchmark(list(data), settings, folder, **parameters)

    def test_one_row_for_each_fit(self, folder):
        results = pd.read_csv(folder / "results.csv", keep_default_na=False)
        assert results["dataset"].unique().tolist() == ["iris", "wine"]
        assert sorted(results["fold"].unique()) == [0, 1, 2]
        keys = list(results.columns[:10])
        assert keys == ["dataset", "repeat", "fold", "labelled", "classifier_labels",
                        "method", "pool", "k", "n0", "classifier"]
        assert not results.duplicated(keys).any()
        assert results["accuracy"].astype(float).between(0.3, 1).all()
        times = pd.read_csv(folder / "times.csv", keep_default_na=False)
        assert times[keys].equals(results[keys])
        assert (times["seconds_classify"] >= 0).all()

    def test_description(self, folder):
        run = json.loads((folder / "run.json").read_text())
        assert run["settings"]["folds"] == 3
        assert run["datasets"]["wine"]["rows"] == 178
        assert len(run["datasets"]["iris"]["attribute_names"]) == 4
        assert run["machine"]["cores"] >= 1
        assert "scikit-learn" in run["versions"]
        assert run["computed"] == run["tasks"] == 6

    def test_two_jobs_give_the_same_bytes(self, folder, tmp_path):
        self.run(tmp_path, jobs=2)
        assert csv_of(tmp_path) == csv_of(folder)

    def test_nothing_is_done_twice(self, folder):
        before = csv_of(folder)
        seconds = json.loads((folder / "run.json").read_text())["fold_seconds"]
        outcome = self.run(folder)
        assert outcome.facts["computed"] == 0
        assert outcome.facts["fold_seconds"] == seconds > 0
        assert csv_of(folder) == before

    def test_other_settings_and_data_are_kept_apart(self, tmp_path):
        self.run(tmp_path, [IRIS])
        assert self.run(tmp_path, [IRIS], replace(SMALL, seed=1)).facts["computed"] == 3
        other = replace(IRIS, y=IRIS.y[::-1].copy())
        assert self.run(tmp_path, [other]).facts["computed"] == 3
        assert self.run(tmp_path, [IRIS]).facts["computed"] == 0

    def test_data_sets_are_those_that_were_asked_for(self, folder, tmp_path):
        self.run(tmp_path, [WINE])
        self.run(tmp_path, [IRIS, WINE])
        assert csv_of(tmp_path) == csv_of(folder)

    def test_half_a_part_is_no_part(self, tmp_path):
        self.run(tmp_path, [IRIS], QUICK)
        part = next(tasks_of(IRIS, QUICK, tmp_path)).path
        whole = part.read_text()
        found = json.loads(whole)
        fits = found["fits"]
        fewer = {name: column[1:] for name, column in fits.items()}
        failed = fits | {"accuracy": [None, *fits["accuracy"][1:]]}
        odd = [[], {}, {name: found[name] for name in ("seconds", "fits")},
               *({**found, "fits": wrong} for wrong in (fewer, failed, {}, []))]
        for text in (whole[: len(whole) // 2], *map(json.dumps, odd)):
            part.write_text(text)
            assert self.run(tmp_path, [IRIS], QUICK).facts["computed"] == 1

    def test_a_part_that_was_changed_is_no_part(self, tmp_path):
        expected = self.run(tmp_path, [IRIS], QUICK).tables.fits["accuracy"]
        part = next(tasks_of(IRIS, QUICK, tmp_path)).path
        for old, new in [
                (r'"accuracy": \[[0-9.]+', '"accuracy": [7.5'),
                (r'"seconds": ', '"seconds": 1'), (r"^", "["), (r"(?s)^.*", "3"),
                (r'"checksum": "[0-9a-f]', '"checksum": "x'),
                (r'"checksum": "\w+", ', "")]:
            text = part.read_text(encoding="utf-8")
            part.write_text(re.sub(old, new, text, count=1), encoding="utf-8")
            again = self.run(tmp_path, [IRIS], QUICK)
            assert again.facts["computed"] == 1, old
            assert again.tables.fits["accuracy"].equals(expected)

    def test_no_temporary_files_are_left(self, folder):
        names = {path.suffix for path in folder.rglob("*") if path.is_file()}
        assert names == {".csv", ".json"}

    def test_odd_names_stay_inside_the_folder(self, tmp_path):
        data = replace(IRIS, name="../../<b>ä/\\:*?")
        self.run(tmp_path / "out", [data])
        assert [path.name for path in tmp_path.iterdir()] == ["out"]
        assert csv_of(tmp_path / "out").decode().count(data.name) > 6

    def test_progress_reaches_the_end(self, tmp_path):
        shares = []
        self.run(tmp_path, [IRIS], progress=lambda share, label: shares.append(share))
        assert shares == sorted(shares)
        assert len(shares) == 3 and shares[-1] == pytest.approx(1)


class TestFailures:
    def test_failed_cell_is_told_and_tried_again(self, tmp_path, monkeypatch):
        with monkeypatch.context() as patch:
            def fail(self, *args, **kwargs):
                raise ValueError("out of luck")

            patch.setattr(DISCRETIZERS["MDLP"].estimator, "fit", fail)
            outcome = run_benchmark([IRIS], SMALL, tmp_path)
        assert outcome.failures[0] == "iris, fold 1, MDLP, NB: ValueError: out of luck"
        fits = outcome.tables.fits
        assert set(fits["method"][fits["error"] == ""]) == {"SADD", "k-NN"}
        again = run_benchmark([IRIS], SMALL, tmp_path)
        assert again.failures == [] and again.facts["computed"] == 3

    def test_data_set_that_cannot_be_split(self, tmp_path):
        few = replace(IRIS, X=IRIS.X[::40], y=IRIS.y[::40])
        outcome = run_benchmark([few, WINE], SMALL, tmp_path)
        assert len(outcome.failures) == 3
        assert "iris, fold 1: ValueError: n_splits=3" in outcome.failures[0]
        assert outcome.facts["failures"] == outcome.failures
        assert set(outcome.tables.fits["dataset"]) == {"wine"}


def run_command(folder, **parameters):
    command = [sys.executable, "-m", "orangecontrib.sadd", *COMMAND, "-o", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, **INTERRUPTIBLE,
                            **parameters)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    process = run_command(folder)
    assert process.communicate()[1] == ""
    assert process.returncode == 0
    return csv_of(folder)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX are needed")
class TestInterruption:
    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    def test_continues_from_what_is_done(self, number, uninterrupted, tmp_path):
        process = run_command(tmp_path, start_new_session=True)
        wait_until(lambda: process.poll() is not None
                   or len(list(tmp_path.rglob("*-*.json"))) >= 3)
        assert process.poll() is None
        os.killpg(process.pid, number)
        message = process.communicate()[1]
        assert not (tmp_path / "results.csv").exists()
        if number != signal.SIGKILL:
            assert process.returncode == 128 + number
            assert "the same command goes on from there" in message
        process = run_command(tmp_path)
        assert process.communicate()[1] == ""
        assert csv_of(tmp_path) == uninterrupted
        run = json.loads((tmp_path / "run.json").read_text())
        assert run["tasks"] - run["computed"] >= 3
