"""Take the pictures of the documentation.

Usage: ``python doc/pictures.py [--all | --check | --gallery FOLDER] [name ...]``

Takes those that are missing or that do not show what is there now; with ``--all``, all
of them; with ``--check``, none: it only tells their names. Data is made or comes with
Orange, so everybody gets the same pictures, but for fonts. ``--gallery`` puts more
pictures of the widgets, in odd states, into a folder: to be looked at, not to be kept.
No screen is needed.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from tools import manifest
from tools.architecture import ARCHITECTURE
from tools.canvases import CANVASES
from tools.figures import FIGURES
from tools.offscreen import application
from tools.windows import GALLERY, WINDOWS

PICTURES = {picture.name: picture for picture in (
    *WINDOWS, *CANVASES, *FIGURES, ARCHITECTURE)}


def outdated():
    """Return the names of pictures that are missing or out of date."""
    known = manifest.load()["pictures"]
    return [name for name, picture in PICTURES.items()
            if not (manifest.IMAGES / name).exists()
            or known.get(name) != picture.facts()]


def main(argv=None):
    """Run the command, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="take all of them anew")
    parser.add_argument("--check", action="store_true",
                        help="list those out of date; the exit status is 1 then")
    parser.add_argument("--gallery", metavar="FOLDER", type=Path,
                        help="take pictures of odd states, to be looked at")
    parser.add_argument("names", nargs="*", metavar="name", choices=[[], *PICTURES],
                        help="names of files to be taken anew")
    args = parser.parse_args(argv)
    application()
    if args.gallery:
        args.gallery.mkdir(exist_ok=True)
        for picture in GALLERY:
            picture.take().save(args.gallery / picture.name)
        return 0
    if args.check:
        names = outdated()
        print(*names, sep="\n")
        return int(bool(names))
    facts = {name: known for name, known in manifest.load()["pictures"].items()
             if name in PICTURES}
    for name in args.names or (PICTURES if args.all else outdated()):
        taken = PICTURES[name].take()
        taken.save(manifest.IMAGES / name)
        facts[name] = taken.facts
        print(f"taken: {name}")
    manifest.save(facts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
