"""A monkey at SADD Discretize; see `monkeys`.

Test methods with long descriptive names omit docstrings.
"""


import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from orangecontrib.sadd.explain.findings import find

from orangecontrib.sadd.explain.analysis import Analysis, find_obstacle
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tests.widgets.monkeys import MonkeyTest, tables


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


class TestSADDDiscretize(SADDDiscretizeMonkey, base.WidgetTest):
    def test_a_window_that_is_not_open(self):
        self.play()

    def test_an_open_window(self):
        self.shown = True
        self.widget.show()
        self.play()
