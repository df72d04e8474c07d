"""What a user gets: the distribution's metadata, its documents, a cheap import."""

import os
import re
import subprocess
import sys
from importlib.metadata import metadata, version

import pytest
from packaging.requirements import Requirement

import orangecontrib.sadd
from tests.shared import ROOT

METADATA = metadata("Orange3-SADD")
REQUIREMENTS = {
    req.name: req
    for req in map(Requirement, METADATA.get_all("Requires-Dist"))
    if req.marker is None
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def run_python(code, **environment):
    result = subprocess.run(
        [sys.executable, "-c", code],
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
    assert extras == {"dask", "doc", "gui", "pyqt6", "test"}


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


def test_command_line_tells_its_version():
    code = "from orangecontrib.sadd.__main__ import main; main(['--version'])"
    assert run_python(code).strip() == version("Orange3-SADD")


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
