"""Controls for the parameters of methods, made from the table of methods."""

from math import log10

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import adjustable, is_valid_number
from orangecontrib.sadd.widgets.common.tooltips import wrap_tip

__all__ = ["MethodParameters", "valid_values"]

# What the ends of a slider mean; those of others are numbers
SLIDER_ENDS = {"n0": ("fewer cuts", "more cuts")}

# Steps of a slider for a factor of ten
STEPS = 20

# The number to begin with if the default is none
FIRST_NUMBER = 5

SPIN_WIDTH = 90


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
        self.check = self.slider = None
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
        layout = QGridLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(0)
        layout.addWidget(self.slider, 0, 0, 1, 2)
        ends = SLIDER_ENDS.get(self.parameter.name, (
            f"{self.parameter.lowest:,}", f"{self.parameter.highest:,}"))
        for column, (text, side) in enumerate(
                zip(ends, (Qt.AlignLeft, Qt.AlignRight), strict=True)):
            label = QLabel(text, alignment=side)
            font = label.font()
            font.setPointSizeF(font.pointSizeF() * .85)
            label.setFont(font)
            layout.addWidget(label, 1, column)
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
        self.setVisible(bool(adjustable(method)))

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
