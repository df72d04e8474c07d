"""The main area of SADD Discretize: variables, and one of them in detail."""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.descriptions import describe_decision, describe_interval
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.explain.resampling import (
    N_RESAMPLES,
    count_found_again,
    resampled_cuts,
)
from orangecontrib.sadd.scripting.intervals import cut_names
from orangecontrib.sadd.widgets.common.controls import ElidedLabel, arrange
from orangecontrib.sadd.widgets.common.tasks import Task, make_callback
from orangecontrib.sadd.widgets.sadddiscretize.cutplot import CutPlot
from orangecontrib.sadd.widgets.sadddiscretize.table import VariableRow, VariableTable
from orangecontrib.sadd.widgets.sadddiscretize.why import Why

__all__ = ["VariablesView"]

HINT = "Double-click to add a cut, drag a cut to move it, click to select these rows."
NO_VALUES = ("All values are missing or infinite. Impute them, or remove the "
             "variable.")
LOWEST_PLOT, LOWEST_TABLE = 150, 90


def resample(findings, state):
    """Find the cuts of all variables in each resample, in a worker thread."""
    callback = make_callback(state)
    for cuts in resampled_cuts(findings.analysis.rows, findings.parameters,
                               callback=callback):
        callback(0)
        state.set_partial_result(cuts)


