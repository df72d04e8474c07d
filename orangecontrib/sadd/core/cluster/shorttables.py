"""Short tables of columns: a grid of values, and the weight of each class at them.

A column with at most `grid_size` distinct values has all of them in its grid, so that
its table holds everything that a discretizer needs. The grid of another column are
quantiles of its rows. A row then counts at the nearest value of the grid: on the same
side of each possible cut, the middle between two neighbours, as the row itself.
"""

import dask
import numpy as np
from scipy.sparse import csr_array

from orangecontrib.sadd.core.cuts import cut_between

__all__ = ["add_tables", "count_at_grid", "find_grid", "grid_size", "unite_grids"]

# Distinct values of a column of which all are used
GRID_SIZE = 2 ** 16


def grid_size():
    """
    Return the largest number of values in a grid.

    It is a setting of Dask, ``dask.config.set({"orange3-sadd.grid": 2 ** 18})``.

    Examples
    --------
    >>> grid_size()
    65536
    """
    size = int(dask.config.get("orange3-sadd.grid", GRID_SIZE))
    if size < 8:
        raise ValueError(
            f"The setting orange3-sadd.grid must be 8 or more, not {size}.")
    return size


def find_grid(values, size):
    """
    Find the grid of the rows of a partition.

    Parameters
    ----------
    values : ndarray of float64
    size : int
        The largest number of values in the grid.

    Returns
    -------
    values : ndarray of float64
        Increasing. The least and the largest value, finite or not, are among them.
    rows : ndarray of int
        Rows that each value stands for.

    Examples
    --------
    >>> import numpy as np
    >>> find_grid(np.array([3, 1, np.nan, 3]), 8)
    (array([1., 3.]), array([1, 2]))
    """
    values = np.sort(values[~np.isnan(values)])
    starts = _starts(values)
    return _thin(values[starts], np.diff(starts, append=len(values)), size)


def unite_grids(grids, size):
    """Return the grid of the rows of several grids."""
    values, rows = map(np.concatenate, zip(*grids, strict=True))
    order = np.argsort(values, kind="stable")
    values, rows = values[order], rows[order]
    starts = _starts(values)
    if len(starts):  # reduceat needs one
        rows = np.add.reduceat(rows, starts)
    return _thin(values[starts], rows, size)


def _starts(values):
    """Return where each distinct value begins in sorted values."""
    return np.flatnonzero(np.append(True, values[1:] != values[:-1])[:len(values)])


def _thin(values, rows, size):
    """Choose quantiles if there are more values than `size`."""
    if len(values) <= size:
        return values, rows
    below = np.cumsum(rows)
    # The outermost two on each side: one may be infinite, the other ends the range
    chosen = np.unique(np.concatenate((
        [0, 1], np.searchsorted(below, np.linspace(0, below[-1], size - 2)[1:-1]),
        [len(values) - 2, len(values) - 1])))
    return values[chosen], np.diff(below[chosen], prepend=0)


def count_at_grid(values, ends, weights, grid):
    """
    Count the rows of a partition.

    Parameters
    ----------
    values : ndarray of float64
        Of rows in the order of their classes.
    ends : ndarray of int, shape (n_classes,)
        Where the rows of each class end.
    weights : ndarray of float64
    grid : ndarray of float64
        Increasing.

    Returns
    -------
    scipy.sparse.csr_array, shape (n_classes, n_grid)
        Weights.

    Examples
    --------
    >>> import numpy as np
    >>> count_at_grid(np.array([1, 5, 4.]), np.array([1, 3]), np.array([1, 1, 2.]),
    ...               np.array([1, 4, 5.])).toarray()
    array([[1., 0., 0.],
           [0., 2., 1.]])
    """
    edges = cut_between(grid[:-1], grid[1:])
    weighted = np.any(weights != 1)
    cells, sums, start = [], [], 0
    for end in ends.tolist():
        known = start + np.flatnonzero(~np.isnan(values[start:end]))
        start = end
        run = values[known]
        if weighted:
            order = np.argsort(run)
            run, own = run[order], weights[known[order]]
        else:
            run = np.sort(run)
        occupied, starts = _occupied(run, edges)
        cells.append(occupied)
        sums.append(np.add.reduceat(own, starts) if weighted and len(starts)
                    else np.diff(starts, append=len(run)))
    lengths = [0, *map(len, cells)]
    return csr_array(
        (np.concatenate(sums).astype(np.float64), np.concatenate(cells),
         np.cumsum(lengths)), shape=(len(ends), len(grid)))


def _occupied(run, edges):
    """Return the cells between edges that hold sorted values, and their first rows."""
    if len(run) < len(edges):
        cells = np.searchsorted(edges, run, side="right")
        starts = np.flatnonzero(np.diff(cells, prepend=-1))
        return cells[starts], starts
    bounds = np.concatenate(([0], np.searchsorted(run, edges), [len(run)]))
    cells = np.flatnonzero(np.diff(bounds))
    return cells, bounds[cells]


def add_tables(tables):
    """Add tables of several partitions, in their order."""
    return sum(tables[1:], start=tables[0])
