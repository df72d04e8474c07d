"""Which file becomes which: names only, nothing is read here."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orangecontrib.sadd.cli.errors import CommandError, UsageError
from orangecontrib.sadd.cli.outputs import check_free

__all__ = ["STREAM", "Job", "make_folders", "plan_jobs", "split_suffix"]

# Standard input or output
STREAM = "-"

# What stands for the name of the input, without suffix, in names of outputs
NAME = "{name}"

COMPRESSED = {".gz", ".bz2", ".xz"}


@dataclass(frozen=True)
class Job:
    """
    A file to discretize.

    Attributes
    ----------
    source : str
        A file, or ``-``.
    source_suffix : str
        Tells its format, for example ``.csv.gz``; empty if nothing does.
    output : str or None
        Where to write the discretized data: a file, ``-``, or nowhere.
    output_suffix : str
    cuts : str or None
        Where to write the cut points.
    """

    source: str
    source_suffix: str
    output: str | None
    output_suffix: str
    cuts: str | None

    @property
    def written(self) -> list[str]:
        """Paths of the files that are to be written."""
        return [path for path in (self.output, self.cuts)
                if path is not None and path != STREAM]

    def check_free(self, force: bool = False) -> None:
        """Raise a CommandError if a file would be replaced."""
        for path in self.written:
            check_free(path, force)

    def is_done(self) -> bool:
        """Tell whether all files are there."""
        return bool(self.written) and all(map(os.path.exists, self.written))


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
    inputs: Sequence[str], output: str | None = None, cuts: str | None = None, *,
    source_format: str | None = None, output_format: str | None = None,
    used: Sequence[str] = (),
) -> list[Job]:
    """
    Decide which files become which.

    Parameters
    ----------
    inputs : sequence of str
    output : str, optional
        A file; a folder; a name with ``{name}`` in it; or ``-``. A folder that is not
        there ends with a slash.
    cuts : str, optional
        A file, a folder, or a name with ``{name}`` in it.
    source_format, output_format : str, optional
        Suffixes, with or without the dot, instead of those in the names.
    used : sequence of str
        Other files that are read, and thus must not be written.

    Returns
    -------
    list of Job

    Examples
    --------
    >>> job, _ = plan_jobs(["a.csv", "b.csv"], "binned/", output_format="tab")
    >>> job.output.replace(os.sep, "/"), job.output_suffix
    ('binned/a.tab', '.tab')
    """
    source_format, output_format = _dotted(source_format), _dotted(output_format)
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
            _expand(cuts, stem, ".json")))
    _check(jobs, used, output_format)
    return jobs


def make_folders(*targets: str | None) -> None:
    """Make the folders that are named with a slash at their end."""
    for target in targets:
        if target is not None and _is_folder(target) and NAME not in target:
            try:
                os.makedirs(target, exist_ok=True)
            except OSError as error:
                raise CommandError(
                    f"The folder {target} cannot be made: {error.strerror}."
                ) from error


def _dotted(suffix):
    return suffix and f".{suffix.lstrip('.')}"


def _is_folder(target):
    # A data set in parquet is a folder, but not one for other files
    if split_suffix(target)[1].lower() == ".parquet":
        return False
    return target.endswith(("/", os.sep)) or os.path.isdir(target)


def _expand(target, stem, suffix):
    if target is None or target == STREAM:
        return target
    if _is_folder(target):
        target = os.path.join(target, f"{NAME}{suffix}")
    return target.replace(NAME, stem)


def _check(jobs, used, output_format):
    """Raise a UsageError if files get in each other's way."""
    if sum(job.source == STREAM for job in jobs) + list(used).count(STREAM) > 1:
        raise UsageError("Standard input can be read only once.")
    if any(job.source == STREAM and not job.source_suffix for job in jobs):
        raise UsageError("Standard input needs --from, for example --from csv.")
    outputs = [job.output for job in jobs]
    if STREAM in outputs:
        if len(jobs) > 1:
            raise UsageError("Standard output takes a single table; give a folder.")
        if output_format is None:
            raise UsageError("Standard output needs --to, for example --to csv.")
    if any(job.cuts == STREAM for job in jobs):
        raise UsageError("Cut points are written to a file, not to standard output.")
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
