"""RNB+ through its signals: learners, models, weights, messages, cancelling, settings.

Test methods with long descriptive names omit docstrings.
"""

import pickle
import threading
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QScrollBar,
    QTableView,
)
from Orange.classification import NaiveBayesLearner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess import Discretize, Normalize, Scale
from Orange.preprocess.discretize import EntropyMDL
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate
from Orange.widgets.widget import Msg

from orangecontrib.sadd.classification import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.models import WeightedNaiveBayesModel
from orangecontrib.sadd.widgets.common.messages import Warnings
from orangecontrib.sadd.widgets.common.windows import Cancelled
from orangecontrib.sadd.widgets.owrnbplus import CONNECT_DATA, OWRNBPlus, fit
from orangecontrib.sadd.widgets.rnbplus.weightings import WEIGHTINGS
from tests.waiting import PATIENCE

RNB, CAWNB, WANBIA, EAGER, LAZY, NB = range(6)


def without_labels(table, rows):
    """A copy of a table with no class in some rows."""
    table = table.copy()
    with table.unlocked(table.Y):
        table.Y[rows] = np.nan
    return table


class TestLearnerWidget(base.WidgetTest, base.WidgetLearnerTestMixin):
    def setUp(self):
        self.widget = self.create_widget(OWRNBPlus, stored_settings={"choose_k": 1})
        self.init()
        widget = self.widget
        self.parameters = [
            base.ParameterMapping("k", widget.k_spin, [1, 5, 12]),
            base.ParameterMapping("n0", widget.n0_spin, [1, 2000, 5000]),
            base.ParameterMapping("max_iter", widget.max_iter_spin, [1, 10, 100]),
            base.ParameterMapping(
                "objective", widget.objective_combo, ["mse", "cll"],
                getter=lambda: ["mse", "cll"][widget.objective],
                setter=lambda value: simulate.combobox_activate_index(
                    widget.objective_combo, ["mse", "cll"].index(value)))]


