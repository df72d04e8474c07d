"""Parquet folders in, parquet folders of intervals out."""

from asyncio import CancelledError as AsyncCancelledError
from concurrent.futures import CancelledError
from contextlib import nullcontext
from dataclasses import dataclass

import dask
import distributed
import numpy as np
import pandas as pd
from distributed.comm import CommClosedError
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from orangecontrib.sadd.core.cluster.inputs import column_name, read_frame, read_schema
from orangecontrib.sadd.core.columns import open_columns
from orangecontrib.sadd.core.cuts import assign_intervals

__all__ = ["LOST", "FittedFolder", "connected", "count_rows", "fit_folder",
           "numeric_columns", "write_intervals"]


#: What is raised when a scheduler, or all that can do a task, is lost
LOST = (CommClosedError, distributed.KilledWorker, CancelledError,
        AsyncCancelledError)


def connected(address=None, timeout=10):
    """
    Return a context in which a cluster is used, or threads if there is no address.

    Parameters
    ----------
    address : str, optional
        Of a scheduler, for instance ``tcp://scheduler:8786``, or its file.
    timeout : float
        Seconds to wait for it.
    """
    if address is None:
        return nullcontext()
    if address.endswith(".json"):
        return distributed.Client(scheduler_file=address, timeout=timeout)
    return distributed.Client(address, timeout=timeout)


def numeric_columns(path):
    """Return the names of the columns that are numbers, and of the others."""
    types = read_frame(path).dtypes
    numeric = [name for name, dtype in types.items()
               if is_numeric_dtype(dtype) and not is_bool_dtype(dtype)]
    return numeric, [name for name in types.index if name not in numeric]


@dataclass
class FittedFolder:
    """
    Cut points of the columns of a folder.

    Attributes
    ----------
    names : list of str
        Numeric columns.
    cut_points : list of ndarray
    mutual_information : ndarray
    n_rows, n_labelled, n_pool : int
        Rows, rows with a label, and unlabelled rows of other folders.
    k : int or None
        Number of neighbours.
    """

    names: list
    cut_points: list
    mutual_information: np.ndarray
    n_rows: int
    n_labelled: int
    n_pool: int
    k: int | None


def fit_folder(estimator, path, target=None, pool=(), callback=None):
    """
    Find the cut points of the numeric columns of a folder.

    Columns of Boolean and categorical type take part in the search for neighbours;
    others, such as texts and dates, are left out.

    Parameters
    ----------
    estimator : Discretizer
        Is fitted.
    path : str
    target : str, optional
        The column with the labels.
    pool : sequence of str
        Folders with unlabelled rows.
    callback : callable, optional

    Returns
    -------
    FittedFolder
    """
    numeric, others = numeric_columns(path)
    types = read_frame(path).dtypes
    column_name(read_frame(path), "The target", target)  # raises
    categorical = [name for name in others
                   if types[name].name in ("category", "bool", "boolean")]
    features = [name for name in [*numeric, *categorical] if name != target]
    estimator.set_params(categorical_features=[
        name for name in categorical if name != target] or None)
    frame = read_frame(path)[features if target is None else [*features, target]]
    columns = open_columns(
        estimator, frame, target, pool=[read_frame(folder) for folder in pool],
        unlabelled_label=estimator.unlabelled_label)
    estimator.check_labels(columns.labels)
    estimator.fit_columns(columns, callback)
    n_pool = sum(map(count_rows, pool))
    n_labelled, n_unlabelled = columns.labels.n_labelled, columns.labels.n_unlabelled
    named = zip(features, estimator.cut_points_, estimator.mutual_information_,
                estimator.categorical_features_, strict=True)
    numeric = [found[:3] for found in named if not found[3]]
    return FittedFolder(
        [name for name, _, _ in numeric], [cuts for _, cuts, _ in numeric],
        np.array([information for _, _, information in numeric]),
        (n_labelled + n_unlabelled if target else columns.n_rows) - n_pool,
        n_labelled, n_pool, getattr(estimator, "k_", None))


def count_rows(path):
    """Return the number of rows of a folder."""
    return int(read_frame(path).shape[0].compute())


def write_intervals(path, folder, cut_points, labels, *, keep_constant=False):
    """
    Write a folder with the names of intervals in the place of numbers.

    Parameters
    ----------
    path : str
        Where the numbers are.
    folder : str
        Where to write; does not exist yet.
    cut_points : dict
        By name of column.
    labels : dict
        Names of intervals, by name of column.
    keep_constant : bool
        Keep columns that have a single interval.
    """
    frame = read_frame(path)
    if not keep_constant:
        frame = frame[[name for name in frame.columns
                       if name not in cut_points or len(cut_points[name])]]
    cut_points = {name: cuts for name, cuts in cut_points.items()
                  if name in frame.columns}
    named = frame.map_partitions(
        _name_intervals, cut_points, labels, token="sadd-intervals",
        meta=_name_intervals(frame._meta, cut_points, labels))
    # Lists, structures and others that pandas has no type for keep their own
    types = {field.name: field.type for field in read_schema(path)
             if field.name in named.columns and field.name not in cut_points}
    with dask.config.set({"dataframe.convert-string": False}):
        named.to_parquet(folder, write_index=frame.index.name is not None, schema=types)


def _name_intervals(frame, cut_points, labels):
    columns = {}
    for name, cuts in cut_points.items():
        values = frame[name].to_numpy(dtype=np.float64, na_value=np.nan)
        codes = np.nan_to_num(assign_intervals(values, cuts), nan=-1).astype(int)
        columns[name] = pd.Categorical.from_codes(codes, labels[name], ordered=True)
    return frame.assign(**columns)
