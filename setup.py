"""Build the compiled pages; everything else is in pyproject.toml.

The pages are plain Python modules that Cython compiles. Without a C compiler, the
package is built without them, and the same modules run interpreted, many times slower.
If the variable `SADD_REQUIRE_COMPILED` is set, a missing compiler is an error. With
`SADD_BOUNDSCHECK`, the pages check every index, for tests: build a copy of the sources.
"""

import os
import re
import tomllib
from pathlib import Path

from setuptools import Extension, setup

# Modules that are compiled
PAGES = ["orangecontrib/sadd/core/methods/_greedy.py",
         "orangecontrib/sadd/core/methods/_sort.py",
         "orangecontrib/sadd/core/methods/_tree.py",
         "orangecontrib/sadd/core/additive/_aiwnb.py",
         "orangecontrib/sadd/core/additive/_objective.py",
         "orangecontrib/sadd/core/additive/_places.py"]


def extensions():
    """Return an extension for each page."""
    optional = not os.environ.get("SADD_REQUIRE_COMPILED")
    # Python's own flags may ask for symbols of debuggers, four fifths of a module
    flags = [] if os.name == "nt" else ["-g0"]
    return [Extension(path[:-3].replace("/", "."), [path], optional=optional,
                      extra_compile_args=flags, extra_link_args=flags)
            for path in PAGES]


def long_description():
    """Return the README with links that work on a package index."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    source = project["project"]["urls"].get("Source")

    def absolute(match):
        bang, text, target = match.groups()
        if source:
            kind = "raw" if bang else "blob"
            return f"{bang}[{text}]({source}/{kind}/main/{target})"
        return "" if bang else text

    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"(!?)\[([^]]+)\]\((?!https?:)([^)]+)\)", absolute, text)


setup(
    ext_modules=extensions(),
    long_description=long_description(),
    long_description_content_type="text/markdown",
    # C sources are generated in the folder of object files
    options={"build_ext": {
        "cython_c_in_temp": True, "cython_include_dirs": ["."],
        "cython_directives": {
            "boundscheck": bool(os.environ.get("SADD_BOUNDSCHECK")),
            "wraparound": False, "initializedcheck": False, "cdivision": True,
            "infer_types": True, "language_level": 3}}},
)
