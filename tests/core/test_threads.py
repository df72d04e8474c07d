"""Threads: the number that is set, and the results of one thread."""

import threading

import joblib
import numpy as np
import pytest
from sklearn.base import clone

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    NaiveBayesClassifier,
    RNBPlusClassifier,
    SADDDiscretizer,
    SADDTablesClassifier,
    discretizer_base,
)
from orangecontrib.sadd.core import rows as core_rows
from orangecontrib.sadd.core.threads import map_in_threads, n_threads, use_threads
from tests.core.checks import same_cuts
from tests.waiting import TIMEOUT


def test_number_of_threads_follows_arguments_and_contexts():
    assert n_threads() == 1
    assert n_threads(3) == 3
    assert n_threads(-1) == joblib.cpu_count()
    with use_threads(5):
        assert n_threads() == 5
        assert n_threads(2) == 2
        with use_threads(None):
            assert n_threads() == 5
    with joblib.parallel_config(n_jobs=4):
        assert n_threads() == 4


def threads_of_worker():
    with use_threads():
        everywhere = n_threads()
    return everywhere, n_threads(-1), n_threads(3)


def test_workers_of_others_have_one():
    found = joblib.Parallel(n_jobs=2)(
        joblib.delayed(threads_of_worker)() for _ in range(2))
    assert found == [(1, 1, 3)] * 2


def test_order_and_laziness():
    begun = []

    def work(item):
        begun.append(item)
        return item ** 2

    results = map_in_threads(work, range(100), 2)
    assert next(results) == 0
    results.close()
    assert len(begun) < 10
    assert list(map_in_threads(work, range(50), 4)) == [i ** 2 for i in range(50)]


def test_several_at_a_time():
    together = threading.Barrier(3, timeout=TIMEOUT)  # breaks unless three arrive
    found = map_in_threads(lambda _: together.wait(), range(3), 3)
    assert sorted(found) == [0, 1, 2]


def test_exceptions_pass():
    with pytest.raises(ZeroDivisionError):
        list(map_in_threads(lambda item: 1 / item, [1, 0, 1], 2))


@pytest.fixture
def rows(monkeypatch):
    """Return rows and labels; small blocks make threads share even little data."""
    monkeypatch.setattr(discretizer_base, "MANY_CELLS", 0)
    monkeypatch.setattr(core_rows, "BLOCK_CELLS", 300)
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 300)
    X = random.normal(size=(300, 12)).round(2) + y[:, None] * 0.7
    X[random.random(X.shape) < 0.05] = np.nan
    return X, y


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_discretizers_find_the_same_in_threads(name, rows):
    one = DISCRETIZERS[name].make().fit(*rows)
    more = DISCRETIZERS[name].make(n_jobs=3).fit(*rows)
    assert same_cuts(one, more)
    np.testing.assert_array_equal(one.mutual_information_, more.mutual_information_)
    np.testing.assert_array_equal(one.transform(rows[0]), more.transform(rows[0]))


@pytest.mark.parametrize("model", [
    RNBPlusClassifier(max_iter=20), NaiveBayesClassifier(), SADDTablesClassifier(
        penalty=1, pairs=0)])
@pytest.mark.filterwarnings("ignore:.*not converged")
def test_classifiers_predict_the_same_in_threads(model, rows):
    one, more = (clone(model).set_params(n_jobs=n_jobs).fit(*rows) for n_jobs in (1, 3))
    np.testing.assert_array_equal(
        one.predict_proba(rows[0]), more.predict_proba(rows[0]))


def test_cancelled_at_once(rows):
    calls = []

    def stop(done):
        calls.append(done)
        raise KeyboardInterrupt

    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        SADDDiscretizer(n_jobs=2).fit(*rows, callback=stop)
    assert len(calls) == 1
    # Clusters that other tests have left have threads of other names
    assert not [thread for thread in set(threading.enumerate()) - before
                if thread.name.startswith("ThreadPoolExecutor")]
