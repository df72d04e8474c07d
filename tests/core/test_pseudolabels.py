"""Pseudo-labels and the choice of k, against scikit-learn and by hand."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from orangecontrib.sadd.core.pseudolabels.labellers import Labeller, Space
from orangecontrib.sadd.core.pseudolabels.neighbours import (
    K_GRID,
    Neighbours,
    _stratified_share,
)


def pseudo_label(X, classes, n_classes, pool, *, callback=None, **parameters):
    parameters = {"k": "validation", **parameters}
    return Labeller("neighbours", X, classes, n_classes, callback=callback,
                    **parameters)(pool, callback)


def validated(X, y, n_classes):
    return Neighbours(X, y, n_classes, k="validation")


def split_wine():
    X, y = load_wine(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))
    return X[rows[:90]], y[rows[:90]], X[rows[90:]]


@pytest.mark.parametrize("k", [1, 3, 5, 31])
@pytest.mark.parametrize("standardize", [True, False])
def test_same_labels_as_scikit_learn(k, standardize):
    X, y, pool = split_wine()
    found = pseudo_label(X, y, 3, pool, k=k, standardize=standardize)
    if standardize:
        scaler = StandardScaler().fit(X)
        X, pool = scaler.transform(X), scaler.transform(pool)
    knn = KNeighborsClassifier(k, algorithm="brute").fit(X, y)
    np.testing.assert_array_equal(found.classes, knn.predict(pool))
    np.testing.assert_allclose(found.confidence, knn.predict_proba(pool).max(axis=1))
    assert found.k == k and found.k_scores == {}


def test_k_is_capped_by_the_rows():
    found = pseudo_label(np.arange(4.)[:, None], np.array([0, 0, 0, 1]), 2,
                         np.array([[3.]]), k=99)
    assert found.k == 4 and found.classes[0] == 0 and found.confidence[0] == 0.75


class TestChoice:
    def test_accuracies_are_those_of_refitting_for_each_k(self):
        found = validated(*split_wine()[:2], 3)
        X, y, scores = found.points, found.classes, found.k_scores
        validation = _stratified_share(y, 0)
        for candidate in K_GRID:
            knn = KNeighborsClassifier(candidate, algorithm="brute").fit(
                X[~validation], y[~validation])
            assert scores[candidate] == pytest.approx(
                knn.score(X[validation], y[validation]))
        assert found.k == min(k for k in scores if scores[k] == max(scores.values()))

    def test_a_ninth_of_each_class_validates(self):
        y = np.repeat([0, 1, 2], (900, 90, 9))
        mask = _stratified_share(y, 0)
        assert np.bincount(y[mask]).tolist() == [100, 10, 1]

    def test_too_few_rows_take_one_neighbour(self):
        found = validated(np.arange(17.)[:, None], np.zeros(17, dtype=int), 1)
        assert found.k == 1 and found.k_scores == {}

    def test_ties_go_to_the_smallest(self):
        X, y = np.repeat([0., 10.], 50)[:, None], np.repeat([0, 1], 50)
        found = validated(X, y, 2)
        assert found.k == 1 and set(found.k_scores.values()) == {1}

    def test_the_grid_is_capped(self):
        X, y = np.arange(27.)[:, None], np.arange(27) % 2
        assert list(validated(X, y, 2).k_scores) == [1, 3, 5, 7, 9, 11, 15, 21]

    def test_the_seed_decides(self):
        X, y, pool = split_wine()
        runs = [pseudo_label(
            X, y, 3, pool, standardize=False, random_state=seed).k_scores
                for seed in (0, 0, 1)]
        assert runs[0] == runs[1] != runs[2]


def test_row_order_does_not_matter():
    X, y = load_iris(return_X_y=True)  # has equal rows and equal distances
    X, y, pool = X[::2], y[::2], X[1::2]
    expected = pseudo_label(X, y, 3, pool)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(X))
        again = np.random.default_rng(seed).permutation(len(pool))
        found = pseudo_label(X[order], y[order], 3, pool[again])
        assert found.k_scores == expected.k_scores
        np.testing.assert_array_equal(found.classes, expected.classes[again])
        np.testing.assert_array_equal(found.confidence, expected.confidence[again])


@pytest.mark.parametrize("k", [1, 4, 9, 150])
def test_whole_weights_are_repetition(k):
    X, y, pool = split_wine()
    weights = np.random.default_rng(1).integers(1, 4, len(X))
    found = pseudo_label(X, y, 3, pool, k=k, weights=weights.astype(float))
    repeated = pseudo_label(
        np.repeat(X, weights, axis=0), np.repeat(y, weights), 3, pool, k=k)
    assert found.k == repeated.k == k
    np.testing.assert_array_equal(found.classes, repeated.classes)
    np.testing.assert_allclose(found.confidence, repeated.confidence)


def test_votes_that_are_equal_go_to_the_first_class():
    X = np.array([[-1.], [1.]])
    assert pseudo_label(X, np.array([1, 0]), 2, np.zeros((1, 1)), k=2).classes[0] == 0
    assert pseudo_label(X, np.array([1, 0]), 2, np.zeros((1, 1)), k=1).classes[0] == 0


class TestSpace:
    categorical = np.array([False, True])

    def test_missing_values_are_the_mean_and_the_mode(self):
        X = np.array([[0., 2], [4, 2], [np.nan, 0], [2, np.nan]])
        space = Space(X, self.categorical, standardize=False)
        np.testing.assert_array_equal(
            space(X), [[-2, 0, 0, 1], [2, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 1]])

    def test_numbers_are_standardized_and_categories_are_not(self):
        space = Space(np.array([[0., 0], [4, 1]]), self.categorical)
        # An unknown category is none of the known ones
        np.testing.assert_array_equal(
            space(np.array([[0., 0], [4, 1], [2, 5]])),
            [[-1, 1, 0], [1, 0, 1], [0, 0, 0]])

    def test_constant_missing_and_infinite_columns(self):
        X = np.array([[1., np.nan, np.inf, -1e308], [1, np.nan, 3, 1e308],
                      [1, np.nan, -np.inf, 0]])
        space = Space(X, np.zeros(4, dtype=bool))
        assert np.all(np.isfinite(space(X)))

    def test_no_columns(self):
        found = pseudo_label(np.zeros((3, 0)), np.array([0, 1, 1]), 2,
                             np.zeros((2, 0)), k=3)
        assert found.classes.tolist() == [1, 1]


def test_callback_stops_the_work():
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pseudo_label(*split_wine()[:2], 3, split_wine()[2], callback=stop)


class TestReview:
    """Defects that were found by trying to break the above."""

    def test_a_column_that_is_constant_where_labelled(self):
        random = np.random.RandomState(0)
        x = random.normal(size=90)
        y = (x > 0).astype(int)
        for constant in (0.125, 0.1):  # the mean of 0.1's is not quite 0.1
            X = np.column_stack((x, np.where(np.arange(90) < 30, constant, 0.2)))
            found = pseudo_label(X[:30], y[:30], 2, X[30:], k=1)
            assert np.mean(found.classes == y[30:]) > 0.9

    def test_tied_data_do_not_depend_on_row_order(self):
        for seed in range(100):
            random = np.random.default_rng(seed)
            X = random.integers(0, 5, size=(40, 2)) / 10
            y, pool = random.integers(0, 3, 40), random.integers(0, 5, (20, 2)) / 10
            order = random.permutation(40)
            for k in (1, 4):
                np.testing.assert_array_equal(
                    pseudo_label(X, y, 3, pool, k=k).classes,
                    pseudo_label(X[order], y[order], 3, pool, k=k).classes)
        # Equally far from 0.5, of class 0, and from 0.7, of class 1
        x, y = np.array([.5, .4, 0, .2, .9, .7]), np.array([0, 1, 0, 1, 0, 1])
        for order in (np.arange(6), np.arange(6)[::-1]):
            found = pseudo_label(x[order, None], y[order], 2, np.array([[.6]]), k=1)
            assert found.classes.tolist() == [0]

    @pytest.mark.parametrize("standardize", [True, False])
    def test_pool_rows_that_are_far_away(self, standardize):
        X, y = np.array([[1, 0], [2, 1], [3, 5], [4, 6.]]), np.array([0, 0, 1, 1])
        pool = np.array([[1e200, 6], [-1e300, 0]])
        for scale in (1, 1e-10):
            found = pseudo_label(
                X * [scale, 1], y, 2, pool, k=1, standardize=standardize)
            assert found.classes.tolist() == [1, 0]

    @pytest.mark.parametrize("n_rows, k, chosen, tried", [
        (40, [50, 60], 39, {39}), (15, [5, 7], 5, set()), (10, [50], 10, set()),
        (40, [4, 2], 2, {2, 4})])
    def test_a_sequence_to_choose_from(self, n_rows, k, chosen, tried):
        X, y = np.arange(n_rows, dtype=float)[:, None], np.arange(n_rows) // 8 % 2
        found = pseudo_label(X, y, 2, X[:1], k=k)
        assert found.k == chosen and set(found.k_scores) == tried
