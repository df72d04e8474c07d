"""SADD on data larger than the memory of its workers: memory, time, bytes moved.

    python benchmarks/scale_out.py [--output FILE] [--rows 5e6 20e6 50e6]

Generates untied float64 into parquet files, discretizes them on a `LocalCluster` whose
workers may use a gigabyte each, and compares cuts, time and memory with one fit in
memory. Ends with a calculation, from the measured terms, for ten billion rows. With
--rnb, RNB is fitted to the smallest data as well, and its weights are compared.
The page on scaling takes its figures from the file that --output writes;
``python doc/tools/benchmarkreport.py`` puts them there.
"""

import argparse
import json
import math
import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
from distributed import Client, LocalCluster, wait
from sklearn.exceptions import ConvergenceWarning

from orangecontrib.sadd.cli.terminal import ProgressBar
from orangecontrib.sadd.core import RNBClassifier, SADDDiscretizer
from orangecontrib.sadd.evaluation.run import machine, versions

N_COLUMNS, N_CLASSES = 10, 5
PARTITION = 500_000
ROW_BYTES = 8 * N_COLUMNS
TEN_BILLION = 10 ** 10


def write_partition(folder, index, n_rows):
    """Write rows in which every second column tells something about the class."""
    random = np.random.default_rng([index, 0])
    y = random.integers(0, N_CLASSES, n_rows)
    X = random.normal(size=(n_rows, N_COLUMNS))
    X[:, ::2] += 0.2 * y[:, None]
    frame = pd.DataFrame(X, columns=[f"x{column}" for column in range(N_COLUMNS)])
    frame.assign(y=y.astype(np.int8)).to_parquet(
        Path(folder) / f"part-{index:05}.parquet", index=False, compression=None)
    return n_rows


def generate(client, folder, n_rows):
    """Let the workers write the files."""
    folder.mkdir(parents=True)
    starts = range(0, n_rows, PARTITION)
    sizes = [min(PARTITION, n_rows - start) for start in starts]
    wait(client.map(write_partition, [str(folder)] * len(sizes), range(len(sizes)),
                    sizes, pure=False))


class PeakMemory:
    """The largest resident memory of this process while a block of code runs."""

    def __enter__(self):
        self.before = self.peak = psutil.Process().memory_info().rss
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def _watch(self):
        process = psutil.Process()
        while not self._done.wait(0.05):
            self.peak = max(self.peak, process.memory_info().rss)

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


