"""The settings and the first size of windows, and tasks in worker threads."""

from AnyQt.QtCore import QObject, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QGuiApplication
from AnyQt.QtWidgets import QAction
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import ConcurrentMixin, ConcurrentWidgetMixin

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.widgets.common.controls import Choice
from orangecontrib.sadd.widgets.common.folds import LimitsFold, PseudoLabelsFold
from orangecontrib.sadd.widgets.common.methods import MainParameters, method_choices
from orangecontrib.sadd.widgets.common.settings import migrate, version_of

__all__ = ["Cancelled", "Task", "WidgetTaskMixin", "WindowMixin", "make_callback"]

# Room on the screen for the frame and the title of a window, and for the desktop
FRAME = QSize(20, 60)

# Frames and margins around the controls
MARGIN = 24


class WindowMixin:
    """
    Controls that all windows have, their settings, and the first size.

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
        """Convert settings of older versions, and remove invalid ones, in place."""
        migrate(cls, settings, version_of(version))

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
        size = self.best_size.expandedTo(QSize(0, height)) \
            if self.mainArea.isVisibleTo(self) \
            else QSize(self.controlArea.sizeHint().width() + MARGIN, height)
        screen = QGuiApplication.primaryScreen()
        return size if screen is None \
            else size.boundedTo(screen.availableSize() - FRAME)

    def setVisible(self, visible):
        if visible and self.savedWidgetGeometry is None \
                and not self.testAttribute(Qt.WA_Resized):
            self.resize(self.sizeHint())
        super().setVisible(visible)


class Cancelled(Exception):
    """The result is no longer needed."""


def make_callback(state):
    """Return a callback that shows the fraction done, and raises if cancelled."""
    def callback(fraction, status=""):
        state.set_progress_value(100 * fraction)
        if status:
            state.set_status(status)
        if state.is_interruption_requested():
            raise Cancelled

    return callback


def _run(task, *args):
    """Return the result of a task and None, or None and its exception."""
    try:
        return [task(*args), None]
    except Cancelled:  # its traceback would keep the arguments
        return [None, None]
    except Exception as error:
        return [None, error]


class TaskMixin(ConcurrentMixin):
    """
    Runs tasks in a thread, and releases each, with its result, when it has ended.

    Subclasses have `on_result` and `on_error` in place of `on_done` and `on_exception`.
    Orange makes each task a child of the object that starts it. So all tasks would be
    kept as long as the object. A future is in a reference cycle with its callback. So
    what it holds would be kept until garbage is collected, which may be much later.
    """

    def start(self, task, *args):
        super().start(_run, task, *args)

    def on_done(self, outcome):
        result, error = outcome
        outcome.clear()
        if error is None:
            self.on_result(result)
        else:
            self.on_error(error)

    def _on_task_done(self, future):
        self.task.setParent(None)
        super()._on_task_done(future)

    def _disconnect_signals(self, state):  # of a task that is cancelled
        super()._disconnect_signals(state)
        state.setParent(None)


class WidgetTaskMixin(TaskMixin, ConcurrentWidgetMixin):
    """The same for widgets, which show the progress."""


class Task(QObject, TaskMixin):
    """
    The same for parts of widgets, which get results by signals.

    `start` is called with a function that computes, and its arguments.
    """

    #: The result of the function
    done = Signal(object)
    #: The argument of `set_partial_result`
    progressed = Signal(object)
    #: The task has ended, also by an exception, but was not cancelled
    ended = Signal()

    def __init__(self, parent):
        QObject.__init__(self, parent)
        TaskMixin.__init__(self)

    def on_result(self, result):
        self.done.emit(result)
        self.ended.emit()

    def on_partial_result(self, result):
        self.progressed.emit(result)

    def on_error(self, error):
        self.ended.emit()
        raise error
