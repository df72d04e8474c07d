"""Fonts of pictures, so that they are the same everywhere and no sign is missing.

Letters are those of DejaVu Sans, which comes with matplotlib. It lacks the squared
letters by which Orange tells in the status bar that a learner or a model was sent, and
few machines have a font with them: they are made of DejaVu's letters, with a frame.
"""

import functools
import tempfile
from pathlib import Path
from string import ascii_uppercase

import matplotlib
from AnyQt.QtGui import QFont, QFontDatabase
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

__all__ = ["picture_font"]

DEJAVU = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
SQUARED = "Squared Letters"
FIRST = 0x1F130  # SQUARED LATIN CAPITAL LETTER A
SIZE = 9


@functools.cache
def picture_font():
    """Install the fonts, and give that of pictures."""
    QFontDatabase.addApplicationFont(str(DEJAVU))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "squared.ttf")
        make_squared_letters(path)
        QFontDatabase.addApplicationFontFromData(path.read_bytes())
    QFont.insertSubstitution("DejaVu Sans", SQUARED)
    return QFont("DejaVu Sans", SIZE)


def make_squared_letters(path):
    """Write a font with the letters A to Z in frames."""
    source = TTFont(DEJAVU)
    em, cap = source["head"].unitsPerEm, source["glyf"]["H"].yMax
    names = [".notdef", *(f"squared{letter}" for letter in ascii_uppercase)]
    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    for letter, name in zip(ascii_uppercase, names[1:], strict=True):
        glyphs[name] = framed(source.getGlyphSet(), letter, em, cap)
    builder = FontBuilder(em, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(
        {FIRST + index: name for index, name in enumerate(names[1:])})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (em, em // 12) for name in names})
    ascent, descent = source["hhea"].ascent, source["hhea"].descent
    builder.setupHorizontalHeader(ascent=ascent, descent=descent)
    builder.setupNameTable({"familyName": SQUARED, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=ascent, sTypoDescender=descent,
                     usWinAscent=ascent, usWinDescent=-descent)
    builder.setupPost()
    builder.save(path)


def framed(letters, letter, em, cap):
    """A letter in a frame."""
    pen = TTGlyphPen(None)
    low, high, left, right = -em // 8, cap + em // 8, em // 12, em - em // 12
    line = em // 16
    for inset, clockwise in ((0, True), (line, False)):
        corners = [(left + inset, low + inset), (left + inset, high - inset),
                   (right - inset, high - inset), (right - inset, low + inset)]
        first, *others = corners if clockwise else corners[::-1]
        pen.moveTo(first)
        for corner in others:
            pen.lineTo(corner)
        pen.closePath()
    scale = .72
    x = (em - letters[letter].width * scale) / 2
    y = (low + high - cap * scale) / 2
    letters[letter].draw(TransformPen(pen, (scale, 0, 0, scale, x, y)))
    return pen.glyph()
