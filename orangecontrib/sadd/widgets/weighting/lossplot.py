"""How the loss fell, iteration by iteration."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent
from AnyQt.QtGui import QColor, QPalette
from Orange.widgets.visualize.utils.plotutils import AxisItem, PlotWidget

__all__ = ["LossPlot"]


class CountAxis(AxisItem):
    """An axis without ticks between whole numbers."""

    def tickSpacing(self, minVal, maxVal, size):
        spacing = super().tickSpacing(minVal, maxVal, size)
        return [step for step in spacing if step[0] >= 1] or [(1, 0)]


class LossPlot(PlotWidget):
    """A line that falls to where the search for weights has ended."""

    def __init__(self, parent=None):
        super().__init__(parent, enableMenu=False, axisItems={
            "left": AxisItem("left"), "bottom": CountAxis("bottom")})
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(4, 8, 12, 2)
        self.getAxis("bottom").setLabel("Iteration")
        self.getAxis("left").setLabel("Loss")
        self.getAxis("left").enableAutoSIPrefix(False)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.line = pg.PlotCurveItem()
        self.end = pg.ScatterPlotItem(size=8)
        self.addItem(self.line)
        self.addItem(self.end)
        self._update_colours()

    def set_history(self, losses):
        """Show the loss at the start and after each iteration."""
        losses = np.asarray(losses, dtype=np.float64)
        iterations = np.arange(len(losses))
        self.line.setData(iterations, losses)
        self.end.setData(iterations[-1:], losses[-1:])
        if len(losses):
            low, high = losses.min(), losses.max()
            margin = max((high - low) * .08, abs(high) * .01, 1e-12)
            self.getViewBox().setRange(
                xRange=(0, max(len(losses) - 1, 1)),
                yRange=(low - margin, high + margin), padding=.02)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "end"):
            self._update_colours()

    def _update_colours(self):
        colour = QColor(self.palette().color(QPalette.Text))
        self.line.setPen(pg.mkPen(colour, width=1.5))
        self.end.setPen(pg.mkPen(colour))
        self.end.setBrush(self.palette().color(QPalette.Highlight))
