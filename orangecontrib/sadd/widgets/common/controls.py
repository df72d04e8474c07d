"""Controls that both widgets have: tooltips that wrap, reasons, labels, settings."""

import textwrap
from html import escape

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QColor, QPainter, QPalette
from AnyQt.QtWidgets import (
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
)
from Orange.widgets import gui
from orangewidget.gui import CallFrontComboBox, connectControl
from orangewidget.utils import enum_as_int
from orangewidget.utils.combobox import ComboBox

__all__ = ["ElidedCombo", "ElidedLabel", "StatusLabel", "add_combo", "add_spin",
           "is_whole", "keep_narrow", "keep_valid", "set_obstacle", "wrap_tip"]

# Characters in a line of a tooltip: Qt does not wrap plain text
TIP_WIDTH = 72

# For the first line on a light and on a dark window
DOUBTFUL_COLOURS = QColor("#a34700"), QColor("#ffb454")


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
    """Disable a control that has no effect and say why, or enable it."""
    control.setEnabled(not obstacle)
    control.setToolTip(wrap_tip(obstacle or tip))


def add_spin(box, widget, setting, highest, callback, **kwargs):
    """Add a spin box for whole numbers from 1 on."""
    spin = gui.spin(box, widget, setting, 1, highest, callback=callback,
                    alignment=Qt.AlignRight, **kwargs)
    spin.setKeyboardTracking(False)  # or each digit starts a computation
    return spin


def keep_narrow(combo):
    """Let names widen the list of a combo box, but not the controls."""
    combo.setSizeAdjustPolicy(combo.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(12)
    combo.view().setMinimumWidth(combo.view().sizeHintForColumn(0) + 24)


class ElidedCombo(ComboBox):
    """A combo box that cuts off names in the middle: their ends tell them apart."""

    def paintEvent(self, _):
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.CC_ComboBox, option, QStyle.SC_ComboBoxEditField, self).width()
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.ElideMiddle, room - 4)
        painter.drawComplexControl(QStyle.CC_ComboBox, option)
        painter.drawControl(QStyle.CE_ComboBoxLabel, option)


def add_combo(box, widget, setting, items, callback, label=""):
    """Add a combo box for an index; items are pairs of a name and a tooltip."""
    combo = ElidedCombo()
    for index, (name, tip) in enumerate(items):
        combo.addItem(name)
        combo.setItemData(index, tip, Qt.ToolTipRole)
    combo.setCurrentIndex(getattr(widget, setting))
    keep_narrow(combo)
    connectControl(widget, setting, callback, combo.activated[int],
                   CallFrontComboBox(combo))
    combo.box = gui.hBox(box)
    if label:
        gui.widgetLabel(combo.box, label)
    combo.box.layout().addWidget(combo)
    return combo


class ElidedLabel(QLabel):
    """
    A line of text that is cut off where there is no room, and in the tooltip.

    Parameters
    ----------
    text : str
    short : str
        Shown where there is no room for the text.
    """

    def __init__(self, text="", short=""):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.setText(text, short)

    def setText(self, text, short=""):
        super().setText(text)
        self._short = short or text
        self.setToolTip(wrap_tip(text))

    def shown_text(self):
        """Return as much of the text as there is room for."""
        metrics, room = self.fontMetrics(), self.width()
        fits = metrics.horizontalAdvance(self.text()) <= room
        return metrics.elidedText(
            self.text() if fits else self._short, Qt.ElideRight, room)

    def paintEvent(self, _):
        painter = QPainter(self)
        self.style().drawItemText(
            painter, self.rect(), enum_as_int(Qt.AlignLeft | Qt.AlignVCenter),
            self.palette(), self.isEnabled(), self.shown_text(), self.foregroundRole())


class StatusLabel(QLabel):
    """Lines of text, of which the first is about labels, and may be doubtful."""

    def __init__(self, text=""):
        super().__init__(wordWrap=True, textFormat=Qt.RichText)
        # Longer texts must not make the window wider
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self._text, self.is_doubtful = text, False
        self._show()

    def setText(self, text):
        self._text = text
        self._show()

    def text(self):
        return self._text

    def set_doubtful(self, is_doubtful):
        """Show the first line in a colour, or like the others."""
        self.is_doubtful = is_doubtful
        self._show()

    @property
    def doubtful_colour(self):
        """The colour of doubtful lines on this window."""
        light, dark = DOUBTFUL_COLOURS
        is_dark = self.palette().color(QPalette.Window).lightness() < 128
        return dark if is_dark else light

    def _show(self):
        first, *others = escape(self._text).replace(" %", "\N{NO-BREAK SPACE}%") \
            .split("\n")
        if self.is_doubtful:
            first = f'<span style="color: {self.doubtful_colour.name()}">{first}</span>'
        super().setText("<br/>".join([first, *others]))

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "_text"):
            self._show()


def keep_valid(settings, checks):
    """Remove settings that are not valid, so that they get their defaults."""
    for name, is_valid in checks.items():
        if name in settings and not is_valid(settings[name]):
            del settings[name]


def is_whole(low, high):
    """Return a function that checks whether a value is a whole number in a range."""
    return lambda value: type(value) is int and low <= value <= high
