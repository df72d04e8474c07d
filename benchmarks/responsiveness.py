"""Measure how long the windows block the user interface.

Usage: ``python benchmarks/responsiveness.py [rows [columns [percent unlabelled]]]``

The handling of every event that Qt delivers is timed. Meanwhile data is sent to each
window, variables are selected, sorted and searched, and the window is resized. In SADD
Discretize, the slider of N0 and a cut are dragged as well, and data is sent to each
method. An event inside another one counts as a part of it. The target is 100 ms for the
longest event. The CPU time of the same thread does not depend on other processes of a
shared machine.
"""

import os
import sys
import time
from functools import partial

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from AnyQt.QtCore import QEvent
from AnyQt.QtWidgets import QApplication
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.widgets.tests.utils import simulate

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.widgets.common.tasks import ScoreLine
from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables

TARGET = 0.1
TIMEOUT = 900


class TimedApplication(QApplication):
    """Stores the elapsed time and the CPU time of each event."""

    def __init__(self):
        super().__init__([])
        self.durations = []
        self._depth = 0

    def notify(self, receiver, event):
        self._depth += 1
        start, kind = clocks(), event.type()
        try:
            return super().notify(receiver, event)
        finally:
            self._depth -= 1
            if not self._depth:
                self._store(start, type(receiver).__name__, int(kind))

    def timed(self, function, *args):
        """Call a function as an event handler would be called."""
        start = clocks()
        self._depth += 1
        function(*args)
        self._depth -= 1
        self._store(start, function.__name__, 0)

    def _store(self, start, name, kind):
        elapsed, used = (now - then for now, then in zip(clocks(), start, strict=True))
        self.durations.append((elapsed, used, name, kind))


def clocks():
    """Return the time, and the CPU time of this thread."""
    return time.perf_counter(), time.thread_time()


def make_data(n_rows, n_columns, unlabelled, n_classes=3):
    """Numbers of which some depend on the class; a part of the rows has no class."""
    rng = np.random.RandomState(0)
    classes = rng.randint(n_classes, size=n_rows).astype(float)
    X = rng.normal(size=(n_rows, n_columns)) + classes[:, None] * np.linspace(
        0, 1, n_columns)
    classes[rng.uniform(size=n_rows) < unlabelled] = np.nan
    domain = Domain([ContinuousVariable(f"x{i}") for i in range(n_columns)],
                    DiscreteVariable("y", tuple("abcdefgh"[:n_classes])))
    return Table.from_numpy(domain, X, classes)


def wait(app, widget):
    """Process events until the widget has finished."""
    end, quiet = time.monotonic() + TIMEOUT, 0
    while quiet < 20:
        app.processEvents()
        busy = any(part.task is not None for part in (
            widget, widget.labels_fold.scorer,
            *(line.validator for line in widget.findChildren(ScoreLine))))
        quiet = 0 if busy else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("The widget has not finished.")
        time.sleep(.002)


def drag(app, widget):
    """Drag a cut across a part of the picture."""
    plot = widget.view.cut_plot
    line = next(iter(plot.lines.lines.values()))
    for _ in range(50):
        app.timed(line.setValue, line.value() + 1e-3)
        app.timed(line.sigDragged.emit, line)
        app.processEvents()
    app.timed(line.sigPositionChangeFinished.emit, line)


def common_actions(app, widget, data):
    """Return what is done in all windows."""
    is_model = hasattr(widget, "learner")
    table = widget.view.table if is_model else widget.view.table.view
    text = (widget.view.attributes if is_model else widget.view.table).filter

    def send(data=data):
        app.timed(widget.set_data, data)
        app.timed(widget.handleNewSignals)

    def select():
        for row in range(min(len(data.domain.attributes), 15)):
            app.timed(table.selectRow, row)
            wait(app, widget)

    def sort_and_search():
        app.timed(table.sort_by, 0, True)
        app.timed(text.setText, "x1")
        app.timed(text.setText, "")

    def resize():
        app.timed(widget.resize, 1200, 700)

    return {"sending data": send, "selecting variables": select,
            "sorting, searching": sort_and_search, "resizing": resize}, {
        "sending data again": send, "removing data": lambda: send(None)}


