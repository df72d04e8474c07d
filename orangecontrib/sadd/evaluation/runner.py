"""Run a benchmark: folds in parallel, each kept on disk as soon as it is done.

A folder holds what a run has given: ``parts``, one file a fold, from which an
interrupted run continues; ``results.csv``, the same for the same data and settings,
whatever the number of jobs and interruptions; ``times.csv``; and ``run.json``.
"""

import csv
import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, timezone
from pathlib import Path

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.environment import machine, versions
from orangecontrib.sadd.evaluation.protocol import Cell, evaluate_fold
from orangecontrib.sadd.evaluation.settings import Settings

__all__ = ["Outcome", "Task", "run_benchmark"]

TIMES = ("seconds_discretize", "seconds_classify")
FIGURES = ("accuracy", "intervals", "information", "chosen_k", "error")
PLACE = ("dataset", "repeat", "fold")
KEYS = PLACE + tuple(
    f.name for f in fields(Cell) if f.name not in TIMES + FIGURES
)


@dataclass(frozen=True, eq=False)
class Task:
    """
    One fold of one data set, the unit of work.

    Attributes
    ----------
    data : DataSet
    settings : Settings
    repeat, fold : int
    path : Path
        Where its cells are kept.
    """

    data: DataSet
    settings: Settings
    repeat: int
    fold: int
    path: Path

    @property
    def cost(self) -> float:
        """About how long it takes, in no unit."""
        # Weights of classifiers dominate; they are fitted in steps whose cost is
        # proportional to this.
        return self.data.X.size * self.data.n_classes + 20_000

    def read(self) -> tuple[list[Cell], float] | None:
        """Return cells and time if the task was done already, and without failure."""
        try:
            with open(self.path, encoding="utf-8") as file:
                part = json.load(file)
            cells = [Cell(**cell) for cell in part["cells"]]
            seconds = float(part["seconds"])
        except (OSError, ValueError, TypeError, KeyError):
            return None
        is_whole = len(cells) == self.settings.n_cells and all(
            isinstance(cell.accuracy, float) and not cell.error for cell in cells
        )
        return (cells, seconds) if is_whole else None

    @property
    def place(self) -> tuple[str, int, int]:
        """Data set, repetition and fold."""
        return self.data.name, self.repeat, self.fold

    def __call__(self) -> tuple[list[Cell], float]:
        """Do the work, keep what it gives, and return it with the time it took."""
        started = time.perf_counter()
        # Several processes with several threads each would wait for each other, and
        # sums by several threads would differ in their last digits.
        with threadpool_limits(1):
            cells = evaluate_fold(self.data, self.settings, self.repeat, self.fold)
        seconds = time.perf_counter() - started
        part = {"seconds": seconds, "cells": [asdict(cell) for cell in cells]}
        write_whole(self.path, json.dumps(part))
        return cells, seconds


def tasks_of(data: DataSet, settings: Settings, folder: Path) -> Iterator[Task]:
    """Yield the tasks of a data set."""
    # Whatever decides about the numbers is in the name: a run with other settings
    # in the same folder finds nothing of this one, and destroys nothing.
    key = "\n".join(
        (json.dumps(versions()), settings.as_json(), data.name, data.digest)
    )
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    readable = re.sub(r"[^\w-]+", "_", data.name)[:40]
    for repeat in range(settings.repeats):
        for fold in range(settings.folds):
            path = folder / "parts" / f"{readable}-{digest}" / f"{repeat}-{fold}.json"
            yield Task(data, settings, repeat, fold, path)


