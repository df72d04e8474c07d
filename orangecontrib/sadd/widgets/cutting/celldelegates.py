"""How long names and lists of cuts are cut off in the table of variables."""

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QStyledItemDelegate

from orangecontrib.sadd.widgets.common.longnames import NameShortener

__all__ = ["CutsDelegate", "NameDelegate"]

# Room beside icon and name, in pixels
NAME_MARGIN = 16


class NameDelegate(QStyledItemDelegate):
    """Keeps the part in which names differ."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self._shortener = NameShortener()

    def set_names(self, names):
        """Learn what the names in the table have in common."""
        self._shortener = NameShortener(names)

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        name = option.text.removesuffix(" *")
        mark = option.text[len(name):]
        room = option.rect.width() - option.decorationSize.width() - NAME_MARGIN \
            - option.fontMetrics.horizontalAdvance(mark)
        option.text = self._shortener.shortened(name, option.fontMetrics, room) + mark


class CutsDelegate(QStyledItemDelegate):
    """Cuts off the last cuts."""

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        option.textElideMode = Qt.ElideRight
