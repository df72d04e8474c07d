"""The split tree: a bar for each interval that was considered, with its best cut."""

import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPainter, QPalette, QPen
from AnyQt.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate
from Orange.widgets.visualize.utils.plotutils import AxisItem, PlotWidget

from orangecontrib.sadd.explain.descriptions import (
    arrange,
    describe_decision,
    summarize_decision,
)
from orangecontrib.sadd.widgets.sadddiscretize.histogramitems import PlotText

__all__ = ["SplitTree", "Stories"]

# Room between the bars of two levels, as a fraction of both
GAP = 0.3

# Bars are no higher than this, in pixels; the marks of refused cuts are so wide
HIGHEST_BAR = 16
MARK = 3.5

# More decisions than this are drawn, but not told
MOST_STORIES = 300


class TreeItem(pg.GraphicsObject):
    """The bars, the highest level above; x is as in the histogram."""

    def __init__(self, plot):
        super().__init__()
        self._plot = plot
        self.nodes = []
        self.marked = None
        self.setAcceptHoverEvents(True)

    def set_nodes(self, nodes):
        """Show other decisions."""
        self.prepareGeometryChange()
        self.nodes, self.marked = nodes, None
        self.update()

    @property
    def n_levels(self):
        """The number of levels, at least one."""
        return 1 + max((node.depth for node in self.nodes), default=0)

    def boundingRect(self):
        low, high = self._plot.x_range()
        return QRectF(low, 0, high - low, self.n_levels)

    def at(self, position):
        """Return the decision at a position, or None."""
        for decision, depth in self.nodes:
            if depth == int(position.y()) and \
                    decision.lower <= position.x() < decision.upper:
                return decision
        return None

    def paint(self, painter, *_):
        # In pixels: marks are as large on the screen at any scale
        transform = painter.worldTransform()
        low, high = self._plot.x_range()
        palette = self._plot.palette()
        text, mark = palette.color(QPalette.Text), palette.color(QPalette.Highlight)
        fill = QColor(text)
        fill.setAlphaF(.13)
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.Antialiasing)
        for decision, depth in self.nodes:
            left, right = max(decision.lower, low), min(decision.upper, high)
            if left >= right:
                continue
            bar = transform.mapRect(
                QRectF(left, depth + GAP / 2, right - left, 1 - GAP))
            if bar.height() > HIGHEST_BAR:
                bar = QRectF(bar.left(), bar.center().y() - HIGHEST_BAR / 2,
                             bar.width(), HIGHEST_BAR)
            bar.adjust(1, 0, -1, 0)
            painter.setPen(QPen(fill, 1))
            painter.setBrush(mark if decision is self.marked else fill)
            painter.drawRect(bar)
            if not low <= decision.cut <= high:
                continue
            x = transform.map(QPointF(decision.cut, depth)).x()
            if decision.accepted:
                painter.setPen(QPen(text, 2.5))
                painter.drawLine(QPointF(x, bar.top() - 1),
                                 QPointF(x, bar.bottom() + 1))
            else:
                painter.setPen(QPen(text, 1.2))
                painter.setBrush(palette.color(QPalette.Base))
                size = min(MARK, bar.height() / 2)
                painter.drawEllipse(QPointF(x, bar.center().y()), size, size)
        painter.restore()

    def hoverMoveEvent(self, event):
        decision = self.at(event.pos())
        self.setToolTip("" if decision is None else self._plot.describe(decision))
        self._plot.hovered.emit(decision)

    def hoverLeaveEvent(self, _):
        self._plot.hovered.emit(None)


class LevelAxis(AxisItem):
    """Left axis without numbers, as wide as that of the histogram."""

    def tickValues(self, minVal, maxVal, size):
        return []


