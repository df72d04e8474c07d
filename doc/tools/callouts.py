"""Numbers beside the parts of a window, each with a line to what it stands for."""

from functools import reduce

from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QFont, QImage, QPainter, QPen
from AnyQt.QtWidgets import QGroupBox
from orangewidget.utils import enum_as_int

from tools.controls import cleaned, controls, parts

__all__ = ["numbered"]

COLOUR = QColor("#b3261e")
RADIUS = 11
MARGIN = 40


def find_part(widget, name, path):
    """Find a part by a path of attributes, or by the name of a control or a box."""
    if path:
        return reduce(getattr, path.split("."), widget)
    found = {cleaned(box.title()): box for box in parts(widget, QGroupBox)}
    found.update(controls(widget))
    return found[name]


def rect_in(widget, part):
    """Where a part is in the window."""
    corner = part.mapTo(widget, part.rect().topLeft())
    return QRectF(corner.x(), corner.y(), part.width(), part.height())


def numbered(widget, image, callouts):
    """
    Draw numbers left and right of the picture of a window.

    Parameters
    ----------
    widget : QWidget
    image : QImage
    callouts : dict of str to str
        Names of parts, and how to find them, or an empty string for controls and
        boxes, which are found by their names.
    """
    canvas = QImage(image.width() + 2 * MARGIN, image.height(), QImage.Format_RGB888)
    canvas.fill(Qt.white)
    painter = QPainter(canvas)
    painter.setRenderHint(QPainter.Antialiasing)
    painter.drawImage(MARGIN, 0, image)
    painter.setFont(QFont("DejaVu Sans", 9, QFont.Bold))
    split = widget.mainArea.mapTo(widget, widget.mainArea.rect().topLeft()).x()
    lowest = {}
    for number, (name, path) in enumerate(callouts.items(), start=1):
        part = rect_in(widget, find_part(widget, name, path))
        is_left = part.left() < split
        y = max(part.center().y(), lowest.get(is_left, 0) + 2 * RADIUS + 2)
        lowest[is_left] = y
        x = MARGIN / 2 - 4 if is_left else canvas.width() - MARGIN / 2 + 4
        # To the edge of the window only, so that the line crosses no text
        end = MARGIN + 4 if is_left else canvas.width() - MARGIN - 4
        draw_badge(painter, number, QPointF(x, y), QPointF(end, part.center().y()))
    painter.end()
    return canvas


def draw_badge(painter, number, centre, end):
    """Draw a number in a circle, and a line from there to the end."""
    painter.setPen(QPen(COLOUR, 1.6))
    painter.drawLine(centre, end)
    painter.setBrush(COLOUR)
    painter.drawEllipse(end, 2, 2)
    painter.setPen(Qt.NoPen)
    painter.drawEllipse(centre, RADIUS, RADIUS)
    painter.setPen(Qt.white)
    box = QRectF(centre.x() - RADIUS, centre.y() - RADIUS, 2 * RADIUS, 2 * RADIUS)
    painter.drawText(box, enum_as_int(Qt.AlignCenter), str(number))
