"""The naive Bayes family on partitions."""

import warnings

import dask.array as da
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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
from tests.cluster.data import as_arrays, as_frame, make_data, sizes_of, stop_at
from tests.cluster.workers import kill_at
from tests.waiting import wait_until

N_ROWS = 4000


@pytest.fixture(autouse=True)
def few_iterations():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def assert_same_model(found, expected):
    """Sums are added in another order, so that losses are equal up to rounding."""
    np.testing.assert_array_equal(found.classes_, expected.classes_)
    for name in ("log_prior", "log_likelihood", "n_values"):
        np.testing.assert_allclose(getattr(found.tables_, name),
                                   getattr(expected.tables_, name), rtol=1e-12)
    if hasattr(expected, "loss_history_"):
        np.testing.assert_allclose(
            found.loss_history_[[0, -1]], expected.loss_history_[[0, -1]], rtol=1e-6)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([WANBIAClassifier, CAWNBClassifier, RNBClassifier]),
    st.sampled_from(["squared_error", "log_loss"]), st.integers(1, 4),
    st.sampled_from([0, 0.3]), st.booleans(), st.integers(1, 5), st.integers(0, 2),
    st.integers(0, 10 ** 6))
def test_loss_is_that_of_memory(make, objective, n_classes, missing, weighted, n_parts,
                                n_empty, seed):
    X, y = make_data(300, n_classes, missing=missing, digits=1, seed=seed)
    vectors = [y, np.random.default_rng(seed).random(300)] if weighted else [y]
    parameters = {"objective": objective, "max_iter": 5}
    expected = make(**parameters).fit(X, *vectors)
    found = make(**parameters).fit(*as_arrays(
        sizes_of(300, n_parts + n_empty, n_empty, seed), X, *vectors))
    assert_same_model(found, expected)


@pytest.mark.parametrize("method", [
    NaiveBayesClassifier(), RNBClassifier("CAIM", max_iter=10),
    RNBClassifier(SADDDiscretizer(n0=500), max_iter=10)], ids=str)
