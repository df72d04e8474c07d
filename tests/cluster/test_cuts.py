"""Cuts of columns in partitions: those of memory, or on a grid."""

from concurrent.futures import CancelledError, ProcessPoolExecutor
from multiprocessing import get_context

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster
from hypothesis import given, settings
from hypothesis import strategies as st

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    SADDDiscretizer,
    make_discretizer,
)
from orangecontrib.sadd.core.arithmetic import contingency
from orangecontrib.sadd.core.parameters import select
from tests.cluster.data import (
    as_arrays,
    as_frame,
    assert_same_cuts,
    make_data,
    sizes_of,
    stop_at,
)
from tests.cluster.workers import kill_at
from tests.waiting import wait_until

N_ROWS = 20_000


SUPERVISED = [name for name, method in DISCRETIZERS.items() if method.uses_class]
UNSUPERVISED = [name for name in DISCRETIZERS if name not in SUPERVISED]


def make_weights(kind, n_rows, seed=0):
    """Return weights whose sums are exact, so that their order makes no difference."""
    random = np.random.default_rng(seed)
    if kind == "whole":
        return random.integers(0, 4, n_rows)
    fractions = 1 + random.integers(0, 8, n_rows) / 4
    return fractions / fractions.sum() if kind == "low" else fractions


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(list(DISCRETIZERS)), st.integers(1, 300), st.integers(1, 4),
    st.sampled_from([None, 0, 1]), st.sampled_from([0, 0.2, 0.9]),
    st.sampled_from([None, "whole", "fractions"]), st.integers(1, 5),
    st.integers(0, 2), st.integers(0, 10 ** 6))
def test_fit_is_that_of_memory(name, n_rows, n_classes, digits, missing, weights,
                               n_parts, n_empty, seed):
    X, y = make_data(n_rows, n_classes, digits=digits, missing=missing, seed=seed)
    X[:1, 0], X[1:3, 1] = np.inf, -np.inf
    vectors = [y] if weights is None else [y, make_weights(weights, n_rows, seed)]
    if weights == "whole":
        vectors[1][0] = 1  # not all are 0
    expected = make_discretizer(name).fit(X, *vectors)
    with dask.config.set(scheduler="synchronous"):
        found = make_discretizer(name).fit(*as_arrays(
            sizes_of(n_rows, n_parts + n_empty, n_empty, seed), X, *vectors))
    assert_same_cuts(found, expected)
    for counts, others in zip(found.counts_, expected.counts_, strict=True):
        np.testing.assert_array_equal(counts, others)
    for attribute in ("classes_", "n_intervals_", "missing_counts_", "ranges_"):
        np.testing.assert_array_equal(
            getattr(found, attribute), getattr(expected, attribute))


@pytest.mark.parametrize("kind", [None, "whole", "fractions"])
@pytest.mark.parametrize("n_classes", [2, 10])
def test_fit_on_a_cluster_is_that_of_memory(client, n_classes, kind):
    X, y = make_data(N_ROWS, n_classes, missing=0.1)
    vectors = [y] if kind is None else [y, make_weights(kind, N_ROWS)]
    expected = SADDDiscretizer(store_decisions=True).fit(X, *vectors)
    found = SADDDiscretizer(store_decisions=True).fit(
        *as_arrays(sizes_of(N_ROWS, 17, 2), X, *vectors))
    assert_same_cuts(found, expected)
    assert sum(map(len, expected.cut_points_)) >= 2
    for mine, yours in zip(found.decisions_, expected.decisions_, strict=True):
        np.testing.assert_allclose(mine, yours, rtol=1e-9)


@pytest.mark.parametrize("scheduler", ["threads", "synchronous", "processes"])
def test_fit_uses_the_scheduler_of_dask(scheduler):
    X, y = make_data(2000, 2)
    # Dask would start processes for each step of the fit
    with ProcessPoolExecutor(1, get_context("spawn")) as processes, dask.config.set(
            scheduler=scheduler, pool=processes if scheduler == "processes" else None):
        found = SADDDiscretizer().fit(*as_arrays(sizes_of(2000, 4), X, y))
    assert_same_cuts(found, SADDDiscretizer().fit(X, y))


@pytest.mark.parametrize("name", SUPERVISED)
@pytest.mark.parametrize("limits", [
    {"min_samples": 4000}, {"min_samples": 0.1, "max_intervals": 3},
    {"max_intervals": 2}])
def test_limits_are_those_of_memory(name, limits):
    limits = select(DISCRETIZERS[name].estimator, limits)
    X, y = make_data(N_ROWS, 3, digits=2, missing=0.05)
    weights = make_weights("whole", N_ROWS)
    found = make_discretizer(name, **limits).fit(
        *as_arrays(sizes_of(N_ROWS, 6, 2), X, y, weights))
    assert_same_cuts(found, make_discretizer(name, **limits).fit(X, y, weights))


