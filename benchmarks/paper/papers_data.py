"""The data sets of the paper, which are not a part of the repository.

They are files ``NAME.csv.gz`` in the folder ``datasets`` of ``../shared``, or of the
folder that the variable SADD_SHARED names. The last column, ``class``, has the labels.
Columns of text are categorical, and all other columns are numeric. ``MANIFEST.csv``
lists the names.
"""

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.datasets import DataSet

SHARED = Path(os.environ.get("SADD_SHARED", Path(__file__).parents[3] / "shared"))
FOLDER = SHARED / "datasets"


def files(source):
    """Return the files in a folder, in the order of its manifest, or a single file."""
    source = Path(source)
    if not source.is_dir():
        return [source]
    manifest = source / "MANIFEST.csv"
    if not manifest.exists():
        sys.exit(f"The folder {source} has no MANIFEST.csv, the list of data sets.")
    names = pd.read_csv(manifest, dtype=str)["name"]
    missing = [name for name in names if not (source / f"{name}.csv.gz").exists()]
    if missing:
        sys.exit(f"The folder {source} lacks {', '.join(missing)}, which its "
                 "MANIFEST.csv lists. Add them, or name single files.")
    return [source / f"{name}.csv.gz" for name in names]


def load(path):
    """Return a data set; categories become codes."""
    frame = pd.read_csv(path)
    labels = frame.pop("class")
    is_text = ~np.array([pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes])
    for column in frame.columns[is_text]:
        codes, _ = pd.factorize(frame[column], sort=True)
        frame[column] = np.where(codes < 0, np.nan, codes)
    y, _ = pd.factorize(labels, sort=True)
    return DataSet(Path(path).name.removesuffix(".csv.gz"), frame.to_numpy(dtype=float),
                   y, is_text, tuple(frame.columns))
