"""Files that commands write, all at once, and files of cut points."""

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

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

__all__ = ["SavedCuts", "SavedVariable", "check_columns", "check_free", "first_few",
           "learned_cuts", "new_files", "new_folder", "read_cuts", "write_cuts",
           "write_evidence"]

# What is being replaced, in a temporary folder
OLD = "old"

# Types of variables that are cut
TYPES = ("numeric", "time")


def check_free(path: str | Path, force: bool = False) -> None:
    """
    Raise a CommandError if there is a file already, or if none can be there.

    Parameters
    ----------
    path : str or Path
    force : bool
        Whether a file may be replaced.
    """
    path = Path(path)
    if path.is_dir():
        if path.suffix.lower() != ".parquet":
            raise CommandError(f"{path} is a folder.")
    elif path.exists() and not path.is_file():
        # As root, a rename would replace even /dev/null
        raise CommandError(f"{path} is not a regular file; - is standard output.")
    if os.path.lexists(path) and not force:
        raise CommandError(f"{path} exists; --force replaces it.")
    if not path.parent.is_dir():
        raise CommandError(f"There is no folder {path.parent}.")


@contextmanager
def new_files(path: str | Path, force: bool = False, companions: Sequence[str] = ()
              ) -> Iterator[Path]:
    """
    Yield a temporary folder; what is written there becomes a file and its companions.

    The folder is beside the file, so that files are moved, not copied: readers see
    either nothing, or the old, or the new contents, in full. The folder is removed in
    any case, also if an exception, or Ctrl-C, ends the block.

    Parameters
    ----------
    path : str or Path
        If it is a link, the file that it points to is meant.
    force : bool
        Whether a file may be replaced.
    companions : sequence of str
        What may be appended to the name of the file for others that belong to it. Old
        ones are replaced, or removed, like the file.

    Yields
    ------
    folder : Path
        Write ``folder / name`` with any name, and companions with that name and
        what is appended to it.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with new_files(Path(home) / "iris.tab", False, [".note"]) as folder:
    ...         _ = (folder / "new").write_text("data")
    ...         _ = (folder / "new.note").write_text("about it")
    ...         before = sorted(path.name for path in Path(home).glob("[!.]*"))
    ...     before, sorted(os.listdir(home))
    ([], ['iris.tab', 'iris.tab.note'])
    """
    path = Path(os.path.realpath(path))
    others = {end: path.with_name(path.name + end) for end in companions}
    for target in (path, *others.values()):
        check_free(target, force)
    with _folder_beside(path) as folder:
        yield folder
        name = min(os.listdir(folder))
        # Companions first: when the file is there, all of it is there
        for end, target in others.items():
            if (folder / (name + end)).exists():
                _publish(folder / (name + end), target, force)
            else:
                target.unlink(missing_ok=True)
        _publish(folder / name, path, force)


def _publish(source, target, force):
    if force:
        os.replace(source, target)
        return
    try:
        os.link(source, target)  # fails if there is a file, even one made just now
    except FileExistsError:
        raise CommandError(f"{target} exists; --force replaces it.") from None
    except OSError:  # no links on this file system
        check_free(target)
        os.replace(source, target)


@contextmanager
def new_folder(path: str | Path, force: bool = False) -> Iterator[Path]:
    """
    Yield a name in a temporary folder; what is written there becomes a data set.

    It appears all at once, or not at all, and replaces another only if asked to.
    Whenever this is interrupted, one of the two is there in full.

    Parameters
    ----------
    path : str or Path
        The data set.
    force : bool
        Whether one that exists, and consists of parquet files, may be replaced.

    Yields
    ------
    folder : Path
        Does not exist yet.
    """
    path = Path(os.path.realpath(path))
    check_free(path, force)
    if path.is_dir():
        strange = [
            entry.name for entry in path.iterdir()
            if entry.suffix != ".parquet" and not entry.name.startswith(("_", "."))]
        if strange:
            raise CommandError(f"{path} holds other files, such as {min(strange)}, and "
                               "is not replaced.")
    with _folder_beside(path) as home:
        # Workers of a cluster may be other users of the same group
        home.chmod(0o777 & ~_umask())
        yield home / "new"
        if os.path.lexists(path):
            check_free(path, force)
            os.rename(path, home / OLD)
        os.rename(home / "new", path)


@contextmanager
def _folder_beside(path):
    """
    Yield a temporary folder on the file system of the path.

    What was moved from the path to `OLD` in it is put back if nothing took its place.
    """
    try:
        # Unlike a temporary file, a folder leaves it to the writer to create the
        # file, with the usual permissions
        _remove_stale(path.parent)
        folder = Path(tempfile.mkdtemp(
            prefix=f"{_prefix()}{os.getpid()}-", dir=path.parent))
        try:
            yield folder
        finally:
            # If this is interrupted, too, the folder and what is in it remain
            if (folder / OLD).exists() and not os.path.lexists(path):
                os.rename(folder / OLD, path)
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {reason_of(error)}.") from error


def _prefix():
    """Return how names of temporary folders of this machine begin."""
    return f".sadd-{re.sub(r'[^A-Za-z0-9]', '_', platform.node())}-"


def _remove_stale(parent):
    """Remove temporary folders of processes of this machine that were killed."""
    if os.name != "posix":  # where there is no harmless signal
        return
    for folder in parent.glob(f"{_prefix()}*-*"):
        process = folder.name.removeprefix(_prefix()).partition("-")[0]
        # What a run was about to replace may be there still
        if process.isdecimal() and not _is_running(int(process)) \
                and not (folder / OLD).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
        SavedVariable.of(
            var.name, "time" if var.is_time else "numeric", own.cuts,
            round(float(bits), 6), ends, own.counts if has_classes else None,
            own.missing,
            intervals=tuple(own.intervals) if len(own.intervals) > 1 else None,
            missing=estimator.missing == "interval")
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
