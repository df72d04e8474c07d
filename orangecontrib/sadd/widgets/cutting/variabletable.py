"""The table of variables: sortable, searchable, with bars for information."""

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyledItemDelegate,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.widgets.common.bars import BarDelegate, number_width
from orangecontrib.sadd.widgets.cutting.variablemodel import (
    INFORMATION_COLUMNS,
    Column,
    VariableModel,
)

__all__ = ["VariableTable"]

# Room for the sort indicator beside a title, and the width of a column with bars as
# a fraction of what the numbers of intervals leave
HEADER_MARGIN = 30
BAR_FRACTION = 0.27


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
        n_columns = self.model.columnCount()
        name = self._current
        self.model.set_rows(rows, compared)
        if self.model.columnCount() != n_columns:
            self._lay_out()
        self.select(name)
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

    def as_lists(self):
        """Return the texts as they are seen, the header first."""
        model, columns = self.model, range(self.model.columnCount())
        header = [model.headerData(column, Qt.Horizontal) for column in columns]
        return [header, *(
            [model.index(row, column).data() for column in columns]
            for row in range(model.rowCount()))]

    def _filter(self, text):
        name = self._current
        self.model.set_filter(text)
        self.select(name)
        self._show_count()

    def _on_sorted(self, column, order):
        self.select(self._current)
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
        n_columns = self.model.columnCount()
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
