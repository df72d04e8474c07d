"""Pseudo-labels: the same fold, input and messages in all windows.

Test methods with long descriptive names omit docstrings.
"""

import time
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QSize
from Orange.classification import NaiveBayesLearner
from Orange.data import ContinuousVariable, Domain, Table
from Orange.regression import LinearRegressionLearner
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate

from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore, PseudoLabels
from orangecontrib.sadd.explain.descriptions import describe_score
from orangecontrib.sadd.scripting.labelling import score_labellers
from orangecontrib.sadd.scripting.tables import rows_of
from orangecontrib.sadd.widgets.common.folds import LABELLERS, Fold, PseudoLabelsFold
from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables
from tests.widgets.bases import WidgetTest, screen, without_score


class Window:
    """As much of a window as a fold needs."""

    def __init__(self, **folds):
        self.folds = folds


class TestFold(base.GuiTest):
    def test_a_long_title_does_not_widen_the_window(self):
        fold = Fold(Window(), "key", "Title")
        before = fold.minimumSizeHint().width()
        fold.set_summary("a long summary " * 20)
        self.assertEqual(fold.minimumSizeHint().width(), before)
        self.assertIn("a long summary", fold.button.toolTip())


class TestPseudoLabelsFold(base.GuiTest):
    def test_stored_values_come_back(self):
        for stored in ({"k": "auto"}, {"k": "validation"}, {"k": 7},
                       {"labeller": "committee", "min_confidence": .6},
                       {"standardize": False}):
            fold = PseudoLabelsFold(Window(), stored)
            self.assertLessEqual(stored.items(), fold.value.items())
            self.assertEqual(PseudoLabelsFold(Window(), fold.value).value, fold.value)
            fold.value = {}
            self.assertEqual(fold.value, PseudoLabelsFold(Window(), {}).value)

    def test_invalid_values_are_left_out(self):
        for garbage in (None, 0, 1000, 2.5, "x", [1], {}):
            settings = {"labelling": {name: garbage for name in (
                "k", "labeller", "min_confidence", "standardize", "more")}}
            OWRNBPlus.migrate_settings(settings, 4)
            self.assertEqual(settings["labelling"],
                             {"min_confidence": 0} if garbage == 0 else {})

    def test_nothing_moves_when_a_value_changes(self):
        fold = PseudoLabelsFold(Window(), {})
        fold.button.click()
        fold.show_labelling(PseudoLabels(
            None, None, 3, score=LabellerScore(22, 30), n_rows=183, n_confident=183))
        self.assertEqual(fold.score_label.text(),
                         "22 of 30 right, ±5\nk = 3, by leave-one-out")
        self.assertEqual(fold.value["k"], "auto")
        self.assertFalse(fold.k_spin.isVisibleTo(fold))
        before = fold.sizeHint()
        fold.confidence_spin.setValue(90)
        fold.show_labelling(PseudoLabels(
            None, None, score=LabellerScore(10, 30), n_rows=183, n_confident=1))
        self.assertEqual(fold.button.text(), "Pseudo-labels: 1 of 183 rows used")
        simulate.combobox_activate_index(fold.k_combo, 2)
        self.assertTrue(fold.k_spin.isVisibleTo(fold))
        simulate.combobox_activate_index(fold.labeller_combo, 1)
        self.assertEqual(fold.sizeHint().height(), before.height())


