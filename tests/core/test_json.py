"""Cut points as JSON: round trips, and strict reading."""

import json
import math
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    CAIMDiscretizer,
    MDLPDiscretizer,
    SADDDiscretizer,
    make_discretizer,
)
from orangecontrib.sadd.core.cuts import Cuts

X, y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X.copy(), columns=["a", "b b", "ç", '"d"'])
FRAME.iloc[::9, 1] = np.nan
LABELS = np.array(["x", "y", "ż"])[y]


def check_round_trip(method, frame):
    """Check that a fitted method that was written and read is the same."""
    text = method.to_json()
    again = type(method).from_json(text)
    assert again.to_json() == text
    encoded = method.transform(frame)
    pd.testing.assert_frame_equal(
        pd.DataFrame(again.transform(frame)), pd.DataFrame(encoded))
    pd.testing.assert_frame_equal(
        pd.DataFrame(again.inverse_transform(encoded)),
        pd.DataFrame(method.inverse_transform(encoded)))
    pd.testing.assert_frame_equal(  # JSON has one type of numbers
        again.interval_table(), method.interval_table(), check_dtype=False)
    assert again.get_params() == method.get_params()
    assert again.classes_.tolist() == method.classes_.tolist()
    for attribute in ("n_intervals_", "missing_counts_", "ranges_",
                      "mutual_information_", "categorical_features_"):
        np.testing.assert_array_equal(
            getattr(again, attribute), getattr(method, attribute), attribute)
    return again


@pytest.mark.parametrize("name", DISCRETIZERS)
@pytest.mark.parametrize("missing", ["ignore", "interval"])
@pytest.mark.parametrize("encode", ["ordinal", "interval", "onehot"])
def test_round_trip(name, missing, encode):
    frame = FRAME.assign(colour=np.where(y > 1, "red", "blue"), flag=X[:, 0] > 5)
    method = make_discretizer(
        name, missing=missing, encode=encode, sparse_output=False,
        categorical_features="from_dtype").fit(frame, LABELS)
    again = check_round_trip(method, frame)
    new = frame.assign(a=np.linspace(-99, 99, 150), colour="grey")
    pd.testing.assert_frame_equal(
        pd.DataFrame(again.transform(new)), pd.DataFrame(method.transform(new)))
    assert again.get_feature_names_out().tolist() == \
        method.get_feature_names_out().tolist()


def test_without_names():
    again = check_round_trip(MDLPDiscretizer().fit(X, y), X)
    assert not hasattr(again, "feature_names_in_")
    with pytest.raises(ValueError, match="features"):
        again.transform(X[:, :2])


def test_interval_names_are_new_when_it_is_fitted_again():
    again = MDLPDiscretizer.from_json(MDLPDiscretizer().fit(X, y).to_json())
    again.fit(X * 2, y)
    assert again.interval_names() == MDLPDiscretizer().fit(X * 2, y).interval_names()
    clone(again)


@pytest.mark.parametrize("kind", [int, float, bool, str])
def test_round_trip_of_missing_constant_huge_and_infinite_columns(kind):
    odd = np.column_stack((np.full(150, np.nan), np.ones(150), X[:, 0] * 1e300,
                           np.array([-np.inf, 0, np.inf])[y]))
    method = MDLPDiscretizer().fit(odd, y.astype(kind))
    text = method.to_json()
    assert "Infinity" not in text and "NaN" not in text
    check_round_trip(method, odd)


@pytest.mark.parametrize("labels", [
    y.astype("datetime64[D]"), y.astype("S1"), np.array([True, 2, 3], dtype=object)[y],
    np.array([1, 10 ** 400, 10 ** 401], dtype=object)[y]])
def test_labels_that_json_cannot_hold_are_rejected(labels):
    method = MDLPDiscretizer().fit(X, labels)
    with pytest.raises(ValueError, match=r"^JSON cannot hold the label .*fit again\.$"):
        method.to_json()


