"""SADD on data larger than the memory of its workers: memory, time, bytes moved.

    python benchmarks/scale_out.py [--folder FOLDER] [--rows 5e6 20e6 50e6]

Generates untied float64 into parquet files, discretizes them on a `LocalCluster` whose
workers may use a gigabyte each, and compares cuts, time and memory with one fit in
memory. Ends with a calculation, from the measured terms, for ten billion rows. With
--rnb, RNB is fitted to these data as well, and its weights are compared.
"""

import argparse
import json
import math
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
from distributed import Client, LocalCluster, wait
from sklearn.exceptions import ConvergenceWarning

from orangecontrib.sadd.cli.terminal import ProgressBar
from orangecontrib.sadd.core import RNBClassifier, SADDDiscretizer

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


def processor_time():
    """Return the seconds that this process has used, which others cannot slow down."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def sent_by(dask_worker):
    return dask_worker.transfer_outgoing_bytes_total


def peak_of_process():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def start_cluster(options):
    return LocalCluster(n_workers=options.workers, threads_per_worker=1,
                        memory_limit=options.memory, dashboard_address=":0")


def on_cluster(folder, n_rows, options):
    """Generate and discretize; give what was measured."""
    with start_cluster(options) as cluster, Client(cluster) as client:
        generate(client, folder, n_rows)
    with start_cluster(options) as cluster, Client(cluster) as client:
        before = sum(client.run(sent_by).values())
        processor = sum(client.run(processor_time).values()) + processor_time()
        start = time.perf_counter()
        with PeakMemory() as memory:
            sadd = SADDDiscretizer().fit(str(folder), "y", callback=ProgressBar())
        seconds = time.perf_counter() - start
        processor = (sum(client.run(processor_time).values()) + processor_time()
                     - processor)
        between = sum(client.run(sent_by).values()) - before
        rnb = fit_rnb(options.rnb, str(folder), "y")
        peaks = client.run(peak_of_process).values()
    traffic = sadd.traffic_
    sorting = sum(traffic.by_task.get(name, (0,) * 4)[3]
                  for name in ("sadd-labels", "sadd-sort", "sadd-merge"))
    return {
        "rows": n_rows, "seconds": seconds, "sorting": sorting,
        "processor": processor,
        "rounds": traffic.rounds, "asking": seconds - sorting,
        "client": memory.peak, "client_before": memory.before, "worker": max(peaks),
        # What Dask has counted are replies, questions that workers passed on to each
        # other, and whatever else has moved
        "moved": traffic.bytes + max(0, between - traffic.bytes),
        "dask": between,
        "cuts": [cuts.tolist() for cuts in sadd.cut_points_], "rnb": rnb,
        "by_task": {name: list(numbers) for name, numbers in traffic.by_task.items()}}


def fit_rnb(max_iter, X, y):
    """Fit RNB, and give its weights, time, and what was sent."""
    if not max_iter:
        return None
    warnings.simplefilter("ignore", ConvergenceWarning)
    start = time.perf_counter()
    rnb = RNBClassifier(max_iter=max_iter).fit(X, y)
    by_task = getattr(rnb, "traffic_", None) and rnb.traffic_.by_task
    rounds, sent, received, seconds = by_task["rnb-gradient"] if by_task else [0] * 4
    return {"seconds": time.perf_counter() - start, "rounds": rounds,
            "bytes": sent + received, "search": seconds,
            "weights": [rnb.weights_.tolist(), rnb.class_weights_.tolist(), rnb.alpha_]}


def in_memory(folder, max_iter):
    """Print the same for one fit in memory; runs in a process of its own."""
    frame = pd.read_parquet(folder)
    y = frame.pop("y").to_numpy()
    X = frame.to_numpy()
    del frame
    start = time.perf_counter()
    sadd = SADDDiscretizer().fit(X, y)
    print(json.dumps({
        "seconds": time.perf_counter() - start, "peak": peak_of_process(),
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


def extrapolate(results, workers):
    """Calculate ten billion rows from the measured terms."""
    print("\nTen billion rows, calculated from these terms")
    last = results[-1]
    sorting = last["sorting"] * workers / last["rows"]
    print(f"  sorting: {sorting * 1e6:.2f} s a million rows and worker")
    partitions = np.array([found["rows"] / PARTITION / workers for found in results])
    per_round = np.array([found["asking"] / found["rounds"] for found in results])
    rows = np.array([found["rows"] for found in results])
    moved = np.array([found["moved"] for found in results])
    n_rounds = np.array([found["rounds"] for found in results])
    if len(results) > 1:
        slope, latency = np.polyfit(partitions, per_round, 1)
        power, scale = np.polyfit(np.log(rows), np.log(moved), 1)
        growth, offset = np.polyfit(np.log(rows), np.log(n_rounds), 1)
    else:
        slope, latency, power, growth = per_round[0] / partitions[0], 0.05, 0.5, 0.5
        scale = math.log(moved[0]) - power * math.log(rows[0])
        offset = math.log(n_rounds[0]) - growth * math.log(rows[0])
    slope, latency = max(slope, 0), max(latency, 0.05)
    rounds = math.exp(offset + growth * math.log(TEN_BILLION))
    print(f"  a round: {latency:.2f} s and {slope * 1e3:.1f} ms for each partition of "
          f"{PARTITION:,} rows; {rounds:.0f} rounds")
    print(f"  bytes moved grow as rows to the power {power:.2f}")
    bytes_two = math.exp(scale + power * math.log(TEN_BILLION))
    for n_workers in (20, 100, 400):
        share = TEN_BILLION / PARTITION / n_workers
        seconds = sorting * TEN_BILLION / n_workers + rounds * (
            latency + slope * share)
        # Questions go to all workers, and each worker replies; the number of
        # thresholds is chosen accordingly, with the square root of their cost
        moved = bytes_two * math.sqrt(n_workers / workers)
        print(f"  {n_workers:4} workers: {seconds / 60:6.1f} minutes, "
              f"{moved / 1e9:6.1f} GB moved = {moved / TEN_BILLION / ROW_BYTES:.2%} of "
              f"{TEN_BILLION * ROW_BYTES / 1e9:.0f} GB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, help="where to write the data; a "
                        "temporary folder by default")
    parser.add_argument("--rows", type=float, nargs="+", default=[5e6, 20e6, 50e6])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="1GB", help="limit of each worker")
    parser.add_argument("--in-memory", type=float, nargs="*", default=[5e6],
                        help="sizes to be compared with a fit in memory")
    parser.add_argument("--rnb", type=int, default=0, metavar="ITERATIONS",
                        help="fit RNB, too, with so many iterations")
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
            results.append(found)
            if n_rows in options.in_memory:
                output = subprocess.run(
                    [sys.executable, __file__, "--read", str(data), "--rnb",
                     str(options.rnb)],
                    stdout=subprocess.PIPE, check=True).stdout
                peer = json.loads(output)
                same = peer["cuts"] == found["cuts"]
                print(f"{'':14}in memory: {peer['seconds']:.1f} s after reading, "
                      f"{peer['peak'] / 1e6:,.0f} MB; cuts "
                      f"{'identical' if same else 'DIFFER'}", flush=True)
                if options.rnb:
                    same = peer["rnb"]["weights"] == found["rnb"]["weights"]
                    print(f"{'':14}RNB in memory: {peer['rnb']['seconds']:.1f} s; "
                          f"weights {'identical' if same else 'DIFFER'}", flush=True)
            shutil.rmtree(data)
        extrapolate(results, options.workers)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