class VariablesView(QStackedWidget):
    """
    The table above, the pictures of the selected variable below.

    Parameters
    ----------
    window : OWWidget
        See `Fold`.
    edits : Edits
        They replace the cuts of the method.

    Attributes
    ----------
    findings : Findings or None
    index : int
        Of the selected variable.
    resampled : list
        Cuts of all variables for each resample.
    """

    def __init__(self, window, edits, hides_uncut=False):
        super().__init__()
        self.edits = edits
        self.findings, self.index = None, -1
        self.resampled = []
        self.stability = Task(self)
        self.stability.progressed.connect(self._on_resampled)
        self.stability.ended.connect(self._update_stability)
        self.message = QLabel(alignment=Qt.AlignCenter, wordWrap=True, margin=24)
        self.table = VariableTable(hides_uncut)
        self.table.setMinimumHeight(LOWEST_TABLE)
        self.table.view.selected.connect(self.select)
        self.table.treated.connect(self._on_treated)
        self.cut_plot = CutPlot()
        self.cut_plot.setMinimumHeight(LOWEST_PLOT)
        #: In place of the plot
        self.no_values = QLabel(NO_VALUES, alignment=Qt.AlignCenter, wordWrap=True)
        self.cut_plot.describe_cut = self._describe_cut
        self.cut_plot.describe_interval = self._describe_interval
        self.cut_plot.cuts_dragged.connect(self._on_dragged)
        self.cut_plot.cuts_edited.connect(
            lambda cuts: self._on_treated(self.index, cuts))
        self.cut_plot.typing.connect(self.table.type_cuts)
        self.why = Why(window, self.cut_plot)
        self.why.stability_button.clicked.connect(self._on_stability)
        #: Score of naive Bayes on the intervals
        self.nb_line = ElidedLabel()
        self.validate_button = QPushButton(
            "Cross-Validate", autoDefault=False, visible=False)
        self._edit_buttons = self._make_edit_buttons(window)
        self._lay_out()
        self._update_stability()
        self._update_buttons()

    def _make_edit_buttons(self, window):
        actions = self.edits.actions(window)
        window.addActions(actions)
        buttons = [QToolButton() for _ in actions]
        for button, action in zip(buttons, actions, strict=True):
            button.setDefaultAction(action)
        self.reset_button = QToolButton(
            text="Reset", clicked=lambda: self.edits.reset(self.variables),
            toolTip="Use the cuts of the method for all variables. Right-click a "
                    "variable to reset it alone.")
        return [*buttons, self.reset_button]

    def _lay_out(self):
        row = arrange(QHBoxLayout(), self.nb_line, self.validate_button,
                      stretched=self.nb_line)
        for button in self._edit_buttons:
            self.why.header.addWidget(button)
        # Nothing moves when buttons appear
        self.why.button.setMinimumHeight(self.reset_button.sizeHint().height())
        details = QWidget()
        self.pictures = QStackedLayout()
        for part in (self.cut_plot, self.no_values):
            self.pictures.addWidget(part)
        arrange(QVBoxLayout(details), self.pictures, row, self.why,
                stretched=self.pictures, spacing=4)
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=False)
        self._fits_table = True
        self.splitter.splitterMoved.connect(
            lambda *_: setattr(self, "_fits_table", False))
        for part in (self.table, details):
            self.splitter.addWidget(part)
        self.addWidget(self.message)
        self.addWidget(self.splitter)

    @property
    def variables(self):
        """The variables in the table."""
        return () if self.findings is None else self.findings.analysis.variables

    @property
    def variable(self):
        """The selected variable, or None."""
        return self.variables[self.index] if self.index >= 0 else None

    def show_message(self, text):
        """Show a message in place of all results."""
        self.stability.cancel()
        self.findings, self.resampled = None, []
        self.table.set_rows([])
        self.message.setText(text)
        self.setCurrentWidget(self.message)
        self._update_buttons()

    def show_findings(self, findings):
        """Show a `Findings`."""
        if self.findings is None or self.findings.found is not findings.found:
            self.stability.cancel()
            self.resampled = []
        self.setCurrentWidget(self.splitter)
        self.findings, self.index, analysis = findings, -1, findings.analysis
        colours = self._colours = list(analysis.data.domain.class_var.palette.qcolors) \
            if analysis.has_classes else [self.palette().mid().color()]
        self.table.set_rows(
            [self._row(index) for index in range(len(self.variables))],
            findings.compared_method, colours, analysis.has_classes)
        self._fit_table()
        self._update_stability()
        self._update_buttons()

    def show_edits(self, name):
        """Show the cuts of the variables with this name after they were edited."""
        for index, variable in enumerate(self.variables):
            if variable.name == name:
                self.table.model.set_row(index, self._row(index))
                if index == self.index and self.cut_plot.picture is not None:
                    self._show_cuts()
        self._update_buttons()

    def select(self, index):
        """Show the picture of a variable; -1 for no variable."""
        if 0 <= index == self.index:
            return
        self.index = index
        if index < 0:
            self.cut_plot.clear_all()
            self.why.set_text("")
        else:
            self._show_picture()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._fit_table()

    def _fit_table(self):
        """Make the table as high as its rows, up to a third, until a user does it."""
        if self._fits_table:
            height = min(self.table.full_height(),
                         max(self.height() // 3, LOWEST_TABLE))
            self.splitter.setSizes([height, self.height() - height])

    def cuts(self, index):
        """Return the cuts in use of a variable."""
        treatment = self.edits.get(self.variables[index])
        if treatment is None:
            return self.findings.found.cut_points[index]
        return self.findings.treated.cut_points[index] if isinstance(treatment, str) \
            else treatment

    def _row(self, index, cuts=None):
        """Return the row of a variable, with other cuts if they are given."""
        findings, variable = self.findings, self.variables[index]
        treatment = self.edits.get(variable) if cuts is None else cuts
        return VariableRow(
            variable, self.cuts(index) if cuts is None else cuts,
            0 if findings.compared is None
            else len(findings.compared.cut_points[index]),
            treatment, findings.thumbnails()[index])

    def _show_picture(self):
        variable, plot, findings = self.variable, self.cut_plot, self.findings
        picture = findings.picture(self.index)
        self.pictures.setCurrentWidget(self.no_values if picture is None else plot)
        if picture is None:
            plot.clear_all()
            self.why.set_text("")
            return
        if picture is not plot.picture or variable is not plot.variable:
            plot.set_histogram(variable, picture, findings.analysis.classes,
                               self._colours[:len(findings.analysis.classes)])
        self._show_cuts()

    def _show_cuts(self):
        findings, cuts = self.findings, self.cuts(self.index)
        treatment = self.edits.get(self.variable)
        name = findings.parameters.method if treatment is None else \
            treatment if isinstance(treatment, str) else "your"
        decisions = findings.found.decisions(self.index)
        self.cut_plot.set_cuts(
            cuts, f"{name} cuts",
            () if findings.compared is None
            else findings.compared.cut_points[self.index],
            f"{findings.compared_method} cuts" if findings.compared_method else "",
            () if treatment is not None else findings.ignored_cuts(self.index),
            {decision.cut: decision.gain for decision in decisions})
        self._show_resamples()
        method = findings.parameters.method
        if findings.parameters.estimator().makes_decisions:
            self.why.set_decisions(self.variable, decisions, cuts)
        else:
            self.why.set_text(
                f"{full_name(method)}. {DISCRETIZERS[method].description}")

    def _on_treated(self, index, treatment):
        self.edits.edit(self.variables[index], treatment)

    def _on_dragged(self, cuts):
        self.table.model.set_row(self.index, self._row(self.index, cuts))

    def _update_buttons(self):
        stack = self.edits.stack
        edited = any(variable in self.edits for variable in self.variables)
        for button in self._edit_buttons:
            button.setVisible(edited or stack.canUndo() or stack.canRedo())
        self.reset_button.setEnabled(edited)

    # Stability

    def _on_stability(self):
        if self.stability.task is not None:
            self.stability.cancel()
        elif self.findings is not None:
            self.resampled = []
            self._show_resamples()
            self.stability.start(resample, self.findings)
        self._update_stability()

    def _on_resampled(self, cuts):
        self.resampled.append(cuts)
        self._show_resamples()
        self._update_stability()

    def _show_resamples(self):
        if self.variable is not None:
            self.cut_plot.set_resampled(np.concatenate(
                [cuts[self.index] for cuts in self.resampled] or [[]]))

    def _update_stability(self):
        running, button = self.stability.task is not None, self.why.stability_button
        button.setText(f"Stop ({len(self.resampled)} of {N_RESAMPLES})" if running
                       else "Check Stability")
        button.setEnabled(
            self.findings is not None and self.findings.analysis.has_classes)

    # Tooltips

    def _describe_cut(self, index):
        cut = self.cut_plot.cuts[index]
        text = next((describe_decision(decision, self.variable)
                     for decision in self.findings.found.decisions(self.index)
                     if decision.accepted and decision.cut == cut), "")
        if not text:
            counts = sum(part.sum(axis=0)
                         for part in self.cut_plot.picture.count(self.cut_plot.cuts))
            text = (f"Cut at {cut_names(self.variable, [cut])[0]}\n"
                    f"{counts[index]:,.10g} rows in the interval below, "
                    f"{counts[index + 1]:,.10g} in the one above")
        if self.resampled:
            again = count_found_again(
                cut, [cuts[self.index] for cuts in self.resampled],
                *self.cut_plot.picture.edges[[0, -1]])
            text += f"\nFound again in {again} of {len(self.resampled)} resamples"
        return text

    def _describe_interval(self, index):
        cuts = self.cut_plot.cuts
        return "\n".join((describe_interval(
            self.variable, cuts, index, self.cut_plot.picture.count(cuts),
            self.findings.analysis.classes), HINT))
