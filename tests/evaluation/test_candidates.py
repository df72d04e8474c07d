"""Classifiers that are evaluated as a whole: what they see, and what is kept."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.core import RNBPlusClassifier
from orangecontrib.sadd.evaluation.candidates import (
    CURVES,
    RIVALS,
    LabellerClassifier,
    candidates_of,
    evaluate_candidate,
)
from orangecontrib.sadd.evaluation.datasets import load_bundled
from orangecontrib.sadd.evaluation.experiment import (
    Experiment,
    random_split,
    stratified_order,
)
from orangecontrib.sadd.evaluation.protocol import evaluate_fold, n_fits
from orangecontrib.sadd.evaluation.report.page import write_report
from orangecontrib.sadd.evaluation.resulttables import KEYS, TIMES, ResultTables
from orangecontrib.sadd.evaluation.run import run_benchmark, tasks_of

pytestmark = pytest.mark.usefixtures("few_samples")

IRIS, WINE = load_bundled("iris"), load_bundled("wine")
HEART = load_bundled("heart_disease")  # categorical columns, missing values
LABELS = Experiment(labels=(10, 20), repeats=2, normalize=True)
WITH_RIVALS = Experiment(
    methods=("MDLP",), classifiers=("NB",), folds=2, labelled=(1.0,), rivals=True)


def without_times(tables):
    return tables.fits.drop(columns=list(TIMES))


@pytest.fixture(scope="module")
def labels_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    run_benchmark([IRIS, WINE], LABELS, folder)
    return folder


@pytest.fixture(scope="module")
def rivals_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rivals")
    run_benchmark([IRIS, WINE], WITH_RIVALS, folder)
    return folder


def test_there_are_none_by_default():
    assert candidates_of(Experiment()) == ()
    tables = evaluate_fold(IRIS, replace(WITH_RIVALS, rivals=False))
    assert tables.bins.empty and tables.fits["log_loss"].isna().all()


def test_rivals_leave_other_results_alone():
    without = without_times(evaluate_fold(IRIS, replace(WITH_RIVALS, rivals=False)))
    with_rivals = without_times(evaluate_fold(IRIS, WITH_RIVALS))
    pd.testing.assert_frame_equal(with_rivals[: len(without)], without)
    others = with_rivals[len(without):]
    assert others["classifier"].tolist() == [c.name for c in RIVALS]
    assert others["log_loss"].notna().all() and (others["error"] == "").all()


@pytest.mark.parametrize("candidate", [*CURVES, *RIVALS],
                         ids=lambda c: f"{c.name}, {c.pool}")
class TestCandidate:
    KNOWN, POOL, TEST = np.arange(0, 303, 6), np.arange(1, 303, 3), np.arange(2, 303, 3)

    def evaluate(self, candidate, data=HEART):
        figures, bins = evaluate_candidate(
            candidate, data, LABELS, self.KNOWN, self.POOL, self.TEST)
        figures.pop("seconds_classify")
        return figures, bins

    def test_it_learns_something(self, candidate):
        figures, bins = self.evaluate(candidate)
        assert figures["accuracy"] > 0.6
        assert sum(row["rows"] for row in bins) == len(self.TEST)
        right = sum(row["right"] for row in bins)
        assert figures["accuracy"] == pytest.approx(right / len(self.TEST))

    def test_labels_of_the_pool_are_never_read(self, candidate):
        y = HEART.y.copy()
        y[self.POOL] = 1 - y[self.POOL]
        other = self.evaluate(candidate, replace(HEART, y=y))
        assert other == self.evaluate(candidate)

    def test_test_rows_are_in_nobodys_pool(self, candidate):
        X = HEART.X.copy()
        X[self.TEST[1:]] = 1.0  # all other test rows
        one = (candidate, replace(HEART, X=X), LABELS, self.KNOWN, self.POOL,
               self.TEST[:1])
        assert evaluate_candidate(*one)[1] == evaluate_candidate(
            candidate, HEART, *one[2:])[1]


def test_rows_that_a_candidate_gets(monkeypatch):
    seen = []
    original = RNBPlusClassifier.fit

    def fit(self, X, y, X_unlabelled=None):
        seen.append((X, y, X_unlabelled))
        return original(self, X, y, X_unlabelled=X_unlabelled)

    monkeypatch.setattr(RNBPlusClassifier, "fit", fit)
    evaluate_fold(WINE, LABELS, repeat=1)
    train, test = random_split(WINE.y, [0, 1])
    order = stratified_order(
        train, WINE.y, np.random.default_rng([0, 1, 1]), each_class_first=True)
    assert len(seen) == 8  # two recipes, with and without pool, two numbers
    tested = {tuple(row) for row in WINE.X[test]}
    for (X, y, pool), n in zip(seen, [10] * 4 + [20] * 4, strict=True):
        rows = np.sort(order[:n])
        np.testing.assert_array_equal(X, WINE.X[rows])
        np.testing.assert_array_equal(y, WINE.y[rows])
        assert len(np.unique(y)) == 3
        if pool is not None:
            np.testing.assert_array_equal(pool, WINE.X[np.sort(order[n:])])
            assert not tested & {tuple(row) for row in pool}


def test_a_class_without_a_label_has_no_chance():
    # Of the class 2 there are test rows only.
    known, test = np.arange(0, 100, 5), np.arange(98, 108)
    figures, _ = evaluate_candidate(
        CURVES[-1], IRIS, LABELS, known, known[:0], test)
    assert figures["accuracy"] <= 0.2 and figures["log_loss"] > 0.8 * 36


class TestRun:
    def test_rows(self, labels_folder):
        fits = ResultTables.read(labels_folder).fits
        assert not fits.duplicated(list(KEYS)).any()
        assert set(fits["labelled"]) == {10, 20} and set(fits["method"]) == {""}
        assert len(fits) == 2 * 2 * n_fits(IRIS, LABELS) == 2 * 2 * 2 * len(CURVES)
        assert fits[["accuracy", "log_loss", "brier"]].notna().all(axis=None)

    def test_nothing_is_done_twice(self, labels_folder):
        before = (labels_folder / "probabilities.csv").read_bytes()
        assert run_benchmark(
            [IRIS, WINE], LABELS, labels_folder).facts["computed"] == 0
        assert (labels_folder / "probabilities.csv").read_bytes() == before

    def test_continues_from_what_is_done(self, labels_folder, tmp_path):
        run_benchmark([IRIS, WINE], LABELS, tmp_path)
        for task in [*tasks_of(IRIS, LABELS, tmp_path)][1:]:
            task.path.unlink()
        half = next(tasks_of(WINE, LABELS, tmp_path)).path
        part = json.loads(half.read_text())
        part.pop("bins")
        half.write_text(json.dumps(part))
        again = run_benchmark([IRIS, WINE], LABELS, tmp_path, jobs=2)
        assert again.facts["computed"] == 2
        for name in ("results.csv", "probabilities.csv", "calibration.csv"):
            assert (tmp_path / name).read_bytes() == (
                labels_folder / name).read_bytes()

    def test_files_of_another_experiment_do_not_stay(self, tmp_path):
        for rivals in (True, False):
            run_benchmark([IRIS], replace(WITH_RIVALS, rivals=rivals), tmp_path)
            assert (tmp_path / "probabilities.csv").exists() == rivals
            assert (tmp_path / "calibration.csv").exists() == rivals
            assert ResultTables.read(tmp_path).bins.empty != rivals

    def test_a_candidate_that_fails(self, tmp_path, monkeypatch):
        few = replace(LABELS, labels=(10,), repeats=1)

        def fail(self, *args, **kwargs):
            raise ValueError("out of luck")

        with monkeypatch.context() as patch:
            patch.setattr(LabellerClassifier, "fit", fail)
            outcome = run_benchmark([IRIS], few, tmp_path)
        assert outcome.failures[0] == (
            "iris, fold 1, 10 labels, k-NN labeller: ValueError: out of luck")
        page = write_report(tmp_path, ResultTables.read(tmp_path), outcome.facts)
        assert "out of luck" in page.read_text(encoding="utf-8")
        assert run_benchmark([IRIS], few, tmp_path).failures == []


class TestReport:
    def page(self, folder):
        run = json.loads((folder / "run.json").read_text())
        path = write_report(folder, ResultTables.read(folder), run)
        return path.read_text(encoding="utf-8")

    def test_curves(self, labels_folder):
        page = self.page(labels_folder)
        assert "2 data sets, 2 random splits of each, 10, 20 labelled rows" in page
        assert '<section id="curves">' in page and 'id="rivals"' not in page
        assert page.count("Learning curves: ") >= 2
        finding = "RNB+ few labels with pool against RNB+ with pool: with 10 labels"
        assert finding in page
        assert "Published figures" not in page

    def test_rivals(self, rivals_folder):
        page = self.page(rivals_folder)
        assert '<section id="rivals">' in page and 'id="curves"' not in page
        assert "Reliability of probabilities" in page
        for candidate in RIVALS:
            assert candidate.name in page

    def test_averages_and_differences(self, labels_folder):
        self.page(labels_folder)
        fits = ResultTables.read(labels_folder).fits
        means = fits.groupby(["labelled", "classifier", "pool", "dataset"])[
            ["accuracy", "log_loss"]].mean()
        averages = pd.read_csv(labels_folder / "candidate_averages.csv", index_col=[
            "labelled", "classifier", "pool"])
        key = (10, "RNB+", "training")
        assert averages.loc[key, "log_loss"] == pytest.approx(
            means.loc[key, "log_loss"].mean())
        differences = pd.read_csv(labels_folder / "differences.csv")
        row = differences[differences["measure"] == "accuracy"].iloc[0]
        gap = 100 * (means.loc[10, "RNB+ few labels", "training"]
                     - means.loc[key])["accuracy"]
        assert row["mean"] == pytest.approx(gap.mean())
        assert row["better"] == (gap > 0).sum() and row["datasets"] == 2
