"""Extension of Sphinx that draws formulas as SVG when the manual is built.

Pages need no script, no fonts and no network. matplotlib draws the formulas, so TeX is
not needed. A formula with something that matplotlib does not know is an error.
"""

import html
import re
import zlib
from io import BytesIO

import matplotlib
from docutils.nodes import SkipNode
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import math_to_image

SIZE = 10  # points; the picture is then given in em
# What TeX has and matplotlib has not
REPLACED = {r"\!": "", r"\lvert": "|", r"\rvert": "|"}
# Identical pictures in each build
matplotlib.rcParams |= {"mathtext.fontset": "cm", "svg.hashsalt": "formulas"}


def drawn(text):
    """Return a formula as SVG in the colour of the text, with TeX for those who listen.

    Parameters
    ----------
    text : str
        TeX without dollar signs, a single line.
    """
    code = " ".join(text.split())
    for old, new in REPLACED.items():
        code = code.replace(old, new)
    file = BytesIO()
    depth = math_to_image(f"${code}$", file, FontProperties(size=SIZE), dpi=72,
                          format="svg", color="#123456")
    svg = file.getvalue().decode("utf-8")
    svg = svg[svg.index("<svg"):].replace("#123456", "currentColor")
    # A rule for the whole page, comments, and the figure's own background
    for part in ("<metadata>.*?</metadata>", "<style.*?</style>", "<!--.*?-->",
                 '<g id="patch_1">.*?</g>'):
        svg = re.sub(part, "", svg, flags=re.DOTALL)
    # Names would be the same in each picture
    prefix = f"f{zlib.crc32(code.encode()):x}-"
    svg = re.sub(r'(\bid="|href="#)', rf"\g<1>{prefix}", svg)
    svg = re.sub(r' (xmlns|version)(:\w+)?="[^"]*"', "", svg)
    svg = svg.replace("xlink:href", "href")
    width, height = map(float, re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"|$',
                                         svg).groups())
    head = (f'<svg class="formula" role="img" aria-label="{html.escape(text.strip())}" '
            f'viewBox="0 0 {width} {height}" style="width: {width / SIZE:.3f}em; '
            f'height: {height / SIZE:.3f}em; vertical-align: {-depth / SIZE:.3f}em">')
    svg = head + svg[svg.index(">") + 1:].strip()
    svg = " ".join(svg.split())
    return svg


def _visit_inline(self, node):
    self.body.append(drawn(node.astext()))
    raise SkipNode


def _visit_display(self, node):
    lines = map(drawn, re.split(r"\\\\\s", node.astext()))
    self.body.append(f'<p class="formula">{"<br>".join(lines)}</p>\n')
    raise SkipNode


def setup(app):
    """Add the extension to Sphinx."""
    app.add_html_math_renderer("svg", (_visit_inline, None), (_visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
