"""A monkey at SADD Discretize; see `monkeys`.

Test methods with long descriptive names omit docstrings.
"""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QLineEdit

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.explain.analysis import Analysis, Findings, table_obstacle
from orangecontrib.sadd.explain.outputs import make_outputs
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.resampling import cross_validate
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tests.widgets.bases import WidgetTest
from tests.widgets.monkeys import MonkeyTest, tables


def test_pools_fit_any_data():
    small = [table for table in tables()
             if table is None or len(table.domain.attributes) < 20]
    for index, data in enumerate(small):
        for method in ("SADD", "EW"):
            if data is None or table_obstacle(data, method):
                continue
            for pool in small[index % 3::3]:
                analysis = Analysis(data, pool)
                findings = Findings.of(analysis, Parameters(method, k=1))
                outputs = make_outputs(findings)
                assert len(outputs["data"]) == len(data)
                if analysis.has_classes and method == "SADD":
                    assert len(outputs["pseudo_labelled"]) == len(analysis.rows)


def test_any_data_is_cross_validated():
    for data in tables():
        if data is not None and not table_obstacle(data, "SADD"):
            result = cross_validate(Analysis(data), Parameters(k=1))
            assert np.isfinite(result.information).all()
            assert 0 <= result.right <= result.total


class TestSADDDiscretize(MonkeyTest, WidgetTest):
    cls = OWSADDDiscretize

    @property
    def plot(self):
        return self.widget.view.cut_plot

    @property
    def table(self):
        return self.widget.view.table

    def check(self):
        data, output = self.inputs.get("data"), self.output("data")
        self.assertIsNotNone(self.output("preprocessor"))
        if data is None:
            self.assertIsNone(output)
        elif table_obstacle(data, self.widget.method):
            self.assertIs(output, data)
        elif self.widget.Warning.stopped.is_shown() or self.widget.Error.active:
            if self.widget.autocommit:
                self.assertIsNone(output)
        else:
            self.assertEqual(len(self.widget.view.table.model.rows),
                             sum(var.is_continuous for var in data.domain.attributes))
            if output is not None or self.widget.autocommit:
                np.testing.assert_array_equal(output.ids, data.ids)
                np.testing.assert_array_equal(output.Y, data.Y)

    def do_compare(self):
        self.choose_item(self.widget.compared_combo)

    def do_intervals(self):
        self.choose_item(self.widget.intervals_combo)

    def do_click(self):
        controls = self.widget.controls
        self.choose((controls.remove_const, controls.carry_edits, controls.autocommit,
                     self.widget.stop_button, self.table.hide_check,
                     self.widget.view.score.button)).click()

    def do_restore(self):
        self.widget.reset_settings()

    def do_commit(self):
        self.widget.commit.now()

    def do_validate(self):
        self.process_events(lambda: self.widget.view.score.validator.task is None)

    def do_select(self):
        if self.table.model.order:
            self.table.view.selectRow(self.rng.randint(len(self.table.model.order)))

    def do_sort(self):
        self.table.view.sort_by(self.rng.randint(-1, 6), self.rng.randint(2))

    def do_filter(self):
        self.table.filter.setText(self.choose(("", "x", "petal", "where")))

    def do_treat(self):
        if self.table.model.order:
            index = self.choose(self.table.model.order)
            self.table.make_menu(index).deleteLater()
            self.table.treated.emit(index, self.choose(
                (None, "numeric", "remove", *DISCRETIZERS)))

    def do_type_cuts(self):
        model = self.table.model
        if model.order:
            index = model.index(self.rng.randint(len(model.order)), 2)
            model.setData(index, self.choose(
                ("", "1; 2", "soon", "2020-01-01", index.data(Qt.EditRole))))

    def do_add_cut(self):
        self.plot.add_cut(self.rng.uniform(*self.plot.viewRange()[0]))

    def do_remove_cut(self):
        if self.plot.cuts:
            self.plot.remove_cut(self.rng.randint(len(self.plot.cuts)))

    def do_drag(self):
        if self.plot.lines.lines:
            line = self.choose(list(self.plot.lines.lines.values()))
            line.setValue(self.rng.uniform(*self.plot.viewRange()[0]))
            line.sigDragged.emit(line)
            if self.rng.randint(2):
                line.sigPositionChangeFinished.emit(line)

    def do_describe(self):
        if self.plot.variable is not None:
            for index in self.plot.lines.lines:
                self.plot.describe_cut(index)
            self.plot.describe_interval(self.rng.randint(len(self.plot.cuts) + 1))

    def do_select_interval(self):
        self.plot.select_interval(self.choose([None, *self.plot.intervals()]))

    def do_press(self):
        QTest.keyClick(self.plot, self.choose((
            Qt.Key_Left, Qt.Key_Right, Qt.Key_Delete, Qt.Key_Return, Qt.Key_Escape)))

    def do_type(self):
        self.plot.typing.emit()
        viewport = self.table.view.viewport()
        for editor in viewport.findChildren(QLineEdit):
            QTest.keyClicks(editor, self.choose((" · 5", "nonsense", "1e400", "")))
            QTest.keyClick(editor, self.choose((Qt.Key_Return, Qt.Key_Escape)))

    def do_hover(self):
        why = self.widget.view.why
        self.choose((why.tree, why.sentences)).hovered.emit(
            self.choose([None, *(node.decision for node in why.tree.nodes)]))

    def do_why(self):
        self.widget.view.why.button.click()

    def do_zoom(self):
        ends = np.sort(self.rng.uniform(*self.plot.viewRange()[0], 2))
        self.plot.getViewBox().setXRange(*ends, padding=0)
        if self.rng.randint(2):
            self.plot.show_all()

    def do_reset(self):
        self.widget.view.reset_button.click()

    def do_undo(self):
        self.widget.edits.stack.undo()

    def do_redo(self):
        self.widget.edits.stack.redo()

    def do_copy(self):
        self.widget.copy_to_clipboard()
