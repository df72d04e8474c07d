"""Names of a package that are imported when they are first used (PEP 562)."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str
               ) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """
    Return `__all__`, `__getattr__` and `__dir__` of a package.

    Its stub, `__init__.pyi`, lists the names with their modules; type checkers read the
    stub as well.
    """
    stub = ast.parse(get_data(package, "__init__.pyi") or b"")
    modules = {
        alias.name: statement.module or "" for statement in stub.body
        if isinstance(statement, ast.ImportFrom) for alias in statement.names}
    content = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        content[name] = getattr(import_module(modules[name]), name)
        return content[name]

    return sorted(modules), get, lambda: sorted({*content, *modules})
