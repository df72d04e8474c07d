"""The main area of SADD Discretize: variables, and one of them in detail."""

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.descriptions import (
    describe_band,
    describe_decision,
    describe_interval,
)
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.scripting.intervals import cut_names
from orangecontrib.sadd.widgets.common.controls import (
    WrappedLabel,
    arrange,
    keep_room,
    value_colours,
)
from orangecontrib.sadd.widgets.sadddiscretize.cutplot import CutPlot
from orangecontrib.sadd.widgets.sadddiscretize.naivebayesline import NaiveBayesLine
from orangecontrib.sadd.widgets.sadddiscretize.table import VariableTable
from orangecontrib.sadd.widgets.sadddiscretize.variablemodel import VariableRow
from orangecontrib.sadd.widgets.sadddiscretize.why import Why

__all__ = ["VariablesView"]

HINT = "Double-click to add a cut, drag to move it, click to select rows."
NO_VALUES = ("All values are missing or infinite. Impute them, or remove the "
             "variable.")
OWN_CUTS = "Data has your cuts. Preprocessor finds its own in each fold."
CARRIED_CUTS = "Data and Preprocessor have your cuts."
TREATED = "Data and Preprocessor have your treatment of variables."
LOWEST_PLOT, LOWEST_TABLE = 150, 90
# Rows of the table that need no scroll bar, as far as the window allows
FEW_ROWS = 6


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
    edit_column : QVBoxLayout
        Controls of edits: Undo, Redo and Reset.
    """

    def __init__(self, window, edits, hides_uncut=False):
        super().__init__()
        self.edits = edits
        self.findings, self.index = None, -1
        self.has_own_cuts = False
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
        self.score = NaiveBayesLine()
        self.score.validated.connect(self._show_figures)
        #: Where edits go
        self.edits_label = WrappedLabel()
        self._edit_buttons = self._make_edit_buttons(window)
        self._lay_out()

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
        for button in (*buttons, self.reset_button):
            keep_room(button)
        return [*buttons, self.reset_button]

    def _lay_out(self):
        buttons = arrange(QHBoxLayout(), *self._edit_buttons, spacing=4)
        self.edit_column = arrange(QVBoxLayout(), buttons, spacing=2)
        edit_row = arrange(QHBoxLayout(), self.edits_label, self.edit_column,
                           stretched=self.edits_label)
        details = QWidget()
        self.pictures = QStackedLayout()
        for part in (self.cut_plot, self.no_values):
            self.pictures.addWidget(part)
        arrange(QVBoxLayout(details), self.score, self.pictures, edit_row, self.why,
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
        self.score.clear()
        self.findings = None
        self.table.set_rows([])
        self.message.setText(text)
        self.setCurrentWidget(self.message)

    def show_findings(self, findings):
        """Show a `Findings`."""
        self.setCurrentWidget(self.splitter)
        self.findings, self.index, analysis = findings, -1, findings.analysis
        self._thumbnails = findings.thumbnails()
        classes = value_colours(analysis.data.domain.class_var) \
            if analysis.has_classes else []
        colours = self._colours = [*classes, self.palette().mid().color()]
        self.table.set_rows(
            [self._row(index) for index in range(len(self.variables))],
            findings.parameters.method, findings.compared_method, colours,
            analysis.has_classes)
        self._fit_table()
        self.set_stale()
        self.score.show_findings(findings)

    def show_edits(self, name):
        """Show the cuts of the variables with this name after they were edited."""
        for index, variable in enumerate(self.variables):
            if variable.name == name:
                self.table.model.set_row(index, self._row(index))
                if index == self.index and self.cut_plot.picture is not None:
                    self._show_cuts()

    def _show_figures(self, own, compared):
        """Show figures of cross-validation, and the cuts of the folds."""
        self.table.model.set_figures(own, compared)
        self._update_bands()

    def set_stale(self):
        """Fade figures of earlier cuts, and hide the cuts of their folds."""
        self.table.model.set_stale(True)
        self.score.set_stale()
        self._update_bands()

    def _update_bands(self):
        if self.variable is not None and self.cut_plot.picture is not None:
            self.cut_plot.set_bands(self._bands())

    def _bands(self):
        """Return where folds put the cuts of the plot; None if it is not known."""
        bands = self.table.model.bands(self.index)
        # While a cut is added or dragged, the row of the table has other cuts
        fit = bands is not None and len(bands.n_found) == len(self.cut_plot.cuts)
        return bands if fit else None

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
        """
        Make the table as high as its rows, until a user does it.

        It has at most a third of the height, but room for a few rows.
        """
        if self._fits_table:
            table = self.table
            height = min(table.height_of(table.model.rowCount()), max(
                self.height() // 3, min(table.height_of(FEW_ROWS), self.height() // 2),
                LOWEST_TABLE))
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
            treatment, self._thumbnails[index],
            findings.found.missing and findings.analysis.missing_shares[index] > 0)

    def _show_picture(self):
        variable, plot, findings = self.variable, self.cut_plot, self.findings
        picture = findings.picture(self.index)
        self.pictures.setCurrentWidget(self.no_values if picture is None else plot)
        if picture is None:
            plot.clear_all()
            self.why.set_text("")
            return
        if picture is not plot.picture or variable is not plot.variable:
            plot.set_histogram(variable, picture, findings.classes,
                               self._colours[:len(findings.classes)])
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
        self._update_bands()
        method = findings.parameters.method
        if findings.parameters.estimator().makes_decisions:
            self.why.set_decisions(self.variable, decisions, cuts)
        else:
            self.why.set_text(
                f"{full_name(method)}. {DISCRETIZERS[method].description}")

    def _on_treated(self, index, treatment):
        self.edits.edit(self.variables[index], treatment)

    def _on_dragged(self, cuts):
        is_moved = list(cuts) != list(self.cuts(self.index))
        self.table.model.set_row(
            self.index, self._row(self.index, cuts if is_moved else None))
        self.set_stale()
        if is_moved:
            self.score.show_dragged(self.variable, cuts)
        else:
            self.score.show_findings(self.findings)

    def update_edits(self, carries_cuts):
        """Show where edits go: whether the preprocessor has edited cuts, with Undo."""
        stack, edits = self.edits.stack, self.edits
        edited = [edits.get(variable) for variable in self.variables
                  if variable in edits] if edits.treatments else []
        for button in self._edit_buttons:
            button.setVisible(bool(edited) or stack.canUndo() or stack.canRedo())
        self.reset_button.setEnabled(bool(edited))
        self.has_own_cuts = not all(isinstance(treatment, str) for treatment in edited)
        self.edits_label.setText(
            HINT if not edited else TREATED if not self.has_own_cuts else
            CARRIED_CUTS if carries_cuts else OWN_CUTS)
        self.edits_label.set_grey(not edited)
        # Sentences are beside the check box
        self.edits_label.setAlignment(
            Qt.AlignRight | Qt.AlignTop if edited else Qt.AlignLeft | Qt.AlignVCenter)

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
        if self.edits.get(self.variable) is not None \
                and cut not in self.findings.found.cut_points[self.index]:
            text += "\nPlaced by hand"
        bands = self._bands()
        return text if bands is None \
            else f"{text}\n{describe_band(bands, index, self.variable)}"

    def _describe_interval(self, index):
        cuts = self.cut_plot.cuts
        return "\n".join((describe_interval(
            self.variable, cuts, index, self.cut_plot.picture.count(cuts),
            self.findings.classes), HINT))
