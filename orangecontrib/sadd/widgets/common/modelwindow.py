"""Base class of the windows that fit and show a model."""

import re
from functools import partial

import numpy as np
from AnyQt.QtCore import QSize
from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.widgets.settings import Setting
from Orange.widgets.utils.localization import pl
from Orange.widgets.utils.owlearnerwidget import OWBaseLearner
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.widget import Input, Msg, Output
from orangewidget.report.report import get_html_img

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.analysis import Analysis, table_obstacle
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.scripting.tables import class_codes
from orangecontrib.sadd.widgets.common import folds, messages, methods
from orangecontrib.sadd.widgets.common.modelview import ModelView
from orangecontrib.sadd.widgets.common.tasks import WidgetTaskMixin, make_callback
from orangecontrib.sadd.widgets.common.windows import WindowMixin

__all__ = ["ModelWindow", "fit"]

STOPPED = "Fitting was stopped, so there is no model. The learner can be used."
NO_ATTRIBUTES = ("No variable is left after preprocessing and discretization, so the "
                 "model predicts the most frequent class. Another discretization may "
                 "keep more.")
NO_VALUES = ("Every variable has a single value or interval, or none, so the model "
             "predicts the most frequent class. Connect data whose values differ and "
             "are not missing, or try another discretization.")


def fit(learner, data, describe, state):
    """Fit and describe a model, and inspect the pool, in a thread."""
    callback = make_callback(state)
    callback(0)
    analysis = Analysis(data, learner.unlabelled)
    _ = analysis.rows  # cached for the window
    model = learner(data, callback)
    return model, *describe(model, data), analysis


def is_sorting(value):
    """Return whether a stored setting is a column and a direction."""
    return [type(item) for item in value] == [int, bool] and -1 <= value[0] < 10 ** 6


