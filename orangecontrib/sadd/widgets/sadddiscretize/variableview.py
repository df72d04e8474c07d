"""A variable in detail: histogram, cuts, split tree, and how stable the cuts are."""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.descriptions import (
    describe_decision,
    describe_information,
    describe_interval,
)
from orangecontrib.sadd.explain.findings import (
    N_RESAMPLES,
    count_found_again,
    resampled_cuts,
)
from orangecontrib.sadd.widgets.common.controls import ElidedLabel, wrap_tip
from orangecontrib.sadd.widgets.common.windows import Task, make_callback
from orangecontrib.sadd.widgets.sadddiscretize.cutplot import CutPlot
from orangecontrib.sadd.widgets.sadddiscretize.splittree import SplitTree, Stories

__all__ = ["VariableView"]

HINT = ("Drag cuts, double-click to add one or to type its value, right-click to "
        "remove it; click an interval to select its rows.")
SHORT_HINT = "Drag cuts; double-click to add, right-click to remove one"

NO_VALUES = ("{} has no values: all are missing or infinite.\n"
             "Impute them, or remove the variable.")
LONGEST_NAME = 40

# Widths of picture and sentences when first shown
WIDTHS = [520, 220]
LOWEST_PLOT, LOWEST_TREE = 170, 44


def resample(findings, state):
    """Find the cuts of all variables in each resample of the rows, in a thread."""
    callback = make_callback(state)
    for cuts in resampled_cuts(findings.analysis.rows, findings.parameters,
                               callback=callback):
        callback(0)
        state.set_partial_result(cuts)


def shorten(name):
    """Return a name without its middle, if it is long."""
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[:half]}…{name[-half:]}"


