"""AIWNB: attribute weights, eager and lazy weights of rows, against plain loops."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from orangecontrib.sadd.core.bayes import aiwnb
from orangecontrib.sadd.core.bayes.aiwnb import (
    LazyCounts,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.bayes.model import BayesModel
from orangecontrib.sadd.core.bayes.tables import fit_tables
from tests.core.work import work_of

nan = np.nan


def random_problem(seed=0, n_rows=80, n_attributes=5, n_classes=3, missing=0.15):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    y[:n_classes] = np.arange(n_classes)
    codes = rng.integers(3, size=(n_rows, n_attributes)) + y[:, None] % 2
    codes[:, 1] = codes[:, 0] + rng.integers(2, size=n_rows)
    codes = codes.astype(float)
    codes[rng.random(codes.shape) < missing] = nan
    return codes, y


def fit(codes, y, n_classes=None, weight=None):
    tables = fit_tables(codes, y, n_classes or int(y.max()) + 1, weight)
    return tables, tables.encode(codes)


def lazy_model(tables, columns, y, weights, sample_weight=None, **limits):
    return BayesModel(tables, weights, lazy=LazyCounts(
        tables, columns, y, sample_weight, **limits))


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
    @pytest.mark.parametrize("missing", [0, 0.3])
    @pytest.mark.parametrize("pair_bytes", [0, 3000, 2 ** 20])
    def test_against_literal_definition(self, missing, pair_bytes):
        codes, y = random_problem(1, missing=missing)
        tables, columns = fit(codes, y)
        np.testing.assert_allclose(
            attribute_weights(tables, columns, pair_bytes=pair_bytes),
            literal_attribute_weights(codes, y), rtol=1e-10)

    @pytest.mark.parametrize("ratio", [0, np.inf])
    def test_dense_and_sparse_products(self, ratio, monkeypatch):
        monkeypatch.setattr(aiwnb, "DENSE_RATIO", ratio)
        monkeypatch.setattr(aiwnb, "BLOCK_BYTES", 1000)
        self.test_against_literal_definition(0.1, 3000)
        self.test_against_literal_definition(0.1, 2 ** 20)

    def test_weight_two_is_the_row_twice(self):
        codes, y = random_problem(2)
        weight = np.random.default_rng(2).integers(3, size=len(y))
        tables, columns = fit(codes, y, weight=weight)
        np.testing.assert_allclose(
            attribute_weights(tables, columns, weight),
            literal_attribute_weights(np.repeat(codes, weight, axis=0),
                                      np.repeat(y, weight)), rtol=1e-10)

    def test_one_attribute(self):
        tables, columns = fit(np.array([[0.], [1.]]), np.array([0, 1]))
        np.testing.assert_allclose(attribute_weights(tables, columns),
                                   1 / (1 + np.exp(-1)))

    def test_one_attribute_that_tells_nothing(self):
        tables, columns = fit(np.array([[0.], [0.]]), np.array([0, 1]))
        np.testing.assert_array_equal(attribute_weights(tables, columns), 0.5)

    def test_no_information_at_all(self):
        """0 / 0 in the authors' code: one interval for each attribute."""
        tables, columns = fit(np.zeros((9, 3)), np.arange(9) % 2)
        np.testing.assert_array_equal(attribute_weights(tables, columns), [0.5] * 3)

    def test_one_attribute_of_several_is_informative(self):
        """No information about each other: on Bupa the authors' code gives NaN."""
        codes = np.zeros((10, 3))
        codes[::2, 1] = 1
        tables, columns = fit(codes, np.arange(10) % 2)
        np.testing.assert_allclose(attribute_weights(tables, columns),
                                   [0.5, 1 / (1 + np.exp(-3)), 0.5])

    def test_independent_attributes(self):
        """Rounding errors of 0 are not information to be normalized."""
        codes = np.array([[a, b, c] for a in range(3) for b in range(3)
                          for c in range(3)], dtype=float)
        tables, columns = fit(codes, codes[:, 0].astype(int))
        np.testing.assert_allclose(attribute_weights(tables, columns),
                                   [1 / (1 + np.exp(-3)), 0.5, 0.5])

    def test_attribute_without_known_values(self):
        codes, y = random_problem(3)
        codes[:, 2] = nan
        tables, columns = fit(codes, y)
        np.testing.assert_allclose(attribute_weights(tables, columns),
                                   literal_attribute_weights(codes, y))


