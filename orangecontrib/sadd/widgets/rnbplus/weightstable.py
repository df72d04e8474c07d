"""Weights as a table of bars: attributes by importance and classes."""

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtGui import QColor, QPainter, QPalette
from AnyQt.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
)

from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    MARGIN,
    BarColourRole,
    BarDelegate,
    BarRole,
    BarTableModel,
    NameShortener,
    number_width,
)

__all__ = ["WeightsModel", "WeightsTable"]

ATTRIBUTE, IMPORTANCE, ALL_CLASSES = "Attribute", "Importance", "All classes"
IMPORTANCE_TIP = ("What the attribute tells about the class, in bits, times its "
                  "weight. The bar compares it with the most important attribute.")
NO_SHARE = "Their share in predictions is 0, so they have no effect."
NO_WEIGHT = "–"
# The largest fraction of the table's width that names take; how many characters of
# them are worth more than bars, and these more than a scroll bar
NAMES_FRACTION = .4
SHORTEST_NAME = 14
# The length of a bar for weight 1, at least
SHORTEST_BAR = 22
# Room for the sort indicator beside a title
HEADER_MARGIN = 42
# Opacity of what has no effect
FADED = .35


class WeightsModel(BarTableModel):
    """
    The weights of a model: a row for each attribute, the most important first.

    Attributes
    ----------
    attributes : sequence of Variable
    titles : list of str
        Of columns: importance, classes, and what they share; a model may lack some.
    values : ndarray, shape (n_attributes, n_columns)
        Importances and weights; NaN where a weight has no effect.
    """

    roles = frozenset((Qt.DisplayRole, Qt.ForegroundRole, Qt.ToolTipRole, BarRole,
                       BarColourRole))

    def __init__(self, parent=None):
        super().__init__(parent)
        self.attributes = ()
        self.titles = []
        self.values = np.zeros((0, 0))
        self.shortener = NameShortener()
        self._title_shortener = NameShortener()
        # What the header shows in place of a title
        self._short_titles = {}
        self._colours = []
        self._has_share = []
        self._sorting = 0, Qt.DescendingOrder

    @property
    def n_columns(self):
        return len(self.titles)

    @property
    def importances(self):
        """The first column."""
        return self.values[:, 0] if self.titles else np.zeros(0)

    def set_model(self, model):
        """Show the weights of a naive Bayes model."""
        class_var = model.domain.class_var
        self.beginResetModel()
        self.attributes = model.domain.attributes
        self.shortener = NameShortener([var.name for var in self.attributes])
        self.titles, self._colours = [IMPORTANCE], [None]
        self._has_share = [True]
        columns = []
        if model.class_weights is not None:
            self.titles += class_var.values
            self._colours += [QColor(*map(int, colour)) for colour in class_var.colors]
            self._has_share += [model.alpha != 0] * len(class_var.values)
            columns.extend(model.class_weights)
        if model.weights is not None:
            self.titles.append(ALL_CLASSES)
            self._colours.append(None)
            self._has_share.append(model.alpha != 1)
            columns.append(model.weights)
        self._title_shortener = NameShortener(class_var.values)
        self._short_titles = {}
        weights = np.column_stack(columns)
        weights[model.tables.n_values < 2] = np.nan  # they have no effect
        self.values = np.column_stack((model.importances, weights))
        self._sorting = 0, Qt.DescendingOrder
        self._arrange()
        self.endResetModel()

    def _arrange(self):
        column, order = self._sorting
        if column < 0:
            self.order = sorted(range(len(self.attributes)),
                                key=lambda row: self.attributes[row].name.lower())
        else:
            self.order = self._arranged_by(column, order)
        self.order = [row for row in self.order
                      if self._text in self.attributes[row].name.lower()]

    def _arranged_by(self, column, order):
        keys = self.values[:, column] if column < self.n_columns else self.importances
        sign = 1 if order == Qt.AscendingOrder else -1
        # Ties, and there are many of 0 and 1, are sorted by importance; NaN comes last
        # in either order
        return np.lexsort((-self.importances, sign * keys)).tolist()

    def shorten_titles(self, metrics, widths):
        """Let titles fit into widths; what distinguishes classes is kept."""
        for column, width in enumerate(widths):
            title = self.titles[column]
            if self._colours[column] is not None:
                title = self._title_shortener.shortened(title, metrics, width)
            elif title == ALL_CLASSES and metrics.horizontalAdvance(title) > width:
                title = "All"
            self._short_titles[column] = title

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation == Qt.Horizontal and role == Qt.DisplayRole \
                and section in self._short_titles:
            return self._short_titles[section]
        return super().headerData(section, orientation, role)

    def cell(self, row, column, role):
        value = self.values[row, column]
        if role == Qt.DisplayRole:
            return NO_WEIGHT if np.isnan(value) else f"{value:.3f}"
        if role == BarRole:
            return self._bar(value, column)
        if role == BarColourRole:
            return self._bar_colour(row, column)
        if role == Qt.ForegroundRole and self.is_faded(row, column):
            return _faint(FADED + .15)
        if role == Qt.ToolTipRole:
            return self._tooltip(row, column)
        return None

    def is_faded(self, row, column):
        """Whether a cell has no part in predictions."""
        return not (self._has_share[column] and self.importances[row] > 0)

    def _bar(self, value, column):
        if np.isnan(value):
            return None
        if column > 0:
            return float(value)
        largest = self.importances.max()
        return float(value / largest) if largest > 0 else 0.

    def _bar_colour(self, row, column):
        if column == 0:
            return None  # that of the palette
        colour = self._colours[column]
        colour = _faint(.6) if colour is None else QColor(colour)
        if self.is_faded(row, column):
            colour.setAlphaF(FADED)
        return colour

    def _tooltip(self, row, column):
        name, value = self.attributes[row].name, self.values[row, column]
        if np.isnan(value):
            return f"{name}\nIt has a single value or interval, so it has no effect."
        if column == 0:
            return f"{name}\nImportance: {value:.4f} bits"
        classes = "all classes" if self._colours[column] is None \
            else self.titles[column]
        text = f"{name}\nWeight for {classes}: {value:.4f}"
        return text if self._has_share[column] else f"{text}\n{NO_SHARE}"

    def row_header(self, row, role):
        if role == Qt.DisplayRole:
            return self.attributes[row].name
        if role == Qt.ForegroundRole and not self.importances[row] > 0:
            return _faint(FADED + .15)
        if role == Qt.ToolTipRole:
            return self._tooltip(row, 0)
        return None

    def column_header(self, column, role):
        title = self.titles[column]
        if role == Qt.DisplayRole:
            return title
        if role != Qt.ToolTipRole:
            return None
        if column == 0:
            return IMPORTANCE_TIP
        text = f"Weights for the class {title}." if self._colours[column] is not None \
            else "Weights that are the same for all classes."
        return text if self._has_share[column] else f"{text} {NO_SHARE}"


