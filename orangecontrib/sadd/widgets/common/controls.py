"""Controls that both widgets have: methods, their parameters, and why not."""

from AnyQt.QtCore import Qt
from Orange.widgets import gui

from orangecontrib.sadd.core.registry import DISCRETIZERS

__all__ = ["LARGEST_K", "LARGEST_N0", "PARAMETER_TIPS", "add_k_controls",
           "add_method_combo", "add_n0_spin", "add_spin", "describe_method",
           "is_whole", "keep_valid", "replace_unknown_method", "set_obstacle"]

PARAMETER_TIPS = {parameter.name: parameter.description
                  for parameter in DISCRETIZERS["SADD"].parameters}
LARGEST_K, LARGEST_N0 = 999, 10 ** 7


def describe_method(name):
    """Return the title of a method, and what it does, in a sentence."""
    method = DISCRETIZERS[name]
    return f"{method.title}: {method.description}"


def add_method_combo(box, widget, setting, callback, none="", **kwargs):
    """Add a combo box for methods, with a first item for no method if it is named."""
    combo = gui.comboBox(
        box, widget, setting, items=([none] if none else []) + list(DISCRETIZERS),
        sendSelectedValue=True, emptyString=none, callback=callback, **kwargs)
    for name in DISCRETIZERS:
        combo.setItemData(combo.findText(name), describe_method(name), Qt.ToolTipRole)
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


def add_n0_spin(box, widget, callback):
    """Add a control for the setting `n0`."""
    return add_spin(box, widget, "n0", LARGEST_N0, callback, step=100, label="N0:")


def set_obstacle(control, obstacle, tip):
    """Disable a control that has no effect and say why, or enable it."""
    control.setEnabled(not obstacle)
    control.setToolTip(obstacle or tip)


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


