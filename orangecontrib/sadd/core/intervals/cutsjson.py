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
from itertools import pairwise
from typing import Any

import numpy as np

from orangecontrib.sadd.core.validation import category_array

__all__ = ["FORMAT", "VERSION", "SavedCuts", "SavedVariable", "from_json", "from_text",
           "to_json", "to_text"]

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
    cuts : list of float
        In increasing order; of time variables in seconds since 1970.
    information : float or None
        Mutual information of intervals and class, in bits.
    intervals : tuple of str or None
        Names of the intervals, None for the usual ones. In a file where numbers have
        fewer decimals, the same cuts would otherwise have other names.
    missing : bool
        Whether missing values are an interval, the last one.
    range : list of float or None
        The least and the largest finite value.
    categories : list or None
        Values of a categorical variable.
    counts : list of list of float or None
        Weight of rows of each class in each interval, without missing values.
    missing_counts : list of float or None
        Weight of rows of each class whose value is missing.
    """

    name: str
    type: str
    cuts: list[float]
    information: float | None = None
    intervals: tuple[str, ...] | None = None
    missing: bool = False
    range: list[float] | None = None
    categories: list | None = None
    counts: list[list[float]] | None = None
    missing_counts: list[float] | None = None

    @classmethod
    def of(cls, name: str, type: str, cuts: Any, information: float,
           ends: np.ndarray, counts: np.ndarray | None, missing_counts: np.ndarray,
           **others: Any) -> "SavedVariable":
        """Return a variable given as arrays; NaN stands for a missing number."""
        return cls(
            name, type, np.asarray(cuts, dtype=np.float64).tolist(),
            None if np.isnan(information) else float(information),
            range=None if np.isnan(ends).any() else ends.tolist(),
            counts=None if counts is None else counts.tolist(),
            missing_counts=None if counts is None else missing_counts.tolist(),
            **others)


@dataclass(frozen=True)
class SavedCuts:
    """
    Cut points of variables, and the origin of the cut points.

    Attributes
    ----------
    variables : list of SavedVariable
    about : dict
        Method, parameters, classes, target, number of rows.
    """

    variables: list[SavedVariable]
    about: dict = field(default_factory=dict)

    @property
    def cut_variables(self) -> list[SavedVariable]:
        """The numeric variables, which are the ones with cuts."""
        return [var for var in self.variables if var.type != "categorical"]


def to_text(saved: SavedCuts) -> str:
    """
    Write cut points as JSON.

    Examples
    --------
    >>> saved = SavedCuts([SavedVariable("x", "numeric", [0.5])])
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


def to_json(discretizer: Any) -> str:
    """Return a fitted discretizer as JSON."""
    names = getattr(discretizer, "feature_names_in_", None)
    classes = _plain_labels("label", discretizer.classes_)
    if names is not None and len(set(names)) < len(names):
        raise ValueError("Several features have the same name. Rename them, and fit "
                         "again.")
    variables = []
    for feature, (cuts, categories, intervals) in enumerate(zip(
            discretizer.cut_points_, discretizer.categories_,
            discretizer.interval_names(), strict=True)):
        name = f"x{feature}" if names is None else str(names[feature])
        kind: dict[str, Any] = {"type": "numeric", "intervals": intervals,
                                "missing": discretizer.missing == "interval"}
        if categories is not None:
            kind = {"type": "categorical",
                    "categories": _plain_labels("category", categories)}
        variables.append(SavedVariable.of(
            name, cuts=cuts, information=discretizer.mutual_information_[feature],
            ends=discretizer.ranges_[feature],
            counts=discretizer.counts_[feature],
            missing_counts=discretizer.missing_counts_[feature], **kind))
    return to_text(SavedCuts(variables, {
        "method": discretizer.short_name, "parameters": _parameters(discretizer),
        "named": names is not None, "classes": classes}))


def _plain_labels(kind, labels):
    """Return labels or categories that JSON can hold, or raise a ValueError."""
    labels = labels.tolist()
    if not _are_labels(labels):
        odd = next((label for label in labels if not _is_plain(label)), labels)
        raise ValueError(f"JSON cannot hold the {kind} {odd!r}. Make all of them text, "
                         "or all finite numbers, and fit again.")
    return labels


def _parameters(discretizer):
    """Return the parameters that JSON can hold."""
    given = {name: value.tolist() if isinstance(value, np.generic | np.ndarray)
             else value for name, value in discretizer.get_params(deep=False).items()}
    return {name: value for name, value in given.items()
            if value is None or _is_plain(value)
            or isinstance(value, list | tuple) and all(map(_is_plain, value))}


