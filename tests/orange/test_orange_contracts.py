"""Orange's own tests of all learners, with ours, and Orange's widgets."""

import importlib
import unittest
from contextlib import ExitStack
from unittest.mock import patch

import numpy as np
import pytest
from Orange.data import Table
from Orange.tests import test_classification as orange_classification
from Orange.widgets.data.owrank import OWRank
from Orange.widgets.evaluate.owparameterfitter import OWParameterFitter
from Orange.widgets.tests import base
from Orange.widgets.visualize.ownomogram import OWNomogram, ProbabilitiesDotItem

from orangecontrib.sadd import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from tests.orange.data import PlainTablesLearner


class LazyAIWNBLearner(AIWNBLearner):
    name = "lazy AIWNB"

    def __init__(self, preprocessors=None):
        super().__init__(instance_weighting="lazy", preprocessors=preprocessors)


ADDITIVE = [WANBIALearner, CAWNBLearner, AIWNBLearner]
LEARNERS = [RNBPlusLearner, RNBLearner, *ADDITIVE, LazyAIWNBLearner, PlainTablesLearner]


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

    def test_rejects_models_that_are_not_additive(self):
        for learner in (RNBLearner, RNBPlusLearner, LazyAIWNBLearner,
                        PlainTablesLearner):
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
        self.wait_until_finished()
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
        self.assertEqual((widget.minimum, widget.maximum), (1, 31))
        for index, steps in ((0, "1, 9"), (1, "20, 2000")):
            widget.parameter_index = index
            widget.type = OWParameterFitter.MANUAL
            widget.manual_steps = steps
            self.send_signal(widget.Inputs.data, iris[::3])
            self.wait_until_finished()
            self.assertFalse(widget.Error.active, widget.Error.active)
