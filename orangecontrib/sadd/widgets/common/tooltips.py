"""Tooltips that are not wider than a paragraph: Qt does not wrap plain text."""

import textwrap

__all__ = ["wrap_tip"]

# Characters in a line
WIDTH = 72


def wrap_tip(text):
    """
    Return a text in lines that are short enough for a tooltip.

    Examples
    --------
    >>> print(wrap_tip("A name\\n" + "word " * 16))
    A name
    word word word word word word word word word word word word word word
    word word
    """
    return "\n".join(textwrap.fill(line, WIDTH, break_on_hyphens=False)
                     for line in text.split("\n"))
