"""The installed package: metadata, exports, a cheap import, and set-up scripts."""

import inspect
import os
import re
import runpy
import subprocess
import sys
from importlib.metadata import metadata, version

import numpy as np
import pytest
from packaging.requirements import Requirement

import orangecontrib.sadd.core
from orangecontrib.sadd.core import DISCRETIZERS
from tests import conftest, typed_script
from tests.shared import ROOT

METADATA = metadata("Orange3-SADD")
REQUIREMENTS = {
    req.name: req
    for req in map(Requirement, METADATA.get_all("Requires-Dist"))
    if req.marker is None
}
MACHINE_PATH = re.compile(r"/(work|farm|tmp|root|home)/[a-z]")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_metadata_is_what_the_addon_manager_needs():
    assert METADATA["Name"] == "Orange3-SADD"
    assert METADATA["License-Expression"] == "GPL-3.0-or-later"
    assert "orange3 add-on" in METADATA["Keywords"].split(",")
    assert "Typing :: Typed" in METADATA.get_all("Classifier")
    # Other add-ons share the namespace
    assert not (ROOT / "orangecontrib" / "__init__.py").exists()


def test_oldest_versions_are_the_floors_of_requirements():
    pins = re.findall(r"^([\w-]+)==([\d.]+)$", read(".ci/oldest.txt"), re.MULTILINE)
    pins = {name: pin for name, pin in pins if name in REQUIREMENTS}
    assert sorted(pins) == sorted(REQUIREMENTS)
    for name, pin in pins.items():
        floor = next(limit for limit in REQUIREMENTS[name].specifier
                     if limit.operator == ">=")
        assert f"{pin}.".startswith(f"{floor.version}."), (name, pin)


def test_version_stands_in_one_place():
    (written,) = re.findall(r'^version = "(.+)"$', read("pyproject.toml"), re.MULTILINE)
    assert written == version("Orange3-SADD"), "run make install"
    assert orangecontrib.sadd.__version__ == written
    assert f"## {written}" in read("CHANGELOG.md")


@pytest.mark.parametrize("package", [orangecontrib.sadd, orangecontrib.sadd.core])
def test_exported_names_exist_and_are_in_the_stub(package):
    stub = read(f"{package.__name__.replace('.', '/')}/__init__.pyi")
    assert stub.count(" as ") == len(package.__all__) > 10
    for name in package.__all__:
        assert hasattr(package, name) and name in dir(package)
        assert f" {name} as {name}" in stub
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_this_name'"):
        _ = package.nothing_of_this_name
    assert "__version__" in dir(orangecontrib.sadd)


@pytest.mark.parametrize("package", [orangecontrib.sadd, orangecontrib.sadd.core])
def test_docstrings_list_each_name_once(package):
    """Sections of base classes and sources are put together."""
    found = 0
    for cls in filter(inspect.isclass, map(package.__getattr__, package.__all__)):
        sections = re.split(r"^(\w[\w ]+)\n-+\n", inspect.getdoc(cls), flags=re.M)
        for title, text in zip(sections[1::2], sections[2::2], strict=True):
            if title in ("Parameters", "Attributes"):
                names = ", ".join(
                    re.findall(r"^(\S.*?)(?: : .*)?$", text, re.M)).split(", ")
                assert len(names) == len(set(names)), (cls, title)
                found += len(names)
    assert found > 100


def test_core_imports_neither_orange_nor_qt_nor_dask():
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys\nfrom orangecontrib.sadd.core import *\n"
         "print(*{name.partition('.')[0] for name in sys.modules})"],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "numpy" in loaded
    foreign = {"Orange", "orangewidget", "orangecanvas", "AnyQt", "PyQt5", "PyQt6",
               "dask", "distributed"}
    assert foreign & set(loaded) == set()


def test_typed_script_runs():
    """A user's script with type hints, which mypy checks."""
    X = np.repeat(np.arange(40.0), 2).reshape(40, 2)
    y = np.repeat([0, 1], 20)
    y[::4] = -1
    assert all(len(cuts) for cuts in typed_script.discretize(X, y))
    assert set(typed_script.classify(X, y)) == {0, 1}
    assert list(typed_script.methods()) == list(DISCRETIZERS)
    assert typed_script.scripting()[2] == orangecontrib.sadd.__version__


def test_files_contain_no_path_of_a_machine():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True,
                            text=True, check=False).stdout.split("\0")
    if listed == [""]:
        pytest.skip("this is no working copy")
    texts = {name: (ROOT / name).read_text(encoding="utf-8", errors="ignore")
             for name in listed if (ROOT / name).is_file() and name[-4:] != ".svg"}
    assert [name for name, text in texts.items() if MACHINE_PATH.search(text)] == []


def test_ci_skips_no_shared_data_silently(tmp_path, monkeypatch):
    monkeypatch.setattr(conftest, "IN_CI", True)
    monkeypatch.setattr(conftest, "DATASETS", tmp_path / "nowhere")
    monkeypatch.delenv("SADD_SHARED", raising=False)
    with pytest.raises(pytest.UsageError, match="CI skips no test silently"):
        conftest.pytest_configure(None)
    monkeypatch.setenv("SADD_SHARED", "none")
    conftest.pytest_configure(None)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is a screen")
def test_a_file_of_tests_needs_no_screen():
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    run = subprocess.run(
        [sys.executable, "-c", "import tests.conftest\nfrom AnyQt.QtWidgets import "
         "QApplication\nprint(QApplication([]).platformName())"], cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in hidden},
        capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "offscreen", run.stderr


