"""The tables of discretizers and classifiers."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from orangecontrib.sadd.core.registry import CLASSIFIERS

ROOT = Path(__file__).parent.parent.parent


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

    def test_estimator_predicts(self, name):
        X, y = load_iris(return_X_y=True)
        model = CLASSIFIERS[name].make("EW", unlabelled_label=None)
        assert model.discretizer == "EW"
        assert np.mean(model.fit(X, y).predict(X) == y) > 0.9


def test_classifiers_are_those_of_the_paper():
    assert list(CLASSIFIERS) \
        == ["NB", "WANBIA", "CAWNB", "AIWNB eager", "AIWNB lazy", "RNB"]
    assert len({repr(method.make()) for method in CLASSIFIERS.values()}) == 6


def test_discretizers_do_not_import_naive_bayes():
    code = """import sys
from orangecontrib.sadd.core import SADDDiscretizer
print([name for name in sys.modules if "bayes" in name and "sklearn" not in name])
"""
    found = subprocess.run([sys.executable, "-c", code], check=True,
                           capture_output=True, text=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"
