"""Orange tables as arrays."""

import numpy as np
import pytest
import scipy.sparse as sp
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    Table,
    TimeVariable,
)
from Orange.preprocess import Normalize
from Orange.preprocess.transformation import Identity

from orangecontrib.sadd.core.validation import dense
from orangecontrib.sadd.scripting.tables import (
    match_columns,
    row_weights,
    rows_of,
)
from tests.orange.data import replace

IRIS = Table("iris")
HEART = Table("heart_disease")
RAMP = np.linspace(0.25, 1, 150)


class TestRead:
    def test_numbers_codes_and_missing_values(self):
        rows = rows_of(HEART)
        np.testing.assert_array_equal(rows.X, HEART.X)
        np.testing.assert_array_equal(rows.given, HEART.Y)
        assert rows.categorical.tolist() == [
            var.is_discrete for var in HEART.domain.attributes]
        assert np.isnan(rows.X).sum() == np.isnan(HEART.X).sum() > 0
        assert (rows.weights == 1).all()
        assert (rows.n_data, rows.n_pool, rows.n_known) == (303, 0, 0)

    @pytest.mark.filterwarnings("ignore:Array contains infinity")
    @pytest.mark.parametrize("given, expected", [
        (np.arange(150.0), np.arange(150.0)),
        (np.tile([-1, np.nan, np.inf], 50), np.zeros(150)),
        (RAMP * 1e300, RAMP / RAMP.mean()), (RAMP * 1e-300, RAMP / RAMP.mean())],
        ids=["whole", "not weights", "huge", "tiny"])
    def test_weights_are_scaled_and_never_negative(self, given, expected):
        data = replace(IRIS, W=given)
        np.testing.assert_allclose(row_weights(data), expected)
        np.testing.assert_array_equal(rows_of(data).used, expected > 0)

    @pytest.mark.parametrize("sparse", [sp.csr_matrix, sp.csc_matrix])
    def test_sparse(self, sparse):
        data = IRIS.to_sparse()
        with data.unlocked():
            data.X = sparse(data.X)
        rows = rows_of(data, data[:0])
        assert rows.X.format == "csc"
        np.testing.assert_array_equal(dense(rows.X), IRIS.X)


class TestPool:
    def test_rows_with_known_ids_are_left_out(self):
        rows = rows_of(IRIS[::3], IRIS)
        assert (rows.n_data, rows.n_pool, rows.n_known) == (50, 100, 50)
        np.testing.assert_array_equal(rows.X[:50], IRIS.X[::3])
        np.testing.assert_array_equal(
            rows.X[50:], IRIS.X[np.arange(150) % 3 > 0])

    def test_weights_of_either(self):
        weighted = replace(IRIS, W=np.full(150, 2.0), ids=np.arange(150) - 1000)
        assert rows_of(weighted, IRIS).weights.tolist() == [2] * 150 + [1] * 150
        assert rows_of(IRIS, weighted).weights.tolist() == [1] * 150 + [2] * 150

    def test_sparse_and_dense(self):
        others = replace(IRIS, ids=np.arange(150) - 1000)
        expected = np.concatenate((IRIS.X, IRIS.X))
        for data, pool in ((IRIS.to_sparse(), others), (IRIS, others.to_sparse())):
            np.testing.assert_array_equal(dense(rows_of(data, pool).X), expected)


class TestMatching:
    def test_order_and_place_do_not_matter(self):
        attributes = IRIS.domain.attributes
        table = IRIS.transform(Domain(attributes[2:], attributes[0], attributes[1:2]))
        X, missing = match_columns(table, attributes)
        np.testing.assert_array_equal(X, IRIS.X)
        assert missing == ()

    def test_type_must_be_the_same(self):
        x, category, time = (
            ContinuousVariable("x"), DiscreteVariable("x", "ab"), TimeVariable("x"))
        table = Table.from_numpy(Domain([x]), np.ones((3, 1)))
        assert match_columns(table, [ContinuousVariable("x")])[1] == ()
        for var in (category, time):
            X, missing = match_columns(table, [var])
            assert missing == (var,)
            assert np.isnan(X).all()

    def test_values_are_matched_by_name(self):
        theirs = DiscreteVariable("x", ("c", "d", "a"))
        table = Table.from_numpy(Domain([theirs]), np.array([[0], [1], [2], [np.nan]]))
        for source in (None, Identity(DiscreteVariable("z", ("a", "b", "c")))):
            ours = DiscreteVariable("x", ("a", "b", "c"), compute_value=source)
            X, missing = match_columns(table, [ours])
            np.testing.assert_array_equal(X[:, 0], [2, np.nan, 0, np.nan])
            assert missing == ()

    @pytest.mark.parametrize("data", [
        Normalize()(IRIS), IRIS.transform(Domain(
            [var.renamed(f"my {var.name}") for var in IRIS.domain.attributes]))])
    def test_columns_are_computed_from_the_pool(self, data):
        X, missing = match_columns(IRIS[:10], data.domain.attributes)
        np.testing.assert_allclose(X, data.X[:10])
        assert missing == ()

    def test_equal_names_serve_where_nothing_can_be_computed(self):
        source = [ContinuousVariable(f"of another {i}") for i in range(4)]
        ours = [ContinuousVariable(var.name, compute_value=Identity(other))
                for var, other in zip(IRIS.domain.attributes, source, strict=True)]
        X, missing = match_columns(IRIS, ours)
        np.testing.assert_array_equal(X, IRIS.X)
        assert missing == ()
        X, missing = match_columns(IRIS.to_sparse(), ours)
        np.testing.assert_array_equal(dense(X), IRIS.X)
