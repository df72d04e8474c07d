"""Cut points as JSON: written once, read strictly, applied anywhere.

A file contains only data: texts, numbers and lists, each of them checked. Its entries
are those of `ABOUT`, and a list of variables with those of `ENTRIES`.
"""

import json
import math
import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from orangecontrib.sadd.core.validation import category_array

__all__ = ["FORMAT", "VERSION", "from_text", "plain_parameters", "to_text"]

FORMAT = "Orange3-SADD cut points"
VERSION = 1

# Entries about all variables. The command line adds the others than the first four.
# `columns` are all columns of the table but the target, in their order: "numeric",
# "constant" (numeric, in a single interval), "text", or a list of categories.
ABOUT = ("method", "parameters", "named", "classes", "target", "columns",
         "labelled_rows", "unlabelled_rows", "neighbours")

# Entries of a variable, most of which may be absent. A type is "numeric", "time" or
# "categorical"; times are in seconds since 1970.
ENTRIES = ("name", "type", "cuts", "information", "intervals", "missing", "range",
           "categories", "counts", "missing_counts")


def to_text(cuts: Any) -> str:
    """Write `Cuts` as JSON."""
    names = cuts.feature_names
    if len(set(names)) < len(names):
        raise ValueError("Several features have the same name. Rename them, and fit "
                         "again.")
    classes = _plain_labels("label", cuts.classes)
    about = {**cuts.about, "classes": classes or None}
    content = {"format": FORMAT, "version": VERSION,
               **{key: about[key] for key in ABOUT if key in about},
               "variables": [_entry(cuts, feature, name, classes)
                             for feature, name in enumerate(names)]}
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _entry(cuts, feature, name, classes):
    """Return the entries of a feature that are not absent."""
    categories, counts = cuts.categories[feature], cuts.counts[feature]
    bits, ends = float(cuts.information[feature]), cuts.ranges[feature]
    is_time = len(cuts.times) and cuts.times[feature]
    entry = {
        "name": name, "type": "time" if is_time else "numeric",
        # JSON has no infinity; such a cut separates infinite values
        "cuts": [cut if math.isfinite(cut) else str(cut)
                 for cut in cuts.cut_points[feature].tolist()],
        "information": None if math.isnan(bits) else bits}
    if categories is None:
        entry["intervals"] = cuts.names[feature]
        if cuts.missing:
            entry["missing"] = True
        if not np.isnan(ends).any():
            entry["range"] = ends.tolist()
    else:
        entry["type"] = "categorical"
        entry["categories"] = _plain_labels("category", categories)
    if counts is not None and classes:
        entry["counts"] = counts.tolist()
        entry["missing_counts"] = cuts.missing_counts[feature].tolist()
    return entry


def _plain_labels(kind, labels):
    """Return labels or categories that JSON can hold, or raise a ValueError."""
    labels = labels.tolist()
    if not _are_labels(labels):
        odd = next((label for label in labels if not _is_plain(label)), labels)
        raise ValueError(f"JSON cannot hold the {kind} {odd!r}. Make all of them text, "
                         "or all finite numbers, and fit again.")
    return labels


def plain_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that JSON can hold."""
    given = {name: value.tolist() if isinstance(value, np.generic | np.ndarray)
             else value for name, value in parameters.items()}
    return {name: value for name, value in given.items()
            if value is None or _is_plain(value)
            or isinstance(value, list | tuple) and all(map(_is_plain, value))}


def from_text(text: str) -> dict[str, Any]:
    """
    Read cut points.

    Parameters
    ----------
    text : str
        As `to_text` writes it.

    Returns
    -------
    dict
        Attributes of `Cuts`.

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
        content = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}.") from error
    _require(isinstance(content, dict) and content.get("format") == FORMAT,
             "is not a file of cut points; --cuts writes one, and so does to_json.")
    version, entries = content.pop("version", None), content.pop("variables", None)
    _require(type(version) is int and version == VERSION,
             f"is of version {version!r} of the format; this program reads version "
             f"{VERSION}.")
    _require(isinstance(entries, list), "has no list of variables.")
    del content["format"]
    _check_about(content)
    classes = content.pop("classes", None)
    for number, entry in enumerate(entries, 1):
        _check_entry(entry, number, None if classes is None else len(classes))
    names = [entry["name"] for entry in entries]
    for name, n_entries in Counter(names).items():
        _require(n_entries == 1, f"has the variable {name} twice.")
    missing = {entry.get("missing", False) for entry in entries
               if entry["type"] != "categorical"}
    _require(len(missing) < 2,
             "must have missing values as an interval of all variables or of none.")
    return {**_arrays(entries, classes or []), "missing": missing == {True},
            "features": names if content.get("named", True) else None,
            "about": content}


def _arrays(entries, classes):
    """Return the entries of variables, which have been checked, as `Cuts` has them."""
    def array(values):
        return None if values is None else np.array(values)

    nothing = {"range": [np.nan, np.nan], "missing_counts": [0] * len(classes)}
    return {
        "cut_points": [np.array(entry["cuts"], dtype=np.float64) for entry in entries],
        "categories": [category_array(entry["categories"]) if "categories" in entry
                       else None for entry in entries],
        "information": np.array(
            [entry.get("information") for entry in entries], dtype=np.float64),
        "ranges": np.array([entry.get("range") or nothing["range"]
                            for entry in entries]).reshape(-1, 2),
        "classes": np.array(classes) if str in map(type, classes)
        else category_array(classes),
        "counts": [array(entry.get("counts")) for entry in entries],
        "missing_counts": np.array([
            entry.get("missing_counts") or nothing["missing_counts"]
            for entry in entries]).reshape(len(entries), len(classes)),
        "times": [entry["type"] == "time" for entry in entries],
        "given_names": [entry.get("intervals") and tuple(entry["intervals"])
                        for entry in entries]}


