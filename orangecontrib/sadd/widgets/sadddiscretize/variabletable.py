"""The table of variables: sortable, searchable, with distributions and bars."""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QImage, QPalette, QPixmap
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.widgets.common.bartable import (
    MARGIN,
    BarDelegate,
    NameShortener,
    number_width,
)
from orangecontrib.sadd.widgets.sadddiscretize.variablemodel import (
    INFORMATION_COLUMNS,
    SHORT_TITLES,
    Column,
    RowRole,
    VariableModel,
)

__all__ = ["ThumbnailDelegate", "VariableTable"]

# Room for the sort indicator beside a title, and where room is scarce
HEADER_MARGIN = 38
NARROW_MARGIN = 18

# The width of distributions, as a fraction of that of the table
DISTRIBUTION_FRACTION = 0.12
# Names leave this fraction of the room for texts to cuts, if these need it
CUTS_FRACTION = 0.4
# Texts are worth more than bars, but only up to this fraction of the width
TEXT_FRACTION = 0.25
# The length of bars that make room for texts, in pixels
SHORT_BAR = 30

# Room beside a name, icon included, and beside cuts, in pixels; how many of the longest
# are measured
TEXT_MARGINS = {Column.NAME: 34, Column.CUTS: 8}
MEASURED_TEXTS = 50
# Marks edited variables; they may become so after widths are set
EDITED = " *"

# Room beside icon and name in a cell, in pixels
CELL_MARGIN = 16

# Pictures that are kept, of some kilobytes each
MOST_PICTURES = 1000

# There is a gap between bars if they are this wide, in pixels
SHORTEST_BAR = 3


