"""Data sets as arrays, wherever they come from.

A data set is named by what a user would type: a file, a folder, a name of Orange's or
scikit-learn's own data, or ``openml:`` and a name.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.impute import SimpleImputer

__all__ = ["BUNDLED", "DataSet", "expand", "load", "load_bundled"]

OPENML = "openml:"

# A table of the data sets in a folder, with a column `name`. Each is a file
# `name`.csv.gz, whose last column, `class`, holds the labels; columns of text are
# categorical and all others are numeric, whatever their values look like.
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
        Values; those of categorical attributes are codes; NaN where missing.
    y : ndarray of int of shape (n_rows,)
        Classes from 0 on, so that -1 is free to mark an unlabelled row.
    categorical : ndarray of bool of shape (n_attributes,)
        Which attributes are categorical.
    attributes : tuple of str
        Names of the attributes.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    categorical: np.ndarray
    attributes: tuple[str, ...]

    @property
    def n_classes(self) -> int:
        """Number of classes that occur."""
        return len(np.unique(self.y))

    @property
    def n_missing(self) -> int:
        """Number of missing cells."""
        return int(np.isnan(self.X).sum())

    @property
    def summary(self) -> str:
        """The data set in one line."""
        n_categorical = int(self.categorical.sum())
        kinds = f"{len(self.categorical) - n_categorical} numeric"
        if n_categorical:
            kinds += f" and {n_categorical} categorical"
        return (
            f"{self.name}: {len(self.y)} rows, {kinds} attributes, "
            f"{self.n_classes} classes"
        )

    @property
    def digest(self) -> str:
        """A fingerprint of the contents, the same on every machine."""
        digest = hashlib.sha256(repr((self.X.shape, self.attributes)).encode())
        for array in (self.X, self.y.astype(np.int64), self.categorical):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def imputed(self) -> "DataSet":
        """Return the data with means and modes of all rows for missing values."""
        if not self.n_missing:
            return self
        X = self.X.copy()
        for kind, strategy in ((False, "mean"), (True, "most_frequent")):
            columns = self.categorical == kind
            imputer = SimpleImputer(strategy=strategy, keep_empty_features=True)
            if columns.any():
                X[:, columns] = imputer.fit_transform(X[:, columns])
        return replace(self, X=X)


def _from_sklearn(name: str, every: int = 1) -> DataSet:
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")()
    X = np.asarray(bunch.data, dtype=float)[::every]
    y = bunch.target.astype(int)[::every]
    if every > 1:
        name = f"{name} (one row in {every})"
    categorical = np.zeros(X.shape[1], dtype=bool)
    return DataSet(name, X, y, categorical, tuple(bunch.feature_names))


def _from_orange(source: str, name: str, target: str | None = None,
                 trusted: bool = False) -> DataSet:
    # Orange takes a second to import and is not needed for scikit-learn's data.
    from orangecontrib.sadd.tablefiles import read_table, set_target
    from orangecontrib.sadd.tables import dense

    table = read_table(source, trusted=trusted)
    domain = table.domain
    if target is None and domain.class_var is None and "class" in domain:
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
        name,
        np.array(dense(table.X), dtype=float),
        table.Y.astype(int),
        np.array([a.is_discrete for a in domain.attributes], dtype=bool),
        tuple(a.name for a in domain.attributes),
    )


def _from_frame(frame, labels, name):
    """Make a data set: numeric columns as they are, codes for all others."""
    import pandas as pd

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


def _from_manifest(path: Path) -> DataSet:
    import pandas as pd

    frame = pd.read_csv(path)
    return _from_frame(frame.drop(columns="class"), frame["class"], _stem(path))


def _from_openml(name: str, cache: str | None = None) -> DataSet:
    from sklearn.datasets import fetch_openml

    source = {"data_id": int(name)} if name.isdecimal() else {"name": name}
    bunch = fetch_openml(**source, as_frame=True, data_home=cache, parser="liac-arff")
    if bunch.target is None or bunch.target.ndim != 1:
        raise ValueError(f"The OpenML data set {name!r} has no single target.")
    return _from_frame(bunch.data, bunch.target, bunch.details["name"])


# Those with a categorical target and numeric attributes; none needs a network.
BUNDLED = {
    "iris": partial(_from_sklearn, "iris"),
    "wine": partial(_from_sklearn, "wine"),
    "breast_cancer": partial(_from_sklearn, "breast_cancer"),
    "digits": partial(_from_sklearn, "digits"),
    "heart_disease": partial(_from_orange, "heart_disease", "heart_disease"),
    "brown-selected": partial(_from_orange, "brown-selected", "brown-selected"),
}


def load_bundled(name: str, every: int = 1) -> DataSet:
    """
    Return a data set that comes with Orange or scikit-learn.

    Parameters
    ----------
    name : str
        One of the names in `BUNDLED`.
    every : int
        Take only every n-th row, n being this number; for scikit-learn's data sets.

    Returns
    -------
    DataSet

    Examples
    --------
    >>> load_bundled("heart_disease").summary
    'heart_disease: 303 rows, 6 numeric and 7 categorical attributes, 2 classes'
    """
    try:
        loader = BUNDLED[name]
    except KeyError:
        raise ValueError(
            f"There is no bundled data set {name!r}; choose from {', '.join(BUNDLED)}."
        ) from None
    return loader(every=every) if every > 1 else loader()


def expand(source: str) -> Iterator[str]:
    """
    Yield the sources of data sets in a folder; any other source is one by itself.

    Parameters
    ----------
    source : str
        A folder, or anything that `load` takes.

    Yields
    ------
    str
        In the order of the folder's ``MANIFEST.csv``; without one, all files that
        Orange can read, in the order of their names.

    Examples
    --------
    >>> list(expand("iris"))
    ['iris']
    """
    folder = Path(source)
    # Orange's and scikit-learn's names come before a folder that is called the same.
    if source in BUNDLED or source.startswith(OPENML) or not folder.is_dir():
        yield source
        return
    if (folder / MANIFEST).is_file():
        import pandas as pd

        manifest = pd.read_csv(folder / MANIFEST, dtype=str, keep_default_na=False)
        if "name" not in manifest:
            raise ValueError(f"{folder / MANIFEST} has no column called name.")
        yield from (str(folder / f"{name}.csv.gz") for name in manifest["name"])
        return
    from Orange.data.io import FileFormat

    readable = tuple(FileFormat.readers)
    found = sorted(
        path for path in folder.iterdir()
        if path.is_file() and path.name.lower().endswith(readable)
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
        The name of a bundled data set or another one that Orange finds by its name; a
        file that Orange can read; or ``openml:`` and a name or number, which needs a
        network the first time and is cached.
    target : str, optional
        Name of the column to predict in a file, if the file does not mark one and has
        none called ``class``.
    cache : str, optional
        Folder for what is downloaded; by default scikit-learn's.
    trusted : bool
        Whether pickles are read, which can run any program.

    Returns
    -------
    DataSet
        Rows without a class are left out.

    Raises
    ------
    ValueError
        If there is no such data set, or no categorical target in it.

    Examples
    --------
    >>> load("zoo").summary
    'zoo: 101 rows, 0 numeric and 16 categorical attributes, 7 classes'
    """
    if source.startswith(OPENML):
        try:
            return _from_openml(source.removeprefix(OPENML), cache)
        except OSError as error:
            raise ValueError(f"{source} cannot be fetched: {error}.") from error
    if source in BUNDLED:
        return load_bundled(source)
    path = Path(source)
    if path.is_file() and path.name.endswith(".csv.gz") and target is None:
        if (path.parent / MANIFEST).is_file():
            return _from_manifest(path)
    name = _stem(path) if path.is_file() else source
    try:
        return _from_orange(source, name, target, trusted)
    except OSError as error:
        raise ValueError(
            f"There is no data set {source!r}: it is neither a file that Orange can "
            f"read nor one of {', '.join(BUNDLED)}."
        ) from error


def _stem(path: Path) -> str:
    """Return the file name without the suffixes of its format and compression."""
    stem = path.stem
    if path.suffix in (".gz", ".bz2", ".xz"):
        stem = Path(stem).stem
    # A name that is not UTF-8 could not be written to a file
    return os.fsencode(stem).decode("utf-8", "backslashreplace")
