"""The naive Bayes family on partitions."""

import sys
import warnings

import dask
import dask.array as da
import numpy as np
import pytest
from sklearn import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.preprocessing import KBinsDiscretizer

from orangecontrib.sadd.core import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    RNBPlusClassifier,
    SADDDiscretizer,
    WANBIAClassifier,
)
from tests.cluster.data import as_arrays, as_frame, make_data, sizes_of
from tests.cluster.workers import kill_worker

N_ROWS = 4000


@pytest.fixture(autouse=True)
def few_iterations():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def assert_same_model(found, expected):
    """Equal to the last digit: all sums are exact, wherever rows are."""
    np.testing.assert_array_equal(found.classes_, expected.classes_)
    for name in ("log_prior", "log_likelihood", "n_values"):
        np.testing.assert_array_equal(getattr(found.tables_, name),
                                      getattr(expected.tables_, name))
    for name in ("weights_", "class_weights_", "alpha_", "loss_history_"):
        if getattr(expected, name, None) is not None:
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize("n_partitions, n_empty", [(1, 0), (6, 2), (20, 0)])
def test_rnb_on_a_cluster(client, n_partitions, n_empty):
    X, y = make_data(N_ROWS, 3)
    data = as_arrays(sizes_of(N_ROWS, n_partitions, n_empty), X, y)
    expected = RNBClassifier(max_iter=15).fit(X, y)
    found = RNBClassifier(max_iter=15).fit(*data)
    assert_same_model(found, expected)
    probabilities = found.predict_proba(data[0])
    assert isinstance(probabilities, da.Array) and probabilities.shape == (N_ROWS, 3)
    np.testing.assert_allclose(probabilities, expected.predict_proba(X), atol=1e-8)
    predicted = found.predict(data[0])
    assert isinstance(predicted, da.Array) and predicted.shape == (N_ROWS,)
    np.testing.assert_array_equal(predicted, expected.predict(X))
    assert {"rnb-codes", "rnb-tables", "rnb-rows", "rnb-gradient"} <= set(
        found.traffic_.by_task)


@pytest.mark.parametrize("method", [
    NaiveBayesClassifier(), WANBIAClassifier(max_iter=15), CAWNBClassifier(max_iter=15),
    RNBClassifier(max_iter=15, objective="cll"), RNBClassifier("CAIM", max_iter=15),
    RNBClassifier(SADDDiscretizer(n0=500), max_iter=15)], ids=str)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_every_method(method, n_classes):
    X, y = make_data(N_ROWS, n_classes, missing=0.05, digits=1)
    weights = np.random.default_rng(0).integers(0, 4, N_ROWS)
    data = as_arrays(sizes_of(N_ROWS, 7, 1), X, y, weights)
    found, expected = clone(method).fit(*data), clone(method).fit(X, y, weights)
    assert_same_model(found, expected)
    np.testing.assert_allclose(
        found.predict_log_proba(data[0]), expected.predict_log_proba(X), atol=1e-7)


WEIGHTS = {
    "without weights": lambda n_rows: (),
    "weights": lambda n_rows: (np.random.default_rng(3).random(n_rows) ** 4,)}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("objective", ["mse", "cll"])
@pytest.mark.parametrize("n_classes", [2, 3, 9])
def test_long_searches(n_classes, objective, weights):
    """After many steps in a flat valley, any difference of sums would be seen."""
    X, y = make_data(N_ROWS, n_classes, n_columns=9)
    rows = X, y, *WEIGHTS[weights](N_ROWS)
    method = RNBClassifier(objective=objective, tol=0, max_iter=60)
    expected = clone(method).fit(*rows)
    assert expected.n_iter_ > 50
    # Some partitions have a single row, some none
    sizes = (1, 0, 1, 700, 2, N_ROWS - 704)
    assert_same_model(method.fit(*as_arrays(sizes, *rows)), expected)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_until_the_search_converges(load):
    X, y = load(return_X_y=True)
    found = RNBClassifier().fit(*as_arrays(sizes_of(len(X), 4), X, y))
    expected = RNBClassifier().fit(X, y)
    assert expected.converged_
    assert_same_model(found, expected)


@pytest.mark.parametrize("make", [RNBClassifier, RNBPlusClassifier])
def test_the_warning_names_the_users_line(make):
    X, y = make_data(N_ROWS, 3)
    for data in ((X, y), as_arrays((N_ROWS,), X, y)):
        with pytest.warns(ConvergenceWarning, match="has not converged") as caught:
            make(max_iter=1).fit(*data)
        assert [warning.filename for warning in caught
                if warning.category is ConvergenceWarning] == [__file__]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba"])
def test_not_fitted(method):
    X, = as_arrays((10,), np.zeros((10, 2)))
    with pytest.raises(NotFittedError):
        getattr(RNBClassifier(), method)(X)


