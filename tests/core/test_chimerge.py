"""ChiMerge against Kerber's algorithm; oracles are in `test_interdependence`."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2 as chi2_distribution
from scipy.stats import chi2_contingency

from orangecontrib.sadd.core.methods.greedy import chimerge_cuts
from tests.core.test_interdependence import positions, random_counts
from tests.core.twins import cells, count_classes


def chi2(first, second):
    """The definition: (A - E) ** 2 / E, with E = R C / N, and 0 where E is 0."""
    rows = sum(first) + sum(second)
    total = Fraction(0)
    for interval in (first, second):
        for label, count in enumerate(interval):
            expected = sum(interval) * (first[label] + second[label]) / rows
            if expected:
                total += (count - expected) ** 2 / expected
    return total


def literal(counts, significance=0.05, max_intervals=None):
    """Kerber's algorithm, one merge after another, in fractions."""
    intervals = [[Fraction(count) for count in column]
                 for column in counts.T.tolist()]
    starts = list(range(len(intervals)))
    n_classes = sum(map(any, counts))
    if n_classes < 2:
        return []
    threshold = chi2_distribution.ppf(1 - significance, n_classes - 1)
    while len(intervals) > 1:
        values = [chi2(*pair) for pair in zip(intervals, intervals[1:], strict=False)]
        smallest = values.index(min(values))
        capped = max_intervals is None or len(intervals) <= max_intervals
        if values[smallest] >= threshold and capped:
            break
        merged = zip(intervals[smallest], intervals.pop(smallest + 1), strict=True)
        intervals[smallest] = [sum(pair) for pair in merged]
        del starts[smallest + 1]
    return starts[1:]


@settings(max_examples=400, deadline=None)
@given(counts=st.one_of(
           random_counts(st.integers(0, 1)), random_counts(st.integers(0, 4)),
           random_counts(st.integers(0, 20)),
           # binary fractions, so that sums are exact also in the function under test
           random_counts(st.integers(0, 30).map(lambda count: count / 4))),
       significance=st.sampled_from([0.01, 0.05, 0.3, 0.9]),
       max_intervals=st.sampled_from([None, 1, 2, 4]))
def test_equals_literal_algorithm(counts, significance, max_intervals):
    values = np.arange(counts.shape[1], dtype=float)
    cuts = chimerge_cuts(cells(values, counts), significance, max_intervals)
    assert positions(values, cuts) == literal(counts, significance, max_intervals)


@pytest.mark.parametrize("n_classes, decimals", [(2, 1), (2, 3), (3, 2), (6, 3)])
def test_equals_literal_algorithm_on_longer_columns(n_classes, decimals):
    rng = np.random.default_rng(0)
    labels = rng.integers(n_classes, size=80)
    values, counts = count_classes(
        np.round(labels + rng.normal(size=80), decimals), labels)
    for significance in (0.05, 0.5):
        assert (positions(values, chimerge_cuts(cells(values, counts), significance))
                == literal(counts, significance))


def test_chimerge_matches_a_calculation_by_hand():
    # chi2 of neighbours, in turn: 10 * (5 * 1 - 4 * 0) ** 2 / (5 * 5 * 9 * 1) = 1.11;
    # 10 * 20 ** 2 / (5 * 5 * 4 * 6) = 6.67; 11 * 5 ** 2 / (5 * 6 * 1 * 10) = 0.92.
    # The third are merged, then the first, and chi2 of the rest is
    # 21 * (9 * 10 - 1) ** 2 / (10 * 11 * 10 * 11) = 13.75
    values = np.array([1., 2, 3, 4])
    counts = np.array([[5, 4, 0, 1], [0, 1, 5, 5]])
    np.testing.assert_array_equal(chimerge_cuts(cells(values, counts)), [2.5])
    # 5 % of the distribution are above 3.84, 0.01 % above 15.14
    np.testing.assert_array_equal(chimerge_cuts(cells(values, counts), 0.0001), [])
    # 35 % are above 0.87
    np.testing.assert_array_equal(
        chimerge_cuts(cells(values, counts), 0.35), [1.5, 2.5, 3.5])
    np.testing.assert_array_equal(
        chimerge_cuts(cells(values, counts), 0.35, max_intervals=3), [1.5, 2.5])


def test_first_pair_on_ties():
    # chi2 is 2 for every pair, and significant if the threshold is that low
    values = np.arange(4.)
    counts = np.array([[1, 0, 1, 0], [0, 1, 0, 1]])
    np.testing.assert_array_equal(
        chimerge_cuts(cells(values, counts), 0.9, max_intervals=3), [1.5, 2.5])
    np.testing.assert_array_equal(
        chimerge_cuts(cells(values, counts[::-1]), 0.9, max_intervals=3), [1.5, 2.5])
    # after the first merge, chi2 of (1, 1) and (1, 0) is 3 / 4, then that of (2, 1)
    # and (0, 1) is 4 / 3
    np.testing.assert_array_equal(
        chimerge_cuts(cells(values, counts), 0.9, max_intervals=2), [2.5])


def test_chi2_is_that_of_scipy():
    # a pair is merged if and only if its chi2 is not significant
    rng = np.random.default_rng(0)
    for _ in range(50):
        counts = rng.integers(1, 30, (3, 2))
        p_value = chi2_contingency(counts, correction=False).pvalue
        for significance, n_cuts in (
                (p_value * 0.999, 0), (min(p_value * 1.001, 0.9999), 1)):
            found = chimerge_cuts(cells(np.arange(2.), counts), significance)
            assert len(found) == n_cuts


def test_equal_proportions_are_merged_although_rounded():
    counts = np.array([[1, 2, 3], [3, 6, 9]]) / 10
    assert chimerge_cuts(cells(np.arange(3.), counts)).shape == (0, )


def test_thousand_classes():
    # the threshold is above 1000, and chi2 of two intervals at most their rows
    rng = np.random.default_rng(0)
    counts = np.zeros((1000, 3000), dtype=np.int64)
    counts[rng.permutation(3000) % 1000, np.arange(3000)] = 1
    assert len(chimerge_cuts(cells(np.arange(3000.), counts))) <= 2
    counts[:, 1500:] = 0
    counts[np.sort(rng.permutation(1500) % 500), np.arange(1500)] = 900
    counts[500 + rng.permutation(1500) % 500, np.arange(1500, 3000)] = 900
    assert 1499.5 in chimerge_cuts(cells(np.arange(3000.), counts))
