"""Random bytes for the compiled modules, through trees and all estimators.

Compiled code does not check indices. With any input the process must not crash:
functions raise an error, or return a result. For a long run, with other examples::

    pytest tests/core/test_fuzz.py --hypothesis-profile=fuzz

To check all indices, build a copy of the sources with ``SADD_BOUNDSCHECK=1``, and run
these tests with ``-W error::pytest.PytestUnraisableExceptionWarning``.
"""

import os
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from orangecontrib.sadd.core import (
    AIWNBClassifier,
    MDLPDiscretizer,
    RNBPlusClassifier,
    SADDDiscretizer,
    SADDTablesClassifier,
    discretizer_base,
)
from orangecontrib.sadd.core import rows as core_rows
from orangecontrib.sadd.core.additive import rowsums
from orangecontrib.sadd.core.methods import entropy as tree
from orangecontrib.sadd.core.methods.cells import cells_of
from orangecontrib.sadd.core.methods.criterion import mutual_information
from orangecontrib.sadd.core.methods.greedy import cacc_cuts, caim_cuts, chimerge_cuts
from tests.core.checks import ESTIMATORS

pytestmark = pytest.mark.interpreted

SIZES = st.sampled_from([0, 1, 2, 3, 7, 65, 130])
SEEDS = st.integers(0, 2 ** 32 - 1)


def random_bits(random, shape, dtype=np.float64):
    """Return an array of random bytes, which cannot be written to."""
    size = int(np.prod(shape))
    return np.frombuffer(
        random.bytes(size * np.dtype(dtype).itemsize), dtype).reshape(shape)


def rows_for_a_tree(random, n_rows, n_columns, n_classes):
    columns = random_bits(random, (n_columns, n_rows))
    if random.random() < 0.5:
        columns = random.integers(-3, 3, columns.shape) / 2
    classes = random.integers(0, max(1, n_classes), n_rows).astype(np.intc)
    weights = [np.ones(n_rows), random.integers(1, 4, n_rows).astype(float),
               np.abs(random_bits(random, n_rows)), random.random(n_rows) + 0.1][
                   random.integers(4)]
    return columns, classes, np.where(weights > 0, weights, 1)


@given(n_rows=SIZES, n_columns=st.integers(0, 3),
       n_classes=st.sampled_from([0, 1, 2, 3, 40, 300]), seed=SEEDS,
       any_n0=st.booleans(), min_samples=st.sampled_from([None, 1, 3, 0.2, 1e300]))
def test_tree_is_in_its_rows(n_rows, n_columns, n_classes, seed, any_n0, min_samples):
    random = np.random.default_rng(seed)
    columns, classes, weights = rows_for_a_tree(random, n_rows, n_columns, n_classes)
    with np.errstate(all="ignore"):
        if n_rows and not n_classes:
            with pytest.raises(ValueError, match="Classes must be"):
                tree.grow(columns, classes, weights, n_classes)
            return
        trees = tree.grow(columns, classes, weights, n_classes, 100.0, any_n0=any_n0,
                          min_samples=min_samples)
        found = tree.accept(trees, 100.0)
    assert trees.roots[0] == 0 and np.all(np.diff(trees.roots) >= 1)
    assert np.all((trees.back == 0) == np.isin(np.arange(len(trees.back)), trees.roots))
    assert np.all((trees.back >= 0) & (trees.back <= np.arange(len(trees.back))))
    assert np.all((trees.place >= -1) & (trees.place <= n_rows))
    for field in (trees.rows_left, trees.gain, trees.theta, trees.below):
        assert not np.any(field[trees.place < 0])  # memory of others
    for column, cuts in zip(columns, found.cut_points, strict=True):
        known = column[~np.isnan(column)]
        assert np.all(np.diff(cuts) > 0)
        assert not len(cuts) or known.min() < cuts[0] and cuts[-1] <= known.max()


@given(n_rows=SIZES, n_columns=st.integers(0, 3),
       n_classes=st.sampled_from([0, 1, 2, 3, 40, 300]), seed=SEEDS)
