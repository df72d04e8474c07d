"""The work on one file: read a table, find or apply cut points, write the results."""

import argparse
import functools
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from Orange.data import Domain, Table
from Orange.data.io import FileFormat
from Orange.data.variable import MISSING_VALUES
from Orange.preprocess import Continuize, DomainContinuizer

from orangecontrib.sadd.cli.files import split_suffix
from orangecontrib.sadd.cli.terminal import CommandError, reason_of, with_notes
from orangecontrib.sadd.core.intervals import cutsjson
from orangecontrib.sadd.core.intervals.cutsjson import SavedCuts, SavedVariable
from orangecontrib.sadd.core.registry import DISCRETIZERS, method_of
from orangecontrib.sadd.scripting.cutting import Discretized, find_cuts
from orangecontrib.sadd.scripting.tablefiles import read_table, set_target, with_numeric
from orangecontrib.sadd.scripting.tables import (
    id_note,
    labelled_classes,
    match_columns,
    read_rows,
)

__all__ = ["discretize_file", "read_cuts"]

# How Orange makes numbers of categories, by the value of --encode
ENCODINGS = {"ordinal": Continuize.AsOrdinal, "onehot": Continuize.Indicators}


def discretize_file(source: str, paths: dict[str, str], args: argparse.Namespace,
                    notify: Callable[[str], None]) -> str:
    """
    Discretize a file, and write the results.

    Parameters
    ----------
    source : str
    paths : dict of str to str
        Files to write, by kind: "data", "cuts" or "evidence".
    args : argparse.Namespace
        Options; the estimator is in `estimator`, or saved cut points are in `saved`.
    notify : callable
        Prints a note.

    Returns
    -------
    str
        A summary.
    """
    data, notes = _read(source, args.trust_metadata)
    for note in notes:
        notify(note)
    if args.target is not None:
        try:
            data = set_target(data, args.target)
        except ValueError as error:
            raise CommandError(str(error)) from error
    if args.saved is None:
        found, how = _learn(source, data, args, notify)
    else:
        data, found = _apply(data, args.saved, notify)
        how = "by saved cut points"
    for kind, path in paths.items():
        try:
            _WRITERS[kind](found, data, path, args)
        except OSError as error:
            raise CommandError(f"The {kind} cannot be written: {reason_of(error)}."
                               ) from error
    cuts = [points for points in found.cut_points if len(points)]
    return (f"{len(data)} rows; {len(cuts)} of {len(found.columns)} numeric variables "
            f"in {sum(map(len, cuts)) + len(cuts)} intervals {how}")


def _read(path, trusted):
    """Return a table and notes; messages of errors continue the name of the file."""
    reader = FileFormat.readers.get(split_suffix(path)[1].lower())
    if os.path.isdir(path):
        raise CommandError("is a folder; name the files in it.")
    if reader is None:
        raise CommandError("cannot be read: the file name has no known extension, such "
                           f"as {_extensions(FileFormat.readers)}.")
    if os.path.exists(path) and not os.path.isfile(path):
        raise CommandError("is not a regular file.")
    try:
        return with_notes(read_table, path, reader, trusted=trusted)
    except Exception as error:  # readers of many formats, with exceptions of their own
        raise CommandError(f"cannot be read: {reason_of(error)}.") from error


def _extensions(formats):
    return ", ".join(suffix for suffix in formats if suffix.count(".") == 1)


def _learn(source, data, args, notify):
    """Return the findings in the data, and a summary of the rows."""
    tables = []
    for path in args.unlabelled:
        if os.path.realpath(path) == os.path.realpath(source):
            notify(f"{path} is the data itself, and adds no rows.")
        else:
            table, notes = _read_unlabelled(path, args.trust_metadata)
            tables.append(table)
            for note in notes:
                notify(f"{path}: {note}")
    rows = read_rows(data, _join_unlabelled(tables, data, notify) if tables else None)
    classes = labelled_classes(data)
    if note := id_note(len(np.unique(classes)), len(classes)):
        notify(note)
    found = find_cuts(rows, args.estimator)
    if found.reason:
        advice = ""
        if len(found.columns) and not rows.has_class:
            others = (name for name, method in DISCRETIZERS.items()
                      if not method.uses_class)
            advice = " Name the class with --target, or choose a --method without " \
                f"a class: {', '.join(others)}."
        raise CommandError(f"{found.reason}{advice}")
    n_labelled = int(np.count_nonzero(rows.labelled[:len(data)]))
    how = f"by {method_of(args.estimator).name}"
    if n_labelled < len(data) and rows.has_class or rows.n_pool:
        how += f", {n_labelled} labelled and {len(rows) - n_labelled} unlabelled rows"
    if found.labels is not None and found.labels.k is not None:
        how += f", k = {found.labels.k}"
    return found, how


@functools.lru_cache(8)  # several files may have the same unlabelled data
def _read_unlabelled(path, trusted):
    try:
        return _read(path, trusted)
    except CommandError as error:
        raise CommandError(f"The unlabelled data {path} {error}") from error


def _join_unlabelled(tables, data, notify):
    """Return all unlabelled rows with the attributes of the data."""
    attributes = data.domain.attributes
    numeric = {var.name for var in attributes if var.is_continuous}
    weighted = any(table.has_weights() for table in tables)
    parts, missing = [], {}
    for table in tables:
        X, lacking = match_columns(with_numeric(table, numeric), attributes)
        if attributes and len(lacking) == len(attributes):
            raise CommandError("The unlabelled data has none of the variables; check "
                               "the names in its first line.")
        missing |= {var.name: None for var in lacking}
        W = table.W if table.has_weights() else np.ones(len(table))
        parts.append(Table.from_numpy(
            Domain(attributes), X, W=W if weighted else None))
    if missing:
        notify(f"The unlabelled data lacks some variables: {_first_few(missing)}.")
    return Table.concatenate(parts)


def _apply(data, saved, notify):
    """Return the data with numeric columns, and the saved cuts for them."""
    data = with_numeric(
        data, {var.name for var in saved.variables if var.type == "numeric"})
    variables, attributes = saved.cut_variables, data.domain.attributes
    index = {var.name: column for column, var in enumerate(attributes)}
    missing = [var.name for var in variables if var.name not in index]
    if missing:
        raise CommandError("There are cut points for variables that are missing: "
                           f"{_first_few(missing)}.")
    for var in variables:
        own = attributes[index.pop(var.name)]
        if not own.is_continuous or own.is_time != (var.type == "time"):
            raise CommandError(
                f"{var.name!r} is not of type {var.type}, as when it was cut.")
    others = [name for name in index if data.domain[name].is_continuous]
    if others:
        notify(f"There are no cut points for {_first_few(others)}, which stay numeric.")
    columns = [data.domain.index(var.name) for var in variables]
    return data, Discretized(
        read_rows(data), np.array(columns, dtype=int),
        [np.array(var.cuts, dtype=float) for var in variables],
        names=[var.intervals for var in variables],
        missing=any(var.missing for var in variables))


def _first_few(names, most=5):
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _write_data(found, data, path, args):
    suffix = split_suffix(path)[1]
    writer = FileFormat.writers.get(suffix.lower())
    if writer is None:
        raise CommandError(f"Orange does not write files {suffix or 'without a suffix'}"
                           f"; choose one of {_extensions(FileFormat.writers)}.")
    table = found.transform(data, not args.keep_constant)
    if args.encode != "interval":
        encoder = DomainContinuizer(multinomial_treatment=ENCODINGS[args.encode])
        table = table.transform(encoder(table))
    if table.is_sparse() and not writer.SUPPORT_SPARSE_DATA:
        raise CommandError(f"Files {suffix} cannot hold sparse data; .pkl files can.")
    table.attributes = {}  # would become a second file
    try:
        writer.write(path, table, not args.plain)
    except OSError:
        raise
    except Exception as error:  # as for readers
        raise CommandError(f"Orange cannot write this table as {suffix}: "
                           f"{reason_of(error)}.") from error


def _write_cuts(found, data, path, args):
    estimator, rows = args.estimator, found.rows
    classes = _classes(data)
    method = method_of(estimator)
    parameters = {parameter.name: getattr(estimator, parameter.name)
                  for parameter in method.parameters}
    variables = [
        SavedVariable.of(
            var.name, "time" if var.is_time else "numeric", own.cuts,
            round(float(bits), 6), ends, own.counts if classes else None, own.missing,
            intervals=tuple(own.intervals) if len(own.intervals) > 1 else None,
            missing=found.missing)
        for var, own, bits, ends in zip(
            found.variables, found.counted(len(classes)), found.mutual_information,
            found.ranges, strict=True)]
    about = {"method": method.name, "parameters": parameters,
             "classes": classes or None,
             "target": data.domain.class_var.name if classes else None,
             "labelled_rows": int(np.count_nonzero(rows.labelled)),
             "unlabelled_rows": int(np.count_nonzero(np.isnan(rows.y))),
             "neighbours": found.labels.k if found.labels else None}
    text = cutsjson.to_text(SavedCuts(variables, about))
    Path(path).write_text(text, encoding="utf-8")


def _write_evidence(found, data, path, args):
    found.interval_table(_classes(data)).to_csv(path, index=False)


_WRITERS = {"data": _write_data, "cuts": _write_cuts, "evidence": _write_evidence}


def _classes(data):
    """Return the values of the class; none without a categorical one."""
    return list(data.domain.class_var.values) if data.domain.has_discrete_class else []


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
        If the file cannot be read, or holds anything else.
    """
    try:
        saved = cutsjson.from_text(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not JSON: {reason_of(error)}.") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {reason_of(error)}.") from error
    except ValueError as error:
        raise CommandError(f"{path} {error}") from error
    for number, var in enumerate(saved.variables, 1):
        if any(name.strip() in MISSING_VALUES for name in var.intervals or ()):
            raise CommandError(
                f"{path} has a variable without names of intervals that Orange can "
                f"read: entry {number}, {var.name}.")
    return saved
