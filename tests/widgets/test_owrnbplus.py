"""RNB+ through its signals: learners, models, weights, settings.

Test methods with long descriptive names omit docstrings.
"""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
from AnyQt.QtGui import QFont
from AnyQt.QtWidgets import QApplication
from Orange.data import Table
from Orange.preprocess import Discretize
from Orange.preprocess.discretize import EntropyMDL
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.explain.contributions import bayes_contributions
from orangecontrib.sadd.scripting.classification import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from orangecontrib.sadd.scripting.models import WeightedNaiveBayesModel
from orangecontrib.sadd.widgets.owrnbplus import OBJECTIVES, WEIGHTINGS, OWRNBPlus
from tests.widgets.bases import WidgetTest, without_labels
from tests.widgets.modelwindows import ModelWindowTest, WindowTest

RNB, CAWNB, WANBIA, EAGER, LAZY, NB = range(6)


class TestLearnerWidget(WidgetTest, base.WidgetLearnerTestMixin):
    def setUp(self):
        self.widget = self.create_widget(OWRNBPlus)
        self.init()
        widget, fold = self.widget, self.widget.labels_fold
        n0 = widget.main_parameters.controls["SADD", "n0"].spin
        simulate.combobox_activate_index(fold.k_combo, 2)
        objectives = [name for name, _ in OBJECTIVES]
        self.parameters = [
            base.ParameterMapping("k", fold.k_spin, [1, 5, 12]),
            base.ParameterMapping("n0", n0, [1, 2000, 5000]),
            base.ParameterMapping("max_iter", widget.max_iter_spin, [1, 10, 100]),
            base.ParameterMapping(
                "objective", widget.objective_combo, objectives,
                getter=lambda: objectives[widget.objective],
                setter=lambda value: simulate.combobox_activate_index(
                    widget.objective_combo, objectives.index(value)))]


class RNBPlusTest(WindowTest):
    cls = OWRNBPlus

    def weight(self, index):
        simulate.combobox_activate_index(self.widget.weighting_combo, index)
        self.wait_until_finished()

    def assert_same_predictions(self, model, learner, data):
        np.testing.assert_array_equal(
            model(self.iris, model.Probs), learner(data)(self.iris, model.Probs))


class TestWindow(ModelWindowTest, base.WidgetTest):
    cls = OWRNBPlus
    learner = RNBPlusLearner
    most_controls = 6


class TestLearners(RNBPlusTest, WidgetTest):
    def test_weightings_are_those_of_the_learners(self):
        self.send(self.iris)
        expected = (RNBPlusLearner, CAWNBLearner, WANBIALearner, AIWNBLearner,
                    AIWNBLearner, NBLearner)
        names = ("RNB+", "CAWNB+", "WANBIA+", "AIWNB+ (eager)", "AIWNB+ (lazy)", "NB+")
        for index, (cls, name) in enumerate(zip(expected, names, strict=True)):
            with self.subTest(name):
                self.weight(index)
                learner, model = self.output("learner"), self.output("model")
                self.assertIs(type(learner), cls)
                self.assertEqual((learner.name, model.name), (name, name))
                self.assertIsInstance(model, WeightedNaiveBayesModel)
                self.assertTrue(self.widget.view.shows_model)
                again = CLASSIFIERS[list(WEIGHTINGS)[index]].settings
                learner = cls(**again) if cls is RNBPlusLearner \
                    else cls("SADD", **again)
                self.assert_same_predictions(model, learner, self.iris)

    def test_discretizations_are_those_of_the_learners(self):
        self.weight(CAWNB)
        self.send(self.iris[::2])
        for method in DISCRETIZERS:
            with self.subTest(method):
                self.choose_method(method)
                name = "CAWNB+" if method == "SADD" else f"CAWNB with {method}"
                self.assertEqual(self.output("learner").name, name)
                self.assert_same_predictions(
                    self.output("model"), CAWNBLearner(method), self.iris[::2])

    def test_parameters_and_limits_reach_the_learner(self):
        widget = self.widget
        widget.limits_fold.spins["min_samples"].setValue(9)
        widget.limits_fold.missing_check.click()
        widget.labels_fold.standardize_check.click()
        simulate.combobox_activate_index(widget.labels_fold.k_combo, 1)
        widget.main_parameters.controls["SADD", "n0"].spin.setValue(300)
        widget.main_parameters.controls["EW", "n_bins"].spin.setValue(5)
        learner = self.output("learner")
        self.assertIs(type(learner), RNBPlusLearner)
        self.assertEqual((learner.n0, learner.min_samples, learner.missing),
                         (300, 9, "interval"))
        self.assertEqual((learner.k, learner.standardize), ("validation", False))
        self.assertIn("300", dict(widget.get_learner_parameters()).values())
        self.weight(WANBIA)
        discretization = self.output("learner").discretizer
        self.assertEqual((discretization.n0, discretization.min_samples), (300, 9))
        self.choose_method("MDLP")
        self.assertEqual(self.output("learner").discretizer.min_samples, 9)
        self.choose_method("EW")
        self.assertEqual(self.output("learner").discretizer.n_bins, 5)

    def test_search_has_no_effect_without_searched_weights(self):
        fold = self.widget.search_fold
        self.assertEqual(fold.button.text(), "Search: 100 iterations")
        simulate.combobox_activate_index(self.widget.objective_combo, 1)
        self.assertEqual(fold.button.text(), "Search: log loss, 100 iterations")
        self.assertEqual(self.output("learner").name, "RNB+ (log loss)")
        self.weight(EAGER)
        self.assertFalse(fold.body.isEnabledTo(self.widget))
        self.assertIn("not used", fold.button.text())
        self.assertIn("does not search", fold.button.toolTip())
        self.assertEqual(self.output("learner").name, "AIWNB+ (eager)")


