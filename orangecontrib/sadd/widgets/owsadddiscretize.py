"""SADD Discretize: discretize with the help of unlabelled rows, and see why."""

from html import escape

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QSizePolicy, QToolButton
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import ConcurrentWidgetMixin
from Orange.widgets.utils.localization import pl
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.analysis import Analysis, Parameters, find_obstacle
from orangecontrib.sadd.explain.results import make_preprocessor
from orangecontrib.sadd.tables import class_codes
from orangecontrib.sadd.widgets.cutting.cutedits import CutEdits, edits_by_index
from orangecontrib.sadd.widgets.cutting.explaintask import Request, describe, run
from orangecontrib.sadd.widgets.cutting.explainview import ExplainView
from orangecontrib.sadd.widgets.datachecks import listed

# Share of missing values above which a variable is warned of
MANY_MISSING = 0.5

CONNECT_DATA = "Connect Data with a categorical class and numeric variables."
NO_STATUS = "Nothing is discretized."
NO_UNLABELLED = ("This has no effect, since there are no unlabelled rows. Connect "
                 "Unlabelled Data, or Data in which some rows have no class.")

PARAMETER_TIPS = {parameter.name: parameter.description
                  for parameter in DISCRETIZERS["SADD"].parameters}


class OWSADDDiscretize(OWWidget, ConcurrentWidgetMixin):
    name = "SADD Discretize"
    description = "Discretize variables with the help of unlabelled rows, and see why."
    icon = "icons/sadddiscretize.svg"
    priority = 10
    keywords = ("sadd discretize, discretization, binning, bins, semi-supervised, "
                "unlabelled, entropy, mdl, caim, chimerge")

    class Inputs:
        data = Input("Data", Table, default=True,
                     doc="Data with a class; rows without one count as unlabelled.")
        unlabelled = Input("Unlabelled Data", Table,
                           doc="More unlabelled rows; a class is ignored.")

    class Outputs:
        data = Output("Data", Table, default=True, doc="Discretized data.")
        unlabelled = Output("Unlabelled Data", Table,
                            doc="Discretized unlabelled data.")
        pseudo_labelled = Output(
            "Pseudo-labelled Data", Table,
            doc="All rows, with the class that they have got and its confidence.")
        cut_points = Output("Cut Points", Table, doc="A row for each interval.")
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False,
                              doc="Does the same to other data.")

    class Error(OWWidget.Error):
        no_class = Msg("Data has no categorical class. Use Select Columns to choose "
                       "one, and only one, as the target.")
        no_numeric = Msg("Data has no numeric variables, so there is nothing to "
                         "discretize. Connect data with numeric features.")
        no_rows = Msg("Data has no rows. Connect a table that has some.")
        all_unlabelled = Msg("No row of Data has a class. Connect data in which "
                             "some rows of at least two classes are labelled.")
        one_class = Msg("All labelled rows are of one class. Connect data with rows of "
                        "at least two classes.")
        out_of_memory = Msg("There is not enough memory. Use Data Sampler to take "
                            "fewer rows, or Select Columns to take fewer variables.")

    class Warning(OWWidget.Warning):
        stopped = Msg("The computation was stopped, so there are no results. Press "
                      "Start Again to get them.")
        no_shared_columns = Msg("Unlabelled Data has no column in common with Data and "
                                "is ignored. Connect data with the same columns.")
        missing_columns = Msg("Unlabelled Data lacks {}. These count as missing there; "
                              "add them, or remove them from Data.")
        missing_values = Msg("More than half of the values are missing in {}. Impute "
                             "them, or remove these variables.")

    class Information(OWWidget.Information):
        known_rows = Msg("{} of Unlabelled Data {} also in Data and {} left out. This "
                         "is right if both are of one table; else check what is "
                         "connected.")
        edited = Msg("{} edited by hand. Preprocessor ignores this, since it finds "
                     "cuts anew in the data that it is given; use Reset to go back.")

    method = Setting("SADD")
    compared_method = Setting("MDLP")
    choose_k = Setting(0)
    fixed_k = Setting(5)
    normalize = Setting(True)
    n0 = Setting(2000)
    remove_const = Setting(True)
    autocommit = Setting(True)
    sorting = Setting((-1, 0))
    splitter_state = Setting(b"")
    # [name, type, cuts] of each edited variable; plain lists survive any version
    edited_cuts = Setting([], schema_only=True)
    selected_variable = Setting("", schema_only=True)

    settings_version = 1
    graph_name = "view.cut_plot.plotItem"

    def __init__(self):
        OWWidget.__init__(self)
        ConcurrentWidgetMixin.__init__(self)
        self.data = None
        self.unlabelled = None
        self.analysis = None
        self._with_results = False
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
        self.method_combo = gui.comboBox(
            box, self, "method", items=tuple(DISCRETIZERS), sendSelectedValue=True,
            callback=self._on_method_changed)
        gui.comboBox(
            box, self, "compared_method", label="Compare with:",
            items=("(none)", *DISCRETIZERS), sendSelectedValue=True,
            emptyString="(none)", orientation=Qt.Horizontal, callback=changed)
        self._describe_methods()

        box = gui.vBox(self.controlArea, "Pseudo-labels")
        buttons = gui.radioButtons(box, self, "choose_k", callback=changed)
        gui.appendRadioButton(buttons, "Choose k by validation")
        row = gui.hBox(buttons)
        gui.appendRadioButton(buttons, "Fixed k:", insertInto=row)
        self.k_spin = gui.spin(row, self, "fixed_k", 1, 999, callback=changed,
                               alignment=Qt.AlignRight, controlWidth=70)
        gui.checkBox(box, self, "normalize", "Normalize variables", callback=changed)

        box = gui.vBox(self.controlArea, "Adaptive threshold")
        self.n0_spin = gui.spin(box, self, "n0", 1, 10 ** 7, step=100, label="N0:",
                                callback=changed, alignment=Qt.AlignRight,
                                controlWidth=90)
        for spin in (self.k_spin, self.n0_spin):
            spin.setKeyboardTracking(False)  # or each digit starts a computation

        box = gui.vBox(self.controlArea, "Output")
        gui.checkBox(box, self, "remove_const", "Remove variables with one interval",
                     callback=self._refresh)
        box = gui.vBox(self.controlArea, "Status")
        self.status = gui.widgetLabel(box, NO_STATUS)
        self.status.setWordWrap(True)
        # What it says later must not make the controls wider than their place
        self.status.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.stop_button = gui.button(
            box, self, "Stop", callback=self._on_stop, autoDefault=False)
        gui.rubber(self.controlArea)
        gui.auto_apply(self.buttonsArea, self, "autocommit")

    def _add_view(self):
        self.view = ExplainView()
        self.view.cuts_edited.connect(self._on_cuts_edited)
        self.view.reset_all.connect(
            lambda: self.edits.reset(self.analysis.variables))
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

    def _describe_methods(self):
        for combo in (self.method_combo, self.controls.compared_method):
            for index in range(combo.count()):
                method = DISCRETIZERS.get(combo.itemText(index))
                if method is not None:
                    combo.setItemData(index, f"{method.title}: {method.description}",
                                      Qt.ToolTipRole)

    def sizeHint(self):
        return QSize(1000, 760)

    # Settings

    @property
    def parameters(self):
        """What the controls say."""
        k = "auto" if self.choose_k == 0 else self.fixed_k
        return Parameters(self.method, k, self.n0, self.normalize)

    def _on_method_changed(self):
        if self.method == self.compared_method:
            self.compared_method = next(
                name for name in ("SADD", "MDLP") if name != self.method)
        self._on_settings_changed()

    def _on_settings_changed(self):
        self._update_controls()
        self._refresh()

    def _refresh(self):
        """Show the consequences at once; send them if that is wanted."""
        self.commit.deferred()
        if not self.autocommit and self.analysis is not None:
            self._start(with_results=False)

    def _update_controls(self):
        """Disable what has no effect, and say why."""
        no_pool = "" if self._may_have_unlabelled() else NO_UNLABELLED
        fixed = "" if self.choose_k else "Choose a fixed k to set it."
        sadd = "" if "SADD" in (self.method, self.compared_method) else \
            "This has no effect, since neither method is SADD."
        for control, obstacle, tip in (
                (self.controls.choose_k, no_pool, PARAMETER_TIPS["k"]),
                (self.k_spin, no_pool or fixed, PARAMETER_TIPS["k"]),
                (self.controls.normalize, no_pool, PARAMETER_TIPS["normalize"]),
                (self.n0_spin.box, sadd, PARAMETER_TIPS["n0"])):
            control.setEnabled(not obstacle)
            control.setToolTip(obstacle or tip)
        method = DISCRETIZERS[self.method]
        self.method_combo.setToolTip(f"{method.title}: {method.description}")
        stopped = self.Warning.stopped.is_shown()
        self.stop_button.setText("Start Again" if stopped else "Stop")
        self.stop_button.setEnabled(stopped or self.task is not None)
        self.stop_button.setToolTip(
            "" if self.stop_button.isEnabled() else "Nothing is being computed.")
        model = self.controls.compared_method.model()
        for row in range(model.rowCount()):
            item = model.item(row)
            item.setEnabled(item.text() != self.method)

    def _may_have_unlabelled(self):
        """Whether there are unlabelled rows, as far as is known."""
        if self.view.shown is not None:
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

    def handleNewSignals(self):
        self.cancel()
        self.clear_messages()
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
        self.view.show_message(message)
        self._update_controls()
        self.commit.now()

    # Computation

    @gui.deferred
    def commit(self):
        if self.analysis is None:
            self._send(None)
        else:
            self._start(with_results=True)

    def _start(self, with_results):
        self.Error.out_of_memory.clear()
        self.Warning.stopped.clear()
        self._with_results = with_results
        self.start(run, self.analysis, Request(
            self.parameters, self.compared_method, dict(self.edits.cuts),
            self.remove_const, with_results))
        self._update_controls()

    def _on_stop(self):
        if self.task is None:
            self.commit.now()
            return
        self.cancel()
        self.Warning.stopped()
        self._show_nothing(self.Warning.stopped.formatted)

    def _show_nothing(self, message):
        """Show a message in place of results; none are sent if some were to be."""
        if self._with_results:
            self._send(None)
        self.status.setText(NO_STATUS)
        self.view.show_message(message)
        self._update_controls()

    def on_done(self, answer):
        self.view.table.remember(self.selected_variable)
        self.view.show_result(answer.shown, answer.edits, answer.counts)
        self._update_controls()
        self.status.setText(describe(answer))
        self._tell_about_pool()
        self._tell_about_edits()
        if answer.results is not None:
            self._send(answer.results)

    def on_exception(self, ex):
        if isinstance(ex, MemoryError):
            self.Error.out_of_memory()
            self._show_nothing(self.Error.out_of_memory.formatted)
        else:
            self._show_nothing("Something went wrong.")
            self.cancel()  # or widgets downstream would wait for ever
            raise ex

    def onDeleteWidget(self):
        self.view.loader.shutdown()
        self.shutdown()
        super().onDeleteWidget()

    def _send(self, results):
        if results is None:
            preprocessor = make_preprocessor(
                self.parameters, self.unlabelled, self.remove_const)
        else:
            preprocessor = results.preprocessor
        self.Outputs.preprocessor.send(preprocessor)
        for name in ("data", "unlabelled", "pseudo_labelled", "cut_points"):
            getattr(self.Outputs, name).send(getattr(results, name, None))

    # Edited cuts

    def _on_cuts_edited(self, index, cuts):
        self.edits.edit(self.analysis.variables[index], cuts)

    def _on_edits_changed(self, name):
        self.edited_cuts = self.edits.stored()
        if self.view.shown is None:
            return
        self.view.table.select(name)
        self.view.set_edits(edits_by_index(self.edits.cuts, self.analysis.variables))
        self._tell_about_edits()
        self._refresh()

    def _on_selected(self, index):
        if self.view.variable is not None:
            self.selected_variable = self.view.variable.name

    def _on_sorted(self, column, order):
        self.sorting = (column, order)

    def _on_splitter_moved(self):
        self.splitter_state = bytes(self.view.splitter.saveState())

    # Telling

    def _tell_about_pool(self):
        analysis = self.analysis
        n_known = analysis.rows.n_known
        self.Information.known_rows(
            f"{n_known:,} {pl(n_known, 'row')}", pl(n_known, "is|are"),
            pl(n_known, "is|are"), shown=n_known > 0)
        has_pool = self.unlabelled is not None and len(self.unlabelled) > 0
        no_shared = has_pool and analysis.pool is None
        self.Warning.no_shared_columns(shown=no_shared)
        self.Warning.missing_columns(
            listed(analysis.missing),
            shown=has_pool and not no_shared and bool(analysis.missing))
        sparse = [var for var, share
                  in zip(analysis.variables, analysis.missing_shares, strict=True)
                  if share > MANY_MISSING]
        self.Warning.missing_values(listed(sparse), shown=bool(sparse))

    def _tell_about_edits(self):
        n_edited = len(self.view.edits)
        self.Information.edited(
            f"{n_edited} {pl(n_edited, 'variable')} {pl(n_edited, 'was|were')}",
            shown=n_edited > 0)

    def send_report(self):
        k = "chosen by validation" if self.choose_k == 0 else str(self.fixed_k)
        self.report_items("Settings", (
            ("Method", DISCRETIZERS[self.method].title),
            ("Compared with", self.compared_method or "none"),
            ("k", k), ("Normalize variables", "yes" if self.normalize else "no"),
            ("N0", f"{self.n0:,}")))
        if self.view.shown is None:
            return
        self.report_data("Data", self.data)
        self.report_data("Unlabelled data", self.unlabelled)
        self.report_paragraph("Status", self.status.text().replace("\n", "<br/>"))
        self.report_table("Variables", self.view.table.as_lists(), header_rows=1)
        if self.view.variable is not None:
            name = escape(self.view.variable.name)
            self.report_plot(f"Distribution of {name}", self.view.cut_plot)
            self.report_plot(f"Decisions about {name}", self.view.decision_plot)


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWSADDDiscretize).run(set_data=iris[::3], set_unlabelled=iris)
