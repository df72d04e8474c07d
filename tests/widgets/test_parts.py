"""The parts of SADD Discretize, each by itself."""

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPoint, QRect, Qt
from AnyQt.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QImage,
    QPainter,
    QPalette,
)
from AnyQt.QtTest import QSignalSpy, QTest
from AnyQt.QtWidgets import (
    QApplication,
    QLineEdit,
    QMenu,
    QStyleOptionViewItem,
    QToolTip,
)
from Orange.data import ContinuousVariable, Table, TimeVariable
from Orange.widgets.tests import base

from orangecontrib.sadd.core import Decision
from orangecontrib.sadd.explain.analysis import Analysis, Findings
from orangecontrib.sadd.explain.descriptions import (
    describe_decision,
    summarize_decision,
)
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.picture import Thumbnail
from orangecontrib.sadd.explain.resampling import (
    Bands,
    CrossValidated,
    find_bands,
)
from orangecontrib.sadd.widgets.common.bartable import BarColourRole, BarRole, GroupRole
from orangecontrib.sadd.widgets.common.histogram import DateAxis, replace_axis
from orangecontrib.sadd.widgets.sadddiscretize.cutplot import CutPlot
from orangecontrib.sadd.widgets.sadddiscretize.edits import Edits, parse_cuts
from orangecontrib.sadd.widgets.sadddiscretize.table import VariableTable
from orangecontrib.sadd.widgets.sadddiscretize.variablemodel import (
    Column,
    CutsRole,
    VariableRow,
)
from orangecontrib.sadd.widgets.sadddiscretize.why import Why
from tests.widgets.mouse import drag_cut, move, place

ACCEPTED = Decision(-np.inf, np.inf, 150., 50., 100., 2.45, .9, .1, .05, True)
REJECTED = Decision(2.45, np.inf, 100., 54., 46., 4.75, .02, -.2, .04, False)


def show(part, width=600, height=400):
    part.resize(width, height)
    part.show()
    QTest.qWaitForWindowExposed(part)


def paint(part):
    return part.grab().toImage()


def make_plot():
    """Return the histogram of petal length; half of the rows are unlabelled."""
    iris, plot = Table("iris"), CutPlot()
    findings = Findings.of(Analysis(iris[::2], iris), Parameters())
    show(plot)
    plot.set_histogram(iris.domain["petal length"], findings.picture(2),
                       iris.domain.class_var.values,
                       list(iris.domain.class_var.palette.qcolors)[:3])
    return plot


