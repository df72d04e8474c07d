"""The source distribution and the wheel: their contents, and the wheel at work."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from orangecontrib.sadd import __version__
from tests.shared import ROOT
from tests.widgets.canvas import registry

PREFIX = f"orange3_sadd-{__version__}"
# Compiled modules
PAGES = re.findall(r'"(orangecontrib/\S+\.py)"',
                   (ROOT / "setup.py").read_text(encoding="utf-8"))
# What is generated, here or by tools
GENERATED = (".venv*", ".git", "build", "dist", "__pycache__", "*.egg-info", ".*_cache",
             ".hypothesis", ".coverage*", "_build", "sadd-benchmark", "sadd-demo",
             "*.swp.p", "*.so",
             "*.pyd")
FOLDERS = (".ci", ".github", "benchmarks", "doc", "orangecontrib", "tests")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
NAMES = [desc.name for desc in registry().widgets() if desc.category == "SADD"]


def run(*command, **options):
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False,
        **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def files_of(folder):
    return {path.relative_to(folder).as_posix()
            for path in folder.rglob("*") if path.is_file()}


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The files of the working copy that are or may be committed."""
    folder = tmp_path_factory.mktemp("copy") / "sadd"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*GENERATED))
    return folder


@pytest.fixture(scope="module")
def built(copy):
    """Folder of the distributions, built as by make dist, or the one in SADD_DIST."""
    if "SADD_DIST" in os.environ:
        return ROOT / os.environ["SADD_DIST"]
    # Without optimization, compiling takes a quarter of the time
    run(sys.executable, "-m", "build", "--no-isolation", copy,
        env={**os.environ, "SADD_REQUIRE_COMPILED": "1", "CFLAGS": "-O0"})
    return copy / "dist"


@pytest.fixture(scope="module")
def environment(built, tmp_path_factory):
    """Python of an environment with the wheel, where the working copy is not seen."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home / "venv", with_pip=False)
    scheme = sysconfig.get_preferred_scheme("prefix")
    paths = {"base": str(home / "venv"), "platbase": str(home / "venv")}
    site = Path(sysconfig.get_path("purelib", scheme, paths))
    # Dependencies are those installed here. Files .pth in them are not read, so the
    # editable installation of ours is not seen.
    (site / "libraries.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages")),
        encoding="utf-8")
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return Path(sysconfig.get_path("scripts", scheme, paths), "python")


def test_wheel_has_the_package_and_the_compiled_modules(built, copy):
    (wheel,) = built.glob("*.whl")
    package = {f"orangecontrib/{name}" for name in files_of(copy / "orangecontrib")}
    compiled = {f"{page[:-3]}{SUFFIX}" for page in PAGES}
    info = {f"{PREFIX}.dist-info/{name}" for name in (
        "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE",
        "top_level.txt")}
    assert "orangecontrib/sadd/py.typed" in package
    assert names_in(wheel) == package | compiled | info
    with zipfile.ZipFile(wheel) as archive:
        # Symbols of debuggers would make up four fifths of a module
        assert [name for name in compiled
                if b".debug_info" in archive.read(name)] == []


def test_source_distribution_has_what_the_tests_need(built, copy):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {member.name.removeprefix(f"{PREFIX}/")
                 for member in tar.getmembers() if member.isfile()}
    expected = {name for name in files_of(copy)
                if name.startswith(tuple(f"{folder}/" for folder in FOLDERS))}
    root = {name for name in names if "/" not in name}
    assert names - root - {name for name in names if ".egg-info/" in name} == expected
    assert {"CHANGELOG.md", "LICENSE", "Makefile", "README.md", "setup.py"} <= root


def test_metadata_is_accepted_by_an_index_and_has_no_relative_links(built):
    said = run(sys.executable, "-m", "twine", "--no-color", "check", "--strict",
               *built.iterdir())
    assert said.count("PASSED") == 2
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"{PREFIX}.dist-info/METADATA").decode("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links and all(link.startswith("https://") for link in links)


def test_installed_wheel_works_in_the_canvas(environment):
    home = environment.parents[1]
    said = run(environment, "-I", ROOT / "tests" / "installed.py",
               *(page[:-3].replace("/", ".") for page in PAGES), cwd=home,
               env={**os.environ, "QT_QPA_PLATFORM": "offscreen",
                    "QTWEBENGINE_DISABLE_SANDBOX": "1", "HOME": str(home)})
    found = json.loads(next(line for line in said.splitlines() if line[:1] == "{"))
    assert found["version"] == __version__
    assert found["widgets"] == list(found["pages"]) == NAMES
    pages = found["pages"].values()
    for path in (found["package"], found["metadata"], *found["icons"],
                 *found["examples"], *pages):
        assert Path(path).is_relative_to(home), path
        assert Path(path).exists()
    assert len(found["examples"]) == len(
        list((ROOT / "orangecontrib/sadd/workflows").glob("*.ows")))
    assert all(number >= 4 for number in found["nodes"])
    assert all(path.endswith(SUFFIX) for path in found["compiled"])


def test_installed_command_runs(environment, tmp_path):
    (tmp_path / "x.csv").write_text(
        "x,c\n" + "".join(f"{i},{'ab'[i > 14]}\n" for i in range(30)))
    program = [environment, "-I", "-m", "orangecontrib.sadd"]
    assert "discretize" in run(*program, "--help", cwd=tmp_path)
    run(*program, "discretize", "x.csv", "--target", "c", "-o", "out.csv", "--plain",
        cwd=tmp_path)
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["c,x", "a,< 14.5"] and lines[-1] == "b,≥ 14.5"


@pytest.mark.skipif(os.name != "posix", reason="CC is for POSIX")
def test_build_without_a_compiler_is_interpreted_unless_forbidden(copy, tmp_path):
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index",
               "--no-build-isolation", "--disable-pip-version-check", "-w", tmp_path,
               copy]
    no_compiler = {**os.environ, "CC": "/bin/false"}
    no_compiler.pop("SADD_REQUIRE_COMPILED", None)
    run(*command, env=no_compiler)
    (wheel,) = tmp_path.glob("*.whl")
    assert not any(name.endswith((".so", ".c")) for name in names_in(wheel))
    assert set(PAGES) <= names_in(wheel)
    failed = subprocess.run(command, capture_output=True, check=False,
                            env={**no_compiler, "SADD_REQUIRE_COMPILED": "1"})
    assert failed.returncode == 1


def test_help_is_up_to_date_with_its_sources():
    script = runpy.run_path(str(ROOT / "doc" / "help.py"))
    assert script["DIGEST"].read_text(encoding="utf-8").strip() == script["digest"](), \
        "run make docs"
