"""The main area of RNB+: weights, the mixture, and how they were found."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import (
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl
from Orange.widgets.visualize.utils.plotutils import AxisItem, PlotWidget

from orangecontrib.sadd.explain.trust import describe_labeller
from orangecontrib.sadd.widgets.weighting.weightstable import WeightsTable

__all__ = ["WeightsView", "describe_mixture", "describe_search"]

NO_WEIGHTS = ("This is naive Bayes without weights: all attributes count the same. "
              "Choose an attribute weighting to see weights here.")
NO_ATTRIBUTES = ("No attribute is left after preprocessing and discretization, so the "
                 "model predicts the most frequent class. Another discretization may "
                 "keep more.")


def describe_mixture(model):
    """Return a sentence on alpha; empty if the model is not a mixture."""
    if model.weights is None or model.class_weights is None:
        return ""
    return (f"α = {model.alpha:.3f}: class-specific weights have a share of "
            f"{model.alpha:.0%} in predictions, those for all classes "
            f"{1 - model.alpha:.0%}.")


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


class IterationAxis(AxisItem):
    """An axis with ticks at whole numbers only."""

    def tickSpacing(self, minVal, maxVal, size):
        spacing = super().tickSpacing(minVal, maxVal, size)
        return [step for step in spacing if step[0] >= 1] or [(1, 0)]


class LossPlot(PlotWidget):
    """The loss after each iteration of the search for weights."""

    def __init__(self, parent=None):
        super().__init__(parent, enableMenu=False, axisItems={
            "left": AxisItem("left"), "bottom": IterationAxis("bottom")})
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(4, 8, 12, 2)
        self.getAxis("bottom").setLabel("Iteration")
        self.getAxis("left").setLabel("Loss")
        self.getAxis("left").enableAutoSIPrefix(False)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.line = pg.PlotCurveItem()
        self.end = pg.ScatterPlotItem(size=8)
        self.addItem(self.line)
        self.addItem(self.end)
        self._update_colours()

    def set_history(self, losses):
        """Show the loss at the start and after each iteration."""
        losses = np.asarray(losses, dtype=np.float64)
        iterations = np.arange(len(losses))
        self.line.setData(iterations, losses)
        self.end.setData(iterations[-1:], losses[-1:])
        if len(losses):
            low, high = losses.min(), losses.max()
            margin = max((high - low) * .08, abs(high) * .01, 1e-12)
            self.getViewBox().setRange(
                xRange=(0, max(len(losses) - 1, 1)),
                yRange=(low - margin, high + margin), padding=.02)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "end"):
            self._update_colours()

    def _update_colours(self):
        colour = QColor(self.palette().color(QPalette.Text))
        self.line.setPen(pg.mkPen(colour, width=1.5))
        self.end.setPen(pg.mkPen(colour))
        self.end.setBrush(self.palette().color(QPalette.Highlight))


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

        self.table = WeightsTable()
        self.mixture = QLabel(wordWrap=True)
        self.loss_plot = LossPlot()
        self.loss_plot.setMinimumHeight(90)
        self.loss_plot.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Expanding)
        self.search = QLabel(wordWrap=True)
        self.labelling = QLabel(wordWrap=True)
        self.contents = QWidget()
        layout = QVBoxLayout(self.contents)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table, 3)
        layout.addWidget(self.mixture)
        layout.addWidget(self.loss_plot, 2)
        layout.addWidget(self.search)
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
        self.table.set_model(model)
        self.mixture.setText(describe_mixture(model))
        self.mixture.setVisible(bool(self.mixture.text()))
        self.search.setText(describe_search(model))
        self.search.setVisible(bool(self.search.text()))
        self.loss_plot.set_history(model.loss_history)
        self.loss_plot.setVisible(len(model.loss_history) > 1)
        self.setCurrentWidget(self.contents)

    def _on_clicked(self):
        self.pressed.emit()
