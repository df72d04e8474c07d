"""Ties: numbers that differ by rounding only must be equal.

Where ties go to the first, rounding must not decide which one that is: it depends on
the order of the classes, for instance.
"""

__all__ = ["tie_keys"]


def tie_keys(tolerance):
    """
    Return a function that maps numbers that are equal up to a tolerance to one integer.

    Integers are in the order of the numbers.

    Examples
    --------
    >>> key = tie_keys(0.1)
    >>> key(3.0) == key(3.04) != key(4.0)
    True
    """
    known = set()

    def key(number):
        rounded = round(number / tolerance)
        # Equal numbers may be rounded to neighbouring integers; the one that was met
        # first stands for all three
        for near in (rounded, rounded - 1, rounded + 1):
            if near in known:
                return near
        known.add(rounded)
        return rounded

    return key
