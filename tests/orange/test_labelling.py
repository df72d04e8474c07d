"""Labellers of unlabelled rows, for Orange's learners."""

import numpy as np
import pytest
from Orange.classification import NaiveBayesLearner, TreeLearner
from Orange.data import Domain, Table
from sklearn.naive_bayes import GaussianNB

from orangecontrib.sadd import (
    SADD,
    NBLearner,
    RNBPlusLearner,
    SADDDiscretize,
)
from orangecontrib.sadd.scripting.labelling import label_rows, score_labellers
from orangecontrib.sadd.scripting.tables import rows_of
from tests.orange.data import PlainTablesLearner

HEART = Table("heart_disease")
LABELLED, POOL = HEART[::6], HEART[1::2]


class TestLabellers:
    @pytest.mark.parametrize("labeller", [
        "committee", NaiveBayesLearner(), GaussianNB(),
        [NaiveBayesLearner(), TreeLearner()]])
    def test_labellers_predict_probabilities(self, labeller):
        estimator = SADD(labeller=labeller).estimator()
        found = label_rows(rows_of(LABELLED, POOL), estimator)
        rows = rows_of(LABELLED, POOL)
        assert found.proba.shape == (len(rows) - len(LABELLED), 2)
        np.testing.assert_allclose(found.proba.sum(axis=1), 1)
        assert found.score.total == len(LABELLED)
        cut = SADDDiscretize(POOL, labeller=labeller)(LABELLED)
        assert len(cut) == len(LABELLED)

    def test_learner_predicts_as_on_the_table(self):
        rows = rows_of(LABELLED, POOL)
        found = label_rows(rows, SADD(labeller=NaiveBayesLearner()).estimator())
        model = NaiveBayesLearner()(LABELLED)
        pool = POOL[~np.isin(POOL.ids, LABELLED.ids)]
        np.testing.assert_allclose(found.proba, model(pool, model.Probs), atol=1e-9)

    @pytest.mark.parametrize("make", [
        SADD, SADDDiscretize, RNBPlusLearner, NBLearner, PlainTablesLearner])
    def test_constructors_raise_when_the_labeller_is_wrong(self, make):
        for wrong in ("nobody", 3, []):
            with pytest.raises(ValueError, match="The labeller must be"):
                make(labeller=wrong)
        with pytest.raises(ValueError, match="min_confidence"):
            make(min_confidence=2)


    def test_scores_are_those_of_the_pseudo_labels(self):
        rows = rows_of(LABELLED, POOL)
        labellers = ["neighbours", "committee", NaiveBayesLearner()]
        expected = [label_rows(rows, SADD(labeller=labeller).estimator()).score
                    for labeller in labellers]
        assert score_labellers(rows, labellers) == expected
        models = [RNBPlusLearner(unlabelled=POOL)(LABELLED),
                  PlainTablesLearner(unlabelled=POOL)(LABELLED)]
        assert [model.labelling.score for model in models] == expected[:2]

    def test_labeller_of_the_discretizer_of_sadd_tables_raises(self):
        with pytest.raises(ValueError, match="Set labeller of SADDTablesClassifier"):
            PlainTablesLearner(SADD(labeller=NaiveBayesLearner()))


class TestModels:
    def test_summary_counts_confident_rows_of_a_discretization(self):
        expected = RNBPlusLearner(
            k=5, min_confidence=0.8, unlabelled=POOL)(LABELLED).labelling
        assert 0 < expected.n_confident < expected.n_rows
        method = SADD(k=5, min_confidence=0.8)
        found = NBLearner(method, POOL)(LABELLED).labelling
        for name in ("score", "k", "n_confident", "n_rows"):
            assert getattr(found, name) == getattr(expected, name)

    def test_rows_are_not_labelled_when_nothing_is_numeric(self):
        domain = Domain([var for var in HEART.domain.attributes if var.is_discrete],
                        HEART.domain.class_var)
        data, pool = LABELLED.transform(domain), POOL.transform(domain)
        model = RNBPlusLearner(labeller="committee", unlabelled=pool)(data)
        assert model.labelling is None
        assert model.fitted.tables.class_counts.sum() == len(data)
