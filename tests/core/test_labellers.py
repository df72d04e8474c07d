"""Labellers: the choice of k, committees, any classifier, and their scores."""

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
from orangecontrib.sadd.core.pseudolabels import neighbours
from orangecontrib.sadd.core.pseudolabels.labellers import Labeller, Space
from orangecontrib.sadd.core.pseudolabels.neighbours import K_GRID, Neighbours
from tests.core.checks import same_cuts


def split(load=load_wine, n_labelled=60, seed=0):
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(seed).permutation(len(X))
    scaled = StandardScaler().fit_transform(X)
    return scaled[rows[:n_labelled]], y[rows[:n_labelled]], scaled[rows[n_labelled:]]


class TestLeavingOneOut:
    @pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
    def test_accuracies_are_those_of_scikit_learn(self, load):
        X, y, _ = split(load)
        found = Neighbours(X, y, y.max() + 1)
        k, scores, (right, total) = found.k, found.k_scores, found.score()
        assert list(scores) == list(K_GRID) and total == len(X)
        for candidate, score in scores.items():
            predicted = cross_val_predict(
                KNeighborsClassifier(candidate, algorithm="brute"), X, y,
                cv=LeaveOneOut(), method="predict_proba")
            best = np.isclose(predicted, predicted.max(axis=1, keepdims=True))
            expected = np.mean(best[np.arange(len(y)), y] / best.sum(axis=1))
            assert score == pytest.approx(expected)
            if candidate == k:
                assert right == np.sum(predicted.argmax(axis=1) == y)
        assert k == min(k for k in scores if scores[k] == max(scores.values()))

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

    def test_a_sample_of_many_rows(self, monkeypatch):
        monkeypatch.setattr(neighbours, "MOST_LEFT_OUT", 30)
        X, y, _ = split()
        right, total = Neighbours(X, y, 3).score()
        assert total == 30 and right > 20

    def test_a_single_row(self):
        assert Neighbours(np.zeros((1, 2)), np.array([0]), 1).score() == (0, 1)


class TestCommittee:
    def test_committee_is_mean_of_logistic_regression_and_trees(self):
        X, y, pool = split()
        X[::5, 0] = np.nan
        found = Labeller("committee", X, y, 3, unlabelled=pool)(pool)
        scaler = StandardScaler().fit(np.concatenate((X, pool)))
        train, test = (np.nan_to_num(scaler.transform(rows)) for rows in (X, pool))
        members = [LogisticRegression(max_iter=1000),
                   ExtraTreesClassifier(100, random_state=0)]
        expected = np.mean([member.fit(train, y).predict_proba(test)
                            for member in members], axis=0)
        np.testing.assert_allclose(found.proba, expected, atol=1e-5)
        assert found.k is None

    def test_unlabelled_rows_standardize_columns_unless_neighbours_label(self):
        X, y, pool = split()
        far = 1000 + 50 * pool
        for labeller, moved in (("committee", True), ("neighbours", False)):
            alone, joint = (Labeller(labeller, X, y, 3, unlabelled=rows)(pool).proba
                            for rows in (None, far))
            assert np.array_equal(alone, joint) != moved

    def test_order_of_rows_does_not_matter(self):
        X, y, pool = split(load_iris)
        expected = Labeller("committee", X, y, 3)
        order = np.random.default_rng(0).permutation(len(X))
        found = Labeller("committee", X[order], y[order], 3)
        np.testing.assert_array_equal(found(pool).proba, expected(pool).proba)
        assert found.score == expected.score

    @pytest.mark.parametrize("n_rows", [1, 2, 3, 7])
    def test_few_rows(self, n_rows):
        X, y, pool = split()
        found = Labeller("committee", X[:n_rows], y[:n_rows], 3)
        np.testing.assert_allclose(found(pool).proba.sum(axis=1), 1)
        assert found.score.total == n_rows
        one_class = Labeller("committee", X[:n_rows], np.ones(n_rows, dtype=int), 3)
        np.testing.assert_array_equal(one_class(pool).proba, [[0, 1, 0]] * len(pool))

class TestAnyClassifier:
    def test_points_are_fitted(self):
        seen = []

        class Spy(GaussianNB):
            def fit(self, X, y, sample_weight=None):
                seen.append(X)
                return super().fit(X, y, sample_weight)

        X, categorical = np.array([[0., 0], [4, 1], [np.nan, 1], [2, 2]]), [False, True]
        Labeller(Spy(), X, np.array([0, 0, 1, 1]), 2, categorical=np.array(categorical))
        np.testing.assert_array_equal(seen[0], Space(X, np.array(categorical))(X))

    def test_a_pipeline_sees_what_there_is(self):
        X, y, pool = split()
        pipeline = make_pipeline(StandardScaler(), SVC(probability=False))
        with pytest.raises(ValueError, match="The labeller must be"):
            SADDDiscretizer(labeller=pipeline).fit(X, y)
        pipeline = make_pipeline(StandardScaler(), LogisticRegression())
        found = Labeller(pipeline, X * 1000 + 5, y, 3)(pool * 1000 + 5).proba
        expected = pipeline.fit(X * 1000 + 5, y).predict_proba(pool * 1000 + 5)
        np.testing.assert_allclose(found, expected, atol=1e-6)

    def test_probabilities_of_a_list_are_averaged(self):
        X, y, pool = split()
        members = [GaussianNB(), RandomForestClassifier(10, random_state=0)]
        found = Labeller(members, X, y, 3, standardize=False)(pool).proba
        alone = [Labeller(m, X, y, 3, standardize=False)(pool).proba for m in members]
        np.testing.assert_allclose(found, np.mean(alone, axis=0))

    @pytest.mark.parametrize("labeller, tolerance", [
        ("committee", 1e-4), (GaussianNB(), 1e-8)])
    def test_weight_of_two_equals_the_row_twice(self, labeller, tolerance):
        X, y, pool = split()
        weights = np.random.default_rng(1).integers(1, 4, len(X))
        found = Labeller(labeller, X, y, 3, weights=weights.astype(float))
        repeated = Labeller(labeller, np.repeat(X, weights, axis=0),
                            np.repeat(y, weights), 3)
        np.testing.assert_allclose(
            found(pool).proba, repeated(pool).proba, atol=tolerance)
        # This one does not take weights
        Labeller(KNeighborsClassifier(2), X, y, 3, weights=weights.astype(float))

    def test_the_score_is_honest(self):
        X, y, pool = split(load_breast_cancer, 200)
        for labeller in ("neighbours", "committee", GaussianNB()):
            right, total = Labeller(labeller, X, y, 2).score
            assert total == 200 and 0.85 < right / total < 1
        noise = np.random.default_rng(0).integers(0, 2, 200)
        right, total = Labeller(RandomForestClassifier(random_state=0), X, noise,
                                2).score
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
        "nobody", None, GaussianNB, [], [GaussianNB(), "committee"], SVC()])
    def test_wrong_labellers(self, labeller):
        X, _, hidden = self.data()
        with pytest.raises(ValueError, match="The labeller must be"):
            SADDDiscretizer(labeller=labeller).fit(X, hidden)