class LabellingTest:
    """Tests of all windows; `other` is a labeller that is not the default."""

    cls: type
    made: str
    other = "committee"

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

    @property
    def fold(self):
        return self.widget.labels_fold

    def choose_labeller(self, name):
        index = list(LABELLERS).index(name)
        simulate.combobox_activate_index(self.fold.labeller_combo, index)
        self.wait_until_finished()

    def test_window_keeps_its_size_whatever_arrives(self):
        self.widget.show()
        for size in (self.widget.size(), QSize(790, 570)):
            self.widget.resize(size)
            for data in (self.iris, self.iris[:0], None, self.iris[:50]):
                self.send(data=data, unlabelled=self.iris)
                self.process_events()
                self.assertEqual(self.widget.size(), size)
                self.assertTrue(self.widget.mainArea.isVisible())

    def test_many_variables_do_not_block_the_window(self):
        rng, used, show = np.random.RandomState(0), [], self.cls.on_result
        classes = rng.randint(2, size=200)
        data = Table.from_numpy(
            Domain([ContinuousVariable(f"x{index}") for index in range(600)],
                   self.iris.domain.class_var),
            rng.normal(size=(200, 600)) + classes[:, None], classes)

        def show_timed(widget, result):
            start = time.thread_time()
            show(widget, result)
            used.append(time.thread_time() - start)

        with patch.object(self.cls, "on_result", show_timed):
            self.widget.show()
            self.send(data=data)
        self.assertLess(max(used), .1)  # seconds; it takes about .02

    def test_labellers_are_used_and_judged(self):
        self.send(data=self.iris[::3], unlabelled=self.iris)
        for name in ("neighbours", "committee"):
            self.choose_labeller(name)
            self.assertEqual(self.product().labeller, name)
        self.assertFalse(self.fold.k_combo.isEnabled())
        self.assertIn("Committee has no k", self.fold.k_combo.toolTip())
        self.assertEqual(self.fold.button.text(), "Pseudo-labels: 100 rows used")
        self.assertRegex(self.fold.score_label.text(), r"^\d+ of 50 right, ±\d+\n$")

    def test_labellers_have_the_same_figures_in_all_windows(self):
        self.send(data=self.iris[::3], unlabelled=self.iris)
        self.wait_for_scores()
        rows = rows_of(self.iris[::3], self.iris)
        scores = score_labellers(rows, list(LABELLERS))
        combo, titles = self.fold.labeller_combo, ("Neighbours", "Committee")
        self.assertEqual([combo.itemText(index) for index in range(2)], [
            f"{title}: {100 * score.share:.0f} % right"
            for title, score in zip(titles, scores, strict=True)])
        for name, score in zip(LABELLERS, scores, strict=True):
            self.choose_labeller(name)
            self.assertTrue(
                self.fold.score_label.text().startswith(describe_score(score)))
        self.send(unlabelled=None)
        self.assertEqual(combo.itemText(0), "Neighbours")

    def wait_for_scores(self):
        self.process_events(lambda: self.fold.scorer.task is None)

    def test_a_connected_learner_replaces_what_is_chosen(self):
        self.choose_labeller(self.other)
        learner = NaiveBayesLearner()
        learner.name = "My Bayes"
        self.send(data=self.iris[::3], unlabelled=self.iris, labeller=learner)
        self.assertIs(self.product().labeller, learner)
        combo = self.fold.labeller_combo
        self.assertEqual(combo.currentText(), "My Bayes (connected)")
        self.assertFalse(combo.isEnabled())
        self.assertIn("Disconnect", combo.toolTip())
        self.assertFalse(self.fold.standardize_check.isEnabled())
        self.send(labeller=None)
        self.assertEqual(self.product().labeller, self.other)
        self.wait_for_scores()
        self.assertTrue(combo.currentText().startswith(self.other.capitalize()))
        self.assertEqual(combo.count(), 2)

    def test_a_learner_that_fails(self):
        self.send(data=self.iris[::3], unlabelled=self.iris,
                  labeller=LinearRegressionLearner())
        self.assertTrue(self.widget.Error.active)
        self.send(labeller=NaiveBayesLearner())
        self.assertFalse(self.widget.Error.active)
        self.assertIn("of 50 right", self.fold.score_label.text())

    def test_rows_below_a_confidence_are_ignored(self):
        self.send(data=self.iris[::10], unlabelled=self.iris)
        self.choose_labeller("committee")
        button = self.fold.button
        self.assertEqual(button.text(), "Pseudo-labels: 135 rows used")
        self.fold.confidence_spin.setValue(90)
        self.wait_until_finished()
        self.assertEqual(self.product().min_confidence, .9)
        self.assertRegex(button.text(), r"^Pseudo-labels: \d+ of 135 rows used$")

    def test_a_warning_if_labels_are_doubtful(self):
        self.send(data=self.iris[::3], unlabelled=self.iris)
        self.assertFalse(self.widget.Warning.doubtful_labels.is_shown())
        noise = self.iris[::3].copy()
        with noise.unlocked():
            noise.Y = np.random.RandomState(0).randint(3, size=len(noise))
        self.send(data=noise)
        self.assertTrue(self.widget.Warning.doubtful_labels.is_shown())
        self.assertRegex(str(self.widget.Warning.doubtful_labels),
                         r"\d+ of 50 right, ±\d+")
        self.send(data=None)
        self.assertFalse(self.widget.Warning.doubtful_labels.is_shown())


class TestSADDDiscretize(LabellingTest, WidgetTest):
    cls = OWSADDDiscretize
    made = "preprocessor"

    def test_opens_at_its_best_size(self):
        widget = self.create_widget(self.cls)
        for width, height in ((800, 600), (1366, 768), (1920, 1080)):
            with screen(width, height):
                hint = widget.sizeHint()
            self.assertTrue(hint.width() < width and hint.height() < height)
        # Qt opens windows at two thirds of the screen, which is 800 x 800 here
        with screen(1200, 1000):
            widget.show()
            self.assertEqual(widget.size(), QSize(980, 660))
            widget.resize(840, 640)
            widget.hide()
            widget.show()
            self.assertEqual(widget.size(), QSize(840, 640))
            widget.hide()


class TestRNBPlus(LabellingTest, WidgetTest):
    cls = OWRNBPlus
    made = "learner"


class TestSADDTables(LabellingTest, WidgetTest):
    cls = OWSADDTables
    made = "learner"
    other = "neighbours"

    def setUp(self):
        without_score(self)
        super().setUp()
