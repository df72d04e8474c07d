"""Is this data for Dask? The answer must not depend on Dask being installed."""

import importlib
import os

__all__ = ["is_for_dask", "require_dask"]


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
