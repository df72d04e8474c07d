"""Parquet folders, of any size, by Dask: threads of this machine, or a cluster."""

from pathlib import Path

import numpy as np
from Orange.data import ContinuousVariable
from sklearn.base import clone

from orangecontrib.sadd.cli.cutsfile import (
    check_columns,
    learned_cuts,
    write_cuts,
    write_evidence,
)
from orangecontrib.sadd.cli.jobs import PARQUET, Job, JobResult, JobSettings
from orangecontrib.sadd.cli.newfiles import new_folder
from orangecontrib.sadd.cli.options import CLASS_ADVICE
from orangecontrib.sadd.cli.terminal import CommandError, ProgressBar, reason_of
from orangecontrib.sadd.core.cluster import require_dask
from orangecontrib.sadd.core.intervals.encoding import MISSING, SINGLE_VALUE
from orangecontrib.sadd.core.intervals.evidence import interval_table
from orangecontrib.sadd.core.intervals.saving import plain_labels
from orangecontrib.sadd.core.registry import method_of
from orangecontrib.sadd.intervals import interval_names
from orangecontrib.sadd.tables import id_note

__all__ = ["ParquetWorker"]


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
        evidence = None
        if settings.saved is None:
            evidence, result = self._learn(job)
        else:
            result = self._take(job)
        variables = result.cuts.cut_variables
        if job.output is not None:
            with new_folder(job.output, settings.force) as folder:
                self._folders.write_intervals(
                    job.source, str(folder),
                    {var.name: np.array(var.cuts) for var in variables},
                    {var.name: _interval_names(var) for var in variables},
                    missing=any(var.missing for var in variables),
                    keep_constant=settings.keep_constant)
        # Cut points come last: they would remain if the data could not be written
        if job.cuts is not None:
            write_cuts(result.cuts, job.cuts, settings.force)
        if job.evidence is not None and evidence is not None:
            write_evidence(evidence, job.evidence, settings.force)
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
        return JobResult(self.settings.saved, n_rows, notes=notes)


def _interval_names(var):
    if var.intervals or not var.cuts:
        return list(var.intervals or [SINGLE_VALUE])
    return [*interval_names(ContinuousVariable(var.name), var.cuts),
            *[MISSING] * var.missing]
