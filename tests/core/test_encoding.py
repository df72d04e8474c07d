"""Encodings of `transform`, missing values as an interval, and the way back."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    RNBClassifier,
    make_discretizer,
)
from orangecontrib.sadd.core.intervals.encoding import interval_names, middles
from tests.core.checks import run_checks, same_cuts

IRIS, y = load_iris(return_X_y=True, as_frame=True)
IRIS.columns = ["sepal length", "sepal width", "petal length", "petal width"]
HOLES = IRIS.copy()
HOLES.iloc[::7, 2] = np.nan
ENCODINGS = ["ordinal", "interval", "onehot"]


@pytest.mark.parametrize("missing", ["ignore", "interval"])
@pytest.mark.parametrize("encode", ["ordinal", "onehot"])
@pytest.mark.parametrize("name", DISCRETIZERS)
def test_scikit_learn_checks(name, encode, missing):
    # Names are not numbers, which the checks compare. One check needs SCIPY_ARRAY_API
    # in the environment before scipy is imported.
    method = make_discretizer(name, encode=encode, missing=missing)
    assert run_checks(method) <= {"check_array_api_input"}


@pytest.mark.parametrize("name", DISCRETIZERS)
class TestEveryMethod:
    @pytest.mark.parametrize("missing", ["ignore", "interval"])
    @pytest.mark.parametrize("encode", ENCODINGS)
    def test_round_trip(self, name, encode, missing):
        method = make_discretizer(name, encode=encode, missing=missing).fit(HOLES, y)
        encoded = method.transform(HOLES)
        values = method.inverse_transform(encoded)
        assert values.shape == HOLES.shape and values.dtype == np.float64
        np.testing.assert_array_equal(np.isnan(values), np.isnan(HOLES))
        again = method.transform(pd.DataFrame(values, columns=HOLES.columns))
        if encode == "onehot":
            assert issparse(encoded)
            encoded, again = encoded.toarray(), again.toarray()
            assert (encoded.sum(axis=1) == 4 - np.isnan(HOLES).sum(axis=1) * (
                missing == "ignore")).all()
        pd.testing.assert_frame_equal(pd.DataFrame(again), pd.DataFrame(encoded))

    def test_missing_values_have_the_last_code_and_no_influence_on_cuts(self, name):
        plain = make_discretizer(name).fit(HOLES, y)
        method = make_discretizer(name, missing="interval").fit(HOLES, y)
        assert same_cuts(plain, method)
        np.testing.assert_array_equal(method.n_intervals_, plain.n_intervals_ + 1)
        codes = plain.transform(HOLES)
        np.testing.assert_array_equal(
            method.transform(HOLES),
            np.where(np.isnan(codes), plain.n_intervals_, codes))
        assert method.interval_names()[2][-1] == "missing"

    def test_counts_are_those_of_codes(self, name):
        weights = np.random.default_rng(0).integers(0, 3, len(HOLES))
        method = make_discretizer(name).fit(HOLES, y, weights)
        codes = method.transform(HOLES)
        for feature, counts in enumerate(method.counts_):
            for klass in range(3):
                own = weights * (y == klass)
                expected = [own[codes[:, feature] == code].sum()
                            for code in range(method.n_intervals_[feature])]
                assert counts[klass].tolist() == expected
                assert method.missing_counts_[feature, klass] \
                    == own[np.isnan(codes[:, feature])].sum()

    def test_ranges_are_of_finite_values(self, name):
        X = HOLES.to_numpy().copy()
        X[3], X[4] = np.inf, -np.inf
        found = make_discretizer(name).fit(X, y).ranges_
        X[3:5] = np.nan
        np.testing.assert_array_equal(
            found, np.transpose([np.nanmin(X, axis=0), np.nanmax(X, axis=0)]))


class TestLabels:
    method = MDLPDiscretizer(encode="interval").fit(HOLES, y)

    def test_names_are_strings(self):
        found = self.method.transform(HOLES)
        assert found.dtype == object
        assert found[1].tolist() == ["< 5.55", "2.95 - 3.35", "< 2.6", "< 0.8"]
        assert np.isnan(found[0, 2])

    def test_are_those_of_orange(self):
        from Orange.data import ContinuousVariable
        from Orange.preprocess.discretize import Discretizer

        for cuts, names in zip(
                [*self.method.cut_points_, np.array([]), np.array([1e-7, 12345678.])],
                [*self.method.interval_names(), interval_names([]),
                 interval_names([1e-7, 12345678.])], strict=True):
            theirs = Discretizer.create_discretized_var(
                ContinuousVariable("x"), cuts.tolist())
            assert names == theirs.values

    def test_pandas_categories(self):
        found = clone(self.method).set_output(transform="pandas").fit(
            HOLES, y).transform(HOLES)
        assert list(found.columns) == list(HOLES.columns)
        column = found["petal length"]
        assert column.cat.categories.tolist() == ["< 2.6", "2.6 - 4.75", "≥ 4.75"]
        assert column.cat.ordered and column.isna().sum() == 22

    @pytest.mark.parametrize("encode", ENCODINGS)
    def test_rows_keep_their_index(self, encode):
        rows = HOLES.set_index(np.arange(1000, 1150))[::2]
        method = MDLPDiscretizer(encode=encode, sparse_output=False).set_output(
            transform="pandas").fit(HOLES, y)
        assert method.transform(rows).index.equals(rows.index)
        part = list(HOLES.columns[:2])
        both = ColumnTransformer([("cut", clone(method), part)], remainder="passthrough"
                                 ).set_output(transform="pandas")
        assert both.fit_transform(rows, y[::2]).index.equals(rows.index)

    def test_polars_categories(self):
        rows = pl.DataFrame(HOLES.to_dict("list"))
        found = clone(self.method).set_output(transform="polars").fit(
            rows, y).transform(rows)
        assert found["petal length"].dtype == pl.Enum(["< 2.6", "2.6 - 4.75", "≥ 4.75"])
        assert found["petal length"].null_count() == 22
        np.testing.assert_array_equal(
            self.method.inverse_transform(found),
            self.method.inverse_transform(self.method.transform(HOLES)))

    def test_categories_keep_their_names(self):
        frame = HOLES.assign(colour=np.where(y == 0, "red", "blé"))
        method = MDLPDiscretizer(
            encode="interval", categorical_features="from_dtype").fit(frame, y)
        assert method.transform(frame)[0, 4] == "red"
        values = method.inverse_transform(method.transform(frame))
        assert values[-1, 4] == "blé" and values[0, 0] < 5.55

    def test_unknown_names_are_missing(self):
        assert np.isnan(self.method.inverse_transform([["no", None, "< 2.6", 7]])[0]
                        ).tolist() == [True, True, False, True]


class TestOneHot:
    method = MDLPDiscretizer(encode="onehot", sparse_output=False).fit(HOLES, y)

    def test_one_hot_names_have_feature_and_interval(self):
        names = self.method.get_feature_names_out()
        assert names[:2].tolist() == ["sepal length=< 5.55", "sepal length=5.55 - 6.15"]
        assert len(names) == self.method.n_intervals_.sum()
        with pytest.raises(ValueError):
            self.method.get_feature_names_out(["a", "b", "c", "d"])
        unnamed = clone(self.method).fit(HOLES.to_numpy(), y)
        assert unnamed.get_feature_names_out()[0] == "x0=< 5.55"
        assert unnamed.get_feature_names_out(["a", "b", "c", "d"])[0] == "a=< 5.55"

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_data_frames(self, library):
        found = clone(self.method).set_output(transform=library).fit(
            HOLES, y).transform(HOLES)
        assert list(found.columns) == self.method.get_feature_names_out().tolist()
        np.testing.assert_array_equal(found.to_numpy(), self.method.transform(HOLES))

    def test_columns_of_the_same_name_are_rejected(self):
        frame = pd.DataFrame({"a": ["b=c", "d"] * 5, "a=b": ["c", "e"] * 5})
        method = MDLPDiscretizer(
            encode="onehot", sparse_output=False, categorical_features="from_dtype")
        assert method.fit(frame, [0, 1] * 5).transform(frame).shape == (10, 4)
        for library in ("pandas", "polars"):
            with pytest.raises(ValueError, match="Rename a feature or a category"):
                method.set_output(transform=library).transform(frame)
        with pytest.raises(ValueError, match=r"would have the name 'a=b=c'"):
            method.get_feature_names_out()

    def test_a_sparse_frame_is_rejected(self):
        method = clone(self.method).set_params(sparse_output=True).set_output(
            transform="pandas")
        with pytest.raises(ValueError, match="sparse"):
            method.fit(HOLES, y).transform(HOLES)

class TestClassifiers:
    @pytest.mark.parametrize("encode", ENCODINGS)
    def test_any_encoding(self, encode):
        plain = RNBClassifier(MDLPDiscretizer()).fit(HOLES, y)
        found = RNBClassifier(MDLPDiscretizer(encode=encode)).fit(HOLES, y)
        np.testing.assert_array_equal(
            found.predict_proba(HOLES), plain.predict_proba(HOLES))

    def test_missing_values_have_probabilities(self):
        X = HOLES.copy()
        X.loc[y == 0, "petal length"] = np.nan
        model = NaiveBayesClassifier(MDLPDiscretizer(missing="interval")).fit(X, y)
        ignoring = NaiveBayesClassifier(MDLPDiscretizer()).fit(X, y)
        nothing = pd.DataFrame([[np.nan] * 4], columns=X.columns)
        np.testing.assert_allclose(ignoring.predict_proba(nothing), [[1 / 3] * 3])
        # (50 + 1/3) / 51 to (7 + 1/3) / 51, twice; three other features have no
        # information
        codes = model.discretizer_.transform(X)[:, 2]
        n_values = len(np.unique(codes))
        likelihood = (np.bincount(y[codes == codes.max()], minlength=3) + 1 / n_values
                      ) / 51
        np.testing.assert_allclose(
            model.predict_proba(nothing)[0], likelihood / likelihood.sum())


@given(arrays(np.float64, st.integers(0, 6), elements=st.floats(allow_nan=False),
              unique=True),
       st.floats(allow_nan=False, allow_infinity=False),
       st.floats(allow_nan=False, allow_infinity=False))
def test_middles_are_in_their_intervals(cuts, one, other):
    cuts = np.sort(cuts[cuts > -np.inf])
    values = middles(cuts, min(one, other), max(one, other))
    assert np.searchsorted(cuts, values, side="right").tolist() == list(
        range(len(cuts) + 1))


def test_middles_without_finite_values():
    assert np.isnan(middles(np.zeros(0), np.nan, np.nan)).all()
    assert middles(np.array([0.]), np.nan, np.nan).tolist() == [-5e-324, 0]


def test_wrong_shapes():
    method = MDLPDiscretizer().fit(HOLES, y)
    with pytest.raises(ValueError, match="has 4 columns"):
        method.inverse_transform(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="encode"):
        MDLPDiscretizer(encode="binary").fit(HOLES, y)
    with pytest.raises(ValueError, match="missing"):
        MDLPDiscretizer(missing="drop").fit(HOLES, y)


@pytest.mark.parametrize("features", ["from_dtype", ["b", "c", "d", "f"]])
def test_types_of_polars(features):
    frame = pl.DataFrame({
        "a": [1., 2, None, 4], "b": ["x", "y", None, "x"],
        "c": pl.Series(["u", "v", "u", None], dtype=pl.Categorical),
        "d": [True, False, None, True], "e": [1, 2, None, 3],
        "f": pl.Series(["u", "v", "u", None], dtype=pl.Enum(["v", "u"])),
        "g": pl.Series(["1.5", "2.5", None, "3.5"]).cast(pl.Decimal(scale=1))})
    method = MDLPDiscretizer(categorical_features=features).fit(frame, [0, 1, 0, 1])
    assert method.categorical_features_.tolist() == [
        False, True, True, True, False, True, False]
    assert np.isnan(method.transform(frame)[2]).tolist() == [
        True, True, False, True, True, False, True]
