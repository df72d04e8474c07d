"""The pool in the counts, and weights that do not overfit: properties and gradients."""

import pickle

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from orangecontrib.sadd.core import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    RNBPlusClassifier,
    SADDDiscretizer,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.bayes.fitting import PoolRows, RowsInMemory
from orangecontrib.sadd.core.bayes.objective import ShrunkObjective
from orangecontrib.sadd.core.bayes.tables import fit_tables

FEW_LABELS = {"labeller": "committee", "pool_use": "counts", "objective": "cll",
              "shrinkage": 1}


def coded_rows(n_classes=3, weighted=False, seed=0, n_rows=40):
    random = np.random.default_rng(seed)
    codes = random.integers(0, 4, (n_rows, 3)).astype(float)
    codes[random.random(codes.shape) < 0.1] = np.nan
    y = random.integers(0, n_classes, n_rows)
    weights = random.integers(1, 4, n_rows).astype(float) if weighted else None
    return codes, y, weights


def shrunk(rows, model, loss, shrinkage):
    tables = rows.tables()
    return ShrunkObjective(
        rows.objectives(model, loss, {group: tables.without_row(*group).centred()
                                      for group in rows.groups()}),
        tables.centred(), shrinkage)


def literal_loss(codes, y, weights, n_classes, layout, theta, loss, shrinkage):
    """The definition, row by row, from tables that are fitted without the row."""
    weight = np.ones(len(y)) if weights is None else weights
    w, W, alpha = layout.unpack(theta)
    parts = [(1 - alpha, w), (alpha, W)]
    n_values = [len(np.unique(c[~np.isnan(c)])) for c in codes.T]
    total = 0.
    for i in range(len(y)):
        rest = weight.copy()
        rest[i] = 0
        prior = np.array([rest[y == c].sum() + 1 / n_classes for c in range(n_classes)])
        posterior = np.zeros(n_classes)
        for share, v in parts:
            if v is None or not share:
                continue
            scores = np.log(prior / prior.sum())
            for j, value in enumerate(codes[i]):
                if np.isnan(value):
                    continue
                known = ~np.isnan(codes[:, j])
                logs = np.array([np.log(
                    (rest[(y == c) & (codes[:, j] == value)].sum() + 1 / n_values[j])
                    / (rest[(y == c) & known].sum() + 1)) for c in range(n_classes)])
                scores = scores + (v if v.ndim == 1 else v.T)[j] * (logs - logs.mean())
            e = np.exp(scores - scores.max())
            posterior += share * e / e.sum()
        own = np.eye(n_classes)[y[i]]
        total += weight[i] * (-np.log(posterior[y[i]]) if loss == "cll"
                              else np.sum((own - posterior) ** 2))
    if W is not None:
        total += shrinkage * np.sum((W - (1 if w is None else w)) ** 2)
    if w is not None:
        total += shrinkage * np.sum((w - 1) ** 2)
    return total