class ModelWindow(WindowMixin, OWBaseLearner, WidgetTaskMixin, openclass=True):
    """
    A learner's window: settings on the left, the model on the right.

    A subclass adds controls in `add_controls` and makes the learner in
    `create_learner`. It describes a model in `describe`, `explain` and `notes`, and
    has a `file_name` for the table of attributes.

    Attributes
    ----------
    more : dict
        Outputs by name, besides the learner and the model.
    """

    # Unlike in the base class, Data is the default: connecting File needs no choice
    class Inputs:
        data = Input("Data", Table, default=True,
                     doc="Data with a class; rows without one count as unlabelled.")
        preprocessor = Input("Preprocessor", Preprocess,
                             doc="Preprocessing before discretization.")
        unlabelled = Input("Unlabelled Data", Table,
                           doc="Unlabelled rows; a class is ignored.")
        # Not Orange.classification's class: kNN and other learners also do regression
        labeller = Input("Labeller", Learner,
                         doc="A learner that predicts pseudo-labels.")

    class Error(OWBaseLearner.Error):
        no_memory = messages.OUT_OF_MEMORY

    class Warning(OWBaseLearner.Warning, messages.Warnings):
        stopped = Msg("Fitting was stopped, so there is no model. Press Fit Again to "
                      "get one.")

    class Information(OWBaseLearner.Information):
        known_rows = messages.KNOWN_ROWS
        unused_pool = Msg("Unlabelled Data has no effect, because {} does not use it. "
                          "Choose SADD to use it.")
        no_numeric = Msg(messages.OBSTACLES["no_numeric"])

    want_main_area = True
    resizing_enabled = True
    best_size = QSize(900, 640)
    #: What is shown until there is a model
    fitting = "Fitting..."
    #: What a row of the table is
    row_title = "Variable"
    #: Whether the pane is beside the table if there is room
    beside = False

    method_setting = "discretization"
    discretization = Setting("SADD")
    # Of the table: the column, -1 for names, and whether it is sorted downwards
    sorting = Setting((0, True), schema_only=True)
    selected_attribute = Setting("", schema_only=True)

    VALID = {"sorting": is_sorting}

    def __init__(self):
        self.unlabelled = None
        self._is_naming = False
        self.more = {}
        WidgetTaskMixin.__init__(self)
        OWBaseLearner.__init__(self)

    def reset_settings(self):
        """Restore the defaults of all settings but the name."""
        super().reset_settings()
        self.settings_changed()

    # Layout

    def add_main_layout(self):
        self.add_controls()
        methods.add_spacer(self.controlArea)
        self.view = ModelView(self.beside, self.sorting, self.file_name,
                              self.row_title)
        self.view.button.clicked.connect(self._on_view_pressed)
        self.view.table.current = self.selected_attribute
        self.settingsAboutToBePacked.connect(self.store_settings)
        self.mainArea.layout().addWidget(self.view)
        self._show_obstacle()
        self.update_controls()

    def make_parts(self, title, for_tables=False):
        """Make controls; the method is in a fold with this title."""
        super().make_parts(for_tables)
        self.discretization_fold = folds.Fold(self, "discretization", title)
        for part in (self.method_combo, self.main_parameters, self.limits_fold):
            self.discretization_fold.form.addRow(part)
        # A model is fitted when the slider is released
        self.main_parameters.changed.connect(
            lambda is_dragging: is_dragging or self.settings_changed())
        for signal in (self.method_combo.activated, self.limits_fold.changed,
                       self.labels_fold.changed):
            signal.connect(self.settings_changed)

    # Settings

    @property
    def parameters(self):
        """The method of discretization, its parameters, and the labeller."""
        return self.parameters_of(self.discretization)

    def settings_changed(self, *_):
        self.store_settings()
        self.update_controls()
        super().settings_changed()

    def store_settings(self):
        """Store the state of the controls and of the table."""
        super().store_settings()
        self.sorting = self.view.table.sorting
        self.selected_attribute = self.view.table.current

    def update_controls(self):
        """Show the state of the controls, and disable controls without effect."""
        self.main_parameters.show_method(self.discretization)
        self.limits_fold.show_method(self.discretization)
        self.discretization_fold.set_summary(
            self.discretization, methods.method_choices()[self.discretization][1])
        self.discretization_fold.open_if(
            self.discretization != "SADD" or bool(self.parameters.changed))
        self.update_labels_fold()

    def update_labels_fold(self):
        """Show the accuracy of pseudo-labels, or why there are none."""
        obstacle = ""
        if not self.uses_unlabelled:
            obstacle = (f"{messages.with_meaning(self.discretization)} does not use "
                        "unlabelled rows. Choose SADD to use them.")
        elif self.valid_data and not self.n_unlabelled:
            obstacle = folds.NO_UNLABELLED
        is_used = self.valid_data and not obstacle
        labelling = getattr(self.model, "labelling", None)
        self.labels_fold.show_labelling(
            labelling, obstacle, self.n_unlabelled if self.data is None else 0)
        self.labels_fold.open_if(is_used)
        self.labels_fold.judge(self.data if is_used else None, self.unlabelled)
        messages.show_labeller_warning(self, labelling)

    @property
    def uses_unlabelled(self):
        """Whether the learner uses unlabelled rows."""
        return DISCRETIZERS[self.discretization].uses_unlabelled

    @property
    def n_unlabelled(self):
        """The number of unlabelled rows."""
        n_rows = 0 if self.unlabelled is None else len(self.unlabelled)
        return n_rows + (0 if self.data is None
                         else int(np.isnan(class_codes(self.data)).sum()))

    # Inputs

    @Inputs.data
    def set_data(self, data):
        super().set_data(data)

    @Inputs.preprocessor
    def set_preprocessor(self, preprocessor):
        super().set_preprocessor(preprocessor)

    @Inputs.unlabelled
    @check_sql_input
    def set_unlabelled(self, unlabelled):
        self.unlabelled = unlabelled
        # So handleNewSignals makes new ones
        self.learner = self.model = None

    @Inputs.labeller
    def set_labeller(self, learner):
        self.labels_fold.connect_learner(learner)
        self.learner = self.model = None

    # Learner

    @property
    def row_names(self):
        """Names of the rows of the table."""
        return [var.name for var in self.model.domain.attributes]

    def notes(self):
        """Return a note, a mark about the search, and its tooltip."""
        n_iter = f"{self.model.n_iter:,} {pl(self.model.n_iter, 'iteration')}"
        return ("", f"✓ {n_iter}", f"The search converged after {n_iter}.") \
            if self.model.converged else (
                "", n_iter, f"The search ended after {n_iter}, the limit that is set. "
                "More iterations seldom improve predictions.")

    def update_learner(self):
        self._is_naming = True
        try:
            self.set_default_learner_name(self.name_learner())
        finally:
            self._is_naming = False
        super().update_learner()
        self.Information.unused_pool(
            messages.with_meaning(self.discretization),
            shown=bool(self.unlabelled) and not self.uses_unlabelled)

    def learner_name_changed(self):
        if self._is_naming:  # the learner with this name is not made yet
            return
        if self.auto_apply:
            super().learner_name_changed()
        else:
            # With the base class alone, Apply would send the new name, but not other
            # changed settings
            self.settings_changed()

    # Model

    def check_data(self):
        self.valid_data = False
        if self.data is None:
            return False
        obstacle = table_obstacle(self.data)
        self.Error.data_error(messages.describe_obstacle(obstacle, self.data.domain),
                              shown=bool(obstacle))
        self.valid_data = not obstacle
        return self.valid_data

    def update_model(self):
        self.cancel()
        self._clear_messages()
        self.model, self.more = None, {}
        if self.check_data():
            messages.show_id_message(self, self.data)
            self.view.show_message(self.fitting, "Stop")
            self.start(fit, self.learner, self.data, self.describe)
        else:
            self._show_obstacle()
            self._send_model()
        self.update_labels_fold()

    def _show_obstacle(self):
        """Show why there is no model."""
        if self.Error.data_error.is_shown():
            self.view.show_message(self.Error.data_error.formatted)
        else:
            self.view.show_message(messages.describe_waiting(self.n_unlabelled))

    def _clear_messages(self):
        """Clear the messages about another model."""
        self.show_fitting_failed(None)
        self.Error.no_memory.clear()
        self.Warning.stopped.clear()
        self.Warning.class_is_id.clear()
        self.Information.no_numeric.clear()
        messages.show_pool_messages(self)

    def on_result(self, result):
        self.model, columns, self.more, analysis = result
        self.model.name = self.effective_learner_name()
        self.model.instances = self.data
        self._show_model(columns)
        messages.show_pool_messages(self, analysis)
        self.Information.no_numeric(
            shown=not self.data.domain.has_continuous_attributes())
        self.update_labels_fold()
        self._send_model()

    def _show_model(self, columns):
        if not self.model.domain.attributes:
            self.view.show_message(NO_ATTRIBUTES)
        elif not columns[0].values.any():
            self.view.show_message(NO_VALUES)
        else:
            self.view.show_model(self.row_names, columns,
                                 ~(columns[0].values > 0), partial(
                                     self.explain, self.model, self.data,
                                     self.unlabelled))
            self.view.set_notes(*self.notes())

    def on_error(self, error):
        if isinstance(error, MemoryError):
            self.Error.no_memory()
            self.view.show_message(self.Error.no_memory.formatted)
        else:
            self.show_fitting_failed(error)
            self.view.show_message(self.Error.fitting_failed.formatted)
        self._send_model()

    def _on_view_pressed(self):
        if self.task is None:
            self.unconditional_apply()
            return
        self.cancel()
        self.Warning.stopped()
        self.view.show_message(STOPPED, "Fit Again")
        self._send_model()

    def _send_model(self):
        super()._send_model()
        for name in vars(self.Outputs):
            if isinstance(output := getattr(self.Outputs, name), Output) \
                    and name not in ("learner", "model"):
                output.send(self.more.get(name))

    def onDeleteWidget(self):
        self.labels_fold.scorer.shutdown()
        self.shutdown()
        super().onDeleteWidget()

    # Report

    def get_learner_parameters(self):
        items = [("Discretization", full_name(self.discretization)),
                 *self.main_parameters.described(self.discretization),
                 *self.limits_fold.described(), *self.described()]
        return items + self.labels_fold.described() if self.uses_unlabelled else items

    def send_report(self):
        super().send_report()
        if self.unlabelled:
            self.report_data("Unlabelled data", self.unlabelled)
        if not self.view.shows_model:
            return
        self.report_table(f"{self.row_title}s", self.view.table.as_lists(),
                          header_rows=1, header_columns=1)
        pane = self.view.pane
        self.report_items("Values", [(self.row_title, self.view.table.current)])
        self.report_raw(get_html_img(pane))
        if pane.stack.currentWidget() is pane.table:
            self.report_table(pane.table.as_lists(), header_rows=1, header_columns=1)
        note, _, tip = self.notes()
        self.report_paragraph(re.sub("<[^>]*>", "", f"{note} {tip}"))
