"""The small distributions in the table of variables."""

import numpy as np
from AnyQt.QtGui import QImage, QPalette, QPixmap
from AnyQt.QtWidgets import QStyle, QStyledItemDelegate

from orangecontrib.sadd.widgets.common.bartable import MARGIN
from orangecontrib.sadd.widgets.cutting.variablemodel import RowRole

__all__ = ["ThumbnailDelegate"]

# Pictures that are kept, of some kilobytes each
MOST_PICTURES = 1000

# There is a gap between bars if they are this wide, in pixels
SHORTEST_BAR = 3


class ThumbnailDelegate(QStyledItemDelegate):
    """Paints the distribution of a variable, when it is seen, and remembers it."""

    def __init__(self, parent=None):
        super().__init__(parent)
        # Thumbnail and its bars by the thumbnail's id and the size, oldest first
        self._pictures = {}
        self._colours = []

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        row, model = index.data(RowRole), index.model()
        if row is None or row.thumbnail is None:
            return
        if self._colours != model.colours:
            self._colours = list(model.colours)
            self._pictures.clear()
        area = option.rect.adjusted(MARGIN, 3, -MARGIN, -2)
        if area.width() <= 0 or area.height() <= 0:
            return
        painter.save()
        if option.state & QStyle.State_Selected:  # colours of classes are not for this
            painter.fillRect(area.adjusted(-2, -1, 2, 1),
                             option.palette.color(QPalette.Base))
        painter.drawPixmap(area.topLeft(), self._picture(
            row.thumbnail, area.size(), painter.device().devicePixelRatioF()))
        painter.setPen(option.palette.color(QPalette.Text))
        for x in {round(area.left() + row.thumbnail.place(cut) * area.width())
                  for cut in row.cuts}:
            painter.drawLine(x, area.top() - 1, x, area.bottom() + 1)
        painter.restore()

    def _picture(self, thumbnail, size, ratio):
        key = id(thumbnail), size.width(), size.height(), ratio
        if key not in self._pictures:
            if len(self._pictures) >= MOST_PICTURES:
                del self._pictures[next(iter(self._pictures))]
            # While the thumbnail is kept, no other one has its id
            self._pictures[key] = thumbnail, self._draw(thumbnail.counts, size, ratio)
        return self._pictures[key][1]

    def _draw(self, counts, size, ratio):
        """Return the bars, stacked by class; the lowest ones have one pixel."""
        width, height = round(size.width() * ratio), round(size.height() * ratio)
        tops = np.cumsum(counts, axis=0)
        tops = tops * (height / max(tops[-1].max(), 1e-300))
        levels = np.arange(height - 1, -1, -1)
        # The class at each level of each bar, or the number of classes above it
        classes = (tops[:, None] <= levels[:, None]).sum(axis=0)
        colours = np.zeros(len(counts) + 1, dtype=np.uint32)
        colours[:len(self._colours)] = [
            colour.rgba() for colour in self._colours[:len(counts)]]
        bars = np.arange(width) * counts.shape[1] // width
        pixels = colours[classes][:, bars]
        if width >= SHORTEST_BAR * counts.shape[1] * ratio:
            pixels[:, 1:][:, np.diff(bars) > 0] = 0
        picture = QPixmap.fromImage(QImage(
            pixels.tobytes(), width, height, 4 * width, QImage.Format_ARGB32))
        picture.setDevicePixelRatio(ratio)
        return picture
