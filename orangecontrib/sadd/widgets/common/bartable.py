"""Tables with bars: model, delegate, view, a header with groups, and a filter."""

from AnyQt.QtCore import QAbstractTableModel, QModelIndex, QRect, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter, QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from orangewidget.utils import enum_as_int

from orangecontrib.sadd.widgets.common.controls import arrange, faint, wrap_tip

__all__ = ["LEFT", "MARGIN", "RIGHT", "BarColourRole", "BarDelegate", "BarRole",
           "BarTable", "BarTableModel", "FilteredTable", "GroupHeader", "GroupRole",
           "WidestRole", "faded", "title_width"]

LEFT = enum_as_int(Qt.AlignLeft | Qt.AlignVCenter)
RIGHT = enum_as_int(Qt.AlignRight | Qt.AlignVCenter)

# The bar: both of its ends, from 0 to 1, and its colour. The defaults are no bar, and
# the highlight of the palette
BarRole = Qt.UserRole + 1
BarColourRole = Qt.UserRole + 2
# The widest text of the column, so that all of its bars have the same room
WidestRole = Qt.UserRole + 3
# The title above the titles of neighbouring columns
GroupRole = Qt.UserRole + 4

# Space beside the text of a cell, and between text and bar
MARGIN = 6
BAR_HEIGHT = 6
# Shorter bars are not drawn
SHORTEST_BAR = 12
# Opacity of numbers without effect, or that are not up to date
FADED = .45


def faded(colour=None):
    """Return the colour of a cell without effect."""
    return faint(colour or QApplication.palette().color(QPalette.Text), FADED)


def title_width(metrics, title):
    """Return the width of a title of several lines."""
    return max(map(metrics.horizontalAdvance, title.split("\n")))


class BarTableModel(QAbstractTableModel):
    """
    A table model that sorts and filters its rows, without Qt's slower proxy model.

    A subclass returns the content of a cell, by the row before sorting, in `cell`, the
    header of a column in `column_header`, and the indices of all rows in the order of a
    column in `sorted_rows`. Views may request rows and columns that were there before:
    these have no data.

    Attributes
    ----------
    names : sequence of str
        Of all rows.
    order : list of int
        Indices of the rows that are shown, from the first to the last.
    n_columns : int
    texts : tuple of int
        Columns that the first click sorts upwards; other columns are sorted downwards.
    """

    names = order = texts = ()
    n_columns = 0
    # The filter of names; the column that sorts, and its direction
    _text = ""
    _sorting = -1, Qt.AscendingOrder

    def rearrange(self, **changes):
        """Change attributes, and sort and filter the rows again."""
        self.beginResetModel()
        vars(self).update(changes)
        names = [name.lower() for name in self.names]
        order = self.sorted_rows(*self._sorting) if names else ()
        self.order = [row for row in order
                      if self._text in names[row] and self.is_shown(row)]
        self.endResetModel()

    def set_filter(self, text):
        """Show only the rows with the text in their name."""
        self.rearrange(_text=text.strip().lower())

    def sort(self, column, order=Qt.AscendingOrder):
        self.rearrange(_sorting=(column, order))

    def is_shown(self, row):
        """Return whether a row is shown if its name passes the filter."""
        return True

    def row_header(self, row, role):
        """Return the header of a row."""
        return None

    def rowCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else self.n_columns

    def data(self, index, role=Qt.DisplayRole):
        row, column = index.row(), index.column()
        if 0 <= row < len(self.order) and 0 <= column < self.n_columns:
            return _wrapped(self.cell(self.order[row], column, role), role)
        return None

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation == Qt.Horizontal and 0 <= section < self.n_columns:
            if role == Qt.InitialSortOrderRole:
                return enum_as_int(Qt.AscendingOrder if section in self.texts
                                   else Qt.DescendingOrder)
            return _wrapped(self.column_header(section, role), role)
        if orientation == Qt.Vertical and 0 <= section < len(self.order):
            return _wrapped(self.row_header(self.order[section], role), role)
        return None


def _wrapped(value, role):
    return wrap_tip(value) if value and role == Qt.ToolTipRole else value


class BarDelegate(QStyledItemDelegate):
    """Paints a number, and left of it a bar."""

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        if index.column() == 0:  # ends of names often differ
            option.textElideMode = Qt.ElideMiddle

    def paint(self, painter, option, index):
        ends = index.data(BarRole)
        if ends is None:
            super().paint(painter, option, index)
            return
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        selected = bool(option.state & QStyle.State_Selected)
        colour = option.palette.color(
            QPalette.HighlightedText if selected else QPalette.Text)
        widest = option.fontMetrics.horizontalAdvance(index.data(WidestRole))
        super().paint(painter, option, index)
        room = QRectF(option.rect).adjusted(MARGIN, 0, -2 * MARGIN - widest, 0)
        if room.width() < SHORTEST_BAR:
            return
        start, end = (min(max(place, 0.), 1.) * room.width() for place in ends)
        top = room.center().y() - BAR_HEIGHT / 2
        painter.fillRect(QRectF(room.left(), top, room.width(), BAR_HEIGHT),
                         faint(colour, .12))
        painter.fillRect(
            QRectF(room.left() + start, top, end - start, BAR_HEIGHT),
            colour if selected else index.data(BarColourRole)
            or option.palette.color(QPalette.Highlight))


