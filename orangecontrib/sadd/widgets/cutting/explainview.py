"""The main area of SADD Discretize: variables, the picture of one, its decisions."""

from AnyQt.QtCore import QObject, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl
from orangewidget.utils import enum_as_int

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.trust import describe_labeller
from orangecontrib.sadd.widgets.common.tasks import TaskMixin
from orangecontrib.sadd.widgets.cutting.cutplot import CutPlot
from orangecontrib.sadd.widgets.cutting.decisionplot import (
    DecisionPlot,
    describe_decision,
)
from orangecontrib.sadd.widgets.cutting.variabletable import VariableRow, VariableTable

__all__ = ["ExplainView"]

HINT = "Drag cuts, double-click to add one, right-click to remove."

# Heights of table, picture and decisions when first shown
HEIGHTS = [230, 300, 190]


class PictureLoader(QObject, TaskMixin):
    """Counts the histogram of a variable in a thread, since sorting takes time."""

    #: Index of the variable, and its Picture or None
    loaded = Signal(int, object)

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        TaskMixin.__init__(self)

    def load(self, findings, index):
        """Load the picture of a variable in place of any that is being loaded."""
        self.start(self._run, findings.analysis, index, findings.labels)

    @staticmethod
    def _run(analysis, index, labels, _):
        return index, analysis.picture(index, labels)

    def on_done(self, result):
        self.loaded.emit(*result)


