"""`Rows`: what a fit reads, for few rows and for any layout of memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csc_array

from orangecontrib.sadd.core import DISCRETIZERS, SADDDiscretizer, make_discretizer
from orangecontrib.sadd.core.labelling.labellers import label
from orangecontrib.sadd.core.labels import UNLABELLED, LabelSummary, find_obstacle
from orangecontrib.sadd.core.rows import Rows

LAYOUTS = {
    "C": np.ascontiguousarray, "Fortran": np.asfortranarray, "sparse": csc_array,
    "reversed": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "read-only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape)}


def make_rows(seed, n_rows, n_pool=0, n_features=3, layout=np.asarray):
    """Return random rows of two classes; the last feature is categorical."""
    random = np.random.default_rng(seed)
    X = random.integers(-2, 3, (n_rows + n_pool, n_features)) / 2
    X[:, -1] = random.integers(0, 3, len(X))
    X[random.random(X.shape) < 0.2] = np.nan
    given_classes = random.integers(UNLABELLED, 2, len(X))
    given_classes[n_rows:] = UNLABELLED
    weights = random.choice([0, 0.5, 1, 2], len(X))
    labels = LabelSummary.of(np.array(["a", "b"]), given_classes, weights)
    categories = [None] * (n_features - 1) + [np.arange(3)]
    return Rows(layout(X), given_classes, weights, labels, categories, n_data=n_rows)


def contents(cuts):
    return [list(map(np.ndarray.tolist, cuts.cut_points)),
            [None if table is None else table.tolist() for table in cuts.counts],
            cuts.missing_counts.tolist()]


@given(seed=st.integers(0, 2 ** 32 - 1), n_rows=st.sampled_from([0, 1, 2, 9]),
       n_pool=st.sampled_from([0, 1, 2, 9]), name=st.sampled_from(list(DISCRETIZERS)))
def test_rows_are_discretized_or_have_an_obstacle(seed, n_rows, n_pool, name):
    rows, estimator = make_rows(seed, n_rows, n_pool), make_discretizer(name)
    assert len(rows) == n_rows + n_pool and rows.n_pool == n_pool
    if find_obstacle(rows.labels, rows.categorical, estimator) in (
            "no_rows", "all_unlabelled"):
        return
    cuts = estimator.discretize(rows)
    labelled = rows.weights[rows.labelled].sum()
    for feature, counts in enumerate(cuts.counts):
        total = counts.sum() + cuts.missing_counts[feature].sum()
        if not estimator.uses_unlabelled:
            assert total == pytest.approx(labelled)
        assert counts.shape == (2, len(cuts.names[feature]))
    assert not hasattr(estimator, "cuts_")


@given(seed=st.integers(0, 2 ** 32 - 1), layout=st.sampled_from(list(LAYOUTS)),
       name=st.sampled_from(list(DISCRETIZERS)))
def test_layout_of_memory_does_not_matter(seed, layout, name):
    estimator = make_discretizer(name)
    expected = make_rows(seed, 12, 4)
    if not expected.labels.n_used:
        return
    found = make_rows(seed, 12, 4, layout=LAYOUTS[layout])
    assert contents(estimator.discretize(found)) == contents(
        estimator.discretize(expected))


@given(seed=st.integers(0, 2 ** 32 - 1), n_pool=st.integers(0, 4))
def test_steps_do_not_change_rows(seed, n_pool):
    rows = make_rows(seed, 9, n_pool)
    before = rows.X.copy(), rows.given.copy(), rows.weights.copy()
    every = np.arange(len(rows))
    part = rows.take(every[::2])
    assert part.n_data == len(every[::2][every[::2] < 9])
    assert part.labels.n_used == np.count_nonzero(part.used)
    assert rows.without_pool().n_pool == 0
    assert rows.without_labels().labels.n_unlabelled == 0
    if rows.labels.n_used:
        labelled = rows.with_labels(label(rows, k=1), 0)
        known = rows.labelled | rows.unknown
        assert (labelled.classes[~known] != UNLABELLED).all()
        np.testing.assert_array_equal(labelled.classes[known], rows.given[known])
        assert labelled.take(every).pseudo_labels is None
        SADDDiscretizer(k=1).discretize(labelled)
    for array, old in zip((rows.X, rows.given, rows.weights), before, strict=True):
        np.testing.assert_array_equal(array, old)
    assert rows.pseudo_labels is None


def test_unlabelled_rows_with_missing_values_only_get_no_label():
    X = np.array([[0.], [1], [np.nan], [np.nan], [0.4]])
    classes = np.array([0, 1, UNLABELLED, 0, UNLABELLED])
    weights = np.ones(5)
    rows = Rows(X, classes, weights, LabelSummary.of(np.arange(2), classes, weights),
                [None], n_data=5)
    assert rows.unknown.tolist() == [False, False, True, False, False]
    labelled = rows.with_labels(label(rows, k=1), 0)
    assert labelled.classes.tolist() == [0, 1, UNLABELLED, 0, 0]
