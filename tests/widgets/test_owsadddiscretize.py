"""SADD Discretize through its signals: outputs, messages, controls, what is recomputed.

Test methods with long descriptive names omit docstrings.
"""

import pickle
import threading
import time
from copy import deepcopy
from dataclasses import replace
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QAction,
    QComboBox,
    QSlider,
)
from Orange.classification import (
    KNNLearner,
    LogisticRegressionLearner,
    RandomForestLearner,
    SVMLearner,
)
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    Table,
    TimeVariable,
)
from Orange.evaluation import CrossValidation
from Orange.preprocess import Discretize
from Orange.preprocess.discretize import EqualWidth
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import excepthook_catch, simulate
from orangecanvas.scheme.readwrite import dumps, loads

from orangecontrib.sadd.core import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.explain import analysis as explain
from orangecontrib.sadd.explain import resampling
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.parameters import Parameters, full_name
from orangecontrib.sadd.explain.resampling import cross_validate
from orangecontrib.sadd.scripting.labelling import label_rows
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize
from orangecontrib.sadd.widgets.common.bartable import BarRole
from orangecontrib.sadd.widgets.common.tasks import Cancelled
from orangecontrib.sadd.widgets.owsadddiscretize import ENCODINGS, OWSADDDiscretize
from orangecontrib.sadd.widgets.sadddiscretize.variablemodel import CutsRole
from tests.waiting import TIMEOUT
from tests.widgets.bases import WidgetTest, without_labels
from tests.widgets.mouse import drag_cut, place


def equal_tables(first, second):
    return (first.domain == second.domain
            and np.array_equal(first.X, second.X, equal_nan=True)
            and np.array_equal(first.Y, second.Y, equal_nan=True)
            and np.array_equal(first.metas.astype(str), second.metas.astype(str)))


