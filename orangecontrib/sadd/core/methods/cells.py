"""Columns as cells: the distinct values, and the weights of classes at them.

All methods but MDLP and SADD begin here. The compiled page `_sort` makes the cells.
"""

import warnings
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.arithmetic import as_whole
from orangecontrib.sadd.core.methods import _sort

__all__ = ["Cells", "Sorters", "cells_of"]

if not _sort.COMPILED:
    warnings.warn(
        "Orange3-SADD runs without its compiled modules, many times slower. Install a "
        "C compiler, and then Orange3-SADD again.", RuntimeWarning, stacklevel=2)

# Rows are numbered by 32-bit integers in the compiled page
MOST_ROWS = 2 ** 31 - 1

# Larger tables are not kept: each row may be a class of its own
MOST_CELLS = 2 ** 21


class Cells(NamedTuple):
    """
    The rows of a column by value, then by class; those of equal ones are a cell.

    Attributes
    ----------
    values : ndarray of float64, shape (n_values,)
        Distinct values, increasing. Without missing ones.
    bounds : ndarray of int32, shape (n_values + 1,)
        Cells of the value i are those from bounds[i] to bounds[i + 1].
    classes : ndarray of int32, shape (n_cells,)
    weights : ndarray of float64, shape (n_cells,)
        Above 0.
    missing : ndarray of float64, shape (n_classes,)
        Weight of rows of each class whose value is missing.
    range : tuple of float
        The least and the largest finite value, or NaN.
    free_numbers, free_integers : ndarray of float64 and int32, shape (n_cells,)
        Memory that a method may use.
    """

    values: np.ndarray
    bounds: np.ndarray
    classes: np.ndarray
    weights: np.ndarray
    missing: np.ndarray
    range: tuple[float, float]
    free_numbers: np.ndarray
    free_integers: np.ndarray

    @property
    def rows(self):
        """Weight of rows at each value."""
        if len(self.values) == len(self.weights):
            return self.weights
        return np.add.reduceat(self.weights, self.bounds[:-1])

    def count(self, cuts, limited=False):
        """
        Count the rows of each class in each interval.

        Parameters
        ----------
        cuts : ndarray of float64, shape (n_cuts,)
            In increasing order. A value equal to a cut lies above it.
        limited : bool
            Whether tables that are larger than `MOST_CELLS` are not made.

        Returns
        -------
        counts : ndarray, shape (n_classes, n_cuts + 1), or None
            Weights; of integers if all are.
        information : float
            Mutual information of intervals and class, in bits.
        """
        n_classes, n_intervals = len(self.missing), len(cuts) + 1
        is_kept = not limited or n_classes * n_intervals <= MOST_CELLS
        counts = np.zeros((n_intervals if is_kept else 0, n_classes))
        ends = np.full(n_intervals, len(self.weights), dtype=np.intc)
        ends[:-1] = self.bounds[np.searchsorted(self.values, cuts)]
        information = _sort.count(
            ends, self.classes, self.weights, np.zeros((2, n_classes)), counts)
        return as_whole(counts).T if is_kept else None, information


class Sorters:
    """
    Sorters that are used again for other columns of the same rows, by several threads.

    Allocating memory for each column takes a third of the time of sorting.
    """

    def __init__(self):
        self._free = []

    @contextmanager
    def sorter(self, classes, weights, n_classes):
        """Yield a sorter of rows, which no other thread uses meanwhile."""
        try:
            entry = self._free.pop()
        except IndexError:
            entry = None
        if entry is None or entry[0] is not classes or entry[1] is not weights:
            check_rows(classes, weights, n_classes)
            entry = classes, weights, _sort.Sorter(classes, weights, n_classes)
        yield entry[2]
        self._free.append(entry)


def cells_of(columns, classes, weights, n_classes, sorters=None):
    """
    Yield the cells of columns.

    Parameters
    ----------
    columns : iterable of ndarray of float64, shape (n_rows,)
        NaN is left out.
    classes : ndarray of int32, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
        Above 0.
    n_classes : int
    sorters : Sorters, optional

    Yields
    ------
    Cells
        Its memory is used again for the next column.

    Examples
    --------
    >>> x, classes = np.array([2., 1, 2]), np.array([0, 0, 1], dtype=np.intc)
    >>> for cells in cells_of([x], classes, np.ones(3), 2):
    ...     print(cells.values, cells.rows, cells.count(np.array([1.5]))[0].tolist())
    [1. 2.] [1. 2.] [[1, 1], [0, 1]]
    """
    columns = iter(columns)
    with (sorters or Sorters()).sorter(classes, weights, n_classes) as sorter:
        numbers, payload, weights, bounds, missing = map(np.asarray, (
            sorter.numbers, sorter.payload, sorter.weights, sorter.bounds,
            sorter.missing))
        for column in columns:
            n_values, side = sorter.distinct(
                np.ascontiguousarray(column).view(np.uint64))
            n_cells = bounds[n_values]
            values = numbers[side, :n_cells]
            if n_values < n_cells:
                values = values[bounds[:n_values]]
            yield Cells(values, bounds[:n_values + 1], payload[side, :n_cells],
                        weights[:n_cells], missing, (sorter.low, sorter.high),
                        numbers[1 - side, :n_cells], payload[1 - side, :n_cells])


def check_rows(classes, weights, n_classes):
    """Raise a ValueError for rows that the compiled pages cannot read."""
    n_rows = len(classes)
    if n_rows > MOST_ROWS:
        raise ValueError(f"There are {n_rows:,} rows, and at most {MOST_ROWS:,} can be "
                         "cut in memory. Pass the data as a Dask array.")
    if weights.shape != (n_rows,):
        raise ValueError("There must be a class and a weight for each row.")
    if n_rows and not (classes.min() >= 0 and classes.max() < n_classes):
        raise ValueError(f"Classes must be numbers from 0 to {n_classes - 1}.")
    if not np.all(weights > 0):
        raise ValueError("Weights must be above 0.")
