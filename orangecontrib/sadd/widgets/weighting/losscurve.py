"""The loss of a search as a line that is no larger than a word."""

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, QSize, Qt
from AnyQt.QtGui import QColor, QPainter, QPalette, QPen, QPolygonF
from AnyQt.QtWidgets import QSizePolicy, QWidget
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.widgets.common.tooltips import wrap_tip

__all__ = ["LossCurve"]

MARGIN, DOT = 4, 2.5


class LossCurve(QWidget):
    """
    The loss at the start and after each iteration, with a dot at the end.

    Attributes
    ----------
    losses : ndarray
    """

    def __init__(self, parent=None):
        super().__init__(parent, accessibleName="Loss by iteration")
        self.losses = np.zeros(0)
        self.setSizePolicy(QSizePolicy.Fixed, QSizePolicy.Fixed)

    def sizeHint(self):
        height = self.fontMetrics().height()
        return QSize(6 * height, 2 * height)

    def set_history(self, losses):
        """Show the loss at the start and after each iteration."""
        self.losses = np.asarray(losses, dtype=np.float64)
        text = ""
        if len(self.losses) > 1:
            n_iter = len(self.losses) - 1
            text = (f"The loss fell from {self.losses[0]:.4g} at the start to "
                    f"{self.losses[-1]:.4g} after {n_iter:,} "
                    f"{pl(n_iter, 'iteration')}.")
        self.setToolTip(wrap_tip(text))
        self.setAccessibleDescription(text)
        self.update()

    def points(self):
        """Return where the losses are drawn; none if there are fewer than two."""
        if len(self.losses) < 2:
            return []
        area = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        low, high = self.losses.min(), self.losses.max()
        x = np.linspace(area.left(), area.right(), len(self.losses))
        y = area.bottom() - (self.losses - low) / (high - low or 1) * area.height()
        return [QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)]

    def paintEvent(self, event):
        points = self.points()
        if not points:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.Antialiasing)
        colour = QColor(self.palette().color(QPalette.WindowText))
        colour.setAlphaF(.7)
        painter.setPen(QPen(colour, 1.5))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.NoPen)
        painter.setBrush(self.palette().color(QPalette.Highlight))
        painter.drawEllipse(points[-1], DOT, DOT)
        painter.end()
