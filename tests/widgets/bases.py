"""Base class and helpers of tests of widgets."""

from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QSize
from AnyQt.QtGui import QGuiApplication
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself

from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables


class WidgetTest(base.WidgetTest):
    """Without the tests that Orange adds to each class: once for a window is enough."""

    test_image_export = test_minimum_size = test_msg_base_class = None
    test_zero_size_data = None


def without_score(test):
    """Let a test cross-validate nothing."""
    patched = patch.object(OWSADDTables, "_validate", lambda _: None)
    patched.start()
    test.addCleanup(patched.stop)


def without_labels(table, rows):
    """Return a copy of a table with no class in some rows."""
    table = table.copy()
    with table.unlocked(table.Y):
        table.Y[rows] = np.nan
    return table


def screen(width, height):
    """Let the screen have another size, within a context."""
    class Screen:
        def availableSize(self):
            return QSize(width, height)

    return patch.object(QGuiApplication, "primaryScreen", Screen)
