"""Arrays, data frames and parquet folders as lists of partitions.

A partition is a few rows, lazy, with their labels and weights. These may be columns
of the same data frame, given by name, or Dask collections of their own that are divided
in the same way.
"""

import numbers
import os
from dataclasses import dataclass, replace
from pathlib import Path

import dask.array as da
import dask.dataframe as dd
import numpy as np
from distributed import futures_of
from fsspec.core import url_to_fs
from pyarrow.dataset import dataset

from orangecontrib.sadd.core.cluster import is_for_dask
from orangecontrib.sadd.core.cluster.reading import plain_text

__all__ = ["Source", "check_present", "column_name", "open_pool", "open_source",
           "read_frame", "read_schema", "whole_rows"]


@dataclass(frozen=True)
class Source:
    """
    Rows in partitions.

    Attributes
    ----------
    parts : list of tuple
        Lazy rows, labels and weights of each partition; the latter two are None if
        there are none, or if they are columns of the rows.
    label_parts : list of tuple
        The same, with no more columns of the rows than labels and weights need.
    features : list of str, or None
        Columns that are features; None for arrays.
    target, weight : str or None
        Columns with labels and weights, if these are columns.
    has_target, has_weight : bool
    example : ndarray or data frame
        Rows with the types, but not the contents, of the features.
    frame : dask data frame or array
    pools : sequence of Source
        More rows, without labels; their partitions are the last ones.
    """

    parts: list
    label_parts: list
    features: list | None
    target: str | None
    weight: str | None
    has_target: bool
    has_weight: bool
    example: object
    frame: object
    pools: tuple = ()

    def __len__(self):
        return len(self.parts)

    @property
    def names(self):
        """Features, target and weight, where these are columns."""
        return self.features, self.target, self.weight

    def with_columns(self, names):
        """Return lazy partitions with no more than these columns of the rows."""
        wanted = [*names, *(name for name in (self.target, self.weight) if name)]
        wanted = list(dict.fromkeys(wanted))
        if self.features is None:
            return self.parts
        own = [(part, *others) for part, (_, *others) in zip(
            _delayed(self.frame[wanted]), self.parts, strict=False)]
        return own + [part for pool in self.pools for part in pool.with_columns(names)]

    def followed_by(self, pools):
        """Append the partitions of other sources, whose rows have no labels."""
        parts, label_parts = list(self.parts), list(self.label_parts)
        for pool in pools:
            parts += pool.parts
            label_parts += pool.with_columns(pool.features[:1]) if pool.features \
                else pool.parts
        return replace(self, parts=parts, label_parts=label_parts, pools=pools)


def read_frame(path):
    """Return a parquet file, or folder of such files, as a Dask data frame."""
    text = os.fspath(path)
    if "://" not in text and not Path(text).exists():
        raise ValueError(f"There is no file or folder {text!r}.")
    schema = read_schema(text)
    if not schema.names:
        raise ValueError(f"There is no parquet file with columns in {text!r}.")
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    if any(isinstance(name, dict) and name.get("name") is not None for name in index):
        # Row numbers are not stored; if they have a name, Dask looks for them
        return dd.read_parquet(text, index=False)
    return dd.read_parquet(text)


def read_schema(path):
    """Return the columns of a parquet file or folder, with their types in Arrow."""
    system, place = url_to_fs(os.fspath(path))
    return dataset(place, filesystem=system, format="parquet").schema


def open_source(X, y=None, sample_weight=None, *, features=None):
    """
    Return data for Dask as partitions.

    Parameters
    ----------
    X : dask array, dask data frame, or path of a parquet file or folder
    y : str, dask array or series, or ndarray, optional
        Labels. The name of a column if X is a path.
    sample_weight : str, number, dask array or series, or ndarray, optional
    features : list of str, optional
        Columns to be used; all but labels and weights by default.

    Returns
    -------
    Source
    """
    is_path = isinstance(X, str | os.PathLike)
    if is_path:
        X = read_frame(X)
    if isinstance(X, dd.DataFrame):
        names = [column_name(X, what, name) for what, name in (
            ("y", y), ("sample_weight", sample_weight))]
        if is_path and y is not None and names[0] is None:
            raise ValueError("y must be the name of a column if X is a path.")
        if features is None:
            features = [name for name in X.columns if name not in names]
        else:
            check_present(X, features)
        frame = X[list(dict.fromkeys([*features, *filter(None, names)]))]
        rows, chunks = _delayed(frame), None
        example = plain_text(frame[features]._meta_nonempty)
    elif isinstance(X, da.Array):
        names, frame = [None, None], whole_rows(X)
        rows, chunks = _delayed(frame), frame.chunks[0]
        example = np.zeros((1, X.shape[1]), dtype=X.dtype)
    else:
        raise ValueError("X must be a Dask array, a Dask data frame or the path of a "
                         f"parquet folder, not {type(X).__name__}.")
    labels, weights = (
        [None] * len(rows) if name is not None
        else _aligned(what, values, rows, chunks, X)
        for what, name, values in zip(("y", "sample_weight"), names,
                                      (y, sample_weight), strict=True))
    if any(names):
        label_rows = _delayed(frame[list(filter(None, names))])
    elif y is None and isinstance(sample_weight, numbers.Number):
        label_rows = rows  # nothing else has a length
    else:
        label_rows = [None] * len(rows)
    return Source(
        list(zip(rows, labels, weights, strict=True)),
        list(zip(label_rows, labels, weights, strict=True)), features, *names,
        y is not None, sample_weight is not None, example, frame)


