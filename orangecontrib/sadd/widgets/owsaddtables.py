"""SADD Tables: an interpretable additive model that also uses unlabelled rows."""

from AnyQt.QtCore import QSignalBlocker, QSize, Qt
from AnyQt.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from orangecontrib.sadd.core.registry import make_discretizer
from orangecontrib.sadd.explain.contributions import tables_contributions
from orangecontrib.sadd.explain.gain import Gain, describe_gain, measure_gain
from orangecontrib.sadd.explain.pairs import pair_contributions
from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner
from orangecontrib.sadd.widgets.common.controls import (
    Choice,
    arrange,
    wrap_tip,
)
from orangecontrib.sadd.widgets.common.modelwindow import ModelWindow
from orangecontrib.sadd.widgets.common.numbertable import NumberColumn
from orangecontrib.sadd.widgets.common.tasks import ScoreLine, make_callback

__all__ = ["OWSADDTables"]

IMPORTANCE_TIP = "Mean absolute contribution to the log-odds, over all rows."
SMOOTHNESS_TIP = ("Steps at cuts may be steeper to the right. On the left, curves tend "
                  "to straight lines.")
PENALTY_TIP = ("How closely curves and pairs follow the data. Automatic: as closely as "
               "predicts left-out rows best. Move the slider to choose by hand.")
PAIRS_TIP = ("Pairs of variables that do something together which neither does alone. "
             "Automatic: as many as predict left-out rows best, often none.")
GAIN_TIP = ("Labelled rows that are predicted correctly when they are left out, "
            "without and with pairs. There are ten parts, or five above 1,000 rows. "
            "The penalty and pairs are chosen without the left-out rows.")
NO_NOMOGRAM = ("Nomogram cannot show curves and pairs; the output Explanations has "
               "what they add to each row.")
NO_PAIRS = "Pairs do not help on these data"
# Places of the sliders; the settings are indices of these
SMOOTHNESSES = (0, .25, .5, 1, 2, 4, 8, 16)
PENALTIES = (30, 10, 3, 1, .3, .1)
DEFAULT, DEFAULT_PENALTY = SMOOTHNESSES.index(2), PENALTIES.index(1)
# The setting: a number of pairs, or
AUTOMATIC, NONE, LIMITED = -1, 0, 1
PAIRS_CHOICES = {
    AUTOMATIC: ("automatic", PAIRS_TIP), NONE: ("none", "Variables alone."),
    LIMITED: ("at most", "Set the greatest number of pairs.")}
FIRST_LIMIT, MOST_PAIRS = 10, 999
# Of controls without a box, in pixels
INDENT = 6
# Larger tables, pool included, are cross-validated on demand; rows are not explained
MOST_CELLS, MOST_EXPLAINED = 200_000, 20_000_000


def describe(model, data):
    """Return the columns of the table of terms, and outputs by name."""
    importances = model.importances
    column = NumberColumn("Importance", importances, IMPORTANCE_TIP,
                          (0, importances.max(initial=0)))
    n_cells = len(data) * len(importances) * len(model.domain.class_var.values)
    return [column], {
        "tables": model.tables(),
        "explanations": model.contributions(data) if n_cells <= MOST_EXPLAINED
        else None}


def explain(model, data, pool, index):
    """Return the contributions of a variable or of a pair."""
    is_pair = index >= len(model.domain.attributes)
    return (pair_contributions if is_pair else tables_contributions)(
        model, data, pool, index)


def validate(learner, data, state):
    """Measure what pairs bring, in a thread; None if a fold fails."""
    gain = None
    try:
        for gain in measure_gain(learner, data, make_callback(state)):
            state.set_partial_result(gain)
    except ValueError:  # such as an error of a connected labeller
        return None
    return gain


def indented():
    """Return a widget whose contents begin where those of boxes do."""
    widget = QWidget()
    widget.setContentsMargins(INDENT, 0, 0, 0)
    return widget