def _faint(opacity):
    colour = QColor(QApplication.palette().color(QPalette.Text))
    colour.setAlphaF(opacity)
    return colour


class NamesHeader(QHeaderView):
    """Names that look like the cells beside them: Qt would draw buttons."""

    def __init__(self, parent=None):
        super().__init__(Qt.Vertical, parent)
        self.setSectionResizeMode(QHeaderView.Fixed)
        self.setDefaultSectionSize(self.fontMetrics().height() + 7)

    def paintSection(self, painter, rect, section):
        palette = self.palette()
        role = QPalette.AlternateBase if section % 2 else QPalette.Base
        painter.fillRect(rect, palette.color(role))
        colour = self.model().headerData(section, Qt.Vertical, Qt.ForegroundRole)
        painter.setPen(colour or palette.color(QPalette.Text))
        rect = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        name = self.model().headerData(section, Qt.Vertical) or ""
        name = self.model().shortener.shortened(name, self.fontMetrics(), rect.width())
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
            selectionMode=QTableView.NoSelection,
            editTriggers=QTableView.NoEditTriggers,
            horizontalScrollMode=QTableView.ScrollPerPixel,
            accessibleName="Importance and weights of attributes")
        self.weights = WeightsModel(self)
        self.setModel(self.weights)
        self.setItemDelegate(BarDelegate(self))
        self.setVerticalHeader(NamesHeader(self))
        #: Above the names
        self.corner = self.findChild(QAbstractButton)
        self.corner.setToolTip("Sort by name.")
        self.corner.clicked.connect(
            lambda: self.sortByColumn(-1, Qt.AscendingOrder))
        layout = QHBoxLayout(self.corner)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(QLabel(ATTRIBUTE, margin=MARGIN - 2))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.ElideMiddle)
        header.setSectionResizeMode(QHeaderView.Stretch)
        header.setSortIndicator(0, Qt.DescendingOrder)
        header.sortIndicatorChanged.connect(self.scrollToTop)
        self.setSortingEnabled(True)

    def set_model(self, model):
        """Show the weights of a naive Bayes model, the most important first."""
        self.horizontalHeader().setSortIndicator(0, Qt.DescendingOrder)
        self.weights.set_model(model)
        header = self.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.Fixed)
        header.resizeSection(0, header.fontMetrics().horizontalAdvance(IMPORTANCE)
                             + HEADER_MARGIN)
        self.scrollToTop()
        self._lay_out()

    def as_lists(self):
        """Return the texts as they are seen, the header first."""
        model = self.weights
        names = [ATTRIBUTE, *(model.attributes[row].name for row in model.order)]
        return [[name, *texts]
                for name, texts in zip(names, model.as_lists(), strict=True)]

    def as_numbers(self):
        """Return the rows that are shown, with all digits, the header first."""
        model = self.weights
        return [[ATTRIBUTE, *model.titles],
                *([model.attributes[row].name,
                   *("" if np.isnan(value) else f"{value:.6g}"
                     for value in model.values[row])] for row in model.order)]

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self):
        """Shorten names, or else bars, so that weights need no scroll bar."""
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        room = self.width() - 2 * self.frameWidth() \
            - self.verticalScrollBar().sizeHint().width()
        longest, wanted = int(room * NAMES_FRACTION), self.verticalHeader().sizeHint()
        shortest = min(metrics.averageCharWidth() * SHORTEST_NAME, wanted.width())
        number = number_width(metrics) + 2 * MARGIN
        for narrowest in (number + MARGIN + SHORTEST_BAR, number):
            rest = room - header.sectionSize(0) \
                - (self.weights.n_columns - 1) * narrowest
            if rest >= shortest:
                break
        else:  # there are too many classes
            rest, narrowest = longest, number + MARGIN + SHORTEST_BAR
        header.setMinimumSectionSize(narrowest)
        self.verticalHeader().setMaximumWidth(min(rest, longest))
        self.updateGeometries()  # or columns are as wide as they were
        self.weights.shorten_titles(header.fontMetrics(), [
            header.sectionSize(column) - 2 * MARGIN
            for column in range(self.weights.n_columns)])
