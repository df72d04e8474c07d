"""The histogram of a variable by class: bars, axes, legend and marked intervals."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QColor, QPalette
from Orange.widgets.visualize.utils.plotutils import PlotWidget

from orangecontrib.sadd.widgets.common.controls import faint
from orangecontrib.sadd.widgets.common.histogram import HistogramBars, replace_axis

__all__ = ["BOX", "Distribution"]

# Room for flags above the highest bar, as a fraction of its height
HEADROOM = 0.2
# Room beside the numbers of the left axis, in pixels
AXIS_MARGIN = 16
# The largest width of a name in the legend if classes are many or few, in pixels
LONGEST_NAMES = 60, 140
# In the legend: what is painted in a colour
BOX = "■"
# Opacity of the interval of a decision, and of the interval that is selected
MARKED, CHOSEN = .25, .18


class Distribution(PlotWidget):
    """
    The histogram of a variable.

    Labelled rows are solid, and unlabelled rows hatched above.

    Attributes
    ----------
    variable : ContinuousVariable or None
    picture : Picture or None
    marks : list of (str, str)
        Signs and names for the legend, in addition to the classes.
    interval : (float, float) or None
        The ends of the interval that is selected.
    """

    def __init__(self):
        super().__init__(enableMenu=False)
        self.variable = self.picture = self.interval = None
        self.marks, self._classes = [], []
        self.bars = HistogramBars(self)
        # The interval of a decision, and the interval that is selected
        self.region, self.chosen = (
            pg.LinearRegionItem(movable=False, pen=pg.mkPen(None)) for _ in range(2))
        for region in (self.region, self.chosen):
            region.setZValue(-10)
            region.hide()
            self.addItem(region, ignoreBounds=True)
        view = self.getViewBox()
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

    @property
    def highest(self):
        """The top of the picture, where flags are."""
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
        replace_axis(self, variable)
        self.bars.set_counts(
            picture.edges, picture.labelled, picture.unlabelled, colours)
        # A width that pyqtgraph finds would change after painting, even during dragging
        metrics = self.fontMetrics()
        self.getAxis("left").setWidth(
            metrics.horizontalAdvance(f"{self.highest:,.0f}") + metrics.height()
            + AXIS_MARGIN)
        low, high = picture.edges[[0, -1]]
        margin = .02 * (high - low)
        view = self.getViewBox()
        view.setYRange(0, self.highest, padding=0)
        view.setLimits(xMin=low - margin, xMax=high + margin)
        self.show_all()
        self._write_name()
        self.update_colours()

    def clear_all(self):
        """Show nothing."""
        self.bars.clear()
        self.variable = self.picture = None
        self.marks, self._classes = [], []
        self.mark_interval(None)

    def show_all(self):
        """Undo zooming."""
        self.getViewBox().setXRange(
            *self.getViewBox().state["limits"]["xLimits"], padding=0)

    # Places

    def pixel_size(self):
        """Return the width of a pixel in the units of the variable; 0 if unknown."""
        pixel = self.getViewBox().viewPixelSize()[0]
        return pixel if 0 < pixel < np.inf else 0.

    # Intervals

    def mark_interval(self, interval):
        """Mark the interval (lower, upper) of a decision; None for no mark."""
        self._show_region(self.region, interval, MARKED)

    def show_chosen(self, interval):
        """Show that the interval (lower, upper) is selected; None for none."""
        self.interval = interval
        self._show_region(self.chosen, interval, CHOSEN)

    def _show_region(self, region, interval, opacity):
        region.setVisible(interval is not None)
        if interval is not None:
            low, high = self.getViewBox().state["limits"]["xLimits"]
            region.setRegion(np.clip(interval, low, high).tolist())
            region.setBrush(faint(self.palette().color(QPalette.Highlight), opacity))

    # Texts

    def _on_resized(self):
        self._write_name()
        self.write_legend()

    def _write_name(self):
        """Write the name of the variable below, as far as there is room."""
        name = "" if self.variable is None else self.fontMetrics().elidedText(
            self.variable.name, Qt.ElideMiddle, int(self.getViewBox().width()))
        self.getAxis("bottom").setLabel(escape(name))

    def legend_entries(self):
        """Return signs, names and colours that fit: classes before other signs."""
        metrics, palette = self.fontMetrics(), self.palette()
        text = palette.color(QPalette.Text)
        classes = self._classes if len(self._classes) > 1 else []
        room = self.getViewBox().width()
        longest = int(np.clip(room / max(len(classes), 1), *LONGEST_NAMES))
        entries = [(BOX, metrics.elidedText(name, Qt.ElideMiddle, longest), colour)
                   for name, colour in classes]
        if self.bars.has_hatched:
            entries.append(("▨", "unlabelled", text))
        entries += [(sign, name, palette.color(QPalette.Mid) if sign == BOX else text)
                    for sign, name in self.marks]
        gap = metrics.horizontalAdvance("   ")
        ends = np.cumsum([metrics.horizontalAdvance(f"{sign} {name}") + gap
                          for sign, name, _ in entries]) - gap
        n_shown = np.count_nonzero(ends <= room)
        if n_shown >= len(classes):
            return entries[:n_shown]
        n_shown = np.count_nonzero(
            ends <= room - metrics.horizontalAdvance("and 99 more"))
        return [*entries[:n_shown], ("", f"and {len(classes) - n_shown} more", text)]

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

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "chosen"):
            self.update_colours()

    def update_colours(self):
        """Use the colours of the palette."""
        self._show_region(self.chosen, self.interval, CHOSEN)
        self.write_legend()
