"""SADD Discretize: discretize with the help of unlabelled rows."""

from html import escape
from itertools import product

from AnyQt.QtCore import QSize, QTimer
from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.util import wrap_callback
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.analysis import Analysis, Findings, table_obstacle
from orangecontrib.sadd.explain.descriptions import describe_possible
from orangecontrib.sadd.explain.outputs import (
    make_outputs,
    make_preprocessor,
    select_rows,
)
from orangecontrib.sadd.scripting.labelling import LabellerError
from orangecontrib.sadd.widgets.common import controls, folds, messages, methods
from orangecontrib.sadd.widgets.common.tasks import Task, WidgetTaskMixin, make_callback
from orangecontrib.sadd.widgets.common.windows import WindowMixin
from orangecontrib.sadd.widgets.sadddiscretize.edits import Edits
from orangecontrib.sadd.widgets.sadddiscretize.view import VariablesView

CONNECT_DATA = ("Connect Data with numeric variables to see how they are cut.\n\n"
                "The Preprocessor is ready: it discretizes other data by the settings "
                "on the left.")
# Settings of workflows, and the encodings that they stand for
ENCODINGS = {"categories": "interval", "indicators": "onehot", "evidence": "evidence"}
INTERVAL_TITLES = {
    "categories": ("categories", "A categorical column for each variable, for learners "
                   "that take categories, such as Naive Bayes and Tree."),
    "indicators": ("indicators, for any learner", "A column of zeros and ones for each "
                   "interval, also for learners that need numbers, such as Logistic "
                   "Regression."),
    "evidence": ("weights of evidence, for any learner", "A numeric column for each "
                 "variable, or for each variable and class: the evidence of its "
                 "interval for a class."),
}
CARRY_TIP = ("The Preprocessor uses your edited cuts unchanged in any data. Scores in "
             "cross-validation are too optimistic if you edited cuts by the tested "
             "rows.")
NOT_LABELLED = "{} does not use the class, so no unlabelled row gets a pseudo-label."
NO_CUTS = {
    "SADD": "Move Sensitivity to the right, or label more rows.",
    "MDLP": "Choose SADD, which cuts more readily in small samples.",
    "FFD": "Set Rows in an interval to at most half of the rows.",
}
# Fraction of missing values above which there is a warning about a variable
MANY_MISSING = 0.5
# Milliseconds of computing after which it can be stopped
STOP_DELAY = 300


def run(analysis, parameters, compared_parameters, treatments, options, state):
    """Find cuts and make the outputs, in a worker thread; see `_start`."""
    callback = make_callback(state)
    callback(0, "Discretizing...")
    findings = Findings.of(analysis, parameters, compared_parameters, treatments,
                           wrap_callback(callback, end=.8))
    # Cached for the window
    _ = analysis.missing_shares, findings.treated, findings.possible_cuts
    findings.thumbnails(wrap_callback(callback, .8, .9))
    return findings, None if options is None else make_outputs(
        findings, callback=wrap_callback(callback, .9), **options)


