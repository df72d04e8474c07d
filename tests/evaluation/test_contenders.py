"""Classifiers that are evaluated as a whole: the rows they see, and their results."""

import warnings
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from orangecontrib.sadd.core import RNBPlusClassifier
from orangecontrib.sadd.evaluation.contenders import WHOLE, LabellerClassifier, Whole
from orangecontrib.sadd.evaluation.datasets import load
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.page import write_report
from orangecontrib.sadd.evaluation.protocol import _whole_rows, evaluate_fold
from orangecontrib.sadd.evaluation.run import failures_of, run_benchmark
from orangecontrib.sadd.evaluation.significance import corrected_test
from orangecontrib.sadd.evaluation.splits import random_split, stratified_order
from orangecontrib.sadd.evaluation.summaries import (
    BASES,
    learning_curves,
    whole_averages,
    whole_differences,
    whole_table,
)

pytestmark = pytest.mark.usefixtures("few_samples")

IRIS, WINE = load("iris"), load("wine")
HEART = load("heart_disease")  # categorical columns, missing values
CURVES = Experiment(label_counts=(10, 20), repeats=2, rivals=True)
RIVALS = Experiment(discretizers=("MDLP",), classifiers=("NB", "SADD Tables"),
                    folds=2, rivals=True)


def without_times(table):
    return table[~table["measure"].str.startswith("seconds")]


def test_rivals_leave_other_results_alone():
    without = without_times(evaluate_fold(
        IRIS, replace(RIVALS, rivals=False, classifiers=("NB",))))
    with_rivals = without_times(evaluate_fold(IRIS, RIVALS)).reset_index(drop=True)
    pd.testing.assert_frame_equal(
        with_rivals[:len(without)], without.reset_index(drop=True))
    others = with_rivals[len(without):]
    assert others["classifier"].unique().tolist() == [
        one.name for one in RIVALS.whole()]
    assert set(others["measure"]) == {"accuracy", "log_loss", "brier", "rows",
                                      "confidence", "right"}


def of_each(some):
    return pytest.mark.parametrize("one, pool", [
        (one, pool) for one in some for pool in one.pools],
        ids=lambda value: getattr(value, "name", value))


class TestWhole:
    KNOWN, POOL, TEST = np.arange(0, 303, 6), np.arange(1, 303, 3), np.arange(2, 303, 3)

    def evaluate(self, one, pool, data=HEART, test=TEST):
        rows = list(_whole_rows(one, pool, data, CURVES, self.KNOWN,
                                    self.POOL, test, {}))
        return {(row["measure"], row["item"]): row["value"] for row in rows
                if row["measure"] != "seconds_classify"}

    @of_each(WHOLE)
    def test_accuracy_and_calibration(self, one, pool):
        found = self.evaluate(one, pool)
        assert found["accuracy", ""] > 0.6
        sums = {name: sum(value for (measure, _), value in found.items()
                          if measure == name) for name in ("rows", "right")}
        assert sums["rows"] == len(self.TEST)
        assert found["accuracy", ""] == pytest.approx(sums["right"] / len(self.TEST))

    @of_each([one for one in WHOLE if "training" in one.pools])
    def test_labels_of_unlabelled_rows_do_not_matter(self, one, pool):
        y = HEART.y.copy()
        y[self.POOL] = 1 - y[self.POOL]
        other = self.evaluate(one, pool, replace(HEART, y=y))
        assert other == self.evaluate(one, pool)

    @of_each(WHOLE)
    def test_other_test_rows_do_not_matter(self, one, pool):
        X = HEART.X.copy()
        X[self.TEST[1:]] = 1.0
        row = self.TEST[:1]
        assert self.evaluate(one, pool, replace(HEART, X=X), row) == \
            self.evaluate(one, pool, HEART, row)


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
    logistic = next(one for one in WHOLE if one.name == "logistic regression")
    found = {row["measure"]: row["value"] for row in _whole_rows(
        logistic, "none", IRIS, CURVES, known, known[:0], test, {})}
    assert found["accuracy"] <= 0.2 and found["log_loss"] > 0.8 * 36


def test_rounded_probabilities_cause_no_warning():
    class Rounded(LogisticRegression):
        def predict_proba(self, X):
            return super().predict_proba(X).round(3)

    known, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    one = Whole("rounded", lambda sadd: Rounded(max_iter=1000))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = {row["measure"]: row["value"] for row in _whole_rows(
            one, "none", IRIS, CURVES, known, known[:0], test, {})}
    proba = one.make({}).fit(IRIS.X[known], IRIS.y[known]).predict_proba(IRIS.X[test])
    true = proba[np.arange(len(test)), IRIS.y[test]] / proba.sum(axis=1)
    assert found["log_loss"] == pytest.approx(-np.mean(np.log(true)))


