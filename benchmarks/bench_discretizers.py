"""Speed and memory of SADD on arrays, against numpy and scikit-learn, in one run.

    python benchmarks/bench_discretizers.py [--quick]
"""

import argparse
import tracemalloc

import numpy as np
from peers import Table, columns, fastest
from sklearn.neighbors import KNeighborsClassifier

from orangecontrib.sadd.core import SADDDiscretizer
from orangecontrib.sadd.core.pseudolabels.neighbours import (
    K_GRID,
    _stratified_share,
    choose_k,
)


def bench_splitter(table, n_rows, n_classes, digits, target, repeats):
    X, y = columns(n_rows, 20, n_classes, digits)
    argsort, ours = fastest(
        repeats,
        lambda: [np.argsort(X[:, column]) for column in range(X.shape[1])],
        lambda: SADDDiscretizer().fit(X, y))
    cuts = np.mean(SADDDiscretizer().fit(X, y).n_intervals_ - 1)
    table.row(f"SADD, {n_rows:,} x 20, {n_classes} classes"
              f"{'' if digits is None else ', rounded'}, {cuts:.1f} cuts a column",
              ours / argsort, target)


def bench_memory(table, n_rows):
    X, y = columns(n_rows, 20, 5)
    tracemalloc.start()
    SADDDiscretizer().fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    table.row(f"extra memory, {n_rows:,} x 20, share of the data", peak / X.nbytes, 0.5)


def bench_choice_of_k(table, n_rows, repeats):
    X, y = columns(n_rows, 20, 5)
    validation = _stratified_share(y, 0)

    def refit():
        return {k: KNeighborsClassifier(k, algorithm="brute").fit(
                    X[~validation], y[~validation]).score(X[validation], y[validation])
                for k in K_GRID}

    def choose():
        return choose_k(X, y, 5)[1]

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
        bench_splitter(table, 1_000_000, 5, None, 1.6, repeats=3)
        bench_splitter(table, 1_000_000, 2, None, 1.1, repeats=3)
        bench_memory(table, 1_000_000)
    bench_splitter(table, 100_000, 5, None, 3, repeats=7)
    bench_splitter(table, 100_000, 5, 2, 2, repeats=7)
    bench_choice_of_k(table, 20_000, repeats=3)
    print(f"{table.missed} missed")


if __name__ == "__main__":
    main()