class RNBPlusTest:
    """What the tests below share."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.iris = Table("iris")

    def setUp(self):
        self.widget = self.create_widget(OWRNBPlus)

    def send(self, data=None, unlabelled=None, preprocessor=None):
        inputs = self.widget.Inputs
        self.send_signals([(inputs.data, data), (inputs.unlabelled, unlabelled),
                           (inputs.preprocessor, preprocessor)])
        self.wait_until_finished()

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name))

    def choose(self, combo, index):
        simulate.combobox_activate_index(getattr(self.widget, combo), index)

    def rename(self, name):
        edit = self.widget.name_line_edit
        edit.setText(name)
        edit.textEdited.emit(name)
        edit.returnPressed.emit()

    def assert_same_predictions(self, model, learner, data):
        np.testing.assert_array_equal(
            model(self.iris, model.Probs), learner(data)(self.iris, model.Probs))


class TestLearners(RNBPlusTest, base.WidgetTest):
    def test_data_without_values_says_why_there_are_no_weights(self):
        data = self.iris.copy()
        with data.unlocked(data.X):
            data.X[:] = np.nan
        self.send(data)
        self.assertFalse(self.widget.view.shows_weights)
        self.assertIn("Every attribute has a single value",
                      self.widget.view.message.text())
        self.assertIsNotNone(self.output("model"))
        self.send(self.iris)
        self.assertTrue(self.widget.view.shows_weights)

    def test_learner_is_sent_without_data(self):
        learner = self.output("learner")
        self.assertIsInstance(learner, RNBPlusLearner)
        self.assertEqual(learner.name, "RNB+")
        self.assertEqual(repr(learner), "RNBPlusLearner()")
        self.assertIsNone(self.output("model"))
        self.assertIsNone(self.output("weights"))
        self.assertEqual(self.widget.view.message.text(), CONNECT_DATA)

    def test_weightings(self):
        self.send(self.iris)
        expected = (RNBPlusLearner, CAWNBLearner, WANBIALearner, AIWNBLearner,
                    AIWNBLearner, NBLearner)
        names = ("RNB+", "CAWNB+", "WANBIA+", "AIWNB+ (eager)", "AIWNB+ (lazy)", "NB+")
        for index, (cls, name) in enumerate(zip(expected, names, strict=True)):
            with self.subTest(name):
                self.choose("weighting_combo", index)
                learner, model = self.output("learner"), self.output("model")
                self.assertIs(type(learner), cls)
                self.assertEqual(learner.name, name)
                self.assertEqual(model.name, name)
                self.assertIsInstance(model, WeightedNaiveBayesModel)
                again = WEIGHTINGS[index].arguments
                learner = cls(**again) if cls is RNBPlusLearner \
                    else cls("SADD", **again)
                self.assert_same_predictions(model, learner, self.iris)

    def test_discretizations(self):
        self.choose("weighting_combo", CAWNB)
        self.send(self.iris[::2])
        for index, method in enumerate(DISCRETIZERS):
            with self.subTest(method):
                self.choose("discretization_combo", index)
                name = "CAWNB+" if method == "SADD" else f"CAWNB with {method}"
                self.assertEqual(self.output("learner").name, name)
                self.assert_same_predictions(
                    self.output("model"), CAWNBLearner(method), self.iris[::2])
        self.choose("weighting_combo", RNB)
        learner = self.output("learner")
        self.assertIs(type(learner), RNBLearner)
        self.assertEqual(learner.name, "RNB with FFD")

    def test_sadd_comes_first_and_is_the_default(self):
        combo = self.widget.discretization_combo
        self.assertEqual([combo.itemText(i) for i in range(combo.count())],
                         list(map(full_name, DISCRETIZERS)))
        self.assertTrue(combo.itemText(0).endswith("(SADD)"))
        self.assertEqual(combo.currentIndex(), 0)
        for index in range(combo.count()):
            self.assertTrue(combo.itemData(index, Qt.ToolTipRole).endswith("."))

    def test_k_and_n0_of_sadd_reach_other_weightings(self):
        self.choose("weighting_combo", WANBIA)
        self.widget.controls.choose_k.buttons[1].click()
        self.widget.k_spin.setValue(3)
        self.widget.n0_spin.setValue(500)
        self.assertEqual(repr(self.output("learner")),
                         "WANBIALearner(discretization=SADD(k=3, n0=500))")

    def test_parameters_of_each_method_have_controls_that_reach_the_learner(self):
        widget, numbers = self.widget, self.widget.method_numbers
        for index, (method, title, value, expected) in enumerate((
                ("EW", "n_bins", 5, "RNBLearner(discretization=_EqualWidth(n_bins=5))"),
                ("FFD", "frequency", 7, "RNBLearner(discretization=FFD(frequency=7))"),
                ("ChiMerge", "alpha", .2,
                 "RNBLearner(discretization=ChiMerge(alpha=0.2))"),
                ("SADD", "n0", 300, "RNBPlusLearner(n0=300)"))):
            with self.subTest(method):
                self.choose("discretization_combo", list(DISCRETIZERS).index(method))
                shown = {key for key, control in numbers.controls.items()
                         if control.isVisibleTo(widget)}
                self.assertIn((method, title), shown)
                self.assertEqual({owner for owner, _ in shown}, {method})
                numbers.controls[method, title].spin.setValue(value)
                self.assertEqual(repr(self.output("learner")), expected)
                self.assertIn((numbers.controls[method, title].parameter.title,
                               f"{value:,}"), widget.get_learner_parameters())
                if not index:
                    self.send(self.iris)
                self.assertIsNotNone(self.output("model"))
        settings = widget.settingsHandler.pack_data(widget)
        again = self.create_widget(OWRNBPlus, stored_settings=settings)
        self.assertEqual(again.method_numbers.stored(), numbers.stored())

    def test_limits_of_sadd_reach_rnb_and_other_weightings(self):
        widget = self.widget
        self.choose("recipe_combo", 1)
        before = self.output("learner")
        rows = widget.method_numbers.controls["SADD", "min_samples"]
        rows.check.click()
        rows.spin.setValue(9)
        learner = self.output("learner")
        self.assertIs(type(learner), RNBPlusLearner)
        self.assertEqual(learner.min_samples, 9)
        for name in ("labeller", "pool_use", "objective", "shrinkage", "name"):
            self.assertEqual(getattr(learner, name), getattr(before, name))
        self.choose("weighting_combo", CAWNB)
        learner = self.output("learner")
        self.assertEqual(learner.discretization.min_samples, 9)
        self.assertEqual(learner.discretization.labeller, before.labeller)
        self.send(self.iris[::3], self.iris)
        self.assertIsNotNone(self.output("model").labelling)

    def test_no_model_is_fitted_while_the_slider_is_dragged(self):
        self.send(self.iris)
        model = self.output("model")
        slider = self.widget.method_numbers.controls["SADD", "n0"].slider
        slider.setSliderDown(True)
        for place in range(slider.value(), slider.value() - 30, -5):
            slider.setValue(place)
            self.assertIs(self.output("model"), model)
        slider.setSliderDown(False)
        slider.sliderReleased.emit()
        self.wait_until_finished()
        self.assertIsNot(self.output("model"), model)
        self.assertEqual(self.output("learner").n0, self.widget.n0_spin.value())

    def test_name_tells_the_objective_if_it_is_not_the_usual(self):
        self.choose("objective_combo", 1)
        self.assertEqual(self.output("learner").name, "RNB+ (CLL)")
        self.choose("weighting_combo", NB)
        self.assertEqual(self.output("learner").name, "NB+")

    def test_name_tells_of_a_pool(self):
        self.send(self.iris[::2], self.iris[1::2])
        self.assertEqual(self.output("learner").name, "RNB+ with pool")
        self.assertEqual(self.output("model").name, "RNB+ with pool")
        self.choose("discretization_combo", 1)
        self.assertEqual(self.output("learner").name, "RNB with MDLP")
        self.choose("discretization_combo", 0)
        self.send(self.iris, self.iris[:0])
        self.assertEqual(self.output("learner").name, "RNB+")

    def test_own_name_stays(self):
        self.send(self.iris)
        self.rename("Mine")
        self.assertEqual(self.output("learner").name, "Mine")
        self.choose("weighting_combo", WANBIA)
        self.assertEqual(self.output("learner").name, "Mine")
        self.assertEqual(self.output("model").name, "Mine")
        self.rename("")
        self.assertEqual(self.output("learner").name, "WANBIA+")

    def test_caption_does_not_rename_the_learner(self):
        self.widget.setCaption("Some node")
        self.assertEqual(self.output("learner").name, "RNB+")

    def test_apply_sends_settings_and_name(self):
        self.widget.controls.auto_apply.click()
        before = self.output("learner")
        self.choose("weighting_combo", CAWNB)
        self.rename("Mine")
        self.assertTrue(self.widget.Warning.outdated_learner.is_shown())
        self.assertIs(self.output("learner"), before)
        self.widget.apply_button.button.click()
        learner = self.output("learner")
        self.assertIsInstance(learner, CAWNBLearner)
        self.assertEqual(learner.name, "Mine")
        self.assertFalse(self.widget.Warning.outdated_learner.is_shown())

    def test_controls_without_effect_are_disabled_and_say_why(self):
        widget = self.widget
        sadd = (widget.k_box,)
        search = (widget.objective_combo, widget.max_iter_spin)
        for control in (*sadd, *search):
            self.assertTrue(control.isEnabledTo(widget))
        self.assertFalse(widget.k_spin.isEnabled())
        self.assertIn("fixed k", widget.k_spin.toolTip())
        widget.controls.choose_k.buttons[1].click()
        self.assertTrue(widget.k_spin.isEnabledTo(widget))
        self.choose("discretization_combo", 1)
        self.choose("weighting_combo", EAGER)
        for control in (*sadd, *search, widget.k_spin):
            self.assertFalse(control.isEnabledTo(widget))
        self.assertIn("SADD", widget.k_box.toolTip())
        self.assertIn("search", widget.max_iter_spin.box.toolTip())


class TestAccessibility(RNBPlusTest, base.WidgetTest):
    def test_everything_that_is_set_or_read_has_a_name(self):
        self.send(self.iris)
        kinds = QComboBox, QAbstractSpinBox, QAbstractSlider, QLineEdit, QTableView
        parts = [part for area in (self.widget.controlArea, self.widget.mainArea)
                 for kind in kinds for part in area.findChildren(kind)
                 if part.isVisibleTo(self.widget)
                 and not isinstance(part, QScrollBar)
                 and not isinstance(part.parent(), QAbstractSpinBox | QComboBox)]
        self.assertGreater(len(parts), 10)
        for part in (*parts, self.widget.view.loss_curve):
            self.assertTrue(part.accessibleName(), part)


class TestInputs(RNBPlusTest, base.WidgetTest):
    def test_pool_is_used_and_its_labels_are_not(self):
        few = self.iris[::10]
        self.send(few)
        alone = self.output("model")
        self.send(few, self.iris)
        learner, model = self.output("learner"), self.output("model")
        self.assertIs(learner.unlabelled, self.iris)
        self.assert_same_predictions(
            model, RNBPlusLearner(unlabelled=self.iris), few)
        self.assertNotEqual(
            [var.values for var in alone.domain.attributes],
            [var.values for var in model.domain.attributes])
        blind = without_labels(self.iris, slice(None))
        self.send(few, blind)
        np.testing.assert_array_equal(
            self.output("model")(self.iris, 1), model(self.iris, 1))

    def test_removing_the_pool_makes_a_new_learner(self):
        self.send(self.iris[::2], self.iris)
        self.send_signal(self.widget.Inputs.unlabelled, None)
        self.assertIsNone(self.output("learner").unlabelled)
        self.assertEqual(self.output("model").name, "RNB+")
        self.assertFalse(self.widget.Information.known_rows.is_shown())

    def test_rows_without_class_are_unlabelled(self):
        data = without_labels(self.iris, slice(None, None, 2))
        self.send(data)
        self.assert_same_predictions(self.output("model"), RNBPlusLearner(), data)

    def test_preprocessor_does_not_replace_discretization(self):
        preprocessor = Scale()
        self.send(self.iris, preprocessor=preprocessor)
        self.assertFalse(self.widget.Error.active)
        self.assertFalse(self.widget.Information.active)
        learner = self.output("learner")
        self.assertEqual(learner.preprocessors, (preprocessor,))
        self.assert_same_predictions(
            self.output("model"), RNBPlusLearner(preprocessors=Scale()), self.iris)
        self.send_signal(self.widget.Inputs.preprocessor, None)
        self.assertEqual(self.output("learner").preprocessors, ())

    def test_preprocessor_and_pool(self):
        self.send(self.iris[::2], self.iris, Normalize())
        self.assertFalse(self.widget.Error.active)
        self.assertFalse(self.widget.Warning.active)
        self.assertIsNotNone(self.output("model"))

    def test_data_is_not_changed(self):
        data, pool = self.iris[::2].copy(), self.iris.copy()
        X, Y = data.X.copy(), data.Y.copy()
        self.send(data, pool)
        np.testing.assert_array_equal(data.X, X)
        np.testing.assert_array_equal(data.Y, Y)
        self.assertIs(self.output("model").instances, data)

    def test_categorical_and_sparse_data(self):
        self.send(Table("titanic"))
        self.assertIsNotNone(self.output("model"))
        self.send(self.iris.to_sparse())
        self.assertFalse(self.widget.Error.active)
        self.assertEqual(len(self.output("weights")), 4)


class TestMessages(RNBPlusTest, base.WidgetTest):
    def assert_error(self, data, text):
        self.send(self.iris)
        self.assertIsNotNone(self.output("model"))
        self.send(data)
        self.assertIn(text, str(self.widget.Error.data_error))
        self.assertTrue(str(self.widget.Error.data_error).endswith("."))
        self.assertEqual(self.widget.view.message.text(),
                         str(self.widget.Error.data_error))
        self.assertIsNone(self.output("model"))
        self.assertIsNone(self.output("weights"))
        self.assertIsNotNone(self.output("learner"))
        self.send(self.iris)
        self.assertFalse(self.widget.Error.active)
        self.assertTrue(self.widget.view.shows_weights)

    def test_data_errors(self):
        domain = self.iris.domain
        one_class = self.iris[:60].copy()
        with one_class.unlocked(one_class.Y):
            one_class.Y[50:] = np.nan
        two_targets = Domain(
            domain.attributes[:2],
            [domain.class_var, DiscreteVariable("other", ("a", "b"))])
        numeric = Domain(domain.attributes[:3], domain.attributes[3])
        for data, text in (
                (self.iris.transform(Domain(domain.attributes)), "no target"),
                (self.iris.transform(two_targets), "multiple target"),
                (self.iris.transform(numeric), "is numeric"),
                (self.iris[:0], "has no rows"),
                (without_labels(self.iris, slice(None)), "No row of Data has a class"),
                (one_class, "of one class"),
                (self.iris.transform(Domain([], domain.class_var)), "no features")):
            with self.subTest(text):
                self.assert_error(data, text)

    def test_rows_of_weight_zero_do_not_count(self):
        data = Table.from_numpy(
            self.iris.domain, self.iris.X, self.iris.Y, W=np.arange(150) < 50)
        self.assert_error(data, "of one class")

    def test_pool_messages(self):
        warning, information = self.widget.Warning, self.widget.Information
        domain = self.iris.domain
        self.send(self.iris[::2], self.iris)
        self.assertIn("75 rows of Unlabelled Data are also in Data and are left out",
                      str(information.known_rows))
        self.assertFalse(warning.active)

        fewer = self.iris[1::2].transform(Domain(domain.attributes[:3]))
        self.send(self.iris[::2], fewer)
        self.assertFalse(information.known_rows.is_shown())
        self.assertIn("lacks petal width.", str(warning.missing_columns))

        other = Table.from_numpy(
            Domain([ContinuousVariable("other")]), np.arange(5.)[:, None])
        self.send(self.iris[::2], other)
        self.assertTrue(warning.no_shared_columns.is_shown())
        self.assertFalse(warning.missing_columns.is_shown())

        self.send(self.iris[::2], None)
        self.assertFalse(warning.active)
        self.assertFalse(information.active)

    def test_unused_pool(self):
        self.send(self.iris[::2], self.iris)
        unused = self.widget.Information.unused_pool
        self.assertFalse(unused.is_shown())
        self.choose("discretization_combo", 1)
        self.wait_until_finished()
        self.assertIn("MDLP learns nothing from it", str(unused))
        self.assertFalse(self.widget.Information.known_rows.is_shown())
        self.choose("discretization_combo", 0)
        self.assertFalse(unused.is_shown())

    def test_discretized_data(self):
        self.send(Table("titanic"))
        information = self.widget.Information.no_numeric
        self.assertTrue(information.is_shown())
        self.send(self.iris)
        self.assertFalse(information.is_shown())
        self.send(Table("titanic"))
        self.send(None)
        self.assertFalse(information.is_shown())

    def test_failures(self):
        for failure, message in ((ValueError("It is odd."), "fitting_failed"),
                                 (MemoryError(), "out_of_memory")):
            with self.subTest(message), \
                    patch.object(RNBPlusLearner, "fit_storage", side_effect=failure):
                self.send(self.iris)
                error = getattr(self.widget.Error, message)
                self.assertTrue(error.is_shown())
                self.assertIn(self.widget.view.message.text(), str(error))
                self.assertIsNone(self.output("model"))
        # Not that of the base class, which gives no advice
        self.assertIn("Data Sampler", self.widget.view.message.text())
        self.send(self.iris)
        self.assertFalse(self.widget.Error.active)
        self.assertIsNotNone(self.output("model"))

    def test_messages_are_sentences(self):
        messages = [
            message
            for group in (OWRNBPlus.Error, OWRNBPlus.Warning, Warnings,
                          OWRNBPlus.Information)
            for message in vars(group).values() if isinstance(message, Msg)]
        self.assertEqual(len(messages), 10)
        for message in messages:
            self.assertRegex(message, r"^[A-Z{].*[^.]\.$")


class TestWeights(RNBPlusTest, base.WidgetTest):
    def test_table_has_what_the_model_has(self):
        self.send(self.iris)
        classes = list(self.iris.domain.class_var.values)
        for index, columns, metas in (
                (RNB, [*classes, "w"], ["Attribute", "alpha"]),
                (CAWNB, classes, ["Attribute"]),
                (WANBIA, ["w"], ["Attribute"]),
                (EAGER, ["w"], ["Attribute"]),
                (LAZY, ["w"], ["Attribute"])):
            with self.subTest(WEIGHTINGS[index].label):
                self.choose("weighting_combo", index)
                model, table = self.output("model"), self.output("weights")
                names = [var.name for var in table.domain.attributes]
                self.assertEqual(names, columns)
                self.assertEqual([var.name for var in table.domain.metas], metas)
                self.assertEqual([str(name) for name in table.metas[:, 0]],
                                 [var.name for var in model.domain.attributes])
                self.assertTrue(((table.X >= 0) & (table.X <= 1)).all())
                if model.weights is not None:
                    np.testing.assert_array_equal(table.X[:, -1], model.weights)
        self.choose("weighting_combo", NB)
        self.assertIsNotNone(self.output("model"))
        self.assertIsNone(self.output("weights"))
        self.assertFalse(self.widget.view.shows_weights)
        self.assertIn("without weights", self.widget.view.message.text())

    def test_view_shows_the_model(self):
        self.send(self.iris)
        view, model = self.widget.view, self.output("model")
        header, *rows = view.table.as_lists()
        self.assertEqual(header, [
            "Attribute", "Importance", *self.iris.domain.class_var.values,
            "All classes"])
        by_name = {row[0]: row[1:] for row in rows}
        for index, var in enumerate(model.domain.attributes):
            expected = [model.importances[index], *model.class_weights[:, index],
                        model.weights[index]]
            self.assertEqual(by_name[var.name], [f"{w:.3f}" for w in expected])
        # The most important is the first
        order = np.argsort(-model.importances)
        self.assertEqual([row[0] for row in rows],
                         [model.domain.attributes[i].name for i in order])
        self.assertIn(f"α = {model.alpha:.3f}", view.mixture.text())
        curve = view.loss_curve
        np.testing.assert_array_equal(curve.losses, model.loss_history)
        self.assertIn(f"{model.n_iter} iterations", curve.toolTip())

    def test_view_tells_whether_it_converged(self):
        self.widget.max_iter_spin.setValue(2)
        self.send(self.iris)
        self.assertIn("Ended after 2 iterations, before it converged",
                      self.widget.view.search.text())
        self.send(Table("titanic"))
        self.widget.max_iter_spin.setValue(1000)
        self.wait_until_finished()
        self.assertTrue(self.output("model").converged)
        self.assertIn("Converged after", self.widget.view.search.text())

    def test_parts_that_a_model_lacks_are_hidden(self):
        view = self.widget.view
        self.send(self.iris)
        for index, mixture, search in (
                (RNB, True, True), (CAWNB, False, True), (EAGER, False, False)):
            self.choose("weighting_combo", index)
            self.wait_until_finished()
            self.assertEqual(view.mixture.isVisibleTo(view), mixture)
            self.assertEqual(view.search.isVisibleTo(view), search)
            self.assertEqual(view.loss_curve.isVisibleTo(view), search)

    def test_attributes_without_effect(self):
        noise = np.random.RandomState(0).normal(size=(150, 1))
        domain = Domain([*self.iris.domain.attributes, ContinuousVariable("noise")],
                        self.iris.domain.class_var)
        data = Table.from_numpy(
            domain, np.hstack((self.iris.X, noise)), self.iris.Y)
        self.choose("discretization_combo", 1)
        self.send(data)
        weights = self.output("weights")
        self.assertTrue(np.isnan(weights.X[-1]).all())
        row = self.widget.view.table.as_lists()[-1]
        self.assertEqual(row, ["noise", "0.000", *"––––"])

    def test_nothing_but_noise(self):
        noise = np.random.RandomState(0).normal(size=(150, 2))
        domain = Domain(self.iris.domain.attributes[:2], self.iris.domain.class_var)
        data = Table.from_numpy(domain, noise, self.iris.Y)
        self.choose("discretization_combo", 1)
        self.send(data)
        self.assertFalse(self.widget.Error.active)
        self.assertIsNotNone(self.output("model"))
        self.send(data, preprocessor=Discretize(EntropyMDL()))  # drops all of them
        self.assertFalse(self.widget.Error.active)
        self.assertEqual(self.output("model").domain.attributes, ())
        self.assertEqual(len(self.output("weights")), 0)
        self.assertIn("No attribute is left", self.widget.view.message.text())

    def test_view_tells_that_the_start_is_the_end(self):
        self.send(Table("brown-selected")[::4])
        self.assertEqual(self.output("model").n_iter, 0)
        self.assertIn("No weights are better", self.widget.view.search.text())
        self.assertFalse(self.widget.view.loss_curve.isVisibleTo(self.widget.view))

    def test_sorting(self):
        self.send(self.iris)
        table = self.widget.view.table
        table.sortByColumn(1, Qt.AscendingOrder)
        weights = [float(row[2]) for row in table.as_lists()[1:]]
        self.assertEqual(weights, sorted(weights))
        table.sortByColumn(1, Qt.DescendingOrder)
        weights = [float(row[2]) for row in table.as_lists()[1:]]
        self.assertEqual(weights, sorted(weights, reverse=True))

    def test_the_window_fits_the_screen(self):
        screen = QApplication.primaryScreen()
        for width, height in ((800, 600), (1280, 720), (1920, 1080)):
            with patch.object(QApplication, "primaryScreen", return_value=screen), \
                    patch.object(type(screen), "availableSize",
                                 lambda _, w=width, h=height: QSize(w, h)):
                hint = self.widget.sizeHint()
                self.assertLessEqual(hint.width(), .9 * width + 1)
                self.assertLessEqual(hint.height(), .9 * height + 1)
                self.assertGreaterEqual(hint.width(), 700)
        self.assertLessEqual(self.widget.minimumSizeHint().height(), 540)

    def test_nothing_is_scrolled_sideways_in_a_small_window(self):
        font = self.widget.font()
        font.setPixelSize(12)
        self.widget.setFont(font)
        self.widget.show()
        table = self.widget.view.table
        for name in ("iris", "heart_disease"):
            with self.subTest(name):
                self.send(Table(name)[::5])
                self.widget.resize(800, 600)
                QTest.qWait(0)
                self.assertEqual(self.widget.width(), 800)
                self.assertEqual(table.horizontalScrollBar().maximum(), 0)
                area = self.widget.controlArea
                self.assertLessEqual(area.minimumSizeHint().width(), area.width())
                # Of names, what distinguishes them is left
                titles = [table.model().headerData(column, Qt.Horizontal)
                          for column in range(table.weights.n_columns)]
                self.assertEqual(titles[0], "Importance")
                self.assertFalse(any(title.startswith("Iris") for title in titles))
        self.assertIn("All classes", table.as_lists()[0])

    def test_view_can_be_painted(self):
        self.send(self.iris)
        self.widget.view.resize(500, 400)
        self.assertFalse(self.widget.view.grab().isNull())
        table = self.widget.view.table
        for role in (Qt.DisplayRole, Qt.ToolTipRole):
            self.assertTrue(table.model().headerData(0, Qt.Vertical, role))
            self.assertTrue(table.model().headerData(0, Qt.Horizontal, role))
            self.assertTrue(table.model().index(0, 0).data(role))

    def test_report(self):
        self.widget.send_report()
        self.send(self.iris[::2], self.iris)
        self.widget.send_report()
        html = self.widget.report_html
        for text in ("RNB+ with pool", "chosen by leave-one-out", "Unlabelled data",
                     "All classes", "petal width", "α = "):
            self.assertIn(text, html)


class SlowLearner(NaiveBayesLearner):
    """Fits until it is told to stop, by what its callback raises."""

    unlabelled = None
    started = threading.Event()
    ended = threading.Event()

    def __call__(self, data, progress_callback=None):
        self.started.set()
        try:
            while True:
                progress_callback(.3)
                threading.Event().wait(.005)
        except Cancelled:
            self.ended.set()
            raise


class TestThread(RNBPlusTest, base.WidgetTest):
    def start_slow(self):
        SlowLearner.started.clear()
        SlowLearner.ended.clear()
        with patch.object(OWRNBPlus, "create_learner", lambda _: SlowLearner()):
            self.widget.unconditional_apply()
            self.send_signal(self.widget.Inputs.data, self.iris)
        self.assertTrue(SlowLearner.started.wait(PATIENCE))
        self.assertIsNotNone(self.widget.task)

    def assert_stopped(self):
        self.assertTrue(SlowLearner.ended.wait(PATIENCE))

    def test_new_data_cancels(self):
        self.start_slow()
        self.process_events(lambda: self.widget.progressBarValue > 0)
        self.assertEqual(self.widget.view.button.text(), "Stop")
        self.widget.learner = None
        self.send(self.iris[::2])
        self.assert_stopped()
        self.assertIs(self.output("model").instances, self.widget.data)

    def test_removing_data_cancels(self):
        self.start_slow()
        self.send(None)
        self.assert_stopped()
        self.assertIsNone(self.widget.task)
        self.assertIsNone(self.output("model"))

    def test_changed_settings_cancel(self):
        self.start_slow()
        self.choose("weighting_combo", WANBIA)
        self.assert_stopped()
        self.assertEqual(self.output("model").name, "WANBIA+")

    def test_other_inputs_cancel(self):
        for name, value in (("unlabelled", self.iris), ("preprocessor", Scale())):
            with self.subTest(name):
                self.start_slow()
                self.send_signal(getattr(self.widget.Inputs, name), value)
                self.assert_stopped()
                self.assertIsNotNone(self.output("model"))

    def test_stop_and_fit_again(self):
        self.start_slow()
        self.widget.view.button.click()
        self.assert_stopped()
        self.assertIsNone(self.widget.task)
        self.assertTrue(self.widget.Warning.stopped.is_shown())
        self.assertFalse(self.widget.isInvalidated())
        self.assertIsNone(self.output("model"))
        self.widget.view.button.click()
        self.wait_until_finished()
        self.assertFalse(self.widget.Warning.stopped.is_shown())
        self.assertIsInstance(self.output("model"), WeightedNaiveBayesModel)

    def test_deleting_the_widget_ends_the_thread(self):
        widget = self.widget
        self.start_slow()
        widget.onDeleteWidget()
        self.assertTrue(SlowLearner.ended.is_set())

    def test_cancelled_by_the_optimizer(self):
        # The callback of a fit is called by each iteration, so it ends soon
        shares = []

        class State:
            def set_progress_value(self, value):
                shares.append(value)

            def set_status(self, _):
                pass

            def is_interruption_requested(self):
                return len(shares) > 20

        with self.assertRaises(Cancelled):
            fit(RNBPlusLearner(max_iter=500), self.iris, State())
        self.assertEqual(len(shares), 21)
        self.assertEqual(shares, sorted(shares))

    def test_renaming_while_fitting(self):
        self.send_signal(self.widget.Inputs.data, self.iris)
        self.rename("Mine")
        self.assertEqual(self.output("learner").name, "Mine")
        self.assertEqual(self.output("model").name, "Mine")


class TestSettings(RNBPlusTest, base.WidgetTest):
    def test_settings_survive(self):
        self.choose("discretization_combo", 3)
        self.choose("weighting_combo", WANBIA)
        self.choose("objective_combo", 1)
        self.widget.max_iter_spin.setValue(30)
        self.rename("Mine")
        settings = pickle.loads(pickle.dumps(
            self.widget.settingsHandler.pack_data(self.widget)))
        expected = repr(self.output("learner"))
        self.widget = self.create_widget(OWRNBPlus, stored_settings=settings)
        self.assertEqual(repr(self.output("learner")), expected)
        self.assertEqual(self.output("learner").name, "Mine")
        self.assertFalse(self.widget.n0_spin.isVisibleTo(self.widget))

    def test_settings_hold_nothing_but_plain_values(self):
        settings = self.widget.settingsHandler.pack_data(self.widget)
        for name in ("discretization", "choose_k", "fixed_k", "weighting",
                     "objective", "max_iter"):
            self.assertIn(type(settings[name]), (int, str))
        self.assertEqual(settings["__version__"], 3)

    def test_unknown_settings_become_defaults(self):
        for version in (None, 1):
            settings = {"discretization": "Fancy", "weighting": 17, "objective": None,
                        "choose_k": -1, "n0": 77}
            if version is not None:
                settings["__version__"] = version
            self.widget = self.create_widget(OWRNBPlus, stored_settings=settings)
            self.send(self.iris)
            self.assertEqual(repr(self.output("learner")), "RNBPlusLearner(n0=77)")
            self.assertIsNotNone(self.output("model"))

    def test_known_settings_are_kept(self):
        self.widget = self.create_widget(OWRNBPlus, stored_settings={
            "discretization": "CAIM", "weighting": LAZY, "__version__": 1})
        self.assertEqual(self.output("learner").name, "AIWNB (lazy) with CAIM")
