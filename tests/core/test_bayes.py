"""Tables and models of naive Bayes: by hand, and against scikit-learn."""

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB

from orangecontrib.sadd.core.additive.model import BayesModel, _mix
from orangecontrib.sadd.core.additive.tables import fit_tables
from tests.core.twins import random_problem

nan = np.nan


def literal_posterior(codes, y, n_classes, rows, weight=None):
    """Smoothed naive Bayes as it is written in papers, in plain doubles."""
    weight = np.ones(len(y)) if weight is None else weight
    present = [c for c in range(n_classes) if weight[y == c].sum() > 0]
    result = np.zeros((len(rows), n_classes))
    for i, row in enumerate(rows):
        for c in present:
            p = (weight[y == c].sum() + 1 / len(present)) / (weight.sum() + 1)
            for j, value in enumerate(row):
                known = ~np.isnan(codes[:, j]) & (weight > 0)
                seen = set(codes[known, j])
                if value in seen:
                    n_c = weight[known & (y == c)].sum()
                    n_ac = weight[known & (y == c) & (codes[:, j] == value)].sum()
                    p *= (n_ac + 1 / len(seen)) / (n_c + 1)
            result[i, c] = p
    return result / result.sum(axis=1, keepdims=True)


def logs(tables, codes, weights=None, class_weights=None):
    """Return ln P(c | x)."""
    return BayesModel(tables, weights, class_weights).log_posterior(codes)


class TestTables:
    codes = np.array([[0, 2], [0, 5], [1, 5], [1, nan], [3, 2]])
    y = np.array([0, 0, 0, 1, 1])

    def test_probabilities_match_a_calculation_by_hand(self):
        tables = fit_tables(self.codes, self.y, 2)
        np.testing.assert_allclose(np.exp(tables.log_prior), [3.5 / 6, 2.5 / 6])
        np.testing.assert_array_equal(tables.n_values, [3, 2])
        np.testing.assert_allclose(np.exp(tables.log_likelihood), [
            # three values, n_c = 3             two values, n_c = 3     nothing
            [(2 + 1 / 3) / 4, (1 + 1 / 3) / 4, (1 / 3) / 4, 1.5 / 4, 2.5 / 4, 1],
            # n_c = 2                           n_c = 1: one is unknown
            [(1 / 3) / 3, (1 + 1 / 3) / 3, (1 + 1 / 3) / 3, 1.5 / 2, 0.5 / 2, 1]])

    def test_encode_returns_columns_of_the_tables(self):
        tables = fit_tables(self.codes, self.y, 2)
        rows = np.array([[0, 2], [1, 5], [3, nan], [2, 3], [-1, 99], [nan, 2.]])
        np.testing.assert_array_equal(
            tables.encode(rows),
            [[0, 3], [1, 4], [2, 5], [5, 5], [5, 5], [5, 3]])

    @pytest.mark.parametrize("bad", [0.5, -1, 2. ** 24, np.inf])
    def test_only_whole_numbers_are_codes(self, bad):
        with pytest.raises(ValueError, match="must be integers from 0"):
            fit_tables(np.array([[0.], [bad]]), [0, 1], 2)

    def test_posterior_is_the_prior_when_there_are_no_attributes(self):
        tables = fit_tables(np.zeros((3, 0)), [0, 0, 1], 2)
        np.testing.assert_allclose(
            np.exp(logs(tables, np.zeros((2, 0)))), [[2.5 / 4, 1.5 / 4]] * 2)

    def test_classes_are_equally_likely_when_there_are_no_rows(self):
        tables = fit_tables(np.zeros((0, 2)), np.zeros(0, dtype=int), 4)
        np.testing.assert_allclose(
            np.exp(logs(tables, np.array([[0, nan]]))), [[0.25] * 4])


