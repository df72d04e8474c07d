"""SADD and MDLP on partitions: the very cuts that they find in memory."""

import os
import threading
import weakref

import dask
import numpy as np
import pytest

from orangecontrib.sadd.cli.terminal import ProgressBar
from orangecontrib.sadd.core import MDLPDiscretizer, SADDDiscretizer
from orangecontrib.sadd.core.cluster.runner import Runner
from orangecontrib.sadd.core.cluster.sortedparts import SortedPart, Summary, merge
from orangecontrib.sadd.core.cluster.transfer import Stored
from orangecontrib.sadd.core.splitting.runs import ClassGroups
from tests.cluster.data import (
    as_arrays,
    as_frame,
    assert_same_cuts,
    make_data,
    sizes_of,
)
from tests.cluster.workers import kill_worker
from tests.waiting import wait_until

N_ROWS = 30_000

DATA = {
    "untied": {},
    "tied": {"digits": 1},
    "missing": {"missing": 0.2},
    "tied and missing": {"digits": 2, "missing": 0.1},
}


@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_on_a_cluster(client, kind, n_classes):
    X, y = make_data(N_ROWS, n_classes, **DATA[kind])
    expected = SADDDiscretizer().fit(X, y)
    found = SADDDiscretizer().fit(*as_arrays(sizes_of(N_ROWS, 7, 2), X, y))
    assert_same_cuts(found, expected)
    assert sum(map(len, expected.cut_points_)) >= 2


@pytest.mark.parametrize("n_partitions, n_empty", [(1, 0), (2, 0), (10, 3), (50, 0)])
def test_any_number_of_partitions(client, n_partitions, n_empty):
    X, y = make_data(N_ROWS, 4)
    found = MDLPDiscretizer().fit(
        *as_arrays(sizes_of(N_ROWS, n_partitions, n_empty), X, y))
    assert_same_cuts(found, MDLPDiscretizer().fit(X, y))


def weights_of(kind):
    random = np.random.default_rng(7)
    if kind == "whole":
        return random.integers(0, 4, N_ROWS)
    if kind == "one":
        return np.ones(N_ROWS)
    if kind == "wild":
        return 10. ** random.uniform(-6, 4, N_ROWS)
    weights = random.random(N_ROWS) * 3
    weights[random.random(N_ROWS) < 0.1] = 0
    return weights


@pytest.mark.parametrize("kind", ["whole", "real"])
def test_weights_on_a_cluster(client, kind):
    X, y = make_data(N_ROWS, 3, missing=0.05)
    weights = weights_of(kind)
    found = SADDDiscretizer().fit(*as_arrays(sizes_of(N_ROWS, 6, 1), X, y, weights))
    assert_same_cuts(found, SADDDiscretizer().fit(X, y, weights))


class TestThreads:
    """The scheduler that Dask uses without a cluster."""

    @pytest.mark.parametrize("kind", DATA)
    @pytest.mark.parametrize("n_classes", [2, 5, 10])
    @pytest.mark.parametrize("n_partitions", [1, 20])
    def test_same_cuts(self, kind, n_classes, n_partitions):
        X, y = make_data(20_000, n_classes, **DATA[kind], seed=n_partitions)
        data = as_arrays(sizes_of(20_000, n_partitions), X, y)
        assert_same_cuts(SADDDiscretizer().fit(*data), SADDDiscretizer().fit(X, y))

    @pytest.mark.parametrize("kind", ["whole", "real", "one"])
    def test_weights(self, kind):
        X, y = make_data(N_ROWS, 3, digits=2)
        weights = weights_of(kind)
        data = as_arrays(sizes_of(N_ROWS, 9, 2), X, y, weights)
        assert_same_cuts(
            SADDDiscretizer().fit(*data), SADDDiscretizer().fit(X, y, weights))

    def test_sorted_data(self):
        # No partition is like another
        X, y = make_data(N_ROWS, 3)
        order = np.argsort(X[:, 0])
        X, y = X[order], y[order]
        data = as_arrays(sizes_of(N_ROWS, 12), X, y)
        assert_same_cuts(SADDDiscretizer().fit(*data), SADDDiscretizer().fit(X, y))

    def test_a_class_that_is_in_one_partition_only(self):
        X, y = make_data(N_ROWS, 3)
        y = np.sort(y)
        data = as_arrays(sizes_of(N_ROWS, 8), X, y)
        assert_same_cuts(SADDDiscretizer().fit(*data), SADDDiscretizer().fit(X, y))

    def test_extreme_values(self):
        random = np.random.default_rng(0)
        y = random.integers(0, 2, 20_000)
        X = np.exp(random.normal(size=(20_000, 3)) * 100) * (1 + y[:, None])
        X[:100, 1], X[100:200, 1] = np.inf, -np.inf
        X[::3, 2] = 0  # a frequent value among others that are not
        data = as_arrays(sizes_of(20_000, 5), X, y)
        assert_same_cuts(SADDDiscretizer().fit(*data), SADDDiscretizer().fit(X, y))

    def test_nothing_to_cut(self):
        X = np.column_stack((np.zeros(1000), np.full(1000, np.nan), np.arange(1000.)))
        y = np.zeros(1000, dtype=int)
        found = SADDDiscretizer().fit(*as_arrays(sizes_of(1000, 3), X, y))
        assert [len(cuts) for cuts in found.cut_points_] == [0, 0, 0]
        np.testing.assert_array_equal(found.n_intervals_, [1, 1, 1])

    def test_decisions_are_the_same(self):
        X, y = make_data(N_ROWS, 2)
        expected = SADDDiscretizer(store_decisions=True).fit(X, y)
        found = SADDDiscretizer(store_decisions=True).fit(
            *as_arrays(sizes_of(N_ROWS, 4), X, y))
        for mine, yours in zip(found.decisions_, expected.decisions_, strict=True):
            np.testing.assert_allclose(mine, yours, rtol=1e-9)

    def test_another_scheduler(self):
        X, y = make_data(5000, 2)
        with dask.config.set(scheduler="synchronous"):
            found = SADDDiscretizer().fit(*as_arrays(sizes_of(5000, 4), X, y))
        assert_same_cuts(found, SADDDiscretizer().fit(X, y))


