"""Tables of named rows with numbers and bars; names stay when columns scroll."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from AnyQt.QtCore import QItemSelectionModel, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter, QPalette
from AnyQt.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
)

from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    MARGIN,
    BarColourRole,
    BarDelegate,
    BarRole,
    BarTableModel,
    WidestRole,
)
from orangecontrib.sadd.widgets.common.histogram import faint

__all__ = ["NumberColumn", "NumberTable"]

NO_NUMBER = "–"
# Fractions of the table's width for names if room is scarce, and if it is not
NAMES_FRACTIONS = .22, .6
# The least length of a full bar, and room for the sort indicator beside a title
SHORTEST_BAR, SORTED_MARGIN = 28, 22
# The largest width of a title that is not elided, in characters
LONGEST_TITLE = 20
# Opacity of numbers without effect
FADED = .45


class NumberColumn(NamedTuple):
    """
    A column of numbers.

    Attributes
    ----------
    title : str
    values : ndarray
        NaN for no number.
    tip : str
        The tooltip of the title.
    span : tuple of float or None
        Numbers at both ends of the bars, which begin at 0; None for no bars.
    colours : tuple of QColor
        Of all bars, or of bars below and above 0. The default is the highlight.
    texts : sequence of str or None
        Shown in place of numbers.
    tips : sequence of str or None
        Tooltips of cells; by default the number, with more digits.
    decimals : int
    is_used : bool
        Whether the numbers have an effect; otherwise they are faded.
    """

    title: str
    values: np.ndarray
    tip: str = ""
    span: tuple[float, float] | None = (0, 1)
    colours: tuple = ()
    texts: tuple | None = None
    tips: tuple | None = None
    decimals: int = 3
    is_used: bool = True

    def text(self, row):
        """Return the text of a cell."""
        if np.isnan(self.values[row]):
            return NO_NUMBER
        return f"{self.values[row]:,.{self.decimals}f}" if self.texts is None \
            else self.texts[row]

    def widest(self):
        """Return the longest text."""
        known = np.flatnonzero(~np.isnan(self.values))
        if self.texts is None and len(known):
            values = self.values[known]
            known = known[[values.argmin(), values.argmax()]]
        return max((self.text(row) for row in known), key=len, default=NO_NUMBER)

    def tooltip(self, row):
        """Return the tooltip of a cell."""
        if self.tips is not None:
            return self.tips[row]
        return "No effect" if np.isnan(self.values[row]) else (
            f"{self.line}: {self.values[row]:,.{self.decimals + 1}f}")

    @property
    def line(self):
        """The title in one line."""
        return self.title.replace("\n", " ")

    def bar(self, row):
        """Return both ends of the bar of a cell, from 0 to 1, or None."""
        if self.span is None or np.isnan(self.values[row]):
            return None
        low, high = self.span
        ends = (np.clip([0, self.values[row]], low, high) - low) / (high - low or 1)
        return ends.min().item(), ends.max().item()

    def colour(self, row):
        """Return the colour of the bar of a cell, or None."""
        return self.colours[-1 if self.values[row] > 0 else 0] if self.colours else None


class NumberModel(BarTableModel):
    """Numbers by row and column; ties are sorted by the first column."""

    roles = frozenset((Qt.DisplayRole, Qt.ForegroundRole, Qt.ToolTipRole, BarRole,
                       BarColourRole, WidestRole))

    def __init__(self, parent=None):
        super().__init__(parent)
        self.names, self.columns, self.is_faded = (), (), ()
        self._sorting = None
        #: Titles as the header shows them, and the widest text of each column
        self.titles, self.widest = [], []

    @property
    def n_columns(self):
        return len(self.columns)

    def set_columns(self, names, columns, is_faded):
        """
        Show other numbers.

        Parameters
        ----------
        names : sequence of str
            Of rows.
        columns : sequence of NumberColumn
        is_faded : sequence of bool
            Rows without effect.
        """
        self.beginResetModel()
        self.names, self.columns, self.is_faded = tuple(names), columns, is_faded
        self.titles = [column.title for column in columns]
        self.widest = [column.widest() for column in columns]
        self._arrange()
        self.endResetModel()

    def _arrange(self):
        names = [name.lower() for name in self.names]
        order = range(len(names))
        if self.columns and self._sorting is not None:
            column, direction = self._sorting
            if column < 0:
                order = sorted(order, key=names.__getitem__)
            else:
                keys = self.columns[min(column, self.n_columns - 1)].values
                sign = 1 if direction == Qt.AscendingOrder else -1
                # NaN comes last in either direction
                order = np.lexsort((-self.columns[0].values, sign * keys)).tolist()
        self.order = [row for row in order if self._text in names[row]]

    def cell(self, row, column, role):
        shown = self.columns[column]
        if role == Qt.DisplayRole:
            return shown.text(row)
        if role == BarRole:
            return shown.bar(row)
        if role == BarColourRole:
            colour = shown.colour(row)
            if self.is_faded[row] or not shown.is_used:
                colour = faded(colour)
            return colour
        if role == WidestRole:
            return self.widest[column]
        if role == Qt.ForegroundRole:
            return faded() if self.is_faded[row] or not shown.is_used else None
        return f"{self.names[row]}\n{shown.tooltip(row)}" \
            if role == Qt.ToolTipRole else None

    def row_header(self, row, role):
        if role == Qt.DisplayRole:
            return self.names[row]
        if role == Qt.ForegroundRole:
            return faded() if self.is_faded[row] else None
        return f"{self.names[row]}\n{self.columns[0].tooltip(row)}" \
            if role == Qt.ToolTipRole else None

    def column_header(self, column, role):
        if role == Qt.DisplayRole:
            return self.titles[column]
        return self.columns[column].tip if role == Qt.ToolTipRole else None


def faded(colour=None):
    """Return the colour of a cell without effect."""
    return faint(colour or QApplication.palette().color(QPalette.Text), FADED)


class NamesHeader(QHeaderView):
    """Names in the style of cells, not of Qt's buttons."""

    def __init__(self, parent=None):
        super().__init__(Qt.Vertical, parent)
        self.setSectionResizeMode(QHeaderView.Fixed)
        self.setDefaultSectionSize(self.fontMetrics().height() + 7)
        self.setSectionsClickable(True)

    def paintSection(self, painter, rect, section):
        palette, model = self.palette(), self.model()
        selected = self.parent().selectionModel().isRowSelected(section)
        role = QPalette.Highlight if selected else \
            QPalette.AlternateBase if section % 2 else QPalette.Base
        painter.fillRect(rect, palette.color(role))
        colour = palette.color(QPalette.HighlightedText) if selected else \
            model.headerData(section, Qt.Vertical, Qt.ForegroundRole)
        painter.setPen(colour or palette.color(QPalette.Text))
        rect = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        painter.drawText(rect, LEFT, self.fontMetrics().elidedText(
            model.headerData(section, Qt.Vertical) or "", Qt.ElideMiddle, rect.width()))

    def paintEvent(self, event):
        super().paintEvent(event)
        rest = self.viewport().rect()
        rest.setTop(max(0, self.length() - self.offset()))
        painter = QPainter(self.viewport())
        painter.fillRect(rest, self.palette().color(QPalette.Base))
        painter.end()


