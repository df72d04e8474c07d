"""The table of variables: distributions, cuts and information, sorted and filtered."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QCursor, QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QCheckBox,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QToolTip,
)
from Orange.data import Variable
from Orange.widgets import gui
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.explain.picture import Thumbnail
from orangecontrib.sadd.scripting.intervals import cut_names
from orangecontrib.sadd.scripting.treatments import NUMERIC, REMOVE
from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    MARGIN,
    RIGHT,
    BarRole,
    BarTable,
    BarTableModel,
    FilteredTable,
    GroupRole,
    WidestRole,
    faded,
    title_width,
)
from orangecontrib.sadd.widgets.sadddiscretize.edits import parse_cuts

__all__ = ["VariableModel", "VariableRow", "VariableTable"]

# The largest number of cuts in a cell
MOST_CUTS = 40
# Texts in cells of cuts for variables without cuts
TREATED = {NUMERIC: "stays numeric", REMOVE: "removed"}
# How many of the longest names are measured
MEASURED_NAMES = 50
# Room beside a title and for the icon beside a name, and the least width of cuts if
# distributions are shown, in pixels
TITLE_MARGIN, ICON_WIDTH, CUTS_WIDTH = 10, 34, 110
# A bar has this part of the width of the table
BARS = 16

RowRole = Qt.UserRole + 5


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
    """

    variable: Variable
    cuts: Sequence[float]
    compared: int = 0
    treatment: Sequence[float] | str | None = None
    thumbnail: Thumbnail | None = None

    @property
    def is_uncut(self):
        """Whether all values are in one interval."""
        return not len(self.cuts) and self.treatment != NUMERIC


class Column(IntEnum):
    """Columns of the table."""

    NAME, DISTRIBUTION, CUTS, INFORMATION, COMPARED, COMPARED_INFORMATION = range(6)


FIGURES = {Column.INFORMATION: 0, Column.COMPARED_INFORMATION: 1}

INFORMATION_TIP = (
    "Cross-validated information of the intervals of {} about the class of rows that "
    "were left out, in bits. Cuts are found again in each fold. It is 0 if no fold has "
    "cuts, and negative if cuts only fit chance. The bar is its share of the class "
    "entropy.")
TIPS = {
    Column.NAME: "* marks variables that you treat by hand. Right-click one for more.",
    Column.DISTRIBUTION: "Rows of each class by value, pseudo-labels included, and a "
                         "line at each cut. Sorted by the number of cuts.",
    Column.CUTS: "Cuts in use. Double-click to type them. Sorted by their number.",
}


