"""A monkey at any widget: random signals, settings, stops and deletions.

No step raises an exception. When a widget has finished, what it sends belongs to what
it was given. Set the number of random actions and the seed with
``SADD_MONKEY_STEPS`` and ``SADD_MONKEY_SEED``.
"""

import os
import pickle
import sys
import threading
import traceback
from functools import cache

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.classification import MajorityLearner
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    TimeVariable,
)
from Orange.projection import PCA
from Orange.widgets.tests.utils import simulate

from tests.seeds import monkey_seed
from tests.widgets.bases import without_labels
from tests.widgets.test_odd_inputs import make_table, weighted

STEPS = int(os.environ.get("SADD_MONKEY_STEPS", 300))
SEED = monkey_seed()


def odd_table():
    """Dates, texts, names with mark-up, classes without rows, missing values."""
    rng = np.random.RandomState(3)
    domain = Domain(
        [TimeVariable("<b>when</b>", have_date=True), ContinuousVariable("x" * 300),
         DiscreteVariable("where", ("here", "there")), ContinuousVariable("where?")],
        DiscreteVariable("&class", ("never", "<i>", "Variable", "–")),
        [StringVariable("Source"), ContinuousVariable("Confidence")])
    X = np.column_stack((rng.randint(0, 2 ** 31, 50), rng.normal(size=50),
                         rng.randint(2, size=50), np.full(50, np.nan)))
    X[rng.uniform(size=X.shape) < .1] = np.nan
    y = rng.choice([1, 2, 3, np.nan], 50)
    metas = np.column_stack((np.full(50, "text", dtype=object), rng.normal(size=50)))
    return Table.from_numpy(domain, X, y, metas)


@cache
def tables():
    """Tables to connect to any input."""
    iris = Table("iris")
    rng = np.random.RandomState(0)
    wide = rng.normal(size=(30, 600))
    odd = rng.normal(size=(40, 6)) * [1, 1e308, 1e-320, 1, 1, 0]
    odd[:, 5] += 1.7e18
    odd[::3, 3], odd[::4, 4] = np.inf, -np.inf
    classes = tuple(map(str, range(40)))
    return (
        None, iris, iris[::2], iris[1::2], iris[:, :3], iris[:50], iris[:0],
        without_labels(iris, np.arange(0, 150, 3)), weighted(iris[::3]),
        iris.to_sparse(),
        PCA(n_components=3)(iris)(iris), PCA(n_components=2)(iris)(iris)[:0],
        iris.transform(Domain(iris.domain.attributes)),
        iris.transform(Domain(iris.domain.attributes[:3], iris.domain.attributes[3])),
        iris.transform(Domain([], iris.domain.class_var)),
        Table("heart_disease"), Table("titanic")[::20], Table("zoo"),
        Table("housing")[::5], odd_table(), odd_table()[::2],
        make_table(wide), make_table(wide[:, :79]), make_table(wide[:, :13]),
        make_table(odd, y=np.repeat([0., 1], 20)), make_table(odd[::2]),
        make_table(rng.normal(size=(120, 2)), classes),
        make_table(np.zeros((3, 2))), make_table(np.full((9, 2), np.nan)),
    )


