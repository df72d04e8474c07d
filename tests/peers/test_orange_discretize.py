"""Orange's tests of discretization and of preprocessors, with ours in their place."""

from types import SimpleNamespace

from Orange.preprocess import discretize as oranges
from Orange.preprocess.discretize import Discretization

from orangecontrib.sadd import MDLP, SADD, SADDDiscretize
from orangecontrib.sadd.scripting.intervals import discretized_variable
from tests.orange.data import discretization_of
from tests.peers.peertests import (
    Disagreement,
    cases,
    load,
    test_listed,  # noqa: F401
)

ATTRIBUTES = "only attributes are discretized, not classes and metas"

DISAGREEMENTS = [
    Disagreement("TestDiscretizer.test_discretize_class", ATTRIBUTES),
    Disagreement("TestDiscretizer.test_discretize_metas", ATTRIBUTES),
    Disagreement("TestDiscretizeTable.test_fixed",
                 "equal width takes the range from the data only"),
]


class EqualWidth(Discretization):
    method = "EW"

    def __init__(self, n=4):
        self.n = n

    def __call__(self, data, attribute):
        return discretization_of(self.method, n_bins=self.n)(data, attribute)


class EqualFreq(EqualWidth):
    method = "EF"


class AnyDiscretizer(type(oranges.Discretizer)):
    """Each discretizer of Orange is also one of ours."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, oranges.Discretizer)


class Discretizer(oranges.Discretizer, metaclass=AnyDiscretizer):
    create_discretized_var = staticmethod(discretized_variable)


class DomainDiscretizer(oranges.DomainDiscretizer):
    def __init__(self, method=None, **parameters):
        super().__init__(method=method or EqualFreq(), **parameters)


for method in (MDLP, SADD):
    EntropyMDL = type("EntropyMDL", (method,), {})

    class Discretize(SADDDiscretize):
        def __init__(self, method=method.__name__, remove_const=True):
            super().__init__(method=method, remove_const=remove_const)

    peer = load(
        "Orange.tests.test_discretize",
        Orange__preprocess__discretize=SimpleNamespace(**{
            **vars(oranges), "EqualFreq": EqualFreq, "EqualWidth": EqualWidth,
            "EntropyMDL": EntropyMDL, "Discretizer": Discretizer,
            "DomainDiscretizer": DomainDiscretizer}),
        Orange__preprocess__Discretize=Discretize)
    # Not of bins with round numbers, of which there are none here
    globals().update(cases(
        peer, method.__name__, "TestEqualFreq", "TestEqualWidth", "TestEntropyMDL",
        "TestDiscretizer", "TestDiscretizeTable", "TestInstanceConversion"))
    peer = load(
        "Orange.tests.test_preprocess",
        Orange__preprocess__Discretize=Discretize,
        Orange__preprocess__EqualFreq=EqualFreq,
        Orange__preprocess__EqualWidth=EqualWidth,
        Orange__preprocess__EntropyMDL=EntropyMDL)
    globals().update(cases(peer, method.__name__, "TestReprs"))
