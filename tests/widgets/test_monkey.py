"""A monkey at both widgets: random signals, settings, edits, stops and deletions.

After each step no exception has been raised; whenever a widget has finished, what it
sends belongs to what it was given. ``SADD_MONKEY_STEPS=5000`` makes the monkey patient,
``SADD_MONKEY_SEED=7`` makes it another one.

Test methods with long descriptive names omit docstrings.
"""

import os
import pickle
import sys
import threading
import traceback
from functools import cache

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.classification import MajorityLearner
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    TimeVariable,
)
from Orange.preprocess import Discretize, Normalize, Scale
from Orange.preprocess.discretize import EntropyMDL
from Orange.projection import PCA
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate

from orangecontrib.sadd.explain.analysis import Analysis, find_obstacle
from orangecontrib.sadd.explain.findings import find
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tests.widgets.test_odd_inputs import make_table, weighted

STEPS = int(os.environ.get("SADD_MONKEY_STEPS", 300))
SEED = int(os.environ.get("SADD_MONKEY_SEED", 0))


def odd_table():
    """Dates, texts, names with mark-up, classes without rows, missing values."""
    rng = np.random.RandomState(3)
    domain = Domain(
        [TimeVariable("<b>when</b>", have_date=True), ContinuousVariable("x" * 300),
         DiscreteVariable("where", ("here", "there")), ContinuousVariable("where?")],
        DiscreteVariable("&class", ("never", "<i>", "Variable", "–")),
        [StringVariable("Source"), ContinuousVariable("Confidence")])
    X = np.column_stack((rng.randint(0, 2 ** 31, 50), rng.normal(size=50),
                         rng.randint(2, size=50), np.full(50, np.nan)))
    X[rng.uniform(size=X.shape) < .1] = np.nan
    y = rng.choice([1, 2, 3, np.nan], 50)
    metas = np.column_stack((np.full(50, "text", dtype=object), rng.normal(size=50)))
    return Table.from_numpy(domain, X, y, metas)


def unlabelled(table):
    """A copy in which a third of the rows has no class."""
    table = table.copy()
    with table.unlocked(table.Y):
        table.Y[::3] = np.nan
    return table


@cache
def tables():
    """Tables to connect to any input."""
    iris = Table("iris")
    rng = np.random.RandomState(0)
    wide = rng.normal(size=(30, 600))
    odd = rng.normal(size=(40, 6)) * [1, 1e308, 1e-320, 1, 1, 0]
    odd[:, 5] += 1.7e18
    odd[::3, 3], odd[::4, 4] = np.inf, -np.inf
    classes = tuple(map(str, range(40)))
    return (
        None, iris, iris[::2], iris[1::2], iris[:, :3], iris[:50], iris[:0],
        unlabelled(iris), weighted(iris[::3]), iris.to_sparse(),
        PCA(n_components=3)(iris)(iris), PCA(n_components=2)(iris)(iris)[:0],
        iris.transform(Domain(iris.domain.attributes)),
        iris.transform(Domain(iris.domain.attributes[:3], iris.domain.attributes[3])),
        iris.transform(Domain([], iris.domain.class_var)),
        Table("heart_disease"), Table("titanic")[::20], Table("zoo"),
        Table("housing")[::5], odd_table(), odd_table()[::2],
        make_table(wide), make_table(wide[:, :79]), make_table(wide[:, :13]),
        make_table(odd, y=np.repeat([0., 1], 20)), make_table(odd[::2]),
        make_table(rng.normal(size=(120, 2)), classes),
        make_table(np.zeros((3, 2))), make_table(np.full((9, 2), np.nan)),
    )


def test_any_pool_fits_any_data():
    small = [table for table in tables()
             if table is None or len(table.domain.attributes) < 20]
    for data in small:
        if data is not None and not find_obstacle(data):
            for pool in small:
                findings, outputs = find(
                    Analysis(data, pool), Parameters(k=1), None, {},
                    lambda *_: lambda _: None)
                assert len(outputs.data) == len(data)
                assert len(outputs.pseudo_labelled) == len(findings.found.rows)


