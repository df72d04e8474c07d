"""Tables from files and into files, in any format that Orange knows."""

import shutil
import sys
import tempfile
import warnings
from pathlib import Path

from Orange.data import Table
from Orange.data.io import FileFormat

from orangecontrib.sadd.cli.errors import CommandError, reason_of
from orangecontrib.sadd.cli.outputs import new_files
from orangecontrib.sadd.cli.plan import STREAM, split_suffix

__all__ = ["read_table", "write_table"]


def read_table(path: str, suffix: str | None = None) -> tuple[Table, list[str]]:
    """
    Read a table.

    Parameters
    ----------
    path : str
        A file, a pipe, or ``-`` for standard input.
    suffix : str, optional
        What files of its format end with, such as ``.csv``; by default the suffix of
        the path.

    Returns
    -------
    data : Table
    notes : list of str
        What Orange warns of.

    Raises
    ------
    CommandError
        With a message to be read after the name of the file.
    """
    suffix = suffix or split_suffix(path)[1]
    reader = _format(FileFormat.readers, suffix)
    if reader is None:
        raise CommandError(
            "cannot be read: " + (f"Orange does not know files {suffix}" if suffix else
                                  "the name does not tell the format")
            + f"; --from takes one of {_known(FileFormat.readers)}.")
    try:
        if path != STREAM and Path(path).is_file():
            return _read(reader, path)
        if path != STREAM and Path(path).is_dir():
            raise CommandError("is a folder; name the files in it.")
        # Readers read a file more than once, which a pipe does not allow
        with tempfile.TemporaryDirectory(prefix="sadd-") as folder:
            copy = Path(folder) / f"data{suffix}"
            with open(copy, "wb") as file:
                if path == STREAM:
                    shutil.copyfileobj(sys.stdin.buffer, file)
                else:
                    with open(path, "rb") as pipe:
                        shutil.copyfileobj(pipe, file)
            return _read(reader, str(copy))
    except CommandError:
        raise
    except Exception as error:  # readers of many formats, each failing in its own way
        raise CommandError(f"cannot be read: {reason_of(error)}.") from error


def _read(reader, path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        data = reader(path).read()
    return data, [f"{warning.message}." for warning in caught]


def write_table(data: Table, path: str, suffix: str | None = None, *,
                annotations: bool = True, force: bool = False) -> None:
    """
    Write a table; a file is there in full, or is not there.

    Parameters
    ----------
    data : Table
    path : str
        A file, or ``-`` for standard output.
    suffix : str, optional
        As for `read_table`.
    annotations : bool
        Whether to write types and roles of variables, if the format has them.
    force : bool
        Whether a file may be replaced.
    """
    suffix = suffix or split_suffix(path)[1]
    writer = _format(FileFormat.writers, suffix)
    if writer is None:
        raise CommandError(
            f"Orange does not write files {suffix or 'without a suffix'}; --to takes "
            f"one of {_known(FileFormat.writers)}.")
    if data.is_sparse() and not writer.SUPPORT_SPARSE_DATA:
        raise CommandError(
            f"Files {suffix} cannot hold sparse data; .pkl files can.")
    if path != STREAM:
        # Orange keeps the attributes of a table in a file of their own
        with new_files(path, force, [".metadata"]) as folder:
            _write(writer, folder / f"data{suffix}", data, annotations)
        return
    with tempfile.TemporaryDirectory(prefix="sadd-") as folder:
        copy = Path(folder) / f"data{suffix}"
        _write(writer, copy, data, annotations)
        with open(copy, "rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _write(writer, path, data, annotations):
    try:
        writer.write(str(path), data, annotations)
    except (OSError, BrokenPipeError):
        raise
    except Exception as error:  # as for readers
        raise CommandError(
            f"Orange cannot write this table as {split_suffix(path)[1]}: "
            f"{reason_of(error)}.") from error


def _format(formats, suffix):
    return formats.get(suffix.lower())


def _known(formats):
    """Names of formats, without those that are compressed."""
    return ", ".join(suffix[1:] for suffix in formats if suffix.count(".") == 1)
