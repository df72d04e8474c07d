"""Tests of other packages, with our classes under the names of theirs.

A module of this folder loads a copy of a peer's test module, in which some names are
ours, and lets pytest collect the copy's tests. Its `DISAGREEMENTS` lists those that
fail, because ours means something else, with the reason: `conftest.py` expects a
listed test to fail, and every other one to pass.
"""

import importlib
import importlib.util
import inspect
from contextlib import ExitStack
from unittest.mock import patch

import pytest


class Disagreement:
    """
    A test, or some of its cases, of which our classes do not think the same.

    Parameters
    ----------
    test : str
        Name of a function, or of class and method: ``TestEqualWidth.test_const``; or
        ``*`` for all functions.
    reason : str
    ours : tuple of str
        Names of our classes that disagree; all of them if there is none.
    **parameters
        Values of parameters of the test that disagree; lists are alternatives.
    """

    def __init__(self, test, reason, *ours, **parameters):
        self.test, self.reason, self.ours = test, reason, ours
        self.parameters = {
            name: value if isinstance(value, list) else [value]
            for name, value in parameters.items()}

    def __repr__(self):
        return "-".join((self.test, *self.ours, *map(str, self.parameters.values())))

    def concerns(self, item):
        """Return whether a collected test is this one."""
        case, _, name = self.test.rpartition(".")
        if name not in ("*", item.originalname):
            return False
        if item.cls is not None:
            if case != getattr(item.cls, "peer", ""):
                return False
            if self.ours and item.cls.ours not in self.ours:
                return False
        given = item.callspec.params if hasattr(item, "callspec") else {}
        return all(name in given and any(given[name] is value or given[name] == value
                                         for value in values)
                   for name, values in self.parameters.items())


def load(name, **replaced):
    """
    Return a copy of a module of tests, in which some names are ours.

    Parameters
    ----------
    name : str
        Of the module.
    **replaced
        What to import instead, by its full name, with two underscores for a dot.

    Returns
    -------
    module
        The module of this folder is skipped if the peer does not ship its tests.
    """
    try:
        peer = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"the installed peer does not ship its tests: {error}",
                    allow_module_level=True)
    spec = importlib.util.spec_from_file_location(name, peer.__file__)
    copy = importlib.util.module_from_spec(spec)
    with ExitStack() as stack:
        for target, ours in replaced.items():
            stack.enter_context(patch(target.replace("__", "."), ours))
        spec.loader.exec_module(copy)
    return copy


def functions(module, ours=None):
    """
    Return the tests of a module that are functions, by name.

    Only those that are about a class of ours, if there is one: that name it, or have
    it for a parameter, instead of which they then get no other.
    """
    found = {}
    for name, test in vars(module).items():
        if not name.startswith("test_") or not inspect.isfunction(test):
            continue
        marks = getattr(test, "pytestmark", [])
        if ours is not None:
            chosen = [_only(mark, ours) for mark in marks]
            if chosen == marks and ours.__name__ not in test.__code__.co_names:
                continue
            test.pytestmark = chosen
        found[name] = test
    return found


def _only(mark, ours):
    if mark.name == "parametrize" and any(value is ours for value in mark.args[1]):
        return pytest.mark.parametrize(mark.args[0], [ours]).mark
    return mark


def cases(module, ours, *names):
    """Return the classes of tests of these names, as subclasses for one of ours."""
    return {f"{name}_{ours}": type(f"{name}_{ours}", (getattr(module, name),),
                                   {"peer": name, "ours": ours})
            for name in names if hasattr(module, name)}


def test_listed(disagreement, request):
    """Collected in each module: what it lists is there."""
    if not any(getattr(item, "module", None) is request.module
               and disagreement.concerns(item) for item in request.session.items):
        pytest.skip(f"the installed version has no test {disagreement}")
