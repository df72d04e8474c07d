"""Tables of intervals: counts, shares, weights of evidence, information value."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_breast_cancer, load_iris

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    SADDDiscretizer,
    make_discretizer,
)
from orangecontrib.sadd.core.intervals.evidence import is_monotonic, weight_of_evidence

X, y = load_iris(return_X_y=True)


def test_interval_table_matches_a_calculation_by_hand():
    # A textbook table: 100 good and 50 bad customers in three intervals
    values = np.repeat([[1.], [2.], [3.]], [60, 50, 40], axis=0)
    bad = np.repeat([0, 1, 0, 1, 0, 1], [50, 10, 30, 20, 20, 20])
    table = EqualWidthDiscretizer(n_bins=3).fit(values, bad).interval_table()
    # In favour of the second class
    woe = [math.log((10 / 50) / (50 / 100)), math.log((20 / 50) / (30 / 100)),
           math.log((20 / 50) / (20 / 100))]
    iv = [(.2 - .5) * woe[0], (.4 - .3) * woe[1], (.4 - .2) * woe[2]]
    assert table["rows"].tolist() == [60, 50, 40]
    assert table["rows_1"].tolist() == [10, 20, 20]
    np.testing.assert_allclose(table["share_1"], [1 / 6, 0.4, 0.5])
    np.testing.assert_allclose(table["woe"], woe)
    np.testing.assert_allclose(table["iv"], iv)
    np.testing.assert_allclose(table["total_iv"], sum(iv))
    assert table["monotonic"].all()
    assert table["interval"].tolist() == ["< 1.66667", "1.66667 - 2.33333", "≥ 2.33333"]
    assert table["from"].tolist()[1:] == table["to"].tolist()[:-1]


def test_as_optbinning():
    # What OptimalBinning(user_splits=[16.19, 18.825, 21.79], user_splits_fixed=
    # [True] * 3, min_prebin_size=0.001) of optbinning 1.0.0 reports of the same column
    # in `binning_table.build()`; rows without a value are its bin "Missing".
    # Its weights are in favour of the first class.
    data = load_breast_cancer()
    column = data.data[:, [1]].copy()
    column[::10] = np.nan
    method = EqualFrequencyDiscretizer(n_bins=4, missing="interval").fit(
        column, data.target)
    np.testing.assert_allclose(method.cut_points_[0], [16.19, 18.825, 21.79])
    table = method.interval_table()
    assert table["rows_0"].tolist() == [10, 33, 68, 82, 19]
    assert table["rows_1"].tolist() == [118, 95, 60, 46, 38]
    np.testing.assert_allclose(
        -table["woe"], [-1.9469500243639928, -0.5362198230264342, 0.6463126500616325,
                       1.0992273578827847, -0.17199767345231876])
    np.testing.assert_allclose(
        table["iv"], [0.5516924346296467, 0.05922336954545164, 0.09868385635156998,
                      0.2835357074228071, 0.0028929897772950915])


@given(arrays(np.int64, st.tuples(st.integers(2, 5), st.integers(1, 6)),
              elements=st.integers(0, 20)))
def test_weight_of_evidence_equals_its_definition(counts):
    woe, iv = weight_of_evidence(counts)
    assert np.isfinite(woe).all() and (iv >= 0).all()
    rest = counts.sum(axis=0) - counts
    for klass, interval in np.argwhere((counts > 0) & (rest > 0)):
        one = counts[klass, interval] / counts[klass].sum()
        other = rest[klass, interval] / rest[klass].sum()
        assert woe[klass, interval] == pytest.approx(math.log(one / other), abs=1e-12)
    # Counts of pure intervals are smoothed, and nothing without rows has evidence
    for klass, interval in np.argwhere((counts == 0) ^ (rest == 0)):
        if counts[klass].any() and rest[klass].any():
            one, other = ((part[klass, interval] + 1 / counts.shape[1])
                          / (part[klass].sum() + 1) for part in (counts, rest))
            assert woe[klass, interval] == pytest.approx(
                math.log(one / other), abs=1e-12)
    assert not woe[:, counts.sum(axis=0) == 0].any()
    assert not woe[(counts.sum(axis=1) == 0) | (rest.sum(axis=1) == 0)].any()
    if len(counts) == 2:
        np.testing.assert_allclose(woe[0], -woe[1], atol=1e-12)
        np.testing.assert_allclose(iv[0], iv[1], atol=1e-12)


@pytest.mark.parametrize("row, expected", [
    ([1, 2, 3], True), ([3, 2, 2], True), ([1, 3, 2], False), ([2, 2, 2], True)])
def test_monotonic(row, expected):
    row = np.array(row)
    assert is_monotonic(np.array([row, 5 - row])).tolist() == [expected] * 2
    # Weights do not matter, nor do empty intervals
    counts = np.array([row, 5 - row]) * np.array([1, 3, 7]) / 3
    counts = np.insert(counts, 1, 0, axis=1)
    assert is_monotonic(counts).tolist() == [expected] * 2


@pytest.mark.parametrize("name", DISCRETIZERS)
@pytest.mark.parametrize("missing", ["ignore", "interval"])
def test_of_every_method(name, missing):
    frame = pd.DataFrame(X.copy(), columns=list("abcd"))
    frame.iloc[::5, 1] = np.nan
    labels = np.array(["x", "y", "z"])[y]
    method = make_discretizer(name, missing=missing).fit(frame, labels)
    table = method.interval_table()
    assert len(table) == method.n_intervals_.sum()
    assert table["variable"].unique().tolist() == list("abcd")
    of_b = table[table["variable"] == "b"]
    assert of_b["rows"].sum() == (150 if missing == "interval" else 120)
    assert (of_b["missing"] == 30).all()
    assert table.loc[table["variable"] == "a", "rows_x"].sum() == 50
    np.testing.assert_allclose(
        table[["share_x", "share_y", "share_z"]].sum(axis=1, skipna=False),
        np.where(table["rows"] > 0, 1, np.nan))
    for c in "xyz":
        for _, own in table.groupby("variable"):
            np.testing.assert_allclose(own[f"total_iv_{c}"], own[f"iv_{c}"].sum())
    names = [name for own in method.interval_names() for name in own]
    assert table["interval"].tolist() == names


def test_without_labels():
    table = make_discretizer("EF", n_bins=3).fit(X).interval_table()
    assert list(table.columns) == [
        "variable", "interval", "from", "to", "rows", "missing"]
    assert table["rows"].sum() == 600


def test_pseudo_labels_count():
    labels = y.copy()
    labels[::2] = -1
    table = SADDDiscretizer(k=5).fit(X, labels).interval_table()
    assert table["rows"].sum() == 600
    assert "unlabelled" not in table


def test_interval_table_has_categories():
    frame = pd.DataFrame({"a": X[:, 0], "b": np.where(y == 1, "é", "?")})
    table = MDLPDiscretizer(categorical_features="from_dtype").fit(
        frame, y).interval_table()
    of_b = table[table["variable"] == "b"]
    assert of_b["interval"].tolist() == ["?", "é"]
    assert of_b["rows"].tolist() == [100, 50] and of_b["from"].isna().all()


@pytest.mark.parametrize("name", ["MDLP", "CAIM"])
def test_many_classes(name):
    rows = np.random.default_rng(0).normal(size=(6000, 2))
    method = make_discretizer(name).fit(rows, np.arange(6000) // 2)
    with pytest.raises(ValueError, match="too many classes"):
        method.interval_table()
    some = make_discretizer(name).fit(rows, np.arange(6000) % 200)
    assert some.interval_table()["rows"].sum() == 12000


def test_a_single_class_and_a_single_row():
    table = MDLPDiscretizer().fit(X, np.zeros(150, dtype=int)).interval_table()
    assert table["rows"].tolist() == [150] * 4 and "woe" not in table
    assert len(EqualWidthDiscretizer().fit([[1.]], [0]).interval_table()) == 1
