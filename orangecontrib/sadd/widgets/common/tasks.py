"""Tasks in worker threads, which keep nothing after their end, and a line for one."""

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QPushButton, QWidget
from Orange.widgets.utils.concurrent import ConcurrentMixin, ConcurrentWidgetMixin

from orangecontrib.sadd.widgets.common.controls import WrappedLabel, arrange, wrap_tip

__all__ = ["Cancelled", "ScoreLine", "Task", "WidgetTaskMixin", "make_callback"]


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


def _empty(future):
    """Empty the result of a task that was cancelled too late."""
    if not future.cancelled() and future.exception() is None:
        future.result().clear()


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
        state.future.add_done_callback(_empty)  # at once if it has ended already


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

    def __init__(self, parent):
        QObject.__init__(self, parent)
        TaskMixin.__init__(self)

    def on_result(self, result):
        self.done.emit(result)

    def on_partial_result(self, result):
        self.progressed.emit(result)

    def on_error(self, error):
        raise error


class ScoreLine(QWidget):
    """
    A sentence on left-out rows, and a button that starts the computation.

    Parameters
    ----------
    layout : type
        Of the sentence and the button.
    tip : str

    Attributes
    ----------
    label : WrappedLabel
    button : QPushButton
    validator : Task
        The computation.
    """

    def __init__(self, layout, tip=""):
        super().__init__()
        self.label, self.validator = WrappedLabel(), Task(self)
        self.button = QPushButton("Cross-Validate", autoDefault=False, visible=False)
        for part in (self.label, self.button):
            part.setToolTip(wrap_tip(tip))
        arrange(layout(self), self.label, self.button, stretched=self.label, spacing=2)

    def start(self, function, *args):
        """Compute in a thread."""
        self.button.hide()
        self.validator.start(function, *args)

    def show_text(self, text, waits=False):
        """Show a sentence, and optionally the button."""
        self.label.setText(text)
        self.button.setVisible(waits)
