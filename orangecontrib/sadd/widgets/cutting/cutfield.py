"""A field in which the value of a cut is typed."""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLineEdit

__all__ = ["CutField"]

WIDTH = 110


def parse(variable, text):
    """Return the value of a text; ValueError if it is none."""
    # A time variable changes when it parses a text
    value = variable.copy(compute_value=None).parse(text) if variable.is_time \
        else variable.to_val(text)
    if not np.isfinite(value):
        raise ValueError(f"{text} is not a finite value.")
    return float(value)


class CutField(QLineEdit):
    """The field; Enter takes the value, Escape or a click elsewhere does not."""

    #: The index of the cut and its value
    typed = Signal(int, float)

    def __init__(self, parent):
        super().__init__(parent)
        self.setFixedWidth(WIDTH)
        self.setAlignment(Qt.AlignCenter)
        self.setAccessibleName("Value of the cut")
        self._variable, self._index = None, -1
        self.returnPressed.connect(self._on_return)
        self.textEdited.connect(lambda: self.setToolTip(""))
        self.hide()

    def open(self, variable, index, text, rect):
        """Ask for the value of a cut in place of its flag."""
        self._variable, self._index = variable, index
        self.setText(text)
        self.setToolTip("")
        left = min(max(rect.center().x() - WIDTH // 2, 0),
                   self.parent().width() - WIDTH)
        self.move(left, max(rect.top() - 2, 0))
        self.show()
        self.selectAll()
        self.setFocus()

    def _on_return(self):
        try:
            value = parse(self._variable, self.text())
        except ValueError:
            self.setToolTip("Type a date or time." if self._variable.is_time
                            else "Type a number.")
            self.selectAll()
            return
        self.hide()
        self.typed.emit(self._index, value)

    def keyPressEvent(self, event):
        if event.key() == Qt.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
            event.accept()  # or Enter would open it again

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        self.hide()
