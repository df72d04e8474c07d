"""Files of cut points: written once, applied to any number of tables."""

import json
import math
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from orangecontrib.sadd.cli.endings import CommandError, reason_of
from orangecontrib.sadd.cli.outputs import new_files
from orangecontrib.sadd.core.discretizer_base import Discretizer

if TYPE_CHECKING:
    from Orange.data import ContinuousVariable

__all__ = ["SavedCuts", "SavedVariable", "check_columns", "first_few", "learned_cuts",
           "read_cuts", "write_cuts"]

FORMAT = "Orange3-SADD cut points"
VERSION = 1
TYPES = ("numeric", "time")


@dataclass(frozen=True)
class SavedVariable:
    """
    Cut points of a variable.

    Attributes
    ----------
    name : str
    type : str
        "numeric" or "time".
    cuts : tuple of float
        In increasing order; of time variables in seconds since 1970.
    information : float or None
        Mutual information of intervals and class, in bits.
    intervals : tuple of str or None
        Names of the intervals, None for the usual ones. In a file where numbers have
        fewer decimals, the same cuts would otherwise have other names.
    """

    name: str
    type: str
    cuts: tuple[float, ...]
    information: float | None = None
    intervals: tuple[str, ...] | None = None


@dataclass(frozen=True)
class SavedCuts:
    """
    Cut points of variables, and what they were learned from.

    Attributes
    ----------
    variables : tuple of SavedVariable
    about : dict
        Method, parameters, target, number of rows: for people, and not used when cuts
        are applied.
    """

    variables: tuple[SavedVariable, ...]
    about: dict = field(default_factory=dict)


def learned_cuts(estimator: Discretizer, variables: "Sequence[ContinuousVariable]",
                 cut_points: Sequence[np.ndarray], information: np.ndarray,
                 **about: object) -> SavedCuts:
    """
    Return cut points that were learned, as they are saved.

    Parameters
    ----------
    estimator : estimator
        What learned them.
    variables : sequence of ContinuousVariable
    cut_points : sequence of ndarray
    information : ndarray
        Mutual information in bits; NaN if it is not known.
    **about
        What else is to be known about them.

    Returns
    -------
    SavedCuts
    """
    # These import Orange, which takes a second, and --help does not need it
    from orangecontrib.sadd.cutting import method_of
    from orangecontrib.sadd.intervals import interval_names

    method = method_of(estimator)
    parameters = {parameter.name: getattr(estimator, parameter.name)
                  for parameter in method.parameters}
    return SavedCuts(tuple(
        SavedVariable(var.name, "time" if var.is_time else "numeric",
                      tuple(cuts.tolist()),
                      None if np.isnan(bits) else round(float(bits), 6),
                      interval_names(var, cuts.tolist()) if len(cuts) else None)
        for var, cuts, bits in zip(variables, cut_points, information, strict=True)),
        {"method": method.name, "parameters": parameters, **about})


def write_cuts(saved: SavedCuts, path: str, force: bool = False) -> None:
    """
    Write cut points as JSON.

    Parameters
    ----------
    saved : SavedCuts
    path : str
    force : bool
        Whether a file may be replaced.
    """
    # JSON has no infinity; such a cut separates infinite values
    variables = [
        {"name": var.name, "type": var.type,
         "cuts": [cut if math.isfinite(cut) else str(cut) for cut in var.cuts],
         "information": var.information, "intervals": var.intervals}
        for var in saved.variables]
    content = {"format": FORMAT, "version": VERSION, **saved.about,
               "variables": variables}
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    with new_files(path, force) as folder:
        (folder / "cuts").write_text(f"{text}\n", encoding="utf-8")


