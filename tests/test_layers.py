"""The architecture: who may import whom, read from the source of every module."""

import ast
import re
from graphlib import TopologicalSorter

import pytest

from tests.shared import ROOT

PACKAGE = "orangecontrib.sadd"
SOURCE = ROOT / "orangecontrib" / "sadd"

# From the bottom up. "scripting" are the modules beside the subpackages, with classes
# for Orange scripts; "" is the package itself, which exports them. A module imports
# only from its own layer and from those before it.
LAYERS = (
    "core", "scripting", "", "explain", "evaluation", "cli", "widgets", "workflows",
    "__main__",
)
QT = {"AnyQt", "orangewidget", "orangecanvas", "Orange.widgets", "Orange.canvas"}
BINDINGS = {"PyQt5", "PyQt6", "PySide2", "PySide6"}
MACHINE_PATH = re.compile(r"/(work|farm|tmp|root|home)/[a-z]")


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imports(name):
    """Names of the modules that module `name` imports, inside functions too.

    ``from a import b`` counts as ``a.b`` if that is a module of ours.
    """
    path = MODULES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                parents = parents[: len(parents) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in MODULES or base == "Orange" else base


def layer(name):
    """The layer of a module of ours, as a name in LAYERS."""
    top = name.removeprefix(PACKAGE).lstrip(".").partition(".")[0]
    is_scripting = top != "__main__" and (SOURCE / f"{top}.py").exists()
    return "scripting" if is_scripting else top


def is_in(name, packages):
    return any(name == p or name.startswith(p + ".") for p in packages)


@pytest.mark.parametrize("name", MODULES)
def test_is_in_a_layer(name):
    assert layer(name) in LAYERS


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_downwards(name):
    rank = LAYERS.index(layer(name))
    upwards = [
        other
        for other in imports(name)
        if is_in(other, [PACKAGE]) and LAYERS.index(layer(other)) > rank
    ]
    assert upwards == []


def test_imports_have_no_cycles():
    graph = {
        name: {other for other in imports(name) if other in MODULES and other != name}
        for name in MODULES
    }
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("name", [name for name in MODULES if layer(name) == "core"])
def test_core_knows_no_orange(name):
    foreign = {"Orange", "orangecontrib"} | QT
    own = f"{PACKAGE}.core"
    found = [o for o in imports(name) if is_in(o, foreign) and not is_in(o, [own])]
    assert found == []


@pytest.mark.parametrize("name", [name for name in MODULES if layer(name) != "widgets"])
def test_only_widgets_know_qt(name):
    assert [other for other in imports(name) if is_in(other, QT)] == []


@pytest.mark.parametrize("name", MODULES)
def test_qt_is_reached_through_anyqt(name):
    assert [other for other in imports(name) if is_in(other, BINDINGS)] == []


@pytest.mark.parametrize("name", MODULES)
def test_dask_is_an_extra(name):
    cluster = f"{PACKAGE}.core.cluster"
    found = [other for other in imports(name)
             if is_in(other, {"dask", "distributed", "pyarrow"})]
    assert found == [] or is_in(name, [cluster])
    # This is imported with the core, which works without Dask
    if name == cluster:
        assert found == []


def test_core_imports_follow_its_map():
    """The table in its docstring is in order, apart from `cluster`, an extra."""
    core = f"{PACKAGE}.core"
    rows = ast.get_docstring(ast.parse(MODULES[core].read_text(encoding="utf-8")))
    order = [name for row in rows.splitlines() for name in re.findall(
        r"`(\w+)`", row[:28])]
    parts = {name: name.split(".")[3] for name in MODULES if is_in(name, [core])
             and name != core}
    assert {*order} == {*parts.values()}
    upwards = [
        f"{name} imports {other}" for name, part in parts.items()
        for other in imports(name) if other in parts and parts[other] != "cluster"
        and order.index(parts[other]) > order.index(part)
    ]
    assert upwards == []


def test_contributing_knows_where_things_live():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("### Where things live")[2].partition("\n## ")[0]
    places = [place for row in table.splitlines() if row.startswith("| ")
              for place in re.findall("`([^`]+)`", row.split("|")[2])]
    assert len(places) > 20
    assert [place for place in places if not any(
        (folder / f"{place}{suffix}").exists()
        for folder in (SOURCE, ROOT) for suffix in ("", ".py"))] == []


def test_walks_and_map_name_what_exists():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walks = text.partition("### Five walks")[2].partition("\n### ")[0]
    sources = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}
    core = ast.get_docstring(ast.parse(sources[f"{PACKAGE}.core"]))
    known = {part for name in MODULES for part in name.split(".")} | {
        name for source in sources.values()
        for name in re.findall(r"^ *(?:def|class) (\w+)", source, re.MULTILINE)}
    for description in (walks, core):
        names = re.findall(r"`([\w.]+)`", description)
        assert len(names) > 25
        assert [name for name in names if not {*name.split(".")} <= known
                and not (SOURCE / name).exists() and name != "report.html"] == []


def test_orangecontrib_is_a_namespace():
    assert not (ROOT / "orangecontrib" / "__init__.py").exists()


def text_files():
    """Files of ours that may be committed, without those of tools and builds."""
    for path in ROOT.iterdir():
        # Each worker of a test run writes coverage data, which hold paths.
        if path.is_file() and not path.name.startswith(".coverage"):
            yield path
    for folder in (".ci", ".github", "benchmarks", "doc", "orangecontrib", "tests"):
        for path in (ROOT / folder).rglob("*"):
            generated = {"__pycache__", "_build"} & set(path.parts)
            if path.is_file() and not generated and path.suffix != ".svg":
                yield path


def test_no_path_of_a_machine():
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in text_files()
        for line in path.read_text(encoding="utf-8", errors="ignore").splitlines()
        if MACHINE_PATH.search(line)
    ]
    assert found == []
