"""Run a benchmark: folds in parallel, each cached as soon as it is finished.

The folder of a run holds joblib's cache of finished folds, from which an interrupted
run continues. ``results.csv`` is the table of all folds, see `evaluate_fold`, and
``run.json`` describes the run.
"""

import json
import os
import platform
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from typing import Any

import joblib
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.protocol import COLUMNS, NUMBERS, evaluate_fold

__all__ = ["failures_of", "machine", "progress_bar", "read_csv", "replacing",
           "run_benchmark", "versions", "write_csv"]

PACKAGES = ("Orange3-SADD", "Orange3", "numpy", "scipy", "scikit-learn", "joblib")


class _Uncached(Exception):
    """Carries results with an error past the cache, so that they are tried again."""


def _fold(data, experiment, repeat, fold, versions):
    """Return the results of a fold, which depend on the versions of packages."""
    # Several processes with several threads each would compete, and sums of several
    # threads would differ in their last digits.
    with threadpool_limits(1):
        table = evaluate_fold(data, experiment, repeat, fold)
    if (table["measure"] == "error").any():
        raise _Uncached(table)
    return table


def _finished(evaluate, *task):
    """Return the results of a fold from the cache, or compute them."""
    try:
        return evaluate(*task)
    except _Uncached as error:
        return error.args[0]


def run_benchmark(data_sets: list[DataSet], experiment: Experiment,
                  folder: str | os.PathLike, *, jobs: int = 1, command: str = ""
                  ) -> tuple[pd.DataFrame, dict[str, Any]]:
    """
    Evaluate contenders on data sets.

    Parameters
    ----------
    data_sets : list of DataSet
        At least one, with distinct names.
    experiment : Experiment
    folder : path
        Folder of the run. Folds that are finished there are not computed again.
    jobs : int
        Number of processes.
    command : str
        How the run was started, for the record.

    Returns
    -------
    table : DataFrame
        Results, see `evaluate_fold`; also written to ``results.csv``.
    run : dict
        Description of the run; also written to ``run.json``.
    """
    if len({data.name for data in data_sets}) < len(data_sets):
        raise ValueError("Two data sets have the same name.")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)  # fails now rather than at the end
    started, clock = _now(), time.monotonic()
    tasks = [(data, experiment, repeat, fold, versions())
             for data in data_sets for repeat in range(experiment.repeats)
             for fold in range(1 if experiment.label_counts else experiment.folds)]
    evaluate = joblib.Memory(folder / "finished", verbose=0).cache(_fold)
    # Longest first, so that no process is left alone with a long task at the end
    order = sorted(range(len(tasks)), key=lambda i: -_cost(tasks[i][0]))
    computed = sum(not evaluate.check_call_in_cache(*task) for task in tasks)
    found = joblib.Parallel(n_jobs=jobs, return_as="generator")(
        joblib.delayed(_finished)(evaluate, *tasks[i]) for i in order)
    done = [None] * len(tasks)
    with progress_bar(sum(_cost(task[0]) for task in tasks)) as bar:
        for i, part in zip(order, found, strict=True):
            done[i] = part
            bar.set_description_str(tasks[i][0].name, refresh=False)
            bar.update(_cost(tasks[i][0]))
    table = pd.concat(done, ignore_index=True)
    run = {
        "command": command, "started": started, "finished": _now(), "jobs": jobs,
        "seconds": round(time.monotonic() - clock, 1),
        # Earlier runs may have done a part of the work.
        "computed": computed, "tasks": len(tasks),
        "settings": asdict(experiment), "versions": versions(), "machine": machine(),
        "datasets": {data.name: data.facts | {"digest": data.digest}
                     for data in data_sets},
    }
    write_csv(folder / "results.csv", table)
    with replacing(folder / "run.json") as file:
        file.write(json.dumps(run, indent=1).encode())
    return table, run


def _cost(data):
    """Estimate the time of a fold, in no unit, by the cost of an optimizer's step."""
    return data.X.size * data.facts["classes"] + 20_000


def progress_bar(total: float) -> tqdm:
    """Return a progress bar, which is drawn on a terminal and disappears at the end."""
    return tqdm(total=total, disable=None, leave=False,
                bar_format="{percentage:3.0f}%|{bar}| {remaining} left  {desc}")


def failures_of(table: pd.DataFrame) -> list[str]:
    """Return the failures in a table of results, a sentence each."""
    return [
        ", ".join(filter(None, (
            row.dataset, f"repetition {row.repeat + 1}" if row.repeat else "",
            f"fold {row.fold + 1}", f"{row.labelled:g} labels" if row.labelled > 1
            else "", row.discretizer, row.classifier))) + f": {row.item}"
        for row in table[table["measure"] == "error"].itertuples()
    ]


def read_csv(path: Path) -> pd.DataFrame:
    """Read a table of results, with all digits of the numbers."""
    return pd.read_csv(
        path, dtype={name: NUMBERS.get(name, str) for name in COLUMNS},
        # Text is not converted, even if it looks like a number or like "NA".
        keep_default_na=False, na_values={name: "" for name in NUMBERS},
        float_precision="round_trip")[COLUMNS]


def write_csv(path: Path, table: pd.DataFrame, **options: Any) -> None:
    """Write a table to a CSV file, by default with all digits of the numbers."""
    compression = {"method": "gzip", "mtime": 0} if path.suffix == ".gz" else None
    with replacing(path) as file:
        table.to_csv(file, index=False, lineterminator="\n", compression=compression,
                     **options)


@contextmanager
def replacing(path: Path) -> Iterator[Any]:
    """Open a binary file for writing that gets its name when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            yield file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _now():
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """
    Return the versions of Python and of the packages that the figures depend on.

    Examples
    --------
    >>> list(versions())[:2]
    ['Python', 'Orange3-SADD']
    """
    return {"Python": platform.python_version(),
            **{package: version(package) for package in PACKAGES}}


def machine() -> dict[str, str | int]:
    """Return processor, number of cores and system, without names of host or user."""
    cpuinfo = Path("/proc/cpuinfo")  # of Linux
    found = re.search(r"^model name\s*:\s*(.+)$",
                      cpuinfo.read_text("utf-8") if cpuinfo.exists() else "", re.M)
    return {
        "cpu": found[1] if found else platform.processor() or platform.machine(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
    }
