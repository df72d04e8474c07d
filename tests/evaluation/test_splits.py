"""Folds, random splits and labelled rows are stratified."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.sadd.evaluation.datasets import load
from orangecontrib.sadd.evaluation.splits import (
    label_numbers,
    random_split,
    stratified_folds,
    stratified_order,
)

Y = np.repeat([0, 1, 2], [60, 25, 5])


def order(y, seed=0, **parameters):
    return stratified_order(
        np.arange(len(y)), y, np.random.default_rng(seed), **parameters)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60), st.integers(0, 99))
def test_order_is_stratified_in_every_beginning(classes, seed):
    y = np.array(classes)
    found = order(y, seed)
    assert sorted(found) == list(range(len(y)))
    for n in range(1, len(y) + 1):
        for c in np.unique(y):
            expected = n * np.mean(y == c)
            # a class is off by one, and then others make up for it
            assert abs(np.sum(y[found[:n]] == c) - expected) < len(np.unique(y)) + 1


@pytest.mark.parametrize("seed", range(5))
def test_order_begins_with_each_class(seed):
    found = order(Y, seed, each_class_first=True)
    assert Y[found[:3]].tolist() == [0, 1, 2]
    assert np.bincount(Y[found[:30]]).tolist() in (
        [20, 8, 2], [19, 9, 2], [19, 8, 3], [20, 9, 1], [21, 8, 1])


def test_random_split_is_stratified():
    train, test = random_split(Y, [0, 0])
    assert len(test) == 30 and not set(train) & set(test)
    assert sorted([*train, *test]) == list(range(90))
    assert abs(np.bincount(Y[test], minlength=3) - [20, 8.3, 1.7]).max() <= 1
    assert not np.array_equal(test, random_split(Y, [0, 1])[1])
    assert np.array_equal(test, random_split(Y, [0, 0])[1])


def test_random_split_has_at_most_2000_test_rows():
    train, test = random_split(np.repeat([0, 1], 5000), [0])
    assert len(test) == 2000 and len(train) == 8000


def test_label_numbers_need_classes_and_a_pool():
    iris = load("iris")
    # 100 rows train, and the pool must be as large as the labelled part
    assert label_numbers(iris, (2, 3, 50, 51)) == [3, 50]
    assert label_numbers(replace(iris, X=iris.X[::50], y=iris.y[::50]), (2, 3)) == []


class TestFolds:
    Y = np.array([0, 1, 1, 1] * 5)

    def test_folds_are_a_stratified_partition(self):
        folds = stratified_folds(self.Y, n_folds=5)
        tested = np.concatenate([test for _, test in folds])
        assert sorted(tested) == list(range(20))
        for train, test in folds:
            assert sorted([*train, *test]) == list(range(20))
            assert self.Y[test].sum() == 3

    def test_folds_depend_on_the_seed(self):
        first, again, other = (
            [test.tolist() for _, test in stratified_folds(self.Y, 5, seed)]
            for seed in (0, 0, 1))
        assert first == again != other

    @pytest.mark.filterwarnings("error")
    def test_class_with_fewer_rows_than_folds(self):
        y = np.array([0] * 10 + [1] * 2)
        assert sum(y[test].sum() for _, test in stratified_folds(y, 5)) == 2
