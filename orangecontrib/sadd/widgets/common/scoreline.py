"""A line on left-out rows, computed in a thread; large data wait for a click."""

from AnyQt.QtWidgets import QPushButton, QWidget

from orangecontrib.sadd.widgets.common.controls import WrappedLabel, arrange, wrap_tip
from orangecontrib.sadd.widgets.common.tasks import Task

__all__ = ["ScoreLine"]


class ScoreLine(QWidget):
    """
    A sentence, and a button that starts the computation.

    Parameters
    ----------
    layout : type
        Of the sentence and the button.
    tip : str

    Attributes
    ----------
    label : WrappedLabel
    button : QPushButton
    validator : Task
        The computation.
    """

    def __init__(self, layout, tip=""):
        super().__init__()
        self.label, self.validator = WrappedLabel(), Task(self)
        self.button = QPushButton("Cross-Validate", autoDefault=False, visible=False)
        for part in (self.label, self.button):
            part.setToolTip(wrap_tip(tip))
        arrange(layout(self), self.label, self.button, stretched=self.label, spacing=2)

    def start(self, function, *args):
        """Compute in a thread."""
        self.button.hide()
        self.validator.start(function, *args)

    def show_text(self, text, waits=False):
        """Show a sentence, and optionally the button."""
        self.label.setText(text)
        self.button.setVisible(waits)
