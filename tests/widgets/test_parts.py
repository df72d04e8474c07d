"""The parts of the widgets, each by itself."""

from pathlib import Path

import numpy as np
import pytest
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QImage, QPainter, QPalette
from AnyQt.QtSvg import QSvgRenderer
from AnyQt.QtTest import QSignalSpy, QTest
from AnyQt.QtWidgets import QApplication, QMenu
from Orange.data import ContinuousVariable, Table, TimeVariable
from Orange.widgets.tests import base

from orangecontrib.sadd import widgets
from orangecontrib.sadd.core import Decision
from orangecontrib.sadd.explain.analysis import Analysis, Parameters
from orangecontrib.sadd.widgets.cutting.cutedits import CutEdits, variable_key
from orangecontrib.sadd.widgets.cutting.cutplot import CutPlot
from orangecontrib.sadd.widgets.cutting.decisionplot import (
    DecisionPlot,
    describe_decision,
)
from orangecontrib.sadd.widgets.cutting.plotlegend import LegendEntry, PlotLegend
from orangecontrib.sadd.widgets.cutting.variabletable import VariableRow, VariableTable
from tests.widgets.mouse import drag_cut, move, place

ACCEPTED = Decision(-np.inf, np.inf, 150., 50., 100., 2.45, .9, .1, .05, True)
REFUSED = Decision(2.45, np.inf, 100., 54., 46., 4.75, .02, -.2, .04, False)


def show(part, width=600, height=400):
    part.resize(width, height)
    part.show()
    QTest.qWaitForWindowExposed(part)


def paint(part):
    return part.grab().toImage()


