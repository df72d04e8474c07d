"""Small distributions: no row is lost, for any values."""

import numpy as np
import pytest

from orangecontrib.sadd.explain.picture import make_thumbnail


@pytest.mark.parametrize("values, n_finite", [
    (np.array([1., 2, 3, np.nan]), 3), (np.repeat(5., 4), 4), (np.repeat(1.7e18, 4), 4),
    (np.array([-1e308, 1e308, np.inf, -np.inf]), 2), (np.array([0, 5e-324, 0, 0]), 4),
    (np.array([-1.7e308, 0, 1, 1.7e308]), 4)])
def test_every_finite_value_counts(values, n_finite):
    thumbnail = make_thumbnail(values, np.array([0, 1, 0, 1]), 2, np.ones(4))
    assert thumbnail.counts.sum() == n_finite
    assert thumbnail.low < thumbnail.high
    for value in values[np.isfinite(values)]:
        assert 0 <= thumbnail.place(value) <= 1


def test_rows_without_a_class_do_not_count():
    thumbnail = make_thumbnail(np.arange(4.), np.array([0, -1, 1, -1]), 2,
                               np.array([2., 1, 1, 1]))
    assert thumbnail.counts.sum(axis=1).tolist() == [2, 1]


@pytest.mark.parametrize("values", [[], [np.nan], [np.inf, -np.inf]])
def test_no_finite_value(values):
    assert make_thumbnail(np.array(values), np.zeros(len(values), int), 2,
                          np.ones(len(values))) is None
