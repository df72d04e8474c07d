"""Small controls that all windows use."""

import textwrap

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPainter
from AnyQt.QtWidgets import QComboBox, QLabel, QSizePolicy
from orangewidget.utils import enum_as_int

__all__ = ["ElidedLabel", "make_combo", "set_obstacle", "wrap_tip"]

# Characters in a line of a tooltip: Qt does not wrap plain text
TIP_WIDTH = 72


def wrap_tip(text):
    """
    Return a text in lines that are short enough for a tooltip.

    Examples
    --------
    >>> print(wrap_tip("A name\\n" + "word " * 16))
    A name
    word word word word word word word word word word word word word word
    word word
    """
    return "\n".join(textwrap.fill(line, TIP_WIDTH, break_on_hyphens=False)
                     for line in text.split("\n"))


def set_obstacle(control, obstacle, tip):
    """Disable a control and show the reason as its tooltip, or enable it."""
    control.setEnabled(not obstacle)
    control.setToolTip(wrap_tip(obstacle or tip))


def make_combo(choices, chosen):
    """Return a combo box; choices are pairs of a title and a tooltip by their data."""
    combo = QComboBox()
    combo.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(8)
    for index, (name, (title, tip)) in enumerate(choices.items()):
        combo.addItem(title, name)
        combo.setItemData(index, wrap_tip(tip), Qt.ToolTipRole)
    combo.setCurrentIndex(combo.findData(chosen))
    return combo


class ElidedLabel(QLabel):
    """A line of text, elided if there is no room; the tooltip has the whole text."""

    def __init__(self, text=""):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.setText(text)

    def setText(self, text):
        super().setText(text)
        self.setToolTip(wrap_tip(text))

    def paintEvent(self, _):
        self.style().drawItemText(
            QPainter(self), self.rect(), enum_as_int(Qt.AlignLeft | Qt.AlignVCenter),
            self.palette(), self.isEnabled(), self.fontMetrics().elidedText(
                self.text(), Qt.ElideRight, self.width()), self.foregroundRole())
