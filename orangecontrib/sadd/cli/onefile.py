"""The work on one file: read a table, find or apply cut points, write the results."""

import argparse
import functools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from Orange.data import Domain, Table
from Orange.data.io import FileFormat
from Orange.data.variable import MISSING_VALUES
from Orange.preprocess import Continuize, DomainContinuizer

from orangecontrib.sadd.cli.files import split_suffix
from orangecontrib.sadd.cli.terminal import CommandError, reason_of, with_notes
from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.labels import OBSTACLES, find_obstacle
from orangecontrib.sadd.core.parameters import shared_parameters
from orangecontrib.sadd.scripting.cutting import (
    check_class,
    cuts_of,
    discretized_table,
    find_constant,
    find_cuts,
    used_rows,
    with_counts,
)
from orangecontrib.sadd.scripting.labelling import label_rows
from orangecontrib.sadd.scripting.tablefiles import (
    read_table,
    set_target,
    with_columns,
    with_numeric,
)
from orangecontrib.sadd.scripting.tables import id_note, match_columns, rows_of

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
    target = args.target
    if args.saved is not None and target is None and data.domain.class_var is None:
        target = args.saved.about.get("target")
        target = target if target in data.domain else None
    if target is not None:
        try:
            data = set_target(data, target)
        except ValueError as error:
            raise CommandError(str(error)) from error
    if args.saved is None:
        cuts, how = _learn(source, data, args, notify)
    else:
        data, cuts = _apply(data, args.saved, notify)
        how = "by saved cut points"
    for kind, path in paths.items():
        try:
            _WRITERS[kind](cuts, data, path, args)
        except OSError as error:
            raise CommandError(f"The {kind} cannot be written: {reason_of(error)}."
                               ) from error
    cut = [points for points in cuts.cut_points if len(points)]
    return (f"{len(data)} rows; {len(cut)} of {len(cuts)} numeric variables "
            f"in {sum(map(len, cut)) + len(cut)} intervals {how}")


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
    """Return the cuts of the data, with counts, and a summary of the rows."""
    tables = []
    for path in args.unlabelled:
        if os.path.realpath(path) == os.path.realpath(source):
            notify(f"{path} is the data itself, and adds no rows.")
        else:
            table, notes = _read_unlabelled(path, args.trust_metadata)
            tables.append(table)
            for note in notes:
                notify(f"{path}: {note}")
    rows = rows_of(data, _join_unlabelled(tables, data, notify) if tables else None)
    if note := id_note(data):
        notify(note)
    estimator = args.estimator
    try:
        check_class(rows, estimator)
    except ValueError as error:
        raise CommandError(f"{error} --target names the class.") from error
    used = used_rows(rows, estimator)
    if obstacle := find_obstacle(used.labels, used.categorical, estimator):
        raise CommandError(OBSTACLES[obstacle])
    labels = label_rows(rows, estimator)
    cuts = with_counts(
        find_cuts(rows, estimator, labels), rows,
        data.domain.class_var.values if rows.labels.given else ())
    n_labelled = rows.labels.n_used
    how = f"by {estimator.short_name}"
    if n_labelled < len(data) and rows.labels.given or rows.n_pool:
        how += f", {n_labelled} labelled and {len(rows) - n_labelled} unlabelled rows"
    if labels is not None and labels.k is not None:
        how += f", k = {labels.k}"
    about = _about(estimator, data, rows, labels) | {"columns": _columns(data, cuts)}
    return replace(cuts, about=about), how


def _columns(data, cuts):
    """Return the columns of the data, but the target, and their types."""
    constant = find_constant(data, cuts)
    return {var.name: list(var.values) if var.is_discrete else
            "text" if var.is_string else
            "constant" if var.name in constant else "numeric"
            for var in (*data.domain.attributes, *data.domain.metas)}


