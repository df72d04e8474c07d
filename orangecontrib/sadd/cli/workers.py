"""Workers that discretize a file: one for tables in memory, one for parquet by Dask."""

import os
import shutil
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, Table
from Orange.data.io import FileFormat
from sklearn.base import clone

from orangecontrib.sadd.cli.files import (
    check_columns,
    first_few,
    learned_cuts,
    new_files,
    new_folder,
    write_cuts,
    write_evidence,
)
from orangecontrib.sadd.cli.jobs import (
    PARQUET,
    STREAM,
    Job,
    JobResult,
    JobSettings,
    split_suffix,
)
from orangecontrib.sadd.cli.options import CLASS_ADVICE
from orangecontrib.sadd.cli.terminal import (
    CommandError,
    ProgressBar,
    reason_of,
    with_notes,
)
from orangecontrib.sadd.core.cluster import require_dask
from orangecontrib.sadd.core.intervals.cutsjson import plain_labels
from orangecontrib.sadd.core.intervals.encoding import MISSING, SINGLE_VALUE
from orangecontrib.sadd.core.intervals.evidence import interval_table
from orangecontrib.sadd.core.registry import method_of
from orangecontrib.sadd.cutting import Discretized, find_cuts
from orangecontrib.sadd.intervals import interval_names
from orangecontrib.sadd.tablefiles import read_table, set_target, with_numeric
from orangecontrib.sadd.tables import (
    id_note,
    labelled_classes,
    match_columns,
    read_rows,
)

__all__ = ["ParquetWorker", "TableWorker"]


class TableWorker:
    """
    Discretizes files that Orange reads into memory.

    Parameters
    ----------
    settings : JobSettings
    """

    def __init__(self, settings: JobSettings) -> None:
        self.settings = settings
        self._pool: list[tuple[str, Table]] = []
        self._notes: list[str] = []
        for path in settings.unlabelled:
            suffix = split_suffix(path)[1]
            if suffix.lower() not in FileFormat.readers:
                suffix = settings.pool_suffix or suffix
            try:
                table, notes = _read(path, suffix, settings.trusted)
            except CommandError as error:
                raise CommandError(f"{path} {error}") from error
            self._pool.append((path, table))
            self._notes += [f"{path}: {note}" for note in notes]

    def __call__(self, job: Job) -> JobResult:
        """
        Discretize a file.

        Parameters
        ----------
        job : Job

        Returns
        -------
        JobResult
        """
        settings = self.settings
        data, notes = _read(job.source, job.source_suffix, settings.trusted)
        if settings.target is not None:
            try:
                data = set_target(data, settings.target)
            except ValueError as error:
                raise CommandError(str(error)) from error
        if settings.saved is None:
            found, result = self._learn(job, data)
        else:
            data, found, result = self._take(data)
        result.notes = notes + result.notes
        if job.output is not None:
            _write(found.transform(data, not settings.keep_constant), job, settings)
        evidence = None if job.evidence is None else found.interval_table(
            _classes(data))
        _write_findings(job, result, evidence, settings)
        return result

    def _learn(self, job, data):
        """Return what is found in the data, and the result."""
        notes, self._notes = self._notes, []  # once is enough
        tables = []
        for path, table in self._pool:
            if STREAM not in (path, job.source) and os.path.samefile(path, job.source):
                notes.append(f"{path} is the data itself, and adds no rows to it.")
            else:
                tables.append(table)
        pool = None
        if tables:
            pool, missing = _join_pool(tables, data)
            if missing:
                notes.append("The unlabelled data lacks some variables, which "
                             f"therefore do not gain from it: {first_few(missing)}.")
        rows = read_rows(data, pool)
        classes = labelled_classes(data)
        note = id_note(len(np.unique(classes)), len(classes))
        if note:  # before any work
            self.settings.say(f"{job.source}: note: {note}")
        found = find_cuts(rows, self.settings.estimator)
        if found.reason:
            advice = f" Name the class {CLASS_ADVICE}." \
                if len(found.columns) and not rows.has_class else ""
            raise CommandError(f"{found.reason}{advice}")
        k = None if found.labels is None else found.labels.k
        labels = _classes(data)
        cuts = learned_cuts(
            self.settings.estimator, found.variables, found.counted(len(labels)),
            found.mutual_information, found.ranges, classes=labels or None,
            target=data.domain.class_var.name if rows.has_class else None,
            labelled_rows=int(np.count_nonzero(rows.labelled)),
            unlabelled_rows=int(np.count_nonzero(np.isnan(rows.y))), neighbours=k)
        n_labelled = int(np.count_nonzero(rows.labelled[:len(data)]))
        return found, JobResult(cuts, len(data), n_labelled, rows.n_pool, k, notes)

    def _take(self, data):
        """Return the data, what saved cuts make of it, and the result."""
        saved = self.settings.saved
        data = with_numeric(
            data, {var.name for var in saved.variables if var.type == "numeric"})
        variables = saved.cut_variables
        attributes = data.domain.attributes
        notes = check_columns(saved, {
            var.name: "time" if var.is_time else
            "numeric" if var.is_continuous else "categorical" for var in attributes})
        index = {var.name: column for column, var in enumerate(attributes)}
        rows, n_saved = read_rows(data), len(variables)
        found = Discretized(
            rows, np.array([index[var.name] for var in variables], dtype=int),
            [np.array(var.cuts, dtype=float) for var in variables],
            np.full(n_saved, np.nan), [[] for _ in range(n_saved)],
            names=[var.intervals for var in variables],
            missing=any(var.missing for var in variables))
        return data, found, JobResult(
            saved, len(data), int(np.count_nonzero(rows.labelled)), notes=notes)


