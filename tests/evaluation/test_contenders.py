"""Classifiers that are evaluated as a whole: the rows they see, and their results."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.core import RNBPlusClassifier
from orangecontrib.sadd.evaluation.candidates import (
    CANDIDATES,
    REFERENCES,
    LabellerClassifier,
)
from orangecontrib.sadd.evaluation.datasets import load
from orangecontrib.sadd.evaluation.page import write_report
from orangecontrib.sadd.evaluation.protocol import (
    Experiment,
    _candidate_rows,
    evaluate_fold,
)
from orangecontrib.sadd.evaluation.run import failures_of, run_benchmark
from orangecontrib.sadd.evaluation.splits import random_split, stratified_order
from orangecontrib.sadd.evaluation.tables import (
    candidate_averages,
    candidate_differences,
    candidate_table,
)

pytestmark = pytest.mark.usefixtures("few_samples")

IRIS, WINE = load("iris"), load("wine")
HEART = load("heart_disease")  # categorical columns, missing values
CURVES = Experiment(label_counts=(10, 20), repeats=2, standardize=True)
RIVALS = Experiment(methods=("MDLP",), classifiers=("NB",), folds=2,
                    label_fractions=(1.0,), rivals=True)


def without_times(table):
    return table[~table["measure"].str.startswith("seconds")]


def test_rivals_leave_other_results_alone():
    without = without_times(evaluate_fold(IRIS, replace(RIVALS, rivals=False)))
    with_rivals = without_times(evaluate_fold(IRIS, RIVALS)).reset_index(drop=True)
    pd.testing.assert_frame_equal(
        with_rivals[:len(without)], without.reset_index(drop=True))
    others = with_rivals[len(without):]
    assert others["classifier"].unique().tolist() == [
        c.name for c in CANDIDATES if c.is_rival]
    assert set(others["measure"]) == {"accuracy", "log_loss", "brier", "rows",
                                      "confidence", "right"}


def of_each(candidates):
    return pytest.mark.parametrize("candidate, pool", [
        (candidate, pool) for candidate in candidates
        for pool in candidate.pools or ("none",)],
        ids=lambda value: getattr(value, "name", value))


class TestCandidate:
    KNOWN, POOL, TEST = np.arange(0, 303, 6), np.arange(1, 303, 3), np.arange(2, 303, 3)

    def evaluate(self, candidate, pool, data=HEART, test=TEST):
        rows = list(_candidate_rows(candidate, pool, data, CURVES, self.KNOWN,
                                    self.POOL, test, {}))
        return {(row["measure"], row["item"]): row["value"] for row in rows
                if row["measure"] != "seconds_classify"}

    @of_each(CANDIDATES)
    def test_accuracy_and_calibration(self, candidate, pool):
        found = self.evaluate(candidate, pool)
        assert found["accuracy", ""] > 0.6
        sums = {name: sum(value for (measure, _), value in found.items()
                          if measure == name) for name in ("rows", "right")}
        assert sums["rows"] == len(self.TEST)
        assert found["accuracy", ""] == pytest.approx(sums["right"] / len(self.TEST))

    @of_each([c for c in CANDIDATES if "training" in c.pools])
    def test_labels_of_unlabelled_rows_do_not_matter(self, candidate, pool):
        y = HEART.y.copy()
        y[self.POOL] = 1 - y[self.POOL]
        other = self.evaluate(candidate, pool, replace(HEART, y=y))
        assert other == self.evaluate(candidate, pool)

    @of_each([c for c in CANDIDATES if c.pools])
    def test_other_test_rows_do_not_matter(self, candidate, pool):
        X = HEART.X.copy()
        X[self.TEST[1:]] = 1.0
        one = self.TEST[:1]
        assert self.evaluate(candidate, pool, replace(HEART, X=X), one) == \
            self.evaluate(candidate, pool, HEART, one)


def test_rows_of_learning_curves(monkeypatch):
    seen = []
    original = RNBPlusClassifier.fit

    def fit(self, X, y, unlabelled=None):
        seen.append((X, y, unlabelled))
        return original(self, X, y, unlabelled=unlabelled)

    monkeypatch.setattr(RNBPlusClassifier, "fit", fit)
    evaluate_fold(WINE, CURVES, repeat=1)
    train, test = random_split(WINE.y, [0, 1])
    order = stratified_order(
        train, WINE.y, np.random.default_rng([0, 1, 1]), each_class_first=True)
    assert len(seen) == 4  # with and without unlabelled rows, two numbers
    tested = {tuple(row) for row in WINE.X[test]}
    for (X, y, pool), n in zip(seen, [10, 10, 20, 20], strict=True):
        rows = np.sort(order[:n])
        np.testing.assert_array_equal(X, WINE.X[rows])
        np.testing.assert_array_equal(y, WINE.y[rows])
        assert len(np.unique(y)) == 3
        if pool is not None:
            np.testing.assert_array_equal(pool, WINE.X[np.sort(order[n:])])
            assert not tested & {tuple(row) for row in pool}


def test_class_without_a_label_has_probability_0():
    # All rows of the class 2 are test rows.
    known, test = np.arange(0, 100, 5), np.arange(98, 108)
    logistic = next(c for c in CANDIDATES if c.name == "logistic regression")
    found = {row["measure"]: row["value"] for row in _candidate_rows(
        logistic, "none", IRIS, CURVES, known, known[:0], test, {})}
    assert found["accuracy"] <= 0.2 and found["log_loss"] > 0.8 * 36


@pytest.fixture(scope="module")
def curves(tmp_path_factory):
    folder = tmp_path_factory.mktemp("curves")
    table, run = run_benchmark([IRIS, WINE], CURVES, folder)
    return folder, table, run


class TestCurves:
    def test_averages_and_differences(self, curves):
        _, table, _ = curves
        frame = candidate_table(table)
        assert frame["complete"].all()
        accuracies = 100 * table[table["measure"] == "accuracy"].groupby(
            ["labelled", "classifier", "pool", "dataset"])["value"].mean()
        key = (10, REFERENCES[0], "training")
        averages = candidate_averages(frame).set_index(
            ["labelled", "classifier", "pool"])
        assert averages.loc[key, "accuracy"] == pytest.approx(accuracies[key].mean())
        gaps = accuracies[10, "committee", "training"] - accuracies[key]
        row = candidate_differences(frame).query(
            "classifier == 'committee' and measure == 'accuracy' and labelled == 10"
        ).iloc[0]
        assert row["mean"] == pytest.approx(gaps.mean())
        assert row["better"] == (gaps > 0).sum() and row["datasets"] == 2

    def test_lower_log_loss_is_better(self, curves):
        frame = candidate_table(curves[1])
        frame.loc[frame["classifier"] == "committee", "log_loss"] = 0.0
        rows = candidate_differences(frame).query(
            "classifier == 'committee' and measure == 'log_loss'")
        assert (rows["better"] == rows["datasets"]).all()

    def test_page(self, curves):
        text = write_report(*curves).read_text(encoding="utf-8")
        assert "10, 20 labelled rows" in text
        assert '<section id="curves">' in text and 'id="rivals"' not in text
        assert "Learning curves: log loss" in text
        assert "RNB+ with unlabelled rows" in text


def test_page_of_rivals(tmp_path):
    text = write_report(tmp_path, *run_benchmark([IRIS, WINE], RIVALS, tmp_path)
                        ).read_text(encoding="utf-8")
    assert '<section id="rivals">' in text and 'id="curves"' not in text
    assert "Reliability of probabilities" in text
    assert all(c.name in text for c in CANDIDATES if c.is_rival)
    assert "committee" not in text
    curves = pd.read_csv(tmp_path / "curves.csv")
    assert set(curves["classifier"]) == {c.name for c in CANDIDATES if c.is_rival}


def test_candidate_that_fails(tmp_path, monkeypatch):
    few = replace(CURVES, label_counts=(10,), repeats=1)
    monkeypatch.setattr(LabellerClassifier, "fit", Mock(
        side_effect=ValueError("out of luck")))
    table, run = run_benchmark([IRIS], few, tmp_path)
    assert failures_of(table)[0] == (
        "iris, fold 1, 10 labels, k-NN labeller: ValueError: out of luck")
    text = write_report(tmp_path, table, run).read_text(encoding="utf-8")
    assert "out of luck" in text