class TestMerging:
    @pytest.mark.parametrize("rows", [0, 7000, 10 ** 9])
    @pytest.mark.parametrize("kind", [None, "whole", "real", "wild"])
    def test_same_cuts(self, monkeypatch, rows, kind):
        """If nothing is merged, some partitions are, or all."""
        monkeypatch.setattr("orangecontrib.sadd.core.cluster.columns.MERGED_ROWS", rows)
        X, y = make_data(N_ROWS, 3, digits=None if kind is None else 2)
        vectors = (y,) if kind is None else (y, weights_of(kind))
        found = SADDDiscretizer().fit(*as_arrays(sizes_of(N_ROWS, 9, 1), X, *vectors))
        assert_same_cuts(found, SADDDiscretizer().fit(X, *vectors))
        assert ("sadd-merge" in found.traffic_.by_task) == (rows > 0)

    def test_partitions_of_unequal_size(self):
        sizes = [900, 1, 1, 1, 900, 900, 0, 99, 1, 5000, 1]
        kept = Runner().keep("sizes", lambda size: size, [(size,) for size in sizes])
        with dask.config.set(scheduler="synchronous"):
            merged = Runner().merge("sums", lambda *some: sum(some), kept, sizes, 1000)
            found = dask.compute(*merged)
        assert sum(found) == sum(sizes)
        assert len(found) < len(sizes)
        assert max(size for size in found if size != 5000) <= 1000

    def test_many_columns(self, monkeypatch):
        """Partitions are not opened for each column, which would be quadratic."""
        opened = []
        open_part = SortedPart.open
        monkeypatch.setattr(
            SortedPart, "open", lambda part: opened.append(part) or open_part(part))
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(800, 1500)), rng.integers(0, 2, 800)
        found = MDLPDiscretizer().fit(*as_arrays((200,) * 4, X, y))
        assert "sadd-merge" in found.traffic_.by_task
        assert len(opened) == 4
        assert_same_cuts(found, MDLPDiscretizer().fit(X, y))

    def test_one_column_is_open_at_a_time(self):
        rng = np.random.default_rng(0)
        values = rng.normal(size=(2, 3, 100_000))
        groups = ClassGroups(rng.integers(0, 2, 100_000), 2)
        summary = Summary(np.zeros((3, 2)), np.zeros(3), np.zeros(3), {}, 100_000,
                          np.zeros((3, 2)), np.zeros(2))
        merged = merge(*(SortedPart([groups.runs(column) for column in part], summary,
                                    index) for index, part in enumerate(values)))
        runs = merged.open()
        first = weakref.ref(runs[0])
        assert first().size == 200_000
        assert runs[0] is first()
        np.testing.assert_array_equal(
            np.sort(np.concatenate(runs[2].values)), np.sort(values[:, 2].ravel()))
        assert first() is None


