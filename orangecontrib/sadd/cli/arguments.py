"""Types of arguments on the command line; wrong ones are told in a sentence."""

import argparse
import math
from collections.abc import Callable

__all__ = ["neighbours", "positive", "share", "whole"]


def whole(least: int) -> Callable[[str], int]:
    """
    Return a type of whole numbers.

    Parameters
    ----------
    least : int
        The smallest that is allowed.

    Examples
    --------
    >>> whole(2)("10")
    10
    """

    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a number of {least} or more is needed")
        return int(text)

    return number


def share(text: str) -> float:
    """Read a number above 0 and up to 1."""
    return _number(text, lambda number: 0 < number <= 1, "a share above 0, at most 1,")


def positive(text: str) -> float:
    """Read a number above 0."""
    return _number(text, lambda number: 0 < number < math.inf, "a number above 0")


def neighbours(text: str) -> str | int:
    """Read the number of neighbours, or ``auto``."""
    if text == "auto":
        return text
    try:
        return whole(1)(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            "auto or a number of 1 or more is needed"
        ) from None


def _number(text, good, wish):
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not good(number):
        raise argparse.ArgumentTypeError(f"{wish} is needed, not {text!r}")
    return number
