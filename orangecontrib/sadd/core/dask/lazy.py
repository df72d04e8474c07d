"""Lazy results of fitted estimators on Dask's arrays and data frames."""

import dask.array as da
import numpy as np
from scipy.sparse import csr_matrix, issparse

from orangecontrib.sadd.core.dask.partitions import whole_rows

__all__ = ["apply_lazily"]


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
        X = whole_rows(X)
        shape = {"drop_axis": 1} if width is None else {
            "chunks": (X.chunks[0], (width,))}
        return X.map_blocks(_apply, **arguments, dtype=dtype, meta=nothing, **shape)
    return X.map_partitions(_apply, **arguments, meta=nothing)


def _apply(rows, estimator, method, nothing):
    if not rows.shape[0]:  # scikit-learn would reject it
        return nothing
    found = getattr(estimator, method)(rows)
    # An array for any `set_output`
    return found if issparse(found) else np.asarray(found)
