"""Small controls that all windows use."""

import textwrap

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QApplication, QComboBox, QLabel, QLayout, QSizePolicy
from orangecanvas.gui.textlabel import TextLabel

__all__ = ["Choice", "ElidedLabel", "WrappedLabel", "arrange", "faint", "keep_room",
           "set_obstacle", "shorten", "value_colours", "wrap_tip"]

# Characters in a line of a tooltip: Qt does not wrap plain text
TIP_WIDTH = 72
# Characters of the longest name in a title
LONGEST = 20
# Opacity of grey text
GREY = .6


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


def shorten(text):
    """
    Return a text without its middle if it is long.

    Examples
    --------
    >>> shorten("a class with a long name")
    'a class wi… long name'
    """
    return text if len(text) <= LONGEST \
        else f"{text[:LONGEST // 2]}…{text[-LONGEST // 2:]}"


def faint(colour, opacity):
    """Return a colour that is less opaque."""
    colour = QColor(colour)
    colour.setAlphaF(opacity)
    return colour


def value_colours(variable):
    """Return the colour of each value of a categorical variable."""
    return [QColor(*map(int, colour)) for colour in variable.colors]


def arrange(layout, *parts, stretched=None, spacing=None):
    """
    Add widgets and layouts to a layout without margins, and return it.

    Parameters
    ----------
    layout : QBoxLayout
    parts : sequence of QWidget or QLayout
    stretched : QWidget, optional
        The part that takes the rest of the room.
    spacing : int, optional
    """
    layout.setContentsMargins(0, 0, 0, 0)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        add = layout.addLayout if isinstance(part, QLayout) else layout.addWidget
        add(part, int(part is stretched))
    return layout


def keep_room(control):
    """Keep the room of a control while it is hidden, so that nothing moves."""
    policy = control.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    control.setSizePolicy(policy)


def set_obstacle(control, obstacle, tip):
    """Disable a control and show the reason as its tooltip, or enable it."""
    control.setEnabled(not obstacle)
    control.setToolTip(wrap_tip(obstacle or tip))


class Choice(QComboBox):
    """
    A choice among values.

    Parameters
    ----------
    choices : dict
        Pairs of a title and a tooltip by value.
    value : object
        The value that is chosen.
    name : str
        For screen readers.
    """

    def __init__(self, choices, value, name):
        super().__init__(accessibleName=name)
        for index, (data, (title, tip)) in enumerate(choices.items()):
            self.addItem(title, data)
            self.setItemData(index, wrap_tip(tip), Qt.ToolTipRole)
        # Titles widen the list, but not the controls
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)
        self.currentIndexChanged.connect(self._update_tip)
        self.value = value
        self._update_tip()

    @property
    def value(self):
        """The value that is chosen."""
        return self.currentData()

    @value.setter
    def value(self, value):
        self.setCurrentIndex(self.findData(value))

    def _update_tip(self, *_):
        self.setToolTip(self.currentData(Qt.ToolTipRole) or "")


class WrappedLabel(QLabel):
    """Text that is wrapped, and always has the height that it needs."""

    def __init__(self):
        super().__init__(wordWrap=True, textFormat=Qt.PlainText)
        self._is_grey = False

    def setText(self, text):
        super().setText(text)
        self._fit()

    def set_grey(self, is_grey):
        """Show the text in grey, in any palette."""
        self._is_grey = is_grey
        palette, role = QPalette(), QPalette.WindowText
        if is_grey:
            palette.setColor(role, faint(QApplication.palette().color(role), GREY))
        self.setPalette(palette)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.ApplicationPaletteChange:
            self.set_grey(self._is_grey)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._fit()

    def _fit(self):
        # Layouts ignore the height that depends on the width if there is little room
        self.setMinimumHeight(max(self.heightForWidth(self.width()), 0))


class ElidedLabel(TextLabel):
    """A line of text, elided if there is no room; the tooltip has the whole text."""

    def __init__(self):
        super().__init__(textElideMode=Qt.ElideRight)
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)

    def setText(self, text):
        super().setText(text)
        self.setToolTip(wrap_tip(text))
