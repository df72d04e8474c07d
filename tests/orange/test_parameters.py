"""Parameters of Orange's classes, which are those of the estimators of core."""

import inspect
import sys

import pytest
from Orange.data import Table
from Orange.evaluation import CrossValidation

import orangecontrib.sadd
from orangecontrib.sadd import RNBLearner, RNBPlusLearner, SADDDiscretize
from orangecontrib.sadd.core import SADDDiscretizer, registry
from orangecontrib.sadd.core.parameters import parameters_of
from tests.orange.data import PlainTablesLearner

IRIS = Table("iris")
CLASSES = {name: getattr(orangecontrib.sadd, name)
           for name in orangecontrib.sadd.__all__ if not name.endswith("Model")}


@pytest.mark.parametrize("name", CLASSES)
def test_every_argument_is_documented_and_has_the_default_of_core(name):
    cls = CLASSES[name]
    declared, core = parameters_of(cls), parameters_of(SADDDiscretizer)
    arguments = inspect.signature(cls).parameters
    assert list(arguments) == [parameter.name for parameter in declared.values()]
    assert cls.__doc__.count("\nParameters\n----------\n") <= 1
    for parameter in declared.values():
        assert f"\n{parameter.name} : {parameter.kind}\n" in cls.__doc__
        assert arguments[parameter.name].default == parameter.default
        if name == "SADD":
            assert core[parameter.name].default == parameter.default
    assert all(not parameter.valid or parameter.is_valid(parameter.default)
               for parameter in declared.values())


@pytest.mark.parametrize("learner, preprocessor", [
    (RNBPlusLearner(unlabelled=IRIS), None),
    (RNBLearner("SADD", IRIS, max_intervals=3), None),
    (PlainTablesLearner(unlabelled=IRIS, labeller="neighbours"), None),
    (RNBLearner("SADD"), SADDDiscretize(IRIS))])
def test_a_fold_makes_one_discretizer_and_looks_once(
        learner, preprocessor, monkeypatch):
    made, looked = [], []
    make, look = SADDDiscretizer.__init__, registry.find_method

    def count_made(self, *args, **kwargs):
        made.append(self)
        make(self, *args, **kwargs)

    def count_looked(name):
        looked.append(name)
        return look(name)

    monkeypatch.setattr(SADDDiscretizer, "__init__", count_made)
    for module in list(sys.modules.values()):
        if getattr(module, "find_method", None) is look:
            monkeypatch.setattr(module, "find_method", count_looked)
    CrossValidation(k=3)(IRIS[::3], [learner], preprocessor=preprocessor)
    assert len(made) == len(looked) == 3