class MonkeyTest:
    """What a monkey does to both widgets; methods ``do_...`` are its tricks."""

    cls: type
    shown = False

    def setUp(self):
        self.rng = np.random.RandomState(SEED)
        self.done, self.raised = [], []
        self.addCleanup(setattr, sys, "excepthook", sys.excepthook)
        sys.excepthook = lambda *error: self.raised.append(
            "".join(traceback.format_exception(*error)))
        self.threads = set(threading.enumerate())
        self.palette = QApplication.palette()
        self.addCleanup(QApplication.setPalette, self.palette)
        self.make()

    def make(self, settings=None):
        self.widget = self.create_widget(self.cls, stored_settings=settings)
        self.inputs = {}
        if self.shown:
            self.widget.show()

    def play(self):
        tricks = [name for name in sorted(dir(self)) if name.startswith("do_")]
        for _ in range(STEPS):
            self.step(tricks[self.rng.randint(len(tricks))])
        self.step("do_finish")
        self.step("do_delete")
        # Clusters that other tests have left have threads of other names
        self.assertLess(len([
            thread for thread in set(threading.enumerate()) - self.threads
            if thread.name.startswith("ThreadPoolExecutor")]), 3)

    def step(self, trick):
        self.done.append(trick)
        try:
            getattr(self, trick)()
            if self.rng.randint(3):
                self.process_events()
        except Exception:
            self.raised.append(traceback.format_exc())
        if self.raised:
            self.fail(f"seed {SEED}, step {len(self.done)}, after "
                      f"{', '.join(self.done[-12:])}:\n" + "\n".join(self.raised))

    def choose(self, values):
        return values[self.rng.randint(len(values))]

    def choose_item(self, combo):
        index = self.rng.randint(combo.count())
        if combo.isEnabled() and combo.model().index(index, 0).flags() \
                & Qt.ItemIsEnabled:
            simulate.combobox_activate_index(combo, index)

    def send(self, *names):
        for name in names:
            self.inputs[name] = self.choose(tables())
        self.send_signals(
            [(getattr(self.widget.Inputs, name), self.inputs[name]) for name in names],
            widget=self.widget)

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name), widget=self.widget)

    def do_send_data(self):
        self.send("data")

    def do_send_pool(self):
        self.send("unlabelled")

    def do_send_both(self):
        self.send("data", "unlabelled")

    def do_finish(self):
        self.wait_until_finished(self.widget)
        self.check()

    def do_wait(self):
        QTest.qWait(self.rng.randint(30))

    def do_report(self):
        self.widget.report_html = ""
        self.widget.send_report()

    def do_k(self):
        self.choose(self.widget.controls.choose_k.buttons).click()

    def do_labeller(self):
        self.choose_item(self.widget.labeller_combo)

    def do_send_labeller(self):
        self.inputs["labeller"] = self.choose((None, None, MajorityLearner()))
        self.send_signal(self.widget.Inputs.labeller, self.inputs["labeller"],
                         widget=self.widget)

    def do_confidence(self):
        self.widget.confidence_slider.setValue(self.choose((0, 50, 100)))

    def do_fixed_k(self):
        self.widget.k_spin.setValue(self.choose((1, 2, 7, 999)))

    def do_n0(self):
        self.widget.n0_spin.setValue(self.choose((1, 10, 300, 2000, 10 ** 7)))

    def do_save_and_open(self):
        settings = pickle.loads(pickle.dumps(
            self.widget.settingsHandler.pack_data(self.widget)))
        inputs = self.inputs
        self.do_delete()
        self.make(settings)
        self.inputs = inputs
        self.send_signals([(getattr(self.widget.Inputs, name), value)
                           for name, value in inputs.items()], widget=self.widget)

    def do_delete(self):
        self.widget.hide()
        self.widget.onDeleteWidget()
        self.widget.deleteLater()
        self.widgets.remove(self.widget)
        self.make()

    def do_paint(self):
        self.widget.grab()

    def do_resize(self):
        self.widget.resize(*self.rng.randint(100, 1200, size=2))

    def do_dark(self):
        palette = QPalette(Qt.black) if self.rng.randint(2) else self.palette
        QApplication.setPalette(palette)


