"""Decisions of the splitter: gains and thresholds over the size of intervals."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter, QPalette
from Orange.widgets.visualize.utils.plotutils import AxisItem, PlotWidget

from orangecontrib.sadd.widgets.cutting.plotlegend import LegendEntry, PlotLegend

__all__ = ["DecisionPlot", "describe_decision"]

# Gains and thresholds below this fraction of the largest are drawn at the bottom
LOWEST = 1e-4


def describe_decision(decision, variable, adaptive=True):
    """Return what was decided, in a few lines."""
    low = "lowest value" if np.isinf(decision.lower) \
        else variable.str_val(decision.lower)
    high = "highest value" if np.isinf(decision.upper) \
        else variable.str_val(decision.upper)
    lines = [
        f"{variable.name}: from {low} to {high}, {decision.rows:,.10g} rows",
        f"Best cut at {variable.str_val(decision.cut)}: "
        f"{decision.rows_left:,.10g} rows below, {decision.rows_right:,.10g} above",
        f"Information gain {decision.gain:.4f}"]
    if adaptive:
        lines.append(f"Adapted threshold {decision.adapted_theta:.4f}; "
                     f"MDLP would ask for {decision.theta:.4f}, for the same rows")
    else:
        lines.append(f"Threshold {decision.theta:.4f}")
    lines.append("The cut is accepted." if decision.accepted
                 else "The cut is refused.")
    return "\n".join(lines)


class LogAxis(AxisItem):
    """Axis for logarithms, with ticks at 1, 2, 5, 10, ..."""

    def tickValues(self, minVal, maxVal, size):
        decades = np.arange(np.floor(minVal), np.ceil(maxVal) + 1)
        wide = maxVal - minVal > size / 60
        steps = [1.] if wide else [1., 2., 5.]
        values = (decades[:, None] + np.log10(steps)).ravel()
        return [(1., [value for value in values if minVal <= value <= maxVal])]

    def tickStrings(self, values, scale, spacing):
        return [f"{10 ** value:,.10g}" if value >= 0 else f"{10 ** value:.3g}"
                for value in values]


class DecisionPlot(PlotWidget):
    """A point for each interval that the splitter considered."""

    #: The decision under the mouse, or None
    hovered = Signal(object)

    def __init__(self, parent=None):
        super().__init__(
            parent, enableMenu=False,
            axisItems={"left": LogAxis("left"), "bottom": LogAxis("bottom")})
        self.decisions = []
        self.variable = None
        self.adaptive = True
        self.setRenderHint(QPainter.Antialiasing)
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(4, 4, 12, 2)
        self.getAxis("bottom").setLabel("Rows in the interval")
        self.getAxis("left").setLabel("Gain (bits)")
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.legend = PlotLegend(self.plotItem)
        self.theta_line = pg.PlotCurveItem()
        self.adapted_line = pg.PlotCurveItem()
        self.refused = self._make_points("x")
        self.accepted = self._make_points("o")
        for item in (self.theta_line, self.adapted_line, self.refused, self.accepted):
            self.addItem(item)
        self.text = pg.TextItem(anchor=(.5, .5))
        self.addItem(self.text, ignoreBounds=True)
        self._update_colours()
        self.show_text("")

    def _make_points(self, symbol):
        points = pg.ScatterPlotItem(
            symbol=symbol, size=9, hoverable=True, hoverSize=13, tip=self._tip)
        points.sigHovered.connect(self._on_hovered)
        return points

    def set_decisions(self, variable, decisions, adaptive):
        """
        Show the decisions about a variable.

        Parameters
        ----------
        variable : ContinuousVariable
        decisions : list of Decision
        adaptive : bool
            Whether the method is SADD, not MDLP.
        """
        self.variable, self.decisions, self.adaptive = variable, decisions, adaptive
        if not decisions:
            self.show_text("No interval of this variable can be cut: all of its rows "
                           "are equal or of one class.")
            return
        self.text.hide()
        for name in ("left", "bottom"):
            self.getAxis(name).show()
        rows = np.log10([decision.rows for decision in decisions])
        figures = np.array([(d.gain, d.theta, d.adapted_theta) for d in decisions])
        floor = LOWEST * figures.max()
        gain, theta, adapted = np.log10(np.maximum(figures, floor)).T
        order = np.argsort(rows, kind="stable")
        self.theta_line.setData(rows[order], theta[order])
        self.adapted_line.setData(rows[order], adapted[order])
        self.adapted_line.setVisible(adaptive)
        accepted = np.array([decision.accepted for decision in decisions])
        for points, mask in ((self.accepted, accepted), (self.refused, ~accepted)):
            indices = np.flatnonzero(mask)
            points.setData(rows[indices], gain[indices],
                           data=[decisions[index] for index in indices])
        values = np.concatenate((gain, theta, adapted))
        margin = max(.08 * np.ptp(values), .1)
        self.getViewBox().setRange(
            xRange=(rows.min() - .1, rows.max() + .1),
            yRange=(values.min() - margin, values.max() + margin), padding=0)
        self._update_legend()

    def show_text(self, text):
        """Show a sentence in place of the chart."""
        self.decisions = []
        for item in (self.theta_line, self.adapted_line, self.refused, self.accepted):
            item.clear()
        for name in ("left", "bottom"):
            self.getAxis(name).hide()
        self.legend.set_entries([])
        self.getViewBox().setRange(xRange=(0, 1), yRange=(0, 1), padding=0)
        self.text.setText(text)
        self.text.setPos(.5, .5)
        self.text.show()

    def _update_legend(self):
        highlight = self.palette().color(QPalette.Highlight)
        entries = [LegendEntry("cut accepted", "dot", highlight),
                   LegendEntry("cut refused", "cross"),
                   LegendEntry("MDLP threshold for the same rows", "line",
                               self._faint(), Qt.DashLine)]
        if self.adaptive:
            entries.append(LegendEntry("adapted threshold", "line"))
        self.legend.set_entries(entries)

    def _tip(self, x, y, data):
        return describe_decision(data, self.variable, self.adaptive)

    def _on_hovered(self, _, points):
        self.hovered.emit(points[0].data() if len(points) else None)

    def leaveEvent(self, event):
        super().leaveEvent(event)
        self.hovered.emit(None)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "text"):
            self._update_colours()

    def _update_colours(self):
        palette = self.palette()
        text, faint = palette.color(QPalette.Text), self._faint()
        self.text.setColor(faint)
        self.theta_line.setPen(pg.mkPen(faint, width=1.5, style=Qt.DashLine))
        self.adapted_line.setPen(pg.mkPen(text, width=1.5))
        self.accepted.setPen(pg.mkPen(text))
        self.accepted.setBrush(palette.color(QPalette.Highlight))
        self.refused.setPen(pg.mkPen(text))
        self.refused.setBrush(text)
        if self.decisions:
            self._update_legend()

    def _faint(self):
        colour = self.palette().color(QPalette.Text)
        colour.setAlphaF(.6)
        return colour
