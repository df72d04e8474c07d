"""Rows that do not fit one machine: the same methods on Dask.

Importing this package does not import Dask; its modules do. It is an extra of the
distribution, ``[dask]``. Results are the same as in memory; only the place where rows
are counted differs: workers keep the sorted columns of their partitions and answer the
questions of the splitter, and the sums of the weighted naive Bayes. From bottom to top:

================  ================================================================
`transfer`        objects as bytes: as few as possible where they are sent, in files
                  that are mapped into memory where a worker keeps them; a partition,
                  and what is done with it, in one task
`runner`          tasks on partitions, where these are; counts what is sent; limits of
                  what may be collected in one place
`inputs`          arrays, data frames and parquet folders as partitions
`reading`         a partition as numbers, on its worker; the first pass over all of
                  them: labels, weights and categories
`sortedparts`     sorted columns of a partition, or of several that were merged
`objective`       discretized rows, their counts, and the sums over them
`columns`         Dask's form of columns: sorted where they are, asked together; lazy
                  results
`folders`         parquet folders of intervals, for the command line
================  ================================================================
"""

import importlib
import os

__all__ = ["apply_lazily", "is_for_dask", "require_dask"]


def is_for_dask(X):
    """
    Return whether the data are a Dask array or data frame, or the path of a data set.

    Examples
    --------
    >>> is_for_dask("measurements.parquet"), is_for_dask([[1.0]])
    (True, False)
    """
    if isinstance(X, str | os.PathLike):
        return True
    return hasattr(X, "__dask_graph__") and type(X).__module__.startswith("dask.")


def require_dask():
    """Raise an ImportError that says what to install, if anything is missing."""
    for module in ("dask.array", "dask.dataframe", "distributed", "pyarrow"):
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise ImportError(
                "Data sets in files, and data in partitions, need Dask. Install it with"
                ' pip install "dask[array,dataframe]" distributed pyarrow.') from error


def apply_lazily(estimator, method, X, width, dtype=float, sparse=False):
    """Apply a method of a fitted estimator to data for Dask, see `cluster.lazy`."""
    require_dask()
    from orangecontrib.sadd.core.cluster import lazy

    return lazy.apply_lazily(estimator, method, X, width, dtype, sparse)
