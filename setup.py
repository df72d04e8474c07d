"""The help in the distribution; all else about it is in pyproject.toml.

Orange looks for help in ``help/orange3-sadd`` below the prefix of the environment.
``make dist`` builds the manual first; a source distribution has it, so that a wheel
built from it has help, too.
"""

import sys
from pathlib import Path

from setuptools import setup

HELP = "help/orange3-sadd"
# Relative, as setuptools wants it: builds run in this folder
MANUAL = Path("doc", "_build", "html")


def help_files():
    """Give the files of the built manual, by the folder they are installed in."""
    files = {}
    for path in sorted(MANUAL.rglob("*")):
        parts = path.relative_to(MANUAL).parts
        # Neither sources of pages, nor what Sphinx keeps for its next run
        skipped = parts[0] == "_sources" or any(part[0] == "." for part in parts)
        if path.is_file() and not skipped:
            target = "/".join((HELP, *parts[:-1]))
            files.setdefault(target, []).append(path.as_posix())
    return list(files.items())


# In an editable installation, Orange finds the manual where it is built
manual = [] if "editable_wheel" in sys.argv else help_files()
if not manual and "bdist_wheel" in sys.argv:
    print("There is no manual in doc/_build/html, so the wheel will be without help; "
          "make docs builds it.", file=sys.stderr)

setup(data_files=manual)