class NumberTable(QTableView):
    """
    Numbers with bars.

    Parameters
    ----------
    title : str
        Of the names.
    """

    #: The index of the row that was selected
    row_selected = Signal(int)
    #: The column, -1 for names, and whether it is sorted downwards
    sorting_changed = Signal(int, bool)

    def __init__(self, title, **kwargs):
        super().__init__(
            showGrid=False, wordWrap=False, alternatingRowColors=True,
            selectionMode=QTableView.SingleSelection,
            selectionBehavior=QTableView.SelectRows,
            editTriggers=QTableView.NoEditTriggers,
            horizontalScrollMode=QTableView.ScrollPerPixel, **kwargs)
        self.title = title
        self.numbers = NumberModel(self)
        self.setModel(self.numbers)
        self.setItemDelegate(BarDelegate(self))
        self.setVerticalHeader(NamesHeader(self))
        # Above the names
        self.corner = self.findChild(QAbstractButton)
        self.corner.clicked.disconnect()
        layout = QHBoxLayout(self.corner)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(QLabel(title, margin=MARGIN - 2))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        self._selected = self._announced = -1
        self.selectionModel().currentRowChanged.connect(self._on_selected)
        self.numbers.modelReset.connect(self._mark)

    def make_sortable(self, column, descending):
        """Sort by a column, -1 for names, and by clicks on titles."""
        self.corner.setToolTip("Sort by name.")
        self.corner.clicked.connect(lambda: self.sortByColumn(-1, Qt.AscendingOrder))
        header = self.horizontalHeader()
        header.setSortIndicator(
            column, Qt.DescendingOrder if descending else Qt.AscendingOrder)
        self.setSortingEnabled(True)
        header.sortIndicatorChanged.connect(self._on_sorted)

    def set_columns(self, names, columns, is_faded):
        """Show other numbers; parameters are as for `NumberModel`."""
        self._selected = self._announced = -1
        self.numbers.set_columns(names, columns, is_faded)
        self._lay_out()

    def select(self, row):
        """Select a row by its index, if it is shown; it stays selected."""
        self._selected = row
        self._mark()
        self.scrollTo(self.currentIndex())

    def _mark(self):
        """Mark the selected row, also after sorting and filtering."""
        if self._selected in self.numbers.order:
            index = self.numbers.index(self.numbers.order.index(self._selected), 0)
            self.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows)

    def as_lists(self):
        """Return the visible texts, the header first."""
        model = self.numbers
        return [[self.title, *(column.line for column in model.columns)],
                *([model.names[row], *(column.text(row) for column in model.columns)]
                  for row in model.order)]

    def as_frame(self):
        """Return all numbers, with names as the index."""
        return pd.DataFrame(
            {column.line: column.values for column in self.numbers.columns},
            pd.Index(self.numbers.names, name=self.title))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def _on_selected(self, current, _):
        if current.isValid():
            self._selected = self.numbers.order[current.row()]
            if self._selected != self._announced:  # not after sorting
                self._announced = self._selected
                self.row_selected.emit(self._selected)
        self.verticalHeader().viewport().update()

    def _on_sorted(self, column, order):
        self.scrollToTop()
        self.sorting_changed.emit(column, order == Qt.DescendingOrder)

    def _lay_out(self):
        """Set the width of each column to its texts, and divide the rest."""
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        room = self.width() - 2 * self.frameWidth() \
            - self.verticalScrollBar().sizeHint().width()
        model, longest = self.numbers, LONGEST_TITLE * metrics.averageCharWidth()
        wanted = []
        for column, text in zip(model.columns, model.widest, strict=True):
            title = max(map(metrics.horizontalAdvance, column.title.split("\n")))
            wanted.append(max(
                min(title, longest)
                + (SORTED_MARGIN if self.isSortingEnabled() else 3 * MARGIN),
                metrics.horizontalAdvance(text) + 2 * MARGIN
                + (SHORTEST_BAR if column.span else 0)))
        names = 3 * MARGIN + max(map(metrics.horizontalAdvance,
                                     [self.title, *model.names]))
        least, most = (int(room * fraction) for fraction in NAMES_FRACTIONS)
        names = min(names, max(least, min(most, room - sum(wanted))))
        self.verticalHeader().setFixedWidth(max(names, metrics.averageCharWidth()))
        bars = [index for index, column in enumerate(model.columns) if column.span]
        rest = max(0, room - names - sum(wanted)) // max(1, len(bars))
        for index, width in enumerate(wanted):
            width += rest if index in bars else 0
            header.resizeSection(index, width)
            # Qt would elide both lines of a title as one
            model.titles[index] = "\n".join(
                metrics.elidedText(line, Qt.ElideMiddle, width - 2 * MARGIN)
                for line in model.columns[index].title.split("\n"))
        self.updateGeometries()  # of names and titles