@pytest.mark.parametrize("model", ["wanbia", "cawnb", "rnb"])
@pytest.mark.parametrize("loss", ["mse", "cll"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
class TestShrinkage:
    def objective(self, model, loss, n_classes, weighted):
        codes, y, weights = coded_rows(n_classes, weighted)
        rows = RowsInMemory(codes, y, n_classes, weights)
        return (codes, y, weights), shrunk(rows, model, loss, 0.7)

    def test_by_definition(self, model, loss, n_classes, weighted):
        data, objective = self.objective(model, loss, n_classes, weighted)
        random = np.random.default_rng(1)
        for _ in range(3):
            theta = random.random(objective.layout.size)
            expected = literal_loss(
                *data, n_classes, objective.layout, theta, loss, 0.7)
            assert objective.value_and_gradient(theta)[0] == pytest.approx(expected)

    def test_gradient(self, model, loss, n_classes, weighted):
        _, objective = self.objective(model, loss, n_classes, weighted)
        theta = np.random.default_rng(2).uniform(0.1, 0.9, objective.layout.size)
        found = objective.value_and_gradient(theta)[1]
        expected = approx_fprime(
            theta, lambda t: objective.value_and_gradient(t)[0], 1e-6)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_left_out_tables_are_those_without_the_row(weighted):
    codes, y, weights = coded_rows(weighted=weighted, n_rows=200)
    tables = fit_tables(codes, y, 3, weights)
    for row in range(20):
        weight = 1. if weights is None else weights[row]
        rest = np.ones(len(y)) if weights is None else weights.copy()
        rest[row] = 0
        expected = fit_tables(codes, y, 3, rest)
        found = tables.without_row(y[row], weight)
        columns = tables.encode(codes[[row]])[0]
        np.testing.assert_allclose(found.log_likelihood[:, columns],
                                   expected.log_likelihood[:, columns])
        np.testing.assert_allclose(found.log_prior, expected.log_prior)


def test_centred_tables_are_the_same_naive_bayes():
    codes, y, _ = coded_rows()
    tables = fit_tables(codes, y, 3)
    centred = tables.centred()
    np.testing.assert_allclose(centred.log_likelihood.mean(axis=0), 0, atol=1e-12)
    difference = centred.log_likelihood - tables.log_likelihood
    np.testing.assert_allclose(difference, difference[:1].repeat(3, axis=0))


@pytest.mark.parametrize("classifier", [WANBIAClassifier, CAWNBClassifier,
                                        RNBClassifier, RNBPlusClassifier])
@pytest.mark.parametrize("objective", ["mse", "cll"])
def test_large_shrinkage_tends_to_naive_bayes(classifier, objective):
    X, y = load_wine(return_X_y=True)
    discretizer = {} if classifier is RNBPlusClassifier else {"discretizer": "SADD"}
    found = classifier(objective=objective, shrinkage=1e6, **discretizer).fit(X, y)
    expected = NaiveBayesClassifier("SADD").fit(X, y)
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X),
                               atol=1e-3)
    assert found.converged_


def test_shrinkage_of_zero_is_as_published():
    X, y = load_iris(return_X_y=True)
    expected = RNBClassifier().fit(X, y)
    found = RNBClassifier(shrinkage=0).fit(X, y)
    np.testing.assert_array_equal(found.class_weights_, expected.class_weights_)
    assert not np.array_equal(
        RNBClassifier(shrinkage=1e-3).fit(X, y).weights_, expected.weights_)


@pytest.mark.parametrize("wrong", [-1, "much", None])
def test_wrong_shrinkage(wrong):
    with pytest.raises(ValueError, match="shrinkage"):
        RNBClassifier(shrinkage=wrong).fit(*load_iris(return_X_y=True))


def test_order_of_rows_does_not_matter():
    X, y = load_wine(return_X_y=True)
    y[::3] = -1
    order = np.random.default_rng(0).permutation(len(X))
    one = RNBPlusClassifier(**FEW_LABELS).fit(X, y)
    other = RNBPlusClassifier(**FEW_LABELS).fit(X[order], y[order])
    np.testing.assert_array_equal(one.class_weights_, other.class_weights_)
    np.testing.assert_array_equal(one.tables_.counts, other.tables_.counts)


class Certain(ClassifierMixin, BaseEstimator):
    """A labeller that knows the truth."""

    def __init__(self, X=None, y=None):
        self.X = X
        self.y = y

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        known = {tuple(row): label for row, label in zip(self.X, self.y, strict=True)}
        return np.array([self.classes_ == known[tuple(row)] for row in X], dtype=float)