class OWSADDDiscretize(WindowMixin, OWWidget, WidgetTaskMixin):
    name = "SADD Discretize"
    description = "Discretize variables with the help of unlabelled rows, and see why."
    icon = "icons/sadddiscretize.svg"
    priority = 10
    keywords = ("sadd discretize, discretization, binning, bins, semi-supervised, "
                "unlabelled, unlabeled, labels, naive bayes, bayes, entropy, mdl, "
                "caim, chimerge")

    class Inputs:
        data = Input("Data", Table, default=True,
                     doc="Data with a class. Rows without a class are unlabelled.")
        unlabelled = Input("Unlabelled Data", Table,
                           doc="More unlabelled rows. Their classes are not read.")
        # Not Orange.classification.Learner: kNN and other learners also do regression
        labeller = Input("Labeller", Learner,
                         doc="A learner that predicts pseudo-labels.")

    class Outputs:
        data = Output("Data", Table, default=True, doc="Discretized data.")
        unlabelled = Output("Unlabelled Data", Table,
                            doc="Discretized unlabelled data.")
        pseudo_labelled = Output(
            "Pseudo-labelled Data", Table,
            doc="All rows, with their class or pseudo-label and its confidence.")
        cut_points = Output("Cut Points", Table, doc="A row for each interval.")
        selected_data = Output(
            "Selected Data", Table,
            doc="Rows of both inputs in the selected interval.")
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False,
                              doc="Discretizes other data in the same way.")

    class Error(OWWidget.Error):
        out_of_memory = messages.OUT_OF_MEMORY
        labeller_failed = Msg("The connected labeller failed: {}. Connect another "
                              "learner, or disconnect it.")

    class Warning(OWWidget.Warning, messages.Warnings):
        unchanged = Msg("{} Until then, Data is passed on unchanged. Equal width, "
                        "equal frequency, PKID and FFD need no class.")
        stopped = Msg("The computation was stopped. Press Start Again to get results.")
        missing_values = Msg("More than half of the values are missing in some "
                             "variables: {}. Impute them, or remove these variables.")

    class Information(OWWidget.Information):
        unchanged = Msg("{} Data is passed on unchanged.")
        no_cuts = Msg("{} finds no cuts. {}")
        unused_pool = Msg("{} uses {} only. Choose SADD to use unlabelled data as "
                          "well.")
        known_rows = messages.KNOWN_ROWS

    method = Setting("SADD")
    compared_method = Setting("MDLP")
    intervals_as = Setting("categories")
    remove_const = Setting(True)
    autocommit = Setting(True)
    sorting = Setting((-1, 0))
    hides_uncut = Setting(False)
    selected_variable = Setting("", schema_only=True)
    carry_edits = Setting(False, schema_only=True)
    # [name, type, treatment] of each edited variable
    edited_cuts = Setting([], schema_only=True)

    settings_version = 4
    graph_name = "view.cut_plot.plotItem"
    best_size = QSize(980, 660)

    VALID = {
        "compared_method": lambda value: value in ("", *DISCRETIZERS),
        "intervals_as": lambda value: value in ENCODINGS,
        "sorting": lambda value: value in product(range(-1, 6), (0, 1)),
    }

    def __init__(self):
        OWWidget.__init__(self)
        WidgetTaskMixin.__init__(self)
        self.data = self.unlabelled = self.analysis = None
        self._has_outputs_to_make = False
        self.edits = Edits(self.edited_cuts, self)
        self.edits.changed.connect(self._on_edits_changed)
        self.selector = Task(self)
        self.selector.done.connect(self.Outputs.selected_data.send)
        self._stop_timer = QTimer(self, singleShot=True, interval=STOP_DELAY)
        self._stop_timer.timeout.connect(self._update_stop)
        self._add_controls()
        self._add_view()
        self.settingsAboutToBePacked.connect(self.store_settings)
        self._update_controls()
        self.view.show_message(CONNECT_DATA)
        self.commit.now()

    # Layout

    def _add_controls(self):
        box = gui.vBox(self.controlArea, "Method")
        self.make_parts()
        self.compared_combo = controls.Choice(
            {"": ("nothing", ""), **methods.method_choices()}, self.compared_method,
            "Compare with")
        self.intervals_combo = controls.Choice(
            INTERVAL_TITLES, self.intervals_as, "Intervals as")
        self.parts.update(compared_method=self.compared_combo,
                          intervals_as=self.intervals_combo)
        for part in (self.method_combo, self.main_parameters):
            box.layout().addWidget(part)
        gui.widgetLabel(box, "Compare with:")
        box.layout().addWidget(self.compared_combo)
        for fold in (self.limits_fold, self.labels_fold):
            self.controlArea.layout().addWidget(fold)
        box = gui.vBox(self.controlArea, "Output")
        row = gui.hBox(box)
        gui.widgetLabel(row, "Intervals as:")
        row.layout().addWidget(self.intervals_combo, 1)
        gui.checkBox(box, self, "remove_const", "Remove uncut variables",
                     callback=self._refresh)
        methods.add_spacer(self.controlArea)
        self.stop_button = gui.button(
            self.controlArea, self, "Stop", callback=self._on_stop, autoDefault=False)
        gui.auto_apply(self.buttonsArea, self, "autocommit")
        self.method_combo.activated.connect(self._on_method_chosen)
        self.main_parameters.changed.connect(self._on_parameters_changed)
        for signal in (self.compared_combo.activated, self.limits_fold.changed,
                       self.labels_fold.changed, self.intervals_combo.activated):
            signal.connect(lambda *_: self._refresh())

    def _add_view(self):
        self.view = VariablesView(self, self.edits, self.hides_uncut)
        self.view.table.view.sort_by(*self.sorting)
        self.view.table.view.current = self.selected_variable
        self.view.cut_plot.interval_selected.connect(self._on_interval_selected)
        check = gui.checkBox(None, self, "carry_edits", "use my cuts there, too",
                             callback=self._refresh,
                             tooltip=controls.wrap_tip(CARRY_TIP))
        controls.keep_room(check)
        self.view.edit_column.insertWidget(0, check)
        self.mainArea.layout().addWidget(self.view)

    # Settings

    def reset_settings(self):
        """Restore the defaults of all settings; edited cuts stay."""
        super().reset_settings()
        self.remove_const = True
        self._restart()

    def store_settings(self):
        """Store the state of the controls and of the view."""
        super().store_settings()
        self.edited_cuts = self.edits.stored()
        table = self.view.table.view
        self.sorting, self.selected_variable = table.sorting, table.current
        self.hides_uncut = self.view.table.model.hides_uncut

    @property
    def parameters(self):
        """The settings of the method."""
        return self.parameters_of(self.method_combo.value)

    @property
    def compared_parameters(self):
        """The settings of the method to compare with, or None."""
        method = self.compared_combo.value
        if not method or self.data is not None and table_obstacle(self.data, method):
            return None
        return self.parameters_of(method)

    @property
    def output_options(self):
        """The settings of outputs, for `make_outputs`."""
        return {"carried": self.edits.stored(with_cuts=self.carry_edits),
                "remove_const": self.remove_const,
                "encode": ENCODINGS[self.intervals_combo.value]}

    def _on_method_chosen(self, *_):
        if self.method_combo.value == self.compared_combo.value:
            self.compared_combo.value = "MDLP" if self.method_combo.value == "SADD" \
                else "SADD"
        self._restart()

    def _on_parameters_changed(self, is_dragging):
        if not is_dragging:
            self._refresh()
        elif self.view.findings is not None and self.task is None:
            # The cuts for an N0 that is still changing
            self._show(Findings.of(self.analysis, self.parameters,
                                   self.compared_parameters, self.edits.treatments))

    def _update_controls(self):
        """Show the controls of the method, and disable controls without effect."""
        for part in (self.main_parameters, self.limits_fold):
            part.show_method(self.method_combo.value)
        for index in range(self.compared_combo.count()):
            self.compared_combo.model().item(index).setEnabled(
                self.compared_combo.itemData(index) != self.method_combo.value)
        self.view.update_edits(self.carry_edits)
        self.controls.carry_edits.setVisible(
            self.view.has_own_cuts or self.view.findings is None
            and self.edits.have_cuts)
        findings = self.view.findings
        obstacle = "" if findings is None else \
            folds.NO_CLASSES if not self.analysis.has_classes else \
            folds.NO_UNLABELLED if not self.analysis.n_unlabelled else \
            "" if findings.labels is not None else \
            NOT_LABELLED.format(
                messages.with_meaning(findings.parameters.method))
        possible = None if findings is None else findings.possible_cuts
        self.main_parameters.show_possible("" if possible is None else (
            describe_possible(findings.found.cut_points, *possible[2:])),
            *([] if possible is None else possible[:2]))
        labelling = None if findings is None else findings.labelling
        self.labels_fold.show_labelling(
            labelling, obstacle,
            len(self.unlabelled) if self.data is None and self.unlabelled else 0)
        self.labels_fold.open_if(labelling is not None)
        self.labels_fold.judge(*(None, None) if labelling is None else (
            self.data, self.unlabelled))
        messages.show_labeller_warning(self, labelling)
        self._update_stop()

    def _update_stop(self):
        stopped = self.Warning.stopped.is_shown()
        self.stop_button.setText("Start Again" if stopped else "Stop")
        self.stop_button.setVisible(stopped or (
            self.task is not None and not self._stop_timer.isActive()))

    # Inputs

    @Inputs.data
    @check_sql_input
    def set_data(self, data):
        self.data = data

    @Inputs.unlabelled
    @check_sql_input
    def set_unlabelled(self, unlabelled):
        self.unlabelled = unlabelled

    @Inputs.labeller
    def set_labeller(self, learner):
        self.labels_fold.connect_learner(learner)

    def handleNewSignals(self):
        self.edits.stack.clear()
        self._restart(is_new=True)

    def _restart(self, is_new=False):
        """Start again with other data, or with a method that needs other data."""
        obstacle = "" if self.data is None else table_obstacle(
            self.data, self.method_combo.value)
        if not is_new and not obstacle and self.analysis is not None:
            self._refresh()
            return
        self.store_settings()
        self.cancel()
        self.Error.clear()
        self.Information.clear()
        for warning in list(self.Warning.active):
            if warning is not self.Warning.unknown_method:  # which is not about data
                warning.clear()
        self.analysis, message = None, CONNECT_DATA
        if obstacle:
            group = self.Information if obstacle in ("no_numeric", "no_rows") \
                else self.Warning
            shown = group.unchanged
            shown(messages.describe_obstacle(obstacle, self.data.domain))
            message = shown.formatted
        elif self.data is not None:
            messages.show_id_message(self, self.data)
            self.analysis = Analysis(self.data, self.unlabelled)
            message = "Discretizing..."
        self._show_message(message)
        self.commit.now()

    # Computation

    def _refresh(self):
        """Show edited cuts at once, and send them if changes are applied at once."""
        self.store_settings()
        self.commit.deferred()
        if not self.autocommit and self.analysis is not None:
            # Outputs that are being made, for example of new data, are still due
            self._start(self.task is not None and self._has_outputs_to_make)

    @gui.deferred
    def commit(self):
        if self.analysis is None:
            self._send()
        else:
            self._start(True)

    def _start(self, with_outputs):
        self.Error.out_of_memory.clear()
        self.Error.labeller_failed.clear()
        self.Warning.stopped.clear()
        self._has_outputs_to_make = with_outputs
        self.view.set_stale()
        self.start(run, self.analysis, self.parameters, self.compared_parameters,
                   dict(self.edits.treatments),
                   self.output_options if with_outputs else None)
        self._stop_timer.start()
        self._update_controls()

    def _on_stop(self):
        if self.task is None:
            self.commit.now()
            return
        self.cancel()
        self.Warning.stopped()
        self._show_nothing(self.Warning.stopped.formatted)

    def _show_nothing(self, message):
        """Show a message in place of results; send no results if results are due."""
        if self._has_outputs_to_make:
            self._send()
        self._show_message(message)

    def _show_message(self, message):
        """Show a message in place of results."""
        self.view.show_message(message)
        self._update_controls()

    def on_result(self, result):
        findings, outputs = result
        self._show(findings)
        if outputs is not None:
            self._send(outputs)

    def _show(self, findings):
        self.view.show_findings(findings)
        self._update_controls()
        self._show_messages(findings)

    def on_error(self, error):
        reason = ""
        if isinstance(error, MemoryError):
            self.Error.out_of_memory()
            reason = self.Error.out_of_memory.formatted
        elif isinstance(error, LabellerError):
            self.Error.labeller_failed(str(error).rstrip("."))
            reason = self.Error.labeller_failed.formatted
        self._show_nothing(reason or "Something went wrong.")
        if not reason:
            self.cancel()  # otherwise later widgets would wait
            raise error

    def onDeleteWidget(self):
        self._stop_timer.stop()
        for tasks in (self.selector, self.view.score.validator, self.labels_fold.scorer,
                      self):
            tasks.shutdown()
        super().onDeleteWidget()

    def _send(self, outputs=None):
        if outputs is None:
            outputs = {"preprocessor": make_preprocessor(
                self.parameters, self.unlabelled, **self.output_options)}
            if self.data is not None and self.analysis is None:
                outputs.update(data=self.data, unlabelled=self.unlabelled)
        for name in ("data", "unlabelled", "pseudo_labelled", "cut_points",
                     "preprocessor"):
            getattr(self.Outputs, name).send(outputs.get(name))

    def _show_messages(self, findings):
        analysis = findings.analysis
        messages.show_pool_messages(self, analysis)
        sparse = [var for var, fraction
                  in zip(analysis.variables, analysis.missing_shares, strict=True)
                  if fraction > MANY_MISSING]
        self.Warning.missing_values(messages.listed(sparse), shown=bool(sparse))
        method = DISCRETIZERS[findings.parameters.method]
        name = messages.with_meaning(method.name)
        self.Information.unused_pool(
            name, "labelled rows" if method.uses_class else "rows of Data",
            shown=analysis.has_classes and not method.uses_unlabelled and (
                analysis.rows.n_pool > 0
                or method.uses_class and analysis.n_unlabelled > 0))
        self.Information.no_cuts(
            name, NO_CUTS.get(method.name, "Choose another method."),
            shown=not any(map(len, findings.found.cut_points)))

    # Edits and selection

    def _on_edits_changed(self, name):
        if self.view.findings is not None:
            self.view.table.view.select(name)
            self.view.show_edits(name)
            self._update_controls()
            self._refresh()

    def _on_interval_selected(self, interval):
        self.selector.cancel()
        if interval is None or self.view.variable is None:
            self.Outputs.selected_data.send(None)
        else:
            self.selector.start(lambda *args: select_rows(*args[:-1], *interval),
                                self.analysis, self.view.index)

    # Report

    def send_report(self):
        self.report_items("Settings", (
            ("Method", self.method_combo.currentText()),
            *self.main_parameters.described(self.method_combo.value),
            *self.limits_fold.described(),
            ("Compared with", self.compared_combo.currentText()),
            *self.labels_fold.described(),
            ("Intervals as", self.intervals_combo.currentText())))
        view = self.view
        if view.findings is None:
            return
        self.report_data("Data", self.data)
        if self.unlabelled is not None:
            self.report_data("Unlabelled data", self.unlabelled)
        self.report_paragraph("Pseudo-labels", escape(self.labels_fold.button.text()))
        self.report_paragraph("Worth", escape(view.score.label.text()))
        self.report_table("Variables", view.table.model.as_lists(), header_rows=1)
        if view.variable is not None:
            name = escape(view.variable.name)
            self.report_plot(f"Distribution of {name}", view.cut_plot)
            if view.why.tree.nodes:
                self.report_plot(f"Decisions about {name}", view.why.tree)
                self.report_raw(
                    "<br/>".join(map(escape, view.why.sentences.texts())))


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWSADDDiscretize).run(set_data=iris[::3], set_unlabelled=iris)