def _about(estimator, data, rows, labels):
    """Return the entries of a file of cuts about all variables."""
    return {"method": estimator.short_name,
            "parameters": {name: getattr(estimator, name)
                           for name in shared_parameters(type(estimator))},
            "target": data.domain.class_var.name if rows.labels.given else None,
            "labelled_rows": rows.labels.n_used,
            "unlabelled_rows": rows.labels.n_unlabelled,
            "neighbours": labels.k if labels else None}


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
    """Return the data with the saved types of columns, and the saved cuts."""
    if columns := dict(saved.about.get("columns", {})):
        columns[saved.about.get("target")] = saved.classes.tolist()
        data = with_columns(data, columns)
    saved = saved.take([
        feature for feature, values in enumerate(saved.categories) if values is None])
    data = with_numeric(data, {
        name for name, is_time in zip(saved.feature_names, saved.times, strict=True)
        if not is_time})
    attributes = data.domain.attributes
    index = {var.name: column for column, var in enumerate(attributes)}
    missing = [name for name in saved.feature_names if name not in index]
    if missing:
        raise CommandError("There are cut points for variables that are missing: "
                           f"{_first_few(missing)}.")
    variables = [attributes[index.pop(name)] for name in saved.feature_names]
    for var, is_time in zip(variables, saved.times, strict=True):
        if not var.is_continuous or var.is_time != is_time:
            raise CommandError(f"{var.name!r} is not of type "
                               f"{'time' if is_time else 'numeric'}, as when it was "
                               "cut.")
    others = [name for name in index if data.domain[name].is_continuous]
    if others:
        notify(f"There are no cut points for {_first_few(others)}, which stay numeric.")
    return data, cuts_of(variables, saved)


def _first_few(names, most=5):
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _write_data(cuts, data, path, args):
    suffix = split_suffix(path)[1]
    writer = FileFormat.writers.get(suffix.lower())
    if writer is None:
        raise CommandError(f"Orange does not write files {suffix or 'without a suffix'}"
                           f"; choose one of {_extensions(FileFormat.writers)}.")
    columns = cuts.about.get("columns")
    constant = None if columns is None else [
        name for name, kind in columns.items() if kind == "constant"]
    table = discretized_table(data, cuts, remove_const=not args.keep_constant,
                              constant=constant)
    if args.encode != "interval":
        table = _encoded(table, set(cuts.feature_names), ENCODINGS[args.encode])
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


def _encoded(table, names, treatment):
    """Return a table in which intervals, and only they, are numbers."""
    cut = [var for var in table.domain.attributes
           if var.name in names and var.is_discrete]
    made: dict = {var: [] for var in cut}
    for var in DomainContinuizer(multinomial_treatment=treatment)(
            Domain(cut)).attributes:
        made[var.compute_value.variable].append(var)
    domain = table.domain
    return table.transform(Domain(
        [new for var in domain.attributes for new in made.get(var, [var])],
        domain.class_vars, domain.metas))


def _write_cuts(cuts, data, path, args):
    cuts = replace(cuts, information=cuts.information.round(6))
    Path(path).write_text(cuts.to_json(), encoding="utf-8")


def _write_evidence(cuts, data, path, args):
    cuts.evidence().to_csv(path, index=False)


_WRITERS = {"data": _write_data, "cuts": _write_cuts, "evidence": _write_evidence}


def read_cuts(path: str) -> Cuts:
    """
    Read cut points.

    Parameters
    ----------
    path : str

    Returns
    -------
    Cuts

    Raises
    ------
    CommandError
        If the file cannot be read, or holds anything else.
    """
    try:
        saved = Cuts.from_json(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not JSON: {reason_of(error)}.") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {reason_of(error)}.") from error
    except ValueError as error:
        raise CommandError(f"{path} {error}") from error
    for number, names in enumerate(saved.given_names):
        if any(name.strip() in MISSING_VALUES for name in names or ()):
            raise CommandError(
                f"{path} has a variable without names of intervals that Orange can "
                f"read: entry {number + 1}, {saved.feature_names[number]}.")
    return saved
