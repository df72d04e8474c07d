"""Parameters of estimators, which are declared once."""

import inspect

import pytest

from orangecontrib.sadd.core.parameters import parameters_of
from tests.core.checks import ESTIMATORS


@pytest.mark.parametrize("name", ESTIMATORS)
class TestDeclarations:
    def test_every_argument_is_declared_and_documented(self, name):
        cls = type(ESTIMATORS[name])
        declared = parameters_of(cls)
        arguments = inspect.signature(cls).parameters
        assert set(declared) == set(arguments)
        for parameter in declared.values():
            assert arguments[parameter.name].default == parameter.default
            assert f"\n{parameter.name} : {parameter.kind}\n" in cls.__doc__
            assert parameter.description.endswith(".")
        assert cls.__doc__.count("\nParameters\n----------\n") == 1

    def test_defaults_are_valid_and_wrong_values_are_explained(self, name):
        cls = type(ESTIMATORS[name])
        cls().check_parameters()
        for parameter in parameters_of(cls).values():
            if parameter.valid:
                assert parameter.is_valid(parameter.default)
                with pytest.raises(ValueError, match=(
                        f"^The '{parameter.name}' parameter of {cls.__name__} must be "
                        r".+\. Got <object object at .*> instead\.$")):
                    cls(**{parameter.name: object()}).check_parameters()


def test_numbers_beyond_64_bits_are_refused():
    cls = type(ESTIMATORS["FFD"])
    with pytest.raises(ValueError, match="frequency must be .* at most 64 bits"):
        cls(frequency=2 ** 70).check_parameters()