class TestVariableTable(base.GuiTest):
    def setUp(self):
        self.table = VariableTable()
        names = ("beta", "Alpha", "gamma", "alphabet")
        self.rows = [
            VariableRow(ContinuousVariable(name), intervals, np.float64(bits), bits / 2,
                        2, .5, .25, cuts=list(range(intervals - 1)))
            for name, intervals, bits in zip(
                names, (3, 12, 1, 2), (1.5, .2, 0., 1.), strict=True)]
        self.selected = QSignalSpy(self.table.selected)
        self.table.set_rows(self.rows, "MDLP")

    def shown(self):
        return [line[0] for line in self.table.model.as_lists()[1:]]

    def test_sort(self):
        self.assertEqual(self.shown(), ["beta", "Alpha", "gamma", "alphabet"])
        for column, order, expected in (
                (0, 0, ["Alpha", "alphabet", "beta", "gamma"]),
                (1, 1, ["Alpha", "beta", "alphabet", "gamma"]),
                (2, 1, ["beta", "alphabet", "Alpha", "gamma"]),
                (2, 0, ["gamma", "Alpha", "alphabet", "beta"]),
                (-1, 0, ["beta", "Alpha", "gamma", "alphabet"])):
            self.table.sort(column, order)
            self.assertEqual(self.shown(), expected)

    def test_first_click_sorts_numbers_downwards_and_goes_to_the_top(self):
        self.table.set_rows(self.rows * 30, "MDLP")
        self.table.resize(600, 150)
        self.table.grab()
        header, bar = self.table.view.horizontalHeader(), \
            self.table.view.verticalScrollBar()
        bar.setValue(bar.maximum())
        self.assertGreater(bar.value(), 0)
        self.table.set_rows(self.rows * 30, "MDLP")  # by other parameters
        self.assertEqual(bar.value(), bar.maximum())
        for column, expected in ((2, "beta"), (0, "Alpha")):
            QTest.mouseClick(header.viewport(), Qt.LeftButton, pos=QPoint(
                header.sectionViewportPosition(column) + 20, header.height() // 2))
            self.assertEqual(self.shown()[0], expected)
            self.assertEqual(bar.value(), 0)

    def test_sorting_by_a_column_that_is_gone(self):
        self.table.sort(4, 1)
        self.table.set_rows(self.rows, "")
        self.assertEqual(len(self.shown()), 4)

    def test_filter_and_count(self):
        self.assertEqual(self.table.count.text(), "4 variables, 1 with one interval")
        self.table.filter.setText(" ALPHA ")
        self.assertEqual(self.shown(), ["Alpha", "alphabet"])
        self.assertEqual(self.table.count.text(),
                         "2 of 4 variables, 1 with one interval")
        self.table.filter.setText("nothing like this")
        self.assertEqual(self.shown(), [])
        self.table.filter.clear()
        self.assertEqual(len(self.shown()), 4)

    def test_selection_stays_with_the_variable(self):
        self.table.select("gamma")
        self.assertEqual(self.selected[-1], [2])
        self.table.sort(0, 0)
        self.table.set_rows(self.rows[::-1], "MDLP")
        self.assertEqual(self.selected[-1], [1])
        self.table.filter.setText("alpha")
        self.assertNotEqual(self.selected[-1], [1])
        self.table.set_rows(self.rows[:1], "")
        self.table.filter.clear()
        self.assertEqual(self.selected[-1], [0])

    def test_no_rows(self):
        self.table.set_rows([])
        self.assertEqual(self.selected[-1], [-1])
        self.assertEqual(self.table.count.text(), "0 variables, 0 with one interval")

    def test_texts(self):
        self.table.set_row(1, self.rows[1]._replace(edited=True))
        self.assertEqual(self.table.model.as_lists()[2],
                         ["Alpha *", "12", "0.200", "2", "0.500"])
        model = self.table.model
        tip = model.index(1, 0).data(Qt.ToolTipRole)
        self.assertIn("Cuts: 0, 1", tip)
        self.assertIn("and 3 more", tip)
        self.assertIn("Edited by hand", tip)
        self.assertIn("No cuts", model.index(2, 0).data(Qt.ToolTipRole))
        self.assertIn("75.0%", model.index(0, 2).data(Qt.ToolTipRole))
        self.assertTrue(model.index(1, 0).data(Qt.FontRole).italic())
        self.assertIn("entropy", model.headerData(2, Qt.Horizontal, Qt.ToolTipRole))
        self.assertEqual(model.headerData(3, Qt.Horizontal), "MDLP")

    def test_bar_is_as_long_as_the_share(self):
        show(self.table)
        image = paint(self.table.view.viewport())
        colour = self.table.palette().color(QPalette.Highlight)

        def bar(row):
            rect = self.table.view.visualRect(self.table.model.index(row, 2))
            y = rect.center().y()
            return sum(image.pixelColor(x, y + dy) == colour
                       for x in range(rect.left(), rect.right()) for dy in (0,))

        self.table.select("gamma")
        image = paint(self.table.view.viewport())
        self.assertAlmostEqual(bar(0) / bar(3), .75 / .5, delta=.15)

    def test_thousand_variables_with_long_names(self):
        rows = [VariableRow(ContinuousVariable(f"{i} " + "long " * 50), 2, i, .5)
                for i in range(1000)]
        self.table.set_rows(rows)
        self.table.sort(2, 1)
        self.assertTrue(self.shown()[0].startswith("999"))
        show(self.table)
        header = self.table.view.horizontalHeader()
        self.assertLessEqual(header.length(), self.table.width())
        self.table.set_rows(rows, "MDLP")
        for width in (480, 700, 1200):
            self.table.resize(width, 300)
            QApplication.processEvents()
            self.assertLessEqual(header.length(), width)
            self.assertGreater(header.sectionSize(0), width / 6)


class TestCutPlot(base.GuiTest):
    def setUp(self):
        iris = Table("iris")
        analysis = Analysis(iris[::2], iris)
        self.variable = iris.domain["petal length"]
        picture = analysis.picture(2, analysis.labels(Parameters()))
        self.plot = CutPlot()
        show(self.plot)
        class_var = iris.domain.class_var
        self.plot.set_histogram(self.variable, picture, class_var.values,
                                list(class_var.palette.qcolors))
        self.plot.set_cuts([2.45, 4.75], "SADD cuts", [3.], "MDLP cuts")
        QApplication.processEvents()
        self.edited = QSignalSpy(self.plot.cuts_edited)
        self.dragged = QSignalSpy(self.plot.cuts_dragged)

    def tearDown(self):
        self.plot.deleteLater()

    def position(self, value, height=5):
        return place(self.plot, value, height)

    def test_lines(self):
        self.assertEqual([line.value() for line in self.plot.lines.values()],
                         [2.45, 4.75])
        self.assertEqual([line.value() for line in self.plot.compared_lines], [3.])
        own, other = self.plot.lines[0].span, self.plot.compared_lines[0].span
        self.assertEqual(own[0], other[1])  # one above the other

    def test_double_click_adds_a_cut(self):
        position = self.position(3.7)
        QTest.mouseClick(self.plot.viewport(), Qt.LeftButton, Qt.NoModifier, position)
        QTest.mouseDClick(self.plot.viewport(), Qt.LeftButton, Qt.NoModifier, position)
        QTest.mouseRelease(self.plot.viewport(), Qt.LeftButton, Qt.NoModifier, position)
        self.assertEqual(len(self.edited), 1)
        cuts, = self.edited[0]
        self.assertEqual((cuts[0], cuts[2]), (2.45, 4.75))
        self.assertAlmostEqual(cuts[1], 3.7, delta=.05)
        self.assertLess(len(str(cuts[1])), 8, "no more digits than pixels tell apart")

    def test_drag_moves_a_cut(self):
        drag_cut(self.plot, 2.45, 3.5, height=5)
        self.assertGreater(len(self.dragged), 0)
        self.assertEqual(len(self.edited), 1)
        cuts, = self.edited[0]
        self.assertAlmostEqual(cuts[0], 3.5, delta=.1)
        self.assertEqual(cuts[1], 4.75)

    def test_cuts_do_not_cross(self):
        line = self.plot.lines[0]
        line.setValue(6.)
        self.assertLess(line.value(), 4.75)
        line.sigPositionChangeFinished.emit(line)
        (cuts,), = self.edited
        self.assertLess(cuts[0], cuts[1])

    def test_menu_removes_and_adds(self):
        def choose(menu, text):
            next(action for action in menu.actions() if action.text() == text).trigger()

        choose(self.plot.make_menu(1, 4.75), "Remove Cut")
        self.assertEqual(self.edited[-1], [[2.45]])
        choose(self.plot.make_menu(None, 3.), "Add Cut Here")
        self.assertEqual(self.edited[-1], [[2.45, 3., 4.75]])
        self.plot.getViewBox().setXRange(3, 4, padding=0)
        choose(self.plot.make_menu(None, 3.), "Show All Values")
        low, high = self.plot.getViewBox().viewRange()[0]
        self.assertTrue(low < 1 and high > 6.9)

    def test_right_click_opens_the_menu(self):
        chosen = []

        def make_menu(index, _):
            chosen.append(index)
            return QMenu(self.plot)

        self.plot.make_menu = make_menu
        for value in (4.75, 3.7):
            QTest.mouseClick(self.plot.viewport(), Qt.RightButton, Qt.NoModifier,
                             self.position(value))
        self.assertEqual(chosen, [1, None])
        QTest.mouseClick(self.plot.viewport(), Qt.RightButton, Qt.NoModifier,
                         QPoint(1, 1))
        self.assertEqual(len(chosen), 2)

    def test_cut_at(self):
        def at(position):
            return self.plot.cut_at(self.plot.mapToScene(position))

        self.assertEqual(at(self.position(4.75)), 1)
        self.assertEqual(at(self.position(4.75) + QPoint(4, 0)), 1)
        self.assertIsNone(at(self.position(3.7)))

    def test_delete_removes_the_cut_under_the_mouse(self):
        self.plot.lines[0].setMouseHover(True)
        QTest.keyClick(self.plot, Qt.Key_Delete)
        self.assertEqual(self.edited[-1], [[4.75]])

    def test_mark_interval(self):
        self.plot.mark_interval((-np.inf, 2.45))
        self.assertTrue(self.plot.region.isVisible())
        self.assertEqual(self.plot.region.getRegion()[1], 2.45)
        self.plot.mark_interval(None)
        self.assertFalse(self.plot.region.isVisible())

    def test_cuts_outside_of_the_picture_are_kept(self):
        self.plot.set_cuts([-1e308, 2.45, np.inf], "SADD cuts")
        self.assertEqual(list(self.plot.lines), [1])
        self.plot.remove_cut(1)
        self.assertEqual(self.edited[-1], [[-1e308, np.inf]])

    def test_many_cuts_are_drawn_together_until_zoomed_in(self):
        cuts = np.linspace(1.1, 6.8, 2000).tolist()
        self.plot.set_cuts(cuts, "FFD cuts", cuts, "PKID cuts")
        self.assertEqual((self.plot.lines, self.plot.compared_lines), ({}, []))
        self.assertEqual(len(self.plot.many.getData()[0]), 4000)
        paint(self.plot)
        self.plot.getViewBox().setXRange(3, 3.1, padding=0)
        self.assertTrue(0 < len(self.plot.lines) < 80)
        self.assertTrue(0 < len(self.plot.compared_lines) < 80)
        self.plot.remove_cut(min(self.plot.lines))
        self.assertEqual(len(self.edited[-1][0]), 1999)

    def test_tooltip_of_a_cut(self):
        self.plot.describe_cut = lambda index: f"cut {index}"
        move(self.plot, self.position(4.75))
        self.assertEqual(self.plot.lines[1].toolTip(), "cut 1")
        move(self.plot, self.position(3., height=-.3))
        self.assertEqual(self.plot.compared_lines[0].toolTip(), "MDLP cuts: 3.0")

    def test_clear_and_dark_palette(self):
        palette = QPalette()
        palette.setColor(QPalette.Text, Qt.white)
        palette.setColor(QPalette.Base, Qt.black)
        self.plot.setPalette(palette)
        self.assertEqual(self.plot.lines[0].pen.color(), Qt.white)
        paint(self.plot)
        self.plot.clear_all()
        paint(self.plot)
        self.assertEqual(self.plot.lines, {})

    def test_time_axis(self):
        axis = self.plot.getAxis("bottom")
        axis.variable = TimeVariable("t", have_date=True)
        self.assertEqual(axis.tickStrings([0.], 1, 1), ["1970-01-01"])

    def test_no_numbers_below_zero(self):
        for _, values in self.plot.getAxis("left").tickValues(-3, 10, 200):
            self.assertTrue(all(value >= 0 for value in values))


class TestDecisionPlot(base.GuiTest):
    def setUp(self):
        self.plot = DecisionPlot()
        self.variable = ContinuousVariable("petal length", 2)
        show(self.plot)

    def tearDown(self):
        self.plot.deleteLater()

    def test_points_and_lines(self):
        self.plot.set_decisions(self.variable, [ACCEPTED, REFUSED], True)
        np.testing.assert_allclose(self.plot.accepted.getData(),
                                   [[np.log10(150)], [np.log10(.9)]])
        np.testing.assert_allclose(self.plot.refused.getData(),
                                   [[np.log10(100)], [np.log10(.02)]])
        rows, theta = self.plot.theta_line.getData()
        np.testing.assert_allclose(rows, np.log10([100, 150]))
        self.assertTrue(np.isfinite(theta).all(), "a threshold may be below 0")
        self.assertTrue(self.plot.adapted_line.isVisible())
        self.plot.set_decisions(self.variable, [ACCEPTED], False)
        self.assertFalse(self.plot.adapted_line.isVisible())
        paint(self.plot)

    def test_hover(self):
        self.plot.set_decisions(self.variable, [ACCEPTED, REFUSED], True)
        hovered = QSignalSpy(self.plot.hovered)
        points = self.plot.refused
        points.sigHovered.emit(points, list(points.points()), None)
        self.assertEqual(hovered[-1], [REFUSED])
        points.sigHovered.emit(points, [], None)
        self.assertEqual(hovered[-1], [None])

    def test_tooltip(self):
        text = describe_decision(ACCEPTED, self.variable)
        for part in ("150 rows", "2.45", "50 rows below, 100 above", "0.9000", "0.0500",
                     "0.1000", "accepted", "lowest value"):
            self.assertIn(part, text)
        text = describe_decision(REFUSED, self.variable, adaptive=False)
        self.assertIn("refused", text)
        self.assertNotIn("dapted", text)

    def test_text_instead(self):
        self.plot.set_decisions(self.variable, [], True)
        self.assertTrue(self.plot.text.isVisible())
        self.assertIn("No interval", self.plot.text.toPlainText())
        self.plot.set_decisions(self.variable, [ACCEPTED], True)
        self.assertFalse(self.plot.text.isVisible())

    def test_ticks(self):
        axis = self.plot.getAxis("bottom")
        (_, values), = axis.tickValues(0, 3, 400)
        self.assertIn("1,000", axis.tickStrings(values, 1, 1))
        self.assertEqual(axis.tickStrings([-2.], 1, 1), ["0.01"])


class TestLegend(base.GuiTest):
    def test_wraps_and_counts_the_rest(self):
        plot = CutPlot()
        show(plot, 400)
        legend = plot.legend
        self.assertIsInstance(legend, PlotLegend)
        entries = [LegendEntry(f"class {i}", "square", Qt.red) for i in range(60)]
        legend.set_entries(entries)
        QApplication.processEvents()
        lines = {line for _, _, line, _ in legend._placed}
        self.assertEqual(lines, {0, 1})
        *shown, (entry, x, _, text) = legend._placed
        self.assertIsNone(entry)
        self.assertEqual(text, f"and {60 - len(shown)} more")
        self.assertLess(x, legend.size().width())
        for sign in ("square", "hatched", "cut", "line", "dot", "cross"):
            legend.set_entries([LegendEntry("x" * 300, sign)])
            paint(plot)
        plot.deleteLater()


class TestCutEdits(base.GuiTest):
    def test_round_trip(self):
        edits = CutEdits()
        x, t = ContinuousVariable("x"), TimeVariable("x")
        edits.edit(x, [1., 2.])
        edits.edit(t, [3.])
        again = CutEdits(edits.stored())
        self.assertEqual(again.by_index([t, x, ContinuousVariable("y")]),
                         {0: [3.], 1: [1., 2.]})
        self.assertNotEqual(variable_key(x), variable_key(t))

    def test_nothing_to_undo_if_nothing_changes(self):
        edits = CutEdits([["x", "continuous", [1.]]])
        edits.edit(ContinuousVariable("x"), [1.])
        edits.reset([ContinuousVariable("y")])
        self.assertFalse(edits.stack.canUndo())
        edits.reset([ContinuousVariable("x")])
        self.assertEqual(edits.stored(), [])
        edits.stack.undo()
        self.assertEqual(edits.stored(), [["x", "continuous", [1.]]])


@pytest.mark.parametrize("name", ["category", "sadddiscretize"])
def test_icons_have_no_text_and_are_not_empty(name):
    path = Path(widgets.__file__).parent / "icons" / f"{name}.svg"
    assert "<text" not in path.read_text(encoding="utf-8")
    image = QImage(16, 16, QImage.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(path)).render(painter)
    painter.end()
    drawn = sum(image.pixelColor(x, y).alpha() > 128
                for x in range(16) for y in range(16))
    assert 40 < drawn < 200