def test_cells_are_the_distinct_values(n_rows, n_columns, n_classes, seed):
    random = np.random.default_rng(seed)
    columns, classes, weights = rows_for_a_tree(random, n_rows, n_columns, n_classes)
    if n_rows and not n_classes:
        with pytest.raises(ValueError, match="Classes must be"):
            next(cells_of(columns, classes, weights, n_classes))
        return
    for column, cells in zip(columns, cells_of(
            columns, classes, weights, n_classes), strict=True):
        known = ~np.isnan(column)
        values, place = np.unique(column[known], return_inverse=True)
        np.testing.assert_array_equal(cells.values, values)
        numbers, index = np.unique(
            place * max(1, n_classes) + classes[known], return_inverse=True)
        np.testing.assert_array_equal(
            np.repeat(np.arange(len(values)), np.diff(cells.bounds))
            * max(1, n_classes) + cells.classes, numbers)
        np.testing.assert_array_equal(
            cells.weights, np.bincount(index, weights[known], len(numbers)))
        cuts = np.unique(random.choice(values, 3)) if len(values) else values
        table = np.zeros((n_classes, len(cuts) + 1))
        np.add.at(table, (classes[known], np.searchsorted(
            cuts, column[known], side="right")), weights[known])
        counts, information = cells.count(cuts)
        np.testing.assert_allclose(counts, table, rtol=1e-12)
        if table.max(initial=0) < 1e300:
            assert information == pytest.approx(mutual_information(table), abs=1e-9)
        lost = np.bincount(classes[~known], weights[~known], n_classes)
        np.testing.assert_array_equal(cells.missing, lost)
        finite = column[np.isfinite(column)]
        np.testing.assert_array_equal(cells.range, (
            finite.min(), finite.max()) if len(finite) else (np.nan, np.nan))


@given(n_rows=SIZES, n_classes=st.sampled_from([1, 2, 3, 40, 300]), seed=SEEDS,
       max_intervals=st.sampled_from([None, 1, 3]),
       min_samples=st.sampled_from([None, 1, 3, 0.2, 1e300]))
def test_greedy_cuts_are_between_values(
        n_rows, n_classes, seed, max_intervals, min_samples):
    random = np.random.default_rng(seed)
    rows = rows_for_a_tree(random, n_rows, 1, n_classes)
    cells, = cells_of(*rows, n_classes)
    with np.errstate(all="ignore"):
        found = [method(cells, min_samples, max_intervals)
                 for method in (caim_cuts, cacc_cuts)]
        found.append(chimerge_cuts(cells, 0.05, max_intervals))
    for cuts in found:
        assert np.all(np.diff(cuts) > 0) and len(cuts) < max(1, len(cells.values))
        assert max_intervals is None or len(cuts) < max_intervals
        assert not len(cuts) or cells.values[0] < cuts[0] <= cuts[-1] \
            <= cells.values[-1]


@pytest.mark.parametrize("change, message", [
    ({"classes": np.array([0, 1, 2], dtype=np.intc)}, "Classes must be"),
    ({"classes": np.array([0, -1, 1], dtype=np.intc)}, "Classes must be"),
    ({"classes": np.zeros(2, dtype=np.intc)}, "for each row"),
    ({"weights": np.ones(4)}, "for each row"),
    ({"weights": np.array([1, 0, np.nan])}, "Weights must be above 0")])
def test_tree_rejects_rows_that_it_cannot_read(change, message):
    rows = {"columns": np.ones((1, 3)), "classes": np.zeros(3, dtype=np.intc),
            "weights": np.ones(3), **change}
    with pytest.raises(ValueError, match=message):
        tree.grow(**rows, n_classes=2)


@pytest.mark.parametrize("n_rows", [2 ** 31, 2 ** 40])
def test_tree_rejects_more_rows_than_it_can_number(n_rows):
    ones = np.broadcast_to(1.0, n_rows)  # takes no memory
    with pytest.raises(ValueError, match=r"rows, and at most 2,147,483,647 .* Dask"):
        tree.grow(ones[None], np.broadcast_to(np.intc(0), n_rows), ones, 1)