class SplitTree(PlotWidget):
    """All decisions about a variable, on the axis of its histogram."""

    #: The decision under the mouse, or None
    hovered = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent, enableMenu=False,
                         axisItems={"left": LevelAxis("left")})
        self.setAccessibleName("Split tree")
        self.setAccessibleDescription(
            "Bars for the intervals that were considered, with their best cuts")
        self.variable = None
        self.adaptive = True
        self.plotItem.hideButtons()
        self.plotItem.hideAxis("bottom")
        self.plotItem.setContentsMargins(4, 0, 12, 0)
        view = self.getViewBox()
        view.setMouseEnabled(x=False, y=False)
        view.disableAutoRange()
        view.invertY(True)
        self.getAxis("left").setLabel("Splits")
        self.tree = TreeItem(self)
        self.addItem(self.tree, ignoreBounds=True)
        self.text = PlotText(view)
        self._update_colours()
        self.show_text("")

    @property
    def decisions(self):
        """The decisions that are shown, by depth, then from left to right."""
        return [node.decision for node in self.tree.nodes]

    def x_range(self):
        """Return the range of values that is shown."""
        return self.getViewBox().viewRange()[0]

    def set_decisions(self, variable, decisions, adaptive):
        """
        Show the decisions about a variable.

        Parameters
        ----------
        variable : ContinuousVariable
        decisions : list of Decision
        adaptive : bool
            Whether the method adapts its threshold.
        """
        self.variable, self.adaptive = variable, adaptive
        if not decisions:
            self.show_text("No interval can be cut: all values are equal, or all rows "
                           "are of one class")
            return
        self.text.hide()
        self.plotItem.showAxis("left", True)
        self.tree.set_nodes(arrange(decisions))
        self.getViewBox().setYRange(0, self.tree.n_levels, padding=0)

    def show_text(self, text):
        """Show a sentence in place of the tree."""
        self.tree.set_nodes([])
        self.plotItem.showAxis("left", False)
        self.getViewBox().setYRange(0, 1, padding=0)
        self.text.set_sentence(text)
        self.text.show()

    def show_range(self, low, high):
        """Show the same values as the histogram."""
        self.getViewBox().setXRange(low, high, padding=0)
        self.tree.prepareGeometryChange()

    def mark(self, decision):
        """Mark a decision; None for no mark."""
        if self.tree.marked is not decision:
            self.tree.marked = decision
            self.tree.update()

    def describe(self, decision):
        """Return what was decided, in a few lines."""
        return describe_decision(decision, self.variable, self.adaptive)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "text"):
            self._update_colours()

    def _update_colours(self):
        colour = self.palette().color(QPalette.Text)
        colour.setAlphaF(.6)
        self.text.setColor(colour)
        self.tree.update()


class StoryDelegate(QStyledItemDelegate):
    """Lets items be as high as they are painted: Qt leaves room for a scroll bar."""

    def sizeHint(self, option, index):
        option.rect.setWidth(self.parent().viewport().width())
        return super().sizeHint(option, index)


class Stories(QListWidget):
    """A sentence for each decision, in the order of the tree."""

    #: The decision under the mouse, or None
    hovered = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent, wordWrap=True, mouseTracking=True,
                         alternatingRowColors=True,
                         resizeMode=QListWidget.Adjust,
                         selectionMode=QListWidget.NoSelection)
        self.setAccessibleName("Decisions")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setMinimumWidth(60)
        self.setItemDelegate(StoryDelegate(self))
        self._decisions = []
        self.itemEntered.connect(
            lambda item: self.hovered.emit(self._decision(self.row(item))))

    def set_decisions(self, tree):
        """Show the sentences of the decisions in a tree."""
        self.clear()
        self._decisions = tree.decisions
        faint = self.palette().color(QPalette.Text)
        faint.setAlphaF(.6)
        for decision in self._decisions[:MOST_STORIES]:
            item = QListWidgetItem(summarize_decision(decision, tree.variable))
            item.setToolTip(tree.describe(decision))
            if not decision.accepted:
                item.setForeground(faint)
            self.addItem(item)
        rest = len(self._decisions) - MOST_STORIES
        if rest > 0:
            self.addItem(f"and {rest:,} more")

    def sentences(self):
        """Return the sentences."""
        return [self.item(row).text() for row in range(self.count())]

    def mark(self, decision):
        """Show the sentence about a decision."""
        for row, other in enumerate(self._decisions[:MOST_STORIES]):
            if other is decision:
                self.scrollToItem(self.item(row))

    def _decision(self, row):
        return self._decisions[row] if row < min(len(self._decisions), MOST_STORIES) \
            else None

    def leaveEvent(self, event):
        super().leaveEvent(event)
        self.hovered.emit(None)
