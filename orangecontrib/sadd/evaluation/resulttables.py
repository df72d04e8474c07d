"""The results of a benchmark: tidy tables, whose names and types are defined here.

`fits` has a row for each classifier that was trained and tested in a fold,
`attributes` a row for each numeric attribute that was discretized in a fold, `bins`
rows on the calibration of classifiers. What varies from run to run, the time, is kept
apart in files, so that equal runs give equal bytes: ``results.csv``, ``times.csv`` and
``attributes.csv``. Where probabilities were measured, there are also
``probabilities.csv`` and ``calibration.csv``.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
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
MEASURES = {"log_loss": FRACTION, "brier": FRACTION}
TIMES = {"seconds_discretize": FRACTION, "seconds_classify": FRACTION}
FITS = KEYS | FIGURES | TIMES | MEASURES
# Intervals do not depend on the classifier that uses them.
ATTRIBUTES = {
    name: kind for name, kind in KEYS.items() if not name.startswith("classifier")
} | {"attribute": TEXT, "intervals": COUNT, "information": FRACTION}

BINS = KEYS | {"bin": COUNT, "rows": COUNT, "confidence": FRACTION, "right": COUNT}

# Files, and their columns
RESULTS_CSV = ("results.csv", KEYS | FIGURES)
TIMES_CSV = ("times.csv", KEYS | TIMES)
ATTRIBUTES_CSV = ("attributes.csv", ATTRIBUTES)
# Those that are there only if there is something in them
MEASURES_CSV = ("probabilities.csv", KEYS | MEASURES)
BINS_CSV = ("calibration.csv", BINS)


@dataclass(frozen=True, eq=False)
class ResultTables:
    """
    What came out of some folds.

    Attributes
    ----------
    fits : DataFrame
        ``dataset``, ``repeat``, ``fold``; the fraction ``labelled`` of the training
        rows whose label the discretizer has seen, or, in learning curves, their
        number, which is above 1; ``classifier_labels``, "all" if the
        classifier was trained on all training rows, as in the paper's experiment with
        few labels, and "labelled" if on the labelled ones only; ``method``, ``pool``,
        ``k`` and ``n0`` of the discretizer, see `Variant`; ``classifier``, which is
        empty where the method is the k-NN that makes pseudo-labels, while ``method`` is
        empty where the classifier is a `Candidate`; ``accuracy``, the
        fraction of test rows that are predicted right, NaN if it failed; ``chosen_k``,
        the number of neighbours that gave the pseudo-labels; ``error``, why it failed,
        empty if it did not; ``seconds_discretize`` to find the cut points and
        ``seconds_classify`` to train the classifier and to test it; ``log_loss`` and
        ``brier``, see `probability_measures`, NaN unless it is a `Candidate`.
    attributes : DataFrame
        The same keys without those of a classifier; name of the numeric ``attribute``,
        its number of ``intervals``, and the mutual ``information`` of these and the
        class in the training rows, in bits; NaN unless all of these are labelled.
    bins : DataFrame
        The keys of a `Candidate`, and what `calibration_bins` returns.
    """

    fits: pd.DataFrame
    attributes: pd.DataFrame
    bins: pd.DataFrame = field(default_factory=lambda: _typed([], BINS))

    @classmethod
    def of(
        cls,
        fits: Iterable[Mapping[str, object]] | Mapping[str, list],
        attributes: Iterable[Mapping[str, object]] | Mapping[str, list],
        bins: Iterable[Mapping[str, object]] | Mapping[str, list] = (),
    ) -> "ResultTables":
        """Return tables of these rows, or of these columns."""
        return cls(_typed(fits, FITS), _typed(attributes, ATTRIBUTES),
                   _typed(bins, BINS))

    @classmethod
    def joined(cls, parts: Iterable["ResultTables"]) -> "ResultTables":
        """Return the rows of all parts, one after the other."""
        parts = [cls.of([], []), *parts]
        return cls(*(
            pd.concat([getattr(part, name) for part in parts], ignore_index=True)
            for name in ("fits", "attributes", "bins")
        ))

    def columns(self) -> dict[str, dict[str, list]]:
        """Return the tables as lists for JSON; `of` makes the same tables of them."""
        return {
            "fits": _columns(self.fits), "attributes": _columns(self.attributes),
            "bins": _columns(self.bins),
        }

    def write(self, folder: Path) -> None:
        """Write the tables to CSV files in a folder."""
        for (name, schema), frame in (
            (RESULTS_CSV, self.fits), (TIMES_CSV, self.fits),
            (ATTRIBUTES_CSV, self.attributes),
        ):
            write_csv(folder / name, frame[list(schema)])
        for (name, schema), frame in (
            (MEASURES_CSV, self.fits.dropna(subset="log_loss")),
            (BINS_CSV, self.bins),
        ):
            if len(frame):
                write_csv(folder / name, frame[list(schema)])
            else:  # of another experiment
                (folder / name).unlink(missing_ok=True)

    @classmethod
    def read(cls, folder: Path) -> "ResultTables":
        """Read the tables from a folder, with their types and all their digits."""
        results, times, attributes, measures, bins = (
            _read_csv(folder / name, schema) for name, schema in (
                RESULTS_CSV, TIMES_CSV, ATTRIBUTES_CSV, MEASURES_CSV, BINS_CSV)
        )
        if not times[list(KEYS)].equals(results[list(KEYS)]):
            raise ValueError("results.csv and times.csv are not of the same run.")
        fits = results.join(times[list(TIMES)])
        columns = list(dict.fromkeys([*fits, *measures]))  # pandas 2.0 mixes empty ones
        fits = fits.merge(measures, "left", list(KEYS))[columns]
        return cls(fits, attributes, bins)


def _read_csv(path, schema):
    if path.name in (MEASURES_CSV[0], BINS_CSV[0]) and not path.exists():
        return _typed([], schema)
    return pd.read_csv(
        path, dtype=schema, keep_default_na=False,
        # Text is what it is, even if it looks like a number or like "NA".
        na_values={n: "" for n, kind in schema.items() if kind is not TEXT},
        float_precision="round_trip",
    )


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