def test_columns_do_not_influence_each_other_when_sums_of_weights_are_not_exact():
    """Sums of whole numbers beyond 2^53 are rounded: differences are not counts."""
    x = np.arange(1000.)
    classes = np.select([x < 600, x < 700, x % 3 == 0], [2, 0, 2], 1).astype(np.intc)
    weights = np.where((x < 600) | (classes < 2), 2.0 ** 60, 1)
    columns = np.stack((x, x // 2))
    together = tree.grow(columns, classes, weights, 3, any_n0=True)
    for index in (0, 1):
        alone = tree.grow(columns[index:index + 1], classes, weights, 3, any_n0=True)
        np.testing.assert_array_equal(together.sums[index], alone.sums[0])
        np.testing.assert_array_equal(
            together.cut[slice(*together.roots[index:index + 2])], alone.cut)


every_estimator = pytest.mark.parametrize("name", ESTIMATORS)


def fit(estimator, X, y, weights=None):
    """Return what a fitted copy of the estimator predicts, or its codes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = clone(estimator).fit(X, y, sample_weight=weights)
    return fitted.predict_proba(X) if hasattr(fitted, "predict_proba") \
        else fitted.transform(X)


MATRICES = {
    "non-contiguous": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "columns first": np.asfortranarray,
    "foreign byte order": lambda X: X.astype(X.dtype.newbyteorder()),
    "not aligned": lambda X: np.frombuffer(
        b"x" + X.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(X.shape),
    "float16": lambda X: X.astype(np.float16),
    "float32": lambda X: X.astype(np.float32),
    "longdouble": lambda X: X.astype(np.longdouble),
    "int8": lambda X: (4 * X).astype(np.int8),
    "uint64": lambda X: (4 * X).astype(np.uint64),
    "object": lambda X: X.astype(object),
    "frame": pd.DataFrame,
}
LABELS = {
    "far apart": lambda y: np.array([-2 ** 63, 0, 2 ** 63 - 1])[y],
    "unsigned": lambda y: np.array([1, 2 ** 63, 2 ** 64 - 1], dtype=np.uint64)[y],
    "beyond 64 bits": lambda y: np.array([10, 10 ** 30, 10 ** 40], dtype=object)[y],
    "bytes": lambda y: np.array([b"a", b"b", b"c"])[y],
    "dates": lambda y: np.array([1, 2, 3], dtype="M8[D]")[y],
    "foreign byte order": lambda y: y.astype(">i8"),
    "float16": lambda y: y.astype(np.float16),
    "non-contiguous": lambda y: np.repeat(y, 3)[::3],
}


@pytest.fixture(scope="module")
def small():
    """Return rows whose values are exact in any type of numbers."""
    random = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = random.integers(0, 12, (60, 3)) / 4 + y[:, None]
    for array in (X, y):
        array.flags.writeable = False
    return X, y


@every_estimator
def test_memory_of_input_does_not_matter(name, small):
    X, y = small
    expected = fit(ESTIMATORS[name], X, y)
    in_quarters = fit(ESTIMATORS[name], 4 * X, y)
    for kind, change in MATRICES.items():
        np.testing.assert_array_equal(
            fit(ESTIMATORS[name], change(X), y),
            in_quarters if "int" in kind else expected, err_msg=kind)
    for kind, change in LABELS.items():
        np.testing.assert_array_equal(
            fit(ESTIMATORS[name], X, change(y)), expected, err_msg=kind)
    assert fit(ESTIMATORS[name], X > 2, y > 0).shape[0] == len(X)


@every_estimator
@given(n_rows=SIZES, n_columns=st.integers(0, 3), n_labels=st.integers(1, 4),
       bits=st.booleans(), weighted=st.booleans(), seed=SEEDS)
@example(n_rows=7, n_columns=2, n_labels=2, bits=False, weighted=True, seed=312871)
def test_random_bytes_are_fitted_or_rejected(
        name, n_rows, n_columns, n_labels, bits, weighted, seed):
    random = np.random.default_rng(seed)
    X = random_bits(random, (n_rows, n_columns))
    if not bits:
        X = np.where(random.random(X.shape) < 0.2, X, random.integers(0, 9, X.shape))
    y = random_bits(random, n_labels, random.choice(np.array(["i8", "u1", "S2", "f8"])))
    y = random.choice(y, n_rows)
    weights = [random_bits(random, n_rows), 10.0 ** random.uniform(-90, 90, n_rows),
               2.0 ** random.integers(-1, 99, n_rows)][seed % 3] if weighted else None
    try:
        found = fit(ESTIMATORS[name], X, y, weights)
    except ValueError as error:
        assert str(error)
    else:
        assert len(found) == n_rows


N_FITS = int(os.environ.get("SADD_FUZZ_FITS", "60"))


def test_fits_in_threads_that_are_cancelled_leave_nothing_behind(monkeypatch, small):
    """Each thread fits again and again, and stops at a random call of the callback."""
    for module, limit, value in (
            (discretizer_base, "MANY_CELLS", 0), (core_rows, "BLOCK_CELLS", 60),
            (rowsums, "PART_VALUES", 50)):
        monkeypatch.setattr(module, limit, value)
    X, y = small
    y = np.where(np.arange(60) % 5, y, -1)
    estimators = [
        SADDDiscretizer(n_jobs=2, store_decisions=True), MDLPDiscretizer(n_jobs=3),
        RNBPlusClassifier(n_jobs=2, max_iter=20), AIWNBClassifier(n_jobs=2),
        SADDTablesClassifier(n_jobs=2, max_iter=20, labeller="neighbours",
                             penalty=1, pairs=3)]
    expected = [fit(estimator, X, y) for estimator in estimators]
    before, failures, n_stopped = set(threading.enumerate()), [], []

    class Stop(Exception):
        pass

    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(N_FITS // 4):
            which = random.integers(len(estimators))
            left = random.integers(0, 12)

            def stop(_):
                nonlocal left
                left -= 1
                if left == 0:
                    raise Stop

            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)
                    clone(estimators[which]).fit(X, y, callback=stop)
                found = fit(estimators[which], X, y)
                if not np.array_equal(found, expected[which]):
                    failures.append(estimators[which])
            except Stop:
                n_stopped.append(which)
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and n_stopped
    assert not [thread for thread in set(threading.enumerate()) - before
                if thread.name.startswith("ThreadPoolExecutor")]
