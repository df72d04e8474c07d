"""Parquet folders in, parquet folders of intervals out."""

from asyncio import CancelledError as AsyncCancelledError
from concurrent.futures import CancelledError
from contextlib import nullcontext
from dataclasses import dataclass, replace

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

# Seconds to wait for a scheduler
TIMEOUT = 10


def connected(address=None):
    """
    Return a context in which a cluster is used, or threads if there is no address.

    Parameters
    ----------
    address : str, optional
        Address of a scheduler, for instance ``tcp://scheduler:8786``, or its file.
    """
    if address is None:
        return nullcontext()
    if address.endswith(".json"):
        return distributed.Client(scheduler_file=address, timeout=TIMEOUT)
    return distributed.Client(address, timeout=TIMEOUT)


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
    counted : list of CountedIntervals
        Cut points, names of intervals, and rows in them; unlabelled ones apart.
    mutual_information : ndarray
    ranges : ndarray, shape (n_columns, 2)
    classes : list or None
        Labels; None if rows are not counted by class.
    n_rows, n_labelled, n_pool : int
        Rows, rows with a label, and unlabelled rows of other folders.
    k : int or None
        Number of neighbours.
    """

    names: list
    counted: list
    mutual_information: np.ndarray
    ranges: np.ndarray
    classes: list | None
    n_rows: int
    n_labelled: int
    n_pool: int
    k: int | None


def fit_folder(estimator, path, target=None, pool=(), callback=None, *,
               on_labels=None):
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
    on_labels : callable, optional
        Called with the `LabelSummary` before the work begins.

    Returns
    -------
    FittedFolder
    """
    numeric, others = numeric_columns(path)
    frame = read_frame(path)
    types = frame.dtypes
    column_name(frame, "The target", target)  # raises
    categorical = [name for name in others
                   if types[name].name in ("category", "bool", "boolean")]
    features = [name for name in [*numeric, *categorical] if name != target]
    estimator.set_params(categorical_features=[
        name for name in categorical if name != target] or None)
    frame = frame[features if target is None else [*features, target]]
    columns = open_columns(
        estimator, frame, target, pool=[read_frame(folder) for folder in pool],
        unlabelled_label=estimator.unlabelled_label,
        labelled_only=not estimator.uses_unlabelled)
    labels, fitted = columns.labels, columns
    if labels.n_unlabelled and not estimator.uses_unlabelled:
        # As of tables: rows without a label are left out if it is needed
        if not estimator.requires_target:
            fitted = open_columns(estimator, frame[features])
        elif labels.n_labelled:
            labels = labels._replace(n_unlabelled=0)
    estimator.check_labels(fitted.labels if fitted is not columns else labels)
    if on_labels is not None:
        on_labels(columns.labels)
    estimator.fit_columns(fitted, callback)
    n_pool = sum(map(count_rows, pool))
    n_labelled, n_unlabelled = columns.labels.n_labelled, columns.labels.n_unlabelled
    numeric = np.flatnonzero(~estimator.categorical_features_)
    by_class = target is not None and all(
        counts is not None for counts in estimator.counts_)
    all_counted = list(estimator.counted())
    counted = [all_counted[index] for index in numeric]
    if by_class and n_unlabelled:
        tables = columns.given_counts([own.cuts for own in counted])
        counted = [replace(
            own, counts=table[:-1, :-1], missing=table[:-1, -1],
            unlabelled=table[-1] if estimator.missing == "interval" else table[-1, :-1])
            for own, table in zip(counted, tables, strict=True)]
    return FittedFolder(
        [features[index] for index in numeric], counted,
        estimator.mutual_information_[numeric], estimator.ranges_[numeric],
        columns.labels.classes.tolist() if by_class else None,
        (n_labelled + n_unlabelled if target else columns.n_rows) - n_pool,
        n_labelled, n_pool, getattr(estimator, "k_", None))


def count_rows(path):
    """Return the number of rows of a folder."""
    return int(read_frame(path).shape[0].compute())


def write_intervals(path, folder, cut_points, labels, *, missing=False,
                    keep_constant=False):
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
    missing : bool
        Missing values are an interval, the last one.
    keep_constant : bool
        Keep columns that have a single interval.
    """
    frame = read_frame(path)
    if not keep_constant and not missing:
        frame = frame[[name for name in frame.columns
                       if name not in cut_points or len(cut_points[name])]]
    cut_points = {name: cuts for name, cuts in cut_points.items()
                  if name in frame.columns}
    named = frame.map_partitions(
        _name_intervals, cut_points, labels, missing, token="sadd-intervals",
        meta=_name_intervals(frame._meta, cut_points, labels, missing))
    # Lists, structures and others that pandas has no type for keep their own
    types = {field.name: field.type for field in read_schema(path)
             if field.name in named.columns and field.name not in cut_points}
    with dask.config.set({"dataframe.convert-string": False}):
        named.to_parquet(folder, write_index=frame.index.name is not None, schema=types)


def _name_intervals(frame, cut_points, labels, missing):
    columns = {}
    for name, cuts in cut_points.items():
        values = frame[name].to_numpy(dtype=np.float64, na_value=np.nan)
        codes = np.nan_to_num(
            assign_intervals(values, cuts, missing), nan=-1).astype(int)
        columns[name] = pd.Categorical.from_codes(codes, labels[name], ordered=True)
    return frame.assign(**columns)
