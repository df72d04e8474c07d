"""Widgets of Orange that take learners, models and tables of RNB+ and SADD Tables.

Nomogram, Rank and Parameter Fitter are in ``tests.orange.test_orange_contracts``.

Test methods with long descriptive names omit docstrings.
"""

import os
import tempfile
from unittest.mock import patch

import numpy as np
from Orange.data import Table
from Orange.widgets.evaluate.owpredictions import OWPredictions
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.model.owcalibratedlearner import OWCalibratedLearner
from Orange.widgets.model.owloadmodel import OWLoadModel
from Orange.widgets.model.owsavemodel import OWSaveModel
from Orange.widgets.model.owstack import OWStackedLearner
from Orange.widgets.visualize.owbarplot import OWBarPlot
from Orange.widgets.visualize.owheatmap import OWHeatMap

from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables
from tests.widgets.bases import WidgetTest, without_score

CAWNB, WANBIA, LAZY, NB = 1, 2, 4, 5
RNB_SETTINGS = [{"weighting": weighting} for weighting in range(6)]
TABLES = {"window": OWSADDTables, "labelling": {"labeller": "neighbours"},
          "__version__": 4}
DIALOG = "AnyQt.QtWidgets.QFileDialog.getOpenFileName"


class TestIntegration(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart = Table("heart_disease")
        cls.train, cls.pool = cls.heart[::3], cls.heart

    def setUp(self):
        without_score(self)

    def fit(self, pool=None, window=OWRNBPlus, **settings):
        """Return the outputs of a window: learner, model and tables."""
        widget = self.create_widget(window, stored_settings=settings)
        self.send_signals([(widget.Inputs.data, self.train),
                           (widget.Inputs.unlabelled, pool)], widget=widget)
        self.wait_until_finished(widget)
        return [self.get_output(output.name, widget=widget)
                for output in widget.get_signals("outputs")]

    def assert_content(self, widget):
        self.wait_until_finished(widget)
        messages = [str(message) for group in (widget.Error, widget.Warning)
                    for message in group.active]
        self.assertEqual(messages, [])

    def test_save_model_load_model_predictions(self):
        for settings in (*RNB_SETTINGS, TABLES):
            with self.subTest(settings), tempfile.TemporaryDirectory() as folder:
                _, model, *_ = self.fit(self.pool, **settings)
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
                    {"weighting": NB, "discretization": "EF"}, TABLES]
        for index, chosen in enumerate(settings):
            learner, *_ = self.fit(**chosen)
            self.send_signal(widget.Inputs.learner, learner, index, widget=widget)
        learner, *_ = self.fit(pool=self.pool)
        self.send_signal(widget.Inputs.learner, learner, 9, widget=widget)
        results = self.get_output(widget.Outputs.evaluations_results, widget=widget)
        self.assert_content(widget)
        self.assertEqual(results.learner_names, [
            "RNB+", "WANBIA+", "AIWNB+ (lazy)", "CAWNB with MDLP", "NB with EF",
            "SADD Tables", "RNB+ with unlabelled data"])
        accuracy = np.mean(results.predicted == results.actual, axis=1)
        self.assertTrue((accuracy > .75).all(), accuracy)

    def test_calibrated_learner_and_stacking(self):
        learner, *_ = self.fit(pool=self.pool)
        other, *_ = self.fit(weighting=WANBIA)
        calibrated = self.create_widget(OWCalibratedLearner)
        self.send_signal(calibrated.Inputs.base_learner, learner, widget=calibrated)
        stacked = self.create_widget(OWStackedLearner)
        self.send_signal(stacked.Inputs.learners, learner, 0, widget=stacked)
        self.send_signal(stacked.Inputs.learners, other, 1, widget=stacked)
        for widget in (calibrated, stacked):
            self.send_signal(widget.Inputs.data, self.train, widget=widget)
            self.assert_content(widget)
            model = self.get_output(widget.Outputs.model, widget=widget)
            right = model(self.heart) == self.heart.Y
            self.assertGreater(right.mean(), .75)

    def test_heat_map_and_bar_plot_of_tables(self):
        for settings in (*RNB_SETTINGS[:5], TABLES):
            _, _, *tables = self.fit(**settings)
            for table in tables:
                for cls in (OWHeatMap, OWBarPlot):
                    with self.subTest(settings, widget=cls.name):
                        widget = self.create_widget(cls)
                        self.send_signal(widget.Inputs.data, table, widget=widget)
                        self.assert_content(widget)