def check_columns(saved: SavedCuts, types: dict[str, str]) -> list[str]:
    """
    Check that cut points can be applied to a table.

    Parameters
    ----------
    saved : SavedCuts
    types : dict
        Type of each column: "numeric", "time", or anything else.

    Returns
    -------
    list of str
        A note, if some numeric columns have no cut points.

    Raises
    ------
    CommandError
        If a variable is missing, or of another type.

    Examples
    --------
    >>> saved = SavedCuts((SavedVariable("x", "numeric", (0.5,)),))
    >>> check_columns(saved, {"x": "numeric", "y": "numeric", "z": "text"})
    ['There are no cut points for y, which stay numeric.']
    """
    missing = [var.name for var in saved.variables if var.name not in types]
    if missing:
        raise CommandError("There are cut points for variables that are missing: "
                           f"{first_few(missing)}.")
    for var in saved.variables:
        if types[var.name] != var.type:
            raise CommandError(
                f"{var.name!r} is not of type {var.type}, as when it was cut.")
    known = {var.name for var in saved.variables}
    others = [name for name, kind in types.items()
              if kind in TYPES and name not in known]
    return [f"There are no cut points for {first_few(others)}, which stay numeric."] \
        if others else []


def first_few(names: list[str], most: int = 5) -> str:
    """
    List the first few names.

    Examples
    --------
    >>> first_few(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def read_cuts(path: str) -> SavedCuts:
    """
    Read cut points.

    Parameters
    ----------
    path : str

    Returns
    -------
    SavedCuts

    Raises
    ------
    CommandError
        If the file is not as `write_cuts` writes it. The message says what is wrong.
    """
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {reason_of(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {reason_of(error)}.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CommandError(f"{path} is not a file of cut points; --cuts writes one.")
    if content.get("version") != VERSION:
        raise CommandError(
            f"{path} is of version {content.get('version')} of the format; this "
            f"program reads version {VERSION}.")
    entries = content.get("variables")
    if not isinstance(entries, list):
        raise CommandError(f"{path} has no list of variables.")
    variables: dict[str, SavedVariable] = {}
    for number, entry in enumerate(entries, 1):
        try:
            var = _variable(entry)
        except ValueError as error:
            text = json.dumps(entry, ensure_ascii=False)[:80]
            text = text.encode("utf-8", "backslashreplace").decode("utf-8")
            raise CommandError(f"{path} has a variable without {error}: "
                               f"entry {number}, {text}.") from error
        if var.name in variables:
            raise CommandError(f"{path} has the variable {var.name} twice.")
        variables[var.name] = var
    return SavedCuts(tuple(variables.values()), {
        key: value for key, value in content.items()
        if key not in ("format", "version", "variables")})


def _variable(entry):
    """Return the variable in an entry; a ValueError names what it lacks."""
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise ValueError("a name")
    if entry.get("type") not in TYPES:
        raise ValueError("a type, numeric or time")
    cuts = entry.get("cuts")
    if not isinstance(cuts, list) or not all(map(_is_cut, cuts)):
        raise ValueError("cuts, numbers in increasing order")
    cuts = tuple(map(float, cuts))
    if not all(low < high for low, high in zip(cuts, cuts[1:], strict=False)):
        raise ValueError("cuts in increasing order")
    bits, names = entry.get("information"), entry.get("intervals")
    if bits is not None and (isinstance(bits, str) or not _is_cut(bits)):
        raise ValueError("information, a number or null")
    if names is not None:
        if not isinstance(names, list) or not all(map(_is_interval_name, names)) \
                or len(names) != len(cuts) + 1 \
                or len({name.strip() for name in names}) != len(names):
            raise ValueError("as many different names of intervals as there are")
        names = tuple(names)
    return SavedVariable(entry["name"], entry["type"], cuts, bits, names)


def _is_cut(value):
    """Return whether a value is a number; JSON holds infinite ones as texts."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value in ("inf", "-inf")
    return not math.isnan(value) if isinstance(value, float) \
        else abs(value) <= sys.float_info.max


def _is_interval_name(name):
    """Return whether Orange can write a name, and read it as a value again."""
    from Orange.data.variable import MISSING_VALUES

    return isinstance(name, str) and name.strip() not in MISSING_VALUES and \
        not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name)
