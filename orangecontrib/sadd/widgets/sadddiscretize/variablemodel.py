"""The rows of the table of variables, sorted and filtered."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QApplication
from Orange.data import Variable
from Orange.widgets import gui

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.picture import Thumbnail
from orangecontrib.sadd.intervals import cut_names
from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    RIGHT,
    BarRole,
    BarTableModel,
)

__all__ = ["INFORMATION_COLUMNS", "SHORT_TITLES", "Column", "RowRole", "VariableModel",
           "VariableRow"]

# The largest number of cuts in a tooltip, and in a cell
LISTED_CUTS = 8
MOST_CUTS = 40

# The whole row of a cell, for the delegate that paints its distribution
RowRole = Qt.UserRole + 3


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
    thumbnail: Thumbnail | None = None


class Column(IntEnum):
    """Columns of the table."""

    (NAME, DISTRIBUTION, CUTS, INFORMATION, COMPARED_INTERVALS,
     COMPARED_INFORMATION) = range(6)


# What cells are sorted by, and what they show if it is a number
FIELDS = {Column.DISTRIBUTION: "intervals", Column.CUTS: "intervals",
          Column.INFORMATION: "information",
          Column.COMPARED_INTERVALS: "compared_intervals",
          Column.COMPARED_INFORMATION: "compared_information"}

INFORMATION_COLUMNS = {Column.INFORMATION, Column.COMPARED_INFORMATION}

# For columns that are too narrow for their titles, which are in their tooltips
SHORT_TITLES = {Column.DISTRIBUTION: "Shape",
                **dict.fromkeys(INFORMATION_COLUMNS, "Kept")}

N_COLUMNS = len(Column)


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
    colours : list of QColor
        Of the classes.
    """

    texts = (Column.NAME,)
    roles = frozenset((Qt.DisplayRole, Qt.DecorationRole, Qt.FontRole, Qt.ToolTipRole,
                       Qt.TextAlignmentRole, BarRole, RowRole))

    def __init__(self, parent=None):
        super().__init__(parent)
        self.rows = []
        self.compared = ""
        self.colours = []
        self._narrow = frozenset()

    def set_narrow(self, columns):
        """Shorten the titles of these columns."""
        if columns != self._narrow:
            self._narrow = columns
            self.headerDataChanged.emit(Qt.Horizontal, 0, self.n_columns - 1)

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation == Qt.Horizontal and role == Qt.DisplayRole \
                and section in self._narrow:
            return SHORT_TITLES[section]
        return super().headerData(section, orientation, role)

    def set_rows(self, rows, compared, colours=()):
        """Show other variables."""
        self.beginResetModel()
        self.rows, self.compared, self.colours = list(rows), compared, list(colours)
        self._arrange()
        self.endResetModel()

    def set_row(self, index, row):
        """Show other figures of a variable, in the same place."""
        self.rows[index] = row
        if index in self.order:
            place = self.order.index(index)
            self.dataChanged.emit(self.index(place, 0),
                                  self.index(place, self.n_columns - 1))

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
        return N_COLUMNS if self.compared else Column.COMPARED_INTERVALS

    def cell(self, row, column, role):
        row = self.rows[row]
        if role == Qt.DisplayRole:
            return self._cell(row, column)
        if role == BarRole and column in INFORMATION_COLUMNS:
            return row.share if column == Column.INFORMATION else row.compared_share
        if role == RowRole:
            return row
        if role == Qt.TextAlignmentRole and column > Column.CUTS:
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
            return ("Variable", "Distribution", "Cuts", "Information kept",
                    self.compared, "Information kept")[column]
        if role == Qt.TextAlignmentRole:
            return LEFT if column <= Column.CUTS else RIGHT
        if role == Qt.ToolTipRole:
            return self._header_tooltip(column)
        return None

    def _header_tooltip(self, column):
        compared = column >= Column.COMPARED_INTERVALS
        method = self.compared if compared else "the method"
        if column in INFORMATION_COLUMNS:
            text = ("Information kept: mutual information between the intervals of "
                    f"{method} and the class, in bits, over the labelled rows; "
                    "pseudo-labels do not count. The bar is its share of the class "
                    "entropy.")
        elif column == Column.NAME:
            text = "An asterisk marks variables whose cuts are edited by hand."
        elif column == Column.DISTRIBUTION:
            text = ("Distribution: rows of each class by value, pseudo-labels "
                    "included, and a line at each cut. Sorting is by the number of "
                    "cuts.")
        elif column == Column.CUTS:
            text = ("Cuts of the method, or those edited by hand. Sorting is by the "
                    "number of cuts.")
        else:
            unlabelled = "" if DISCRETIZERS[self.compared].uses_unlabelled else \
                ", which sees labelled rows only" \
                if DISCRETIZERS[self.compared].uses_class else ", which sees no class"
            text = f"Number of intervals of {method}{unlabelled}."
        return text

    @staticmethod
    def _value(row, column):
        return row.variable.name.lower() if column == Column.NAME \
            else getattr(row, FIELDS[column])

    def _cell(self, row, column):
        if column == Column.NAME:
            return row.variable.name + (" *" if row.edited else "")
        if column == Column.DISTRIBUTION:
            return ""
        if column == Column.CUTS:
            return cuts_text(row)
        value = self._value(row, column)
        return f"{value:.3f}" if column in INFORMATION_COLUMNS else f"{value:,.0f}"

    def _tooltip(self, row, column):
        if column in INFORMATION_COLUMNS:
            share = row.share if column == Column.INFORMATION else row.compared_share
            return f"{share:.1%} of the class entropy"
        if column == Column.COMPARED_INTERVALS:
            return None
        lines = [row.variable.name, list_cuts(row)]
        if row.edited:
            lines.append("Edited by hand; Reset brings back the cuts of the method.")
        return "\n".join(lines)


def cuts_text(row):
    """Return the cuts of a variable for a cell."""
    if not len(row.cuts):
        return "one interval"
    names = cut_names(row.variable, row.cuts[:MOST_CUTS])
    if len(row.cuts) > MOST_CUTS:
        names.append(f"and {len(row.cuts) - MOST_CUTS:,} more")
    return " · ".join(names)


def list_cuts(row):
    """Return the cuts of a variable as a text, or the first of many."""
    if not len(row.cuts):
        return "No cuts: all values are in one interval"
    names = ", ".join(map(row.variable.str_val, row.cuts[:LISTED_CUTS]))
    rest = len(row.cuts) - LISTED_CUTS
    return f"Cuts: {names}" + (f" and {rest} more" if rest > 0 else "")