@dataclass
class Outcome:
    """
    What a run has given.

    Attributes
    ----------
    results, times : list of dict
        Rows of ``results.csv`` and ``times.csv``.
    run : dict
        What ``run.json`` holds.
    failures : list of str
        What went wrong, a sentence each.
    """

    results: list[dict] = field(default_factory=list)
    times: list[dict] = field(default_factory=list)
    run: dict = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def run_benchmark(
    data_sets: list[DataSet],
    settings: Settings,
    folder: str | os.PathLike,
    *,
    jobs: int = 1,
    command: str = "",
    progress: Callable[[float, str], None] = lambda share, label: None,
) -> Outcome:
    """
    Evaluate methods and classifiers on data sets.

    Parameters
    ----------
    data_sets : list of DataSet
        With names that differ.
    settings : Settings
    folder : path
        Where results are kept. What is there already is not computed again.
    jobs : int
        Number of processes.
    command : str
        How the run was started, for the record.
    progress : callable
        Is told the share of work done and what was done last.

    Returns
    -------
    Outcome
        Also written to the folder.
    """
    names = [data.name for data in data_sets]
    if len(set(names)) < len(names):
        raise ValueError("Two data sets have the same name.")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)  # fails now, rather than in the end
    started, clock = _now(), time.monotonic()
    tasks = [task for data in data_sets for task in tasks_of(data, settings, folder)]
    done = {task.place: task.read() for task in tasks}
    # The longest first, so that no process is left alone with one at the end
    open_tasks = sorted(
        (task for task in tasks if done[task.place] is None),
        key=lambda task: task.cost, reverse=True,
    )
    costs = {task.place: task.cost for task in open_tasks}
    outcome = Outcome()
    spent = 0.0
    for place, found, failure in _work(open_tasks, jobs):
        done[place] = found
        if failure:
            outcome.failures.append(f"{_say(place)}: {failure}")
        spent += costs[place]
        progress(spent / sum(costs.values()), _say(place))

    whole = list(outcome.failures)  # folds that gave nothing, not even cells
    fold_seconds = 0.0
    for task in tasks:
        cells, seconds = done[task.place] or ((), 0.0)
        fold_seconds += seconds
        for cell in cells:
            _add_rows(outcome, task.place, cell)
    outcome.run = {
        "command": command, "started": started, "finished": _now(), "jobs": jobs,
        "seconds": round(time.monotonic() - clock, 1),
        # Earlier sessions may have done a part of the work.
        "computed": len(open_tasks), "tasks": len(tasks),
        "fold_seconds": round(fold_seconds, 1),
        "settings": asdict(settings), "versions": versions(), "machine": machine(),
        "datasets": {data.name: _describe(data) for data in data_sets},
        "failures": whole,
    }
    write_csv(folder / "results.csv", KEYS + FIGURES, outcome.results)
    write_csv(folder / "times.csv", KEYS + TIMES, outcome.times)
    write_whole(folder / "run.json", json.dumps(outcome.run, indent=1))
    return outcome


def _work(tasks, jobs):
    """Yield the place of each task with its cells, or why there are none."""
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered")
    yield from parallel(delayed(_attempt)(task) for task in tasks)


def _attempt(task):
    try:
        return task.place, task(), None
    except Exception as error:
        return task.place, None, f"{type(error).__name__}: {error}"


def _say(place):
    name, repeat, fold = place
    repetition = f", repetition {repeat + 1}" if repeat else ""
    return f"{name}{repetition}, fold {fold + 1}"


def _add_rows(outcome, place, cell):
    """Add a cell to the results and the times."""
    row = {**dict(zip(PLACE, place, strict=True)), **asdict(cell)}
    outcome.results.append({name: row[name] for name in KEYS + FIGURES})
    outcome.times.append({name: row[name] for name in KEYS + TIMES})
    if cell.error:
        what = ", ".join(filter(None, (cell.method, cell.classifier)))
        outcome.failures.append(f"{_say(place)}, {what}: {cell.error}")


def _describe(data):
    n_categorical = int(data.categorical.sum())
    return {
        "rows": len(data.y), "numeric": len(data.categorical) - n_categorical,
        "categorical": n_categorical, "classes": data.n_classes,
        "missing": data.n_missing, "digest": data.digest,
        "attribute_names": [
            name for name, is_categorical
            in zip(data.attributes, data.categorical, strict=True) if not is_categorical
        ],
    }


def _now():
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def write_csv(path: Path, names: tuple[str, ...], rows: list[dict]) -> None:
    """Write a table; numbers with all their digits, None and NaN as nothing."""
    with _replacing(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            cells = (row[name] for name in names)
            writer.writerow("" if cell is None or cell != cell else cell
                            for cell in cells)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    with _replacing(path) as file:
        file.write(text)


@contextmanager
def _replacing(path):
    """Give a file to write to, which takes its name when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
