"""The source distribution and the wheel: what is in them, and the wheel at work."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from AnyQt.QtCore import QUrl
from orangecanvas.help.provider import HtmlIndexProvider

from orangecontrib.sadd import __version__, widgets
from tests.manual import manual  # noqa: F401 (a fixture)
from tests.shared import ROOT

PREFIX = f"orange3_sadd-{__version__}"
HELP = f"{PREFIX}.data/data/help/orange3-sadd"
# What is generated, here or by tools
GENERATED = (".venv*", ".git", "build", "dist", "__pycache__", "*.egg-info", ".*_cache",
             ".hypothesis", ".coverage*", "_build", "sadd-benchmark", "*.swp.p")
# Files of the package, by suffix
KINDS = {".pyi", ".py", ".svg", ".ows", ".j2", ".json", ".typed"}
SOURCES = (".ci", ".github", "benchmarks", "conda", "doc", "i18n", "orangecontrib",
           "tests")
DOCUMENTS = {".readthedocs.yaml", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md",
             "LICENSE", "MANIFEST.in", "Makefile", "README.md", "pyproject.toml",
             "setup.py"}


def run(*command, **options):
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False,
        **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def files_of(folder):
    return {path.relative_to(folder).as_posix()
            for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The files of the working copy that are or may be committed."""
    folder = tmp_path_factory.mktemp("copy") / "sadd"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*GENERATED))
    return folder


@pytest.fixture(scope="module")
def built(copy, manual):  # noqa: F811
    """Folder of the distributions, built as by make dist, or those in SADD_DIST."""
    shutil.copytree(manual, copy / "doc" / "_build" / "html")
    if "SADD_DIST" in os.environ:
        return ROOT / os.environ["SADD_DIST"]
    run(sys.executable, "-m", "build", "--no-isolation", copy)
    return copy / "dist"


