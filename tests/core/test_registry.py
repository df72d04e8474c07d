"""The tables of discretizers and classifiers."""

import subprocess
import sys
from pathlib import Path

import pytest

from orangecontrib.sadd import core
from orangecontrib.sadd.core.registry import CLASSIFIERS


@pytest.mark.parametrize("name", CLASSIFIERS)
class TestClassifiers:
    def test_parameters_have_the_defaults_of_the_estimator(self, name):
        method = CLASSIFIERS[name]
        assert method.name == name
        assert method.description.endswith(".")
        estimator = method.make()
        for parameter in method.parameters:
            assert estimator.get_params()[parameter.name] == parameter.default
            if parameter.title:
                for number in (parameter.lowest, parameter.highest):
                    method.make(**{parameter.name: number}).check_parameters()


def test_classifiers_are_those_of_the_paper():
    assert list(CLASSIFIERS) \
        == ["NB", "WANBIA", "CAWNB", "AIWNB eager", "AIWNB lazy", "RNB"]
    assert len({repr(method.make()) for method in CLASSIFIERS.values()}) == 6


def test_discretizers_do_not_import_naive_bayes():
    """Without the package's own module, which exports the classifiers as well."""
    code = """
import sys, types
for name, path in (("orangecontrib.sadd", sys.argv[1]),
                   ("orangecontrib.sadd.core", sys.argv[1] + "/core")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [path]
import orangecontrib.sadd.core.discretizers
print([name for name in sys.modules if "bayes" in name and "sklearn" not in name])
"""
    folder = Path(core.__file__).parent.parent
    found = subprocess.run([sys.executable, "-c", code, str(folder)], check=True,
                           capture_output=True, text=True)
    assert found.stdout.strip() == "[]"