def open_pool(pool, source):
    """
    Return sources of unlabelled rows that have the features of a source.

    Parameters
    ----------
    pool : dask array, dask data frame, path, a list of these, or None
    source : Source

    Returns
    -------
    list of Source
    """
    if pool is None:
        return []
    opened = []
    for more in pool if isinstance(pool, list) else [pool]:
        if not is_for_dask(more):
            raise ValueError("X_unlabelled must be a Dask array or data frame, or the "
                             "path of a parquet folder, as X is.")
        opened.append(open_source(more, features=source.features))
        if opened[-1].example.shape[1] != source.example.shape[1]:
            raise ValueError(
                f"X_unlabelled has {opened[-1].example.shape[1]} features, but X has "
                f"{source.example.shape[1]}.")
    return opened


def _delayed(collection):
    """Return the partitions as a list of lazy objects."""
    # Optimization would lose what is in a cluster already
    parts = collection.to_delayed(optimize_graph=not futures_of(collection))
    if isinstance(collection, dd.DataFrame | dd.Series) \
            and len(parts) != collection.npartitions:
        # It has joined files of which few columns are read, of labels but not of rows
        parts = collection.simplify().to_delayed(optimize_graph=False)
    return np.ravel(parts).tolist() if isinstance(parts, np.ndarray) else list(parts)


def column_name(frame, what, name):
    """Return the name of a column; None if it is not a name, but data."""
    if not isinstance(name, str):
        return None
    if name not in frame.columns:
        raise ValueError(f"{what} is {name!r}, but the columns are "
                         f"{', '.join(map(repr, frame.columns))}.")
    return name


def whole_rows(X):
    """Return an array with whole rows in each partition; ValueError if it has none."""
    if X.ndim != 2:
        raise ValueError(f"X must have rows and columns, but its shape is {X.shape}"
                         ". Reshape it, with X.reshape(-1, 1) for one column.")
    return X.rechunk({1: -1})


def check_present(frame, features):
    """Raise a ValueError if a data frame lacks columns."""
    absent = [name for name in features if name not in frame.columns]
    if absent:
        raise ValueError(
            f"The data lack the columns {', '.join(map(repr, absent))}.")


def _aligned(what, values, rows, chunks, X):
    """Return lazy parts of a vector, one for each partition of the rows."""
    if values is None or isinstance(values, numbers.Number):
        return [values] * len(rows)
    if isinstance(values, str):
        raise ValueError(f"{what} is {values!r}, but X is an array without columns' "
                         "names; pass a Dask array.")
    if isinstance(values, dd.Series | dd.DataFrame):
        same = getattr(X, "divisions", None)
        if same is not None and X.known_divisions and values.known_divisions \
                and same != values.divisions:
            raise ValueError(f"X and {what} are divided into partitions in different "
                             f"ways. Pass {what} as the name of a column of X.")
        parts = _delayed(values)
    else:
        if not isinstance(values, da.Array):
            if chunks is None or np.isnan(chunks).any():
                raise ValueError(
                    f"The lengths of the partitions of X are not known, so {what} must "
                    "be divided in the same way: pass the name of a column or a Dask "
                    "series.")
            values = da.from_array(np.asarray(values), chunks=-1)
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.ndim != 1:
            raise ValueError(f"{what} must be one-dimensional, but its shape is "
                             f"{values.shape}.")
        if chunks is not None and not np.isnan(values.shape[0] + sum(chunks)):
            if values.shape[0] != sum(chunks):
                raise ValueError(f"X has {sum(chunks)} rows, but {what} has "
                                 f"{values.shape[0]}.")
            values = values.rechunk((chunks,))
        parts = _delayed(values)
    if len(parts) != len(rows):
        raise ValueError(f"X has {len(rows)} partitions, but {what} has {len(parts)}.")
    return parts
