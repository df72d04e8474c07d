"""The table of attributes, the pane of values, and what is around them.

Test methods with long descriptive names omit docstrings.
"""

import csv
import io
import tempfile
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QEvent, QPoint, QPointF, Qt
from AnyQt.QtGui import QColor, QImage, QPainter, QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QToolTip
from Orange.data import ContinuousVariable, DiscreteVariable, TimeVariable
from Orange.widgets.tests import base  # pytest would collect GuiTest itself

from orangecontrib.sadd.explain.contributions import ValueContributions
from orangecontrib.sadd.widgets.common.bartable import BarColourRole, BarRole
from orangecontrib.sadd.widgets.common.modelview import ModelView
from orangecontrib.sadd.widgets.common.numbertable import NumberColumn, NumberTable
from orangecontrib.sadd.widgets.common.valuepane import ValuePane

NAMES = ["pulse", "age", "blood pressure", "Height"]
SECOND = np.array([.2, np.nan, 1., .2])


def columns(**kwargs):
    return [NumberColumn("Importance", np.array([.5, .1, 0., .3]), "A tip.", (0, .5)),
            NumberColumn("ill", SECOND, "Another tip.", group="Weight for", **kwargs)]


def show(widget):
    widget.show()
    QTest.qWaitForWindowExposed(widget)


def discard(widget):
    """Delete a widget at once, or garbage collection of its parts would crash."""
    widget.hide()
    widget.deleteLater()
    QApplication.sendPostedEvents(widget, QEvent.DeferredDelete)


def make_contributions(n_classes=2, smooth=False, variable=None):
    """Return contributions of three values, or of a curve with three knots."""
    rng = np.random.default_rng(0)
    adds = rng.normal(size=(3, n_classes))
    class_var = DiscreteVariable("ill", [f"class {i}" for i in range(n_classes)])
    adds -= adds.mean(axis=1, keepdims=True)
    if smooth:
        return ValueContributions(
            variable or ContinuousVariable("age", 0), class_var, np.arange(n_classes),
            adds, np.array([1, 0, 2, 3]), np.array([5, 0, 0, 7]),
            knots=np.array([10., 20, 40]), edges=np.array([0., 15, 30, 45, 60]))
    return ValueContributions(
        variable or DiscreteVariable("pain", ("no", "some", "much")), class_var,
        np.arange(n_classes), adds, np.array([4, 0, 1200]), np.array([0, 0, 1]),
        ("no", "some", "much"))


