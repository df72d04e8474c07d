"""Formulas as pictures in the page: no LaTeX, no script, no request to the network.

Matplotlib sets the formula, and its outlines become a path in the colour of the text
that surrounds it. So it is the same in a browser, on a telephone, and in the old
Chromium of Orange's help, which knows no MathML.
"""

import functools
from html import escape

from docutils.nodes import SkipNode
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextToPath

__all__ = ["formula", "setup"]

# Outlines are in units of a hundredth of the font's size
UNITS = 100
COMMANDS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C",
            Path.CLOSEPOLY: "Z"}
MARGIN = 4


@functools.cache
def formula(latex):
    """
    Draw a formula.

    Parameters
    ----------
    latex : str
        A line in the subset of LaTeX that matplotlib knows.

    Returns
    -------
    str
        An ``svg`` element, as high as the formula in an environment of its font size.
    """
    text = f"${' '.join(latex.split())}$"
    font = FontProperties(size=UNITS, math_fontfamily="stix")
    setter = TextToPath()
    width, height, depth = setter.get_text_width_height_descent(
        text, font, ismath=True)
    vertices, codes = setter.get_text_path(font, text, ismath=True)
    scale = UNITS / setter.FONT_SCALE  # outlines are made for a font of another size
    path = Path(vertices, codes)
    outline = "".join(
        COMMANDS[code] + " ".join(f"{x:.4g}" for x in points * flip(points) * scale)
        if code != Path.CLOSEPOLY else "Z"
        for points, code in path.iter_segments(simplify=False, curves=True))
    # The formula stands on its baseline, y = 0, and the page's y goes down
    top, full = height - depth + MARGIN, height + 2 * MARGIN
    return (
        f'<svg class="formula" role="img" aria-label="{escape(latex, quote=True)}" '
        f'viewBox="0 {-top:.4g} {width:.5g} {full:.4g}" '
        f'style="width:{width / UNITS:.3f}em;height:{full / UNITS:.3f}em;'
        f'vertical-align:{-(depth + MARGIN) / UNITS:.3f}em">'
        f'<path fill="currentColor" d="{outline}"/></svg>')


def flip(points):
    """Signs by which coordinates are multiplied, since y goes down in a page."""
    return [1, -1] * (len(points) // 2)


def visit_inline(self, node):
    """Put a formula into a line."""
    self.body.append(formula(node.astext()))
    raise SkipNode


def visit_block(self, node):
    """Put the lines of a formula below each other."""
    self.body.append(self.starttag(node, "div", CLASS="math"))
    for line in node.astext().split(r"\\"):
        self.body.append(f"<div>{formula(line.strip())}</div>")
    self.body.append("</div>")
    raise SkipNode


def setup(app):
    """Register the renderer "svg" with Sphinx; conf.py chooses it."""
    app.add_html_math_renderer("svg", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
