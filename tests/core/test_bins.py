"""Unsupervised bins against a walk through rows, by hand, and oracles."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from orangecontrib.sadd.core.arithmetic import assign_intervals
from orangecontrib.sadd.core.methods.bins import (
    equal_frequency_cuts,
    equal_width_cuts,
    fixed_frequency_cuts,
    proportional_cuts,
)
from tests.shared import needs_shared, oracles

BY_FREQUENCY = {
    "EF10": lambda values, weights: equal_frequency_cuts(values, weights, 10),
    "EF3": lambda values, weights: equal_frequency_cuts(values, weights, 3),
    "PKID": proportional_cuts,
    "FFD30": lambda values, weights: fixed_frequency_cuts(values, weights, 30),
    "FFD4": lambda values, weights: fixed_frequency_cuts(values, weights, 4),
}


def row_boundaries(name, n_rows):
    """Numbers of rows after which a method should cut."""
    if name.startswith("EF"):
        quota = Fraction(n_rows, int(name[2:]))
        return [math.floor(i * quota + Fraction(1, 2))
                for i in range(1, int(name[2:]))]
    if name == "PKID":
        n_intervals = round(math.sqrt(n_rows))
        quota = n_rows // n_intervals
    else:
        quota = int(name[3:])
        n_intervals = math.ceil(n_rows / quota)
    return [i * quota for i in range(1, n_intervals)]


def literal(name, rows):
    """Go through sorted rows, from each boundary to the nearer end of equal values."""
    cuts = []
    for boundary in row_boundaries(name, len(rows)):
        for distance in range(len(rows)):
            for b in (boundary - distance, boundary + distance):
                if b in (0, len(rows)):
                    break
                if 0 < b < len(rows) and rows[b - 1] < rows[b]:
                    cuts.append((rows[b - 1] + rows[b]) / 2)
                    break
            else:
                continue
            break
    return sorted(set(cuts))


sorted_rows = st.one_of(
    st.lists(st.integers(0, 5), min_size=1, max_size=60),
    st.lists(st.integers(0, 40), min_size=1, max_size=200),
    st.lists(st.integers(0, 10 ** 6), min_size=1, max_size=100)).map(sorted)


@pytest.mark.parametrize("name", BY_FREQUENCY)
@settings(max_examples=200, deadline=None)
@given(rows=sorted_rows)
def test_equals_walk_through_rows(name, rows):
    values, weights = np.unique(np.array(rows, dtype=float), return_counts=True)
    expected = literal(name, rows)
    for same in (weights, weights.astype(float)):
        cuts = BY_FREQUENCY[name](values, same)
        np.testing.assert_array_equal(cuts, expected)


@pytest.mark.parametrize("name", BY_FREQUENCY)
def test_equals_walk_through_rows_for_all_short_columns(name):
    """Such as six zeros and a one, where the last boundary leaves a long run."""
    for n_values in (2, 3):
        values = np.arange(float(n_values))
        for weights in product(range(1, 10), repeat=n_values):
            np.testing.assert_array_equal(
                BY_FREQUENCY[name](values, np.array(weights)),
                literal(name, np.repeat(values, weights).tolist()))


@pytest.mark.parametrize("n_bins, expected", [(1, []), (2, [4]), (4, [2, 4, 6])])
def test_equal_width_matches_a_calculation_by_hand(n_bins, expected):
    assert equal_width_cuts(np.array([0., 1, 8]), n_bins).tolist() == expected


def test_ties_move_boundaries():
    def cuts(weights, n_bins):
        return equal_frequency_cuts(
            np.arange(float(len(weights))), np.array(weights), n_bins).tolist()

    assert cuts([1, 1, 1, 1], 2) == [1.5]
    # the boundary, 3, is among the first 4 rows, and nearer to their upper end
    assert cuts([4, 2], 2) == [0.5]
    # 3 is as far from 2 as from 4
    assert cuts([2, 2, 2], 2) == [0.5]
    # 4 is nearer to 3 than to 6
    assert cuts([3, 3, 2], 2) == [0.5]
    # 2 is as near to 0, where there is nothing to cut, as to 4; 6 also moves to 4
    assert cuts([4, 4], 4) == [0.5]
    # 5 rows in halves: after the third row (2.5 is rounded up)
    assert cuts([1] * 5, 2) == [2.5]
    # without whole rows, 1.25 is as near to 1 as to 1.5
    assert cuts([0.5] * 5, 2) == [1.5]
    assert cuts([9], 3) == []


def test_pkid_matches_a_calculation_by_hand():
    # 17 rows: 4 intervals of 4, the last one has 5
    np.testing.assert_array_equal(
        proportional_cuts(np.arange(17.), np.ones(17)), [3.5, 7.5, 11.5])
    # weights 17 / 2: 3 intervals of 2.83, boundaries 2.83 and 5.67
    np.testing.assert_array_equal(
        proportional_cuts(np.arange(17.), np.full(17, 0.5)), [5.5, 10.5])


@pytest.mark.parametrize("n_rows, weight, frequency, expected", [
    (61, 1, 30, [29.5, 59.5]), (60, 1, 30, [29.5]), (120, 0.5, 30, [59.5]),
    (10, 1, 2.5, [1.5, 4.5, 6.5])])
def test_ffd_matches_a_calculation_by_hand(n_rows, weight, frequency, expected):
    cuts = fixed_frequency_cuts(
        np.arange(float(n_rows)), np.full(n_rows, weight), frequency)
    assert cuts.tolist() == expected


@pytest.fixture(scope="module", name="iris")
def iris_columns():
    return [np.unique(column, return_counts=True) for column in load_iris().data.T]


@needs_shared
@pytest.mark.parametrize("oracle", [
    "sklearn_KBins_uniform10", "Weka_EW10", "KEEL_EW_10intervals(numCP=9)"])
def test_iris_equal_width(iris, oracle):
    for (values, _), cuts in zip(iris, oracles()[oracle]["cuts"], strict=True):
        np.testing.assert_allclose(equal_width_cuts(values, 10), cuts)


@needs_shared
@pytest.mark.parametrize("name, oracle", [
    ("EF10", "KEEL_EF10"), ("PKID", "KEEL_PKID"), ("FFD30", "KEEL_FFD30")])
def test_iris_keel(iris, name, oracle):
    # KEEL counts a row too many towards the lower end of equal values. It does not step
    # back, so some cuts are data values. It decides ties by random numbers. Boundaries
    # that do not fall among equal values have to be its cuts, and ours.
    n_certain = 0
    for (values, weights), cuts in zip(iris, oracles()[oracle]["cuts"], strict=True):
        ours = BY_FREQUENCY[name](values, weights)
        ends = weights.cumsum()
        after = np.flatnonzero(np.isin(ends, row_boundaries(name, 150)))
        for certain in (values[after] + values[after + 1]) / 2:
            assert np.isclose(ours, certain).any()
            assert np.isclose(cuts, certain).any()
            n_certain += 1
    assert n_certain


def test_rounding_does_not_break_ties():
    # boundaries are in the middle of values: all go down, although 0.1 is rounded
    for weight in (0.1, 0.3, 0.7):
        np.testing.assert_array_equal(
            equal_frequency_cuts(np.arange(20.), np.full(20, weight), 8),
            [1.5, 4.5, 6.5, 9.5, 11.5, 14.5, 16.5])


def test_few_values_and_extreme_weights():
    nothing = np.empty(0)
    one = np.array([1.])
    for method in BY_FREQUENCY.values():
        for dtype in (np.int64, np.float64):
            assert method(nothing, nothing.astype(dtype)).shape == (0, )
            assert method(one, np.array([99], dtype=dtype)).shape == (0, )
        # less than a row; more rows than memory could hold boundaries for
        method(np.arange(3.), np.full(3, 1e-9))
        cuts = method(np.arange(3.), np.full(3, 1e15))
        np.testing.assert_array_equal(cuts, [0.5, 1.5])
        # infinite values are like others
        values = np.array([-np.inf, 1, np.inf])
        cuts = method(values, np.full(3, 500))
        np.testing.assert_array_equal(assign_intervals(values, cuts), [0, 1, 2])
    assert equal_width_cuts(nothing, 5).shape == (0, )
    assert equal_width_cuts(one, 5).shape == (0, )


@pytest.mark.filterwarnings("error")
def test_equal_width_extremes():
    np.testing.assert_array_equal(
        equal_width_cuts(np.array([-np.inf, 0, 3, np.inf]), 3), [1, 2])
    for outside in ([-np.inf, np.inf], [-np.inf, 1, np.inf], [np.inf], [1, np.inf]):
        assert equal_width_cuts(np.array(outside), 3).shape == (0, )

    largest = np.finfo(float).max
    np.testing.assert_allclose(
        equal_width_cuts(np.array([-largest, largest]), 4),
        [-largest / 2, 0, largest / 2])

    # no room for ten bins: at most the number above the minimum remains
    np.testing.assert_array_equal(
        equal_width_cuts(np.array([1, np.nextafter(1, 2)]), 10), [np.nextafter(1, 2)])
    tiny = np.nextafter(0, 1)
    assert equal_width_cuts(np.array([0, tiny]), 10).shape == (0, )


@settings(max_examples=200, deadline=None)
@given(values=st.lists(st.floats(allow_nan=False), max_size=20, unique=True),
       n_bins=st.integers(1, 50))
def test_equal_width_cuts_are_in_range(values, n_bins):
    values = np.unique(np.array(values, dtype=float))
    cuts = equal_width_cuts(values, n_bins)
    finite = values[np.isfinite(values)]
    assert len(cuts) < n_bins
    assert (np.diff(cuts) > 0).all()
    if len(cuts):
        assert finite[0] < cuts[0] and cuts[-1] <= finite[-1]
