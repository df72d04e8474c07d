"""CAIM and CACC against pseudo-code; oracles and invariances, also of ChiMerge."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_iris

from orangecontrib.sadd.core.arithmetic import assign_intervals
from orangecontrib.sadd.core.methods.greedy import (
    cacc_cuts,
    caim_cuts,
    chimerge_cuts,
)
from tests.core.twins import cells, count_classes
from tests.shared import needs_shared, oracles

METHODS = [caim_cuts, cacc_cuts]
both_methods = pytest.mark.parametrize("method", METHODS)
every_method = pytest.mark.parametrize("method", [
    *METHODS, chimerge_cuts, partial(chimerge_cuts, significance=0.5),
    partial(chimerge_cuts, max_intervals=3)])


def caim(table):
    """Mean of max ** 2 / total over intervals; rows of the table are intervals."""
    return sum(max(row) ** 2 / sum(row) for row in table) / len(table)


def chi2_by_rows(table):
    rows = sum(map(sum, table))
    by_class = [sum(column) for column in zip(*table, strict=True)]
    return sum(count ** 2 / (class_total * sum(row))
               for row in table
               for count, class_total in zip(row, by_class, strict=True)
               if class_total) * rows - rows


def literal(counts, method, min_samples=0, max_intervals=math.inf):
    """The published pseudo-code, in fractions: try each boundary in each round."""
    columns = [[Fraction(count) for count in column] for column in counts.T.tolist()]
    n_classes = sum(map(any, zip(*columns, strict=True)))
    if n_classes < 2:
        return []

    def table(scheme):
        ends = [0, *sorted(scheme), len(columns)]
        return [[sum(parts) for parts in zip(*columns[start:end], strict=True)]
                for start, end in zip(ends, ends[1:], strict=False)]

    def rank(scheme):
        return (caim if method is caim_cuts else chi2_by_rows)(table(scheme))

    def criterion(scheme):
        if method is caim_cuts:
            return rank(scheme)
        y = float(rank(scheme)) / math.log(len(scheme) + 1)
        return math.sqrt(y / (y + float(sum(map(sum, columns)))))

    scheme, global_criterion = [], 0
    while len(scheme) + 1 < max_intervals:
        unused = [b for b in range(1, len(columns)) if b not in scheme
                  and min(map(sum, table([*scheme, b]))) >= min_samples]
        if not unused:
            break
        best = max(unused, key=lambda b: (rank([*scheme, b]), -b))
        reached = criterion([*scheme, best])
        if not (reached > global_criterion or len(scheme) + 1 < n_classes):
            break
        scheme.append(best)
        global_criterion = reached
    return sorted(scheme)


def positions(values, cuts):
    return np.searchsorted(values, cuts).tolist()


def random_counts(elements, max_classes=4, max_values=9):
    shapes = st.tuples(st.integers(1, max_classes), st.integers(1, max_values))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=elements)
                          ).map(lambda counts: counts[:, counts.any(axis=0)])


@both_methods
@settings(max_examples=300, deadline=None)
@given(counts=st.one_of(
    random_counts(st.integers(0, 1)), random_counts(st.integers(0, 4)),
    # binary fractions, so that sums are exact also in the function under test
    random_counts(st.integers(0, 12).map(lambda count: count / 4))))
def test_equals_published_pseudocode(method, counts):
    values = np.arange(counts.shape[1], dtype=float)
    assert positions(values, method(cells(values, counts))) == literal(counts, method)


@both_methods
def test_equals_published_pseudocode_on_longer_columns(method):
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 5):
        for noise in (0.5, 2):
            labels = rng.integers(n_classes, size=80)
            values, counts = count_classes(
                np.round(labels + noise * rng.normal(size=80), 1), labels)
            assert (positions(values, method(cells(values, counts)))
                    == literal(counts, method))


def test_caim_matches_a_calculation_by_hand():
    # 2.5: (9 ** 2 / 10 + 10 ** 2 / 11) / 2 = 8.60; 1.5: (25 / 5 + 121 / 16) / 2;
    # 3.5: (81 / 15 + 25 / 6) / 2; adding 3.5 to 2.5: (8.1 + 25 / 5 + 25 / 6) / 3
    values = np.array([1., 2, 3, 4])
    counts = np.array([[5, 4, 0, 1], [0, 1, 5, 5]])
    np.testing.assert_array_equal(caim_cuts(cells(values, counts)), [2.5])


@both_methods
def test_intervals_are_as_many_as_classes_when_nothing_is_gained(method):
    """The published rule: a cut is accepted if k < S, even if the criterion falls."""
    counts = np.tile(np.eye(5), 8)  # classes in turn, the same everywhere
    values = np.arange(counts.shape[1], dtype=float)
    cuts = method(cells(values, counts))
    assert len(cuts) + 1 >= 5
    if method is caim_cuts:
        assert len(cuts) + 1 == 5
    assert len(method(cells(values, counts), max_intervals=2)) == 1


def test_cacc_matches_a_calculation_by_hand():
    # chi2 / log n: 4 / log 2 = 5.77 after the cut between the pure halves. Any other
    # leaves chi2 at 4, divided by log 3.
    values = np.array([1., 2, 3, 4])
    counts = np.array([[1, 1, 0, 0], [0, 0, 1, 1]])
    np.testing.assert_array_equal(cacc_cuts(cells(values, counts)), [2.5])
    # Classes alternate: chi2 is 4 / 3 after 1.5 (y = 1.92, first of two ties), 2 with
    # another cut at 3.5 or 2.5 (y = 1.82): no.
    counts = np.array([[1, 0, 1, 0], [0, 1, 0, 1]])
    np.testing.assert_array_equal(cacc_cuts(cells(values, counts)), [1.5])


def test_criterion_is_overwritten_although_it_fell():
    # CAIM is 6.13 after 2.5 and falls to 5.35 when 1.5 is added, as three classes
    # need three intervals. With 0.5 it is 5.39: above 5.35, although below 6.13
    values = np.arange(4.)
    counts = np.array([[0, 6, 0, 7], [4, 0, 8, 0], [0, 2, 0, 9]])
    np.testing.assert_array_equal(caim_cuts(cells(values, counts)), [0.5, 1.5, 2.5])


@pytest.fixture(scope="module", name="iris")
def iris_columns():
    data, labels = load_iris(return_X_y=True)
    return [count_classes(column, labels) for column in data.T]


@needs_shared
@pytest.mark.parametrize("method, oracle", [
    (caim_cuts, "R_discretization_caim"), (caim_cuts, "KEEL_CAIM"),
    (cacc_cuts, "R_discretization_cacc"),
    # R adds 0.0001 to counts, which changes no decision on iris
    *((partial(chimerge_cuts, significance=level), f"R_discretization_chim{level}")
      for level in (0.01, 0.05, 0.1, 0.5)),
    # As it is run, KEEL merges to as many intervals as there are classes.
    # (With the cap that it intended, 15, it leaves another cut in the last attribute,
    # 1.35: it replaces expected counts of 0 by 0.1, by which chi2 grows.)
    (partial(chimerge_cuts, max_intervals=3), "KEEL_ChiMerge_alpha0.05")])
def test_iris_other_programs(iris, method, oracle):
    for column, cuts in zip(iris, oracles()[oracle]["cuts"], strict=True):
        np.testing.assert_allclose(method(cells(*column)), cuts)


@every_method
@settings(max_examples=50, deadline=None)
@given(counts=random_counts(st.integers(0, 3)), seed=st.integers(0, 99))
def test_invariances(method, counts, seed):
    rng = np.random.default_rng(seed)
    counts = counts.astype(np.int64)
    n_classes, n_values = counts.shape
    values = np.sort(rng.normal(size=n_values))
    cuts = method(cells(values, counts))
    before = values.copy(), counts.copy()
    same = [rng.permutation(counts), counts.astype(float),
            np.insert(counts, rng.integers(n_classes + 1), 0, axis=0)]
    if method in METHODS:
        same += [counts * factor for factor in (3, 0.1, 1e-9)]
    for other in same:
        np.testing.assert_array_equal(method(cells(values, other)), cuts)
    np.testing.assert_array_equal(
        assign_intervals(values, cuts),
        assign_intervals(np.exp(values), method(cells(np.exp(values), counts))))
    np.testing.assert_array_equal(values, before[0])
    np.testing.assert_array_equal(counts, before[1])


@every_method
def test_order_of_classes_never_decides(method):
    # noise, hence thousands of ties, and weights whose sums are rounded
    rng = np.random.default_rng(0)
    counts = np.zeros((6, 3000))
    counts[rng.integers(6, size=3000), np.arange(3000)] = rng.integers(1, 4, 3000) / 10
    values = np.arange(3000.)
    cuts = method(cells(values, counts))
    for _ in range(4):
        other = cells(values, rng.permutation(counts))
        np.testing.assert_array_equal(method(other), cuts)


@every_method
def test_nothing_is_cut_when_there_is_one_value_or_class(method):
    for counts in (np.empty((2, 0), dtype=np.int64), np.empty((0, 0)),
                   np.array([[1], [2]]), np.array([[1, 2, 3]]),
                   np.array([[0, 0, 0], [1, 2, 3]])):
        assert method(cells(np.arange(float(counts.shape[1])), counts)).shape == (0, )