@pytest.mark.parametrize(["minor", "any_newer", "message"], [
    (10, True, "needs Python 3.11, 3.12 or 3.13"), (11, False, None),
    (13, False, None), (14, False, "Orange has no wheels yet"), (14, True, None)])
def test_check_python_names_versions_that_work(minor, any_newer, message):
    script = runpy.run_path(str(ROOT / ".ci" / "check-python"))
    problem = script["problem"]((3, minor), any_newer)
    assert problem is None if message is None else message in problem


@pytest.mark.skipif(os.name != "posix", reason="a script for POSIX")
class TestSystemPackages:
    """Installs what is missing as root, or prints the command."""

    def run(self, folder, kind, **commands):
        """Run the script where something is missing, with commands of our own."""
        commands = {"python": "echo 'ImportError: libEGL.so.1: gone' >&2; exit 1",
                    "cc": "exit 1", "apt-get": "exit 9", "apt-cache": "exit 1",
                    "id": "echo 1000", **commands}
        for name, code in commands.items():
            (folder / name).write_text(f"#!/bin/sh\n{code}\n")
            (folder / name).chmod(0o755)
        return subprocess.run(
            [ROOT / ".ci" / "system-packages", kind, folder / "python"], text=True,
            capture_output=True, check=False,
            env={**os.environ, "CC": "cc", "PATH": f"{folder}:{os.environ['PATH']}"})

    @pytest.mark.parametrize(["kind", "commands", "parts"], [
        ("qt", {}, ["Qt does not load (ImportError: libEGL.so.1: gone); run this once "
                    "as root: apt-get install -y ", " libxfixes3 ", " libasound2 "]),
        # Debian 13 has renamed libraries
        ("qt", {"apt-cache": "exit 0"}, [" libasound2t64 ", " libglib2.0-0t64 "]),
        ("compiler", {"python": "echo 3.11"}, ["need a C compiler", " python3.11-dev"]),
    ])
    def test_user_gets_one_sentence_with_the_command(
            self, tmp_path, kind, commands, parts):
        result = self.run(tmp_path, kind, **commands)
        assert result.returncode == 1 and result.stdout == ""
        (line,) = result.stderr.splitlines()
        assert all(part in line for part in parts)

    def test_packages_and_reason_are_printed_before_root_installs_them(self, tmp_path):
        result = self.run(tmp_path, "qt", **{
            "id": "echo 0", "python": 'test -e "$(dirname "$0")/installed"',
            "apt-get": 'test "$1" = update || touch "$(dirname "$0")/installed"'})
        assert result.returncode == 0, result.stderr
        assert "Installing these packages: libasound2 " in result.stdout
        assert (tmp_path / "installed").exists()

    def test_nothing_is_installed_without_the_environment(self, tmp_path):
        result = subprocess.run(
            [ROOT / ".ci" / "system-packages", "qt", tmp_path / "python"], text=True,
            capture_output=True, check=False)
        assert result.returncode == 1 and "make install makes it" in result.stderr


ALONE = """
import doctest, importlib, pkgutil, re, sys
from importlib.metadata import packages_distributions, requires

def normal(name):
    return re.sub("[-_.]+", "-", name).lower()

needed, found = ["numpy", "scipy", "pandas", "scikit-learn"], {"orange3-sadd"}
while needed:
    name = normal(needed.pop())
    if name not in found:
        found.add(name)
        needed += [re.match(r"[\\w.-]+", text)[0] for text in requires(name) or ()
                   if "extra ==" not in text]
foreign = {module for module, owners in packages_distributions().items()
           if not found & set(map(normal, owners))}

class Absent:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in foreign:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent)
assert {"Orange", "AnyQt", "matplotlib", "dask", "tqdm"} <= foreign, foreign
"""
EXAMPLES = """
import orangecontrib.sadd.core
results = []
for info in pkgutil.walk_packages(orangecontrib.sadd.core.__path__,
                                  "orangecontrib.sadd.core."):
    if ".dask" not in info.name and "._" not in info.name:
        results.append(doctest.testmod(
            importlib.import_module(info.name),
            optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE))
print(sum(result.attempted for result in results),
      sum(result.failed for result in results))
"""


def run_without_orange(script, *arguments):
    """Run a script in Python with what ``pip install --no-deps`` leaves to import."""
    return subprocess.run([sys.executable, "-c", ALONE + script, *arguments], cwd=ROOT,
                          text=True, capture_output=True, check=False)


def test_core_needs_numpy_scipy_pandas_and_scikit_learn_only():
    """As installed by ``pip install --no-deps``: the examples of core run."""
    run = run_without_orange(EXAMPLES)
    assert run.returncode == 0, run.stderr
    attempted, failed = map(int, run.stdout.split()[-2:])
    assert attempted > 100 and failed == 0, run.stdout


@pytest.mark.parametrize("arguments", [["--version"], ["demo"]])
def test_command_line_without_orange_names_what_is_missing(arguments):
    run = run_without_orange(
        "from orangecontrib.sadd.__main__ import main\nmain()", *arguments)
    assert run.returncode == 1
    (line,) = run.stderr.splitlines()
    assert line.startswith(f"Orange3-SADD {version('Orange3-SADD')}, ")
    assert re.search(r"needs \w+, which is not installed", line)
