"""Lets listed tests of peers fail, and gives tests what their own suites do."""

from pathlib import Path

import pytest


def pytest_generate_tests(metafunc):
    if "disagreement" in metafunc.fixturenames:
        metafunc.parametrize("disagreement", metafunc.module.DISAGREEMENTS, ids=repr)


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            # A doctest has no module
            for disagreement in getattr(
                    getattr(item, "module", None), "DISAGREEMENTS", ()):
                if disagreement.concerns(item):
                    item.add_marker(pytest.mark.xfail(
                        reason=disagreement.reason, strict=True))


@pytest.fixture
def global_random_seed():
    """Return the default of scikit-learn's own suite."""
    return 42