@pytest.fixture(scope="module")
def curves(tmp_path_factory):
    folder = tmp_path_factory.mktemp("curves")
    table, run = run_benchmark([IRIS, WINE], CURVES, folder)
    return folder, table, run


class TestCurves:
    def test_averages_and_differences(self, curves):
        _, table, _ = curves
        frame = whole_table(table)
        assert frame["complete"].all()
        accuracies = 100 * table[table["measure"] == "accuracy"].groupby(
            ["labelled", "classifier", "pool", "dataset"])["value"].mean()
        key = (10, BASES[0], "training")
        averages = whole_averages(frame).set_index(
            ["labelled", "classifier", "pool"])
        assert averages.loc[key, "accuracy"] == pytest.approx(accuracies[key].mean())
        gaps = accuracies[10, "committee", "none"] - accuracies[key]
        row = whole_differences(table, frame).query(
            "classifier == 'committee' and measure == 'accuracy' and labelled == 10"
        ).iloc[0]
        assert row["mean"] == pytest.approx(gaps.mean())
        assert row["better"] == (gaps > 0).sum() and row["datasets"] == 2

    def test_lower_log_loss_is_better(self, curves):
        table = curves[1].copy()
        table.loc[(table["classifier"] == "committee")
                  & (table["measure"] == "log_loss"), "value"] = 0.0
        rows = whole_differences(table, whole_table(table)).query(
            "classifier == 'committee' and measure == 'log_loss'")
        assert (rows["better"] == rows["datasets"]).all()

    def test_lines_join_the_same_data_sets(self, curves):
        # Wine has results with 20 labels only.
        table = curves[1][lambda t: (t["dataset"] != "wine") | (t["labelled"] == 20)]
        frame = whole_table(table)
        found = learning_curves(table, frame)
        assert set(found["labelled"]) == {10, 20} and (found["datasets"] == 1).all()
        alone = table[table["dataset"] == "iris"]
        pd.testing.assert_frame_equal(
            found, learning_curves(alone, whole_table(alone)))
        averages = whole_averages(frame).groupby("labelled")["datasets"].max()
        assert averages.to_dict() == {10: 1, 20: 2}
        apart = table[(table["dataset"] == "wine") | (table["labelled"] == 10)]
        assert learning_curves(apart, whole_table(apart)).empty

    def test_interval_of_a_single_data_set_is_over_its_splits(self, curves):
        table = curves[1][curves[1]["dataset"] == "iris"]
        row = whole_differences(table, whole_table(table)).query(
            "classifier == 'committee' and measure == 'accuracy' and labelled == 20"
        ).iloc[0]
        values = 100 * table.query("measure == 'accuracy' and labelled == 20").pivot(
            index="repeat", columns=["classifier", "pool"], values="value")
        gaps = values["committee", "none"] - values[row["base"], "training"]
        half = corrected_test(gaps.to_numpy()[None], 1 / 2)[1][0]
        assert row["mean"] == pytest.approx(gaps.mean())
        assert row["high"] - row["mean"] == pytest.approx(half)

    def test_names_differ(self):
        names = [one.name for one in WHOLE]
        assert len(set(names)) == len(names)
        assert sum("k-NN" in name for name in names) == 1

    def test_page(self, curves):
        text = write_report(*curves).read_text(encoding="utf-8")
        assert "10, 20 labelled rows" in text
        assert '<section id="curves">' in text and 'id="classifiers"' not in text
        assert "Learning curves: log loss" in text
        assert "RNB+ with unlabelled rows" in text


def test_page_of_rivals(tmp_path):
    text = write_report(tmp_path, *run_benchmark([IRIS, WINE], RIVALS, tmp_path)
                        ).read_text(encoding="utf-8")
    assert '<section id="classifiers">' in text and 'id="curves"' not in text
    assert "Reliability of probabilities" in text
    names = [one.name for one in RIVALS.whole()]
    assert {"SADD Tables", "RNB+", "committee", "random forest"} < set(names)
    assert "self-training" not in names and all(name in text for name in names)


def test_classifier_that_fails(tmp_path, monkeypatch):
    few = replace(CURVES, label_counts=(10,), repeats=1)
    monkeypatch.setattr(LabellerClassifier, "fit", Mock(
        side_effect=ValueError("out of luck")))
    table, run = run_benchmark([IRIS], few, tmp_path)
    assert failures_of(table)[0] == (
        "iris, fold 1, 10 labels, k-NN: ValueError: out of luck")
    text = write_report(tmp_path, table, run).read_text(encoding="utf-8")
    assert "out of luck" in text
