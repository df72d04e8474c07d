"""Ctrl-C and SIGTERM end the program at once, with a sentence and its exit status.

An exception would not do: callbacks ignore it, and imports replace it. This module is
imported first, and imports nothing that takes time.
"""

import os
import signal
from contextlib import suppress

__all__ = ["UNFINISHED", "Terminated", "end_at_once", "ignore_interrupts",
           "raise_interrupts", "remove_unfinished"]

#: Files that are being written
UNFINISHED: list[str] = []

SIGNALS = signal.SIGINT, signal.SIGTERM


class Terminated(KeyboardInterrupt):
    """SIGTERM, which schedulers send."""


def end_at_once() -> None:
    """End the program when it is interrupted, from now on."""
    _handle(_end)


def raise_interrupts() -> None:
    """Raise a KeyboardInterrupt instead, so that other processes are ended first."""
    if signal.getsignal(signal.SIGINT) is _end:  # unlike in a test
        _handle(_raise)


def ignore_interrupts() -> None:
    """Ignore interrupts from now on, when the program ends anyway."""
    _handle(_pass)
    _handle(signal.SIG_IGN)  # Python resets all other handlers when it ends


def remove_unfinished() -> None:
    """Remove the files that are being written."""
    while UNFINISHED:
        with suppress(OSError):
            os.remove(UNFINISHED.pop())


def _handle(handler):
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as by nohup
            signal.signal(number, handler)


def _pass(number, frame):
    """Ignore a second interrupt; SIG_IGN would print an error if both come at once."""


def _end(number, frame):
    _handle(_pass)
    remove_unfinished()
    try:
        os.write(2, b"\ninterrupted\n")
    finally:
        os._exit(128 + number)


def _raise(number, frame):
    _handle(_pass)
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt
