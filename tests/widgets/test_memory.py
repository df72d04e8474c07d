"""Windows keep the last data and its results only, without a garbage collector.

Test methods with long descriptive names omit docstrings.
"""

import gc
import weakref
from concurrent.futures import wait
from typing import ClassVar

from AnyQt.QtTest import QTest
from Orange.data import Table
from Orange.regression import LinearRegressionLearner

from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables
from tests.widgets.bases import WidgetTest, without_labels

N_CHANGES = 4


class MemoryTest:
    """Tests of all windows; `results` are names of outputs."""

    cls: type
    results: tuple[str, ...]
    settings: ClassVar[dict] = {}

    def setUp(self):
        self.iris = Table("iris")[::3]
        self.widget = self.create_widget(self.cls, stored_settings={**self.settings})
        self.wait()
        gc.collect()
        gc.disable()  # cycles stay, as they do for long in a process with much memory
        self.addCleanup(gc.enable)

    def wait(self):
        self.wait_until_finished()
        for task in self.tasks():
            self.process_events(lambda task=task: task.task is None)

    def tasks(self):
        return [self.widget.labels_fold.scorer,
                *(part for part in vars(self.widget).values() if hasattr(part, "task"))]

    def count_left(self, is_awaited=True, labeller=None):
        """Return how many tables and results are alive after each change of data."""
        self.send_signal(self.widget.Inputs.labeller, labeller)
        self.given, results, left = [], [], []
        for _ in range(N_CHANGES):
            data = without_labels(self.iris, slice(None, None, 3))
            self.given.append(weakref.ref(data))
            self.send_signal(self.widget.Inputs.data, data)
            del data
            if not is_awaited:
                QTest.qWait(5)
                continue
            self.wait()
            for name in self.results:
                output = self.get_output(getattr(self.widget.Outputs, name))
                if output is not None:
                    results.append(weakref.ref(output))
                del output
            left.append([sum(ref() is not None for ref in refs)
                         for refs in (self.given, results)])
        return left

    def test_results_of_earlier_data_are_released(self):
        left = self.count_left()
        self.assertEqual(left, [[1, len(self.results)]] * N_CHANGES)

    def test_cancelled_tasks_release_their_data(self):
        self.count_left(is_awaited=False)
        self.wait()
        # A task that does not notice yet keeps its data for a moment
        self.process_events(lambda: sum(ref() is not None for ref in self.given) == 1)

    def test_tasks_cancelled_when_they_have_ended_release_their_data(self):
        data = without_labels(self.iris, slice(None, None, 3))
        ref = weakref.ref(data)
        self.send_signal(self.widget.Inputs.data, data)
        del data
        # Without events, so no result is taken
        wait([part.task.future for part in (self.widget, *self.tasks())
              if part.task is not None], 30)
        self.send_signal(self.widget.Inputs.data, None)
        self.wait()
        self.assertIsNone(ref())

    def test_tasks_that_fail_release_their_data(self):
        left = self.count_left(labeller=LinearRegressionLearner())
        self.assertTrue(self.widget.Error.active)
        # The last exception may be kept for the message
        self.assertLessEqual(left[-1][0], 2)


class TestSADDDiscretize(MemoryTest, WidgetTest):
    cls = OWSADDDiscretize
    results = ("data", "cut_points")


class TestRNBPlus(MemoryTest, WidgetTest):
    cls = OWRNBPlus
    results = ("model", "weights")


class TestSADDTables(MemoryTest, WidgetTest):
    cls = OWSADDTables
    results = ("model", "tables", "explanations")
    settings: ClassVar[dict] = {"automatic_penalty": False, "pairs": 0}
