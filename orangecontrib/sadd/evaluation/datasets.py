"""Data sets as arrays: files, and data that come with Orange or scikit-learn."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import sklearn.datasets
from sklearn.impute import SimpleImputer

from orangecontrib.sadd.core.types import Integers
from orangecontrib.sadd.core.validation import dense

__all__ = ["BUNDLED", "DataSet", "expand", "load"]


@dataclass(frozen=True, eq=False)
class DataSet:
    """
    A classification problem.

    Attributes
    ----------
    name : str
        Name to show.
    X : ndarray of float of shape (n_rows, n_attributes)
        Values; codes for categorical attributes; NaN where missing.
    y : ndarray of int of shape (n_rows,)
        Classes from 0.
    categorical : ndarray of bool of shape (n_attributes,)
        Whether an attribute is categorical.
    attributes : tuple of str
        Names of the attributes.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    categorical: np.ndarray
    attributes: tuple[str, ...]

    @property
    def facts(self) -> dict[str, int]:
        """Numbers of rows, attributes, classes and missing cells."""
        n_categorical = int(self.categorical.sum())
        return {
            "rows": len(self.y), "numeric": len(self.categorical) - n_categorical,
            "categorical": n_categorical, "classes": len(np.unique(self.y)),
            "missing": int(np.isnan(self.X).sum()),
        }

    @property
    def summary(self) -> str:
        """Describe the data set in one line."""
        facts = self.facts
        kinds = f"{facts['numeric']} numeric"
        if facts["categorical"]:
            kinds += f" and {facts['categorical']} categorical"
        return (f"{self.name}: {facts['rows']} rows, {kinds} variables, "
                f"{facts['classes']} classes")

    @property
    def digest(self) -> str:
        """Compute a fingerprint of the contents, the same on every machine."""
        digest = hashlib.sha256(repr((self.X.shape, self.attributes)).encode())
        for array in (self.X, self.y.astype(np.int64), self.categorical):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def imputed(self, rows: Integers | slice = slice(None)) -> "DataSet":
        """Return the data with missing values replaced by means and modes of rows."""
        if not np.isnan(self.X).any():
            return self
        X = self.X.copy()
        for columns, strategy in ((~self.categorical, "mean"),
                                  (self.categorical, "most_frequent")):
            imputer = SimpleImputer(strategy=strategy, keep_empty_features=True)
            if columns.any():
                X[:, columns] = imputer.fit(X[rows][:, columns]).transform(
                    X[:, columns])
        return replace(self, X=X)


def _from_sklearn(name):
    bunch = getattr(sklearn.datasets, f"load_{name}")()
    return DataSet(name, np.asarray(bunch.data, dtype=float), bunch.target.astype(int),
                   np.zeros(bunch.data.shape[1], dtype=bool),
                   tuple(bunch.feature_names))


def _from_orange(source, name, target=None, trusted=False):
    # Orange takes a second to import, and scikit-learn's data do not need it.
    from orangecontrib.sadd.scripting.tablefiles import read_table, set_target

    table = read_table(source, trusted=trusted)
    if target is None and table.domain.class_var is None and "class" in table.domain:
        target = "class"
    if target is not None:
        table = set_target(table, target)
    domain = table.domain
    if domain.class_var is None:
        raise ValueError(
            "There is no target; name its column with --target, or mark it in the file."
        )
    if not domain.class_var.is_discrete:
        raise ValueError(
            f"The target, {domain.class_var.name!r}, is numeric, and a categorical one "
            "is needed; --target takes whole numbers for categories."
        )
    table = table[~np.isnan(table.Y)]
    return DataSet(
        name, np.array(dense(table.X), dtype=float), table.Y.astype(int),
        np.array([a.is_discrete for a in domain.attributes], dtype=bool),
        tuple(a.name for a in domain.attributes))


# Data sets with a categorical target and numeric attributes; none needs a network.
IN_SKLEARN = ("iris", "wine", "breast_cancer", "digits")
BUNDLED = (*IN_SKLEARN, "heart_disease", "brown-selected")


def expand(source: str) -> Iterator[str]:
    """
    Yield the data sets in a folder. Any other source is yielded unchanged.

    Parameters
    ----------
    source : str
        A folder, or anything that `load` takes.

    Yields
    ------
    str
        All files in the folder that Orange can read, in the order of their names.

    Examples
    --------
    >>> list(expand("iris"))
    ['iris']
    """
    folder = Path(source)
    # The name of a bundled data set precedes a folder of the same name.
    if source in BUNDLED or not folder.is_dir():
        yield source
        return
    from Orange.data.io import FileFormat

    found = sorted(
        path for path in folder.iterdir()
        if path.is_file() and path.name.lower().endswith(tuple(FileFormat.readers))
    )
    if not found:
        raise ValueError(f"The folder {source} has no file that Orange can read.")
    yield from map(str, found)


def load(source: str, target: str | None = None, trusted: bool = False) -> DataSet:
    """
    Load a data set.

    Parameters
    ----------
    source : str
        The name of a bundled data set; a file that Orange can read; or another name
        that Orange finds.
    target : str, optional
        Column to predict. By default, the class that the file marks, or ``class``.
    trusted : bool
        Whether to read pickles, which can run any program.

    Returns
    -------
    DataSet
        Without the rows that have no class.

    Raises
    ------
    ValueError
        If there is no such data set, or no categorical target in it.

    Examples
    --------
    >>> load("zoo").summary
    'zoo: 101 rows, 0 numeric and 16 categorical variables, 7 classes'
    """
    if source in IN_SKLEARN:
        return _from_sklearn(source)
    if source in BUNDLED:
        return _from_orange(source, source)
    path = Path(source)
    name = _stem(path) if path.is_file() else source
    try:
        return _from_orange(source, name, target, trusted)
    except OSError as error:
        raise ValueError(
            f"There is no data set {source!r}: it is neither a file that Orange can "
            f"read nor one of {', '.join(BUNDLED)}."
        ) from error


def _stem(path):
    """Return the file name without the suffixes of its format and compression."""
    is_compressed = path.suffix in (".gz", ".bz2", ".xz")
    stem = Path(path.stem).stem if is_compressed else path.stem
    # A name that is not UTF-8 could not be written to a file.
    return os.fsencode(stem).decode("utf-8", "backslashreplace")
