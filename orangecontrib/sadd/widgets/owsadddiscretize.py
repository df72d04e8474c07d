"""SADD Discretize: discretize with the help of unlabelled rows, and see why."""

from itertools import product

import numpy as np
from AnyQt.QtCore import QSize, QTimer
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Output, OWWidget

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.analysis import Analysis, find_obstacle
from orangecontrib.sadd.explain.descriptions import describe_status
from orangecontrib.sadd.explain.findings import find
from orangecontrib.sadd.explain.outputs import Outputs, make_preprocessor
from orangecontrib.sadd.tables import class_codes
from orangecontrib.sadd.widgets.common import controls, messages
from orangecontrib.sadd.widgets.common.labellercontrols import (
    VALID_LABELLING,
    LabellerMixin,
    labeller_input,
)
from orangecontrib.sadd.widgets.common.methodcontrols import (
    PARAMETER_TIPS,
    migrate_parameters,
)
from orangecontrib.sadd.widgets.common.windows import (
    FirstSizeMixin,
    WidgetTaskMixin,
    make_steps,
)
from orangecontrib.sadd.widgets.sadddiscretize import cutmessages
from orangecontrib.sadd.widgets.sadddiscretize.cutedits import (
    EditingMixin,
    is_stored_edit,
)
from orangecontrib.sadd.widgets.sadddiscretize.explainview import ExplainView
from orangecontrib.sadd.widgets.sadddiscretize.methodchoice import MethodMixin

NO_UNLABELLED = ("This has no effect, since there are no unlabelled rows. Connect "
                 "Unlabelled Data, or Data in which some rows have no class.")


def run(*args, **kwargs):
    """Find what is to be shown and sent, in a thread; see `find`."""
    *args, state = args
    return find(*args, make_steps(state), **kwargs)