class SADDDiscretizeMonkey(MonkeyTest):
    cls = OWSADDDiscretize

    def check(self):
        self.process_events(lambda: self.widget.view.loader.task is None)
        data, output = self.inputs.get("data"), self.output("data")
        possible = data is not None and not find_obstacle(data)
        self.assertIsNotNone(self.output("preprocessor"))
        if not possible or self.widget.Warning.stopped.is_shown():
            if not possible or self.widget.autocommit:
                self.assertIsNone(output)
            return
        self.assertEqual(len(self.widget.view.table.model.rows),
                         sum(var.is_continuous for var in data.domain.attributes))
        if output is not None or self.widget.autocommit:
            np.testing.assert_array_equal(output.ids, data.ids)
            np.testing.assert_array_equal(output.Y, data.Y)

    def do_method(self):
        self.choose_item(self.widget.method_combo)

    def do_compare(self):
        self.choose_item(self.widget.controls.compared_method)

    def do_click(self):
        controls = self.widget.controls
        self.choose((controls.normalize, controls.remove_const, controls.carry_edits,
                     controls.autocommit, self.widget.stop_button)).click()

    def do_commit(self):
        self.widget.commit.now()

    def do_select(self):
        table = self.widget.view.table
        if table.model.order:
            table.view.selectRow(self.rng.randint(len(table.model.order)))

    def do_sort(self):
        self.widget.view.table.sort(self.rng.randint(-1, 6), self.rng.randint(2))

    def do_filter(self):
        self.widget.view.table.filter.setText(self.choose(("", "x", "petal", "where")))

    def do_add_cut(self):
        plot = self.widget.view.cut_plot
        plot.add_cut(self.rng.uniform(*plot.viewRange()[0]))

    def do_remove_cut(self):
        plot = self.widget.view.cut_plot
        if plot.cuts:
            plot.remove_cut(self.rng.randint(len(plot.cuts)))

    def do_drag(self):
        plot = self.widget.view.cut_plot
        if plot.lines:
            line = self.choose(list(plot.lines.values()))
            line.setValue(self.rng.uniform(*plot.viewRange()[0]))
            line.sigDragged.emit(line)
            if self.rng.randint(2):
                line.sigPositionChangeFinished.emit(line)

    def do_describe(self):
        plot = self.widget.view.cut_plot
        lines = plot.cut_lines
        for line in (*lines.lines.values(), *lines.compared_lines, *lines.weak_lines):
            line._describe()
        if plot.variable is not None:
            plot.describe_interval(self.rng.randint(len(plot.cuts) + 1))

    def do_select_interval(self):
        plot = self.widget.view.cut_plot
        plot.select_interval(self.choose([None, *plot._intervals()]))

    def do_press(self):
        QTest.keyClick(self.widget.view.cut_plot, self.choose((
            Qt.Key_Left, Qt.Key_Right, Qt.Key_Delete, Qt.Key_Return, Qt.Key_Escape)))

    def do_type(self):
        plot = self.widget.view.cut_plot
        if plot.lines:
            plot.type_cut(self.choose(list(plot.lines)))
            QTest.keyClicks(plot.field, self.choose(("5", "nonsense", "1e400", "")))
            QTest.keyClick(plot.field, self.choose((Qt.Key_Return, Qt.Key_Escape)))

    def do_check_stability(self):
        self.widget.view.details.stability_button.click()

    def do_hover(self):
        view = self.widget.view
        self.choose((view.details.split_tree, view.details.stories)).hovered.emit(
            self.choose([None, *view.details.split_tree.decisions]))

    def do_toggle_tree(self):
        self.widget.view.details.tree_button.click()

    def do_slide(self):
        slider = self.widget.method_numbers.controls["SADD", "n0"].slider
        slider.setSliderDown(bool(self.rng.randint(2)))
        slider.setValue(self.rng.randint(slider.minimum(), slider.maximum() + 1))

    def do_parameter(self):
        control = self.choose(list(self.widget.method_numbers.controls.values()))
        if control.check is not None and self.rng.randint(2):
            control.check.click()
        control.spin.setValue(self.choose((1, 2, 7, .5)) if control.parameter.lowest < 1
                              else self.choose((1, 2, 7, 50)))

    def do_zoom(self):
        plot = self.widget.view.cut_plot
        low, high = plot.viewRange()[0]
        plot.getViewBox().setXRange(*np.sort(self.rng.uniform(low, high, 2)), padding=0)
        if self.rng.randint(2):
            plot.show_all()

    def do_reset(self):
        self.choose((self.widget.view.reset_button,
                     self.widget.view.reset_all_button)).click()

    def do_undo(self):
        self.widget.edits.stack.undo()

    def do_redo(self):
        self.widget.edits.stack.redo()

    def do_copy(self):
        self.widget.copy_to_clipboard()


