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

    def __init__(self, total=1, stream=None):
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
        self.advance((self.done + 1) / self.total, label)

    def advance(self, share, label=""):
        """Take this share of all steps as done."""
        first = not self.done
        self.done = share * self.total
        now = time.monotonic()
        # Drawing at each of thousands of steps would cost more than some of them.
        if self._stream.isatty() and (now - self._drawn > 0.1 or first):
            self._drawn = now
            self._draw(share, label, now - self._start)

    def clear(self):
        """Remove the bar from the terminal."""
        if self._stream.isatty():
            self._stream.write("\r\033[K")
            self._stream.flush()

    def _draw(self, share, label, elapsed):
        left = duration(elapsed * (1 - share) / share) if share else "?"
        filled = round(24 * share)
        bar = "#" * filled + "." * (24 - filled)
        line = f"[{bar}] {int(100 * share):3d} %  {left} left  {label}"
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r\033[K{line[:width]}")
        self._stream.flush()


def duration(seconds):
    """
    Say a time span.

    Examples
    --------
    >>> duration(42), duration(150), duration(3 * 3600 + 60)
    ('42 s', '2 min 30 s', '3 h 1 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    if not minutes:
        return f"{seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"
