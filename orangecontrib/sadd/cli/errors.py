"""What a user can be told in a sentence, without a traceback."""

__all__ = ["CommandError", "UsageError", "reason_of"]


class CommandError(Exception):
    """A file cannot be treated; the message says why, and what to do."""


class UsageError(Exception):
    """The arguments do not fit together."""


def reason_of(error: BaseException) -> str:
    """
    Give the reason of an exception in a line.

    Examples
    --------
    >>> reason_of(FileNotFoundError(2, "No such file or directory", "iris.tab"))
    'No such file or directory'
    >>> reason_of(ValueError())
    'ValueError'
    """
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
