"""The table of variables: sortable, searchable, with bars for information."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyledItemDelegate,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from Orange.data import Variable
from Orange.widgets import gui
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    RIGHT,
    BarDelegate,
    BarRole,
    BarTableModel,
    number_width,
)

__all__ = ["VariableRow", "VariableTable"]

# Room for the sort indicator beside a title, and the width of a column with bars as
# a fraction of what the numbers of intervals leave
HEADER_MARGIN = 30
BAR_FRACTION = 0.27

# The largest number of cuts in a tooltip
LISTED_CUTS = 8


class VariableRow(NamedTuple):
    """What the table shows of a variable; shares are of the class entropy."""

    variable: Variable
    intervals: int
    information: float
    share: float
    compared_intervals: int = 0
    compared_information: float = 0.
    compared_share: float = 0.
    edited: bool = False
    cuts: Sequence[float] = ()


class Column(IntEnum):
    """Columns of the table."""

    NAME, INTERVALS, INFORMATION, COMPARED_INTERVALS, COMPARED_INFORMATION = range(5)


INFORMATION_COLUMNS = {Column.INFORMATION, Column.COMPARED_INFORMATION}


class VariableModel(BarTableModel):
    """
    The rows of the table of variables.

    It sorts and filters itself: Qt's proxy model would ask for each value many times.

    Attributes
    ----------
    rows : list of VariableRow
        All of them, in the order of the data.
    compared : str
        The name of the method that is compared with; empty if there is none.
    """

    texts = (Column.NAME,)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.rows = []
        self.compared = ""
        self._text = ""
        self._sorting = -1, Qt.AscendingOrder

    def set_rows(self, rows, compared):
        """Show other variables."""
        self.beginResetModel()
        self.rows, self.compared = list(rows), compared
        self._arrange()
        self.endResetModel()

    def set_row(self, index, row):
        """Show other figures of a variable, in the same place."""
        self.rows[index] = row
        if index in self.order:
            place = self.order.index(index)
            self.dataChanged.emit(self.index(place, 0),
                                  self.index(place, self.n_columns - 1))

    def set_filter(self, text):
        """Show only the variables whose name contains the text."""
        self.beginResetModel()
        self._text = text.strip().lower()
        self._arrange()
        self.endResetModel()

    def sort(self, column, order=Qt.AscendingOrder):
        self.beginResetModel()
        self._sorting = column, order
        self._arrange()
        self.endResetModel()

    def _arrange(self):
        column, order = self._sorting
        self.order = [index for index, row in enumerate(self.rows)
                      if self._text in row.variable.name.lower()]
        if 0 <= column < self.n_columns:
            # Ties keep their order
            self.order.sort(key=lambda index: self._value(self.rows[index], column),
                            reverse=order == Qt.DescendingOrder)

    @property
    def n_columns(self):
        return len(Column) if self.compared else Column.COMPARED_INTERVALS

    def cell(self, row, column, role):
        row = self.rows[row]
        if role == Qt.DisplayRole:
            return self._cell(row, column)
        if role == BarRole and column in INFORMATION_COLUMNS:
            return row.share if column == Column.INFORMATION else row.compared_share
        if role == Qt.TextAlignmentRole and column != Column.NAME:
            return RIGHT
        if role == Qt.DecorationRole and column == Column.NAME:
            return gui.attributeIconDict[row.variable]
        if role == Qt.ToolTipRole:
            return self._tooltip(row, column)
        if role == Qt.FontRole and row.edited and column <= Column.INFORMATION:
            font = QApplication.font()
            font.setItalic(True)
            return font
        return None

    def column_header(self, column, role):
        if role == Qt.DisplayRole:
            return ("Variable", "Intervals", "Information kept", self.compared,
                    "Information kept")[column]
        if role == Qt.TextAlignmentRole:
            return LEFT if column == Column.NAME else RIGHT
        if role == Qt.ToolTipRole:
            return self._header_tooltip(column)
        return None

    def _header_tooltip(self, column):
        compared = column >= Column.COMPARED_INTERVALS
        method = self.compared if compared else "the method"
        if column in INFORMATION_COLUMNS:
            return (f"Mutual information between the intervals of {method} and the "
                    "class, in bits, over the labelled rows; pseudo-labels do not "
                    "count. The bar is its share of the class entropy.")
        if column == Column.NAME:
            return "An asterisk marks variables whose cuts are edited by hand."
        return f"Number of intervals of {method}"

    @staticmethod
    def _value(row, column):
        if column == Column.NAME:
            return row.variable.name.lower()
        return row[1:][(0, 1, 3, 4)[column - 1]]

    def _cell(self, row, column):
        if column == Column.NAME:
            return row.variable.name + (" *" if row.edited else "")
        value = self._value(row, column)
        return f"{value:.3f}" if column in INFORMATION_COLUMNS else f"{value:,.0f}"

    def _tooltip(self, row, column):
        if column in INFORMATION_COLUMNS:
            share = row.share if column == Column.INFORMATION else row.compared_share
            return f"{share:.1%} of the class entropy"
        if column != Column.NAME:
            return None
        lines = [row.variable.name, list_cuts(row)]
        if row.edited:
            lines.append("Edited by hand; Reset brings back the cuts of the method.")
        return "\n".join(lines)


def list_cuts(row):
    """Return the cuts of a variable as a text, or the first of many."""
    if not len(row.cuts):
        return "No cuts: all values are in one interval"
    names = ", ".join(map(row.variable.str_val, row.cuts[:LISTED_CUTS]))
    rest = len(row.cuts) - LISTED_CUTS
    return f"Cuts: {names}" + (f" and {rest} more" if rest > 0 else "")


class VariableTable(QWidget):
    """The table, with a filter and the number of variables above it."""

    #: Index of the variable that is selected, -1 if none is
    selected = Signal(int)
    #: Column and order (as int) by which a user sorted
    sorted = Signal(int, int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._current = ""
        self.model = VariableModel(self)
        self.filter = QLineEdit(
            placeholderText="Filter...", clearButtonEnabled=True,
            toolTip="Show only the variables whose name contains this text.")
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
        self.view.setModel(self.model)
        self.view.setItemDelegate(QStyledItemDelegate(self.view))
        self._bars = BarDelegate(self.view)
        for column in INFORMATION_COLUMNS:
            self.view.setItemDelegateForColumn(column, self._bars)
        rows = self.view.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(self.fontMetrics().height() + 7)
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.ElideRight)
        header.setStretchLastSection(True)
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

    def set_rows(self, rows, compared=""):
        """Show rows; the selected variable stays selected if it is still there."""
        n_columns, n_rows = self.model.n_columns, len(self.model.rows)
        name, bar = self._current, self.view.verticalScrollBar()
        scrolled = bar.value()
        self.model.set_rows(rows, compared)
        if self.model.n_columns != n_columns:
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
        """Divide the width among the columns, whatever is in the rows."""
        metrics, header = self.fontMetrics(), self.view.horizontalHeader()
        n_columns = self.model.n_columns
        widths = [0] * n_columns
        for column in (Column.INTERVALS, Column.COMPARED_INTERVALS):
            if column < n_columns:
                title = self.model.headerData(column, Qt.Horizontal)
                widths[column] = HEADER_MARGIN + max(
                    map(metrics.horizontalAdvance, (title, "0,000")))
        width = self.width() - self.view.verticalScrollBar().sizeHint().width() \
            - 2 * self.view.frameWidth()
        bars = INFORMATION_COLUMNS.intersection(range(n_columns))
        rest = width - sum(widths)
        bar_width = min(max(rest * BAR_FRACTION, number_width(metrics) * 2),
                        metrics.horizontalAdvance("Information kept") + HEADER_MARGIN)
        for column in bars:
            widths[column] = int(bar_width)
        widths[Column.NAME] = max(width - sum(widths), number_width(metrics) * 2)
        for column, column_width in enumerate(widths):
            header.setSectionResizeMode(column, QHeaderView.Interactive)
            header.resizeSection(column, column_width)