def test_features_of_the_same_name_are_rejected():
    frame = FRAME.set_axis(["a", "b", "c", "a"], axis=1)
    with pytest.raises(Exception, match="same name|unique column names"):
        MDLPDiscretizer().fit(frame, y).to_json()  # scikit-learn 1.9 rejects it in fit


def test_missing_interval_is_kept_when_all_features_are_categorical():
    frame = pd.DataFrame({"a": np.where(y > 1, "red", None)})
    method = MDLPDiscretizer(
        missing="interval", categorical_features="from_dtype").fit(frame, y)
    assert MDLPDiscretizer.from_json(method.to_json()).missing == "interval"


@st.composite
def columns(draw, n_rows):
    """Draw a column of any type, with missing cells perhaps."""
    choose = st.one_of(
        st.sampled_from([0, 1, -1]), st.integers(), st.floats(allow_nan=False),
        st.text(max_size=3), st.booleans(), st.binary(max_size=2),
        st.datetimes(), st.decimals(allow_nan=False, allow_infinity=False))
    kinds = draw(st.lists(choose, min_size=1, max_size=4))
    if draw(st.booleans()):
        kinds = [kind for kind in kinds if type(kind) is type(kinds[0])]
    if draw(st.booleans()):
        kinds.append(None)
    cells = draw(st.lists(st.sampled_from(kinds), min_size=n_rows, max_size=n_rows))
    return pd.Series(cells, dtype=object)


@settings(max_examples=200)
@given(name=st.sampled_from(list(DISCRETIZERS)), random=st.data())
def test_round_trip_is_the_identity_or_rejected(name, random):
    n_rows = random.draw(st.integers(1, 12))
    frame = pd.DataFrame({
        column: random.draw(columns(n_rows))
        for column in random.draw(st.lists(st.text(max_size=2), min_size=1, max_size=3,
                                           unique=True))})
    numbers = np.arange(n_rows) % 4 + 0.5
    if random.draw(st.booleans()):
        frame = frame.assign(**{"a number": numbers})
    labels = random.draw(columns(n_rows))
    method = make_discretizer(
        name, categorical_features=[
            column for column in frame if column != "a number"],
        missing=random.draw(st.sampled_from(["ignore", "interval"])),
        encode=random.draw(st.sampled_from(["ordinal", "interval", "onehot"])),
        sparse_output=False)
    try:
        method.fit(frame, labels).to_json()
    except ValueError as error:
        assert str(error)
    else:
        check_round_trip(method, frame)


def test_parameters_that_are_objects_are_left_out():
    labels = y.copy()
    labels[::2] = -1
    method = SADDDiscretizer(labeller=GaussianNB(), n0=50, k=[1, 3]).fit(X, labels)
    again = SADDDiscretizer.from_json(method.to_json())
    assert again.n0 == 50 and again.labeller == "neighbours" and again.k == [1, 3]
    np.testing.assert_array_equal(again.transform(X), method.transform(X))


def content():
    return json.loads(MDLPDiscretizer().fit(FRAME, LABELS).to_json())


def rejected(changed, message):
    with pytest.raises(ValueError, match=message):
        MDLPDiscretizer.from_json(json.dumps(changed))


def test_numbers_of_numpy_are_numbers():
    method = SADDDiscretizer(k=np.int64(3), n0=np.float32(50), standardize=np.bool_(0))
    again = SADDDiscretizer.from_json(method.fit(X, y).to_json())
    assert (again.k, again.n0, again.standardize) == (3, 50, False)


@pytest.mark.parametrize("category", [pd.Timestamp("2020-01-01"), np.inf])
def test_categories_that_json_cannot_hold_are_rejected(category):
    frame = FRAME.assign(odd=[category] * 150)
    method = MDLPDiscretizer(categorical_features=["odd"]).fit(frame, y)
    with pytest.raises(ValueError, match=r"^JSON cannot hold the category .*\.$"):
        method.to_json()


