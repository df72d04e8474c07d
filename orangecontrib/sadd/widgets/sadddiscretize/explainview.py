"""The main area of SADD Discretize: variables, and one of them in detail."""

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLabel, QPushButton, QSplitter, QStackedWidget

from orangecontrib.sadd.widgets.common.windows import Task
from orangecontrib.sadd.widgets.sadddiscretize.variablemodel import VariableRow
from orangecontrib.sadd.widgets.sadddiscretize.variabletable import VariableTable
from orangecontrib.sadd.widgets.sadddiscretize.variableview import VariableView

__all__ = ["ExplainView"]

# Heights of table and picture when first shown
HEIGHTS = [260, 460]
LOWEST_TABLE = 90


def load_picture(findings, index, _):
    """Return the index and the picture of a variable, in a thread: sorting is slow."""
    return index, findings.picture(index)


class ExplainView(QStackedWidget):
    """
    The table above, the pictures of the selected variable below.

    Parameters
    ----------
    edits : CutEdits
        Edited cuts, which are shown in place of those that were found.
    """

    #: Index of the variable and its cuts, None for those of the method
    cuts_edited = Signal(int, object)
    #: The ends of the interval that is selected, or None
    interval_selected = Signal(object)
    #: A user wants all variables reset
    reset_all = Signal()

    def __init__(self, edits, parent=None):
        super().__init__(parent)
        self.edits = edits
        self.loader = Task(self)
        self.loader.done.connect(self._on_loaded)
        self.message = QLabel(alignment=Qt.AlignCenter, wordWrap=True, margin=24)
        self.table = VariableTable()
        self.table.setMinimumHeight(LOWEST_TABLE)
        self.table.selected.connect(self.select)
        self.details = VariableView()
        self.cut_plot.interval_selected.connect(self.interval_selected)
        self.cut_plot.cuts_dragged.connect(self._on_dragged)
        self.cut_plot.cuts_edited.connect(self._on_edited)
        self.reset_button = QPushButton(
            "Reset", autoDefault=False,
            clicked=lambda: self.cuts_edited.emit(self.details.index, None))
        self.reset_all_button = QPushButton(
            "Reset All", autoDefault=False, clicked=lambda: self.reset_all.emit())
        self.details.buttons.addWidget(self.reset_button)
        self.details.buttons.addWidget(self.reset_all_button)
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=False)
        for part, stretch in ((self.table, 2), (self.details, 3)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.splitter.setSizes(HEIGHTS)
        self.addWidget(self.message)
        self.addWidget(self.splitter)

    @property
    def cut_plot(self):
        """The histogram with cuts."""
        return self.details.cut_plot

    @property
    def picture(self):
        """What it shows of the selected variable, None until it is loaded."""
        return self.details.picture

    @property
    def findings(self):
        """What is shown, or None."""
        return self.details.findings

    @property
    def variables(self):
        """The variables in the table."""
        return () if self.findings is None else self.findings.analysis.variables

    @property
    def variable(self):
        """The selected variable, or None."""
        return self.details.variable

    @property
    def n_edited(self):
        """The number of variables whose cuts are edited."""
        return sum(variable in self.edits for variable in self.variables)

    @property
    def n_discretized(self):
        """The number of variables with a cut."""
        return sum(len(self._cuts(index)) > 0 for index in range(len(self.variables)))

    def show_message(self, text):
        """Show a sentence in place of everything else."""
        self.loader.cancel()
        self.details.clear()
        self.table.set_rows([])
        self._update_buttons()
        self.message.setText(text)
        self.setCurrentWidget(self.message)

    def show_findings(self, findings):
        """Show what was found."""
        self.loader.cancel()
        self.details.set_findings(findings)
        self.setCurrentWidget(self.splitter)
        self.table.set_rows(map(self._row, range(len(self.variables))),
                            findings.compared_method,
                            list(findings.analysis.class_var.palette.qcolors))
        self._update_buttons()

    def show_edits(self, name):
        """Show the cuts of the variables with this name after they were edited."""
        for index, variable in enumerate(self.variables):
            if variable.name == name:
                if self._is_drawn(index):
                    self._show_cuts()
                self.table.set_row(index, self._row(index))
        self._update_buttons()

    def select(self, index):
        """Show the picture of a variable."""
        if self.findings is None or index < 0 or index == self.details.index:
            return
        self.details.set_variable(index)
        self._update_buttons()
        self.loader.start(load_picture, self.findings, index)

    def shutdown(self):
        """End all tasks."""
        self.loader.shutdown()
        self.details.shutdown()

    def _is_drawn(self, index):
        return index == self.details.index and self.picture is not None

    def _cuts(self, index):
        return self.edits.get(self.variables[index],
                              self.findings.found.cut_points[index])

    def _row(self, index, counts=None, cuts=None):
        """Return the row of a variable; with counts for cuts that are dragged."""
        findings, variable = self.findings, self.variables[index]
        cuts, compared = self._cuts(index) if cuts is None else cuts, ()
        if findings.compared is not None:
            other = findings.compared.cut_points[index]
            kept = findings.analysis.count(index, other)
            compared = len(other) + 1, kept.information, kept.share
        edited = counts is not None or variable in self.edits
        if counts is None:
            counts = self.picture.count(cuts) if self._is_drawn(index) \
                else findings.analysis.count(index, cuts)
        row = VariableRow(variable, len(cuts) + 1, counts.information, counts.share,
                          *compared)
        return row._replace(edited=edited, cuts=cuts,
                            thumbnail=findings.thumbnails[index])

    def _on_loaded(self, result):
        index, picture = result
        if self.findings is None or index != self.details.index:
            return
        self.details.set_picture(picture)
        if picture is not None:
            self._show_cuts()

    def _show_cuts(self):
        self.details.set_cuts(self._cuts(self.details.index),
                              self.variable in self.edits)

    def _on_edited(self, cuts):
        # Until the picture of a variable is loaded, that of another one is seen
        if self.cut_plot.variable is self.variable:
            self.cuts_edited.emit(self.details.index, cuts)

    def _on_dragged(self, cuts):
        if self.picture is not None:
            index, counts = self.details.index, self.picture.count(cuts)
            self.table.set_row(index, self._row(index, counts, cuts))
            self.details.show_counts(counts)

    def _update_buttons(self):
        edited = self.variable is not None and self.variable in self.edits
        self.reset_button.setEnabled(edited)
        self.reset_button.setToolTip(
            "Go back to the cuts of the method for this variable." if edited
            else "This variable has the cuts of the method already.")
        self.reset_all_button.setEnabled(self.n_edited > 0)
        self.reset_all_button.setToolTip(
            "Go back to the cuts of the method for all variables." if self.n_edited
            else "No variable is edited.")