def _classes(data):
    """Return the values of the class; none without a categorical one."""
    return list(data.domain.class_var.values) if data.domain.has_discrete_class else []


def _join_pool(tables, data):
    """Return all rows with the attributes of the data, and names of missing ones."""
    attributes = data.domain.attributes
    numeric = {var.name for var in attributes if var.is_continuous}
    blocks, weights, missing = [], [], {}
    for table in tables:
        X, lacking = match_columns(with_numeric(table, numeric), attributes)
        if attributes and len(lacking) == len(attributes):
            raise CommandError(
                "The unlabelled data has none of the attributes; are the names in its "
                "first line the same?")
        blocks.append(X)
        weights.append(table.W.reshape(len(table), -1)[:, :1] if table.has_weights()
                       else np.ones((len(table), 1)))
        missing.update((var.name, None) for var in lacking)
    sparse = any(map(sp.issparse, blocks))
    X = sp.csr_matrix(sp.vstack(blocks)) if sparse else np.concatenate(blocks)
    weighted = any(table.has_weights() for table in tables)
    W = np.concatenate(weights) if weighted else None
    return Table.from_numpy(Domain(attributes), X, W=W), list(missing)


def _read(path, suffix, trusted):
    """Return a table and notes; messages of errors continue the name of the file."""
    reader = FileFormat.readers.get(suffix.lower())
    if reader is None:
        raise CommandError(
            "cannot be read: " + (f"Orange does not know files {suffix}" if suffix else
                                  "the name does not tell the format")
            + f"; --from takes one of {_known(FileFormat.readers)}.")
    try:
        if path != STREAM and Path(path).is_file():
            return with_notes(read_table, path, reader, trusted=trusted)
        if path != STREAM and Path(path).is_dir():
            raise CommandError("is a folder; name the files in it.")
        # Readers read a file more than once, which a pipe does not allow
        with tempfile.TemporaryDirectory(prefix="sadd-") as folder:
            copy = Path(folder) / f"data{suffix}"
            pipe = nullcontext(sys.stdin.buffer) if path == STREAM else open(path, "rb")
            with pipe as stream, open(copy, "wb") as file:
                shutil.copyfileobj(stream, file)
            return with_notes(read_table, str(copy), reader, trusted=trusted)
    except CommandError:
        raise
    except Exception as error:  # readers of many formats, each failing in its own way
        raise CommandError(f"cannot be read: {reason_of(error)}.") from error


