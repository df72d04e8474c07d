"""Controls for a method and its parameters, made from the table of methods."""

from math import log10

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets import gui
from orangewidget.gui import (
    CallFrontComboBoxModel,
    ValueCallbackComboModel,
    connectControl,
)
from orangewidget.utils.itemmodels import PyListModel

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import (
    adjustable,
    full_name,
    is_valid_number,
)
from orangecontrib.sadd.widgets.common.controls import (
    ElidedCombo,
    keep_narrow,
    wrap_tip,
)

__all__ = ["PARAMETER_TIPS", "MethodParameters", "add_method_combo", "describe_method",
           "migrate_parameters", "replace_unknown_method"]

PARAMETER_TIPS = {parameter.name: parameter.description
                  for parameter in DISCRETIZERS["SADD"].parameters}

# What the ends of a slider mean; those of others are numbers
SLIDER_ENDS = {"n0": ("fewer cuts", "more cuts")}

# Steps of a slider for a factor of ten
STEPS = 20

# The number to begin with if the default is none
FIRST_NUMBER = 5

SPIN_WIDTH = 90


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


def add_method_combo(box, widget, setting, callback, none="", label=""):
    """Add a combo box for methods, with a first item, None, if it is named."""
    model, combo = MethodModel(none, widget), ElidedCombo()
    combo.setModel(model)
    keep_narrow(combo)
    shown = CallFrontComboBoxModel(combo, model)
    shown.action(getattr(widget, setting))
    connectControl(widget, setting, callback, combo.activated[int], shown,
                       ValueCallbackComboModel(widget, setting, model))
    if label:
        box = gui.vBox(box)
        gui.widgetLabel(box, label)
    box.layout().addWidget(combo)
    return combo


def replace_unknown_method(widget, setting):
    """Set a method that this version does not know to SADD, and say so."""
    name = getattr(widget, setting)
    if name not in DISCRETIZERS:
        setattr(widget, setting, "SADD")
        widget.Warning.unknown_method(name)


def migrate_parameters(settings, version):
    """Make the setting `method_parameters` from a workflow valid, in place."""
    if version < 3 and "n0" in settings:
        settings["method_parameters"] = {"SADD": {"n0": settings.pop("n0")}}
    if "method_parameters" in settings:
        settings["method_parameters"] = valid_values(settings["method_parameters"])


def valid_values(stored):
    """Return, of parameters by method from a workflow, what is valid."""
    if not isinstance(stored, dict):
        return {}
    valid = {}
    for method, values in stored.items():
        if method in DISCRETIZERS and isinstance(values, dict):
            valid[method] = {
                parameter.name: values[parameter.name]
                for parameter in adjustable(method)
                if parameter.name in values
                and is_valid_number(parameter, values[parameter.name])}
    return valid


def number(parameter):
    """Return the default of a parameter, or a number to begin with if it is none."""
    if parameter.default is not None:
        return parameter.default
    return min(max(FIRST_NUMBER, parameter.lowest), parameter.highest)