class VariableModel(BarTableModel):
    """
    The rows of the table of variables.

    Attributes
    ----------
    rows : list of VariableRow
        All of them, in the order of the data.
    compared : str
        The name of the compared method; empty if there is none.
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
    rows, compared, colours = (), "", ()
    figures = None, None
    is_stale = hides_uncut = False

    def set_rows(self, rows, compared="", colours=()):
        """Show other variables."""
        if any(figures is not None and len(figures.information) != len(rows)
               for figures in self.figures):
            self.figures = None, None
        self.rearrange(rows=rows, compared=compared, colours=colours,
                       names=[row.variable.name for row in rows])

    def set_row(self, index, row):
        """Show another row of a variable, in the same place."""
        self.rows[index] = row
        if index in self.order:
            place = self.order.index(index)
            self.dataChanged.emit(self.index(place, 0),
                                  self.index(place, self.n_columns - 1))

    def set_figures(self, own, compared):
        """Show other figures."""
        self.figures = own, compared
        if self._sorting[0] in FIGURES:
            self.rearrange()
        self.set_stale(False)

    def set_stale(self, is_stale):
        """Fade figures of earlier cuts."""
        self.is_stale = is_stale
        if self.order:
            self.dataChanged.emit(
                self.index(0, Column.INFORMATION),
                self.index(len(self.order) - 1, self.n_columns - 1))

    def is_shown(self, row):
        return not (self.hides_uncut and self.rows[row].is_uncut)

    def sorted_rows(self, column, direction):
        rows = range(len(self.rows))
        return sorted(rows, key=lambda row: self._value(row, column),
                      reverse=direction == Qt.DescendingOrder) \
            if 0 <= column < self.n_columns else rows

    def _value(self, index, column):
        row = self.rows[index]
        if column == Column.NAME:
            return row.variable.name.lower()
        if column in FIGURES:
            figures = self.figures[FIGURES[column]]
            return 0. if figures is None else figures.information[index]
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
        figures = self.figures[FIGURES[column]] if column in FIGURES else None
        if role == Qt.DisplayRole:
            return self._text_of(index, row, column, figures)
        if role == Qt.EditRole:
            return " · ".join(cut_names(row.variable, row.cuts)) \
                if column == Column.CUTS and len(row.cuts) else ""
        if role == BarRole and figures is not None \
                and row.treatment not in (NUMERIC, REMOVE):
            return 0., float(figures.shares[index])
        if role == WidestRole:
            return "-0.000"
        if role == RowRole:
            return row
        if role == Qt.TextAlignmentRole:
            return RIGHT if column > Column.CUTS else LEFT
        if role == Qt.DecorationRole and column == Column.NAME:
            return gui.attributeIconDict[row.variable]
        if role == Qt.ToolTipRole:
            return self._tooltip(index, row, column, figures)
        if role == Qt.FontRole and row.treatment is not None and column <= Column.CUTS:
            font = QApplication.font()
            font.setItalic(True)
            return font
        if role == Qt.ForegroundRole and (
                column in FIGURES and self.is_stale
                or column == Column.CUTS and not len(row.cuts)):
            return faded()
        return None

    def _text_of(self, index, row, column, figures):
        if column == Column.NAME:
            return row.variable.name + (" *" if row.treatment is not None else "")
        if column == Column.CUTS:
            return cuts_text(row)
        if column == Column.COMPARED:
            return f"{row.compared:,}" if row.compared else "–"
        return "" if figures is None or row.treatment in (NUMERIC, REMOVE) \
            else f"{figures.information[index]:z.3f}"

    def _tooltip(self, index, row, column, figures):
        if figures is not None:
            return (f"{figures.information[index]:z.3f} bits, "
                    f"{100 * figures.shares[index]:z.1f} % of the class entropy")
        if column > Column.CUTS:
            return None
        lines = [row.variable.name, cuts_text(row)]
        if row.treatment is not None:
            lines.append("Treated by hand. Right-click to reset it.")
        return "\n".join(lines)

    def column_header(self, column, role):
        if role == Qt.DisplayRole:
            return ("\nVariable", "\nDistribution", "\nCuts",
                    "Information\n(cross-val.)", "\ncuts", "\ninformation")[column]
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
        titles = [self.column_header(column, Qt.DisplayRole).strip().replace("\n", " ")
                  for column in columns]
        titles[3:] = [f"{self.compared}: {title}" for title in titles[3:]]
        return [titles, *([self.cell(row, column, Qt.DisplayRole) for column in columns]
                          for row in self.order)]


def cuts_text(row):
    """Return the cuts of a variable for a cell."""
    if row.treatment in (NUMERIC, REMOVE):
        return TREATED[row.treatment]
    names = cut_names(row.variable, row.cuts[:MOST_CUTS]) if len(row.cuts) \
        else ["no cut"]
    if len(row.cuts) > MOST_CUTS:
        names.append(f"and {len(row.cuts) - MOST_CUTS:,} more")
    by = f"{row.treatment}: " if isinstance(row.treatment, str) else ""
    return by + " · ".join(names)


class VariableTable(FilteredTable):
    """The table, with a filter and the numbers of variables and cuts above it."""

    def __init__(self, hides_uncut=False):
        self.model = VariableModel()
        self.treated = self.model.treated
        self.view = BarTable(
            self.model, cornerButtonEnabled=False, accessibleName="Variables",
            editTriggers=BarTable.DoubleClicked, contextMenuPolicy=Qt.CustomContextMenu)
        self.hide_check = QCheckBox("Hide uncut variables", checked=hides_uncut)
        super().__init__(self.view, self._describe_rows, [self.hide_check])
        self.model.hides_uncut = hides_uncut
        self.hide_check.toggled.connect(
            lambda hides: self.model.rearrange(hides_uncut=hides))
        self.view.horizontalHeader().setMinimumSectionSize(40)
        rows = self.view.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.view.setItemDelegateForColumn(
            Column.DISTRIBUTION, ThumbnailDelegate(self.view))
        self.view.sort_by(-1, False)
        self.view.customContextMenuRequested.connect(self._on_menu)

    def set_rows(self, rows, compared="", colours=(), has_classes=True):
        """
        Show rows; the selected variable stays selected if it is still there.

        Parameters
        ----------
        rows : list of VariableRow
        compared : str
            The name of the compared method; empty if there is none.
        colours : list of QColor
            Of the classes.
        has_classes : bool
            Whether there is information about classes.
        """
        for column in FIGURES:
            self.view.setColumnHidden(column, not has_classes)
        old = self.model.names, self.model.n_columns
        self.model.set_rows(rows, compared, colours)
        if old != (self.model.names, self.model.n_columns):
            self._lay_out()

    def full_height(self):
        """Return the height at which all rows are visible."""
        return self.filter.sizeHint().height() + self.layout().spacing() \
            + self.view.horizontalHeader().sizeHint().height() \
            + self.view.verticalHeader().length() + 2 * self.view.frameWidth() + 2

    def type_cuts(self):
        """Open a field for the cuts of the selected variable."""
        if self.view.currentIndex().isValid():
            self.view.edit(self.view.currentIndex().siblingAtColumn(Column.CUTS))

    def make_menu(self, index):
        """Return the menu of a variable."""
        row = self.model.rows[index]
        menu = QMenu(self)
        menu.setAttribute(Qt.WA_DeleteOnClose)

        def add(menu, title, treatment):
            action = menu.addAction(title, lambda: self.treated.emit(index, treatment))
            action.setCheckable(treatment is not None)
            action.setChecked(treatment is not None and row.treatment == treatment)
            return action

        add(menu, "Keep Numeric", NUMERIC)
        add(menu, "Remove", REMOVE)
        methods = menu.addMenu("Cut by")
        for method in DISCRETIZERS:
            add(methods, full_name(method), method)
        menu.addSeparator()
        add(menu, "Reset", None).setEnabled(row.treatment is not None)
        return menu

    def _on_menu(self, position):
        index = self.view.indexAt(position)
        if index.isValid():
            self.make_menu(self.model.order[index.row()]).popup(
                self.view.viewport().mapToGlobal(position))

    def _describe_rows(self):
        rows, n_shown = self.model.rows, self.model.rowCount()
        n_cuts = sum(len(row.cuts) for row in rows)
        text = f"{len(rows):,} {pl(len(rows), 'variable')}, " \
               f"{n_cuts:,} {pl(n_cuts, 'cut')}"
        return text if n_shown == len(rows) else f"{n_shown:,} of {text}"

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self):
        """Divide the width among the columns; cuts take the rest."""
        header, metrics, model = self.view.horizontalHeader(), self.fontMetrics(), \
            self.model
        room = self.width() - self.view.verticalScrollBar().sizeHint().width()
        widths = [title_width(metrics, model.column_header(column, Qt.DisplayRole))
                  + TITLE_MARGIN for column in range(model.n_columns)]
        for column in FIGURES.keys() & set(range(model.n_columns)):
            number = metrics.horizontalAdvance("-0.000") + 2 * MARGIN
            widths[column] = max(widths[column], number + room // BARS)
        names = sorted((row.variable.name for row in model.rows), key=len)
        name = ICON_WIDTH + max((metrics.horizontalAdvance(f"{text} *")
                                 for text in names[-MEASURED_NAMES:]), default=0)
        widths[Column.NAME] = max(widths[Column.NAME], min(name, room // 4))
        widths[Column.CUTS] = CUTS_WIDTH
        self.view.setColumnHidden(Column.DISTRIBUTION, sum(widths) > room)
        for column, width in enumerate(widths):
            header.setSectionResizeMode(column, QHeaderView.Stretch if
                                        column == Column.CUTS else
                                        QHeaderView.Interactive)
            if column != Column.CUTS:
                header.resizeSection(column, width)


class ThumbnailDelegate(QStyledItemDelegate):
    """Paints the distribution of a variable: bars stacked by class, a line at a cut."""

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        row, area = index.data(RowRole), option.rect.adjusted(MARGIN, 3, -MARGIN, -2)
        if row is None or row.thumbnail is None or area.isEmpty():
            return
        if option.state & QStyle.State_Selected:  # not in the colour of a class
            painter.fillRect(area.adjusted(-2, -1, 2, 1),
                             option.palette.color(QPalette.Base))
        counts = row.thumbnail.counts
        scale = area.height() / max(counts.sum(axis=0).max(), 1e-300)
        ends = area.left() + np.arange(counts.shape[1] + 1) * area.width() \
            // counts.shape[1]
        for bar, (left, right) in enumerate(zip(ends[:-1], ends[1:], strict=True)):
            top = float(area.bottom() + 1)
            for label in np.flatnonzero(counts[:, bar]):
                height = max(counts[label, bar] * scale, 1.)  # few rows have a pixel
                top -= height
                painter.fillRect(QRectF(left, top, max(right - left - 1, 1), height),
                                 index.model().colours[label])
        painter.setPen(option.palette.color(QPalette.Text))
        for x in {round(area.left() + row.thumbnail.place(cut) * area.width())
                  for cut in row.cuts}:
            painter.drawLine(x, area.top() - 1, x, area.bottom() + 1)
