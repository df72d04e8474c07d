"""The evaluation of a fold: which rows train, which rows test, and the results."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    NaiveBayesClassifier,
    RNBClassifier,
    SADDDiscretizer,
)
from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.evaluation.contenders import NEIGHBOURS
from orangecontrib.sadd.evaluation.datasets import DataSet, load
from orangecontrib.sadd.evaluation.experiment import PUBLISHED, Experiment
from orangecontrib.sadd.evaluation.measures import information
from orangecontrib.sadd.evaluation.protocol import COLUMNS, evaluate_fold
from orangecontrib.sadd.evaluation.splits import stratified_folds

IRIS = load("iris")
FOLD = 1
FULL = Experiment(**PUBLISHED | {"folds": 3, "label_fractions": (1.0,)})
TRAIN, TEST = stratified_folds(IRIS.y, 3)[FOLD]


def rows_of(experiment, measure="accuracy", data=IRIS, **given):
    """Return the rows of a measure, as named tuples."""
    table = evaluate_fold(data, experiment, fold=FOLD)
    given["measure"] = measure
    return [row for row in table.itertuples()
            if all(getattr(row, name) == value for name, value in given.items())]


def only(experiment, measure="accuracy", **given):
    (row,) = rows_of(experiment, measure, **given)
    return row


def values_of(experiment, measure, **given):
    return [row.value for row in rows_of(experiment, measure, **given)]


@pytest.fixture
def seen(monkeypatch):
    """Return what is passed to `fit` of SADD and of naive Bayes, by estimator."""
    calls = {}
    for estimator in (SADDDiscretizer, NaiveBayesClassifier):
        calls[estimator] = []

        def spy(self, X, y, *args, of=estimator, fit=estimator.fit, **kwargs):
            calls[of].append((X, np.asarray(y)))
            return fit(self, X, y, *args, **kwargs)

        monkeypatch.setattr(estimator, "fit", spy)
    return calls


def test_information_leaves_out_missing_values():
    values, y = np.array([1, 1, 2, 2, np.nan]), np.array([0, 0, 1, 1, 1])
    assert information(values, y) == pytest.approx(1)
    assert information(np.full(5, np.nan), y) == 0


class TestFullLabels:
    @pytest.mark.parametrize("discretizer", ["MDLP", "CAIM", "EW"])
    def test_supervised_methods_see_training_rows_only(self, discretizer):
        estimator = DISCRETIZERS[discretizer].estimator().fit(
            IRIS.X[TRAIN], IRIS.y[TRAIN])
        found = rows_of(FULL, "intervals", discretizer=discretizer)
        assert [row.item for row in found] == list(IRIS.attributes)
        assert [row.value for row in found] == estimator.n_intervals_.tolist()
        np.testing.assert_allclose(
            values_of(FULL, "information", discretizer=discretizer),
            estimator.mutual_information_, atol=1e-6)

    @pytest.mark.parametrize("name, estimator", [
        ("NB", NaiveBayesClassifier), ("RNB", RNBClassifier)])
    def test_accuracy_is_that_of_classifier_and_discretizer(self, name, estimator):
        model = estimator("MDLP").fit(IRIS.X[TRAIN], IRIS.y[TRAIN])
        accuracy = model.score(IRIS.X[TEST], IRIS.y[TEST])
        assert only(FULL, discretizer="MDLP", classifier=name).value == accuracy

    def test_transductive_sadd_sees_test_rows_without_labels(self, seen):
        found = values_of(FULL, "intervals", discretizer="SADD", pool="test")
        (rows, transductive), (_, inductive) = seen[SADDDiscretizer][:2]
        np.testing.assert_array_equal(rows, IRIS.X[np.concatenate([TRAIN, TEST])])
        assert np.isnan(transductive[len(TRAIN):]).all()
        np.testing.assert_array_equal(transductive[:len(TRAIN)], IRIS.y[TRAIN])
        np.testing.assert_array_equal(inductive, IRIS.y[TRAIN])
        y = IRIS.y.copy()
        y[TEST] = -1
        sadd = SADDDiscretizer(
            **FULL.sadd_parameters(IRIS) | {"unlabelled_label": -1}).fit(IRIS.X, y)
        assert found == sadd.n_intervals_.tolist()
        assert only(FULL, "chosen_k").value == sadd.k_
        # Information is in true labels of training rows, not in pseudo-labels.
        codes = sadd.transform(IRIS.X[TRAIN])
        bits = [information(column, IRIS.y[TRAIN]) for column in codes.T]
        np.testing.assert_allclose(
            values_of(FULL, "information", discretizer="SADD", pool="test"), bits,
            atol=1e-6)

    def test_labels_of_test_rows_do_not_matter(self):
        y = IRIS.y.copy()
        y[TEST] = (y[TEST] + 1) % 3
        folds = stratified_folds(IRIS.y, 3)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("orangecontrib.sadd.evaluation.protocol.stratified_folds",
                          lambda *args: folds)
            first, second = (evaluate_fold(replace(IRIS, y=labels), FULL, fold=FOLD)
                             for labels in (IRIS.y, y))
        kept = first["measure"].isin(["intervals", "information", "chosen_k"])
        pd.testing.assert_frame_equal(first[kept], second[kept])
        assert kept.sum() > 70

    def test_labeller_agrees_with_scikit_learn(self):
        row = only(replace(FULL, k=3), discretizer=NEIGHBOURS)
        peer = KNeighborsClassifier(3).fit(IRIS.X[TRAIN], IRIS.y[TRAIN])
        assert row.value == peer.score(IRIS.X[TEST], IRIS.y[TEST])
        assert row.classifier == ""

    def test_all_methods_with_naive_bayes_and_two_with_the_family(self):
        rows = rows_of(FULL)
        others = [name for name in DISCRETIZERS if name != "SADD"]
        assert [(r.discretizer, r.pool) for r in rows if r.classifier == "NB"] == [
            ("SADD", "test"), ("SADD", "none"), *((name, "none") for name in others)]
        assert [(r.discretizer, r.pool) for r in rows if r.classifier == "RNB"] == [
            ("SADD", "test"), ("SADD", "none"), ("MDLP", "none")]
        assert all(0.8 < row.value <= 1 for row in rows
                   if row.discretizer in ("SADD", "MDLP"))

    def test_all_pairs(self):
        rows = rows_of(replace(FULL, all_pairs=True))
        assert len({(r.discretizer, r.pool, r.classifier) for r in rows}) == \
            (len(DISCRETIZERS) + 1) * (len(CLASSIFIERS) - 1) + 1


class TestInductive:
    """What is called inductive sees no test row, not even for imputing."""

    settings = replace(FULL, label_fractions=(1.0, 0.4))

    @staticmethod
    def folds(experiment):
        """Return results of the fold, and with values of a test row permuted."""
        X = IRIS.X.copy()
        X[::7, 0], X[::5, 2] = np.nan, np.nan
        changed = X.copy()
        row = TEST[~np.isnan(X[TEST]).any(axis=1)][0]
        changed[row] = 100 * X[row, ::-1]
        return [evaluate_fold(replace(IRIS, X=values), experiment, fold=FOLD)
                for values in (X, changed)]

    @pytest.mark.parametrize("experiment", [
        settings, replace(settings, impute=False, k="auto", standardize=True)])
    def test_permuted_values_of_a_test_row_change_nothing(self, experiment):
        first, second = self.folds(experiment)
        fitted = first["measure"].isin(["intervals", "information", "chosen_k"]) \
            & (first["pool"] != "test")
        pd.testing.assert_frame_equal(first[fitted], second[fitted])
        assert fitted.sum() > 70
        # Only the prediction of that row may change.
        accuracy = (first["measure"] == "accuracy") & (first["pool"] != "test")
        gaps = (first["value"] - second["value"])[accuracy].abs()
        assert gaps.max() < 1.01 / len(TEST) and accuracy.sum() > 20

    def test_transductive_sadd_does_see_them(self):
        first, second = self.folds(self.settings)
        seen = (first["measure"] == "information") & (first["pool"] == "test")
        assert (first["value"] != second["value"])[seen].any()


class TestFewLabels:
    settings = replace(FULL, label_fractions=(0.4,))

    def test_unlabelled_training_rows_are_the_pool(self, seen):
        evaluate_fold(IRIS, self.settings, fold=FOLD)
        (rows, pooled), (_, alone) = seen[SADDDiscretizer]
        assert len(alone) == 40
        counts = np.bincount(alone.astype(int))
        assert counts.max() - counts.min() <= 1
        assert np.isnan(pooled[40:]).all() and not np.isnan(pooled[:40]).any()
        # No test row is among them.
        assert sorted(map(tuple, rows)) == sorted(map(tuple, IRIS.X[TRAIN]))

    def test_classifier_has_all_labels_or_as_few(self, seen):
        rows = rows_of(self.settings, discretizer="MDLP")
        assert [row.classifier_labels for row in rows] == ["all", "labelled"]
        assert {len(y) for _, y in seen[NaiveBayesClassifier]} == {100, 40}

    def test_methods_without_labels_are_left_out(self):
        assert {row.discretizer for row in rows_of(self.settings)} == {
            NEIGHBOURS, *(name for name, method in DISCRETIZERS.items()
                          if method.uses_class)}

    @pytest.mark.parametrize("counts, fraction", [
        ([10, 10, 1], 0.4),  # a class with a single row
        ([12, 2], 0.2),  # too few labels for both classes
        ([50, 50, 50], 0.01), ([50, 50, 50], 0.999)])
    def test_odd_fractions_do_not_fail(self, counts, fraction):
        y = np.repeat(range(len(counts)), counts)
        data = DataSet("odd", np.arange(len(y), dtype=float)[:, None], y,
                       np.zeros(1, bool), ("a",))
        for fold in range(2):
            table = evaluate_fold(
                data, Experiment(folds=2, label_fractions=(fraction,)), fold=fold)
            assert not (table["measure"] == "error").any()


class TestFailures:
    @pytest.mark.parametrize("failing, classifier", [
        (DISCRETIZERS["CAIM"].estimator, ""), (RNBClassifier, "RNB")])
    def test_failure_does_not_stop_others(self, failing, classifier, monkeypatch):
        monkeypatch.setattr(failing, "fit", Mock(
            side_effect=MemoryError("no room\nfor that")))
        table = evaluate_fold(IRIS, FULL, fold=FOLD)
        errors = table[table["measure"] == "error"]
        assert set(errors["item"]) == {"MemoryError: no room for that"}
        assert set(errors["classifier"]) == {classifier}
        found = table[table["measure"] == "accuracy"]
        assert "CACC" in set(found["discretizer"]) and "NB" in set(found["classifier"])

    def test_missing_values_become_means_and_modes(self):
        X = IRIS.X.copy()
        X[::7, 0] = np.nan
        data = replace(IRIS, X=X)
        kept, filled = (values_of(experiment, "information", data=data,
                                  discretizer="EF")
                        for experiment in (replace(FULL, impute=False), FULL))
        assert len(kept) == len(filled) == 4 and kept != filled


def test_results_are_the_same_every_time():
    settings = Experiment(folds=3)
    first, second = (evaluate_fold(IRIS, settings) for _ in range(2))
    assert list(first) == COLUMNS
    kept = ~first["measure"].str.startswith("seconds")
    pd.testing.assert_frame_equal(first[kept], second[kept])
    assert not first.duplicated(COLUMNS[:-1]).any()


def test_repetitions_differ():
    first, second = (evaluate_fold(IRIS, FULL, repeat=repeat) for repeat in (0, 1))
    kept = first["measure"] == "accuracy"
    assert first["value"][kept].tolist() != second["value"][kept].tolist()