class VariableView(QWidget):
    """
    The pictures of one variable.

    Attributes
    ----------
    findings : Findings or None
    index : int
        That of the variable.
    picture : Picture or None
        None until it is loaded, or if there are no values.
    resampled : list
        Cuts of all variables for each resample.
    """

    def __init__(self, parent=None):
        super().__init__(parent)
        self.findings, self.index = None, -1
        self.picture = None
        self.resampled = []
        self.stability = Task(self)
        self.stability.progressed.connect(self._on_resampled)
        self.stability.ended.connect(self._update_button)
        self.cut_plot = CutPlot()
        self.cut_plot.describe_cut = self._describe_cut
        self.cut_plot.describe_interval = self._describe_interval
        self.split_tree, self.stories = SplitTree(), Stories()
        for part in (self.split_tree, self.stories):
            part.hovered.connect(self._on_decision)
        self.cut_plot.getViewBox().sigXRangeChanged.connect(
            lambda _, ends: self.split_tree.show_range(*ends))
        self.tree_button = QToolButton(
            text="Split tree", checkable=True, autoRaise=True,
            toolButtonStyle=Qt.ToolButtonTextBesideIcon,
            toolTip="Show which intervals were considered, and what was decided.")
        self.tree_button.toggled.connect(self._on_tree_toggled)
        self.summary = ElidedLabel()
        self.stability_button = QPushButton(
            autoDefault=False, clicked=self._on_stability,
            toolTip=wrap_tip(f"Resample the labelled rows {N_RESAMPLES} times, and "
                             "show faintly where the cuts would be."))
        #: Buttons below; others may be added
        self.buttons = QHBoxLayout()
        self._lay_out()
        self.tree_button.setChecked(True)
        self._update_button()

    def _lay_out(self):
        self.cut_plot.setMinimumHeight(LOWEST_PLOT)
        self.split_tree.setMinimumHeight(LOWEST_TREE)
        top = QHBoxLayout()
        top.addWidget(self.tree_button)
        top.addWidget(self.summary, 1)
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.cut_plot, 5)
        layout.addLayout(top)
        layout.addWidget(self.split_tree, 2)
        beside = QSplitter(Qt.Horizontal)
        for part, width in zip((left, self.stories), WIDTHS, strict=True):
            beside.addWidget(part)
            beside.setStretchFactor(beside.count() - 1, width)
        beside.setCollapsible(0, False)
        beside.setSizes(WIDTHS)
        self.buttons.addWidget(ElidedLabel(HINT, SHORT_HINT), 1)
        self.buttons.addWidget(self.stability_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(beside)
        layout.addLayout(self.buttons)

    @property
    def variable(self):
        """The variable, or None."""
        if self.findings is None or self.index < 0:
            return None
        return self.findings.analysis.variables[self.index]

    def clear(self):
        """Show nothing."""
        self.set_findings(None)
        self.cut_plot.clear_all()
        self.split_tree.show_text("")
        self.stories.set_decisions(self.split_tree)
        self.summary.setText("")

    def set_findings(self, findings):
        """Forget the variable; the picture stays until another one is shown."""
        if self.findings is None or findings is None \
                or self.findings.found is not findings.found:
            self.stability.cancel()
            self.resampled = []
        self.findings, self.index, self.picture = findings, -1, None
        self._update_button()

    def set_variable(self, index):
        """Show the decisions about a variable; its picture is yet to come."""
        self.index, self.picture = index, None
        parameters, tree = self.findings.parameters, self.split_tree
        if parameters.estimator().makes_decisions:
            tree.set_decisions(self.variable, self._decisions(), self._is_adaptive())
        else:
            tree.show_text(
                f"{DISCRETIZERS[parameters.method].title} does not decide by a "
                "threshold; choose SADD or MDLP to see decisions")
        self.stories.set_decisions(tree)
        self._show_stories()

    def set_picture(self, picture):
        """Show the histogram of the variable; None if it has no values."""
        plot, variable = self.cut_plot, self.variable
        self.picture = picture
        if picture is None:
            plot.clear_all(NO_VALUES.format(shorten(variable.name)))
            self.split_tree.show_text("")
            self.summary.setText("")
        elif picture is not plot.picture or variable is not plot.variable:
            class_var = self.findings.analysis.class_var
            plot.set_histogram(
                variable, picture, class_var.values, list(class_var.palette.qcolors))
            self.split_tree.getAxis("left").setWidth(plot.axis_width)

    def set_cuts(self, cuts, is_edited):
        """Show cuts in the histogram."""
        findings = self.findings
        compared = () if findings.compared is None \
            else findings.compared.cut_points[self.index]
        name = "edited" if is_edited else findings.parameters.method
        self.cut_plot.set_cuts(
            cuts, f"{name} cuts", compared,
            f"{findings.compared_method} cuts" if findings.compared_method else "",
            () if is_edited else findings.weak_cuts(self.index),
            "Rests on pseudo-labels that are ignored: their confidence is below "
            f"{findings.parameters.min_confidence:.0%}")
        self._show_resamples()
        self.show_counts(self.picture.count(self.cut_plot.cuts))

    def show_counts(self, counts):
        """Show what intervals tell about the class."""
        self.summary.setText(describe_information(counts),
                             describe_information(counts, short=True))

    def shutdown(self):
        """End the task."""
        self.stability.shutdown()

    def _is_adaptive(self):
        return "n0" in self.findings.parameters.numbers

    def _decisions(self):
        return self.findings.found.decisions[self.index]

    def _on_tree_toggled(self, shown):
        self.tree_button.setArrowType(Qt.DownArrow if shown else Qt.RightArrow)
        self.split_tree.setVisible(shown)
        self._show_stories()

    def _show_stories(self):
        self.stories.setVisible(
            bool(self.split_tree.decisions) and self.tree_button.isChecked())

    def _on_decision(self, decision):
        self.split_tree.mark(decision)
        if decision is not None:
            self.stories.mark(decision)
        self.cut_plot.mark_interval(
            None if decision is None else (decision.lower, decision.upper))

    def _on_stability(self):
        if self.stability.task is not None:
            self.stability.cancel()
        elif self.findings is not None:
            self.resampled = []
            self._show_resamples()
            self.stability.start(resample, self.findings)
        self._update_button()

    def _on_resampled(self, cuts):
        self.resampled.append(cuts)
        self._show_resamples()
        self._update_button()

    def _show_resamples(self):
        if self.picture is not None:
            self.cut_plot.set_resampled(
                np.concatenate(self._resampled_cuts() or [[]]))

    def _resampled_cuts(self):
        return [cuts[self.index] for cuts in self.resampled]

    def _update_button(self):
        running = self.stability.task is not None
        self.stability_button.setText(
            f"Stop ({len(self.resampled)} of {N_RESAMPLES})" if running
            else "Check Stability")
        self.stability_button.setEnabled(self.findings is not None)

    def _describe_cut(self, index):
        if self.picture is None:
            return ""
        cut = self.cut_plot.cuts[index]
        text = next((describe_decision(decision, self.variable, self._is_adaptive())
                     for decision in self._decisions()
                     if decision.accepted and decision.cut == cut), "")
        if not text:
            counts = self.picture.count(self.cut_plot.cuts).table.sum(axis=0)
            text = (f"Cut at {self.variable.str_val(cut)}\n"
                    f"{counts[index]:,.10g} rows in the interval below, "
                    f"{counts[index + 1]:,.10g} in that above")
        if self.resampled:
            again = count_found_again(
                cut, self._resampled_cuts(), *self.picture.edges[[0, -1]])
            text += f"\nFound again in {again} of {len(self.resampled)} resamples"
        return text

    def _describe_interval(self, index):
        if self.picture is None:
            return ""
        cuts = self.cut_plot.cuts
        return describe_interval(self.variable, cuts, index, self.picture.count(cuts),
                                 self.findings.analysis.class_var.values)
