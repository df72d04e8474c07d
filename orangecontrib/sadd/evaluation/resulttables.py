"""The results of a benchmark: two tidy tables, whose names and types are defined here.

`fits` has a row for each classifier that was trained and tested in a fold,
`attributes` a row for each numeric attribute that was discretized in a fold. What
varies from run to run, the time, is kept apart in files, so that equal runs give equal
bytes: ``results.csv``, ``times.csv`` and ``attributes.csv``.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pandas as pd

__all__ = ["ResultTables", "replacing", "write_csv"]

FRACTION, COUNT, OPTIONAL_COUNT, TEXT = "float64", "int64", "Int64", str

# What identifies a fit
KEYS = {
    "dataset": TEXT, "repeat": COUNT, "fold": COUNT, "labelled": FRACTION,
    "classifier_labels": TEXT, "method": TEXT, "pool": TEXT, "k": TEXT, "n0": FRACTION,
    "classifier": TEXT,
}
FIGURES = {"accuracy": FRACTION, "chosen_k": OPTIONAL_COUNT, "error": TEXT}
TIMES = {"seconds_discretize": FRACTION, "seconds_classify": FRACTION}
FITS = KEYS | FIGURES | TIMES
# Intervals do not depend on the classifier that uses them.
ATTRIBUTES = {
    name: kind for name, kind in KEYS.items() if not name.startswith("classifier")
} | {"attribute": TEXT, "intervals": COUNT, "information": FRACTION}

# Files, and their columns
RESULTS_CSV = ("results.csv", KEYS | FIGURES)
TIMES_CSV = ("times.csv", KEYS | TIMES)
ATTRIBUTES_CSV = ("attributes.csv", ATTRIBUTES)


@dataclass(frozen=True, eq=False)
class ResultTables:
    """
    What came out of some folds.

    Attributes
    ----------
    fits : DataFrame
        ``dataset``, ``repeat``, ``fold``; the fraction ``labelled`` of the training
        rows whose label the discretizer has seen; ``classifier_labels``, "all" if the
        classifier was trained on all training rows, as in the paper's experiment with
        few labels, and "labelled" if on the labelled ones only; ``method``, ``pool``,
        ``k`` and ``n0`` of the discretizer, see `Variant`; ``classifier``, which is
        empty where the method is the k-NN that makes pseudo-labels; ``accuracy``, the
        fraction of test rows that are predicted right, NaN if it failed; ``chosen_k``,
        the number of neighbours that gave the pseudo-labels; ``error``, why it failed,
        empty if it did not; ``seconds_discretize`` to find the cut points and
        ``seconds_classify`` to train the classifier and to test it.
    attributes : DataFrame
        The same keys without those of a classifier; name of the numeric ``attribute``,
        its number of ``intervals``, and the mutual ``information`` of these and the
        class in the training rows, in bits; NaN unless all of these are labelled.
    """

    fits: pd.DataFrame
    attributes: pd.DataFrame

    @classmethod
    def of(
        cls,
        fits: Iterable[Mapping[str, object]] | Mapping[str, list],
        attributes: Iterable[Mapping[str, object]] | Mapping[str, list],
    ) -> "ResultTables":
        """Return tables of these rows, or of these columns."""
        return cls(_typed(fits, FITS), _typed(attributes, ATTRIBUTES))

    @classmethod
    def joined(cls, parts: Iterable["ResultTables"]) -> "ResultTables":
        """Return the rows of all parts, one after the other."""
        parts = [cls.of([], []), *parts]
        return cls(
            pd.concat([part.fits for part in parts], ignore_index=True),
            pd.concat([part.attributes for part in parts], ignore_index=True),
        )

    def columns(self) -> dict[str, dict[str, list]]:
        """Return the tables as lists for JSON; `of` makes the same tables of them."""
        return {
            "fits": _columns(self.fits), "attributes": _columns(self.attributes),
        }

    def write(self, folder: Path) -> None:
        """Write the tables to CSV files in a folder."""
        for (name, schema), frame in (
            (RESULTS_CSV, self.fits), (TIMES_CSV, self.fits),
            (ATTRIBUTES_CSV, self.attributes),
        ):
            write_csv(folder / name, frame[list(schema)])

    @classmethod
    def read(cls, folder: Path) -> "ResultTables":
        """Read the tables from a folder, with their types and all their digits."""
        results, times, attributes = (
            pd.read_csv(
                folder / name, dtype=schema, keep_default_na=False,
                # Text is what it is, even if it looks like a number or like "NA".
                na_values={n: "" for n, kind in schema.items() if kind is not TEXT},
                float_precision="round_trip",
            )
            for name, schema in (RESULTS_CSV, TIMES_CSV, ATTRIBUTES_CSV)
        )
        if not times[list(KEYS)].equals(results[list(KEYS)]):
            raise ValueError("results.csv and times.csv are not of the same run.")
        return cls(results.join(times[list(TIMES)]), attributes)


def _typed(rows, schema):
    frame = pd.DataFrame(rows, columns=list(schema))
    return frame.astype(schema)


def _columns(frame):
    return {
        name: column.astype(object).where(column.notna(), None).tolist()
        for name, column in frame.items()
    }


def write_csv(path: Path, frame: pd.DataFrame, float_format: str | None = None) -> None:
    """Write a table; numbers by default with all their digits, NaN as nothing."""
    with replacing(path) as file:
        frame.to_csv(file, index=False, lineterminator="\n", float_format=float_format)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Open a file to write to, which takes its name when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
