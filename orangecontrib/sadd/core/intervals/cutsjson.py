"""Cut points as JSON: written once, read strictly, applied anywhere.

A file contains only data: texts, numbers and lists, each of them checked. Its entries
are those of `ABOUT`, and a list of variables with the attributes of `SavedVariable`.
"""

import json
import math
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["FORMAT", "VERSION", "SavedCuts", "SavedVariable",
           "are_labels", "from_text", "is_plain", "to_text"]

FORMAT = "Orange3-SADD cut points"
VERSION = 1
TYPES = ("numeric", "time", "categorical")

# Entries about all variables. The command line adds the last four, for people to read.
ABOUT = ("method", "parameters", "named", "classes",
         "target", "labelled_rows", "unlabelled_rows", "neighbours")


@dataclass(frozen=True)
class SavedVariable:
    """
    Cut points of a variable.

    Attributes
    ----------
    name : str
    type : str
        "numeric", "time" or "categorical".
    cuts : tuple of float
        In increasing order; of time variables in seconds since 1970.
    information : float or None
        Mutual information of intervals and class, in bits.
    intervals : tuple of str or None
        Names of the intervals, None for the usual ones. In a file where numbers have
        fewer decimals, the same cuts would otherwise have other names.
    missing : bool
        Whether missing values are an interval, the last one.
    range : tuple of float or None
        The least and the largest finite value.
    categories : tuple or None
        Values of a categorical variable.
    counts : tuple of tuple of float or None
        Weight of rows of each class in each interval, without missing values.
    missing_counts : tuple of float or None
        Weight of rows of each class whose value is missing.
    """

    name: str
    type: str
    cuts: tuple[float, ...]
    information: float | None = None
    intervals: tuple[str, ...] | None = None
    missing: bool = False
    range: tuple[float, ...] | None = None
    categories: tuple | None = None
    counts: tuple[tuple[float, ...], ...] | None = None
    missing_counts: tuple[float, ...] | None = None

    @classmethod
    def of(cls, name: str, type: str, cuts: Any, information: float,
           ends: np.ndarray, counts: np.ndarray | None, missing_counts: np.ndarray,
           **others: Any) -> "SavedVariable":
        """Return a variable given as arrays; NaN stands for a missing number."""
        return cls(
            name, type, tuple(np.asarray(cuts, dtype=np.float64).tolist()),
            None if np.isnan(information) else float(information),
            range=None if np.isnan(ends).any() else tuple(ends.tolist()),
            counts=None if counts is None else tuple(map(tuple, counts.tolist())),
            missing_counts=None if counts is None else tuple(missing_counts.tolist()),
            **others)


@dataclass(frozen=True)
class SavedCuts:
    """
    Cut points of variables, and the origin of the cut points.

    Attributes
    ----------
    variables : tuple of SavedVariable
    about : dict
        Method, parameters, classes, target, number of rows.
    """

    variables: tuple[SavedVariable, ...]
    about: dict = field(default_factory=dict)

    @property
    def cut_variables(self) -> tuple[SavedVariable, ...]:
        """The numeric variables, which are the ones with cuts."""
        return tuple(var for var in self.variables if var.type != "categorical")


def is_plain(value: object) -> bool:
    """Return whether JSON can hold a value, and not as a list or an object."""
    return isinstance(value, bool | int | str) \
        or isinstance(value, float) and math.isfinite(value)


def to_text(saved: SavedCuts) -> str:
    """
    Write cut points as JSON.

    Examples
    --------
    >>> saved = SavedCuts((SavedVariable("x", "numeric", (0.5,)),))
    >>> from_text(to_text(saved)) == saved
    True
    """
    entries = []
    for var in saved.variables:
        entry = {key: value for key, value in vars(var).items()
                 if value is not None and value is not False}
        # JSON has no infinity; such a cut separates infinite values
        entry["cuts"] = [cut if math.isfinite(cut) else str(cut) for cut in var.cuts]
        entry["information"] = var.information
        entries.append(entry)
    content = {"format": FORMAT, "version": VERSION, **saved.about,
               "variables": entries}
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def from_text(text: str) -> SavedCuts:
    """
    Read cut points.

    Parameters
    ----------
    text : str
        As `to_text` writes it.

    Returns
    -------
    SavedCuts

    Raises
    ------
    ValueError
        If the text is anything else; the message continues "The file".

    Examples
    --------
    >>> from_text("{}")
    Traceback (most recent call last):
    ValueError: is not a file of cut points; --cuts writes one, and so does to_json.
    """
    try:
        content = json.loads(text, object_pairs_hook=_without_repetition)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(
            "is not a file of cut points; --cuts writes one, and so does to_json.")
    version = content.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise ValueError(f"is of version {version!r} of the format; this program reads "
                         f"version {VERSION}.")
    entries = content.get("variables")
    if not isinstance(entries, list):
        raise ValueError("has no list of variables.")
    about = {key: value for key, value in content.items()
             if key not in ("format", "version", "variables")}
    n_classes = _check_about(about)
    variables: dict[str, SavedVariable] = {}
    missing = None
    for number, entry in enumerate(entries, 1):
        try:
            var = _variable(entry, n_classes)
        except ValueError as error:
            shown = json.dumps(entry, ensure_ascii=False)[:80]
            shown = shown.encode("utf-8", "backslashreplace").decode("utf-8")
            raise ValueError(f"has a variable without {error}: entry {number}, "
                             f"{shown}.") from error
        if var.name in variables:
            raise ValueError(f"has the variable {var.name} twice.")
        _reject_unknown(entry, vars(var), f": entry {number}")
        if var.type != "categorical" and missing not in (None, var.missing):
            raise ValueError("must have missing values as an interval of all variables "
                             f"or of none: entry {number}.")
        if var.type != "categorical":
            missing = var.missing
        variables[var.name] = var
    return SavedCuts(tuple(variables.values()), about)


