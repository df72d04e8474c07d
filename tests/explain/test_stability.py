"""Resampling: only labelled rows are drawn, inputs stay as they are."""

import numpy as np
import pytest
from Orange.data import Table

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.explain.findings import resample, resampled_cuts
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.tables import read_rows


@pytest.fixture(name="rows")
def fixture_rows():
    iris = Table("iris")
    return read_rows(iris[::5], iris)


def test_as_many_labelled_rows_and_all_others(rows):
    before = rows.X.copy(), rows.y.copy()
    drawn = resample(rows, np.random.RandomState(1))
    labelled = ~np.isnan(drawn.y)
    assert drawn.weights[labelled].sum() == 30
    assert drawn.weights[labelled].max() > 1
    assert labelled.sum() < 30
    assert (~labelled).sum() == np.isnan(rows.y).sum()
    assert drawn.n_data == labelled.sum()
    assert rows.weights is None
    np.testing.assert_array_equal(rows.X, before[0])
    np.testing.assert_array_equal(rows.y, before[1])


@pytest.mark.parametrize("method", DISCRETIZERS)
def test_every_method(rows, method):
    cuts = list(resampled_cuts(rows, Parameters(method), 2))
    assert [len(columns) for columns in cuts] == [4, 4]


def test_resamples_differ_and_are_the_same_again(rows):
    first, second = (list(resampled_cuts(rows, Parameters(), 3)) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        for cuts, again in zip(one, other, strict=True):
            np.testing.assert_array_equal(cuts, again)
    assert any(not np.array_equal(cuts, other) for cuts, other
               in zip(first[0], first[1], strict=True))


def test_callback_may_stop_the_work(rows):
    class Stop(Exception):
        pass

    def stop(_):
        raise Stop

    with pytest.raises(Stop):
        list(resampled_cuts(rows, Parameters(), callback=stop))
