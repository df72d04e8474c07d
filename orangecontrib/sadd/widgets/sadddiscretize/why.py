"""The decisions behind cuts: split tree, and a sentence for each decision."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QToolTip,
)
from Orange.widgets.visualize.utils.plotutils import PlotWidget

from orangecontrib.sadd.explain.descriptions import (
    as_tree,
    describe_decision,
    write_sentences,
)
from orangecontrib.sadd.widgets.common.controls import faint
from orangecontrib.sadd.widgets.common.folds import Fold

__all__ = ["SplitTree", "Sentences", "Why"]

# More decisions than this are drawn, but have no sentence
MOST_SENTENCES = 300
TREE_HEIGHT = 84
SENTENCE_LINES = 4

NO_DECISIONS = ("No interval can be cut: all values are equal, or all rows are of one "
                "class.")


class SplitTree(PlotWidget):
    """
    A bar for each interval that was considered, aligned with the histogram.

    A filled mark is an accepted cut, and a hollow mark a rejected cut. Diamonds are
    cuts that a user set.

    Parameters
    ----------
    histogram : PlotWidget
    """

    #: The decision under the mouse, or None
    hovered = Signal(object)

    def __init__(self, histogram):
        super().__init__(enableMenu=False)
        self.setAccessibleName("Split tree")
        self.setAccessibleDescription(
            "Bars for the intervals that were considered, with their best cuts")
        self.nodes, self._marked, self._cuts = [], None, ()
        self.describe = lambda decision: ""
        self.bars = pg.BarGraphItem(x0=[], x1=[], y0=[], height=.7)
        self.marks = pg.ScatterPlotItem(size=8)
        for item in (self.bars, self.marks):
            self.addItem(item, ignoreBounds=True)
        self.plotItem.hideButtons()
        for side in ("left", "bottom"):
            self.plotItem.hideAxis(side)
        view, self._axis = self.getViewBox(), histogram.getViewBox()
        view.setMouseEnabled(x=False, y=False)
        view.disableAutoRange()
        view.invertY(True)
        view.setXLink(self._axis)
        self._axis.sigResized.connect(view.linkedXChanged)
        self.setFixedHeight(TREE_HEIGHT)

    def set_nodes(self, nodes, cuts):
        """Show decisions, and cuts in use."""
        self.nodes, self._cuts, self._marked = nodes, cuts, None
        n_levels = 1 + max((node.depth for node in nodes), default=0)
        self.getViewBox().setYRange(0, n_levels, padding=0)
        self._draw()

    def _draw(self):
        text = self.palette().color(QPalette.Text)
        base = self.palette().color(QPalette.Base)
        mark = self.palette().color(QPalette.Highlight)
        low, high = self._axis.state["limits"]["xLimits"]
        ends = np.array([(node.decision.lower, node.decision.upper)
                         for node in self.nodes]).reshape(-1, 2).clip(low, high)
        colours = [mark if node.decision is self._marked else faint(text, .13)
                   for node in self.nodes]
        self.bars.setOpts(x0=ends[:, 0], x1=ends[:, 1],
                          y0=[node.depth + .15 for node in self.nodes],
                          pen=pg.mkPen(base), brushes=colours)
        found = {node.decision.cut for node in self.nodes if node.decision.accepted}
        own = [cut for cut in self._cuts if cut not in found]
        self.marks.setData(
            [node.decision.cut for node in self.nodes] + own,
            [node.depth + .5 for node in self.nodes] + [.5] * len(own),
            symbol=["o"] * len(self.nodes) + ["d"] * len(own),
            pen=pg.mkPen(text),
            brush=[pg.mkBrush(text if node.decision.accepted
                              and node.decision.cut in self._cuts else base)
                   for node in self.nodes] + [pg.mkBrush(mark)] * len(own))

    def mark(self, decision):
        """Mark a decision; None for no mark."""
        if self._marked is not decision:
            self._marked = decision
            self._draw()

    def at(self, value, depth):
        """Return the decision at a position, or None."""
        return next((decision for decision, level in self.nodes
                     if level == int(depth)
                     and decision.lower <= value < decision.upper), None)

    def _decision_at(self, position):
        place = self.getViewBox().mapSceneToView(self.mapToScene(position))
        return self.at(place.x(), place.y())

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        self.hovered.emit(self._decision_at(event.pos()))

    def leaveEvent(self, event):
        super().leaveEvent(event)
        self.hovered.emit(None)

    def viewportEvent(self, event):
        if event.type() == QEvent.ToolTip:
            decision = self._decision_at(event.pos())
            QToolTip.showText(event.globalPos(), "" if decision is None
                              else self.describe(decision), self)
            return True
        return super().viewportEvent(event)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "marks"):
            self._draw()


class Sentences(QListWidget):
    """A sentence for each decision, in the order of the tree, and for a user's cuts."""

    #: The decision under the mouse, or None
    hovered = Signal(object)

    def __init__(self):
        super().__init__(wordWrap=True, mouseTracking=True,
                         alternatingRowColors=True, resizeMode=QListWidget.Adjust,
                         selectionMode=QListWidget.NoSelection)
        self.setAccessibleName("Decisions")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setFixedHeight(SENTENCE_LINES * (self.fontMetrics().height() + 4))
        self._sentences = []
        self.itemEntered.connect(lambda item: self.hovered.emit(
            self._sentences[self.row(item)].decision
            if self.row(item) < len(self._sentences) else None))

    def set_sentences(self, sentences, describe):
        """Show sentences; `describe` returns the tooltip of a decision."""
        self.clear()
        self._sentences = sentences[:MOST_SENTENCES]
        grey = faint(self.palette().color(QPalette.Text), .6)
        for text, decision in self._sentences:
            item = QListWidgetItem(text)
            if decision is not None:
                item.setToolTip(describe(decision))
                if not decision.accepted:
                    item.setForeground(grey)
            self.addItem(item)
        rest = len(sentences) - MOST_SENTENCES
        if rest > 0:
            self.addItem(f"and {rest:,} more")

    def texts(self):
        """Return the sentences."""
        return [self.item(row).text() for row in range(self.count())]

    def mark(self, decision):
        """Show the sentence about a decision."""
        for row, sentence in enumerate(self._sentences):
            if decision is not None and sentence.decision is decision:
                self.scrollToItem(self.item(row))

    def leaveEvent(self, event):
        super().leaveEvent(event)
        self.hovered.emit(None)


