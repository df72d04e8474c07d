"""The picture of a variable: histogram by class, cuts that can be edited."""

from math import ceil, log10

import numpy as np
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QMenu, QToolTip

from orangecontrib.sadd.intervals import cut_names
from orangecontrib.sadd.widgets.sadddiscretize.cutlines import CutField, CutLines
from orangecontrib.sadd.widgets.sadddiscretize.histogramitems import LegendEntry
from orangecontrib.sadd.widgets.sadddiscretize.histogramplot import HistogramPlot

__all__ = ["CutPlot"]

# Cuts snap to the middle between two values from so far away, in pixels
SNAP = 3


class CutPlot(HistogramPlot):
    """
    The histogram of a variable, with cuts as lines.

    Cuts can be dragged, added by double click, and removed in a menu. A click
    selects a cut: arrow keys move it past the next value, Delete removes it, and Enter,
    like a double click, lets one type its value. A click between cuts selects the
    interval.
    """

    #: All cuts of the variable while one of them is being dragged
    cuts_dragged = Signal(object)
    #: All cuts after a cut was moved, added or removed
    cuts_edited = Signal(object)
    #: The ends of the interval that is selected, or None
    interval_selected = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.cuts, self.compared, self.compared_name = [], [], ""
        #: The index of the cut that is selected, or None
        self.selected = None
        # The cut that is to be selected when cuts are set
        self._moved = None
        #: The ends of the interval that is selected, or None
        self.interval = None
        #: Called with the index of a cut or an interval, returns its tooltip
        self.describe_cut = self.describe_interval = lambda index: ""
        self.chosen = self.make_region()
        self.cut_lines = CutLines(self)
        self.field = CutField(self)
        self.field.typed.connect(self._on_typed)
        self.setFocusPolicy(Qt.StrongFocus)
        view = self.getViewBox()
        view.sigXRangeChanged.connect(self.cut_lines.make)
        view.sigResized.connect(self.cut_lines.place_flags)
        self.scene().sigMouseClicked.connect(self._on_click)
        self.update_colours()

    @property
    def lines(self):
        """The lines of visible cuts, by index."""
        return self.cut_lines.lines

    def set_histogram(self, variable, picture, classes, colours):
        """Show another variable; parameters are as for any histogram."""
        if variable is not self.variable:
            self._forget()
        self.cuts, self.compared = [], []  # those of another variable
        super().set_histogram(variable, picture, classes, colours)

    def set_cuts(self, cuts, name, compared=(), compared_name="", weak=(), weak_tip=""):
        """
        Show cuts above the axis, and those they are compared with below.

        Parameters
        ----------
        cuts, compared, weak : sequence of float
            The latter are those that vanish if weak labels are ignored.
        name, compared_name : str
            For the legend.
        weak_tip : str
            The tooltip of the latter.
        """
        if self._moved is None and self._has_selected():
            self._moved = self.cuts[self.selected]
        self.cuts = [float(cut) for cut in cuts]
        self.compared = [float(cut) for cut in compared]
        self.compared_name = compared_name
        self.selected = self.cuts.index(self._moved) if self._moved in self.cuts \
            else None
        self._moved = None
        self.cut_lines.weak, self.cut_lines.weak_tip = list(weak), weak_tip
        self.cut_lines.make()
        if self.interval is not None and self.interval not in self._intervals():
            self.select_interval(None)
        self._cut_entries = [LegendEntry(name, "cut")]
        if compared_name:
            self._cut_entries.append(
                LegendEntry(compared_name, "cut", style=Qt.DotLine))
        if len(weak):
            self._cut_entries.append(
                LegendEntry("cuts by weak labels", "weak cut", style=Qt.DashLine))
        self.set_resampled([])
        self.legend.show()
        self.baseline.show()

    def set_resampled(self, cuts):
        """Show the cuts of resampled data behind the others."""
        self.cut_lines.set_resampled(cuts)
        # Cuts come first: there is room for a few of many classes only
        self.legend.set_entries([
            *self._cut_entries,
            *([LegendEntry("cuts of resamples", "weak cut")] if len(cuts) else []),
            *self.entries])

    def clear_all(self, text=""):
        """Show nothing but a text."""
        self._forget()
        self.cuts, self.compared = [], []
        super().clear_all(text)
        self.cut_lines.make()
        self.cut_lines.set_resampled([])

    def _forget(self):
        """Forget what is selected, which belongs to another variable."""
        self.selected = self._moved = None
        self.field.hide()
        self.cut_lines.weak = ()
        self.select_interval(None)

    def _intervals(self):
        ends = [-np.inf, *self.cuts, np.inf]
        return list(zip(ends[:-1], ends[1:], strict=True))

    def select_interval(self, interval):
        """Select the interval (lower, upper); None for none."""
        if interval != self.interval:
            self.interval = interval
            self.show_region(self.chosen, interval)
            self.interval_selected.emit(interval)

    def select_cut(self, index):
        """Select the cut with this index; None for none."""
        self.selected = index
        self.cut_lines.update_colours()
        self.cut_lines.place_flags()

    def _has_selected(self):
        return self.selected is not None and self.selected < len(self.cuts)

    def add_cut(self, value):
        """Add a cut."""
        if self.variable is None:
            return
        value = self._snapped(value)
        if value not in self.cuts:
            self.cuts_edited.emit(sorted([*self.cuts, value]))

    def remove_cut(self, index):
        """Remove the cut with this index."""
        self.cuts_edited.emit(self.cuts[:index] + self.cuts[index + 1:])

    def move_cut(self, index, value):
        """Move a cut to any place."""
        if value not in self.cuts:
            self._moved = value
            self.cuts_edited.emit(
                sorted([*self.cuts[:index], *self.cuts[index + 1:], value]))

    def type_cut(self, index):
        """Let a user type the value of a cut."""
        if index in self.cut_lines.flags:
            self.select_cut(index)
            text, = cut_names(self.variable, [self.cuts[index]])
            self.field.open(self.variable, index, text, self.cut_lines.flag_rect(index))

    def _on_typed(self, index, value):
        self.setFocus()
        if index < len(self.cuts):
            self.move_cut(index, value)

    def cut_at(self, scene_pos):
        """Return the index of the cut at a position in the scene, or None."""
        return self.cut_lines.at(scene_pos)

    def describe_compared(self, cut):
        """Return the tooltip of a cut of the method to compare with."""
        return f"{self.compared_name}: {self.variable.str_val(cut)}"

    def drag(self, index, value):
        """Show what a cut would do that is being dragged."""
        cuts = self._with_cut(index, value)
        self.cut_lines.move_flag(index, cuts[index])
        self.cuts_dragged.emit(cuts)

    def drop(self, index, value):
        """Leave a cut where it was dragged to."""
        cuts = self._with_cut(index, value)
        if cuts != self.cuts:
            self._moved = cuts[index]
            self.cuts_edited.emit(cuts)

    def _with_cut(self, index, value):
        snapped = self._snapped(value)
        below, above = self.cuts[:index], self.cuts[index + 1:]
        if (below and snapped <= below[-1]) or (above and snapped >= above[0]):
            snapped = float(value)
        return [*below, snapped, *above]

    def _snapped(self, value):
        """Return the middle between two values of the data, or a round number."""
        value, pixel = float(value), self.getViewBox().viewPixelSize()[0]
        if not 0 < pixel < np.inf:
            return value
        middle = self.picture.cut_near(value)
        apart = self.picture.cut_near(value, 1) - self.picture.cut_near(value, -1)
        # Where values are dense, any place is in the middle of two of them
        if abs(middle - value) <= SNAP * pixel < apart / 3:
            return middle
        try:
            # With the fewest digits that a mouse can tell apart: within a pixel
            return round(value, ceil(-log10(2 * pixel)))
        except OverflowError:  # beyond the largest number
            return value

    def _on_click(self, event):
        view = self.getViewBox()
        if self.variable is None \
                or not view.sceneBoundingRect().contains(event.scenePos()):
            return
        index = self.cut_at(event.scenePos())
        value = view.mapSceneToView(event.scenePos()).x()
        event.accept()
        if event.button() == Qt.RightButton:
            self.make_menu(index, value).popup(event.screenPos().toPoint())
        elif event.button() != Qt.LeftButton:
            return
        elif event.double():
            if index is None:
                self.add_cut(value)
            else:
                self.type_cut(index)
        else:
            self.select_cut(index)
            if index is None:
                interval = self._intervals()[self._interval_at(value)]
                self.select_interval(None if interval == self.interval else interval)

    def _interval_at(self, value):
        return int(np.searchsorted(self.cuts, value, side="right"))

    def make_menu(self, index, value):
        """Return the menu for a cut, given by index, or for a place without one."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WA_DeleteOnClose)
        if index is None:
            menu.addAction("Add Cut Here", lambda: self.add_cut(value))
        else:
            menu.addAction("Type Value...", lambda: self.type_cut(index))
            menu.addAction("Remove Cut", lambda: self.remove_cut(index))
        menu.addAction("Show All Values", self.show_all)
        return menu

    def keyPressEvent(self, event):
        if not self._press(event.key()):
            super().keyPressEvent(event)

    def _press(self, key):
        """Do what a key means, and return whether it means anything."""
        hovered = next((index for index, line in self.lines.items()
                        if line.mouseHovering), None)
        index = self.selected if self._has_selected() else hovered
        if key == Qt.Key_Escape:
            return self._escape()
        if self.variable is None or not self.cuts:
            return False
        if key in (Qt.Key_Left, Qt.Key_Right):
            direction = 1 if key == Qt.Key_Right else -1
            if self._has_selected():
                self.move_cut(index, self.picture.cut_near(
                    self.cuts[index], direction))
            else:
                self.select_cut(0 if direction > 0 else len(self.cuts) - 1)
        elif index is None:
            return False
        elif key in (Qt.Key_Delete, Qt.Key_Backspace):
            self.remove_cut(index)
        elif key in (Qt.Key_Return, Qt.Key_Enter):
            self.type_cut(index)
        else:
            return False
        return True

    def _escape(self):
        """Leave off dragging, or forget what is selected."""
        for index, line in self.lines.items():
            if line.moving:
                line.moving = False
                line.setValue(self.cuts[index])
                self.drag(index, self.cuts[index])
                return True
        nothing = self.selected is None and self.interval is None
        self.select_cut(None)
        self.select_interval(None)
        return not nothing

    def viewportEvent(self, event):
        if event.type() == QEvent.ToolTip and self.variable is not None:
            view, place = self.getViewBox(), self.mapToScene(event.pos())
            if view.sceneBoundingRect().contains(place) \
                    and view.mapSceneToView(place).y() >= 0 \
                    and self.cut_at(place) is None:
                QToolTip.showText(event.globalPos(), self.describe_interval(
                    self._interval_at(view.mapSceneToView(place).x())), self)
                return True
        return super().viewportEvent(event)

    def update_colours(self):
        super().update_colours()
        mark = self.palette().color(QPalette.Highlight)
        mark.setAlphaF(.18)
        self.chosen.setBrush(mark)
        self.cut_lines.update_colours()
