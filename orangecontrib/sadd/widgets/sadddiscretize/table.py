"""The table of variables: distributions, cuts and information, sorted and filtered."""

import numpy as np
from AnyQt.QtCore import QRect, QRectF, Qt
from AnyQt.QtGui import QFont, QFontMetrics, QPalette
from AnyQt.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.scripting.treatments import NUMERIC, REMOVE
from orangecontrib.sadd.widgets.common.bartable import (
    LEFT,
    MARGIN,
    BarTable,
    FilteredTable,
    faded,
    title_width,
)
from orangecontrib.sadd.widgets.sadddiscretize.variablemodel import (
    FIGURES,
    OPTIMISTIC,
    Column,
    CutsRole,
    RowRole,
    VariableModel,
)

__all__ = ["VariableTable"]

# How many of the longest names, and of the first rows of cuts, are measured
MEASURED = 50
# Room beside a title, and for the icon beside a name; the least width of cuts, and the
# largest one that comes before bars, in pixels
TITLE_MARGIN, ICON_WIDTH, CUTS_WIDTH, MORE_CUTS = 10, 34, 60, 150
# A bar has this part of the width of the table
BARS = 16
# A count of folds, and its size as a fraction of that of cuts
COUNT, SMALL = "10/10", .8


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
        widths[Column.CUTS] = max(CUTS_WIDTH, widths[Column.CUTS])
        if any(row.by_hand for row in model.rows):
            widths[Column.INFORMATION] = max(
                widths[Column.INFORMATION],
                metrics.horizontalAdvance(f"{OPTIMISTIC} -0.000") + 2 * MARGIN)
        distribution, widths[Column.DISTRIBUTION] = widths[Column.DISTRIBUTION], 0
        rest = room - sum(widths)
        cuts = 2 * MARGIN - widths[Column.CUTS] + max((
            metrics.horizontalAdvance(row.text() + COUNT * len(row.cuts))
            for row in model.rows[:MEASURED]), default=0)
        names = sorted((row.variable.name for row in model.rows), key=len)
        name = ICON_WIDTH + max((metrics.horizontalAdvance(f"{text} *")
                                 for text in names[-MEASURED:]), default=0)
        more = max(0, min(name, room // 2) - widths[Column.NAME])
        for column, wanted in (
                (Column.NAME, min(more, max(rest, 0))),
                (Column.CUTS, min(max(cuts, 0), MORE_CUTS, max(rest - more, 0))),
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
        pieces = [(text.partition(cuts[0][0])[0], option.font, colour)]
        for name, n_found, is_weak in cuts:
            pieces += [(name, option.font, faded(colour) if is_weak else colour),
                       (f" {n_found}", small, faded(colour)), ("   ", None, colour)]
        x, right = option.rect.left() + MARGIN, option.rect.right() - MARGIN
        pieces.pop()
        width = sum(QFontMetrics(font or option.font).horizontalAdvance(piece)
                    for piece, font, _ in pieces)
        if width > right - x:  # the tooltip has the counts
            pieces = [(piece if font else " · ", font, own)
                      for piece, font, own in pieces if font is not small]
        painter.save()
        for place, (piece, font, own) in enumerate(pieces):
            metrics = QFontMetrics(font or option.font)
            rest = "".join(text for text, *_ in pieces[place:])
            is_last = metrics.horizontalAdvance(f"{piece}…") > right - x \
                and metrics.horizontalAdvance(rest) > right - x
            painter.setFont(font or option.font)
            painter.setPen(own)
            painter.drawText(
                QRect(x, option.rect.top(), right - x, option.rect.height()), LEFT,
                metrics.elidedText(rest, Qt.ElideRight, right - x) if is_last
                else piece)
            x += metrics.horizontalAdvance(piece)
            if is_last:
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
