"""Who lends labels: the same controls, input and messages in both widgets.

Test methods with long descriptive names omit docstrings.
"""

import re
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QSize
from AnyQt.QtGui import QColor, QGuiApplication, QPalette
from AnyQt.QtWidgets import QApplication, QLabel
from Orange.classification import NaiveBayesLearner
from Orange.data import Table
from Orange.regression import LinearRegressionLearner
from Orange.widgets.model.owknn import OWKNNLearner
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate
from orangewidget.widget import OWBaseWidget

from orangecontrib.sadd.classification import RNBPlusLearner
from orangecontrib.sadd.preprocessors import SADDDiscretize
from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize


class LabellingTest:
    """What holds for both widgets."""

    cls: type
    made: str

    def setUp(self):
        self.iris = Table("iris")
        self.widget = self.create_widget(self.cls)

    def send(self, **inputs):
        self.send_signals([(getattr(self.widget.Inputs, name), value)
                           for name, value in inputs.items()])
        self.wait_until_finished()

    def product(self):
        """The preprocessor or the learner that the widget sends."""
        return self.get_output(getattr(self.widget.Outputs, self.made))

    def choose(self, combo, index):
        simulate.combobox_activate_index(getattr(self.widget, combo), index)
        self.wait_until_finished()

    def shown_text(self):
        """What the label on labels shows, with colours."""
        return QLabel.text(self.widget.labelling_label)

    def colours(self):
        return set(re.findall("color: (#[0-9a-f]{6})", self.shown_text()))

    def test_opens_at_its_best_size(self):
        # Qt opens windows at two thirds of the screen, which is 800 x 800 here
        class Screen:
            def availableSize(self):
                return QSize(1200, 1000)

        with patch.object(QGuiApplication, "primaryScreen", Screen):
            widget = self.create_widget(self.cls)
            best = widget.best_size.boundedTo(QSize(1080, 900))
            widget.show()
            self.assertEqual(widget.size(), widget.sizeHint())
            self.assertGreaterEqual(widget.height(), best.height())
            self.assertEqual(widget.width(), best.width())
            widget.resize(840, 640)
            widget.hide()
            widget.show()
            self.assertEqual(widget.size(), QSize(840, 640))
            widget.hide()

    def test_opens_with_its_title_on_the_screen(self):
        # Qt guesses the frame only when the window is there, and too late for some
        # window managers
        widget, positions = self.create_widget(self.cls), []
        with patch.object(OWBaseWidget, "setVisible",
                          lambda self, _: positions.append(self.pos())):
            widget.show()
        position, = positions
        space = QGuiApplication.primaryScreen().availableGeometry()
        self.assertEqual(space.height() - widget.height(), 2 * position.y())
        self.assertEqual(space.width() - widget.width(), 2 * position.x())
        self.assertGreaterEqual(position.y(), .05 * space.height())

    def test_a_committee(self):
        self.send(data=self.iris[::3], unlabelled=self.iris)
        self.assertEqual(self.product().labeller, "neighbours")
        self.choose("labeller_combo", 1)
        self.assertEqual(self.product().labeller, "committee")
        self.assertFalse(self.widget.k_box.isEnabled())
        self.assertIn("Committee needs no k", self.widget.k_box.toolTip())
        self.assertIn("Committee, ", self.labelling_text())
        self.assertIn(" of 50 labelled rows right (", self.labelling_text())

    def test_a_connected_learner_replaces_what_is_chosen(self):
        self.choose("labeller_combo", 1)
        learner = NaiveBayesLearner()
        learner.name = "My Bayes"
        self.send(data=self.iris[::3], unlabelled=self.iris, labeller=learner)
        self.assertIs(self.product().labeller, learner)
        self.assertEqual(self.widget.labeller_combo.currentText(),
                         "My Bayes (connected)")
        self.assertFalse(self.widget.labeller_combo.isEnabled())
        self.assertIn("Disconnect", self.widget.labeller_combo.toolTip())
        self.assertIn("My Bayes, ", self.labelling_text())
        self.send(labeller=None)
        self.assertEqual(self.product().labeller, "committee")
        self.assertEqual(self.widget.labeller_combo.currentText(), "Committee")
        self.assertEqual(self.widget.labeller_combo.count(), 2)

    def test_the_learner_of_a_widget(self):
        knn = self.create_widget(OWKNNLearner)
        learner = self.get_output(knn.Outputs.learner, widget=knn)
        self.send(data=self.iris[::3], unlabelled=self.iris, labeller=learner)
        self.assertIn("kNN, ", self.labelling_text())

    def test_a_learner_that_fails(self):
        self.send(data=self.iris[::3], unlabelled=self.iris,
                  labeller=LinearRegressionLearner())
        self.assertTrue(self.widget.Error.active)
        self.send(labeller=NaiveBayesLearner())
        self.assertFalse(self.widget.Error.active)
        self.assertIn("labelled rows right", self.labelling_text())

    def test_rows_below_a_confidence_are_ignored(self):
        self.send(data=self.iris[::10], unlabelled=self.iris)
        self.choose("labeller_combo", 1)
        self.assertFalse(self.widget.trust_label.isVisibleTo(self.widget))
        self.widget.confidence_slider.setValue(90)
        self.wait_until_finished()
        self.assertEqual(self.product().min_confidence, .9)
        self.assertRegex(self.widget.trust_label.text(),
                         r"^\d+ of 135 unlabelled rows count$")
        self.assertNotIn("135 of", self.widget.trust_label.text())

    def test_a_warning_if_labels_are_doubtful(self):
        self.send(data=self.iris[::3], unlabelled=self.iris)
        self.assertFalse(self.widget.Warning.doubtful_labels.is_shown())
        noise = self.iris[::3].copy()
        with noise.unlocked():
            noise.Y = np.random.RandomState(0).randint(3, size=len(noise))
        self.send(data=noise)
        self.assertTrue(self.widget.Warning.doubtful_labels.is_shown())
        self.assertEqual(self.colours(), {"#a34700"})
        self.assertNotIn(" %", self.shown_text())  # no line begins with a percent sign
        label = self.widget.labelling_label
        label.setPalette(QPalette(QColor(40, 40, 40)))
        self.assertEqual(self.colours(), {"#ffb454"})
        label.setPalette(QApplication.palette())
        self.assertRegex(str(self.widget.Warning.doubtful_labels),
                         r"\d+ of 50 labelled rows right \(\d+ %\)")
        self.send(data=None)
        self.assertFalse(self.widget.Warning.doubtful_labels.is_shown())
        self.assertEqual(self.colours(), set())

    def test_settings_are_saved_and_reported(self):
        self.choose("labeller_combo", 1)
        self.widget.confidence_slider.setValue(60)
        expected = repr(self.product())
        self.assertIn("committee", expected)
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.widget = self.create_widget(self.cls, stored_settings=settings)
        self.assertEqual(repr(self.product()), expected)
        self.send(data=self.iris[::3], unlabelled=self.iris)
        self.widget.report_html = ""
        self.widget.send_report()
        for text in ("Committee", "60 %", "labelled rows right"):
            self.assertIn(text, self.widget.report_html)

    def test_settings_that_are_not_valid(self):
        default = repr(self.product())
        self.widget = self.create_widget(self.cls, stored_settings={
            "labeller": 9, "min_confidence": "high", "__version__": 2})
        self.assertEqual(repr(self.product()), default)

    def test_workflows_of_the_first_version_are_as_published(self):
        settings = {"n0": 500, "__version__": 1}
        self.cls.migrate_settings(settings, 1)
        self.assertEqual((settings["labeller"], settings["min_confidence"]), (0, 0))


