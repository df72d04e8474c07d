"""Write the files of the current version; see the package."""

import json
import os
import shutil
import subprocess
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from AnyQt.QtWidgets import QApplication
from orangecanvas.scheme import Scheme, SchemeLink, SchemeNode
from orangewidget.utils.filedialogs import RecentPath

from orangecontrib.sadd import __version__
from orangecontrib.sadd.core import DISCRETIZERS, make_discretizer
from tests.saved import COMMAND, FOLDER, LABELS, ROWS, WINDOWS, pickled
from tests.widgets.canvas import registry


def write(folder):
    """Write all files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    codes = {}
    for name in DISCRETIZERS:
        fitted = make_discretizer(
            name, categorical_features="from_dtype", missing="interval"
        ).fit(ROWS, LABELS)
        (folder / f"{name}.json").write_text(fitted.to_json(), encoding="utf-8")
        codes[name] = fitted.transform(ROWS).astype(int).tolist()
    (folder / "codes.txt").write_text(json.dumps(codes), encoding="utf-8")
    ROWS.assign(label=LABELS).to_csv(folder / "rows.csv", index=False)
    subprocess.run([sys.executable, "-m", "orangecontrib.sadd", "discretize",
                    "rows.csv", "--target", "label", "--cuts", "command.json",
                    "--missing", "interval", "--n0", "50"], cwd=folder, check=True)
    subprocess.run([sys.executable, "-m", "orangecontrib.sadd", *COMMAND,
                    "command.csv"], cwd=folder, check=True)
    write_workflow(folder / "windows.ows")
    pickled.write(folder / "things.pickle.xz")


def write_workflow(path):
    """Write a workflow of all windows, with settings other than the defaults."""
    scheme = Scheme(title="All windows")
    widgets = {widget.qualified_name.split(".")[-2]: widget
               for widget in registry().widgets()}
    file = SchemeNode(widgets["owfile"], properties={
        "recent_paths": [RecentPath("", "sample-datasets", "iris.tab")], "source": 0})
    scheme.add_node(file)
    for title, (module, settings) in WINDOWS.items():
        node = SchemeNode(widgets[module], title=title, properties=settings)
        scheme.add_node(node)
        scheme.add_link(SchemeLink(
            file, file.output_channel("Data"), node, node.input_channel("Data")))
    with open(path, "wb") as stream:
        scheme.save_to(stream, pretty=True, pickle_fallback=True)


if __name__ == "__main__":
    application = QApplication([])
    write(FOLDER / __version__)