class TestStrict:
    @pytest.mark.parametrize(["old", "new", "message"], [
        ('"parameters"', '"remark": 1, "parameters"', "unknown entry, 'remark'"),
        ('"cuts"', '"mising": true, "cuts"', "unknown entry, 'mising': entry 1"),
        ('"parameters"', '"target": NaN, "parameters"', "missing or infinite"),
        ('"parameters"', '"target": [1e999], "parameters"', "missing or infinite"),
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
        ("version", True, "is of version True"), ("version", "1", "of version '1'"),
        ("variables", None, "has no list of variables"),
        ("method", 3, "must have a text as 'method'"),
        ("parameters", [], "must have an object as 'parameters'"),
        ("parameters", {"min_samples": -1}, "min_samples"),
        ("named", 1, "must have true or false as 'named'"),
        ("classes", ["x", "x", "y"], "numbers as 'classes'"),
        ("classes", ["x", 3, "y"], "numbers as 'classes'"),
        ("classes", ["x", "y"], "without counts"),
    ])
    def test_of_the_whole(self, key, value, message):
        rejected({**content(), key: value}, message)

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
        rejected(changed, message)

    def test_variable_that_occurs_twice_is_rejected(self):
        changed = content()
        changed["variables"].append(changed["variables"][0])
        rejected(changed, "has the variable a twice")

    def test_missing_in_some_only(self):
        changed = content()
        changed["variables"][0] |= {"missing": True, "intervals": None}
        rejected(changed, "of all variables or of none")


# Values that a mutation puts in the place of others
VALUES = [None, True, 0, -1, 1.5, 1e308, 10 ** 400, "", "x", "inf", "missing", [], [0],
          [[1]], {}, {"name": "x"}]


def places_in(content):
    """Yield all containers of a JSON value, with the keys of their items."""
    keys = content if isinstance(content, dict) else range(len(content))
    for key in list(keys):
        yield content, key
        if isinstance(content[key], dict | list):
            yield from places_in(content[key])


def mutate(text, random):
    """Return a text with one or two changes of its content, or of its letters."""
    content = json.loads(text)
    for _ in range(random.integers(1, 3)):
        found = list(places_in(content))
        container, key = found[random.integers(len(found))]
        other, other_key = found[random.integers(len(found))]
        change = random.integers(5)
        if change == 0:
            del container[key]
        elif change == 1 and isinstance(container, list):
            container.insert(key, container[key])
        elif change == 2:
            container[key] = json.loads(json.dumps(other[other_key]))
        elif change == 3 and isinstance(container, list):
            container.reverse()
        else:
            container[key] = VALUES[random.integers(len(VALUES))]
    text = json.dumps(content)
    if random.random() < 0.2:
        place = random.integers(len(text))
        text = text[:place] + chr(random.integers(1, 300)) * random.integers(2) \
            + text[place + 1:]
    return text


def as_said(entry):
    """Return the entries of a variable that decide how it is applied."""
    return {name: entry.get(name) for name in (
        "name", "type", "cuts", "categories", "counts", "range") if entry.get(name)} | {
        "missing": entry.get("missing", False)}


@pytest.mark.parametrize("seed", range(4))
def test_mutated_text_is_rejected_or_read_as_it_says(seed, n_mutations):
    random, n_rejected = np.random.default_rng(seed), 0
    frame = FRAME.assign(text=np.where(y > 1, "red", "blue"))
    text = MDLPDiscretizer(
        missing="interval" if seed % 2 else "ignore",
        categorical_features="from_dtype").fit(frame, LABELS).to_json()
    for _ in range(n_mutations):
        mutated = mutate(text, random)
        try:
            cuts = Cuts.from_json(mutated)
        except ValueError as error:
            assert str(error).endswith(".")
            n_rejected += 1
            continue
        said = json.loads(mutated)
        again = json.loads(cuts.to_json())
        assert list(map(as_said, again["variables"])) == list(
            map(as_said, said["variables"]))
        codes = cuts.codes(np.zeros((2, len(cuts))))
        assert all(codes[0, feature] < len(names)
                   for feature, names in enumerate(cuts.names) if names)
    assert 0 < n_rejected < n_mutations


@pytest.fixture
def n_mutations():
    return int(os.environ.get("SADD_MUTATIONS", 60))
