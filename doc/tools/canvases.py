"""Pictures of workflows, of the windows in them, and of a dialog of the canvas."""

import functools
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from AnyQt.QtCore import QRectF, Qt
from AnyQt.QtGui import QImage, QPainter
from AnyQt.QtWidgets import QApplication
from make_workflows import FOLDER, make_registry
from orangecanvas.canvas.scene import CanvasScene
from orangecanvas.document.editlinksdialog import EditLinksDialog
from orangecanvas.scheme import Scheme

from tests.widgets.canvas import opened, widgets
from tools import flows
from tools.controls import texts
from tools.picture import Picture, Taken

__all__ = ["CANVASES"]

MARGIN = 12
SETTLING_ROUNDS = 40

registry = functools.cache(make_registry)


def settle():
    """Let the canvas move things to their places, also where a round takes long."""
    for _ in range(SETTLING_ROUNDS):
        QApplication.processEvents()
        time.sleep(.01)


def draw(scheme):
    """Draw a workflow as the canvas does, without the canvas."""
    scene = CanvasScene()
    scene.set_registry(registry())
    scene.set_scheme(scheme)
    settle()
    scene.clearSelection()
    area = scene.itemsBoundingRect().adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
    image = QImage(area.size().toSize(), QImage.Format_RGB888)
    image.fill(Qt.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.Antialiasing)
    scene.render(painter, QRectF(image.rect()), area)
    painter.end()
    return image


def described(scheme):
    """Return all widgets with their places, links and notes of a workflow."""
    return [*("{} ({:g}, {:g})".format(node.title, *node.position)
              for node in scheme.nodes),
            *(f"{link.source_node.title}: {link.source_channel.name} → "
              f"{link.sink_node.title}: {link.sink_channel.name}"
              for link in scheme.links),
            *(note.content for note in scheme.annotations
              if hasattr(note, "content"))]


@dataclass
class Flow(Picture):
    """A workflow that `build` makes."""

    build: Callable

    def scheme(self):
        """Return the workflow."""
        return self.build(registry()).scheme

    def take(self):
        return Taken(draw(self.scheme()), self.facts())

    def facts(self):
        return {"shows": described(self.scheme())}


class Example(Flow):
    """A workflow that the add-on has; `build` is the beginning of its file's name."""

    def scheme(self):
        path, = FOLDER.glob(f"{self.build}-*.ows")
        scheme = Scheme()
        with open(path, "rb") as file:
            scheme.load_from(file, registry=registry())
        return scheme


@dataclass
class Opened(Flow):
    """A widget in a workflow that has run to its end."""

    title: str
    size: tuple[int, int]

    def take(self):
        with tempfile.TemporaryDirectory() as folder:
            self.build(registry()).save("workflow.ows", Path(folder))
            with opened(Path(folder) / "workflow.ows") as scheme:
                widget = widgets(scheme)[self.title]
                widget.show()
                widget.resize(*self.size)
                settle()
                return Taken(widget.grab().toImage(), {"shows": texts(widget)})

    def facts(self):
        return self.take().facts


@dataclass
class Links(Flow):
    """The dialog in which links between two widgets are edited."""

    source: str
    sink: str

    def take(self):
        source, sink, links = self.links()
        dialog = EditLinksDialog()
        dialog.setNodes(source, sink)
        dialog.setLinks(links)
        dialog.show()
        settle()
        image = dialog.grab().toImage()
        dialog.hide()
        return Taken(image, self.facts())

    def facts(self):
        return {"shows": [f"{output.name} → {input_.name}"
                          for output, input_ in self.links()[-1]]}

    def links(self):
        """Return the two ends, and pairs of an output and an input."""
        scheme = self.scheme()
        ends = {node.title: node for node in scheme.nodes}
        source, sink = ends[self.source], ends[self.sink]
        return source, sink, [(link.source_channel, link.sink_channel)
                              for link in scheme.find_links(source, None, sink)]


def step(number):
    """Return a function that makes the workflow of the tutorial up to a step."""
    return functools.partial(flows.tutorial, step=number)


CANVASES = (
    Example("workflow-discretizers.png", "10"),
    Example("workflow-few-labelled.png", "20"),
    Example("workflow-inspection.png", "30"),
    Example("workflow-intervals.png", "40"),
    Flow("tutorial-1.png", step(1)),
    Flow("tutorial-2.png", step(2)),
    Flow("tutorial-3.png", step(3)),
    Flow("tutorial-4.png", step(4)),
    Links("tutorial-links.png", step(2), "Data Sampler (1)", "SADD Discretize"),
    Opened("tutorial-sampler.png", step(1), "Data Sampler (1)", (360, 440)),
    Opened("tutorial-discretize.png", step(2), "SADD Discretize", (1080, 820)),
    Opened("tutorial-weights.png", step(3), "RNB+", (900, 780)),
    Opened("tutorial-scores.png", step(4), "Test and Score", (900, 560)),
    Flow("own-file.png", flows.own_file),
    Flow("wiring-wrong.png", flows.wrong),
    Flow("wiring-right.png", flows.right),
    Flow("wiring-tested-rows.png", flows.pool_of_tested_rows),
    Flow("wiring-other-rows.png", flows.pool_of_other_rows),
)
