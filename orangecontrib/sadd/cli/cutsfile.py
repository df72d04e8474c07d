"""Files of cut points: written once, applied to any number of tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from orangecontrib.sadd.cli.newfiles import new_files
from orangecontrib.sadd.cli.terminal import CommandError, reason_of
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.intervals.cutsjson import (
    SavedCuts,
    SavedVariable,
    from_text,
    to_text,
)
from orangecontrib.sadd.core.intervals.evidence import CountedIntervals
from orangecontrib.sadd.core.registry import method_of

if TYPE_CHECKING:
    import pandas as pd
    from Orange.data import ContinuousVariable

__all__ = ["SavedCuts", "SavedVariable", "check_columns", "first_few", "learned_cuts",
           "read_cuts", "write_cuts", "write_evidence"]

TYPES = ("numeric", "time")


def learned_cuts(estimator: Discretizer, variables: "Sequence[ContinuousVariable]",
                 counted: Sequence[CountedIntervals], information: np.ndarray,
                 ranges: np.ndarray, **about: object) -> SavedCuts:
    """
    Return cut points that were learned, as they are saved.

    Parameters
    ----------
    estimator : estimator
        What learned them.
    variables : sequence of ContinuousVariable
    counted : sequence of CountedIntervals
        Their cut points, names of intervals, and rows.
    information : ndarray
        Mutual information in bits; NaN if it is not known.
    ranges : ndarray, shape (n_variables, 2)
        The least and the largest finite value; NaN if there is none.
    **about
        Anything else to save with them.

    Returns
    -------
    SavedCuts
    """
    method = method_of(estimator)
    parameters = {parameter.name: getattr(estimator, parameter.name)
                  for parameter in method.parameters}
    has_classes = about.get("classes") is not None
    return SavedCuts(tuple(
        SavedVariable(
            var.name, "time" if var.is_time else "numeric",
            tuple(np.asarray(own.cuts, dtype=np.float64).tolist()),
            None if np.isnan(bits) else round(float(bits), 6),
            tuple(own.intervals) if len(own.intervals) > 1 else None,
            estimator.missing == "interval",
            None if np.isnan(ends).any() else tuple(ends.tolist()), None,
            tuple(map(tuple, own.counts.tolist())) if has_classes else None,
            tuple(own.missing.tolist()) if has_classes else None)
        for var, own, bits, ends in zip(
            variables, counted, information, ranges, strict=True)),
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
    text = to_text(saved)
    with new_files(path, force) as folder:
        (folder / "cuts").write_text(text, encoding="utf-8")


def write_evidence(table: "pd.DataFrame", path: str, force: bool = False) -> None:
    """
    Write a table of intervals as CSV.

    Parameters
    ----------
    table : pandas.DataFrame
        As from `interval_table`.
    path : str
    force : bool
        Whether a file may be replaced.
    """
    with new_files(path, force) as folder:
        table.to_csv(folder / "evidence", index=False)


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
    variables = saved.cut_variables
    missing = [var.name for var in variables if var.name not in types]
    if missing:
        raise CommandError("There are cut points for variables that are missing: "
                           f"{first_few(missing)}.")
    for var in variables:
        if types[var.name] != var.type:
            raise CommandError(
                f"{var.name!r} is not of type {var.type}, as when it was cut.")
    known = {var.name for var in variables}
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
            saved = from_text(file.read())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {reason_of(error)}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not JSON: {reason_of(error)}.") from error
    except ValueError as error:
        raise CommandError(f"{path} {error}") from error
    for number, var in enumerate(saved.variables, 1):
        if not all(map(_is_value, var.intervals or ())):
            raise CommandError(
                f"{path} has a variable without names of intervals that Orange can "
                f"read: entry {number}, {var.name}.")
    return saved


def _is_value(name):
    """Return whether Orange reads a name as a value, not as a missing one."""
    from Orange.data.variable import MISSING_VALUES

    return name.strip() not in MISSING_VALUES
