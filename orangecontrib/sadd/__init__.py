"""Semi-supervised adaptive discriminative discretization (SADD) for Orange.

`orangecontrib.sadd.core` is the scikit-learn API: arrays in, arrays out, without
Orange. ``python -m orangecontrib.sadd`` is the command line.
"""

import ast
from importlib import import_module
from pkgutil import get_data

# Names of this package, each with the module that defines it. They are imported at
# their first use (PEP 562), because importing `orangecontrib.sadd.core` runs this file
# and must not import Orange. `__init__.pyi` lists them; type checkers read it as well.
_EXPORTS = {
    alias.name: statement.module
    for statement in ast.parse(get_data(__name__, "__init__.pyi")).body
    if isinstance(statement, ast.ImportFrom) for alias in statement.names}

__all__ = sorted(_EXPORTS)


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import version

        return version("Orange3-SADD")
    if name in _EXPORTS:
        value = getattr(import_module(_EXPORTS[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__, "__version__"})
