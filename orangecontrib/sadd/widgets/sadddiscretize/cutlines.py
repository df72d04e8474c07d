"""The cuts in a histogram: lines with flags, and a field to type the value of one."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QLineEdit

from orangecontrib.sadd.intervals import cut_names
from orangecontrib.sadd.widgets.sadddiscretize.histogramplot import STRIP

__all__ = ["CutField", "CutLines"]

# Distance in pixels within which a click means a line
REACH = 6
# More cuts than this are only drawn; to edit them, zoom in
MOST_LINES = 80
# Room between two flags, in pixels
FLAG_GAP = 4

# Of the field, in pixels
FIELD_WIDTH = 110


class CutLine(pg.InfiniteLine):
    """A cut whose tooltip is made only when the mouse is over it."""

    def __init__(self, value, describe, **kwargs):
        super().__init__(value, **kwargs)
        self._describe = describe

    def hoverEvent(self, event):
        if event.isEnter():
            self.setToolTip(self._describe())
        super().hoverEvent(event)


class Flag(pg.TextItem):
    """The value of a cut, at the top of its line."""

    def __init__(self, text):
        super().__init__(text, anchor=(.5, 0))
        self.textItem.document().setDocumentMargin(2)
        self.setZValue(20)

    def set_colours(self, palette, selected):
        """Take the colours of a palette."""
        text, fill = (QPalette.HighlightedText, QPalette.Highlight) if selected \
            else (QPalette.Text, QPalette.Base)
        self.setColor(palette.color(text))
        self.fill = pg.mkBrush(palette.color(fill))
        self.border = pg.mkPen(palette.color(QPalette.Mid))
        self.update()


class CutLines:
    """
    All lines in a plot that stand for cuts.

    Attributes
    ----------
    plot : CutPlot
        It has `variable`, `cuts`, `compared` and `selected`.
    lines, flags : dict of int to CutLine and Flag
        Of the visible cuts, by index.
    compared_lines, weak_lines : list of CutLine
        Of the method to compare with, and of cuts that rest on weak labels.
    """

    def __init__(self, plot):
        self.plot = plot
        self.lines, self.flags = {}, {}
        self.compared_lines, self.weak_lines = [], []
        self.weak, self.weak_tip = (), ""
        self.many, self.many_compared, self.resampled = (
            pg.PlotCurveItem() for _ in range(3))
        self.resampled.setZValue(-5)
        for item in (self.many, self.many_compared, self.resampled):
            plot.addItem(item, ignoreBounds=True)

    def make(self):
        """Make a line for each visible cut, or one item for all if there are many."""
        plot = self.plot
        for item in (*self.lines.values(), *self.flags.values(), *self.compared_lines,
                     *self.weak_lines):
            plot.removeItem(item)
        self.lines, self.flags = {}, {}
        self.compared_lines, self.weak_lines = [], []
        height, bottom = plot.highest(), plot.viewRange()[1][0]
        seen = self._seen(plot.cuts)
        if len(seen) <= MOST_LINES:
            self.lines = {index: self._make_line(index) for index in seen}
            names = cut_names(plot.variable, [plot.cuts[index] for index in seen]) \
                if seen else ()
            self.flags = {index: self._make_flag(index, name)
                          for index, name in zip(seen, names, strict=True)}
        self._draw_many(self.many, [plot.cuts[index] for index in seen], 0, height)
        seen = self._seen(plot.compared)
        if len(seen) <= MOST_LINES:
            self.compared_lines = [
                self._make_other(plot.compared[index], plot.describe_compared,
                                 (0, STRIP)) for index in seen]
        self._draw_many(self.many_compared, [plot.compared[index] for index in seen],
                        bottom, 0)
        self.weak_lines = [
            self._make_other(self.weak[index], lambda _: self.weak_tip, (STRIP, 1))
            for index in self._seen(self.weak)[:MOST_LINES]]
        self.update_colours()
        self.place_flags()

    def set_resampled(self, cuts):
        """Draw the cuts of resampled data faintly behind the others."""
        self.resampled.setData(
            np.repeat(cuts, 2), np.tile([0, self.plot.highest()], len(cuts)),
            connect="pairs")

    def at(self, scene_pos):
        """Return the index of the cut at a position in the scene, or None."""
        nearest = min(self.lines, default=None, key=lambda index: abs(
            self._pixel(index) - scene_pos.x()))
        if nearest is not None and abs(
                self._pixel(nearest) - scene_pos.x()) <= REACH:
            return nearest
        return None

    def place_flags(self):
        """Show the flags that do not overlap; that of the selected cut comes first."""
        right = -np.inf
        taken = None
        if self.plot.selected in self.flags:
            taken = self._flag_ends(self.plot.selected)
        for index, flag in self.flags.items():
            start, end = self._flag_ends(index)
            is_free = start > right and (
                taken is None or end < taken[0] or start > taken[1])
            shown = index == self.plot.selected or is_free
            flag.setVisible(shown)
            if shown:
                right = end

    def move_flag(self, index, value):
        """Let a flag follow its line, which is being dragged."""
        if index in self.flags:
            name, = cut_names(self.plot.variable, [value])
            self.flags[index].setText(name)
            self.flags[index].setPos(value, self.plot.highest())
            self.place_flags()

    def flag_rect(self, index):
        """Return where the flag of a cut is, in pixels of the plot."""
        flag = self.flags[index]
        scene = flag.mapRectToScene(flag.boundingRect())
        return self.plot.mapFromScene(scene).boundingRect()

    def update_colours(self):
        """Take the colours of the palette."""
        text, mark = (self.plot.palette().color(role)
                      for role in (QPalette.Text, QPalette.Highlight))
        faint = QColor(text)
        faint.setAlphaF(.55)
        for index, line in self.lines.items():
            colour = mark if index == self.plot.selected else text
            line.setPen(pg.mkPen(colour, width=2))
            line.setHoverPen(pg.mkPen(colour, width=4))
        for line in self.compared_lines:
            line.setPen(pg.mkPen(text, width=2, style=Qt.DotLine))
        for line in self.weak_lines:
            line.setPen(pg.mkPen(faint, width=1.5, style=Qt.DashLine))
        for item in (self.many, self.many_compared):
            item.setPen(pg.mkPen(text, width=1))
        faint.setAlphaF(.16)
        self.resampled.setPen(pg.mkPen(faint, width=3))
        for index, flag in self.flags.items():
            flag.set_colours(self.plot.palette(), index == self.plot.selected)

    def _flag_ends(self, index):
        half = self.flags[index].boundingRect().width() / 2 + FLAG_GAP / 2
        return self._pixel(index) - half, self._pixel(index) + half

    def _pixel(self, index):
        return self.plot.getViewBox().mapViewToScene(
            QPointF(self.lines[index].value(), 0)).x()

    def _seen(self, cuts):
        """Return the indices of the cuts in the range that is shown."""
        if self.plot.variable is None:
            return []
        low, high = self.plot.viewRange()[0]
        return [index for index, cut in enumerate(cuts) if low <= cut <= high]

    @staticmethod
    def _draw_many(item, cuts, bottom, top):
        if len(cuts) <= MOST_LINES:
            item.clear()
        else:
            item.setData(np.repeat(cuts, 2), np.tile([bottom, top], len(cuts)),
                         connect="pairs")

    def _make_line(self, index):
        plot, cuts = self.plot, self.plot.cuts
        line = CutLine(cuts[index], lambda: plot.describe_cut(index), movable=True,
                       span=(STRIP, 1))
        line.setCursor(Qt.SizeHorCursor)
        below = cuts[index - 1] if index else -np.inf
        above = cuts[index + 1] if index + 1 < len(cuts) else np.inf
        line.setBounds((None if np.isinf(below) else np.nextafter(below, np.inf),
                        None if np.isinf(above) else np.nextafter(above, -np.inf)))
        line.sigDragged.connect(lambda line: plot.drag(index, line.value()))
        line.sigPositionChangeFinished.connect(
            lambda line: plot.drop(index, line.value()))
        plot.addItem(line, ignoreBounds=True)
        return line

    def _make_flag(self, index, name):
        flag = Flag(name)
        flag.setPos(self.plot.cuts[index], self.plot.highest())
        self.plot.addItem(flag, ignoreBounds=True)
        return flag

    def _make_other(self, cut, describe, span):
        line = CutLine(cut, lambda: describe(cut), span=span)
        self.plot.addItem(line, ignoreBounds=True)
        return line


def parse(variable, text):
    """Return the value of a text; ValueError if it is none."""
    # A time variable changes when it parses a text
    value = variable.copy(compute_value=None).parse(text) if variable.is_time \
        else variable.to_val(text)
    if not np.isfinite(value):
        raise ValueError(f"{text} is not a finite value.")
    return float(value)


class CutField(QLineEdit):
    """The field; Enter takes the value, Escape or a click elsewhere does not."""

    #: The index of the cut and its value
    typed = Signal(int, float)

    def __init__(self, parent):
        super().__init__(parent)
        self.setFixedWidth(FIELD_WIDTH)
        self.setAlignment(Qt.AlignCenter)
        self.setAccessibleName("Value of the cut")
        self._variable, self._index = None, -1
        self.returnPressed.connect(self._on_return)
        self.textEdited.connect(lambda: self.setToolTip(""))
        self.hide()

    def open(self, variable, index, text, rect):
        """Ask for the value of a cut in place of its flag."""
        self._variable, self._index = variable, index
        self.setText(text)
        self.setToolTip("")
        left = min(max(rect.center().x() - FIELD_WIDTH // 2, 0),
                   self.parent().width() - FIELD_WIDTH)
        self.move(left, max(rect.top() - 2, 0))
        self.show()
        self.selectAll()
        self.setFocus()

    def _on_return(self):
        try:
            value = parse(self._variable, self.text())
        except ValueError:
            self.setToolTip("Type a date or time." if self._variable.is_time
                            else "Type a number.")
            self.selectAll()
            return
        self.hide()
        self.typed.emit(self._index, value)

    def keyPressEvent(self, event):
        if event.key() == Qt.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
            event.accept()  # or Enter would open it again

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        self.hide()
