"""Limits: rows in an interval, and the number of intervals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from orangecontrib.sadd.core import MDLPDiscretizer, make_discretizer
from orangecontrib.sadd.core.methods.greedy import cacc_cuts, caim_cuts
from tests.core.test_interdependence import literal, positions, random_counts
from tests.core.twins import cells

LIMITED = ["SADD", "MDLP", "CAIM", "CACC"]
X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("method", [caim_cuts, cacc_cuts])
@settings(max_examples=200, deadline=None)
@given(counts=random_counts(st.integers(0, 4)), min_samples=st.integers(1, 8),
       max_intervals=st.integers(1, 5), shares=st.booleans())
def test_same_cuts_as_the_pseudo_code_of_interdependence(
        method, counts, min_samples, max_intervals, shares):
    values = np.arange(counts.shape[1], dtype=float)
    given_rows = rows = min_samples
    if shares:
        given_rows, rows = min_samples / 16, Fraction(int(counts.sum())
                                                      ) * min_samples / 16
    found = method(cells(values, counts), given_rows, max_intervals)
    assert positions(values, found) == literal(counts, method, rows, max_intervals)


@pytest.mark.parametrize("name", LIMITED)
class TestAnyMethod:
    @pytest.mark.parametrize("most", [1, 2, 3])
    def test_no_more_intervals(self, name, most):
        method = make_discretizer(name, max_intervals=most).fit(X, y)
        free = make_discretizer(name).fit(X, y)
        assert method.n_intervals_.tolist() == np.minimum(
            free.n_intervals_, most).tolist()
        for cuts, all_cuts in zip(method.cut_points_, free.cut_points_, strict=True):
            assert set(cuts) <= set(all_cuts)

    @pytest.mark.parametrize("limits", [
        {"min_samples": 0}, {"min_samples": 0.}, {"min_samples": 1.},
        {"min_samples": -1}, {"min_samples": 2.5}, {"min_samples": "many"},
        {"max_intervals": 0},
        {"max_intervals": 2.}, {"min_samples": math.nan}])
    def test_wrong_limits(self, name, limits):
        with pytest.raises(ValueError, match=next(iter(limits))):
            make_discretizer(name, **limits).fit(X, y)

def test_a_child_never_stays_without_its_parent():
    # 0 | 1 | 2 with a weak first cut: within it, the second gains more
    x = np.arange(120.)
    y = np.repeat([0, 1, 0, 1], 30)
    free = MDLPDiscretizer(store_decisions=True).fit(x[:, None], y)
    assert free.n_intervals_[0] == 4
    root = free.decisions_[0][0]
    two = MDLPDiscretizer(max_intervals=2).fit(x[:, None], y)
    assert two.cut_points_[0].tolist() == [root.cut]


def test_decisions_are_about_intervals_that_are_made():
    x = np.random.default_rng(0).normal(size=(4000, 1))
    y = (np.floor(3 * x[:, 0]) % 3).astype(int)
    free = MDLPDiscretizer(store_decisions=True).fit(x, y)
    some = MDLPDiscretizer(store_decisions=True, max_intervals=4).fit(x, y)
    assert free.n_intervals_[0] > 8
    cuts = some.cut_points_[0]
    assert sorted(d.cut for d in some.decisions_[0] if d.accepted) == cuts.tolist()
    ends = {-np.inf, np.inf, *cuts}
    assert all({d.lower, d.upper} <= ends for d in some.decisions_[0])
    rejected = [d for d in some.decisions_[0] if not d.accepted]
    assert any(d.gain > d.adapted_theta for d in rejected)


@pytest.mark.parametrize("name", LIMITED)
def test_many_classes(name):
    rows = np.random.default_rng(0).normal(size=(500, 2))
    labels = np.arange(500) // 2
    method = make_discretizer(name, max_intervals=5, min_samples=20).fit(rows, labels)
    assert method.n_intervals_.max() <= 5
    for x, cuts in zip(rows.T, method.cut_points_, strict=True):
        assert np.bincount(np.digitize(x, cuts)).min() >= 20
