"""Files that commands write: complete results are renamed into place."""

import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from orangecontrib.sadd.cli.interrupts import SCRATCH
from orangecontrib.sadd.cli.terminal import CommandError, UsageError, reason_of

__all__ = ["Job", "check_free", "plan_jobs", "publish", "scratch_folders",
           "split_suffix"]


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
def scratch_folders(jobs: Sequence[Job]) -> Iterator[dict[str, str]]:
    """
    Make temporary folders beside the targets, and remove them at the end.

    Parameters
    ----------
    jobs : sequence of Job

    Yields
    ------
    dict of str to str
        The temporary path of each target.
    """
    targets = [path for job in jobs for path in job.targets.values()]
    name = f".sadd-{secrets.token_hex(8)}"
    paths = {target: Path(os.path.realpath(target)) for target in targets}
    folders = {str(path.parent / name) for path in paths.values()
               if path.parent.is_dir()}
    SCRATCH.extend(folders)  # first, so that an interrupt removes them
    try:
        for folder in folders:
            os.mkdir(folder)
        # Numbered, since names of targets may differ in upper and lower case only
        yield {target: str(path.parent / name / f"{number}{split_suffix(path.name)[1]}")
               for number, (target, path) in enumerate(paths.items())}
    except OSError as error:
        raise CommandError(f"{error.filename} cannot be written: {reason_of(error)}."
                           ) from error
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def check_free(path: str, force: bool) -> None:
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


def publish(temporary: str, target: str, force: bool) -> None:
    """
    Rename a complete file to its target.

    Parameters
    ----------
    temporary, target : str
        If the target is a link, the file that it points to is replaced.
    force : bool
        Whether a file may be replaced.
    """
    check_free(target, force)
    real = os.path.realpath(target)
    try:
        if not force:
            # Fails if another program has made the file just now
            os.link(temporary, real)
            return
    except FileExistsError:
        raise CommandError(f"{target} exists; --force replaces it.") from None
    except OSError:  # a file system without links
        pass
    os.replace(temporary, real)