class TestPosterior:
    @pytest.mark.parametrize("missing", [0, 0.3])
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("n_classes", [3, 5])  # two of five classes are absent
    def test_posterior_agrees_with_the_literal_definition(
            self, missing, weighted, n_classes):
        codes, y = random_problem(1, missing=missing)
        codes[:2, 0] = 8  # a value of rows without weight
        if missing:
            codes[:, 5] = nan  # nothing is known
        weight = np.random.default_rng(1).integers(4, size=len(y)) if weighted \
            else np.ones(len(y))
        weight[:2] = 0
        rows = np.vstack((codes[:20], [[7] * 6, [nan] * 6, [0, nan, 9, 1, 2, 3]]))
        np.testing.assert_allclose(
            np.exp(logs(fit_tables(codes, y, n_classes, weight), rows)),
            literal_posterior(codes, y, n_classes, rows, weight), rtol=1e-10)

    def test_posterior_agrees_with_categorical_nb(self):
        """With n_j = 2 for all j, alpha = 1/2 is this smoothing, but for the prior."""
        rng = np.random.default_rng(0)
        codes = rng.integers(2, size=(60, 5))
        y = rng.integers(3, size=60)
        peer = CategoricalNB(alpha=0.5).fit(codes, y)
        tables = fit_tables(codes.astype(float), y, 3)
        peer.class_log_prior_ = tables.log_prior
        np.testing.assert_allclose(logs(tables, codes.astype(float)),
                                   peer.predict_log_proba(codes))

    def test_each_table_agrees_with_categorical_nb(self):
        """CategoricalNB has one alpha for all attributes, so each has its own model."""
        codes, y = random_problem(2, missing=0)
        tables = fit_tables(codes, y, 3)
        for j, n_values in enumerate(tables.n_values):
            _, column = np.unique(codes[:, j], return_inverse=True)
            peer = CategoricalNB(alpha=1 / n_values).fit(column[:, None], y)
            np.testing.assert_allclose(
                tables.log_likelihood[:, :-1][:, tables.attribute[:-1] == j],
                peer.feature_log_prob_[0])

    def test_weights_of_0_and_1_select_attributes(self):
        codes, y = random_problem(3, missing=0)
        tables = fit_tables(codes, y, 3)
        weights = np.array([1, 0, 1, 0, 0, 1.])
        chosen = codes[:, weights == 1]
        expected = logs(fit_tables(chosen, y, 3), chosen)
        np.testing.assert_allclose(logs(tables, codes, weights), expected)
        np.testing.assert_allclose(
            logs(tables, codes, class_weights=np.tile(weights, (3, 1))), expected)

    def test_posterior_is_the_same_in_small_blocks(self, monkeypatch):
        codes, y = random_problem(4)
        tables = fit_tables(codes, y, 3)
        expected = logs(tables, codes)
        monkeypatch.setattr("orangecontrib.sadd.core.additive.model.BLOCK_VALUES", 50)
        np.testing.assert_array_equal(logs(tables, codes), expected)

    def test_posterior_is_empty_when_there_are_no_queries(self):
        codes, y = random_problem()
        assert logs(fit_tables(codes, y, 3), codes[:0]).shape == (0, 3)


def test_posterior_is_finite_with_tiny_probabilities():
    """A weight of 1e300 makes what is not in that row as unlikely as 1e-300."""
    codes = np.array([[0.] * 9, [1.] * 9, [0.] * 9, [1.] * 9])
    tables = fit_tables(codes, [0, 0, 1, 1], 2,
                        np.array([1e300, 1e-5, 1e-5, 1e300]))
    assert tables.log_likelihood.min() < np.log(1e-299)
    rows = np.array([[0.] * 9, [0, 1] * 4 + [nan]])
    np.testing.assert_allclose(np.exp(logs(tables, rows)),
                               [[1, 0], [0.5, 0.5]])


class TestModel:
    """Mixtures of two models."""

    def parts(self, seed=10):
        codes, y = random_problem(seed)
        rng = np.random.default_rng(seed)
        return codes, fit_tables(codes, y, 3), rng.random(6), rng.random((3, 6))

    @pytest.mark.parametrize("alpha", [0, 0.4, 1])
    def test_posterior_is_the_mixture_of_parts(self, alpha):
        codes, tables, *weights = self.parts()
        model = BayesModel(tables, *weights, alpha)
        assert model.additive == (alpha in (0, 1))
        np.testing.assert_array_equal(model.log_posterior(codes), _mix(
            logs(tables, codes, None, weights[1]), logs(tables, codes, weights[0]),
            alpha))

    def test_importances_are_weighted_informations(self):
        _, tables, w, big_w = self.parts()
        plain = BayesModel(tables).importances
        assert np.all(plain > 0)
        by_class = np.exp(tables.log_prior) @ big_w
        for model, expected in [
                (BayesModel(tables, w, None, 0.), w),
                (BayesModel(tables, None, big_w, 1.), by_class),
                (BayesModel(tables, w, big_w, 0.3), 0.3 * by_class + 0.7 * w)]:
            np.testing.assert_allclose(model.importances, expected * plain)


@pytest.mark.parametrize("first, second, alpha, expected", [
    ([-1, -2], [-3, -4], 0, [-3, -4]), ([-1, -2], [-3, -4], 1, [-1, -2]),
    (np.log([0.5, 0.5]), np.log([0.1, 0.9]), 0.25, np.log([0.2, 0.8])),
    # Far below the smallest number
    ([-5000.], [-6000.], 0.5, [-5000 + np.log(0.5)])])
def test_mixture_of_logarithms(first, second, alpha, expected):
    np.testing.assert_allclose(_mix(np.array(first), np.array(second), alpha), expected)
