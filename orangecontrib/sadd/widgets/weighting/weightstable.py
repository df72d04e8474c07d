"""Weights as a table of bars: attributes by classes."""

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtGui import QColor, QPainter, QPalette
from AnyQt.QtWidgets import QApplication, QHeaderView, QTableView

from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    MARGIN,
    BarColourRole,
    BarDelegate,
    BarRole,
    BarTableModel,
    number_width,
)

__all__ = ["WeightsModel", "WeightsTable"]

ALL_CLASSES = "All classes"
NO_WEIGHT = "–"
# The largest fraction of the table's width that names take
NAMES_FRACTION = .4
# The length of a bar for weight 1, at least
SHORTEST_BAR = 22


class WeightsModel(BarTableModel):
    """The weights of a model: a row for each attribute, the most important first."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.attributes = ()
        self.importances = np.zeros(0)
        self.titles = []
        self.colours = []
        self.weights = np.zeros((0, 0))

    @property
    def n_columns(self):
        return len(self.titles)

    def set_model(self, model):
        """Show the weights of a naive Bayes model."""
        self.beginResetModel()
        class_var = model.domain.class_var
        self.titles, self.colours, columns = [], [], []
        if model.class_weights is not None:
            self.titles.extend(class_var.values)
            self.colours.extend(QColor(*map(int, colour))
                                for colour in class_var.colors)
            columns.extend(model.class_weights)
        if model.weights is not None:
            self.titles.append(ALL_CLASSES)
            self.colours.append(None)
            columns.append(model.weights)
        self.attributes = model.domain.attributes
        self.importances = np.asarray(model.importances)
        self.weights = np.column_stack(columns)
        self.weights[model.tables.n_values < 2] = np.nan  # they have no effect
        self.order = np.argsort(-self.importances, kind="stable")
        self.endResetModel()

    def sort(self, column, order=Qt.AscendingOrder):
        """Sort by a column; by importance if it is -1."""
        keys = self.weights[:, column] if 0 <= column < len(self.titles) \
            else self.importances
        sign = 1 if column >= 0 and order == Qt.AscendingOrder else -1
        self.layoutAboutToBeChanged.emit()
        # Ties, and there are many of 0 and 1, are sorted by importance; NaN comes last
        # in either order
        self.order = np.lexsort((-self.importances, sign * keys))
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Vertical, 0, max(0, len(self.order) - 1))

    def cell(self, row, column, role):
        weight = self.weights[row, column]
        if role == Qt.DisplayRole:
            return NO_WEIGHT if np.isnan(weight) else f"{weight:.3f}"
        if role == BarRole:
            return None if np.isnan(weight) else float(weight)
        if role == BarColourRole:
            return self.colours[column] or self._faint()
        if role == Qt.ToolTipRole:
            return self._tooltip(row, column)
        return None

    @staticmethod
    def _faint():
        colour = QColor(QApplication.palette().color(QPalette.Text))
        colour.setAlphaF(.6)
        return colour

    def _tooltip(self, row, column):
        name, weight = self.attributes[row].name, self.weights[row, column]
        if np.isnan(weight):
            return f"{name}\nIt has a single value or interval, so it has no effect."
        classes = "all classes" if self.colours[column] is None \
            else self.titles[column]
        return f"{name}\nWeight for {classes}: {weight:.4f}"

    def row_header(self, row, role):
        if role == Qt.DisplayRole:
            return self.attributes[row].name
        if role == Qt.ToolTipRole:
            return (f"{self.attributes[row].name}\n"
                    f"Importance {self.importances[row]:.3f}: information about the "
                    "class, in bits, times the weight")
        return None

    def column_header(self, column, role):
        title = self.titles[column]
        if role == Qt.DisplayRole:
            return title
        if role == Qt.ToolTipRole:
            if self.colours[column] is None:
                return "Weights that are the same for all classes"
            return f"Weights for the class {title}"
        return None


class NamesHeader(QHeaderView):
    """Names that look like the cells beside them: Qt would draw buttons."""

    def __init__(self, parent=None):
        super().__init__(Qt.Vertical, parent)
        self.setTextElideMode(Qt.ElideMiddle)
        self.setSectionResizeMode(QHeaderView.Fixed)
        self.setDefaultSectionSize(self.fontMetrics().height() + 7)

    def paintSection(self, painter, rect, section):
        palette = self.palette()
        role = QPalette.AlternateBase if section % 2 else QPalette.Base
        painter.fillRect(rect, palette.color(role))
        painter.setPen(palette.color(QPalette.Text))
        rect = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        name = self.model().headerData(section, Qt.Vertical) or ""
        name = self.fontMetrics().elidedText(name, self.textElideMode(), rect.width())
        painter.drawText(rect, LEFT, name)

    def paintEvent(self, event):
        super().paintEvent(event)
        rest = self.viewport().rect()
        rest.setTop(max(0, self.length() - self.offset()))
        painter = QPainter(self.viewport())
        painter.fillRect(rest, self.palette().color(QPalette.Base))
        painter.end()

    def sectionSizeFromContents(self, section):
        size = super().sectionSizeFromContents(section)
        return QSize(size.width() + 2 * MARGIN, size.height())


class WeightsTable(QTableView):
    """Bars of weights; names of attributes stay in place when scrolled."""

    def __init__(self, parent=None):
        super().__init__(
            parent, showGrid=False, wordWrap=False, alternatingRowColors=True,
            cornerButtonEnabled=False, selectionMode=QTableView.NoSelection,
            focusPolicy=Qt.NoFocus, editTriggers=QTableView.NoEditTriggers,
            horizontalScrollMode=QTableView.ScrollPerPixel)
        self.weights = WeightsModel(self)
        self.setModel(self.weights)
        self.setItemDelegate(BarDelegate(self))
        self.setVerticalHeader(NamesHeader(self))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.ElideMiddle)
        header.setMinimumSectionSize(
            number_width(self.fontMetrics()) + 3 * MARGIN + SHORTEST_BAR)
        header.setSectionResizeMode(QHeaderView.Stretch)
        header.setSortIndicator(-1, Qt.DescendingOrder)
        self.setSortingEnabled(True)

    def set_model(self, model):
        """Show the weights of a naive Bayes model, the most important first."""
        self.horizontalHeader().setSortIndicator(-1, Qt.DescendingOrder)
        self.weights.set_model(model)
        self.scrollToTop()
        self._limit_names()

    def as_lists(self):
        """Return the texts as they are seen, the header first."""
        model = self.weights
        names = ["Attribute", *(model.headerData(row, Qt.Vertical)
                                for row in range(len(model.order)))]
        return [[name, *texts]
                for name, texts in zip(names, model.as_lists(), strict=True)]

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._limit_names()

    def _limit_names(self):
        """Elide long names, or they would push the weights out of sight."""
        self.verticalHeader().setMaximumWidth(int(self.width() * NAMES_FRACTION))
