"""Ctrl-C and SIGTERM end the program at once, with a sentence and its exit status.

Results are renamed into place when they are complete, so that nothing is lost or half
written whenever the program ends. This module is imported before all others, and
imports nothing that takes time.
"""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["SCRATCH", "Terminated", "end_at_once", "ignore_interrupts",
           "raise_interrupts"]

#: Folders with unfinished results, which are removed when the program ends
SCRATCH: list[str] = []

SIGNALS = signal.SIGINT, signal.SIGTERM


class Terminated(KeyboardInterrupt):
    """SIGTERM, which schedulers send."""


def end_at_once() -> None:
    """End the program when it is interrupted, from now on."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as by nohup
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    ignore_interrupts()
    for folder in SCRATCH:
        shutil.rmtree(folder, ignore_errors=True)
    try:
        os.write(2, b"\ninterrupted\n")
    finally:
        os._exit(128 + number)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C and SIGTERM from now on, when the program ends anyway."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def raise_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt instead, within this context, for work in processes."""
    if signal.getsignal(signal.SIGINT) is not _end:  # in a test
        yield
        return

    def interrupt(number, frame):
        ignore_interrupts()
        raise Terminated if number == signal.SIGTERM else KeyboardInterrupt

    for number in SIGNALS:
        signal.signal(number, interrupt)
    yield
    end_at_once()
