"""Take the pictures of the manual, without a screen.

    python doc/pictures.py [NAME ...]

The fonts DejaVu Sans and Symbola are needed, the latter for letters in status bars.
Without names, all pictures are taken again. Data are made here or come with Orange.
"""

import argparse
import functools
import io
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

# The copy that this file is in, even if another one is installed
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")  # for root, in containers

import numpy as np
from AnyQt.QtCore import QBuffer, QIODevice, QRectF, Qt, qInstallMessageHandler
from AnyQt.QtGui import QFont, QImage, QPainter
from AnyQt.QtWidgets import QApplication
from make_workflows import FOLDER, Workflow, make_registry
from matplotlib import rc_context
from matplotlib.figure import Figure
from orangecanvas.canvas.scene import CanvasScene
from orangecanvas.document.editlinksdialog import EditLinksDialog
from orangecanvas.scheme import Scheme
from PIL import Image

from orangecontrib.sadd.core.methods.criterion import adaptive_factor
from orangecontrib.sadd.widgets.common.tasks import ScoreLine
from tests.widgets.canvas import opened, widgets

IMAGES = Path(__file__).parent / "images"
FONT = "DejaVu Sans"
DISCRETIZE_SIZE, RNB_SIZE = (1080, 820), (980, 600)
SETTLED = 1  # seconds without work, after which a window is complete
registry = functools.cache(make_registry)


def finish(widget=None):
    """Process events until a widget has computed and everything is drawn."""
    end = time.monotonic() + SETTLED
    while time.monotonic() < end:
        QApplication.processEvents()
        lines = [] if widget is None else widget.findChildren(ScoreLine)
        if any(getattr(part, "task", None) is not None
               for part in (widget, *(line.validator for line in lines))):
            end = time.monotonic() + SETTLED
        time.sleep(.01)


@dataclass
class Flow:
    """A workflow: nodes, as arguments of `Workflow.node`, and links, by titles.

    Names of channels are left out where links are so close that they would overlap.
    """

    nodes: list
    links: list
    has_channel_names: bool = True

    def make(self):
        """Return the workflow."""
        flow = Workflow(registry(), "", "")
        for module, position, *more in self.nodes:
            if module == "owfile":
                flow.file("heart_disease.tab", position)
            else:
                title, settings = [*more, *[None, {}][len(more):]]
                flow.node(module, position, title, **settings)
        for link in self.links:
            flow.link(*link)
        return flow

    def scheme(self):
        """Return the scheme of the workflow."""
        return self.make().scheme

    def take(self, margin=12):
        """Return the picture, drawn as in the canvas."""
        scene = CanvasScene()
        scene.set_registry(registry())
        scene.set_channel_names_visible(self.has_channel_names)
        scene.set_scheme(self.scheme())
        finish()
        scene.clearSelection()
        area = scene.itemsBoundingRect().adjusted(-margin, -margin, margin, margin)
        image = QImage(area.size().toSize(), QImage.Format_RGB888)
        image.fill(Qt.white)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.Antialiasing)
        scene.render(painter, QRectF(image.rect()), area)
        painter.end()
        return image


@dataclass
class Example(Flow):
    """An example workflow of the add-on, by the beginning of its file's name."""

    nodes: str
    links: list = field(default_factory=list)

    def scheme(self):
        path, = FOLDER.glob(f"{self.nodes}-*.ows")
        scheme = Scheme()
        with open(path, "rb") as file:
            scheme.load_from(file, registry=registry())
        return scheme


@dataclass
class Opened:
    """A widget, by its title, in a workflow that has run to its end."""

    flow: Flow
    title: str
    size: tuple[int, int]

    def take(self):
        """Return the picture."""
        with tempfile.TemporaryDirectory() as folder:
            self.flow.make().save("workflow.ows", Path(folder))
            with opened(Path(folder) / "workflow.ows") as scheme:
                widget = widgets(scheme)[self.title]
                widget.show()
                widget.resize(*self.size)
                finish(widget)
                return widget.grab().toImage()


