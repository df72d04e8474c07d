"""Mouse actions that QTest lacks."""

import numpy as np
from AnyQt.QtCore import QEvent, QPointF, Qt
from AnyQt.QtGui import QMouseEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication


def place(plot, value, height):
    """Where a value is on the screen."""
    scene = plot.getViewBox().mapViewToScene(QPointF(value, height))
    return plot.mapFromScene(scene)


def move(plot, position, buttons=Qt.NoButton):
    """Move the mouse while buttons are pressed."""
    QTest.qWait(20)  # pyqtgraph ignores events that come too fast
    QApplication.sendEvent(plot.viewport(), QMouseEvent(
        QEvent.MouseMove, QPointF(position),
        QPointF(plot.viewport().mapToGlobal(position)), Qt.NoButton, buttons,
        Qt.NoModifier))


def drag_cut(plot, start, end, height):
    """Drag a line from one value to another."""
    viewport, position = plot.viewport(), place(plot, start, height)
    move(plot, position)
    QTest.mousePress(viewport, Qt.LeftButton, Qt.NoModifier, position)
    for value in np.linspace(start, end, 8):
        position = place(plot, value, height)
        move(plot, position, Qt.LeftButton)
    QTest.mouseRelease(viewport, Qt.LeftButton, Qt.NoModifier, position)
