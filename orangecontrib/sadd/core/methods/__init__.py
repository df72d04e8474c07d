"""The methods that SADD is compared with, one column at a time."""

import numpy as np
from scipy.sparse import csc_array, issparse

__all__ = ["cells_of"]


def cells_of(counts):
    """
    Return the counts of a column that are not zero, by value, then by class.

    There are at most as many as rows, for any number of classes.

    Parameters
    ----------
    counts : ndarray or sparse array, shape (n_classes, n_values)

    Returns
    -------
    classes : ndarray of int
    weights : ndarray of float64
    bounds : ndarray of int, shape (n_values + 1,)
        Cells of the value i are those from bounds[i] to bounds[i + 1].

    Examples
    --------
    >>> cells_of(np.array([[5, 0, 1], [2, 3, 0]]))
    (array([0, 1, 1, 0]), array([5., 2., 3., 1.]), array([0, 2, 3, 4]))
    """
    if issparse(counts):
        cells = csc_array(counts)
        return cells.indices, cells.data.astype(np.float64), cells.indptr
    values, classes = np.nonzero(counts.T)
    bounds = np.searchsorted(values, np.arange(counts.shape[1] + 1))
    return classes, counts[classes, values].astype(np.float64), bounds
