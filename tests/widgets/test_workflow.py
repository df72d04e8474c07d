"""SADD Discretize in workflows of Orange's canvas."""

import io

import numpy as np
from AnyQt.QtTest import QTest
from Orange.widgets.data.owtable import OWTable
from Orange.widgets.tests import base
from orangecanvas.registry import CategoryDescription, WidgetRegistry
from orangewidget.workflow import widgetsscheme
from orangewidget.workflow.discovery import widget_desc_from_module

from orangecontrib.sadd import widgets
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tests.waiting import wait_until
from tests.widgets.owiris import OWIris


def make_registry():
    registry = WidgetRegistry()
    for cls, category in ((OWIris, "Data"), (OWTable, "Data"),
                          (OWSADDDiscretize, widgets.NAME)):
        registry.register_category(CategoryDescription(category))
        description = widget_desc_from_module(cls.__module__)
        description.category = category
        registry.register_widget(description)
    return registry


class TestWorkflow(base.GuiTest):
    def setUp(self):
        self.registry = make_registry()
        self.schemes = []

    def tearDown(self):
        for scheme in self.schemes:
            scheme.clear()
            scheme.deleteLater()
        QTest.qWait(0)

    def new_scheme(self):
        scheme = widgetsscheme.WidgetsScheme()
        scheme.widget_manager.set_creation_policy(scheme.widget_manager.Immediate)
        self.schemes.append(scheme)
        return scheme

    @staticmethod
    def wait(condition):
        wait_until(condition, pause=lambda seconds: QTest.qWait(int(1000 * seconds)))

    def received(self, scheme):
        """Data as it comes to the table."""
        def data():
            *_, link = scheme.links
            return next(iter(scheme.signal_manager.link_contents(link).values()), None)

        self.wait(lambda: data() is not None)
        return data()

    def widget(self, scheme):
        node = next(node for node in scheme.nodes if node.title == "SADD Discretize")
        return scheme.widget_for_node(node)

    def test_saved_and_loaded(self):
        scheme = self.new_scheme()
        nodes = [scheme.new_node(self.registry.widget(
            f"{cls.__module__}.{cls.__name__}"))
            for cls in (OWIris, OWSADDDiscretize, OWTable)]
        for source, sink in ((0, 1), (1, 2)):
            scheme.new_link(nodes[source], "Data", nodes[sink], "Data")
        self.received(scheme)
        widget = self.widget(scheme)
        widget.main_parameters.controls["SADD", "n0"].spin.setValue(100)
        self.wait(lambda: widget.task is None)
        widget.view.table.view.select("petal width")
        self.wait(lambda: widget.view.cut_plot.picture is not None)
        widget.view.cut_plot.add_cut(1.)
        self.wait(lambda: widget.task is None)
        before = self.received(scheme)
        points = before.domain["petal width"].compute_value.points
        self.assertIn(1., points)

        buffer = io.BytesIO()
        scheme.save_to(buffer, pickle_fallback=False)  # settings are plain
        again = self.new_scheme()
        again.load_from(io.BytesIO(buffer.getvalue()), registry=self.registry)
        after = self.received(again)
        self.assertEqual(after.domain["petal width"].compute_value.points, points)
        self.assertEqual(before.domain.attributes, after.domain.attributes)
        np.testing.assert_array_equal(before.X, after.X)
        self.assertEqual(self.widget(again).parameters.numbers["n0"], 100)
        self.assertEqual(self.widget(again).view.variable.name, "petal width")
