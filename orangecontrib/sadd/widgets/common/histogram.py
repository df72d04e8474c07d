"""Plots of pyqtgraph: bars stacked by class, axes with dates, values at the mouse."""

from functools import partial
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QBrush, QColor
from AnyQt.QtWidgets import QLabel, QSizePolicy, QWidget
from Orange.widgets.visualize.utils.plotutils import (
    AxisItem,
    PlotWidget,
    StyledAxisItem,
)

from orangecontrib.sadd.widgets.common.controls import (
    ElidedLabel,
    shorten,
    value_colours,
)

__all__ = ["HistogramBars", "HoveredPlots", "replace_axis"]

# The share of a bin that is left free
GAP = 0.06
# Room for halves of the outer numbers of axes, in pixels
EDGE = 6
# Values in a legend
LISTED_VALUES = 8


class DateAxis(pg.DateAxisItem, StyledAxisItem):
    """Writes dates, or numbers beyond the calendar."""

    def tickValues(self, minVal, maxVal, size):
        try:
            return super().tickValues(minVal, maxVal, size)
        except (OverflowError, ValueError, OSError):
            return pg.AxisItem.tickValues(self, minVal, maxVal, size)

    def tickStrings(self, values, scale, spacing):
        try:
            return super().tickStrings(values, scale, spacing)
        except (AttributeError, OverflowError, ValueError, OSError):
            return [f"{value:g}" for value in values]


def replace_axis(plot, variable, side="bottom"):
    """Show the values of a variable at an axis of a plot."""
    is_date = variable.is_time and (variable.have_date or variable.have_time)
    if is_date != isinstance(plot.getAxis(side), DateAxis):
        plot.setAxisItems({side: DateAxis(side, utcOffset=0) if is_date
                           else AxisItem(side)})
    plot.getAxis(side).enableAutoSIPrefix(False)  # no "x0.001" beside the name


class HistogramBars:
    """
    Bars in a plot: labelled rows solid, unlabelled ones hatched above.

    Parameters
    ----------
    plot : PlotWidget

    Attributes
    ----------
    height : float
        Of the highest bar, at least 1.
    has_hatched : bool
        Whether there are unlabelled rows.
    """

    def __init__(self, plot):
        self._plot = plot
        self._items, self._hatched = [], []
        self.height = 1.
        plot.getViewBox().sigTransformChanged.connect(self._update_hatching)

    @property
    def has_hatched(self):
        """Whether there are unlabelled rows."""
        return bool(self._hatched)

    def set_counts(self, edges, labelled, unlabelled, colours):
        """Show counts, each an array of classes x bins."""
        self.clear()
        width, base = np.diff(edges), np.zeros(len(edges) - 1)
        for counts, is_hatched in ((labelled, False), (unlabelled, True)):
            for row, colour in zip(counts, colours, strict=True):
                seen = row > 0
                if seen.any():
                    bars = pg.BarGraphItem(
                        x0=(edges[:-1] + GAP / 2 * width)[seen],
                        width=(1 - GAP) * width[seen], y0=base[seen], height=row[seen],
                        brush=colour,
                        pen=pg.mkPen(colour) if is_hatched else pg.mkPen(None))
                    self._plot.addItem(bars, ignoreBounds=True)
                    self._items.append(bars)
                    if is_hatched:
                        self._hatched.append((bars, QColor(colour)))
                base = base + row
        self.height = max(float(base.max(initial=0)), 1.)
        self._update_hatching()

    def clear(self):
        """Show nothing."""
        for item in self._items:
            self._plot.removeItem(item)
        self._items, self._hatched, self.height = [], [], 1.

    def _update_hatching(self):
        """Make hatching as dense on the screen at any scale."""
        for bars, colour in self._hatched:
            brush = QBrush(colour, Qt.BDiagPattern)
            transform, invertible = bars.sceneTransform().inverted()
            if invertible:
                brush.setTransform(transform)
            bars.setOpts(brush=brush)


class HoveredPlots(QWidget):
    """
    Base class of pictures of contributions, which name what is at the mouse.

    A subclass returns the text about a place in `describe`, and uses the colours of the
    palette in `update_colours`.

    Attributes
    ----------
    contributions : object
        What is shown; None before.
    readout : ElidedLabel
        The text about the place of the mouse.
    legend : QLabel
        Names of classes or categories with their colours.
    """

    def __init__(self):
        super().__init__()
        self.contributions, self.readout = None, ElidedLabel()
        self.legend = QLabel(wordWrap=True, textFormat=Qt.RichText)
        self.legend.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)

    def make_plot(self, name):
        """Return a plot that is neither zoomed nor moved."""
        plot = PlotWidget(enableMenu=False)
        plot.setAccessibleName(name)
        plot.plotItem.hideButtons()
        plot.plotItem.setContentsMargins(0, EDGE, EDGE, 0)
        plot.getViewBox().setMouseEnabled(x=False, y=False)
        plot.scene().sigMouseMoved.connect(partial(self._on_mouse, plot))
        return plot

    def write_legend(self, variable, indices, *others):
        """List the first values of a variable with their colours, and other texts."""
        space, colours = "\N{NO-BREAK SPACE}", value_colours(variable)
        texts = [f'<span style="color: {colours[index].name()}">\N{BLACK SQUARE}</span>'
                 + space + escape(shorten(variable.values[index])).replace(" ", space)
                 for index in sorted(indices[:LISTED_VALUES])]
        rest = len(indices) - LISTED_VALUES
        texts += [f"and {rest} more"] * (rest > 0)
        self.legend.setText("&nbsp; ".join([
            f"{escape(variable.name)}:", *texts, *others]))

    def _on_mouse(self, plot, place):
        view = plot.getViewBox()
        value = view.mapSceneToView(place)
        self.show_at((value.x(), value.y())
                     if view.sceneBoundingRect().contains(place) else None)

    def show_at(self, place):
        """Show the contribution at a place of a plot; None for no place."""
        self.readout.setText("" if place is None or self.contributions is None
                             else self.describe(*place))

    def leaveEvent(self, event):
        super().leaveEvent(event)
        self.show_at(None)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange \
                and getattr(self, "contributions", None) is not None:
            self.update_colours()