def processor_time(client=None):
    """Return the seconds that this process, and its workers, have used so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    own = usage.ru_utime + usage.ru_stime
    return own + (sum(client.run(processor_time).values()) if client else 0)


def sent_by(dask_worker):
    return dask_worker.transfer_outgoing_bytes_total


def peak_of_process():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextmanager
def connected(options):
    """Start a cluster and yield its client."""
    cluster = LocalCluster(n_workers=options.workers, threads_per_worker=1,
                           memory_limit=options.memory, dashboard_address=":0")
    client = Client(cluster)
    try:
        yield client
    finally:
        # On a busy machine workers may not end in time, which changes no figure
        with suppress(TimeoutError):
            client.close()
            cluster.close()


def on_cluster(folder, n_rows, options):
    """Generate and discretize; return what was measured."""
    with connected(options) as client:
        generate(client, folder, n_rows)
    with connected(options) as client:
        before = sum(client.run(sent_by).values())
        load = os.getloadavg()[0]
        processor = processor_time(client)
        start = time.perf_counter()
        with PeakMemory() as memory:
            sadd = SADDDiscretizer().fit(str(folder), "y", callback=ProgressBar())
        seconds = time.perf_counter() - start
        processor = processor_time(client) - processor
        between = sum(client.run(sent_by).values()) - before
        rnb = fit_rnb(
            options.rnb * (n_rows == min(options.rows)), str(folder), "y", client)
        peaks = client.run(peak_of_process).values()
    traffic = sadd.traffic_
    sorting = sum(traffic.by_task.get(name, (0,) * 4)[3]
                  for name in ("sadd-labels", "sadd-sort", "sadd-merge"))
    return {
        "rows": n_rows, "seconds": seconds, "sorting": sorting,
        "processor": processor, "load": load,
        "rounds": traffic.rounds, "asking": seconds - sorting,
        "client": memory.peak, "client_before": memory.before, "worker": max(peaks),
        # What Dask has counted are replies, questions that workers passed on to each
        # other, and whatever else has moved
        "moved": traffic.bytes + max(0, between - traffic.bytes),
        "dask": between,
        "cuts": [cuts.tolist() for cuts in sadd.cut_points_], "rnb": rnb,
        "by_task": {name: list(numbers) for name, numbers in traffic.by_task.items()}}


def fit_rnb(max_iter, X, y, client=None):
    """Fit RNB, and give its weights, time, and what was sent."""
    if not max_iter:
        return None
    warnings.simplefilter("ignore", ConvergenceWarning)
    processor, start = processor_time(client), time.perf_counter()
    rnb = RNBClassifier(max_iter=max_iter).fit(X, y)
    by_task = getattr(rnb, "traffic_", None) and rnb.traffic_.by_task
    rounds, sent, received, seconds = by_task["rnb-gradient"] if by_task else [0] * 4
    return {"seconds": time.perf_counter() - start,
            "processor": processor_time(client) - processor, "rounds": rounds,
            "bytes": sent + received, "search": seconds,
            "weights": [rnb.weights_.tolist(), rnb.class_weights_.tolist(), rnb.alpha_]}


def in_memory(folder, max_iter):
    """Print the same for one fit in memory; runs in a process of its own."""
    frame = pd.read_parquet(folder)
    y = frame.pop("y").to_numpy()
    X = frame.to_numpy()
    del frame
    processor, start = processor_time(), time.perf_counter()
    sadd = SADDDiscretizer().fit(X, y)
    print(json.dumps({
        "seconds": time.perf_counter() - start,
        "processor": processor_time() - processor, "peak": peak_of_process(),
        "cuts": [cuts.tolist() for cuts in sadd.cut_points_],
        "rnb": fit_rnb(max_iter, X, y)}))


def report(found):
    moved = found["moved"]
    data = found["rows"] * ROW_BYTES
    print(f"{found['rows']:>12,} rows  {data / 1e6:8,.0f} MB"
          f"  {found['seconds']:7.1f} s ({found['sorting']:.1f} sorting,"
          f" {found['asking']:.1f} in {found['rounds']} rounds;"
          f" {found['processor']:.0f} s of processors)"
          f"  client {found['client'] / 1e6:4.0f} MB"
          f" (+{(found['client'] - found['client_before']) / 1e6:.0f})"
          f"  worker {found['worker'] / 1e6:4.0f} MB"
          f"  moved {moved / 1e6:6.1f} MB = {moved / data:.2%}"
          f" ({found['dask'] / 1e6:.1f} MB by Dask's own count)"
          f"  {sum(map(len, found['cuts']))} cuts", flush=True)
    for name, (rounds, sent, received, seconds) in found["by_task"].items():
        print(f"{'':14}{name:14}{rounds:5} rounds {sent / 1e6:9.2f} MB sent"
              f" {received / 1e6:9.2f} MB received {seconds:8.1f} s")
    rnb = found["rnb"]
    if rnb is not None:
        print(f"{'':14}RNB: {rnb['seconds']:.1f} s, of which {rnb['search']:.1f} s and "
              f"{rnb['bytes'] / 1e6:.2f} MB for {rnb['rounds']} evaluations")


def compare_in_memory(data, found, max_iter):
    """Fit in memory, in a process of its own, and compare what was found."""
    output = subprocess.run(
        [sys.executable, __file__, "--read", str(data), "--rnb", str(max_iter)],
        stdout=subprocess.PIPE, check=True).stdout
    peer = json.loads(output)
    found["in_memory"] = {
        "seconds": peer["seconds"], "processor": peer["processor"],
        "peak": peer["peak"], "same_cuts": peer["cuts"] == found["cuts"]}
    if max_iter:
        found["in_memory"]["rnb"] = {
            "seconds": peer["rnb"]["seconds"], "processor": peer["rnb"]["processor"],
            "same_weights": peer["rnb"]["weights"] == found["rnb"]["weights"]}
    print(f"{'':14}in memory: {found['in_memory']}", flush=True)


def calculate(results, workers):
    """
    Return what ten billion rows would take, calculated from the measured terms.

    Of the processors, the time for a row stays as it is in the largest run. Rounds and
    bytes moved grow with a power of the number of rows. Questions go to all workers,
    and each worker replies; the number of thresholds is chosen accordingly, so that
    bytes grow with the square root of the number of workers, too.
    """
    rows = np.log([found["rows"] for found in results])
    size = math.log(TEN_BILLION)
    growth, offset = np.polyfit(rows, np.log([f["rounds"] for f in results]), 1)
    power, scale = np.polyfit(rows, np.log([f["moved"] for f in results]), 1)
    seconds = TEN_BILLION * results[-1]["processor"] / results[-1]["rows"]
    moved = math.exp(scale + power * size)
    return {
        "rows": TEN_BILLION, "bytes": TEN_BILLION * ROW_BYTES,
        "rounds": round(math.exp(offset + growth * size)), "rounds_power": growth,
        "moved_power": power,
        "by_workers": [
            {"workers": n, "processor": seconds / n,
             "moved": moved * math.sqrt(n / workers)} for n in (20, 100, 400)]}


def write_result(path, options, results):
    """Write all that was measured so far."""
    command = shlex.join(["python", "benchmarks/scale_out.py", *sys.argv[1:]])
    result = {
        "command": command, "finished": datetime.now(timezone.utc).isoformat(),
        "versions": versions() | {name: version(name)
                                  for name in ("dask", "distributed", "pyarrow")},
        "machine": machine(), "columns": N_COLUMNS, "classes": N_CLASSES,
        "partition": PARTITION, "workers": options.workers, "memory": options.memory,
        "iterations": options.rnb, "results": results}
    if len(results) > 1:
        result["calculated"] = calculate(results, options.workers)
        print(f"Calculated: {result['calculated']}", flush=True)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, help="where to write the data; a "
                        "temporary folder by default")
    parser.add_argument("--output", type=Path, metavar="FILE",
                        help="where to write the result as JSON; that of the manual is "
                        "doc/scaling-report/run.json")
    parser.add_argument("--rows", type=float, nargs="+", default=[5e6, 20e6, 50e6])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="1GB", help="limit of each worker")
    parser.add_argument("--in-memory", type=float, nargs="*", default=[5e6],
                        help="sizes to be compared with a fit in memory")
    parser.add_argument("--rnb", type=int, default=0, metavar="ITERATIONS",
                        help="fit RNB, too, with so many iterations, to the smallest "
                        "data")
    parser.add_argument("--read", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        in_memory(options.read, options.rnb)
        return
    folder = Path(tempfile.mkdtemp(dir=options.folder, prefix="scale-out-"))
    results = []
    try:
        for n_rows in map(int, options.rows):
            data = folder / f"{n_rows}.parquet"
            # In a process of its own, so that memory is not that of the size before
            with ProcessPoolExecutor(1, get_context("spawn")) as process:
                found = process.submit(on_cluster, data, n_rows, options).result()
            report(found)
            if n_rows in options.in_memory:
                compare_in_memory(data, found, options.rnb if found["rnb"] else 0)
            shutil.rmtree(data)
            found["cuts"] = sum(map(len, found["cuts"]))
            if found["rnb"]:
                del found["rnb"]["weights"]
            results.append(found)
            write_result(options.output, options, results)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
