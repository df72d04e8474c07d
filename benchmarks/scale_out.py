"""SADD on data larger than the memory of its workers: time, memory, bytes moved.

    python benchmarks/scale_out.py [--rows 5e6 20e6] [--against PYTHON] [--repeat 3]
    python benchmarks/scale_out.py --accuracy

Writes untied float64 to parquet files and discretizes them on a `LocalCluster` of two
workers with one thread and 1 GB each. --against also measures another environment, with
another version of this package, after each run. --accuracy compares cuts on a grid of
quantiles with cuts of a fit in memory, on five distributions, and prints figures of
RNB+ on rows that neither model has seen. Both print a table in Markdown.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster
from sklearn.exceptions import ConvergenceWarning

from orangecontrib.sadd.core import RNBPlusClassifier, SADDDiscretizer

N_COLUMNS, N_CLASSES = 10, 5
PARTITION = 500_000
N_WORKERS, MEMORY = 2, "1GB"


def write_partition(folder, index, n_rows):
    """Write rows in which every second column depends on the class."""
    random = np.random.default_rng([index, 0])
    y = random.integers(0, N_CLASSES, n_rows)
    X = random.normal(size=(n_rows, N_COLUMNS))
    X[:, ::2] += 0.2 * y[:, None]
    frame = pd.DataFrame(X, columns=[f"x{column}" for column in range(N_COLUMNS)])
    frame.assign(y=y.astype(np.int8)).to_parquet(
        Path(folder) / f"part-{index:05}.parquet", index=False, compression=None)


def generate(folder, n_rows):
    """Write the files, in as many processes as there are workers."""
    folder.mkdir(parents=True)
    sizes = [min(PARTITION, n_rows - start) for start in range(0, n_rows, PARTITION)]
    with ProcessPoolExecutor(N_WORKERS) as processes:
        list(processes.map(write_partition, [str(folder)] * len(sizes),
                           range(len(sizes)), sizes))


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def sent_bytes(dask_worker):
    return dask_worker.transfer_outgoing_bytes_total


def measure(folder):
    """Discretize, and print the figures as JSON."""
    with LocalCluster(n_workers=N_WORKERS, threads_per_worker=1, memory_limit=MEMORY,
                      dashboard_address=":0") as cluster, Client(cluster) as client:
        def processor():
            return np.array([sum(client.run(processor_seconds).values()),
                             processor_seconds()])

        before, start = processor(), time.perf_counter()
        sadd = SADDDiscretizer().fit(dd.read_parquet(folder), "y")
        print(json.dumps({
            "seconds": time.perf_counter() - start,
            "processor": (processor() - before).tolist(),
            "load": os.getloadavg()[0], "cuts": sum(map(len, sadd.cut_points_)),
            "client": peak_bytes(), "workers": list(client.run(peak_bytes).values()),
            "moved": sum(client.run(sent_bytes).values())}))


def run(python, folder):
    """Measure in a process of its own, by an interpreter."""
    output = subprocess.run(
        [python, Path(__file__).resolve(), "--measure", folder], cwd=folder,
        stdout=subprocess.PIPE, check=True, text=True).stdout
    return json.loads(output.splitlines()[-1])


def scale(options):
    """Measure all sizes."""
    print("| rows | data | version | seconds | processor seconds: workers | client | "
          "load | workers, peak | client, peak | moved by workers | cuts |")
    print("|---:" * 11 + "|")
    versions = {"this": sys.executable}
    if options.against:
        versions["other"] = options.against
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="scale-out-") as folder:
        for n_rows in map(int, options.rows):
            data = Path(folder) / f"{n_rows}.parquet"
            generate(data, n_rows)
            for name in [*versions] * options.repeat:
                found = run(versions[name], data)
                row = [f"{n_rows / 1e6:g} million", f"{n_rows * 80 / 1e9:.1f} GB", name,
                       f"{found['seconds']:.0f}",
                       *(f"{seconds:.1f}" for seconds in found["processor"]),
                       f"{found['load']:.1f}",
                       " and ".join(f"{n / 1e6:.0f}" for n in found["workers"])
                       + " MB", f"{found['client'] / 1e6:.0f} MB",
                       f"{found['moved'] / 1e6:.0f} MB", str(found["cuts"])]
                print(f"| {' | '.join(row)} |", flush=True)
            shutil.rmtree(data)


DISTRIBUTIONS = {
    "normal": lambda random, y: random.normal(0.3 * y, 1),
    "uniform": lambda random, y: random.random(len(y)) + 0.1 * y,
    "exponential": lambda random, y: random.exponential(1 + 0.2 * y),
    "Cauchy": lambda random, y: random.standard_cauchy(len(y)) + 0.3 * y,
    "two peaks": lambda random, y: random.normal(
        np.where(random.random(len(y)) < 0.3 + 0.1 * y, -2, 2), 1),
}


def compare_accuracy(n_rows, n_test=1_000_000):
    """Compare cuts on a grid with cuts in memory; exit with 1 if they differ much."""
    import dask.array as da

    random = np.random.default_rng(0)
    y = random.integers(0, 3, n_rows + n_test)
    X = np.column_stack([make(random, y) for make in DISTRIBUTIONS.values()])
    train, test = slice(n_rows), slice(n_rows, None)
    lazy = (da.from_array(X[train], chunks=(PARTITION, -1)),
            da.from_array(y[train], chunks=PARTITION))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = [RNBPlusClassifier(max_iter=30).fit(*data)
                  for data in [(X[train], y[train]), lazy]]
    fitted, on_grid = (model.discretizer_ for model in models)
    n_cuts, n_on_grid = ([len(cuts) for cuts in method.cut_points_]
                         for method in (fitted, on_grid))
    kept = on_grid.mutual_information_ / fitted.mutual_information_
    print("| distribution | cuts in memory | cuts on the grid | information kept |")
    print("|---|---:|---:|---:|")
    for row in zip(DISTRIBUTIONS, n_cuts, n_on_grid, kept, strict=True):
        print("| {} | {} | {} | {:.3%} |".format(*row))
    rights = [model.score(X[test], y[test]) for model in models]
    print(f"\nRNB+ classifies {rights[0]:.3%} of {n_test:,} other rows correctly in "
          f"memory, {rights[1]:.3%} on the grid.")
    near = [np.allclose(n_on_grid, n_cuts, rtol=0.05, atol=0),
            np.allclose(kept, 1, rtol=0.001), abs(rights[1] - rights[0]) < 0.001]
    print("Cuts within 5 %, information within 0.1 %, accuracy within 0.1 points:",
          *("yes" if passed else "no" for passed in near))
    sys.exit(not all(near))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=float, nargs="+",
                        default=[5e6, 10e6, 20e6, 50e6])
    parser.add_argument("--against", metavar="PYTHON",
                        help="the interpreter of another environment")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each version")
    parser.add_argument("--folder", type=Path, help="where to write the data; a "
                        "temporary folder by default")
    parser.add_argument("--accuracy", action="store_true",
                        help="compare the grid with memory")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(options.measure)
    elif options.accuracy:
        compare_accuracy(3_000_000)
    else:
        scale(options)


if __name__ == "__main__":
    main()
