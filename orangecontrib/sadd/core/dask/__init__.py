"""Data in the partitions of Dask, which need not fit into memory.

Importing this package does not import Dask; its modules do. It is an extra of the
distribution, ``[dask]``. A fit takes two passes over the partitions: the first finds a
grid of values for each column, the second counts the classes at these values. These
short tables are then discretized by the functions that are used in memory. Losses of
weighted models and of SADD Tables are sums over partitions. From bottom to top:

================  ================================================================
`passes`          one task for each partition: progress, trees of sums
`partitions`      arrays and data frames as lists of partitions; results of
                  `transform`, `predict` and others, not computed yet
`reader`          a partition as numbers; labels, weights and categories of all
`shorttables`     grids of values, and the weights of classes at them
`codedrows`       discretized rows, their counts, and sums of losses
`termrows`        rows of SADD Tables: axes, places, and sums of losses
`rows`            the rows of a fit
================  ================================================================
"""

import importlib

__all__ = ["apply_lazily", "is_for_dask", "require_dask"]


def is_for_dask(X):
    """
    Return whether the data are a Dask array or data frame.

    Examples
    --------
    >>> is_for_dask([[1.0]])
    False
    """
    return hasattr(X, "__dask_graph__") and type(X).__module__.startswith("dask.")


def require_dask():
    """Raise an ImportError with the command to install missing packages."""
    for module in ("dask.array", "dask.dataframe", "distributed"):
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise ImportError(
                'Data in partitions need Dask. Install it with pip install "dask[array,'
                'dataframe]" distributed.') from error


def apply_lazily(estimator, method, X, width, dtype=float, sparse=False):
    """Apply a method of a fitted estimator to data for Dask, see `partitions`."""
    require_dask()
    from orangecontrib.sadd.core.dask import partitions

    return partitions.apply_lazily(estimator, method, X, width, dtype, sparse)