class RNBPlusMonkey(MonkeyTest):
    cls = OWRNBPlus

    def check(self):
        self.assertIsNotNone(self.output("learner"))
        model, data = self.output("model"), self.inputs.get("data")
        if model is None:
            self.assertIsNone(self.output("weights"))
        else:
            self.assertIs(model.instances, self.widget.data)
            self.assertIs(model.instances, data)
        if data is not None and len(data.domain.class_vars) == 1 \
                and not find_obstacle(data, discretize=False) \
                and not self.widget.Warning.stopped.is_shown() \
                and not self.widget.Warning.outdated_learner.is_shown() \
                and not self.inputs.get("preprocessor"):  # which may refuse data
            self.assertIsNotNone(
                model, [str(error.formatted) for error in self.widget.Error.active])

    def do_send_preprocessor(self):
        value = self.choose((None, Scale(), Normalize(), Discretize(EntropyMDL())))
        self.inputs["preprocessor"] = value
        self.send_signal(self.widget.Inputs.preprocessor, value, widget=self.widget)

    def do_combo(self):
        self.choose_item(self.choose((
            self.widget.weighting_combo, self.widget.discretization_combo,
            self.widget.recipe_combo,
            self.widget.objective_combo)))

    def do_iterations(self):
        self.widget.max_iter_spin.setValue(self.choose((1, 2, 100)))

    def do_shrinkage(self):
        self.widget.shrinkage_spin.setValue(self.choose((0, .5, 100)))

    def do_count(self):
        self.widget.counts_check.click()

    def do_name(self):
        edit = self.widget.name_line_edit
        edit.setText(self.choose(("", "Mine")))
        edit.textEdited.emit(edit.text())
        edit.returnPressed.emit()

    def do_auto_apply(self):
        self.widget.controls.auto_apply.click()

    def do_apply(self):
        self.widget.apply_button.button.click()

    def do_stop(self):
        self.widget.view.button.click()

    def do_sort(self):
        self.widget.view.table.sortByColumn(
            self.rng.randint(-1, 5), self.choose((Qt.AscendingOrder,
                                                  Qt.DescendingOrder)))

    def do_filter_weights(self):
        self.widget.view.panel.filter.setText(self.choose(("", "x", "petal", "where")))

    def do_copy(self):
        self.widget.view.panel.copy()
        self.assertTrue(QApplication.clipboard().text().startswith("Attribute"))

    def do_parameter(self):
        control = self.choose(list(self.widget.method_numbers.controls.values()))
        if control.check is not None and self.rng.randint(2):
            control.check.click()
        control.spin.setValue(self.choose((1, 5, 900)))


class TestSADDDiscretize(SADDDiscretizeMonkey, base.WidgetTest):
    def test_a_window_that_is_not_open(self):
        self.play()

    def test_an_open_window(self):
        self.shown = True
        self.widget.show()
        self.play()


class TestRNBPlus(RNBPlusMonkey, base.WidgetTest):
    def test_a_window_that_is_not_open(self):
        self.play()

    def test_an_open_window(self):
        self.shown = True
        self.widget.show()
        self.play()
