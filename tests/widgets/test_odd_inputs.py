"""Both widgets with unusual names, values, weights and settings.

Test methods with long descriptive names omit docstrings.
"""

import gc
import warnings
import weakref
from contextlib import suppress

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    Table,
)
from Orange.projection import PCA
from Orange.widgets.tests.utils import simulate
from orangewidget.tests.utils import excepthook_catch

from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tests.widgets.bases import WidgetTest

WIDGETS = OWSADDDiscretize, OWRNBPlus


def make_table(X, classes=("a", "b"), y=None):
    """A table with columns x0, x1, ... and alternating classes."""
    domain = Domain([ContinuousVariable(f"x{i}") for i in range(X.shape[1])],
                    DiscreteVariable("y", classes))
    if y is None:
        y = np.arange(len(X)) % len(classes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of infinity, which is set below
        table = Table.from_numpy(domain, np.nan_to_num(X), y)
    with table.unlocked(table.X):
        table.X[:] = X
    return table


def weighted(table):
    """A copy of a table with weights."""
    table = table.copy()
    with table.unlocked():
        table.set_weights(2.)
    return table


def n0_spin(widget):
    """The control for N0."""
    return widget.main_parameters.controls["SADD", "n0"].spin


class OddInputsTest:
    """Base class of the tests below."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.iris = Table("iris")

    def run(self, result=None):
        # An exception in a slot would end the process
        with excepthook_catch():
            return super().run(result)

    def both(self, **settings):
        """Both widgets, one after the other."""
        for cls in WIDGETS:
            yield self.create_widget(cls, stored_settings=settings or None)

    def send(self, widget, data, unlabelled=None):
        inputs = widget.Inputs
        self.send_signals([(inputs.data, data), (inputs.unlabelled, unlabelled)],
                          widget=widget)
        self.wait_until_finished(widget)

    def main_output(self, widget):
        """The discretized data, or the model."""
        output = widget.Outputs.data if isinstance(widget, OWSADDDiscretize) \
            else widget.Outputs.model
        return self.get_output(output, widget=widget)


class TestNames(OddInputsTest, WidgetTest):
    def test_classes_named_like_columns_of_outputs(self):
        names = ("Variable", "Interval", "From", "To", "Rows", "Unlabelled rows",
                 "Attribute", "w", "alpha", "w (1)", "Confidence", "Source", "x0")
        X = np.random.RandomState(0).normal(size=(130, 2))
        data = make_table(X + np.arange(130)[:, None] % 13 * 5, names)
        for widget in self.both():
            self.send(widget, data)
            self.assertIsNotNone(self.main_output(widget))
            for output in widget.get_signals("outputs"):
                table = self.get_output(output.name, widget=widget)
                if isinstance(table, Table):
                    found = [var.name for var in
                             (*table.domain.variables, *table.domain.metas)]
                    self.assertEqual(len(found), len(set(found)))

    def test_classes_keep_their_names_in_outputs(self):
        names = ("Variable", "Interval")
        X = np.repeat([[0.], [1.]], 20, axis=0)
        data = make_table(X, names, np.repeat([0, 1], 20))
        widget = self.create_widget(OWSADDDiscretize)
        self.send(widget, data)
        table = self.get_output(widget.Outputs.cut_points, widget=widget)
        attributes = [var.name for var in table.domain.attributes]
        self.assertEqual(attributes[-2:], list(names))
        np.testing.assert_array_equal(table.X[:, -2:], [[20, 0], [0, 20]])
        self.assertEqual([str(row.metas[0]) for row in table], ["x0", "x0"])


class TestPools(OddInputsTest, WidgetTest):
    def test_no_rows_and_computed_columns(self):
        projected = PCA(n_components=2)(self.iris)(self.iris)
        for widget in self.both():
            self.send(widget, projected, projected[:0])
            self.assertEqual(
                [*widget.Error.active, *widget.Warning.active], [])
            self.assertIsNotNone(self.main_output(widget))
            self.send(widget, projected, self.iris[:0])
            self.assertIsNotNone(self.main_output(widget))

    def test_rows_of_a_pool_without_weights_have_a_weight_of_one(self):
        widget = self.create_widget(OWSADDDiscretize)
        self.send(widget, weighted(self.iris[::2]), self.iris[1::2])
        table = self.get_output(widget.Outputs.pseudo_labelled, widget=widget)
        np.testing.assert_array_equal(table.W, np.repeat([2., 1.], 75))

    def test_infinite_values_count_in_the_widget_as_in_scripts(self):
        rng = np.random.RandomState(0)
        X = rng.normal(size=(400, 1))
        data = make_table(X, y=(X[:, 0] > 0).astype(float))
        X = np.append(rng.normal(size=300), np.repeat(np.inf, 100))[:, None]
        pool = make_table(X)
        widget = self.create_widget(OWSADDDiscretize)
        self.send(widget, data, pool)
        preprocessor = self.get_output(widget.Outputs.preprocessor, widget=widget)
        self.assertEqual(self.main_output(widget).domain, preprocessor(data).domain)
        unlabelled = self.get_output(widget.Outputs.unlabelled, widget=widget)
        self.assertFalse(np.isnan(unlabelled.X).any())


class TestSettings(OddInputsTest, WidgetTest):
    def test_an_unknown_method_is_replaced_and_named(self):
        for widget in self.both(method="Fancy", discretization="Fancy"):
            for data in (None, self.iris):
                self.send(widget, data)
                self.assertIn("Fancy", str(widget.Warning.unknown_method))
            self.assertEqual(widget.method_combo.currentIndex(), 0)
            self.assertIsNotNone(self.main_output(widget))
            n0_spin(widget).setValue(77)
            self.wait_until_finished(widget)
            self.assertTrue(widget.Warning.unknown_method.is_shown())
            simulate.combobox_activate_index(widget.method_combo, 1)
            self.wait_until_finished(widget)
            self.assertFalse(widget.Warning.unknown_method.is_shown())


class TestValues(OddInputsTest, WidgetTest):
    COLUMNS = {
        "constant": np.repeat(1.7e18, 40),
        "constant, largest": np.repeat(np.finfo(float).max, 40),
        "steps of rounding": 1.7e18 + 256. * np.repeat(np.arange(4), 10),
        "halves": np.repeat([-1e308, 1e308], 20),
        "wide": np.linspace(-1.7, 1.7, 40) * 1e308,
        "tiny": np.repeat([0, 5e-324], 20),
        "narrow": np.linspace(1, 1 + 1e-14, 40),
        "infinite": np.repeat([-np.inf, np.inf], 20),
        "half infinite": np.append(np.arange(20.), np.repeat(np.inf, 20)),
    }

    def test_values_and_their_pictures(self):
        X = np.column_stack(list(self.COLUMNS.values()))
        data = make_table(X, y=np.repeat([0., 1], 20))
        for widget in self.both():
            self.send(widget, data)
            self.assertEqual(list(widget.Error.active), [])
            self.assertIsNotNone(self.main_output(widget))
            if isinstance(widget, OWSADDDiscretize):
                self.check_pictures(widget, X)

    def check_pictures(self, widget, X):
        widget.resize(900, 700)
        widget.show()
        view = widget.view
        for index, name in enumerate(self.COLUMNS):
            with self.subTest(name):
                view.table.view.select(f"x{index}")
                self.wait_until_finished(widget)
                view.cut_plot.add_cut(sum(view.cut_plot.viewRange()[0]) / 2)
                self.wait_until_finished(widget)
                self.assertFalse(widget.grab().isNull())
                if view.cut_plot.picture is None:
                    self.assertEqual(name, "infinite")
                    continue
                self.assertTrue((np.diff(view.cut_plot.picture.edges) > 0).all())
                finite = np.isfinite(X[:, index]).sum()
                self.assertEqual(view.cut_plot.picture.labelled.sum(), finite)
                low, high = view.cut_plot.viewRange()[0]
                self.assertTrue(np.isfinite([low, high, high - low]).all())
                self.assertLess(low, high)
        widget.hide()

    def test_a_class_that_is_an_id(self):
        rows = np.arange(30.)
        for widget in self.both():
            with self.subTest(widget.name):
                for y, shown in ((rows, True), (rows // 15, False)):
                    self.send(widget, make_table(
                        rows[:, None], list(map(str, range(30))), y))
                    self.assertEqual(widget.Warning.class_is_id.is_shown(), shown)


class TestMemory(OddInputsTest, WidgetTest):
    def test_results_are_released_when_replaced_or_data_is_removed(self):
        for widget in self.both():
            data = self.iris[::2].copy()
            self.send(widget, data, self.iris[1::2].copy())
            results = self.results(widget)
            self.assertGreater(len(results), 2)
            n0_spin(widget).setValue(300)
            self.wait_until_finished(widget)
            self.assert_released(results)
            results = [*self.results(widget), weakref.ref(data)]
            del data
            self.send(widget, None, None)
            self.assert_released(results)

    def results(self, widget):
        """Weak references to what a widget sends, but for the pool."""
        outputs = [self.get_output(output.name, widget=widget)
                   for output in widget.get_signals("outputs")]
        return [weakref.ref(output) for output in outputs if output is not None]

    def assert_released(self, results):
        def alive():
            gc.collect()
            return [type(ref()) for ref in results if ref() is not None]

        # A thread may hold the last task for a moment after it has ended
        with suppress(TimeoutError):
            self.process_events(lambda: not alive())
        self.assertEqual(alive(), [])
