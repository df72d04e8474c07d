"""A progress bar for the terminal."""

import shutil
import sys
import time

__all__ = ["Progress"]


class Progress:
    """
    A bar with the time left, on standard error, drawn only on a terminal.

    A context manager; leaving it removes the bar. `clear` removes it too, for output
    that would mix with it, and the next step draws it again.

    Parameters
    ----------
    total : int
        Number of steps to come.
    stream : file, optional
        Where to draw, by default standard error.
    """

    def __init__(self, total, stream=None):
        self.total = total
        self.done = 0
        self._stream = sys.stderr if stream is None else stream
        self._start = time.monotonic()
        self._drawn = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clear()

    def step(self, label=""):
        """Count one more step as done; `label` says what goes on."""
        self.done += 1
        now = time.monotonic()
        # Drawing at each of thousands of steps would cost more than some of them.
        if self._stream.isatty() and (now - self._drawn > 0.1 or self.done == 1):
            self._drawn = now
            self._draw(label, now - self._start)

    def clear(self):
        """Remove the bar from the terminal."""
        if self._stream.isatty():
            self._stream.write("\r\033[K")
            self._stream.flush()

    def _draw(self, label, elapsed):
        left = elapsed * (self.total - self.done) / self.done
        filled = round(24 * self.done / self.total)
        bar = "#" * filled + "." * (24 - filled)
        share = 100 * self.done // self.total
        line = f"[{bar}] {share:3d} %  {left:3.0f} s left  {label}"
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r\033[K{line[:width]}")
        self._stream.flush()
