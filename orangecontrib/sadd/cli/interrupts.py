"""Ctrl-C and SIGTERM end the program at once, with a sentence and its exit status.

Complete results are renamed into place, so the program can end at any time without
partial files. This module is imported first, and imports nothing that takes time.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["SCRATCH", "Terminated", "caught_interrupts", "end_at_once",
           "ignore_interrupts", "remove_scratch"]

#: Files with unfinished results, which are removed when the program ends
SCRATCH: list[str] = []

SIGNALS = signal.SIGINT, signal.SIGTERM


class Terminated(KeyboardInterrupt):
    """SIGTERM, which schedulers send."""


def end_at_once() -> None:
    """End the program when it is interrupted, from now on."""
    _handle(_end)


def _handle(handler):
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as by nohup
            signal.signal(number, handler)


def _pass(number, frame):
    """Ignore a second interrupt; SIG_IGN would print an error if both come at once."""


def _end(number, frame):
    _handle(_pass)
    remove_scratch()
    try:
        os.write(2, b"\ninterrupted\n")
    finally:
        os._exit(128 + number)


def remove_scratch() -> None:
    """Remove unfinished results."""
    for path in SCRATCH:
        with suppress(OSError):
            os.remove(path)


def ignore_interrupts() -> None:
    """Ignore interrupts from now on, when the program ends anyway."""
    _handle(_pass)
    _handle(signal.SIG_IGN)  # Python resets all other handlers when it ends


@contextmanager
def caught_interrupts(is_raised: bool = False) -> Iterator[list[KeyboardInterrupt]]:
    """
    Catch interrupts, within this context.

    Parameters
    ----------
    is_raised : bool
        Whether a KeyboardInterrupt is raised.

    Yields
    ------
    list of KeyboardInterrupt
    """
    caught: list[KeyboardInterrupt] = []

    def catch(number, frame):
        _handle(_pass)
        caught.append(Terminated() if number == signal.SIGTERM else KeyboardInterrupt())
        if is_raised:
            raise caught[0]

    if signal.getsignal(signal.SIGINT) is _end:  # unlike in a test
        _handle(catch)
    yield caught
    if signal.getsignal(signal.SIGINT) is catch:
        end_at_once()
