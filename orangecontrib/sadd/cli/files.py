"""Files that commands write: complete results are renamed into place."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from orangecontrib.sadd.cli.interrupts import UNFINISHED, remove_unfinished
from orangecontrib.sadd.cli.terminal import CommandError, UsageError, reason_of

__all__ = ["Job", "plan_jobs", "split_suffix", "written"]


class Job(NamedTuple):
    """
    A file to discretize.

    Attributes
    ----------
    source : str
    targets : dict of str to str
        Files to write, by kind: "data", "cuts" or "evidence".
    """

    source: str
    targets: dict[str, str]


def split_suffix(path: str) -> tuple[str, str]:
    """
    Split the name of a file into its stem and its suffix, including compression.

    Examples
    --------
    >>> split_suffix("data/iris.tab.gz")
    ('iris', '.tab.gz')
    """
    name = Path(path)
    suffix = name.suffix
    if suffix.lower() in (".gz", ".bz2", ".xz"):
        suffix = Path(name.stem).suffix + suffix
    return name.name.removesuffix(suffix), suffix


def plan_jobs(sources: Sequence[str], targets: dict[str, str], read: Sequence[str] = ()
              ) -> list[Job]:
    """
    Plan the files to write for each source, and make their folders.

    Parameters
    ----------
    sources : sequence of str
    targets : dict of str to str
        A file or a folder for each kind. A folder that does not exist ends with a
        slash.
    read : sequence of str
        Other files that are read.

    Returns
    -------
    list of Job

    Examples
    --------
    >>> job, = plan_jobs(["data/iris.tab"], {"cuts": "cuts.json"})
    >>> job.targets
    {'cuts': 'cuts.json'}
    """
    jobs = []
    used = set(map(os.path.realpath, (*sources, *read)))
    for source in sources:
        stem, suffix = split_suffix(source)
        suffixes = {"data": suffix, "cuts": ".json", "evidence": ".csv"}
        own = {kind: os.path.join(target, stem + suffixes[kind])
               if _is_folder(target) else target for kind, target in targets.items()}
        for path in own.values():
            if os.path.realpath(path) in used:
                raise UsageError(f"{path} is used twice; write to another file, or "
                                 "from inputs of different names to a folder.")
            used.add(os.path.realpath(path))
        jobs.append(Job(source, own))
    for target in filter(_is_folder, targets.values()):
        try:
            os.makedirs(target, exist_ok=True)
        except OSError as error:
            raise CommandError(f"The folder {target} cannot be made: "
                               f"{reason_of(error)}.") from error
    return jobs


def _is_folder(target):
    return target.endswith(("/", os.sep)) or os.path.isdir(target)


@contextmanager
def written(targets: dict[str, str], force: bool) -> Iterator[dict[str, str]]:
    """
    Write files completely or not at all.

    Parameters
    ----------
    targets : dict of str to str
    force : bool
        Whether files that exist are replaced.

    Yields
    ------
    dict of str to str
        Paths to write to, beside the targets and with the same suffixes. If there is no
        exception, the files are renamed to the targets.
    """
    for target in targets.values():
        _check_free(target, force)
    paths = {kind: _temporary(target) for kind, target in targets.items()}
    UNFINISHED.extend(paths.values())
    try:
        yield paths
        for kind, target in targets.items():
            _check_free(target, force)  # it may have been made meanwhile
            os.replace(paths[kind], os.path.realpath(target))
    finally:
        remove_unfinished()


def _temporary(target):
    """Return a path beside a target, or beside the file that a link points to."""
    name = f".sadd-{secrets.token_hex(8)}{split_suffix(target)[1]}"
    return os.path.join(os.path.dirname(os.path.realpath(target)), name)


def _check_free(path, force):
    """Raise a CommandError if a file cannot be written, or must not be replaced."""
    if os.path.isdir(path):
        raise CommandError(f"{path} is a folder.")
    if os.path.exists(path) and not os.path.isfile(path):
        # As root, a rename would replace even /dev/null
        raise CommandError(f"{path} is not a regular file.")
    if os.path.lexists(path) and not force:
        raise CommandError(f"{path} exists; --force replaces it.")
    if not Path(os.path.realpath(path)).parent.is_dir():
        raise CommandError(f"There is no folder {os.path.dirname(path)}.")
