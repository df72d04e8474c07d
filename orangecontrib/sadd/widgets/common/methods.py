"""Controls for a method of discretization and its main parameter."""

from math import log10

from AnyQt.QtCore import QSignalBlocker, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets import gui

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import full_name, main_parameters
from orangecontrib.sadd.widgets.common.controls import arrange, wrap_tip

__all__ = ["MainParameters", "add_spacer", "method_choices"]

# Steps of a slider for a factor of ten, and its ends
STEPS = 20
SLIDER_RANGE = 10, 100_000
# Room beside the longest title of a method, in pixels
COMBO_MARGIN = 54


def method_choices():
    """Return titles and descriptions of methods, also of methods added by a script."""
    return {name: (full_name(name), f"{full_name(name)}. {method.description}")
            for name, method in DISCRETIZERS.items()}


def add_spacer(area):
    """Add room below controls, as wide as the longest title of a method."""
    gui.separator(area, height=0, width=COMBO_MARGIN + max(
        area.fontMetrics().horizontalAdvance(full_name(name)) for name in DISCRETIZERS))
    gui.rubber(area)


class ParameterControl(QWidget):
    """
    A number with its title; a logarithmic one also with a slider.

    Parameters
    ----------
    parameter : Parameter
    """

    #: Whether a slider is being dragged, so that more changes will follow
    changed = Signal(bool)

    def __init__(self, parameter):
        super().__init__()
        self.parameter, self.slider, self.note = parameter, None, None
        is_whole = isinstance(parameter.lowest, int)
        self.spin = QSpinBox() if is_whole else QDoubleSpinBox(decimals=3)
        self.spin.setRange(parameter.lowest, parameter.highest)
        self.spin.setSingleStep(100 if parameter.logarithmic else 1 if is_whole
                                else parameter.lowest * 10)
        self.spin.setValue(parameter.default)
        self.spin.setKeyboardTracking(False)  # or each digit starts a computation
        self.spin.setAlignment(Qt.AlignRight)
        self.spin.setAccessibleName(parameter.title)
        self.spin.valueChanged.connect(self._on_spin)
        title = QLabel(f"{parameter.title}:")
        row = arrange(QHBoxLayout(), title, self.spin, stretched=title)
        layout = arrange(QVBoxLayout(self), row, spacing=2)
        if parameter.logarithmic:
            self.note = QLabel(visible=False)
            layout.addLayout(self._make_slider())
            layout.addWidget(self.note)
        self.setToolTip(wrap_tip(parameter.description))

    def _make_slider(self):
        self.slider = QSlider(Qt.Horizontal, pageStep=STEPS // 4)
        self.slider.setAccessibleName(f"{self.parameter.title}, on a logarithmic scale")
        self.show_possible("", *SLIDER_RANGE)
        self.slider.valueChanged.connect(self._on_slider)
        self.slider.sliderReleased.connect(self._on_released)
        return arrange(QHBoxLayout(), QLabel("fewer"), self.slider, QLabel("more"),
                       stretched=self.slider)

    def show_possible(self, text, low, high):
        """
        Show what the slider can change.

        Parameters
        ----------
        text : str
        low, high : float
            The slider goes from below `low` to above `high`; if they are equal, it has
            no effect.
        """
        self.note.setText(text)
        self.note.setVisible(bool(text))
        if self.slider.isSliderDown() and low >= high:
            # Qt releases it, but this may be the end of a task, which starts no other
            QTimer.singleShot(0, self._on_released)
        with QSignalBlocker(self.slider):
            self.slider.setEnabled(low < high)
        if low < high and not self.slider.isSliderDown():
            least, most = (self._place(end) for end in (low, high))
            with QSignalBlocker(self.slider):
                self.slider.setRange(least - (self._number(least) > low),
                                     most + (self._number(most) < high))
            self._move_slider()

    @staticmethod
    def _place(value):
        return round(STEPS * log10(value))

    def _number(self, place):
        """Return the number at a place of the slider, which is inside of the range."""
        # Two digits, which are as many as a slider has places
        exact = 10 ** (place / STEPS)
        number = round(exact, 1 - int(log10(exact)))
        return type(self.parameter.lowest)(
            min(max(number, self.parameter.lowest), self.parameter.highest))

    def _on_released(self):
        self.changed.emit(False)

    @property
    def value(self):
        """The number."""
        return self.spin.value()

    def _on_spin(self):
        if self.slider is not None:
            self._move_slider()
        self.changed.emit(False)

    def _move_slider(self):
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._place(self.spin.value()))

    def _on_slider(self, place):
        with QSignalBlocker(self.spin):
            self.spin.setValue(self._number(place))
        self.changed.emit(self.slider.isSliderDown())


class MainParameters(QWidget):
    """
    The main parameters of all methods; parameters of one method are shown.

    Parameters
    ----------
    stored : dict
        A `value`.
    """

    #: Whether a slider is being dragged, so that more changes will follow
    changed = Signal(bool)

    def __init__(self, stored):
        super().__init__()
        #: Controls by method and name of the parameter
        self.controls = {}
        for method in DISCRETIZERS:
            for parameter in main_parameters(method):
                control = ParameterControl(parameter)
                control.changed.connect(self.changed)
                self.controls[method, parameter.name] = control
        arrange(QVBoxLayout(self), *self.controls.values())
        self.value = stored

    @property
    def value(self):
        """Plain numbers by name of the parameter, by method, for a workflow."""
        return {method: values for method in DISCRETIZERS
                if (values := self.values(method))}

    @value.setter
    def value(self, stored):
        with QSignalBlocker(self):
            for (method, name), control in self.controls.items():
                control.spin.setValue(stored.get(method, {}).get(
                    name, control.parameter.default))

    def show_method(self, method):
        """Show the parameters of a method."""
        for (owner, _), control in self.controls.items():
            control.setVisible(owner == method)

    def show_possible(self, text, *ends):
        """Show what sliders can change; parameters are as for a single control."""
        for control in self.controls.values():
            if control.slider is not None:
                control.show_possible(text, *(ends or SLIDER_RANGE))

    def values(self, method):
        """Return the values of the parameters of a method, by name."""
        return {name: control.value for (owner, name), control in self.controls.items()
                if owner == method}

    def described(self, method):
        """Return titles and values of the parameters of a method, for a report."""
        return [(control.parameter.title, f"{control.value:,}")
                for (owner, _), control in self.controls.items() if owner == method]
