"""Tables of named rows with numbers and bars; names stay when columns scroll."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPainter, QPalette
from AnyQt.QtWidgets import QAbstractButton, QHBoxLayout, QHeaderView, QLabel

from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    MARGIN,
    RIGHT,
    BarColourRole,
    BarRole,
    BarTable,
    BarTableModel,
    GroupRole,
    WidestRole,
    faded,
    title_width,
)
from orangecontrib.sadd.widgets.common.controls import arrange, shorten

__all__ = ["NumberColumn", "NumberTable"]

NO_NUMBER = "–"
# The fraction of the table's width that names have even if columns need it
NAMES_FRACTION = .33
# The length of a full bar, if there is room, and room for the sort indicator beside a
# title
SHORT_BAR, SORTED_MARGIN = 22, 25


class NumberColumn(NamedTuple):
    """
    A column of numbers.

    Attributes
    ----------
    title : str
    values : ndarray
        NaN for no number.
    tip : str
        The tooltip of the title.
    span : tuple of float or None
        Numbers at both ends of the bars, which begin at 0; None for no bars.
    colours : tuple of QColor
        Of all bars, or of bars below and above 0. The default is the highlight.
    texts : sequence of str or None
        Shown in place of numbers.
    tips : sequence of str or None
        Tooltips of cells; by default the number, with more digits.
    decimals : int
    is_used : bool
        Whether the numbers have an effect; otherwise they are faded.
    group : str
        The title above the titles of neighbouring columns.
    """

    title: str
    values: np.ndarray
    tip: str = ""
    span: tuple[float, float] | None = (0, 1)
    colours: tuple = ()
    texts: tuple | None = None
    tips: tuple | None = None
    decimals: int = 3
    is_used: bool = True
    group: str = ""

    def text(self, row):
        """Return the text of a cell."""
        if np.isnan(self.values[row]):
            return NO_NUMBER
        return f"{self.values[row]:,.{self.decimals}f}" if self.texts is None \
            else self.texts[row]

    def widest(self):
        """Return the longest text."""
        known = np.flatnonzero(~np.isnan(self.values))
        if self.texts is None and len(known):
            values = self.values[known]
            known = known[[values.argmin(), values.argmax()]]
        return max((self.text(row) for row in known), key=len, default=NO_NUMBER)

    def tooltip(self, row):
        """Return the tooltip of a cell."""
        if self.tips is not None:
            return self.tips[row]
        return "No effect" if np.isnan(self.values[row]) else (
            f"{self.line}: {self.values[row]:,.{self.decimals + 1}f}")

    @property
    def line(self):
        """The title with its group, in one line."""
        return f"{self.group} {self.title}".strip().replace("\n", " ")

    def bar(self, row):
        """Return both ends of the bar of a cell, from 0 to 1, or None."""
        if self.span is None or np.isnan(self.values[row]):
            return None
        low, high = self.span
        ends = (np.clip([0, self.values[row]], low, high) - low) / (high - low or 1)
        return ends.min().item(), ends.max().item()

    def colour(self, row):
        """Return the colour of the bar of a cell, or None."""
        return self.colours[-1 if self.values[row] > 0 else 0] if self.colours else None


class NumberModel(BarTableModel):
    """Numbers by row and column; ties are sorted by the first column."""

    columns = is_faded = widest = ()
    # Rows keep their order until the table is made sortable
    _sorting = None, Qt.AscendingOrder

    @property
    def n_columns(self):
        return len(self.columns)

    def set_columns(self, names, columns, is_faded):
        """
        Show other numbers.

        Parameters
        ----------
        names : sequence of str
            Of rows.
        columns : sequence of NumberColumn
        is_faded : sequence of bool
            Rows without effect.
        """
        #: The widest text of each column
        self.widest = [column.widest() for column in columns]
        self.rearrange(names=tuple(names), columns=columns, is_faded=is_faded)

    def sorted_rows(self, column, direction):
        rows = range(len(self.names))
        if column is None:
            return rows
        if column < 0:
            return sorted(rows, key=lambda row: self.names[row].lower())
        keys = self.columns[min(column, self.n_columns - 1)].values
        # NaN comes last in either direction
        return np.lexsort((-self.columns[0].values, keys if
                           direction == Qt.AscendingOrder else -keys)).tolist()

    def cell(self, row, column, role):
        shown = self.columns[column]
        if role == Qt.DisplayRole:
            return shown.text(row)
        if role == BarRole:
            return shown.bar(row)
        if role == WidestRole:
            return self.widest[column]
        if role == Qt.TextAlignmentRole:
            return RIGHT
        if role == Qt.ToolTipRole:
            return f"{self.names[row]}\n{shown.tooltip(row)}"
        has_effect = shown.is_used and not self.is_faded[row]
        if role == BarColourRole:
            return shown.colour(row) if has_effect else faded(shown.colour(row))
        return faded() if role == Qt.ForegroundRole and not has_effect else None

    def row_header(self, row, role):
        if role == Qt.DisplayRole:
            return self.names[row]
        if role == Qt.ForegroundRole:
            return faded() if self.is_faded[row] else None
        return f"{self.names[row]}\n{self.columns[0].tooltip(row)}" \
            if role == Qt.ToolTipRole else None

    def column_header(self, column, role):
        shown = self.columns[column]
        if role == Qt.DisplayRole:
            has_groups = any(other.group for other in self.columns)
            line_above = has_groups and "\n" not in shown.title
            return "\n" * line_above + shorten(shown.title)
        if role == GroupRole:
            return shown.group
        return shown.tip if role == Qt.ToolTipRole else None


class NamesHeader(QHeaderView):
    """Names in the style of cells, not of Qt's buttons."""

    def __init__(self, parent):
        super().__init__(Qt.Vertical, parent)
        self.setSectionResizeMode(QHeaderView.Fixed)
        self.setDefaultSectionSize(self.fontMetrics().height() + 7)
        self.setSectionsClickable(True)

    def paintSection(self, painter, rect, section):
        palette, model = self.palette(), self.model()
        colour = model.headerData(section, Qt.Vertical, Qt.ForegroundRole)
        is_selected = self.parent().selectionModel().isRowSelected(section)
        painter.fillRect(rect, palette.color(
            QPalette.Highlight if is_selected else QPalette.Base))
        if is_selected:
            colour = palette.color(QPalette.HighlightedText)
        painter.setPen(colour or palette.color(QPalette.Text))
        rect = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        painter.drawText(rect, LEFT, self.fontMetrics().elidedText(
            model.headerData(section, Qt.Vertical) or "", Qt.ElideMiddle, rect.width()))

    def paintEvent(self, event):
        super().paintEvent(event)
        below = self.viewport().rect()
        below.setTop(max(0, self.length() - self.offset()))
        painter = QPainter(self.viewport())
        painter.fillRect(below, self.palette().color(QPalette.Base))
        painter.end()


