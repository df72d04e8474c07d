"""Semi-supervised adaptive discriminative discretization (SADD) for Orange.

`orangecontrib.sadd.core` is the scikit-learn API: arrays in, arrays out, without
Orange. ``orange-sadd`` is the command line.
"""

from orangecontrib.sadd.core.lazynames import lazy_names

# Importing `orangecontrib.sadd.core` runs this file and must not import Orange
__all__, _get, _dir = lazy_names(__name__)


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import version

        return version("Orange3-SADD")
    return _get(name)


def __dir__():
    return [*_dir(), "__version__"]