class MonkeyTest:
    """Base class of monkeys; methods ``do_...`` are random actions."""

    cls: type
    shown = False

    def setUp(self):
        self.rng = np.random.RandomState(SEED)
        self.done, self.raised = [], []
        self.addCleanup(setattr, sys, "excepthook", sys.excepthook)
        sys.excepthook = lambda *error: self.raised.append(
            "".join(traceback.format_exception(*error)))
        self.threads = set(threading.enumerate())
        self.palette = QApplication.palette()
        self.addCleanup(QApplication.setPalette, self.palette)
        self.make()

    def make(self, settings=None):
        self.widget = self.create_widget(self.cls, stored_settings=settings)
        self.inputs = {}
        if self.shown:
            self.widget.show()

    def test_a_window_that_is_not_open(self):
        self.play()

    def test_an_open_window(self):
        self.shown = True
        self.widget.show()
        self.play()

    def play(self):
        tricks = [name for name in sorted(dir(self)) if name.startswith("do_")]
        for _ in range(STEPS):
            self.step(tricks[self.rng.randint(len(tricks))])
        self.step("do_finish")
        self.step("do_delete")
        # Clusters that other tests have left have threads of other names
        self.assertLess(len([
            thread for thread in set(threading.enumerate()) - self.threads
            if thread.name.startswith("ThreadPoolExecutor")]), 3)

    def step(self, trick):
        self.done.append(trick)
        try:
            getattr(self, trick)()
            if self.rng.randint(3):
                self.process_events()
        except Exception:
            self.raised.append(traceback.format_exc())
        if self.raised:
            self.fail(f"seed {SEED}, step {len(self.done)}, after "
                      f"{', '.join(self.done[-12:])}:\n" + "\n".join(self.raised))

    def choose(self, values):
        return values[self.rng.randint(len(values))]

    def choose_item(self, combo):
        index = self.rng.randint(combo.count())
        if combo.isEnabled() and combo.model().index(index, 0).flags() \
                & Qt.ItemIsEnabled:
            simulate.combobox_activate_index(combo, index)

    def send(self, *names):
        for name in names:
            self.inputs[name] = self.choose(tables())
        self.send_signals(
            [(getattr(self.widget.Inputs, name), self.inputs[name]) for name in names],
            widget=self.widget)

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name), widget=self.widget)

    def do_send_data(self):
        self.send("data")

    def do_send_pool(self):
        self.send("unlabelled")

    def do_send_both(self):
        self.send("data", "unlabelled")

    def do_finish(self):
        self.wait_until_finished(self.widget)
        self.check()

    def do_wait(self):
        QTest.qWait(self.rng.randint(30))

    def do_report(self):
        self.widget.report_html = ""
        self.widget.send_report()

    def do_k(self):
        self.choose_item(self.widget.labels_fold.k_combo)

    def do_labeller(self):
        self.choose_item(self.widget.labels_fold.labeller_combo)

    def do_standardize(self):
        self.widget.labels_fold.standardize_check.click()

    def do_fold(self):
        self.choose((self.widget.labels_fold, self.widget.limits_fold)).button.click()

    def do_method(self):
        self.choose_item(self.widget.method_combo)

    def do_limits(self):
        self.choose(list(self.widget.limits_fold.spins.values())).setValue(
            self.choose((0, 2, 7, 50)))

    def do_missing(self):
        self.widget.limits_fold.missing_check.click()

    def do_parameter(self):
        control = self.choose(list(self.widget.main_parameters.controls.values()))
        control.spin.setValue(self.choose((1, 2, 7, 50)))

    def do_slide(self):
        slider = self.widget.main_parameters.controls["SADD", "n0"].slider
        slider.setSliderDown(bool(self.rng.randint(2)))
        slider.setValue(self.rng.randint(slider.minimum(), slider.maximum() + 1))

    def do_send_labeller(self):
        self.inputs["labeller"] = self.choose((None, None, MajorityLearner()))
        self.send_signal(self.widget.Inputs.labeller, self.inputs["labeller"],
                         widget=self.widget)

    def do_confidence(self):
        self.widget.labels_fold.confidence_spin.setValue(self.choose((0, 50, 100)))

    def do_fixed_k(self):
        self.widget.labels_fold.k_spin.setValue(self.choose((1, 2, 7, 999)))

    def do_n0(self):
        self.widget.main_parameters.controls["SADD", "n0"].spin.setValue(
            self.choose((1, 10, 300, 2000, 10 ** 7)))

    def do_save_and_open(self):
        settings = pickle.loads(pickle.dumps(
            self.widget.settingsHandler.pack_data(self.widget)))
        inputs = self.inputs
        self.do_delete()
        self.make(settings)
        self.inputs = inputs
        self.send_signals([(getattr(self.widget.Inputs, name), value)
                           for name, value in inputs.items()], widget=self.widget)

    def do_delete(self):
        self.widget.hide()
        self.widget.onDeleteWidget()
        self.widget.deleteLater()
        self.widgets.remove(self.widget)
        self.make()

    def do_paint(self):
        self.widget.grab()

    def do_resize(self):
        self.widget.resize(*self.rng.randint(100, 1200, size=2))

    def do_dark(self):
        palette = QPalette(Qt.black) if self.rng.randint(2) else self.palette
        QApplication.setPalette(palette)
