"""Open each example workflow in Orange's real canvas, and take pictures.

Usage: ``xvfb-run -a -s "-screen 0 1600x1200x24" python doc/canvas_screenshots.py``

Pictures of the canvas and of RNB+ go to ``doc/images``. With ``--all FOLDER``, the
window of every widget in the workflows goes to that folder: to be looked at, not to be
kept. Settings of the user are neither read nor written.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

os.environ["HOME"] = tempfile.mkdtemp()
os.environ["XDG_CONFIG_HOME"] = os.environ["HOME"]
os.environ["XDG_DATA_HOME"] = os.environ["HOME"]
os.environ["XDG_CACHE_HOME"] = os.environ["HOME"]
os.environ.setdefault("QT_QPA_PLATFORM", "xcb")
os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QFont, QImage
from AnyQt.QtWidgets import QApplication
from Orange.canvas.config import Config
from Orange.canvas.mainwindow import MainWindow
from Orange.data import Table
from orangecanvas import config
from orangecanvas.registry.qt import QtWidgetRegistry
from screenshots import dark, light, vowels, wide

from orangecontrib.sadd import workflows
from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus

IMAGES = Path(__file__).parent / "images"
CANVAS_SIZE = 1240, 880
WIDGET_SIZE = 760, 520
TIMEOUT = 60
QUIET_ROUNDS = 30


def make_canvas():
    """Open Orange's main window with all widgets that are installed."""
    registry = QtWidgetRegistry()
    discovery = Config.widget_discovery(registry)
    discovery.run(Config.widgets_entry_points())
    window = MainWindow()
    window.set_widget_registry(registry)
    window.resize(*CANVAS_SIZE)
    window.show()
    return window


def finish(widgets):
    """Process events until no widget has anything to do."""
    end = time.monotonic() + TIMEOUT
    quiet = 0
    while quiet < QUIET_ROUNDS:
        QApplication.processEvents()
        busy = any(widget.isInvalidated() or widget.processingState
                   or getattr(widget, "task", None) is not None for widget in widgets)
        quiet = 0 if busy else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("A widget has not finished.")
        time.sleep(.02)


def save(window, path):
    """Take a picture of a window."""
    image = window.grab().toImage().convertToFormat(QImage.Format_RGB888)
    image.save(str(path), quality=0)  # as small as possible
    print(path)


def shoot_workflow(canvas, path, folder):
    """Open a workflow; take a picture when it has run."""
    canvas.load_scheme(str(path))
    scheme = canvas.current_document().scheme()
    widgets = {node.title: scheme.widget_for_node(node) for node in scheme.nodes}
    finish(widgets.values())
    document = canvas.current_document()
    document.scene().clearSelection()
    document.view().fitInView(
        document.scene().itemsBoundingRect().adjusted(-8, -8, 8, 8),
        Qt.KeepAspectRatio)
    finish(widgets.values())
    save(canvas, IMAGES / f"workflow-{path.stem}.png")
    for title, widget in widgets.items():
        if folder is not None:
            widget.show()
            finish([widget])
            name = "".join(c if c.isalnum() else "-" for c in title)
            save(widget, Path(folder) / f"{path.stem[:2]}-{name}.png")
            widget.hide()
    document.setModified(False)  # or the next would ask to save it


def shoot_widget(name, data, unlabelled, palette, **settings):
    """Take a picture of RNB+ in a given state."""
    QApplication.setPalette(palette)
    widget = OWRNBPlus.__new__(OWRNBPlus, stored_settings=settings)
    widget.__init__()
    widget.show()
    widget.resize(*WIDGET_SIZE)
    widget.set_data(data)
    widget.set_unlabelled(unlabelled)
    widget.handleNewSignals()
    finish([widget])
    save(widget, IMAGES / f"{name}.png")
    widget.hide()
    widget.onDeleteWidget()
    widget.deleteLater()


def main():
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", metavar="FOLDER",
                        help="where to put pictures of every widget")
    folder = parser.parse_args().all
    IMAGES.mkdir(exist_ok=True)
    # QtWebEngine, in Orange's reports, wants this before there is an application
    QApplication.setAttribute(Qt.AA_ShareOpenGLContexts)
    app = QApplication(sys.argv[:1])
    config.set_default(Config())
    config.init()
    app.setStyle("fusion")
    app.setFont(QFont("DejaVu Sans", 9))
    app.setPalette(light())
    iris = Table("iris")
    shoot_widget("rnbplus", iris[::3], iris, light())
    shoot_widget("rnbplus-dark", iris[::3], iris, dark())
    shoot_widget("rnbplus-vowels", *vowels(), light(), weighting=1)
    shoot_widget("rnbplus-500-variables", *wide(), dark(), weighting=3)
    shoot_widget("rnbplus-empty", None, None, light())
    shoot_widget("rnbplus-one-class", iris[:50], None, dark())
    app.setPalette(light())
    canvas = make_canvas()
    for path in sorted(Path(workflows.__file__).parent.glob("*.ows")):
        shoot_workflow(canvas, path, folder)
    canvas.hide()


if __name__ == "__main__":
    main()
    shutil.rmtree(os.environ["HOME"], ignore_errors=True)
