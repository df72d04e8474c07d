"""Cuts in a histogram: lines with flags, and bands where folds put them."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QObject, QPointF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainterPath, QPalette

from orangecontrib.sadd.explain.descriptions import short_names
from orangecontrib.sadd.widgets.common.controls import faint

__all__ = ["CutLines"]

# Maximum distance in pixels from a click to a line
REACH = 6
# More cuts than this are only drawn; to edit them, zoom in
MOST_LINES = 50
# Rows of flags, and room between two flags, in pixels
FLAG_ROWS, FLAG_GAP = 6, 4
# The least width of a band in pixels, so that it shows beside its line
NARROWEST_BAND = 8
# Opacity of bands, and of cuts that fewer than half of the folds find
BAND, WEAK = .13, .4


def _triangle():
    """Return the mark of a cut of the other method, above the axis."""
    path = QPainterPath(QPointF(-.5, 0))
    for corner in ((.5, 0), (0, -1), (-.5, 0)):
        path.lineTo(*corner)
    return path


class CutLines(QObject):
    """
    The cuts in a histogram.

    Parameters
    ----------
    plot : Distribution

    Attributes
    ----------
    cuts : list of float
    selected : float or None
        The cut that is selected.
    lines, flags : dict
        Lines and flags of visible cuts, by index.
    """

    #: The index and the place of a line that is being dragged
    dragged = Signal(int, float)
    #: The same of a line that is dropped
    dropped = Signal(int, float)

    def __init__(self, plot):
        super().__init__(plot)
        self._plot = plot
        self.cuts, self.compared, self._gains, self._bands = [], [], {}, None
        self.selected, self.lines, self.flags = None, {}, {}
        # Cuts that cannot be edited: many, ignored
        self.many, self.ignored = (
            pg.PlotCurveItem(connect="pairs") for _ in range(2))
        self.compared_marks = pg.ScatterPlotItem(symbol=_triangle(), size=12)
        self.compared_marks.setZValue(15)
        self.bands = pg.BarGraphItem(x0=[], x1=[], y0=0, height=1)
        self.bands.setZValue(-5)
        for item in (self.many, self.ignored, self.compared_marks, self.bands):
            plot.addItem(item, ignoreBounds=True)
        view = plot.getViewBox()
        view.sigResized.connect(self._on_resized)
        view.sigXRangeChanged.connect(self.make)

    def set_cuts(self, cuts, compared=(), ignored=(), gains=None):
        """Show cuts; parameters are as for `CutPlot.set_cuts`."""
        self.cuts, self._bands = [float(cut) for cut in cuts], None
        self.compared, self._gains = [float(cut) for cut in compared], gains or {}
        if self.selected not in self.cuts:
            self.selected = None
        self._set_pairs(self.ignored, ignored)
        self.compared_marks.setData(self.compared, np.zeros(len(self.compared)))
        self.make()

    def set_bands(self, bands):
        """Show where folds put the cuts; None if it is not known."""
        self._bands = bands
        self._draw_bands()
        self.update_colours()

    def _set_pairs(self, item, cuts):
        item.setData(np.repeat(cuts, 2), np.tile([0, self._plot.highest], len(cuts)))

    # Lines, bands and flags

    def make(self):
        """Make a line for each visible cut, or one item for all if there are many."""
        for item in (*self.lines.values(), *self.flags.values()):
            self._plot.removeItem(item)
        self.lines, self.flags = {}, {}
        low, high = self._plot.viewRange()[0]
        seen = [index for index, cut in enumerate(self.cuts) if low <= cut <= high]
        self._set_pairs(self.many, [] if len(seen) <= MOST_LINES
                        else [self.cuts[index] for index in seen])
        if seen and len(seen) <= MOST_LINES:
            names = self._names(self.cuts)
            for index in seen:
                self._add_line(index, names[index])
        self._draw_bands()
        self.update_colours()
        self.place_flags()

    def _names(self, cuts):
        return short_names(self._plot.variable, cuts, self._plot.pixel_size())

    def _add_line(self, index, name):
        line = pg.InfiniteLine(self.cuts[index], movable=True)
        line.setZValue(10)
        line.sigDragged.connect(lambda line: self.dragged.emit(index, line.value()))
        line.sigPositionChangeFinished.connect(
            lambda line: self.dropped.emit(index, line.value()))
        flag = pg.TextItem(name, anchor=(.5, 0))
        flag.textItem.document().setDocumentMargin(2)
        flag.setZValue(20)
        flag.setPos(self.cuts[index], self._plot.highest)
        self.lines[index], self.flags[index] = line, flag
        for item in (line, flag):
            self._plot.addItem(item, ignoreBounds=True)

    def _draw_bands(self):
        """Draw the bands of visible cuts."""
        seen = [] if self._bands is None else [
            index for index in self.lines if self._bands.n_found[index]]
        low, high = ([], []) if not seen else (
            self._bands.low[seen], self._bands.high[seen])
        middle = np.add(low, high) / 2
        half = np.maximum(np.subtract(high, low),
                          NARROWEST_BAND * self._plot.pixel_size()) / 2
        self.bands.setOpts(x0=middle - half, x1=middle + half,
                           height=self._plot.highest)

    def place_flags(self):
        """Stack flags that collide; the selected cut and the best cuts come first."""
        room = self._plot.getViewBox().sceneBoundingRect()
        height = max((flag.boundingRect().height() for flag in self.flags.values()),
                     default=1)
        rows = [[] for _ in range(min(FLAG_ROWS, int(room.height() // height)))]
        order = sorted(self.flags, key=lambda index: (
            self.cuts[index] != self.selected, -self._gains.get(self.cuts[index], 0)))
        for index in order:
            flag, x = self.flags[index], self._pixel(index)
            width = max(flag.boundingRect().width(), 1.)
            start = min(max(x - width / 2, room.left()), room.right() - width)
            free = [level for level, taken in enumerate(rows) if all(
                start + width < left or start > right for left, right in taken)]
            flag.setVisible(bool(free))
            if free:
                rows[free[0]].append((start - FLAG_GAP, start + width + FLAG_GAP))
                flag.setAnchor(((x - start) / width, -free[0]))

    def _pixel(self, index):
        place = QPointF(self.lines[index].value(), 0)
        return self._plot.getViewBox().mapViewToScene(place).x()

    def _on_resized(self):
        self._draw_bands()
        self.place_flags()

    def is_weak(self, index):
        """Return whether fewer than half of the folds find a cut."""
        return self._bands is not None and bool(self._bands.is_weak[index])

    def update_colours(self):
        """Use the colours of the palette."""
        palette = self._plot.palette()
        text, mark = palette.color(QPalette.Text), palette.color(QPalette.Highlight)
        for index, line in self.lines.items():
            selected, flag = self.cuts[index] == self.selected, self.flags[index]
            shown = faint(text, WEAK) if self.is_weak(index) else text
            line.setPen(pg.mkPen(mark if selected else shown, width=2))
            line.setHoverPen(pg.mkPen(mark if selected else text, width=4))
            flag.setColor(
                palette.color(QPalette.HighlightedText) if selected else shown)
            flag.fill = pg.mkBrush(mark if selected else palette.color(QPalette.Base))
            flag.border = pg.mkPen(palette.color(QPalette.Mid))
            flag.update()
        self.bands.setOpts(pen=pg.mkPen(None), brush=faint(text, BAND))
        self.many.setPen(pg.mkPen(text, width=1))
        self.ignored.setPen(pg.mkPen(faint(text, .55), width=1.5, style=Qt.DashLine))
        self.compared_marks.setPen(pg.mkPen(palette.color(QPalette.Base)))
        self.compared_marks.setBrush(pg.mkBrush(text))

    # For editing

    def at(self, scene_pos):
        """Return the index of the cut at a position in the scene, or None."""
        near = {index: abs(self._pixel(index) - scene_pos.x()) for index in self.lines}
        nearest = min(near, key=near.get, default=None)
        return nearest if nearest is not None and near[nearest] <= REACH else None

    def hovered(self):
        """Return the index of the cut under the mouse, or None."""
        return next((index for index, line in self.lines.items()
                     if line.mouseHovering), None)

    def select(self, cut):
        """Select a cut; None for none."""
        self.selected = cut
        self.update_colours()
        self.place_flags()

    def move(self, index, value):
        """Show a cut at another place while it is dragged."""
        self.lines[index].setValue(value)
        name, = self._names([value])
        self.flags[index].setText(name)
        self.flags[index].setPos(value, self._plot.highest)
        self.place_flags()

    def stop_dragging(self):
        """Show the line that is being dragged at its cut; return whether there is one.
        """
        moving = [line for line in self.lines.values() if line.moving]
        for line in moving:
            line.moving = False
        if moving:
            self.make()
        return bool(moving)
