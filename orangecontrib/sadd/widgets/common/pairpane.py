"""The picture of a pair of numeric variables: a heat map with rows and a colour bar."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QRectF
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QVBoxLayout

from orangecontrib.sadd.widgets.common.controls import arrange, value_colours
from orangecontrib.sadd.widgets.common.histogram import HoveredPlots, replace_axis

__all__ = ["HeatMap"]

# Opacity of cells without rows nearby
FAR_OPACITY = .2
# Rows that are drawn, and the diameter of their points
MOST_POINTS, POINT = 1000, 6
# The largest number of a colour bar is at least this
LEAST_RANGE = .1
BAR_WIDTH = 14


class HeatMap(HoveredPlots):
    """
    What two numeric variables add together.

    Cells without rows nearby are faded. Points are rows; those of unlabelled rows are
    hollow.
    """

    def __init__(self):
        super().__init__()
        self.target = 0
        self.plot = self.make_plot("Contribution by both values")
        self.image = pg.ImageItem()
        self.plot.addItem(self.image)
        self.points = [pg.ScatterPlotItem(pxMode=True, size=POINT) for _ in range(2)]
        for points in self.points[::-1]:  # labelled rows on top
            self.plot.addItem(points)
        self.bar = pg.ColorBarItem(interactive=False, width=BAR_WIDTH)
        self.bar.setImageItem([], insert_in=self.plot.plotItem)
        arrange(QVBoxLayout(self), self.legend, self.plot, self.readout,
                stretched=self.plot, spacing=0)

    def set_contributions(self, contributions, target):
        """Show a `PairContributions` of two numeric variables, for a class."""
        self.contributions, self.target = contributions, target
        adds, is_near = contributions.grid(target)
        largest = max(float(np.abs(adds).max()), LEAST_RANGE)
        colours = self._colours()
        self.image.setImage(self._paint(adds / largest, is_near, colours),
                            autoLevels=False)
        (left, right), (low, high) = contributions.ranges
        self.image.setRect(QRectF(left, low, right - left, high - low))
        self.bar.setColorMap(pg.ColorMap((0, .5, 1), colours))
        self.bar.setLevels((-largest, largest))
        for set_pen in (self.bar.axis.setPen, self.bar.axis.setTextPen):
            set_pen(self.palette().color(QPalette.Text))
        for axis, variable in zip(
                ("bottom", "left"), contributions.variables, strict=True):
            replace_axis(self.plot, variable, axis)
            self.plot.getAxis(axis).setLabel(escape(variable.name))
        self.plot.setRange(xRange=(left, right), yRange=(low, high), padding=0)
        self._set_points()
        self.write_legend(
            contributions.class_var, contributions.classes,
            *["\N{WHITE CIRCLE}&nbsp;unlabelled"] * (len(contributions.unlabelled) > 0))
        self.show_at(None)

    def _colours(self):
        """Return the colours of the least number, 0, and the largest number."""
        classes, shown = self.contributions.classes, \
            value_colours(self.contributions.class_var)
        base, text = (self.palette().color(role)
                      for role in (QPalette.Base, QPalette.Mid))
        return shown[classes[0]] if len(classes) == 2 else text, base, \
            shown[self.target]

    @staticmethod
    def _paint(shares, is_near, colours):
        """Return an image; shares go from -1 to 1."""
        low, base, high = (np.array(colour.getRgb()[:3], float) for colour in colours)
        strength = np.abs(shares)[..., None]
        end = np.where(shares[..., None] > 0, high, low)
        image = base + strength * (end - base)
        opacity = np.where(is_near, 255, 255 * FAR_OPACITY)[..., None]
        return np.concatenate((image, opacity), axis=-1).astype(np.ubyte)

    def _set_points(self):
        contributions, text = self.contributions, self.palette().color(QPalette.Text)
        colours = value_colours(contributions.class_var)
        rng = np.random.RandomState(0)
        for points, rows, classes in zip(
                self.points, (contributions.labelled, contributions.unlabelled),
                (contributions.row_classes, None), strict=True):
            drawn = rng.permutation(len(rows))[:MOST_POINTS]
            points.setData(
                *rows[drawn].T, pen=pg.mkPen(text, width=.8),
                brush=None if classes is None else [
                    pg.mkBrush(colours[row]) for row in classes[drawn]])

    def describe(self, x, y):
        return self.contributions.describe_at(x, y, self.target)

    def update_colours(self):
        self.set_contributions(self.contributions, self.target)