def test_probabilities_are_those_of_memory(client, method):
    X, y = make_data(N_ROWS, 3, missing=0.05, digits=1)
    weights = np.random.default_rng(0).integers(0, 4, N_ROWS)
    data = as_arrays(sizes_of(N_ROWS, 7, 1), X, y, weights)
    found, expected = clone(method).fit(*data), clone(method).fit(X, y, weights)
    assert_same_model(found, expected)
    proba = found.predict_proba(data[0])
    assert isinstance(proba, da.Array) and proba.shape == (N_ROWS, 3)
    np.testing.assert_allclose(proba, expected.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(found.predict_log_proba(data[0]), np.log(proba))
    predicted = found.predict(data[0])
    assert isinstance(predicted, da.Array) and predicted.shape == (N_ROWS,)
    np.testing.assert_array_equal(predicted, expected.predict(X))


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_loss_is_that_of_memory_when_the_search_converges(load):
    X, y = load(return_X_y=True)
    found = RNBClassifier().fit(*as_arrays(sizes_of(len(X), 4), X, y))
    expected = RNBClassifier().fit(X, y)
    assert expected.converged_
    assert_same_model(found, expected)


def test_aiwnb_needs_rows_in_memory():
    X, y = make_data(100, 3)
    with pytest.raises(ValueError, match=r"all rows in memory.*RNBPlusClassifier"):
        AIWNBClassifier().fit(*as_arrays((100,), X, y))


def test_fit_is_repeatable():
    X, y = make_data(N_ROWS, 3)
    data = as_arrays(sizes_of(N_ROWS, 9), X, y)
    one, other = (RNBClassifier(max_iter=20).fit(*data) for _ in range(2))
    np.testing.assert_array_equal(one.loss_history_, other.loss_history_)


@pytest.mark.parametrize("make", [RNBClassifier, RNBPlusClassifier])
def test_warning_names_the_line_of_the_user(make):
    X, y = make_data(N_ROWS, 3)
    with pytest.warns(ConvergenceWarning, match="has not converged") as caught:
        make(max_iter=1).fit(*as_arrays((N_ROWS,), X, y))
    assert [warning.filename for warning in caught
            if warning.category is ConvergenceWarning] == [__file__]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba"])
def test_methods_need_a_fit(method):
    X, = as_arrays((10,), np.zeros((10, 2)))
    with pytest.raises(NotFittedError):
        getattr(RNBClassifier(), method)(X)


class TestUnlabelled:
    def data(self):
        X, y = make_data(N_ROWS, 3)
        y[np.random.default_rng(5).random(N_ROWS) < 0.7] = -1
        return X, y

    @pytest.mark.parametrize("weighted", [False, True])
    def test_pool_is_used_as_in_memory(self, client, weighted):
        X, y = self.data()
        vectors = [y[:3000]]
        if weighted:
            vectors.append(np.random.default_rng(6).random(3000) * 5)
        expected = RNBPlusClassifier(max_iter=5).fit(
            X[:3000], *vectors, unlabelled=X[3000:])
        found = RNBPlusClassifier(max_iter=5).fit(
            *as_arrays((1000, 0, 1999, 1), X[:3000], *vectors),
            unlabelled=as_arrays((300, 700), X[3000:])[0])
        assert_same_model(found, expected)
        assert found.discretizer_.k_ == expected.discretizer_.k_ is not None

    def test_pool_may_have_other_columns(self):
        X, y = self.data()
        frame = as_frame((1000, 2000), X[:3000], y=y[:3000])
        expected = RNBPlusClassifier(max_iter=5).fit(
            X[:3000], y[:3000], unlabelled=X[3000:])
        found = RNBPlusClassifier(max_iter=5).fit(
            frame, "y", unlabelled=as_frame((1000,), X[3000:], other=0))
        assert_same_model(found, expected)
        np.testing.assert_allclose(
            found.predict_proba(frame[["x0", "x1", "x2"]]),
            expected.predict_proba(X[:3000]), atol=1e-6)

    def test_committee_sees_the_pool_as_in_memory(self):
        X, y = make_data(1300, 3)
        expected = RNBPlusClassifier(max_iter=5, labeller="committee").fit(
            X[:300], y[:300], unlabelled=X[300:])
        found = RNBPlusClassifier(max_iter=5, labeller="committee").fit(
            *as_arrays((100, 200), X[:300], y[:300]),
            unlabelled=as_arrays((300, 700), X[300:])[0])
        assert_same_model(found, expected)

    def test_unlabelled_rows_are_left_out_when_the_method_needs_labels(self):
        X, y = self.data()
        found = RNBClassifier(max_iter=5).fit(*as_arrays(sizes_of(N_ROWS, 4), X, y))
        assert_same_model(found, RNBClassifier(max_iter=5).fit(X, y))

    def test_bad_input_is_rejected(self):
        X, y = self.data()
        array, = as_arrays((N_ROWS,), X)
        for message, method, arguments in [
                ("All rows are unlabelled", RNBClassifier(),
                 (array, np.full(N_ROWS, -1))),
                ("Only one class remains", RNBClassifier(),
                 (array, np.where(y == 1, 1, -1))),
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
        with pytest.raises(ValueError, match="unlabelled must be a Dask array"):
            RNBPlusClassifier().fit(array, y, unlabelled=X)
        with pytest.raises(ValueError, match="2 features, but X has 3"):
            RNBPlusClassifier().fit(array, y, unlabelled=array[:, :2])


def test_categories_and_text_labels_are_those_of_memory():
    X, y = make_data(N_ROWS, 2)
    words = np.array(["a", "b", "c"])[np.random.default_rng(0).integers(0, 3, N_ROWS)]
    labels = np.array(["no", "yes"])[y]
    frame = as_frame(sizes_of(N_ROWS, 5, 1), X, word=words, label=labels)
    found = RNBClassifier(max_iter=5).fit(frame, "label")
    features = frame.drop(columns="label")
    expected = RNBClassifier(max_iter=5).fit(features.compute(), labels)
    assert_same_model(found, expected)
    np.testing.assert_array_equal(
        found.predict(features).compute(), expected.predict(features.compute()))


def test_cancelling_a_search_releases_what_was_persisted(client):
    X, y = make_data(N_ROWS, 3)
    with pytest.raises(InterruptedError):
        RNBClassifier().fit(
            *as_arrays(sizes_of(N_ROWS, 5), X, y), callback=stop_at(0.4))
    wait_until(lambda: not client.who_has())


def test_fit_is_that_of_memory_when_a_worker_dies(mortal_client):
    X, y = make_data(N_ROWS, 3, n_columns=6)
    expected = RNBClassifier(max_iter=10).fit(X, y)
    killed = []
    found = RNBClassifier(max_iter=10).fit(
        *as_arrays(sizes_of(N_ROWS, 8), X, y),
        callback=kill_at(mortal_client, 0.5, killed))
    assert killed
    assert_same_model(found, expected)