class TestWeights(RNBPlusTest, WidgetTest):
    def test_output_has_the_weights_of_the_model(self):
        self.send(self.iris)
        classes = list(self.iris.domain.class_var.values)
        for index, columns, metas in (
                (RNB, [*classes, "w"], ["Variable", "alpha"]),
                (CAWNB, classes, ["Variable"]), (WANBIA, ["w"], ["Variable"]),
                (EAGER, ["w"], ["Variable"]), (LAZY, ["w"], ["Variable"])):
            with self.subTest(list(WEIGHTINGS)[index]):
                self.weight(index)
                table = self.output("weights")
                expected = self.output("model").weights_table()[:, columns + metas]
                self.assertEqual([var.name for var in table.domain.attributes], columns)
                self.assertEqual([var.name for var in table.domain.metas], metas)
                np.testing.assert_array_equal(table.X, expected.X[:, :len(columns)])
                np.testing.assert_array_equal(table.metas[:, 0], expected.metas[:, 0])
        self.weight(NB)
        self.assertIsNone(self.output("weights"))

    def test_table_shows_importances_and_weights(self):
        self.send(self.iris)
        model = self.output("model")
        header, *rows = self.widget.view.table.as_lists()
        self.assertEqual(header, [
            "Variable", "Importance",
            *(f"Weight for {name}" for name in self.iris.domain.class_var.values),
            "Shared weight"])
        by_name = {row[0]: row[1:] for row in rows}
        for index, var in enumerate(model.domain.attributes):
            expected = [model.importances[index], *model.class_weights[:, index],
                        model.weights[index]]
            self.assertEqual(by_name[var.name], [f"{w:.3f}" for w in expected])
        order = np.argsort(-model.importances)
        self.assertEqual([row[0] for row in rows],
                         [model.domain.attributes[i].name for i in order])
        self.weight(NB)
        self.assertEqual(self.widget.view.table.as_lists()[0],
                         ["Variable", "Importance"])

    def test_pane_shows_contributions_of_the_selected_attribute(self):
        self.send(self.iris[::3], self.iris)
        model, view = self.output("model"), self.widget.view
        for index in (0, 3):
            view.table.select(model.domain.attributes[index].name)
            expected = bayes_contributions(model, self.iris[::3], self.iris, index)
            header, *rows = view.pane.table.as_lists()
            self.assertEqual([row[0] for row in rows], list(expected.labels))
            self.assertEqual([row[1] for row in rows],
                             [f"{value:.2f}" for value in expected.adds[:, 0]])
            self.assertEqual([row[-2] for row in rows],
                             [str(n) for n in expected.labelled])
            self.assertEqual(header[-2:], ["Rows", "Unlabelled"])
        self.assertEqual(view.pane.reference.text(), f"Log-odds, {expected.reference}")

    def test_note_on_whether_nomogram_can_show_the_model(self):
        self.send(self.iris)
        note = self.widget.view.note
        self.assertFalse(self.output("model").fitted.additive)
        self.assertIn("Nomogram cannot show this mixture", note.text())
        self.assertIn(f"α = {self.output('model').alpha:.3f}", note.text())
        note.linkActivated.emit(str(CAWNB))
        self.assertEqual(self.widget.weighting_combo.currentIndex(), CAWNB)
        self.assertEqual(self.output("learner").name, "CAWNB+")
        self.wait_until_finished()
        self.assertEqual(note.text(), "Nomogram can show this model.")
        self.weight(LAZY)
        self.assertIn("cannot show", note.text())
        note.linkActivated.emit(str(EAGER))
        self.assertEqual(self.output("learner").name, "AIWNB+ (eager)")
        self.weight(RNB)
        for step, alpha, kind in ((3, 1, "class-specific"), (9, 0, "shared")):
            self.send(Table("heart_disease")[::step])
            self.assertEqual(self.output("model").alpha, alpha)
            self.assertEqual(note.text(), f"Predictions use {kind} weights (α = "
                             f"{alpha}). Nomogram can show this model.")

    def test_mark_shows_whether_the_search_converged(self):
        mark = self.widget.view.mark
        self.widget.max_iter_spin.setValue(2)
        self.send(self.iris)
        self.assertEqual(mark.text(), "2 iterations")
        self.assertIn("ended after 2 iterations, the limit", mark.toolTip())
        self.send(Table("titanic"))
        self.widget.max_iter_spin.setValue(1000)
        self.wait_until_finished()
        self.assertTrue(self.output("model").converged)
        self.assertIn("✓", mark.text())
        self.assertIn("converged after", mark.toolTip())
        self.weight(EAGER)
        self.assertEqual(mark.text(), "")

    def test_mark_says_that_the_start_was_optimal(self):
        self.send(self.iris)
        model = self.output("model")
        with patch.object(model, "fitted", replace(
                model.fitted, n_iter=0, converged=True)):
            _, mark, tip = self.widget.notes()
        self.assertEqual(mark, "✓ The starting weights are optimal")
        self.assertNotIn("0 iterations", mark + tip)

    def test_weights_without_a_share_are_faded(self):
        self.send(self.iris[::2])
        model = self.output("model")
        for alpha in (0, 1, .5):
            model.fitted.alpha = alpha
            columns, _ = self.widget.describe(model, self.iris)
            self.assertEqual([column.is_used for column in columns],
                             [True, *[alpha != 0] * 3, alpha != 1])
            self.assertEqual("no effect" in columns[1].tip, alpha == 0)

    def noise(self, columns):
        """Return iris with noise in some columns, in which MDLP finds no cuts."""
        self.choose_method("MDLP")
        data = self.iris.copy()
        with data.unlocked(data.X):
            data.X[:, columns] = np.random.RandomState(0).normal(size=(150, 1))
        return data

    def test_attributes_with_one_interval_have_no_weights(self):
        self.send(self.noise([3]))
        self.assertTrue(np.isnan(self.output("weights").X[-1]).all())
        row = self.widget.view.table.as_lists()[-1]
        self.assertEqual(row, ["petal width", "0.000", *"––––"])
        self.widget.view.table.select("petal width")
        (_, row) = self.widget.view.pane.table.as_lists()
        self.assertEqual((row[0], row[-1]), ("all values", "150"))

    def test_message_when_data_is_noise(self):
        data = self.noise(slice(None))
        self.send(data)
        self.assertFalse(self.widget.Error.active)
        self.assertIsNotNone(self.output("model"))
        self.assertIn("Every variable has a single value",
                      self.widget.view.message.text())
        self.send(data, preprocessor=Discretize(EntropyMDL()))  # drops all of them
        self.assertEqual(self.output("model").domain.attributes, ())
        self.assertEqual(len(self.output("weights")), 0)
        self.assertIn("No variable is left", self.widget.view.message.text())

    def test_nothing_is_scrolled_sideways_in_a_small_window(self):
        usual = QApplication.font()
        self.addCleanup(QApplication.setFont, usual)
        font = QFont(usual)
        font.setPixelSize(12)
        QApplication.setFont(font)
        self.widget = self.create_widget(OWRNBPlus)
        self.widget.show()
        table = self.widget.view.table
        heart = Table("heart_disease")
        self.send(heart[::10], heart)
        self.widget.resize(740, 540)  # a screen of 800 x 600 has room for 780
        self.process_events()
        self.assertEqual(self.widget.width(), 740)
        self.assertEqual(table.horizontalScrollBar().maximum(), 0)

    def test_report_has_weights_and_values(self):
        self.widget.send_report()
        self.send(self.iris[::2], self.iris)
        self.widget.send_report()
        for text in ("RNB+ with unlabelled data", "by leave-one-out", "Unlabelled data",
                     "Shared weight", "petal width", "Nomogram can",
                     "data:image/png"):
            self.assertIn(text, self.widget.report_html)

    def test_rows_without_class_are_unlabelled(self):
        data = without_labels(self.iris, slice(None, None, 2))
        self.send(data)
        self.assert_same_predictions(self.output("model"), RNBPlusLearner(), data)