@dataclass
class Links:
    """The dialog in which links between two widgets are edited."""

    flow: Flow
    source: str
    sink: str

    def take(self):
        """Return the picture."""
        flow = self.flow.make()
        source, sink = flow.nodes[self.source], flow.nodes[self.sink]
        dialog = EditLinksDialog()
        dialog.setNodes(source, sink)
        dialog.setLinks([(link.source_channel, link.sink_channel)
                         for link in flow.scheme.find_links(source, None, sink)])
        dialog.show()
        finish()
        image = dialog.grab().toImage()
        dialog.hide()
        return image


@dataclass
class Drawing:
    """A figure by matplotlib; `draw` is called with axes."""

    draw: Callable
    size: tuple[float, float]

    def take(self):
        """Return the SVG."""
        file = io.StringIO()
        # Without a salt and a date, each file would be another one
        with rc_context({"svg.hashsalt": "sadd", "font.size": 9,
                         "axes.spines.top": False, "axes.spines.right": False}):
            figure = Figure(self.size, layout="constrained")
            self.draw(figure.subplots())
            figure.savefig(file, format="svg", metadata={"Date": None})
        return "\n".join(map(str.rstrip, file.getvalue().splitlines())) + "\n"


def draw_factor(axes):
    """Draw the factor by which SADD lowers the threshold of MDLP."""
    rows = np.linspace(0, 10000, 101)
    for n0, style in ((500, ":"), (2000, "-"), (8000, "--")):
        axes.plot(rows, adaptive_factor(rows, n0), style, color="#2a6ebb",
                  label=f"N0 = {n0:,}")
    axes.axhline(1, color="#777777", lw=.8)
    axes.annotate("MDLP", (9600, 1), (0, -11), textcoords="offset points",
                  color="#777777", ha="center")
    axes.set(xlabel="rows in the interval, N", ylabel="s(N / N0)", ylim=(.45, 1.05))
    axes.legend(frameon=False, loc="lower right")


# Workflows of the tutorial and of Fair comparison

FIVE_FOLDS = {"resampling": 0, "n_folds": 1, "cv_stratified": True}
FIXED_SIZE, TEST_ON_TEST_DATA = 1, 5


def sampled(title):
    """Return the links of both outputs of the second sampler to a widget of ours."""
    return [("Data Sampler (1)", "Data Sample", title, "Data"),
            ("Data Sampler (1)", "Remaining Data", title, "Unlabelled Data")]


def scored(*titles):
    """Return the links of learners to Test and Score."""
    return [(title, "Learner", "Test and Score") for title in titles]


STEP_1 = Flow(
    [("owfile", (100, 240)), ("owdatasampler", (240, 240)),
     ("owdatasampler", (430, 170), "Data Sampler (1)",
      {"sampling_type": FIXED_SIZE, "sampleSizeNumber": 30})],
    [("File", "Data", "Data Sampler"),
     ("Data Sampler", "Data Sample", "Data Sampler (1)", "Data")])
STEP_2 = Flow([*STEP_1.nodes, ("owsadddiscretize", (700, 30))],
              [*STEP_1.links, *sampled("SADD Discretize")])
STEP_3 = Flow(
    [*STEP_2.nodes, ("owrnbplus", (700, 170)), ("owsaddtables", (700, 310))],
    [*STEP_2.links, *sampled("RNB+"), *sampled("SADD Tables")])
STEP_4 = Flow(
    [*STEP_3.nodes, ("owrnbplus", (700, 450), "RNB+ (1)"), ("owknn", (700, 550)),
     ("owtestandscore", (900, 320), "Test and Score",
      {"resampling": TEST_ON_TEST_DATA})],
    [*STEP_3.links, ("Data Sampler (1)", "Data Sample", "Test and Score", "Data"),
     ("Data Sampler", "Remaining Data", "Test and Score", "Test Data"),
     *scored("RNB+", "SADD Tables", "RNB+ (1)", "kNN")], has_channel_names=False)