@pytest.mark.parametrize("name", UNSUPERVISED)
@pytest.mark.parametrize("weights", [None, 2.5, "fractions", "low"])
def test_fit_without_labels_is_that_of_memory(name, weights):
    X, _ = make_data(3000, 3)
    array, = as_arrays(sizes_of(3000, 5), X)
    if isinstance(weights, str):
        weights = make_weights(weights, 3000)
    found = make_discretizer(name).fit(array, None, weights)
    assert_same_cuts(found, make_discretizer(name).fit(X, None, weights))
    assert np.isnan(found.mutual_information_).all()


def test_columns_are_counted_some_at_a_time(monkeypatch):
    monkeypatch.setattr("orangecontrib.sadd.core.dask.shorttables.TABLE_BYTES", 2 ** 21)
    X, y = make_data(300, 2, n_columns=7)
    shares = []
    frame = as_frame((100, 200), X, y=y)
    found = MDLPDiscretizer().fit(frame, "y", callback=shares.append)
    assert_same_cuts(found, MDLPDiscretizer().fit(X, y))
    assert shares == sorted(shares) and shares[-1] == 1 and len(shares) > 50


class TestGrid:
    """Columns with more distinct values than the grid."""

    @pytest.fixture(autouse=True)
    def small_grid(self):
        with dask.config.set({"orange3-sadd.grid": 500}):
            yield

    @pytest.mark.parametrize("name", DISCRETIZERS)
    @pytest.mark.parametrize("n_parts", [1, 9])
    def test_counts_are_those_of_transformed_rows(self, name, n_parts):
        X, y = make_data(N_ROWS, 3, missing=0.1)
        weights = make_weights("whole", N_ROWS)
        method = make_discretizer(name).fit(
            *as_arrays(sizes_of(N_ROWS, n_parts), X, y, weights))
        for codes, counts in zip(method.transform(X).T, method.counts_, strict=True):
            expected = contingency(codes, y, 3, weights, counts.shape[1])
            # Cuts by width do not lie between values of the grid
            np.testing.assert_allclose(
                counts, expected, atol=150 * (not method.uses_order_only))

    def test_information_is_near_to_that_of_memory(self):
        X, y = make_data(N_ROWS, 3)
        found = SADDDiscretizer().fit(*as_arrays(sizes_of(N_ROWS, 5), X, y))
        expected = SADDDiscretizer().fit(X, y)
        np.testing.assert_allclose(found.mutual_information_,
                                   expected.mutual_information_, rtol=0.02, atol=1e-9)

    def test_equal_width_is_that_of_memory(self):
        X, y = make_data(N_ROWS, 3)
        X[7, 0] = -np.inf
        found = EqualWidthDiscretizer().fit(*as_arrays(sizes_of(N_ROWS, 5), X, y))
        expected = EqualWidthDiscretizer().fit(X, y)
        np.testing.assert_array_equal(found.cut_points_, expected.cut_points_)
        np.testing.assert_array_equal(found.ranges_, expected.ranges_)


class TestProgress:
    def test_shares_increase_and_nothing_is_kept(self, client):
        X, y = make_data(1000, 2)
        shares = []
        SADDDiscretizer().fit(*as_arrays((100,) * 10, X, y), callback=shares.append)
        assert shares == sorted(shares) and shares[-1] == 1
        assert len(shares) > 20 and max(np.diff(shares)) < 0.2
        wait_until(lambda: not client.who_has())

    def test_cancelling_releases_what_was_persisted(self, client):
        X, y = make_data(N_ROWS, 2)
        y[::3] = -1
        with pytest.raises(InterruptedError):
            SADDDiscretizer(k=5).fit(
                *as_arrays((1000,) * 20, X, y), callback=stop_at(0.6))
        wait_until(lambda: not client.who_has())

    def test_cancelling_without_a_cluster(self):
        with pytest.raises(InterruptedError):
            SADDDiscretizer().fit(
                *as_arrays((100,) * 10, *make_data(1000, 2)), callback=stop_at(0.2))


@pytest.mark.parametrize("moment", [0.3, 0.7])
def test_fit_is_that_of_threads_when_a_worker_dies(mortal_client, moment):
    X, y = make_data(200_000, 3, n_columns=6)
    data = as_arrays(sizes_of(200_000, 12), X, y)
    killed = []
    found = SADDDiscretizer().fit(
        *data, callback=kill_at(mortal_client, moment, killed))
    assert killed
    with dask.config.set(scheduler="threads"):
        assert_same_cuts(found, SADDDiscretizer().fit(*data))


def test_lost_scheduler_raises_the_error_of_dask():
    X, y = make_data(N_ROWS, 3)
    with LocalCluster(processes=False, n_workers=2, threads_per_worker=1,
                      dashboard_address=":0") as cluster, Client(cluster):
        def close(share):
            if share >= 0.3:
                cluster.close()

        with pytest.raises(CancelledError):
            SADDDiscretizer().fit(*as_arrays((1000,) * 20, X, y), callback=close)