def test_few_rows_move(client):
    """Columns are in files, of which a fraction is sent."""
    n_rows = 400_000
    X, y = make_data(n_rows, 2, n_columns=4)
    found = SADDDiscretizer().fit(*as_arrays((n_rows // 4,) * 4, X, y))
    assert_same_cuts(found, SADDDiscretizer().fit(X, y))
    assert found.traffic_.bytes < 0.15 * X.nbytes
    assert set(found.traffic_.by_task) == {
        "sadd-labels", "sadd-sort", "sadd-totals", "sadd-sizes", "sadd-merge",
        "sadd-count", "sadd-rows"}


def test_small_rounds(client):
    """With less room in a round there are more of them, and the same cuts."""
    X, y = make_data(200_000, 2, n_columns=6)
    data = as_arrays((100_000, 100_000), X, y)
    few = SADDDiscretizer().fit(*data)
    with dask.config.set({"sadd.round-size": 2 ** 11}):
        many = SADDDiscretizer().fit(*data)
    assert many.traffic_.rounds > 2 * few.traffic_.rounds
    assert_same_cuts(many, few)
    with dask.config.set({"sadd.round-size": 0}), pytest.raises(
            ValueError, match="sadd.round-size must be above 0"):
        SADDDiscretizer().fit(*data)


def test_a_worker_dies(mortal_client):
    """Killed when columns are sorted and questions are being asked."""
    X, y = make_data(200_000, 3, n_columns=8)
    expected = SADDDiscretizer().fit(X, y)
    data = as_arrays(sizes_of(200_000, 10), X, y)
    killed = []

    def kill_at_half(share):
        if share >= 0.5 and not killed:
            killed.append(kill_worker(mortal_client))

    assert_same_cuts(SADDDiscretizer().fit(*data, callback=kill_at_half), expected)
    assert killed


def test_a_worker_dies_at_any_time(mortal_client):
    X, y = make_data(200_000, 3, n_columns=8)
    data = as_arrays(sizes_of(200_000, 10), X, y)
    killed = []
    timer = threading.Timer(1, lambda: killed.append(kill_worker(mortal_client)))
    timer.start()
    found = SADDDiscretizer().fit(*data)
    timer.join()
    assert_same_cuts(found, SADDDiscretizer().fit(X, y))


def test_files_vanish_with_the_fit(client):
    X, y = make_data(100_000, 2, n_columns=4)
    SADDDiscretizer().fit(*as_arrays((50_000, 50_000), X, y))

    def files(dask_worker):
        return [name for name in os.listdir(dask_worker.local_directory)
                if name.startswith("sadd-")]

    wait_until(lambda: not any(client.run(files).values()))


def test_progress_and_interruption():
    X, y = make_data(N_ROWS, 2)
    data = as_arrays(sizes_of(N_ROWS, 4), X, y)
    shares = []
    SADDDiscretizer().fit(*data, callback=shares.append)
    assert shares == sorted(shares) and 0 <= shares[0] < 0.6 and shares[-1] == 1

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        SADDDiscretizer().fit(*data, callback=stop)


def test_progress_bar(capsys):
    X, y = make_data(1000, 2)
    bar = ProgressBar(interval=0)
    SADDDiscretizer().fit(*as_arrays((500, 500), X, y), callback=bar)
    assert "100%" in capsys.readouterr().err


def test_data_frame_with_names(client):
    X, y = make_data(N_ROWS, 3)
    frame = as_frame(sizes_of(N_ROWS, 5, 1), X, label=np.array(list("abc"))[y])
    found = SADDDiscretizer().fit(frame, "label")
    expected = SADDDiscretizer().fit(X, y)
    assert_same_cuts(found, expected)
    assert found.classes_.tolist() == ["a", "b", "c"]
    assert found.feature_names_in_.tolist() == ["x0", "x1", "x2"]


class TestStored:
    def test_large_objects_are_in_files(self, tmp_path):
        content = {"a": np.arange(300_000.), "b": np.arange(3), "c": np.zeros((2, 0))}
        with dask.config.set({"temporary-directory": str(tmp_path)}):
            stored = Stored(content)
        assert len(list(tmp_path.iterdir())) == 1
        opened = stored.open()
        for name, array in content.items():
            np.testing.assert_array_equal(opened[name], array)
        del stored
        assert list(tmp_path.iterdir()) == []
        assert opened["a"].sum() == content["a"].sum()

    def test_what_is_sent_is_the_content(self, tmp_path):
        import pickle

        stored = Stored(np.arange(300_000.))
        again = pickle.loads(pickle.dumps(stored))
        np.testing.assert_array_equal(again.open(), np.arange(300_000.))
        assert min(again.nbytes, stored.nbytes) > 2_400_000 > again.__sizeof__()
        with dask.config.set({"temporary-directory": str(tmp_path)}):
            stored = Stored(np.arange(9.), small=0)
            again = pickle.loads(pickle.dumps(stored))
        assert len(list(tmp_path.iterdir())) == 2
