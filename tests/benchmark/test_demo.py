"""The demo's figures are what they say, and the command prints them."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from orangecontrib.sadd.__main__ import main
from orangecontrib.sadd.benchmark import demo
from orangecontrib.sadd.benchmark.datasets import load_bundled
from orangecontrib.sadd.benchmark.evaluation import (
    fit_folds,
    information,
    stratified_folds,
)
from orangecontrib.sadd.benchmark.methods import (
    FAMILY,
    VARIANTS,
    Variant,
    accuracy_of,
    evaluate,
)
from orangecontrib.sadd.core import DISCRETIZERS, MDLPDiscretizer, SADDDiscretizer

IRIS = load_bundled("iris")
FOLDS = stratified_folds(IRIS.y, 3)
MDLP = Variant("MDLP")
INDUCTIVE = Variant("SADD", transductive=False)
TRANSDUCTIVE = Variant("SADD", transductive=True)


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


class TestMethods:
    def test_variants_are_all_methods_and_sadd_in_two_ways(self):
        labels = [variant.label for variant in VARIANTS]
        assert labels[:2] == ["SADD, inductive", "SADD, transductive"]
        assert labels[2:] == [name for name in DISCRETIZERS if name != "SADD"]
        assert len(labels) == 10

    def test_inductive_figures_are_those_of_the_training_rows(self):
        estimators = {MDLP: MDLPDiscretizer, INDUCTIVE: SADDDiscretizer}
        for variant, estimator in estimators.items():
            result = evaluate(IRIS, variant, FOLDS)
            fits = [estimator().fit(IRIS.X[rows], IRIS.y[rows]) for rows, _ in FOLDS]
            intervals = [fit.n_intervals_.mean() for fit in fits]
            np.testing.assert_allclose(result.intervals, intervals)
            bits = [fit.mutual_information_.mean() for fit in fits]
            np.testing.assert_allclose(result.bits, bits)
            assert result.neighbour_accuracy is None

    def test_transductive_figures_are_those_of_all_rows(self):
        result = evaluate(IRIS, TRANSDUCTIVE, FOLDS)
        intervals, neighbours = [], []
        for _, test in FOLDS:
            y = IRIS.y.copy()
            y[test] = -1
            sadd = SADDDiscretizer().fit(IRIS.X, y)
            intervals.append(sadd.n_intervals_.mean())
            neighbours.append(np.mean(sadd.pseudo_labels_ == IRIS.y[test]))
        np.testing.assert_allclose(result.intervals, intervals)
        np.testing.assert_allclose(result.neighbour_accuracy, neighbours)

    def test_information_of_transductive_sadd_is_in_true_labels(self):
        # More than the labels have would come from pseudo-labels.
        result = evaluate(IRIS, TRANSDUCTIVE, FOLDS)
        assert (result.bits < demo.information_before(IRIS, FOLDS)).all()

    def test_neighbours_are_about_as_good_as_scikit_learns(self):
        knn = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
        peer = np.mean([r.accuracy for r in fit_folds(knn, IRIS.X, IRIS.y, FOLDS)])
        ours = np.mean(evaluate(IRIS, TRANSDUCTIVE, FOLDS).neighbour_accuracy)
        assert ours == pytest.approx(peer, abs=0.03)

    def test_naive_bayes_of_the_family_is_that_of_the_methods(self):
        for variant in (MDLP, INDUCTIVE, TRANSDUCTIVE):
            np.testing.assert_array_equal(
                accuracy_of("NB", IRIS, variant, FOLDS),
                evaluate(IRIS, variant, FOLDS).accuracy,
            )

    @pytest.mark.parametrize("classifier", FAMILY)
    def test_family_beats_the_majority_by_far(self, classifier):
        assert accuracy_of(classifier, IRIS, MDLP, FOLDS).mean() > 0.9

    def test_a_step_for_each_fold(self):
        steps = []
        evaluate(IRIS, MDLP, FOLDS, lambda: steps.append("evaluate"))
        accuracy_of("RNB", IRIS, MDLP, FOLDS, lambda: steps.append("accuracy"))
        assert steps == ["evaluate"] * 3 + ["accuracy"] * 3


class TestCommand:
    def test_tables(self, capsys):
        assert main(["demo", "--data", "iris", "heart_disease", "--folds", "2"]) == 0
        output = capsys.readouterr()
        assert output.err == ""
        legend, iris = output.out.split("\niris: ")
        iris, heart = iris.split("\nheart_disease: ")
        assert "means over 2 stratified folds" in legend
        assert iris.startswith("150 rows, 4 numeric attributes, 3 classes\n")
        assert heart.startswith("303 rows, 6 numeric and 7 categorical attributes")
        heart, mean = heart.split("Mean of 2 data sets\n")
        for table in (iris, heart):
            for variant in VARIANTS:
                cells = r"\d+\.\d +\d\.\d{3} +\d+ % +\d+\.\d ± +\d+\.\d"
                assert re.search(rf"^{variant.label} +{cells}$", table, re.M)
        accuracies = [self.family(table) for table in (iris, heart, mean)]
        np.testing.assert_allclose(
            np.mean(accuracies[:2], axis=0), accuracies[2], atol=0.11
        )

    @staticmethod
    def family(table):
        """Cells of the family's table, k-NN last."""
        header = r"^accuracy +SADD, inductive +SADD, transductive +MDLP$"
        assert re.search(header, table, re.M)
        cells = []
        for name in FAMILY:
            (row,) = re.findall(rf"^{name} +([\d.]+) +([\d.]+) +([\d.]+)$", table, re.M)
            cells += row
        (neighbours,) = re.findall(r"pseudo-labels has ([\d.]+) by itself", table)
        return np.array([*cells, neighbours], dtype=float)

    def test_announced_steps_are_made(self):
        class Counter:
            steps = 0

            def step(self, label):
                self.steps += 1

        counter = Counter()
        demo.Demo(2, counter).add(IRIS)
        assert counter.steps == demo.Demo.n_steps(n_data_sets=1, n_folds=2)

    @pytest.mark.parametrize(
        ["arguments", "message"],
        [
            (["--folds", "1"], "a number of 2 or more is needed"),
            (["--folds", "many"], "a number of 2 or more is needed"),
            (["--data", "moon"], "invalid choice: 'moon'"),
        ],
    )
    def test_wrong_arguments(self, arguments, message, capsys):
        with pytest.raises(SystemExit, match="2"):
            main(["demo", *arguments])
        assert message in capsys.readouterr().err
