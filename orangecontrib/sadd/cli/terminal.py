"""Output of commands in a terminal: errors in a sentence, exit status."""

import argparse
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any

from orangecontrib.sadd.cli.interrupts import Terminated

__all__ = ["CommandError", "UsageError", "reason_of", "run_command", "with_notes"]


class CommandError(Exception):
    """Raised if a command fails; the message gives the reason and the remedy."""


class UsageError(Exception):
    """Raised if arguments do not fit together."""


def reason_of(error: BaseException) -> str:
    """
    Return the reason of an exception in one line.

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


def with_notes(function: Callable[..., Any], *args: Any, **options: Any
               ) -> tuple[Any, list[str]]:
    """
    Return the result of a function and its warnings, a sentence each.

    Examples
    --------
    >>> with_notes(lambda: warnings.warn("There is no header", stacklevel=1))
    (None, ['There is no header.'])
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        found = function(*args, **options)
    return found, [f"{warning.message}." for warning in caught]


def run_command(args: argparse.Namespace) -> int:
    """
    Run a command and return the exit status.

    Parameters
    ----------
    args : argparse.Namespace
        `command` is the name of the command, and `run` the function that runs it.
        `fail` prints a message about wrong arguments and exits with status 2.

    Returns
    -------
    int
        The status that `run` returns; 1 after an error; 2 after wrong arguments; 130
        after Ctrl-C and 143 after SIGTERM, as in shells.
    """
    try:
        status = args.run(args)
        sys.stdout.flush()
        return status
    except UsageError as error:
        args.fail(str(error))
        return 2
    except BrokenPipeError:  # nobody reads standard output any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (CommandError, OSError) as error:
        print(f"{args.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as interrupt:
        print("interrupted", file=sys.stderr)
        return 128 + (signal.SIGTERM if isinstance(interrupt, Terminated)
                      else signal.SIGINT)
