"""Folds, the transductive option, and the progress bar."""

import io

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier

from orangecontrib.sadd.benchmark.datasets import load_bundled
from orangecontrib.sadd.benchmark.evaluation import (
    UNLABELLED,
    fit_folds,
    stratified_folds,
)
from orangecontrib.sadd.benchmark.progress import Progress


class Recorder(ClassifierMixin, BaseEstimator):
    """Predicts class 1 and keeps what it was given."""

    def fit(self, X, y):
        self.X_, self.y_ = X, y
        return self

    def predict(self, X):
        return np.ones(len(X), dtype=int)


X = np.arange(20.0)[:, None]
Y = np.array([0, 1, 1, 1] * 5)


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


class TestFitFolds:
    def test_inductive_sees_training_rows_only(self):
        folds = stratified_folds(Y, 5)
        results = list(fit_folds(Recorder(), X, Y, folds))
        for (train, test), result in zip(folds, results, strict=True):
            np.testing.assert_array_equal(result.model.X_, X[train])
            np.testing.assert_array_equal(result.model.y_, Y[train])
            np.testing.assert_array_equal(result.test, test)
            assert result.accuracy == 0.75

    def test_transductive_adds_test_rows_without_labels(self):
        folds = stratified_folds(Y, 5)
        for (train, test), result in zip(
            folds, fit_folds(Recorder(), X, Y, folds, transductive=True), strict=True
        ):
            np.testing.assert_array_equal(result.model.X_[: len(train)], X[train])
            np.testing.assert_array_equal(result.model.X_[len(train) :], X[test])
            np.testing.assert_array_equal(result.model.y_[: len(train)], Y[train])
            assert (result.model.y_[len(train) :] == UNLABELLED).all()

    def test_estimator_stays_unfitted(self):
        estimator = Recorder()
        list(fit_folds(estimator, X, Y, stratified_folds(Y, 5)))
        assert not hasattr(estimator, "X_")

    def test_accuracy_of_a_real_classifier(self):
        iris = load_bundled("iris")
        folds = stratified_folds(iris.y)
        results = fit_folds(KNeighborsClassifier(), iris.X, iris.y, folds)
        accuracies = [result.accuracy for result in results]
        assert 0.9 < np.mean(accuracies) < 1

    def test_unlabelled_rows_are_refused(self):
        with pytest.raises(ValueError, match="needs a label in every row"):
            next(fit_folds(Recorder(), X, np.full(20, UNLABELLED), []))


def test_unknown_data_set():
    with pytest.raises(ValueError, match="'moon'; choose from iris, wine"):
        load_bundled("moon")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestProgress:
    def test_draws_on_a_terminal_and_cleans_up(self):
        stream = Terminal()
        with Progress(4, stream) as progress:
            progress.step("first")
        assert "25 %" in stream.getvalue()
        assert "first" in stream.getvalue()
        assert stream.getvalue().endswith("\r\033[K")

    def test_is_silent_elsewhere(self):
        stream = io.StringIO()
        with Progress(4, stream) as progress:
            progress.step("first")
        assert stream.getvalue() == ""
