"""Speed of fits against another version of the package, in one run.

    python benchmarks/bench_versions.py [--against PYTHON] [--repeats N] [--threads]

PYTHON is the interpreter of an environment with the other version. Both versions fit
the same data in turns, each in a process of its own. Printed are the least CPU times,
and the ratio of the other version's time to this one's. ``--threads`` compares wall
times of two threads and one instead.
"""

import argparse
import json
import subprocess
import sys
import time
import warnings

import numpy as np
from peers import columns
from sklearn.ensemble import RandomForestClassifier

# Name, estimator, rows, columns, classes, digits, fits a process
CASES = {
    "SADD 150 x 4": ("SADD", 150, 4, 3, None, 200),
    "SADD 1,000 x 20": ("SADD", 1000, 20, 3, None, 50),
    "SADD 10,000 x 20": ("SADD", 10_000, 20, 5, None, 10),
    "SADD 2,000 x 2,000": ("SADD", 2000, 2000, 10, None, 3),
    "SADD 100,000 x 20": ("SADD", 100_000, 20, 5, None, 3),
    "SADD 100,000 x 20, one digit": ("SADD", 100_000, 20, 5, 1, 3),
    "SADD 1,000,000 x 20": ("SADD", 1_000_000, 20, 5, None, 1),
    "RNB+ 150 x 4": ("RNB+", 150, 4, 3, None, 20),
    "RNB+ 303 x 13": ("RNB+", 303, 13, 2, None, 20),
    "RNB+ 1,000 x 20": ("RNB+", 1000, 20, 3, None, 10),
    "RNB+ 100,000 x 20": ("RNB+", 100_000, 20, 5, None, 1),
    "RNB+ 1,000 x 20, predict": ("RNB+, predict", 1000, 20, 3, None, 50),
    "RNB+ 100,000 x 20, predict": ("RNB+, predict", 100_000, 20, 5, None, 3),
    "SADD Tables 1,000 x 20": ("Tables", 1000, 20, 2, None, 20),
    "SADD Tables 10,000 x 20": ("Tables", 10_000, 20, 2, None, 5),
    "SADD Tables 100,000 x 20": ("Tables", 100_000, 20, 2, None, 2),
    "SADD Tables 100,000 x 20, predict": (
        "Tables, predict", 100_000, 20, 2, None, 5),
    "SADD Tables 1,000 x 20, chosen": ("Tables, chosen", 1000, 20, 2, None, 3),
    "forest 1,000 x 20": ("forest", 1000, 20, 2, None, 3),
    "SADD Tables 10,000 x 20, chosen": ("Tables, chosen", 10_000, 20, 2, None, 1),
    "forest 10,000 x 20": ("forest", 10_000, 20, 2, None, 1),
}
WIDE = ("SADD 2,000 x 2,000", "SADD 1,000,000 x 20", "RNB+ 100,000 x 20",
        "SADD Tables 100,000 x 20")


def measure(name, n_jobs=None, clock=time.process_time):
    """Return the least seconds of a case, in this process."""
    what, n_rows, n_columns, n_classes, digits, repeats = CASES[name]
    X, y = columns(n_rows, n_columns, n_classes, digits)
    what, _, does = what.partition(", ")
    estimator = make(what, n_jobs, does == "chosen")
    if does == "predict":
        estimator.fit(X[:1000], y[:1000])
    least = np.inf
    for _ in range(repeats):
        start = clock()
        if does == "predict":
            estimator.predict_proba(X)
        else:
            estimator.fit(X, y)
        least = min(least, clock() - start)
    return least


def make(what, n_jobs, is_chosen):
    """Return an estimator; without a choice, SADD Tables has lines and curves only."""
    from orangecontrib.sadd import core

    if what == "forest":
        return RandomForestClassifier(200, random_state=0, n_jobs=n_jobs)
    estimator = {"SADD": core.SADDDiscretizer, "RNB+": core.RNBPlusClassifier,
                 "Tables": core.SADDTablesClassifier}[what](n_jobs=n_jobs)
    if what == "Tables" and not is_chosen:
        fixed = {"pairs": 0, "penalty": 1}  # other versions may have neither
        estimator.set_params(**{name: value for name, value in fixed.items()
                                if name in estimator.get_params()})
    return estimator


def measure_elsewhere(python, name):
    found = subprocess.run([python, __file__, "--case", name], check=True,
                           capture_output=True, text=True)
    return json.loads(found.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", metavar="PYTHON")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.case:
        print(json.dumps(measure(args.case)))
        return
    if args.threads:
        for name in WIDE:
            one, two = (min(measure(name, n, time.perf_counter)
                            for _ in range(args.repeats)) for n in (1, 2))
            print(f"{name:34}{1e3 * one:10.2f} ms{1e3 * two:10.2f} ms"
                  f"{one / two:7.2f}x", flush=True)
        return
    pythons = [sys.executable, *([args.against] if args.against else [])]
    for name in CASES:
        if args.only not in name:
            continue
        least = np.full(len(pythons), np.inf)
        for _ in range(args.repeats):
            least = np.minimum(
                least, [measure_elsewhere(python, name) for python in pythons])
        times = "".join(f"{1e3 * seconds:10.2f} ms" for seconds in least)
        ratio = f"{least[-1] / least[0]:7.2f}x" if args.against else ""
        print(f"{name:34}{times}{ratio}", flush=True)


if __name__ == "__main__":
    main()
