"""The right side of a model's window: variables, and the values of one of them."""

from pathlib import Path

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QShortcut,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.widgets.common.bartable import FilteredTable
from orangecontrib.sadd.widgets.common.controls import arrange
from orangecontrib.sadd.widgets.common.numbertable import NumberTable
from orangecontrib.sadd.widgets.common.valuepane import ValuePane

__all__ = ["ModelView"]

DIGITS = "%.6g"
FILE_FILTER = "Comma-separated values (*.csv)"
# The width from which on the pane may be beside the table, in characters
WIDE = 95


class ModelView(QStackedWidget):
    """
    A table of attributes and the pane of values, or a message in place of both.

    Parameters
    ----------
    beside : bool
        Whether the pane is beside the table if there is room, or always below.
    sorting : tuple
        The column that sorts the table, and whether it sorts downwards.
    file_name : str
        Proposed by Save.
    title : str
        Of the names of rows.
    """

    def __init__(self, beside, sorting, file_name, title):
        super().__init__()
        self._beside = beside
        self._path = Path.home() / file_name
        self._row, self._explain = -1, None
        self.message = QLabel(alignment=Qt.AlignCenter, wordWrap=True, margin=24)
        self.button = QPushButton(autoDefault=False)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addStretch(1)
        layout.addWidget(self.message)
        layout.addWidget(self.button, alignment=Qt.AlignHCenter)
        layout.addStretch(1)
        self.addWidget(page)

        self.copy_button = QPushButton(
            "Copy", autoDefault=False, clicked=self.copy,
            toolTip="Copy the rows that are shown, for a spreadsheet (Ctrl+C).")
        self.save_button = QPushButton(
            "Save...", autoDefault=False, clicked=self.save,
            toolTip="Save all rows as comma-separated values.")
        self.table = NumberTable(title, sorting, accessibleName=f"{title}s")
        self.table.selected.connect(self._on_selected)
        self.attributes = FilteredTable(
            self.table, self._describe_rows,
            right=(self.copy_button, self.save_button))
        self.pane = ValuePane()
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=False, handleWidth=8)
        #: A note on the model, optionally with a link, and a mark with a tooltip
        self.note = QLabel(wordWrap=True)
        self.note.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.mark = QLabel()
        QShortcut(QKeySequence(QKeySequence.Copy), self, self.copy,
                  context=Qt.WidgetWithChildrenShortcut)

        self.splitter.addWidget(self.attributes)
        self.splitter.addWidget(self.pane)
        self._sizes = [450, 550] if beside else [600, 400]
        self.splitter.setSizes(self._sizes)
        bottom = arrange(QHBoxLayout(), self.note, self.mark, stretched=self.note)
        self.contents = QWidget()
        arrange(QVBoxLayout(self.contents), self.splitter, bottom,
                stretched=self.splitter)
        self.addWidget(self.contents)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        is_wide = self.width() > WIDE * self.fontMetrics().averageCharWidth()
        orientation = Qt.Horizontal if self._beside and is_wide else Qt.Vertical
        if orientation != self.splitter.orientation():
            self.splitter.setOrientation(orientation)
            self.splitter.setSizes(self._sizes)

    @property
    def shows_model(self):
        """Whether a model is shown."""
        return self.currentWidget() is self.contents

    def show_message(self, text, button=""):
        """Show a message, and optionally a button, in place of a model."""
        self._row, self._explain = -1, None
        self.table.set_columns((), (), ())
        self.message.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.setCurrentIndex(0)

    def show_model(self, names, columns, is_faded, explain):
        """
        Show a model; filter, order and selected attribute stay.

        Parameters
        ----------
        names : sequence of str
            Of attributes.
        columns : sequence of NumberColumn
        is_faded : sequence of bool
            Attributes without effect.
        explain : callable
            Called with the index of an attribute, returns a `ValueContributions`.
        """
        self._row, self._explain = -1, explain
        self.table.set_columns(names, columns, is_faded)
        self.setCurrentWidget(self.contents)

    def set_notes(self, note="", mark="", tip=""):
        """Show a sentence below, and a mark with a tooltip."""
        self.note.setText(note)
        self.mark.setText(mark)
        self.mark.setToolTip(tip)

    def copy(self):
        """Copy the rows that are shown to the clipboard, as text with tabs."""
        frame = self.table.as_frame().iloc[self.table.numbers.order]
        QApplication.clipboard().setText(
            frame.to_csv(sep="\t", float_format=DIGITS))
        self._confirm(self.copy_button, len(frame), "copied.")

    def save(self):
        """Write all rows to a file that the user chooses."""
        name, _ = QFileDialog.getSaveFileName(self, "Save", str(self._path),
                                              FILE_FILTER)
        if not name:
            return
        path = Path(name)
        path = path if path.suffix else path.with_suffix(".csv")
        frame = self.table.as_frame()
        try:
            frame.to_csv(path, float_format=DIGITS)
        except OSError as error:
            QMessageBox.warning(
                self, "Save", f"{path.name} could not be saved: "
                f"{error.strerror or error}. Choose another folder or name.")
        else:
            self._path = path
            self._confirm(self.save_button, len(frame), f"saved to {path.name}.")

    def _confirm(self, button, n_rows, done):
        QToolTip.showText(button.mapToGlobal(button.rect().bottomLeft()),
                          f"{n_rows:,} {pl(n_rows, 'row was|rows were')} {done}", self)

    def _describe_rows(self):
        n_all, n_shown = len(self.table.numbers.names), len(self.table.numbers.order)
        return f"{n_shown:,} of {n_all:,}" if n_shown < n_all else ""

    def _on_selected(self, row):
        if row not in (-1, self._row):
            self._row = row
            self.pane.show_contributions(self._explain(row))
