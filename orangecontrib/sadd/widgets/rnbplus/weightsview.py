"""The main area of RNB+: weights, the mixture, and how they were found."""

import csv
import io
from pathlib import Path

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import (
    QColor,
    QKeySequence,
    QPainter,
    QPalette,
    QPen,
    QPolygonF,
)
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
    QStackedWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.explain.descriptions import describe_labeller
from orangecontrib.sadd.widgets.common.controls import StatusLabel, wrap_tip
from orangecontrib.sadd.widgets.rnbplus.weightstable import WeightsTable

__all__ = ["LossCurve", "WeightsPanel", "WeightsView", "describe_mixture",
           "describe_search"]

NO_WEIGHTS = ("This is naive Bayes without weights: all attributes count the same. "
              "Choose an attribute weighting to see weights here.")
NO_ATTRIBUTES = ("No attribute is left after preprocessing and discretization, so the "
                 "model predicts the most frequent class. Another discretization may "
                 "keep more.")
NO_VALUES = ("Every attribute has a single value or interval, or none, so the model "
             "predicts the most frequent class. Connect data whose values differ and "
             "are not missing, or try another discretization.")

# Not at the beginning of a line
PERCENT = "\N{NO-BREAK SPACE}%"

FILE_FILTER = "Comma-separated values (*.csv)"

# Of the loss curve, in pixels
MARGIN, DOT = 4, 2.5


def describe_mixture(model):
    """Return a sentence on alpha; empty if the model is not a mixture."""
    if model.weights is None or model.class_weights is None:
        return ""
    text = (f"α = {model.alpha:.3f}: class-specific weights have a share of "
            f"{100 * model.alpha:.0f}{PERCENT} in predictions, those for all classes "
            f"{100 - 100 * model.alpha:.0f}{PERCENT}.")
    return f"{text} Nomogram can show this model." if model.fitted.additive else text


def describe_search(model):
    """Return how the search for weights ended; empty if there was none."""
    if not len(model.loss_history):
        return ""
    if not model.n_iter:
        return ("No weights are better than those at the start, which are all 1; the "
                f"loss is {model.loss:.4g}.")
    n_iter = f"{model.n_iter:,} {pl(model.n_iter, 'iteration')}"
    loss = f"with a loss of {model.loss:.4g}"
    if model.converged:
        return f"Converged after {n_iter}, {loss}."
    return (f"Ended after {n_iter}, before it converged, {loss}. "
            "More iterations may lower it.")


class WeightsView(QStackedWidget):
    """Weights above, how they were found below; or a sentence in place of both."""

    #: The button below the sentence was pressed
    pressed = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.message = QLabel(alignment=Qt.AlignCenter, wordWrap=True, margin=24)
        self.button = QPushButton(autoDefault=False, clicked=self._on_clicked)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addStretch(1)
        layout.addWidget(self.message)
        layout.addWidget(self.button, alignment=Qt.AlignHCenter)
        layout.addStretch(1)
        self.addWidget(page)

        self.panel = WeightsPanel()
        self.table = self.panel.table
        self.mixture = QLabel(wordWrap=True)
        self.loss_curve = LossCurve()
        self.search = QLabel(wordWrap=True)
        self.labelling = StatusLabel()
        search = QHBoxLayout()
        search.addWidget(self.loss_curve)
        search.addWidget(self.search, 1)
        self.contents = QWidget()
        layout = QVBoxLayout(self.contents)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.panel, 1)
        layout.addWidget(self.mixture)
        layout.addLayout(search)
        layout.addWidget(self.labelling)
        self.addWidget(self.contents)
        self.show_message("")

    @property
    def shows_weights(self):
        """Whether weights are shown."""
        return self.currentWidget() is self.contents

    def show_message(self, text, button=""):
        """Show a sentence, and maybe a button, in place of weights."""
        self.message.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.setCurrentIndex(0)

    def show_model(self, model, labeller=""):
        """Show the weights of a naive Bayes model, and who lent labels for it."""
        lines = [] if model.labelling is None \
            else describe_labeller(model.labelling, labeller)
        self.labelling.setText("; ".join(lines))
        self.labelling.setVisible(bool(self.labelling.text()))
        if model.weights is None and model.class_weights is None:
            self.show_message(NO_WEIGHTS)
            return
        if not model.domain.attributes:
            self.show_message(NO_ATTRIBUTES)
            return
        if (model.tables.n_values < 2).all():
            self.show_message(NO_VALUES)
            return
        self.panel.set_model(model)
        self.mixture.setText(describe_mixture(model))
        self.mixture.setVisible(bool(self.mixture.text()))
        self.search.setText(describe_search(model))
        self.search.setVisible(bool(self.search.text()))
        self.loss_curve.set_history(model.loss_history)
        self.loss_curve.setVisible(len(model.loss_history) > 1)
        self.setCurrentWidget(self.contents)

    def _on_clicked(self):
        self.pressed.emit()


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
        n_rows = len(self.table.weights.order)
        QToolTip.showText(
            self.copy_button.mapToGlobal(self.copy_button.rect().bottomLeft()),
            f"{n_rows:,} {pl(n_rows, 'row is|rows are')} copied.", self)

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
