"""SADD Tables: an interpretable additive model that also uses unlabelled rows."""

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QHBoxLayout, QLabel, QSlider, QWidget
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from orangecontrib.sadd.explain.contributions import tables_contributions
from orangecontrib.sadd.explain.resampling import count_right
from orangecontrib.sadd.scripting.discretize import make_discretization
from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner
from orangecontrib.sadd.widgets.common.controls import arrange, wrap_tip
from orangecontrib.sadd.widgets.common.modelwindow import ModelWindow
from orangecontrib.sadd.widgets.common.numbertable import NumberColumn
from orangecontrib.sadd.widgets.common.tasks import Task, make_callback

__all__ = ["OWSADDTables"]

IMPORTANCE_TIP = "Mean absolute contribution to the log-odds, over all rows."
SMOOTHNESS_TIP = ("Steps between intervals may be steeper to the right. On the left, "
                  "curves tend to straight lines.")
CROSS_VALIDATED_TIP = ("Labelled rows that are predicted correctly when they are left "
                       "out. There are ten parts, or five above 1,000 rows.")
# Places of the slider; the setting is an index of these
SMOOTHNESSES = (0, .25, .5, 1, 2, 4, 8, 16)
DEFAULT = SMOOTHNESSES.index(2)
# Larger tables are cross-validated on demand, and their rows are not explained
MOST_CELLS, MOST_EXPLAINED = 1_000_000, 20_000_000


def describe(model, data):
    """Return the columns of the table of attributes, and outputs by name."""
    importances = model.importances[:len(model.domain.attributes)]
    column = NumberColumn("Importance", importances, IMPORTANCE_TIP,
                          (0, importances.max(initial=0)))
    n_cells = len(data) * len(importances) * len(model.domain.class_var.values)
    return [column], {
        "tables": model.tables(),
        "explanations": model.contributions(data) if n_cells <= MOST_EXPLAINED
        else None}


def cross_validate(learner, data, state):
    """Count correct predictions of left-out rows, in a thread; None if a fold fails."""
    try:
        return count_right(learner, data, make_callback(state))
    except ValueError:  # such as an error of a connected labeller
        return None


class OWSADDTables(ModelWindow):
    name = "SADD Tables"
    description = ("Learn a table of contributions for each variable, with the help "
                   "of unlabelled rows.")
    icon = "icons/saddtables.svg"
    priority = 30
    keywords = ("sadd tables, additive, interpretable, explain, gam, logistic, "
                "semi-supervised, unlabelled, unlabeled, labels, sadd")

    LEARNER = SADDTablesLearner

    class Outputs(ModelWindow.Outputs):
        # Explicit, or the canvas would connect them to widgets that also take data
        tables = Output("Tables", Table, dynamic=False, explicit=True,
                        doc="A row for each interval or value.")
        explanations = Output("Explanations", Table, dynamic=False, explicit=True,
                              doc="Contributions to the prediction of each row.")

    class Information(ModelWindow.Information):
        not_explained = Msg("Explanations would be too large and are not sent. "
                            "Use Data Sampler to take fewer rows.")

    settings_version = 4
    best_size = QSize(1060, 560)
    beside = True
    file_name = "importances.csv"

    smoothness = Setting(DEFAULT)

    VALID = {**ModelWindow.VALID,
             "smoothness": lambda index: index in range(len(SMOOTHNESSES))}

    describe = staticmethod(describe)
    explain = staticmethod(tables_contributions)

    def __init__(self):
        super().__init__()
        self.validator = Task(self)
        self.validator.done.connect(self._on_validated)

    def add_controls(self):
        self.make_parts("Cuts by", for_tables=True)
        self.limits_fold.missing_check.hide()  # missing values always add 0
        self.smoothness_slider = QSlider(
            Qt.Horizontal, maximum=len(SMOOTHNESSES) - 1, value=self.smoothness,
            pageStep=1, tickPosition=QSlider.TicksBelow, accessibleName="Smoothness",
            toolTip=wrap_tip(SMOOTHNESS_TIP))
        # A model is fitted when the slider is released
        self.smoothness_slider.valueChanged.connect(
            lambda _: self.smoothness_slider.isSliderDown() or self.settings_changed())
        self.smoothness_slider.sliderReleased.connect(self.settings_changed)
        row = QWidget()
        arrange(QHBoxLayout(row), QLabel("Curves:"), QLabel("smooth"),
                self.smoothness_slider, QLabel("steep"))
        for part in (self.discretization_fold, row, self.labels_fold):
            self.controlArea.layout().addWidget(part)
        self.score_label = gui.label(self.controlArea, self, "")
        self.score_label.setToolTip(wrap_tip(CROSS_VALIDATED_TIP))
        self.validate_button = gui.button(
            self.controlArea, self, "Cross-Validate", callback=self._validate,
            autoDefault=False, tooltip=wrap_tip(CROSS_VALIDATED_TIP))
        self._show_score("")

    def store_settings(self):
        super().store_settings()
        self.smoothness = self.smoothness_slider.value()

    def reset_settings(self):
        self.smoothness_slider.setValue(DEFAULT)
        super().reset_settings()

    # Learner

    @property
    def uses_unlabelled(self):
        return True

    def create_learner(self):
        parameters, method = self.parameters, self.discretization
        numbers = {name: value for name, value in parameters.changed.items()
                   if name != "missing"}
        return SADDTablesLearner(
            make_discretization(method, **numbers) if numbers else method,
            self.unlabelled, parameters.labeller, parameters.min_confidence,
            smoothness=SMOOTHNESSES[self.smoothness], preprocessors=self.preprocessors)

    def name_learner(self):
        """Return a name that distinguishes the learner in a table of scores."""
        name = "SADD Tables"
        if self.discretization != "SADD":
            name += f" ({self.discretization})"
        return f"{name} with unlabelled data" if self.unlabelled else name

    # Model

    def update_model(self):
        self.validator.cancel()
        self._show_score("")
        super().update_model()

    def cancel(self):
        self.validator.cancel()
        super().cancel()

    def on_result(self, result):
        super().on_result(result)
        self.Information.not_explained(shown=self.more["explanations"] is None)
        if self.data.X.shape[0] * self.data.X.shape[1] <= MOST_CELLS:
            self._validate()
        else:
            self._show_score("", is_possible=True)

    def _clear_messages(self):
        super()._clear_messages()
        self.Information.not_explained.clear()

    def _validate(self):
        self._show_score("...")
        self.validator.start(cross_validate, self.learner, self.data)

    def _on_validated(self, counts):
        self._show_score("failed" if counts is None
                         else "{:,} of {:,} right".format(*counts))

    def _show_score(self, text, is_possible=False):
        self.score_label.setText(f"Cross-validated: {text}" if text else "")
        self.validate_button.setVisible(is_possible)

    def onDeleteWidget(self):
        self.validator.shutdown()
        super().onDeleteWidget()

    # Report

    def described(self):
        """Return names and values of the settings, for a report."""
        items = [("Smoothness", f"{SMOOTHNESSES[self.smoothness]:g}")]
        if self.score_label.text():
            items.append(tuple(self.score_label.text().split(": ")))
        return items


if __name__ == "__main__":
    heart = Table("heart_disease")
    WidgetPreview(OWSADDTables).run(set_data=heart[::10], set_unlabelled=heart)
