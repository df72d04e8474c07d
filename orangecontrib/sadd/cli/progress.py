"""A progress bar for the terminal."""

from typing import TextIO

from tqdm import tqdm

__all__ = ["ProgressBar"]


class ProgressBar(tqdm):
    """
    A bar with the time left, on standard error; also a `callback` for any `fit`.

    It disappears when all is done, or at the end of a ``with`` block. `write` prints a
    line without disturbing it.

    Parameters
    ----------
    total : int
        Number of steps.
    file : text file, optional
        Where to draw, by default standard error.
    disable : bool or None
        Whether to draw nothing; None draws only if the file is a terminal.
    interval : float
        Seconds between updates.

    Examples
    --------
    >>> import io
    >>> bar = ProgressBar(file=io.StringIO(), interval=0)
    >>> bar(0.5, "iris")
    >>> bar.fp.getvalue().split("|")[-2:]
    ['#####     ', ' 00:00 left  iris']
    """

    monitor_interval = 0  # tqdm's thread that redraws bars is not needed

    def __init__(self, total: int = 1, file: TextIO | None = None,
                 disable: bool | None = False, interval: float = 0.1) -> None:
        super().__init__(
            total=total, file=file, disable=disable, leave=False, smoothing=0,
            mininterval=interval, miniters=0, ascii=" #", dynamic_ncols=True,
            bar_format="{percentage:3.0f}%|{bar}| {remaining} left  {desc}")

    def __call__(self, fraction: float, label: str = "") -> None:
        """
        Show how much is done.

        Parameters
        ----------
        fraction : float
            From 0 to 1.
        label : str
            What is being done.
        """
        self.set_description_str(label, refresh=False)
        self.update(fraction * self.total - self.n)
        if fraction >= 1:
            self.close()

    def step(self, label: str = "") -> None:
        """Show that one more step is done."""
        self((self.n + 1) / self.total, label)
