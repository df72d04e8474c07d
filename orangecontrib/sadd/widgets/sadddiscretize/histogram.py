"""The histogram of a variable by class, with its axes and legend."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QColor, QPalette
from Orange.widgets.visualize.utils.plotutils import PlotWidget

from orangecontrib.sadd.widgets.common.histogram import (
    HistogramBars,
    faint,
    replace_axis,
)

__all__ = ["Histogram"]

# Room for flags above the highest bar, as a fraction of its height
HEADROOM = 0.2
# Room beside numbers of the left axis and beside the plot, in pixels
AXIS_MARGIN, PLOT_MARGIN = 16, 24
# The largest width of a name in the legend, in pixels, and where room is scarce
LONGEST_NAMES = 140, 70


class Histogram(PlotWidget):
    """
    The histogram of a variable: labelled rows solid, unlabelled ones hatched above.

    Attributes
    ----------
    variable : ContinuousVariable or None
    picture : Picture or None
    marks : list of (str, str)
        Signs and names for the legend, in addition to the classes.
    """

    def __init__(self, parent=None):
        super().__init__(parent, enableMenu=False)
        self.variable = self.picture = None
        self.marks, self._classes = [], []
        self.bars = HistogramBars(self)
        # In place of the histogram
        self.text = pg.TextItem(anchor=(.5, .5))
        self.region = self.make_region(.25)
        view = self.getViewBox()
        view.addItem(self.text, ignoreBounds=True)
        view.setMouseEnabled(x=True, y=False)
        view.disableAutoRange()
        view.sigResized.connect(self._on_resized)
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(4, 0, 12, 2)
        self.getAxis("left").setLabel("Rows")
        self.getAxis("left").enableAutoSIPrefix(False)
        self.setAccessibleName("Histogram")
        self.setAccessibleDescription(
            "Rows of each class by value, with the cuts as vertical lines")

    def make_region(self, opacity):
        """Return a region that is not shown yet."""
        region = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        region.setZValue(-10)
        region.opacity = opacity
        region.hide()
        self.addItem(region, ignoreBounds=True)
        return region

    def highest(self):
        """Return the top of the picture, where flags are."""
        return self.bars.height * (1 + HEADROOM)

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
        self.clear_all()
        self.variable, self.picture = variable, picture
        self._classes = list(zip(classes, colours, strict=True))
        self._show_axes(True)
        replace_axis(self, variable)
        self._write_name()
        self.bars.set_counts(
            picture.edges, picture.labelled, picture.unlabelled, colours)
        height = self.fontMetrics().horizontalAdvance(f"{self.highest():,.0f}")
        self.getAxis("left").setWidth(
            height + self.fontMetrics().height() + AXIS_MARGIN)
        low, high = picture.edges[[0, -1]]
        margin = .02 * (high - low)
        view = self.getViewBox()
        view.setYRange(0, self.highest(), padding=0)
        view.setLimits(xMin=None, xMax=None)
        view.setXRange(low - margin, high + margin, padding=0)
        view.setLimits(xMin=low - margin, xMax=high + margin)
        self.update_colours()

    def clear_all(self, text=""):
        """Show nothing but a text."""
        self.bars.clear()
        self.variable = self.picture = None
        self.marks, self._classes = [], []
        self.mark_interval(None)
        self._show_axes(not text)
        lines = "<br/>".join(map(escape, text.split("\n")))
        self.text.setHtml(f'<div align="center">{lines}</div>')
        self._on_resized()

    def _show_axes(self, shown):
        """Show axes or the text in their place."""
        self.text.setVisible(not shown)
        for side in ("left", "bottom"):
            self.plotItem.showAxis(side, shown)

    def _on_resized(self):
        (left, right), (bottom, top) = self.viewRange()
        self.text.setPos(left / 2 + right / 2, bottom / 2 + top / 2)
        self.text.setTextWidth(max(self.getViewBox().width() - PLOT_MARGIN, 100))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "region"):
            self._write_name()
            self.write_legend()

    def _room(self):
        return max(self.width() - self.getAxis("left").width() - PLOT_MARGIN, 40)

    def _write_name(self):
        """Write the name of the variable below, as far as there is room."""
        name = "" if self.variable is None else self.fontMetrics().elidedText(
            self.variable.name, Qt.ElideMiddle, int(self._room()))
        self.getAxis("bottom").setLabel(escape(name))

    def legend_entries(self):
        """Return signs, names and colours that fit: classes before other signs."""
        metrics, text = self.fontMetrics(), self.palette().color(QPalette.Text)
        others = [("▨", "unlabelled", text)] if self.bars.has_hatched else []
        others += [(*mark, text) for mark in self.marks]

        def fits(entries):
            return sum(metrics.horizontalAdvance(f"{sign} {name}   ")
                       for sign, name, _ in entries) <= self._room()

        for longest in LONGEST_NAMES:
            classes = [("■", metrics.elidedText(name, Qt.ElideMiddle, longest), colour)
                       for name, colour in self._classes] \
                if len(self._classes) > 1 else []
            while others and not fits(classes + others):
                others.pop()
            if fits(classes):
                break
        n_classes = len(classes)
        while classes and not fits(classes + others):
            classes.pop()
            others = [("", f"and {n_classes - len(classes)} more", text)]
        return classes + others

    def write_legend(self):
        """Write the legend into the title of the plot."""
        # Not pyqtgraph's legend, which covers bars
        text = "&nbsp;&nbsp; ".join(
            f'<span style="color: {QColor(colour).name()}">{sign}</span> {escape(name)}'
            for sign, name, colour in self.legend_entries())
        self.plotItem.setTitle(text or "&nbsp;", justify="left",
                               size=f"{self.font().pointSize()}pt",
                               color=self.palette().color(QPalette.Text))
        self.plotItem.titleLabel.setMinimumWidth(0)  # or the plot would not shrink
        self.plotItem.titleLabel.setToolTip(", ".join(
            [name for name, _ in self._classes] + [name for _, name in self.marks]))

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
            region.setBrush(
                faint(self.palette().color(QPalette.Highlight), region.opacity))

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "region"):
            self.update_colours()

    def update_colours(self):
        """Use the colours of the palette."""
        text = self.palette().color(QPalette.Text)
        for side in ("left", "bottom"):
            self.getAxis(side).setPen(text)
            self.getAxis(side).setTextPen(text)
        self.text.setColor(text)
        self.write_legend()
