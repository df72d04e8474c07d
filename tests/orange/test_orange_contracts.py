"""Orange's own tests, with our classes in place of Orange's, and Orange's widgets."""

import importlib
import unittest
from contextlib import ExitStack
from unittest.mock import patch

import numpy as np
import pytest
from Orange.data import Table
from Orange.preprocess.discretize import Discretizer
from Orange.tests import test_classification as orange_classification
from Orange.tests import test_discretize as orange_discretize
from Orange.tests import test_naive_bayes as orange_naive_bayes
from Orange.widgets.data.owrank import OWRank
from Orange.widgets.evaluate.owparameterfitter import OWParameterFitter
from Orange.widgets.tests import base
from Orange.widgets.visualize.ownomogram import OWNomogram, ProbabilitiesDotItem

from orangecontrib.sadd import (
    MDLP,
    SADD,
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from orangecontrib.sadd.intervals import discretized_variable


class LazyAIWNBLearner(AIWNBLearner):
    name = "lazy AIWNB"

    def __init__(self, preprocessors=None):
        super().__init__(instance_weighting="lazy", preprocessors=preprocessors)


ADDITIVE = [WANBIALearner, CAWNBLearner, AIWNBLearner]
LEARNERS = [RNBPlusLearner, RNBLearner, *ADDITIVE, LazyAIWNBLearner]


def run(case, name, **replaced):
    """Run a test of a class of Orange's after replacing names in its module."""
    module = importlib.import_module(case.__module__)
    result = unittest.TestResult()
    with ExitStack() as stack:
        for key, value in replaced.items():
            stack.enter_context(patch.object(module, key, value))
        unittest.TestSuite([case(name)]).run(result)  # with class fixtures
    assert result.testsRun == 1
    assert not result.skipped
    for _, trace in result.errors + result.failures:
        pytest.fail(trace)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", [
    "ModelTest.test_result_shape",
    "ModelTest.test_result_shape_numpy",
    "ModelTest.test_predict_proba",
    "UnknownValuesInPrediction.test_missing_class",
    "LearnerAccessibility.test_all_models_work_after_unpickling",
    "LearnerAccessibility.test_all_models_work_after_unpickling_pca",
    "LearnerAccessibility.test_adequacy_all_learners",
    "LearnerAccessibility.test_adequacy_all_learners_multiclass",
])
def test_contracts_of_all_learners(name, learner):
    case, name = name.split(".")
    run(getattr(orange_classification, case), name,
        all_learners=lambda: iter([learner]))


@pytest.mark.parametrize("learner", [RNBPlusLearner, LazyAIWNBLearner])
@pytest.mark.parametrize("name", [
    "test_predict_single_instance", "test_learner_adequacy"])
def test_contracts_of_naive_bayes(name, learner):
    run(orange_classification.ModelTest, name, NaiveBayesLearner=learner)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", [
    "test_NaiveBayes", "test_allnan_cv", "test_prediction_routing", "test_no_targets"])
def test_suite_of_naive_bayes(name, learner):
    run(orange_naive_bayes.TestNaiveBayesLearner, name, NaiveBayesLearner=learner)


@pytest.mark.parametrize("method", [MDLP, SADD])
@pytest.mark.parametrize("name", [
    "test_entropy_with_two_values", "test_entropy_with_two_values_useless",
    "test_entropy_constant", "test_entropy"])
def test_suite_of_entropy_mdl(name, method):
    with patch.object(orange_discretize.discretize, "EntropyMDL", method):
        run(orange_discretize.TestEntropyMDL, name)


@pytest.mark.parametrize("name", [
    "test_create_discretized_var", "test_create_discretized_var_formatting"])
def test_suite_of_discretized_variables(name):
    with patch.object(Discretizer, "create_discretized_var", discretized_variable):
        run(orange_discretize.TestDiscretizer, name)


class TestNomogram(base.WidgetTest):
    def setUp(self):
        self.widget = self.create_widget(OWNomogram)

    def shown_probability(self):
        dot, = (item for item in self.widget.scene.items()
                if isinstance(item, ProbabilitiesDotItem))
        # The place of the dot itself depends on the size of the window
        return dot.get_probabilities(self.widget.feature_marker_values.sum())

    def test_shows_the_probabilities_of_the_model(self):
        # The search of RNB ends with alpha = 0 or 1 on one of them
        for learner in (*ADDITIVE, NBLearner, RNBLearner):
            for name in ("titanic", "heart_disease"):
                data = Table(name)
                model = learner()(data)
                if 0 < (model.alpha or 0) < 1:
                    self.assertEqual((learner, name), (RNBLearner, "heart_disease"))
                    continue
                probabilities = model(data, model.Probs)
                self.send_signal(self.widget.Inputs.classifier, model)
                self.assertFalse(self.widget.Error.invalid_classifier.is_shown())
                for row in range(0, len(data), len(data) // 4):
                    self.send_signal(self.widget.Inputs.data, data[row:row + 1])
                    self.assertAlmostEqual(
                        self.shown_probability(), probabilities[row, 0], 9)

    def test_refuses_models_that_are_not_additive(self):
        for learner in (RNBLearner, RNBPlusLearner, LazyAIWNBLearner):
            self.send_signal(
                self.widget.Inputs.classifier, learner()(Table("heart_disease")))
            self.assertTrue(self.widget.Error.invalid_classifier.is_shown())


class TestRank(base.WidgetTest):
    def setUp(self):
        self.widget = self.create_widget(OWRank)

    def test_learners_are_scorers(self):
        widget = self.widget
        data = Table("heart_disease")
        self.send_signal(widget.Inputs.data, data)
        for index, learner in enumerate(LEARNERS):
            self.send_signal(widget.Inputs.scorer, learner(), index)
        self.wait_until_finished(timeout=30000)
        scores = self.get_output(widget.Outputs.scores)
        names = [var.name for var in scores.domain.attributes]
        for learner in LEARNERS:
            column = scores.get_column(names.index(learner().name))
            expected, = learner().score_data(data)
            np.testing.assert_allclose(column, expected)
        self.assertFalse(widget.Error.no_attributes.is_shown())


class TestParameterFitter(base.WidgetTest):
    def setUp(self):
        self.widget = self.create_widget(OWParameterFitter)

    def test_fits_k_and_n0(self):
        widget = self.widget
        iris = Table("iris")
        learner = RNBPlusLearner(unlabelled=iris, max_iter=5)
        self.send_signal(widget.Inputs.learner, learner)
        self.assertEqual([p.name for p in widget.fitted_parameters],
                         ["k", "n0", "shrinkage"])
        self.assertEqual((widget.minimum, widget.maximum), (1, 31))
        for index, steps in ((0, "1, 9"), (1, "20, 2000")):
            widget.parameter_index = index
            widget.type = OWParameterFitter.MANUAL
            widget.manual_steps = steps
            self.send_signal(widget.Inputs.data, iris[::3])
            self.wait_until_finished(timeout=30000)
            self.assertFalse(widget.Error.active, widget.Error.active)
