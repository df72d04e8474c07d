"""What happens on one fold: which rows train, which test, and the rows of results."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    RNBClassifier,
    SADDDiscretizer,
)
from orangecontrib.sadd.evaluation.datasets import DataSet, load_bundled
from orangecontrib.sadd.evaluation.experiment import (
    FAMILY,
    Experiment,
    Variant,
    stratified_folds,
)
from orangecontrib.sadd.evaluation.protocol import evaluate_fold, information
from orangecontrib.sadd.evaluation.resulttables import TIMES

IRIS = load_bundled("iris")
FOLD = 1
FULL = Experiment(folds=3, labelled=(1.0,))
TRAIN, TEST = stratified_folds(IRIS.y, 3)[FOLD]
Y = np.array([0, 1, 1, 1] * 5)


def cells_of(experiment, data=IRIS, **given):
    tables = evaluate_fold(data, experiment, fold=FOLD)
    return [
        cell for cell in tables.fits.itertuples()
        if all(getattr(cell, name) == value for name, value in given.items())
    ]


def only(experiment, data=IRIS, **given):
    (cell,) = cells_of(experiment, data, **given)
    return cell


def attributes_of(experiment, method, pool, data=IRIS):
    frame = evaluate_fold(data, experiment, fold=FOLD).attributes
    return frame[(frame["method"] == method) & (frame["pool"] == pool)]


class TestFolds:
    def test_partition_and_strata(self):
        folds = stratified_folds(Y, n_folds=5)
        tested = np.concatenate([test for _, test in folds])
        assert sorted(tested) == list(range(20))
        for train, test in folds:
            assert sorted([*train, *test]) == list(range(20))
            assert Y[test].sum() == 3

    def test_seed_decides(self):
        first, again = stratified_folds(Y, 5), stratified_folds(Y, 5)
        other = stratified_folds(Y, 5, random_state=1)
        same = [np.array_equal(a[1], b[1]) for a, b in zip(first, again, strict=True)]
        assert all(same)
        same = [np.array_equal(a[1], b[1]) for a, b in zip(first, other, strict=True)]
        assert not all(same)

    @pytest.mark.filterwarnings("error")
    def test_class_smaller_than_the_number_of_folds(self):
        y = np.array([0] * 10 + [1] * 2)
        assert sum(y[test].sum() for _, test in stratified_folds(y, 5)) == 2


class TestInformation:
    def test_is_that_of_the_discretizer(self):
        X, y = load_iris(return_X_y=True)
        mdlp = MDLPDiscretizer().fit(X, y)
        bits = [information(column, y) for column in mdlp.transform(X).T]
        np.testing.assert_allclose(bits, mdlp.mutual_information_, atol=1e-12)

    def test_leaves_out_missing_values(self):
        values, y = np.array([1, 1, 2, 2, np.nan]), np.array([0, 0, 1, 1, 1])
        assert information(values, y) == pytest.approx(1)
        assert information(np.full(5, np.nan), y) == 0


class TestFullLabels:
    def test_supervised_methods_see_training_rows_only(self):
        for method in ("MDLP", "CAIM", "EW"):
            estimator = DISCRETIZERS[method].estimator().fit(IRIS.X[TRAIN],
                                                             IRIS.y[TRAIN])
            found = attributes_of(FULL, method, "none")
            assert found["attribute"].tolist() == list(IRIS.attributes)
            assert found["intervals"].tolist() == estimator.n_intervals_.tolist()
            np.testing.assert_allclose(
                found["information"], estimator.mutual_information_, atol=1e-6)

    def test_accuracy_is_that_of_classifier_and_discretizer_together(self):
        models = {"NB": NaiveBayesClassifier, "RNB": RNBClassifier}
        for name, estimator in models.items():
            model = estimator("MDLP").fit(IRIS.X[TRAIN], IRIS.y[TRAIN])
            accuracy = model.score(IRIS.X[TEST], IRIS.y[TEST])
            assert only(FULL, method="MDLP", classifier=name).accuracy == accuracy

    def test_transductive_sadd_sees_test_rows_without_labels(self):
        y = IRIS.y.copy()
        y[TEST] = -1
        sadd = SADDDiscretizer("validation", normalize=False).fit(IRIS.X, y)
        cell = only(FULL, method="SADD", pool="test", classifier="NB")
        found = attributes_of(FULL, "SADD", "test")
        assert found["intervals"].tolist() == sadd.n_intervals_.tolist()
        assert cell.chosen_k == sadd.k_
        # Information is in true labels of training rows, not in pseudo-labels.
        codes = sadd.transform(IRIS.X[TRAIN])
        bits = [information(column, IRIS.y[TRAIN]) for column in codes.T]
        np.testing.assert_allclose(found["information"], bits, atol=1e-6)

    def test_labels_of_test_rows_are_never_seen(self, monkeypatch):
        seen = []
        fit = SADDDiscretizer.fit

        def spy(self, X, y, *args, **kwargs):
            seen.append(np.asarray(y))
            return fit(self, X, y, *args, **kwargs)

        monkeypatch.setattr(SADDDiscretizer, "fit", spy)
        evaluate_fold(IRIS, FULL, fold=FOLD)
        transductive, inductive = seen
        assert len(transductive) == len(IRIS.y)
        assert np.isnan(transductive[len(TRAIN):]).all()
        np.testing.assert_array_equal(inductive, IRIS.y[TRAIN])

    def test_neighbours_are_those_of_scikit_learn(self):
        cell = only(Experiment(folds=3, labelled=(1.0,), k=(3,)), method="k-NN")
        peer = KNeighborsClassifier(3).fit(IRIS.X[TRAIN], IRIS.y[TRAIN])
        assert cell.accuracy == peer.score(IRIS.X[TEST], IRIS.y[TEST])
        assert cell.classifier == "" and cell.chosen_k == 3

    def test_all_nine_with_naive_bayes_and_two_with_the_family(self):
        cells = cells_of(FULL)
        with_nb = [(c.method, c.pool) for c in cells if c.classifier == "NB"]
        others = [name for name in DISCRETIZERS if name != "SADD"]
        assert with_nb == [("SADD", "test"), ("SADD", "none"),
                           *((name, "none") for name in others)]
        with_rnb = [(c.method, c.pool) for c in cells if c.classifier == "RNB"]
        assert with_rnb == [("SADD", "test"), ("SADD", "none"), ("MDLP", "none")]
        assert all(0.8 < cell.accuracy <= 1 for cell in cells)
        assert all(cell.error == "" for cell in cells)

    def test_all_pairs(self):
        cells = cells_of(Experiment(folds=3, labelled=(1.0,), all_pairs=True))
        pairs = {(c.method, c.pool, c.classifier) for c in cells}
        assert len(pairs) == 10 * len(FAMILY) + 1


class TestFewLabels:
    settings = Experiment(folds=3, labelled=(0.4,))

    def test_cuts_come_from_the_labelled_and_the_rest_is_the_pool(self, monkeypatch):
        seen = []
        fit = SADDDiscretizer.fit

        def spy(self, X, y, *args, **kwargs):
            seen.append((X, np.asarray(y)))
            return fit(self, X, y, *args, **kwargs)

        monkeypatch.setattr(SADDDiscretizer, "fit", spy)
        evaluate_fold(IRIS, self.settings, fold=FOLD)
        (rows, pooled), (_, alone) = seen
        assert len(alone) == 40
        counts = np.bincount(alone.astype(int))
        assert counts.max() - counts.min() <= 1
        assert len(pooled) == len(TRAIN)
        assert np.isnan(pooled[40:]).all()
        # The test fold takes no part in it.
        assert sorted(map(tuple, rows)) == sorted(map(tuple, IRIS.X[TRAIN]))

    def test_classifier_has_all_labels_as_published_or_as_few(self, monkeypatch):
        seen = []
        fit = NaiveBayesClassifier.fit

        def spy(self, X, y, *args, **kwargs):
            seen.append(len(y))
            return fit(self, X, y, *args, **kwargs)

        monkeypatch.setattr(NaiveBayesClassifier, "fit", spy)
        cells = cells_of(self.settings, method="MDLP")
        assert [cell.classifier_labels for cell in cells] == ["all", "labelled"]
        assert set(seen) == {100, 40}

    def test_methods_that_need_no_labels_are_left_out(self):
        assert {cell.method for cell in cells_of(self.settings)} == {
            "SADD", "MDLP", "CAIM", "CACC", "ChiMerge", "k-NN"}

    def test_class_with_a_single_row(self):
        y = np.array([0] * 10 + [1] * 10 + [2])
        data = DataSet("odd", np.arange(21.0)[:, None], y, np.zeros(1, bool), ("a",))
        assert (evaluate_fold(data, self.settings, fold=0).fits["error"] == "").all()

    @pytest.mark.parametrize("share", [0.01, 0.999])
    def test_extreme_shares(self, share):
        fits = evaluate_fold(IRIS, Experiment(folds=3, labelled=(share,))).fits
        assert (fits["error"] == "").all()

    def test_labels_of_a_single_class(self):
        # Two classes are too few rows to label both.
        y = np.array([0] * 12 + [1] * 2)
        data = DataSet("one", np.arange(14.0)[:, None], y, np.zeros(1, bool), ("a",))
        for fold in range(2):
            experiment = Experiment(folds=2, labelled=(0.2,))
            fits = evaluate_fold(data, experiment, fold=fold).fits
            assert (fits["error"] == "").all()


class TestSweep:
    settings = Experiment(folds=3, labelled=(1.0,), k=("auto", 1), n0=(500.0, 2000.0),
                        methods=("SADD",))

    def test_each_k_and_n0_with_naive_bayes(self):
        found = {(c.k, c.n0) for c in cells_of(self.settings, pool="test")
                 if c.classifier == "NB"}
        assert found == {("auto", 500), ("1", 500), ("auto", 2000), ("1", 2000)}

    def test_family_on_the_first_only(self):
        found = {(c.k, c.n0) for c in cells_of(self.settings, classifier="RNB")}
        assert found == {("auto", 500)}

    def test_neighbours_once_for_each_k(self):
        assert [c.k for c in cells_of(self.settings, method="k-NN")] == ["auto", "1"]

    def test_variant_passes_parameters_on(self):
        variant = Variant("SADD", "test", 3, 700.0)
        sadd = variant.make(IRIS, normalize=True, seed=5)
        assert (sadd.k, sadd.n0, sadd.normalize, sadd.random_state) == (3, 700, True, 5)


class TestFailures:
    def test_a_method_that_fails_does_not_stop_others(self, monkeypatch):
        def fail(self, *args, **kwargs):
            raise MemoryError("no room\nfor that")

        monkeypatch.setattr(DISCRETIZERS["CAIM"].estimator, "fit", fail)
        failed = only(FULL, method="CAIM")
        assert failed.error == "MemoryError: no room for that"
        assert np.isnan(failed.accuracy)
        assert only(FULL, method="CACC").error == ""

    def test_a_classifier_that_fails_does_not_stop_others(self, monkeypatch):
        def fail(self, *args, **kwargs):
            raise ValueError("no")

        monkeypatch.setattr(RNBClassifier, "fit", fail)
        cells = cells_of(FULL, method="MDLP")
        assert [c.classifier for c in cells if c.error] == ["RNB"]

    def test_missing_values_become_means_and_modes(self):
        X = IRIS.X.copy()
        X[::7, 0] = np.nan
        data = DataSet("holes", X, IRIS.y, IRIS.categorical, IRIS.attributes)
        without = Experiment(folds=3, labelled=(1.0,), impute=False)
        kept, filled = (
            only(experiment, data, method="EF", classifier="NB")
            for experiment in (without, FULL))
        assert kept.error == filled.error == ""
        kept, filled = (
            attributes_of(experiment, "EF", "none", data)["information"].tolist()
            for experiment in (without, FULL))
        assert kept != filled


def test_same_every_time():
    settings = Experiment(folds=3, labelled=(1.0, 0.4))
    first, second = (evaluate_fold(IRIS, settings) for _ in range(2))
    pd.testing.assert_frame_equal(first.attributes, second.attributes)
    pd.testing.assert_frame_equal(
        first.fits.drop(columns=TIMES), second.fits.drop(columns=TIMES))


def test_repetitions_differ():
    first, second = (
        evaluate_fold(IRIS, FULL, repeat=repeat).fits["accuracy"].tolist()
        for repeat in (0, 1))
    assert first != second
