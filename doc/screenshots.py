"""Make the screenshots of the documentation.

Usage: ``QT_QPA_PLATFORM=offscreen python doc/screenshots.py [name ...]``

Pictures go to ``doc/images``. The data is made or comes with Orange, so that everybody
gets the same pictures.
"""

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from AnyQt.QtGui import QColor, QFont, QImage, QPalette
from AnyQt.QtWidgets import QApplication
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize

IMAGES = Path(__file__).parent / "images"
SIZE = 1000, 760
SMALL = 800, 600
TIMEOUT = 60


def iris():
    """A third of Iris is labelled, all of it is known without labels."""
    data = Table("iris")
    return data[::3], data


def vowels(n_rows=900, n_labelled=300):
    """Eleven classes and ten variables, like the data set Vowel."""
    rng = np.random.RandomState(0)
    names = "hid hId hEd hAd hYd had hOd hod hUd hud hed".split()
    classes = rng.randint(len(names), size=n_rows)
    centres = rng.normal(size=(len(names), 10)) * np.linspace(2, .3, 10)
    X = centres[classes] + rng.normal(size=(n_rows, 10)) * .7
    domain = Domain([ContinuousVariable(f"formant {i + 1}") for i in range(10)],
                    DiscreteVariable("vowel", names))
    table = Table.from_numpy(domain, X.round(3), classes.astype(float))
    table.name = "vowels"
    return table[:n_labelled], table[n_labelled:]


def wide(n_variables=500, n_rows=400):
    """Many variables with long names, of which every fifth is of use."""
    rng = np.random.RandomState(1)
    classes = rng.randint(2, size=n_rows)
    X = rng.normal(size=(n_rows, n_variables))
    useful = np.arange(0, n_variables, 5)
    X[:, useful] += classes[:, None] * rng.uniform(.3, 2, len(useful))
    names = [f"Expression of the gene with the catalogue number {i:05} in the tissue"
             for i in range(1, n_variables + 1)]
    domain = Domain(list(map(ContinuousVariable, names)),
                    DiscreteVariable("diagnosis", ("healthy", "ill")))
    table = Table.from_numpy(domain, X.round(3), classes.astype(float))
    table.name = "expression"
    return table[:150], table[150:]


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


def finish(widget):
    """Wait until everything is shown."""
    end = time.monotonic() + TIMEOUT
    quiet = 0
    while quiet < 10:
        QApplication.processEvents()
        busy = widget.task is not None or widget.view.loader.task is not None
        quiet = 0 if busy else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("The widget has not finished.")
        time.sleep(.01)


def shoot(name, data, unlabelled, palette, size=SIZE, settings=None, act=None):
    """Make a picture of the widget in a given state."""
    QApplication.setPalette(palette)
    widget = OWSADDDiscretize.__new__(OWSADDDiscretize, stored_settings=settings or {})
    widget.__init__()
    widget.resize(*size)
    widget.show()
    widget.set_data(data)
    widget.set_unlabelled(unlabelled)
    widget.handleNewSignals()
    finish(widget)
    if act is not None:
        act(widget)
        finish(widget)
    widget.resize(*size)
    finish(widget)
    image = widget.grab().toImage().convertToFormat(QImage.Format_RGB888)
    image.save(str(IMAGES / f"{name}.png"), quality=0)  # as small as possible
    widget.hide()
    widget.onDeleteWidget()
    widget.deleteLater()


def edit(widget):
    """Select a variable, move a cut and add another one."""
    widget.view.table.select("petal length")
    finish(widget)
    first, *others = widget.view.cut_plot.cuts
    widget.view.cut_plot.cuts_edited.emit([first - .3, *others, 6.])


def compare(widget):
    """Sort by what is kept, show a good variable."""
    widget.view.table.sort(2, 1)
    finish(widget)
    widget.view.table.view.selectRow(0)


def search(widget):
    """Sort, and leave a few variables."""
    widget.view.table.filter.setText("0012")
    widget.view.table.sort(2, 1)
    widget.view.table.view.selectRow(0)


SHOTS = {
    "sadd-discretize": (*iris(), light),
    "sadd-discretize-dark": (*iris(), dark),
    "sadd-discretize-edited": (*iris(), light, SIZE, None, edit),
    "sadd-discretize-vowels": (*vowels(), light, SIZE, None, compare),
    "sadd-discretize-vowels-dark": (
        *vowels(), dark, SIZE, {"compared_method": "CAIM"}, compare),
    "sadd-discretize-500-variables": (*wide(), light, SIZE, None, compare),
    "sadd-discretize-500-variables-dark": (*wide(), dark, SIZE, None, search),
    "sadd-discretize-small": (*vowels(), light, SMALL, None, compare),
    "sadd-discretize-other-method": (
        *iris(), light, SIZE, {"method": "EF", "compared_method": ""}, None),
    "sadd-discretize-empty": (None, None, light),
    "sadd-discretize-one-class": (Table("iris")[:50], None, dark),
}


def main(names):
    """Make the pictures with these names, or all of them."""
    app = QApplication.instance() or QApplication([])
    app.setStyle("fusion")
    app.setFont(QFont("DejaVu Sans", 9))
    IMAGES.mkdir(exist_ok=True)
    for name in names or SHOTS:
        data, unlabelled, palette, *rest = SHOTS[name]
        shoot(name, data, unlabelled, palette(), *rest)
        print(IMAGES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
