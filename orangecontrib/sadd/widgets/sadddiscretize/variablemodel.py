"""The model of the table of variables: texts, bars and tooltips of its cells."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QCursor
from AnyQt.QtWidgets import QApplication, QToolTip
from Orange.data import Variable
from Orange.widgets import gui

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.descriptions import (
    BY_HAND,
    describe_information,
    short_names,
)
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.explain.picture import Thumbnail
from orangecontrib.sadd.scripting.intervals import cut_names
from orangecontrib.sadd.scripting.treatments import NUMERIC, REMOVE
from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    RIGHT,
    BarColourRole,
    BarRole,
    BarTableModel,
    GroupRole,
    WidestRole,
    faded,
)
from orangecontrib.sadd.widgets.sadddiscretize.edits import parse_cuts

__all__ = ["FIGURES", "OPTIMISTIC", "Column", "CutsRole", "RowRole", "VariableModel",
           "VariableRow"]

# The largest number of cuts in a cell, which distinguish this many parts of the range
MOST_CUTS, PARTS = 40, 500
# Texts in cells of cuts for variables without cuts
TREATED = {NUMERIC: "stays numeric", REMOVE: "removed"}

#: The word beside a figure of cuts that a user placed
OPTIMISTIC = "optimistic"

RowRole = Qt.UserRole + 5
#: Names of cuts, each with the number of folds that find it, and whether they are few
CutsRole = Qt.UserRole + 6


class VariableRow(NamedTuple):
    """
    A row of the table.

    Attributes
    ----------
    variable : ContinuousVariable
    cuts : sequence of float
        The cuts in use.
    compared : int
        The number of cuts of the other method.
    treatment : sequence of float, str or None
        See `Edits.treatments`.
    thumbnail : Thumbnail or None
    has_missing : bool
        Whether missing values are an interval, and there are any.
    """

    variable: Variable
    cuts: Sequence[float]
    compared: int = 0
    treatment: Sequence[float] | str | None = None
    thumbnail: Thumbnail | None = None
    has_missing: bool = False

    @property
    def by_hand(self):
        """Whether a user placed the cuts."""
        return self.treatment is not None and not isinstance(self.treatment, str)

    @property
    def is_treated(self):
        """Whether the variable is not discretized."""
        return self.treatment in (NUMERIC, REMOVE)

    def is_cut(self, column=None):
        """Return whether there are several intervals by the method of a column."""
        if self.has_missing:
            return self.treatment != REMOVE
        return bool(self.compared if column == Column.COMPARED_INFORMATION
                    else len(self.cuts))

    @property
    def is_uncut(self):
        """Whether all values are in one interval."""
        return not self.is_cut() and self.treatment != NUMERIC

    def names(self, exact=False):
        """Return the names of cuts, with all digits or with those that tell a place."""
        cuts = self.cuts[:MOST_CUTS]
        if exact or self.thumbnail is None or not len(cuts):
            return cut_names(self.variable, cuts) if len(cuts) else []
        return short_names(self.variable, cuts, self.thumbnail.length / PARTS)

    def text(self, exact=False):
        """Return the cuts for a cell."""
        if self.is_treated:
            return TREATED[self.treatment]
        names = self.names(exact) or ["no cut"]
        if len(self.cuts) > MOST_CUTS:
            names.append(f"and {len(self.cuts) - MOST_CUTS:,} more")
        by = f"{self.treatment}: " if isinstance(self.treatment, str) else ""
        return by + " · ".join(names)


class Column(IntEnum):
    """Columns of the table."""

    NAME, DISTRIBUTION, CUTS, INFORMATION, COMPARED, COMPARED_INFORMATION = range(6)


#: Columns of information, and the index of their figures
FIGURES = {Column.INFORMATION: 0, Column.COMPARED_INFORMATION: 1}

TITLES = ("\nVariable", "\nDistribution", "Cuts\n(in folds)",
          "Information\n(cross-val.)", "\ncuts", "\ninformation")
INFORMATION_TIP = (
    "Cross-validated information of the intervals of {} about the class of rows that "
    "were left out, in bits. Cuts are found again in each fold. It is negative if cuts "
    "only fit chance. Bars compare it with the largest one in the column.")
TIPS = {
    Column.NAME: "* marks variables that you treat by hand. Right-click one for more.",
    Column.DISTRIBUTION: "Rows of each class by value, pseudo-labels included, and a "
                         "line at each cut. Sorted by the number of cuts.",
    Column.CUTS: "Cuts in use, each with the number of folds that find it. Cuts that "
                 "fewer than half of the folds find are faint. Double-click to type "
                 "them. Sorted by their number.",
}


class VariableModel(BarTableModel):
    """
    The rows of the table of variables.

    Attributes
    ----------
    rows : list of VariableRow
        All of them, in the order of the data.
    method, compared : str
        The name of the method, and of the compared method; empty if there is none.
    colours : list of QColor
        Of the classes.
    figures : tuple of CrossValidated or None
        Of both methods; None if it is not computed.
    is_stale : bool
        Whether the figures were computed for earlier cuts.
    hides_uncut : bool
        Whether variables with a single interval are hidden.
    """

    #: Index of a variable and its new treatment; None for the method
    treated = Signal(int, object)

    texts = (Column.NAME,)
    rows, method, compared, colours = (), "", "", ()
    figures = None, None
    is_stale = hides_uncut = False
    # Ends of the bars of both columns of figures; None if they are not computed
    _spans = None

    def set_rows(self, rows, method="", compared="", colours=()):
        """Show other variables."""
        if any(figures is not None and len(figures.information) != len(rows)
               for figures in self.figures):
            self.figures = None, None
        self.rearrange(rows=rows, method=method, compared=compared, colours=colours,
                       _spans=None, names=[row.variable.name for row in rows])

    def set_row(self, index, row):
        """Show another row of a variable, in the same place."""
        self.rows[index], self._spans = row, None
        if index in self.order:
            place = self.order.index(index)
            self.dataChanged.emit(self.index(place, 0),
                                  self.index(place, self.n_columns - 1))

    def set_figures(self, own, compared):
        """Show other figures."""
        self.figures, self._spans = (own, compared), None
        if self._sorting[0] in FIGURES:
            self.rearrange()
        self.set_stale(False)

    def set_stale(self, is_stale):
        """Fade figures of earlier cuts."""
        self.is_stale = is_stale
        if self.order:
            self.dataChanged.emit(
                self.index(0, Column.CUTS),
                self.index(len(self.order) - 1, self.n_columns - 1))

    def is_shown(self, row):
        return not (self.hides_uncut and self.rows[row].is_uncut)

    def sorted_rows(self, column, direction):
        rows = range(len(self.rows))
        return sorted(rows, key=lambda row: self._key(row, column),
                      reverse=direction == Qt.DescendingOrder) \
            if 0 <= column < self.n_columns else rows

    def _key(self, index, column):
        row = self.rows[index]
        if column == Column.NAME:
            return row.variable.name.lower()
        if column in FIGURES:
            figures = self.figures[FIGURES[column]]
            return 0. if figures is None or not row.is_cut(column) \
                else figures.information[index]
        return row.compared if column == Column.COMPARED else len(row.cuts)

    @property
    def n_columns(self):
        return len(Column) if self.compared else Column.COMPARED

    def flags(self, index):
        flags = super().flags(index)
        return flags | Qt.ItemIsEditable if index.column() == Column.CUTS else flags

    def setData(self, index, value, role=Qt.EditRole):
        place = self.order[index.row()]
        try:
            cuts = parse_cuts(self.rows[place].variable, value)
        except ValueError:
            QToolTip.showText(QCursor.pos(), "Type the cuts, separated by · or ;")
            return False
        if cuts != list(self.rows[place].cuts):
            self.treated.emit(place, cuts)
        return True

    def cell(self, row, column, role):
        index, row = row, self.rows[row]
        if role == Qt.DisplayRole:
            return self._text_of(index, column)
        if role == Qt.EditRole:
            return " · ".join(cut_names(row.variable, row.cuts)) \
                if column == Column.CUTS and len(row.cuts) else ""
        if role == BarRole:
            return self._bar(index, column)
        if role == BarColourRole:  # a long bar that points left is no good news
            return faded() if self._figures(index, column).information[index] < 0 \
                else None
        if role == WidestRole:
            return "-0.000"
        if role == RowRole:
            return row
        if role == CutsRole:
            return self._counted_cuts(index)
        if role == Qt.TextAlignmentRole:
            return RIGHT if column > Column.CUTS else LEFT
        if role == Qt.DecorationRole and column == Column.NAME:
            return gui.attributeIconDict[row.variable]
        if role == Qt.ToolTipRole:
            return self._tooltip(index, column)
        if role == Qt.FontRole and row.treatment is not None and column <= Column.CUTS:
            font = QApplication.font()
            font.setItalic(True)
            return font
        if role == Qt.ForegroundRole and (
                column in FIGURES and self.is_stale
                or column == Column.INFORMATION and row.by_hand
                or column == Column.CUTS and not len(row.cuts)):
            return faded()
        return None

    def _figures(self, index, column):
        """Return the figures of a column that has one about a variable, or None."""
        is_own = column == Column.INFORMATION
        return self.figures[FIGURES[column]] if column in FIGURES and not (
            is_own and self.rows[index].is_treated) else None

    def _has_bar(self, index, column):
        """Return whether a figure is one of those that bars compare."""
        row = self.rows[index]
        return row.is_cut(column) and not (column == Column.INFORMATION and row.by_hand)

    def _text_of(self, index, column):
        row, figures = self.rows[index], self._figures(index, column)
        if column == Column.NAME:
            return row.variable.name + (" *" if row.treatment is not None else "")
        if column == Column.CUTS:
            return row.text()
        if column == Column.COMPARED:
            return f"{row.compared:,}" if row.compared else "–"
        if figures is None:
            return ""
        if not row.is_cut(column):
            return "–"
        text = f"{figures.information[index]:z.3f}"
        return text if self._has_bar(index, column) else f"{OPTIMISTIC} {text}"

    def _bar(self, index, column):
        """Return both ends of the bar of a figure, from 0 to 1, or None."""
        figures = self._figures(index, column)
        if figures is None or not self._has_bar(index, column):
            return None
        if self._spans is None:
            self._spans = {column: self._span(column) for column in FIGURES}
        low, high = self._spans[column]
        ends = [(value - low) / (high - low or 1)
                for value in (0., float(figures.information[index]))]
        return min(ends), max(ends)

    def _span(self, column):
        """Return the least and the largest figure of a column, or 0."""
        figures = self.figures[FIGURES[column]]
        shown = [0.] if figures is None else [0., *(
            figures.information[index] for index in range(len(self.rows))
            if self._has_bar(index, column))]
        return float(min(shown)), float(max(shown))

    def bands(self, index):
        """Return where folds put the cuts of a variable; None if it is not known."""
        if self.figures[0] is None or self.is_stale:
            return None
        bands = self.figures[0].bands[index]
        return bands if len(bands.n_found) == len(self.rows[index].cuts) else None

    def _counted_cuts(self, index, exact=False):
        """Return cuts with the folds that find them; None if they are not known."""
        bands = self.bands(index)
        return None if bands is None else [
            (name, f"{n_found}/{bands.n_folds}", is_weak)
            for name, n_found, is_weak in zip(
                self.rows[index].names(exact), bands.n_found.tolist(),
                bands.is_weak.tolist(), strict=False)]

    def _tooltip(self, index, column):
        row, figures = self.rows[index], self._figures(index, column)
        if figures is not None:
            return describe_information(
                figures, index, row.is_cut(column),
                column == Column.INFORMATION and row.by_hand)
        if column > Column.CUTS:
            return None
        lines, counted = [row.variable.name, row.text(exact=True)], \
            self._counted_cuts(index, exact=True)
        if counted:
            lines.append("Found in folds: " + ", ".join(
                f"{name} in {count}" for name, count, _ in counted))
        if row.treatment is not None:
            lines.append("Treated by hand. Right-click to reset it.")
        return "\n".join(lines)

    def column_header(self, column, role):
        if role == Qt.DisplayRole:
            return TITLES[column]
        if role == GroupRole:
            return self.compared if column >= Column.COMPARED else None
        if role == Qt.TextAlignmentRole:
            return LEFT if column <= Column.CUTS else RIGHT
        if role != Qt.ToolTipRole:
            return None
        if column in FIGURES:
            return INFORMATION_TIP.format(
                self.compared if FIGURES[column] else "the method")
        return TIPS.get(column) or (
            f"Number of cuts of {full_name(self.compared)}, which uses "
            + ("labelled and unlabelled rows."
               if DISCRETIZERS[self.compared].uses_unlabelled else
               "labelled rows only." if DISCRETIZERS[self.compared].uses_class
               else "no classes."))

    def as_lists(self):
        """Return the visible texts without distributions, the header first."""
        columns = [Column.NAME, *range(Column.CUTS, self.n_columns)]
        titles = [TITLES[column].strip().replace("\n", " ") for column in columns]
        titles[3:] = [f"{self.compared}: {title}" for title in titles[3:]]
        return [titles, *([
            self.rows[row].text(exact=True) if column == Column.CUTS
            else self._text_of(row, column).replace(OPTIMISTIC, BY_HAND)
            for column in columns] for row in self.order)]
