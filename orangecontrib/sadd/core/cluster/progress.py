"""The progress of a long fit, for those who wait for a script."""

import sys
import time

__all__ = ["ProgressBar"]

WIDTH = 40


class ProgressBar:
    """
    Writes a bar that grows; to be passed as `callback` of any `fit`.

    Parameters
    ----------
    file : text file, optional
        Where to write; the standard error stream by default.
    interval : float
        Seconds between updates.

    Examples
    --------
    >>> import io
    >>> bar = ProgressBar(io.StringIO())
    >>> bar(0.5)
    >>> bar.file.getvalue()[1:].split("|")[:2]
    ['', '####################                    ']
    """

    def __init__(self, file=None, interval=0.5):
        self.file = sys.stderr if file is None else file
        self.interval = interval
        self.start = time.monotonic()
        self._last = -1.
        self._share = 0.

    def __call__(self, share):
        """Show the share of work that is done, from 0 to 1."""
        now = time.monotonic()
        if share < 1 and now - self._last < self.interval or self._share >= 1:
            return
        self._last, self._share = now, share
        bar = "#" * int(WIDTH * share)
        end = "\n" if share >= 1 else ""
        seconds = now - self.start
        self.file.write(f"\r|{bar:{WIDTH}}| {share:4.0%} {seconds:6.0f} s{end}")
        self.file.flush()
