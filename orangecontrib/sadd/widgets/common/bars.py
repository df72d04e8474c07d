"""A number in a table, with a bar beside it."""

from AnyQt.QtCore import QRectF, QSize, Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)
from orangewidget.utils import enum_as_int

__all__ = ["LEFT", "MARGIN", "RIGHT", "BarColourRole", "BarDelegate", "BarRole",
           "number_width"]

LEFT = enum_as_int(Qt.AlignLeft | Qt.AlignVCenter)
RIGHT = enum_as_int(Qt.AlignRight | Qt.AlignVCenter)

# The length of the bar, from 0 to 1, and its colour; without a length there is no bar,
# without a colour it is that of the palette
BarRole = Qt.UserRole + 1
BarColourRole = Qt.UserRole + 2

# Space beside the text of a cell, and between text and bar
MARGIN = 6
BAR_HEIGHT = 6


class BarDelegate(QStyledItemDelegate):
    """Paints a number, and left of it a bar."""

    def paint(self, painter, option, index):
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        widget = option.widget
        style = widget.style() if widget else QApplication.style()
        style.drawControl(QStyle.CE_ItemViewItem, option, painter, widget)

        selected = bool(option.state & QStyle.State_Selected)
        colour = option.palette.color(
            QPalette.HighlightedText if selected else QPalette.Text)
        rect = QRectF(option.rect).adjusted(MARGIN, 0, -MARGIN, 0)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(colour)
        painter.drawText(rect, RIGHT, text)
        length = index.data(BarRole)
        if length is not None:
            width = rect.width() - number_width(option.fontMetrics) - MARGIN
            bar = QRectF(rect.left(), rect.center().y() - BAR_HEIGHT / 2,
                         max(width, 0), BAR_HEIGHT)
            bar_colour = index.data(BarColourRole) or option.palette.color(
                QPalette.Highlight)
            bar_colour = colour if selected else bar_colour
            faint = type(colour)(colour)
            faint.setAlphaF(.12)
            painter.fillRect(bar, faint)
            bar.setWidth(bar.width() * min(max(length, 0.), 1.))
            painter.fillRect(bar, bar_colour)
        painter.restore()

    def sizeHint(self, option, index):
        size = super().sizeHint(option, index)
        return QSize(number_width(option.fontMetrics) * 3, size.height())


def number_width(metrics):
    """Return the width of the numbers beside the bars."""
    return metrics.horizontalAdvance("0.000")