class BarTable(QTableView):
    """
    A table whose selected row stays selected when rows are sorted or replaced.

    Parameters
    ----------
    model : BarTableModel
    names : type, optional
        Of the vertical header.

    Attributes
    ----------
    current : str
        The name of the row that is or was selected.
    sorting : tuple of (int, bool)
        The column that sorts, -1 for none or for names, and whether downwards.
    """

    #: The index of the row that is selected, -1 if there is none
    selected = Signal(int)

    def __init__(self, model, names=None, **kwargs):
        super().__init__(
            showGrid=False, wordWrap=False, alternatingRowColors=True,
            selectionMode=QTableView.SingleSelection,
            selectionBehavior=QTableView.SelectRows,
            horizontalScrollMode=QTableView.ScrollPerPixel, **kwargs)
        self.current, self._scrolled = "", 0
        self.setHorizontalHeader(GroupHeader(self))
        if names is not None:
            self.setVerticalHeader(names(self))
        model.setParent(self)
        self.setModel(model)  # a header deselects rows if it is set later
        self.setItemDelegate(BarDelegate(self))
        self.selectionModel().selectionChanged.connect(self._on_selection)
        model.modelAboutToBeReset.connect(self._store_scrolling)
        model.modelReset.connect(self._on_reset)

    @property
    def sorting(self):
        header = self.horizontalHeader()
        return (header.sortIndicatorSection(),
                header.sortIndicatorOrder() == Qt.DescendingOrder)

    def sort_by(self, column, descending):
        """Sort by a column, and from then on by clicks on titles."""
        order = Qt.DescendingOrder if descending else Qt.AscendingOrder
        if not self.isSortingEnabled():
            self.horizontalHeader().setSortIndicator(column, order)
            self.setSortingEnabled(True)
            self.horizontalHeader().sortIndicatorChanged.connect(
                lambda *_: self.scrollToTop())
        self.sortByColumn(column, order)

    def select(self, name):
        """Select a row by its name, or the first one if it is not shown."""
        model = self.model()
        place = next((place for place, row in enumerate(model.order)
                      if model.names[row] == name), 0)
        self.setCurrentIndex(model.index(place, 0))
        self.scrollTo(self.currentIndex())
        if not model.order:
            self.selected.emit(-1)

    def _store_scrolling(self):
        self._scrolled = self.verticalScrollBar().value()

    def _on_reset(self):
        self.select(self.current)
        self.verticalScrollBar().setValue(self._scrolled)

    def _on_selection(self):
        indices, model = self.selectionModel().selectedRows(), self.model()
        if indices:
            row = model.order[indices[0].row()]
            self.current = model.names[row]
            self.selected.emit(row)


class FilteredTable(QWidget):
    """
    A table, with a filter, the number of rows and other controls above it.

    Parameters
    ----------
    table : BarTable
    describe_rows : callable
        Returns the text on the number of rows.
    left, right : sequence of QWidget
        Controls beside this text.
    """

    def __init__(self, table, describe_rows, left=(), right=()):
        super().__init__()
        self.filter = QLineEdit(
            placeholderText="Filter...", clearButtonEnabled=True,
            accessibleName="Filter of variables",
            toolTip="Show only the variables whose name contains this text.")
        self.filter.textChanged.connect(table.model().set_filter)
        self.count = QLabel()
        for signal in (table.model().modelReset, table.model().dataChanged):
            signal.connect(lambda *_: self.count.setText(describe_rows()))
        top = arrange(QHBoxLayout(), self.filter, *left, self.count, *right,
                      stretched=self.filter)
        arrange(QVBoxLayout(self), top, table)


class GroupHeader(QHeaderView):
    """
    A horizontal header in which neighbouring columns may have a common title above.

    Columns with the same `GroupRole` form a group. Titles of columns begin with an
    empty line if there are groups.
    """

    def __init__(self, parent):
        super().__init__(Qt.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def paintEvent(self, event):
        super().paintEvent(event)
        painter, groups = QPainter(self.viewport()), {}
        for section in range(self.count()):
            title = self.model().headerData(section, Qt.Horizontal, GroupRole)
            rect = QRect(self.sectionViewportPosition(section), 0,
                         self.sectionSize(section), self.height() // 2)
            if title:
                groups[title] = groups.get(title, rect).united(rect)
        option = QStyleOptionHeader()
        self.initStyleOption(option)
        for title, rect in groups.items():
            # Over the lines between the columns
            option.rect = rect
            self.style().drawControl(QStyle.CE_HeaderSection, option, painter, self)
            rect = rect.intersected(self.viewport().rect()).adjusted(
                MARGIN, 1, -MARGIN, 0)
            painter.drawText(rect, enum_as_int(Qt.AlignCenter), self.fontMetrics()
                             .elidedText(title, Qt.ElideRight, rect.width()))
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.end()
