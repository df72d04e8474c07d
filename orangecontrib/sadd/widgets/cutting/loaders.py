"""What a picture needs, computed in threads."""

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal

from orangecontrib.sadd.explain.findings import resampled_cuts
from orangecontrib.sadd.explain.outputs import select_rows
from orangecontrib.sadd.widgets.common.tasks import Cancelled, TaskMixin

__all__ = ["PictureLoader", "RowSelector", "StabilityLoader"]


class PictureLoader(QObject, TaskMixin):
    """Counts the histogram of a variable in a thread, since sorting takes time."""

    #: Index of the variable, and its Picture or None
    loaded = Signal(int, object)

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        TaskMixin.__init__(self)

    def load(self, findings, index):
        """Load the picture of a variable in place of any that is being loaded."""
        self.start(self._run, findings, index)

    @staticmethod
    def _run(findings, index, _):
        return index, findings.picture(index)

    def on_done(self, result):
        self.loaded.emit(*result)


class RowSelector(QObject, TaskMixin):
    """Selects the rows of an interval in a thread, since they are copied."""

    #: A Table
    selected = Signal(object)

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        TaskMixin.__init__(self)

    def select(self, data, variable, interval):
        """Select rows in place of any that are being selected."""
        self.start(self._run, data, variable, interval)

    @staticmethod
    def _run(data, variable, interval, _):
        return select_rows(data, variable, *interval)

    def on_done(self, result):
        self.selected.emit(result)


class StabilityLoader(QObject, TaskMixin):
    """Resamples the labelled rows in a thread, and finds cuts again and again."""

    #: The cuts of all variables for one resample
    resampled = Signal(object)
    #: All resamples are done, or none can be had
    finished = Signal()

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        TaskMixin.__init__(self)

    def load(self, findings):
        """Begin with the first resample."""
        self.start(self._run, findings.analysis.rows, findings.parameters)

    @staticmethod
    def _run(rows, parameters, state):
        def callback(_):
            if state.is_interruption_requested():
                raise Cancelled

        for cuts in resampled_cuts(rows, parameters, callback=callback):
            callback(0)
            state.set_partial_result(cuts)

    def on_partial_result(self, result):
        self.resampled.emit(result)

    def on_done(self, _):
        self.finished.emit()

    def on_exception(self, ex):
        self.finished.emit()
        raise ex
