"""Lazy results: methods of estimators on data for Dask."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
from dask.delayed import delayed
from scipy.sparse import csr_matrix, issparse

from orangecontrib.sadd.core.cluster.inputs import (
    check_present,
    read_frame,
    whole_rows,
)
from orangecontrib.sadd.core.cluster.reading import plain_text

__all__ = ["apply_lazily"]


def apply_lazily(estimator, method, X, width, dtype=np.float64, sparse=False):
    """
    Apply a method of a fitted estimator to each partition.

    Parameters
    ----------
    estimator : estimator
    method : str
    X : dask array, dask data frame, or path of a parquet file or folder
        In a file, only the columns that the estimator knows are read.
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
    name = f"{'sadd' if method == 'transform' else 'rnb'}-{method}".replace("_", "-")
    if not isinstance(X, da.Array | dd.DataFrame):
        X = read_frame(X)
        names = getattr(estimator, "feature_names_in_", None)
        if names is not None:
            check_present(X, names)
            X = X[list(names)]
    nothing = np.empty(0 if width is None else (0, width), dtype=dtype)
    if sparse:
        nothing = csr_matrix(nothing)
    if isinstance(X, da.Array):
        X = whole_rows(X)
        columns = {"drop_axis": 1} if width is None else {
            "chunks": (X.chunks[0], (width,))}
        return X.map_blocks(
            _apply, estimator=estimator, method=method, nothing=nothing, token=name,
            dtype=dtype, meta=nothing, **columns)
    shared = delayed(estimator)
    shape = (np.nan,) if width is None else (np.nan, width)
    return da.concatenate([
        da.from_delayed(
            delayed(_apply, name=name, pure=False)(part, shared, method, nothing),
            shape, dtype=dtype, meta=nothing)
        for part in X.to_delayed()], allow_unknown_chunksizes=True)


def _apply(part, estimator, method, nothing):
    if not part.shape[0]:  # scikit-learn would refuse it
        return nothing
    found = getattr(estimator, method)(plain_text(part))
    # An array even if `set_output` says otherwise
    return found if issparse(found) else np.asarray(found)