def _without_repetition(pairs):
    """Return an object; JSON does not define the result of two values with one name."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} occurs twice in an object")
    return found


def _reject_unknown(found, names, where=""):
    """Raise a ValueError if an entry has none of these names."""
    for name in found:
        if name not in names:
            raise ValueError(f"has an unknown entry, {name!r}{where}.")


def _check_about(about):
    """Check the entries about all variables; return the number of classes."""
    _reject_unknown(about, ABOUT)
    try:
        json.dumps(about, allow_nan=False)
    except ValueError as error:
        raise ValueError("has a number that is missing or infinite.") from error
    for key, kind, name in (("method", str, "a text"), ("named", bool, "true or false"),
                            ("parameters", dict, "an object")):
        if key in about and not isinstance(about[key], kind):
            raise ValueError(f"must have {name} as {key!r}.")
    classes = about.get("classes")
    if classes is None:
        return None
    if not isinstance(classes, list) or not are_labels(classes):
        raise ValueError("must have different texts or numbers as 'classes'.")
    return len(classes)


def _variable(entry, n_classes):
    """Return the variable in an entry; a ValueError names the missing part."""
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise ValueError("a name")
    if entry.get("type") not in TYPES:
        raise ValueError("a type, numeric, time or categorical")
    cuts = entry.get("cuts")
    if not isinstance(cuts, list) or not all(map(_is_cut, cuts)):
        raise ValueError("cuts, numbers in increasing order")
    cuts = tuple(map(float, cuts))
    if not all(low < high for low, high in zip(cuts, cuts[1:], strict=False)):
        raise ValueError("cuts in increasing order")
    bits, missing = entry.get("information"), entry.get("missing", False)
    if bits is not None and not _is_number(bits):
        raise ValueError("information, a number or null")
    if not isinstance(missing, bool):
        raise ValueError("true or false for missing")
    categories, n_intervals = entry.get("categories"), len(cuts) + 1
    if (entry["type"] == "categorical") != isinstance(categories, list):
        raise ValueError("categories, if and only if it is categorical")
    if categories is not None:
        if cuts or missing or not are_labels(categories):
            raise ValueError("different categories, and nothing else")
        n_intervals = len(categories)
    names, seen = entry.get("intervals"), entry.get("range")
    if names is not None and not _are_names(names, n_intervals + missing):
        raise ValueError("as many different names of intervals as there are")
    if seen is not None and not (
            _are_numbers(seen, 2) and seen[0] <= seen[1]):
        raise ValueError("a range, two numbers in order")
    counts, missing_counts = entry.get("counts"), entry.get("missing_counts")
    if counts is not None and not (
            isinstance(counts, list) and len(counts) == n_classes
            and all(_are_numbers(row, n_intervals, 0) for row in counts)):
        raise ValueError("counts, a list for each class with one for each interval")
    if missing_counts is not None and not _are_numbers(missing_counts, n_classes, 0):
        raise ValueError("counts of missing values, one for each class")
    return SavedVariable(
        entry["name"], entry["type"], cuts, bits, _as_tuple(names), missing,
        _as_tuple(seen), _as_tuple(categories),
        None if counts is None else tuple(map(tuple, counts)),
        _as_tuple(missing_counts))


def _as_tuple(values):
    return None if values is None else tuple(values)


def _is_number(value):
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) \
        else abs(value) <= sys.float_info.max


def _is_cut(value):
    """Return whether a value is a number; JSON holds infinite ones as texts."""
    return value in ("inf", "-inf") if isinstance(value, str) else _is_number(value)


def _are_numbers(values: Any, n_values: int | None, least: float = -math.inf) -> bool:
    return isinstance(values, list) and len(values) == n_values and all(
        _is_number(value) and value >= least for value in values)


def are_labels(values: Sequence) -> bool:
    """Return whether all are different texts, numbers, or truth values."""
    kinds = {str if isinstance(value, str) else bool if isinstance(value, bool)
             else float if _is_number(value) else None for value in values}
    return None not in kinds and len(kinds) <= 1 and len(set(values)) == len(values)


def _are_names(names: Any, n_names: int) -> bool:
    """Return whether all are different texts that can be printed."""
    return isinstance(names, list) and len(names) == n_names and all(
        isinstance(name, str) and not any(
            unicodedata.category(letter) in ("Cc", "Cs") for letter in name)
        for name in names) and len({name.strip() for name in names}) == n_names
