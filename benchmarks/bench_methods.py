"""CPU time of all discretizers beside SADD, KBinsDiscretizer and another version.

    python benchmarks/bench_methods.py [--against PYTHON] [--repeats N]
    python benchmarks/bench_methods.py --threads | --memory | --growth

PYTHON is the interpreter of an environment with another version of the package. The
versions take turns, each in processes of its own. ``--threads`` compares the wall times
of two threads and one. ``--memory`` prints the memory of a fit of 1,000,000 x 20, and
``--growth`` the time of four times the rows, columns or classes.
"""

import argparse
import json
import subprocess
import sys
import time
import tracemalloc

import numpy as np
from peers import columns, fastest
from sklearn.preprocessing import KBinsDiscretizer

from orangecontrib.sadd.core import DISCRETIZERS, SADDDiscretizer

# At most this many times the time of SADD, from 10,000 rows on
SLOWER = {"EW": 1.3, "EF": 1.3, "PKID": 1.3, "FFD": 1.3, "CAIM": 3, "CACC": 10,
          "ChiMerge": 10}

# Memory of a fit, as a share of the data; times the time of a fourth of the data
MEMORY, GROWTH = .7, 4.6


def times_of_methods(n_rows):
    """Return the least CPU milliseconds of fits, and of SADD's transform."""
    X, y = columns(n_rows, 20, 3)
    fitted = SADDDiscretizer().fit(X, y)
    bins = KBinsDiscretizer(10, encode="ordinal", subsample=None,
                            quantile_method="averaged_inverted_cdf").fit(X)
    work = {name: lambda method=method: method.make().fit(X, y)
            for name, method in DISCRETIZERS.items()}
    work["KBins"] = lambda: KBinsDiscretizer(
        10, encode="ordinal", quantile_method="averaged_inverted_cdf",
        subsample=None).fit(X)
    work["transform"] = lambda: fitted.transform(X)
    work["np.searchsorted"] = lambda: [
        np.searchsorted(cuts, column, side="right")
        for cuts, column in zip(fitted.cut_points_, X.T, strict=True)]
    work["KBins.transform"] = lambda: bins.transform(X)
    found = {}
    for name, function in work.items():
        least, started, n_runs = np.inf, time.process_time(), 0
        while n_runs == 0 or n_runs < 20 and time.process_time() - started < 1:
            start = time.process_time()
            function()
            least = min(least, time.process_time() - start)
            n_runs += 1
        found[name] = 1e3 * least
    return found


def bench_methods(n_rows, against, repeats):
    """Print the times of all methods, in turns with those of another version."""
    pythons = [sys.executable, *([against] if against else [])]
    least = [{} for _ in pythons]
    for _ in range(repeats):
        for known, python in zip(least, pythons, strict=True):
            run = subprocess.run([python, __file__, "--rows", str(n_rows)], check=True,
                                 capture_output=True, text=True)
            for name, time_ in json.loads(run.stdout).items():
                known[name] = min(time_, known.get(name, np.inf))
    print(f"\n{n_rows:,} x 20, 3 classes: ms, times SADD, ms of the other version")
    for name, time_ in least[0].items():
        ratio, most = time_ / least[0]["SADD"], SLOWER.get(name)
        print(f"{name:20}{time_:10.1f}{ratio:8.2f}x"
              + "".join(f"{other[name]:10.1f}" for other in least[1:])
              + ("" if most is None else "  met" if ratio <= most else "  MISSED"),
              flush=True)


def bench_threads(repeats):
    """Print how much faster two threads are, which needs two idle cores."""
    X, y = columns(100_000, 20, 3)
    print("100,000 x 20: ms with one thread, with two, times faster")
    for name, method in DISCRETIZERS.items():
        one, two = fastest(repeats, *(
            lambda n=n, method=method: method.make(n_jobs=n).fit(X, y) for n in (1, 2)))
        print(f"{name:20}{1e3 * one:10.1f}{1e3 * two:10.1f}{one / two:8.2f}x",
              flush=True)


def bench_memory():
    """Print the memory of fits, as shares of the data: at most, and afterwards."""
    X, y = columns(1_000_000, 20, 5)
    print("1,000,000 x 20, 5 classes: peak, result, peak without result / data")
    for name, method in DISCRETIZERS.items():
        method.make().fit(X[:1000], y[:1000])
        tracemalloc.start()
        fitted = method.make().fit(X, y)
        result, peak = (size / X.nbytes for size in tracemalloc.get_traced_memory())
        tracemalloc.stop()
        del fitted
        print(f"{name:20}{peak:10.2f}{result:8.2f}{peak - result:8.2f}"
              f"  {'met' if peak - result < MEMORY else 'MISSED'}", flush=True)


def bench_growth(repeats):
    """Print how many times the CPU time four times the data take."""
    shape = {"rows": 10_000, "columns": 20, "classes": 5}
    print("Four times the rows (10,000), columns (20), classes (5): times the CPU time")
    for name, method in DISCRETIZERS.items():
        ratios = []
        for what, n in shape.items():
            few, many = (columns(*{**shape, what: factor * n}.values())
                         for factor in (1, 4))
            one, four = fastest(repeats, *(
                lambda data=data, method=method: method.make().fit(*data)
                for data in (few, many)), clock=time.process_time)
            ratios.append(four / one)
        print(f"{name:20}" + "".join(f"{ratio:8.2f}" for ratio in ratios)
              + ("  met" if max(ratios) <= GROWTH else "  MISSED"), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", metavar="PYTHON")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=int, help=argparse.SUPPRESS)
    for what in ("threads", "memory", "growth"):
        parser.add_argument(f"--{what}", action="store_true")
    args = parser.parse_args()
    if args.rows:
        print(json.dumps(times_of_methods(args.rows)))
        return
    if args.threads:
        bench_threads(args.repeats)
    if args.memory:
        bench_memory()
    if args.growth:
        bench_growth(args.repeats)
    if args.threads or args.memory or args.growth:
        return
    for n_rows in (1_000, 10_000, 100_000):
        bench_methods(n_rows, args.against, args.repeats)


if __name__ == "__main__":
    main()
