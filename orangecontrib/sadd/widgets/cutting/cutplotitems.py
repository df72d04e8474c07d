"""The items of the picture of a variable: bars, lines, axes."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QRectF, Qt
from AnyQt.QtGui import QColor, QPen
from Orange.widgets.visualize.utils.plotutils import AxisItem

from orangecontrib.sadd.widgets.cutting.plotlegend import hatched

__all__ = ["CountAxis", "CutLine", "HistogramItem", "ValueAxis"]


class HistogramItem(pg.GraphicsObject):
    """Bars stacked by class: labelled rows solid, unlabelled ones hatched above."""

    def __init__(self):
        super().__init__()
        self._groups = []
        self._bounds = QRectF()

    def set_counts(self, edges, labelled, unlabelled, colours):
        """Show counts, each an array of classes x bins."""
        self.prepareGeometryChange()
        self._groups = []
        base = np.zeros(len(edges) - 1)
        gap = .06 * np.diff(edges)
        for counts, is_hatched in ((labelled, False), (unlabelled, True)):
            for row, colour in zip(counts, colours, strict=True):
                rects = [
                    QRectF(left, bottom, width, height)
                    for left, bottom, width, height in zip(
                        edges[:-1] + gap / 2, base, np.diff(edges) - gap, row,
                        strict=True)
                    if height]
                base = base + row
                if rects:
                    self._groups.append((rects, QColor(colour), is_hatched))
        self._bounds = QRectF(edges[0], 0, edges[-1] - edges[0],
                              max(base.max(initial=0), 1))
        self.update()

    def clear(self):
        """Show nothing."""
        self.prepareGeometryChange()
        self._groups, self._bounds = [], QRectF()

    def boundingRect(self):
        return self._bounds

    def paint(self, painter, *_):
        for rects, colour, is_hatched in self._groups:
            if is_hatched:
                pen = QPen(colour)
                pen.setCosmetic(True)
                painter.setPen(pen)
                painter.setBrush(hatched(colour, painter))
            else:
                painter.setPen(Qt.NoPen)
                painter.setBrush(colour)
            painter.drawRects(rects)


class CutLine(pg.InfiniteLine):
    """A cut whose tooltip is made only when the mouse is over it."""

    def __init__(self, value, describe, **kwargs):
        super().__init__(value, **kwargs)
        self._describe = describe

    def hoverEvent(self, event):
        if event.isEnter():
            self.setToolTip(self._describe())
        super().hoverEvent(event)


class ValueAxis(AxisItem):
    """Bottom axis that writes values as the variable does."""

    variable = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.enableAutoSIPrefix(False)  # no "x0.001" beside the name

    def tickStrings(self, values, scale, spacing):
        if self.variable is not None and self.variable.is_time:
            return [self.variable.str_val(value) for value in values]
        return super().tickStrings(values, scale, spacing)


class CountAxis(AxisItem):
    """Left axis without numbers below 0, where there are no rows."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.enableAutoSIPrefix(False)

    def tickValues(self, minVal, maxVal, size):
        return [(spacing, [value for value in values if value >= 0])
                for spacing, values in super().tickValues(minVal, maxVal, size)]
