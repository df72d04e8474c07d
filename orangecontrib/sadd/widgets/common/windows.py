"""The settings of windows, and their place on the screen."""

from functools import partial

from AnyQt.QtCore import QPoint, QSize, Qt, QTimer
from AnyQt.QtGui import QGuiApplication
from AnyQt.QtWidgets import QAction
from Orange.widgets.settings import Setting

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import (
    LIMITS,
    Parameters,
    adjustable,
    is_valid_number,
)
from orangecontrib.sadd.widgets.common.controls import Choice
from orangecontrib.sadd.widgets.common.folds import (
    LABELLERS,
    LARGEST_K,
    LimitsFold,
    PseudoLabelsFold,
)
from orangecontrib.sadd.widgets.common.methods import MainParameters, method_choices

__all__ = ["WindowMixin"]

# Room on the screen for the frame and the title of a window, and for the desktop
FRAME = QSize(20, 60)

# Milliseconds until a window has its frame
PLACEMENT_DELAY = 50

# Frames and margins around the controls
MARGIN = 24

# Checks of parameters of the labeller, by name
LABELLING = {
    "k": lambda k: k in ("auto", "validation")
    or type(k) is int and 1 <= k <= LARGEST_K,
    "labeller": lambda value: value in tuple(LABELLERS),
    "min_confidence": lambda value: isinstance(value, float | int) and 0 <= value <= 1,
    "standardize": lambda value: isinstance(value, bool),
}


def valid_items(stored, checks):
    """Return the valid entries of a dictionary; empty if it is not a dictionary."""
    return {key: stored[key] for key, is_valid in checks.items()
            if key in stored and is_valid(stored[key])} \
        if isinstance(stored, dict) else {}


class WindowMixin:
    """
    Controls that all windows have, their settings, the first size, and the place.

    Windows are larger than their best size if their controls need it. Qt opens windows
    at most at two thirds of the screen. It must come before the widget's other base
    classes.

    Attributes
    ----------
    method_setting : str
        The name of the setting for the method of discretization.
    VALID : dict
        Functions that check a setting, by its name. A setting of another type than the
        default, or that fails its check, gets the default.
    parts : dict
        Controls with a `value`, by the name of the setting that stores it.
    """

    best_size = QSize(1000, 800)
    method_setting = "method"

    # Values by name of the parameter, by method
    method_parameters = Setting({})
    limits = Setting({})
    labelling = Setting({})
    folds = Setting({}, schema_only=True)

    @classmethod
    def migrate_settings(cls, settings, version):
        """Remove invalid settings, in place."""
        for name in list(settings):
            if not cls._is_valid(name, settings[name]):
                del settings[name]
        numbers = {method: {parameter.name: partial(is_valid_number, parameter)
                            for parameter in adjustable(method)}
                   for method in DISCRETIZERS}
        parameters = settings.get("method_parameters", {})
        limits = {name: numbers["SADD"].get(name, lambda value: value is True)
                  for name in LIMITS}
        settings.update(
            method_parameters={method: valid_items(parameters.get(method), checks)
                               for method, checks in numbers.items()},
            limits=valid_items(settings.get("limits"), limits),
            labelling=valid_items(settings.get("labelling"), LABELLING),
            folds={key: opened for key, opened in settings.get("folds", {}).items()
                   if isinstance(opened, bool)})

    @classmethod
    def _is_valid(cls, name, value):
        """Return whether a setting has the type of its default and passes its check."""
        setting = getattr(cls, name, None)
        if not isinstance(setting, Setting):  # of an older version
            return True
        kind = bytes if name == "savedWidgetGeometry" else type(setting.default)
        return type(value) is kind and (name not in cls.VALID
                                        or cls.VALID[name](value))

    def make_parts(self, for_tables=False):
        """Make the controls for the method and for pseudo-labels."""
        method = getattr(self, self.method_setting)
        if method not in DISCRETIZERS:
            self.Warning.unknown_method(method)
            method = "SADD"
            setattr(self, self.method_setting, method)
        self.method_combo = Choice(method_choices(), method, "Discretization")
        self.method_combo.activated.connect(
            lambda _: self.Warning.unknown_method.clear())
        self.main_parameters = MainParameters(self.method_parameters)
        self.limits_fold = LimitsFold(self, self.limits)
        self.labels_fold = PseudoLabelsFold(self, self.labelling, for_tables)
        self.parts = {
            self.method_setting: self.method_combo, "limits": self.limits_fold,
            "method_parameters": self.main_parameters, "labelling": self.labels_fold}
        self.findChild(QAction, "action-reset-settings").setText("Restore Defaults")
        self._placement = QTimer(self, singleShot=True, interval=PLACEMENT_DELAY)
        self._placement.timeout.connect(self._keep_on_screen)

    def parameters_of(self, method):
        """Return a method, its parameters, and the parameters of the labeller."""
        return Parameters(method, {**self.main_parameters.values(method),
                                   **self.limits_fold.value},
                          **self.labels_fold.parameters())

    def store_settings(self):
        """Store the state of the controls."""
        for name, part in self.parts.items():
            setattr(self, name, part.value)

    def reset_settings(self):
        """Restore the defaults of the controls."""
        for name, part in self.parts.items():
            part.value = self.settingsHandler.provider.settings[name].default

    def sizeHint(self):
        height = MARGIN + sum(part.sizeHint().height() for part in (
            self.controlArea, self.buttonsArea, self.statusBar()))
        size = self.best_size.expandedTo(QSize(0, height))
        screen = QGuiApplication.primaryScreen()
        return size if screen is None \
            else size.boundedTo(screen.availableSize() - FRAME)

    def setVisible(self, visible):
        if visible and self.savedWidgetGeometry is None \
                and not self.testAttribute(Qt.WA_Resized):
            self.resize(self.sizeHint())
        super().setVisible(visible)

    def showEvent(self, event):
        super().showEvent(event)
        self._placement.start()  # the desktop adds a frame later

    def _keep_on_screen(self):
        """Move the window so that its title can be seen."""
        space, frame = self.screen().availableGeometry(), self.frameGeometry()
        left = max(min(frame.left(), space.right() - frame.width()), space.left())
        top = max(min(frame.top(), space.bottom() - frame.height()), space.top())
        if self.isVisible() and QPoint(left, top) != frame.topLeft():
            self.move(left, top)
