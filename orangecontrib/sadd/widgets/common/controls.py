"""Controls that both widgets have: methods, their parameters, and why not."""

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QStyle, QStyleOptionComboBox, QStylePainter
from Orange.widgets import gui
from orangewidget.gui import (
    CallFrontComboBoxModel,
    ValueCallbackComboModel,
    connectControl,
)
from orangewidget.utils.combobox import ComboBox
from orangewidget.utils.itemmodels import PyListModel

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.widgets.common.tooltips import wrap_tip

__all__ = ["LARGEST_K", "PARAMETER_TIPS", "MethodModel", "add_k_controls",
           "add_method_combo", "add_spin", "describe_method",
           "is_whole", "keep_valid", "replace_unknown_method", "set_obstacle"]

PARAMETER_TIPS = {parameter.name: parameter.description
                  for parameter in DISCRETIZERS["SADD"].parameters}
LARGEST_K = 999


def describe_method(name):
    """Return the title of a method, and what it does, in a sentence."""
    method = DISCRETIZERS[name]
    return wrap_tip(f"{method.title}: {method.description}")


class MethodModel(PyListModel):
    """
    Methods by their full names.

    Parameters
    ----------
    none : str
        If given, the name of a first item that is no method.

    Attributes
    ----------
    disabled : str
        The method that cannot be chosen.
    """

    def __init__(self, none="", parent=None):
        super().__init__([None] * bool(none) + list(DISCRETIZERS), parent)
        self._none = none
        self.disabled = ""

    def data(self, index, role=Qt.DisplayRole):
        method = self[index.row()] if index.isValid() else None
        if role == Qt.DisplayRole:
            return self._none if method is None else full_name(method)
        if role == Qt.ToolTipRole and method is not None:
            return describe_method(method)
        return super().data(index, role)

    def flags(self, index):
        if index.isValid() and self[index.row()] == self.disabled:
            return Qt.NoItemFlags
        return super().flags(index)


class MethodCombo(ComboBox):
    """A combo box that cuts off names in the middle: their ends tell them apart."""

    def paintEvent(self, _):
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.CC_ComboBox, option, QStyle.SC_ComboBoxEditField, self).width()
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.ElideMiddle, room - 4)
        painter.drawComplexControl(QStyle.CC_ComboBox, option)
        painter.drawControl(QStyle.CE_ComboBoxLabel, option)


def add_method_combo(box, widget, setting, callback, none="", label=""):
    """Add a combo box for methods, with a first item, None, if it is named."""
    model, combo = MethodModel(none, widget), MethodCombo()
    combo.setModel(model)
    # Names must not make the controls wider, but for the list
    combo.setSizeAdjustPolicy(combo.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(12)
    combo.view().setMinimumWidth(combo.view().sizeHintForColumn(0) + 24)
    shown = CallFrontComboBoxModel(combo, model)
    shown.action(getattr(widget, setting))
    connectControl(widget, setting, callback, combo.activated[int], shown,
                       ValueCallbackComboModel(widget, setting, model))
    if label:
        box = gui.hBox(box)
        gui.widgetLabel(box, label)
    box.layout().addWidget(combo, 1)
    return combo


def add_spin(box, widget, setting, highest, callback, width=90, **kwargs):
    """Add a spin box for whole numbers from 1 on."""
    spin = gui.spin(box, widget, setting, 1, highest, callback=callback,
                    alignment=Qt.AlignRight, controlWidth=width, **kwargs)
    spin.setKeyboardTracking(False)  # or each digit starts a computation
    return spin


def add_k_controls(box, widget, callback):
    """Add controls for the settings `choose_k` and `fixed_k`."""
    buttons = gui.radioButtons(box, widget, "choose_k", callback=callback)
    gui.appendRadioButton(buttons, "Choose k by leave-one-out")
    row = gui.hBox(buttons)
    gui.appendRadioButton(buttons, "Fixed k:", insertInto=row)
    return buttons, add_spin(row, widget, "fixed_k", LARGEST_K, callback, width=70)


def set_obstacle(control, obstacle, tip):
    """Disable a control that has no effect and say why, or enable it."""
    control.setEnabled(not obstacle)
    control.setToolTip(wrap_tip(obstacle or tip))


def replace_unknown_method(widget, setting):
    """Set a method that this version does not know to SADD, and say so."""
    name = getattr(widget, setting)
    if name not in DISCRETIZERS:
        setattr(widget, setting, "SADD")
        widget.Warning.unknown_method(name)


def keep_valid(settings, checks):
    """Remove settings that are not valid, so that they get their defaults."""
    for name, is_valid in checks.items():
        if name in settings and not is_valid(settings[name]):
            del settings[name]


def is_whole(low, high):
    """Return a function that checks whether a value is a whole number in a range."""
    return lambda value: isinstance(value, int) and low <= value <= high


