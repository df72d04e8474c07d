"""Parquet folders, of any size, by Dask: threads of this machine, or a cluster."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from orangecontrib.sadd.cli.cutsfile import SavedCuts, SavedVariable, write_cuts
from orangecontrib.sadd.cli.errors import CommandError, reason_of
from orangecontrib.sadd.cli.outputs import check_free
from orangecontrib.sadd.cli.plan import Job
from orangecontrib.sadd.cli.work import Outcome, Settings
from orangecontrib.sadd.core.cluster.progress import ProgressBar
from orangecontrib.sadd.core.cluster.recognize import require_dask
from orangecontrib.sadd.core.registry import DISCRETIZERS

__all__ = ["ParquetWorker", "new_folder"]

PARQUET = ".parquet"


class ParquetWorker:
    """
    Discretizes parquet files and folders that need not fit into memory.

    Parameters
    ----------
    settings : Settings
        What is the same for all files.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        try:
            require_dask()
        except ImportError as error:
            raise CommandError(str(error)) from error
        for path in settings.unlabelled:
            if Path(path).suffix.lower() != PARQUET:
                raise CommandError(f"{path} must be parquet, as the data are.")

    def __call__(self, job: Job) -> Outcome:
        """
        Discretize a file or folder.

        Parameters
        ----------
        job : Job

        Returns
        -------
        Outcome
        """
        from orangecontrib.sadd.core.cluster.folders import connected

        if job.output is not None and job.output_suffix.lower() != PARQUET:
            raise CommandError("Parquet becomes parquet: give the output a name that "
                               "ends with .parquet.")
        try:
            cluster = connected(self.settings.scheduler)
        except OSError as error:
            raise CommandError("There is no answer from a Dask scheduler at "
                               f"{self.settings.scheduler}.") from error
        try:
            with cluster:
                return self._treat(job)
        except ValueError as error:
            raise CommandError(str(error)) from error

    def _treat(self, job):
        from orangecontrib.sadd.core.cluster import folders

        settings = self.settings
        outcome = self._learn(job) if settings.saved is None else self._take(job)
        if job.output is not None:
            cuts = {var.name: np.array(var.cuts) for var in outcome.cuts.variables}
            with new_folder(job.output, settings.force) as folder:
                folders.write_intervals(
                    job.source, str(folder), cuts, _names(outcome.cuts),
                    keep_constant=settings.keep_constant)
        # Cut points come last: they would remain if the data could not be written
        if job.cuts is not None:
            write_cuts(outcome.cuts, job.cuts, settings.force)
        return outcome

    def _learn(self, job):
        from orangecontrib.sadd.core.cluster import folders

        settings = self.settings
        method = next(method for method in DISCRETIZERS.values()
                      if isinstance(settings.estimator, method.estimator))
        if settings.target is None and method.uses_class:
            others = [name for name, other in DISCRETIZERS.items()
                      if not other.uses_class]
            raise CommandError(
                "There is no class. Name it with --target, or take a --method without: "
                f"{', '.join(others)}.")
        if not [name for name in folders.numeric_columns(job.source)[0]
                if name != settings.target]:
            raise CommandError("There are no numeric columns.")
        found = folders.fit_folder(
            settings.estimator, job.source, settings.target, settings.unlabelled,
            ProgressBar() if settings.show_progress else None)
        about = {
            "method": method.name,
            "parameters": {parameter.name: getattr(settings.estimator, parameter.name)
                           for parameter in method.parameters},
            "target": settings.target,
            "labelled_rows": found.n_labelled,
            "unlabelled_rows": found.n_rows - found.n_labelled + found.n_pool,
            "neighbours": found.k,
        }
        saved = SavedCuts(tuple(
            SavedVariable(name, "numeric", tuple(cuts.tolist()),
                          None if np.isnan(bits) else round(float(bits), 6),
                          _interval_names(name, cuts.tolist()) if len(cuts) else None)
            for name, cuts, bits in zip(found.names, found.cut_points,
                                        found.mutual_information, strict=True)), about)
        return Outcome(saved, found.n_rows, found.n_labelled, found.n_pool, found.k)

    def _take(self, job):
        from orangecontrib.sadd.core.cluster import folders

        saved = self.settings.saved
        numeric, others = folders.numeric_columns(job.source)
        names = [var.name for var in saved.variables]
        missing = [name for name in names if name not in [*numeric, *others]]
        if missing:
            raise CommandError("There are cut points for variables that are missing: "
                               f"{', '.join(missing[:5])}.")
        for var in saved.variables:
            if var.type != "numeric" or var.name in others:
                raise CommandError(
                    f"{var.name!r} is not of type {var.type}, as when it was cut."
                    if var.name in others else
                    f"{var.name!r} is a time, which is not cut in parquet.")
        rest = [name for name in numeric if name not in names]
        notes = [f"There are no cut points for {', '.join(rest[:5])}, which stay "
                 "numeric."] if rest else []
        return Outcome(saved, folders.count_rows(job.source), notes=notes)


def _interval_names(name, cuts):
    """Names of intervals, as in tables of Orange."""
    from Orange.data import ContinuousVariable

    from orangecontrib.sadd.intervals import interval_names

    return interval_names(ContinuousVariable(name), cuts)


def _names(saved):
    """Names of the intervals of each variable."""
    return {var.name: list(var.intervals or (
                _interval_names(var.name, var.cuts) if var.cuts else ["single_value"]))
            for var in saved.variables}


@contextmanager
def new_folder(path: str | Path, force: bool = False) -> Iterator[Path]:
    """
    Give a name in a temporary folder; what is written there becomes a data set.

    It appears all at once, or not at all, and replaces another only if asked to.

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
        strange = [entry.name for entry in path.iterdir()
                   if entry.suffix != PARQUET and not entry.name.startswith(("_", "."))]
        if strange:
            raise CommandError(f"{path} holds other files, such as {min(strange)}, and "
                               "is not replaced.")
    try:
        home = Path(tempfile.mkdtemp(prefix=".sadd-", dir=path.parent))
        try:
            # Workers of a cluster may be other users of the same group
            home.chmod(0o777 & ~_umask())
            yield home / "new"
            if os.path.lexists(path):
                check_free(path, force)
                os.rename(path, home / "old")
            try:
                os.rename(home / "new", path)
            except OSError:
                if (home / "old").exists():
                    os.rename(home / "old", path)
                raise
        finally:
            shutil.rmtree(home, ignore_errors=True)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {reason_of(error)}.") from error


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
