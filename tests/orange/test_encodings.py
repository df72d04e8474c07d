"""Intervals as numbers, and variables that are treated in a way of their own."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.sadd.core.intervals.evidence import weight_of_evidence
from orangecontrib.sadd.scripting import preprocessors
from orangecontrib.sadd.scripting.cutting import find_cuts
from orangecontrib.sadd.scripting.encodings import encode_intervals
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize


@pytest.fixture(name="heart", scope="module")
def fixture_heart():
    return Table("heart_disease")


@pytest.fixture(name="intervals", scope="module")
def fixture_intervals(heart):
    return SADDDiscretize()(heart)


def test_indicators_are_zeros_and_ones_of_each_value(intervals):
    table = encode_intervals(intervals, "onehot")
    columns = iter(table.X.T)
    for var in intervals.domain.attributes:
        codes = intervals.get_column(var)
        for index, _ in enumerate(var.values):
            np.testing.assert_array_equal(next(columns), codes == index)
    assert next(columns, None) is None
    assert table.domain.attributes[0].name == \
        f"age={intervals.domain['age'].values[0]}"
    np.testing.assert_array_equal(table.ids, intervals.ids)


@pytest.mark.parametrize("name", ["heart_disease", "iris"])
def test_evidence_is_that_of_the_counts(name):
    intervals = SADDDiscretize()(Table(name))
    table = encode_intervals(intervals, "evidence")
    classes = intervals.domain.class_var.values
    shown = range(len(classes))[1 if len(classes) == 2 else 0:]
    assert len(table.domain.attributes) == len(shown) * len(intervals.domain.attributes)
    var = intervals.domain.attributes[0]
    counts = np.zeros((len(classes), len(var.values)))
    np.add.at(counts, (intervals.Y.astype(int),
                       intervals.get_column(var).astype(int)), 1)
    for index in shown:
        column = table.get_column(f"{var.name}: {classes[index]}")
        expected = weight_of_evidence(counts)[0][index]
        np.testing.assert_allclose(
            column, expected[intervals.get_column(var).astype(int)])


@pytest.mark.parametrize("encode", ["onehot", "evidence"])
def test_missing_values_are_zero(heart, encode):
    data = heart.copy()
    with data.unlocked():
        data.X[0] = np.nan
    row = SADDDiscretize(encode=encode)(data).X[0]
    assert not row.any()


@pytest.mark.parametrize("encode", ["onehot", "evidence"])
def test_encodings_of_training_rows_are_kept_for_others(heart, encode):
    preprocessor = SADDDiscretize(encode=encode)
    train = preprocessor(heart[:200])
    new = heart[200:].transform(train.domain)
    assert not np.isnan(new.X).any()
    shuffled = heart[200:].copy()
    with shuffled.unlocked():
        shuffled.Y[:] = 1 - shuffled.Y
    np.testing.assert_array_equal(shuffled.transform(train.domain).X, new.X)
    # Equal runs give equal domains, before and after pickling
    assert preprocessor(heart[:200]).domain == train.domain
    assert hash(preprocessor(heart[:200]).domain) == hash(train.domain)
    assert pickle.loads(pickle.dumps(train.domain)) == train.domain
    assert deepcopy(preprocessor)(heart[:200]).domain == train.domain


def test_odd_data_are_encoded():
    iris = Table("iris")
    without_class = iris.transform(Domain(iris.domain.attributes))
    for data in (iris[:0], iris[:50], without_class, iris[:1]):
        for encode in ("onehot", "evidence"):
            table = SADDDiscretize(method="EW", encode=encode)(data)
            assert len(table) == len(data)
            assert all(var.is_continuous for var in table.domain.attributes)


@pytest.mark.parametrize("encode", ["onehot", "evidence"])
def test_names_of_columns_are_unique(encode):
    values, class_var = DiscreteVariable("a", ("b", "b: c")), DiscreteVariable(
        "y", ("c", "d"))
    others = [DiscreteVariable("a=b", ("x",)), DiscreteVariable("a: b", ("c",))]
    metas = [ContinuousVariable("a=b: c"), ContinuousVariable("a: c")]
    table = encode_intervals(Table.from_numpy(
        Domain([values, *others], class_var, metas), np.zeros((2, 3)), np.arange(2.),
        np.zeros((2, 2))), encode)
    names = [var.name for var in (*table.domain.variables, *table.domain.metas)]
    assert len(set(names)) == len(names)


def test_unknown_encoding_is_rejected():
    with pytest.raises(ValueError, match="'encode' parameter.* must be.*'interval'"):
        SADDDiscretize(encode="dummies")


def test_treatments_that_are_not_in_the_data_are_ignored(heart):
    treated = SADDDiscretize(treatments=[
        ["none such", "continuous", [1.]], ["age", "time", "remove"]])
    assert treated(heart).domain == SADDDiscretize()(heart).domain


def test_treatments_with_other_encodings(heart):
    treated = SADDDiscretize(encode="onehot", treatments=[
        ["age", "continuous", "numeric"], ["max HR", "continuous", [150.]],
        ["cholesterol", "continuous", "remove"]])(heart)
    names = [var.name for var in treated.domain.attributes]
    assert "age" in names and "max HR=< 150" in names
    assert not any(name.startswith("cholesterol") for name in names)
    np.testing.assert_array_equal(treated.get_column("age"), heart.get_column("age"))


class TestTreatments:
    def test_constant_variables_are_removed_beside_exempt_ones(self):
        """Exempt variables have no cuts, but they are not constant."""
        data = Table("iris").copy()
        with data.unlocked():
            data.X[:, 0] = 3
        treated = SADDDiscretize(treatments=[
            [name, "continuous", "numeric"]
            for name in ("sepal width", "petal length", "petal width")])(data)
        assert [var.name for var in treated.domain.attributes] == [
            "sepal width", "petal length", "petal width"]

    def test_the_last_variable_is_not_removed(self):
        data = Table("iris").copy()
        with data.unlocked():
            data.X[:, 0] = 3
        treated = SADDDiscretize(treatments=[
            [name, "continuous", "remove"]
            for name in ("sepal width", "petal length", "petal width")])(data)
        assert [var.name for var in treated.domain.attributes] == ["sepal length"]

    def test_a_method_of_several_variables_searches_once(self, monkeypatch):
        calls = []

        def find(rows, estimator, *args, **others):
            calls.append(estimator.short_name)
            return find_cuts(rows, estimator, *args, **others)

        monkeypatch.setattr(preprocessors, "find_cuts", find)
        iris = Table("iris")
        treated = SADDDiscretize(treatments=[
            [var.name, "continuous", method] for var, method in zip(
                iris.domain.attributes, ("EW", "MDLP", "EW", "EW"), strict=True)])(iris)
        assert sorted(calls) == ["EW", "MDLP", "SADD"]
        assert [len(var.values) for var in treated.domain.attributes] == [10, 3, 10, 10]
