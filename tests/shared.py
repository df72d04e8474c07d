"""The data sets and oracles beside the repository, which are not part of it.

Tests that read them carry `needs_shared`. They lie in the folder ``../shared``, or in
the one that the variable SADD_SHARED names; ``SADD_SHARED=none`` declares that there
are none. In CI their absence is an error unless it is declared (see `conftest.py`), so
that no test is skipped unnoticed.
"""

import functools
import json
import os
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("SADD_SHARED", ROOT.parent / "shared"))
DATASETS = SHARED / "datasets"

needs_shared = pytest.mark.skipif(
    not DATASETS.is_dir(), reason=f"the shared data sets are not in {SHARED}"
)


@functools.cache
def oracles():
    """What other programs make of Iris, by program."""
    with open(SHARED / "oracle_iris.json", encoding="utf-8") as file:
        return json.load(file)["methods"]


@functools.cache
def manifest():
    """Table of the data sets, indexed by name."""
    return pd.read_csv(DATASETS / "MANIFEST.csv", index_col="name")


@functools.cache
def load(name):
    """Return a data set as a data frame of attributes and an array of labels."""
    table = pd.read_csv(DATASETS / f"{name}.csv.gz")
    return table.drop(columns="class"), table["class"].to_numpy(dtype=str)


def data_set_names():
    """Names of the data sets; none where they are not at hand."""
    return list(manifest().index) if DATASETS.is_dir() else []