class ElidedLabel(QLabel):
    """A line of text that is cut off where there is no room."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)

    def paintEvent(self, _):
        text = self.fontMetrics().elidedText(self.text(), Qt.ElideRight, self.width())
        painter = QPainter(self)
        self.style().drawItemText(
            painter, self.rect(), enum_as_int(Qt.AlignLeft | Qt.AlignVCenter),
            self.palette(), self.isEnabled(), text, self.foregroundRole())


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
    #: A user wants all variables reset
    reset_all = Signal()

    def __init__(self, edits, parent=None):
        super().__init__(parent)
        self.edits = edits
        self.findings = None
        self.index = -1
        self.picture = None
        self.loader = PictureLoader(self)
        self.loader.loaded.connect(self._on_loaded)

        self.message = QLabel(alignment=Qt.AlignCenter, wordWrap=True, margin=24)
        self.table = VariableTable()
        self.table.selected.connect(self.select)
        self.cut_plot = CutPlot()
        self.cut_plot.describe_cut = self._describe_cut
        self.cut_plot.cuts_dragged.connect(self._on_dragged)
        self.cut_plot.cuts_edited.connect(self._on_edited)
        self.decision_plot = DecisionPlot()
        self.decision_plot.hovered.connect(self._on_decision)

        self.reset_button = QPushButton(
            "Reset", autoDefault=False,
            clicked=lambda: self.cuts_edited.emit(self.index, None))
        self.reset_all_button = QPushButton(
            "Reset All", autoDefault=False, clicked=lambda: self.reset_all.emit())
        self.buttons = QHBoxLayout()
        self.buttons.addWidget(ElidedLabel(HINT, toolTip=HINT), 1)
        self.buttons.addWidget(self.reset_button)
        self.buttons.addWidget(self.reset_all_button)
        picture = QWidget()
        layout = QVBoxLayout(picture)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.cut_plot)
        layout.addLayout(self.buttons)

        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=False)
        for part, stretch in ((self.table, 3), (picture, 4), (self.decision_plot, 3)):
            part.setMinimumHeight(90)
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.splitter.setSizes(HEIGHTS)
        self.addWidget(self.message)
        self.addWidget(self.splitter)

    def show_message(self, text):
        """Show a sentence in place of everything else."""
        self.loader.cancel()
        self.findings = self.picture = None
        self.index = -1
        self.table.set_rows([])
        self.cut_plot.clear_all()
        self.decision_plot.show_text("")
        self._update_buttons()
        self.message.setText(text)
        self.setCurrentWidget(self.message)

    def show_findings(self, findings):
        """Show what was found."""
        self.loader.cancel()
        self.findings, self.picture = findings, None
        self.setCurrentWidget(self.splitter)
        self.index = -1
        self.table.set_rows(map(self._row, range(len(self.variables))),
                            findings.compared_method)
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
        if self.findings is None or index < 0 or index == self.index:
            return
        self.index = index
        self.picture = None
        self._show_decisions()
        self._update_buttons()
        self.loader.load(self.findings, index)

    @property
    def variables(self):
        """The variables in the table."""
        return () if self.findings is None else self.findings.analysis.variables

    @property
    def variable(self):
        """The selected variable, or None."""
        if self.findings is None or self.index < 0:
            return None
        return self.variables[self.index]

    @property
    def n_edited(self):
        """The number of variables whose cuts are edited."""
        return sum(variable in self.edits for variable in self.variables)

    def describe_status(self, labeller):
        """
        Return how good labels are, and the numbers of rows and of variables.

        Parameters
        ----------
        labeller : str
            Its title.
        """
        analysis = self.findings.analysis
        lines = describe_labeller(self.findings.labelling, labeller)
        n_labelled, n_variables = analysis.n_labelled, len(self.variables)
        lines.append(f"{n_labelled:,} labelled {pl(n_labelled, 'row')}, "
                     f"{analysis.n_unlabelled:,} unlabelled")
        n_cut = sum(len(self._cuts(index)) > 0 for index in range(n_variables))
        lines.append(
            f"{n_cut:,} of {n_variables:,} {pl(n_variables, 'variable')} discretized")
        return "\n".join(lines)

    def _is_drawn(self, index):
        return index == self.index and self.picture is not None

    def _cuts(self, index):
        return self.edits.get(self.variables[index],
                              self.findings.found.cut_points[index])

    def _row(self, index, counts=None):
        """Return the row of a variable; with counts for cuts that are dragged."""
        findings, variable = self.findings, self.variables[index]
        cuts, compared = self._cuts(index), ()
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
        return row._replace(edited=edited, cuts=cuts)

    def _on_loaded(self, index, picture):
        if self.findings is None or index != self.index:
            return
        self.picture = picture
        if picture is None:
            self.cut_plot.clear_all()
            return
        class_var = self.findings.analysis.class_var
        self.cut_plot.set_histogram(
            self.variable, picture, class_var.values, list(class_var.palette.qcolors))
        self._show_cuts()

    def _show_cuts(self):
        findings = self.findings
        compared = () if findings.compared is None \
            else findings.compared.cut_points[self.index]
        name = "edited" if self.variable in self.edits else findings.parameters.method
        self.cut_plot.set_cuts(
            self._cuts(self.index), f"{name} cuts", compared,
            f"{findings.compared_method} cuts" if findings.compared_method else "")

    def _show_decisions(self):
        method = self.findings.parameters.method
        if method in ("SADD", "MDLP"):
            self.decision_plot.set_decisions(
                self.variable, self._decisions(), method == "SADD")
        else:
            self.decision_plot.show_text(
                f"{DISCRETIZERS[method].title} does not decide by a threshold; "
                "choose SADD or MDLP to see decisions.")

    def _decisions(self):
        return self.findings.found.decisions[self.index]

    def _on_edited(self, cuts):
        # Until the picture of a variable is loaded, that of another one is seen
        if self.cut_plot.variable is self.variable:
            self.cuts_edited.emit(self.index, cuts)

    def _on_dragged(self, cuts):
        if self.picture is not None:
            self.table.set_row(
                self.index, self._row(self.index, self.picture.count(cuts)))

    def _on_decision(self, decision):
        self.cut_plot.mark_interval(
            None if decision is None else (decision.lower, decision.upper))

    def _describe_cut(self, index):
        if self.picture is None:
            return ""
        cut = self.cut_plot.cuts[index]
        for decision in self._decisions():
            if decision.accepted and decision.cut == cut:
                return describe_decision(decision, self.variable,
                                         self.findings.parameters.method == "SADD")
        counts = self.picture.count(self.cut_plot.cuts).table.sum(axis=0)
        return (f"Cut at {self.variable.str_val(cut)}\n"
                f"{counts[index]:,.10g} rows in the interval below, "
                f"{counts[index + 1]:,.10g} in that above")

    def _update_buttons(self):
        edited = self.variable is not None and self.variable in self.edits
        self.reset_button.setEnabled(edited)
        self.reset_button.setToolTip(
            "Bring back the cuts of the method for this variable." if edited
            else "The cuts of this variable are those of the method already.")
        self.reset_all_button.setEnabled(self.n_edited > 0)
        self.reset_all_button.setToolTip(
            "Bring back the cuts of the method for all variables." if self.n_edited
            else "No variable is edited.")
