"""Parquet folders, of any size, by Dask: threads of this machine, or a cluster."""

from pathlib import Path

import numpy as np
from Orange.data import ContinuousVariable

from orangecontrib.sadd.cli.cutsfile import check_columns, learned_cuts, write_cuts
from orangecontrib.sadd.cli.endings import CommandError, reason_of
from orangecontrib.sadd.cli.jobs import PARQUET, Job, JobResult, JobSettings
from orangecontrib.sadd.cli.options import CLASS_ADVICE
from orangecontrib.sadd.cli.outputs import new_folder
from orangecontrib.sadd.cli.progress import ProgressBar
from orangecontrib.sadd.core.cluster.recognize import require_dask
from orangecontrib.sadd.cutting import method_of
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
        result = self._learn(job) if settings.saved is None else self._take(job)
        variables = result.cuts.variables
        if job.output is not None:
            with new_folder(job.output, settings.force) as folder:
                self._folders.write_intervals(
                    job.source, str(folder),
                    {var.name: np.array(var.cuts) for var in variables},
                    {var.name: _interval_names(var) for var in variables},
                    keep_constant=settings.keep_constant)
        # Cut points come last: they would remain if the data could not be written
        if job.cuts is not None:
            write_cuts(result.cuts, job.cuts, settings.force)
        return result

    def _learn(self, job):
        settings = self.settings
        if settings.target is None and method_of(settings.estimator).uses_class:
            raise CommandError(f"There is no class. Name it {CLASS_ADVICE}.")
        if not set(self._folders.numeric_columns(job.source)[0]) - {settings.target}:
            raise CommandError("There are no numeric columns.")
        with ProgressBar(disable=not settings.show_progress) as progress:
            found = self._folders.fit_folder(
                settings.estimator, job.source, settings.target, settings.unlabelled,
                progress)
        cuts = learned_cuts(
            settings.estimator, list(map(ContinuousVariable, found.names)),
            found.cut_points, found.mutual_information,
            target=settings.target, labelled_rows=found.n_labelled,
            unlabelled_rows=found.n_rows - found.n_labelled + found.n_pool,
            neighbours=found.k)
        note = id_note(len(settings.estimator.classes_), found.n_labelled)
        return JobResult(cuts, found.n_rows, found.n_labelled, found.n_pool, found.k,
                         [note] if note else [])

    def _take(self, job):
        numeric, others = self._folders.numeric_columns(job.source)
        notes = check_columns(self.settings.saved, {
            **dict.fromkeys(numeric, "numeric"), **dict.fromkeys(others, "other")})
        n_rows = self._folders.count_rows(job.source)
        return JobResult(self.settings.saved, n_rows, notes=notes)


def _interval_names(var):
    if var.intervals or not var.cuts:
        return list(var.intervals or ["single_value"])
    return list(interval_names(ContinuousVariable(var.name), var.cuts))