def _require(condition, message):
    """Raise a ValueError unless a condition holds."""
    if not condition:
        raise ValueError(message)


def _reject_unknown(found, names, where=""):
    """Raise a ValueError if an entry has none of these names."""
    for name in found:
        _require(name in names, f"has an unknown entry, {name!r}{where}.")


def _check_about(about):
    """Check the entries about all variables."""
    _reject_unknown(about, ABOUT)
    try:
        json.dumps(about, allow_nan=False)
    except ValueError as error:
        raise ValueError("has a number that is missing or infinite.") from error
    for key, kind, name in (("method", str, "a text"), ("named", bool, "true or false"),
                            ("columns", dict, "an object"),
                            ("parameters", dict, "an object")):
        _require(isinstance(about.get(key, kind()), kind),
                 f"must have {name} as {key!r}.")
    for name, kind in about.get("columns", {}).items():
        _require(kind in ("numeric", "constant", "text") if isinstance(kind, str) else
                 isinstance(kind, list) and _are_texts(kind),
                 f"must have a type or different categories for the column {name!r}.")
    _require(isinstance(about.get("target"), str | None),
             "must have a text as 'target'.")
    classes = about.get("classes")
    _require(classes is None or isinstance(classes, list) and _are_labels(classes),
             "must have different texts or numbers as 'classes'.")


def _check_entry(entry, number, n_classes):
    """Raise a ValueError that names what is wrong with a variable."""
    shown = json.dumps(entry, ensure_ascii=False)[:80]
    where = f": entry {number}, {shown.encode('utf-8', 'backslashreplace').decode()}"
    for name, is_right in _RULES.items():
        _require(isinstance(entry, dict) and is_right(entry, n_classes),
                 f"has a variable without {name}{where}.")
    _reject_unknown(entry, ENTRIES, where)


# What a variable must have, in this order: a rule may rely on those before
_RULES = {
    "a name": lambda entry, _: isinstance(entry.get("name"), str),
    "a type, numeric, time or categorical": lambda entry, _: entry.get("type") in (
        "numeric", "time", "categorical"),
    "cuts, numbers in increasing order": lambda entry, _: _are_cuts(entry.get("cuts")),
    "information, a number or null": lambda entry, _:
        entry.get("information") is None or _is_number(entry["information"]),
    "true or false for missing": lambda entry, _: isinstance(
        entry.get("missing", False), bool),
    "categories, different ones, if and only if it is categorical": lambda entry, _:
        "categories" not in entry if entry["type"] != "categorical"
        else isinstance(entry.get("categories"), list)
        and _are_labels(entry["categories"])
        and not entry["cuts"] and not entry.get("missing"),
    "as many different names of intervals as there are": lambda entry, _:
        entry.get("intervals") is None or _are_names(
            entry["intervals"], _n_intervals(entry) + entry.get("missing", False)),
    "a range, two numbers in order": lambda entry, _: entry.get("range") is None
        or _are_numbers(entry["range"], 2) and entry["range"][0] <= entry["range"][1],
    "counts, a list for each class with one for each interval": lambda entry, n_classes:
        entry.get("counts") is None or isinstance(entry["counts"], list)
        and len(entry["counts"]) == n_classes
        and all(_are_numbers(row, _n_intervals(entry), 0) for row in entry["counts"]),
    "counts of missing values, one for each class": lambda entry, n_classes:
        entry.get("missing_counts") is None
        or _are_numbers(entry["missing_counts"], n_classes, 0),
}


def _n_intervals(entry):
    """Return the number of intervals or categories, without that of missing values."""
    return len(entry.get("categories", ())) if entry["type"] == "categorical" \
        else len(entry["cuts"]) + 1


def _is_number(value):
    """Return whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) \
        and abs(value) <= sys.float_info.max


def _is_plain(value):
    """Return whether JSON can hold a value, and not as a list or an object."""
    return isinstance(value, bool | str) or _is_number(value)


def _are_cuts(values):
    """Return whether all are numbers that increase; infinite ones are texts."""
    return isinstance(values, list) and all(
        value in ("inf", "-inf") if isinstance(value, str) else _is_number(value)
        for value in values) and all(
        low < high for low, high in pairwise(map(float, values)))


def _are_numbers(values: Any, n_values: int | None, least: float = -math.inf) -> bool:
    return isinstance(values, list) and len(values) == n_values and all(
        _is_number(value) and value >= least for value in values)


def _are_labels(values: Sequence) -> bool:
    """Return whether all are different texts, numbers, or truth values."""
    kinds = {str if isinstance(value, str) else bool if isinstance(value, bool)
             else float if _is_number(value) else None for value in values}
    return None not in kinds and len(kinds) <= 1 and len(set(values)) == len(values)


def _are_texts(values: list) -> bool:
    return all(isinstance(value, str) for value in values) and _are_labels(values)


def _are_names(names: Any, n_names: int) -> bool:
    """Return whether all are different texts that can be printed."""
    return isinstance(names, list) and len(names) == n_names and all(
        isinstance(name, str) and not any(
            unicodedata.category(letter) in ("Cc", "Cs") for letter in name)
        for name in names) and len({name.strip() for name in names}) == n_names