class TestEager:
    def test_by_hand(self):
        codes = np.array([[0, 1], [0, 2], [1, 2], [0, 3]], dtype=float)
        tables, columns = fit(codes, np.array([0, 0, 1, 1]))
        np.testing.assert_allclose(
            eager_instance_weights(tables, columns),
            [2 * 3 / 4 + 3 * 1 / 4, 2 * 3 / 4 + 3 * 2 / 4, 2 * 1 / 4 + 3 * 2 / 4,
             2 * 3 / 4 + 3 * 1 / 4])

    def test_missing_values_are_average(self):
        codes, y = random_problem(4, missing=0)
        codes[5:8, 1] = nan
        tables, columns = fit(codes, y)
        # one attribute at a time, the other ones being missing everywhere
        for j in range(codes.shape[1]):
            alone, own = fit(codes[:, [j]], y)
            weights = eager_instance_weights(alone, own)
            known = ~np.isnan(codes[:, j])
            np.testing.assert_allclose(weights[~known], weights[known].mean())
        assert np.all(eager_instance_weights(tables, columns) > 0)

    def test_weight_two_is_the_row_twice(self):
        codes, y = random_problem(5)
        weight = np.random.default_rng(5).integers(3, size=len(y))
        repeated = eager_instance_weights(
            *fit(np.repeat(codes, weight, axis=0), np.repeat(y, weight)))
        weights = eager_instance_weights(*fit(codes, y, weight=weight))
        np.testing.assert_allclose(np.repeat(weights, weight), repeated)

    def test_no_known_values(self):
        tables, columns = fit(np.full((3, 2), nan), np.array([0, 1, 1]))
        np.testing.assert_array_equal(eager_instance_weights(tables, columns), 1)


class TestLazy:
    def queries(self, codes):
        return np.vstack((codes[:15], [nan] * 5, [9] * 5, [0, nan, 9, 1, 2]))

    @pytest.mark.parametrize("pair_bytes", [0, 2 ** 20])
    @pytest.mark.parametrize("block_bytes", [1, 2 ** 20])
    @pytest.mark.parametrize("weighted", [False, True])
    def test_against_plain_loops(self, pair_bytes, block_bytes, weighted):
        codes, y = random_problem(6)
        rng = np.random.default_rng(6)
        weight = rng.integers(3, size=len(y)) if weighted else np.ones(len(y))
        attribute_weight = rng.random(5)
        tables, columns = fit(codes, y, 4, weight)
        model = lazy_model(tables, columns, y, attribute_weight, weight,
                           pair_bytes=pair_bytes, block_bytes=block_bytes)
        queries = self.queries(codes)
        expected = [literal_lazy(codes, y, 4, query, attribute_weight, weight)
                    for query in queries]
        np.testing.assert_allclose(
            np.exp(model.log_posterior(queries)), expected, rtol=1e-10)

    def test_weight_two_is_the_row_twice(self):
        codes, y = random_problem(7)
        weight = np.random.default_rng(7).integers(3, size=len(y))
        tables, columns = fit(codes, y, weight=weight)
        one = lazy_model(tables, columns, y, np.ones(5), weight)
        codes_, y_ = np.repeat(codes, weight, axis=0), np.repeat(y, weight)
        other = lazy_model(*fit(codes_, y_, 3), y_, np.ones(5))
        np.testing.assert_allclose(one.log_posterior(codes), other.log_posterior(codes),
                                   rtol=1e-10)

    def test_no_queries(self):
        codes, y = random_problem()
        model = lazy_model(*fit(codes, y), y, np.ones(5))
        assert model.log_posterior(codes[:0]).shape == (0, 3)

    def test_many_attributes_do_not_underflow(self):
        rng = np.random.default_rng(0)
        codes = rng.integers(9, size=(50, 1500)).astype(float)
        y = np.arange(50) % 3
        model = lazy_model(*fit(codes, y), y, np.ones(1500))
        log_posterior = model.log_posterior(codes)
        assert np.all(np.isfinite(log_posterior))
        np.testing.assert_allclose(np.exp(log_posterior).sum(axis=1), 1)

    def test_a_thousand_queries_against_ten_thousand_rows(self):
        """There is no loop over queries, and counts of pairs replace the rows."""
        rng = np.random.default_rng(0)
        codes = rng.integers(8, size=(10_000, 20)).astype(float)
        y = rng.integers(5, size=10_000)
        for pair_bytes, most_cells in ((0, 20 * 10_000), (aiwnb.PAIR_BYTES, 10_000)):
            model = lazy_model(*fit(codes, y), y, np.ones(20), pair_bytes=pair_bytes)
            few, many = (work_of(lambda n=n, model=model: model.log_posterior(
                codes[:n])) for n in (100, 1000))
            assert many[0] < 2 * few[0]
            assert many[1] < 1000 * most_cells