@pytest.fixture(scope="module")
def environment(built, tmp_path_factory):
    """Python of an environment with the wheel, where the working copy is not seen."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home / "venv", with_pip=False)
    scheme = sysconfig.get_preferred_scheme("prefix")
    paths = {"base": str(home / "venv"), "platbase": str(home / "venv")}
    site = Path(sysconfig.get_path("purelib", scheme, paths))
    python = Path(sysconfig.get_path("scripts", scheme, paths), "python")
    # Dependencies are those installed here: all but the editable installation of ours
    libraries = home / "libraries"
    libraries.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "sadd" not in path.name.lower() and path.suffix != ".pth":
            (libraries / path.name).symlink_to(path)
    (site / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    (wheel,) = built.glob("*.whl")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps",
        "--no-index", "--disable-pip-version-check", wheel)
    return python


def test_wheel_contents(built, copy, manual):  # noqa: F811
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = {f"orangecontrib/{name}" for name in files_of(copy / "orangecontrib")
               if "__pycache__" not in name}
    assert {Path(name).suffix for name in package} <= KINDS
    info = {f"{PREFIX}.dist-info/{name}" for name in (
        "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE",
        "top_level.txt")}
    pages = {f"{HELP}/{name}" for name in files_of(manual)
             if not name.startswith((".", "_sources"))}
    assert f"{HELP}/index.html" in pages
    assert "orangecontrib/sadd/py.typed" in package
    assert names == package | info | pages


def test_source_distribution_contents(built, copy):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {member.name.removeprefix(f"{PREFIX}/")
                 for member in tar.getmembers() if member.isfile()}
    names = {name for name in names if ".egg-info/" not in name}
    expected = {name for name in files_of(copy)
                if name.startswith(tuple(f"{folder}/" for folder in SOURCES))
                and ".egg-info/" not in name
                and not name.startswith(
                    ("doc/_build/html/_sources/", "doc/_build/html/."))}
    assert names == expected | DOCUMENTS | {"PKG-INFO", "setup.cfg"}
    assert {"tests/test_distribution.py", "doc/conf.py", ".ci/run",
            "doc/_build/html/index.html"} <= names


def test_metadata_is_fit_for_an_index(built):
    said = run(sys.executable, "-m", "twine", "--no-color", "check", "--strict",
               *built.iterdir())
    assert said.count("PASSED") == 2


def test_long_description_has_no_relative_links(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"{PREFIX}.dist-info/METADATA").decode("utf-8")
    assert "make demo" in text and "https://orangedatamining.com" in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links and all(link.startswith("https://") for link in links)


@pytest.fixture
def clone(copy, tmp_path):
    """A working copy as after git clone: nothing in it was built."""
    return Path(shutil.copytree(
        copy, tmp_path / "sadd", ignore=shutil.ignore_patterns(*GENERATED)))


def pip_here(clone, *command):
    return run(sys.executable, "-m", "pip", *command, "--no-deps", "--no-index",
               "--no-build-isolation", "--disable-pip-version-check", cwd=clone)


def assert_has_pages(folder, names):
    """Assert that the help in a folder has a page for each widget, and its pictures."""
    index = (folder / "index.html").read_text(encoding="utf-8")
    provider = HtmlIndexProvider(QUrl.fromLocalFile(str(folder / "index.html")))
    entries = provider._parse(index)
    assert list(entries) == [name.lower() for name in names]
    for name, entry in zip(names, entries.values(), strict=True):
        page = (folder / entry).read_text(encoding="utf-8")
        assert f"<h1>{name}</h1>" in page
        assert "{callout}" not in page and "{control}" not in page
        targets = re.findall(r'(?:src|href)="([^"]+)"', page)
        assert len(targets) >= 3
        assert all((folder / "widgets" / target).exists() for target in targets)


NAMES = ["SADD Discretize", "RNB+"]


def test_help_without_the_manual(clone, tmp_path):
    """What ``pip install .`` gives that runs in a clone."""
    before = files_of(clone)
    pip_here(clone, "wheel", "--wheel-dir", tmp_path / "wheel", ".")
    (wheel,) = (tmp_path / "wheel").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "unpacked")
    assert_has_pages(tmp_path / "unpacked" / HELP, NAMES)
    left = {name for name in files_of(clone) - before if "__pycache__" not in name}
    assert all(name.startswith("doc/_build/help/") for name in left)


def test_help_of_an_editable_installation(clone, tmp_path):
    pip_here(clone, "install", "--editable", ".", "--target", tmp_path / "site")
    paths = [path for path, _ in widgets.WIDGET_HELP_PATH]
    assert paths[1] == "{DEVELOP_ROOT}/doc/_build/help/index.html"
    assert_has_pages(clone / "doc" / "_build" / "help", NAMES)


def test_help_before_the_canvas_opens(clone):
    """`make canvas` makes the pages that are missing, or older than their sources."""
    shutil.rmtree(clone / "doc" / "_build", ignore_errors=True)
    command = ["make", "--dry-run", "canvas"]
    # Not with the variables of the make that may run this
    options = {"cwd": clone, "env": {
        name: value for name, value in os.environ.items()
        if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "QT", "ORANGE")}}
    assert "setup.py help" in run(*command, **options)
    run(sys.executable, "setup.py", "help", cwd=clone)
    assert_has_pages(clone / "doc" / "_build" / "help", NAMES)
    # As if the environment were there, and older than the pages
    for name in (".base", ".installed"):
        (clone / ".venv").mkdir(exist_ok=True)
        (clone / ".venv" / name).touch()
    (clone / "doc" / "_build" / "help" / "index.html").touch()
    assert "setup.py help" not in run(*command, **options)
    os.utime(clone / "doc" / "widgets" / "rnb-plus.md", (2 ** 32, 2 ** 32))
    assert "setup.py help" in run(*command, **options)


def test_installed_wheel(environment):
    home = environment.parents[1]
    said = run(environment, "-I", ROOT / "tests" / "installed.py", cwd=home,
               env={**os.environ, "QT_QPA_PLATFORM": "offscreen",
                    "QTWEBENGINE_DISABLE_SANDBOX": "1", "HOME": str(home)})
    found = json.loads(next(line for line in said.splitlines() if line[:1] == "{"))
    for path in (found["package"], found["metadata"], *found["examples"]):
        assert Path(path).is_relative_to(home), path
    assert found["version"] == __version__
    assert found["widgets"] == NAMES
    assert len(found["icons"]) == 2
    assert list(found["pages"]) == found["widgets"]
    for name, path in found["pages"].items():
        assert Path(path).is_relative_to(home / "help" / "orange3-sadd")
        assert name in Path(path).read_text(encoding="utf-8")
    assert len(found["examples"]) == 4
    assert all(number >= 4 for number in found["nodes"])


def test_installed_command(environment, tmp_path):
    (tmp_path / "x.csv").write_text(
        "x,c\n" + "".join(f"{i},{'ab'[i > 14]}\n" for i in range(30)))
    program = [environment, "-I", "-m", "orangecontrib.sadd"]
    assert "discretize" in run(*program, "--help", cwd=tmp_path)
    run(*program, "discretize", "x.csv", "--target", "c", "-o", "out.csv", "--plain",
        cwd=tmp_path)
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["c,x", "a,< 14.5"] and lines[-1] == "b,≥ 14.5"


def test_requirements_are_met(environment):
    said = run(sys.executable, "-m", "pip", "--python", environment, "check")
    assert "No broken requirements found." in said
