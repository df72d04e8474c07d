"""`Cuts`: counts, edits and other N0."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    MDLPDiscretizer,
    SADDDiscretizer,
    cuts,
    make_discretizer,
)
from orangecontrib.sadd.core.cuts import Cuts

X, y = load_iris(return_X_y=True)
HOLES = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_missing_values_are_counted_and_not_subtracted(name):
    """A difference of sums of fractions is hardly ever 0."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        weights = 1 + rng.random(150)
        table = X.copy()
        table[::9, 1] = np.nan
        method = make_discretizer(name, missing="interval").fit(
            table, y, sample_weight=weights)
        expected = np.bincount(y[::9], weights[::9], 3)
        np.testing.assert_allclose(method.missing_counts_[1], expected, rtol=1e-12)
        assert not method.missing_counts_[[0, 2, 3]].any()
        evidence = method.interval_table()
        empty = (evidence["interval"] == "missing") & (evidence["variable"] != "x1")
        assert empty.sum() == 3
        assert not evidence.loc[empty, [
            "rows", *(f"{key}_{c}" for key in ("woe", "iv") for c in range(3))]
        ].to_numpy().any()


@pytest.mark.parametrize("name", ["MDLP", "CAIM"])
def test_missing_values_are_counted_where_counts_are_dropped(name, monkeypatch):
    expected = make_discretizer(name).fit(HOLES, y).missing_counts_
    assert expected.any()
    monkeypatch.setattr(cuts, "KEPT_CELLS", 3)
    method = make_discretizer(name).fit(HOLES, y)
    assert method.counts_ == [None] * 4
    np.testing.assert_array_equal(method.missing_counts_, expected)


def test_missing_values_are_counted_for_many_classes():
    rows = np.arange(600.)[:, None]
    rows[::2] = np.nan
    method = MDLPDiscretizer().fit(np.repeat(rows, 2, axis=0), np.repeat(
        np.arange(300), 4))
    assert method.counts_ == [None]
    assert method.missing_counts_.sum() == 600


def test_another_n0_does_not_bring_dropped_counts_back(monkeypatch):
    monkeypatch.setattr(cuts, "KEPT_CELLS", 3)
    method = SADDDiscretizer(store_decisions=True).fit(X, y)
    monkeypatch.undo()
    assert method.with_n0(None).counts_ == [None] * 4


def test_other_cuts_have_no_counts_until_rows_are_counted():
    own = MDLPDiscretizer().fit(HOLES, y).cuts_
    edited = own.with_cuts({2: [3.]})
    assert edited.counts[2] is None and np.isnan(edited.information[2])
    assert edited.counts[1] is own.counts[1] and own.cut_points[2].tolist() != [3]
    with pytest.raises(ValueError, match="were not counted"):
        edited.evidence()
    classes = np.where(np.arange(150) % 3, y, -1)
    counted = edited.counted(HOLES.T, classes, np.ones(150), ["a", "b", "c"])
    labelled = np.arange(150) % 3 > 0
    for feature, column in enumerate(HOLES.T):
        codes = np.searchsorted(edited.cut_points[feature], column, side="right")
        missing = np.isnan(column)
        for c in range(3):
            known = labelled & ~missing & (y == c)
            assert counted.counts[feature][c].tolist() == np.bincount(
                codes[known], minlength=len(edited.cut_points[feature]) + 1).tolist()
            assert counted.missing_counts[feature, c] == np.count_nonzero(
                labelled & missing & (y == c))
        assert counted.unlabelled[feature][-1] == np.count_nonzero(
            ~labelled & missing)
    assert counted.evidence()["unlabelled"].sum() > 0


def test_features_can_be_taken():
    whole = SADDDiscretizer(store_decisions=True).fit(X, y).cuts_
    some = whole.take([3, 0])
    assert some.names == [whole.names[3], whole.names[0]]
    assert some.decisions(0) == whole.decisions(3)
    for n0 in (None, 50):
        assert some.with_n0(n0).names == [
            whole.with_n0(n0).names[feature] for feature in (3, 0)]
    np.testing.assert_array_equal(some.codes(X[:, [3, 0]]), whole.codes(X)[:, [3, 0]])


def test_json_keeps_them():
    own = MDLPDiscretizer(missing="interval").fit(HOLES, y).cuts_
    again = Cuts.from_json(own.to_json())
    assert again.to_json() == own.to_json() and again.names == own.names
    assert again.feature_names == ["x0", "x1", "x2", "x3"]
    assert again.evidence().equals(own.evidence())
