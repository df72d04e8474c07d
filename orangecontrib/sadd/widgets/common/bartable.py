"""Tables with bars: model, delegate, and a header with groups."""

from AnyQt.QtCore import QAbstractTableModel, QModelIndex, QRect, QRectF, QSize, Qt
from AnyQt.QtGui import QColor, QPainter, QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)
from orangewidget.utils import enum_as_int

from orangecontrib.sadd.widgets.common.controls import wrap_tip

__all__ = ["LEFT", "MARGIN", "RIGHT", "BarColourRole", "BarDelegate", "BarRole",
           "BarTableModel", "GroupHeader", "GroupRole", "WidestRole", "number_width"]

LEFT = enum_as_int(Qt.AlignLeft | Qt.AlignVCenter)
RIGHT = enum_as_int(Qt.AlignRight | Qt.AlignVCenter)

# The bar: its length or both of its ends, from 0 to 1, and its colour. The defaults are
# no bar, and the highlight of the palette
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


class BarTableModel(QAbstractTableModel):
    """
    A table model that sorts and filters its rows.

    Views may request rows and columns that were there before: these have no data.

    Attributes
    ----------
    order : sequence of int
        Indices of the rows that are shown, from the first to the last.
    n_columns : int
    texts : tuple of int
        Columns that the first click sorts upwards; other columns are sorted downwards.
    roles : frozenset of int
        The roles that cells have; a view requests about eight roles of a cell.
    """

    order = ()
    n_columns = 0
    texts = ()
    roles = frozenset()
    # The filter of names; the column that sorts, and its direction
    _text = ""
    _sorting = -1, Qt.AscendingOrder

    def set_filter(self, text):
        """Show only the rows with the text in their name."""
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
        """Set `order` by `_text` and `_sorting`."""
        raise NotImplementedError

    def cell(self, row, column, role):
        """Return the content of a cell, by the row before sorting."""
        raise NotImplementedError

    def column_header(self, column, role):
        """Return the header of a column."""
        raise NotImplementedError

    def row_header(self, row, role):
        """Return the header of a row."""
        return None

    def rowCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else self.n_columns

    def data(self, index, role=Qt.DisplayRole):
        if role not in self.roles:
            return None
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

    def as_lists(self):
        """Return the visible texts, the header first."""
        columns = range(self.n_columns)
        return [[self.column_header(column, Qt.DisplayRole) for column in columns],
                *([self.cell(row, column, Qt.DisplayRole) for column in columns]
                  for row in self.order)]


def _wrapped(value, role):
    return wrap_tip(value) if value and role == Qt.ToolTipRole else value


class BarDelegate(QStyledItemDelegate):
    """Paints a number, and left of it a bar."""

    def paint(self, painter, option, index):
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        widget = option.widget
        style = widget.style() if widget else QApplication.style()
        style.drawControl(QStyle.CE_ItemViewItem, option, painter, widget)

        selected = bool(option.state & QStyle.State_Selected)
        colour = option.palette.color(
            QPalette.HighlightedText if selected else QPalette.Text)
        rect = QRectF(option.rect).adjusted(MARGIN, 0, -MARGIN, 0)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(colour)
        painter.drawText(rect, RIGHT, text)
        ends = index.data(BarRole)
        if ends is not None:
            start, end = ends if isinstance(ends, tuple) else (0., ends)
            widest = index.data(WidestRole)
            width = rect.width() - MARGIN - (
                number_width(option.fontMetrics) if widest is None
                else option.fontMetrics.horizontalAdvance(widest))
            bar = QRectF(rect.left(), rect.center().y() - BAR_HEIGHT / 2,
                         width if width >= SHORTEST_BAR else 0, BAR_HEIGHT)
            faint = QColor(colour)
            faint.setAlphaF(.12)
            painter.fillRect(bar, faint)
            start, end = (min(max(place, 0.), 1.) for place in (start, end))
            bar = QRectF(bar.left() + start * bar.width(), bar.top(),
                         (end - start) * bar.width(), BAR_HEIGHT)
            painter.fillRect(bar, colour if selected else index.data(BarColourRole)
                             or option.palette.color(QPalette.Highlight))
        painter.restore()

    def sizeHint(self, option, index):
        size = super().sizeHint(option, index)
        return QSize(number_width(option.fontMetrics) * 3, size.height())


def number_width(metrics):
    """Return the width of the numbers beside the bars."""
    return metrics.horizontalAdvance("0.000")


class GroupHeader(QHeaderView):
    """
    A horizontal header in which neighbouring columns may have a common title above.

    Columns with the same `GroupRole` form a group. Titles of columns begin with an
    empty line if there are groups.
    """

    def __init__(self, parent=None):
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
        for title, rect in groups.items():
            rect = rect.adjusted(MARGIN, 2, -MARGIN, 2)
            painter.drawText(rect, enum_as_int(Qt.AlignCenter), self.fontMetrics()
                             .elidedText(title, Qt.ElideRight, rect.width()))
            painter.drawLine(rect.left(), self.height() // 2 + 2,
                             rect.right(), self.height() // 2 + 2)
        painter.end()
