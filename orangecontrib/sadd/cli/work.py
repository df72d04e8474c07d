"""What workers, which treat files of some kind, are given and give back."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from orangecontrib.sadd.cli.cutsfile import SavedCuts
from orangecontrib.sadd.cli.plan import Job
from orangecontrib.sadd.core.discretizer_base import Discretizer

__all__ = ["Outcome", "Settings", "Worker"]


@dataclass(frozen=True)
class Settings:
    """
    What is the same for all files.

    Attributes
    ----------
    estimator : estimator or None
        The discretizer; None if there are saved cuts.
    saved : SavedCuts or None
        Cut points to apply.
    target : str or None
    unlabelled : tuple of str
        Files with the pool.
    keep_constant : bool
        Whether variables with a single interval stay.
    annotations : bool
        Whether to write types of variables.
    force : bool
        Whether files may be replaced.
    scheduler : str or None
        Address of a Dask cluster, for parquet.
    show_progress : bool
        Whether to draw the progress of long work on a single file.
    """

    estimator: Discretizer | None = None
    saved: SavedCuts | None = None
    target: str | None = None
    unlabelled: tuple[str, ...] = ()
    keep_constant: bool = False
    annotations: bool = True
    force: bool = False
    scheduler: str | None = None
    show_progress: bool = False


@dataclass
class Outcome:
    """
    What was done to a file, for the summary.

    Attributes
    ----------
    cuts : SavedCuts
    n_rows, n_labelled, n_pool : int
        Rows of the data, those of them with a label, and unlabelled rows beyond them.
    k : int or None
        Number of neighbours that gave pseudo-labels.
    notes : list of str
        What the user might want to know.
    """

    cuts: SavedCuts
    n_rows: int
    n_labelled: int = 0
    n_pool: int = 0
    k: int | None = None
    notes: list[str] = field(default_factory=list)


#: Discretizes a file, or raises a CommandError that says why it cannot be done
Worker: TypeAlias = Callable[[Job], Outcome]
