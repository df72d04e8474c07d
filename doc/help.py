"""Build the pages that F1 opens, and put them into the package.

    python doc/help.py

Sphinx builds the pages of the widgets, without the theme of the manual. The pages,
an index in which Orange looks them up, and their pictures are committed and shipped.
`_help/sources.sha256` is the digest of the sources they were built from.
"""

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

DOC = Path(__file__).parent
HELP = DOC.parent / "orangecontrib" / "sadd" / "widgets" / "help"
DIGEST = DOC / "_help" / "sources.sha256"
INDEX = """<!DOCTYPE html>
<html lang="en-GB"><head><meta charset="utf-8" /><title>Orange3-SADD</title></head>
<body><section id="widgets"><h1>Widgets</h1><ul>
{items}
</ul></section></body></html>
"""


def pages():
    """Return the sources of the pages, in the order of the manual."""
    return [DOC / f"{name}.md" for name in re.findall(
        r"^(widgets/\S+)$", (DOC / "index.md").read_text(encoding="utf-8"), re.M)]


def pictures():
    """Return the pictures in the pages."""
    names = {name for page in pages() for name in re.findall(
        r"\.\./images/([\w.-]+)", page.read_text(encoding="utf-8"))}
    return [DOC / "images" / name for name in sorted(names)]


def digest():
    """Return the digest of all sources, with any line endings."""
    texts = [path.read_text(encoding="utf-8").encode()
             for path in (DOC / "_help" / "layout.html", *pages())]
    contents = [*texts, *(path.read_bytes() for path in pictures())]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def main():
    """Build the pages and replace those in the package."""
    from sphinx.cmd.build import build_main

    with tempfile.TemporaryDirectory() as folder:
        html = Path(folder) / "html"
        if build_main(["-q", "-E", "-W", "-t", "help", "-d", f"{folder}/doctrees",
                       str(DOC), str(html)]):
            raise SystemExit("Sphinx has failed.")
        shutil.rmtree(HELP, ignore_errors=True)
        shutil.copytree(html / "widgets", HELP / "widgets")
        (HELP / "_images").mkdir()
        for picture in pictures():
            shutil.copy(html / "_images" / picture.name, HELP / "_images")
    items = []
    for page in pages():
        title = re.search("^# (.+)$", page.read_text(encoding="utf-8"), re.M)[1]
        items.append(f'<li><a href="widgets/{page.stem}.html">{title}</a></li>')
    (HELP / "index.html").write_text(
        INDEX.format(items="\n".join(items)), encoding="utf-8")
    DIGEST.write_text(f"{digest()}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
