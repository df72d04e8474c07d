"""The table of weights with its caption, a filter, and ways to take it elsewhere."""

import csv
import io
from pathlib import Path

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QShortcut,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.widgets.weighting.weightstable import WeightsTable

__all__ = ["WeightsPanel"]

FILE_FILTER = "Comma-separated values (*.csv)"


class WeightsPanel(QWidget):
    """Weights of the attributes whose names contain a text."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self._class_name = ""
        self._folder = Path.home()
        self.table = WeightsTable()
        self.caption = QLabel(textFormat=Qt.PlainText)
        # Long names of a class must not widen the window
        self.caption.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.filter = QLineEdit(
            placeholderText="Filter...", clearButtonEnabled=True,
            accessibleName="Filter of attributes",
            toolTip="Show only the attributes whose name contains this text.")
        self.filter.textChanged.connect(self._filter)
        self.copy_button = QPushButton(
            "Copy", autoDefault=False, clicked=self.copy,
            toolTip="Copy the rows that are shown, for a spreadsheet (Ctrl+C).")
        self.save_button = QPushButton(
            "Save...", autoDefault=False, clicked=self.save,
            toolTip="Save the rows that are shown, as comma-separated values.")
        QShortcut(QKeySequence(QKeySequence.Copy), self, self.copy,
                  context=Qt.WidgetWithChildrenShortcut)

        top = QHBoxLayout()
        top.addWidget(self.filter, 1)
        top.addWidget(self.copy_button)
        top.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.caption)
        layout.addWidget(self.table)

    def set_model(self, model):
        """Show the weights of a naive Bayes model; the filter stays."""
        self._class_name = model.domain.class_var.name
        self.table.set_model(model)
        self._show_caption()

    def copy(self):
        """Copy what is shown to the clipboard, as text with tabs."""
        QApplication.clipboard().setText(self._as_text("\t"))

    def save(self):
        """Ask for a file, and write what is shown to it."""
        name, _ = QFileDialog.getSaveFileName(
            self, "Save Weights", str(self._folder / "weights.csv"), FILE_FILTER)
        if not name:
            return
        path = Path(name)
        if not path.suffix:
            path = path.with_suffix(".csv")
        try:
            path.write_text(self._as_text(","), encoding="utf-8", newline="")
        except OSError as error:
            QMessageBox.warning(
                self, "Save Weights", f"{path.name} could not be saved: "
                f"{error.strerror or error}. Choose another folder or name.")
        else:
            self._folder = path.parent

    def _as_text(self, delimiter):
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(
            self.table.as_numbers())
        return text.getvalue()

    def _filter(self, text):
        self.table.weights.set_filter(text)
        self.table.scrollToTop()
        self._show_caption()

    def _show_caption(self):
        n_all, n_shown = len(self.table.weights.attributes), \
            len(self.table.weights.order)
        count = f"{n_all:,} {pl(n_all, 'attribute')}"
        if n_shown < n_all:
            count = f"{n_shown:,} of {count}"
        self.caption.setText(f"Weights of {count} in predictions of {self._class_name}")
        self.caption.setToolTip(self._class_name)
