"""Examples in docstrings and in the README do what they show."""

import doctest
import re
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO

import pytest

from tests.shared import ROOT
from tests.test_layers import MODULES

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize(
    "name", [name for name in MODULES if not name.endswith(".__main__")]
)
def test_module(name):
    assert doctest.testmod(import_module(name), optionflags=FLAGS).failed == 0


def test_readme():
    """Each Python block of the README prints the text block that follows it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pairs = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", readme, re.DOTALL)
    assert len(pairs) == readme.count("```python") > 0
    for script, expected in pairs:
        output = StringIO()
        with redirect_stdout(output):
            exec(script, {"__name__": "readme"})
        assert output.getvalue() == expected