class ParameterControl(QWidget):
    """
    A number with its title; optional ones with a box to check, some with a slider.

    Parameters
    ----------
    parameter : Parameter
    value : int, float or None
    """

    #: Whether a slider is being dragged, so that more changes will follow
    changed = Signal(bool)

    def __init__(self, parameter, value):
        super().__init__()
        self.parameter = parameter
        self.check = self.slider = self.ends = None
        is_whole = isinstance(parameter.lowest, int)
        self.spin = QSpinBox() if is_whole else QDoubleSpinBox(decimals=3)
        self.spin.setRange(parameter.lowest, parameter.highest)
        self.spin.setSingleStep(100 if parameter.logarithmic else 1 if is_whole
                                else parameter.lowest * 10)
        self.spin.setValue(number(parameter) if value is None else value)
        self.spin.setKeyboardTracking(False)  # or each digit starts a computation
        self.spin.setAlignment(Qt.AlignRight)
        self.spin.setFixedWidth(SPIN_WIDTH)
        self.spin.setAccessibleName(parameter.title)
        self.spin.valueChanged.connect(self._on_spin)
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        if parameter.optional:
            self.check = QCheckBox(f"{parameter.title}:", checked=value is not None)
            self.check.toggled.connect(self._on_check)
            self.spin.setEnabled(value is not None)
            layout.addWidget(self.check)
        else:
            layout.addWidget(QLabel(f"{parameter.title}:"))
        layout.addStretch()
        layout.addWidget(self.spin)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2)
        whole.addWidget(row)
        if parameter.logarithmic:
            whole.addWidget(self._make_slider())
        self.setToolTip(wrap_tip(parameter.description))

    def _make_slider(self):
        low, high = (round(STEPS * log10(end)) for end in (
            self.parameter.lowest, self.parameter.highest))
        self.slider = QSlider(Qt.Horizontal, minimum=low, maximum=high, pageStep=STEPS)
        self.slider.setAccessibleName(f"{self.parameter.title}, on a logarithmic scale")
        self._move_slider()
        self.slider.valueChanged.connect(self._on_slider)
        self.slider.sliderReleased.connect(lambda: self.changed.emit(False))
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.slider)
        self.ends = QHBoxLayout()
        layout.addLayout(self.ends)
        ends = SLIDER_ENDS.get(self.parameter.name, (
            f"{self.parameter.lowest:,}", f"{self.parameter.highest:,}"))
        for text, side in zip(ends, (Qt.AlignLeft, Qt.AlignRight), strict=True):
            label = QLabel(text, alignment=side)
            font = label.font()
            font.setPointSizeF(font.pointSizeF() * .85)
            label.setFont(font)
            self.ends.addWidget(label, 1)
        return box

    @property
    def value(self):
        """The number, or None if it is not used."""
        if self.check is not None and not self.check.isChecked():
            return None
        return self.spin.value()

    def _on_check(self, checked):
        self.spin.setEnabled(checked)
        self.changed.emit(False)

    def _on_spin(self):
        if self.slider is not None:
            self._move_slider()
        self.changed.emit(False)

    def _move_slider(self):
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(STEPS * log10(self.spin.value())))

    def _on_slider(self, place):
        exact = 10 ** (place / STEPS)
        # Two digits: what a slider can tell apart
        value = round(exact, 1 - int(log10(exact)))
        with QSignalBlocker(self.spin):
            self.spin.setValue(
                int(value) if isinstance(self.parameter.lowest, int) else value)
        self.changed.emit(self.slider.isSliderDown())


class MethodParameters(QWidget):
    """
    The parameters of a method; those of others are hidden, and kept.

    Parameters
    ----------
    stored : dict
        Values by name of the parameter, by method; as returned by `stored`.
    """

    #: Whether a slider is being dragged, so that more changes will follow
    changed = Signal(bool)

    def __init__(self, stored):
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        #: Controls by method and name of the parameter
        self.controls = {}
        for method in DISCRETIZERS:
            values = stored.get(method, {})
            for parameter in adjustable(method):
                control = ParameterControl(
                    parameter, values.get(parameter.name, parameter.default))
                control.changed.connect(self.changed)
                self.controls[method, parameter.name] = control
                layout.addWidget(control)

    def show_method(self, method):
        """Show the parameters of a method."""
        for (owner, _), control in self.controls.items():
            control.setVisible(owner == method)

    def put(self, label, method):
        """Put a label between the ends of a slider, or else below all controls."""
        sliders = [control for (owner, _), control in self.controls.items()
                   if owner == method and control.slider is not None]
        if sliders:
            sliders[0].ends.insertWidget(1, label)
        else:
            self.layout().addWidget(label, alignment=Qt.AlignRight)

    def values(self, method):
        """Return the values of the parameters of a method, by name."""
        return {name: control.value for (owner, name), control in self.controls.items()
                if owner == method}

    def stored(self):
        """Return plain numbers, as they are kept in a workflow."""
        return {method: values for method in DISCRETIZERS
                if (values := self.values(method))}

    def describe(self, method):
        """Return titles and values of the parameters of a method."""
        return [(parameter.title, "no limit" if value is None else f"{value:,}")
                for parameter, value in zip(
                    adjustable(method), self.values(method).values(), strict=True)]
