"""The rows of the table of variables, sorted and filtered."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from AnyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from AnyQt.QtWidgets import QApplication
from Orange.data import Variable
from Orange.widgets import gui

from orangecontrib.sadd.widgets.common.bars import LEFT, RIGHT, BarRole

__all__ = ["INFORMATION_COLUMNS", "Column", "VariableModel", "VariableRow"]

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


class VariableModel(QAbstractTableModel):
    """
    The rows of the table, and the name of the method that is compared with.

    It sorts and filters itself: Qt's proxy model would ask for each value many times.

    Attributes
    ----------
    rows : list of VariableRow
        All of them, in the order of the data.
    order : list of int
        Indices of those that are shown, from the first to the last.
    """

    def __init__(self, parent=None):
        super().__init__(parent)
        self.rows = []
        self.compared = ""
        self.order = []
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
                                  self.index(place, self.columnCount() - 1))

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
        if 0 <= column < self.columnCount():
            # Ties keep their order
            self.order.sort(key=lambda index: self._value(self.rows[index], column),
                            reverse=order == Qt.DescendingOrder)

    def rowCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        if parent.isValid():
            return 0
        return len(Column) if self.compared else Column.COMPARED_INTERVALS

    def data(self, index, role=Qt.DisplayRole):
        if not index.isValid() or index.row() >= len(self.order):
            return None  # a view may ask for what was there before
        row, column = self.rows[self.order[index.row()]], index.column()
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

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation != Qt.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Qt.DisplayRole:
            return ("Variable", "Intervals", "Information kept", self.compared,
                    "Information kept")[section]
        if role == Qt.TextAlignmentRole:
            return LEFT if section == Column.NAME else RIGHT
        if role == Qt.ToolTipRole:
            return self._header_tooltip(section)
        return None

    def _header_tooltip(self, section):
        compared = section >= Column.COMPARED_INTERVALS
        method = self.compared if compared else "the method"
        if section in INFORMATION_COLUMNS:
            return (f"Mutual information between the intervals of {method} and the "
                    "class, in bits, over the labelled rows. The bar is its share of "
                    "the class entropy.")
        if section == Column.NAME:
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
