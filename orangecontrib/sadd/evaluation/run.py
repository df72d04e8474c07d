"""Run a benchmark: folds in parallel, each kept on disk as soon as it is done.

A folder holds the results of a run: ``parts``, one file for each fold, from which an
interrupted run continues; the files of `ResultTables`, of which ``results.csv`` and
``attributes.csv`` are the same for the same data and experiment, whatever the number
of jobs and interruptions; and ``run.json``.
"""

import hashlib
import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import joblib
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.protocol import evaluate_fold, n_fits
from orangecontrib.sadd.evaluation.resulttables import ResultTables, replacing

__all__ = ["BenchmarkRun", "FoldTask", "machine", "run_benchmark", "tasks_of",
           "versions"]

PACKAGES = ("Orange3-SADD", "Orange3", "numpy", "scipy", "scikit-learn", "joblib")


@dataclass(frozen=True, eq=False)
class FoldTask:
    """
    One fold of one data set, the unit of work.

    Attributes
    ----------
    data : DataSet
    experiment : Experiment
    repeat, fold : int
    path : Path
        Where its results are kept.
    """

    data: DataSet
    experiment: Experiment
    repeat: int
    fold: int
    path: Path

    @property
    def cost(self) -> float:
        """About how long it takes, in no unit."""
        # Weights of classifiers dominate; they are fitted in steps whose cost is
        # proportional to this.
        return self.data.X.size * self.data.n_classes + 20_000

    @property
    def place(self) -> tuple[str, int, int]:
        """Data set, repetition and fold."""
        return self.data.name, self.repeat, self.fold

    @property
    def label(self) -> str:
        """The place in words."""
        return _in_words(*self.place)

    def read(self) -> tuple[ResultTables, float] | None:
        """Return results and time if the task was done before, and without failure."""
        try:
            part = json.loads(self.path.read_text(encoding="utf-8"))
            if part.pop("checksum") != _checksum(part):
                return None
            tables = ResultTables.of(
                part["fits"], part["attributes"], part["bins"])
            seconds = float(part["seconds"])
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None
        fits = tables.fits
        is_fine = fits["accuracy"].notna() & (fits["error"] == "")
        is_whole = len(fits) == n_fits(self.data, self.experiment) and is_fine.all()
        return (tables, seconds) if is_whole else None

    def __call__(self) -> tuple[ResultTables, float]:
        """Do the work, keep the results, and return them with the time it took."""
        started = time.perf_counter()
        # Several processes with several threads each would wait for each other, and
        # sums by several threads would differ in their last digits.
        with threadpool_limits(1):
            tables = evaluate_fold(self.data, self.experiment, self.repeat, self.fold)
        seconds = time.perf_counter() - started
        part = {"seconds": seconds, **tables.columns()}
        with replacing(self.path) as file:
            json.dump({"checksum": _checksum(part), **part}, file)
        return tables, seconds


def _checksum(part):
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()


def tasks_of(data: DataSet, experiment: Experiment, folder: Path) -> Iterator[FoldTask]:
    """Yield the tasks of a data set."""
    # Whatever the numbers depend on is in the name: another experiment in the same
    # folder finds nothing of this one, and destroys nothing.
    key = "\n".join(
        (json.dumps(versions()), experiment.as_json(), data.name, data.digest)
    )
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    readable = re.sub(r"[^\w-]+", "_", data.name)[:40]
    for repeat in range(experiment.repeats):
        for fold in range(experiment.n_parts):
            path = folder / "parts" / f"{readable}-{digest}" / f"{repeat}-{fold}.json"
            yield FoldTask(data, experiment, repeat, fold, path)


@dataclass(frozen=True, eq=False)
class BenchmarkRun:
    """
    The results of a run.

    Attributes
    ----------
    tables : ResultTables
    facts : dict
        The contents of ``run.json``.
    failures : list of str
        What went wrong, a sentence each.
    """

    tables: ResultTables
    facts: dict
    failures: list[str]


def run_benchmark(
    data_sets: list[DataSet],
    experiment: Experiment,
    folder: str | os.PathLike,
    *,
    jobs: int = 1,
    command: str = "",
    progress: Callable[[float, str], None] = lambda fraction, label: None,
) -> BenchmarkRun:
    """
    Evaluate methods and classifiers on data sets.

    Parameters
    ----------
    data_sets : list of DataSet
        With names that differ.
    experiment : Experiment
    folder : path
        Where results are kept. What is there already is not computed again.
    jobs : int
        Number of processes.
    command : str
        How the run was started, for the record.
    progress : callable
        Called with the fraction done and the name of what was done last.

    Returns
    -------
    BenchmarkRun
        Also written to the folder.
    """
    names = [data.name for data in data_sets]
    if len(set(names)) < len(names):
        raise ValueError("Two data sets have the same name.")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)  # fails now, rather than in the end
    started, clock = _now(), time.monotonic()
    tasks = [task for data in data_sets for task in tasks_of(data, experiment, folder)]
    done = {task.place: task.read() for task in tasks}
    # The longest first, so that no process is left alone with one at the end
    open_tasks = sorted(
        (task for task in tasks if done[task.place] is None),
        key=lambda task: task.cost, reverse=True,
    )
    total, spent = sum(task.cost for task in open_tasks), 0.0
    lost = []  # folds without any result
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
    for index, found, failure in parallel(
        joblib.delayed(_attempt)(i, task) for i, task in enumerate(open_tasks)
    ):
        task = open_tasks[index]
        done[task.place] = found
        if failure:
            lost.append(f"{task.label}: {failure}")
        spent += task.cost
        progress(spent / total, task.label)

    found = [part for part in done.values() if part is not None]
    tables = ResultTables.joined(part for part, _ in found)
    facts = {
        "command": command, "started": started, "finished": _now(), "jobs": jobs,
        "seconds": round(time.monotonic() - clock, 1),
        # Earlier sessions may have done a part of the work.
        "computed": len(open_tasks), "tasks": len(tasks),
        "fold_seconds": round(sum(seconds for _, seconds in found), 1),
        "settings": asdict(experiment), "versions": versions(), "machine": machine(),
        "datasets": {data.name: _describe(data) for data in data_sets},
        "failures": lost,
    }
    tables.write(folder)
    with replacing(folder / "run.json") as file:
        json.dump(facts, file, indent=1)
    return BenchmarkRun(tables, facts, [*lost, *_failures(tables)])


def _attempt(index, task):
    """Return the index with the results, or why there are none."""
    try:
        return index, task(), None
    except Exception as error:
        return index, None, f"{type(error).__name__}: {error}"


def _in_words(name, repeat, fold):
    repetition = f", repetition {repeat + 1}" if repeat else ""
    return f"{name}{repetition}, fold {fold + 1}"


def _failures(tables):
    """Return what went wrong in single fits, a sentence each."""
    failed = tables.fits[tables.fits["error"] != ""]
    return [
        ", ".join(filter(None, (
            _in_words(fit.dataset, fit.repeat, fit.fold),
            f"{fit.labelled:g} labels" if fit.labelled > 1 else "",
            fit.method, fit.classifier))) + f": {fit.error}"
        for fit in failed.itertuples()
    ]


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


def versions() -> dict[str, str]:
    """
    Return the versions of Python and of the packages that the numbers depend on.

    Examples
    --------
    >>> list(versions())[:2]
    ['Python', 'Orange3-SADD']
    """
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, str | int]:
    """Return processor, number of cores and system; no name of host or user."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
    }


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
