"""Tests that hold for every window of a model."""

import pickle
import threading
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QAction,
    QComboBox,
    QLineEdit,
    QScrollBar,
)
from Orange.classification import NaiveBayesLearner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess import Normalize, Scale
from Orange.widgets.tests.utils import excepthook_catch, simulate

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.widgets.common.tasks import Cancelled
from tests.waiting import TIMEOUT
from tests.widgets.bases import screen, without_labels

CONTROLS = (QComboBox, QAbstractSpinBox, QAbstractSlider, QLineEdit, QAbstractButton)
GARBAGE = (None, -1, 10 ** 9, .5, float("nan"), True, "garbage", (), (1, 2, 3),
           ("a", "b"), (0, 0), ["x"], {"a": 1}, {"SADD": 3}, {"SADD": {"n0": "x"}},
           {"k": [], "labeller": 7}, {5: 5}, b"x", object)


def visible_controls(widget):
    """Return what a user can set on the left side, Apply included."""
    return [part for part in widget.left_side.findChildren(CONTROLS)
            if part.isVisibleTo(widget) and not isinstance(part, QScrollBar)
            and not isinstance(part.parent(), QAbstractSpinBox | QComboBox | QLineEdit)
            and part is not widget.apply_button.button]


class WindowTest:
    """Helpers of tests of windows; `cls` is the widget."""

    cls: type

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.iris = Table("iris")

    def setUp(self):
        self.widget = self.create_widget(self.cls)

    def send(self, data=None, unlabelled=None, preprocessor=None):
        inputs = self.widget.Inputs
        self.send_signals([(inputs.data, data), (inputs.unlabelled, unlabelled),
                           (inputs.preprocessor, preprocessor)])
        self.wait_until_finished()

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name))

    def choose_method(self, method):
        simulate.combobox_activate_index(
            self.widget.method_combo, list(DISCRETIZERS).index(method))
        self.wait_until_finished()

    def rename(self, name):
        edit = self.widget.name_line_edit
        edit.setText(name)
        edit.textEdited.emit(name)
        edit.returnPressed.emit()


class SlowLearner(NaiveBayesLearner):
    """Fits until its callback raises an exception."""

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


