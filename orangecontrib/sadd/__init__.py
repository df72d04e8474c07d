"""Semi-supervised adaptive discriminative discretization (SADD) for Orange.

`orangecontrib.sadd.core` is the scikit-learn API: arrays in, arrays out, without
Orange. ``python -m orangecontrib.sadd`` is the command line.
"""

from importlib import import_module

# Names exported from this package, each with the submodule that defines it. They are
# imported when first asked for (PEP 562), because importing `orangecontrib.sadd.core`
# runs this file and must not pull in Orange.
_EXPORTS: dict[str, str] = {
    "SADD": "discretize",
    "MDLP": "discretize",
    "CAIM": "discretize",
    "CACC": "discretize",
    "ChiMerge": "discretize",
    "PKID": "discretize",
    "FFD": "discretize",
    "SADDDiscretize": "discretize",
    "RNBPlusLearner": "classification",
    "RNBLearner": "classification",
    "WANBIALearner": "classification",
    "CAWNBLearner": "classification",
    "AIWNBLearner": "classification",
    "WeightedNaiveBayesModel": "models",
}

__all__ = [*_EXPORTS]


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import version

        return version("Orange3-SADD")
    if name in _EXPORTS:
        value = getattr(import_module(f"{__name__}.{_EXPORTS[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__, "__version__"})
