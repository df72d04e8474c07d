"""The table of variables: distributions, cuts and information, sorted and filtered."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QCursor, QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QTableView,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from Orange.data import Variable
from Orange.widgets import gui
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.explain.picture import Thumbnail
from orangecontrib.sadd.intervals import cut_names
from orangecontrib.sadd.treatments import NUMERIC, REMOVE
from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    MARGIN,
    RIGHT,
    BarDelegate,
    BarRole,
    BarTableModel,
    GroupHeader,
    GroupRole,
    WidestRole,
)
from orangecontrib.sadd.widgets.sadddiscretize.edits import parse_cuts

__all__ = ["VariableModel", "VariableRow", "VariableTable"]

# The largest number of cuts in a cell
MOST_CUTS = 40
# Texts in cells of cuts for variables without cuts
TREATED = {NUMERIC: "stays numeric", REMOVE: "removed"}
# How many of the longest names are measured
MEASURED_NAMES = 50
# Room for the sort indicator beside a title, and for the icon beside a name, in pixels
TITLE_MARGIN, ICON_WIDTH = 20, 34
# The least width of cuts, also where room is scarce, and of bars, in pixels
CUTS_WIDTH, NARROW_CUTS, BAR_WIDTH = 120, 90, 60
# Opacity of figures that are not up to date
FADED = .45

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

    It sorts and filters without Qt's proxy model, which reads each value many times.

    Attributes
    ----------
    rows : list of VariableRow
        All of them, in the order of the data.
    compared : str
        The name of the compared method; empty if there is none.
    figures : tuple of CrossValidated or None
        Of both methods; None if it is not computed.
    """

    #: Index of a variable and the cuts that were typed
    typed = Signal(int, object)

    texts = (Column.NAME,)
    roles = frozenset((
        Qt.DisplayRole, Qt.EditRole, Qt.DecorationRole, Qt.FontRole, Qt.ToolTipRole,
        Qt.ForegroundRole, Qt.TextAlignmentRole, BarRole, RowRole, WidestRole))

    def __init__(self, parent=None):
        super().__init__(parent)
        self.rows, self.compared, self.colours = [], "", []
        self.figures, self.is_stale = (None, None), False
        self._hides_uncut = False

    def set_rows(self, rows, compared, colours=()):
        """Show other variables."""
        self.beginResetModel()
        self.rows, self.compared, self.colours = list(rows), compared, list(colours)
        if any(figures is not None and len(figures.information) != len(self.rows)
               for figures in self.figures):
            self.figures = None, None
        self._arrange()
        self.endResetModel()

    def set_row(self, index, row):
        """Show another row of a variable, in the same place."""
        self.rows[index] = row
        if index in self.order:
            place = self.order.index(index)
            self.dataChanged.emit(self.index(place, 0),
                                  self.index(place, self.n_columns - 1))

    def set_figures(self, own, compared):
        """Show other figures."""
        self.layoutAboutToBeChanged.emit()
        self.figures, self.is_stale = (own, compared), False
        self._arrange()
        self.layoutChanged.emit()

    def set_stale(self, is_stale):
        """Fade figures of earlier cuts."""
        self.is_stale = is_stale
        if self.order:
            self.dataChanged.emit(
                self.index(0, Column.INFORMATION),
                self.index(len(self.order) - 1, self.n_columns - 1))

    def hide_uncut(self, hides):
        """Hide variables with a single interval, or show them."""
        self.beginResetModel()
        self._hides_uncut = hides
        self._arrange()
        self.endResetModel()

    def _arrange(self):
        column, order = self._sorting
        self.order = [index for index, row in enumerate(self.rows)
                      if self._text in row.variable.name.lower()
                      and not (self._hides_uncut and row.is_uncut)]
        if 0 <= column < self.n_columns:
            # Ties keep their order
            self.order.sort(key=lambda index: self._value(index, column),
                            reverse=order == Qt.DescendingOrder)

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
            self.typed.emit(place, cuts)
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
            return float(figures.shares[index])
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
            colour = QColor(QApplication.palette().color(QPalette.Text))
            colour.setAlphaF(FADED)
            return colour
        return None

    def _text_of(self, index, row, column, figures):
        if column == Column.NAME:
            return row.variable.name + (" *" if row.treatment is not None else "")
        if column == Column.CUTS:
            return cuts_text(row)
        if column == Column.COMPARED:
            return f"{row.compared:,}" if row.compared else "–"
        return "" if figures is None or row.treatment in (NUMERIC, REMOVE) \
            else f"{figures.information[index]:.3f}"

    def _tooltip(self, index, row, column, figures):
        if figures is not None:
            return (f"{figures.information[index]:.3f} bits, "
                    f"{100 * figures.shares[index]:.1f} % of the class entropy")
        if column > Column.CUTS:
            return None
        lines = [row.variable.name, cuts_text(row)]
        if row.treatment is not None:
            lines.append("Treated by hand; right-click to reset it.")
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
        titles, *rows = super().as_lists()
        titles = [title.strip().replace("\n", " ") for title in titles]
        titles[Column.COMPARED:] = [
            f"{self.compared}: {title}" for title in titles[Column.COMPARED:]]
        return [[row[0], *row[2:]] for row in (titles, *rows)]  # without distributions


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


