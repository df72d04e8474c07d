"""AIWNB: attribute weights, eager and lazy weights of rows, against plain loops."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from orangecontrib.sadd.core.additive import _aiwnb, aiwnb
from orangecontrib.sadd.core.additive.aiwnb import (
    LazyCounts,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.additive.tables import fit_tables
from orangecontrib.sadd.core.threads import use_threads
from tests.core import twins
from tests.core.pages import interpreted

nan = np.nan


def random_problem(seed=0, n_rows=80, n_attributes=5, missing=0.15):
    return twins.random_problem(seed, n_rows, n_attributes, missing=missing)


def fit(codes, y, n_classes=None, weight=None):
    tables = fit_tables(codes, y, n_classes or int(y.max()) + 1, weight)
    return tables, tables.encode(codes)


def lazy_model(tables, columns, y, weights, sample_weight=None):
    sample_weight = np.ones(len(y)) if sample_weight is None else sample_weight
    return BayesModel(tables, weights, lazy=LazyCounts(
        tables, columns, y, sample_weight.astype(float)))


def weights_of(codes, y, weight=None):
    weight = np.ones(len(y)) if weight is None else weight.astype(float)
    tables, columns = fit(codes, y, weight=weight)
    return attribute_weights(tables, columns, y, weight)


def information(a, b):
    known = ~np.isnan(a) & ~np.isnan(b)
    return mutual_info_score(a[known], b[known]) / np.log(2) if known.any() else 0


def literal_attribute_weights(codes, y):
    """CFW as published, in plain loops."""
    m = codes.shape[1]
    relevance = np.array([information(column, y) for column in codes.T])
    pairs = np.array([[information(a, b) for a in codes.T] for b in codes.T])
    np.fill_diagonal(pairs, 0)
    d = relevance / relevance.mean() \
        - (pairs / (pairs.sum() / (m * (m - 1)))).sum(axis=1) / (m - 1)
    return 1 / (1 + np.exp(-d))


def literal_lazy(codes, y, n_classes, query, attribute_weight, weight=None):
    """AIWNB^L as published: weight rows, count, multiply."""
    weight = np.ones(len(y)) if weight is None else weight
    w = [weight[i] * (1 + sum(codes[i, j] == query[j] for j in range(len(query))))
         for i in range(len(y))]
    present = [c for c in range(n_classes) if weight[y == c].sum() > 0]
    result = np.zeros(n_classes)
    for c in present:
        w_c = sum(w[i] for i in range(len(y)) if y[i] == c)
        p = (w_c + 1 / len(present)) / (sum(w) + 1)
        for j, value in enumerate(query):
            values = {codes[i, j] for i in range(len(y))
                      if weight[i] > 0 and not np.isnan(codes[i, j])}
            if value not in values:
                continue
            known = sum(w[i] for i in range(len(y))
                        if y[i] == c and not np.isnan(codes[i, j]))
            same = sum(w[i] for i in range(len(y))
                       if y[i] == c and codes[i, j] == value)
            p *= ((same + 1 / len(values)) / (known + 1)) ** attribute_weight[j]
        result[c] = p
    return result / result.sum()


class TestAttributeWeights:
    @pytest.mark.parametrize("missing, n_values", [(0, 4), (0.3, 4), (0, 300)])
    def test_weights_agree_with_the_literal_definition(self, missing, n_values):
        codes, y = random_problem(1, missing=missing)
        if missing:
            codes[:, 2] = nan  # nothing is known
        if n_values > 4:
            codes = np.random.default_rng(0).integers(n_values, size=codes.shape)
            codes = codes.astype(float)
        expected = literal_attribute_weights(codes, y)
        np.testing.assert_allclose(weights_of(codes, y), expected, rtol=1e-10)
        with use_threads(2):
            np.testing.assert_allclose(weights_of(codes, y), expected, rtol=1e-10)

    def test_weight_of_two_is_the_row_twice(self):
        codes, y = random_problem(2)
        weight = np.random.default_rng(2).integers(3, size=len(y))
        np.testing.assert_allclose(
            weights_of(codes, y, weight),
            literal_attribute_weights(np.repeat(codes, weight, axis=0),
                                      np.repeat(y, weight)), rtol=1e-10)

    @pytest.mark.parametrize("codes, y, expected", [
        # A single attribute is not redundant
        ([[0], [1]], [0, 1], [1 / (1 + np.exp(-1))]),
        ([[0], [0]], [0, 1], [0.5]),
        # One interval for each attribute: 0 / 0 in the authors' code
        (np.zeros((9, 3)), np.arange(9) % 2, [0.5] * 3),
        # One informative attribute: on Bupa the authors' code gives NaN
        ([[0, i % 2, 0] for i in range(10)], np.arange(10) % 2,
         [0.5, 1 / (1 + np.exp(-3)), 0.5]),
        # Rounding errors are no information
        (np.indices((3, 3, 3)).reshape(3, 27).T, np.arange(27) // 9,
         [1 / (1 + np.exp(-3)), 0.5, 0.5])])
    def test_weights_match_a_calculation_by_hand(self, codes, y, expected):
        np.testing.assert_allclose(
            weights_of(np.array(codes, dtype=float), np.array(y)), expected)


class TestEager:
    def test_weights_match_a_calculation_by_hand(self):
        codes = np.array([[0, 1], [0, 2], [1, 2], [0, 3]], dtype=float)
        tables, columns = fit(codes, np.array([0, 0, 1, 1]))
        np.testing.assert_allclose(
            eager_instance_weights(tables, columns),
            [2 * 3 / 4 + 3 * 1 / 4, 2 * 3 / 4 + 3 * 2 / 4, 2 * 1 / 4 + 3 * 2 / 4,
             2 * 3 / 4 + 3 * 1 / 4])

    def test_missing_values_are_average(self):
        codes, y = random_problem(4)
        codes = codes[:, :1]
        weights = eager_instance_weights(*fit(codes, y))
        known = ~np.isnan(codes[:, 0])
        assert not known.all()
        np.testing.assert_allclose(weights[~known], weights[known].mean())

    def test_weights_are_1_when_no_values_are_known(self):
        tables, columns = fit(np.full((3, 2), nan), np.array([0, 1, 1]))
        np.testing.assert_array_equal(eager_instance_weights(tables, columns), 1)


class TestLazy:
    def queries(self, codes):
        return np.vstack((codes[:15], [nan] * 5, [9] * 5, [0, nan, 9, 1, 2]))

    @pytest.mark.parametrize("block_counts", [1, 2 ** 20])
    @pytest.mark.parametrize("weighted", [False, True])
    def test_probabilities_agree_with_plain_loops(
            self, block_counts, weighted, monkeypatch):
        monkeypatch.setattr(aiwnb, "BLOCK_COUNTS", block_counts)
        codes, y = random_problem(6)
        rng = np.random.default_rng(6)
        weight = rng.integers(3, size=len(y)) if weighted else np.ones(len(y))
        attribute_weight = rng.random(5)
        tables, columns = fit(codes, y, 4, weight)
        model = lazy_model(tables, columns, y, attribute_weight, weight)
        queries = self.queries(codes)
        expected = [literal_lazy(codes, y, 4, query, attribute_weight, weight)
                    for query in queries]
        np.testing.assert_allclose(
            np.exp(model.log_posterior(queries)), expected, rtol=1e-10)

    def test_posterior_is_empty_when_there_are_no_queries(self):
        codes, y = random_problem()
        model = lazy_model(*fit(codes, y), y, np.ones(5))
        assert model.log_posterior(codes[:0]).shape == (0, 3)


def test_interpreted_page_agrees_with_the_compiled_page(monkeypatch):
    codes, y = random_problem(8, n_rows=30)
    expected = weights_of(codes, y)
    predicted = lazy_model(*fit(codes, y), y, expected).log_posterior(codes)
    page = interpreted(_aiwnb)
    for name in ("compare", "mutual_informations"):
        monkeypatch.setattr(aiwnb, name, getattr(page, name))
    np.testing.assert_allclose(weights_of(codes, y), expected)
    np.testing.assert_allclose(
        lazy_model(*fit(codes, y), y, expected).log_posterior(codes), predicted)


def test_more_rows_than_can_be_numbered_raise():
    tables = fit_tables(np.zeros((1, 1)), np.zeros(1, dtype=int), 1)
    zeros = np.broadcast_to(np.int32(0), 2 ** 31)  # takes no memory
    with pytest.raises(ValueError, match="AIWNB reads at most"):
        attribute_weights(tables, zeros[:, None], zeros, zeros)
