"""SADD Tables on partitions."""

import numpy as np
import pytest

from orangecontrib.sadd.core import SADDTablesClassifier, tables_classifier
from orangecontrib.sadd.core.additive import choice
from tests.cluster.data import as_arrays, as_frame, make_data, sizes_of, stop_at
from tests.waiting import wait_until

N_ROWS = 3000
pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning")


def data():
    X, y = make_data(N_ROWS, 3, missing=0.05, digits=1)
    return X, y, np.where(np.arange(N_ROWS) % 3, y, -1)


def assert_same_model(found, expected, X):
    assert (found.penalty_, found.pairs_) == (expected.penalty_, expected.pairs_)
    assert found.labeller_score_ == expected.labeller_score_
    np.testing.assert_allclose(
        found.predict_proba(X), expected.predict_proba(X), atol=1e-9)
    for one, other in zip(found.terms_, expected.terms_, strict=True):
        np.testing.assert_allclose(one.table, other.table, atol=1e-7)
        np.testing.assert_allclose(one.rows, other.rows)
        assert one.importance == pytest.approx(other.importance)


@pytest.mark.parametrize("is_hidden, parameters", [
    (False, {"pairs": 0, "penalty": 1}), (False, {}), (True, {"pairs": 2}),
    (True, {"discretizer": "PKID", "pairs": 0, "penalty": 3}),
    (True, {"min_confidence": 0.6, "pairs": 2, "penalty": 1})])
def test_model_is_that_of_memory(is_hidden, parameters):
    X, y, hidden = data()
    labels = hidden if is_hidden else y
    weights = np.random.default_rng(0).integers(0, 4, N_ROWS)
    expected = SADDTablesClassifier(**parameters).fit(X, labels, weights)
    arrays = as_arrays(sizes_of(N_ROWS, 6, 1), X, labels, weights)
    found = SADDTablesClassifier(**parameters).fit(*arrays)
    assert_same_model(found, expected, X)
    assert (found.pseudo_label_proba_ is None) == is_hidden
    np.testing.assert_allclose(
        found.predict_proba(arrays[0]), expected.predict_proba(X), atol=1e-9)


def test_pool_and_categories_are_those_of_memory(client):
    X, y, _ = data()
    words = np.array(["a", "b", "c"])[np.random.default_rng(0).integers(0, 3, N_ROWS)]
    frame = as_frame(sizes_of(N_ROWS, 5, 1), X, word=words, label=y)
    pool = as_frame((500, 500), X[:1000] + 0.1, word=words[:1000])
    parameters = {"pairs": 3, "penalty": 1}
    found = SADDTablesClassifier(**parameters).fit(frame, "label", unlabelled=pool)
    rows = frame.drop(columns="label").compute()
    expected = SADDTablesClassifier(**parameters).fit(
        rows, y, unlabelled=pool.compute())
    assert_same_model(found, expected, rows)
    assert any(knots is None for term in found.terms_ for knots in term.knots)


def test_choice_is_on_a_sample_of_large_data(monkeypatch):
    monkeypatch.setattr(tables_classifier, "MOST_CHOOSING", 400)
    monkeypatch.setattr(choice, "MOST_ROWS", 500)
    X, _, _ = data()
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    y[::5] = -1
    expected = SADDTablesClassifier().fit(X, y)
    found = SADDTablesClassifier().fit(*as_arrays(sizes_of(N_ROWS, 6), X, y))
    assert found.pairs_[0] == (0, 1)
    assert_same_model(found, expected, X)


def test_cancelling_a_fit_releases_what_was_persisted(client):
    X, y, _ = data()
    with pytest.raises(InterruptedError):
        SADDTablesClassifier(penalty=1, pairs=0).fit(
            *as_arrays(sizes_of(N_ROWS, 5), X, y), callback=stop_at(0.87))
    wait_until(lambda: not client.who_has())