def test_partitions_of_different_certainty(monkeypatch):
    """All rows of some workers are certain, and their derivatives small."""
    monkeypatch.setattr("dask.system.CPU_COUNT", 3)
    X = np.repeat(np.arange(200) % 2, 4).reshape(200, 4).astype(float)
    y = (X[:, 0] > 0).astype(int)
    X[198:] = np.nan
    expected = RNBClassifier().fit(X, y)
    rounds = []
    for sizes in [(200,), (100, 50, 50)]:
        found = RNBClassifier().fit(*as_arrays(sizes, X, y))
        assert_same_model(found, expected)
        rounds.append(found.traffic_.by_task["rnb-gradient"][0])
    # Workers that have rounded more finely than others are asked again
    assert rounds[1] > rounds[0]


class TestUnlabelled:
    def data(self):
        X, y = make_data(N_ROWS, 3)
        y[np.random.default_rng(5).random(N_ROWS) < 0.7] = -1
        return X, y

    def test_rnb_plus_with_a_pool(self, client):
        X, y = self.data()
        expected = RNBPlusClassifier(max_iter=10).fit(X[:3000], y[:3000],
            X_unlabelled=X[3000:])
        found = RNBPlusClassifier(max_iter=10).fit(
            *as_arrays((1000, 0, 2000), X[:3000], y[:3000]),
            X_unlabelled=as_arrays((300, 700), X[3000:])[0])
        assert_same_model(found, expected)
        assert found.discretizer_.k_ == expected.discretizer_.k_

    def test_weights_and_a_pool(self):
        X, y = self.data()
        weights = np.random.default_rng(6).random(3000) * 5
        expected = RNBPlusClassifier(max_iter=30).fit(
            X[:3000], y[:3000], weights, X_unlabelled=X[3000:])
        found = RNBPlusClassifier(max_iter=30).fit(
            *as_arrays((1000, 0, 1999, 1), X[:3000], y[:3000], weights),
            X_unlabelled=as_arrays((300, 700), X[3000:])[0])
        assert_same_model(found, expected)

    @pytest.mark.parametrize("as_pool", [
        lambda X: as_arrays((300, 700), X)[0], lambda X: as_frame((300, 700), X)])
    def test_all_rows_labelled_but_the_pool(self, as_pool):
        X, y = make_data(1300, 3)
        data = as_arrays((100, 200), X[:300], y[:300]) \
            if isinstance(as_pool(X[300:]), da.Array) \
            else (as_frame((100, 200), X[:300], y=y[:300]), "y")
        expected = RNBPlusClassifier(max_iter=10).fit(
            X[:300], y[:300], X_unlabelled=X[300:])
        found = RNBPlusClassifier(max_iter=10).fit(
            *data, X_unlabelled=as_pool(X[300:]))
        assert_same_model(found, expected)
        assert found.discretizer_.k_ == expected.discretizer_.k_ is not None

    def test_frame_with_a_pool(self, tmp_path):
        X, y = self.data()
        frame = as_frame((1000, 2000), X[:3000], y=y[:3000])
        as_frame((1000,), X[3000:], other=0).to_parquet(tmp_path / "pool.parquet")
        expected = RNBPlusClassifier(max_iter=10).fit(X[:3000], y[:3000],
            X_unlabelled=X[3000:])
        found = RNBPlusClassifier(max_iter=10).fit(
            frame, "y", X_unlabelled=tmp_path / "pool.parquet")
        assert_same_model(found, expected)
        np.testing.assert_allclose(
            found.predict_proba(frame[["x0", "x1", "x2"]]),
            expected.predict_proba(X[:3000]), atol=1e-8)

    def test_discretizer_that_needs_labels(self):
        X, y = self.data()
        found = RNBClassifier(max_iter=10).fit(*as_arrays(sizes_of(N_ROWS, 4), X, y))
        assert_same_model(found, RNBClassifier(max_iter=10).fit(X, y))

    def test_errors(self):
        X, y = self.data()
        array, = as_arrays((N_ROWS,), X)
        for message, method, arguments in [
                ("All rows are unlabelled", RNBClassifier(),
                 (array, np.full(N_ROWS, -1))),
                ("Only one class remains", RNBClassifier(),
                 (array, np.where(y == 1, 1, -1))),
                ("AIWNBClassifier looks at all rows", AIWNBClassifier(), (array, y)),
                ("KBinsDiscretizer cannot", RNBClassifier(KBinsDiscretizer()),
                 (array, y)),
                ("requires y", RNBClassifier(), (array, None)),
                ("contains infinity", RNBClassifier(),
                 (array, np.where(y == 1, np.inf, y)))]:
            with pytest.raises(ValueError, match=message):
                method.fit(*arguments)
        labelled = np.where(np.arange(N_ROWS) < 3000, y, -1)
        with pytest.raises(ValueError, match="is zero for every labelled row"):
            RNBClassifier().fit(array, labelled, (labelled == -1).astype(float))
        with pytest.raises(ValueError, match="X_unlabelled must be a Dask array"):
            RNBPlusClassifier().fit(array, y, X_unlabelled=X)
        with pytest.raises(ValueError, match="2 features, but X has 3"):
            RNBPlusClassifier().fit(array, y, X_unlabelled=array[:, :2])


