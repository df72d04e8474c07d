"""The main area of RNB+: weights, the mixture, and how they were found."""

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.explain.findings import describe_labeller
from orangecontrib.sadd.widgets.common.statuslabel import StatusLabel
from orangecontrib.sadd.widgets.weighting.losscurve import LossCurve
from orangecontrib.sadd.widgets.weighting.weightspanel import WeightsPanel

__all__ = ["WeightsView", "describe_mixture", "describe_search"]

NO_WEIGHTS = ("This is naive Bayes without weights: all attributes count the same. "
              "Choose an attribute weighting to see weights here.")
NO_ATTRIBUTES = ("No attribute is left after preprocessing and discretization, so the "
                 "model predicts the most frequent class. Another discretization may "
                 "keep more.")
NO_VALUES = ("Every attribute has a single value or interval, or none, so the model "
             "predicts the most frequent class. Connect data whose values differ and "
             "are not missing, or try another discretization.")


def describe_mixture(model):
    """Return a sentence on alpha; empty if the model is not a mixture."""
    if model.weights is None or model.class_weights is None:
        return ""
    text = (f"α = {model.alpha:.3f}: class-specific weights have a share of "
            f"{100 * model.alpha:.0f} % in predictions, those for all classes "
            f"{100 - 100 * model.alpha:.0f} %.")
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
