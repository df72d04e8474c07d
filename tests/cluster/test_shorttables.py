"""Short tables of columns, against counts of all rows."""

import dask
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import issparse

from orangecontrib.sadd.core.arithmetic import assign_intervals, cut_between
from orangecontrib.sadd.core.dask.shorttables import (
    count_at_grids,
    find_grid,
    grid_size,
    unite_grids,
)

VALUES = st.one_of(
    st.integers(-9, 9).map(float), st.floats(-1e300, 1e300),
    st.sampled_from([np.nan, np.inf, -np.inf, 0.1 + 0.2, 5e-324]))
ROWS = st.lists(st.tuples(VALUES, st.integers(0, 4), st.integers(1, 3)), max_size=60)


def short_table(parts, size):
    """Return the grid and the table of a column in partitions."""
    (grid, rows), = unite_grids(
        [[find_grid(values, size)] for values, *_ in parts], size)
    tables = [count_at_grids([values], [grid], *vectors, 5)[0]
              for values, *vectors in parts]
    table = sum(table.toarray() if issparse(table) else table for table in tables)
    return grid, rows, table[:, :len(grid)]


def as_part(rows):
    values, classes, weights = np.array(rows, dtype=float).reshape(-1, 3).T.copy()
    return values, classes.astype(np.int32), weights


@given(st.lists(ROWS, min_size=1, max_size=4))
def test_table_counts_each_value_and_class(rows):
    parts = list(map(as_part, rows))
    grid, n_rows, table = short_table(parts, 2 ** 16)
    values, classes, weights = map(np.concatenate, zip(*parts, strict=True))
    known = ~np.isnan(values)
    np.testing.assert_array_equal(grid, np.unique(values[known]))
    expected = np.zeros((5, len(grid)))
    np.add.at(expected, (classes[known], np.searchsorted(grid, values[known])),
              weights[known])
    np.testing.assert_array_equal(table, expected)
    np.testing.assert_array_equal(
        n_rows, np.unique(values[known], return_counts=True)[1])


@given(st.lists(ROWS, min_size=1, max_size=4))
def test_table_counts_rows_below_each_cut_when_the_grid_is_thinned(rows):
    parts = list(map(as_part, rows))
    grid, _, table = short_table(parts, 8)
    values, classes, weights = map(np.concatenate, zip(*parts, strict=True))
    known = ~np.isnan(values)
    distinct = np.unique(values[known])
    assert len(grid) == min(8, len(distinct)) or 4 <= len(grid) < 8 < len(distinct)
    assert np.all(np.isin(grid, distinct))
    cells = assign_intervals(values[known], cut_between(grid[:-1], grid[1:]))
    expected = np.zeros((5, len(grid)))
    np.add.at(expected, (classes[known], cells.astype(int)), weights[known])
    np.testing.assert_array_equal(table, expected)


@pytest.mark.parametrize("n_rows", [300, 5000])
@pytest.mark.parametrize("ends", [[], [np.inf], [-np.inf, np.inf, np.inf]])
def test_grid_keeps_the_range_and_even_steps(n_rows, ends):
    """Also if rows are more than a sample."""
    random = np.random.default_rng(0)
    values = np.concatenate((random.normal(size=n_rows), ends))
    parts = np.split(np.sort(values), [50, 60, 60])  # of different sizes and ranges
    (grid, rows), = unite_grids([[find_grid(part, 100)] for part in parts], 100)
    assert 60 <= len(grid) <= 100
    for found, expected in [(grid, values), (grid[np.isfinite(grid)], values[:n_rows])]:
        assert (found.min(), found.max()) == (expected.min(), expected.max())
    counts = np.bincount(np.searchsorted(grid, values), minlength=len(grid))
    assert counts.max() <= 10 * len(values) / 100
    assert rows.sum() == pytest.approx(len(values), rel=0.05)


def test_grid_of_few_frequent_values_is_complete_when_sampled():
    values = np.repeat(np.arange(90.), 100)
    grid, rows = find_grid(np.random.default_rng(0).permutation(values), 100)
    np.testing.assert_array_equal(grid, np.arange(90.))
    np.testing.assert_array_equal(rows, 100)


def test_grid_size_is_a_setting_of_dask():
    assert grid_size() == 2 ** 16
    with dask.config.set({"orange3-sadd.grid": 99}):
        assert grid_size() == 99
    with dask.config.set({"orange3-sadd.grid": 1}), pytest.raises(
            ValueError, match="orange3-sadd.grid must be 8 or more, not 1"):
        grid_size()
