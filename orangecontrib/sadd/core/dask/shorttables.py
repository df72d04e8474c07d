"""Short tables of columns: a grid of values, and the weight of each class at them.

If a column has at most `grid_size` distinct values, its grid holds all of them, and
its table is complete. Otherwise the grid consists of quantiles of the rows, and a row
counts at the nearest value of the grid. Possible cuts lie halfway between two values of
the grid. Every row counts on its own side of each of them.
"""

from functools import partial

import dask
import numpy as np
from scipy.sparse import csr_array, issparse

from orangecontrib.sadd.core.arithmetic import cut_between
from orangecontrib.sadd.core.dask.passes import persist_tree
from orangecontrib.sadd.core.methods.cells import cells_of
from orangecontrib.sadd.core.threads import part_of

__all__ = ["count_at_grids", "find_grid", "grid_size", "join_tables", "short_tables",
           "unite_grids"]

# Bytes of the tables of columns that are counted at the same time
TABLE_BYTES = 2 ** 26

# Columns with at most this many distinct values are read exactly
GRID_SIZE = 2 ** 16

# A partition of more rows, in sizes of the grid, is sampled first
SAMPLED = 4

# A table is sparse if it has more cells than this for each row
DENSE_CELLS = 2


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


def short_tables(of_columns, features, n_classes, callback=None):
    """
    Yield the short table of each column, in two passes over the partitions.

    Parameters
    ----------
    of_columns : callable
        Called with some features, a function and its arguments. Returns, for each
        partition, the lazy result of the function for columns, classes, weights and
        these arguments.
    features : list of int
    n_classes : int
    callback : callable, optional
        Called with the fraction done.

    Yields
    ------
    feature : int
    grid : ndarray of float64
        See `find_grid`.
    table : ndarray or scipy.sparse.csr_array
        See `count_at_grids`.
    """
    size = grid_size()
    step = max(1, TABLE_BYTES // (12 * size * n_classes))
    for start in range(0, len(features), step):
        some = features[start:start + step]
        share = part_of(callback, start / len(features),
                        min(1, (start + step) / len(features)))
        grids = persist_tree(partial(unite_grids, size=size), of_columns(
            some, _find_grids, size), part_of(share, 0, 0.5))
        tables = persist_tree(join_tables, of_columns(
            some, _count, grids, n_classes), part_of(share, 0.5, 1))
        for feature, (grid, _), table in zip(
                some, *dask.compute(grids, tables), strict=True):
            yield feature, grid, table


def _find_grids(columns, classes, weights, size):
    return [find_grid(column, size) for column in columns]


def _count(columns, classes, weights, grids, n_classes):
    return count_at_grids(
        columns, [grid for grid, _ in grids], classes, weights, n_classes)


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
        Increasing. The outermost values, and the outermost finite ones, are among them.
    rows : ndarray
        Rows for which each value stands.

    Examples
    --------
    >>> import numpy as np
    >>> find_grid(np.array([3, 1, np.nan, 3]), 8)
    (array([1., 3.]), array([1, 2]))
    """
    if len(values) > SAMPLED * size:
        # To sort a sample takes less time, and is enough if it has too many values
        n_rows = size + size // 4
        sample = np.random.default_rng(0).integers(len(values), size=n_rows)
        grid, rows = _distinct(np.append(values[sample], _ends(values)))
        if len(grid) > size:
            return _thin(grid, rows * (len(values) / n_rows), size)
    return _thin(*_distinct(values), size)


def _distinct(values):
    """Return the distinct values that are not missing, and the rows of each."""
    values = np.sort(values)
    values = values[:np.searchsorted(values, np.nan)]
    starts = _starts(values)
    return values[starts], np.diff(starts, append=len(values))


def _starts(values):
    """Return where each distinct value begins in sorted values."""
    return np.flatnonzero(np.append(True, values[1:] != values[:-1])[:len(values)])


def _ends(values):
    """Return the least and the largest value, and those among the finite ones."""
    finite = np.isfinite(values)
    return [np.fmin.reduce(values), values.min(where=finite, initial=np.inf),
            values.max(where=finite, initial=-np.inf), np.fmax.reduce(values)]


def _thin(values, rows, size):
    """Choose quantiles if there are more values than `size`."""
    if len(values) <= size:
        return values, rows
    below = np.cumsum(rows, dtype=np.float64)
    chosen = np.diff(np.floor(below * ((size - 3) / below[-1])), prepend=0) > 0
    # The outermost two on each side: one may be infinite, the other ends the range
    chosen[[0, 1, -2, -1]] = True
    return values[chosen], np.diff(below[chosen], prepend=0).astype(np.float32)


def unite_grids(parts, size):
    """Return the grids of columns, given those in several partitions."""
    return [_unite(grids, size) for grids in zip(*parts, strict=True)]


def _unite(grids, size):
    """Return the grid of the rows of several grids."""
    values, rows = map(np.concatenate, zip(*grids, strict=True))
    order = np.argsort(values, kind="stable")
    values, rows = values[order], rows[order]
    starts = _starts(values)
    return _thin(values[starts], np.add.reduceat(rows, starts) if len(starts) else rows,
                 size)


def count_at_grids(columns, grids, classes, weights, n_classes):
    """
    Count the rows of a partition at the nearest values of grids.

    Parameters
    ----------
    columns : iterable of ndarray of float64, shape (n_rows,)
    grids : list of ndarray of float64
        Of each column, increasing.
    classes : ndarray of int32, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    n_classes : int

    Returns
    -------
    list of ndarray or scipy.sparse.csr_array, shape (n_classes, n_grid + 1)
        Weights; sparse if most of them would be zero. The last column is that of
        missing values.

    Examples
    --------
    >>> import numpy as np
    >>> count_at_grids([np.array([1, 5, np.nan])], [np.array([1, 4, 5.])],
    ...                np.array([0, 1, 1], dtype=np.int32), np.array([1, 1, 2.]), 2)
    [array([[1, 0, 0, 0],
           [0, 0, 1, 2]], dtype=uint8)]
    """
    cuts = [cut_between(grid[:-1], grid[1:]) for grid in grids]
    n_cells = n_classes * max(map(len, grids), default=0)
    if n_cells > DENSE_CELLS * len(classes):
        return [_count_sparse(column, own, classes, weights, n_classes)
                for column, own in zip(columns, cuts, strict=True)]
    return [_narrow(np.column_stack((cells.count(own)[0], cells.missing)))
            for own, cells in zip(cuts, cells_of(
                columns, classes, weights, n_classes), strict=True)]


def _count_sparse(column, cuts, classes, weights, n_classes):
    cells = np.searchsorted(cuts, column, side="right")
    cells[np.isnan(column)] = len(cuts) + 1
    return csr_array((weights, (classes, cells)), (n_classes, len(cuts) + 2))


def join_tables(parts):
    """Add the tables of columns in several partitions."""
    return [_narrow(sum(tables[1:], start=tables[0].astype(np.float64)))
            for tables in zip(*parts, strict=True)]


def _narrow(table):
    """Return whole numbers in fewer bytes, since tables are sent between workers."""
    if issparse(table):
        return table
    whole = table.astype(np.min_scalar_type(int(table.max(initial=0))))
    return whole if np.array_equal(whole, table) else table