class TestVariableTable(base.GuiTest):
    def setUp(self):
        self.table = VariableTable()
        names = ("beta", "Alpha", "gamma", "alphabet")
        self.rows = [
            VariableRow(ContinuousVariable(name), list(map(float, range(n_cuts))), 1)
            for name, n_cuts in zip(names, (2, 11, 0, 1), strict=True)]
        self.table.set_rows(self.rows, "SADD", "MDLP")
        bits = np.array([1.5, .2, -.0001, 1.])
        folds = [[np.array([1.])] * 3 + [np.zeros(0)] * 7] * 4
        values = np.arange(12.)
        self.figures = CrossValidated(
            bits, bits / 2, np.repeat([True, False], [24, 6]), np.ones(30), folds,
            [find_bands(values, row.cuts, own)
             for row, own in zip(self.rows, folds, strict=True)])
        self.table.model.set_figures(self.figures, self.figures)

    def tearDown(self):
        self.table.deleteLater()
        super().tearDown()

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
                (5, 0, ["gamma", "Alpha", "alphabet", "beta"]),
                (-1, 0, ["beta", "Alpha", "gamma", "alphabet"])):
            self.table.view.sort_by(column, order)
            self.assertEqual(self.shown(), expected)
        self.table.view.sort_by(3, 1)
        self.table.model.set_figures(replace(
            self.figures, information=-self.figures.information), None)
        self.assertEqual(self.shown(), ["gamma", "Alpha", "alphabet", "beta"])
        self.table.view.sort_by(5, 1)
        self.table.set_rows(self.rows, "SADD")  # which has no such column
        self.assertEqual(len(self.shown()), 4)

    def test_first_click_sorts_numbers_downwards_and_goes_to_the_top(self):
        self.table.set_rows(self.rows * 30, "SADD", "MDLP")
        self.table.resize(600, 150)
        self.table.grab()
        header, bar = self.table.view.horizontalHeader(), \
            self.table.view.verticalScrollBar()
        bar.setValue(bar.maximum())
        self.assertGreater(bar.value(), 0)
        self.table.set_rows(self.rows * 30, "SADD", "MDLP")  # by other parameters
        self.assertEqual(bar.value(), bar.maximum())
        for column, expected in ((2, "Alpha"), (0, "Alpha")):
            QTest.mouseClick(header.viewport(), Qt.LeftButton, pos=QPoint(
                header.sectionViewportPosition(column) + 20, header.height() // 2))
            self.assertEqual(self.shown()[0], expected)
            self.assertEqual(bar.value(), 0)

    def test_filter_and_count(self):
        self.assertEqual(self.table.count.text(), "4 variables · SADD 14 cuts · MDLP 4")
        self.table.filter.setText(" ALPHA ")
        self.assertEqual(self.shown(), ["Alpha", "alphabet"])
        self.assertEqual(self.table.count.text(),
                         "2 of 4 variables · SADD 14 cuts · MDLP 4")
        self.table.filter.clear()
        self.assertEqual(len(self.shown()), 4)
        self.table.hide_check.click()
        self.assertEqual(self.shown(), ["beta", "Alpha", "alphabet"])

    def test_texts(self):
        model = self.table.model
        for treatment, name, cuts in (
                ([1.], "Alpha *", "1"), ("numeric", "Alpha *", "stays numeric"),
                ("remove", "Alpha *", "removed"), ("EW", "Alpha *", "EW: 1"),
                (None, "Alpha", "1")):
            model.set_row(1, self.rows[1]._replace(treatment=treatment, cuts=[1.]))
            information = "" if treatment in ("numeric", "remove") else \
                "placed by hand: optimistic 0.200" if treatment == [1.] else "0.200"
            self.assertEqual(model.as_lists()[2],
                             [name, cuts, information, "1", "0.200"])
            font = model.index(1, 0).data(Qt.FontRole)
            self.assertEqual(font is not None and font.italic(), treatment is not None)
        # Not -0.000
        self.assertEqual(model.as_lists()[3][1:], ["no cut", "–", "1", "0.000"])
        self.assertEqual([model.headerData(column, Qt.Horizontal, GroupRole)
                          for column in range(6)], [None] * 4 + ["MDLP"] * 2)
        self.assertIn("75.0 %", model.index(0, 3).data(Qt.ToolTipRole))
        tip = model.headerData(3, Qt.Horizontal, Qt.ToolTipRole)
        self.assertLess(max(map(len, tip.splitlines())), 90)

    def test_many_cuts(self):
        variable = ContinuousVariable("x", 1)
        row = VariableRow(variable, list(range(1000)))
        self.table.set_rows([row, row._replace(cuts=[1, 1 + 1e-9])])
        text = self.table.model.as_lists()[1][1]
        self.assertTrue(text.endswith("· and 960 more"))
        first, second = self.table.model.as_lists()[2][1].split(" · ")
        self.assertNotEqual(first, second)
        self.assertEqual(len(self.table.model.index(0, 2).data(Qt.EditRole)
                             .split(" · ")), 1000)

    def test_double_click_opens_an_editor_of_all_cuts(self):
        typed = QSignalSpy(self.table.treated)
        show(self.table)
        view, index = self.table.view, self.table.model.index(0, 2)
        for event in (QTest.mouseClick, QTest.mouseDClick):
            event(view.viewport(), Qt.LeftButton, Qt.NoModifier,
                  view.visualRect(index).center())
        editor = view.viewport().findChild(QLineEdit)
        self.assertEqual(editor.text(), "0 · 1")
        editor.setText("3 · 4.5")
        QTest.keyClick(editor, Qt.Key_Return)
        QApplication.processEvents()
        self.assertEqual(typed[-1], [0, [3., 4.5]])
        self.assertEqual(len(typed), 1)

    def paint_thumbnail(self, counts, cuts=()):
        """Return the picture of a row, and the place of its distribution in it."""
        row = self.rows[0]._replace(thumbnail=Thumbnail(0., 24., counts), cuts=cuts)
        self.table.set_rows([row] * 2, "SADD", "MDLP",
                            [QColor(Qt.red), QColor(Qt.green)])
        show(self.table, 1000)
        return (paint(self.table.view.viewport()),
                self.table.view.visualRect(self.table.model.index(1, 1)))

    def test_small_distributions_are_painted_with_their_cuts(self):
        counts = np.zeros((2, 24), dtype=int)
        counts[0, :12], counts[1, 12:] = 1, 1
        image, rect = self.paint_thumbnail(counts, [6.])

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

    def test_few_rows_among_many_have_a_pixel(self):
        counts = np.zeros((2, 24), dtype=int)
        counts[0], counts[1, 12] = 1, 10_000
        image, rect = self.paint_thumbnail(counts)
        column = {image.pixelColor(rect.left() + rect.width() // 4 + dx, y).rgb()
                  for y in range(rect.top(), rect.bottom() + 1) for dx in (0, 1)}
        self.assertIn(QColor(Qt.red).rgb(), column)

    def test_columns_fit_into_the_table(self):
        metrics, header = self.table.fontMetrics(), self.table.view.horizontalHeader()
        show(self.table)
        for names in (["age", "max HR"], [f"{i} " + "long " * 50 for i in range(1000)]):
            self.table.set_rows([VariableRow(ContinuousVariable(name), [115.5, 132.5])
                                 for name in names], "SADD", "MDLP")
            # The window has 800 pixels with the usual font
            for width in (70, 120, 160):
                self.table.resize(width * metrics.averageCharWidth(), 300)
                QApplication.processEvents()
                self.assertLessEqual(header.length(), self.table.width())
                for column in range(6):
                    if header.isSectionHidden(column):  # in a narrow table
                        self.assertEqual(column, Column.DISTRIBUTION)
                        self.assertTrue(width == 70 or len(names) > 2)
                        continue
                    title = self.table.model.headerData(column, Qt.Horizontal)
                    self.assertGreaterEqual(header.sectionSize(column), max(
                        map(metrics.horizontalAdvance, title.split("\n"))))
        self.assertGreater(header.sectionSize(0), self.table.width() / 3)

    def test_short_names_and_cuts_are_not_elided(self):
        rows = [VariableRow(variable, [2.45, 4.75, 5.25])
                for variable in Table("iris").domain.attributes]
        metrics, header = self.table.fontMetrics(), self.table.view.horizontalHeader()
        self.table.set_rows(rows, "SADD", "MDLP")
        show(self.table, 100 * metrics.averageCharWidth())
        self.assertGreater(
            header.sectionSize(0), metrics.horizontalAdvance("petal length *") + 16)
        self.assertGreater(
            header.sectionSize(2), metrics.horizontalAdvance("2.45 · 4.75 · 5.25"))

    def test_variables_without_cuts_have_no_information(self):
        model = self.table.model
        index = model.index(2, Column.INFORMATION)
        self.assertEqual((index.data(), index.data(BarRole)), ("–", None))
        self.assertEqual(index.data(Qt.ToolTipRole), "3 of 10 folds found a cut, which "
                         "lost 0.000 bits on left-out rows")
        model.set_row(2, self.rows[2]._replace(compared=0))
        self.assertEqual(
            [model.index(2, column).data() for column in (3, 4, 5)], ["–"] * 3)
        # An interval of missing values tells something as well
        model.set_row(2, self.rows[2]._replace(has_missing=True))
        self.assertEqual(index.data(), "0.000")

    def test_bars_are_scaled_to_the_largest_figure(self):
        bits = np.array([.02, -.01, 0, .01])
        self.table.model.set_figures(
            replace(self.figures, information=bits),
            replace(self.figures, information=-1 - bits))
        bars = [[self.table.model.index(row, column).data(BarRole)
                 for row in (0, 1, 3)] for column in (3, 5)]
        np.testing.assert_allclose(bars[0], [(1 / 3, 1), (0, 1 / 3), (1 / 3, 2 / 3)])
        # All of these point left
        np.testing.assert_allclose([end for _, end in bars[1]], 1)
        self.assertEqual(min(bars[1])[0], 0)
        colours = [self.table.model.index(row, 3).data(BarColourRole)
                   for row in (0, 1, 3)]
        self.assertEqual([colour is None for colour in colours], [True, False, True])
        self.assertLess(colours[1].alphaF(), 1)

    def test_bars_are_painted(self):
        show(self.table, 1000)
        colour = self.table.palette().color(QPalette.Highlight)
        self.table.view.select("gamma")
        image = paint(self.table.view.viewport())

        def bar(row):
            rect = self.table.view.visualRect(self.table.model.index(row, 3))
            return sum(image.pixelColor(x, rect.center().y()) == colour
                       for x in range(rect.left(), rect.right()))

        self.assertAlmostEqual(bar(0) / bar(3), 1.5, delta=.15)

    def test_figures_of_cuts_by_hand_are_grey_and_say_so(self):
        model = self.table.model
        index = model.index(0, Column.INFORMATION)
        model.set_row(0, self.rows[0]._replace(treatment=[0., 1.]))
        self.assertEqual(index.data(), "optimistic 1.500")
        self.assertGreater(
            self.table.view.horizontalHeader().sectionSize(Column.INFORMATION),
            self.table.fontMetrics().horizontalAdvance("optimistic 1.500"))
        self.assertIsNone(index.data(BarRole))
        self.assertLess(index.data(Qt.ForegroundRole).alphaF(), 1)
        self.assertIn("Placed by hand: optimistic", index.data(Qt.ToolTipRole))
        other = model.index(0, Column.COMPARED_INFORMATION)
        self.assertEqual(other.data(), "1.500")
        # Bars of other variables do not depend on it
        self.assertEqual(model.index(3, Column.INFORMATION).data(BarRole), (0, 1))

    def test_cuts_that_few_folds_find_are_faint(self):
        model = self.table.model
        shown = model.index(0, Column.CUTS).data(CutsRole)
        self.assertEqual(shown, [("0", "0/10", True), ("1", "3/10", True)])
        bands = self.figures.bands[0]._replace(n_found=np.array([5, 4]))
        model.set_figures(
            replace(self.figures, bands=[bands, *self.figures.bands[1:]]), None)
        shown = model.index(0, Column.CUTS).data(CutsRole)
        self.assertEqual([is_weak for *_, is_weak in shown], [False, True])
        show(self.table, 1000)
        self.table.view.select("gamma")
        text = self.table.palette().color(QPalette.Text)
        image, rect = paint(self.table.view.viewport()), self.table.view.visualRect(
            model.index(0, Column.CUTS))
        dark = [x for x in range(rect.left(), rect.right()) if any(
            image.pixelColor(x, y) == text
            for y in range(rect.top() + 1, rect.bottom()))]
        self.assertTrue(dark)
        self.assertLess(max(dark), rect.left() + 25, "a faint cut follows")
        model.set_stale(True)
        self.assertIsNone(model.index(0, Column.CUTS).data(CutsRole))

    def test_counts_are_not_cut_off(self):
        index = self.table.model.index(3, Column.CUTS)
        (cut, count, _), = index.data(CutsRole)
        option = QStyleOptionViewItem()
        option.widget, option.font = self.table.view, self.table.font()
        small = QFont(option.font)
        small.setPointSizeF(.8 * small.pointSizeF())
        needed = 13 + QFontMetrics(option.font).horizontalAdvance(cut) \
            + QFontMetrics(small).horizontalAdvance(f" {count}")
        pictures = []
        for width in (needed, 2 * needed):
            option.rect = QRect(0, 0, width, 30)
            image = QImage(needed - 6, 30, QImage.Format_RGB32)
            image.fill(Qt.white)
            painter = QPainter(image)
            self.table.view.itemDelegateForColumn(Column.CUTS).paint(
                painter, option, index)
            painter.end()
            pictures.append(image)
        self.assertEqual(*pictures)

    def test_names_are_elided_last(self):
        metrics, header = self.table.fontMetrics(), self.table.view.horizontalHeader()
        show(self.table)
        name = "the number of major vessels"
        self.table.set_rows([VariableRow(ContinuousVariable(name), [1., 2.])], "SADD",
                            "MDLP")
        needed = metrics.horizontalAdvance(name) + 30
        self.table.resize(80 * metrics.averageCharWidth(), 300)
        self.assertTrue(header.isSectionHidden(Column.DISTRIBUTION))
        self.assertGreater(header.sectionSize(Column.NAME), needed)
        self.table.resize(150 * metrics.averageCharWidth(), 300)
        self.assertFalse(header.isSectionHidden(Column.DISTRIBUTION))

    def test_stale_figures_are_faded(self):
        index = self.table.model.index(0, 3)
        self.assertIsNone(index.data(Qt.ForegroundRole))
        self.table.model.set_stale(True)
        self.assertLess(index.data(Qt.ForegroundRole).alphaF(), 1)


class TestCutPlot(base.GuiTest):
    def setUp(self):
        self.plot = make_plot()
        self.plot.set_cuts([2.45, 4.75], "SADD cuts", [3.], "MDLP cuts")
        QApplication.processEvents()
        self.edited = QSignalSpy(self.plot.cuts_edited)
        self.dragged = QSignalSpy(self.plot.cuts_dragged)

    def tearDown(self):
        self.plot.deleteLater()

    def position(self, value, height=5):
        return place(self.plot, value, height)

    def click(self, value, button=Qt.LeftButton):
        QTest.mouseClick(self.plot.viewport(), button, pos=self.position(value))

    def double_click(self, value):
        viewport, position = self.plot.viewport(), self.position(value)
        QTest.mouseDClick(viewport, Qt.LeftButton, pos=position)
        QTest.mouseRelease(viewport, Qt.LeftButton, pos=position)

    def apply_edits(self):
        """Let edits take effect, as in the widget."""
        self.plot.cuts_edited.connect(
            lambda cuts: self.plot.set_cuts(cuts, "edited cuts"))

    def test_bars_are_counts_and_lines_are_cuts(self):
        bars = [item for item in self.plot.plotItem.items
                if isinstance(item, pg.BarGraphItem)
                and item is not self.plot.lines.bands]
        self.assertEqual(sum(item.opts["height"].sum() for item in bars), 150)
        hatched = [item for item in bars
                   if pg.mkBrush(item.opts["brush"]).style() == Qt.BDiagPattern]
        self.assertEqual(sum(item.opts["height"].sum() for item in hatched), 75)
        self.assertEqual([line.value() for line in self.plot.lines.lines.values()],
                         [2.45, 4.75])
        self.assertEqual(self.plot.lines.compared_marks.getData()[0].tolist(), [3.])

    def test_bands_are_drawn_and_weak_cuts_are_faint(self):
        lines, text = self.plot.lines, self.plot.palette().color(QPalette.Text)
        bands = Bands(np.array([2., 4.75]), np.array([3.5, 4.75]), np.array([9, 3]), 10)
        self.plot.set_bands(bands)
        x0, x1 = lines.bands.opts["x0"], lines.bands.opts["x1"]
        self.assertEqual((x0[0], x1[0]), (2., 3.5))
        # It is also visible beside its line
        pixel = self.plot.pixel_size()
        self.assertAlmostEqual((x1[1] - x0[1]) / pixel, 8)
        self.assertIn("cuts in folds", [name for _, name in self.plot.marks])
        self.assertEqual(lines.lines[0].pen.color(), text)
        self.assertLess(lines.lines[1].pen.color().alphaF(), .5)
        paint(self.plot)
        self.plot.set_bands(None)
        self.assertEqual(len(lines.bands.opts["x0"]), 0)
        self.assertEqual(lines.lines[1].pen.color(), text)
        self.assertNotIn("cuts in folds", [name for _, name in self.plot.marks])
        # A cut that no fold finds has none
        self.plot.set_bands(bands._replace(n_found=np.array([0, 3])))
        self.assertEqual(len(lines.bands.opts["x0"]), 1)

    def test_flags_have_the_digits_that_the_axis_can_show(self):
        self.plot.set_cuts([2.4512345, 4.75], "your cuts")
        texts = [flag.toPlainText() for flag in self.plot.lines.flags.values()]
        self.assertEqual(texts, ["2.45", "4.75"])
        self.plot.getViewBox().setXRange(2.45, 2.452, padding=0)
        flag, = self.plot.lines.flags.values()
        self.assertEqual(flag.toPlainText(), "2.451")

    def test_double_click_adds_a_cut(self):
        self.click(3.7)
        self.double_click(3.7)
        self.assertEqual(len(self.edited), 1)
        cuts, = self.edited[0]
        self.assertEqual((cuts[0], cuts[2]), (2.45, 4.75))
        self.assertAlmostEqual(cuts[1], 3.7, delta=.05)
        self.assertLess(len(str(cuts[1])), 8, "no more digits than pixels distinguish")

    def test_a_cut_stops_before_its_neighbour_and_before_the_ends(self):
        values = self.plot.picture.values
        below = values[values < 4.75]
        for cuts, start, target, expected in (
                ([2.45, 4.75], 2.45, 6., [(below[-1] + below[-2]) / 2, 4.75]),
                ([4.75], 4.75, 0., [(values[0] + values[1]) / 2]),
                ([4.75], 4.75, 9., [(values[-1] + values[-2]) / 2])):
            self.plot.set_cuts(cuts, "SADD cuts")
            drag_cut(self.plot, start, target, height=5)
            np.testing.assert_allclose(self.edited[-1][0], expected)

    def test_a_cut_dropped_upon_its_neighbour_merges_with_it(self):
        drag_cut(self.plot, 2.45, 4.75, height=5)
        self.assertEqual(self.dragged[-1], [[4.75]])
        self.assertEqual(list(self.edited), [[[4.75]]])

    def test_a_cut_without_room_stays(self):
        cuts = [4.45, 4.55, 4.65]  # no other place between values
        self.plot.set_cuts(cuts, "SADD cuts")
        pixel = self.plot.getViewBox().viewPixelSize()[0]
        self.plot.drop(1, 4.55 + 8 * pixel if 8 * pixel < .1 else 9.)
        for edited, in self.edited:
            self.assertLessEqual(set(edited), set(cuts))

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
        self.plot.make_menu = lambda index, _: chosen.append(index) or QMenu(self.plot)
        self.click(4.75, Qt.RightButton)
        self.click(3.7, Qt.RightButton)
        QTest.mouseClick(self.plot.viewport(), Qt.RightButton, pos=QPoint(1, 1))
        self.assertEqual(chosen, [1, None])

    def test_delete_removes_the_cut_under_the_mouse(self):
        self.plot.lines.lines[0].setMouseHover(True)
        QTest.keyClick(self.plot, Qt.Key_Delete)
        self.assertEqual(self.edited[-1], [[4.75]])

    def flag_rects(self):
        return [flag.mapRectToScene(flag.boundingRect())
                for flag in self.plot.lines.flags.values() if flag.isVisible()]

    def test_flags_that_collide_are_stacked(self):
        flags = self.plot.lines.flags
        self.assertEqual([flag.toPlainText() for flag in flags.values()],
                         ["2.45", "4.75"])
        for cuts in ([2.45, 2.46, 2.47, 4.75], [1.01, 1.02, 6.89]):
            self.plot.set_cuts(cuts, "SADD cuts")
            rects, room = self.flag_rects(), \
                self.plot.getViewBox().sceneBoundingRect().adjusted(-2, 0, 2, 0)
            self.assertEqual(len(rects), len(cuts))
            for index, rect in enumerate(rects):
                self.assertTrue(room.left() <= rect.left() < rect.right()
                                <= room.right())
                for other in rects[:index]:
                    self.assertFalse(rect.adjusted(1, 1, -1, -1).intersects(other))

    def test_flags_stay_above_the_axis_in_a_low_plot(self):
        self.plot.resize(600, 160)
        QApplication.processEvents()
        self.plot.set_cuts(np.linspace(4.7, 4.8, 20), "SADD cuts")
        bottom = self.plot.getViewBox().sceneBoundingRect().bottom()
        self.assertGreater(len(self.flag_rects()), 1)
        for rect in self.flag_rects():
            self.assertLess(rect.bottom(), bottom)

    def test_the_flag_of_the_best_cut_never_vanishes(self):
        cuts = np.round(np.linspace(4.7, 4.8, 20), 3).tolist()
        best, selected = cuts[13], 17
        self.plot.set_cuts(cuts, "SADD cuts", gains={best: .5, cuts[0]: .1})
        self.assertTrue(self.plot.lines.flags[13].isVisible())
        self.assertFalse(all(
            flag.isVisible() for flag in self.plot.lines.flags.values()))
        self.plot.select_cut(selected)
        self.assertTrue(self.plot.lines.flags[selected].isVisible())
        self.assertTrue(self.plot.lines.flags[13].isVisible())

    def test_flag_follows_the_mouse(self):
        self.plot.drag(0, 3.5)
        value = float(self.plot.lines.flags[0].toPlainText())
        self.assertAlmostEqual(value, 3.5, delta=.1)
        self.assertEqual(self.plot.lines.flags[0].pos().x(), value)

    def test_keys_move_and_remove_the_selected_cut(self):
        self.apply_edits()
        self.click(4.75)
        self.assertEqual(self.plot.lines.selected, 4.75)
        values = self.plot.picture.values
        QTest.keyClick(self.plot, Qt.Key_Right)
        above = values[values > 4.75]
        self.assertAlmostEqual(self.plot.cuts[1], (above[0] + above[1]) / 2)
        self.assertEqual(self.plot.lines.selected, self.plot.cuts[1])
        QTest.keyClick(self.plot, Qt.Key_Left)
        self.assertAlmostEqual(self.plot.cuts[1], 4.75)
        QTest.keyClick(self.plot, Qt.Key_Escape)
        self.assertIsNone(self.plot.lines.selected)
        QTest.keyClick(self.plot, Qt.Key_Delete)
        self.assertEqual(len(self.plot.cuts), 2)
        QTest.keyClick(self.plot, Qt.Key_Left)  # selects the last
        self.assertEqual(self.plot.lines.selected, self.plot.cuts[1])
        QTest.keyClick(self.plot, Qt.Key_Delete)
        self.assertEqual(self.plot.cuts, [2.45])

    def test_keys_leave_rows_between_cuts(self):
        self.apply_edits()
        self.plot.select_cut(0)
        for _ in range(len(self.plot.picture.values)):
            QTest.keyClick(self.plot, Qt.Key_Right)
        counts = sum(part.sum(axis=0)
                     for part in self.plot.picture.count(self.plot.cuts))
        self.assertEqual(len(counts), 3)
        self.assertTrue((counts > 0).all())

    def test_double_click_and_enter_start_typing(self):
        typing = QSignalSpy(self.plot.typing)
        self.double_click(2.45)
        self.assertEqual(len(typing), 1)
        self.plot.select_cut(1)
        QTest.keyClick(self.plot, Qt.Key_Return)
        self.assertEqual(len(typing), 2)

    def test_cuts_snap_to_the_middle_of_a_gap_or_to_a_round_number(self):
        # There is no value between 1.9 and 3
        (pixel, _), middle = self.plot.getViewBox().viewPixelSize(), (1.9 + 3) / 2
        self.plot.add_cut(middle + 2 * pixel)
        self.assertEqual(len(self.edited), 0, "it is there already")
        self.plot.set_cuts([4.75], "SADD cuts")
        self.plot.add_cut(middle + 2 * pixel)
        self.assertEqual(self.edited[-1][0][0], self.plot.picture.cut_near(middle))
        self.assertTrue(.005 < pixel < .05, pixel)
        self.plot.add_cut(2.7013)
        self.assertEqual(self.edited[-1][0][0], 2.7, "a mouse cannot set 2.701")

    def test_escape_ends_dragging(self):
        line = self.plot.lines.lines[0]
        line.moving = True
        line.setValue(3.5)
        self.plot.drag(0, 3.5)
        QTest.keyClick(self.plot, Qt.Key_Escape)
        self.assertEqual(self.plot.lines.lines[0].value(), 2.45)
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

    def test_tooltips(self):
        self.plot.describe_interval = lambda index: f"interval {index}"
        self.plot.describe_cut = lambda index: f"cut {index}"
        for value, height, text in (
                (3.7, 5, "interval 1"), (6., 5, "interval 2"), (4.75, 5, "cut 1"),
                (3., .05, "MDLP cuts: 3"), (3., 5, "interval 1")):
            position = self.position(value, height)
            QApplication.sendEvent(self.plot.viewport(), QHelpEvent(
                QEvent.ToolTip, position, self.plot.mapToGlobal(position)))
            self.assertEqual(QToolTip.text(), text)
        QToolTip.hideText()

    def test_cuts_outside_of_the_picture_are_kept(self):
        self.plot.set_cuts([-1e308, 2.45, np.inf], "SADD cuts")
        self.assertEqual(list(self.plot.lines.lines), [1])
        self.plot.remove_cut(1)
        self.assertEqual(self.edited[-1], [[-1e308, np.inf]])

    def test_many_cuts_are_drawn_together_until_zoomed_in(self):
        cuts = np.linspace(1.1, 6.8, 2000).tolist()
        self.plot.set_cuts(cuts, "FFD cuts", cuts, "PKID cuts")
        self.assertEqual(self.plot.lines.lines, {})
        self.assertEqual(len(self.plot.lines.many.getData()[0]), 4000)
        paint(self.plot)
        self.plot.getViewBox().setXRange(3, 3.1, padding=0)
        self.assertTrue(0 < len(self.plot.lines.lines) < 80)
        self.plot.remove_cut(min(self.plot.lines.lines))
        self.assertEqual(len(self.edited[-1][0]), 1999)

    def test_dark_palette(self):
        palette = QPalette()
        palette.setColor(QPalette.Text, Qt.white)
        palette.setColor(QPalette.Base, Qt.black)
        self.plot.setPalette(palette)
        self.assertEqual(self.plot.lines.lines[0].pen.color(), Qt.white)
        self.assertEqual(self.plot.getAxis("left").textPen().color(), Qt.white)

    def test_dates_on_the_axis(self):
        when = TimeVariable("t", have_date=True)
        plain = ContinuousVariable("x")
        for variable, is_date in ((when, True), (plain, False), (when, True)):
            replace_axis(self.plot, variable)
            self.assertEqual(isinstance(self.plot.getAxis("bottom"), DateAxis), is_date)
        axis = self.plot.getAxis("bottom")
        paint(self.plot)  # which sets its font
        axis.setZoomLevelForDensity(5e8 / 700)
        spacing, values = axis.tickValues(1.2e9, 1.7e9, 700)[0]
        self.assertIn("2010", axis.tickStrings(values, 1, spacing))
        for low, high in ((-1e300, 1e300), (0, 1e-3), (-1e12, 1e12)):
            for _, values in axis.tickValues(low, high, 400):
                axis.tickStrings(values, 1, 1)

    def test_legend_drops_signs_before_classes(self):
        def names(width):
            self.plot.resize(width, 400)
            QApplication.processEvents()
            return [name for _, name, _ in self.plot.legend_entries()]

        classes = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
        self.assertEqual(names(1200), [
            *classes, "unlabelled", "SADD cuts", "MDLP cuts"])
        metrics = self.plot.fontMetrics()
        room = metrics.horizontalAdvance(" ".join(classes))
        self.assertEqual(names(room + 260)[:3], classes)
        self.assertNotIn("MDLP cuts", names(room + 200))
        short = names(room - 20)
        self.assertLess(len(short), 4)
        self.assertRegex(short[-1], r"and \d more|…")

    def test_the_plot_shrinks_with_its_legend(self):
        for width in (1200, 400):
            self.plot.resize(width, 400)
            for _ in range(3):
                QApplication.processEvents()
            room = self.plot.getViewBox().sceneBoundingRect()
            self.assertLess(room.right(), width)
            self.assertGreater(room.right(), width - 60)


class TestWhy(base.GuiTest):
    class Window:
        folds = {"why": True}

    def setUp(self):
        self.histogram = make_plot()
        self.variable = ContinuousVariable("petal length", 2)
        self.why = Why(self.Window(), self.histogram)
        self.tree, self.sentences = self.why.tree, self.why.sentences
        show(self.why, 600, 300)

    def tearDown(self):
        self.why.deleteLater()
        self.histogram.deleteLater()

    def set_decisions(self, decisions, cuts=(2.45,)):
        self.why.set_decisions(self.variable, decisions, cuts)
        QApplication.processEvents()

    def test_bars_are_at_their_depth(self):
        self.set_decisions([REJECTED, ACCEPTED])
        self.assertEqual(self.tree.nodes, [(ACCEPTED, 0), (REJECTED, 1)])
        low, high = self.histogram.viewRange()[0]  # all values
        np.testing.assert_allclose(self.tree.bars.opts["x0"], [low, 2.45])
        np.testing.assert_allclose(self.tree.bars.opts["x1"], [high, high])

    def test_an_infinite_cut_ends(self):
        whole = ACCEPTED._replace(cut=np.inf)
        part = REJECTED._replace(lower=-np.inf)
        self.set_decisions([part, whole])
        self.assertEqual(self.tree.nodes, [(whole, 0), (part, 1)])
        paint(self.tree)

    def test_solid_and_hollow_marks(self):
        text, hollow, highlight = map(self.tree.palette().color, (
            QPalette.Text, QPalette.Base, QPalette.Highlight))
        # The accepted cut is in use, or replaced by another one
        for cuts, expected in (([2.45], [text, hollow]),
                               ([3.], [hollow, hollow, highlight])):
            self.set_decisions([ACCEPTED, REJECTED], cuts)
            self.assertEqual([point.brush().color() for point in
                              self.tree.marks.points()], expected)

    def test_hover(self):
        self.set_decisions([ACCEPTED, REJECTED])
        hovered = QSignalSpy(self.tree.hovered)
        position = place(self.tree, 6., 1.5)
        move(self.tree, position)
        self.assertEqual(hovered[-1], [REJECTED])
        self.assertEqual(self.histogram.region.getRegion()[0], 2.45)
        highlight = self.tree.palette().color(QPalette.Highlight)
        self.assertEqual([colour == highlight for colour in
                          self.tree.bars.opts["brushes"]], [False, True])
        QApplication.sendEvent(self.tree.viewport(), QHelpEvent(
            QEvent.ToolTip, position, self.tree.mapToGlobal(position)))
        self.assertIn("rejected", QToolTip.text())
        move(self.tree, place(self.tree, 1., 1.5))
        self.assertEqual(hovered[-1], [None])
        self.assertFalse(self.histogram.region.isVisible())
        entered = QSignalSpy(self.sentences.hovered)
        self.sentences.itemEntered.emit(self.sentences.item(1))
        self.assertEqual(entered[-1], [REJECTED])
        paint(self.tree)

    def test_sentences(self):
        self.set_decisions([ACCEPTED, REJECTED], [2.45, 5.])
        self.assertEqual(self.sentences.texts(), [
            "2.45: gains 0.900 bits, needs 0.050: accepted",
            "4.75: gains 0.020 bits, needs 0.040, rejected: 50 % short",
            "5: set by you"])
        for part in ("150 rows", "2.45", "50 below the cut, 100 above", "0.900",
                     "0.050", "0.100", "accepted", "lowest value"):
            self.assertIn(part, self.sentences.item(0).toolTip())
        # MDLP has no adapted threshold
        self.assertNotIn("adaptation", describe_decision(
            REJECTED._replace(theta=REJECTED.adapted_theta), self.variable))
        for decision, text in (
                (ACCEPTED._replace(accepted=False), "over the limit of intervals"),
                (REJECTED._replace(gain=REJECTED.adapted_theta * .999),
                 "less than 1 % short")):
            self.assertIn(text, summarize_decision(decision, self.variable))

    def test_many_decisions(self):
        ends = np.arange(1001.)
        decisions = [Decision(-np.inf, end + 2, 9., 4., 5., end + 1, .9, .1, .05, True)
                     for end in ends]
        decisions.append(ACCEPTED._replace(cut=decisions[-1].upper))
        self.set_decisions(decisions, [decision.cut for decision in decisions])
        self.assertEqual(self.tree.nodes[-1].depth, 1001)
        self.assertEqual(self.sentences.texts()[-1], "and 702 more")
        paint(self.tree)
        self.sentences.itemEntered.emit(self.sentences.item(300))


class TestEdits(base.GuiTest):
    def test_nothing_to_undo_if_nothing_changes(self):
        edits = Edits([["x", "continuous", [1.]]])
        edits.edit(ContinuousVariable("x"), [1.])
        edits.reset([ContinuousVariable("y")])
        self.assertFalse(edits.stack.canUndo())
        edits.reset([ContinuousVariable("x")])
        self.assertEqual(edits.stored(), [])
        edits.stack.undo()
        self.assertEqual(edits.stored(), [["x", "continuous", [1.]]])

    def test_typing_a_date_does_not_change_the_variable(self):
        variable = TimeVariable("when", have_date=True)
        self.assertEqual(parse_cuts(variable, "1970-01-03 · 1970-01-02 10:00"),
                         [122400., 172800.])
        self.assertEqual((variable.have_date, variable.have_time), (True, False))
        for var, text in ((variable, "soon"), (ContinuousVariable("x"), "1; inf"),
                          (ContinuousVariable("x"), "?")):
            with self.assertRaises(ValueError):
                parse_cuts(var, text)

    def test_invalid_edits_are_left_out(self):
        good = [["x", "continuous", [1., 2.]], ["y", "time", "numeric"]]
        bad = [["x"], ["x", "continuous", [2., 1.]], ["x", "continuous", [np.nan]],
               ["x", "string", []], [1, "time", []], ["x", "continuous", "?"], None, 3]
        self.assertEqual(Edits(good + bad).stored(), good)