class ModelWindowTest(WindowTest):
    """
    Tests of a window; `learner` is the class of its default learner.

    `most_controls` is how many there may be at a first opening, `has_k` is whether its
    default labeller has neighbours.
    """

    learner: type
    most_controls: int
    has_k = True

    # Layout

    def test_title_stays_on_the_screen(self):
        self.widget.move(30, -40)
        self.widget.show()
        self.process_events(lambda: self.widget.frameGeometry().top() >= 0)

    def test_unlabelled_rows_wait_for_data(self):
        self.send(None, self.iris)
        fold, message = self.widget.labels_fold, self.widget.view.message
        self.assertEqual(fold.button.text(), "Pseudo-labels: 150 rows wait for Data")
        self.assertFalse(fold.is_open)
        self.assertIn("150 unlabelled rows wait for Data", message.text())
        self.send(None)
        self.assertNotIn("wait", fold.button.text() + message.text())
        self.send(self.iris[::3], self.iris)
        self.assertEqual(fold.button.text(), "Pseudo-labels: 100 rows used")

    def test_window_opens_at_a_size_that_fits_the_screen(self):
        self.send(self.iris)
        for width, height in ((800, 600), (1366, 768), (1920, 1080)):
            with screen(width, height):
                hint = self.widget.sizeHint()
                self.assertTrue(700 <= hint.width() < width)
                self.assertLess(hint.height(), height)  # a title fits above
        self.assertLessEqual(self.widget.minimumSizeHint().height(), 540)
        with screen(1200, 1000):
            self.widget.show()
            self.assertEqual(self.widget.size(), self.widget.best_size)

    def test_controls_are_few_when_data_is_fully_labelled(self):
        self.send(self.iris)
        controls = visible_controls(self.widget)
        self.assertLessEqual(len(controls), self.most_controls)

    def test_controls_have_accessible_names(self):
        self.send(self.iris[::3], self.iris)
        self.widget.discretization_fold.button.click()
        view = self.widget.view
        parts = [part for part in visible_controls(self.widget)
                 if not isinstance(part, QAbstractButton)
                 and part is not self.widget.name_line_edit]
        self.assertGreater(len(parts), 4)
        for part in (*parts, view.table, view.attributes.filter, view.pane.table):
            self.assertTrue(part.accessibleName(), part)

    # Pseudo-labels

    def test_pseudo_labels_open_with_unlabelled_rows_and_are_disabled_without(self):
        fold = self.widget.labels_fold
        self.assertTrue(fold.body.isEnabledTo(self.widget))
        self.send(self.iris)
        self.assertFalse(fold.is_open)
        self.assertFalse(fold.body.isEnabledTo(self.widget))
        self.assertEqual(fold.button.text(), "Pseudo-labels: not used")
        self.assertIn("no unlabelled rows", fold.button.toolTip())
        for data, pool in ((without_labels(self.iris, slice(0, 100, 2)), None),
                           (self.iris[::3], self.iris)):
            self.send(data, pool)
            self.assertTrue(fold.labeller_combo.isVisibleTo(self.widget))
            self.assertEqual(fold.k_combo.isVisibleTo(self.widget), self.has_k)
            self.assertTrue(fold.body.isEnabledTo(self.widget))

    # Learner and name

    def test_default_learner(self):
        self.assertEqual(repr(self.output("learner")), f"{self.learner.__name__}()")

    def test_name_follows_settings_unless_a_user_set_it(self):
        self.send(self.iris)
        self.rename("Mine")
        self.choose_method("MDLP")
        self.assertEqual(self.output("learner").name, "Mine")
        self.assertEqual(self.output("model").name, "Mine")
        self.rename("")
        self.widget.setCaption("Some node")
        self.assertIn("MDLP", self.output("learner").name)

    def test_apply_sends_settings_and_name(self):
        self.widget.controls.auto_apply.click()
        before = self.output("learner")
        self.choose_method("CAIM")
        self.rename("Mine")
        self.assertTrue(self.widget.Warning.outdated_learner.is_shown())
        self.assertIs(self.output("learner"), before)
        self.widget.apply_button.button.click()
        learner = self.output("learner")
        self.assertIn("CAIM", repr(learner))
        self.assertEqual(learner.name, "Mine")
        self.assertFalse(self.widget.Warning.outdated_learner.is_shown())

    def sliders(self):
        return [self.widget.main_parameters.controls["SADD", "n0"].slider]

    def test_no_model_is_fitted_while_a_slider_is_dragged(self):
        self.send(self.iris)
        for slider in self.sliders():
            model = self.output("model")
            slider.setSliderDown(True)
            slider.setValue(slider.minimum())
            self.assertIs(self.output("model"), model)
            slider.setSliderDown(False)
            self.wait_until_finished()
            self.assertIsNot(self.output("model"), model)

    # Inputs

    def test_pool_is_used_and_its_labels_are_not(self):
        few = self.iris[::10]
        self.send(few)
        alone = self.output("model")
        self.send(few, self.iris)
        learner, model = self.output("learner"), self.output("model")
        self.assertIs(learner.unlabelled, self.iris)
        self.assertFalse(np.array_equal(alone(self.iris, 1), model(self.iris, 1)))
        self.send(few, without_labels(self.iris, slice(None)))
        np.testing.assert_array_equal(
            self.output("model")(self.iris, 1), model(self.iris, 1))
        self.send(few)
        self.assertIsNone(self.output("learner").unlabelled)
        self.assertFalse(self.widget.Information.known_rows.is_shown())

    def test_preprocessor_does_not_replace_discretization(self):
        for pool, preprocessor in ((None, Scale()), (self.iris[1::2], Normalize())):
            self.send(self.iris[::2], pool, preprocessor)
            for group in (self.widget.Error, self.widget.Warning,
                          self.widget.Information):
                self.assertFalse(group.active)
            self.assertIsNotNone(self.output("model"))

    def test_categorical_and_sparse_data(self):
        self.send(Table("titanic"))
        self.assertIsNotNone(self.output("model"))
        self.assertTrue(self.widget.Information.no_numeric.is_shown())
        self.send(self.iris.to_sparse())
        self.assertFalse(self.widget.Error.active)
        self.assertFalse(self.widget.Information.no_numeric.is_shown())
        self.assertTrue(self.widget.view.shows_model)

    # Messages

    def test_data_errors(self):
        domain = self.iris.domain
        one_class = without_labels(self.iris[:60], slice(50, None))
        two_targets = Domain(
            domain.attributes[:2],
            [domain.class_var, DiscreteVariable("other", ("a", "b"))])
        weightless = Table.from_numpy(
            domain, self.iris.X, self.iris.Y, W=np.arange(150) < 50)
        for data, text in (
                (self.iris.transform(Domain(domain.attributes)), "no target"),
                (self.iris.transform(two_targets), "multiple target"),
                (self.iris.transform(Domain(domain.attributes[:3],
                                            domain.attributes[3])), "is numeric"),
                (self.iris[:0], "has no rows"),
                (without_labels(self.iris, slice(None)), "No row of Data has a class"),
                (one_class, "of one class"), (weightless, "of one class"),
                (self.iris.transform(Domain([], domain.class_var)), "no features")):
            with self.subTest(text):
                self.send(self.iris)
                self.assertFalse(self.widget.Error.active)
                self.assertTrue(self.widget.view.shows_model)
                self.send(data)
                self.assertIn(text, str(self.widget.Error.data_error))
                self.assertTrue(str(self.widget.Error.data_error).endswith("."))
                self.assertIsNone(self.output("model"))
                self.assertIsNotNone(self.output("learner"))
                self.assertEqual(self.widget.view.message.text(),
                                 str(self.widget.Error.data_error))

    def test_pool_messages(self):
        warning, information = self.widget.Warning, self.widget.Information
        self.send(self.iris[::2], self.iris)
        self.assertIn("75 rows of Unlabelled Data are also in Data and are left out.",
                      str(information.known_rows))
        self.assertFalse(warning.active)
        fewer = self.iris[1::2].transform(Domain(self.iris.domain.attributes[:3]))
        self.send(self.iris[::2], fewer)
        self.assertFalse(information.known_rows.is_shown())
        self.assertIn("lacks petal width.", str(warning.missing_columns))
        other = Table.from_numpy(
            Domain([ContinuousVariable("other")]), np.arange(5.)[:, None])
        self.send(self.iris[::2], other)
        self.assertTrue(warning.no_shared_columns.is_shown())
        self.assertFalse(warning.missing_columns.is_shown())
        for pool in (None, self.iris[:0]):
            self.send(self.iris[::2], pool)
            self.assertFalse(warning.active or information.active)
            self.assertNotIn("unlabelled", self.output("learner").name)

    def test_failures_are_errors(self):
        for failure, message in ((ValueError("It is odd."), "fitting_failed"),
                                 (MemoryError(), "no_memory")):
            with self.subTest(message), \
                    patch.object(self.learner, "fit_storage", side_effect=failure):
                self.send(self.iris)
                error = getattr(self.widget.Error, message)
                self.assertTrue(error.is_shown())
                self.assertIn(self.widget.view.message.text(), str(error))
                self.assertIsNone(self.output("model"))
        self.assertIn("Data Sampler", self.widget.view.message.text())
        self.send(self.iris)
        self.assertFalse(self.widget.Error.active)
        self.assertIsNotNone(self.output("model"))

    # Table and pane

    def test_sorting_and_selection_are_saved(self):
        self.send(self.iris)
        for column in (0, -1):
            table = self.widget.view.table
            table.sortByColumn(column, Qt.AscendingOrder)
            table.select("sepal width")
            rows = table.as_lists()
            settings = self.widget.settingsHandler.pack_data(self.widget)
            self.widget = self.create_widget(self.cls, stored_settings=settings)
            self.send(self.iris)
            self.assertEqual(self.widget.view.table.as_lists(), rows)
            self.assertEqual(self.widget.view.table.sorting, (column, False))
            self.assertIn("sepal width", self.widget.view.pane.title.text())
        self.send(Table("titanic"))  # without the attribute: the first is selected
        self.assertIn(self.widget.view.table.as_lists()[1][0],
                      self.widget.view.pane.title.text())

    # Threads

    def start_slow(self):
        SlowLearner.started.clear()
        SlowLearner.ended.clear()
        with patch.object(self.cls, "create_learner", lambda _: SlowLearner()):
            self.widget.unconditional_apply()
            self.send_signal(self.widget.Inputs.data, self.iris)
        self.assertTrue(SlowLearner.started.wait(TIMEOUT))
        self.assertIsNotNone(self.widget.task)

    def test_settings_and_inputs_cancel(self):
        self.start_slow()
        self.process_events(lambda: self.widget.progressBarValue > 0)
        self.assertEqual(self.widget.view.button.text(), "Stop")
        self.choose_method("MDLP")
        self.assertTrue(SlowLearner.ended.wait(TIMEOUT))
        self.assertIsNotNone(self.output("model"))
        for name, value in (("unlabelled", self.iris), ("preprocessor", Scale()),
                            ("labeller", NaiveBayesLearner()),
                            ("data", self.iris[::2]), ("data", None)):
            with self.subTest(name):
                self.start_slow()
                self.widget.learner = None
                self.send_signal(getattr(self.widget.Inputs, name), value)
                self.assertTrue(SlowLearner.ended.wait(TIMEOUT))
                model = self.output("model")
                self.assertIs(model and model.instances, self.widget.data)

    def test_stop_and_fit_again(self):
        self.start_slow()
        self.widget.view.button.click()
        self.assertTrue(SlowLearner.ended.wait(TIMEOUT))
        self.assertIsNone(self.widget.task)
        self.assertTrue(self.widget.Warning.stopped.is_shown())
        self.assertFalse(self.widget.isInvalidated())
        self.assertIsNone(self.output("model"))
        self.widget.view.button.click()
        self.wait_until_finished()
        self.assertFalse(self.widget.Warning.stopped.is_shown())
        self.assertTrue(self.widget.view.shows_model)

    def test_deleting_the_widget_ends_the_thread(self):
        widget = self.widget
        self.start_slow()
        widget.onDeleteWidget()
        self.assertTrue(SlowLearner.ended.is_set())

    # Settings

    def test_settings_survive(self):
        self.choose_method("ChiMerge")
        self.widget.limits_fold.spins["max_intervals"].setValue(4)
        self.widget.labels_fold.confidence_spin.setValue(70)
        self.widget.labels_fold.button.click()
        self.rename("Mine")
        settings = pickle.loads(pickle.dumps(
            self.widget.settingsHandler.pack_data(self.widget)))
        expected = repr(self.output("learner"))
        self.widget = self.create_widget(self.cls, stored_settings=settings)
        self.assertEqual(repr(self.output("learner")), expected)
        self.assertEqual(self.output("learner").name, "Mine")
        self.assertTrue(self.widget.labels_fold.is_open)
        self.assertTrue(self.widget.discretization_fold.is_open)
        self.choose_method("SADD")
        self.assertEqual(self.output("learner").min_confidence, .7)

    def test_garbage_in_any_setting_gives_its_default(self):
        settings = {**self.widget.settingsHandler.pack_data(self.widget)}
        default = repr(self.output("learner"))
        self.assertGreater(len(settings), 10)
        for garbage in GARBAGE:
            with self.subTest(garbage=garbage), excepthook_catch(raise_on_exit=True):
                self.widget = self.create_widget(
                    self.cls, stored_settings={
                        **dict.fromkeys(settings, garbage), "learner_name": ""})
                self.widget.show()
                self.assertEqual(repr(self.output("learner")), default)
                self.assertTrue(self.widget.name_line_edit.placeholderText())
        self.widget = self.create_widget(
            self.cls, stored_settings={**settings, "learner_name": 7})
        self.assertEqual(self.widget.learner_name, "")
        self.send(self.iris)
        self.assertIsNotNone(self.output("model"))

    def test_defaults_can_be_restored(self):
        default = repr(self.output("learner"))
        labeller = self.widget.labels_fold.labeller_combo
        simulate.combobox_activate_index(labeller, 1 - labeller.currentIndex())
        self.choose_method("EW")
        self.widget.main_parameters.controls["EW", "n_bins"].spin.setValue(3)
        self.widget.limits_fold.missing_check.click()
        self.widget.labels_fold.confidence_spin.setValue(70)
        self.widget.findChild(QAction, "action-reset-settings").trigger()
        self.assertEqual(repr(self.output("learner")), default)
        self.choose_method("EW")
        self.choose_method("SADD")
        self.assertEqual(repr(self.output("learner")), default)
