"""The items of a histogram: bars, axes, and a legend above."""

from html import escape
from math import ceil
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QRectF, QSizeF, Qt
from AnyQt.QtGui import QBrush, QColor, QFontMetrics, QFontMetricsF, QPalette, QPen
from AnyQt.QtWidgets import QGraphicsWidget, QSizePolicy
from Orange.preprocess.discretize import time_binnings
from Orange.widgets.visualize.utils.plotutils import AxisItem
from orangewidget.utils import enum_as_int

__all__ = ["CountAxis", "HistogramItem", "LegendEntry", "PlotLegend",
           "PlotText", "ValueAxis"]

# Room beside a sentence in place of a plot, in pixels
TEXT_MARGIN = 8

# Room between two dates on the axis, in pixels
DATE_GAP = 24
# Dates that are considered; there is seldom room for as many
MOST_DATES = 30

# Of the legend, in pixels, but for the number of lines
SWATCH = 10
GAP = 5
SPACING = 14
LINES = 2
LONGEST_NAME = 160


class PlotText(pg.TextItem):
    """
    A sentence in place of what a plot shows, in its middle.

    Parameters
    ----------
    view : pg.ViewBox
    """

    def __init__(self, view):
        super().__init__(anchor=(.5, .5))
        self._view = view
        self.setTextWidth(1)
        view.addItem(self, ignoreBounds=True)
        view.sigRangeChanged.connect(self._place)
        view.sigResized.connect(self._place)

    def set_sentence(self, text):
        """Show another sentence, in lines that fit."""
        lines = "<br/>".join(map(escape, text.split("\n")))
        self.setHtml(f'<div align="center">{lines}</div>')
        self._place()

    def _place(self):
        (left, right), (bottom, top) = self._view.viewRange()
        self.setPos(left / 2 + right / 2, bottom / 2 + top / 2)
        self.setTextWidth(max(self._view.width() - 2 * TEXT_MARGIN, 100))


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
            return [self._dates.get(value) or self._date(value) for value in values]
        return super().tickStrings(values, scale, spacing)

    def _date(self, value):
        try:
            return self.variable.str_val(value)
        except (OverflowError, ValueError, OSError):  # Orange 3.38, beyond the calendar
            return f"{value:g}"


class CountAxis(AxisItem):
    """Left axis without numbers below 0, where there are no rows."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.enableAutoSIPrefix(False)

    def tickValues(self, minVal, maxVal, size):
        return [(spacing, [value for value in values if value >= 0])
                for spacing, values in super().tickValues(minVal, maxVal, size)]


class LegendEntry(NamedTuple):
    """
    A name with a sign before it.

    The sign is "square", "hatched" (a square) or "cut" (a vertical line); "weak cut" is
    faint. Without a colour it has that of text.
    """

    name: str
    sign: str
    colour: QColor | None = None
    style: Qt.PenStyle = Qt.SolidLine


def hatched(colour, painter):
    """Return a brush whose lines are equally dense on the screen at any scale."""
    brush = QBrush(colour, Qt.BDiagPattern)
    transform, invertible = painter.worldTransform().inverted()
    if invertible:
        brush.setTransform(transform)
    return brush


class PlotLegend(QGraphicsWidget):
    """
    Entries from left to right, in two lines, or in three if all fit into these.

    Parameters
    ----------
    plot_item : pg.PlotItem
        The legend replaces its title.
    """

    def __init__(self, plot_item):
        super().__init__()
        self._entries = []
        self._placed = []
        plot_item.layout.removeItem(plot_item.titleLabel)
        plot_item.titleLabel.hide()
        plot_item.layout.addItem(self, 0, 1)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)

    def set_entries(self, entries):
        """Show other entries."""
        self._entries = list(entries)
        self.setToolTip(", ".join(entry.name for entry in entries))
        self._place()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if event.newSize().width() != event.oldSize().width():
            self._place()

    def sizeHint(self, which, constraint=QSizeF()):  # noqa: B008
        height = self._line_height() * max(
            1, 1 + max((line for _, _, line, _ in self._placed), default=0))
        if which == Qt.MaximumSize:
            return QSizeF(16777215, height)
        return QSizeF(0, height)

    def paint(self, painter, option, widget=None):
        painter.setFont(self.font())
        text = self.palette().color(QPalette.Text)
        height = self._line_height()
        for entry, x, line, name in self._placed:
            top = line * height
            if entry is not None:
                self._paint_sign(painter, entry, x, top + height / 2, text)
                x += SWATCH + GAP
            painter.setPen(text)
            painter.drawText(QRectF(x, top, self.size().width() - x, height),
                             enum_as_int(Qt.AlignVCenter | Qt.AlignLeft), name)

    @staticmethod
    def _paint_sign(painter, entry, x, middle, text):
        colour = QColor(text if entry.colour is None else entry.colour)
        square = QRectF(x, middle - SWATCH / 2, SWATCH, SWATCH)
        if entry.sign == "weak cut":
            colour.setAlphaF(.55)
        painter.setPen(QPen(colour, 1.5, entry.style))
        painter.setBrush(Qt.NoBrush)
        if entry.sign.endswith("cut"):
            painter.drawLine(QPointF(x + SWATCH / 2, square.top()),
                             QPointF(x + SWATCH / 2, square.bottom()))
        elif entry.sign == "hatched":
            painter.setPen(QPen(colour, 0))
            painter.setBrush(hatched(colour, painter))
            painter.drawRect(square)
        else:
            painter.fillRect(square, colour)

    def _line_height(self):
        return QFontMetricsF(self.font()).height() + 4

    def _place(self):
        """Find a place for each entry, in as few lines as possible."""
        self._placed = self._place_in(LINES)
        if None in (entry for entry, *_ in self._placed):
            placed = self._place_in(LINES + 1)
            if None not in (entry for entry, *_ in placed):
                self._placed = placed
        self.updateGeometry()
        self.update()

    def _place_in(self, n_lines):
        """Return the places in some lines; what does not fit becomes a number."""
        metrics = QFontMetricsF(self.font())
        room = max(self.size().width(), 1) - SPACING
        placed, x, line = [], 0., 0
        for index, entry in enumerate(self._entries):
            name = metrics.elidedText(entry.name, Qt.ElideMiddle, LONGEST_NAME)
            width = SWATCH + GAP + metrics.horizontalAdvance(name)
            rest = f"and {len(self._entries) - index - 1} more"
            needed = width
            if line == n_lines - 1 and index + 1 < len(self._entries):
                needed += SPACING + metrics.horizontalAdvance(rest)
            if x and x + needed > room:
                if line == n_lines - 1:
                    placed.append((None, x, line,
                                   f"and {len(self._entries) - index} more"))
                    break
                x, line = 0., line + 1
            placed.append((entry, x, line, name))
            x += width + SPACING
        return placed