def from_json(cls: Any, text: str) -> Any:
    """Return a fitted discretizer of a class."""
    try:
        saved = from_text(text)
    except ValueError as error:
        raise ValueError(f"The text {error}") from error
    method = saved.about.get("method", cls.short_name)
    _require(method == cls.short_name, f"The cut points are those of {method}, and "
             f"{cls.__name__} cannot take them.")
    variables = saved.variables
    given = saved.about.get("parameters", {})
    parameters = {name: given[name] for name in cls().get_params() if name in given}
    for var in saved.cut_variables:  # the same in all of them
        parameters["missing"] = "interval" if var.missing else "ignore"
    discretizer = cls(**parameters)
    discretizer.check_parameters()
    discretizer.set_features([
        None if var.categories is None else category_array(var.categories)
        for var in variables])
    if saved.about.get("named", True):
        discretizer.feature_names_in_ = np.array(
            [var.name for var in variables], dtype=object)
    discretizer.cut_points_ = [np.array(var.cuts, dtype=np.float64)
                               for var in variables]
    discretizer.mutual_information_ = np.array(
        [var.information for var in variables], dtype=np.float64)
    discretizer.ranges_ = np.array([
        var.range or (np.nan, np.nan) for var in variables]).reshape(-1, 2)
    classes = saved.about.get("classes") or []
    discretizer.classes_ = np.array(classes) if str in map(type, classes) \
        else category_array(classes)
    discretizer.counts_ = [None if var.counts is None else np.array(var.counts)
                           for var in variables]
    discretizer.missing_counts_ = np.array([
        var.missing_counts or [0] * len(classes) for var in variables]
    ).reshape(len(variables), len(classes))
    discretizer._saved_names = [var.intervals for var in variables]
    discretizer.count_intervals()
    return discretizer


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
        content = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}.") from error
    _require(isinstance(content, dict) and content.get("format") == FORMAT,
             "is not a file of cut points; --cuts writes one, and so does to_json.")
    version, entries = content.get("version"), content.get("variables")
    _require(version == VERSION and not isinstance(version, bool),
             f"is of version {version!r} of the format; this program reads version "
             f"{VERSION}.")
    _require(isinstance(entries, list), "has no list of variables.")
    about = {key: value for key, value in content.items()
             if key not in ("format", "version", "variables")}
    n_classes = _check_about(about)
    variables: dict[str, SavedVariable] = {}
    for number, entry in enumerate(entries, 1):
        try:
            var = _variable(entry, n_classes)
        except ValueError as error:
            shown = json.dumps(entry, ensure_ascii=False)[:80]
            shown = shown.encode("utf-8", "backslashreplace").decode("utf-8")
            raise ValueError(f"has a variable without {error}: entry {number}, "
                             f"{shown}.") from error
        _require(var.name not in variables, f"has the variable {var.name} twice.")
        _reject_unknown(entry, vars(var), f": entry {number}")
        variables[var.name] = var
    saved = SavedCuts(list(variables.values()), about)
    _require(len({var.missing for var in saved.cut_variables}) < 2,
             "must have missing values as an interval of all variables or of none.")
    return saved


def _require(condition, message):
    """Raise a ValueError unless a condition holds."""
    if not condition:
        raise ValueError(message)


def _reject_unknown(found, names, where=""):
    """Raise a ValueError if an entry has none of these names."""
    for name in found:
        _require(name in names, f"has an unknown entry, {name!r}{where}.")


def _check_about(about):
    """Check the entries about all variables; return the number of classes."""
    _reject_unknown(about, ABOUT)
    try:
        json.dumps(about, allow_nan=False)
    except ValueError as error:
        raise ValueError("has a number that is missing or infinite.") from error
    for key, kind, name in (("method", str, "a text"), ("named", bool, "true or false"),
                            ("parameters", dict, "an object")):
        _require(isinstance(about.get(key, kind()), kind),
                 f"must have {name} as {key!r}.")
    classes = about.get("classes")
    if classes is None:
        return None
    _require(isinstance(classes, list) and _are_labels(classes),
             "must have different texts or numbers as 'classes'.")
    return len(classes)


def _variable(entry, n_classes):
    """Return the variable in an entry; a ValueError names the missing part."""
    _require(isinstance(entry, dict) and isinstance(entry.get("name"), str), "a name")
    kind, cuts = entry.get("type"), entry.get("cuts")
    _require(kind in TYPES, "a type, numeric, time or categorical")
    _require(isinstance(cuts, list) and all(map(_is_cut, cuts)),
             "cuts, numbers in increasing order")
    cuts = list(map(float, cuts))
    _require(all(low < high for low, high in pairwise(cuts)),
             "cuts in increasing order")
    bits, missing = entry.get("information"), entry.get("missing", False)
    _require(bits is None or _is_number(bits), "information, a number or null")
    _require(isinstance(missing, bool), "true or false for missing")
    categories, n_intervals = entry.get("categories"), len(cuts) + 1
    _require((kind == "categorical") == isinstance(categories, list),
             "categories, if and only if it is categorical")
    if categories is not None:
        _require(not cuts and not missing and _are_labels(categories),
                 "different categories, and nothing else")
        n_intervals = len(categories)
    names, ends = entry.get("intervals"), entry.get("range")
    _require(names is None or _are_names(names, n_intervals + missing),
             "as many different names of intervals as there are")
    _require(ends is None or _are_numbers(ends, 2) and ends[0] <= ends[1],
             "a range, two numbers in order")
    counts, missing_counts = entry.get("counts"), entry.get("missing_counts")
    _require(counts is None or isinstance(counts, list) and len(counts) == n_classes
             and all(_are_numbers(row, n_intervals, 0) for row in counts),
             "counts, a list for each class with one for each interval")
    _require(missing_counts is None or _are_numbers(missing_counts, n_classes, 0),
             "counts of missing values, one for each class")
    return SavedVariable(entry["name"], kind, cuts, bits, names and tuple(names),
                         missing, ends, categories, counts, missing_counts)


def _is_number(value):
    """Return whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) \
        and abs(value) <= sys.float_info.max


def _is_plain(value):
    """Return whether JSON can hold a value, and not as a list or an object."""
    return isinstance(value, bool | str) or _is_number(value)


def _is_cut(value):
    """Return whether a value is a number; JSON holds infinite ones as texts."""
    return value in ("inf", "-inf") if isinstance(value, str) else _is_number(value)


def _are_numbers(values: Any, n_values: int | None, least: float = -math.inf) -> bool:
    return isinstance(values, list) and len(values) == n_values and all(
        _is_number(value) and value >= least for value in values)


def _are_labels(values: Sequence) -> bool:
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