def discretize_actions(app, widget, data, send):
    """Return what is done in SADD Discretize only."""
    n_columns = len(data.domain.attributes)
    n0 = widget.main_parameters.controls["SADD", "n0"]

    def change_n0():
        for value in (500, 5000):
            app.timed(n0.spin.setValue, value)
            wait(app, widget)

    def slide_n0():
        n0.slider.setSliderDown(True)
        for place in range(n0.slider.minimum(), n0.slider.maximum() + 1, 2):
            app.timed(n0.slider.setValue, place)
            app.processEvents()
        app.timed(n0.slider.setSliderDown, False)

    def change_n0_while_computing():
        for value in range(600, 1600, 100):
            app.timed(n0.spin.setValue, value)
            for _ in range(10):
                app.processEvents()
                time.sleep(.005)

    def drag_a_cut():
        widget.view.table.view.select(f"x{n_columns - 1}")  # with cuts
        wait(app, widget)
        app.durations.clear()
        drag(app, widget)

    def choose(method):
        app.timed(simulate.combobox_activate_item, widget.method_combo,
                  full_name(method))
        wait(app, widget)

    def many_cuts():
        choose("FFD")
        app.timed(widget.view.cut_plot.getViewBox().setXRange, 0, .05)

    def send_to(method):
        send(None)
        choose(method)
        app.durations.clear()
        start = time.perf_counter()
        send()
        while widget.task is not None:
            app.processEvents()
        print(f"  {method} shown after {time.perf_counter() - start:.2f} s")

    return {"changing N0": change_n0, "dragging the slider of N0": slide_n0,
            "changing N0 again and again": change_n0_while_computing,
            "cross-validating": lambda: app.timed(widget.view.score.button.click),
            "dragging a cut": drag_a_cut,
            "undoing": lambda: app.timed(widget.edits.stack.undo),
            "thousands of cuts (FFD)": many_cuts,
            **{f"sending data to {method}": partial(send_to, method)
               for method in DISCRETIZERS}}


def main(n_rows=100_000, n_columns=50, percent=10):
    """Measure, and print a line for each kind of action."""
    app = TimedApplication()
    data, worst = make_data(n_rows, n_columns, percent / 100), []
    print(f"{n_rows:,} rows x {n_columns} columns, {percent} % unlabelled")
    for kind in (OWSADDDiscretize, OWRNBPlus, OWSADDTables):
        print(kind.name)
        widget = kind()
        widget.show()
        wait(app, widget)
        first, last = common_actions(app, widget, data)
        own = discretize_actions(app, widget, data, first["sending data"]) \
            if kind is OWSADDDiscretize else {}
        for name, action in {**first, **own, **last}.items():
            app.durations.clear()
            start = time.perf_counter()
            action()
            wait(app, widget)
            worst.append(describe(name, app.durations, time.perf_counter() - start))
        widget.onDeleteWidget()
        widget.hide()
    longest, used = map(max, zip(*worst, strict=True))
    print(f"Longest of all: {1000 * longest:.1f} ms, CPU {1000 * used:.1f} ms; "
          f"target {1000 * TARGET:.0f} ms")


def describe(name, durations, elapsed):
    """Print a line, and return the longest elapsed time and CPU time of an event."""
    longest, _, receiver, kind = max(durations)
    used = max(used for _, used, *_ in durations)
    n_above = sum(duration > TARGET for duration, *_ in durations)
    what = receiver if not kind else f"{receiver}, {event_name(kind)}"
    print(f"  {name:28} longest {1000 * longest:6.1f} ms ({what}), CPU "
          f"{1000 * used:.1f} ms, {n_above} of {len(durations):,} above "
          f"{1000 * TARGET:.0f} ms; {elapsed:.1f} s in all")
    return longest, used


def event_name(kind):
    """Name of a type of events."""
    try:
        return QEvent.Type(kind).name
    except (AttributeError, ValueError):
        return next((name for name, value in vars(QEvent).items()
                     if isinstance(value, QEvent.Type) and int(value) == kind),
                    str(kind))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
