"""Weights as a table of bars: attributes by classes."""

import numpy as np
from AnyQt.QtCore import QAbstractTableModel, QModelIndex, QRectF, QSize, Qt
from AnyQt.QtGui import QColor, QPainter, QPalette
from AnyQt.QtWidgets import (
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

__all__ = ["WeightsModel", "WeightsTable"]

WeightRole = Qt.UserRole + 1
ColourRole = Qt.UserRole + 2
ALL_CLASSES = "All classes"
NO_WEIGHT = "–"
# Share of the table's width that names take, at most
NAMES_SHARE = .4
# Space beside the text of a cell, height of a bar, and length of that of weight 1
MARGIN = 6
BAR_HEIGHT = 6
SHORTEST_BAR = 22


class WeightsModel(QAbstractTableModel):
    """A row for each attribute, the most important first; weights that there are."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.attributes = ()
        self.importances = np.zeros(0)
        self.titles = []
        self.colours = []
        self.weights = np.zeros((0, 0))
        self.order = np.zeros(0, dtype=int)

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

    def rowCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else len(self.titles)

    def sort(self, column, order=Qt.AscendingOrder):
        """Sort by a column; by importance if it is -1."""
        keys = self.weights[:, column] if 0 <= column < len(self.titles) \
            else self.importances
        sign = 1 if column >= 0 and order == Qt.AscendingOrder else -1
        self.layoutAboutToBeChanged.emit()
        # Equal weights, and there are many of 0 and 1, are sorted by importance;
        # NaN comes last in either order
        self.order = np.lexsort((-self.importances, sign * keys))
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Vertical, 0, max(0, len(self.order) - 1))

    def data(self, index, role=Qt.DisplayRole):
        row, column = self.order[index.row()], index.column()
        if role == Qt.DisplayRole:
            weight = self.weights[row, column]
            return NO_WEIGHT if np.isnan(weight) else f"{weight:.3f}"
        if role == WeightRole:
            weight = self.weights[row, column]
            return None if np.isnan(weight) else float(weight)
        if role == ColourRole:
            return self.colours[column]
        if role == Qt.ToolTipRole:
            return self._tooltip(row, column)
        return None

    def _tooltip(self, row, column):
        name, weight = self.attributes[row].name, self.weights[row, column]
        if np.isnan(weight):
            return f"{name}\nIt has a single value or interval, so it has no effect."
        classes = "all classes" if self.colours[column] is None \
            else self.titles[column]
        return f"{name}\nWeight for {classes}: {weight:.4f}"

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation == Qt.Horizontal:
            return self._column_header(section, role)
        row = self.order[section]
        if role == Qt.DisplayRole:
            return self.attributes[row].name
        if role == Qt.ToolTipRole:
            return (f"{self.attributes[row].name}\n"
                    f"Importance {self.importances[row]:.3f}: information about the "
                    "class, in bits, times the weight")
        return None

    def _column_header(self, section, role):
        title = self.titles[section]
        if role == Qt.DisplayRole:
            return title
        if role == Qt.ToolTipRole:
            if self.colours[section] is None:
                return "Weights that are the same for all classes"
            return f"Weights for the class {title}"
        return None


class WeightDelegate(QStyledItemDelegate):
    """A number, and left of it a bar in the colour of the class."""

    def paint(self, painter, option, index):
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        widget = option.widget
        style = widget.style() if widget else QApplication.style()
        style.drawControl(QStyle.CE_ItemViewItem, option, painter, widget)

        faint = option.palette.color(QPalette.Text)
        rect = QRectF(option.rect).adjusted(MARGIN, 0, -MARGIN, 0)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(faint)
        painter.drawText(rect, int(Qt.AlignRight | Qt.AlignVCenter), text)
        width = rect.width() - number_width(option.fontMetrics) - MARGIN
        bar = QRectF(rect.left(), rect.center().y() - BAR_HEIGHT / 2,
                     max(width, 0), BAR_HEIGHT)
        weight = index.data(WeightRole)
        if weight is not None:
            faint.setAlphaF(.12)
            painter.fillRect(bar, faint)
            faint.setAlphaF(.6)
            bar.setWidth(bar.width() * min(max(weight, 0.), 1.))
            painter.fillRect(bar, index.data(ColourRole) or faint)
        painter.restore()

    def sizeHint(self, option, index):
        size = super().sizeHint(option, index)
        return QSize(number_width(option.fontMetrics) * 3, size.height())


class NamesHeader(QHeaderView):
    """Names as quiet as the cells beside them: Qt would draw buttons."""

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
        name = self.model().headerData(section, Qt.Vertical)
        name = self.fontMetrics().elidedText(name, self.textElideMode(), rect.width())
        painter.drawText(rect, int(Qt.AlignLeft | Qt.AlignVCenter), name)

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


def number_width(metrics):
    """Width of the numbers beside the bars."""
    return metrics.horizontalAdvance("0.000")


class WeightsTable(QTableView):
    """Bars of weights; names of attributes stay where they are when scrolled."""

    def __init__(self, parent=None):
        super().__init__(
            parent, showGrid=False, wordWrap=False, alternatingRowColors=True,
            cornerButtonEnabled=False, selectionMode=QTableView.NoSelection,
            focusPolicy=Qt.NoFocus, editTriggers=QTableView.NoEditTriggers,
            horizontalScrollMode=QTableView.ScrollPerPixel)
        self.weights = WeightsModel(self)
        self.setModel(self.weights)
        self.setItemDelegate(WeightDelegate(self))
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
        """Texts as they are seen, the header first."""
        model = self.model()
        return [["Attribute", *model.titles], *(
            [model.headerData(row, Qt.Vertical),
             *(model.index(row, column).data() for column in range(len(model.titles)))]
            for row in range(model.rowCount()))]

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._limit_names()

    def _limit_names(self):
        """Elide long names, or they would push the weights out of sight."""
        self.verticalHeader().setMaximumWidth(int(self.width() * NAMES_SHARE))
