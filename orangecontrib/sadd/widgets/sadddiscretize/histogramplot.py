"""The histogram of a variable by class, with intervals that can be marked."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QColor, QPalette
from Orange.widgets.visualize.utils.plotutils import PlotWidget

from orangecontrib.sadd.widgets.sadddiscretize.histogramitems import (
    CountAxis,
    HistogramItem,
    LegendEntry,
    PlotLegend,
    PlotText,
    ValueAxis,
)

__all__ = ["STRIP", "HistogramPlot"]

# Fraction of the height below the axis, where cuts of the other method are drawn
STRIP = 0.13
# Room for flags above the highest bar, as a fraction of its height
HEADROOM = 0.16
# Room for ticks beside the numbers of the left axis, in pixels
AXIS_MARGIN = 16


class HistogramPlot(PlotWidget):
    """
    The histogram of a variable.

    Attributes
    ----------
    variable : ContinuousVariable or None
    picture : Picture or None
    entries : list of LegendEntry
        Those of bars.
    axis_width : int
        Of the left axis, in pixels.
    """

    axis_width = 0

    def __init__(self, parent=None):
        super().__init__(
            parent, enableMenu=False,
            axisItems={"left": CountAxis("left"), "bottom": ValueAxis("bottom")})
        self.variable = self.picture = None
        self.entries = []
        self.histogram = HistogramItem()
        self.addItem(self.histogram)
        self.legend = PlotLegend(self.plotItem)
        self.region = self.make_region()
        self.baseline = pg.InfiniteLine(0, angle=0)
        self.addItem(self.baseline, ignoreBounds=True)
        # In place of the histogram
        self.text = PlotText(self.getViewBox())
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(4, 4, 12, 2)
        self.getAxis("left").setLabel("Rows")
        self.setAccessibleName("Histogram")
        self.setAccessibleDescription(
            "Rows of each class by value, with the cuts as vertical lines")
        view = self.getViewBox()
        view.setMouseEnabled(x=True, y=False)
        view.disableAutoRange()

    def make_region(self):
        """Return a region that is not shown yet."""
        region = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        region.setZValue(-10)
        region.hide()
        self.addItem(region, ignoreBounds=True)
        return region

    def highest(self):
        """Return the top of the picture, where flags are."""
        return self.histogram.boundingRect().height() * (1 + HEADROOM)

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
        self.variable, self.picture = variable, picture
        self._show_axes(True)
        self.getAxis("bottom").variable = variable
        self._write_name()
        self.mark_interval(None)
        self.histogram.set_counts(
            picture.edges, picture.labelled, picture.unlabelled, colours)
        self.entries = [LegendEntry("unlabelled rows", "hatched")] \
            if picture.unlabelled.any() else []
        self.entries += [LegendEntry(name, "square", QColor(colour))
                         for name, colour in zip(classes, colours, strict=True)]
        height = self.histogram.boundingRect().height()
        self.axis_width = self.fontMetrics().horizontalAdvance(f"{height:,.0f}") \
            + self.fontMetrics().height() + AXIS_MARGIN
        self.getAxis("left").setWidth(self.axis_width)
        low, high = picture.edges[[0, -1]]
        margin = .02 * (high - low)
        view = self.getViewBox()
        # The strip takes its fraction of the whole height
        view.setYRange(-self.highest() * STRIP / (1 - STRIP), self.highest(), padding=0)
        view.setLimits(xMin=None, xMax=None)
        view.setXRange(low - margin, high + margin, padding=0)
        view.setLimits(xMin=low - margin, xMax=high + margin)

    def _write_name(self):
        """Write the name of the variable below, as far as there is room."""
        if self.variable is not None:
            room = max(self.width() - self.axis_width - 40, 40)
            self.getAxis("bottom").setLabel(escape(self.fontMetrics().elidedText(
                self.variable.name, Qt.ElideMiddle, room)))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "baseline"):
            self._write_name()

    def clear_all(self, text=""):
        """Show nothing but a text."""
        self.variable = self.picture = None
        self.histogram.clear()
        self.mark_interval(None)
        self.legend.set_entries([])
        self.getAxis("bottom").setLabel("")
        self.baseline.hide()
        self._show_axes(not text)
        self.text.set_sentence(text)

    def _show_axes(self, shown):
        """Show axes or the text in their place."""
        self.text.setVisible(not shown)
        for side in ("left", "bottom"):
            self.plotItem.showAxis(side, shown)

    def show_all(self):
        """Undo zooming."""
        self.getViewBox().setXRange(
            *self.getViewBox().state["limits"]["xLimits"], padding=0)

    def mark_interval(self, interval):
        """Mark the interval (lower, upper); None for no mark."""
        self.show_region(self.region, interval)

    def show_region(self, region, interval):
        """Show the interval (lower, upper) as a region; None for no interval."""
        region.setVisible(interval is not None)
        if interval is not None:
            low, high = self.getViewBox().state["limits"]["xLimits"]
            region.setRegion(np.clip(interval, low, high).tolist())

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "baseline"):
            self.update_colours()

    def update_colours(self):
        """Take the colours of the palette."""
        self.baseline.setPen(pg.mkPen(self.palette().color(QPalette.Text), width=1))
        mark = self.palette().color(QPalette.Highlight)
        mark.setAlphaF(.25)
        self.region.setBrush(mark)
        self.text.setColor(self.palette().color(QPalette.Text))
