"""Widgets of Orange that take learners, models and tables of RNB+ and SADD Tables.

Test methods with long descriptive names omit docstrings.
"""

import os
import tempfile
from unittest.mock import patch

import numpy as np
from Orange.data import Table
from Orange.widgets.data.owrank import OWRank
from Orange.widgets.evaluate.owparameterfitter import OWParameterFitter
from Orange.widgets.evaluate.owpredictions import OWPredictions
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.model.owcalibratedlearner import OWCalibratedLearner
from Orange.widgets.model.owloadmodel import OWLoadModel
from Orange.widgets.model.owsavemodel import OWSaveModel
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.visualize.owbarplot import OWBarPlot
from Orange.widgets.visualize.owheatmap import OWHeatMap

from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables

RNB, CAWNB, WANBIA, EAGER, LAZY, NB = range(6)
DIALOG = "AnyQt.QtWidgets.QFileDialog.getOpenFileName"


class TestIntegration(base.WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart = Table("heart_disease")
        cls.train, cls.pool = cls.heart[::3], cls.heart

    def setUp(self):
        self.widget = self.create_widget(OWRNBPlus)

    def fit(self, pool=None, **settings):
        """Return the outputs of RNB+: learner, model and weights."""
        widget = self.create_widget(OWRNBPlus, stored_settings=settings)
        self.send_signals([(widget.Inputs.data, self.train),
                           (widget.Inputs.unlabelled, pool)], widget=widget)
        self.wait_until_finished(widget)
        return [self.get_output(output, widget=widget) for output in
                (widget.Outputs.learner, widget.Outputs.model, widget.Outputs.weights)]

    def assert_content(self, widget):
        self.wait_until_finished(widget)
        messages = [str(message) for group in (widget.Error, widget.Warning)
                    for message in group.active]
        self.assertEqual(messages, [])

    def test_save_model_load_model_predictions(self):
        for weighting in range(6):
            with self.subTest(weighting), tempfile.TemporaryDirectory() as folder:
                _, model, _ = self.fit(pool=self.pool, weighting=weighting)
                path = os.path.join(folder, "model.pkcls")
                save = self.create_widget(OWSaveModel)
                self.send_signal(save.Inputs.model, model, widget=save)
                save.filename = path
                save.save_file()
                self.assert_content(save)

                load = self.create_widget(OWLoadModel)
                with patch(DIALOG, return_value=(path, "")):
                    load.browse_file()
                loaded = self.get_output(load.Outputs.model, widget=load)
                self.assert_content(load)
                self.assertEqual(loaded.name, model.name)
                self.assertFalse(hasattr(loaded, "unlabelled"))

                predictions = self.create_widget(OWPredictions)
                inputs = predictions.Inputs
                self.send_signal(inputs.data, self.heart, widget=predictions)
                self.send_signal(inputs.predictors, model, 1, widget=predictions)
                self.send_signal(inputs.predictors, loaded, 2, widget=predictions)
                self.assert_content(predictions)
                first, second = (slot.results for slot in predictions.predictors)
                np.testing.assert_array_equal(
                    first.unmapped_probabilities, model(self.heart, model.Probs))
                np.testing.assert_array_equal(first.unmapped_probabilities,
                                              second.unmapped_probabilities)
                table = self.get_output(predictions.Outputs.annotated,
                                        widget=predictions)
                self.assertEqual(len(table), 303)

    def test_test_and_score(self):
        widget = self.create_widget(OWTestAndScore)
        self.send_signal(widget.Inputs.train_data, self.heart, widget=widget)
        settings = [{}, {"weighting": WANBIA}, {"weighting": LAZY},
                    {"weighting": CAWNB, "discretization": "MDLP"},
                    {"weighting": NB, "discretization": "EF"}]
        for index, chosen in enumerate(settings):
            learner, *_ = self.fit(**chosen)
            self.send_signal(widget.Inputs.learner, learner, index, widget=widget)
        learner, *_ = self.fit(pool=self.pool)
        self.send_signal(widget.Inputs.learner, learner, 9, widget=widget)
        results = self.get_output(widget.Outputs.evaluations_results, widget=widget)
        self.assert_content(widget)
        self.assertEqual(results.learner_names, [
            "RNB+", "WANBIA+", "AIWNB+ (lazy)", "CAWNB with MDLP", "NB with EF",
            "RNB+ with pool"])
        accuracy = np.mean(results.predicted == results.actual, axis=1)
        self.assertTrue((accuracy > .75).all(), accuracy)

    def test_parameter_fitter(self):
        learner, *_ = self.fit(pool=self.pool)
        widget = self.create_widget(OWParameterFitter)
        # The range that a user would set comes first, or all of it would be tried
        self.send_signal(widget.Inputs.learner, learner, widget=widget)
        self.assertEqual([parameter.name for parameter in widget.fitted_parameters],
                         ["k", "n0", "min_samples", "max_iter"])
        widget.minimum, widget.maximum = 3, 5
        self.send_signal(widget.Inputs.data, self.train, widget=widget)
        self.assert_content(widget)
        self.assertFalse(widget.Warning.no_parameters.is_shown())

    def test_rank(self):
        for weighting in range(6):
            learner, model, _ = self.fit(weighting=weighting)
            widget = self.create_widget(OWRank)
            self.send_signal(widget.Inputs.data, self.train, widget=widget)
            self.send_signal(widget.Inputs.scorer, learner, 1, widget=widget)
            self.assert_content(widget)
            scores = self.get_output(widget.Outputs.scores, widget=widget)
            column = next(var for var in scores.domain.attributes
                          if var.name == learner.name)
            found = dict(zip(map(str, scores.metas[:, 0]), scores.get_column(column),
                             strict=True))
            expected = {var.name: importance for var, importance in
                        zip(model.domain.attributes, model.importances, strict=True)}
            for name, importance in expected.items():
                self.assertAlmostEqual(found[name], importance, 6)

    def test_calibrated_learner(self):
        learner, *_ = self.fit(pool=self.pool)
        widget = self.create_widget(OWCalibratedLearner)
        self.send_signals([(widget.Inputs.base_learner, learner),
                           (widget.Inputs.data, self.train)], widget=widget)
        self.assert_content(widget)
        model = self.get_output(widget.Outputs.model, widget=widget)
        self.assertIn("rnb+ with pool", model.name.lower())
        right = model(self.heart) == self.heart.Y
        self.assertGreater(right.mean(), .75)


class TestSADDTables(base.WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart = Table("heart_disease")

    def setUp(self):
        self.widget = self.create_widget(OWSADDTables, stored_settings={
            "labelling": {"labeller": "neighbours"}, "__version__": 4})
        self.send_signals([(self.widget.Inputs.data, self.heart[::3]),
                           (self.widget.Inputs.unlabelled, self.heart)])
        self.wait_until_finished()

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name))

    assert_content = TestIntegration.assert_content

    def test_test_and_score(self):
        widget = self.create_widget(OWTestAndScore)
        self.send_signal(widget.Inputs.train_data, self.heart, widget=widget)
        self.send_signal(widget.Inputs.learner, self.output("learner"), 1,
                         widget=widget)
        results = self.get_output(widget.Outputs.evaluations_results, widget=widget)
        self.assert_content(widget)
        self.assertEqual(results.learner_names, ["SADD Tables with pool"])
        self.assertGreater(np.mean(results.predicted == results.actual), .75)

    def test_rank(self):
        widget = self.create_widget(OWRank)
        self.send_signal(widget.Inputs.data, self.heart[::3], widget=widget)
        self.send_signal(widget.Inputs.scorer, self.output("learner"), 1,
                         widget=widget)
        self.assert_content(widget)
        scores = self.get_output(widget.Outputs.scores, widget=widget)
        column = scores.get_column(scores.domain["SADD Tables with pool"])
        np.testing.assert_allclose(np.sort(column), np.sort(
            self.output("model").importances), atol=1e-6)

    def test_heat_map_of_explanations_and_bar_plot_of_tables(self):
        for cls, name in ((OWHeatMap, "explanations"), (OWBarPlot, "tables")):
            widget = self.create_widget(cls)
            self.send_signal(widget.Inputs.data, self.output(name), widget=widget)
            self.assert_content(widget)
