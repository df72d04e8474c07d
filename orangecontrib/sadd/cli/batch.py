"""Many files: which program treats them, what fails, and what the user is told."""

import sys
import time
import traceback
from collections.abc import Callable

from orangecontrib.sadd.cli.errors import CommandError, reason_of
from orangecontrib.sadd.cli.plan import Job
from orangecontrib.sadd.cli.progress import Progress
from orangecontrib.sadd.cli.work import Settings, Worker

__all__ = ["WORKERS", "Batch"]


def _table_worker(settings):
    # Orange takes a second to import, and --help does not need it
    from orangecontrib.sadd.cli.tablejob import TableWorker

    return TableWorker(settings)


def _parquet_worker(settings):
    # So does Dask
    from orangecontrib.sadd.cli.parquetjob import ParquetWorker

    return ParquetWorker(settings)


# Makers of workers for files with certain suffixes; a worker takes a Job and gives an
# Outcome, or raises a CommandError. Orange reads all others.
WORKERS: dict[str, Callable[[Settings], Worker]] = {".parquet": _parquet_worker}


def _maker(job):
    return WORKERS.get(job.source_suffix.lower(), _table_worker)


class Batch:
    """
    All files, one after the other; a failure of one does not stop the others.

    Parameters
    ----------
    settings : Settings
    jobs : list of Job
    verbosity : int
        0 for errors only, 2 for every cut point.
    skip_existing : bool
        Whether to leave out jobs whose files are there.
    """

    def __init__(self, settings: Settings, jobs: list[Job], verbosity: int = 1,
                 skip_existing: bool = False) -> None:
        self.settings, self.jobs = settings, jobs
        self.verbosity, self.skip_existing = verbosity, skip_existing
        self.failed = self.skipped = 0

    def run(self) -> int:
        """Discretize the files and return the exit status."""
        start = time.monotonic()
        self.workers = {make: make(self.settings)
                        for make in dict.fromkeys(map(_maker, self.jobs))}
        with Progress(len(self.jobs)) as self.progress:
            for job in self.jobs:
                self._treat(job)
                if len(self.jobs) > 1 and self.verbosity:
                    self.progress.step(job.source)
        done = len(self.jobs) - self.failed - self.skipped
        if len(self.jobs) > 1 and self.verbosity:
            self._say(
                f"{done} of {len(self.jobs)} files discretized"
                + (f", {self.skipped} skipped" if self.skipped else "")
                + (f", {self.failed} failed" if self.failed else "")
                + f", in {time.monotonic() - start:.1f} s")
        return 1 if self.failed else 0

    def _treat(self, job):
        if self.skip_existing and job.is_done():
            self.skipped += 1
            return
        try:
            job.check_free(self.settings.force)
            outcome = self.workers[_maker(job)](job)
        except BrokenPipeError:
            raise
        except (CommandError, OSError) as error:
            self.failed += 1
            self._say(f"{job.source}: {_sentence(error)}")
        except Exception as error:  # a fault of ours must not end thousands of files
            self.failed += 1
            if self.verbosity > 1:
                self._say(traceback.format_exc().rstrip())
            self._say(f"{job.source}: unexpected {type(error).__name__}: "
                      f"{reason_of(error)}; please report it, with what --verbose says")
        else:
            self._tell(job, outcome)

    def _tell(self, job, outcome):
        if not self.verbosity:
            return
        for note in outcome.notes:
            self._say(f"{job.source}: note: {note}")
        if len(self.jobs) == 1 or self.verbosity > 1:
            files = f" -> {', '.join(job.written)}" if job.written else ""
            self._say(f"{job.source}: {_summary(outcome, self.settings)}{files}")
        if self.verbosity > 1:
            for var in outcome.cuts.variables:
                cuts = ", ".join(f"{cut:g}" for cut in var.cuts) or "no cuts"
                bits = "" if var.information is None \
                    else f" ({var.information:.3f} bits)"
                self._say(f"  {var.name}: {cuts}{bits}")

    def _say(self, text):
        # Standard output is for data
        self.progress.clear()
        print(text, file=sys.stderr)


def _sentence(error):
    return str(error) if isinstance(error, CommandError) else reason_of(error)


def _summary(outcome, settings):
    variables = outcome.cuts.variables
    rows = f"{outcome.n_rows} rows"
    if settings.estimator is None:
        how = "by cut points of an earlier run"
    else:
        how = f"by {outcome.cuts.about['method']}"
        if outcome.n_labelled < outcome.n_rows and outcome.cuts.about["target"]:
            rows += f", {outcome.n_labelled} of them labelled"
        if outcome.n_pool:
            rows += f", {outcome.n_pool} more unlabelled"
        if outcome.k is not None:
            how += f" with k = {outcome.k}"
    n_intervals = sum(len(var.cuts) + 1 for var in variables if var.cuts)
    n_cut = sum(bool(var.cuts) for var in variables)
    return f"{rows}; {n_cut} of {len(variables)} numeric variables in " \
        f"{n_intervals} intervals {how}"
