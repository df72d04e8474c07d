"""SADD Discretize: discretize with the help of unlabelled rows, and see why."""

from html import escape
from itertools import product

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QSizePolicy, QToolButton
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.localization import pl
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.analysis import (
    Analysis,
    Parameters,
    find,
    find_obstacle,
)
from orangecontrib.sadd.explain.outputs import Outputs, make_preprocessor
from orangecontrib.sadd.tables import class_codes
from orangecontrib.sadd.widgets.common import controls, messages
from orangecontrib.sadd.widgets.common.labelling import (
    DOUBTFUL_LABELS,
    VALID_LABELLING,
    LabellerMixin,
    labeller_input,
)
from orangecontrib.sadd.widgets.common.tasks import WidgetTaskMixin, make_steps
from orangecontrib.sadd.widgets.cutting.cutedits import CutEdits, is_stored_edit
from orangecontrib.sadd.widgets.cutting.explainview import ExplainView

# Fraction of missing values above which there is a warning about a variable
MANY_MISSING = 0.5

CONNECT_DATA = "Connect Data with a categorical class and numeric variables."
NO_STATUS = "Nothing is discretized."
NO_UNLABELLED = ("This has no effect, since there are no unlabelled rows. Connect "
                 "Unlabelled Data, or Data in which some rows have no class.")


def run(*args, **kwargs):
    """Find what is to be shown and sent, in a thread; see `find`."""
    *args, state = args
    return find(*args, make_steps(state), **kwargs)