def _write(data, job, settings):
    """Write a table to a file, which is there in full or not at all, or to a stream."""
    suffix = job.output_suffix
    writer = FileFormat.writers.get(suffix.lower())
    if writer is None:
        raise CommandError(
            f"Orange does not write files {suffix or 'without a suffix'}; --to takes "
            f"one of {_known(FileFormat.writers)}.")
    if data.is_sparse() and not writer.SUPPORT_SPARSE_DATA:
        raise CommandError(f"Files {suffix} cannot hold sparse data; .pkl files can.")
    # Orange keeps the attributes of a table in a file of their own
    place = tempfile.TemporaryDirectory(prefix="sadd-") if job.output == STREAM \
        else new_files(job.output, settings.force, [".metadata"])
    with place as folder:
        path = Path(folder) / f"data{suffix}"
        try:
            writer.write(str(path), data, settings.annotations)
        except OSError:
            raise
        except Exception as error:  # as for readers
            raise CommandError(f"Orange cannot write this table as {suffix}: "
                               f"{reason_of(error)}.") from error
        if job.output == STREAM:
            with open(path, "rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


def _known(formats):
    """List the names of formats, without those that are compressed."""
    return ", ".join(suffix[1:] for suffix in formats if suffix.count(".") == 1)


def _write_findings(job, result, evidence, settings):
    """Write cut points and evidence, last: they would remain without the data."""
    if job.cuts is not None:
        write_cuts(result.cuts, job.cuts, settings.force)
    if job.evidence is not None:
        write_evidence(evidence, job.evidence, settings.force)


class ParquetWorker:
    """
    Discretizes parquet files and folders that need not fit into memory.

    Parameters
    ----------
    settings : JobSettings
    """

    def __init__(self, settings: JobSettings) -> None:
        self.settings = settings
        try:
            require_dask()
        except ImportError as error:
            raise CommandError(str(error)) from error
        from orangecontrib.sadd.core.cluster import folders

        self._folders = folders
        for path in settings.unlabelled:
            if PARQUET not in (Path(path).suffix.lower(), settings.pool_suffix):
                raise CommandError(f"{path} must be parquet, as the data are.")

    def __call__(self, job: Job) -> JobResult:
        """
        Discretize a file or folder.

        Parameters
        ----------
        job : Job

        Returns
        -------
        JobResult
        """
        if job.output is not None and job.output_suffix.lower() != PARQUET:
            raise CommandError("Parquet becomes parquet: give the output a name that "
                               "ends with .parquet.")
        try:
            cluster = self._folders.connected(self.settings.scheduler)
        except OSError as error:
            raise CommandError("There is no answer from a Dask scheduler at "
                               f"{self.settings.scheduler}.") from error
        try:
            with cluster:
                return self._discretize(job)
        except KeyError as error:
            raise CommandError(
                f"Some files of {job.source} lack a column that others have: {error}."
            ) from error
        except ValueError as error:
            raise CommandError(str(error)) from error
        except self._folders.LOST as error:
            raise CommandError(
                "The connection to the Dask cluster was lost "
                f"({reason_of(error)}). Nothing was written.") from error

    def _discretize(self, job):
        settings = self.settings
        evidence, result = self._take(job) if settings.estimator is None \
            else self._learn(job)
        variables = result.cuts.cut_variables
        if job.output is not None:
            with new_folder(job.output, settings.force) as folder:
                self._folders.write_intervals(
                    job.source, str(folder),
                    {var.name: np.array(var.cuts) for var in variables},
                    {var.name: _interval_names(var) for var in variables},
                    missing=any(var.missing for var in variables),
                    keep_constant=settings.keep_constant)
        _write_findings(job, result, evidence, settings)
        return result

    def _learn(self, job):
        """Return the table of intervals, and the result."""
        settings = self.settings
        if settings.target is None and method_of(settings.estimator).uses_class:
            raise CommandError(f"There is no class. Name it {CLASS_ADVICE}.")
        if not set(self._folders.numeric_columns(job.source)[0]) - {settings.target}:
            raise CommandError("There are no numeric columns.")
        estimator = clone(settings.estimator)  # other jobs have other columns

        def ask(labels):
            note = id_note(len(labels.classes), labels.n_labelled)
            if note:
                settings.say(f"{job.source}: note: {note}")

        with ProgressBar(disable=not settings.show_progress) as progress:
            found = self._folders.fit_folder(
                estimator, job.source, settings.target, settings.unlabelled,
                progress, on_labels=ask)
        cuts = learned_cuts(
            settings.estimator, list(map(ContinuousVariable, found.names)),
            found.counted, found.mutual_information, found.ranges,
            classes=plain_labels(found.classes), target=settings.target,
            labelled_rows=found.n_labelled,
            unlabelled_rows=found.n_rows - found.n_labelled + found.n_pool,
            neighbours=found.k)
        if job.evidence is not None:
            estimator.interval_table()  # raises if rows were not counted
        return interval_table(found.counted, found.classes or ()), JobResult(
            cuts, found.n_rows, found.n_labelled, found.n_pool, found.k)

    def _take(self, job):
        numeric, others = self._folders.numeric_columns(job.source)
        notes = check_columns(self.settings.saved, {
            **dict.fromkeys(numeric, "numeric"), **dict.fromkeys(others, "other")})
        n_rows = self._folders.count_rows(job.source)
        return None, JobResult(self.settings.saved, n_rows, notes=notes)


def _interval_names(var):
    if var.intervals or not var.cuts:
        return list(var.intervals or [SINGLE_VALUE])
    return [*interval_names(ContinuousVariable(var.name), var.cuts),
            *[MISSING] * var.missing]
