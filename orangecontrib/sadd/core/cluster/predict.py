"""Lazy results: methods of estimators on data for Dask."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
from dask.delayed import delayed

from orangecontrib.sadd.core.cluster.inputs import read_frame
from orangecontrib.sadd.core.cluster.reading import plain_text

__all__ = ["apply_lazily"]


def apply_lazily(estimator, method, X, width, dtype=np.float64):
    """
    Apply a method of a fitted estimator to each partition.

    Parameters
    ----------
    estimator : estimator
    method : str
    X : dask array, dask data frame, or path of a parquet file or folder
        Of a file, those columns are used that the estimator knows.
    width : int or None
        Number of columns of the result; None if it has one dimension.
    dtype : dtype

    Returns
    -------
    dask.array.Array
        Of unknown length, unless X is an array of known length.
    """
    name = f"{'sadd' if method == 'transform' else 'rnb'}-{method}".replace("_", "-")
    if not isinstance(X, da.Array | dd.DataFrame):
        X = read_frame(X)
        names = getattr(estimator, "feature_names_in_", None)
        if names is not None:
            absent = [name for name in names if name not in X.columns]
            if absent:
                raise ValueError(
                    f"The data lack the columns {', '.join(map(repr, absent))}.")
            X = X[list(names)]
    if isinstance(X, da.Array):
        if X.ndim != 2:
            raise ValueError(f"X must have rows and columns, but its shape is {X.shape}"
                             ". Reshape it, with X.reshape(-1, 1) for one column.")
        X = X.rechunk({1: -1})
        columns = {"drop_axis": 1} if width is None else {
            "chunks": (X.chunks[0], (width,))}
        return X.map_blocks(
            _apply, estimator=estimator, method=method, width=width, result=dtype,
            token=name, dtype=dtype, meta=_nothing(width, dtype), **columns)
    shared = delayed(estimator)
    shape = (np.nan,) if width is None else (np.nan, width)
    return da.concatenate([
        da.from_delayed(
            delayed(_apply, name=name, pure=False)(part, shared, method, width, dtype),
            shape, dtype=dtype)
        for part in X.to_delayed()], allow_unknown_chunksizes=True)


def _apply(part, estimator, method, width, result):
    if not len(part):  # scikit-learn would refuse it
        return _nothing(width, result)
    # An array even if `set_output` says otherwise
    return np.asarray(getattr(estimator, method)(plain_text(part)))


def _nothing(width, dtype):
    return np.empty(0 if width is None else (0, width), dtype=dtype)
