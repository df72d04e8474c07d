"""Data in memory, and the same in partitions."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd


def make_data(n_rows, n_classes, *, n_columns=3, digits=None, missing=0., seed=0):
    """Make data in which all columns but the last depend on the class."""
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n_rows)
    X = random.normal(size=(n_rows, n_columns))
    X[:, :-1] += np.sin(np.arange(1, n_columns) * y[:, None])
    if digits is not None:
        X = X.round(digits)
    X[random.random(X.shape) < missing] = np.nan
    return X, y


def sizes_of(n_rows, n_partitions, n_empty=0, seed=1):
    """Return lengths of partitions, unequal, some of them 0."""
    random = np.random.default_rng(seed)
    ends = np.sort(random.integers(0, n_rows + 1, n_partitions - n_empty - 1))
    sizes = np.diff(np.concatenate(([0], ends, [n_rows])))
    sizes = np.append(sizes, np.zeros(n_empty, dtype=int))
    return tuple(random.permutation(sizes).tolist())


def as_arrays(sizes, X, *vectors):
    """Return Dask arrays with partitions of these sizes."""
    return (da.from_array(X, chunks=(sizes, X.shape[1])),
            *(da.from_array(vector, chunks=(sizes,)) for vector in vectors))


def as_frame(sizes, X, names=None, **columns):
    """Return a Dask data frame with partitions of these sizes."""
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(
        X, columns=names or [f"x{i}" for i in range(X.shape[1])])
    frame = frame.assign(**columns)
    ends = np.cumsum(sizes)
    return dd.from_map(
        lambda end, size: frame.iloc[end - size:end], ends.tolist(), list(sizes),
        meta=frame.iloc[:0])


def stop_at(limit):
    """Return a callback that cancels a fit when a share of the work is done."""
    def stop(share):
        if share > limit:
            raise InterruptedError

    return stop


def assert_same_cuts(one, other):
    for mine, yours in zip(one.cut_points_, other.cut_points_, strict=True):
        np.testing.assert_array_equal(mine, yours, strict=True)
    np.testing.assert_allclose(
        one.mutual_information_, other.mutual_information_, rtol=1e-9, atol=1e-12)
