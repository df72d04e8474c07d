"""Speed of RNB+: against scikit-learn, or against another version of this package.

    python benchmarks/bench_weights.py
    python benchmarks/bench_weights.py --against PYTHON

PYTHON is the interpreter of an environment with another version. Both versions run the
same cases in turn, so that a busy machine is slow for both, and the shortest times
count.
"""

import argparse
import subprocess
import sys
import time
import warnings

import numpy as np
from peers import Table, columns, fastest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from orangecontrib.sadd.core import RNBPlusClassifier, SADDDiscretizer
from orangecontrib.sadd.core.threads import use_threads

# Both optimizers must make all of their iterations
ITERATIONS = 100
NEVER = 1e-30


def orange_data(name):
    """Return rows, classes and the mask of categorical columns of Orange's data."""
    import Orange.data

    data = Orange.data.Table(name)
    return data.X, data.Y.astype(int), [var.is_discrete
                                        for var in data.domain.attributes]


def made_up(n_rows, n_columns, n_classes):
    return *columns(n_rows, n_columns, n_classes), None


#: Data, number of threads, and rounds of both versions
CASES = {
    "iris, 150 x 4": (lambda: orange_data("iris"), 1, 40),
    "heart disease, 303 x 13": (lambda: orange_data("heart_disease"), 1, 40),
    "1,000 x 20, 3 classes": (lambda: made_up(1_000, 20, 3), 1, 20),
    "10,000 x 20, 5 classes": (lambda: made_up(10_000, 20, 5), 1, 7),
    "100,000 x 20, 2 classes": (lambda: made_up(100_000, 20, 2), 1, 4),
    "100,000 x 20, 2 classes, n_jobs=2": (lambda: made_up(100_000, 20, 2), 2, 4),
    "100,000 x 20, 5 classes": (lambda: made_up(100_000, 20, 5), 1, 4),
    "100,000 x 20, 5 classes, n_jobs=2": (lambda: made_up(100_000, 20, 5), 2, 4),
}


def work():
    """Fit and predict the cases named on standard input; print the times taken."""
    prepared = {}
    for line in sys.stdin:
        case = line.strip()
        if case not in prepared:
            make, n_jobs, _ = CASES[case]
            X, y, categorical = make()
            model = RNBPlusClassifier(n_jobs=n_jobs, categorical_features=categorical)
            prepared[case] = X, y, model
        X, y, model = prepared[case]
        start = time.perf_counter()
        model.fit(X, y)
        fitted = time.perf_counter()
        # The search alone, on the same codes
        codes = model.discretizer_.transform(X)
        rows = _rows(codes, y, len(model.classes_))
        before = time.perf_counter()
        with use_threads(model.n_jobs):
            model.fit_rows(rows)
        searched = time.perf_counter()
        model.predict_proba(X)
        end = time.perf_counter()
        print(fitted - start, searched - before, end - searched, model.loss_,
              flush=True)


def _rows(codes, y, n_classes):
    from orangecontrib.sadd.core.bayes.fitting import RowsInMemory

    return RowsInMemory(codes, y, n_classes, np.ones(len(y)))


def compare(python):
    """Print times of another version as multiples of the times of this version."""
    workers = [subprocess.Popen(
        [interpreter, __file__, "--worker"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True) for interpreter in (python, sys.executable)]
    print(f"{'':36}{'fit':>19}{'weights alone':>22}{'predict_proba':>22}")
    for case, (*_, rounds) in CASES.items():
        times = np.full((2, 3), np.inf)
        losses = [0., 0.]
        for _ in range(rounds):
            for index, worker in enumerate(workers):
                worker.stdin.write(case + "\n")
                worker.stdin.flush()
                *found, loss = map(float, worker.stdout.readline().split())
                times[index] = np.minimum(times[index], found)
                losses[index] = loss
        cells = "".join(f"{other:9.2f} / {ours:7.2f} ms {other / ours:4.1f}x"
                        for other, ours in 1e3 * times.T)
        print(f"{case:36}{cells}   loss {losses[0]:.6g}, {losses[1]:.6g}")
    for worker in workers:
        worker.stdin.close()
        worker.wait()


def bench_fit(table, n_rows, n_columns, n_classes, repeats):
    X, y = columns(n_rows, n_columns, n_classes)
    onehot = OneHotEncoder().fit_transform(SADDDiscretizer().fit_transform(X, y))
    regression = LogisticRegression(max_iter=ITERATIONS, tol=NEVER)
    rnb = RNBPlusClassifier(max_iter=ITERATIONS, tol=0)
    peer, ours = fastest(
        repeats, lambda: regression.fit(onehot, y), lambda: rnb.fit(X, y))
    table.row(f"{n_rows:,} x {n_columns}, {n_classes} classes, {onehot.shape[1]} bins",
              ours / peer, 0.9)
    print(f"    {ours:.2f} s with {rnb.n_iter_} iterations, "
          f"{peer:.2f} s with {regression.n_iter_[0]}")


def bench_prediction(table, n_rows, n_columns, n_classes, repeats):
    X, y = columns(n_rows, n_columns, n_classes)
    some = slice(20_000)
    rnb = RNBPlusClassifier().fit(X[some], y[some])
    peer = make_pipeline(
        SADDDiscretizer(), OneHotEncoder(handle_unknown="ignore"),
        LogisticRegression()).fit(X[some], y[some])
    theirs, ours = fastest(
        repeats, lambda: peer.predict_proba(X), lambda: rnb.predict_proba(X))
    table.row(f"{n_rows:,} x {n_columns}, {n_classes} classes", ours / theirs, 1.2)
    print(f"    {ours:.2f} s, {theirs:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", metavar="PYTHON")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    if options.worker:
        work()
    elif options.against:
        compare(options.against)
    else:
        prediction = Table(
            "Time of predict_proba of RNB+ / LogisticRegression, encoding included")
        bench_prediction(prediction, 100_000, 20, 5, repeats=3)
        whole = Table("Time of an RNB+ fit / LogisticRegression on its one-hot bins")
        bench_fit(whole, 10_000, 20, 10, repeats=5)
        bench_fit(whole, 100_000, 20, 2, repeats=3)
        bench_fit(whole, 100_000, 20, 5, repeats=3)
        print(f"{prediction.missed + whole.missed} missed")


if __name__ == "__main__":
    main()
