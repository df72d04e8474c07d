"""Work and memory grow with the data, not with its square.

Work is counted, not timed: calls of functions, and cells of the arrays they are given.
"""

import multiprocessing
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from unittest.mock import patch

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from orangecontrib.sadd.core import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.core.additive.rowsums import BLOCK_VALUES
from orangecontrib.sadd.core.classifier_base import BayesClassifier
from orangecontrib.sadd.core.methods import cells
from tests.core.checks import ESTIMATORS
from tests.core.work import peak_of, work_of

# Four times as much of something may take this many times the memory; the square would
# be sixteen times
MOST = 8

# The same for work that is counted: the fourfold, what sorting adds, and perhaps a step
# more of an optimizer
MOST_WORK = 5

# What grows, and from where: few enough cells for CACC and ChiMerge, which look at each
GROWING = {
    "n_rows": {"n_rows": 1000, "n_columns": 2},
    "n_classes": {"n_rows": 1600, "n_columns": 1, "n_classes": 50},
    "n_columns": {"n_rows": 120, "n_columns": 10},
}

# By the published rule, CAIM makes at least as many intervals as there are classes. The
# table of both grows with the square of classes.
FASTER = {("CAIM", "n_classes")}


def make(n_rows=400, n_classes=3, n_columns=4, n_places=None):
    """Make data; classes lie apart, or share as many places as are given."""
    random = np.random.default_rng(0)
    y = np.arange(n_rows) % n_classes
    X = random.normal(size=(n_rows, n_columns))
    X[:, 0] += y if n_places is None else 2 * (y % n_places)
    return X, y


@pytest.fixture(scope="module")
def alone():
    """Calls functions in a process without coverage or threads of other tests."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        yield lambda function, *arguments: pool.submit(function, *arguments).result()


def costs_of_fit(estimator, X, y):
    """Return the numbers of calls and of cells, and the bytes, after a first call."""
    def fit():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            estimator.fit(X, y)

    peak = peak_of(fit)
    return *work_of(fit), peak


def growing():
    for name, estimator in ESTIMATORS.items():
        if hasattr(estimator, "max_iter"):
            estimator = clone(estimator).set_params(max_iter=3)
        for dimension in GROWING:
            if (name, dimension) not in FASTER:
                yield pytest.param(estimator, dimension, id=f"{name}-{dimension}")


@pytest.mark.parametrize(["estimator", "dimension"], list(growing()))
def test_fit(estimator, dimension, alone):
    """
    Four times the rows, classes or columns are four times the work and the memory.

    The number of places is fixed, so more classes do not mean more intervals. Otherwise
    the table of both would grow with the square.
    """
    start, found = GROWING[dimension], []
    for factor in (1, 4):
        if dimension == "n_columns":  # the same ones, as some take longer than others
            X, y = make(n_places=4, **start)
            X = np.tile(X, factor)
        else:
            X, y = make(n_places=4, **{**start, dimension: factor * start[dimension]})
        found.append(alone(costs_of_fit, estimator, X, y))
    slack = 8 * BLOCK_VALUES if isinstance(estimator, BayesClassifier) else 2 ** 16
    for what, more, few, many in zip(
            ("calls", "cells", "bytes"), (0, 0, slack), *found, strict=True):
        assert many < MOST_WORK * few + more, what


def in_loop(values):
    return [np.sum(values[first:]) for first in range(len(values))]


def in_cells(values):
    return np.sum(np.add.outer(values, values))


def test_work_is_seen(alone):
    """The square is not overlooked, whether in a loop, in a call or in memory."""
    few, many = np.zeros(30), np.zeros(120)
    for square in (in_loop, in_cells):
        assert work_of(lambda f=square: f(many))[1] > 10 * work_of(
            lambda f=square: f(few))[1]
    assert alone(peak_of, in_cells, many) > 10 * alone(peak_of, in_cells, few)


def peak_with_small_tables(name, X, y):
    with patch.object(cells, "MOST_CELLS", 2 ** 12):
        return peak_of(make_discretizer(name).fit, X, y)


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_memory_is_linear_when_each_row_is_a_class(name, alone):
    """As where an id is taken for the class."""
    few, many = (alone(peak_with_small_tables, name, *make(n, n, 1))
                 for n in (200, 800))
    assert many < MOST * few + 2 ** 20


@pytest.mark.parametrize("name", ["MDLP", "SADD"])
def test_time_is_linear_when_each_row_is_a_class(name):
    def seconds(n_rows):
        X, y = make(n_rows, n_rows, 1)
        times = []
        for _ in range(5):
            start = time.process_time()
            make_discretizer(name).fit(X, y)
            times.append(time.process_time() - start)
        return min(times)

    # The square would be sixteen times
    assert seconds(32_000) < MOST * seconds(8_000)
