"""The items of the picture of a variable: bars, lines, axes."""

from math import ceil

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QRectF, Qt
from AnyQt.QtGui import QColor, QFontMetrics, QPalette, QPen
from Orange.preprocess.discretize import time_binnings
from Orange.widgets.visualize.utils.plotutils import AxisItem

from orangecontrib.sadd.widgets.cutting.plotlegend import hatched

__all__ = ["CountAxis", "CutLine", "Flag", "HistogramItem", "ValueAxis"]

# Room between two dates on the axis, in pixels
DATE_GAP = 24
# Dates that are considered; there is seldom room for as many
MOST_DATES = 30


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


class Flag(pg.TextItem):
    """The value of a cut, at the top of its line."""

    def __init__(self, text):
        super().__init__(text, anchor=(.5, 0))
        self.textItem.document().setDocumentMargin(2)
        self.setZValue(20)

    def set_colours(self, palette, selected):
        """Take the colours of a palette."""
        text, fill = (QPalette.HighlightedText, QPalette.Highlight) if selected \
            else (QPalette.Text, QPalette.Base)
        self.setColor(palette.color(text))
        self.fill = pg.mkBrush(palette.color(fill))
        self.border = pg.mkPen(palette.color(QPalette.Mid))
        self.update()


class ValueAxis(AxisItem):
    """Bottom axis that writes values as the variable does; dates are whole ones."""

    variable = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.enableAutoSIPrefix(False)  # no "x0.001" beside the name
        # Names of dates that are whole years, months, days ...
        self._dates = {}

    def _has_dates(self):
        return self.variable is not None and self.variable.is_time \
            and (self.variable.have_date or self.variable.have_time)

    def tickValues(self, minVal, maxVal, size):
        if self._has_dates():
            metrics = QFontMetrics(self.font())

            def width(name):
                return metrics.horizontalAdvance(name) + DATE_GAP

            try:
                binnings = time_binnings(np.linspace(minVal, maxVal, 10), min_bins=1,
                                         max_bins=MOST_DATES)
            except (OverflowError, ValueError, OSError):  # beyond the calendar
                binnings = []
            # From the fewest dates to as many as there is room for
            chosen = {}
            for binning in sorted(binnings, key=lambda it: len(it.thresholds)):
                dates = {date: name for date, name in zip(
                    binning.thresholds, self._names(binning), strict=True)
                    if minVal <= date <= maxVal}
                room = sum(map(width, dates.values()))
                if room <= size:
                    chosen = dates
                elif len(chosen) < 2:  # some of too many
                    chosen = dict(list(dates.items())[::ceil(room / size)])
            if chosen:
                self._dates = chosen
                return [(1., list(chosen))]
        return super().tickValues(minVal, maxVal, size)

    def _names(self, binning):
        """Return whole years as such, and other dates as the variable does."""
        if all(map(str.isdecimal, binning.labels)):
            return binning.labels
        return [self.variable.str_val(date) for date in binning.thresholds]

    def tickStrings(self, values, scale, spacing):
        if self._has_dates():
            return [self._dates.get(value) or self.variable.str_val(value)
                    for value in values]
        return super().tickStrings(values, scale, spacing)


class CountAxis(AxisItem):
    """Left axis without numbers below 0, where there are no rows."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.enableAutoSIPrefix(False)

    def tickValues(self, minVal, maxVal, size):
        return [(spacing, [value for value in values if value >= 0])
                for spacing, values in super().tickValues(minVal, maxVal, size)]
