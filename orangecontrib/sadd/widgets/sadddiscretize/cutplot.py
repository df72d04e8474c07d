"""A histogram whose cuts are edited by mouse and keys."""

from math import ceil, log10

import numpy as np
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QMenu, QToolTip

from orangecontrib.sadd.scripting.intervals import cut_names
from orangecontrib.sadd.widgets.sadddiscretize.cutlines import REACH, CutLines
from orangecontrib.sadd.widgets.sadddiscretize.distribution import BOX, Distribution

__all__ = ["CutPlot"]

# Cuts snap to the middle between two values from this distance, in pixels
SNAP = 3


class CutPlot(Distribution):
    """
    The histogram of a variable, with cuts as lines.

    Cuts can be dragged, added by double click, and removed in a menu. A click selects a
    cut. Arrow keys move it past the next value, and Delete removes it. Enter or a
    double click emits `typing`. A click between cuts selects the interval.
    """

    #: All cuts of the variable while one of them is being dragged
    cuts_dragged = Signal(object)
    #: All cuts after a cut was moved, added or removed
    cuts_edited = Signal(object)
    #: A user starts to type the cuts
    typing = Signal()
    #: The ends of the interval that is selected, or None
    interval_selected = Signal(object)

    def __init__(self):
        super().__init__()
        #: Called with the index of a cut or an interval, returns its tooltip
        self.describe_cut = self.describe_interval = lambda index: ""
        self.lines = CutLines(self)
        self.lines.dragged.connect(self.drag)
        self.lines.dropped.connect(self.drop)
        self.setFocusPolicy(Qt.StrongFocus)
        self.scene().sigMouseClicked.connect(self._on_click)
        self.update_colours()

    @property
    def cuts(self):
        """All cuts, in increasing order."""
        return self.lines.cuts

    def clear_all(self):
        super().clear_all()
        self.select_interval(None)
        self.lines.set_cuts([])

    def set_cuts(self, cuts, name, compared=(), compared_name="", ignored=(),
                 gains=None):
        """
        Show cuts.

        Parameters
        ----------
        cuts, compared, ignored : sequence of float
            Cuts of the method or the user. Cuts of the other method. Cuts that vanish
            if pseudo-labels of low confidence are ignored.
        name, compared_name : str
            For the legend.
        gains : dict, optional
            The gain of cuts. The flags of the cuts with the highest gain are always
            shown.
        """
        self.lines.set_cuts(cuts, compared, ignored, gains)
        if self.interval is not None and self.interval not in self.intervals():
            self.select_interval(None)
        self.marks = [("│", name)]
        self.marks += [("▲", compared_name)] if compared_name else []
        self.marks += [("╎", "lost cuts")] if len(ignored) else []
        self.write_legend()

    def set_bands(self, bands):
        """Show where folds put the cuts; None if it is not known."""
        self.lines.set_bands(bands)
        self.marks = [mark for mark in self.marks if mark[0] != BOX]
        if bands is not None and bands.n_found.any():
            self.marks.insert(1, (BOX, "cuts in folds"))
        self.write_legend()

    def update_colours(self):
        super().update_colours()
        self.lines.update_colours()

    # Selection

    def intervals(self):
        """Return the ends of all intervals."""
        ends = [-np.inf, *self.cuts, np.inf]
        return list(zip(ends[:-1], ends[1:], strict=True))

    def select_interval(self, interval):
        """Select the interval (lower, upper); None for none."""
        if interval != self.interval:
            self.show_chosen(interval)
            self.interval_selected.emit(interval)

    def select_cut(self, index):
        """Select the cut with this index; None for none."""
        self.lines.select(None if index is None else self.cuts[index])

    def _interval_at(self, value):
        return int(np.searchsorted(self.cuts, value, side="right"))

    # Editing

    def add_cut(self, value):
        """Add a cut."""
        if self.variable is not None:
            value = self._snapped(value)
            if value not in self.cuts:
                self.cuts_edited.emit(sorted([*self.cuts, value]))

    def remove_cut(self, index):
        """Remove the cut with this index."""
        self.cuts_edited.emit(self.cuts[:index] + self.cuts[index + 1:])

    def drag(self, index, value):
        """Show the effect of a cut that is being dragged."""
        value = self._allowed(index, value)
        self.lines.move(index, value)
        self.cuts_dragged.emit(self._with_cut(index, value))

    def drop(self, index, value):
        """Drop a dragged cut; at another cut, both become one."""
        self._move(index, self._allowed(index, value))

    def _move(self, index, value):
        cuts = self._with_cut(index, value)
        if cuts != self.cuts:
            self.lines.selected = value
            self.cuts_edited.emit(cuts)

    def _with_cut(self, index, value):
        return sorted({*self.cuts[:index], value, *self.cuts[index + 1:]})

    def _allowed(self, index, value):
        """
        Return the nearest valid position of a dragged cut.

        There are rows on both sides, up to the next cut or the end. Near another cut,
        the position of the other cut is returned.
        """
        picture, pixel = self.picture, self.pixel_size()
        below, above = self.cuts[:index][-1:], self.cuts[index + 1:][:1]
        for neighbour in (*below, *above):
            if abs(value - neighbour) <= REACH * pixel:
                return neighbour
        low = picture.place(below[0]) if below else 0
        high = picture.place(above[0]) if above else len(picture.values)
        snapped = self._snapped(value)
        place = picture.place(snapped)
        if low < place < high:
            return snapped
        if high - low < 2:
            return self.cuts[index]
        return picture.cut_at(low + 1 if place <= low else high - 1)

    def _snapped(self, value):
        """Return the middle between two values of the data, or a round number."""
        value, pixel = float(value), self.pixel_size()
        if not pixel:
            return value
        middle = self.picture.cut_near(value)
        apart = self.picture.cut_near(value, 1) - self.picture.cut_near(value, -1)
        # Where values are dense, any place is in the middle of two of them
        if abs(middle - value) <= SNAP * pixel < apart / 3:
            return middle
        try:
            # With the fewest digits that a mouse can distinguish: within a pixel
            return round(value, ceil(-log10(2 * pixel)))
        except OverflowError:  # beyond the largest number
            return value

    # Mouse and keys

    def _on_click(self, event):
        view = self.getViewBox()
        if self.variable is None \
                or not view.sceneBoundingRect().contains(event.scenePos()):
            return
        index = self.lines.at(event.scenePos())
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
                self.typing.emit()
        else:
            self.select_cut(index)
            if index is None:
                interval = self.intervals()[self._interval_at(value)]
                self.select_interval(None if interval == self.interval else interval)

    def make_menu(self, index, value):
        """Return the menu for a cut, given by index, or for a place without one."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WA_DeleteOnClose)
        if index is None:
            menu.addAction("Add Cut Here", lambda: self.add_cut(value))
        else:
            menu.addAction("Type Cuts...", self.typing.emit)
            menu.addAction("Remove Cut", lambda: self.remove_cut(index))
        menu.addAction("Show All Values", self.show_all)
        return menu

    def keyPressEvent(self, event):
        if not self._press(event.key()):
            super().keyPressEvent(event)

    def _press(self, key):
        """Handle a key, and return whether it has a function."""
        if key == Qt.Key_Escape:
            return self._escape()
        if not self.cuts:
            return False
        has_selected = self.lines.selected in self.cuts
        index = self.cuts.index(self.lines.selected) if has_selected \
            else self.lines.hovered()
        if key in (Qt.Key_Left, Qt.Key_Right):
            direction = 1 if key == Qt.Key_Right else -1
            if has_selected:
                self._step(index, direction)
            else:
                self.select_cut(0 if direction > 0 else -1)
        elif index is None:
            return False
        elif key in (Qt.Key_Delete, Qt.Key_Backspace):
            self.remove_cut(index)
        elif key in (Qt.Key_Return, Qt.Key_Enter):
            self.typing.emit()
        else:
            return False
        return True

    def _step(self, index, direction):
        """Move a cut past the next value, as long as rows are left on both sides."""
        places = [0, *map(self.picture.place, self.cuts), len(self.picture.values)]
        place = places[index + 1] + direction
        if places[index] < place < places[index + 2]:
            self._move(index, self.picture.cut_at(place))

    def _escape(self):
        """Stop dragging, or deselect."""
        if self.lines.stop_dragging():
            self.cuts_dragged.emit(list(self.cuts))
            return True
        nothing = self.lines.selected is None and self.interval is None
        self.select_cut(None)
        self.select_interval(None)
        return not nothing

    def viewportEvent(self, event):
        if event.type() == QEvent.ToolTip and self.variable is not None:
            view, place = self.getViewBox(), self.mapToScene(event.pos())
            if view.sceneBoundingRect().contains(place):
                QToolTip.showText(event.globalPos(), self._tooltip(place), self)
                return True
        return super().viewportEvent(event)

    def _tooltip(self, place):
        index, value = self.lines.at(place), self.getViewBox().mapSceneToView(place)
        if index is not None:
            return self.describe_cut(index)
        near = [cut for cut in self.lines.compared
                if abs(cut - value.x()) <= REACH * self.pixel_size()
                and value.y() <= 2 * REACH * self.getViewBox().viewPixelSize()[1]]
        if near:
            name = next(name for sign, name in self.marks if sign == "▲")
            return f"{name}: {cut_names(self.variable, near[:1])[0]}"
        return self.describe_interval(self._interval_at(value.x()))
