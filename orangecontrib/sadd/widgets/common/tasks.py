"""Tasks in threads: progress, cancelling, and what is left of them afterwards."""

from Orange.util import wrap_callback
from Orange.widgets.utils.concurrent import ConcurrentMixin, ConcurrentWidgetMixin

__all__ = ["Cancelled", "TaskMixin", "WidgetTaskMixin", "make_callback", "make_steps"]


class Cancelled(Exception):
    """The result is not wanted any more."""


def make_callback(state):
    """Return a callback that shows the fraction done, and raises if cancelled."""
    def callback(fraction, status=""):
        state.set_progress_value(100 * fraction)
        if status:
            state.set_status(status)
        if state.is_interruption_requested():
            raise Cancelled

    return callback


def make_steps(state):
    """Return a function that names a step of a task and returns its callback."""
    callback = make_callback(state)

    def make_step(start, end, status):
        callback(start, status)
        return wrap_callback(callback, start, end)

    return make_step


class TaskMixin(ConcurrentMixin):
    """
    Runs tasks in a thread, and forgets each as soon as it has ended.

    Orange makes each task a child of the object that starts it. So all tasks, with
    their results, would live as long as the object.
    """

    def _on_task_done(self, future):
        self.task.setParent(None)
        super()._on_task_done(future)

    def _disconnect_signals(self, state):  # of a task that is cancelled
        super()._disconnect_signals(state)
        state.setParent(None)


class WidgetTaskMixin(TaskMixin, ConcurrentWidgetMixin):
    """The same for widgets, which show the progress."""
