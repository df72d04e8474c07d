"""SADD Discretize through its signals: outputs, messages, controls, what is recomputed.

Test methods with long descriptive names omit docstrings.
"""

import pickle
import tempfile
import threading
import time
from copy import deepcopy
from pathlib import Path
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QGuiApplication
from AnyQt.QtWidgets import QAction, QLabel
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)
from Orange.preprocess import Discretize
from Orange.preprocess.discretize import EqualWidth
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate
from Orange.widgets.widget import Msg
from orangewidget.io import PngFormat

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.discretize import make_discretization
from orangecontrib.sadd.explain import analysis as explain
from orangecontrib.sadd.explain.parameters import Parameters, full_name
from orangecontrib.sadd.labelling import label_rows
from orangecontrib.sadd.preprocessors import SADDDiscretize
from orangecontrib.sadd.widgets.common.messages import Errors, Warnings
from orangecontrib.sadd.widgets.common.windows import Cancelled
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tests.waiting import PATIENCE
from tests.widgets.mouse import drag_cut


def without_labels(table, rows):
    """A copy of a table with no class in some rows."""
    table = table.copy()
    with table.unlocked(table.Y):
        table.Y[rows] = np.nan
    return table


def equal_tables(first, second):
    if first is None or second is None:
        return first is second
    return (first.domain == second.domain
            and np.array_equal(first.X, second.X, equal_nan=True)
            and np.array_equal(first.Y, second.Y, equal_nan=True)
            and np.array_equal(first.metas.astype(str), second.metas.astype(str)))


def choose_method(combo, method):
    """Choose a method by its short name."""
    simulate.combobox_activate_item(combo, full_name(method))


