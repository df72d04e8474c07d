"""A legend above a plot, which wraps and takes no room from the plot."""

from typing import NamedTuple

from AnyQt.QtCore import QPointF, QRectF, QSizeF, Qt
from AnyQt.QtGui import QBrush, QColor, QFontMetricsF, QPalette, QPen
from AnyQt.QtWidgets import QGraphicsWidget, QSizePolicy
from orangewidget.utils import enum_as_int

__all__ = ["LegendEntry", "PlotLegend", "hatched"]

SWATCH = 10
GAP = 5
SPACING = 14
MAX_LINES = 2
LONGEST_NAME = 160


class LegendEntry(NamedTuple):
    """
    A name with a sign before it.

    The sign is "square", "hatched" (a square), "cut" (a vertical line), "line" (a
    horizontal one), "dot" or "cross". Without a colour it has that of text.
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
    Entries from left to right, in two lines at most.

    Parameters
    ----------
    plot_item : pg.PlotItem
        The legend replaces its title.
    """

    def __init__(self, plot_item):
        super().__init__()
        self._entries = []
        self._placed = []
        self._rest = ""
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
        colour = text if entry.colour is None else entry.colour
        square = QRectF(x, middle - SWATCH / 2, SWATCH, SWATCH)
        painter.setPen(QPen(colour, 1.5, entry.style))
        painter.setBrush(Qt.NoBrush)
        if entry.sign == "cut":
            painter.drawLine(QPointF(x + SWATCH / 2, square.top()),
                             QPointF(x + SWATCH / 2, square.bottom()))
        elif entry.sign == "line":
            painter.drawLine(QPointF(x - 2, middle), QPointF(x + SWATCH + 2, middle))
        elif entry.sign == "dot":
            painter.setPen(QPen(text, 1))
            painter.setBrush(colour)
            painter.drawEllipse(square.adjusted(1, 1, -1, -1))
        elif entry.sign == "cross":
            painter.drawLine(square.adjusted(2, 2, -2, -2).topLeft(),
                             square.adjusted(2, 2, -2, -2).bottomRight())
            painter.drawLine(square.adjusted(2, 2, -2, -2).topRight(),
                             square.adjusted(2, 2, -2, -2).bottomLeft())
        elif entry.sign == "hatched":
            painter.setPen(QPen(colour, 0))
            painter.setBrush(hatched(colour, painter))
            painter.drawRect(square)
        else:
            painter.fillRect(square, colour)

    def _line_height(self):
        return QFontMetricsF(self.font()).height() + 4

    def _place(self):
        """Find a place for each entry; what does not fit becomes a number."""
        metrics = QFontMetricsF(self.font())
        room = max(self.size().width(), 1) - SPACING
        placed, x, line = [], 0., 0
        for index, entry in enumerate(self._entries):
            name = metrics.elidedText(entry.name, Qt.ElideMiddle, LONGEST_NAME)
            width = SWATCH + GAP + metrics.horizontalAdvance(name)
            rest = f"and {len(self._entries) - index - 1} more"
            needed = width
            if line == MAX_LINES - 1 and index + 1 < len(self._entries):
                needed += SPACING + metrics.horizontalAdvance(rest)
            if x and x + needed > room:
                if line == MAX_LINES - 1:
                    placed.append((None, x, line,
                                   f"and {len(self._entries) - index} more"))
                    break
                x, line = 0., line + 1
            placed.append((entry, x, line, name))
            x += width + SPACING
        self._placed = placed
        self.updateGeometry()
        self.update()
