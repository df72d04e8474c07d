"""Short tables of columns: a grid of values, and the weight of each class at them.

If a column has at most `grid_size` distinct values, its grid holds all of them, and
its table is complete. Otherwise the grid consists of quantiles of the rows, and a row
counts at the nearest value of the grid. Possible cuts lie halfway between two values of
the grid. Every row counts on its own side of each of them.
"""

import dask
import numpy as np
from scipy.sparse import csr_array

from orangecontrib.sadd.core.cuts import cut_between

__all__ = ["count_at_grid", "find_grid", "grid_size", "unite_grids"]

# Distinct values of a column of which all are used
GRID_SIZE = 2 ** 16

# A partition of more rows, in sizes of the grid, is sampled first
SAMPLED = 4


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
    rows : ndarray of float64
        Rows that each value stands for.

    Examples
    --------
    >>> import numpy as np
    >>> find_grid(np.array([3, 1, np.nan, 3]), 8)
    (array([1., 3.]), array([1., 2.]))
    """
    values = values[~np.isnan(values)]
    n_rows = len(values)
    if n_rows > SAMPLED * size:
        # To sort a sample takes less time, and is enough if it has too many values
        finite = values[np.isfinite(values)]
        sample, rows = _distinct(np.concatenate((
            values[np.random.default_rng(0).integers(n_rows, size=2 * size)],
            [values.min(), finite.min(initial=np.inf), finite.max(initial=-np.inf),
             values.max()])))
        if len(sample) > size:
            return _thin(sample, rows * (n_rows / (2 * size)), size)
    return _thin(*_distinct(values), size)


def unite_grids(grids, size):
    """Return the grid of the rows of several grids."""
    values, rows = map(np.concatenate, zip(*grids, strict=True))
    return _thin(*_distinct(values, rows), size)


def _distinct(values, rows=None):
    """Return the distinct values in order, and their rows, by default one each."""
    if rows is None:
        values = np.sort(values)
    else:
        order = np.argsort(values, kind="stable")
        values, rows = values[order], rows[order]
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1])[:len(values)])
    if rows is None:
        return values[starts], np.diff(starts, append=len(values)).astype(np.float64)
    return values[starts], np.add.reduceat(rows, starts) if len(starts) else rows


def _thin(values, rows, size):
    """Choose quantiles if there are more values than `size`."""
    if len(values) <= size:
        return values, rows
    below = np.cumsum(rows)
    chosen = np.zeros(len(values), dtype=bool)
    chosen[np.searchsorted(below, np.linspace(0, below[-1], size - 2)[1:-1])] = True
    # The outermost two on each side: one may be infinite, the other ends the range
    chosen[[0, 1, -2, -1]] = True
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