class SADDDiscretizeTest:
    """What the tests below share."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.iris = Table("iris")

    def setUp(self):
        self.widget = self.create_widget(OWSADDDiscretize)

    def send(self, data, unlabelled=None):
        inputs = self.widget.Inputs
        self.send_signals([(inputs.data, data), (inputs.unlabelled, unlabelled)])
        self.finish()

    def finish(self, widget=None):
        """Wait for the computation and for the picture of the selected variable."""
        widget = widget or self.widget
        self.wait_until_finished(widget)
        self.process_events(lambda: widget.view.loader.task is None)

    def outputs(self, widget=None):
        widget = widget or self.widget
        return [self.get_output(getattr(widget.Outputs, name), widget=widget)
                for name in ("data", "unlabelled", "pseudo_labelled", "cut_points",
                             "preprocessor")]

    def variables(self):
        return self.widget.view.table.model.rows


class TestOutputs(SADDDiscretizeTest, base.WidgetTest):
    def test_data_is_what_the_preprocessor_gives(self):
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

    def test_every_method_gives_what_its_preprocessor_gives(self):
        for method in DISCRETIZERS:
            with self.subTest(method):
                widget = self.create_widget(
                    OWSADDDiscretize, stored_settings={"method": method})
                self.send_signal(widget.Inputs.data, self.iris, widget=widget)
                data, *_, preprocessor = self.outputs(widget)
                self.assertEqual(preprocessor.method, method)
                self.assertTrue(equal_tables(data, preprocessor(self.iris)))

    def test_pseudo_labelled_data(self):
        data = without_labels(self.iris, slice(0, 10))[:, :]
        self.send(data[::2], self.iris[:100])
        *_, pseudo, _, _ = self.outputs()
        self.assertEqual(len(pseudo), 75 + 50)
        self.assertEqual(pseudo.domain.attributes, self.iris.domain.attributes)
        self.assertEqual([var.name for var in pseudo.domain.metas],
                         ["Confidence", "Source"])
        self.assertFalse(np.isnan(pseudo.Y).any())
        source = pseudo.get_column("Source")
        self.assertEqual(pseudo.domain["Source"].values,
                         ("labelled", "unlabelled", "pool"))
        np.testing.assert_array_equal(np.bincount(source.astype(int)), [70, 5, 50])
        labelled = source == 0
        np.testing.assert_array_equal(pseudo.Y[labelled], self.iris.Y[::2][5:])
        np.testing.assert_array_equal(pseudo.get_column("Confidence")[labelled], 1)
        self.assertTrue(np.all(pseudo.get_column("Confidence") > 0))
        self.assertTrue(np.isnan(data.Y[:10]).all(), "the input has changed")

    def test_pseudo_labelled_data_with_names_that_are_taken(self):
        domain = Domain(self.iris.domain.attributes, self.iris.domain.class_var,
                        [StringVariable("Source"), ContinuousVariable("Confidence")])
        self.send(self.iris.transform(domain))
        pseudo = self.outputs()[2]
        self.assertEqual(len(pseudo.domain.metas), 4)

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
                           for row in rows])
        np.testing.assert_array_equal(counts.sum(axis=0), [25, 25, 25])
        self.assertEqual(sum(row["Rows"] for row in rows), 150)
        self.assertEqual(sum(row["Unlabelled rows"] for row in rows), 75)

    def test_variables_with_one_interval(self):
        domain = Domain([*self.iris.domain.attributes, ContinuousVariable("same")],
                        self.iris.domain.class_var)
        X = np.column_stack((self.iris.X, np.ones(150)))
        data = Table.from_numpy(domain, X, self.iris.Y)
        self.send(data)
        self.assertEqual(self.variables()[-1].intervals, 1)
        self.assertNotIn("same", self.outputs()[0].domain)
        self.assertTrue(self.outputs()[4].remove_const)
        self.assertIn("4 of 5 variables discretized", self.widget.status.text())
        self.assertIn("1 with one interval", self.widget.view.table.count.text())
        self.widget.controls.remove_const.click()
        self.assertIn("same", self.outputs()[0].domain)
        self.assertFalse(self.outputs()[4].remove_const)
        intervals = [str(row["Variable"]) for row in self.outputs()[3]]
        self.assertEqual(intervals.count("same"), 1)

    def test_preprocessor_is_there_without_data(self):
        preprocessor = self.outputs()[4]
        self.assertIsInstance(preprocessor, SADDDiscretize)
        self.assertIsNone(preprocessor.unlabelled)
        self.send_signal(self.widget.Inputs.unlabelled, self.iris)
        preprocessor = self.outputs()[4]
        self.assertIs(preprocessor.unlabelled, self.iris)
        self.assertEqual(self.outputs()[:4], [None] * 4)
        self.assertEqual(len(preprocessor(self.iris[::2])), 75)

    def test_preprocessor_follows_the_controls(self):
        self.widget.n0_spin.setValue(500)
        self.widget.controls.normalize.click()
        self.widget.controls.choose_k.buttons[1].click()
        self.widget.k_spin.setValue(3)
        preprocessor = self.outputs()[4]
        self.assertEqual((preprocessor.n0, preprocessor.normalize, preprocessor.k),
                         (500, False, 3))

    def test_preprocessor_holds_all_unlabelled_rows(self):
        data = without_labels(self.iris, slice(None, None, 3))
        self.send(data[:120], data[120:])
        pool = self.outputs()[4].unlabelled
        self.assertEqual(len(pool), 40 + 30)
        self.assertTrue(set(data.ids[:120:3]) <= set(pool.ids))
        self.send(data[:120])
        self.assertEqual(len(self.outputs()[4].unlabelled), 40)

    def test_nothing_is_left_after_data_is_removed(self):
        self.send(self.iris[::2], self.iris)
        self.assertIsNotNone(self.outputs()[0])
        self.send(None, self.iris)
        *tables, preprocessor = self.outputs()
        self.assertEqual(tables, [None] * 4)
        self.assertIs(preprocessor.unlabelled, self.iris)
        self.assertEqual(self.widget.view.table.model.rowCount(), 0)
        self.assertIn("Connect Data", self.widget.view.message.text())
        self.assertIn("Nothing", self.widget.status.text())
        self.send(None, None)
        self.assertIsNone(self.outputs()[4].unlabelled)

    def test_nothing_is_left_after_bad_data(self):
        self.send(self.iris)
        self.send(self.iris[:50])
        self.assertEqual(self.outputs()[:4], [None] * 4)
        self.assertIsNotNone(self.outputs()[4])

    def test_labels_of_the_pool_do_not_matter(self):
        self.send(self.iris[::2], self.iris)
        before = self.outputs()[:4]
        shuffled = self.iris.copy()
        with shuffled.unlocked(shuffled.Y):
            np.random.RandomState(0).shuffle(shuffled.Y)
        self.send(self.iris[::2], shuffled)
        for first, second in zip(before, self.outputs()[:4], strict=True):
            self.assertTrue(equal_tables(first, second))

    def test_categorical_attributes_metas_and_time_stay(self):
        heart = Table("heart_disease")
        self.send(heart)
        data = self.outputs()[0]
        self.assertIn(heart.domain["gender"], data.domain.attributes)
        self.assertEqual(len(self.variables()), 6)
        zoo = Table("zoo")
        domain = Domain([zoo.domain["legs"], ContinuousVariable("x")],
                        zoo.domain.class_var, zoo.domain.metas)
        self.send(zoo.transform(domain))
        self.assertEqual(self.outputs()[2].domain.metas[0], zoo.domain.metas[0])

    def test_sparse_data(self):
        self.send(self.iris.to_sparse()[::2], self.iris.to_sparse())
        dense = self.create_widget(OWSADDDiscretize)
        self.send_signals([(dense.Inputs.data, self.iris[::2]),
                           (dense.Inputs.unlabelled, self.iris)], widget=dense)
        for first, second in zip(self.outputs()[0].domain.attributes,
                                 self.outputs(dense)[0].domain.attributes,
                                 strict=True):
            self.assertEqual(first.values, second.values)


class TestMessages(SADDDiscretizeTest, base.WidgetTest):
    def assert_only(self, *shown):
        groups = (self.widget.Error, self.widget.Warning, self.widget.Information)
        active = {msg for group in groups for msg in group.active}
        self.assertEqual(active, set(shown))

    def assert_error(self, data, error):
        self.send(data)
        self.assert_only(error)
        self.assertEqual(self.outputs()[:4], [None] * 4)
        self.assertEqual(self.widget.view.message.text(), "".join(error.formatted))
        self.assertIs(self.widget.view.currentWidget(), self.widget.view.message)
        self.send(self.iris)
        self.assert_only()
        self.assertIsNotNone(self.outputs()[0])

    def test_no_class(self):
        attributes = self.iris.domain.attributes
        two = [DiscreteVariable("a", "xy"), DiscreteVariable("b", "xy")]
        for domain, problem in (
                (Domain(attributes), "Data has no target."),
                (Domain(attributes[1:], attributes[0]),
                 "The target of Data, sepal length, is numeric."),
                (Domain(attributes, two), "Data has several targets.")):
            data = self.iris.transform(domain)
            self.send(data)
            self.assertIn(problem, str(self.widget.Error.no_class))
            self.assert_error(data, self.widget.Error.no_class)

    def test_no_numeric_variables(self):
        self.assert_error(Table("titanic"), self.widget.Error.no_numeric)

    def test_no_rows(self):
        self.assert_error(self.iris[:0], self.widget.Error.no_rows)

    def test_one_class(self):
        self.assert_error(self.iris[:50], self.widget.Error.one_class)
        self.assert_error(without_labels(self.iris, slice(50, None)),
                          self.widget.Error.one_class)

    def test_all_rows_unlabelled(self):
        self.assert_error(without_labels(self.iris, slice(None)),
                          self.widget.Error.all_unlabelled)

    def test_pool_shares_no_columns(self):
        self.send(self.iris, Table("housing"))
        self.assert_only(self.widget.Warning.no_shared_columns)
        self.assertIsNotNone(self.outputs()[0])
        self.assertIsNone(self.outputs()[1])
        self.assertIn("0 unlabelled", self.widget.status.text())

    def test_pool_lacks_columns(self):
        self.send(self.iris[::2], self.iris[1::2, :3])
        self.assert_only(self.widget.Warning.missing_columns)
        self.assertIn("petal width", str(self.widget.Warning.missing_columns))
        self.assertNotIn("petal length", str(self.widget.Warning.missing_columns))
        self.assertEqual(len(self.outputs()[1]), 75)

    def test_too_many_missing_values(self):
        data = self.iris.copy()
        with data.unlocked(data.X):
            data.X[:100, 1] = np.nan
            data.X[:, 2] = np.nan
        self.send(data)
        self.assert_only(self.widget.Warning.missing_values)
        text = str(self.widget.Warning.missing_values)
        self.assertIn("sepal width, petal length", text)
        self.widget.view.table.select("petal length")
        self.finish()
        self.assertIsNone(self.widget.view.picture)
        plot = self.widget.view.cut_plot
        self.assertIn("petal length has no values", plot.text.toPlainText())
        self.assertTrue(plot.text.isVisible())
        self.assertFalse(plot.getAxis("left").isVisible())
        # Not that all rows are equal or of one class
        self.assertEqual(self.widget.view.details.split_tree.text.toPlainText(), "")
        # Nor an empty list, or an axis of nothing
        self.assertTrue(self.widget.view.details.stories.isHidden())
        self.assertFalse(
            self.widget.view.details.split_tree.getAxis("left").isVisible())
        self.widget.view.table.select("petal width")
        self.finish()
        self.assertFalse(plot.text.isVisible())
        self.assertTrue(plot.getAxis("left").isVisible())
        self.assertFalse(self.widget.view.details.stories.isHidden())

    def test_pool_rows_already_in_data(self):
        self.send(self.iris[::2], self.iris[:51])
        self.assert_only(self.widget.Information.known_rows)
        self.assertIn("26 rows", str(self.widget.Information.known_rows))
        self.assertIn("75 labelled rows, 25 unlabelled", self.widget.status.text())

    def test_out_of_memory(self):
        with patch.object(explain, "label_rows", side_effect=MemoryError):
            self.send(self.iris[::2], self.iris[1::2])
        self.assert_only(self.widget.Error.out_of_memory)
        self.assertEqual(self.outputs()[:4], [None] * 4)
        self.assertIsNotNone(self.outputs()[4])
        self.widget.n0_spin.setValue(300)
        self.assertIsNotNone(self.outputs()[0])
        self.assert_only()

    def test_other_exceptions_are_reported(self):
        self.send(self.iris)
        self.widget.setInvalidated(True)
        with self.assertRaises(KeyError):
            self.widget.on_exception(KeyError("a bug"))
        self.assertFalse(self.widget.isInvalidated())
        self.assertEqual(self.outputs()[:4], [None] * 4)
        self.assertIs(self.widget.view.currentWidget(), self.widget.view.message)

    def test_messages_are_sentences(self):
        for group in (OWSADDDiscretize.Error, OWSADDDiscretize.Warning,
                      OWSADDDiscretize.Information, Errors, Warnings):
            for name, message in vars(group).items():
                if isinstance(message, Msg):
                    # What is wrong, which may be a sentence that is filled in, and
                    # what to do about it
                    self.assertRegex(message, r"(\.|;|^{}) .*\.$", name)


class TestStatusAndControls(SADDDiscretizeTest, base.WidgetTest):
    def test_status(self):
        self.send(self.iris[::2], self.iris)
        labels = self.widget.view.findings.labels
        text = self.widget.status.text()
        self.assertIn(f"k = {labels.k}, ", text)
        right, total = labels.score
        self.assertIn(f"{right} of {total} labelled rows right "
                      f"({100 * right / total:.0f} %)", text)
        self.assertIn("75 labelled rows, 75 unlabelled", text)
        self.assertIn("4 of 4 variables discretized", text)
        self.widget.controls.choose_k.buttons[1].click()
        self.finish()
        self.assertTrue(self.widget.status.text().startswith("k = 5, "))
        self.send(self.iris)
        self.assertIn("No unlabelled rows", self.widget.status.text())
        self.send(self.iris[::15], self.iris)
        self.widget.controls.choose_k.buttons[0].click()
        self.finish()
        self.assertIn("k = 1, ", self.widget.status.text())
        self.assertIn(" of 10 labelled rows right", self.widget.status.text())

    def test_controls_without_effect_are_disabled_and_say_why(self):
        controls = self.widget.controls
        neighbours = (controls.choose_k, controls.normalize)
        for control in neighbours:
            self.assertTrue(control.isEnabled())
        self.assertFalse(self.widget.k_spin.isEnabled())
        self.assertIn("fixed k", self.widget.k_spin.toolTip())
        controls.choose_k.buttons[1].click()
        self.assertTrue(self.widget.k_spin.isEnabled())

        self.send(self.iris)
        for control in (*neighbours, self.widget.k_spin):
            self.assertFalse(control.isEnabled())
            self.assertIn("no unlabelled rows", control.toolTip())
        # Also the title of a slider
        title, = (label for label in self.widget.findChildren(QLabel)
                  if label.text() == "Ignore below confidence:")
        self.assertFalse(title.isEnabled())
        self.send(without_labels(self.iris, slice(0, 3)))
        for control in (*neighbours, self.widget.k_spin):
            self.assertTrue(control.isEnabled())
            self.assertNotIn("no effect", control.toolTip())

        self.send(self.iris, self.iris)  # all of the pool is known
        self.assertFalse(controls.normalize.isEnabled())
        self.send(without_labels(self.iris, slice(None)))
        self.assertTrue(controls.normalize.isEnabled())


    def test_a_method_without_decisions_has_no_list_of_them(self):
        self.send(self.iris)
        details = self.widget.view.details
        for method, shown in (("EF", False), ("MDLP", True), ("EW", False)):
            choose_method(self.widget.method_combo, method)
            self.wait_until_finished()
            self.assertEqual(details.stories.isVisibleTo(details), shown)
        details.tree_button.click()
        details.tree_button.click()
        self.assertFalse(details.stories.isVisibleTo(details))
        self.assertTrue(details.split_tree.isVisibleTo(details))

    def test_a_method_is_not_compared_with_itself(self):
        combo = self.widget.controls.compared_method

        def is_enabled(method):
            index = combo.model().index(combo.findText(full_name(method)), 0)
            return bool(index.flags() & Qt.ItemIsEnabled)

        self.assertFalse(is_enabled("SADD"))
        self.assertTrue(is_enabled("MDLP"))
        choose_method(self.widget.method_combo, "MDLP")
        self.assertEqual(self.widget.compared_method, "SADD")
        self.assertEqual(combo.currentText(), full_name("SADD"))
        self.assertFalse(is_enabled("MDLP"))
        self.assertTrue(is_enabled("SADD"))

    def test_methods_come_from_the_table_of_methods(self):
        combo = self.widget.method_combo
        self.assertEqual([combo.itemText(i) for i in range(combo.count())],
                         list(map(full_name, DISCRETIZERS)))
        self.assertEqual(combo.findText("Equal width (EW)"), 5)
        tip = combo.itemData(combo.findText(full_name("PKID")), Qt.ToolTipRole)
        self.assertIn(DISCRETIZERS["PKID"].description, " ".join(tip.split()))

    def test_parameters_of_every_method(self):
        self.send(self.iris)
        for method, entry in DISCRETIZERS.items():
            choose_method(self.widget.method_combo, method)
            shown = {name for (_, name), control
                     in self.widget.method_numbers.controls.items()
                     if control.isVisibleTo(self.widget)}
            self.assertEqual(shown, {parameter.name for parameter in entry.parameters
                                     if parameter.title})
        controls = self.widget.method_numbers.controls
        for method, name, value in (("EW", "n_bins", 3), ("FFD", "frequency", 50),
                                    ("ChiMerge", "alpha", .2)):
            choose_method(self.widget.method_combo, method)
            controls[method, name].spin.setValue(value)
            self.finish()
            data, *_, preprocessor = self.outputs()
            expected = make_discretization(method, **{name: value})
            self.assertEqual(repr(preprocessor.method), repr(expected))
            self.assertTrue(equal_tables(data, preprocessor(self.iris)))
            self.assertTrue(equal_tables(data, pickle.loads(
                pickle.dumps(preprocessor))(self.iris)))
        optional = controls["ChiMerge", "max_intervals"]
        self.assertIsNone(optional.value)
        self.assertFalse(optional.spin.isEnabled())
        optional.check.click()
        optional.spin.setValue(2)
        self.finish()
        self.assertTrue(all(row.intervals <= 2 for row in self.variables()))
        self.widget.report_html = ""
        self.widget.send_report()
        self.assertIn("Maximum intervals", self.widget.report_html)

    def test_a_compared_method_has_the_parameters_that_it_had(self):
        self.send(self.iris)
        choose_method(self.widget.method_combo, "EW")
        self.widget.method_numbers.controls["EW", "n_bins"].spin.setValue(3)
        choose_method(self.widget.method_combo, "SADD")
        choose_method(self.widget.controls.compared_method, "EW")
        self.finish()
        self.assertEqual({row.compared_intervals for row in self.variables()}, {3})
        self.assertIn("Intervals: 3", self.widget.controls.compared_method.toolTip())

    def cuts_found_with(self, n0):
        return self.widget.view.findings.parameters.numbers["n0"] == n0

    def test_slider(self):
        self.send(self.iris)
        control = self.widget.method_numbers.controls["SADD", "n0"]
        before, cuts = self.outputs()[0], self.widget.cuts_label.text()
        self.assertRegex(cuts, r"^\d+ cuts$")
        self.assertEqual(control.slider.value(), round(20 * np.log10(2000)))
        control.slider.setSliderDown(True)
        control.slider.setValue(control.slider.minimum())
        self.process_events(lambda: self.cuts_found_with(1))
        self.assertEqual(self.widget.n0_spin.value(), 1)
        self.assertNotEqual(self.widget.cuts_label.text(), cuts)
        self.assertIs(self.outputs()[0], before, "sent while dragged")
        control.slider.setValue(80)
        control.slider.setValue(40)
        self.process_events(lambda: self.cuts_found_with(100))
        control.slider.setSliderDown(False)
        self.finish()
        self.assertIsNot(self.outputs()[0], before)
        self.assertEqual(self.outputs()[4].n0, 100)
        self.assertEqual(self.widget.method_parameters["SADD"]["n0"], 100)

    def test_large_data_is_cut_when_the_slider_is_released(self):
        with patch.object(explain, "SMALL", 10):
            self.send(self.iris)
            control = self.widget.method_numbers.controls["SADD", "n0"]
            control.slider.setSliderDown(True)
            control.slider.setValue(40)
            self.assertIsNone(self.widget.task)
            control.slider.setSliderDown(False)
            self.assertIsNotNone(self.widget.task)
            self.finish()
        self.assertEqual(self.outputs()[4].n0, 100)

    def test_comparison(self):
        self.send(self.iris)
        mdlp = explain.Analysis(self.iris)
        found = mdlp.find_cuts(Parameters("MDLP"))
        for index, (row, cuts) in enumerate(
                zip(self.variables(), found.cut_points, strict=True)):
            self.assertEqual(row.compared_intervals, len(cuts) + 1)
            self.assertAlmostEqual(row.compared_information,
                                   mdlp.count(index, cuts).information)
        self.assertEqual(self.widget.view.table.model.columnCount(), 6)
        simulate.combobox_activate_item(
            self.widget.controls.compared_method, "(none)")
        self.finish()
        self.assertEqual(self.widget.compared_method, "")
        self.assertEqual(self.widget.view.table.model.columnCount(), 4)

    def test_apply_by_hand(self):
        self.widget.controls.autocommit.click()
        self.send(self.iris)  # new data is sent at once
        before = self.outputs()[0]
        self.assertIsNotNone(before)
        choose_method(self.widget.method_combo, "EW")
        self.finish()
        self.assertIs(self.outputs()[0], before)
        self.assertEqual(self.variables()[0].intervals, 10)
        self.widget.commit.now()
        self.assertEqual(len(self.outputs()[0].domain[0].values), 10)


    def test_settings_changed_while_new_data_is_computed(self):
        self.widget.controls.autocommit.click()
        self.send(self.iris)
        self.send_signal(self.widget.Inputs.data, self.iris[::3])
        self.widget.n0_spin.setValue(50)
        self.finish()
        self.assertEqual(len(self.outputs()[0]), 50)


class TestWhatIsRecomputed(SADDDiscretizeTest, base.WidgetTest):
    def setUp(self):
        super().setUp()
        self.calls = []

        def counted(name):
            function = getattr(explain, name)

            def call(*args, **kwargs):
                self.calls.append((name, *[type(arg).__name__ for arg in args
                                           if "Discretizer" in type(arg).__name__]))
                return function(*args, **kwargs)
            return patch.object(explain, name, call)

        for name in ("label_rows", "find_cuts"):
            mock = counted(name)
            mock.start()
            self.addCleanup(mock.stop)
        self.send(self.iris[::2], self.iris)
        self.assertEqual(self.calls, [("label_rows", "SADDDiscretizer"),
                                      ("find_cuts", "SADDDiscretizer"),
                                      ("find_cuts", "MDLPDiscretizer")])
        self.calls.clear()

    def test_n0_does_not_redo_neighbours_nor_comparison(self):
        self.widget.n0_spin.setValue(50)
        self.finish()
        self.assertEqual(self.calls, [("find_cuts", "SADDDiscretizer")])

    def test_comparison_does_not_redo_the_method(self):
        combo = self.widget.controls.compared_method
        choose_method(combo, "CAIM")
        self.finish()
        self.assertEqual(self.calls, [("find_cuts", "CAIMDiscretizer")])
        simulate.combobox_activate_item(combo, "(none)")
        choose_method(combo, "MDLP")
        self.finish()
        self.assertEqual(len(self.calls), 1)

    def test_neighbours_redo_sadd_only(self):
        self.widget.controls.normalize.click()
        self.finish()
        self.assertEqual(self.calls, [("label_rows", "SADDDiscretizer"),
                                      ("find_cuts", "SADDDiscretizer")])

    def test_output_options_and_edits_redo_nothing(self):
        self.widget.controls.remove_const.click()
        self.finish()
        self.widget.view.cut_plot.add_cut(7.)
        self.finish()
        self.assertEqual(self.calls, [])

    def test_new_data_redoes_all(self):
        self.send(self.iris[1::2], self.iris)
        self.assertEqual(len(self.calls), 3)


class TestCancel(SADDDiscretizeTest, base.WidgetTest):
    """Neighbours that take minutes, unless somebody does not want them."""

    def setUp(self):
        super().setUp()
        self.started = False
        self.cancelled = threading.Event()
        mock = patch.object(explain, "label_rows", self.label_slowly)
        mock.start()
        self.addCleanup(mock.stop)

    def label_slowly(self, rows, estimator, callback):
        self.started = True
        try:
            for _ in range(100 * PATIENCE):
                callback(0.1)
                time.sleep(0.01)
        except Cancelled:
            self.cancelled.set()
            raise
        raise AssertionError("was not cancelled")

    def assert_cancelled(self):
        self.assertTrue(self.cancelled.wait(PATIENCE))

    def start(self, widget=None):
        widget = widget or self.widget
        self.send_signals([(widget.Inputs.data, self.iris[::2]),
                           (widget.Inputs.unlabelled, self.iris)], widget=widget)
        self.process_events(lambda: self.started)
        self.assertTrue(widget.isInvalidated())

    def test_progress_is_shown(self):
        self.start()
        self.process_events(lambda: self.widget.progressBarValue > 0)
        self.assertIn("Discretizing", self.widget.view.message.text())

    def test_new_data_cancels(self):
        self.start()
        self.send(self.iris[:100])
        self.assertEqual(len(self.outputs()[0]), 100)
        self.assert_cancelled()

    def test_removing_data_cancels(self):
        self.start()
        self.send_signals([(self.widget.Inputs.data, None)])
        self.assertFalse(self.widget.isInvalidated())
        self.assertIsNone(self.outputs()[0])
        self.assert_cancelled()

    def test_deleting_the_widget_cancels(self):
        widget = self.create_widget(OWSADDDiscretize)
        self.start(widget)
        widget.onDeleteWidget()
        self.assert_cancelled()

    def test_stop_keeps_what_was_applied_by_hand(self):
        self.widget.controls.autocommit.click()
        with patch.object(explain, "label_rows", label_rows):
            self.send(self.iris[::2], self.iris)
        before = self.outputs()[0]
        self.widget.controls.normalize.click()
        self.process_events(lambda: self.started)
        self.widget.stop_button.click()
        self.assertIs(self.outputs()[0], before)

    def test_stop_and_start_again(self):
        button = self.widget.stop_button
        self.assertFalse(button.isEnabled())
        self.assertIn("Nothing", button.toolTip())
        self.start()
        self.assertTrue(button.isEnabled())
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
        self.assertEqual(button.text(), "Stop")
        self.assertFalse(button.isEnabled())


class TestEditedCuts(SADDDiscretizeTest, base.WidgetTest):
    def edit(self, cuts, name="petal width"):
        self.widget.view.table.select(name)
        self.finish()
        self.widget.view.cut_plot.cuts_edited.emit(cuts)

    def row(self, name="petal width"):
        return next(row for row in self.variables() if row.variable.name == name)

    def test_edited_cuts_are_used(self):
        self.send(self.iris[::2], self.iris)
        self.edit([1.])
        row = self.row()  # at once, that is, before the task has finished
        self.assertTrue(row.edited)
        self.assertEqual(row.intervals, 2)
        expected = explain.Analysis(self.iris[::2])
        counts = expected.count(3, [1.])
        self.assertAlmostEqual(row.share, counts.share)
        self.finish()
        self.assertAlmostEqual(self.row().share, counts.share)
        data, unlabelled, _, cut_points, preprocessor = self.outputs()
        self.assertEqual(data.domain["petal width"].compute_value.points, [1.])
        self.assertEqual(unlabelled.domain, data.domain)
        self.assertEqual(sum(str(row["Variable"]) == "petal width"
                             for row in cut_points), 2)
        self.assertNotEqual(
            preprocessor(self.iris[::2]).domain["petal width"].compute_value.points,
            [1.])
        self.assertTrue(self.widget.Information.edited.is_shown())
        self.assertEqual(self.widget.edited_cuts,
                         [["petal width", "continuous", [1.]]])

    def test_preprocessor_may_carry_edited_cuts(self):
        self.send(self.iris[::2], self.iris)
        self.edit([1.])
        self.finish()
        self.assertIn("ignores", str(self.widget.Information.edited))
        self.widget.controls.carry_edits.click()
        self.finish()
        self.assertIn("carries", str(self.widget.Information.edited))
        preprocessor = self.outputs()[4]
        for other in (preprocessor, pickle.loads(pickle.dumps(preprocessor)),
                      deepcopy(preprocessor)):
            for data in (self.iris[1::2], self.iris[::3], self.iris[:60]):
                domain = other(data).domain
                self.assertEqual(domain["petal width"].compute_value.points, [1.])
                expected = other.discretize(data).domain
                self.assertEqual(domain["petal length"], expected["petal length"])
        self.assertEqual(
            len(preprocessor(self.iris[:, ["sepal length", "iris"]])), 150)
        self.send(None)
        data = self.outputs()[4](self.iris)
        self.assertEqual(data.domain["petal width"].compute_value.points, [1.])
        self.widget.controls.carry_edits.click()
        self.assertIsInstance(self.outputs()[4], SADDDiscretize)

    def test_reset(self):
        self.send(self.iris)
        before = self.outputs()[0]
        self.assertFalse(self.widget.view.reset_button.isEnabled())
        self.edit([1.])
        self.edit([3.], "petal length")
        self.finish()
        self.widget.view.reset_button.click()
        self.finish()
        self.assertFalse(self.row("petal length").edited)
        self.assertTrue(self.row().edited)
        self.widget.view.reset_all_button.click()
        self.finish()
        self.assertFalse(self.row().edited)
        self.assertTrue(equal_tables(self.outputs()[0], before))
        self.assertEqual(self.widget.edited_cuts, [])
        self.assertFalse(self.widget.Information.edited.is_shown())
        self.assertFalse(self.widget.view.reset_all_button.isEnabled())

    def test_undo_and_redo(self):
        self.send(self.iris)
        undo, redo = (
            next(action for action in self.widget.findChildren(QAction)
                 if action.text().startswith(text)) for text in ("Undo", "Redo"))
        self.assertFalse(undo.isEnabled())
        self.edit([1.])
        self.edit([1., 2.])
        undo.trigger()
        self.finish()
        self.assertEqual(self.outputs()[0].domain["petal width"].compute_value.points,
                         [1.])
        self.widget.view.table.select("sepal width")
        undo.trigger()
        self.finish()
        self.assertFalse(self.row().edited)
        self.assertEqual(self.widget.view.variable.name, "petal width")
        redo.trigger()
        self.assertTrue(self.row().edited)
        self.send(self.iris)
        self.assertFalse(undo.isEnabled())
        self.assertTrue(self.row().edited, "edits belong to the workflow")

    def test_edits_are_kept_by_name_and_type(self):
        self.send(self.iris)
        self.edit([1.])
        self.send(self.iris[:, ["sepal width", "petal width", "iris"]])
        self.assertEqual(self.outputs()[0].domain["petal width"].compute_value.points,
                         [1.])
        self.send(Table("heart_disease"))
        self.assertFalse(any(row.edited for row in self.variables()))
        self.assertFalse(self.widget.Information.edited.is_shown())
        self.send(self.iris)
        self.assertTrue(self.row().edited)

    def test_a_variable_may_be_left_without_cuts(self):
        self.send(self.iris)
        self.edit([])
        self.finish()
        self.assertNotIn("petal width", self.outputs()[0].domain)
        self.assertEqual(self.row().information, 0)

    def test_drag_with_the_mouse(self):
        self.widget.resize(900, 700)
        self.widget.show()
        self.send(self.iris)
        self.widget.view.table.select("petal width")
        self.finish()
        plot = self.widget.view.cut_plot
        before = list(plot.cuts)
        for _ in range(2):  # lines are made anew in the midst of the first
            target = plot.cuts[0] + .1
            drag_cut(plot, plot.cuts[0], target, height=5)
            self.finish()
            self.assertAlmostEqual(plot.cuts[0], target, delta=.03)
        self.assertEqual(plot.cuts[1:], before[1:])
        points = self.outputs()[0].domain["petal width"].compute_value.points
        self.assertEqual(points, plot.cuts)
        self.widget.hide()

    def test_a_decision_under_the_mouse_is_marked(self):
        self.send(self.iris)
        view = self.widget.view
        decision = next(d for d in view.details.split_tree.decisions if d.lower > 0)
        view.details.split_tree.hovered.emit(decision)
        self.assertTrue(view.cut_plot.region.isVisible())
        self.assertEqual(view.cut_plot.region.getRegion()[0], decision.lower)
        view.details.split_tree.hovered.emit(None)
        self.assertFalse(view.cut_plot.region.isVisible())

    def test_selected_data(self):
        self.send(self.iris)
        self.widget.view.table.select("petal width")
        self.finish()
        plot, output = self.widget.view.cut_plot, self.widget.Outputs.selected_data
        self.assertIsNone(self.get_output(output))
        plot.select_interval((plot.cuts[0], plot.cuts[1]))
        self.process_events(lambda: self.widget.selector.task is None)
        selected, values = self.get_output(output), self.iris.X[:, 3]
        np.testing.assert_array_equal(selected.ids, self.iris.ids[
            (values >= plot.cuts[0]) & (values < plot.cuts[1])])
        self.assertEqual(selected.domain, self.iris.domain)
        self.widget.controls.remove_const.click()
        self.finish()
        self.assertEqual(self.get_output(output), selected, "nothing has changed")
        self.widget.view.table.select("sepal width")
        self.finish()
        self.assertIsNone(self.get_output(output))
        plot.select_interval((-np.inf, plot.cuts[0]))
        self.process_events(lambda: self.widget.selector.task is None)
        self.assertIsNotNone(self.get_output(output))
        plot.select_interval(plot._intervals()[-1])
        self.send(None)
        self.assertIsNone(self.get_output(output))

    def test_tooltips_of_intervals(self):
        self.send(self.iris[::2], self.iris)
        view = self.widget.view
        text = view.cut_plot.describe_interval(0)
        name, n_rows = text.split(": ")[0], int(text.split(": ")[1].split()[0])
        cut = view.cut_plot.cuts[0]
        self.assertEqual(name, f"sepal length < {cut:.4g}")
        self.assertEqual(n_rows, (self.iris.X[:, 0] < cut).sum())
        self.assertIn("with a pseudo-label", text)
        self.assertIn("Iris-setosa: ", text)

    def test_stability(self):
        self.send(self.iris[::5], self.iris)
        view = self.widget.view
        button = view.details.stability_button
        button.click()
        self.assertIn("Stop", button.text())
        self.process_events(lambda: view.details.stability.task is None)
        self.assertEqual(button.text(), "Check Stability")
        self.assertEqual(len(view.details.resampled), 20)
        again = self.create_widget(OWSADDDiscretize)
        self.assertEqual(again.view.details.resampled, [])
        xs = view.cut_plot.cut_lines.resampled.getData()[0]
        np.testing.assert_array_equal(
            xs[::2], np.concatenate([cuts[0] for cuts in view.details.resampled]))
        self.assertRegex(view.cut_plot.describe_cut(0),
                         r"Found again in \d+ of 20 resamples")
        view.table.select("petal width")
        self.finish()
        self.assertFalse(np.array_equal(
            view.cut_plot.cut_lines.resampled.getData()[0], xs))
        self.edit([1.])
        self.finish()
        self.assertEqual(len(view.details.resampled), 20, "cuts are the same")
        self.widget.n0_spin.setValue(3)
        self.finish()
        self.assertEqual(view.details.resampled, [])

    def test_stability_can_be_stopped(self):
        self.send(self.iris[::5], self.iris)
        view = self.widget.view
        view.details.stability_button.click()
        self.process_events(lambda: len(view.details.resampled) > 0)
        view.details.stability_button.click()
        self.assertIsNone(view.details.stability.task)
        self.assertEqual(view.details.stability_button.text(), "Check Stability")
        view.details.stability_button.click()
        self.send(None)
        self.assertIsNone(view.details.stability.task)

    def test_cuts_by_weak_labels(self):
        heart = Table("heart_disease")
        rng = np.random.RandomState(0)
        order = rng.permutation(len(heart))
        self.send(heart[order[:30]], heart[order[30:]])
        before = self.widget.view.findings.found
        self.assertNotIn("ignored", self.widget.status.text())
        self.widget.confidence_slider.setValue(90)
        self.finish()
        findings = self.widget.view.findings
        self.assertIs(findings.all_found, before)
        expected = [set(old) - set(new) for old, new in zip(
            before.cut_points, findings.found.cut_points, strict=True)]
        self.assertGreater(sum(map(len, expected)), 0)
        self.assertEqual(findings.n_weak, sum(map(len, expected)))
        self.assertIn("on labels that are ignored", self.widget.status.text())
        index = int(np.argmax(list(map(len, expected))))
        self.widget.view.table.select(self.variables()[index].variable.name)
        self.finish()
        lines = self.widget.view.cut_plot.cut_lines.weak_lines
        self.assertEqual({line.value() for line in lines}, expected[index])
        self.assertIn("below 90%", lines[0]._describe())

    def test_tooltips_of_cuts(self):
        self.send(self.iris)
        view = self.widget.view
        self.assertIn("adapted threshold", view.cut_plot.describe_cut(0).lower())
        self.edit([1.])
        text = view.cut_plot.describe_cut(0)
        self.assertIn("Cut at 1", text)
        self.assertIn("50 rows in the interval below, 100 in that above", text)

    def test_a_picture_that_is_not_replaced_yet_edits_no_other_variable(self):
        self.send(self.iris)
        view = self.widget.view
        self.assertEqual(view.variable.name, "sepal length")
        view.table.select("petal width")
        self.assertIsNone(view.picture)
        view.cut_plot.add_cut(7.)
        self.assertEqual(view.cut_plot.describe_cut(0), "")
        self.finish()
        self.assertEqual(self.widget.edited_cuts, [])

    def test_dragging_updates_the_table_at_once(self):
        self.send(self.iris)
        self.widget.view.table.select("petal width")
        self.finish()
        before = self.row()
        cuts = list(self.widget.view.cut_plot.cuts)
        self.widget.view.cut_plot.cuts_dragged.emit([cuts[0] - .3, *cuts[1:]])
        self.assertLess(self.row().information, before.information)
        self.assertEqual(self.widget.edited_cuts, [])


class TestSettings(SADDDiscretizeTest, base.WidgetTest):
    def test_a_saved_workflow_gives_the_same_outputs(self):
        widget = self.widget
        choose_method(widget.controls.compared_method, "CAIM")
        widget.n0_spin.setValue(300)
        widget.controls.choose_k.buttons[1].click()
        widget.k_spin.setValue(7)
        widget.controls.normalize.click()
        self.send(self.iris[::2], self.iris)
        widget.view.table.select("petal length")
        self.finish()
        widget.view.cut_plot.cuts_edited.emit([2., 4.])
        widget.view.table.sort(2, 1)
        before = self.outputs()
        settings = widget.settingsHandler.pack_data(widget)
        self.assertEqual(settings["__version__"], 3)

        again = self.create_widget(OWSADDDiscretize, stored_settings=settings)
        self.send_signals([(again.Inputs.data, self.iris[::2]),
                           (again.Inputs.unlabelled, self.iris)], widget=again)
        self.finish(again)
        for first, second in zip(before[:4], self.outputs(again)[:4], strict=True):
            self.assertTrue(equal_tables(first, second))
        self.assertEqual(repr(before[4]), repr(self.outputs(again)[4]))
        self.assertEqual(again.view.variable.name, "petal length")
        self.assertEqual(again.sorting, (2, 1))
        self.assertEqual(again.compared_method, "CAIM")

    def test_parameters_of_older_workflows(self):
        for stored, expected in (
                ({"n0": 500, "__version__": 2}, 500), ({"n0": -3}, 2000),
                ({"method_parameters": {"SADD": {"n0": 30, "x": 1}, "EW": 3},
                  "__version__": 3}, 30),
                ({"method_parameters": [], "__version__": 3}, 2000)):
            widget = self.create_widget(OWSADDDiscretize, stored_settings=stored)
            self.assertEqual(widget.n0_spin.value(), expected)
            self.assertEqual(self.outputs(widget)[4].n0, expected)

    def test_first_opening_fits_the_screen(self):
        screen = QGuiApplication.primaryScreen().availableSize()
        hint = self.widget.sizeHint()
        self.assertLessEqual(hint.width(), .9 * screen.width() + 1)
        self.assertLessEqual(hint.height(), .9 * screen.height() + 1)

    def test_without_data_the_preprocessor_is_ready(self):
        self.assertIn("Preprocessor is ready", self.widget.view.message.text())

    def test_edits_are_not_saved_as_defaults(self):
        self.send(self.iris)
        self.widget.view.cut_plot.cuts_edited.emit([5.])
        self.widget.saveSettings()
        self.assertEqual(self.create_widget(OWSADDDiscretize).edited_cuts, [])

    def test_settings_are_plain(self):
        self.send(self.iris)
        self.widget.view.cut_plot.cuts_edited.emit([5.])
        settings = pickle.dumps(self.widget.settingsHandler.pack_data(self.widget))
        self.assertNotIn(b"orangecontrib", settings)
        self.assertNotIn(b"numpy", settings)


class TestReportAndPicture(SADDDiscretizeTest, base.WidgetTest):
    def test_report(self):
        self.widget.send_report()
        self.send(self.iris[::2], self.iris)
        self.widget.report_html = ""
        self.widget.send_report()
        for text in ("Semi-supervised", "petal width", "Information kept", "<img",
                     "Cuts", " · ".join(map("{:.4g}".format, self.variables()[3].cuts)),
                     "Decisions about sepal length", "labelled rows"):
            self.assertIn(text, self.widget.report_html)

    def test_copy_and_save_picture(self):
        self.send(self.iris)
        self.widget.copy_to_clipboard()
        picture = self.widget.view.cut_plot.plotItem
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.png"
            PngFormat.write_image(str(path), picture)
            self.assertGreater(path.stat().st_size, 1000)

    def test_odd_data(self):
        rng = np.random.RandomState(0)
        X = rng.normal(size=(40, 4))
        X[:5, 0] = np.inf
        X[5:9, 1] = -np.inf
        X[:, 2] = 3
        X[:, 3] *= 1e300
        domain = Domain([ContinuousVariable(name) for name in "abcd"],
                        DiscreteVariable("y", ("u", "v", "never")))
        data = Table.from_numpy(domain, X, (X[:, 0] > 0).astype(float))
        self.send(data)
        for name in "abcd":
            self.widget.view.table.select(name)
            self.finish()
        self.assertEqual(len(self.outputs()[0]), 40)

    def test_already_discretized_data_is_named_as_such(self):
        self.send(Discretize(EqualWidth(3))(self.iris))
        self.assertTrue(self.widget.Error.no_numeric.is_shown())


if __name__ == "__main__":
    import unittest

    unittest.main()
