"""Cut points as JSON: round trips, and strict reading."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    CAIMDiscretizer,
    MDLPDiscretizer,
    SADDDiscretizer,
    make_discretizer,
)
from orangecontrib.sadd.core.intervals.cutsjson import SCHEMA

X, y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X.copy(), columns=["a", "b b", "ç", '"d"'])
FRAME.iloc[::9, 1] = np.nan
LABELS = np.array(["x", "y", "ż"])[y]


@pytest.mark.parametrize("name", DISCRETIZERS)
@pytest.mark.parametrize("missing", ["ignore", "interval"])
@pytest.mark.parametrize("encode", ["ordinal", "interval", "onehot"])
def test_round_trip(name, missing, encode):
    frame = FRAME.assign(colour=np.where(y > 1, "red", "blue"), flag=X[:, 0] > 5)
    method = make_discretizer(
        name, missing=missing, encode=encode, sparse_output=False,
        categorical_features="from_dtype").fit(frame, LABELS)
    again = type(method).from_json(method.to_json())
    new = frame.assign(a=np.linspace(-99, 99, 150), colour="grey")
    for rows in (frame, new):
        pd.testing.assert_frame_equal(
            pd.DataFrame(again.transform(rows)), pd.DataFrame(method.transform(rows)))
    encoded = method.transform(frame)
    pd.testing.assert_frame_equal(
        pd.DataFrame(again.inverse_transform(encoded)),
        pd.DataFrame(method.inverse_transform(encoded)))
    pd.testing.assert_frame_equal(again.interval_table(), method.interval_table())
    assert again.get_feature_names_out().tolist() == \
        method.get_feature_names_out().tolist()
    assert again.get_params() == method.get_params()
    assert again.to_json() == method.to_json()
    np.testing.assert_array_equal(again.n_intervals_, method.n_intervals_)


def test_infinite_cuts_and_values():
    values = np.array([-np.inf] * 9 + [0.] * 9 + [np.inf] * 9)[:, None]
    method = MDLPDiscretizer().fit(values, np.repeat([0, 1, 2], 9))
    text = method.to_json()
    assert "Infinity" not in text and "NaN" not in text
    again = MDLPDiscretizer.from_json(text)
    np.testing.assert_array_equal(again.transform(values), method.transform(values))


def test_odd_columns():
    odd = np.column_stack((np.full(150, np.nan), np.ones(150), X[:, 0] * 1e300))
    for labels in (y, y.astype(float), y.astype(bool), y.astype(str)):
        method = MDLPDiscretizer().fit(odd, labels)
        again = MDLPDiscretizer.from_json(method.to_json())
        np.testing.assert_array_equal(again.transform(odd), method.transform(odd))
        pd.testing.assert_frame_equal(again.interval_table(), method.interval_table())


def test_labels_that_json_does_not_know():
    method = MDLPDiscretizer().fit(X, y.astype("datetime64[D]"))
    again = MDLPDiscretizer.from_json(method.to_json())
    np.testing.assert_array_equal(again.transform(X), method.transform(X))
    with pytest.raises(ValueError, match="without counts"):
        again.interval_table()


def test_parameters_that_are_objects_are_left_out():
    labels = y.copy()
    labels[::2] = -1
    method = SADDDiscretizer(labeller=GaussianNB(), n0=50, k=[1, 3]).fit(X, labels)
    again = SADDDiscretizer.from_json(method.to_json())
    assert again.n0 == 50 and again.labeller == "neighbours" and again.k == "auto"
    np.testing.assert_array_equal(again.transform(X), method.transform(X))


def content():
    return json.loads(MDLPDiscretizer().fit(FRAME, LABELS).to_json())


def refused(changed, message):
    with pytest.raises(ValueError, match=message):
        MDLPDiscretizer.from_json(json.dumps(changed))


def test_numbers_of_numpy_are_numbers():
    method = SADDDiscretizer(k=np.int64(3), n0=np.float32(50), standardize=np.bool_(0))
    again = SADDDiscretizer.from_json(method.fit(X, y).to_json())
    assert (again.k, again.n0, again.standardize) == (3, 50, False)


@pytest.mark.parametrize("category", [pd.Timestamp("2020-01-01"), np.inf])
def test_categories_that_json_does_not_know(category):
    frame = FRAME.assign(odd=[category] * 150)
    method = MDLPDiscretizer(categorical_features=["odd"]).fit(frame, y)
    with pytest.raises(ValueError, match=r"^JSON cannot hold the category .*\.$"):
        method.to_json()


class TestStrict:
    @pytest.mark.parametrize(["old", "new", "message"], [
        ('"cuts"', '"cuts": [1], "cuts"', "'cuts' is there twice"),
        ('"variables"', '"variables": [], "variables"', "'variables' is there twice"),
        ('"encode"', '"encode": 1, "encode"', "'encode' is there twice"),
        ('"parameters"', '"remark": 1, "parameters"', "unknown, 'remark'"),
        ('"cuts"', '"mising": true, "cuts"', "unknown, 'mising': entry 1"),
        ('"parameters"', '"target": NaN, "parameters"', "missing or infinite"),
        ('"parameters"', '"target": [1e999], "parameters"', "missing or infinite"),
        ('"version": 1', '"version": "1"', "of version '1'"),
    ])
    def test_of_the_text(self, old, new, message):
        text = MDLPDiscretizer().fit(FRAME, LABELS).to_json()
        assert old in text
        with pytest.raises(ValueError, match=rf"^The text .*{message}.*\.$"):
            MDLPDiscretizer.from_json(text.replace(old, new, 1))

    def test_another_method(self):
        with pytest.raises(ValueError, match="those of MDLP, and CAIMDiscretizer"):
            CAIMDiscretizer.from_json(json.dumps(content()))

    @pytest.mark.parametrize("text", ["", "[", "null", "3", "{}", "[" * 100_000])
    def test_other_texts(self, text):
        with pytest.raises(ValueError, match=r"^The text is not .*\.$"):
            MDLPDiscretizer.from_json(text)

    @pytest.mark.parametrize(["key", "value", "message"], [
        ("format", "other", "is not a file of cut points"),
        ("version", 2, "is of version 2 of the format"),
        ("version", True, "is of version True"),
        ("variables", None, "has no list of variables"),
        ("method", 3, "something else for 'method'"),
        ("parameters", [], "something else for 'parameters'"),
        ("parameters", {"min_samples": -1}, "min_samples"),
        ("named", 1, "something else for 'named'"),
        ("classes", ["x", "x", "y"], "something else for 'classes'"),
        ("classes", ["x", 3, "y"], "something else for 'classes'"),
        ("classes", ["x", "y"], "without counts"),
    ])
    def test_of_the_whole(self, key, value, message):
        refused({**content(), key: value}, message)

    @pytest.mark.parametrize(["key", "value", "message"], [
        ("cuts", [2, 1], "increasing"), ("cuts", [True], "numbers"),
        ("cuts", ["1"], "numbers"), ("cuts", [math.nan], "numbers"),
        ("cuts", [1], "names"), ("cuts", [10 ** 400], "numbers"),
        ("name", 3, "a name"), ("type", "text", "a type"),
        ("type", "categorical", "categories"), ("categories", ["a"], "categories"),
        ("missing", 1, "true or false"), ("missing", True, "names"),
        ("range", [1], "a range"), ("range", [2, 1], "a range"),
        ("range", [0, math.inf], "a range"), ("information", "1", "information"),
        ("intervals", ["a", "a", "b"], "names"), ("counts", [[1]], "counts"),
        ("counts", [[-1, 1, 1]] * 3, "counts"),
        ("missing_counts", [0, 0], "missing values"),
    ])
    def test_of_a_variable(self, key, value, message):
        changed = content()
        changed["variables"][2][key] = value
        refused(changed, f"entry 3|{message}")
        refused(changed, message)

    def test_twice(self):
        changed = content()
        changed["variables"].append(changed["variables"][0])
        refused(changed, "has the variable a twice")

    def test_missing_in_some_only(self):
        changed = content()
        changed["variables"][0] |= {"missing": True, "intervals": None}
        refused(changed, "of all variables or of none: entry 2")

    def test_nothing_is_executed(self, capsys):
        changed = content()
        changed["parameters"]["labeller"] = "__import__('os').system('echo no')"
        changed["variables"][0]["name"] = "print('no')"
        MDLPDiscretizer.from_json(json.dumps(changed))
        assert capsys.readouterr().out == ""


def test_the_schema_names_all_that_is_written():
    frame = FRAME.assign(colour=np.where(y > 1, "red", "blue"))
    written = json.loads(MDLPDiscretizer(
        categorical_features="from_dtype", missing="interval").fit(
            frame, LABELS).to_json())
    by_command = {"target", "labelled_rows", "unlabelled_rows", "neighbours"}
    assert set(written) | by_command == set(SCHEMA["properties"])
    assert not set(written) & by_command
    properties = SCHEMA["properties"]["variables"]["items"]["properties"]
    assert set().union(*written["variables"]) == set(properties)
    for entry in written["variables"]:
        assert set(SCHEMA["properties"]["variables"]["items"]["required"]) <= set(entry)
