"""A label that needs no room."""

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPainter
from AnyQt.QtWidgets import QLabel, QSizePolicy
from orangewidget.utils import enum_as_int

from orangecontrib.sadd.widgets.common.tooltips import wrap_tip

__all__ = ["ElidedLabel"]


class ElidedLabel(QLabel):
    """A line of text that is cut off where there is no room, and in the tooltip."""

    def __init__(self, text=""):
        super().__init__(text, toolTip=wrap_tip(text))
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)

    def setText(self, text):
        super().setText(text)
        self.setToolTip(wrap_tip(text))

    def paintEvent(self, _):
        text = self.fontMetrics().elidedText(self.text(), Qt.ElideRight, self.width())
        painter = QPainter(self)
        self.style().drawItemText(
            painter, self.rect(), enum_as_int(Qt.AlignLeft | Qt.AlignVCenter),
            self.palette(), self.isEnabled(), text, self.foregroundRole())