def test_categories_and_text_labels():
    X, y = make_data(N_ROWS, 2)
    words = np.array(["a", "b", "c"])[np.random.default_rng(0).integers(0, 3, N_ROWS)]
    labels = np.array(["no", "yes"])[y]
    frame = as_frame(sizes_of(N_ROWS, 5, 1), X, word=words, label=labels)
    found = RNBClassifier(max_iter=10).fit(frame, "label")
    features = frame.drop(columns="label")
    expected = RNBClassifier(max_iter=10).fit(features.compute(), labels)
    assert_same_model(found, expected)
    np.testing.assert_array_equal(
        found.predict(features).compute(), expected.predict(features.compute()))


def page_faults_of_an_evaluation(reuse_memory):
    """Runs on a worker: how many new pages does it take, once it has begun?"""
    import resource

    from orangecontrib.sadd.core.cluster.transfer import Stored

    from orangecontrib.sadd.core.bayes.tables import fit_tables
    from orangecontrib.sadd.core.cluster import objective

    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 9, (100_000, 5)), rng.integers(0, 5, 100_000)
    tables = fit_tables(codes.astype(float), y, 5)
    parts = [objective._prepare(
        5, "rnb", "mse", {None: tables}, float(len(y)), Stored((codes + 1, y, None)))]
    theta = objective.Objective(tables).layout.start
    faults = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        objective._evaluate(parts, theta, None, 0, reuse_memory)
        faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    return faults


@pytest.mark.skipif(sys.platform != "linux", reason="It is about glibc.")
def test_workers_reuse_memory(client):
    """Dask's setting for malloc makes them ask for 18,000 pages otherwise."""
    faults = client.submit(page_faults_of_an_evaluation, True, pure=False).result()
    assert min(faults) < 5000  # other threads of the worker take pages, too


@pytest.mark.parametrize("setting", [None, True, False])
def test_reuse_of_memory_can_be_switched_off(setting, monkeypatch):
    calls = []
    monkeypatch.setattr("orangecontrib.sadd.core.cluster.objective._reuse_pages",
                        lambda: calls.append(1))
    settings = {} if setting is None else {"sadd.reuse-memory": setting}
    X, y = make_data(100, 2)
    with dask.config.set(settings):
        WANBIAClassifier(max_iter=2).fit(*as_arrays((50, 50), X, y))
    assert bool(calls) == (setting is not False)


def test_a_worker_dies(mortal_client):
    X, y = make_data(N_ROWS, 3)
    expected = RNBClassifier(max_iter=15).fit(X, y)
    killed = []

    def kill_at_half(share):
        if share >= 0.5 and not killed:
            killed.append(kill_worker(mortal_client))

    found = RNBClassifier(max_iter=15).fit(
        *as_arrays(sizes_of(N_ROWS, 6), X, y), callback=kill_at_half)
    assert_same_model(found, expected)
    assert killed


class TestFewLabels:
    """Committees, pools that count, and shrinkage: the same as in memory."""

    parameters = {"labeller": "committee", "pool_use": "counts", "objective": "cll",
                  "shrinkage": 1}

    @pytest.mark.parametrize("n_classes", [2, 4])
    @pytest.mark.parametrize("weighted", [False, True])
    def test_same_as_in_memory(self, client, n_classes, weighted):
        X, y = make_data(900, n_classes, digits=1, missing=0.05)
        y[np.random.default_rng(3).random(900) < 0.6] = -1
        weights = np.random.default_rng(4).uniform(0.5, 3, 900) if weighted else None
        sizes = sizes_of(900, 4, 1)
        data = as_arrays(sizes, X, y, *([weights] if weighted else []))
        expected = RNBPlusClassifier(**self.parameters).fit(X, y, weights)
        found = RNBPlusClassifier(**self.parameters).fit(*data)
        np.testing.assert_array_equal(found.tables_.counts, expected.tables_.counts)
        np.testing.assert_array_equal(found.class_weights_, expected.class_weights_)
        assert found.loss_ == expected.loss_
        assert found.discretizer_.labeller_score_ \
            == expected.discretizer_.labeller_score_

    def test_a_pool_of_its_own(self):
        X, y = make_data(900, 3, digits=1)
        array, labels = as_arrays(sizes_of(300, 2), X[:300], y[:300])
        pool, = as_arrays(sizes_of(600, 3), X[300:])
        parameters = {**self.parameters, "min_confidence": 0.6, "max_labelled": 250}
        found = RNBPlusClassifier(**parameters).fit(array, labels, X_unlabelled=pool)
        expected = RNBPlusClassifier(**parameters).fit(
            X[:300], y[:300], X_unlabelled=X[300:])
        np.testing.assert_array_equal(found.tables_.counts, expected.tables_.counts)
        np.testing.assert_array_equal(found.class_weights_, expected.class_weights_)
