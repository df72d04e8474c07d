"""Random splits are stratified, and say which rows have a label."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.sadd.evaluation.datasets import load_bundled
from orangecontrib.sadd.evaluation.experiment import (
    label_numbers,
    random_split,
    stratified_order,
)

Y = np.repeat([0, 1, 2], [60, 25, 5])


def order(y, seed=0, **parameters):
    return stratified_order(
        np.arange(len(y)), y, np.random.default_rng(seed), **parameters)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60), st.integers(0, 99))
def test_every_beginning_is_stratified(classes, seed):
    y = np.array(classes)
    found = order(y, seed)
    assert sorted(found) == list(range(len(y)))
    for n in range(1, len(y) + 1):
        for c in np.unique(y):
            expected = n * np.mean(y == c)
            # a class is off by one, and then others make up for it
            assert abs(np.sum(y[found[:n]] == c) - expected) < len(np.unique(y)) + 1


@pytest.mark.parametrize("seed", range(5))
def test_each_class_first(seed):
    found = order(Y, seed, each_class_first=True)
    assert Y[found[:3]].tolist() == [0, 1, 2]
    assert np.bincount(Y[found[:30]]).tolist() in (
        [20, 8, 2], [19, 9, 2], [19, 8, 3], [20, 9, 1], [21, 8, 1])


def test_split():
    train, test = random_split(Y, [0, 0])
    assert len(test) == 30 and not set(train) & set(test)
    assert sorted([*train, *test]) == list(range(90))
    assert abs(np.bincount(Y[test], minlength=3) - [20, 8.3, 1.7]).max() <= 1
    assert not np.array_equal(test, random_split(Y, [0, 1])[1])
    assert np.array_equal(test, random_split(Y, [0, 0])[1])


def test_split_of_many_rows():
    train, test = random_split(np.repeat([0, 1], 5000), [0])
    assert len(test) == 2000 and len(train) == 8000


def test_numbers_that_make_sense():
    iris = load_bundled("iris")
    # 100 rows train, and the pool must be as large as the labelled part
    assert label_numbers(iris, (2, 3, 50, 51)) == [3, 50]
    assert label_numbers(replace(iris, X=iris.X[::50], y=iris.y[::50]), (2, 3)) == []