OWN_FILE = Flow(
    [("owfile", (100, 150)), ("owrnbplus", (350, 40)),
     ("owtestandscore", (540, 150), "Test and Score", FIVE_FOLDS)],
    [("File", "Data", "RNB+"), ("File", "Data", "RNB+", "Unlabelled Data"),
     ("File", "Data", "Test and Score"), *scored("RNB+")], has_channel_names=False)
WRONG = Flow(
    [("owfile", (100, 110)), ("owsadddiscretize", (280, 110)),
     ("ownaivebayes", (280, 220)),
     ("owtestandscore", (500, 110), "Test and Score", FIVE_FOLDS)],
    [("File", "Data", "SADD Discretize"), ("SADD Discretize", "Data", "Test and Score"),
     *scored("Naive Bayes")])
RIGHT = Flow(
    [("owfile", (100, 110)), ("owsadddiscretize", (290, 220)),
     ("ownaivebayes", (440, 220)),
     ("owtestandscore", (590, 110), "Test and Score", FIVE_FOLDS)],
    [("File", "Data", "Test and Score"),
     ("SADD Discretize", "Preprocessor", "Naive Bayes"), *scored("Naive Bayes")])
TESTED_ROWS = Flow(RIGHT.nodes, [
    *RIGHT.links, ("File", "Data", "SADD Discretize", "Unlabelled Data")])
OTHER_ROWS = Flow(
    [("owfile", (80, 110)), ("owdatasampler", (210, 110)),
     ("owsadddiscretize", (420, 210)), ("ownaivebayes", (570, 210)),
     ("owtestandscore", (720, 110), "Test and Score", FIVE_FOLDS)],
    [("File", "Data", "Data Sampler"),
     ("Data Sampler", "Remaining Data", "SADD Discretize", "Unlabelled Data"),
     ("Data Sampler", "Data Sample", "Test and Score", "Data"),
     ("SADD Discretize", "Preprocessor", "Naive Bayes"), *scored("Naive Bayes")])

PICTURES = {
    "sadd-tables.png": Opened(STEP_3, "SADD Tables", RNB_SIZE),
    "workflow-discretizers.png": Example("10"),
    "workflow-few-labelled.png": Example("20"),
    "workflow-inspection.png": Example("30"),
    "workflow-intervals.png": Example("40"),
    "tutorial-1.png": STEP_1,
    "tutorial-4.png": STEP_4,
    "tutorial-links.png": Links(STEP_2, "Data Sampler (1)", "SADD Discretize"),
    "tutorial-discretize.png": Opened(STEP_2, "SADD Discretize", DISCRETIZE_SIZE),
    "tutorial-weights.png": Opened(STEP_3, "RNB+", RNB_SIZE),
    "tutorial-scores.png": Opened(STEP_4, "Test and Score", (900, 560)),
    "own-file.png": OWN_FILE,
    "wiring-wrong.png": WRONG,
    "wiring-right.png": RIGHT,
    "wiring-tested-rows.png": TESTED_ROWS,
    "wiring-other-rows.png": OTHER_ROWS,
    "threshold-factor.svg": Drawing(draw_factor, (6.4, 2.8)),
}


def save(picture, path):
    """Write a picture; screenshots get 256 colours, which makes them small."""
    if isinstance(picture, str):
        path.write_text(picture, encoding="utf-8")
        return
    buffer = QBuffer()
    buffer.open(QIODevice.WriteOnly)
    picture.save(buffer, "PNG")
    image = Image.open(io.BytesIO(bytes(buffer.data()))).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    """Take the pictures that are named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *PICTURES])
    parser.add_argument("--folder", type=Path, default=IMAGES)
    args = parser.parse_args()
    qInstallMessageHandler(lambda *_: None)
    warnings.filterwarnings("ignore", module="orangewidget|Orange")
    # QtWebEngine, in Orange's reports, wants this before there is an application
    QApplication.setAttribute(Qt.AA_ShareOpenGLContexts)
    app = QApplication(["pictures"])
    app.setStyle("fusion")
    app.setFont(QFont(FONT, 9))
    for name in args.names or PICTURES:
        save(PICTURES[name].take(), args.folder / name)
        print(name)


if __name__ == "__main__":
    main()
