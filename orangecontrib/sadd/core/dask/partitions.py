"""Dask arrays and data frames as lists of partitions, and lazy results for them.

A partition is a tuple of lazy rows, labels and weights. Labels and weights may be given
as names of columns, or as collections that are divided like the rows.
"""

import numbers

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
from scipy.sparse import csr_matrix, issparse

from orangecontrib.sadd.core.dask import is_for_dask
from orangecontrib.sadd.core.labels import sample_rows

__all__ = ["Source", "apply_lazily", "draw_rows", "open_pool"]

# Dask joins partitions if it reads few columns of them; then labels and rows differ
SAME_PARTITIONS = {"optimization.tune.active": False}


class Source:
    """
    Rows in partitions.

    Parameters
    ----------
    X : dask array or data frame
    y : str, dask array or series, or ndarray, optional
        Labels.
    sample_weight : str, number, dask array or series, or ndarray, optional
    features : list of str, optional
        Columns to be used; all but labels and weights by default.

    Attributes
    ----------
    rows : dask array or data frame
    features : list
        Columns that are features: names, or numbers of an array's columns.
    has_target, has_weight : bool
    """

    def __init__(self, X, y=None, sample_weight=None, features=None):
        # Names of the columns of labels and weights, if these are columns
        self._names: list = [None, None]
        if isinstance(X, dd.DataFrame):
            self.rows = X
            self._names = [_column_name(X, "y", y),
                           _column_name(X, "sample_weight", sample_weight)]
            absent = [name for name in features or [] if name not in X.columns]
            if absent:
                raise ValueError(
                    f"The data lack the columns {', '.join(map(repr, absent))}.")
            self.features = features or [
                name for name in X.columns if name not in self._names]
        elif isinstance(X, da.Array):
            self.rows = _whole_rows(X)
            self.features = list(range(X.shape[1]))
        else:
            raise ValueError("X must be a Dask array or a Dask data frame, not "
                             f"{type(X).__name__}.")
        self.has_target, self.has_weight = y is not None, sample_weight is not None
        self._vectors = [
            None if name is not None else self._aligned(what, values)
            for what, values, name in zip(
                ("y", "sample_weight"), (y, sample_weight), self._names, strict=True)]

    @property
    def is_frame(self):
        """Whether rows are data frames, not arrays."""
        return isinstance(self.rows, dd.DataFrame)

    def partitions(self, features):
        """
        Return the partitions.

        Parameters
        ----------
        features : list of int
            Features that the rows have. If there are none, and labels are no column,
            rows have some feature, so that they have a length.

        Returns
        -------
        list of tuple
            Lazy rows, labels and weights; None if there are no labels or weights.
        """
        if self.is_frame:
            columns = [self.features[feature] for feature in features]
            columns += [name for name in self._names if name is not None]
            rows = _delayed(
                self.rows[list(dict.fromkeys(columns)) or self.features[:1]])
        else:
            rows = _delayed(self.rows[:, features or slice(1)])
        labels, weights = (
            [part[name] for part in rows] if name is not None
            else vector if isinstance(vector, list) else [vector] * len(rows)
            for name, vector in zip(self._names, self._vectors, strict=True))
        return list(zip(rows, labels, weights, strict=True))

    def _aligned(self, what, values):
        """Return the lazy parts of a vector, or a number, or None."""
        n_parts = self.rows.npartitions
        if values is None or isinstance(values, numbers.Number):
            return values
        if isinstance(values, str):
            raise ValueError(f"{what} is {values!r}, but X is an array without "
                             "columns' names; pass a Dask array.")
        if not isinstance(values, dd.Series | dd.DataFrame):
            values = self._like_rows(what, values)
        parts = _delayed(values)
        if len(parts) != n_parts:
            raise ValueError(
                f"X has {n_parts} partitions, but {what} has {len(parts)}.")
        return parts

    def _like_rows(self, what, values):
        """Return an array that is divided like the rows if their lengths are known."""
        chunks = (np.nan,) if self.is_frame else self.rows.chunks[0]
        n_rows = sum(chunks)
        if not isinstance(values, da.Array):
            if np.isnan(n_rows):
                raise ValueError(
                    f"The lengths of the partitions of X are not known, so {what} must "
                    "be divided in the same way: pass the name of a column or a Dask "
                    "series.")
            values = da.from_array(np.asarray(values), chunks=-1)
        if np.isnan(n_rows + values.shape[0]):
            return values
        if values.shape[0] != n_rows:
            raise ValueError(
                f"X has {n_rows} rows, but {what} has {values.shape[0]}.")
        return values.rechunk({0: chunks})


def open_pool(pool, source):
    """Return a source of unlabelled rows with the features of another source."""
    if not is_for_dask(pool):
        raise ValueError("unlabelled must be a Dask array or data frame, as X is.")
    opened = Source(pool, features=source.features if source.is_frame else None)
    if len(opened.features) != len(source.features):
        raise ValueError(f"unlabelled has {len(opened.features)} features, but X has "
                         f"{len(source.features)}.")
    return opened


def apply_lazily(estimator, method, X, width, dtype=np.float64, sparse=False):
    """
    Apply a method of a fitted estimator to each partition.

    Parameters
    ----------
    estimator : estimator
    method : str
    X : dask array or data frame
    width : int or None
        Number of columns of the result; None if it has one dimension.
    dtype : dtype
    sparse : bool
        Whether blocks of the result are sparse matrices.

    Returns
    -------
    dask.array.Array
        Of unknown length, unless X is an array of known length.
    """
    nothing = np.empty(0 if width is None else (0, width), dtype=dtype)
    if sparse:
        nothing = csr_matrix(nothing)
    arguments = {"estimator": estimator, "method": method, "nothing": nothing}
    if isinstance(X, da.Array):
        X = _whole_rows(X)
        shape = {"drop_axis": 1} if width is None else {
            "chunks": (X.chunks[0], (width,))}
        return X.map_blocks(_apply, **arguments, dtype=dtype, meta=nothing, **shape)
    return X.map_partitions(_apply, **arguments, meta=nothing)


def draw_rows(sizes, most, random_state):
    """
    Draw at most so many rows at random; return their numbers within each partition.

    Examples
    --------
    >>> draw_rows([2, 0, 1], 5, 0)
    [array([0, 1]), array([], dtype=int64), array([0])]
    """
    ends = np.cumsum(sizes)
    wanted = sample_rows(sum(sizes), most, random_state)
    return [rows - (end - size) for rows, size, end in zip(
        np.split(wanted, np.searchsorted(wanted, ends[:-1])), sizes, ends,
        strict=True)]


def _apply(rows, estimator, method, nothing):
    if not rows.shape[0]:  # scikit-learn would reject it
        return nothing
    found = getattr(estimator, method)(rows)
    # An array for any `set_output`
    return found if issparse(found) else np.asarray(found)


def _whole_rows(X):
    """Return an array with whole rows in each partition; ValueError if it has none."""
    if X.ndim != 2:
        raise ValueError(f"X must have rows and columns, but its shape is {X.shape}"
                         ". Reshape it, with X.reshape(-1, 1) for one column.")
    return X.rechunk({1: -1})


def _column_name(frame, what, name):
    """Return the name of a column; None if it is not a name, but data."""
    if not isinstance(name, str):
        return None
    if name not in frame.columns:
        raise ValueError(f"{what} is {name!r}, but the columns are "
                         f"{', '.join(map(repr, frame.columns))}.")
    return name


def _delayed(collection):
    """Return the partitions as a list of lazy objects."""
    with dask.config.set(SAME_PARTITIONS):
        return np.ravel(collection.to_delayed()).tolist()
