"""Widgets without a screen, and without what the user of this machine once chose."""

import functools
import os
import time
import warnings
from unittest.mock import patch

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")  # for root, in containers

from AnyQt.QtCore import Qt, qInstallMessageHandler
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QApplication

from tools.fonts import picture_font

__all__ = ["application", "created", "dark", "finish", "light"]

TIMEOUT = 60
QUIET_ROUNDS = 15


@functools.cache  # without a reference it would be gone
def application():
    """Return the application, with the same style and font everywhere."""
    app = QApplication.instance()
    if app is None:
        # What Qt and old widgets of Orange have to say is not about our pages
        qInstallMessageHandler(lambda *_: None)
        warnings.filterwarnings("ignore", module="orangewidget|Orange")
        # QtWebEngine, in Orange's reports, wants this before there is an application
        QApplication.setAttribute(Qt.AA_ShareOpenGLContexts)
        app = QApplication(["documentation"])
    app.setStyle("fusion")
    app.setFont(picture_font())
    app.setPalette(light())
    return app


def light():
    """The palette of Qt's style Fusion."""
    return QApplication.style().standardPalette()


def dark():
    """A dark palette like that of Orange's dark theme."""
    palette = QPalette()
    base, window, text = QColor(30, 30, 30), QColor(49, 49, 49), QColor(226, 226, 226)
    for role, colour in (
            (QPalette.Window, window), (QPalette.WindowText, text),
            (QPalette.Base, base), (QPalette.AlternateBase, QColor(40, 40, 40)),
            (QPalette.Text, text), (QPalette.Button, window),
            (QPalette.ButtonText, text), (QPalette.ToolTipBase, window),
            (QPalette.ToolTipText, text),
            (QPalette.PlaceholderText, QColor(140, 140, 140)),
            (QPalette.Light, QColor(80, 80, 80)),
            (QPalette.Midlight, QColor(65, 65, 65)),
            (QPalette.Mid, QColor(40, 40, 40)), (QPalette.Dark, QColor(25, 25, 25)),
            (QPalette.Highlight, QColor(56, 117, 215)),
            (QPalette.HighlightedText, QColor(255, 255, 255))):
        palette.setColor(role, colour)
    for role in (QPalette.Text, QPalette.WindowText, QPalette.ButtonText):
        palette.setColor(QPalette.Disabled, role, QColor(128, 128, 128))
    return palette


def created(cls, settings=None):
    """Make a widget with these settings, and defaults for all others."""
    with patch.object(cls.settingsHandler, "defaults", {}):
        widget = cls.__new__(cls, stored_settings=settings or {})
        widget.__init__()
    widget.saveSettings = lambda: None
    return widget


def finish(widget):
    """Wait until everything is shown."""
    end = time.monotonic() + TIMEOUT
    quiet = 0
    loader = getattr(getattr(widget, "view", None), "loader", None)
    while quiet < QUIET_ROUNDS:
        QApplication.processEvents()
        busy = widget.task is not None or loader is not None \
            and loader.task is not None
        quiet = 0 if busy else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("The widget has not finished.")
        time.sleep(.01)