class NumberTable(BarTable):
    """
    Numbers with bars.

    Parameters
    ----------
    title : str
        Of the names.
    sorting : tuple of (int, bool), optional
        See `sort_by`. By default, rows keep their order.
    """

    def __init__(self, title, sorting=None, **kwargs):
        self.title, self.numbers = title, NumberModel()
        super().__init__(self.numbers, NamesHeader,
                         editTriggers=BarTable.NoEditTriggers, **kwargs)
        self.setAlternatingRowColors(False)
        self.numbers.modelReset.connect(self._lay_out)
        # Above the names
        self.corner = self.findChild(QAbstractButton)
        self.corner.clicked.disconnect()
        self._label = QLabel(title, margin=MARGIN - 2)
        arrange(QHBoxLayout(self.corner), self._label)
        if sorting is not None:
            self.sort_by(*sorting)
            self.corner.setToolTip("Sort by name.")
            self.corner.clicked.connect(lambda: self.sort_by(-1, False))

    def set_columns(self, names, columns, is_faded, title=""):
        """Show other numbers; parameters are as for `NumberModel`."""
        self.title = title or self.title
        self._label.setText(shorten(self.title))
        self.numbers.set_columns(names, columns, is_faded)

    def as_lists(self):
        """Return the visible texts, the header first."""
        model = self.numbers
        return [[self.title, *(column.line for column in model.columns)],
                *([model.names[row], *(column.text(row) for column in model.columns)]
                  for row in model.order)]

    def as_frame(self):
        """Return all numbers, with names as the index."""
        return pd.DataFrame(
            {column.line: column.values for column in self.numbers.columns},
            pd.Index(self.numbers.names, name=self.title))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self):
        """Set the width of each column to its texts, and divide the rest among bars."""
        header, model, metrics = self.horizontalHeader(), self.numbers, \
            self.fontMetrics()
        margin = SORTED_MARGIN if self.isSortingEnabled() else 3 * MARGIN
        titles = np.array([title_width(metrics, shorten(column.title)) + margin
                           for column in model.columns], dtype=int)
        texts = np.array(list(map(metrics.horizontalAdvance, model.widest)), dtype=int)
        has_bar = np.array([column.span is not None for column in model.columns], int)

        def widths(bar):
            return np.maximum(titles, texts + 2 * MARGIN + bar * has_bar)

        room = self.width() - 2 * self.frameWidth() \
            - self.verticalScrollBar().sizeHint().width()
        names = 3 * MARGIN + max(map(metrics.horizontalAdvance,
                                     [shorten(self.title), *model.names]))
        names = min(names, max(int(NAMES_FRACTION * room),
                               room - widths(SHORT_BAR).sum()))
        self.verticalHeader().setFixedWidth(max(names, 1))
        room -= names
        bar = next((bar for bar in range(SHORT_BAR, -1, -1)
                    if widths(bar).sum() <= room), SHORT_BAR)
        rest = max(0, room - widths(bar).sum()) // max(1, has_bar.sum())
        for index, width in enumerate(widths(bar) + rest * has_bar):
            header.resizeSection(index, width)
        self.updateGeometries()  # of names and titles
