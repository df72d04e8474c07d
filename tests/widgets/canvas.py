"""The canvas without its window: a registry, and workflows that run."""

import functools
import time
from contextlib import ExitStack, contextmanager
from unittest.mock import patch
from xml.etree import ElementTree

from AnyQt.QtTest import QTest
from Orange.canvas.config import Config
from Orange.widgets.tests.utils import excepthook_catch
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme.node import UserMessage
from orangecanvas.utils import name_lookup
from orangewidget.widget import OWBaseWidget
from orangewidget.workflow.widgetsscheme import WidgetsScheme

from tests.waiting import TIMEOUT

# Rounds in which nothing happens, until a workflow is taken to have ended
QUIET_ROUNDS = 15


@functools.cache
def registry():
    """Widgets that the canvas finds, by the entry points of what is installed."""
    discovery = Config.widget_discovery(WidgetRegistry())
    discovery.run(Config.widgets_entry_points())
    return discovery.registry


@contextmanager
def opened(path):
    """Open a workflow, run it to the end; an exception in any widget is raised."""
    scheme = WidgetsScheme()
    scheme.widget_manager.set_creation_policy(scheme.widget_manager.Immediate)
    with isolated_settings(path):
        try:
            with excepthook_catch(raise_on_exit=True):
                with open(path, "rb") as file:
                    scheme.load_from(file, registry=registry())
                finish(scheme)
            yield scheme
        finally:
            scheme.clear()
            scheme.deleteLater()
            QTest.qWait(0)


@contextmanager
def isolated_settings(path):
    """Neither read what users of this machine chose in widgets, nor save anything."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(OWBaseWidget, "saveSettings"))
        for node in ElementTree.parse(path).getroot().iterfind("nodes/node"):
            handler = name_lookup(node.get("qualified_name")).settingsHandler
            stack.enter_context(patch.object(handler, "defaults", {}))
            stack.enter_context(
                patch.object(handler, "global_contexts", [], create=True))
        yield


def finish(scheme):
    """Process events until no widget has anything to do or to send."""
    end = time.monotonic() + TIMEOUT
    quiet = 0
    while quiet < QUIET_ROUNDS:
        QTest.qWait(10)
        busy = scheme.signal_manager.has_pending() or any(
            is_busy(widget) for widget in widgets(scheme).values())
        quiet = 0 if busy else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("The workflow has not come to an end.")


def is_busy(widget):
    """Whether a widget is computing."""
    # Only the progress bar of Test and Score shows that it computes
    return widget.isInvalidated() or widget.isBlocking() or not widget.isReady() \
        or widget.processingState or getattr(widget, "task", None) is not None


def widgets(scheme):
    """Widgets of a workflow by the titles of their nodes."""
    return {node.title: scheme.widget_for_node(node) for node in scheme.nodes}


def complaints(scheme):
    """Warnings and errors that the nodes of a workflow show."""
    return [f"{node.title}: {message.contents}"
            for node in scheme.nodes for message in node.state_messages()
            if message.contents and message.severity >= UserMessage.Warning]
