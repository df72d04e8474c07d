"""The table of variables: distributions, cuts and information, sorted and filtered."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QRect, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QCursor, QFont, QFontMetrics, QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QCheckBox,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)
from Orange.data import Variable
from Orange.widgets import gui
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.descriptions import BY_HAND, describe_information
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
# Room beside a title, and for the icon beside a name, and the least width of cuts, in
# pixels
TITLE_MARGIN, ICON_WIDTH, CUTS_WIDTH = 10, 34, 60
# A bar has this part of the width of the table
BARS = 16
# The size of counts of folds, as a fraction of that of cuts
SMALL = .8

# The word beside a figure of cuts that a user placed
OPTIMISTIC = "optimistic"

RowRole = Qt.UserRole + 5
# Names of cuts, each with the number of folds that find it, and whether they are few
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


class Column(IntEnum):
    """Columns of the table."""

    NAME, DISTRIBUTION, CUTS, INFORMATION, COMPARED, COMPARED_INFORMATION = range(6)


FIGURES = {Column.INFORMATION: 0, Column.COMPARED_INFORMATION: 1}

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
        return sorted(rows, key=lambda row: self._value(row, column),
                      reverse=direction == Qt.DescendingOrder) \
            if 0 <= column < self.n_columns else rows

    def _value(self, index, column):
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
        figures = self.figures[FIGURES[column]] if column in FIGURES else None
        if role == Qt.DisplayRole:
            return self._text_of(index, row, column, figures)
        if role == Qt.EditRole:
            return " · ".join(cut_names(row.variable, row.cuts)) \
                if column == Column.CUTS and len(row.cuts) else ""
        if role == BarRole:
            return self._bar(index, column, figures)
        if role == WidestRole:
            return "-0.000"
        if role == RowRole:
            return row
        if role == CutsRole:
            return self._counted_cuts(index, row)
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
                or column == Column.INFORMATION and row.by_hand
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
        if figures is None or not _has_figure(row, column):
            return ""
        if not row.is_cut(column):
            return "–"
        text = f"{figures.information[index]:z.3f}"
        return f"{OPTIMISTIC} {text}" if _is_optimistic(row, column) else text

    def _bar(self, index, column, figures):
        """Return both ends of the bar of a figure, from 0 to 1, or None."""
        row = self.rows[index]
        if figures is None or not _has_figure(row, column) or not row.is_cut(column) \
                or _is_optimistic(row, column):
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
            figures.information[index] for index, row in enumerate(self.rows)
            if row.is_cut(column) and not _is_optimistic(row, column))]
        return float(min(shown)), float(max(shown))

    def _counted_cuts(self, index, row):
        """Return cuts with the folds that find them; None if they are not known."""
        if self.figures[0] is None or self.is_stale or not len(row.cuts):
            return None
        bands = self.figures[0].bands[index]
        if len(bands.n_found) != len(row.cuts):
            return None
        return [(name, f"{n_found}/{bands.n_folds}", is_weak)
                for name, n_found, is_weak in zip(
                    cut_names(row.variable, row.cuts[:MOST_CUTS]),
                    bands.n_found.tolist(), bands.is_weak.tolist(), strict=False)]

    def _tooltip(self, index, row, column, figures):
        if figures is not None:
            return describe_information(
                figures, index, row.is_cut(column), _is_optimistic(row, column)) \
                if _has_figure(row, column) else None
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
        return [titles, *([self.cell(row, column, Qt.DisplayRole).replace(
            OPTIMISTIC, BY_HAND) for column in columns] for row in self.order)]


def _has_figure(row, column):
    """Return whether a variable has information by the method of a column."""
    return column == Column.COMPARED_INFORMATION \
        or row.treatment not in (NUMERIC, REMOVE)


def _is_optimistic(row, column):
    """Return whether a user placed the cuts of a figure."""
    return column == Column.INFORMATION and row.by_hand


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
        self.hide_check = QCheckBox("Hide uncut", checked=hides_uncut)
        super().__init__(self.view, self._describe_rows, [self.hide_check])
        self.count.setMinimumWidth(1)  # long texts do not widen the window
        self.model.hides_uncut = hides_uncut
        self.hide_check.toggled.connect(
            lambda hides: self.model.rearrange(hides_uncut=hides))
        self.view.horizontalHeader().setMinimumSectionSize(40)
        rows = self.view.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.view.setItemDelegateForColumn(
            Column.DISTRIBUTION, ThumbnailDelegate(self.view))
        self.view.setItemDelegateForColumn(Column.CUTS, CutsDelegate(self.view))
        self.view.sort_by(-1, False)
        self.view.customContextMenuRequested.connect(self._on_menu)
        self._shape = None
        for signal in (self.model.modelReset, self.model.dataChanged):
            signal.connect(lambda *_: self._update_layout())

    def set_rows(self, rows, method="", compared="", colours=(), has_classes=True):
        """
        Show rows; the selected variable stays selected if it is still there.

        Parameters
        ----------
        rows : list of VariableRow
        method, compared : str
            The name of the method, and of the compared method; empty if there is none.
        colours : list of QColor
            Of the classes.
        has_classes : bool
            Whether there is information about classes.
        """
        for column in FIGURES:
            self.view.setColumnHidden(column, not has_classes)
        self.model.set_rows(rows, method, compared, colours)

    def _update_layout(self):
        """Divide the width again if the texts that need it have changed."""
        shape = self.model.names, self.model.n_columns, any(
            row.by_hand for row in self.model.rows)
        if shape != self._shape:
            self._shape = shape
            self._lay_out()

    def height_of(self, n_rows):
        """Return the height at which some rows, or all if they are fewer, are visible.
        """
        rows = self.view.verticalHeader()
        return self.filter.sizeHint().height() + self.layout().spacing() \
            + self.view.horizontalHeader().sizeHint().height() \
            + min(n_rows, self.model.rowCount()) * rows.defaultSectionSize() \
            + 2 * self.view.frameWidth() + 2

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
        model, n_shown = self.model, self.model.rowCount()
        text = f"{len(model.rows):,} {pl(len(model.rows), 'variable')}"
        if n_shown < len(model.rows):
            text = f"{n_shown:,} of {text}"
        if not model.method:
            return text
        n_cuts = sum(len(row.cuts) for row in model.rows)
        edited = any(row.treatment is not None for row in model.rows)
        method = "your" if edited else model.method
        text += f" · {method} {n_cuts:,} {pl(n_cuts, 'cut')}"
        n_compared = sum(row.compared for row in model.rows)
        return f"{text} · {model.compared} {n_compared:,}" if model.compared else text

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self):
        """Divide the width: titles and figures first, then names, bars, distributions.

        Cuts take the rest.
        """
        header, metrics, model = self.view.horizontalHeader(), self.fontMetrics(), \
            self.model
        room = self.width() - self.view.verticalScrollBar().sizeHint().width() \
            - 2 * self.view.frameWidth()
        widths = [title_width(metrics, model.column_header(column, Qt.DisplayRole))
                  + TITLE_MARGIN for column in range(model.n_columns)]
        widths[Column.CUTS] = CUTS_WIDTH
        if any(row.by_hand for row in model.rows):
            widths[Column.INFORMATION] = max(
                widths[Column.INFORMATION],
                metrics.horizontalAdvance(f"{OPTIMISTIC} -0.000") + 2 * MARGIN)
        distribution, widths[Column.DISTRIBUTION] = widths[Column.DISTRIBUTION], 0
        rest = room - sum(widths)
        names = sorted((row.variable.name for row in model.rows), key=len)
        name = ICON_WIDTH + max((metrics.horizontalAdvance(f"{text} *")
                                 for text in names[-MEASURED_NAMES:]), default=0)
        more = max(0, min(name, room // 2) - widths[Column.NAME])
        for column, wanted in (
                (Column.NAME, min(more, max(rest, 0))),
                (Column.CUTS, CUTS_WIDTH),
                *((column, room // BARS)
                  for column in FIGURES if column < model.n_columns),
                (Column.DISTRIBUTION, distribution)):
            if wanted <= rest:
                widths[column] += wanted
                rest -= wanted
        self.view.setColumnHidden(
            Column.DISTRIBUTION, not widths[Column.DISTRIBUTION])
        for column, width in enumerate(widths):
            header.setSectionResizeMode(column, QHeaderView.Stretch if
                                        column == Column.CUTS else
                                        QHeaderView.Interactive)
            if column != Column.CUTS and width:
                header.resizeSection(column, width)


class CutsDelegate(QStyledItemDelegate):
    """Paints cuts, each with the number of folds that find it; few folds are faint."""

    def paint(self, painter, option, index):
        cuts = index.data(CutsRole)
        if not cuts:
            super().paint(painter, option, index)
            return
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        option.widget.style().drawControl(
            QStyle.CE_ItemViewItem, option, painter, option.widget)
        colour = option.palette.color(
            QPalette.HighlightedText if option.state & QStyle.State_Selected
            else QPalette.Text)
        small = QFont(option.font)
        small.setPointSizeF(SMALL * option.font.pointSizeF())
        prefix, _, _ = text.partition(cuts[0][0])
        pieces = [(prefix, option.font, colour)]
        for name, n_found, is_weak in cuts:
            own = faded(colour) if is_weak else colour
            pieces += [(name, option.font, own), (f" {n_found}", small, faded(colour)),
                       ("   ", option.font, colour)]
        painter.save()
        x, right = option.rect.left() + MARGIN, option.rect.right() - MARGIN
        for piece, font, own in pieces:
            metrics = QFontMetrics(font)
            painter.setFont(font)
            painter.setPen(own)
            shown = metrics.elidedText(piece, Qt.ElideRight, right - x)
            if shown != piece and font is small:
                break
            painter.drawText(QRect(x, option.rect.top(), right - x,
                                   option.rect.height()), LEFT, shown)
            x += metrics.horizontalAdvance(piece)
            if shown != piece or x >= right:
                break
        painter.restore()


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
