"""Compiled pages as they run without a compiler, and without Cython."""

import importlib.util
import sys
from pathlib import Path
from unittest.mock import patch

__all__ = ["interpreted"]


def interpreted(page):
    """Return a compiled page as a plain Python module."""
    path = Path(page.__file__)
    source = path.with_name(f"{path.name.partition('.')[0]}.py")
    spec = importlib.util.spec_from_file_location(page.__name__, source)
    module = importlib.util.module_from_spec(spec)
    with patch.dict(sys.modules, {"cython": None}):  # cannot be imported
        spec.loader.exec_module(module)
    return module