class OWSADDDiscretize(FirstSizeMixin, OWWidget, WidgetTaskMixin, LabellerMixin,
                       MethodMixin, EditingMixin):
    name = "SADD Discretize"
    description = "Discretize variables with the help of unlabelled rows, and see why."
    icon = "icons/sadddiscretize.svg"
    priority = 10
    keywords = ("sadd discretize, discretization, binning, bins, semi-supervised, "
                "unlabelled, unlabeled, labels, naive bayes, bayes, entropy, mdl, "
                "caim, chimerge")

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
        selected_data = Output(
            "Selected Data", Table, doc="Rows of Data in the selected interval.")
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False,
                              doc="Discretizes other data in the same way.")

    Error = cutmessages.Error
    Warning = cutmessages.Warning
    Information = cutmessages.Information

    normalize = Setting(True)
    remove_const = Setting(True)
    autocommit = Setting(True)
    sorting = Setting((-1, 0))
    splitter_state = Setting(b"")
    show_tree = Setting(True)
    selected_variable = Setting("", schema_only=True)

    settings_version = 3
    graph_name = "view.cut_plot.plotItem"
    best_size = QSize(1080, 820)

    def __init__(self):
        OWWidget.__init__(self)
        WidgetTaskMixin.__init__(self)
        self.data = None
        self.unlabelled = None
        self.analysis = None
        self._with_outputs = False
        self.make_methods_valid()
        # No task may be started where another one ends
        self._follow_timer = QTimer(self, singleShot=True, interval=0)
        self._follow_timer.timeout.connect(self._follow_slider)
        self.make_edits(self._refresh)
        self._add_controls()
        self._add_view()
        self._update_controls()
        self.view.show_message(cutmessages.CONNECT_DATA)
        self.commit.now()

    # Layout

    def _add_controls(self):
        changed = self._on_settings_changed
        box = gui.vBox(self.controlArea, "Method")
        self.add_method_controls(box, changed, self._follow_timer.start)

        box = gui.vBox(self.controlArea, "Pseudo-labels")
        self.add_labeller_controls(box, changed)
        gui.checkBox(box, self, "normalize", "Normalize variables", callback=changed)

        box = gui.vBox(self.controlArea, "Output")
        gui.checkBox(box, self, "remove_const", "Remove variables with one interval",
                     callback=self._refresh)
        self.add_carry_control(box)
        box = gui.vBox(self.controlArea, "Status")
        self.status = self.labelling_label = controls.StatusLabel(
            cutmessages.NO_STATUS)
        box.layout().addWidget(self.status)
        self.stop_button = gui.button(
            box, self, "Stop", callback=self._on_stop, autoDefault=False)
        gui.rubber(self.controlArea)
        gui.auto_apply(self.buttonsArea, self, "autocommit")

    def _add_view(self):
        self.view = ExplainView(self.edits)
        self.connect_editing()
        self.view.table.sorted.connect(self._on_sorted)
        self.view.table.selected.connect(self._on_selected)
        self.view.table.sort(*self.sorting)
        if self.splitter_state:
            self.view.splitter.restoreState(self.splitter_state)
        self.view.splitter.splitterMoved.connect(self._on_splitter_moved)
        self.view.details.tree_button.setChecked(bool(self.show_tree))
        self.view.details.tree_button.toggled.connect(self._on_tree_toggled)
        self.mainArea.layout().addWidget(self.view)

    # Settings

    @classmethod
    def migrate_settings(cls, settings, version):
        version = version or 1
        if version < 2:  # not what the user chose last in a newer workflow
            for name in ("labeller", "min_confidence"):
                settings.setdefault(name, 0)
        if version < 3:
            settings.pop("splitter_state", None)  # of other parts
            if settings.get("sorting") in product(range(1, 5), (0, 1)):
                column, order = settings["sorting"]  # distributions were added
                settings["sorting"] = column + 1, order
        migrate_parameters(settings, version)
        # What is not valid gets its default; an unknown method gets a message, too
        controls.keep_valid(settings, {
            "method": lambda method: isinstance(method, str),
            "compared_method": lambda method: method in ("", *DISCRETIZERS),
            **VALID_LABELLING,
            "normalize": lambda value: isinstance(value, bool),
            "carry_edits": lambda value: isinstance(value, bool),
            "sorting": lambda value: value in product(range(-1, 6), (0, 1)),
            "splitter_state": lambda value: isinstance(value, bytes),
            "edited_cuts": lambda value: isinstance(value, list),
            "selected_variable": lambda value: isinstance(value, str)})
        if "edited_cuts" in settings:
            settings["edited_cuts"] = list(
                filter(is_stored_edit, settings["edited_cuts"]))

    def _on_settings_changed(self):
        self._update_controls()
        self._refresh()

    def _refresh(self):
        """Show the consequences at once; send them if changes are applied at once."""
        self.commit.deferred()
        if not self.autocommit and self.analysis is not None:
            # Outputs that are being made, such as those of new data, are still due
            self._start(with_outputs=self.task is not None and self._with_outputs)

    def _follow_slider(self):
        """Show what follows from a slider that is still being dragged."""
        findings = self.view.findings
        if self.is_dragging and self.task is None and findings is not None \
                and self.analysis.is_small and findings.parameters != self.parameters:
            self._start(with_outputs=False)

    def _on_selected(self, index):
        if self.view.variable is not None:
            self.selected_variable = self.view.variable.name

    def _on_sorted(self, column, order):
        self.sorting = (column, order)

    def _on_splitter_moved(self):
        self.splitter_state = bytes(self.view.splitter.saveState())

    def _on_tree_toggled(self, shown):
        self.show_tree = shown

    def _update_controls(self):
        """Disable what has no effect, and say why."""
        no_pool = "" if self._may_have_unlabelled() else NO_UNLABELLED
        raw = "" if self.connected_labeller is None else \
            "The connected labeller normalizes for itself if it needs to."
        controls.set_obstacle(self.controls.normalize, no_pool or raw,
                              PARAMETER_TIPS["normalize"])
        self.update_method_controls()
        self.update_labeller_controls(no_pool)
        stopped = self.Warning.stopped.is_shown()
        self.stop_button.setText("Start Again" if stopped else "Stop")
        idle = not stopped and self.task is None
        controls.set_obstacle(
            self.stop_button, "Nothing is being computed." if idle else "", "")

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
        cutmessages.clear_messages(self)
        self.edits.stack.clear()
        self.analysis = None
        message = cutmessages.CONNECT_DATA
        if self.data is not None:
            obstacle = find_obstacle(self.data)
            if obstacle:
                error = getattr(self.Error, obstacle)
                error(messages.describe_target(self.data.domain))
                message = error.formatted
            else:
                messages.show_id_message(self, self.data)
                self.analysis = Analysis(self.data, self.unlabelled)
                message = "Discretizing..."
        self._show_message(message)
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
        self.start(run, self.analysis, self.parameters, self.compared_parameters,
                   self.edits.by_index(self.analysis.variables),
                   with_outputs=with_outputs, remove_const=self.remove_const,
                   fixed=self.fixed_cuts)
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
        self._show_message(message)

    def _show_message(self, message):
        """Show a message in place of results."""
        self.status.setText(cutmessages.NO_STATUS)
        self.show_number_of_cuts(None)
        self.show_labelling(None)
        self.view.show_message(message)
        self._update_controls()

    def on_done(self, result):
        findings, outputs = result
        self.show_number_of_cuts(findings.n_cuts)
        self.view.table.remember(self.selected_variable)
        self.view.show_findings(findings)
        self._update_controls()
        self.status.setText(describe_status(
            findings, self.view.n_discretized, self.labeller_title))
        self.show_labelling(findings.labelling)
        cutmessages.show_data_messages(self, self.analysis)
        cutmessages.show_edit_message(self, self.view.n_edited, self.carry_edits)
        if outputs is not None:
            self._send(outputs)
        self._follow_timer.start()

    def on_exception(self, ex):
        reason = cutmessages.explain_failure(self, ex)
        self._show_nothing(reason or "Something went wrong.")
        if not reason:
            self.cancel()  # or widgets downstream would wait for ever
            raise ex

    def onDeleteWidget(self):
        self._follow_timer.stop()
        self.view.shutdown()
        self.selector.shutdown()
        self.shutdown()
        super().onDeleteWidget()

    def _send(self, outputs=None):
        if outputs is None:
            outputs = Outputs(preprocessor=make_preprocessor(
                self.parameters, self.unlabelled, self.remove_const,
                self.fixed_cuts))
        for name, value in outputs._asdict().items():
            getattr(self.Outputs, name).send(value)

    def send_report(self):
        cutmessages.send_report(self)


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWSADDDiscretize).run(set_data=iris[::3], set_unlabelled=iris)
