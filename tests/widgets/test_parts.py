"""The parts of the widgets, each by itself."""

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from AnyQt.QtGui import QColor, QFontMetrics, QHelpEvent, QImage, QPainter, QPalette
from AnyQt.QtSvg import QSvgRenderer
from AnyQt.QtTest import QSignalSpy, QTest
from AnyQt.QtWidgets import (
    QApplication,
    QMenu,
    QStyle,
    QStyleOptionViewItem,
    QToolTip,
)
from Orange.data import ContinuousVariable, Table, TimeVariable
from Orange.widgets.tests import base
from orangecontrib.sadd.widgets.sadddiscretize.cutedits import CutEdits
from orangecontrib.sadd.widgets.sadddiscretize.cutlines import parse
from orangecontrib.sadd.widgets.sadddiscretize.histogramitems import (
    LegendEntry,
    PlotLegend,
)
from orangecontrib.sadd.widgets.sadddiscretize.splittree import SplitTree, Stories
from orangecontrib.sadd.widgets.sadddiscretize.variablemodel import VariableRow
from orangecontrib.sadd.widgets.sadddiscretize.variabletable import (
    ThumbnailDelegate,
    VariableTable,
)

from orangecontrib.sadd import widgets
from orangecontrib.sadd.core import Decision
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.descriptions import (
    describe_decision,
    summarize_decision,
)
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.picture import Thumbnail
from orangecontrib.sadd.preprocessors import variable_key
from orangecontrib.sadd.widgets.common.controls import ElidedLabel
from orangecontrib.sadd.widgets.sadddiscretize.cutplot import CutPlot
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
                (2, 1, ["Alpha", "beta", "alphabet", "gamma"]),
                (3, 1, ["beta", "alphabet", "Alpha", "gamma"]),
                (3, 0, ["gamma", "Alpha", "alphabet", "beta"]),
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
        for column, expected in ((3, "beta"), (0, "Alpha")):
            QTest.mouseClick(header.viewport(), Qt.LeftButton, pos=QPoint(
                header.sectionViewportPosition(column) + 20, header.height() // 2))
            self.assertEqual(self.shown()[0], expected)
            self.assertEqual(bar.value(), 0)

    def test_sorting_by_a_column_that_is_gone(self):
        self.table.sort(5, 1)
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
                         ["Alpha *", "", " · ".join(map(str, range(11))), "0.200",
                          "2", "0.500"])
        self.assertEqual(self.table.model.as_lists()[3][2], "one interval")
        model = self.table.model
        tip = model.index(1, 0).data(Qt.ToolTipRole)
        self.assertIn("Cuts: 0, 1", tip)
        self.assertIn("and 3 more", tip)
        self.assertIn("Edited by hand", tip)
        self.assertIn("No cuts", model.index(2, 0).data(Qt.ToolTipRole))
        self.assertIn("75.0%", model.index(0, 3).data(Qt.ToolTipRole))
        self.assertTrue(model.index(1, 0).data(Qt.FontRole).italic())
        tip = model.headerData(3, Qt.Horizontal, Qt.ToolTipRole)
        self.assertIn("entropy", tip)
        self.assertIn("pseudo-labels do not count", " ".join(tip.split()))
        self.assertLess(max(map(len, tip.splitlines())), 90)
        self.assertEqual(model.headerData(4, Qt.Horizontal), "MDLP")
        self.assertIn("labelled rows only",
                      model.headerData(4, Qt.Horizontal, Qt.ToolTipRole))

    def test_many_cuts(self):
        variable = ContinuousVariable("x", 1)
        row = VariableRow(variable, 1001, 1., 1., cuts=list(range(1000)))
        self.table.set_rows([row, row._replace(cuts=[1, 1 + 1e-9])])
        text = self.table.model.as_lists()[1][2]
        self.assertTrue(text.endswith("· and 960 more"))
        first, second = self.table.model.as_lists()[2][2].split(" · ")
        self.assertNotEqual(first, second)

    def test_long_names_keep_what_tells_them_apart(self):
        names = [f"expression of the gene with the number {i} in this tissue"
                 for i in (17, 1200)]
        self.table.set_rows([VariableRow(ContinuousVariable(name), 1, 0., 0.)
                             for name in names])
        delegate = self.table.view.itemDelegateForColumn(0)
        texts = []
        for width in (150, 2000):
            option = QStyleOptionViewItem()
            option.rect = QRect(0, 0, width, 20)
            delegate.initStyleOption(option, self.table.model.index(1, 0))
            texts.append(option.text)
        # How many letters have room depends on the fonts
        self.assertRegex(texts[0], "^expr[a-z ]*…1200…$")
        self.assertEqual(texts[1], names[1])

    def test_small_distributions_are_painted_with_their_cuts(self):
        counts = np.zeros((2, 24), dtype=int)
        counts[0, :12], counts[1, 12:] = 1, 1
        thumbnail = Thumbnail(0., 24., counts)
        self.table.set_rows(
            [row._replace(thumbnail=thumbnail, cuts=[6.]) for row in self.rows],
            "MDLP", [QColor(Qt.red), QColor(Qt.green)])
        show(self.table)
        image = paint(self.table.view.viewport())
        rect = self.table.view.visualRect(self.table.model.index(1, 1))

        def colours(place):
            x = rect.left() + 6 + round(place * (rect.width() - 12))
            return {image.pixelColor(x + dx, rect.center().y()).rgb()
                    for dx in (-2, -1, 0, 1, 2)}

        text = self.table.palette().color(QPalette.Text).rgb()
        red, green = QColor(Qt.red).rgb(), QColor(Qt.green).rgb()
        self.assertLessEqual({text, red}, colours(.25))
        self.assertIn(red, colours(.15))
        self.assertNotIn(text, colours(.15))
        self.assertIn(green, colours(.85))
        # Bars of a selected row are not on the colour of the selection
        self.table.view.selectRow(1)
        image = paint(self.table.view.viewport())
        self.assertLessEqual({text, red}, colours(.25))
        self.assertEqual(image.pixelColor(rect.left() + 5, rect.center().y()),
                         self.table.palette().color(QPalette.Base))

    def test_small_distributions_are_drawn_once_and_only_if_seen(self):
        counts = np.ones((2, 24), dtype=int)
        rows = [VariableRow(ContinuousVariable(f"x{i}"), 2, .5, .5,
                            thumbnail=Thumbnail(0., 24., counts)) for i in range(600)]
        colours = [QColor(Qt.red), QColor(Qt.green)]
        with patch.object(ThumbnailDelegate, "_draw", autospec=True,
                          side_effect=ThumbnailDelegate._draw) as draw:
            self.table.set_rows(rows, "MDLP", colours)
            self.table.resize(800, 300)
            show(self.table)
            bar, viewport = self.table.view.verticalScrollBar(), \
                self.table.view.viewport()
            paint(viewport)
            n_seen = draw.call_count
            self.assertGreater(n_seen, 5)
            self.assertLess(n_seen, 30)
            bar.setValue(20)
            paint(viewport)
            self.assertGreater(draw.call_count, n_seen)
            n_seen = draw.call_count
            bar.setValue(0)
            paint(viewport)
            self.assertEqual(draw.call_count, n_seen)
            # Other cuts need no other bars, other colours do
            self.table.set_rows([row._replace(cuts=[6.]) for row in rows], "MDLP",
                                list(colours))
            paint(viewport)
            self.assertEqual(draw.call_count, n_seen)
            self.table.set_rows(rows, "MDLP", colours[::-1])
            paint(viewport)
            self.assertGreater(draw.call_count, n_seen)

    def test_few_rows_among_many_have_a_pixel(self):
        counts = np.zeros((2, 24), dtype=int)
        counts[0], counts[1, 12] = 1, 10_000
        self.table.set_rows([self.rows[0]._replace(
            thumbnail=Thumbnail(0., 24., counts))] * 2, "MDLP",
            [QColor(Qt.red), QColor(Qt.green)])
        show(self.table)
        image = paint(self.table.view.viewport())
        rect = self.table.view.visualRect(self.table.model.index(1, 1))
        column = {image.pixelColor(rect.left() + rect.width() // 4, y).rgb()
                  for y in range(rect.top(), rect.bottom() + 1)}
        self.assertIn(QColor(Qt.red).rgb(), column)

    def test_names_use_the_room_that_there_is(self):
        names = [f"expression of the gene with the number {i} in the tissue"
                 for i in range(1200, 1210)]
        self.table.set_rows([VariableRow(ContinuousVariable(name), 2, .5, .5)
                             for name in names], "MDLP")
        delegate = self.table.view.itemDelegateForColumn(0)
        lengths = []
        for width in (160, 240, 320, 600):
            option = QStyleOptionViewItem()
            option.rect = QRect(0, 0, width, 20)
            delegate.initStyleOption(option, self.table.model.index(1, 0))
            self.assertIn("1201", option.text)
            lengths.append(len(option.text))
        self.assertEqual(lengths, sorted(set(lengths)))
        self.assertEqual(lengths[-1], len(names[1]))

    def test_titles_of_narrow_columns_are_short(self):
        def titles():
            return [self.table.model.headerData(column, Qt.Horizontal)
                    for column in range(6)]

        self.table.set_rows(self.rows, "MDLP")
        show(self.table)
        metrics = self.table.fontMetrics()
        header = self.table.view.horizontalHeader()
        for width, title in ((480, "Kept"), (1400, "Information kept")):
            self.table.resize(width, 300)
            QApplication.processEvents()
            self.assertEqual([titles()[3], titles()[5]], [title] * 2)
            for column in range(6):
                indicator = 12 if column in (3, 5) else 0
                self.assertGreater(
                    header.sectionSize(column),
                    metrics.horizontalAdvance(titles()[column]) + indicator)
        self.table.resize(480, 300)
        QApplication.processEvents()
        self.assertIn("Information kept", self.table.model.as_lists()[0])
        self.assertTrue(self.table.model.headerData(
            3, Qt.Horizontal, Qt.ToolTipRole).startswith("Information kept"))

    def test_short_names_leave_room_for_cuts(self):
        show(self.table)
        self.table.resize(1400, 300)
        QApplication.processEvents()
        header = self.table.view.horizontalHeader()
        self.assertGreater(header.sectionSize(2), 2 * header.sectionSize(0))

    def test_names_of_few_variables_fit_into_a_small_window(self):
        rows = [VariableRow(variable, 4, 1., .5, 2, 1., .5, cuts=[2.45, 4.75, 5.25])
                for variable in Table("iris").domain.attributes]
        self.table.set_rows(rows, "MDLP")
        show(self.table)
        self.table.resize(self.table.fontMetrics().horizontalAdvance("0" * 64), 300)
        QApplication.processEvents()
        delegate, view = self.table.view.itemDelegateForColumn(0), self.table.view
        for line, row in enumerate(rows):
            option, index = QStyleOptionViewItem(), self.table.model.index(line, 0)
            option.rect, option.decorationSize = view.visualRect(index), QSize(16, 16)
            delegate.initStyleOption(option, index)
            self.assertEqual(option.text, row.variable.name)
            self.table.set_row(line, row._replace(edited=True))
            delegate.initStyleOption(option, index)
            self.assertEqual(option.text, f"{row.variable.name} *")
        # Both bars are as long, scroll bar or not
        header = view.horizontalHeader()
        self.assertEqual(header.sectionSize(3), header.sectionSize(5))
        self.assertGreater(header.sectionSize(2), header.sectionSize(3))

    def test_names_in_the_smallest_window(self):
        """As on a screen of 800 x 600, where no name was legible."""
        rows = [VariableRow(variable, 2, .1, .1, 1, 0., 0., cuts=[115.5, 132.5])
                for variable in Table("heart_disease").domain.attributes
                if variable.is_continuous]
        self.table.set_rows(rows, "MDLP")
        show(self.table)
        # Margins do not grow with the font
        self.table.resize(
            155 + self.table.fontMetrics().horizontalAdvance("0" * 28), 300)
        QApplication.processEvents()
        delegate, shown = self.table.view.itemDelegateForColumn(0), []
        for line in range(len(rows)):
            option, index = QStyleOptionViewItem(), self.table.model.index(line, 0)
            option.rect = self.table.view.visualRect(index)
            option.decorationSize = QSize(16, 16)
            delegate.initStyleOption(option, index)
            shown.append(option.text)
        self.assertIn("max HR", shown)

    def test_cuts_need_more_room_than_bars(self):
        metrics, header = self.table.fontMetrics(), self.table.view.horizontalHeader()
        cuts = "-1.0625 · -0.5125 · 0.25125"
        self.table.set_rows([row._replace(cuts=[-1.0625, -.5125, .25125])
                             for row in self.rows], "MDLP")
        show(self.table, metrics.horizontalAdvance("0" * 80))
        self.assertGreater(header.sectionSize(2), metrics.horizontalAdvance(cuts))

    def test_bar_is_as_long_as_the_share(self):
        show(self.table)
        image = paint(self.table.view.viewport())
        colour = self.table.palette().color(QPalette.Highlight)

        def bar(row):
            rect = self.table.view.visualRect(self.table.model.index(row, 3))
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
        self.table.sort(3, 1)
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
        self.lines = self.plot.cut_lines
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
        self.assertEqual([line.value() for line in self.lines.compared_lines], [3.])
        own, other = self.plot.lines[0].span, self.lines.compared_lines[0].span
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

    def test_flags_show_values_and_do_not_overlap(self):
        flags = self.lines.flags
        self.assertEqual([flag.toPlainText() for flag in flags.values()],
                         ["2.45", "4.75"])
        self.assertTrue(all(flag.isVisible() for flag in flags.values()))
        self.plot.set_cuts([2.45, 2.46, 2.47, 4.75], "SADD cuts")
        shown = [index for index, flag in self.lines.flags.items() if flag.isVisible()]
        self.assertEqual(shown, [0, 3])
        self.plot.select_cut(2)
        shown = [index for index, flag in self.lines.flags.items() if flag.isVisible()]
        self.assertEqual(shown, [2, 3])

    def test_flag_follows_the_mouse(self):
        self.plot.drag(0, 3.5)
        value = float(self.lines.flags[0].toPlainText())
        self.assertAlmostEqual(value, 3.5, delta=.1)
        self.assertEqual(self.lines.flags[0].pos().x(), value)

    def apply(self):
        """Edits take effect, as in the widget."""
        self.plot.cuts_edited.connect(
            lambda cuts: self.plot.set_cuts(cuts, "edited cuts"))

    def click(self, value):
        QTest.mouseClick(self.plot.viewport(), Qt.LeftButton, Qt.NoModifier,
                         self.position(value))

    def test_keys_move_and_remove_the_selected_cut(self):
        self.apply()
        self.click(4.75)
        self.assertEqual(self.plot.selected, 1)
        values = self.plot.picture.values
        QTest.keyClick(self.plot, Qt.Key_Right)
        above = values[values > 4.75]
        self.assertAlmostEqual(self.plot.cuts[1], (above[0] + above[1]) / 2)
        self.assertEqual(self.plot.selected, 1)
        QTest.keyClick(self.plot, Qt.Key_Left)
        self.assertAlmostEqual(self.plot.cuts[1], 4.75)
        QTest.keyClick(self.plot, Qt.Key_Escape)
        self.assertIsNone(self.plot.selected)
        QTest.keyClick(self.plot, Qt.Key_Delete)
        self.assertEqual(len(self.plot.cuts), 2)
        QTest.keyClick(self.plot, Qt.Key_Left)  # selects the last
        self.assertEqual(self.plot.selected, 1)
        QTest.keyClick(self.plot, Qt.Key_Delete)
        self.assertEqual(self.plot.cuts, [2.45])

    def test_type_a_value(self):
        self.apply()
        field = self.plot.field
        position = self.position(2.45)
        QTest.mouseDClick(self.plot.viewport(), Qt.LeftButton, Qt.NoModifier, position)
        QTest.mouseRelease(self.plot.viewport(), Qt.LeftButton, Qt.NoModifier, position)
        self.assertTrue(field.isVisible())
        self.assertEqual(field.text(), "2.45")
        field.setText("nonsense")
        QTest.keyClick(field, Qt.Key_Return)
        self.assertTrue(field.isVisible())
        self.assertIn("number", field.toolTip())
        field.setText("5.125")
        QTest.keyClick(field, Qt.Key_Return)
        self.assertFalse(field.isVisible())
        self.assertEqual(self.plot.cuts, [4.75, 5.125])
        self.assertEqual(self.plot.selected, 1)
        QTest.keyClick(self.plot, Qt.Key_Return)
        self.assertTrue(field.isVisible())
        field.setText("1")
        QTest.keyClick(field, Qt.Key_Escape)
        self.assertFalse(field.isVisible())
        self.assertEqual(self.plot.cuts, [4.75, 5.125])

    def test_typing_a_date_does_not_change_the_variable(self):
        variable = TimeVariable("when", have_date=True)
        self.assertEqual(parse(variable, "1970-01-02"), 86400)
        parse(variable, "1970-01-02 10:00")
        self.assertEqual((variable.have_date, variable.have_time), (True, False))
        with self.assertRaises(ValueError):
            parse(variable, "soon")

    def test_cuts_snap_to_the_middle_of_a_gap(self):
        # There is no value between 1.9 and 3
        (pixel, _), middle = self.plot.getViewBox().viewPixelSize(), (1.9 + 3) / 2
        self.plot.add_cut(middle + 2 * pixel)
        self.assertEqual(len(self.edited), 0, "it is there already")
        self.plot.set_cuts([4.75], "SADD cuts")
        self.plot.add_cut(middle + 2 * pixel)
        self.assertEqual(self.edited[-1][0][0], self.plot.picture.cut_near(middle))

    def test_elsewhere_cuts_snap_to_a_round_number(self):
        (pixel, _), value = self.plot.getViewBox().viewPixelSize(), 2.7013
        self.assertTrue(.005 < pixel < .05, pixel)
        self.plot.add_cut(value)
        cut = self.edited[-1][0][1]
        self.assertLessEqual(abs(cut - value), pixel)
        self.assertEqual(cut, round(value, 2), "a mouse cannot tell 2.7 from 2.701")

    def test_escape_ends_dragging(self):
        line = self.plot.lines[0]
        line.moving = True
        line.setValue(3.5)
        self.plot.drag(0, 3.5)
        QTest.keyClick(self.plot, Qt.Key_Escape)
        self.assertEqual(line.value(), 2.45)
        self.assertFalse(line.moving)
        self.assertEqual(self.dragged[-1], [[2.45, 4.75]])
        self.assertEqual(len(self.edited), 0)

    def test_click_selects_an_interval(self):
        selected = QSignalSpy(self.plot.interval_selected)
        self.click(3.7)
        self.assertEqual(selected[-1], [(2.45, 4.75)])
        self.assertTrue(self.plot.chosen.isVisible())
        self.plot.set_cuts([2.45, 4.75, 5.], "SADD cuts")
        self.assertEqual(len(selected), 1)
        self.plot.set_cuts([2.45, 4.], "SADD cuts")
        self.assertEqual(selected[-1], [None])
        self.click(1.5)
        self.assertEqual(selected[-1], [(-np.inf, 2.45)])
        QTest.qWait(QApplication.doubleClickInterval() + 50)
        self.click(1.5)
        self.assertEqual(selected[-1], [None])
        self.assertFalse(self.plot.chosen.isVisible())

    def test_tooltip_of_an_interval(self):
        self.plot.describe_interval = lambda index: f"interval {index}"
        for value, text in ((3.7, "interval 1"), (6., "interval 2")):
            position = self.position(value)
            QApplication.sendEvent(self.plot.viewport(), QHelpEvent(
                QEvent.ToolTip, position, self.plot.mapToGlobal(position)))
            self.assertEqual(QToolTip.text(), text)
        QToolTip.hideText()

    def test_weak_and_resampled_cuts(self):
        self.plot.set_cuts([2.45], "SADD cuts", weak=[4., 5.], weak_tip="weak")
        self.assertEqual([line.value() for line in self.lines.weak_lines], [4., 5.])
        move(self.plot, self.position(4.))
        self.assertEqual(self.lines.weak_lines[0].toolTip(), "weak")
        self.assertIn("cuts by weak labels", self.plot.legend.toolTip())
        self.assertNotIn("cuts of resamples", self.plot.legend.toolTip())
        self.plot.set_resampled([2., 3., 4.])
        self.assertEqual(len(self.lines.resampled.getData()[0]), 6)
        self.assertIn("cuts of resamples", self.plot.legend.toolTip())
        self.assertIn("cuts by weak labels", self.plot.legend.toolTip())
        paint(self.plot)
        self.plot.clear_all()
        self.assertEqual(len(self.lines.resampled.getData()[0]), 0)

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
        self.assertEqual((self.plot.lines, self.lines.compared_lines), ({}, []))
        self.assertEqual(len(self.lines.many.getData()[0]), 4000)
        paint(self.plot)
        self.plot.getViewBox().setXRange(3, 3.1, padding=0)
        self.assertTrue(0 < len(self.plot.lines) < 80)
        self.assertTrue(0 < len(self.lines.compared_lines) < 80)
        self.plot.remove_cut(min(self.plot.lines))
        self.assertEqual(len(self.edited[-1][0]), 1999)

    def test_tooltip_of_a_cut(self):
        self.plot.describe_cut = lambda index: f"cut {index}"
        move(self.plot, self.position(4.75))
        self.assertEqual(self.plot.lines[1].toolTip(), "cut 1")
        move(self.plot, self.position(3., height=-.3))
        self.assertEqual(self.lines.compared_lines[0].toolTip(), "MDLP cuts: 3.0")

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
        (_, values), = axis.tickValues(1.2e9, 1.7e9, 700)
        dates = axis.tickStrings(values, 1, 1)
        self.assertGreaterEqual(len(dates), 7)
        self.assertEqual(dates, [axis.variable.str_val(value).removesuffix("-01-01")
                                 for value in values])
        (_, values), = axis.tickValues(1.2e9, 1.2e9 + 5e5, 400)
        days = axis.tickStrings(values, 1, 1)
        self.assertGreater(len(days), 1)
        self.assertTrue(all(day.startswith("2008-01-") for day in days), days)
        metrics = QFontMetrics(axis.font())
        for size in (150, 300, 600, 1200):
            (_, values), = axis.tickValues(1.2e9, 1.7e9, size)
            room = sum(map(metrics.horizontalAdvance, axis.tickStrings(values, 1, 1)))
            self.assertLess(room, size)
        for low, high in ((-1e300, 1e300), (0, 1e-3), (-1e12, 1e12)):
            for _, values in axis.tickValues(low, high, 400):
                axis.tickStrings(values, 1, 1)

    def test_no_numbers_below_zero(self):
        for _, values in self.plot.getAxis("left").tickValues(-3, 10, 200):
            self.assertTrue(all(value >= 0 for value in values))


class TestSplitTree(base.GuiTest):
    def setUp(self):
        self.plot, self.stories = SplitTree(), Stories()
        self.variable = ContinuousVariable("petal length", 2)
        show(self.plot)

    def tearDown(self):
        self.plot.deleteLater()

    def set_decisions(self, decisions, adaptive=True):
        self.plot.set_decisions(self.variable, decisions, adaptive)
        self.plot.show_range(0, 7)
        self.stories.set_decisions(self.plot)

    def test_bars_are_at_their_depth(self):
        self.set_decisions([REFUSED, ACCEPTED])
        self.assertEqual(self.plot.tree.nodes, [(ACCEPTED, 0), (REFUSED, 1)])
        self.assertEqual(self.plot.tree.boundingRect().height(), 2)
        at = self.plot.tree.at
        self.assertIs(at(QPointF(1, .5)), ACCEPTED)
        self.assertIs(at(QPointF(5, 1.5)), REFUSED)
        self.assertIsNone(at(QPointF(1, 1.5)))

    def test_an_infinite_cut_ends(self):
        whole = ACCEPTED._replace(cut=np.inf)
        part = REFUSED._replace(lower=-np.inf)
        self.set_decisions([part, whole])
        self.assertEqual(self.plot.tree.nodes, [(whole, 0), (part, 1)])
        paint(self.plot)

    def test_solid_and_hollow_marks(self):
        self.set_decisions([ACCEPTED, REFUSED])
        image = paint(self.plot)
        text = self.plot.palette().color(QPalette.Text)
        base_colour = self.plot.palette().color(QPalette.Base)

        def colour(value, depth):
            place = self.plot.mapFromScene(
                self.plot.getViewBox().mapViewToScene(QPointF(value, depth)))
            return image.pixelColor(place)

        self.assertLess(colour(2.45, .5).lightness(), 90)
        self.assertLess(text.lightness(), 90)
        self.assertEqual(colour(4.75, 1.5).rgb(), base_colour.rgb())
        self.assertNotEqual(colour(6, 1.5).rgb(), base_colour.rgb())

    def test_hover(self):
        self.set_decisions([ACCEPTED, REFUSED])
        hovered = QSignalSpy(self.plot.hovered)
        move(self.plot, place(self.plot, 6., 1.5))
        self.assertEqual(hovered[-1], [REFUSED])
        self.assertIn("refused", self.plot.tree.toolTip())
        move(self.plot, place(self.plot, 1., 1.5))
        self.assertEqual(hovered[-1], [None])
        told = QSignalSpy(self.stories.hovered)
        self.stories.itemEntered.emit(self.stories.item(1))
        self.assertEqual(told[-1], [REFUSED])
        self.plot.mark(REFUSED)
        self.stories.mark(REFUSED)
        paint(self.plot)

    def test_a_sentence_in_place_of_the_tree_fits(self):
        sentence = "Equal frequency does not decide by a threshold; " * 2
        for width in (300, 900):
            self.plot.resize(width, 120)
            self.plot.show_text(sentence)
            QApplication.processEvents()
            room = self.plot.getViewBox().sceneBoundingRect()
            text = self.plot.text.mapRectToScene(self.plot.text.boundingRect())
            self.assertGreaterEqual(text.left(), room.left())
            self.assertLessEqual(text.right(), room.right())

    def test_sentences_have_no_empty_lines_below(self):
        self.set_decisions([ACCEPTED, REFUSED])
        metrics = self.stories.fontMetrics()
        margin = 1 + self.stories.style().pixelMetric(QStyle.PM_FocusFrameHMargin)
        # The last is enough for a line, but not beside a scroll bar
        enough = metrics.horizontalAdvance(self.stories.sentences()[1]) \
            + 2 * (margin + self.stories.frameWidth()) + 4
        for width in (120, 400, 200, enough):
            show(self.stories, width)
            QApplication.processEvents()
            for row, sentence in enumerate(self.stories.sentences()):
                room = self.stories.viewport().width() - 2 * margin
                lines = metrics.boundingRect(
                    QRect(0, 0, room, 1000), Qt.TextWordWrap, sentence).height()
                height = self.stories.visualItemRect(self.stories.item(row)).height()
                self.assertLess(height, lines + metrics.height())
        self.stories.hide()

    def test_a_little_too_little(self):
        nearly = REFUSED._replace(gain=REFUSED.adapted_theta * .999)
        self.assertIn("less than 1 % short",
                      summarize_decision(nearly, self.variable))

    def test_sentences(self):
        self.set_decisions([ACCEPTED, REFUSED])
        self.assertEqual(self.stories.sentences(), [
            "150 rows: 2.45 gains 0.900, needs 0.050",
            "100 rows: 4.75 gains 0.020, needs 0.040: 50 % short, refused"])
        for part in ("150 rows", "2.45", "50 rows below, 100 above", "0.9000", "0.0500",
                     "0.1000", "accepted", "lowest value"):
            self.assertIn(part, self.stories.item(0).toolTip())
        text = describe_decision(REFUSED, self.variable, adaptive=False)
        self.assertIn("refused", text)
        self.assertNotIn("dapted", text)
        thanks = ACCEPTED._replace(theta=.95)
        self.assertIn("thanks", describe_decision(thanks, self.variable))
        over = ACCEPTED._replace(accepted=False)
        self.assertIn("too many intervals", describe_decision(over, self.variable))
        self.assertIn("over the limit of intervals",
                      summarize_decision(over, self.variable))

    def test_many_decisions(self):
        ends = np.arange(1001.)
        decisions = [Decision(-np.inf, end + 2, 9., 4., 5., end + 1, .9, .1, .05, True)
                     for end in ends]
        decisions.append(ACCEPTED._replace(cut=decisions[-1].upper))
        self.set_decisions(decisions)
        self.assertEqual(self.plot.tree.n_levels, 1002)
        self.assertEqual(self.stories.sentences()[-1], "and 702 more")
        paint(self.plot)
        self.stories.itemEntered.emit(self.stories.item(300))

    def test_text_instead(self):
        self.set_decisions([])
        self.assertTrue(self.plot.text.isVisible())
        self.assertIn("No interval", self.plot.text.toPlainText())
        self.assertEqual(self.stories.sentences(), [])
        self.set_decisions([ACCEPTED])
        self.assertFalse(self.plot.text.isVisible())


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
        # A third line, if then all are seen
        legend.set_entries(entries[:9])
        self.assertEqual([entry for entry, *_ in legend._placed], entries[:9])
        self.assertEqual(legend._placed[-1][2], 2)
        for sign in ("square", "hatched", "cut", "weak cut"):
            legend.set_entries([LegendEntry("x" * 300, sign)])
            paint(plot)
        plot.deleteLater()


class TestElidedLabel(base.GuiTest):
    def test_short_text_where_there_is_no_room(self):
        label = ElidedLabel("A sentence with all the numbers", "A few numbers")
        metrics = label.fontMetrics()
        for text in ("A sentence with all the numbers", "A few numbers"):
            label.resize(metrics.horizontalAdvance(text) + 1, 20)
            self.assertEqual(label.shown_text(), text)
        label.resize(metrics.horizontalAdvance("A few") + 1, 20)
        self.assertTrue(label.shown_text().endswith("…"))
        self.assertEqual(label.toolTip(), "A sentence with all the numbers")
        label.setText("Something else entirely")
        self.assertTrue(label.shown_text().startswith("S"))


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
