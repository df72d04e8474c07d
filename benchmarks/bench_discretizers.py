"""Speed and memory of SADD on arrays, against numpy and scikit-learn, in one run.

    python benchmarks/bench_discretizers.py [--quick]
"""

import argparse
import os
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
from peers import Table, columns, fastest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler

from orangecontrib.sadd.core import MDLPDiscretizer, SADDDiscretizer
from orangecontrib.sadd.core.labelling.neighbours import (
    K_GRID,
    Neighbours,
    _stratified_share,
)


def argsort(X):
    for column in range(X.shape[1]):
        np.argsort(X[:, column])


def bench_splitter(table, shape, n_classes, target, repeats, digits=None):
    """One thread against np.argsort, with peers beside it."""
    X, y = columns(*shape, n_classes, digits)
    peers = {
        "KBinsDiscretizer(quantile)": lambda: KBinsDiscretizer(
            10, encode="ordinal", quantile_method="averaged_inverted_cdf",
            subsample=None).fit(X),
        **other_peers(X, y)}
    sorting, ours, *others = fastest(
        repeats, lambda: argsort(X), lambda: SADDDiscretizer().fit(X, y),
        *peers.values())
    cuts = np.mean(SADDDiscretizer().fit(X, y).n_intervals_ - 1)
    table.row(f"SADD, {shape[0]:,} x {shape[1]:,}, {n_classes} classes"
              f"{'' if digits is None else ', rounded'}, {cuts:.1f} cuts a column",
              ours / sorting, target)
    for name, seconds in zip(peers, others, strict=True):
        print(f"    {name} {seconds / sorting:.2f}x")


def other_peers(X, y):
    """Return peers that are installed, see the extra `bench`, and not too slow."""
    found = {}
    if X.size > 2 ** 21 or len(np.unique(y)) > 2:
        return found  # optbinning's MDLP is for two classes
    try:
        from optbinning import MDLP
    except ImportError:
        print("    optbinning is not installed: pip install -e .[bench]")
    else:
        found["optbinning MDLP"] = lambda: [
            MDLP().fit(X[:, column], y) for column in range(X.shape[1])]
    # The programs of Khiops are beside Python, and looked for in the path
    os.environ["PATH"] = os.pathsep.join((
        str(Path(sys.executable).parent), os.environ["PATH"]))
    try:
        from khiops.sklearn import KhiopsEncoder
    except ImportError:
        print("    Khiops is not installed: pip install -e .[bench]")
    else:  # by way of files, and of processes of its own
        found["Khiops (MODL)"] = lambda: KhiopsEncoder(
            n_trees=0, n_pairs=0, n_text_features=0).fit(X, y)
    return found


def bench_threads(table, shape, n_classes, target, repeats):
    X, y = columns(*shape, n_classes)
    one, two = fastest(repeats, lambda: SADDDiscretizer().fit(X, y),
                       lambda: SADDDiscretizer(n_jobs=2).fit(X, y))
    table.row(f"n_jobs=2, {shape[0]:,} x {shape[1]:,}, times faster", one / two, target,
              at_least=True)


def bench_memory(table, n_rows, n_jobs):
    X, y = columns(n_rows, 20, 5)
    tracemalloc.start()
    SADDDiscretizer(n_jobs=n_jobs).fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    table.row(f"extra memory, {n_rows:,} x 20, n_jobs={n_jobs}, share of the data",
              peak / X.nbytes, 0.5 if n_jobs == 1 else 0.6)


def bench_pool(table, n_labelled, n_pool, repeats):
    """The time of labelling and cutting, beside k-NN with the same k, and SADD."""
    X, y = columns(n_labelled + n_pool, 20, 5)
    scaled = StandardScaler().fit_transform(X)
    some = y.copy()
    some[n_labelled:] = -1
    chosen = SADDDiscretizer().fit(X, some).k_

    def predict(k):
        neighbours = KNeighborsClassifier(k, algorithm="brute")
        neighbours.fit(scaled[:n_labelled], y[:n_labelled]).predict(scaled[n_labelled:])

    cutting, *times = fastest(
        repeats, lambda: SADDDiscretizer().fit(X, y),
        lambda: predict(5), lambda: SADDDiscretizer(k=5).fit(X, some),
        lambda: predict(chosen), lambda: SADDDiscretizer().fit(X, some),
        clock=time.process_time)
    for what, labelling, ours, target in (
            ("k = 5", *times[:2], 1.25), (f"k = {chosen}, chosen", *times[2:], 1.6)):
        table.row(f"{n_labelled:,} labelled + {n_pool:,} x 20, {what}, / (k-NN + SADD)",
                  ours / (labelling + cutting), target)
        print(f"    CPU: k-NN {labelling:.2f} s, SADD {cutting:.2f} s, "
              f"both {ours:.2f} s")


def bench_labels(table, n_rows):
    X = np.random.default_rng(0).normal(size=(n_rows, 1))
    start = time.perf_counter()
    MDLPDiscretizer().fit(X, np.arange(n_rows))
    table.row(f"MDLP, {n_rows:,} rows, each with a label of its own",
              time.perf_counter() - start, 1, unit="s")


def bench_choice_of_k(table, n_rows, repeats):
    X, y = columns(n_rows, 20, 5)
    rows = Neighbours(X, y, 5, k=1)  # in its own order
    X, y = rows.points, rows.classes
    validation = _stratified_share(y, 0)

    def refit():
        return {k: KNeighborsClassifier(k, algorithm="brute").fit(
                    X[~validation], y[~validation]).score(X[validation], y[validation])
                for k in K_GRID}

    def choose():
        return Neighbours(X, y, 5, k="validation").k_scores

    refitting, ours = fastest(repeats, refit, choose)
    same = all(np.isclose(choose()[k], score) for k, score in refit().items())
    table.row(
        f"choosing k of {len(K_GRID)}, {n_rows:,} x 20, times faster than refitting",
        refitting / ours, 6, at_least=True)
    print(f"    accuracies {'identical' if same else 'DIFFER'}")
    table.missed += not same


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out a million rows")
    quick = parser.parse_args().quick
    table = Table("Time of SADDDiscretizer.fit / np.argsort of each column")
    if not quick:
        bench_splitter(table, (1_000_000, 20), 5, 0.9, repeats=3)
        bench_splitter(table, (1_000_000, 20), 2, 0.9, repeats=3)
    bench_splitter(table, (100_000, 20), 5, 1.3, repeats=7)
    bench_splitter(table, (100_000, 20), 5, 1.3, repeats=7, digits=2)
    bench_splitter(table, (10_000, 20), 3, 2, repeats=20)
    bench_splitter(table, (10_000, 20), 2, 2, repeats=5)
    bench_splitter(table, (2_000, 2_000), 10, 2.5, repeats=3)
    other = Table("Threads, memory, pools and labels")
    if not quick:
        bench_threads(other, (1_000_000, 20), 5, 1.5, repeats=3)
        bench_memory(other, 1_000_000, 1)
        bench_memory(other, 1_000_000, 2)
    bench_threads(other, (2_000, 2_000), 10, 1.2, repeats=5)
    bench_pool(other, 1_000, 100_000, repeats=3)
    bench_pool(other, 10_000, 100_000, repeats=2)
    bench_labels(other, 16_000)
    bench_choice_of_k(other, 20_000, repeats=3)
    print(f"{table.missed + other.missed} missed")


if __name__ == "__main__":
    main()
