"""What a user gets: the distribution's metadata, its documents, a cheap import."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.metadata import metadata, version
from importlib.util import module_from_spec, spec_from_loader

import pytest
from packaging.requirements import Requirement

import orangecontrib.sadd
from orangecontrib.sadd.__main__ import main
from tests.shared import ROOT

METADATA = metadata("Orange3-SADD")
REQUIREMENTS = {
    req.name: req
    for req in map(Requirement, METADATA.get_all("Requires-Dist"))
    if req.marker is None
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def run_python(code, *arguments, **environment):
    result = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_metadata():
    assert METADATA["Name"] == "Orange3-SADD"
    assert METADATA["License-Expression"] == "GPL-3.0-or-later"
    assert METADATA["Requires-Python"] == ">=3.11"
    assert "orange3 add-on" in METADATA["Keywords"].split(",")
    assert "GNU GENERAL PUBLIC LICENSE" in read("LICENSE")


def test_requirements():
    required = ["AnyQt", "Orange3", "jinja2", "joblib", "numpy", "scikit-learn",
                "scipy", "tqdm"]
    assert sorted(REQUIREMENTS) == required
    assert str(REQUIREMENTS["Orange3"].specifier) == ">=3.38"
    assert str(REQUIREMENTS["scikit-learn"].specifier) == ">=1.5"
    extras = set(METADATA.get_all("Provides-Extra"))
    assert extras == {"bench", "dask", "doc", "gui", "pyqt6", "test"}


def test_oldest_versions_are_the_floors():
    pins = re.findall(r"^([\w-]+)==([\d.]+)$", read(".ci/oldest.txt"), re.MULTILINE)
    pins = {name: pin for name, pin in pins if name in REQUIREMENTS}
    assert sorted(pins) == sorted(REQUIREMENTS)
    for name, pin in pins.items():
        (floor,) = REQUIREMENTS[name].specifier
        assert floor.operator == ">="
        assert f"{pin}.".startswith(f"{floor.version}."), (name, pin)


def test_version_stands_in_one_place():
    assert orangecontrib.sadd.__version__ == version("Orange3-SADD")
    (written,) = re.findall(r'^version = "(.+)"$', read("pyproject.toml"), re.MULTILINE)
    assert written == version("Orange3-SADD"), "run make install"
    assert f"## {written}" in read("CHANGELOG.md")
    source = [read(path) for path in (ROOT / "orangecontrib").rglob("*.py")]
    assert not any(re.search(r"__version__\s*=", text) for text in source)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_this_name'"):
        _ = orangecontrib.sadd.nothing_of_this_name
    assert "__version__" in dir(orangecontrib.sadd)


def test_every_exported_name_exists():
    for name in orangecontrib.sadd.__all__:
        assert getattr(orangecontrib.sadd, name).__name__ == name


def test_core_imports_neither_orange_nor_qt():
    loaded = run_python(
        "import sys, orangecontrib.sadd.core\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    ).split()
    assert "numpy" in loaded
    foreign = {"Orange", "orangewidget", "orangecanvas", "AnyQt", "PyQt5", "PyQt6"}
    assert foreign & set(loaded) == set()


def test_documents_show_the_commands():
    readme = read("README.md")
    assert "make demo" in readme
    assert "make test" in readme
    assert "make test" in read(".ci/run")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_command_line_tells_its_version(capsys):
    with pytest.raises(SystemExit, match="^0$"):
        main(["--version"])
    assert capsys.readouterr().out.strip() == version("Orange3-SADD")


def test_command_line_lists_its_commands():
    result = subprocess.run([sys.executable, "-m", "orangecontrib.sadd"], cwd=ROOT,
                            text=True, capture_output=True, check=False)
    assert result.returncode == 2
    for command in ("demo", "discretize", "benchmark"):
        assert command in result.stderr


def test_ci_does_not_skip_shared_data_silently(tmp_path):
    def collect(shared):
        return subprocess.run(
            [sys.executable, "-m", "pytest", "--collect-only", "-q", __file__],
            cwd=ROOT,
            env={**os.environ, "CI": "true", "SADD_SHARED": shared},
            capture_output=True,
            text=True,
            check=False,
        )

    missing = collect(str(tmp_path / "nowhere"))
    assert missing.returncode == pytest.ExitCode.USAGE_ERROR
    assert "CI skips no test silently" in missing.stderr
    assert collect("none").returncode == pytest.ExitCode.OK


def test_conda_recipe_has_the_same_requirements():
    """The recipe is a template; its lists are plain."""
    recipe = read("conda/meta.yaml")
    host, run = (
        dict(re.findall(r"^    - (\S+) (>=\S+)$", part, re.MULTILINE))
        for part in re.search(r"  host:\n(.*?)  run:\n(.*?)\n\n", recipe, re.DOTALL)
        .groups())
    python = METADATA["Requires-Python"]
    assert run == {"python": python} | {
        name.lower(): str(req.specifier) for name, req in REQUIREMENTS.items()}
    build = tomllib.loads(read("pyproject.toml"))["build-system"]["requires"]
    assert host == {"python": python} | {
        req.name: str(req.specifier) for req in map(Requirement, build)}


@pytest.mark.skipif(os.name != "posix", reason="scripts for POSIX")
class TestSetUp:
    """What a newcomer reads if something is missing."""

    def check(self, version, *, any_newer=False):
        path = ROOT / ".ci" / "check-python"
        loader = SourceFileLoader("check_python", str(path))
        module = module_from_spec(spec_from_loader("check_python", loader))
        loader.exec_module(module)
        return module.problem(version, any_newer)

    @pytest.mark.parametrize("minor", [11, 12, 13])
    def test_python_that_works(self, minor):
        assert self.check((3, minor)) is None

    def test_python_that_is_too_old(self):
        said = self.check((3, 10), any_newer=True)
        assert "needs Python 3.11, 3.12 or 3.13" in said and "is Python 3.10." in said

    def test_python_that_is_too_new(self):
        assert "Orange has no wheels yet (ANY=1 compiles it" in self.check((3, 14))
        assert self.check((3, 14), any_newer=True) is None

    def run_qt_libraries(self, folder, **commands):
        """Run the script where Qt does not load, with commands of our own."""
        commands = {"python": "echo 'ImportError: libEGL.so.1: gone' >&2; exit 1",
                    "apt-get": "exit 9", "apt-cache": "exit 1", "id": "echo 1000",
                    **commands}
        for name, code in commands.items():
            (folder / name).write_text(f"#!/bin/sh\n{code}\n")
            (folder / name).chmod(0o755)
        return subprocess.run(
            [ROOT / ".ci" / "qt-libraries", folder / "python"], text=True,
            capture_output=True, check=False,
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})

    def test_user_gets_one_sentence(self, tmp_path):
        result = self.run_qt_libraries(tmp_path)
        assert result.returncode == 1 and result.stdout == ""
        (line,) = result.stderr.splitlines()
        assert line.startswith("Qt does not load (ImportError: libEGL.so.1: gone); run "
                               "this once as root: apt-get install -y ")
        assert " libxfixes3 " in line and " libasound2 " in line

    def test_names_of_debian_13(self, tmp_path):
        said = self.run_qt_libraries(tmp_path, **{"apt-cache": "exit 0"}).stderr
        assert " libasound2t64 " in said and " libglib2.0-0t64 " in said

    def test_root_installs(self, tmp_path):
        result = self.run_qt_libraries(tmp_path, **{
            "id": "echo 0", "python": 'test -e "$(dirname "$0")/installed"',
            "apt-get": 'test "$1" = update || touch "$(dirname "$0")/installed"'})
        assert result.returncode == 0, result.stderr
        assert (tmp_path / "installed").exists()

    def test_nothing_is_installed_without_the_environment(self, tmp_path):
        result = subprocess.run(
            [ROOT / ".ci" / "qt-libraries", tmp_path / "python"], text=True,
            capture_output=True, check=False)
        assert result.returncode == 1 and "make install makes it" in result.stderr


def test_translation(tmp_path):
    """The package with all languages, built as in CONTRIBUTING.md, in Slovenian."""
    pytest.importorskip("trubar", reason="make install brings it")
    package = tmp_path / "orangecontrib" / "sadd"
    shutil.copytree(ROOT / "orangecontrib" / "sadd", package)
    subprocess.run(
        [sys.executable, "-m", "trubar", "--conf", "i18n/trubar-config.yaml",
         "translate", "-q", "-s", "orangecontrib/sadd", "-d", package, "msgs.jaml"],
        cwd=ROOT, check=True)
    translated = {path.relative_to(package).parts[0] for path in package.rglob("*.py")
                  if "Translator" in path.read_text(encoding="utf-8")}
    assert translated == {"widgets"}
    said = run_python(
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from AnyQt.QtCore import QSettings\n"
        "settings = QSettings(QSettings.IniFormat, QSettings.UserScope,\n"
        "                     'biolab.si', 'Orange')\n"
        "settings.setValue('application/language', 'Slovenian'); settings.sync()\n"
        "from orangecontrib.sadd import widgets\n"
        "from orangecontrib.sadd.widgets import owrnbplus, owsadddiscretize\n"
        "print(widgets.NAME, widgets.DESCRIPTION, widgets.__file__)",
        tmp_path, HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path),
        QT_QPA_PLATFORM="offscreen", PYTHONIOENCODING="utf-8")
    assert said.startswith("SADD Delno nadzorovana diskretizacija") and \
        str(tmp_path) in said
