"""Jobs: which file is made of which, how, and the result; nothing is read here."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from orangecontrib.sadd.cli.files import SavedCuts, check_free
from orangecontrib.sadd.cli.terminal import CommandError, UsageError
from orangecontrib.sadd.core.discretizer_base import Discretizer

__all__ = ["PARQUET", "STREAM", "Job", "JobResult", "JobSettings", "Worker",
           "make_folders", "plan_jobs", "split_suffix"]

# Standard input or output
STREAM = "-"

# What stands for the name of the input, without suffix, in names of outputs
NAME = "{name}"

COMPRESSED = {".gz", ".bz2", ".xz"}
PARQUET = ".parquet"


@dataclass(frozen=True)
class Job:
    """
    A file to discretize.

    Attributes
    ----------
    source : str
        A file, or ``-``.
    source_suffix : str
        Stands for its format, for example ``.csv.gz``; empty if that is unknown.
    output : str or None
        Where to write the discretized data: a file, ``-``, or nowhere.
    output_suffix : str
    cuts : str or None
        Where to write the cut points.
    evidence : str or None
        Where to write the table of intervals.
    """

    source: str
    source_suffix: str
    output: str | None
    output_suffix: str
    cuts: str | None
    evidence: str | None = None

    @property
    def is_parquet(self) -> bool:
        """Whether the source is a parquet file or folder."""
        return self.source_suffix.lower() == PARQUET

    @property
    def written(self) -> list[str]:
        """Paths of the files that it writes."""
        return [path for path in (self.output, self.cuts, self.evidence)
                if path is not None and path != STREAM]

    def check_free(self, force: bool = False) -> None:
        """Raise a CommandError if a file would be replaced."""
        for path in self.written:
            check_free(path, force)

    def is_done(self) -> bool:
        """Return whether all files are there."""
        return bool(self.written) and all(map(os.path.exists, self.written))


@dataclass(frozen=True)
class JobSettings:
    """
    What is the same for all jobs.

    Attributes
    ----------
    estimator : estimator or None
        The discretizer; None if there are saved cuts.
    saved : SavedCuts or None
        Cut points to apply.
    target : str or None
    unlabelled : tuple of str
        Files with the pool.
    pool_suffix : str or None
        Stands for the format of those files whose names do not show it.
    trusted : bool
        Whether pickles may be read.
    keep_constant : bool
        Whether variables with a single interval stay.
    annotations : bool
        Whether to write types of variables.
    force : bool
        Whether files may be replaced.
    scheduler : str or None
        Address of a Dask cluster, for parquet.
    show_progress : bool
        Whether to show the progress of a single job.
    say : callable
        Prints a line at once.
    """

    estimator: Discretizer | None = None
    saved: SavedCuts | None = None
    target: str | None = None
    unlabelled: tuple[str, ...] = ()
    pool_suffix: str | None = None
    trusted: bool = False
    keep_constant: bool = False
    annotations: bool = True
    force: bool = False
    scheduler: str | None = None
    show_progress: bool = False
    say: Callable[[str], None] = print


@dataclass
class JobResult:
    """
    The result of a job, for the summary.

    Attributes
    ----------
    cuts : SavedCuts
    n_rows, n_labelled, n_pool : int
        Rows of the data, those of them with a label, and unlabelled rows beyond them.
    k : int or None
        Number of neighbours that gave pseudo-labels.
    notes : list of str
        What the user might want to know.
    """

    cuts: SavedCuts
    n_rows: int
    n_labelled: int = 0
    n_pool: int = 0
    k: int | None = None
    notes: list[str] = field(default_factory=list)


#: Does a job, or raises a CommandError that says why it cannot be done
Worker: TypeAlias = Callable[[Job], JobResult]


def split_suffix(path: str | Path) -> tuple[str, str]:
    """
    Split the name of a file into its stem and its suffix, that of compression included.

    Examples
    --------
    >>> split_suffix("data/iris.tab.gz")
    ('iris', '.tab.gz')
    """
    name = Path(path)
    suffix = name.suffix
    if suffix.lower() in COMPRESSED:
        suffix = Path(name.stem).suffix + suffix
    return name.name.removesuffix(suffix), suffix


def plan_jobs(
    inputs: Sequence[str], output: str | None = None, cuts: str | None = None,
    evidence: str | None = None, *, source_format: str | None = None,
    output_format: str | None = None, pools: Sequence[str] = (),
    used: Sequence[str] = (),
) -> list[Job]:
    """
    Plan which file is made of which.

    Parameters
    ----------
    inputs : sequence of str
    output : str, optional
        A file; a folder; a name with ``{name}`` in it; or ``-``. A folder that is not
        there ends with a slash.
    cuts, evidence : str, optional
        A file, a folder, or a name with ``{name}`` in it.
    source_format, output_format : str, optional
        Suffixes with a dot, instead of those in the names.
    pools, used : sequence of str
        Files with unlabelled rows, and other files that are read. None of them may be
        written.

    Returns
    -------
    list of Job

    Examples
    --------
    >>> job, _ = plan_jobs(["a.csv", "b.csv"], "binned/", output_format=".tab")
    >>> job.output.replace(os.sep, "/"), job.output_suffix
    ('binned/a.tab', '.tab')
    """
    jobs = []
    for source in inputs:
        stem, suffix = split_suffix(source)
        if source == STREAM:
            stem, suffix = "stdin", ""
        suffix = source_format or suffix
        target = _expand(output, stem, output_format or suffix)
        jobs.append(Job(
            source, suffix, target,
            output_format or ("" if target is None else split_suffix(target)[1]),
            _expand(cuts, stem, ".json"), _expand(evidence, stem, ".csv")))
    _check_streams(jobs, pools, source_format, output_format)
    _check_paths(jobs, [*pools, *used])
    return jobs


def make_folders(*targets: str | None) -> None:
    """Make the folders whose names end with a slash."""
    for target in targets:
        if target is not None and _is_folder(target) and NAME not in target:
            try:
                os.makedirs(target, exist_ok=True)
            except OSError as error:
                raise CommandError(
                    f"The folder {target} cannot be made: {error.strerror}."
                ) from error


def _is_folder(target):
    # A data set in parquet is a folder, but not one for other files
    if split_suffix(target)[1].lower() == PARQUET:
        return False
    return target.endswith(("/", os.sep)) or os.path.isdir(target)


def _expand(target, stem, suffix):
    if target is None or target == STREAM:
        return target
    if _is_folder(target):
        target = os.path.join(target, f"{NAME}{suffix}")
    return target.replace(NAME, stem)


def _check_streams(jobs, pools, source_format, output_format):
    """Raise a UsageError if standard input or output cannot serve."""
    n_read = [*(job.source for job in jobs), *pools].count(STREAM)
    if n_read > 1:
        raise UsageError("Standard input can be read only once.")
    if n_read and not source_format:
        raise UsageError("Standard input needs --from, for example --from csv.")
    if any(job.output == STREAM for job in jobs):
        if len(jobs) > 1:
            raise UsageError("Standard output takes a single table; give a folder.")
        if output_format is None:
            raise UsageError("Standard output needs --to, for example --to csv.")
    if any(job.cuts == STREAM for job in jobs):
        raise UsageError("Cut points are written to a file, not to standard output.")
    if any(job.evidence == STREAM for job in jobs):
        raise UsageError("Evidence is written to a file, not to standard output.")
    if any(job.is_parquet and STREAM in (job.source, job.output, *pools)
           for job in jobs):
        raise UsageError("Parquet is in files and folders, not in standard input or "
                         "output.")


def _check_paths(jobs, used):
    """Raise a UsageError if files get in each other's way."""
    read = {os.path.realpath(path): path
            for path in (*(job.source for job in jobs), *used) if path != STREAM}
    written = {}
    for job in jobs:
        for path in job.written:
            real = os.path.realpath(path)
            if real in read:
                raise UsageError(f"{path} is read; write to another file.")
            if real in written:
                raise UsageError(
                    f"{written[real]} and {job.source} would both become {path}; give "
                    "a folder, or a name with {name} in it, and inputs of different "
                    "names.")
            written[real] = job.source