class VariableTable(QWidget):
    """The table, with a filter and the numbers of variables and cuts above it."""

    #: Index of the variable that is selected, -1 if none is
    selected = Signal(int)
    #: Index of a variable and its new treatment; None for the method
    treated = Signal(int, object)

    def __init__(self, hides_uncut=False, parent=None):
        super().__init__(parent)
        #: The name of the variable that is or was selected
        self.current = ""
        self.model = VariableModel(self)
        self.model.typed.connect(self.treated)
        self.model.hide_uncut(hides_uncut)
        self.filter = QLineEdit(
            placeholderText="Filter...", clearButtonEnabled=True,
            toolTip="Show only the variables whose name contains this text.")
        self.filter.setAccessibleName("Filter of variables")
        self.filter.textChanged.connect(self._filter)
        self.hide_check = QCheckBox("Hide uncut variables", checked=hides_uncut)
        self.hide_check.toggled.connect(self._on_hide)
        self.count = QLabel()
        self.view = QTableView(
            sortingEnabled=True, showGrid=False, wordWrap=False,
            alternatingRowColors=True, cornerButtonEnabled=False,
            selectionBehavior=QTableView.SelectRows,
            selectionMode=QTableView.SingleSelection,
            editTriggers=QTableView.DoubleClicked,
            contextMenuPolicy=Qt.CustomContextMenu)
        self.view.setAccessibleName("Variables")
        header = GroupHeader(self.view)
        self.view.setHorizontalHeader(header)
        self.view.setModel(self.model)
        # A view does not own its delegates
        self._delegates = {
            Column.NAME: ElideMiddleDelegate(self.view),
            Column.DISTRIBUTION: ThumbnailDelegate(self.view),
            **dict.fromkeys(FIGURES, BarDelegate(self.view))}
        for column, delegate in self._delegates.items():
            self.view.setItemDelegateForColumn(column, delegate)
        self.view.customContextMenuRequested.connect(self._on_menu)
        rows = self.view.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(self.fontMetrics().height() + 8)
        header.setMinimumSectionSize(40)
        header.sortIndicatorChanged.connect(self._on_sorted)
        self.view.sortByColumn(-1, Qt.AscendingOrder)
        self.view.selectionModel().selectionChanged.connect(self._on_selection)

        top = QHBoxLayout()
        top.addWidget(self.filter, 1)
        top.addWidget(self.hide_check)
        top.addSpacing(12)
        top.addWidget(self.count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.view)

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
        old = [row.variable.name for row in self.model.rows], self.model.n_columns
        name, bar = self.current, self.view.verticalScrollBar()
        scrolled = bar.value()
        self.model.set_rows(rows, compared, colours)
        if old != ([row.variable.name for row in rows], self.model.n_columns):
            self._lay_out()
        else:  # the same data, by other parameters
            bar.setValue(scrolled)
        self.select(name, scroll=False)
        self._show_count()

    def set_row(self, index, row):
        """Show another row of a variable."""
        self.model.set_row(index, row)
        self._show_count()

    def full_height(self):
        """Return the height at which all rows are visible."""
        return self.filter.sizeHint().height() + self.layout().spacing() \
            + self.view.horizontalHeader().sizeHint().height() \
            + self.view.verticalHeader().length() + 2 * self.view.frameWidth() + 2

    def select(self, name, scroll=True):
        """Select a variable by its name, or the first one if it is not shown."""
        model = self.model
        place = next((place for place, index in enumerate(model.order)
                      if model.rows[index].variable.name == name), 0)
        if place < len(model.order):
            self.view.setCurrentIndex(model.index(place, 0))
            if scroll:
                self.view.scrollTo(model.index(place, 0))
        else:
            self.selected.emit(-1)

    def type_cuts(self):
        """Open a field for the cuts of the selected variable."""
        if self.view.currentIndex().isValid():
            self.view.edit(self.view.currentIndex().siblingAtColumn(Column.CUTS))

    def sort(self, column, order):
        """Sort by a column, or in the order of the data if it is -1."""
        self.view.sortByColumn(column, Qt.SortOrder(order))

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

    def _filter(self, text):
        name = self.current
        self.model.set_filter(text)
        self.select(name)
        self._show_count()

    def _on_hide(self, hides):
        name = self.current
        self.model.hide_uncut(hides)
        self.select(name)
        self._show_count()

    @property
    def sorting(self):
        """Column and order (as int) by which a user sorted."""
        header = self.view.horizontalHeader()
        return header.sortIndicatorSection(), [
            Qt.AscendingOrder, Qt.DescendingOrder].index(header.sortIndicatorOrder())

    def _on_sorted(self):
        self.select(self.current)
        self.view.scrollToTop()

    def _on_selection(self):
        indices = self.view.selectionModel().selectedRows()
        if indices:
            index = self.model.order[indices[0].row()]
            self.current = self.model.rows[index].variable.name
            self.selected.emit(index)

    def _show_count(self):
        rows, n_shown = self.model.rows, self.model.rowCount()
        n_cuts = sum(len(row.cuts) for row in rows)
        text = f"{len(rows):,} {pl(len(rows), 'variable')}, " \
               f"{n_cuts:,} {pl(n_cuts, 'cut')}"
        self.count.setText(text if n_shown == len(rows) else f"{n_shown:,} of {text}")

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self):
        """Divide the width among the columns; cuts take the rest."""
        header, metrics, model = self.view.horizontalHeader(), self.fontMetrics(), \
            self.model
        room = self.width() - self.view.verticalScrollBar().sizeHint().width()
        names = sorted((row.variable.name for row in model.rows), key=len)
        name = ICON_WIDTH + max((metrics.horizontalAdvance(f"{text} *")
                                 for text in names[-MEASURED_NAMES:]), default=0)
        titles = [max(map(metrics.horizontalAdvance, model.column_header(
            column, Qt.DisplayRole).split("\n"))) for column in range(model.n_columns)]
        number = metrics.horizontalAdvance("-0.000") + 2 * MARGIN
        for has_room, margin, bar, cuts in (
                (True, TITLE_MARGIN, BAR_WIDTH, CUTS_WIDTH),
                (True, MARGIN, BAR_WIDTH // 2, CUTS_WIDTH),
                (True, MARGIN, 0, NARROW_CUTS), (False, MARGIN, 0, NARROW_CUTS)):
            widths = [title + margin for title in titles]
            widths[Column.DISTRIBUTION] *= has_room
            widths[Column.NAME] = max(widths[Column.NAME], min(name, room // 4))
            for column in FIGURES.keys() & set(range(model.n_columns)):
                widths[column] = max(widths[column], number + bar)
            widths[Column.CUTS] = cuts
            if sum(widths) <= room:
                break
        widths[Column.NAME] = min(max(name, titles[Column.NAME] + TITLE_MARGIN), widths[
            Column.NAME] + max(0, room - sum(widths)) // 2)
        self.view.setColumnHidden(Column.DISTRIBUTION, not has_room)
        for column, width in enumerate(widths):
            header.setSectionResizeMode(column, QHeaderView.Stretch if
                                        column == Column.CUTS else
                                        QHeaderView.Interactive)
            if width and column != Column.CUTS:
                header.resizeSection(column, width)


class ElideMiddleDelegate(QStyledItemDelegate):
    """Elides names in the middle: their ends often differ."""

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        option.textElideMode = Qt.ElideMiddle


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