class TestNumberTable(base.GuiTest):
    def setUp(self):
        self.table = NumberTable("Variable", (0, True))
        self.table.set_columns(NAMES, columns(), [False, False, True, False])
        self.numbers = self.table.numbers

    def tearDown(self):
        discard(self.table)

    def names(self):
        return [row[0] for row in self.table.as_lists()[1:]]

    def show(self, width=600):
        self.table.resize(width, 120)
        show(self.table)

    def click(self, column):
        header = self.table.horizontalHeader()
        QTest.mouseClick(header.viewport(), Qt.LeftButton, pos=QPoint(
            header.sectionViewportPosition(column) + 15, header.height() // 2))

    def test_clicks_sort_downwards_then_upwards_with_missing_numbers_last(self):
        self.show()
        self.assertEqual(self.table.as_lists(), [
            ["Variable", "Importance", "Weight for ill"], ["pulse", "0.500", "0.200"],
            ["Height", "0.300", "0.200"], ["age", "0.100", "–"],
            ["blood pressure", "0.000", "1.000"]])
        self.click(1)
        self.assertEqual(self.names(), ["blood pressure", "pulse", "Height", "age"])
        self.assertEqual(self.table.sorting, (1, True))
        self.click(1)
        self.assertEqual(self.names(), ["pulse", "Height", "blood pressure", "age"])
        self.assertEqual(self.table.sorting, (1, False))

    def test_corner_sorts_by_name(self):
        self.show()
        self.assertEqual(self.table.corner.findChild(QLabel).text(), "Variable")
        QTest.mouseClick(self.table.corner, Qt.LeftButton)
        self.assertEqual(self.names(), ["age", "blood pressure", "Height", "pulse"])
        self.assertFalse(self.table.selectionModel().selectedRows()[1:])

    def test_selected_row_stays_selected_when_sorted_or_filtered(self):
        self.table.select("Height")
        self.table.sortByColumn(1, Qt.AscendingOrder)
        self.assertEqual(self.selected_name(), "Height")
        for text in ("height", ""):
            self.numbers.set_filter(text)
            self.assertEqual(self.selected_name(), "Height")
        self.numbers.set_filter("nothing like this")
        self.assertEqual(self.names(), [])
        self.numbers.set_filter(" P")
        self.assertEqual(self.names(), ["pulse", "blood pressure"])

    def selected_name(self):
        row, = self.table.selectionModel().selectedRows()
        return self.numbers.headerData(row.row(), Qt.Vertical)

    def test_click_on_a_name_selects_the_row(self):
        self.show()
        selected = []
        self.table.selected.connect(selected.append)
        header = self.table.verticalHeader()
        QTest.mouseClick(header.viewport(), Qt.LeftButton, pos=QPoint(
            10, header.sectionViewportPosition(1) + 5))
        self.assertEqual(selected, [3])
        self.assertFalse(self.table.grab().isNull())

    def test_bars_begin_at_zero(self):
        column = NumberColumn("", np.array([-1., 0, 2, np.nan, 9]), span=(-2, 2))
        self.assertEqual([column.bar(row) for row in range(5)],
                         [(.25, .5), (.5, .5), (.5, 1.), None, (.5, 1.)])
        column = NumberColumn("", np.array([.5]), span=(0, 0))
        self.assertEqual(column.bar(0), (0., 0.))
        self.assertIsNone(NumberColumn("", np.array([1.]), span=None).bar(0))

    def test_numbers_without_effect_are_faded(self):
        self.table.set_columns(NAMES, columns(is_used=False),
                               [False, False, True, False])
        for row, column, expected in ((0, 0, False), (0, 1, True), (3, 0, True)):
            index = self.numbers.index(row, column)
            self.assertEqual(index.data(Qt.ForegroundRole) is not None, expected)
        self.assertLess(self.numbers.index(0, 1).data(BarColourRole).alphaF(), .5)
        name = self.numbers.headerData(3, Qt.Vertical, Qt.ForegroundRole)
        self.assertIsNotNone(name)

    def test_tooltips_have_more_digits(self):
        tip = self.numbers.index(0, 1).data(Qt.ToolTipRole)
        self.assertEqual(tip, "pulse\nWeight for ill: 0.2000")
        self.assertIn("No effect", self.numbers.index(2, 1).data(Qt.ToolTipRole))
        self.assertEqual(self.numbers.headerData(
            0, Qt.Horizontal, Qt.ToolTipRole), "A tip.")
        self.assertIn("pulse", self.numbers.headerData(0, Qt.Vertical, Qt.ToolTipRole))

    def test_names_stay_when_columns_scroll(self):
        many = [NumberColumn(f"class {i}", SECOND) for i in range(26)]
        self.table.set_columns(NAMES, many, [False] * 4)
        self.show()
        bar, header = self.table.horizontalScrollBar(), self.table.verticalHeader()
        self.assertGreater(bar.maximum(), 0)
        bar.setValue(bar.maximum())
        self.assertTrue(header.isVisible())
        self.assertGreaterEqual(header.width(), header.fontMetrics().horizontalAdvance(
            "blood pressure"))

    def test_long_titles_are_shortened(self):
        self.show(420)
        self.assertEqual(self.table.horizontalScrollBar().maximum(), 0)
        name = "a long name of a class"
        long = NumberColumn(name, SECOND, group="Weight for")
        self.table.set_columns(NAMES, [*columns(), long], [False] * 4)
        self.assertRegex(self.numbers.headerData(2, Qt.Horizontal), "^\na.*….*class$")
        self.assertEqual(self.table.as_lists()[0][-1], f"Weight for {name}")

    def test_rows_that_are_gone_have_no_data(self):
        index = self.numbers.index(3, 1)
        self.table.set_columns(["x"], [NumberColumn("y", np.ones(1))], [False])
        self.assertIsNone(self.numbers.data(index))
        self.assertIsNone(self.numbers.headerData(3, Qt.Vertical))
        self.assertIsNone(self.numbers.headerData(1, Qt.Horizontal))


class TestModelView(base.GuiTest):
    def setUp(self):
        self.view = ModelView(False, (0, True), "weights.csv", "Variable")
        self.view.show_model(NAMES, columns(), [False] * 4,
                             lambda _: make_contributions())

    def tearDown(self):
        discard(self.view)

    def test_filter_shows_the_number_of_rows(self):
        self.assertEqual(self.view.attributes.count.text(), "")
        self.view.attributes.filter.setText("p")
        self.assertEqual(self.view.attributes.count.text(), "2 of 4")
        self.view.attributes.filter.clear()
        self.assertEqual(self.view.attributes.count.text(), "")

    def test_copy_copies_the_rows_that_are_shown(self):
        self.view.show()
        self.view.activateWindow()
        QTest.qWaitForWindowActive(self.view)
        self.view.attributes.filter.setText("pulse")
        self.view.table.setFocus()
        QTest.keyClick(self.view.table, Qt.Key_C, Qt.ControlModifier)
        self.assertEqual(QApplication.clipboard().text(),
                         "Variable\tImportance\tWeight for ill\npulse\t0.5\t0.2\n")
        self.assertEqual(QToolTip.text(), "1 row was copied.")
        self.view.attributes.filter.clear()
        self.view.copy_button.click()
        self.assertEqual(QToolTip.text(), "4 rows were copied.")

    def test_copy_in_the_filter_copies_its_text(self):
        self.view.show()
        self.view.attributes.filter.setText("pulse")
        self.view.attributes.filter.setFocus()
        self.view.attributes.filter.selectAll()
        QTest.keyClick(self.view.attributes.filter, Qt.Key_C, Qt.ControlModifier)
        self.assertEqual(QApplication.clipboard().text(), "pulse")

    def save(self, name):
        with patch.object(QFileDialog, "getSaveFileName", return_value=(name, "")):
            self.view.save_button.click()

    def test_save_writes_all_rows_and_states_their_number(self):
        self.view.show()
        self.view.attributes.filter.setText("pulse")
        with tempfile.TemporaryDirectory() as folder:
            self.save(str(Path(folder, "saved")))
            text = Path(folder, "saved.csv").read_text(encoding="utf-8")
            self.save("")  # the dialog is closed: nothing is written
            self.assertEqual(len(list(Path(folder).iterdir())), 1)
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual([row[0] for row in rows], ["Variable", *NAMES])
        self.assertEqual(rows[2], ["age", "0.1", ""])
        self.assertEqual(QToolTip.text(), "4 rows were saved to saved.csv.")

    def test_save_warns_when_nothing_can_be_written(self):
        with tempfile.TemporaryDirectory() as folder, \
                patch.object(QMessageBox, "warning") as warning:
            self.save(str(Path(folder, "no folder", "saved.csv")))
        text = warning.call_args.args[2]
        self.assertIn("saved.csv could not be saved", text)
        self.assertTrue(text.endswith("."))


class TestValuePane(base.GuiTest):
    def setUp(self):
        self.pane = ValuePane()
        self.pane.resize(500, 400)

    def tearDown(self):
        discard(self.pane)

    def test_two_classes_have_one_column_of_bars(self):
        contributions = make_contributions()
        self.pane.show_contributions(contributions)
        header, *rows = self.pane.table.as_lists()
        self.assertEqual(header, ["Value", "Adds", "Rows", "Unlabelled"])
        self.assertEqual([row[0] for row in rows], ["no", "some", "much"])
        difference = contributions.adds[:, 1]
        for place, value in enumerate(difference):
            label = int(value > 0)
            self.assertEqual(rows[place][1], f"{abs(value):.2f} for class {label}")
            # Bars have the direction and the colour of their class
            index = self.pane.table.numbers.index(place, 0)
            self.assertEqual(index.data(BarRole)[1 - label], .5)
            if contributions.labelled[place]:
                self.assertEqual(index.data(BarColourRole), QColor(
                    *map(int, contributions.class_var.colors[label])))
        self.assertEqual([row[2:] for row in rows],
                         [["4", "0"], ["0", "0"], ["1,200", "1"]])
        # Values without rows are faded
        self.assertIsNotNone(
            self.pane.table.numbers.index(1, 0).data(Qt.ForegroundRole))

    def test_several_classes_have_a_column_each(self):
        self.pane.show_contributions(make_contributions(4))
        self.assertEqual(self.pane.table.as_lists()[0], [
            "Value", *(f"class {i}" for i in range(4)), "Rows", "Unlabelled"])
        tip = self.pane.table.numbers.index(2, 1).data(Qt.ToolTipRole)
        self.assertIn("1,200 labelled and 1 unlabelled rows", tip)
        self.assertIn(" for class 1", tip)

    def test_rows_that_are_not_there_have_no_column(self):
        contributions = make_contributions()
        contributions.unlabelled[:] = 0
        self.pane.show_contributions(contributions)
        self.assertEqual(self.pane.table.as_lists()[0], ["Value", "Adds", "Rows"])

    def test_curves_of_several_classes_have_a_legend(self):
        self.pane.show_contributions(make_contributions(3, smooth=True))
        self.pane.show_contributions(make_contributions(12, smooth=True))
        plot = self.pane.curves
        colours = [curve.opts["pen"].color().name()
                   for curve in plot.plot.plotItem.listDataItems()]
        self.assertEqual(len(set(colours)), 12)
        self.assertTrue(plot.bars.has_hatched)
        self.assertTrue(plot.legend.isVisibleTo(self.pane))
        self.assertEqual(plot.legend.text().count("class\N{NO-BREAK SPACE}"), 8)
        self.assertIn("and 4 more", plot.legend.text())

    def test_curves_fill_the_plot(self):
        contributions = make_contributions(smooth=True)
        self.pane.show_contributions(replace(
            contributions, adds=np.array([[9., -9], [-1, 1], [9, -9]]),
            knots=np.array([-1000., 20, 1000])))
        low, high = self.pane.curves.plot.viewRange()[1]
        # The ends of the curve are far away
        self.assertLess(high - low, 3)
        self.assertGreater(high, 1)

    def test_texts_fit_in_a_small_pane(self):
        contributions = make_contributions(smooth=True)
        contributions.unlabelled[:] = 5, 17, 20, 9
        self.pane.resize(400, 240)
        self.pane.show_contributions(contributions)
        show(self.pane)
        for label in (self.pane.title, self.pane.reference, self.pane.curves.readout):
            self.assertGreaterEqual(label.height(), label.fontMetrics().height())
        for plot in (self.pane.curves.plot, self.pane.curves.histogram):
            axis, image = plot.getAxis("left"), QImage(400, 240, QImage.Format_RGB32)
            painter = QPainter(image)
            _, _, texts = axis.generateDrawSpecs(painter)
            painter.end()
            self.assertGreater(len(texts), 1)
            for (first, *_), (second, *_) in combinations(texts, 2):
                self.assertFalse(first.intersects(second))

    def hover(self, value):
        view = self.pane.curves.plot.getViewBox()
        place = view.mapViewToScene(QPointF(value, 0))
        self.pane.curves.plot.scene().sigMouseMoved.emit(place)
        return self.pane.curves.readout.text()

    def test_hovering_shows_value_contribution_and_rows(self):
        contributions = make_contributions(smooth=True)
        self.pane.show_contributions(contributions)
        show(self.pane)
        text = self.hover(15.2)
        odds = np.interp(15.2, contributions.knots, contributions.shown[1][:, 0])
        self.assertEqual(text, f"age 15: adds {abs(odds):.2f} for class "
                               f"{int(odds > 0)}; 0 labelled rows nearby")
        self.assertIn("3 labelled and 7 unlabelled rows nearby", self.hover(60))
        self.assertTrue(all(marker.isVisible() for marker in self.pane.curves.markers))
        self.pane.curves.leaveEvent(None)
        self.assertEqual(self.pane.curves.readout.text(), "")

    def test_curves_follow_a_dark_theme(self):
        self.pane.show_contributions(make_contributions(smooth=True))
        palette = QPalette(QColor(40, 40, 40))
        palette.setColor(QPalette.Text, QColor("white"))
        self.pane.curves.setPalette(palette)
        self.assertEqual(self.pane.curves.baseline.pen.color(), QColor("white"))
        self.assertFalse(self.pane.grab().isNull())

    def test_dates_are_written_as_dates(self):
        born = TimeVariable("born", have_date=True)
        self.pane.show_contributions(make_contributions(smooth=True, variable=born))
        show(self.pane)
        self.assertTrue(self.hover(20).startswith("born 1970-01-01: adds"))
