"""The pane that shows the contribution of each value of an attribute."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from orangecontrib.sadd.explain.pairs import PairContributions
from orangecontrib.sadd.widgets.common.controls import (
    ElidedLabel,
    WrappedLabel,
    arrange,
    value_colours,
)
from orangecontrib.sadd.widgets.common.histogram import (
    HistogramBars,
    HoveredPlots,
    replace_axis,
)
from orangecontrib.sadd.widgets.common.numbertable import NumberColumn, NumberTable
from orangecontrib.sadd.widgets.common.pairpane import HeatMap

__all__ = ["ValuePane"]

# Of a plot, and of the axis on the left
LEAST_HEIGHT, AXIS_WIDTH = 60, 54
# The least range of curves above and below 0
LEAST_RANGE = .2


class ValuePane(QWidget):
    """Bars for values and intervals, curves for smooth contributions, pairs."""

    def __init__(self):
        super().__init__()
        self._pair = None
        self.title = ElidedLabel()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.reference = ElidedLabel()
        #: Where a pair adds most and least
        self.sentence = WrappedLabel()
        #: Of a pair, if there are more than two classes
        self.class_combo = QComboBox(accessibleName="Class", visible=False)
        self.class_combo.activated.connect(lambda _: self._show_pair())
        self.table = NumberTable("Value", accessibleName="Contributions of values")
        self.table.setSelectionMode(NumberTable.NoSelection)
        self.curves, self.heat_map = CurvePlot(), HeatMap()
        self.stack = QStackedWidget()
        for part in (self.table, self.curves, self.heat_map):
            self.stack.addWidget(part)
        line = arrange(QHBoxLayout(), self.reference, self.class_combo,
                       stretched=self.reference)
        arrange(QVBoxLayout(self), self.title, line, self.sentence, self.stack,
                stretched=self.stack, spacing=2)

    def show_contributions(self, contributions):
        """Show a `ValueContributions`, or a `PairContributions`."""
        if isinstance(contributions, PairContributions):
            self.show_pair(contributions)
            return
        self._pair = None
        self.class_combo.hide()
        self.sentence.hide()
        self.title.setText(f"{contributions.variable.name}: what each value adds")
        self.reference.setText(f"Log-odds, {contributions.reference}")
        if contributions.is_smooth:
            self.curves.set_contributions(contributions)
            self.stack.setCurrentWidget(self.curves)
        else:
            self.table.set_columns(
                contributions.labels, bar_columns(contributions),
                contributions.labelled + contributions.unlabelled == 0, "Value")
            self.stack.setCurrentWidget(self.table)

    def show_pair(self, pair):
        """Show a `PairContributions`; a class that was chosen stays."""
        chosen, self._pair = self.class_combo.currentText(), pair
        is_new = self.class_combo.isHidden()
        self.class_combo.clear()
        for index in pair.shown:
            self.class_combo.addItem(pair.class_var.values[index], int(index))
        place = -1 if is_new else self.class_combo.findText(chosen)
        self.class_combo.setCurrentIndex(
            place if place >= 0 else self.class_combo.findData(pair.strongest))
        self.class_combo.setVisible(len(pair.shown) > 1)
        self._show_pair()

    def _show_pair(self):
        pair, target = self._pair, self.class_combo.currentData()
        self.title.setText(f"{pair.name}: what both add together")
        self.reference.setText(pair.reference(target))
        self.sentence.setText(pair.describe_ends(target))
        self.sentence.show()
        if pair.n_numeric == 2:
            self.heat_map.set_contributions(pair, target)
            self.stack.setCurrentWidget(self.heat_map)
        elif pair.n_numeric:
            self.curves.set_contributions(pair.curves(target))
            self.stack.setCurrentWidget(self.curves)
        else:
            self.table.set_columns(pair.variables[0].values,
                                   *pair_columns(pair, target), pair.variables[0].name)
            self.stack.setCurrentWidget(self.table)


def pair_columns(pair, target):
    """Return the columns of a table of two categorical variables, and faded rows."""
    adds, labelled, unlabelled = pair.cells(target)
    first, second = pair.variables
    colours = value_colours(pair.class_var)
    low = colours[pair.classes[0]] if len(pair.classes) == 2 \
        else QApplication.palette().color(QPalette.Mid)
    largest = max(np.nanmax(np.abs(adds), initial=0), 1e-9)
    columns = []
    for index, value in enumerate(second.values):
        tips = [f"{first.name} {first.values[row]}, {second.name} {value}\n"
                f"{labelled[row, index]:,} labelled and "
                f"{unlabelled[row, index]:,} unlabelled rows"
                for row in range(len(adds))]
        columns.append(NumberColumn(
            value, adds[:, index], f"{second.name} {value}", (-largest, largest),
            (low, colours[target]), tips=tips, decimals=2, group=second.name))
    return columns, np.isnan(adds).all(axis=1)


def bar_columns(contributions):
    """Return the columns of a table of values: contributions, then rows."""
    names, colours = contributions.class_var.values, \
        value_colours(contributions.class_var)
    classes, adds = contributions.shown
    tips = [contributions.describe(row) for row in range(len(adds))]
    largest = max(np.abs(adds).max(initial=0), 1e-9)
    span, tip = (-largest, largest), "Log-odds that the value adds for {}."
    if len(contributions.classes) == 2:
        texts = [contributions.phrase(row) for row in range(len(adds))]
        columns = [NumberColumn(
            "Adds", adds[:, 0], tip.format("a class"), span,
            tuple(colours[index] for index in contributions.classes), texts, tips)]
    else:
        columns = [NumberColumn(names[index], column, tip.format(names[index]), span,
                                (colours[index],), tips=tips, decimals=2)
                   for index, column in zip(classes, adds.T, strict=True)]
    for title, kind, rows in (("Rows", "Labelled rows", contributions.labelled),
                              ("Unlabelled", "Unlabelled rows",
                               contributions.unlabelled)):
        if title == "Rows" or rows.any():
            columns.append(NumberColumn(title, rows.astype(float),
                                        f"{kind} with this value.", None, tips=tips,
                                        decimals=0))
    return columns


class CurvePlot(HoveredPlots):
    """Curves of contributions above a histogram of rows."""

    def __init__(self):
        super().__init__()
        self.plot = self.make_plot("Contribution by value")
        self.histogram = self.make_plot("Rows by value")
        self.histogram.setXLink(self.plot)
        self.bars = HistogramBars(self.histogram)
        self.baseline = pg.InfiniteLine(0, angle=0)
        self.markers = []
        for plot in (self.plot, self.histogram):
            plot.setMinimumHeight(LEAST_HEIGHT)
            plot.getAxis("left").setWidth(AXIS_WIDTH)
            plot.getAxis("left").enableAutoSIPrefix(False)
            marker = pg.InfiniteLine(angle=90)
            marker.hide()
            plot.addItem(marker, ignoreBounds=True)
            self.markers.append(marker)
        self.plot.addItem(self.baseline, ignoreBounds=True)
        self.plot.hideAxis("bottom")
        self.histogram.getAxis("left").setLabel("Rows")
        self._curves = []
        layout = arrange(QVBoxLayout(self), self.legend, self.plot, self.histogram,
                         self.readout, spacing=0)
        layout.setStretchFactor(self.plot, 3)
        layout.setStretchFactor(self.histogram, 1)

    def set_contributions(self, contributions):
        """Show the curves of an attribute."""
        self.contributions = contributions
        text = self.palette().color(QPalette.Text)
        self.baseline.setPen(pg.mkPen(text, width=1))
        for marker in self.markers:
            marker.setPen(pg.mkPen(text, width=1, style=Qt.DashLine))
        for curve in self._curves:
            self.plot.removeItem(curve)
        classes, adds = contributions.shown
        colours = value_colours(contributions.class_var)
        edges, knots = contributions.edges, contributions.knots
        places = np.concatenate((np.minimum(edges[:1], knots[:1]), knots,
                                 np.maximum(edges[-1:], knots[-1:])))
        self._curves = []
        for column, index in zip(adds.T, classes, strict=True):
            curve = pg.PlotDataItem(
                places, np.concatenate((column[:1], column, column[-1:])),
                pen=pg.mkPen(colours[index], width=2))
            self.plot.addItem(curve)
            self._curves.append(curve)
        self.plot.getAxis("left").setLabel(escape(contributions.scale))
        self._mark_cuts(contributions.cuts)
        # The classes on which the attribute has the largest effect
        self.write_legend(contributions.class_var, classes[
            np.argsort(-np.ptp(adds, axis=0), kind="stable")])
        self.legend.setVisible(len(classes) > 1)
        grey = self.palette().color(QPalette.Mid)
        self.bars.set_counts(edges, contributions.labelled[None],
                             contributions.unlabelled[None], [grey])
        replace_axis(self.histogram, contributions.variable)
        margin = .02 * (edges[-1] - edges[0])
        self.plot.setXRange(edges[0] - margin, edges[-1] + margin, padding=0)
        visible = np.concatenate((adds[(edges[0] < knots) & (knots < edges[-1])], [
            np.interp(edges[[0, -1]], knots, column) for column in adds.T]), axis=None)
        low = visible.min(initial=-LEAST_RANGE)
        high = visible.max(initial=LEAST_RANGE)
        self.plot.setYRange(low, high, padding=.05)
        top = self.bars.height
        self.histogram.setYRange(0, top * 1.2, padding=0)
        self.histogram.getAxis("left").setTicks([[(0, "0"), (top, f"{top:,.10g}")]])
        self.show_at(None)

    def _mark_cuts(self, cuts):
        """Mark the places where the method of discretization cuts."""
        pen = pg.mkPen(self.palette().color(QPalette.Mid), width=1, style=Qt.DotLine)
        for cut in cuts:
            line = pg.InfiniteLine(cut, pen=pen)
            self.plot.addItem(line, ignoreBounds=True)
            self._curves.append(line)

    def show_at(self, place):
        for marker in self.markers:
            marker.setVisible(place is not None)
            if place is not None:
                marker.setValue(place[0])
        super().show_at(place)

    def describe(self, x, y):
        return self.contributions.describe_at(x)

    def update_colours(self):
        self.set_contributions(self.contributions)
