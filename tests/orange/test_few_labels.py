"""Labellers, recipes and pools that count, for Orange's learners."""

import pickle

import numpy as np
import pytest
from Orange.classification import NaiveBayesLearner, TreeLearner
from Orange.classification.naive_bayes import NaiveBayesModel
from Orange.data import DiscreteVariable, Domain, Table
from Orange.evaluation import CA, CrossValidation
from sklearn.naive_bayes import GaussianNB

from orangecontrib.sadd import (
    SADD,
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    SADDDiscretize,
    WANBIALearner,
    core,
)
from orangecontrib.sadd.classification import RECIPES
from orangecontrib.sadd.core import SADDDiscretizer
from orangecontrib.sadd.labelling import label_rows
from orangecontrib.sadd.tables import read_rows
from tests.orange.data import unlabel

IRIS = Table("iris")
HEART = Table("heart_disease")
LABELLED, POOL = HEART[::6], HEART[1::2]


class TestLabellers:
    @pytest.mark.parametrize("labeller", [
        "committee", NaiveBayesLearner(), GaussianNB(),
        [NaiveBayesLearner(), TreeLearner()]])
    def test_who_lends_labels(self, labeller):
        estimator = SADD(labeller=labeller).estimator()
        found = label_rows(read_rows(LABELLED, POOL), estimator)
        rows = read_rows(LABELLED, POOL)
        assert found.proba.shape == (len(rows) - len(LABELLED), 2)
        np.testing.assert_allclose(found.proba.sum(axis=1), 1)
        assert found.score.total == len(LABELLED)
        cut = SADDDiscretize(POOL, labeller=labeller)(LABELLED)
        assert len(cut) == len(LABELLED)

    def test_a_learner_sees_the_table(self):
        rows = read_rows(LABELLED, POOL)
        found = label_rows(rows, SADD(labeller=NaiveBayesLearner()).estimator())
        model = NaiveBayesLearner()(LABELLED)
        pool = POOL[~np.isin(POOL.ids, LABELLED.ids)]
        np.testing.assert_allclose(found.proba, model(pool, model.Probs), atol=1e-9)

    def test_the_same_as_core(self):
        data = unlabel(IRIS, slice(0, 150, 2))
        estimator = SADDDiscretizer(labeller="committee", min_confidence=0.8)
        rows = read_rows(data)
        expected = core.SADDDiscretizer(
            labeller="committee", min_confidence=0.8, unlabelled_label=None
        ).fit(rows.X, rows.y)
        found = label_rows(rows, estimator)
        np.testing.assert_array_equal(found.proba, expected.pseudo_label_proba_)
        cut = SADDDiscretize(labeller="committee", min_confidence=0.8,
                             remove_const=False)(data)
        for var, cuts in zip(cut.domain.attributes, expected.cut_points_, strict=True):
            np.testing.assert_array_equal(var.compute_value.points, cuts)

    @pytest.mark.parametrize("make", [SADD, SADDDiscretize, RNBPlusLearner, NBLearner])
    def test_wrong_labellers_are_errors_at_once(self, make):
        for wrong in ("nobody", 3, []):
            with pytest.raises(ValueError, match="The labeller must be"):
                make(labeller=wrong)
        with pytest.raises(ValueError, match="min_confidence"):
            make(min_confidence=2)

    def test_copies_and_repr(self):
        learner = RNBPlusLearner(labeller="committee", min_confidence=0.6)
        assert repr(learner) \
            == "RNBPlusLearner(labeller='committee', min_confidence=0.6)"
        assert repr(SADD(labeller="committee")) == "SADD(labeller='committee')"


class TestRecipe:
    def test_settings(self):
        few = RNBPlusLearner(recipe="few-labels")
        published = RNBPlusLearner()
        for name in ("labeller", "pool_use", "objective", "shrinkage"):
            assert getattr(few, name) == RECIPES["few-labels"][name]
            assert getattr(published, name) == RECIPES["published"][name]
        assert few.name == "RNB+ few labels" and published.name == "RNB+"

    def test_explicit_settings_win(self):
        learner = RNBPlusLearner(recipe="few-labels", objective="mse", shrinkage=0)
        assert (learner.objective, learner.shrinkage) == ("mse", 0)
        assert learner.labeller == "committee"
        again = eval(repr(learner))
        assert (again.objective, again.shrinkage) == ("mse", 0)
        assert RNBPlusLearner(**learner.params).shrinkage == 0

    def test_unknown(self):
        with pytest.raises(ValueError, match="The recipe must be"):
            RNBPlusLearner(recipe="grandmother's")

    def test_parameter_fitter(self):
        names = [p.name for p in RNBPlusLearner().fitted_parameters]
        assert names == ["k", "n0", "min_samples", "max_iter", "shrinkage"]

    def test_in_cross_validation(self):
        learner = RNBPlusLearner(recipe="few-labels", unlabelled=HEART)
        results = CrossValidation(k=3)(HEART[::4], [learner, RNBPlusLearner()])
        assert results.failed == [False, False]
        assert CA(results)[0] > 0.7
        assert [learner.name for learner in results.learners] \
            == ["RNB+ few labels", "RNB+"]


