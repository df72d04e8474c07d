"""Type hints of the public API: they are there, and mypy agrees with them."""

import importlib
import inspect
import subprocess
import sys

import numpy as np
import pytest

import orangecontrib.sadd
from orangecontrib.sadd import core
from tests import typed_script
from tests.shared import ROOT
from tests.test_layers import MODULES

PACKAGE = "orangecontrib.sadd"
# Whose names in __all__ are public, besides those of the package and of its core
PUBLIC = [
    *(name for name in MODULES
      if name.startswith((f"{PACKAGE}.cli.", f"{PACKAGE}.evaluation."))
      and name != f"{PACKAGE}.evaluation.report"),
    *(f"{PACKAGE}.{name}" for name in (
        "core.registry", "classification", "cutting", "discretize", "intervals",
        "labelling", "learner_base", "models", "preprocessors", "tablefiles",
        "tables")),
]


def public_objects():
    """Names and objects of the public API that are functions and classes."""
    for module in (orangecontrib.sadd, core, *map(importlib.import_module, PUBLIC)):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) or inspect.isclass(value):
                yield f"{module.__name__}.{name}", value


def signatures(value):
    """Functions of an object: itself, or the public methods of a class of ours."""
    if inspect.isfunction(value):
        yield value.__name__, value
        return
    for cls in value.__mro__:
        if not cls.__module__.startswith(PACKAGE) or cls.__name__ == "EstimatorMixin":
            continue
        for name, member in vars(cls).items():
            if isinstance(member, property):
                member = member.fget
            if isinstance(member, classmethod | staticmethod):
                member = member.__func__
            # Those that dataclass and NamedTuple write have no source
            if inspect.isfunction(member) and member.__module__ == cls.__module__ \
                    and (not name.startswith("_") or name in ("__init__", "__call__")) \
                    and not member.__code__.co_filename.startswith("<"):
                yield f"{cls.__name__}.{name}", member


OBJECTS = dict(public_objects())


@pytest.mark.parametrize("name", OBJECTS)
def test_has_hints(name):
    missing = []
    for where, function in signatures(OBJECTS[name]):
        parameters = list(inspect.signature(function).parameters.values())
        if parameters and parameters[0].name in ("self", "cls"):
            del parameters[0]
        hints = function.__annotations__
        missing += [f"{where}: {parameter.name}" for parameter in parameters
                    if parameter.name not in hints]
        missing += [] if "return" in hints else [f"{where}: return"]
    assert missing == []


def test_lazy_names_are_those_for_type_checkers():
    names = orangecontrib.sadd.__all__
    assert {"NBLearner", "RNBPlusLearner", "SADD"} <= {*names}
    for name in names:
        assert getattr(orangecontrib.sadd, name).__name__ == name
    stub = (ROOT / "orangecontrib" / "sadd" / "__init__.pyi").read_text()
    # "import name as name" exports a name for type checkers
    assert stub.count(" as ") == len(names)
    for name in names:
        assert f" import {name} as {name}\n" in stub


def test_hints_are_marked_as_such():
    assert (ROOT / "orangecontrib" / "sadd" / "py.typed").read_text() == ""


def test_script_runs():
    X = np.repeat(np.arange(40.0), 2).reshape(40, 2)
    y = np.repeat([0, 1], 20)
    y[::4] = -1
    assert all(len(cuts) for cuts in typed_script.discretize(X, y))
    assert set(typed_script.classify(X, y)) == {0, 1}
    assert len(typed_script.methods()) == 9
    assert typed_script.scripting()[2] == orangecontrib.sadd.__version__


@pytest.mark.parametrize(["wrong", "message"], [
    ("SADDDiscretizer(k='some')", '"k" to "SADDDiscretizer"'),
    ("RNBPlusClassifier(max_iter=[1])", '"max_iter" to "RNBPlusClassifier"'),
    ("SADDDiscretizer().fit()", 'Missing positional argument "X"'),
    ("make_discretizer(3)", 'to "make_discretizer"'),
])
def test_mistakes_are_found(wrong, message, tmp_path):
    script = tmp_path / "script.py"
    names = wrong.partition("(")[0]
    script.write_text(f"from orangecontrib.sadd.core import {names}\n{wrong}\n")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml",
         "--cache-dir", ROOT / ".mypy_cache", "--follow-imports", "silent", script],
        cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    assert message in result.stdout
