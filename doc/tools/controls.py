"""What can be read in a widget, and what its controls are called.

Pages may name only what is there, and a widget's page names all controls; pictures are
out of date when what can be read in them has changed.
"""

import re
from importlib import import_module
from importlib.util import find_spec

from AnyQt.QtCore import QModelIndex, Qt
from AnyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QRadioButton,
    QTableView,
    QWidget,
)
from Orange.data import Table
from orangewidget.widget import OWBaseWidget

import orangecontrib.sadd.widgets
from tools.offscreen import application, created, finish

__all__ = ["collect", "controls", "find_class", "names", "signals", "texts"]

# What a user sets something with
INTERACTIVE = QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit


def find_class(module):
    """Import a widget by the last part of its module's name."""
    for package in (orangecontrib.sadd.widgets, *(
            import_module(f"Orange.widgets.{name}")
            for name in ("data", "model", "evaluate", "visualize"))):
        name = f"{package.__name__}.{module}"
        if find_spec(name) is not None:
            return next(value for value in vars(import_module(name)).values()
                        if isinstance(value, type) and value.__module__ == name
                        and issubclass(value, OWBaseWidget) and value.name)
    raise ValueError(f"There is no widget in a module {module}.")


def cleaned(text):
    """A text as one speaks of it: no mnemonics, mark-up, colons or dots after it."""
    text = re.sub(r"<[^>]+>|&(?=\w)", "", text or "")
    return " ".join(text.split()).rstrip(":").removesuffix("...")


def parts(widget, kind):
    """Parts of a widget's control area, buttons and main area, of a kind."""
    areas = [getattr(widget, name, None)
             for name in ("controlArea", "buttonsArea", "mainArea")]
    found = {id(part): part for area in filter(None, areas)
             for part in area.findChildren(kind)}
    return [part for part in found.values() if not is_inner(part)]


def is_inner(part):
    """Whether a part belongs to another one, as the editor of a spin box does."""
    return isinstance(part.parent(), (QAbstractSpinBox, QComboBox, QLineEdit,
                                      QTableView, QHeaderView)) \
        or hasattr(part.parent(), "plotItem")


def own_text(part):
    """The text that a control itself shows as its name."""
    if isinstance(part, QAbstractButton):
        return cleaned(part.text())
    if isinstance(part, QLineEdit):
        return cleaned(part.placeholderText())
    return ""


def name_of(part):
    """The name of a control: its text, a label beside it, or the box that it is in."""
    if isinstance(part, QAbstractButton):
        return own_text(part)
    label, box = "", part.parent()
    while box is not None and box.isWidgetType():
        for kind in (QLabel, QRadioButton, QCheckBox):
            beside = box.findChildren(kind, options=Qt.FindDirectChildrenOnly)
            if len(beside) == 1:
                label = label or cleaned(beside[0].text())
        if isinstance(box, QGroupBox) and box.title():
            return label or cleaned(box.title())
        box = box.parent()
    return own_text(part) or label


def controls(widget):
    """
    Return the controls of a widget by their names.

    Returns
    -------
    dict of str to QWidget
        In the order in which they were made.
    """
    found = {}
    for part in parts(widget, QWidget):
        if isinstance(part, INTERACTIVE) and name_of(part):
            found.setdefault(name_of(part), part)
    return found


def signals(widget):
    """Names of inputs and outputs."""
    return [signal.name for signal in (*widget.get_signals("inputs"),
                                       *widget.get_signals("outputs"))]


def columns(view):
    """Columns of a table that are not hidden."""
    if view.model() is None:
        return []
    return [column for column in range(view.model().columnCount(QModelIndex()))
            if not view.isColumnHidden(column)]


def headers(view):
    """Titles of the columns of a table."""
    return [cleaned(str(view.model().headerData(column, Qt.Horizontal) or ""))
            for column in columns(view)]


def full_headers(view):
    """Titles of columns whose tooltip begins with them, too narrow as they may be."""
    for column in columns(view):
        tooltip = view.model().headerData(column, Qt.Horizontal, Qt.ToolTipRole) or ""
        title, colon, _ = tooltip.partition(":")
        if colon:
            yield cleaned(title)


def cells(view):
    """Texts in the cells of a table."""
    model = view.model()
    return [str(model.index(row, column).data() or "")
            for row in range(model.rowCount(QModelIndex()) if model else 0)
            for column in columns(view)]


def names(widget):
    """Everything in a widget that a page may name."""
    found = {*controls(widget), *signals(widget)}
    for part in parts(widget, QWidget):
        if isinstance(part, QGroupBox):
            found.add(cleaned(part.title()))
        elif isinstance(part, QLabel):
            found.add(cleaned(part.text()))
        elif isinstance(part, QComboBox):
            found.update(cleaned(part.itemText(i)) for i in range(part.count()))
        elif isinstance(part, QTableView):
            found.update((*headers(part), *full_headers(part)))
        elif hasattr(part, "plotItem"):
            found.update(plot_texts(part.plotItem))
    return found - {""}


def plot_texts(item):
    """Titles of the axes of a plot, and its legend."""
    for side in ("left", "bottom"):
        axis = item.getAxis(side)
        if axis.labelText:
            yield cleaned(axis.labelText)
    for child in item.childItems():
        for entry in getattr(child, "_entries", ()):
            yield cleaned(entry.name)


def texts(widget):
    """
    Return all that can be read in a widget now, except what depends on the machine.

    Returns
    -------
    list of str
    """
    found = []
    for part in parts(widget, QWidget):
        if not part.isVisibleTo(widget):
            continue
        if isinstance(part, QGroupBox):
            found.append(part.title())
        elif isinstance(part, (QLabel, QAbstractButton)):
            found.append(part.text())
        elif isinstance(part, QComboBox):
            found.append(part.currentText())
        elif isinstance(part, QLineEdit):
            found.append(part.text() or part.placeholderText())
        elif isinstance(part, QAbstractSpinBox):
            found.append(part.text())
        elif isinstance(part, QTableView):
            found += headers(part) + cells(part)
        elif hasattr(part, "plotItem"):
            found += plot_texts(part.plotItem)
    return [text for text in map(cleaned, found) if text]


def collect(module):
    """
    Return what can be read in a widget, and what its page has to name.

    The widget is looked at while it is empty and, if it is ours, while it computes,
    after it is stopped, and when it has finished.

    Parameters
    ----------
    module : str
        The last part of the name of its module.

    Returns
    -------
    (set of str, list of str)
    """
    application()
    widget = created(find_class(module))
    readable, required = names(widget), [*controls(widget), *signals(widget)]
    if type(widget).__module__.startswith("orangecontrib.sadd"):
        iris = Table("iris")
        widget.set_data(iris[::3])
        widget.set_unlabelled(iris)
        widget.handleNewSignals()
        for click in ("Stop", "Start Again", "Fit Again"):
            found = controls(widget)
            readable |= names(widget)
            required += found
            if click in found:
                found[click].click()
        finish(widget)
        readable |= names(widget)
        required += controls(widget)
    widget.onDeleteWidget()
    return readable, list(dict.fromkeys(required))