@pytest.mark.parametrize("make", [
    NBLearner, WANBIALearner, CAWNBLearner, RNBLearner, AIWNBLearner])
class TestCounts:
    def test_the_same_as_core(self, make):
        data = unlabel(IRIS, slice(0, 150, 2))
        model = make("SADD", pool_use="counts", labeller="committee")(data)
        classifier = make.classifier(
            core.SADDDiscretizer(labeller="committee", unlabelled_label=None),
            pool_use="counts", unlabelled_label=None)
        expected = classifier.fit(data.X, data.Y)
        np.testing.assert_allclose(
            model(IRIS, model.Probs), expected.predict_proba(IRIS.X), atol=1e-9)
        total = model.fitted.tables.class_counts.sum()
        assert make is AIWNBLearner or total == pytest.approx(150)

    def test_an_empty_pool_is_no_pool(self, make):
        found = make("SADD", pool_use="counts")(IRIS)
        expected = make("SADD")(IRIS)
        np.testing.assert_array_equal(
            found(IRIS, found.Probs), expected(IRIS, expected.Probs))

    def test_only_sadd_lends_labels(self, make):
        for discretization in ("MDLP", SADDDiscretize(method="MDLP")):
            with pytest.raises(ValueError, match="Only SADD lends labels"):
                make(discretization, pool_use="counts")


class TestModels:
    def test_the_pool_is_not_kept(self):
        model = RNBPlusLearner(recipe="few-labels", unlabelled=HEART)(LABELLED)
        assert len(pickle.dumps(model)) < 60_000
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_allclose(again(HEART, 1), model(HEART, 1))

    def test_nothing_numeric(self):
        domain = Domain([var for var in HEART.domain.attributes if var.is_discrete],
                        HEART.domain.class_var)
        data, pool = LABELLED.transform(domain), POOL.transform(domain)
        model = RNBPlusLearner(recipe="few-labels", unlabelled=pool)(data)
        n_rows = len(read_rows(data, pool))
        assert model.fitted.tables.class_counts.sum() == pytest.approx(n_rows)

    def test_a_class_without_rows(self):
        values = (*IRIS.domain.class_var.values, "unknown")
        domain = Domain(IRIS.domain.attributes, DiscreteVariable("iris", values))
        data = Table.from_numpy(domain, IRIS.X[::5], IRIS.Y[::5])
        model = RNBPlusLearner(recipe="few-labels", unlabelled=IRIS)(data)
        probabilities = model(data, model.Probs)
        assert probabilities.shape == (30, 4)
        assert np.all(probabilities[:, 3] == 0)

    def test_additive_models_go_to_nomogram(self):
        model = WANBIALearner("SADD", pool_use="counts", shrinkage=1)(IRIS)
        assert isinstance(model, NaiveBayesModel)
        scores = np.log(model.class_prob) + sum(
            table[:, codes.astype(int)].T for table, codes in zip(
                model.log_cont_prob, IRIS.transform(model.domain).X.T, strict=True))
        expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model(IRIS, model.Probs), expected, atol=1e-9)

    @pytest.mark.parametrize("rows", [slice(0, 1), slice(0, 40), slice(0, 0)])
    def test_odd_folds(self, rows):
        learner = RNBPlusLearner(recipe="few-labels", unlabelled=IRIS)
        if rows.stop == 0:
            with pytest.raises(ValueError, match="no rows"):
                learner(IRIS[rows])
        else:
            assert np.all(learner(IRIS[rows])(IRIS) == 0)

    def test_inputs_are_not_changed(self):
        before = LABELLED.copy(), POOL.copy()
        RNBPlusLearner(recipe="few-labels", unlabelled=POOL)(LABELLED)
        for table, copy in zip((LABELLED, POOL), before, strict=True):
            np.testing.assert_array_equal(table.X, copy.X)
            np.testing.assert_array_equal(table.Y, copy.Y)
