"""The main area of SADD Discretize: variables, the picture of one, its decisions."""

from dataclasses import dataclass

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
from Orange.widgets.utils.concurrent import ConcurrentMixin
from orangewidget.utils import enum_as_int

from orangecontrib.sadd.core.pseudolabels.neighbours import PseudoLabels
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.explain.analysis import (
    Analysis,
    Explained,
    Parameters,
    share_kept,
)
from orangecontrib.sadd.widgets.cutting.cutplot import CutPlot
from orangecontrib.sadd.widgets.cutting.decisionplot import (
    DecisionPlot,
    describe_decision,
)
from orangecontrib.sadd.widgets.cutting.variablemodel import VariableRow
from orangecontrib.sadd.widgets.cutting.variabletable import VariableTable

__all__ = ["ExplainView", "Shown"]

HINT = "Drag cuts, double-click to add one, right-click to remove."

# Heights of table, picture and decisions at first
HEIGHTS = [230, 300, 190]


@dataclass(frozen=True, eq=False)
class Shown:
    """What is shown: a discretization, and one it is compared with, if any."""

    analysis: Analysis
    parameters: Parameters
    labels: PseudoLabels | None
    explained: Explained
    compared: Explained | None = None
    compared_method: str = ""


class PictureLoader(QObject, ConcurrentMixin):
    """Draws the histogram of a variable in a thread: sorting it takes time."""

    #: Index of the variable, and its Picture or None
    loaded = Signal(int, object)

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        ConcurrentMixin.__init__(self)

    def load(self, shown, index):
        """Start; what was being loaded is forgotten."""
        self.start(self._run, shown.analysis, index, shown.labels)

    @staticmethod
    def _run(analysis, index, labels, _):
        return index, analysis.picture(index, labels)

    def on_done(self, result):
        self.loaded.emit(*result)


class ElidedLabel(QLabel):
    """A line of text that takes what room there is."""

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
    """The table above, the pictures of the selected variable below."""

    #: Index of the variable and its cuts, None for those of the method
    cuts_edited = Signal(int, object)
    #: A user wants all variables reset
    reset_all = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.shown = None
        self.edits = {}
        self.counts = {}
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
        self.cut_plot.cuts_edited.connect(
            lambda cuts: self.cuts_edited.emit(self.index, cuts))
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
        """Show a sentence instead of all else."""
        self.loader.cancel()
        self.shown, self.picture = None, None
        self.edits, self.counts = {}, {}
        self.table.set_rows([])
        self.cut_plot.clear_all()
        self.decision_plot.show_text("")
        self.message.setText(text)
        self.setCurrentWidget(self.message)

    def show_result(self, shown, edits, counts):
        """
        Show a discretization.

        Parameters
        ----------
        shown : Shown
        edits, counts : dict
            Edited cuts, and rows between them, by index of the variable.
        """
        self.loader.cancel()
        self.shown, self.edits, self.counts = shown, dict(edits), dict(counts)
        self.picture = None
        self.setCurrentWidget(self.splitter)
        variables = shown.analysis.variables
        self.index = -1
        self.table.set_rows(map(self._row, range(len(variables))),
                            shown.compared_method)
        self._update_buttons()

    def set_edits(self, edits):
        """Show other edited cuts; those of the selected variable at once."""
        changed = [index for index in {*edits, *self.edits}
                   if edits.get(index) != self.edits.get(index)]
        self.edits = dict(edits)
        for index in changed:
            self.counts.pop(index, None)
            if index == self.index and self.picture is not None:
                if index in edits:
                    self.counts[index] = self.picture.counts(edits[index])
                self._show_cuts()
            self.table.set_row(index, self._row(index))
        self._update_buttons()

    def select(self, index):
        """Show the picture of a variable."""
        if self.shown is None or index < 0 or index == self.index:
            return
        self.index = index
        self.picture = None
        self._show_decisions()
        self._update_buttons()
        self.loader.load(self.shown, index)

    @property
    def variable(self):
        """The selected variable."""
        if self.shown is None or self.index < 0:
            return None
        return self.shown.analysis.variables[self.index]

    def _cuts(self, index):
        return self.edits.get(index, self.shown.explained.cut_points[index])

    def _row(self, index):
        shown = self.shown
        variable = shown.analysis.variables[index]
        compared = ()
        if shown.compared is not None:
            compared = (len(shown.compared.cut_points[index]) + 1,
                        shown.compared.information[index],
                        shown.compared.share[index])
        cuts = self._cuts(index)
        if index in self.counts:
            counts = self.counts[index]
            figures = mutual_information(counts[:-1]), share_kept(counts)
        else:
            figures = (shown.explained.information[index],
                       shown.explained.share[index])
        row = VariableRow(variable, len(cuts) + 1, *figures, *compared)
        return row._replace(edited=index in self.edits, cuts=cuts)

    def _on_loaded(self, index, picture):
        if self.shown is None or index != self.index:
            return
        self.picture = picture
        if picture is None:
            self.cut_plot.clear_all()
            return
        class_var = self.shown.analysis.class_var
        self.cut_plot.set_histogram(
            self.variable, picture, class_var.values, list(class_var.palette.qcolors))
        self._show_cuts()

    def _show_cuts(self):
        shown = self.shown
        compared = () if shown.compared is None \
            else shown.compared.cut_points[self.index]
        name = "edited" if self.index in self.edits else shown.parameters.method
        self.cut_plot.set_cuts(
            self._cuts(self.index), f"{name} cuts", compared,
            f"{shown.compared_method} cuts" if shown.compared_method else "")

    def _show_decisions(self):
        method = self.shown.parameters.method
        decisions = self.shown.explained.found.decisions[self.index]
        if method in ("SADD", "MDLP"):
            self.decision_plot.set_decisions(
                self.variable, decisions, method == "SADD")
        else:
            self.decision_plot.show_text(
                f"{DISCRETIZERS[method].title} does not decide by a threshold; "
                "choose SADD or MDLP to see decisions.")

    def _on_dragged(self, cuts):
        counts = self.picture.counts(cuts)
        row = self._row(self.index)
        self.table.set_row(self.index, row._replace(
            information=mutual_information(counts[:-1]), share=share_kept(counts),
            edited=True))

    def _on_decision(self, decision):
        self.cut_plot.mark_interval(
            None if decision is None else (decision.lower, decision.upper))

    def _describe_cut(self, index):
        cut = self.cut_plot.cuts[index]
        counts = self.picture.counts(self.cut_plot.cuts).sum(axis=0)
        lines = [f"Cut at {self.variable.str_val(cut)}",
                 f"{counts[index]:,.10g} rows in the interval below, "
                 f"{counts[index + 1]:,.10g} in that above"]
        for decision in self.shown.explained.found.decisions[self.index]:
            if decision.accepted and decision.cut == cut:
                lines = [describe_decision(decision, self.variable,
                                           self.shown.parameters.method == "SADD")]
        return "\n".join(lines)

    def _update_buttons(self):
        edited = self.index in self.edits
        self.reset_button.setEnabled(edited)
        self.reset_button.setToolTip(
            "Bring back the cuts of the method for this variable." if edited
            else "The cuts of this variable are those of the method already.")
        self.reset_all_button.setEnabled(bool(self.edits))
        self.reset_all_button.setToolTip(
            "Bring back the cuts of the method for all variables." if self.edits
            else "No variable is edited.")