class Why(Fold):
    """The fold with the split tree and the sentences, below a histogram."""

    def __init__(self, window, histogram):
        super().__init__(window, "why", "Why these cuts")
        self._histogram = histogram
        self.tree, self.sentences = SplitTree(histogram), Sentences()
        self.text = QLabel(wordWrap=True)
        for part in (self.tree, self.sentences):
            part.hovered.connect(self._on_hovered)
        self.form.setContentsMargins(0, 0, 0, 0)
        for part in (self.text, self.tree, self.sentences):
            self.form.addRow(part)

    def set_decisions(self, variable, decisions, cuts):
        """
        Show decisions.

        Parameters
        ----------
        variable : ContinuousVariable
        decisions : list of Decision
        cuts : sequence of float
            The cuts in use.
        """
        nodes, cuts = as_tree(decisions), list(cuts)
        self.tree.describe = lambda decision: describe_decision(decision, variable)
        self.set_text("" if nodes else NO_DECISIONS)
        self.tree.set_nodes(nodes, cuts)
        self.sentences.set_sentences(
            write_sentences(nodes, cuts, variable), self.tree.describe)

    def set_text(self, text):
        """Show a message in place of decisions."""
        self.text.setText(text)
        self.text.setVisible(bool(text))
        for part in (self.tree, self.sentences):
            part.setVisible(not text)
        self.tree.set_nodes([], ())
        self.sentences.set_sentences([], None)

    def _on_hovered(self, decision):
        self.tree.mark(decision)
        self.sentences.mark(decision)
        self._histogram.mark_interval(
            None if decision is None else (decision.lower, decision.upper))
