"""Data sets as arrays: files, bundled data and data from OpenML."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn.datasets
from sklearn.impute import SimpleImputer

__all__ = ["BUNDLED", "DataSet", "expand", "load", "load_bundled"]

OPENML = "openml:"

# A table of the data sets in a folder, with a column `name`. Each is a file
# `name`.csv.gz, whose last column, `class`, holds the labels. Columns of text are
# categorical. All other columns are numeric.
MANIFEST = "MANIFEST.csv"


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

    def imputed(self) -> "DataSet":
        """Return the data with missing values replaced by means and modes."""
        if not np.isnan(self.X).any():
            return self
        X = self.X.copy()
        for columns, strategy in ((~self.categorical, "mean"),
                                  (self.categorical, "most_frequent")):
            imputer = SimpleImputer(strategy=strategy, keep_empty_features=True)
            if columns.any():
                X[:, columns] = imputer.fit_transform(X[:, columns])
        return replace(self, X=X)


def _from_sklearn(name):
    bunch = getattr(sklearn.datasets, f"load_{name}")()
    return DataSet(name, np.asarray(bunch.data, dtype=float), bunch.target.astype(int),
                   np.zeros(bunch.data.shape[1], dtype=bool),
                   tuple(bunch.feature_names))


def _from_orange(source, name, target=None, trusted=False):
    # Orange takes a second to import, and scikit-learn's data do not need it.
    from orangecontrib.sadd.tablefiles import read_table, set_target
    from orangecontrib.sadd.tables import dense

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


def _from_frame(frame, labels, name):
    """Convert a data frame: numeric columns as they are, codes for all others."""
    known = ~pd.isna(labels)
    frame, labels = frame[known], labels[known]
    categorical = np.array(
        [not pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes], dtype=bool
    )
    X = np.empty(frame.shape)
    for j, column in enumerate(frame.columns):
        if categorical[j]:
            codes, _ = pd.factorize(frame[column], sort=True)
            X[:, j] = np.where(codes < 0, np.nan, codes)
        else:
            X[:, j] = frame[column].to_numpy(dtype=float, na_value=np.nan)
    y, _ = pd.factorize(labels, sort=True)
    return DataSet(name, X, y, categorical, tuple(map(str, frame.columns)))


def _from_openml(name, cache=None):
    source = {"data_id": int(name)} if name.isdecimal() else {"name": name}
    bunch = sklearn.datasets.fetch_openml(
        **source, as_frame=True, data_home=cache, parser="liac-arff")
    if bunch.target is None or bunch.target.ndim != 1:
        raise ValueError(f"The OpenML data set {name!r} has no single target.")
    return _from_frame(bunch.data, bunch.target, bunch.details["name"])


# Data sets with a categorical target and numeric attributes; none needs a network.
IN_SKLEARN = ("iris", "wine", "breast_cancer", "digits")
BUNDLED = (*IN_SKLEARN, "heart_disease", "brown-selected")


def load_bundled(name: str, every: int = 1) -> DataSet:
    """
    Load a data set that is installed with Orange or scikit-learn.

    Parameters
    ----------
    name : str
        A key of `BUNDLED`.
    every : int
        Keep one row in `every`.

    Returns
    -------
    DataSet

    Examples
    --------
    >>> load_bundled("heart_disease").summary
    'heart_disease: 303 rows, 6 numeric and 7 categorical variables, 2 classes'
    """
    if name not in BUNDLED:
        raise ValueError(
            f"There is no bundled data set {name!r}; choose from {', '.join(BUNDLED)}.")
    data = _from_sklearn(name) if name in IN_SKLEARN else _from_orange(name, name)
    return data if every == 1 else replace(
        data, name=f"{name} (one row in {every})", X=data.X[::every], y=data.y[::every])


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
        In the order of the folder's ``MANIFEST.csv``. Without it, all files that
        Orange can read, in the order of their names.

    Examples
    --------
    >>> list(expand("iris"))
    ['iris']
    """
    folder = Path(source)
    # The name of a bundled data set precedes a folder of the same name.
    if source in BUNDLED or source.startswith(OPENML) or not folder.is_dir():
        yield source
        return
    if (folder / MANIFEST).is_file():
        manifest = pd.read_csv(folder / MANIFEST, dtype=str, keep_default_na=False)
        if "name" not in manifest:
            raise ValueError(f"{folder / MANIFEST} has no column called name.")
        yield from (str(folder / f"{name}.csv.gz") for name in manifest["name"])
        return
    from Orange.data.io import FileFormat

    found = sorted(
        path for path in folder.iterdir()
        if path.is_file() and path.name.lower().endswith(tuple(FileFormat.readers))
    )
    if not found:
        raise ValueError(f"The folder {source} has no file that Orange can read.")
    yield from map(str, found)


def load(source: str, target: str | None = None, cache: str | None = None,
         trusted: bool = False) -> DataSet:
    """
    Load a data set.

    Parameters
    ----------
    source : str
        The name of a bundled data set; a file that Orange can read; another name that
        Orange finds; or ``openml:`` and a name or number. A data set of OpenML is
        downloaded once and cached.
    target : str, optional
        Column to predict. By default, the class that the file marks, or ``class``.
    cache : str, optional
        Folder for downloads, by default scikit-learn's.
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
    if source.startswith(OPENML):
        try:
            return _from_openml(source.removeprefix(OPENML), cache)
        except OSError as error:
            raise ValueError(f"{source} cannot be fetched: {error}.") from error
    if source in BUNDLED:
        return load_bundled(source)
    path = Path(source)
    name = _stem(path) if path.is_file() else source
    if (target is None and source.endswith(".csv.gz") and path.is_file()
            and (path.parent / MANIFEST).is_file()):
        frame = pd.read_csv(path)
        return _from_frame(frame.drop(columns="class"), frame["class"], name)
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