class TestSADDDiscretize(LabellingTest, base.WidgetTest):
    cls = OWSADDDiscretize
    made = "preprocessor"

    def labelling_text(self):
        return self.widget.status.text()

    def test_a_fault_of_ours_is_not_blamed_on_the_learner(self):
        self.send(data=self.iris[::3], unlabelled=self.iris,
                  labeller=NaiveBayesLearner())
        with self.assertRaises(RuntimeError):
            self.widget.on_exception(RuntimeError("ours"))
        self.assertFalse(self.widget.Error.labeller_failed.is_shown())
        self.send(labeller=LinearRegressionLearner())
        self.assertTrue(self.widget.Error.labeller_failed.is_shown())

    def test_output_is_that_of_the_preprocessor(self):
        self.choose("labeller_combo", 1)
        self.widget.confidence_slider.setValue(80)
        self.send(data=self.iris[::5], unlabelled=self.iris)
        expected = SADDDiscretize(self.iris, labeller="committee", min_confidence=.8)(
            self.iris[::5])
        output = self.get_output(self.widget.Outputs.data)
        self.assertEqual(output.domain, expected.domain)
        np.testing.assert_array_equal(output.X, expected.X)


class TestRNBPlus(LabellingTest, base.WidgetTest):
    cls = OWRNBPlus
    made = "learner"

    def labelling_text(self):
        return self.widget.view.labelling.text()

    def test_recipe(self):
        self.choose("recipe_combo", 1)
        learner = self.product()
        self.assertEqual(repr(learner), "RNBPlusLearner(recipe='few-labels')")
        self.assertEqual(learner.name, "RNB+ few labels")
        self.assertEqual(self.widget.labeller_combo.currentText(), "Committee")
        self.assertEqual(self.widget.shrinkage_spin.value(), 1)
        self.send(data=self.iris[::5], unlabelled=self.iris)
        learner, model = self.product(), self.get_output(self.widget.Outputs.model)
        self.assertEqual(learner.name, "RNB+ few labels with pool")
        expected = RNBPlusLearner(unlabelled=self.iris, recipe="few-labels")
        np.testing.assert_array_equal(
            model(self.iris, model.Probs),
            expected(self.iris[::5])(self.iris, model.Probs))
        self.choose("recipe_combo", 0)
        self.assertEqual(repr(self.product()), "RNBPlusLearner()")

    def test_explicit_settings_win(self):
        self.choose("recipe_combo", 1)
        self.widget.shrinkage_spin.setValue(2)
        self.choose("labeller_combo", 0)
        self.choose("objective_combo", 0)
        learner = self.product()
        self.assertEqual((learner.shrinkage, learner.labeller, learner.objective,
                          learner.pool_use), (2, "neighbours", "mse", "counts"))
        self.assertEqual(learner.name, "RNB+ few labels (MSE)")
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.widget = self.create_widget(self.cls, stored_settings=settings)
        self.assertEqual(repr(self.product()), repr(learner))

    def test_every_weighting_takes_the_settings(self):
        self.choose("recipe_combo", 1)
        self.send(data=self.iris[::5], unlabelled=self.iris)
        for index in range(6):
            self.choose("weighting_combo", index)
            learner = self.product()
            self.assertEqual(learner.pool_use, "counts")
            self.assertIsNotNone(self.get_output(self.widget.Outputs.model))