class OWSADDTables(ModelWindow):
    name = "SADD Tables"
    description = ("Learn what each variable, and each pair of variables, adds, with "
                   "the help of unlabelled rows.")
    icon = "icons/saddtables.svg"
    priority = 30
    keywords = ("sadd tables, additive, interpretable, explain, gam, logistic, "
                "semi-supervised, unlabelled, unlabeled, labels, sadd")

    LEARNER = SADDTablesLearner

    class Outputs(ModelWindow.Outputs):
        # Explicit, or the canvas would connect them to widgets that also take data
        tables = Output("Tables", Table, dynamic=False, explicit=True,
                        doc="A row for each place, value, or cell of a pair.")
        explanations = Output("Explanations", Table, dynamic=False, explicit=True,
                              doc="Contributions to the prediction of each row.")

    class Information(ModelWindow.Information):
        not_explained = Msg("Explanations would be too large and are not sent. "
                            "Use Data Sampler to take fewer rows.")

    settings_version = 4
    best_size = QSize(1060, 560)
    beside = True
    row_title = "Term"
    file_name = "importances.csv"

    smoothness = Setting(DEFAULT)
    automatic_penalty = Setting(True)
    penalty = Setting(DEFAULT_PENALTY)
    pairs = Setting(AUTOMATIC)

    VALID = {**ModelWindow.VALID,
             "smoothness": lambda index: index in range(len(SMOOTHNESSES)),
             "penalty": lambda index: index in range(len(PENALTIES)),
             "pairs": lambda number: AUTOMATIC <= number <= MOST_PAIRS}

    describe = staticmethod(describe)
    explain = staticmethod(explain)

    def __init__(self):
        super().__init__()
        self.score.validator.progressed.connect(self._show_gain)
        self.score.validator.done.connect(self._on_validated)

    def add_controls(self):
        self.make_parts("Cuts by", for_tables=True)
        self.limits_fold.missing_check.hide()  # missing values always add 0
        self.smoothness_slider = self._make_slider(
            "Smoothness", SMOOTHNESSES, self.smoothness, SMOOTHNESS_TIP)
        self.discretization_fold.form.addRow("Steps at cuts:", self.smoothness_slider)
        self.controlArea.layout().addWidget(self.discretization_fold)
        for row in (self._make_curves(), self._make_pairs(), self.labels_fold):
            self.controlArea.layout().addWidget(row)

    def _make_slider(self, name, places, place, tip):
        slider = QSlider(
            Qt.Horizontal, maximum=len(places) - 1, value=place, pageStep=1,
            tickPosition=QSlider.TicksBelow, accessibleName=name,
            toolTip=wrap_tip(tip))
        # A model is fitted when the slider is released
        slider.valueChanged.connect(
            lambda _: slider.isSliderDown() or self.settings_changed())
        slider.sliderReleased.connect(self.settings_changed)
        return slider

    def _make_curves(self):
        self.penalty_check = QCheckBox(
            "automatic", checked=self.automatic_penalty, toolTip=wrap_tip(PENALTY_TIP),
            accessibleName="Automatic curves")
        self.penalty_slider = self._make_slider(
            "Curves", PENALTIES, self.penalty, PENALTY_TIP)
        # Before the connection that fits a model
        self.penalty_check.clicked.connect(self.settings_changed)
        for moved in (self.penalty_slider.actionTriggered,
                      self.penalty_slider.sliderPressed):
            moved.connect(lambda *_: self.penalty_check.setChecked(False))
        box = indented()
        arrange(QVBoxLayout(box),
                arrange(QHBoxLayout(), QLabel("Curves:"), self.penalty_check,
                        stretched=self.penalty_check),
                arrange(QHBoxLayout(), QLabel("smooth"), self.penalty_slider,
                        QLabel("steep")), spacing=2)
        return box

    def _make_pairs(self):
        self.pairs_combo = Choice(PAIRS_CHOICES, min(self.pairs, LIMITED), "Pairs")
        self.pairs_combo.activated.connect(self.settings_changed)
        self.pairs_spin = QSpinBox(
            minimum=1, maximum=MOST_PAIRS, value=max(self.pairs, NONE) or FIRST_LIMIT,
            keyboardTracking=False, accessibleName="Greatest number of pairs")
        self.pairs_spin.valueChanged.connect(self.settings_changed)
        self.score = ScoreLine(QVBoxLayout, GAIN_TIP)
        self.score.button.clicked.connect(self._validate)
        box = indented()
        arrange(QVBoxLayout(box),
                arrange(QHBoxLayout(), QLabel("Pairs:"), self.pairs_combo,
                        self.pairs_spin, stretched=self.pairs_combo),
                self.score, spacing=2)
        return box

    def store_settings(self):
        super().store_settings()
        self.smoothness = self.smoothness_slider.value()
        self.automatic_penalty = self.penalty_check.isChecked()
        if not self.automatic_penalty:
            self.penalty = self.penalty_slider.value()
        choice = self.pairs_combo.value
        self.pairs = self.pairs_spin.value() if choice == LIMITED else choice

    def reset_settings(self):
        self.penalty_check.setChecked(True)
        self.pairs_combo.value = AUTOMATIC
        self.smoothness_slider.setValue(DEFAULT)
        super().reset_settings()

    def update_controls(self):
        super().update_controls()
        self.pairs_spin.setVisible(self.pairs_combo.value == LIMITED)

    # Learner

    @property
    def uses_unlabelled(self):
        return True

    def create_learner(self):
        parameters, method = self.parameters, self.discretization
        numbers = {name: value for name, value in parameters.changed.items()
                   if name != "missing"}
        return SADDTablesLearner(
            make_discretizer(method, **numbers) if numbers else method,
            self.unlabelled, parameters.labeller, parameters.min_confidence,
            penalty="auto" if self.automatic_penalty else PENALTIES[self.penalty],
            pairs="auto" if self.pairs == AUTOMATIC else self.pairs,
            smoothness=SMOOTHNESSES[self.smoothness], preprocessors=self.preprocessors)

    def name_learner(self):
        """Return a name that distinguishes the learner in a table of scores."""
        name = "SADD Tables"
        if self.discretization != "SADD":
            name += f" ({self.discretization})"
        return f"{name} with unlabelled data" if self.unlabelled else name

    # Model

    @property
    def fitting(self):
        return "Choosing curves and pairs by left-out rows..." \
            if self.automatic_penalty or self.pairs == AUTOMATIC else "Fitting..."

    @property
    def row_names(self):
        return self.model.term_names

    def notes(self):
        """Return a note on Nomogram, a mark about the search, and its tooltip."""
        return NO_NOMOGRAM, *super().notes()[1:]

    def update_model(self):
        self.score.validator.cancel()
        self.score.show_text("")
        super().update_model()

    def cancel(self):
        self.score.validator.cancel()
        super().cancel()

    def on_result(self, result):
        super().on_result(result)
        self.Information.not_explained(shown=self.more["explanations"] is None)
        self._show_penalty()
        n_rows = len(self.data) + (
            0 if self.unlabelled is None else len(self.unlabelled))
        if n_rows * self.data.X.shape[1] <= MOST_CELLS:
            self._validate()
        else:
            self.score.show_text("", waits=True)

    def _show_penalty(self):
        """Move the slider to the penalty that was chosen."""
        if self.automatic_penalty and self.model.penalty in PENALTIES:
            with QSignalBlocker(self.penalty_slider):
                self.penalty_slider.setValue(PENALTIES.index(self.model.penalty))

    def _clear_messages(self):
        super()._clear_messages()
        self.Information.not_explained.clear()

    def _validate(self):
        self._show_gain(Gain(n_folds=1))
        self.score.start(validate, self.learner, self.data)

    def _on_validated(self, gain):
        if gain is None:
            self.score.show_text("Cross-validation failed: the labeller fails if rows "
                                 "are left out.")
        else:
            self._show_gain(gain)

    def _show_gain(self, gain):
        text = describe_gain(gain, self.model) if gain.n_done else "Cross-validating..."
        if self.pairs and not self.model.fitted.pairs:
            text = f"{NO_PAIRS}. {text}"
        self.score.show_text(text)

    def onDeleteWidget(self):
        self.score.validator.shutdown()
        super().onDeleteWidget()

    # Report

    def described(self):
        """Return names and values of the settings, for a report."""
        items = [
            ("Curves", "automatic" if self.automatic_penalty
             else f"penalty {PENALTIES[self.penalty]:g}"),
            ("Smoothness", f"{SMOOTHNESSES[self.smoothness]:g}"),
            ("Pairs", f"at most {self.pairs:,}" if self.pairs > 0
             else self.pairs_combo.currentText())]
        if self.score.label.text():
            items.append(("Cross-validated", self.score.label.text()))
        return items


if __name__ == "__main__":
    heart = Table("heart_disease")
    WidgetPreview(OWSADDTables).run(set_data=heart[::10], set_unlabelled=heart)
