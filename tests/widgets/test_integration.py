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
from Orange.widgets.model.owstack import OWStackedLearner
from Orange.widgets.visualize.owbarplot import OWBarPlot
from Orange.widgets.visualize.owheatmap import OWHeatMap
from Orange.widgets.visualize.ownomogram import OWNomogram
from scipy.special import softmax

from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables
from tests.widgets.bases import WidgetTest, without_score

RNB, CAWNB, WANBIA, EAGER, LAZY, NB = range(6)
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
        self.widget = self.create_widget(OWRNBPlus)

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
        for settings, name in (
                ({"weighting": WANBIA, "discretization": "MDLP"}, "min_samples"),
                (TABLES, "smoothness")):
            learner, *_ = self.fit(**settings)
            self.send_signal(widget.Inputs.learner, learner, widget=widget)
            self.assertFalse(widget.Warning.no_parameters.is_shown())
            self.assertEqual([parameter.name for parameter in widget.fitted_parameters],
                             [name, "max_iter"])

    def test_rank(self):
        for settings in (*RNB_SETTINGS, TABLES):
            learner, model, *_ = self.fit(**settings)
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

    def test_nomogram(self):
        for weighting, accepted in ((WANBIA, True), (CAWNB, True), (EAGER, True),
                                    (NB, True), (RNB, False), (LAZY, False)):
            with self.subTest(weighting):
                _, model, _ = self.fit(weighting=weighting)
                if weighting == RNB:  # one of the two models may be out of use
                    accepted = model.alpha in (0, 1)
                widget = self.create_widget(OWNomogram)
                self.send_signal(widget.Inputs.classifier, model, widget=widget)
                self.assertEqual(widget.Error.invalid_classifier.is_shown(),
                                 not accepted)
                if accepted:
                    self.send_signal(widget.Inputs.data, self.train[:1], widget=widget)
                    self.assert_content(widget)
                    self.assertEqual(len(widget.points), len(model.domain.attributes))

    def test_nomogram_shows_a_mixture_of_which_one_model_is_left(self):
        alphas = []
        for step in (3, 9, 2):
            data = self.heart[::step]
            self.send_signal(self.widget.Inputs.data, data)
            self.wait_until_finished()
            model = self.get_output(self.widget.Outputs.model)
            alphas.append(model.alpha)
            additive = model.alpha in (0, 1)
            self.assertEqual("Nomogram can show" in self.widget.view.note.text(),
                             additive)
            widget = self.create_widget(OWNomogram)
            self.send_signal(widget.Inputs.classifier, model, widget=widget)
            self.assertEqual(widget.Error.invalid_classifier.is_shown(), not additive)
            if additive:
                # Points of its lines are the scores by which the model predicts
                rows = data[~np.isnan(data.X).any(axis=1)].transform(model.domain)
                scores = np.log(model.class_prob) + sum(
                    table[:, codes.astype(int)].T for table, codes in
                    zip(model.log_cont_prob, rows.X.T, strict=True))
                np.testing.assert_allclose(
                    model(rows, model.Probs), softmax(scores, axis=1))
        self.assertEqual(alphas[:2], [1, 0])
        self.assertTrue(0 < alphas[2] < 1)

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
