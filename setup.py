"""The compiled pages, the help and the README; all else is in pyproject.toml.

The pages are plain Python modules that Cython compiles. Without a C compiler, the
package is built without them, and the same modules run interpreted, many times slower.
If the variable `SADD_REQUIRE_COMPILED` is set, a missing compiler is an error.

Orange looks for help in ``help/orange3-sadd`` below the prefix of the environment.
This is the manual if `make docs` has built it, as `make dist` does. Otherwise it is the
pages of the widgets alone, which every build makes from their sources, without Orange,
Qt or Sphinx, so that F1 works however the add-on was installed. `python setup.py help`
makes only these, which `make canvas` runs if they are missing or out of date.
"""

import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from setuptools import Extension, setup

# The modules that are compiled
PAGES_OF_CODE = ["orangecontrib/sadd/core/splitting/_tree.py",
                 "orangecontrib/sadd/core/bayes/_aiwnb.py",
                 "orangecontrib/sadd/core/bayes/_objective.py"]
REQUIRED = bool(os.environ.get("SADD_REQUIRE_COMPILED"))

HELP = "help/orange3-sadd"
# Relative, as setuptools wants it: builds run in this folder
DOC = Path("doc")
MANUAL = DOC / "_build" / "html"
PAGES = DOC / "_build" / "help"

TEMPLATE = """<!DOCTYPE html>
<html lang="en-GB"><head><meta charset="utf-8" /><title>{title}</title><style>
body {{ font-family: sans-serif; line-height: 1.5; max-width: 46em; margin: 2em auto;
        padding: 0 1em; }}
img {{ max-width: 100%; }}
</style></head><body>
{body}
</body></html>
"""


def render_page(source, numbers, pages):
    """Return title and HTML of the page of a widget.

    Names in the widget become bold; callouts become their number in the picture; links
    to pages of the manual that are not here become text.
    """
    text = source.read_text(encoding="utf-8")
    # A picture that is out of date must not keep anyone from installing
    text = re.sub(r"\{callout\}`(.+?)`",
                  lambda m: f"({numbers[m[1]]})" if m[1] in numbers else "", text)
    text = re.sub(r"\{control\}`(.+?)(?:\s*<\w+>)?`", r"**\1**", text)
    text = re.sub(r"(?<!!)\[([^]]+)\]\(([^):]+)\.md(#[^)]*)?\)",
                  lambda m: f"[{m[1]}]({m[2]}.html)" if m[2] in pages else m[1], text)
    markdown = MarkdownIt().use(front_matter_plugin).use(deflist_plugin)
    title = re.search("^# (.+)$", text, re.MULTILINE)[1]
    return title, TEMPLATE.format(title=title, body=markdown.render(text))


def render_pages():
    """Write the pages of the widgets, an index, and their pictures."""
    shutil.rmtree(PAGES, ignore_errors=True)
    (PAGES / "widgets").mkdir(parents=True)
    (PAGES / "images").mkdir()
    pictures = json.loads(
        (DOC / "images" / "manifest.json").read_text(encoding="utf-8"))["pictures"]
    sources = [DOC / entry["doc"] for _, entries in json.loads(
        (DOC / "widgets.json").read_text(encoding="utf-8")) for entry in entries]
    items = []
    for source in sources:
        widget = re.search(r"^widget: (\w+)$", source.read_text(encoding="utf-8"),
                           re.MULTILINE)[1]
        numbers = {part: number for picture in pictures.values()
                   if picture.get("widget") == widget
                   for number, part in enumerate(picture["callouts"], start=1)}
        title, html = render_page(source, numbers, {path.stem for path in sources})
        page = f"widgets/{source.stem}.html"
        (PAGES / page).write_text(html, encoding="utf-8")
        items.append(f'<li><a href="{page}">{title}</a></li>')
        for name in re.findall(r'src="\.\./images/([^"]+)"', html):
            shutil.copy(DOC / "images" / name, PAGES / "images")
    body = f'<section id="widgets"><h1>Widgets</h1><ul>{"".join(items)}</ul></section>'
    (PAGES / "index.html").write_text(
        TEMPLATE.format(title="Orange3-SADD", body=body), encoding="utf-8")


def extensions(scratch):
    """Return the compiled pages; C sources are written to a folder that goes away."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        if REQUIRED:
            raise
        return []
    pages = [Extension(path[:-3].replace("/", "."), [path], optional=not REQUIRED)
             for path in PAGES_OF_CODE if os.path.exists(path)]
    return cythonize(pages, build_dir=scratch, language_level=3)


def help_files(folder):
    """Return the files of the help, by the folder they are installed in."""
    files = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        # Neither sources of pages, nor what Sphinx keeps for its next run
        skipped = parts[0] == "_sources" or any(part[0] == "." for part in parts)
        if path.is_file() and not skipped:
            target = "/".join((HELP, *parts[:-1]))
            files.setdefault(target, []).append(path.as_posix())
    return list(files.items())


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


if {"bdist_wheel", "editable_wheel", "help"} & set(sys.argv):
    render_pages()
if "help" in sys.argv:
    sys.exit()
# In an editable installation, Orange finds the help where it is built
editable = "editable_wheel" in sys.argv
found = [] if editable else help_files(MANUAL if MANUAL.exists() else PAGES)
with tempfile.TemporaryDirectory() as scratch:
    # Nothing is left in the folder of a user who runs pip install .
    options = {"build": {"build_base": scratch}}
    if "sdist" not in sys.argv:
        options["egg_info"] = {"egg_base": scratch}
    compiled = [] if "sdist" in sys.argv else extensions(scratch)
    setup(ext_modules=compiled, data_files=found, options=options, long_description=long_description(),
          long_description_content_type="text/markdown")