class VariableTable(QWidget):
    """The table, with a filter and the number of variables above it."""

    #: Index of the variable that is selected, -1 if none is
    selected = Signal(int)
    #: Column and order (as int) by which a user sorted
    sorted = Signal(int, int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._current = ""
        # Names and number of columns for which there is a layout
        self._laid_out = [], 0
        self.model = VariableModel(self)
        self.filter = QLineEdit(
            placeholderText="Filter...", clearButtonEnabled=True,
            toolTip="Show only the variables whose name contains this text.")
        self.filter.setAccessibleName("Filter of variables")
        self.filter.textChanged.connect(self._filter)
        self.count = QLabel()
        self.view = QTableView(
            sortingEnabled=True, showGrid=False, wordWrap=False,
            alternatingRowColors=True, cornerButtonEnabled=False,
            selectionBehavior=QTableView.SelectRows,
            selectionMode=QTableView.SingleSelection,
            editTriggers=QTableView.NoEditTriggers,
            horizontalScrollMode=QTableView.ScrollPerPixel)
        self.view.setTextElideMode(Qt.ElideMiddle)
        self.view.setAccessibleName("Variables")
        self.view.setModel(self.model)
        self.view.setItemDelegate(QStyledItemDelegate(self.view))
        self._names, bars = NameDelegate(self.view), BarDelegate(self.view)
        # A view does not own its delegates
        self._delegates = {
            Column.NAME: self._names, Column.CUTS: CutsDelegate(self.view),
            Column.DISTRIBUTION: ThumbnailDelegate(self.view),
            **dict.fromkeys(INFORMATION_COLUMNS, bars)}
        for column, delegate in self._delegates.items():
            self.view.setItemDelegateForColumn(column, delegate)
        rows = self.view.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(self.fontMetrics().height() + 10)
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.ElideRight)
        header.setMinimumSectionSize(40)
        header.sortIndicatorChanged.connect(self._on_sorted)
        self.view.sortByColumn(-1, Qt.AscendingOrder)
        self.view.selectionModel().selectionChanged.connect(self._on_selection)

        top = QHBoxLayout()
        top.addWidget(self.filter, 1)
        top.addSpacing(12)
        top.addWidget(self.count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.view)

    def set_rows(self, rows, compared="", colours=()):
        """Show rows; the selected variable stays selected if it is still there."""
        n_rows = len(self.model.rows)
        name, bar = self._current, self.view.verticalScrollBar()
        scrolled = bar.value()
        self.model.set_rows(rows, compared, colours)
        shown = [row.variable.name for row in self.model.rows], self.model.n_columns
        if shown != self._laid_out:  # or columns that a user made wider would shrink
            self._laid_out = shown
            self._names.set_names(shown[0])
            self._lay_out()
        self.select(name)
        if len(self.model.rows) == n_rows:  # the same data, by other parameters
            bar.setValue(scrolled)
        self._show_count()

    def set_row(self, index, row):
        """Show other figures of a variable."""
        self.model.set_row(index, row)
        self._show_count()

    def select(self, name):
        """Select a variable by its name, or the first one if it is not shown."""
        model = self.model
        place = next((place for place, index in enumerate(model.order)
                      if model.rows[index].variable.name == name), 0)
        if place < len(model.order):
            self.view.setCurrentIndex(model.index(place, 0))
            self.view.scrollTo(model.index(place, 0))
        else:
            self.selected.emit(-1)

    def sort(self, column, order):
        """Sort by a column, or as the data does if it is -1."""
        self.view.sortByColumn(column, Qt.SortOrder(order))

    def remember(self, name):
        """Select the variable with this name as soon as there is one."""
        self._current = self._current or name

    def _filter(self, text):
        name = self._current
        self.model.set_filter(text)
        self.select(name)
        self._show_count()

    def _on_sorted(self, column, order):
        self.select(self._current)
        self.view.scrollToTop()
        self.sorted.emit(column, [Qt.AscendingOrder, Qt.DescendingOrder].index(order))

    def _on_selection(self):
        indices = self.view.selectionModel().selectedRows()
        if indices:
            index = self.model.order[indices[0].row()]
            self._current = self.model.rows[index].variable.name
            self.selected.emit(index)

    def _show_count(self):
        n_rows, n_shown = len(self.model.rows), self.model.rowCount()
        n_single = sum(row.intervals == 1 for row in self.model.rows)
        text = f"{n_rows:,} {pl(n_rows, 'variable')}"
        if n_shown < n_rows:
            text = f"{n_shown:,} of {text}"
        self.count.setText(f"{text}, {n_single:,} with one interval")

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self):
        """Divide the width among the columns."""
        header, metrics = self.view.horizontalHeader(), self.fontMetrics()
        widths = [0] * self.model.n_columns
        width = self.width() - self.view.verticalScrollBar().sizeHint().width() \
            - 2 * self.view.frameWidth()
        narrowest = number_width(metrics) + 2 * MARGIN
        widths[Column.DISTRIBUTION] = int(max(width * DISTRIBUTION_FRACTION, narrowest))
        names, cuts = map(self._needed, TEXT_MARGINS)
        rest, narrow = self._lay_out_numbers(widths, width, names, cuts), set()
        if widths[Column.DISTRIBUTION] < \
                self._title_width(Column.DISTRIBUTION) + 2 * MARGIN:
            narrow.add(Column.DISTRIBUTION)
        if widths[Column.INFORMATION] < \
                self._title_width(Column.INFORMATION) + HEADER_MARGIN:
            narrow |= INFORMATION_COLUMNS
        self.model.set_narrow(frozenset(narrow))
        widths[Column.NAME] = int(max(
            min(names, max(rest * (1 - CUTS_FRACTION), rest - cuts)), narrowest))
        for column, column_width in enumerate(widths):
            is_rest = column == Column.CUTS
            header.setSectionResizeMode(column, QHeaderView.Stretch if is_rest
                                        else QHeaderView.Interactive)
            if not is_rest:
                header.resizeSection(column, column_width)

    def _lay_out_numbers(self, widths, width, names, cuts):
        """Set the widths of numbers and bars; return what is left for texts."""
        bars = [column for column in sorted(INFORMATION_COLUMNS)
                if column < self.model.n_columns]
        metrics = self.fontMetrics()
        number = number_width(metrics) + 2 * MARGIN
        title = self._title_width(Column.INFORMATION) + HEADER_MARGIN
        short = NARROW_MARGIN + metrics.horizontalAdvance(
            SHORT_TITLES[Column.INFORMATION])
        names, cuts = (min(needed, width * TEXT_FRACTION) for needed in (names, cuts))
        # As long as the title; short; hardly any
        for bar, margin, texts in (
                (title, HEADER_MARGIN, names + cuts),
                (number + MARGIN + SHORT_BAR, HEADER_MARGIN,
                 names / (1 - CUTS_FRACTION)),
                (max(number, short), NARROW_MARGIN, 0)):
            if self.model.compared:
                widths[Column.COMPARED_INTERVALS] = margin + max(
                    self._title_width(Column.COMPARED_INTERVALS),
                    metrics.horizontalAdvance("000"))
            rest = width - sum(widths) - len(bars) * bar
            if rest >= texts:
                break
        for column in bars:
            widths[column] = bar
        return rest

    def _title_width(self, column):
        return self.fontMetrics().horizontalAdvance(
            self.model.column_header(column, Qt.DisplayRole))

    def _needed(self, column):
        """Return how wide a column of texts would be if none were cut off."""
        rows = self.model.rows
        key = (lambda row: len(row.variable.name)) if column == Column.NAME \
            else (lambda row: len(row.cuts))
        texts = [self.model.cell(index, column, Qt.DisplayRole) for index in sorted(
            range(len(rows)), key=lambda index: key(rows[index]))[-MEASURED_TEXTS:]]
        mark = EDITED if column == Column.NAME else ""
        return TEXT_MARGINS[column] + max(
            (self.fontMetrics().horizontalAdvance(text.removesuffix(mark) + mark)
             for text in texts), default=0)


class NameDelegate(QStyledItemDelegate):
    """Keeps the part in which names differ."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self._shortener = NameShortener()

    def set_names(self, names):
        """Learn what the names in the table have in common."""
        self._shortener = NameShortener(names)

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        name = option.text.removesuffix(EDITED)
        mark = option.text[len(name):]
        room = option.rect.width() - option.decorationSize.width() - CELL_MARGIN \
            - option.fontMetrics.horizontalAdvance(mark)
        option.text = self._shortener.shortened(name, option.fontMetrics, room) + mark


class CutsDelegate(QStyledItemDelegate):
    """Cuts off the last cuts."""

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        option.textElideMode = Qt.ElideRight


class ThumbnailDelegate(QStyledItemDelegate):
    """Paints the distribution of a variable, when it is seen, and remembers it."""

    def __init__(self, parent=None):
        super().__init__(parent)
        # Bars by thumbnail and size, oldest first
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
        key = thumbnail, size.width(), size.height(), ratio
        if key not in self._pictures:
            if len(self._pictures) >= MOST_PICTURES:
                del self._pictures[next(iter(self._pictures))]
            self._pictures[key] = self._draw(thumbnail.counts, size, ratio)
        return self._pictures[key]

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
