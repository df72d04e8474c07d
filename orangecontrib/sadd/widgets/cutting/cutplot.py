"""The picture of a variable: histogram by class, cuts that can be edited."""

from math import ceil, floor, log10

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QMenu
from Orange.widgets.visualize.utils.plotutils import PlotWidget

from orangecontrib.sadd.widgets.cutting.cutplotitems import (
    CountAxis,
    CutLine,
    HistogramItem,
    ValueAxis,
)
from orangecontrib.sadd.widgets.cutting.plotlegend import LegendEntry, PlotLegend

__all__ = ["CutPlot"]

# Fraction of the height below the axis, where cuts of the other method are drawn
STRIP = 0.13
# Room above the highest bar, as a fraction of its height
HEADROOM = 0.04
# Distance in pixels within which a click means a line
REACH = 6
# More cuts than this are only drawn; to edit them, zoom in
MOST_LINES = 80


class CutPlot(PlotWidget):
    """
    The histogram of a variable, with cuts as lines.

    Cuts can be dragged, added by double click, and removed by right click or by Delete
    while the mouse is over them.
    """

    #: All cuts of the variable while one of them is being dragged
    cuts_dragged = Signal(object)
    #: All cuts after a cut was moved, added or removed
    cuts_edited = Signal(object)

    def __init__(self, parent=None):
        super().__init__(
            parent, enableMenu=False,
            axisItems={"left": CountAxis("left"), "bottom": ValueAxis("bottom")})
        self.variable = None
        self.cuts = []
        self.compared = []
        self.compared_name = ""
        self.lines = {}
        self.compared_lines = []
        #: Called with the index of a cut, returns its tooltip
        self.describe_cut = lambda index: ""
        self.histogram = HistogramItem()
        self.addItem(self.histogram)
        self.legend = PlotLegend(self.plotItem)
        self.region = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        self.region.setZValue(-10)
        self.region.hide()
        self.addItem(self.region, ignoreBounds=True)
        self.baseline = pg.InfiniteLine(0, angle=0)
        self.addItem(self.baseline, ignoreBounds=True)
        self.many, self.many_compared = pg.PlotCurveItem(), pg.PlotCurveItem()
        self.addItem(self.many, ignoreBounds=True)
        self.addItem(self.many_compared, ignoreBounds=True)
        self._entries = []
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(4, 4, 12, 2)
        self.getAxis("left").setLabel("Rows")
        view = self.getViewBox()
        view.setMouseEnabled(x=True, y=False)
        view.disableAutoRange()
        view.sigXRangeChanged.connect(self._make_lines)
        self.scene().sigMouseClicked.connect(self._on_click)
        self._update_colours()

    def set_histogram(self, variable, picture, classes, colours):
        """
        Show another variable.

        Parameters
        ----------
        variable : ContinuousVariable
        picture : Picture
        classes : sequence of str
        colours : sequence of QColor
        """
        self.variable = variable
        self.cuts, self.compared = [], []  # those of another variable
        self.getAxis("bottom").variable = variable
        self.getAxis("bottom").setLabel(variable.name)
        self.mark_interval(None)
        self.histogram.set_counts(
            picture.edges, picture.labelled, picture.unlabelled, colours)
        entries = []
        if picture.unlabelled.any():
            entries.append(LegendEntry("unlabelled rows", "hatched"))
        entries += [LegendEntry(name, "square", QColor(colour))
                   for name, colour in zip(classes, colours, strict=True)]
        self._entries = entries
        height = self.histogram.boundingRect().height()
        low, high = picture.edges[[0, -1]]
        margin = .02 * (high - low)
        view = self.getViewBox()
        view.setLimits(xMin=None, xMax=None)
        view.setXRange(low - margin, high + margin, padding=0)
        view.setLimits(xMin=low - margin, xMax=high + margin)
        # The strip takes its fraction of the whole height
        view.setYRange(-height * (1 + HEADROOM) * STRIP / (1 - STRIP),
                       height * (1 + HEADROOM), padding=0)

    def set_cuts(self, cuts, name, compared=(), compared_name=""):
        """
        Show cuts above the axis, and those they are compared with below.

        Parameters
        ----------
        cuts, compared : sequence of float
        name, compared_name : str
            For the legend.
        """
        self.cuts = [float(cut) for cut in cuts]
        self.compared = [float(cut) for cut in compared]
        self.compared_name = compared_name
        self._make_lines()
        # Cuts come first: there is room for a few of many classes only
        entries = [LegendEntry(name, "cut")]
        if compared_name:
            entries.append(LegendEntry(compared_name, "cut", style=Qt.DotLine))
        entries += self._entries
        self.legend.set_entries(entries)
        self.legend.show()
        self.baseline.show()

    def clear_all(self):
        """Show nothing."""
        self.variable = None
        self.cuts, self.compared = [], []
        self.histogram.clear()
        self.mark_interval(None)
        self._make_lines()
        self.legend.set_entries([])
        self.getAxis("bottom").setLabel("")
        self.baseline.hide()

    def mark_interval(self, interval):
        """Mark the interval (lower, upper); None for no mark."""
        self.region.setVisible(interval is not None)
        if interval is not None:
            low, high = self.getViewBox().viewRange()[0]
            self.region.setRegion(np.clip(interval, low, high).tolist())

    def add_cut(self, value):
        """Add a cut."""
        value = self._rounded(value)
        if self.variable is not None and value not in self.cuts:
            self.cuts_edited.emit(sorted([*self.cuts, value]))

    def remove_cut(self, index):
        """Remove the cut with this index."""
        self.cuts_edited.emit(self.cuts[:index] + self.cuts[index + 1:])

    def cut_at(self, scene_pos):
        """Return the index of the cut at a position in the scene, or None."""
        view = self.getViewBox()

        def distance(index):
            place = view.mapViewToScene(QPointF(self.cuts[index], 0))
            return abs(place.x() - scene_pos.x())

        nearest = min(self.lines, key=distance, default=None)
        if nearest is not None and distance(nearest) <= REACH:
            return nearest
        return None

    def _make_lines(self):
        """Make a line for each visible cut, or one item for all if there are many."""
        for line in (*self.lines.values(), *self.compared_lines):
            self.removeItem(line)
        self.lines, self.compared_lines = {}, []
        seen = self._seen(self.cuts)
        if len(seen) <= MOST_LINES:
            self.lines = {index: self._make_line(index) for index in seen}
        self._draw_many(self.many, [self.cuts[index] for index in seen], 0,
                        self.histogram.boundingRect().height() * (1 + HEADROOM))
        seen = self._seen(self.compared)
        if len(seen) <= MOST_LINES:
            self.compared_lines = [
                self._make_compared_line(self.compared[index]) for index in seen]
        self._draw_many(self.many_compared, [self.compared[index] for index in seen],
                        self.getViewBox().viewRange()[1][0], 0)

    def _seen(self, cuts):
        """Return the indices of the cuts in the range that is shown."""
        if self.variable is None:
            return []
        low, high = self.getViewBox().viewRange()[0]
        return [index for index, cut in enumerate(cuts) if low <= cut <= high]

    @staticmethod
    def _draw_many(item, cuts, bottom, top):
        if len(cuts) <= MOST_LINES:
            item.clear()
        else:
            item.setData(np.repeat(cuts, 2), np.tile([bottom, top], len(cuts)),
                         connect="pairs")

    def _make_line(self, index):
        line = CutLine(
            self.cuts[index], lambda: self.describe_cut(index), movable=True,
            span=(STRIP, 1), pen=self._pen(), hoverPen=self._pen(hover=True))
        line.setCursor(Qt.SizeHorCursor)
        below = self.cuts[index - 1] if index else -np.inf
        above = self.cuts[index + 1] if index + 1 < len(self.cuts) else np.inf
        line.setBounds((None if np.isinf(below) else np.nextafter(below, np.inf),
                        None if np.isinf(above) else np.nextafter(above, -np.inf)))
        line.sigDragged.connect(lambda line: self._on_dragged(index, line))
        line.sigPositionChangeFinished.connect(
            lambda line: self._on_dropped(index, line))
        self.addItem(line, ignoreBounds=True)
        return line

    def _make_compared_line(self, cut):
        line = CutLine(
            cut, lambda: f"{self.compared_name}: {self.variable.str_val(cut)}",
            span=(0, STRIP), pen=self._pen(Qt.DotLine))
        self.addItem(line, ignoreBounds=True)
        return line

    def _on_dragged(self, index, line):
        self.cuts_dragged.emit(self._with_cut(index, line.value()))

    def _on_dropped(self, index, line):
        cuts = self._with_cut(index, line.value())
        if cuts != self.cuts:
            self.cuts_edited.emit(cuts)

    def _with_cut(self, index, value):
        rounded = self._rounded(value)
        below, above = self.cuts[:index], self.cuts[index + 1:]
        if (below and rounded <= below[-1]) or (above and rounded >= above[0]):
            rounded = float(value)
        return [*below, rounded, *above]

    def _rounded(self, value):
        """Return a number with as many digits as pixels on the screen can show."""
        value, pixel = float(value), self.getViewBox().viewPixelSize()[0]
        if not 0 < pixel < np.inf:
            return value
        try:
            return round(value, max(0, 1 - floor(log10(pixel)))
                         if pixel < 1 else -ceil(log10(pixel)) + 1)
        except OverflowError:  # beyond the largest number
            return value

    def _on_click(self, event):
        view = self.getViewBox()
        if self.variable is None \
                or not view.sceneBoundingRect().contains(event.scenePos()):
            return
        index = self.cut_at(event.scenePos())
        if event.button() == Qt.LeftButton and event.double() and index is None:
            event.accept()
            self.add_cut(view.mapSceneToView(event.scenePos()).x())
        elif event.button() == Qt.RightButton:
            event.accept()
            value = view.mapSceneToView(event.scenePos()).x()
            self.make_menu(index, value).popup(event.screenPos().toPoint())

    def make_menu(self, index, value):
        """Return the menu for a cut, given by index, or for a place without one."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WA_DeleteOnClose)
        if index is None:
            menu.addAction("Add Cut Here", lambda: self.add_cut(value))
        else:
            menu.addAction("Remove Cut", lambda: self.remove_cut(index))
        menu.addAction("Show All Values", self.show_all)
        return menu

    def show_all(self):
        """Undo zooming."""
        self.getViewBox().setXRange(
            *self.getViewBox().state["limits"]["xLimits"], padding=0)

    def keyPressEvent(self, event):
        if event.key() in (Qt.Key_Delete, Qt.Key_Backspace):
            for index, line in self.lines.items():
                if line.mouseHovering:
                    self.remove_cut(index)
                    return
        super().keyPressEvent(event)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "baseline"):
            self._update_colours()

    def _update_colours(self):
        text = self.palette().color(QPalette.Text)
        self.baseline.setPen(pg.mkPen(text, width=1))
        mark = self.palette().color(QPalette.Highlight)
        mark.setAlphaF(.25)
        self.region.setBrush(mark)
        for line in self.lines.values():
            line.setPen(self._pen())
            line.setHoverPen(self._pen(hover=True))
        for line in self.compared_lines:
            line.setPen(self._pen(Qt.DotLine))
        for item in (self.many, self.many_compared):
            item.setPen(pg.mkPen(text, width=1))

    def _pen(self, style=Qt.SolidLine, hover=False):
        return pg.mkPen(self.palette().color(QPalette.Text),
                        width=4 if hover else 2, style=style)
