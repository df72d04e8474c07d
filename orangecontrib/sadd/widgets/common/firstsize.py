"""How large a window is when it is opened for the first time."""

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtGui import QGuiApplication

__all__ = ["FirstSizeMixin"]

# How much of the screen a window may fill
LARGEST_SHARE = 0.9

# Frames and margins around the controls
MARGIN = 24


class FirstSizeMixin:
    """
    Opens a widget at its best size, or larger if its controls need it.

    Qt would open it at two thirds of the screen at most. It must come before the
    widget's other base classes.
    """

    best_size = QSize(1000, 800)

    def sizeHint(self):
        height = MARGIN + sum(part.sizeHint().height() for part in (
            self.controlArea, self.buttonsArea, self.statusBar()))
        size = self.best_size.expandedTo(QSize(0, height))
        screen = QGuiApplication.primaryScreen()
        return size if screen is None \
            else size.boundedTo(screen.availableSize() * LARGEST_SHARE)

    def setVisible(self, visible):
        if visible and self.savedWidgetGeometry is None \
                and not self.testAttribute(Qt.WA_Resized):
            self.resize(self.sizeHint())
        super().setVisible(visible)