class TestCounts:
    def test_probabilities_of_0_and_1_are_labels(self):
        codes, y, _ = coded_rows(n_rows=60)
        proba = np.eye(3)[y[40:]]
        rows = RowsInMemory(codes[:40], y[:40], 3, pool=PoolRows.weighted(
            codes[40:], proba, None, 20))
        expected = fit_tables(codes, y, 3)
        np.testing.assert_array_equal(rows.tables().counts, expected.counts)
        np.testing.assert_array_equal(rows.tables().log_prior, expected.log_prior)

    @pytest.mark.parametrize("classifier", [
        NaiveBayesClassifier("SADD", pool_use="counts"),
        AIWNBClassifier("SADD", pool_use="counts"),
        AIWNBClassifier("SADD", pool_use="counts", instance_weighting="lazy")])
    def test_a_labeller_that_knows_is_as_good_as_labels(self, classifier):
        X, y = load_wine(return_X_y=True)
        hidden = np.where(np.arange(len(y)) % 3, -1, y)
        labeller = make_pipeline(FunctionTransformer(), Certain(X, y))
        classifier.set_params(discretizer=SADDDiscretizer(labeller=labeller))
        found = classifier.fit(X, hidden)
        classifier = type(classifier)(**{
            **classifier.get_params(deep=False), "discretizer": "SADD"})
        expected = classifier.fit(X, y)
        np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X),
                                   atol=1e-9)

    def test_by_hand(self):
        codes = np.array([[0.], [1.]])
        pool = PoolRows.weighted(np.array([[0.], [2.]]),
                                 np.array([[0.75, 0.25], [0.5, 0.5]]), None, 2)
        tables = RowsInMemory(codes, np.array([0, 1]), 2, pool=pool).tables()
        np.testing.assert_allclose(
            tables.counts[:, :-1], [[1.75, 0, 0.5], [0.25, 1, 0.5]])
        np.testing.assert_allclose(
            np.exp(tables.log_prior), [2.75 / 5, 2.25 / 5])
        np.testing.assert_allclose(
            np.exp(tables.log_likelihood[0, :-1]),
            [(1.75 + 1 / 3) / 3.25, (1 / 3) / 3.25, (0.5 + 1 / 3) / 3.25])

    @pytest.mark.parametrize("classifier", [
        NaiveBayesClassifier, WANBIAClassifier, CAWNBClassifier, RNBClassifier,
        AIWNBClassifier])
    def test_an_empty_pool_is_no_pool(self, classifier):
        X, y = load_iris(return_X_y=True)
        found = classifier("SADD", pool_use="counts").fit(X, y)
        expected = classifier("SADD").fit(X, y)
        np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))

    def test_weak_labels_do_not_count(self):
        X, y = load_wine(return_X_y=True)
        y[np.arange(len(y)) % 4 > 0] = -1
        found = RNBPlusClassifier(min_confidence=0.9, **FEW_LABELS).fit(X, y)
        n_trusted = np.sum(found.discretizer_.pseudo_label_confidence_ >= 0.9)
        assert 0 < n_trusted < np.sum(y < 0)
        assert found.tables_.class_counts.sum() == pytest.approx(
            np.sum(y >= 0) + n_trusted)

    def test_nobody_lends_labels(self):
        with pytest.raises(ValueError, match="does not lend labels"):
            NaiveBayesClassifier("MDLP", pool_use="counts").fit(
                *load_iris(return_X_y=True))

    def test_weights_of_rows(self):
        X, y = load_wine(return_X_y=True)
        y[np.arange(len(y)) % 4 > 0] = -1
        weights = np.random.default_rng(0).integers(1, 3, len(y))
        found = NaiveBayesClassifier("SADD", pool_use="counts").fit(X, y, weights)
        repeated = NaiveBayesClassifier("SADD", pool_use="counts").fit(
            np.repeat(X, weights, axis=0), np.repeat(y, weights))
        np.testing.assert_allclose(found.tables_.counts, repeated.tables_.counts)

    def test_the_pool_is_not_kept(self):
        X, y = load_wine(return_X_y=True)
        pool = np.repeat(X, 50, axis=0)
        found = RNBPlusClassifier(**FEW_LABELS).fit(X[::4], y[::4], X_unlabelled=pool)
        assert len(pickle.dumps(found.model_)) < pool.nbytes / 10


def test_few_labels_go_further():
    """On rows that nobody has seen, with the settings fixed before looking."""
    X, y = load_wine(return_X_y=True)
    gains = []
    for seed in range(8):
        rows = np.random.RandomState(seed).permutation(len(X))
        labelled, pool, test = rows[:20], rows[20:110], rows[110:]
        scores = [
            RNBPlusClassifier(**parameters).fit(
                X[labelled], y[labelled], X_unlabelled=X[pool]).score(X[test], y[test])
            for parameters in ({}, FEW_LABELS)]
        gains.append(scores[1] - scores[0])
    assert np.mean(gains) > 0.02
