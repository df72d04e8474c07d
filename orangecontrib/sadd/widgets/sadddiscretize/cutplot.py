"""The histogram of a variable by class, with cuts that can be edited."""

from html import escape
from math import ceil, log10

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPainterPath, QPalette
from AnyQt.QtWidgets import QMenu, QToolTip
from Orange.widgets.visualize.utils.plotutils import PlotWidget

from orangecontrib.sadd.scripting.intervals import cut_names
from orangecontrib.sadd.widgets.common.controls import faint
from orangecontrib.sadd.widgets.common.histogram import HistogramBars, replace_axis

__all__ = ["CutPlot"]

# Maximum distance in pixels from a click to a line, and from a dropped cut to its
# neighbour
REACH = 6
# Cuts snap to the middle between two values from this distance, in pixels
SNAP = 3
# More cuts than this are only drawn; to edit them, zoom in
MOST_LINES = 50
# Rows of flags, and room between two flags, in pixels
FLAG_ROWS, FLAG_GAP = 6, 4
# Room for flags above the highest bar, as a fraction of its height
HEADROOM = 0.2
# Room beside the numbers of the left axis, in pixels
AXIS_MARGIN = 16
# The largest width of a name in the legend if classes are many or few, in pixels
LONGEST_NAMES = 60, 140


