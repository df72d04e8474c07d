"""Semi-supervised adaptive discriminative discretization (SADD) for Orange.

`orangecontrib.sadd.core` is the scikit-learn API: arrays in, arrays out, without
Orange. ``python -m orangecontrib.sadd`` is the command line.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names, for type checkers
    from orangecontrib.sadd.classification import (
    AIWNBLearner,
    CAWNBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
    from orangecontrib.sadd.discretize import (
    CACC,
    CAIM,
    FFD,
    MDLP,
    PKID,
    SADD,
    ChiMerge,
    SADDDiscretize,
)
    from orangecontrib.sadd.models import WeightedNaiveBayesModel

    __version__: str

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

# In full, as type checkers want it
__all__ = [
    "CACC", "CAIM", "FFD", "MDLP", "PKID", "SADD", "AIWNBLearner", "CAWNBLearner",
    "ChiMerge", "RNBLearner", "RNBPlusLearner", "SADDDiscretize", "WANBIALearner",
    "WeightedNaiveBayesModel",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("Orange3-SADD")
    if name in _EXPORTS:
        value = getattr(import_module(f"{__name__}.{_EXPORTS[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
