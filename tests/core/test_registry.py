"""The tables of discretizers and classifiers."""

import subprocess
import sys
from pathlib import Path

import pytest

from orangecontrib.sadd.core.registry import CLASSIFIERS, DISCRETIZERS, make_discretizer

ROOT = Path(__file__).parent.parent.parent


def test_methods_are_those_of_the_paper():
    assert set(DISCRETIZERS) >= {
        "SADD", "MDLP", "CAIM", "CACC", "ChiMerge", "EW", "EF", "PKID", "FFD"}
    assert set(CLASSIFIERS) >= {
        "NB", "WANBIA", "CAWNB", "AIWNB eager", "AIWNB lazy", "RNB"}
    made = {repr(method.make()) for method in CLASSIFIERS.values()}
    assert len(made) == len(CLASSIFIERS)


@pytest.mark.parametrize("table, name", [
    (table, name) for table in (DISCRETIZERS, CLASSIFIERS) for name in table])
def test_controls_offer_valid_values(table, name):
    method = table[name]
    assert method.name == name
    assert method.description.endswith(".")
    method.make().check_parameters()
    for name, parameter in method.parameters.items():
        assert parameter.description.endswith(".")
        for number in (parameter.lowest, parameter.highest, *(parameter.fitted or ())):
            if number is not None:
                method.make(**{name: number}).check_parameters()


def test_names_and_parameters_of_discretizers():
    assert make_discretizer("ew", n_bins=3).n_bins == 3
    for name in ("EWD", None, 3):
        with pytest.raises(ValueError, match="choose one of SADD, MDLP"):
            make_discretizer(name)


def test_discretizers_do_not_import_models():
    code = """import sys
from orangecontrib.sadd.core import SADDDiscretizer
print([name for name in sys.modules if "sadd.core.additive" in name])
"""
    found = subprocess.run([sys.executable, "-c", code], check=True,
                           capture_output=True, text=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"