class CutPlot(PlotWidget):
    """
    The histogram of a variable, with cuts as lines.

    Labelled rows are solid, and unlabelled rows hatched above. Cuts can be dragged,
    added by double click, and removed in a menu. A click selects a cut. Arrow keys move
    it past the next value, and Delete removes it. Enter or a double click emits
    `typing`. A click between cuts selects the interval.

    Attributes
    ----------
    variable : ContinuousVariable or None
    picture : Picture or None
    marks : list of (str, str)
        Signs and names for the legend, in addition to the classes.
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
        super().__init__(enableMenu=False)
        self.variable = self.picture = None
        self.marks, self._classes = [], []
        self.cuts, self.compared, self._gains = [], [], {}
        #: The cut that is selected, or None
        self.selected = None
        #: The ends of the interval that is selected, or None
        self.interval = None
        #: Called with the index of a cut or an interval, returns its tooltip
        self.describe_cut = self.describe_interval = lambda index: ""
        #: Lines and flags of visible cuts, by index
        self.lines, self.flags = {}, {}
        self.bars = HistogramBars(self)
        # The interval of a decision, and the interval that is selected
        self.region, self.chosen = (
            pg.LinearRegionItem(movable=False, pen=pg.mkPen(None)) for _ in range(2))
        for region in (self.region, self.chosen):
            region.setZValue(-10)
            region.hide()
        # Cuts that cannot be edited: many, ignored, resampled
        self.many, self.ignored, self.resampled = (
            pg.PlotCurveItem(connect="pairs") for _ in range(3))
        self.resampled.setZValue(-5)
        above_axis = QPainterPath(QPointF(-.5, 0))
        for corner in ((.5, 0), (0, -1), (-.5, 0)):
            above_axis.lineTo(*corner)
        self.compared_marks = pg.ScatterPlotItem(symbol=above_axis, size=12)
        self.compared_marks.setZValue(15)
        for item in (self.region, self.chosen, self.many, self.ignored, self.resampled,
                     self.compared_marks):
            self.addItem(item, ignoreBounds=True)
        self.setFocusPolicy(Qt.StrongFocus)
        view = self.getViewBox()
        view.setMouseEnabled(x=True, y=False)
        view.disableAutoRange()
        view.sigResized.connect(self._on_resized)
        view.sigXRangeChanged.connect(self._make_lines)
        self.scene().sigMouseClicked.connect(self._on_click)
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(4, 0, 12, 2)
        self.getAxis("left").setLabel("Rows")
        self.getAxis("left").enableAutoSIPrefix(False)
        self.setAccessibleName("Histogram")
        self.setAccessibleDescription(
            "Rows of each class by value, with the cuts as vertical lines")
        self.update_colours()

    # Histogram

    def highest(self):
        """Return the top of the picture, where flags are."""
        return self.bars.height * (1 + HEADROOM)

    def set_histogram(self, variable, picture, classes, colours):
        """
        Show another variable.

        Parameters
        ----------
        variable : ContinuousVariable
        picture : Picture
        classes : sequence of str
        colours : sequence of QColor
        """
        self.clear_all()
        self.variable, self.picture = variable, picture
        self._classes = list(zip(classes, colours, strict=True))
        replace_axis(self, variable)
        self.bars.set_counts(
            picture.edges, picture.labelled, picture.unlabelled, colours)
        # A width that pyqtgraph finds would change after painting, even during dragging
        metrics = self.fontMetrics()
        self.getAxis("left").setWidth(
            metrics.horizontalAdvance(f"{self.highest():,.0f}") + metrics.height()
            + AXIS_MARGIN)
        low, high = picture.edges[[0, -1]]
        margin = .02 * (high - low)
        view = self.getViewBox()
        view.setYRange(0, self.highest(), padding=0)
        view.setLimits(xMin=low - margin, xMax=high + margin)
        self.show_all()
        self._write_name()
        self.update_colours()

    def clear_all(self):
        """Show nothing."""
        self.bars.clear()
        self.variable = self.picture = self.selected = None
        self.marks, self._classes, self.cuts, self.compared = [], [], [], []
        self.select_interval(None)
        self.mark_interval(None)
        self._make_lines()
        self.compared_marks.setData([], [])
        for item in (self.ignored, self.resampled):
            self._set_pairs(item, [])

    def _on_resized(self):
        self._place_flags()
        self._write_name()
        self.write_legend()

    def _write_name(self):
        """Write the name of the variable below, as far as there is room."""
        name = "" if self.variable is None else self.fontMetrics().elidedText(
            self.variable.name, Qt.ElideMiddle, int(self.getViewBox().width()))
        self.getAxis("bottom").setLabel(escape(name))

    def legend_entries(self):
        """Return signs, names and colours that fit: classes before other signs."""
        metrics, text = self.fontMetrics(), self.palette().color(QPalette.Text)
        classes = self._classes if len(self._classes) > 1 else []
        room = self.getViewBox().width()
        longest = int(np.clip(room / max(len(classes), 1), *LONGEST_NAMES))
        entries = [("■", metrics.elidedText(name, Qt.ElideMiddle, longest), colour)
                   for name, colour in classes]
        if self.bars.has_hatched:
            entries.append(("▨", "unlabelled", text))
        entries += [(sign, name, text) for sign, name in self.marks]
        gap = metrics.horizontalAdvance("   ")
        ends = np.cumsum([metrics.horizontalAdvance(f"{sign} {name}") + gap
                          for sign, name, _ in entries]) - gap
        n_shown = np.count_nonzero(ends <= room)
        if n_shown >= len(classes):
            return entries[:n_shown]
        n_shown = np.count_nonzero(
            ends <= room - metrics.horizontalAdvance("and 99 more"))
        return [*entries[:n_shown], ("", f"and {len(classes) - n_shown} more", text)]

    def write_legend(self):
        """Write the legend into the title of the plot."""
        # Not pyqtgraph's legend, which covers bars
        text = "&nbsp;&nbsp; ".join(
            f'<span style="color: {QColor(colour).name()}">{sign}</span> {escape(name)}'
            for sign, name, colour in self.legend_entries())
        self.plotItem.setTitle(text or "&nbsp;", justify="left",
                               size=f"{self.font().pointSize()}pt",
                               color=self.palette().color(QPalette.Text))
        self.plotItem.titleLabel.setMinimumWidth(0)  # or the plot would not shrink
        self.plotItem.titleLabel.setToolTip(", ".join(
            [name for name, _ in self._classes] + [name for _, name in self.marks]))

    def show_all(self):
        """Undo zooming."""
        self.getViewBox().setXRange(
            *self.getViewBox().state["limits"]["xLimits"], padding=0)

    def mark_interval(self, interval):
        """Mark the interval (lower, upper); None for no mark."""
        self._show_region(self.region, interval, .25)

    def _show_region(self, region, interval, opacity):
        """Show the interval (lower, upper) as a region; None for no interval."""
        region.setVisible(interval is not None)
        if interval is not None:
            low, high = self.getViewBox().state["limits"]["xLimits"]
            region.setRegion(np.clip(interval, low, high).tolist())
            region.setBrush(faint(self.palette().color(QPalette.Highlight), opacity))

    # Cuts

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
        self.cuts = [float(cut) for cut in cuts]
        self.compared, self._gains = [float(cut) for cut in compared], gains or {}
        if self.selected not in self.cuts:
            self.selected = None
        if self.interval is not None and self.interval not in self._intervals():
            self.select_interval(None)
        self._set_pairs(self.ignored, ignored)
        self.compared_marks.setData(self.compared, np.zeros(len(self.compared)))
        self.marks = [("│", name)]
        self.marks += [("▲", compared_name)] if compared_name else []
        self.marks += [("╎", "lost cuts")] if len(ignored) else []
        self._make_lines()

    def set_resampled(self, cuts):
        """Show the cuts of resampled data behind the other cuts."""
        self._set_pairs(self.resampled, cuts)
        self.marks = [mark for mark in self.marks if mark[0] != "┃"] + (
            [("┃", "resamples")] if len(cuts) else [])
        self.write_legend()

    def _set_pairs(self, item, cuts):
        item.setData(np.repeat(cuts, 2), np.tile([0, self.highest()], len(cuts)))

    # Lines and flags

    def _make_lines(self):
        """Make a line for each visible cut, or one item for all if there are many."""
        for item in (*self.lines.values(), *self.flags.values()):
            self.removeItem(item)
        self.lines, self.flags = {}, {}
        low, high = self.viewRange()[0]
        seen = [index for index, cut in enumerate(self.cuts) if low <= cut <= high]
        self._set_pairs(self.many, [] if len(seen) <= MOST_LINES
                        else [self.cuts[index] for index in seen])
        if seen and len(seen) <= MOST_LINES:
            names = cut_names(self.variable, self.cuts)
            for index in seen:
                self._add_line(index, names[index])
        self.update_colours()
        self._place_flags()

    def _add_line(self, index, name):
        line = pg.InfiniteLine(self.cuts[index], movable=True)
        line.setZValue(10)
        line.sigDragged.connect(lambda line: self.drag(index, line.value()))
        line.sigPositionChangeFinished.connect(
            lambda line: self.drop(index, line.value()))
        flag = pg.TextItem(name, anchor=(.5, 0))
        flag.textItem.document().setDocumentMargin(2)
        flag.setZValue(20)
        flag.setPos(self.cuts[index], self.highest())
        self.lines[index], self.flags[index] = line, flag
        for item in (line, flag):
            self.addItem(item, ignoreBounds=True)

    def _place_flags(self):
        """Stack flags that collide; the selected cut and the best cuts come first."""
        room = self.getViewBox().sceneBoundingRect()
        height = max((flag.boundingRect().height() for flag in self.flags.values()),
                     default=1)
        rows = [[] for _ in range(min(FLAG_ROWS, int(room.height() // height)))]
        order = sorted(self.flags, key=lambda index: (
            self.cuts[index] != self.selected, -self._gains.get(self.cuts[index], 0)))
        for index in order:
            flag, x = self.flags[index], self._pixel(index)
            width = max(flag.boundingRect().width(), 1.)
            start = min(max(x - width / 2, room.left()), room.right() - width)
            free = [level for level, taken in enumerate(rows) if all(
                start + width < left or start > right for left, right in taken)]
            flag.setVisible(bool(free))
            if free:
                rows[free[0]].append((start - FLAG_GAP, start + width + FLAG_GAP))
                flag.setAnchor(((x - start) / width, -free[0]))

    def _pixel(self, index):
        return self.getViewBox().mapViewToScene(
            QPointF(self.lines[index].value(), 0)).x()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "resampled"):
            self.update_colours()

    def update_colours(self):
        """Use the colours of the palette."""
        palette = self.palette()
        text, mark = palette.color(QPalette.Text), palette.color(QPalette.Highlight)
        for index, line in self.lines.items():
            selected, flag = self.cuts[index] == self.selected, self.flags[index]
            line.setPen(pg.mkPen(mark if selected else text, width=2))
            line.setHoverPen(pg.mkPen(mark if selected else text, width=4))
            flag.setColor(palette.color(
                QPalette.HighlightedText if selected else QPalette.Text))
            flag.fill = pg.mkBrush(mark if selected else palette.color(QPalette.Base))
            flag.border = pg.mkPen(palette.color(QPalette.Mid))
            flag.update()
        self.many.setPen(pg.mkPen(text, width=1))
        self.ignored.setPen(pg.mkPen(faint(text, .55), width=1.5, style=Qt.DashLine))
        self.resampled.setPen(pg.mkPen(faint(text, .16), width=3))
        self.compared_marks.setPen(pg.mkPen(palette.color(QPalette.Base)))
        self.compared_marks.setBrush(pg.mkBrush(text))
        self._show_region(self.chosen, self.interval, .18)
        self.write_legend()

    # Selection

    def _intervals(self):
        ends = [-np.inf, *self.cuts, np.inf]
        return list(zip(ends[:-1], ends[1:], strict=True))

    def select_interval(self, interval):
        """Select the interval (lower, upper); None for none."""
        if interval != self.interval:
            self.interval = interval
            self._show_region(self.chosen, interval, .18)
            self.interval_selected.emit(interval)

    def select_cut(self, index):
        """Select the cut with this index; None for none."""
        self.selected = None if index is None else self.cuts[index]
        self.update_colours()
        self._place_flags()

    def cut_at(self, scene_pos):
        """Return the index of the cut at a position in the scene, or None."""
        near = {index: abs(self._pixel(index) - scene_pos.x()) for index in self.lines}
        nearest = min(near, key=near.get, default=None)
        return nearest if nearest is not None and near[nearest] <= REACH else None

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
        self.lines[index].setValue(value)
        flag, = cut_names(self.variable, [value])
        self.flags[index].setText(flag)
        self.flags[index].setPos(value, self.highest())
        self._place_flags()
        self.cuts_dragged.emit(self._with_cut(index, value))

    def drop(self, index, value):
        """Drop a dragged cut; at another cut, both become one."""
        self._move(index, self._allowed(index, value))

    def _move(self, index, value):
        cuts = self._with_cut(index, value)
        if cuts != self.cuts:
            self.selected = value
            self.cuts_edited.emit(cuts)

    def _with_cut(self, index, value):
        return sorted({*self.cuts[:index], value, *self.cuts[index + 1:]})

    def _allowed(self, index, value):
        """
        Return the nearest valid position of a dragged cut.

        There are rows on both sides, up to the next cut or the end. Near another cut,
        the position of the other cut is returned.
        """
        picture, pixel = self.picture, self._pixel_size()
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

    def _pixel_size(self):
        pixel = self.getViewBox().viewPixelSize()[0]
        return pixel if 0 < pixel < np.inf else 0.

    def _snapped(self, value):
        """Return the middle between two values of the data, or a round number."""
        value, pixel = float(value), self._pixel_size()
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
                self.typing.emit()
        else:
            self.select_cut(index)
            if index is None:
                interval = self._intervals()[self._interval_at(value)]
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
        hovered = next((index for index, line in self.lines.items()
                        if line.mouseHovering), None)
        has_selected = self.selected in self.cuts
        index = self.cuts.index(self.selected) if has_selected else hovered
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
        for index, line in self.lines.items():
            if line.moving:
                line.moving = False
                line.setValue(self.cuts[index])
                self.cuts_dragged.emit(list(self.cuts))
                self._make_lines()
                return True
        nothing = self.selected is None and self.interval is None
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
        index, value = self.cut_at(place), self.getViewBox().mapSceneToView(place)
        if index is not None:
            return self.describe_cut(index)
        near = [cut for cut in self.compared
                if abs(cut - value.x()) <= REACH * self._pixel_size()
                and value.y() <= 2 * REACH * self.getViewBox().viewPixelSize()[1]]
        if near:
            return f"{self.marks[1][1]}: {cut_names(self.variable, near[:1])[0]}"
        return self.describe_interval(self._interval_at(value.x()))
