"""What is known about pseudo-labels and rows, in a colour if it is to be doubted."""

from html import escape

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QLabel, QSizePolicy

__all__ = ["StatusLabel"]

# For the first line on a light and on a dark window
DOUBTFUL_COLOURS = QColor("#a34700"), QColor("#ffb454")


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
