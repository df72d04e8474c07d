"""Saved files are read by a new process and by later versions."""

import json
import subprocess
import sys

import numpy as np
import pytest
from Orange.widgets.tests import base  # pytest would collect GuiTest itself

from orangecontrib.sadd.core import make_discretizer
from tests.saved import COMMAND, FOLDER, LABELS, ROWS, WINDOWS, pickled
from tests.widgets.canvas import complaints, opened, widgets

VERSIONS = sorted(path for path in FOLDER.iterdir() if path.name[0].isdigit())
every_version = pytest.mark.parametrize(
    "version", VERSIONS, ids=[path.name for path in VERSIONS])


@every_version
def test_cut_points_of_older_versions_are_read(version):
    codes = json.loads((version / "codes.txt").read_text(encoding="utf-8"))
    for name, expected in codes.items():
        text = (version / f"{name}.json").read_text(encoding="utf-8")
        fitted = type(make_discretizer(name)).from_json(text)
        np.testing.assert_array_equal(fitted.transform(ROWS), expected)
        assert fitted.classes_.tolist() == sorted(set(LABELS))
        assert len(fitted.interval_table()) == fitted.n_intervals_.sum()


@every_version
def test_command_line_applies_cut_points_of_older_versions(version, tmp_path):
    for name in ("rows.csv", "command.json"):
        (tmp_path / name).write_bytes((version / name).read_bytes())
    subprocess.run([sys.executable, "-m", "orangecontrib.sadd", *COMMAND, "out.csv"],
                   cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "out.csv").read_bytes() == \
        (version / "command.csv").read_bytes()


class TestWorkflow(base.GuiTest):
    def test_windows_have_the_settings_of_older_versions(self):
        for version in VERSIONS:
            with opened(version / "windows.ows") as scheme:
                self.assertEqual(complaints(scheme), [])
                for title, (_, settings) in WINDOWS.items():
                    widget = widgets(scheme)[title]
                    found = widget.settingsHandler.pack_data(widget)
                    for name, value in settings.items():
                        with self.subTest(title=title, name=name):
                            if isinstance(value, dict):
                                self.assertEqual({**found[name], **value}, found[name])
                            elif name != "__version__":
                                self.assertEqual(found[name], value)
                    self.assertIsNotNone(widget.data)


def read_pickled(path):
    """Return how many things a fresh process has read and used."""
    read = subprocess.run([sys.executable, "-m", "tests.saved.pickled", path],
                          capture_output=True, text=True, cwd=FOLDER.parents[1])
    assert not read.returncode, read.stderr
    return int(read.stdout)


def test_pickles_are_read_by_a_fresh_process(tmp_path):
    path = tmp_path / "things.pickle.xz"
    assert pickled.write(path) == read_pickled(path)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/things.pickle.xz")),
                         ids=lambda path: path.parent.name)
@pytest.mark.skipif(np.__version__ < "2", reason="numpy 2 has written the files")
def test_pickles_of_older_versions_are_read(path):
    assert read_pickled(path) > 30
