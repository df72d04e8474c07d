"""Threads: the number that is set, and the results of one thread."""

import threading
import unittest

import joblib
import numpy as np
from sklearn.base import clone

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    NaiveBayesClassifier,
    RNBPlusClassifier,
    SADDDiscretizer,
    discretizer_base,
)
from orangecontrib.sadd.core import data as data_module
from orangecontrib.sadd.core.threads import map_in_threads, n_threads, use_threads
from tests.core.checks import same_cuts
from tests.waiting import TIMEOUT


class TestThreads(unittest.TestCase):
    def test_number(self):
        self.assertEqual(n_threads(), 1)
        self.assertEqual(n_threads(3), 3)
        self.assertEqual(n_threads(-1), joblib.cpu_count())
        with use_threads(5):
            self.assertEqual(n_threads(), 5)
            self.assertEqual(n_threads(2), 2)
            with use_threads(None):
                self.assertEqual(n_threads(), 5)
        with joblib.parallel_config(n_jobs=4):
            self.assertEqual(n_threads(), 4)

    def test_workers_of_others_have_one(self):
        found = joblib.Parallel(n_jobs=2)(
            joblib.delayed(_threads_of_worker)() for _ in range(2))
        self.assertEqual(found, [(1, 1, 3)] * 2)

    def test_order_and_laziness(self):
        begun = []

        def work(item):
            begun.append(item)
            return item ** 2

        results = map_in_threads(work, range(100), 2)
        self.assertEqual(next(results), 0)
        results.close()
        self.assertLess(len(begun), 10)
        self.assertEqual(list(map_in_threads(work, range(50), 4)),
                         [item ** 2 for item in range(50)])

    def test_several_at_a_time(self):
        together = threading.Barrier(3, timeout=TIMEOUT)  # breaks unless three arrive
        self.assertEqual(
            sorted(map_in_threads(lambda _: together.wait(), range(3), 3)), [0, 1, 2])

    def test_exceptions_pass(self):
        with self.assertRaises(ZeroDivisionError):
            list(map_in_threads(lambda item: 1 / item, [1, 0, 1], 2))


def _threads_of_worker():
    with use_threads():
        everywhere = n_threads()
    return everywhere, n_threads(-1), n_threads(3)


class TestSameResults(unittest.TestCase):
    """Small blocks make threads share even little data."""

    def setUp(self):
        random = np.random.default_rng(0)
        self.y = random.integers(0, 3, 300)
        self.X = random.normal(size=(300, 12)).round(2) + self.y[:, None] * 0.7
        self.X[random.random(self.X.shape) < 0.05] = np.nan
        for module, name, value in (
                (discretizer_base, "MANY_CELLS", 0),
                (data_module, "BLOCK_CELLS", 300),
                (data_module, "LEAST_COLUMNS", 1)):
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, value)

    def test_discretizers(self):
        for method in DISCRETIZERS.values():
            with self.subTest(method=method.name):
                one = method.estimator().fit(self.X, self.y)
                more = method.estimator(n_jobs=3).fit(self.X, self.y)
                self.assertTrue(same_cuts(one, more))
                np.testing.assert_array_equal(one.mutual_information_,
                                              more.mutual_information_)
                np.testing.assert_array_equal(one.transform(self.X),
                                              more.transform(self.X))

    def test_classifiers(self):
        for classifier in (RNBPlusClassifier(max_iter=20), NaiveBayesClassifier()):
            one = classifier.fit(self.X, self.y).predict_proba(self.X)
            more = clone(classifier).set_params(n_jobs=3).fit(self.X, self.y)
            np.testing.assert_array_equal(more.predict_proba(self.X), one)

    def test_cancelled_at_once(self):
        calls = []

        def stop(done):
            calls.append(done)
            raise KeyboardInterrupt

        before = set(threading.enumerate())
        with self.assertRaises(KeyboardInterrupt):
            SADDDiscretizer(n_jobs=2).fit(self.X, self.y, callback=stop)
        self.assertEqual(len(calls), 1)
        # Clusters that other tests have left have threads of other names
        self.assertEqual([], [
            thread for thread in set(threading.enumerate()) - before
            if thread.name.startswith("ThreadPoolExecutor")])

