"""Pseudo-labels: neighbours, the choice of k, committees, any classifier."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from orangecontrib.sadd.core import SADDDiscretizer
from orangecontrib.sadd.core.labelling import neighbours
from orangecontrib.sadd.core.labelling.labellers import Labeller
from orangecontrib.sadd.core.labelling.neighbours import (
    K_GRID,
    Neighbours,
    _stratified_share,
)
from orangecontrib.sadd.core.labelling.space import Space
from tests.core.checks import same_cuts


def split(load=load_wine, n_labelled=60):
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))
    return X[rows[:n_labelled]], y[rows[:n_labelled]], X[rows[n_labelled:]]


def pseudo_label(X, classes, n_classes, pool, *, callback=None, **parameters):
    parameters = {"k": "validation", **parameters}
    return Labeller("neighbours", X, classes, n_classes, callback=callback,
                    **parameters).predict(pool, callback)


def proba_of(*args, rows, **parameters):
    return Labeller(*args, **parameters).fit().predict(rows).proba


def validated(X, y, n_classes):
    return Neighbours(X, y, n_classes, k="validation")


@pytest.mark.parametrize("k", [1, 3, 5, 31])
@pytest.mark.parametrize("standardize", [True, False])
def test_same_labels_as_scikit_learn(k, standardize):
    X, y, pool = split(n_labelled=90)
    found = pseudo_label(X, y, 3, pool, k=k, standardize=standardize)
    if standardize:
        scaler = StandardScaler().fit(X)
        X, pool = scaler.transform(X), scaler.transform(pool)
    knn = KNeighborsClassifier(k, algorithm="brute").fit(X, y)
    proba = knn.predict_proba(pool)
    np.testing.assert_allclose(found.proba, proba)
    decided = np.sum(proba == proba.max(axis=1, keepdims=True), axis=1) == 1
    np.testing.assert_array_equal(found.classes[decided], knn.predict(pool)[decided])
    assert decided.mean() > 0.9
    assert found.k == k and found.k_scores == {}


def test_k_is_capped_by_the_rows():
    found = pseudo_label(np.arange(4.)[:, None], np.array([0, 0, 0, 1]), 2,
                         np.array([[3.]]), k=99)
    assert found.k == 4 and found.classes[0] == 0 and found.confidence[0] == 0.75


class TestChoice:
    def test_accuracies_are_those_of_refitting_for_each_k(self):
        found = validated(*split(n_labelled=90)[:2], 3)
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
        X, y, pool = split(n_labelled=90)
        runs = [pseudo_label(
            X, y, 3, pool, standardize=False, random_state=seed).k_scores
                for seed in (0, 0, 1)]
        assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("labeller, k", [
    ("neighbours", "validation"), ("committee", "auto")])
def test_order_of_rows_does_not_matter(labeller, k):
    X, y, pool = split(load_iris, 75)  # has equal rows and equal distances
    expected = Labeller(labeller, X, y, 3, k=k).fit()
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        again = np.random.default_rng(seed).permutation(len(pool))
        found = Labeller(labeller, X[order], y[order], 3, k=k).fit()
        assert found.score() == expected.score()
        assert found.k_scores == expected.k_scores
        np.testing.assert_array_equal(
            found.predict(pool[again]).proba, expected.predict(pool).proba[again])


@pytest.mark.parametrize("labeller, k, tolerance", [
    *(("neighbours", k, 1e-9) for k in (1, 4, 9, 150)),
    ("committee", "auto", 1e-4), (GaussianNB(), "auto", 1e-8)])
def test_whole_weights_are_repetition(labeller, k, tolerance):
    X, y, pool = split(n_labelled=90)
    weights = np.random.default_rng(1).integers(1, 4, len(X))
    found = Labeller(labeller, X, y, 3, k=k, weights=weights.astype(float)).fit()
    repeated = Labeller(
        labeller, np.repeat(X, weights, axis=0), np.repeat(y, weights), 3, k=k).fit()
    assert found.k == repeated.k
    np.testing.assert_allclose(
        found.predict(pool).proba, repeated.predict(pool).proba, atol=tolerance)


class TestTies:
    """Classes with equal votes."""

    def label(self, x, y, at, k, weights=None):
        labels = pseudo_label(np.array(x, dtype=float)[:, None], np.array(y), 3,
                              np.array([[at]], dtype=float), k=k, weights=weights)
        return int(labels.classes[0])

    def test_nearer_neighbours_win(self):
        assert self.label([-1, 2], [1, 0], 0, 2) == 1
        assert self.label([-1, 2], [0, 1], 0, 2) == 0
        # The nearest row is of class 1, but the rows of class 0 are nearer together
        assert self.label([1, 8, 2, 3, 50], [1, 1, 0, 0, 2], 0, 4) == 0
        weights = np.array([1., 2, 1])
        assert self.label([-1, 2, 6], [1, 0, 1], 0, 4, weights) == 0

    def test_larger_class_wins_at_equal_distances(self):
        assert self.label([-1, 1, 9], [1, 0, 1], 0, 2) == 1
        assert self.label([-1, 1, 9], [0, 1, 0], 0, 2) == 0

    def test_first_class_wins_at_equal_sizes(self):
        assert self.label([-1, 1], [1, 0], 0, 2) == 0

    def test_equal_rows_of_the_larger_class_come_first(self):
        for names in ([0, 1], [1, 0]):
            y = np.array(names)[[0, 1, 1]]
            assert self.label([0, 0, 5], y, 0, 1) == names[1]

    @pytest.mark.parametrize("k", ["auto", 2, 4])
    def test_names_of_classes_do_not_matter(self, k):
        X, y = load_wine(return_X_y=True)
        for seed in range(34):
            random = np.random.default_rng(seed)
            labelled = random.permutation(len(y))[:40]
            names = random.permutation(3)
            hidden = np.full(len(y), -1)
            hidden[labelled] = y[labelled]
            expected = SADDDiscretizer(k=k).fit(X, hidden)
            hidden[labelled] = names[y[labelled]]
            found = SADDDiscretizer(k=k).fit(X, hidden)
            assert found.k_scores_ == expected.k_scores_
            np.testing.assert_array_equal(
                found.pseudo_labels_, names[expected.pseudo_labels_])
            assert same_cuts(found, expected)


def literal_votes(X, y, weights, n_classes, k, query, left_out=()):
    """Return shares and the predicted class of a row, one row after the other."""
    weights = weights.copy()
    for row in left_out:
        weights[row] = max(weights[row] - 1, 0)
    distances = np.sqrt(((X - query) ** 2).sum(axis=1))
    votes, sums, left = np.zeros(n_classes), np.zeros(n_classes), float(k)
    for row in np.argsort(distances):
        vote = min(weights[row], left)
        votes[y[row]] += vote
        sums[y[row]] += vote * distances[row]
        left -= vote
    best = np.flatnonzero(votes >= votes.max() - 1e-9)
    best = best[sums[best] <= sums[best].min() + 1e-9]
    return votes / votes.sum(), best[np.bincount(y, weights, n_classes)[best].argmax()]


@pytest.mark.parametrize("seed", range(12))
def test_votes_are_those_of_a_literal_count(seed):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(30, 2)), random.integers(0, 3, 30)
    weights = random.choice([[1.], [.25, .5, 1, 1.5, 2], [1e-3, .1]][seed % 3], 30)
    queries = random.normal(size=(20, 2))
    for k in (1, 2, 4, 7, 29):
        found = Neighbours(X, y, 3, weights, k=k)
        proba, classes = found.predict(queries)
        for query, shares, label in zip(queries, proba, classes, strict=True):
            expected = literal_votes(
                found.points, found.classes, found.weights, 3, found.k, query)
            np.testing.assert_allclose(shares, expected[0])
            assert label == expected[1]


def test_weights_below_one_take_more_neighbours():
    X = np.arange(40.)[:, None]
    y = (np.arange(40) >= 4).astype(int)
    found = Neighbours(X, y, 2, np.full(40, 0.1), k=2)
    np.testing.assert_allclose(found.predict(np.zeros((1, 1)))[0], [[0.2, 0.8]])


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
    X, y, pool = split(n_labelled=90)

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pseudo_label(X, y, 3, pool, callback=stop)


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


def literal_right(found, k, row, *left_out):
    """Return whether neighbours predict a row without itself and other rows."""
    _, label = literal_votes(found.points, found.classes, found.weights,
                             found.n_classes, k, found.points[row], (row, *left_out))
    return label == found.classes[row]


def literal_score(found, rows):
    """Return the nested score, by choosing k again for each row without it."""
    right = 0
    for judged in range(len(found.points)):
        others = [row for row in rows if row != judged]
        counts = [sum(found.weights[row] * literal_right(found, k, row, judged)
                      for row in others)
                  + max(found.weights[judged] - 1, 0) * (
                      judged in rows and literal_right(found, k, judged, judged))
                  for k in found.k_scores]
        k = list(found.k_scores)[int(np.argmax(np.array(counts) > max(counts) - 1e-9))]
        right += literal_right(found, k, judged)
    return right


class TestLeavingOneOut:
    @pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
    def test_accuracies_are_those_of_scikit_learn(self, load):
        X, y, _ = split(load)
        found = Neighbours(X, y, y.max() + 1)
        assert list(found.k_scores) == list(K_GRID) and found.score()[1] == len(X)
        for candidate, score in found.k_scores.items():
            proba = cross_val_predict(
                KNeighborsClassifier(candidate, algorithm="brute"), X, y,
                cv=LeaveOneOut(), method="predict_proba")
            best = np.isclose(proba, proba.max(axis=1, keepdims=True))
            own = best[np.arange(len(y)), y]
            # Ties are broken by distances
            assert np.mean(own & (best.sum(axis=1) == 1)) <= score <= np.mean(own)
        scores = found.k_scores
        assert found.k == min(k for k in scores if scores[k] == max(scores.values()))

    @pytest.mark.parametrize("seed", range(8))
    def test_score_chooses_k_without_the_row_that_is_left_out(self, seed):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(24, 2)), random.integers(0, 2 + seed % 2, 24)
        weights = random.choice([[1.], [1, 2, 3], [.5, 1, 1.5, 2]][seed % 3], 24)
        found = Neighbours(X, y, 3, weights.astype(float), k=(1, 3, 4, 7))
        assert found.score() == (literal_score(found, range(24)), 24)

    @pytest.mark.parametrize("n_rows, draws, most", [(30, 100, .56), (300, 12, .53)])
    def test_score_does_not_flatter_on_random_labels(self, n_rows, draws, most):
        # The best of nine scores is 0.61 and 0.53 here
        shares = []
        for seed in range(draws):
            random = np.random.default_rng(seed)
            X, y = random.normal(size=(n_rows, 5)), random.integers(0, 2, n_rows)
            right, total = Neighbours(X, y, 2).score()
            shares.append(right / total)
        assert np.mean(shares) < most

    def test_score_of_validation_chooses_k_without_the_row(self):
        X, y, _ = split(load_iris, 36)
        X = X + np.random.default_rng(0).normal(0, 1e-3, X.shape)  # no equal distances
        found = Neighbours(X, y, 3, k="validation")
        validation = _stratified_share(found.classes, 0)
        right, rows = 0, np.flatnonzero(validation)
        for judged in range(36):
            counts = [sum(literal_right(found, k, row, *rows[rows != row], judged)
                          for row in rows if row != judged) for k in found.k_scores]
            k = list(found.k_scores)[int(np.argmax(counts))]
            right += literal_right(found, k, judged)
        assert found.score() == (right, 36)

    def test_below_twenty_rows_one_neighbour(self):
        X, y, _ = split(n_labelled=19)
        found = Neighbours(X, y, 3)
        expected = cross_val_predict(KNeighborsClassifier(1), X, y, cv=LeaveOneOut())
        assert found.k == 1 and found.k_scores == {}
        assert found.score() == (np.sum(expected == y), 19)
        assert Neighbours(*split(n_labelled=20)[:2], 3).k_scores != {}

    def test_a_weight_of_two_is_the_row_twice(self):
        X, y, _ = split(n_labelled=40)
        weights = np.random.default_rng(1).integers(1, 3, 40)
        found = Neighbours(X, y, 3, weights.astype(float), k=(1, 3, 4))
        repeated = Neighbours(np.repeat(X, weights, axis=0), np.repeat(y, weights), 3,
                              k=(1, 3, 4))
        assert found.k_scores == pytest.approx(repeated.k_scores)
        assert found.score()[1] == 40 and repeated.score()[1] == weights.sum()

    def test_a_sample_of_many_rows(self, monkeypatch):
        X, y, _ = split(load_iris)
        monkeypatch.setattr(neighbours, "MOST_SCORED", 30)
        for k, most in (("auto", 1000), ("auto", 40), ("validation", 1000), (3, 1000)):
            monkeypatch.setattr(neighbours, "MOST_LEFT_OUT", most)
            right, total = Neighbours(X, y, 3, k=k).score()
            assert total == 30 and right > 20

    def test_a_single_row(self):
        assert Neighbours(np.zeros((1, 2)), np.array([0]), 1).score() == (0, 1)


class TestCommittee:
    @pytest.mark.parametrize(("full", "n_trees"), [(True, 100), (False, 20)])
    def test_committee_is_mean_of_logistic_regression_and_trees(self, full, n_trees):
        X, y, pool = split()
        X[::5, 0] = np.nan
        found = Labeller("committee", X, y, 3, unlabelled=(pool, np.ones(len(pool)))
                         ).fit(full).predict(pool)
        scaler = StandardScaler().fit(np.concatenate((X, pool)))
        train, test = (np.nan_to_num(scaler.transform(rows)) for rows in (X, pool))
        members = [LogisticRegression(max_iter=1000),
                   ExtraTreesClassifier(n_trees, random_state=0)]
        expected = np.mean([member.fit(train, y).predict_proba(test)
                            for member in members], axis=0)
        np.testing.assert_allclose(found.proba, expected, atol=1e-5)
        assert found.k is None

    def test_unlabelled_rows_standardize_columns_unless_neighbours_label(self):
        X, y, pool = split()
        far = 1000 + 50 * pool
        for labeller, moved in (("committee", True), ("neighbours", False)):
            alone, joint = (proba_of(labeller, X, y, 3, unlabelled=rows, rows=pool)
                            for rows in (None, (far, np.ones(len(far)))))
            assert np.array_equal(alone, joint) != moved

    @pytest.mark.parametrize("n_rows", [1, 2, 3, 7])
    def test_few_rows(self, n_rows):
        X, y, pool = split()
        found = Labeller("committee", X[:n_rows], y[:n_rows], 3).fit()
        np.testing.assert_allclose(found.predict(pool).proba.sum(axis=1), 1)
        assert found.score().total == n_rows
        one_class = proba_of("committee", X[:n_rows], np.ones(n_rows, dtype=int), 3,
                             rows=pool)
        np.testing.assert_array_equal(one_class, [[0, 1, 0]] * len(pool))


class TestAnyClassifier:
    def test_points_are_fitted(self):
        seen = []

        class Spy(GaussianNB):
            def fit(self, X, y, sample_weight=None):
                seen.append(X)
                return super().fit(X, y, sample_weight)

        X, categorical = np.array([[0., 0], [4, 1], [np.nan, 1], [2, 2]]), [False, True]
        Labeller(Spy(), X, np.array([0, 0, 1, 1]), 2,
                 categorical=np.array(categorical)).fit()
        np.testing.assert_array_equal(seen[0], Space(X, np.array(categorical))(X))

    def test_a_pipeline_sees_what_there_is(self):
        X, y, pool = split()
        pipeline = make_pipeline(StandardScaler(), LogisticRegression())
        found = proba_of(pipeline, X * 1000 + 5, y, 3, rows=pool * 1000 + 5)
        expected = pipeline.fit(X * 1000 + 5, y).predict_proba(pool * 1000 + 5)
        np.testing.assert_allclose(found, expected, atol=1e-6)

    def test_probabilities_of_a_list_are_averaged(self):
        X, y, pool = split()
        members = [GaussianNB(), RandomForestClassifier(10, random_state=0)]
        found, *alone = (proba_of(labeller, X, y, 3, standardize=False, rows=pool)
                         for labeller in (members, *members))
        np.testing.assert_allclose(found, np.mean(alone, axis=0))

    def test_classifier_that_takes_no_weights_is_accepted(self):
        X, y, pool = split()
        found, expected = (
            Labeller(KNeighborsClassifier(2), X, y, 3, weights=weights).fit().predict(
                pool) for weights in (np.full(60, 3.), None))
        np.testing.assert_array_equal(found.classes, expected.classes)

    def test_the_score_is_honest(self):
        X, y, pool = split(load_breast_cancer, 200)
        for labeller in ("neighbours", "committee", GaussianNB()):
            right, total = Labeller(labeller, X, y, 2).score()
            assert total == 200 and 0.85 < right / total < 1
        noise = np.random.default_rng(0).integers(0, 2, 200)
        right, total = Labeller(
            RandomForestClassifier(random_state=0), X, noise, 2).score()
        assert 0.3 < right / total < 0.7


class TestDiscretizer:
    def data(self):
        X, y = load_wine(return_X_y=True)
        hidden = y.copy()
        hidden[np.random.default_rng(0).random(len(y)) < 0.7] = -1
        return X, y, hidden

    @pytest.mark.parametrize("labeller", [
        "neighbours", "committee", GaussianNB(), [GaussianNB(), LogisticRegression()]])
    def test_labels_and_probabilities(self, labeller):
        X, y, hidden = self.data()
        sadd = SADDDiscretizer(labeller=labeller).fit(X, hidden)
        proba = sadd.pseudo_label_proba_
        assert proba.shape == (np.sum(hidden < 0), 3)
        np.testing.assert_array_equal(sadd.pseudo_labels_, proba.argmax(axis=1))
        np.testing.assert_array_equal(sadd.pseudo_label_confidence_, proba.max(axis=1))
        assert np.mean(sadd.pseudo_labels_ == y[hidden < 0]) > 0.9
        right, total = sadd.labeller_score_
        assert total == np.sum(hidden >= 0) and right / total > 0.85
        assert (sadd.k_ is None) == (labeller != "neighbours")

    @pytest.mark.parametrize("least, some", [(0.9, True), (1, False)])
    def test_labels_of_low_confidence_are_left_out(self, least, some):
        X, _, hidden = self.data()
        found = SADDDiscretizer(labeller="committee", min_confidence=least).fit(
            X, hidden)
        trusted = found.pseudo_label_confidence_ >= least
        assert trusted.any() == some and not trusted.all()
        labels = hidden.copy()
        labels[hidden < 0] = np.where(trusted, found.pseudo_labels_, -1)
        keep = labels >= 0
        assert same_cuts(found, SADDDiscretizer().fit(X[keep], labels[keep]))

    @pytest.mark.parametrize("labeller", [
        "nobody", None, GaussianNB, [], [GaussianNB(), "committee"], SVC(),
        make_pipeline(StandardScaler(), SVC(probability=False))])
    def test_wrong_labellers(self, labeller):
        X, _, hidden = self.data()
        with pytest.raises(ValueError, match="The labeller must be"):
            SADDDiscretizer(labeller=labeller).fit(X, hidden)


def draw(seed):
    """Draw labelled and unlabelled rows; no two distances are equal."""
    random = np.random.default_rng(seed)
    n_classes = int(random.integers(2, 5))
    y = random.integers(0, n_classes, 90)
    y[:n_classes] = np.arange(n_classes)
    X = random.normal(size=(90, 4)) + np.outer(y, random.normal(size=4))
    return random, X, y, random.random(90) < 0.3


@pytest.mark.parametrize("seed", range(25))
def test_names_of_classes_and_order_of_columns_do_not_matter(seed):
    random, X, y, labelled = draw(seed)
    labelled[:y.max() + 1] = True
    expected = SADDDiscretizer().fit(X, np.where(labelled, y, -1))
    names = random.permutation(y.max() + 1)
    columns = random.permutation(4)
    renamed = SADDDiscretizer().fit(X, np.where(labelled, names[y], -1))
    reordered = SADDDiscretizer().fit(X[:, columns], np.where(labelled, y, -1))
    assert renamed.k_ == reordered.k_ == expected.k_
    for feature, cuts in enumerate(expected.cut_points_):
        # Equal votes go to the label that comes first, by its name
        if y.max() == 1 and expected.k_ % 2:
            np.testing.assert_array_equal(renamed.cut_points_[feature], cuts)
        place = columns.tolist().index(feature)
        np.testing.assert_array_equal(reordered.cut_points_[place], cuts)
