"""Check an installed wheel; run by `test_distribution`.

It runs in an environment of its own, without these tests and the working copy. It
prints its results as JSON. Arguments are names of compiled modules.
"""

import json
import sys
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path

from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.canvas.config import Config
from orangecanvas.application.examples import workflows
from orangecanvas.help import HelpManager
from orangecanvas.registry import WidgetRegistry
from orangewidget.workflow.widgetsscheme import WidgetsScheme

import orangecontrib.sadd
import orangecontrib.sadd.widgets


def main():
    app = QApplication(sys.argv[:1])
    discovery = Config.widget_discovery(WidgetRegistry())
    discovery.run(Config.widgets_entry_points())
    registry = discovery.registry
    manager = HelpManager()
    manager.set_registry(registry)
    ours = [desc for desc in registry.widgets() if desc.category == "SADD"]
    pages = {desc.name: manager.search({"id": desc.qualified_name}).toLocalFile()
             for desc in ours}
    examples = [example.abspath() for example in workflows(Config)
                if example.package.__name__ == "orangecontrib.sadd.workflows"]
    print(json.dumps({
        "package": orangecontrib.sadd.__file__,
        "version": orangecontrib.sadd.__version__,
        "metadata": str(distribution("Orange3-SADD").locate_file("")),
        "widgets": [desc.name for desc in ours],
        "icons": [str(icon) for desc in ours for icon in icons(desc)],
        "pages": pages,
        "examples": examples,
        "nodes": [open_workflow(path, registry) for path in examples],
        "compiled": [import_module(name).__file__ for name in sys.argv[1:]],
    }))
    app.processEvents()


def icons(desc):
    """Files of the icon of a widget that exist."""
    folder = Path(orangecontrib.sadd.widgets.__file__).parent
    return [path for path in [folder / desc.icon] if path.exists()]


def open_workflow(path, registry):
    """Open a workflow, make its widgets, and give their number."""
    scheme = WidgetsScheme()
    scheme.widget_manager.set_creation_policy(scheme.widget_manager.Immediate)
    with open(path, "rb") as file:
        scheme.load_from(file, registry=registry)
    QTest.qWait(50)
    made = [scheme.widget_for_node(node) for node in scheme.nodes]
    scheme.clear()
    return len([widget for widget in made if widget is not None])


if __name__ == "__main__":
    main()
