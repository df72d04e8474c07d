"""Contingency tables: how often each class meets each code."""

import numpy as np

__all__ = ["MAX_CODE", "add_tables", "contingency"]

# A table is as wide as the largest code
MAX_CODE = 2 ** 24


def contingency(codes, classes, n_classes, weights=None, n_codes=0):
    """
    Return the weight of rows of each class and code.

    Parameters
    ----------
    codes : ndarray of float64, shape (n_rows,)
        Integers from 0; rows where it is NaN are left out.
    classes : ndarray of int, shape (n_rows,)
        From 0 to `n_classes` - 1; rows with a negative one are left out.
    n_classes : int
    weights : ndarray of float64, shape (n_rows,), optional
    n_codes : int
        The least number of columns.

    Returns
    -------
    ndarray, shape (n_classes, largest code + 1)

    Examples
    --------
    >>> contingency(np.array([0, 2, 2, np.nan]), np.array([0, 0, 1, 1]), 2)
    array([[1, 0, 1],
           [0, 0, 1]])
    """
    known = ~np.isnan(codes) & (classes >= 0)
    if not known.all():
        codes, classes = codes[known], classes[known]
        weights = None if weights is None else weights[known]
    if np.any((codes < 0) | (codes >= MAX_CODE) | (codes != np.floor(codes))):
        raise ValueError("Codes of discretized values must be integers from 0 to "
                         f"{MAX_CODE - 1}; NaN stands for a missing value.")
    codes = codes.astype(np.intp)
    width = max(n_codes, int(codes.max(initial=-1)) + 1)
    counts = np.bincount(codes + width * classes, weights, width * n_classes)
    return counts.reshape(n_classes, width)


def add_tables(tables):
    """
    Add tables, of which some have fewer columns.

    Examples
    --------
    >>> add_tables([np.array([[1]]), np.array([[1, 2]])])
    array([[2, 2]])
    """
    width = max(table.shape[1] for table in tables)
    return sum(np.pad(table, ((0, 0), (0, width - table.shape[1])))
               for table in tables)
