"""Sums that do not depend on the order of their terms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from orangecontrib.sadd.core.exactsums import (
    FINEST,
    _grid_scale,
    _possible_precision,
    _precision_scale,
    _rounded_total,
    exact_total,
    round_weights,
    total_as_float,
)

TERMS = arrays(np.float64, st.integers(1, 50), elements=st.floats(
    -1e150, 1e150, allow_subnormal=True))
WEIGHTS = arrays(np.float64, st.integers(1, 50), elements=st.floats(
    1e-6, 1e6, allow_subnormal=False))


@given(TERMS)
def test_exact_total_is_the_sum_that_is_rounded_once(terms):
    assert total_as_float(exact_total(terms)) == math.fsum(terms)


@given(TERMS, st.integers(0, 50))
def test_exact_totals_of_parts(terms, place):
    assert exact_total(terms[:place]) + exact_total(terms[place:]) == exact_total(terms)


@given(TERMS)
def test_counted_terms(terms):
    count = np.arange(len(terms), dtype=float) % 4
    repeated = np.repeat(terms, count.astype(int))
    assert exact_total(terms, count) == exact_total(repeated)
    scale = _grid_scale(4e151)
    assert _rounded_total(terms, count, scale) == _rounded_total(repeated, None, scale)


@given(TERMS, st.randoms())
def test_rounded_total(terms, random):
    scale = _grid_scale(np.abs(terms).sum())
    total = _rounded_total(terms, scale=scale)
    # Each term is rounded to a unit 2^22 times smaller than the bound's last digit
    assert total_as_float(total) == pytest.approx(
        math.fsum(terms), rel=1e-15, abs=len(terms) * 2. ** -22 / scale)
    order = list(range(len(terms)))
    random.shuffle(order)
    assert _rounded_total(terms[order], scale=scale) == total
    half = len(terms) // 2
    assert _rounded_total(terms[:half], scale=scale) \
        + _rounded_total(terms[half:], scale=scale) == total


@pytest.mark.parametrize("bound", [1e-300, 1e-5, 0.75, 1., 1.5, 2 ** 52, 1e250])
def test_scale_leaves_room_for_the_sum(bound):
    scale = _grid_scale(bound)
    assert math.frexp(scale)[0] == 0.5
    assert scale * bound <= 2 ** 52
    if 1e-200 < bound < 1e200:
        assert scale * bound >= 2 ** 51


@given(WEIGHTS, st.randoms())
def test_sums_of_rounded_weights(weights, random):
    rounded = round_weights(weights)
    np.testing.assert_allclose(
        rounded, weights, rtol=0, atol=weights.sum() * 2. ** -51)
    assert np.all(rounded > 0)
    total = math.fsum(rounded)
    order = list(range(len(weights)))
    for _ in range(3):
        random.shuffle(order)
        assert sum(rounded[order].tolist()) == total
        assert rounded[order].cumsum()[-1] == total


def test_rounded_weights_of_parts():
    weights = np.random.default_rng(0).random(1000) ** 9
    total = total_as_float(exact_total(weights))
    np.testing.assert_array_equal(
        np.concatenate([round_weights(weights[:1], total),
                        round_weights(weights[1:], total)]), round_weights(weights))


def test_many_small_weights_beside_a_large_one():
    weights = np.append(np.full(10 ** 6, 1e-6), 1e6)
    rounded = round_weights(weights)
    np.testing.assert_allclose(rounded, weights, rtol=1e-3)
    assert rounded[:-1].sum() == pytest.approx(1, rel=1e-3)


def test_too_many_terms():
    with pytest.raises(ValueError, match="Not more than 2.51 terms"):
        exact_total(np.ones(2), np.array([2. ** 52, 1]))


def test_weights_that_stay():
    whole = np.array([3., 0, 1, 2 ** 30])
    np.testing.assert_array_equal(round_weights(whole), whole)
    assert round_weights(None) is None
    assert len(round_weights(np.zeros(0))) == 0
    tiny = round_weights(np.array([1., 1e-30]))
    assert 0 < tiny[1] < 1e-14


class TestPrecision:
    def test_largest_term_decides(self):
        terms = np.full((2, 3, 500), 1e-12)
        assert _possible_precision(terms, 1.) == 3
        for row in (3, 499):  # among those that are looked at first, and not
            some = terms.copy()
            some[1, 2, row] = -1e-5
            assert _possible_precision(some, 1.) == 1
            some[1, 2, row] = -0.5
            assert _possible_precision(some, 1.) == 0

    def test_is_that_of_the_lowest_part(self):
        rng = np.random.default_rng(0)
        for _ in range(50):
            terms = rng.uniform(-1, 1, (2, 3, 200)) * 10. ** rng.uniform(-25, 0)
            bound = rng.choice([2. ** 40, 1e9], 200)
            whole = _possible_precision(terms * bound, bound)
            place = rng.integers(1, 199)
            assert whole == min(
                _possible_precision((terms * bound)[..., rows], bound[rows])
                for rows in (slice(place), slice(place, None)))
            # Multiplied for this precision, a term is still within its bound
            largest = np.abs(terms).max() * _precision_scale(whole)
            assert largest <= 1
            if whole < FINEST:
                assert largest >= 2. ** -11

    def test_nothing(self):
        assert _possible_precision(np.zeros((1, 2, 5)), 3.) == FINEST