class SADDDiscretizeTest:
    """Base class of the tests below."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.iris = Table("iris")
        heart = Table("heart_disease")
        order = np.random.RandomState(0).permutation(len(heart))
        cls.few, cls.pool = heart[order[:30]], heart[order[30:]]

    def setUp(self):
        self.widget = self.create_widget(OWSADDDiscretize)

    def send(self, data, unlabelled=None, widget=None):
        inputs = (widget or self.widget).Inputs
        self.send_signals([(inputs.data, data), (inputs.unlabelled, unlabelled)],
                          widget=widget)
        self.finish(widget)

    def finish(self, widget=None):
        """Wait for the computation."""
        self.wait_until_finished(widget or self.widget)

    def choose_method(self, method):
        simulate.combobox_activate_item(self.widget.method_combo, full_name(method))
        self.finish()

    def compare_with(self, method):
        simulate.combobox_activate_item(self.widget.compared_combo, full_name(method))
        self.finish()

    def reopen(self):
        """Return a widget with the settings of this one."""
        settings = self.widget.settingsHandler.pack_data(self.widget)
        return self.create_widget(OWSADDDiscretize, stored_settings=settings)

    def validate(self):
        """Wait for cross-validation."""
        self.finish()
        self.process_events(lambda: self.widget.view.score.validator.task is None)

    def outputs(self, widget=None):
        widget = widget or self.widget
        return [self.get_output(getattr(widget.Outputs, name), widget=widget)
                for name in ("data", "unlabelled", "pseudo_labelled", "cut_points",
                             "preprocessor")]

    def n0(self):
        return self.widget.main_parameters.controls["SADD", "n0"]

    def points(self, name="petal width"):
        """Return the cuts of a variable of the output."""
        return self.outputs()[0].domain[name].compute_value.points

    def rows(self):
        return self.widget.view.table.model.rows

    def row(self, name="petal width"):
        return next(row for row in self.rows() if row.variable.name == name)

    def select(self, name):
        self.widget.view.table.view.select(name)
        self.finish()

    def edit(self, cuts, name="petal width"):
        self.select(name)
        self.widget.view.cut_plot.cuts_edited.emit(cuts)
        self.finish()

    def treat(self, name, treatment):
        index = [row.variable.name for row in self.rows()].index(name)
        self.widget.view.table.treated.emit(index, treatment)
        self.finish()


class TestOutputs(SADDDiscretizeTest, base.WidgetTest):
    def test_data_equals_the_output_of_the_preprocessor(self):
        half = self.iris[::2]
        self.send(half, self.iris)
        data, unlabelled, _, _, preprocessor = self.outputs()
        expected = SADDDiscretize(self.iris)(half)
        self.assertTrue(equal_tables(data, expected))
        np.testing.assert_array_equal(data.ids, half.ids)
        self.assertTrue(equal_tables(preprocessor(half), expected))
        self.assertIs(preprocessor.unlabelled, self.iris)
        self.assertEqual(unlabelled.domain, data.domain)
        self.assertEqual(len(unlabelled), 150)
        np.testing.assert_array_equal(unlabelled.X[::2], data.X)
        self.assertTrue(np.isnan(unlabelled.Y).all())

    def test_pseudo_labelled_data(self):
        data = without_labels(self.iris, slice(0, 10))
        self.send(data[::2], self.iris[:100])
        *_, pseudo, _, _ = self.outputs()
        self.assertEqual(len(pseudo), 75 + 50)
        self.assertEqual(pseudo.domain.attributes, self.iris.domain.attributes)
        self.assertEqual([var.name for var in pseudo.domain.metas],
                         ["Confidence", "Source"])
        self.assertFalse(np.isnan(pseudo.Y).any())
        source = pseudo.get_column("Source")
        self.assertEqual(pseudo.domain["Source"].values,
                         ("Data, labelled", "Data, unlabelled", "Unlabelled Data"))
        np.testing.assert_array_equal(np.bincount(source.astype(int)), [70, 5, 50])
        labelled = source == 0
        np.testing.assert_array_equal(pseudo.Y[labelled], self.iris.Y[::2][5:])
        np.testing.assert_array_equal(pseudo.get_column("Confidence")[labelled], 1)
        self.assertTrue(np.all(pseudo.get_column("Confidence") > 0))

    def test_cut_points(self):
        self.send(self.iris[::2], self.iris)
        data, _, _, table, _ = self.outputs()
        rows = [row for row in table if row["Variable"] == "petal width"]
        var = data.domain["petal width"]
        self.assertEqual(tuple(str(row["Interval"]) for row in rows), var.values)
        points = var.compute_value.points
        np.testing.assert_array_equal([row["To"] for row in rows[:-1]], points)
        np.testing.assert_array_equal([row["From"] for row in rows[1:]], points)
        self.assertTrue(np.isnan(rows[0]["From"]) and np.isnan(rows[-1]["To"]))
        counts = np.array([[row[value] for value in self.iris.domain.class_var.values]
                           for row in rows], dtype=float)
        np.testing.assert_array_equal(counts.sum(axis=0), [25, 25, 25])
        self.assertEqual(sum(row["Rows"] for row in rows), 150)
        self.assertEqual(sum(row["Unlabelled rows"] for row in rows), 75)
        # A count is a whole number
        self.assertEqual(str(rows[0]["Missing values"]), "0")
        shares = counts / counts.sum()
        bits = (shares * np.log2(np.where(shares, shares, 1) / np.outer(
            shares.sum(axis=1), shares.sum(axis=0)))).sum()
        self.assertAlmostEqual(float(rows[0]["Mutual information"]), bits)

    def test_uncut_variables(self):
        self.send(self.iris.add_column(ContinuousVariable("same"), np.ones(150)))
        self.assertEqual(len(self.rows()[-1].cuts), 0)
        self.select("same")
        self.assertIn("No interval can be cut", self.widget.view.why.text.text())
        self.assertNotIn("same", self.outputs()[0].domain)
        self.assertTrue(self.outputs()[4].remove_const)
        self.widget.controls.remove_const.click()
        self.assertIn("same", self.outputs()[0].domain)
        self.assertFalse(self.outputs()[4].remove_const)
        table = self.outputs()[3]
        self.assertEqual([str(row["Interval"]) for row in table
                          if row["Variable"] == "same"], ["all values"])

    def test_data_and_preprocessor_follow_the_controls(self):
        self.n0().spin.setValue(500)
        fold = self.widget.labels_fold
        fold.standardize_check.click()
        for index, k in enumerate(("auto", "validation", 5)):
            simulate.combobox_activate_index(fold.k_combo, index)
            self.assertEqual(self.outputs()[4].k, k)
        fold.k_spin.setValue(3)
        fold.confidence_spin.setValue(80)
        self.widget.limits_fold.spins["max_intervals"].setValue(4)
        self.widget.limits_fold.missing_check.click()
        expected = SADDDiscretize(
            n0=500, standardize=False, k=3, min_confidence=.8, max_intervals=4,
            missing="interval", treatments=[])
        self.assertEqual(repr(self.outputs()[4]), repr(expected))
        simulate.combobox_activate_item(fold.labeller_combo, "Committee")
        self.send(self.few, self.pool)
        expected = replace(expected, unlabelled=self.pool, labeller="committee")
        self.assertTrue(equal_tables(self.outputs()[0], expected(self.few)))

    def test_preprocessor_holds_all_unlabelled_rows(self):
        data = without_labels(self.iris, slice(None, None, 3))
        self.send(data[:120], data[120:])
        pool = self.outputs()[4].unlabelled
        self.assertEqual(len(pool), 40 + 30)
        self.assertTrue(set(data.ids[:120:3]) <= set(pool.ids))
        self.send(data[:120])
        self.assertEqual(len(self.outputs()[4].unlabelled), 40)

    def test_only_the_preprocessor_is_sent_without_data(self):
        self.assertIsInstance(self.outputs()[4], SADDDiscretize)
        self.assertIsNone(self.outputs()[4].unlabelled)
        self.send(self.iris[::2], self.iris)
        self.assertIsNotNone(self.outputs()[0])
        self.send(None, self.iris)
        *tables, preprocessor = self.outputs()
        self.assertEqual(tables, [None] * 4)
        self.assertIs(preprocessor.unlabelled, self.iris)
        self.assertEqual(self.widget.view.table.model.rowCount(), 0)
        self.assertIn("Connect Data", self.widget.view.message.text())
        self.send(None, None)
        self.assertIsNone(self.outputs()[4].unlabelled)

    def test_labels_of_the_pool_do_not_matter(self):
        self.send(self.iris[::2], self.iris)
        before = self.outputs()[:4]
        shuffled = self.iris.copy()
        with shuffled.unlocked(shuffled.Y):
            np.random.RandomState(0).shuffle(shuffled.Y)
        self.send(self.iris[::2], shuffled)
        for first, second in zip(before, self.outputs()[:4], strict=True):
            self.assertTrue(equal_tables(first, second))

    def test_categorical_attributes_and_metas_stay(self):
        zoo = Table("zoo")
        domain = Domain([zoo.domain["hair"], ContinuousVariable("x")],
                        zoo.domain.class_var, zoo.domain.metas)
        self.send(zoo.transform(domain))
        self.assertEqual(len(self.rows()), 1)
        self.assertIn(zoo.domain["hair"], self.outputs()[0].domain.attributes)
        self.assertEqual(self.outputs()[2].domain.metas[0], zoo.domain.metas[0])


class TestIntervalsAs(SADDDiscretizeTest, WidgetTest):
    def choose(self, intervals_as):
        combo = self.widget.intervals_combo
        simulate.combobox_activate_index(combo, combo.findData(intervals_as))
        self.finish()

    def test_data_and_preprocessor_are_the_same(self):
        self.send(self.few, self.pool)
        for intervals_as in ("categories", "indicators", "evidence"):
            self.choose(intervals_as)
            data, unlabelled, *_, preprocessor = self.outputs()
            expected = SADDDiscretize(
                self.pool, encode=ENCODINGS[intervals_as])(self.few)
            self.assertTrue(equal_tables(data, expected))
            self.assertTrue(equal_tables(data, preprocessor(self.few)))
            self.assertEqual(unlabelled.domain.attributes, data.domain.attributes)
            is_numeric = all(var.is_continuous for var in data.domain.attributes)
            self.assertEqual(is_numeric, intervals_as != "categories")

    def test_learners_that_need_numbers(self):
        heart = Table("heart_disease")
        self.send(None, self.pool)
        for intervals_as in ("indicators", "evidence"):
            self.choose(intervals_as)
            preprocessor = self.outputs()[4]
            learners = [cls(preprocessors=[preprocessor]) for cls in (
                LogisticRegressionLearner, KNNLearner, SVMLearner, RandomForestLearner)]
            results = CrossValidation(k=2)(heart, learners)
            self.assertEqual(results.failed, [False] * 4)
            accuracy = (results.predicted == results.actual).mean(axis=1)
            self.assertTrue((accuracy > .7).all(), accuracy)


class TestMessages(SADDDiscretizeTest, WidgetTest):
    def assert_only(self, *shown):
        groups = (self.widget.Error, self.widget.Warning, self.widget.Information)
        active = {msg for group in groups for msg in group.active}
        self.assertEqual(active, set(shown))

    def assert_unchanged(self, data, message, *texts):
        self.send(data)
        self.assert_only(message)
        for text in texts:
            self.assertIn(text, str(message))
        output, _, *others, preprocessor = self.outputs()
        self.assertIs(output, data)
        self.assertEqual(others, [None, None])
        self.assertIsNotNone(preprocessor)
        self.assertEqual(self.widget.view.message.text(), "".join(message.formatted))
        self.assertIs(self.widget.view.currentWidget(), self.widget.view.message)
        self.send(self.iris)
        self.assert_only()
        self.assertIsNot(self.outputs()[0], data)

    def test_data_without_a_class_is_passed_on(self):
        attributes = self.iris.domain.attributes
        two = [DiscreteVariable("a", "xy"), DiscreteVariable("b", "xy")]
        for domain, problem in (
                (Domain(attributes), "Data has no target."),
                (Domain(attributes[1:], attributes[0]),
                 "The target of Data, sepal length, is numeric."),
                (Domain(attributes, two), "Data has several targets.")):
            self.assert_unchanged(
                self.iris.transform(domain), self.widget.Warning.unchanged, problem,
                "Set the role of a categorical column to target")

    def test_data_without_a_class_is_cut_by_methods_that_need_none(self):
        data = self.iris.transform(Domain(self.iris.domain.attributes))
        self.send(data)
        for method, entry in DISCRETIZERS.items():
            self.choose_method(method)
            if entry.uses_class:
                self.assertIs(self.outputs()[0], data)
            else:
                self.assert_only()
                self.assertTrue(equal_tables(
                    self.outputs()[0], self.outputs()[4](data)))
                self.assertEqual(len(self.outputs()[3].domain.attributes), 4)
                self.assertIsNone(self.outputs()[2])
                self.assertTrue(self.widget.view.table.view.isColumnHidden(3))
                self.assertFalse(self.widget.view.score.label.isVisibleTo(self.widget))

    def test_data_that_cannot_be_cut_is_passed_on(self):
        warning, information = self.widget.Warning, self.widget.Information
        for data, group in (
                (Table("titanic"), information), (self.iris[:0], information),
                (Discretize(EqualWidth(3))(self.iris), information),
                (self.iris[:50], warning),
                (without_labels(self.iris, slice(50, None)), warning),
                (without_labels(self.iris, slice(None)), warning)):
            self.assert_unchanged(data, group.unchanged)

    def test_no_cuts_are_explained(self):
        self.choose_method("FFD")
        self.send(self.iris[::5])
        self.assert_only(self.widget.Information.no_cuts)
        self.assertIn("FFD (fixed frequency) finds no cuts. Set Rows in an interval",
                      str(self.widget.Information.no_cuts))
        self.widget.main_parameters.controls["FFD", "frequency"].spin.setValue(10)
        self.finish()
        self.assert_only()

    def test_unused_unlabelled_rows_are_named(self):
        self.send(self.iris[::2], self.iris[1::2])
        for method, text in (("EW", "rows of Data"), ("MDLP", "labelled rows"),
                             ("SADD", "")):
            self.choose_method(method)
            message = self.widget.Information.unused_pool
            self.assertEqual(message.is_shown(), bool(text))
            self.assertIn(text, str(message))

    def test_faults_of_unlabelled_data_are_shown(self):
        warning, information = self.widget.Warning, self.widget.Information
        for pool, message, text, n_unlabelled in (
                (Table("housing"), warning.no_shared_columns, "no column", 0),
                (self.iris[1::2, :3], warning.missing_columns, "petal width.", 75),
                (self.iris[:51], information.known_rows, "26 rows", 25)):
            self.send(self.iris[::2], pool)
            self.assert_only(message)
            self.assertIn(text, str(message))
            self.assertEqual(self.widget.analysis.n_unlabelled, n_unlabelled)
            self.assertIsNotNone(self.outputs()[0])
            self.assertEqual(self.outputs()[1] is None, not n_unlabelled)

    def test_too_many_missing_values(self):
        data = self.iris.copy()
        with data.unlocked(data.X):
            data.X[:100, 1] = np.nan
            data.X[:, 2] = np.nan
        self.send(data)
        self.assert_only(self.widget.Warning.missing_values)
        self.assertIn("sepal width, petal length",
                      str(self.widget.Warning.missing_values))
        view = self.widget.view
        self.select("petal length")
        self.assertIs(view.pictures.currentWidget(), view.no_values)
        # Neither a sentence about equal rows nor an empty tree
        self.assertEqual(view.why.text.text(), "")
        self.assertEqual(view.why.sentences.texts(), [])
        self.select("petal width")
        self.assertIs(view.pictures.currentWidget(), view.cut_plot)
        self.assertGreater(len(view.why.sentences.texts()), 0)

    def test_out_of_memory(self):
        with patch.object(explain, "label_rows", side_effect=MemoryError):
            self.send(self.iris[::2], self.iris[1::2])
        self.assert_only(self.widget.Error.out_of_memory)
        self.assertEqual(self.outputs()[:4], [None] * 4)
        self.assertIsNotNone(self.outputs()[4])
        self.n0().spin.setValue(300)
        self.assertIsNotNone(self.outputs()[0])
        self.assert_only()

    def test_other_exceptions_are_reported(self):
        self.send(self.iris)
        self.widget.setInvalidated(True)
        with self.assertRaises(KeyError):
            self.widget.on_error(KeyError("a bug"))
        self.assert_only()  # it is no fault of the labeller
        self.assertFalse(self.widget.isInvalidated())
        self.assertEqual(self.outputs()[:4], [None] * 4)
        self.assertIs(self.widget.view.currentWidget(), self.widget.view.message)


class TestControls(SADDDiscretizeTest, WidgetTest):
    def test_few_controls_at_first_opening(self):
        self.widget.show()
        self.send(self.iris)
        shown = [control for control in self.widget.controlArea.findChildren(
            (QComboBox, QAbstractSpinBox, QSlider, QAbstractButton))
            if control.isVisible()]
        self.assertLessEqual(len(shown), 8, shown)
        self.assertFalse(self.widget.view.why.is_open)

    def test_k_is_visible_with_unlabelled_rows(self):
        fold = self.widget.labels_fold
        self.send(self.iris)
        self.assertFalse(fold.is_open or fold.body.isEnabled())
        self.assertIn("no unlabelled rows", fold.button.toolTip())
        self.send(self.few, self.pool)
        self.assertTrue(fold.is_open and fold.body.isEnabled())
        labels = self.widget.view.findings.labels
        self.assertEqual(fold.button.text(), "Pseudo-labels: 273 rows used")
        self.assertIn(f"{labels.score.right} of {labels.score.total} right",
                      fold.score_label.text())
        self.assertIn(f"k = {labels.k}, by leave-one-out", fold.score_label.text())
        self.assertFalse(fold.k_spin.isVisibleTo(fold))
        fold.button.click()
        self.send(None)
        self.send(self.few, self.pool)
        self.assertFalse(fold.is_open, "a user closed it")

    def test_folds_open_if_something_is_not_the_default(self):
        for settings, fold in (
                ({"limits": {"min_samples": 5}}, "limits_fold"),
                ({"labelling": {"k": 3}}, "labels_fold")):
            widget = self.create_widget(
                OWSADDDiscretize, stored_settings={**settings, "__version__": 4})
            for name in ("limits_fold", "labels_fold"):
                self.assertEqual(getattr(widget, name).is_open, name == fold)

    def test_limits_are_stated_and_disabled_where_a_method_has_none(self):
        fold = self.widget.limits_fold
        self.assertEqual(fold.button.text(), "Limits: none")
        fold.spins["min_samples"].setValue(5)
        fold.spins["max_intervals"].setValue(3)
        fold.missing_check.click()
        self.assertEqual(fold.button.text(), "Limits: ≥ 5 rows, ≤ 3 intervals, missing")
        self.send(self.iris)
        self.assertTrue(all(len(row.cuts) <= 2 for row in self.rows()))
        for method, limits in (("SADD", {"min_samples", "max_intervals"}),
                               ("ChiMerge", {"max_intervals"}), ("EW", set())):
            self.choose_method(method)
            self.assertEqual({name for name, spin in fold.spins.items()
                              if spin.isEnabled()}, limits)
            self.assertIn("missing", self.outputs()[0].domain[0].values)

    def test_a_method_is_not_compared_with_itself(self):
        combo = self.widget.compared_combo

        def is_enabled(method):
            index = combo.model().index(combo.findText(full_name(method)), 0)
            return bool(index.flags() & Qt.ItemIsEnabled)

        self.assertFalse(is_enabled("SADD"))
        self.assertTrue(is_enabled("MDLP"))
        self.choose_method("MDLP")
        self.assertEqual(self.widget.compared_method, "SADD")
        self.assertEqual(combo.currentText(), full_name("SADD"))
        self.assertFalse(is_enabled("MDLP"))
        self.assertTrue(is_enabled("SADD"))

    def test_titles_of_methods_fit(self):
        self.widget.show()
        titles = list(map(full_name, DISCRETIZERS))
        for combo, expected in ((self.widget.method_combo, titles),
                                (self.widget.compared_combo, ["nothing", *titles])):
            texts = [combo.itemText(index) for index in range(combo.count())]
            self.assertEqual(texts, expected)
            tip = combo.itemData(combo.findText(full_name("PKID")), Qt.ToolTipRole)
            self.assertIn(DISCRETIZERS["PKID"].description, " ".join(tip.split()))
            widest = max(map(combo.fontMetrics().horizontalAdvance, texts))
            self.assertLess(widest, combo.width() - combo.height())

    def test_main_parameter_of_every_method(self):
        self.send(self.iris)
        controls = self.widget.main_parameters.controls
        for method in DISCRETIZERS:
            self.choose_method(method)
            shown = {owner for (owner, _), control in controls.items()
                     if control.isVisibleTo(self.widget)}
            self.assertLessEqual(shown, {method})
            data, *_, preprocessor = self.outputs()
            self.assertEqual(preprocessor.method, method)
            self.assertTrue(equal_tables(data, preprocessor(self.iris)))
        for method, name, value in (("EW", "n_bins", 3), ("FFD", "frequency", 50),
                                    ("ChiMerge", "significance", .2)):
            self.choose_method(method)
            controls[method, name].spin.setValue(value)
            self.finish()
            data, *_, preprocessor = self.outputs()
            expected = make_discretizer(method, **{name: value})
            self.assertEqual(repr(preprocessor.method), repr(expected))
            self.assertTrue(equal_tables(data, pickle.loads(
                pickle.dumps(preprocessor))(self.iris)))

    def test_slider_is_followed(self):
        self.send(self.iris)
        slider, before = self.n0().slider, self.outputs()[0]
        slider.setSliderDown(True)
        slider.setValue(slider.minimum())
        # At once, not in a task
        expected = SADDDiscretize(n0=self.n0().value)(self.iris).domain
        for row in self.rows():
            self.assertEqual(list(row.cuts),
                             expected[row.variable.name].compute_value.points)
        self.assertIs(self.outputs()[0], before, "sent while dragged")
        slider.setValue(40)
        slider.setSliderDown(False)
        self.finish()
        self.assertIsNot(self.outputs()[0], before)
        self.assertEqual(self.outputs()[4].n0, 100)

    def test_slider_ends_where_the_number_of_cuts_stops_changing(self):
        for data, pool in ((self.iris, None), (self.few, self.pool)):
            self.send(data, pool)
            control, counts = self.n0(), []
            for end in (control.slider.minimum(), control.slider.maximum()):
                control.slider.setValue(end)
                self.finish()
                counts.append(sum(len(row.cuts) for row in self.rows()))
                for factor in (1, 10, 1000):
                    n0 = control.value * (factor if len(counts) == 2 else 1 / factor)
                    found = SADDDiscretize(pool, n0=max(n0, .1), remove_const=False)(
                        data).domain
                    self.assertEqual(counts[-1], sum(
                        len(getattr(found[var.name].compute_value, "points", ()))
                        for var in self.widget.view.variables))
            self.assertLess(*counts)
            self.assertEqual(
                control.note.text(),
                f"{counts[1]} cuts ({counts[0]} to {counts[1]} possible)")
            self.assertTrue(control.slider.isEnabled())
            # The number changes within one step of both ends
            for near, n_cuts in ((control.slider.minimum() + 1, counts[0]),
                                 (control.slider.maximum() - 2, counts[1])):
                control.slider.setValue(near)
                self.finish()
                self.assertNotEqual(sum(len(row.cuts) for row in self.rows()), n_cuts)

    def test_slider_says_if_it_has_no_effect(self):
        self.send(self.iris.add_column(ContinuousVariable("same"), np.ones(150))[
            :, ["same", "iris"]])
        self.assertFalse(self.n0().slider.isEnabled())
        self.assertEqual(self.n0().note.text(), "0 cuts at any N0")
        self.send(None)
        self.assertTrue(self.n0().slider.isEnabled())
        self.assertFalse(self.n0().note.isVisibleTo(self.widget))

    def test_slider_may_lose_its_effect_while_it_is_dragged(self):
        self.send(self.iris)
        slider = self.n0().slider
        slider.setSliderDown(True)
        with excepthook_catch(raise_on_exit=True):
            self.send(Table("heart_disease")[:9])
            self.assertFalse(slider.isEnabled() or slider.isSliderDown())
            slider.setValue(slider.minimum())
            self.finish()
        self.assertEqual(self.outputs()[4].n0, self.n0().value)

    def test_numbers_of_cuts_of_both_methods_are_in_the_header(self):
        self.send(self.few, self.pool)
        own, other = (sum(map(len, Analysis(self.few, self.pool).find_cuts(
            Parameters(method)).cut_points)) for method in ("SADD", "MDLP"))
        count = self.widget.view.table.count
        self.assertEqual(
            count.text(), f"6 variables · SADD {own} cuts · MDLP {other}")
        self.edit([50., 60.], "age")
        self.assertIn(" · your ", count.text())

    def test_comparison(self):
        self.send(self.iris)
        found = Analysis(self.iris).find_cuts(Parameters("MDLP"))
        self.assertEqual([row.compared for row in self.rows()],
                         list(map(len, found.cut_points)))
        # The parameters that the method had
        self.widget.main_parameters.controls["EW", "n_bins"].spin.setValue(3)
        self.compare_with("EW")
        self.assertEqual({row.compared for row in self.rows()}, {2})
        model = self.widget.view.table.model
        self.assertEqual(model.columnCount(), 6)
        simulate.combobox_activate_item(self.widget.compared_combo, "nothing")
        self.finish()
        self.assertEqual(self.widget.compared_method, "")
        self.assertEqual(model.columnCount(), 4)

    def test_apply_by_hand(self):
        self.widget.controls.autocommit.click()
        self.send(self.iris)  # new data is sent at once
        before = self.outputs()[0]
        self.assertIsNotNone(before)
        self.choose_method("EW")
        self.assertIs(self.outputs()[0], before)
        self.assertEqual(len(self.rows()[0].cuts), 9)
        self.widget.commit.now()
        self.assertEqual(len(self.outputs()[0].domain[0].values), 10)
        # Settings that change while new data is computed
        self.send_signal(self.widget.Inputs.data, self.iris[::3])
        self.n0().spin.setValue(50)
        self.finish()
        self.assertEqual(len(self.outputs()[0]), 50)

    def test_restore_defaults(self):
        expected = repr(self.outputs()[4])
        self.choose_method("MDLP")
        self.n0().spin.setValue(5)
        self.widget.limits_fold.spins["min_samples"].setValue(7)
        self.widget.labels_fold.confidence_spin.setValue(80)
        simulate.combobox_activate_index(self.widget.intervals_combo, 1)
        self.widget.controls.remove_const.click()
        self.widget.findChild(QAction, "action-reset-settings").trigger()
        self.assertEqual(repr(self.outputs()[4]), expected)
        self.assertEqual(self.widget.compared_method, "MDLP")
        self.assertEqual(repr(self.outputs(self.reopen())[4]), expected)


class TestCrossValidation(SADDDiscretizeTest, WidgetTest):
    def figures(self):
        return self.widget.view.table.model.figures

    def assert_figures(self, figures, parameters, treatments=None):
        expected = cross_validate(
            Analysis(self.few, self.pool), parameters, treatments or {})
        np.testing.assert_array_equal(figures.information, expected.information)
        self.assertEqual(figures.right, expected.right)

    def test_figures_are_those_of_explain(self):
        self.send(self.few, self.pool)
        self.validate()
        own, other = self.figures()
        self.assert_figures(own, Parameters("SADD"))
        self.assert_figures(other, Parameters("MDLP"))
        self.assertEqual(
            self.widget.view.score.label.text(),
            f"Naive Bayes: SADD {own.right:g} of 30 right, MDLP {other.right:g} "
            f"({own.right - other.right:g} more); differences below "
            f"{own.least_difference(other):g} are chance")
        self.assertFalse(self.widget.view.table.model.is_stale)

    def test_figures_follow_the_slider_and_a_dragged_cut(self):
        self.send(self.few, self.pool)
        self.validate()
        self.n0().slider.setSliderDown(True)
        self.n0().slider.setValue(self.n0().slider.minimum())
        self.assertTrue(self.widget.view.table.model.is_stale)
        self.process_events(lambda: self.widget.view.score.validator.task is None)
        self.assert_figures(
            self.figures()[0], Parameters(values={"n0": self.n0().value}))
        self.n0().slider.setSliderDown(False)
        self.n0().spin.setValue(2000)
        self.select("max HR")
        self.widget.view.cut_plot.cuts_dragged.emit([150.])
        self.assertEqual(self.row("max HR").cuts, [150.])
        self.assertTrue(self.widget.view.table.model.is_stale)
        self.validate()
        self.assert_figures(
            self.figures()[0], Parameters(), {("max HR", "continuous"): [150.]})
        self.assertEqual(self.widget.edited_cuts, [])
        # Back again, or Escape
        plot = self.widget.view.cut_plot
        plot.cuts_dragged.emit(list(plot.cuts))
        self.validate()
        self.assertIsNone(self.row("max HR").treatment)
        self.assert_figures(self.figures()[0], Parameters())

    def test_large_data_waits_for_a_click(self):
        with patch.object(resampling, "LARGE", 10):
            self.send(self.iris)
            view = self.widget.view
            self.assertIsNone(self.widget.view.score.validator.task)
            self.assertTrue(view.score.button.isVisibleTo(view))
            self.assertTrue(view.score.label.isEnabled(), "it explains the button")
            self.assertEqual(self.figures(), (None, None))
            view.score.button.click()
            self.validate()
            self.assertFalse(view.score.button.isVisibleTo(view))
            self.assertIsNotNone(self.figures()[0])
            self.n0().spin.setValue(50)
            self.finish()
            self.assertTrue(view.score.button.isVisibleTo(view))
            self.assertTrue(view.table.model.is_stale)

    def test_figures_of_other_data_are_removed(self):
        self.send(self.iris)
        self.validate()
        self.send(self.iris[:, [0, 1, "iris"]])
        self.assertEqual(self.figures(), (None, None))


class TestWhatIsRecomputed(SADDDiscretizeTest, WidgetTest):
    def test_each_change_repeats_only_what_depends_on_it(self):
        fold, plot = self.widget.labels_fold, self.widget.view.cut_plot
        with patch.object(explain, "label_rows", wraps=label_rows) as label, \
                patch.object(explain, "find_cuts", wraps=explain.find_cuts) as find:
            for name, change, n_labelled, n_cut in (
                    ("data", lambda: self.send(self.iris[::2], self.iris), 1, 2),
                    ("N0", lambda: self.n0().spin.setValue(50), 0, 0),
                    ("comparison", lambda: self.compare_with("CAIM"), 0, 1),
                    ("earlier comparison", lambda: self.compare_with("MDLP"), 0, 0),
                    ("labels", fold.standardize_check.click, 1, 1),
                    ("output", self.widget.controls.remove_const.click, 0, 0),
                    ("edit", lambda: plot.add_cut(7.), 0, 0),
                    ("other data", lambda: self.send(self.iris[1::2], self.iris),
                     1, 2)):
                label.reset_mock()
                find.reset_mock()
                change()
                self.finish()
                self.assertEqual((label.call_count, find.call_count),
                                 (n_labelled, n_cut), name)


class TestCancel(SADDDiscretizeTest, WidgetTest):
    """Neighbours that take minutes, unless they are cancelled."""

    def setUp(self):
        super().setUp()
        self.cancelled = threading.Event()
        mock = patch.object(explain, "label_rows", self.label_slowly)
        mock.start()
        self.addCleanup(mock.stop)

    def label_slowly(self, rows, estimator, callback):
        self.started = True
        try:
            for _ in range(100 * TIMEOUT):
                callback(0.1)
                time.sleep(0.01)
        except Cancelled:
            self.cancelled.set()
            raise
        raise AssertionError("was not cancelled")

    def assert_cancelled(self):
        self.assertTrue(self.cancelled.wait(TIMEOUT))

    def start(self, widget=None):
        widget = widget or self.widget
        self.started = False
        self.cancelled.clear()
        self.send_signals([(widget.Inputs.data, self.iris[::2]),
                           (widget.Inputs.unlabelled, self.iris)], widget=widget)
        self.process_events(lambda: self.started)
        self.assertTrue(widget.isInvalidated())

    def test_new_data_and_removing_data_or_the_widget_cancel(self):
        for data in (self.iris[:100], None):
            self.start()
            self.send(data)
            self.assert_cancelled()
            self.assertFalse(self.widget.isInvalidated())
            self.assertEqual(len(self.outputs()[0] or ()), len(data or ()))
        widget = self.create_widget(OWSADDDiscretize)
        self.start(widget)
        widget.onDeleteWidget()
        self.assert_cancelled()

    def test_stop_keeps_what_was_applied_by_hand(self):
        self.widget.controls.autocommit.click()
        with patch.object(explain, "label_rows", label_rows):
            self.send(self.iris[::2], self.iris)
        before = self.outputs()[0]
        self.started = False
        self.widget.labels_fold.standardize_check.click()
        self.process_events(lambda: self.started)
        self.widget.stop_button.click()
        self.assertIs(self.outputs()[0], before)

    def test_stop_appears_while_computing(self):
        button = self.widget.stop_button
        self.assertFalse(button.isVisibleTo(self.widget))
        self.start()
        self.process_events(lambda: button.isVisibleTo(self.widget)
                            and self.widget.progressBarValue > 0)
        self.assertIn("Discretizing", self.widget.view.message.text())
        button.click()
        self.assertFalse(self.widget.isInvalidated())
        self.assertTrue(self.widget.Warning.stopped.is_shown())
        *tables, preprocessor = self.outputs()
        self.assertEqual(tables, [None] * 4)
        self.assertIsNotNone(preprocessor)
        self.assertEqual(button.text(), "Start Again")
        with patch.object(explain, "label_rows", label_rows):
            button.click()
            self.finish()
        self.assertFalse(self.widget.Warning.stopped.is_shown())
        self.assertIsNotNone(self.outputs()[0])
        self.assertFalse(button.isVisibleTo(self.widget))


class TestEdits(SADDDiscretizeTest, WidgetTest):
    def setUp(self):
        super().setUp()
        self.send(self.iris)

    def test_menu_of_a_variable(self):
        make_menu = self.widget.view.table.make_menu
        actions = {action.text(): action for action in make_menu(3).actions()}
        self.assertFalse(actions["Reset"].isEnabled())
        actions["Keep Numeric"].trigger()
        self.finish()
        self.assertTrue(self.outputs()[0].domain["petal width"].is_continuous)
        actions = {action.text(): action for action in make_menu(3).actions()}
        self.assertTrue(actions["Keep Numeric"].isChecked())
        actions["Reset"].trigger()
        self.finish()
        self.assertEqual(self.widget.edited_cuts, [])
        methods = next(filter(None, map(QAction.menu, actions.values())))
        self.assertEqual([action.text() for action in methods.actions()],
                         list(map(full_name, DISCRETIZERS)))

    def test_cuts_are_typed_into_the_table(self):
        model = self.widget.view.table.model
        index = model.index(3, 2)
        for text, cuts in (("1.5", [1.5]), ("2, 1.25; 1.75 · 1", [1, 1.25, 1.75, 2]),
                           ("1 2", [1., 2.]), ("", [])):
            self.assertTrue(model.setData(index, text, Qt.EditRole))
            self.finish()
            self.assertEqual(list(self.row().cuts), cuts)
        self.assertNotIn("petal width", self.outputs()[0].domain)
        self.widget.view.table.view.select("petal width")
        self.widget.view.cut_plot.typing.emit()
        self.assertEqual(self.widget.view.table.view.state(),
                         self.widget.view.table.view.EditingState)
        self.assertFalse(model.setData(index, "soon", Qt.EditRole))
        self.assertEqual(list(self.row().cuts), [])

    def test_reset(self):
        before = self.outputs()[0]
        buttons = self.widget.view._edit_buttons
        self.assertFalse(any(button.isVisibleTo(self.widget) for button in buttons))
        self.edit([1.])
        self.assertTrue(all(button.isVisibleTo(self.widget) for button in buttons))
        self.edit([3.], "petal length")
        self.widget.view.reset_button.click()
        self.finish()
        self.assertTrue(equal_tables(self.outputs()[0], before))
        self.assertEqual(self.widget.edited_cuts, [])
        self.assertIn("Double-click", self.widget.view.edits_label.text())
        self.assertFalse(self.widget.view.reset_button.isEnabled())

    def test_table_fits_its_rows_until_the_splitter_is_moved(self):
        view = self.widget.view
        self.widget.show()  # a window may get its size after its data
        for height in (700, 900):
            self.widget.resize(900, height)
            self.process_events()
            self.assertAlmostEqual(view.splitter.sizes()[0], min(
                view.table.height_of(4), view.height() // 2), delta=2)
        self.assertEqual(view.table.view.verticalScrollBar().maximum(), 0)
        view.splitter.splitterMoved.emit(300, 1)
        view.splitter.setSizes([300, 500])
        self.widget.resize(900, 910)
        self.process_events()
        self.assertGreater(view.splitter.sizes()[0], 290)

    def test_six_variables_need_no_scroll_bar(self):
        view, table = self.widget.view, self.widget.view.table
        self.widget.show()
        self.send(self.few)
        self.widget.resize(980, int(2.6 * table.height_of(6)))
        self.process_events()
        self.assertLess(view.height() // 3, table.height_of(6))
        self.assertEqual(table.view.verticalScrollBar().maximum(), 0)
        # What matters comes first
        bottom = view.score.label.mapTo(view, view.score.label.rect().bottomLeft()).y()
        self.assertLess(
            bottom, view.cut_plot.mapTo(view, view.cut_plot.rect().topLeft()).y())

    def test_nothing_moves_when_edit_buttons_appear(self):
        view = self.widget.view
        self.widget.show()
        before = view.cut_plot.height(), view.score.label.width()
        self.edit([1.])
        self.assertEqual((view.cut_plot.height(), view.score.label.width()), before)

    def test_undo_and_redo(self):
        undo, redo = (
            next(action for action in self.widget.findChildren(QAction)
                 if action.text().startswith(text)) for text in ("Undo", "Redo"))
        self.assertFalse(undo.isEnabled())
        self.edit([1.])
        self.edit([1., 2.])
        undo.trigger()
        self.finish()
        self.assertEqual(self.points(), [1.])
        self.widget.view.table.view.select("sepal width")
        undo.trigger()
        self.finish()
        self.assertIsNone(self.row().treatment)
        self.assertEqual(self.widget.view.variable.name, "petal width")
        redo.trigger()
        self.assertIsNotNone(self.row().treatment)
        self.send(self.iris)
        self.assertFalse(undo.isEnabled())
        self.assertIsNotNone(self.row().treatment, "edits belong to the workflow")

    def test_edits_are_kept_by_name_and_type(self):
        self.edit([1.])
        self.send(self.iris[:, ["sepal width", "petal width", "iris"]])
        self.assertEqual(self.points(), [1.])
        domain = Domain([TimeVariable("petal width")], self.iris.domain.class_var)
        self.send(Table.from_numpy(domain, self.iris.X[:, 3:], self.iris.Y))
        self.assertIsNone(self.row().treatment)
        self.assertIn("Double-click", self.widget.view.edits_label.text())
        self.send(self.iris)
        self.assertIsNotNone(self.row().treatment)

    def test_cuts_are_dragged_with_the_mouse(self):
        self.widget.resize(900, 700)
        self.widget.show()
        self.select("petal width")
        plot = self.widget.view.cut_plot
        for _ in range(2):  # lines are made again in the midst of the first
            target = plot.cuts[0] + .1
            drag_cut(plot, plot.cuts[0], target, height=5)
            self.finish()
            self.assertAlmostEqual(plot.cuts[0], target, delta=.03)
        # A cut that is dragged beyond its neighbour leaves no empty interval
        self.select("sepal length")
        self.assertEqual(plot.cuts[-2:], [6.15, 7.05])
        drag_cut(plot, 6.15, 7.6, height=5)
        self.finish()
        var = self.outputs()[0].domain["sepal length"]
        counts = np.bincount(self.outputs()[0].get_column(var).astype(int))
        self.assertEqual(len(counts), len(var.values))
        self.assertTrue((counts > 0).all())
        self.assertEqual(plot.cuts[-2:], [6.95, 7.05])

    def test_decisions_name_cuts_of_the_user(self):
        self.select("petal width")
        sentences = self.widget.view.why.sentences
        before = sentences.texts()
        first = self.row().cuts[0]
        self.assertIn(f"{first:g}: gains", before[0])
        self.assertIn("accepted", before[0])
        self.edit([1.25, *self.row().cuts[1:]])
        self.assertEqual(sentences.texts()[0], before[0] + ", removed by you")
        self.assertEqual(sentences.texts()[-1], "1.25: set by you")

    def test_a_method_without_decisions_has_no_empty_pane(self):
        why = self.widget.view.why
        why.button.click()
        for method, shown in (("EF", False), ("MDLP", True), ("EW", False)):
            self.choose_method(method)
            self.assertEqual(why.tree.isVisibleTo(why), shown)
            self.assertEqual(why.sentences.isVisibleTo(why), shown)
            self.assertEqual(why.text.text() != "", not shown)

    def test_no_variable_is_shown_if_none_passes_the_filter(self):
        view = self.widget.view
        view.table.filter.setText("?")
        self.compare_with("EW")
        self.assertIsNone(view.variable)
        self.assertEqual((view.cut_plot.cuts, view.cut_plot.lines.lines), ([], {}))
        self.assertEqual(view.why.sentences.texts(), [])
        view.table.filter.clear()
        self.assertEqual(view.cut_plot.cuts, list(self.row("sepal length").cuts))
        self.assertGreater(len(view.why.sentences.texts()), 0)


class TestCutsWithUnlabelledRows(SADDDiscretizeTest, WidgetTest):
    def test_edited_cuts_are_used(self):
        self.send(self.iris[::2], self.iris)
        n_cuts = sum(len(row.cuts) for row in self.rows())
        removed = len(self.row().cuts) - 1
        self.select("petal width")
        self.widget.view.cut_plot.cuts_edited.emit([1.])
        row = self.row()  # at once, that is, before the task has finished
        self.assertEqual((row.treatment, row.cuts), ([1.], [1.]))
        self.assertIn(f"your {n_cuts - removed} cuts",
                      self.widget.view.table.count.text())
        self.finish()
        data, unlabelled, _, cut_points, preprocessor = self.outputs()
        self.assertEqual(self.points(), [1.])
        self.assertEqual(unlabelled.domain, data.domain)
        self.assertEqual(sum(str(row["Variable"]) == "petal width"
                             for row in cut_points), 2)
        others = preprocessor(self.iris[::2]).domain
        self.assertNotEqual(others["petal width"].compute_value.points, [1.])
        self.assertEqual(data.domain["petal length"], others["petal length"])
        self.assertTrue(self.widget.view.edits_label.wordWrap())  # not elided
        self.assertEqual(self.widget.view.edits_label.text(), "Data has your cuts. "
                         "Preprocessor finds its own in each fold.")
        self.assertEqual(self.widget.edited_cuts,
                         [["petal width", "continuous", [1.]]])

    def test_preprocessor_uses_edited_cuts_when_checked(self):
        self.send(self.iris[::2], self.iris)
        check = self.widget.controls.carry_edits
        self.assertFalse(check.isVisibleTo(self.widget))
        self.edit([1.])
        self.assertTrue(check.isVisibleTo(self.widget))
        check.click()
        self.finish()
        self.assertEqual(self.widget.view.edits_label.text(),
                         "Data and Preprocessor have your cuts.")
        preprocessor = self.outputs()[4]
        for other in (preprocessor, pickle.loads(pickle.dumps(preprocessor)),
                      deepcopy(preprocessor)):
            domain = other(self.iris[:60]).domain
            self.assertEqual(domain["petal width"].compute_value.points, [1.])
            expected = replace(other, treatments=())(self.iris[:60]).domain
            self.assertEqual(domain["petal length"], expected["petal length"])
        self.send(None)
        self.assertEqual(len(self.outputs()[4].treatments), 1)
        check.click()
        self.assertFalse(self.outputs()[4].treatments)

    def test_treatments_of_a_variable(self):
        self.send(self.few, self.pool)
        for name, treatment in (("age", "numeric"), ("max HR", "remove"),
                                ("ST by exercise", "EW")):
            self.treat(name, treatment)
        data, *_, preprocessor = self.outputs()
        self.assertIs(data.domain["age"], self.few.domain["age"])
        self.assertNotIn("max HR", data.domain)
        self.assertEqual(len(data.domain["ST by exercise"].values), 10)
        self.assertTrue(equal_tables(preprocessor(self.few), data))
        again = self.reopen()
        self.assertEqual(self.outputs(again)[4].treatments, preprocessor.treatments)

    def test_another_method_cuts_as_it_does_alone(self):
        self.widget.controls.remove_const.click()
        self.send(self.few, self.pool)
        for main, other in (("SADD", "MDLP"), ("MDLP", "SADD")):
            self.choose_method(main)
            self.treat("max HR", other)
            expected = SADDDiscretize(self.pool, method=other, remove_const=False)(
                self.few).domain["max HR"]
            data, *_, preprocessor = self.outputs()
            self.assertEqual(data.domain["max HR"], expected)
            self.assertTrue(equal_tables(preprocessor(self.few), data))

    def test_split_tree_is_aligned_with_the_histogram(self):
        self.widget.show()
        self.send(self.few, self.pool)
        view = self.widget.view
        view.why.button.click()
        # The numbers at the axis have two digits, then three
        for name, low, high in (("age", 20, 90), ("major vessels colored", 0, 3),
                                ("major vessels colored", 1, 2)):
            self.select(name)
            view.cut_plot.getViewBox().setXRange(low, high, padding=0)
            self.process_events()
            for value in (low, high):
                self.assertAlmostEqual(place(view.cut_plot, value, 0).x(),
                                       place(view.why.tree, value, 0).x(), delta=1)

    def test_selected_data_has_the_rows_that_are_highlighted(self):
        self.send(self.iris[::2], self.iris)
        self.select("petal width")
        plot, output = self.widget.view.cut_plot, self.widget.Outputs.selected_data
        self.assertIsNone(self.get_output(output))
        plot.select_interval((plot.cuts[0], plot.cuts[1]))
        self.process_events(lambda: self.widget.selector.task is None)
        selected, values = self.get_output(output), self.iris.X[:, 3]
        inside = (values >= plot.cuts[0]) & (values < plot.cuts[1])
        self.assertEqual(set(selected.ids), set(self.iris.ids[inside]))
        self.assertEqual(np.isnan(selected.Y).sum(), inside[1::2].sum())
        self.assertEqual(selected.domain, self.iris.domain)
        self.widget.controls.remove_const.click()
        self.finish()
        self.assertEqual(self.get_output(output), selected, "nothing has changed")
        self.select("sepal width")
        self.assertIsNone(self.get_output(output))
        plot.select_interval((-np.inf, plot.cuts[0]))
        self.process_events(lambda: self.widget.selector.task is None)
        self.assertIsNotNone(self.get_output(output))
        plot.select_interval(plot.intervals()[-1])
        self.send(None)
        self.assertIsNone(self.get_output(output))

    def test_a_cut_has_the_same_digits_everywhere(self):
        self.send(self.few, self.pool)
        self.select("age")
        plot, cut = self.widget.view.cut_plot, self.row("age").cuts[0]
        name = plot.lines.flags[0].toPlainText()
        self.assertEqual(float(name), cut)
        self.assertIn(f"{name}: gains", plot.describe_cut(0))
        index = self.widget.view.table.model.index(0, 2)
        self.assertEqual(index.data(), name)
        self.assertIn(f"\n{name}", index.data(Qt.ToolTipRole))
        self.assertTrue(
            self.widget.view.why.sentences.texts()[0].startswith(f"{name}: "))

    def test_bands_and_counts_of_the_folds_are_shown(self):
        self.send(self.few, self.pool)
        self.validate()
        view = self.widget.view
        plot, model = view.cut_plot, view.table.model
        for index, row in enumerate(self.rows()):
            self.select(row.variable.name)
            bands = model.figures[0].bands[index]
            self.assertEqual(len(bands.n_found), len(row.cuts))
            np.testing.assert_allclose(
                (plot.lines.bands.opts["x0"] + plot.lines.bands.opts["x1"]) / 2,
                (bands.low + bands.high)[bands.n_found > 0] / 2)
            for cut, n_found in enumerate(bands.n_found):
                self.assertIn(f"Found in {n_found} of 10 folds", plot.describe_cut(cut))
                self.assertEqual(model.index(index, 2).data(CutsRole)[cut][1],
                                 f"{n_found}/10")
        self.select("age")
        plot.cuts_edited.emit([*plot.cuts, 70.])
        self.assertEqual(len(plot.lines.bands.opts["x0"]), 0, "of earlier cuts")
        self.validate()
        self.assertEqual(len(plot.lines.bands.opts["x0"]), 1)
        self.assertIn("Placed by hand\nFound in 0 of 10", plot.describe_cut(1))
        self.assertNotIn("Placed by hand", plot.describe_cut(0))

    def test_labels_of_the_pool_do_not_change_bands(self):
        texts = []
        for labels in (self.pool.Y, 1 - self.pool.Y):
            pool = self.pool.copy()
            with pool.unlocked(pool.Y):
                pool.Y[:] = labels
            self.send(self.few, pool)
            self.validate()
            model = self.widget.view.table.model
            texts.append((self.widget.view.score.label.text(), [
                model.index(row, 2).data(CutsRole) for row in range(6)]))
        self.assertEqual(*texts)

    def test_cuts_by_hand_are_marked(self):
        self.send(self.few, self.pool)
        self.validate()
        self.edit([150.], "max HR")
        self.validate()
        index = self.widget.view.table.model.index(3, 3)
        self.assertRegex(index.data(), r"optimistic -?\d\.\d{3}")
        self.assertIsNone(index.data(BarRole))
        line = self.widget.view.score.label
        self.assertIn("your cuts", line.text())
        self.assertIn("placed by hand: optimistic", line.text())
        self.assertNotIn("chance", line.text(), "a test would not be valid")
        self.assertLess(line.palette().color(QPalette.WindowText).alphaF(), 1)
        self.widget.edits.stack.undo()
        self.validate()
        self.assertIn("chance", line.text())
        self.assertEqual(line.palette().color(QPalette.WindowText).alphaF(), 1)
        # Another method is applied again in each fold
        self.treat("max HR", "EW")
        self.validate()
        self.assertNotIn("optimistic", line.text())

    def test_unsupervised_methods_label_no_rows(self):
        with patch.object(explain, "label_rows", wraps=label_rows) as label:
            self.choose_method("EW")
            self.send(self.few, self.pool)
            self.validate()
            self.assertEqual(label.call_count, 0)
            self.assertIn("does not use the class",
                          self.widget.labels_fold.button.toolTip())
            self.assertIsNone(self.outputs()[2])
            plot = self.widget.view.cut_plot
            self.assertEqual(plot.picture.labelled.sum(), 30)
            self.assertEqual(plot.picture.unlabelled.sum(axis=1).tolist(), [0, 0, 273])
            self.assertIn("no class", plot.describe_interval(3))
            self.assertIn("unlabelled", plot.describe_interval(3))
            self.compare_with("SADD")  # which needs labels
            self.assertEqual(label.call_count, 1)
            self.assertEqual(len(self.outputs()[2]), 303)

    def test_a_pool_changes_what_the_window_shows(self):
        plot = self.widget.view.cut_plot
        for method in ("SADD", "MDLP"):
            self.choose_method(method)
            self.send(self.few)
            before = plot.picture.unlabelled.sum(), plot.bars.has_hatched
            self.send(self.few, self.pool)
            self.assertEqual(before, (0, False))
            self.assertEqual(plot.picture.unlabelled.sum(), 273)
            self.assertTrue(plot.bars.has_hatched)

    def test_cuts_by_pseudo_labels_that_are_ignored(self):
        self.send(self.few, self.pool)
        before = self.widget.view.findings.found
        self.widget.labels_fold.confidence_spin.setValue(90)
        self.finish()
        findings = self.widget.view.findings
        expected = [set(old) - set(new) for old, new in zip(
            before.cut_points, findings.found.cut_points, strict=True)]
        self.assertGreater(sum(map(len, expected)), 0)
        index = int(np.argmax(list(map(len, expected))))
        self.select(self.rows()[index].variable.name)
        xs = self.widget.view.cut_plot.lines.ignored.getData()[0]
        self.assertEqual(set(xs), expected[index])
        self.assertEqual(self.widget.view.cut_plot.marks[-1][1], "lost cuts")

    def test_tooltips(self):
        self.send(self.iris[::2], self.iris)
        plot = self.widget.view.cut_plot
        self.assertIn("Without adaptation", plot.describe_cut(0))
        n_rows = (self.iris.X[:, 0] < plot.cuts[0]).sum()
        text = plot.describe_interval(0)
        self.assertTrue(text.startswith(
            f"sepal length < {plot.cuts[0]:.4g}: {n_rows} rows"))
        self.assertIn("with a pseudo-label", text)
        self.edit([1.])
        text = plot.describe_cut(0)
        self.assertIn("Cut at 1", text)
        self.assertIn("50 rows in the interval below, 100 in the one above", text)


class TestSettings(SADDDiscretizeTest, WidgetTest):
    def test_saved_workflow_has_the_same_outputs(self):
        widget = self.widget
        self.compare_with("CAIM")
        self.n0().spin.setValue(300)
        simulate.combobox_activate_index(widget.labels_fold.k_combo, 2)
        widget.labels_fold.k_spin.setValue(7)
        widget.labels_fold.standardize_check.click()
        self.send(self.iris[::2], self.iris)
        self.edit([2., 4.], "petal length")
        widget.view.table.view.sort_by(2, 1)
        widget.view.table.hide_check.click()
        for fold in (widget.limits_fold, widget.view.why):
            fold.button.click()
        before = self.outputs()
        again = self.reopen()
        self.send(self.iris[::2], self.iris, again)
        for first, second in zip(before[:4], self.outputs(again)[:4], strict=True):
            self.assertTrue(equal_tables(first, second))
        self.assertEqual(repr(before[4]), repr(self.outputs(again)[4]))
        self.assertEqual(again.view.variable.name, "petal length")
        self.assertEqual(again.sorting, (2, 1))
        self.assertEqual(again.compared_method, "CAIM")
        self.assertTrue(again.view.table.model.hides_uncut)
        self.assertTrue(again.limits_fold.is_open and again.view.why.is_open)

    def test_invalid_settings_are_replaced_by_defaults(self):
        pack = self.widget.settingsHandler.pack_data
        defaults = pack(self.widget)
        self.assertGreater(len(defaults), 14)
        compared = set(defaults) - {
            "savedWidgetGeometry", "controlAreaVisible", "selected_variable"}
        for garbage in (None, 7, -1.5, "garbage", b"garbage", [[]], {"a": {}},
                        {"k": [], "min_samples": {}, "SADD": {"n0": []}}, ("x",),
                        object, {7: 7}, float("nan")):
            with excepthook_catch(raise_on_exit=True):
                widget = self.create_widget(
                    OWSADDDiscretize, stored_settings=dict.fromkeys(defaults, garbage))
                widget.show()
            self.send(self.iris, widget=widget)
            self.assertIsNotNone(self.outputs(widget)[0])
            packed = pack(widget)
            for name in compared:
                self.assertEqual(packed[name], defaults[name], (name, garbage))

    def test_settings_are_plain_and_edits_are_no_defaults(self):
        self.send(self.iris)
        self.widget.view.cut_plot.cuts_edited.emit([5.])
        self.treat("sepal width", "MDLP")
        settings = self.widget.settingsHandler.pack_data(self.widget)
        # As in a workflow; anything but plain values would be pickled
        stored = dumps(settings, format="literal", pickle_fallback=False)
        self.assertEqual(loads(*stored), settings)
        self.widget.saveSettings()
        self.assertEqual(self.create_widget(OWSADDDiscretize).edited_cuts, [])


class TestReportAndPicture(SADDDiscretizeTest, WidgetTest):
    def test_report(self):
        self.widget.send_report()
        self.send(self.iris[::2], self.iris)
        self.validate()
        self.widget.report_html = ""
        self.widget.send_report()
        for text in ("semi-supervised", "petal width", "Information (cross-val.)",
                     "<img", "MDLP: cuts", "Naive Bayes: SADD",
                     " · ".join(map("{:.4g}".format, self.rows()[3].cuts)),
                     "Decisions about sepal length", "Pseudo-labels"):
            self.assertIn(text, self.widget.report_html)