class OWSADDDiscretize(OWWidget, WidgetTaskMixin, LabellerMixin):
    name = "SADD Discretize"
    description = "Discretize variables with the help of unlabelled rows, and see why."
    icon = "icons/sadddiscretize.svg"
    priority = 10
    keywords = ("sadd discretize, discretization, binning, bins, semi-supervised, "
                "unlabelled, unlabeled, labels, bayes, entropy, mdl, caim, chimerge")

    class Inputs:
        data = Input("Data", Table, default=True,
                     doc="Data with a class; rows without one count as unlabelled.")
        unlabelled = Input("Unlabelled Data", Table,
                           doc="More unlabelled rows; a class is ignored.")
        labeller = labeller_input()

    class Outputs:
        data = Output("Data", Table, default=True, doc="Discretized data.")
        unlabelled = Output("Unlabelled Data", Table,
                            doc="Discretized unlabelled data.")
        pseudo_labelled = Output(
            "Pseudo-labelled Data", Table,
            doc="All rows, with their class or pseudo-label and its confidence.")
        cut_points = Output("Cut Points", Table, doc="A row for each interval.")
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False,
                              doc="Does the same to other data.")

    class Error(OWWidget.Error):
        no_class = Msg(messages.OBSTACLES["no_class"])
        no_numeric = Msg(messages.OBSTACLES["no_numeric"])
        no_rows = Msg(messages.OBSTACLES["no_rows"])
        all_unlabelled = Msg(messages.OBSTACLES["all_unlabelled"])
        one_class = Msg(messages.OBSTACLES["one_class"])
        out_of_memory = Msg(messages.OUT_OF_MEMORY)
        labeller_failed = Msg("The connected labeller failed: {}. Connect another "
                              "learner, or disconnect it.")

    class Warning(OWWidget.Warning):
        stopped = Msg("The computation was stopped, so there are no results. Press "
                      "Start Again to get them.")
        unknown_method = Msg(messages.UNKNOWN_METHOD)
        doubtful_labels = Msg(DOUBTFUL_LABELS)
        no_shared_columns = Msg(messages.NO_SHARED_COLUMNS)
        missing_columns = Msg(messages.MISSING_COLUMNS)
        missing_values = Msg("More than half of the values are missing in {}. Impute "
                             "them, or remove these variables.")

    class Information(OWWidget.Information):
        known_rows = Msg("{} of Unlabelled Data {} also in Data and {} left out. This "
                         "is right if both come from one table; otherwise check what "
                         "is connected.")
        edited = Msg("{} edited by hand. Preprocessor ignores this, since it finds "
                     "new cuts in the data that it gets; use Reset to go back.")

    method = Setting("SADD")
    compared_method = Setting("MDLP")
    normalize = Setting(True)
    n0 = Setting(2000)
    remove_const = Setting(True)
    autocommit = Setting(True)
    sorting = Setting((-1, 0))
    splitter_state = Setting(b"")
    # [name, type, cuts] of each edited variable; plain lists survive any version
    edited_cuts = Setting([], schema_only=True)
    selected_variable = Setting("", schema_only=True)

    settings_version = 2
    graph_name = "view.cut_plot.plotItem"

    def __init__(self):
        OWWidget.__init__(self)
        WidgetTaskMixin.__init__(self)
        self.data = None
        self.unlabelled = None
        self.analysis = None
        self._with_outputs = False
        controls.replace_unknown_method(self, "method")
        self._avoid_same_methods()
        self.edits = CutEdits(self.edited_cuts, self)
        self.edits.changed.connect(self._on_edits_changed)
        self._add_controls()
        self._add_view()
        self._update_controls()
        self.view.show_message(CONNECT_DATA)
        self.commit.now()

    # Layout

    def _add_controls(self):
        changed = self._on_settings_changed
        box = gui.vBox(self.controlArea, "Method")
        self.method_combo = controls.add_method_combo(
            box, self, "method", self._on_method_changed)
        controls.add_method_combo(
            box, self, "compared_method", changed, none="(none)",
            label="Compare with:", orientation=Qt.Horizontal)

        box = gui.vBox(self.controlArea, "Pseudo-labels")
        self.add_labeller_controls(box, changed)
        gui.checkBox(box, self, "normalize", "Normalize variables", callback=changed)

        box = gui.vBox(self.controlArea, "Adaptive threshold")
        self.n0_spin = controls.add_n0_spin(box, self, changed)

        box = gui.vBox(self.controlArea, "Output")
        gui.checkBox(box, self, "remove_const", "Remove variables with one interval",
                     callback=self._refresh)
        box = gui.vBox(self.controlArea, "Status")
        self.status = gui.widgetLabel(box, NO_STATUS)
        self.status.setWordWrap(True)
        # Longer texts must not make the controls wider
        self.status.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.stop_button = gui.button(
            box, self, "Stop", callback=self._on_stop, autoDefault=False)
        gui.rubber(self.controlArea)
        gui.auto_apply(self.buttonsArea, self, "autocommit")

    def _add_view(self):
        self.view = ExplainView(self.edits)
        self.view.cuts_edited.connect(self._on_cuts_edited)
        self.view.reset_all.connect(lambda: self.edits.reset(self.view.variables))
        self.view.table.sorted.connect(self._on_sorted)
        self.view.table.selected.connect(self._on_selected)
        self.view.table.sort(*self.sorting)
        if self.splitter_state:
            self.view.splitter.restoreState(self.splitter_state)
        self.view.splitter.splitterMoved.connect(self._on_splitter_moved)
        actions = self.edits.actions(self)
        self.addActions(actions)
        for position, action in enumerate(actions, start=1):
            button = QToolButton()
            button.setDefaultAction(action)
            self.view.buttons.insertWidget(position, button)
        self.mainArea.layout().addWidget(self.view)

    def sizeHint(self):
        return QSize(1000, 760)

    # Settings

    @property
    def parameters(self):
        """The values of the controls."""
        return Parameters(self.method, self.k, self.n0, self.normalize,
                          self.chosen_labeller, self.least_confidence)

    @classmethod
    def migrate_settings(cls, settings, version):
        if (version or 1) < 2:  # not what the user chose last in a newer workflow
            for name in ("labeller", "min_confidence"):
                settings.setdefault(name, 0)
        # What is not valid gets its default; an unknown method gets a message, too
        controls.keep_valid(settings, {
            "method": lambda method: isinstance(method, str),
            "compared_method": lambda method: method in ("", *DISCRETIZERS),
            **VALID_LABELLING,
            "n0": controls.is_whole(1, controls.LARGEST_N0),
            "normalize": lambda value: isinstance(value, bool),
            "sorting": lambda value: value in product(range(-1, 5), (0, 1)),
            "splitter_state": lambda value: isinstance(value, bytes),
            "edited_cuts": lambda value: isinstance(value, list),
            "selected_variable": lambda value: isinstance(value, str)})
        if "edited_cuts" in settings:
            settings["edited_cuts"] = list(
                filter(is_stored_edit, settings["edited_cuts"]))

    def _on_method_changed(self):
        self.Warning.unknown_method.clear()
        self._avoid_same_methods()
        self._on_settings_changed()

    def _avoid_same_methods(self):
        """Compare no method with itself."""
        if self.method == self.compared_method:
            self.compared_method = "MDLP" if self.method == "SADD" else "SADD"

    def _on_settings_changed(self):
        self._update_controls()
        self._refresh()

    def _refresh(self):
        """Show the consequences at once; send them if changes are applied at once."""
        self.commit.deferred()
        if not self.autocommit and self.analysis is not None:
            # Outputs that are being made, such as those of new data, are still due
            self._start(with_outputs=self.task is not None and self._with_outputs)

    def _update_controls(self):
        """Disable what has no effect, and say why."""
        no_pool = "" if self._may_have_unlabelled() else NO_UNLABELLED
        raw = "" if self.connected_labeller is None else \
            "The connected labeller normalizes for itself if it needs to."
        sadd = "" if "SADD" in (self.method, self.compared_method) else \
            "This has no effect, since neither method is SADD."
        for control, obstacle, parameter in (
                (self.controls.normalize, no_pool or raw, "normalize"),
                (self.n0_spin.box, sadd, "n0")):
            controls.set_obstacle(
                control, obstacle, controls.PARAMETER_TIPS[parameter])
        self.update_labeller_controls(no_pool)
        self.method_combo.setToolTip(controls.describe_method(self.method))
        stopped = self.Warning.stopped.is_shown()
        self.stop_button.setText("Start Again" if stopped else "Stop")
        idle = not stopped and self.task is None
        controls.set_obstacle(
            self.stop_button, "Nothing is being computed." if idle else "", "")
        model = self.controls.compared_method.model()
        for row in range(model.rowCount()):
            item = model.item(row)
            item.setEnabled(item.text() != self.method)

    def _may_have_unlabelled(self):
        """Return whether there are unlabelled rows, as far as is known."""
        if self.view.findings is not None:
            return self.analysis.n_unlabelled > 0
        return self.analysis is None or bool(self.unlabelled) \
            or bool(np.isnan(class_codes(self.data)).any())

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
        self.connect_labeller(learner)

    def handleNewSignals(self):
        self.cancel()
        self.Error.clear()
        self.Information.clear()
        for warning in list(self.Warning.active):
            if warning is not self.Warning.unknown_method:  # which is not about data
                warning.clear()
        self.edits.stack.clear()
        self.analysis = None
        message = CONNECT_DATA
        if self.data is not None:
            obstacle = find_obstacle(self.data)
            if obstacle:
                error = getattr(self.Error, obstacle)
                error()
                message = error.formatted
            else:
                self.analysis = Analysis(self.data, self.unlabelled)
                message = "Discretizing..."
        self.status.setText(NO_STATUS)
        self.show_labelling(None)
        self.view.show_message(message)
        self._update_controls()
        self.commit.now()

    # Computation

    @gui.deferred
    def commit(self):
        if self.analysis is None:
            self._send()
        else:
            self._start(with_outputs=True)

    def _start(self, with_outputs):
        self.Error.out_of_memory.clear()
        self.Error.labeller_failed.clear()
        self.Warning.stopped.clear()
        self._with_outputs = with_outputs
        self.start(run, self.analysis, self.parameters, self.compared_method,
                   self.edits.by_index(self.analysis.variables),
                   with_outputs=with_outputs, remove_const=self.remove_const)
        self._update_controls()

    def _on_stop(self):
        if self.task is None:
            self.commit.now()
            return
        self.cancel()
        self.Warning.stopped()
        self._show_nothing(self.Warning.stopped.formatted)

    def _show_nothing(self, message):
        """Show a message in place of results; if some were to be sent, send none."""
        if self._with_outputs:
            self._send()
        self.status.setText(NO_STATUS)
        self.show_labelling(None)
        self.view.show_message(message)
        self._update_controls()

    def on_done(self, result):
        findings, outputs = result
        self.view.table.remember(self.selected_variable)
        self.view.show_findings(findings)
        self._update_controls()
        self.status.setText(self.view.describe_status(self.labeller_title))
        self.show_labelling(findings.labelling)
        self._show_data_messages()
        self._show_edit_message()
        if outputs is not None:
            self._send(outputs)

    def on_exception(self, ex):
        if isinstance(ex, MemoryError):
            self.Error.out_of_memory()
            self._show_nothing(self.Error.out_of_memory.formatted)
        elif self.connected_labeller is not None:
            self.Error.labeller_failed(str(ex).rstrip("."))
            self._show_nothing(self.Error.labeller_failed.formatted)
        else:
            self._show_nothing("Something went wrong.")
            self.cancel()  # or widgets downstream would wait for ever
            raise ex

    def onDeleteWidget(self):
        self.view.loader.shutdown()
        self.shutdown()
        super().onDeleteWidget()

    def _send(self, outputs=None):
        if outputs is None:
            outputs = Outputs(preprocessor=make_preprocessor(
                self.parameters, self.unlabelled, self.remove_const))
        for name, value in outputs._asdict().items():
            getattr(self.Outputs, name).send(value)

    # Edited cuts

    def _on_cuts_edited(self, index, cuts):
        self.edits.edit(self.view.variables[index], cuts)

    def _on_edits_changed(self, name):
        self.edited_cuts = self.edits.stored()
        if self.view.findings is None:
            return
        self.view.table.select(name)
        self.view.show_edits(name)
        self._show_edit_message()
        self._refresh()

    def _on_selected(self, index):
        if self.view.variable is not None:
            self.selected_variable = self.view.variable.name

    def _on_sorted(self, column, order):
        self.sorting = (column, order)

    def _on_splitter_moved(self):
        self.splitter_state = bytes(self.view.splitter.saveState())

    # Messages and report

    def _show_data_messages(self):
        analysis = self.analysis
        messages.show_pool_messages(self, messages.Pool(
            analysis.rows.n_known, analysis.missing,
            analysis.pool is not None or not analysis.missing))
        sparse = [var for var, fraction
                  in zip(analysis.variables, analysis.missing_shares, strict=True)
                  if fraction > MANY_MISSING]
        self.Warning.missing_values(messages.listed(sparse), shown=bool(sparse))

    def _show_edit_message(self):
        n_edited = self.view.n_edited
        self.Information.edited(
            f"{n_edited} {pl(n_edited, 'variable')} {pl(n_edited, 'was|were')}",
            shown=n_edited > 0)

    def send_report(self):
        self.report_items("Settings", (
            ("Method", DISCRETIZERS[self.method].title),
            ("Compared with", self.compared_method or "none"),
            *self.describe_labeller_settings(),
            ("Normalize variables", "yes" if self.normalize else "no"),
            ("N0", f"{self.n0:,}")))
        if self.view.findings is None:
            return
        self.report_data("Data", self.data)
        if self.unlabelled is not None:
            self.report_data("Unlabelled data", self.unlabelled)
        self.report_paragraph("Status", self.status.text().replace("\n", "<br/>"))
        self.report_table("Variables", self.view.table.model.as_lists(), header_rows=1)
        if self.view.variable is not None:
            name = escape(self.view.variable.name)
            self.report_plot(f"Distribution of {name}", self.view.cut_plot)
            self.report_plot(f"Decisions about {name}", self.view.decision_plot)


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWSADDDiscretize).run(set_data=iris[::3], set_unlabelled=iris)
