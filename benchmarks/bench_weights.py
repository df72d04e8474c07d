"""Speed of RNB+ against scikit-learn's logistic regression, in one run.

    python benchmarks/bench_weights.py
"""

import warnings

from peers import Table, columns, fastest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from orangecontrib.sadd.core import RNBPlusClassifier, SADDDiscretizer

# Both optimizers must make all of their iterations
ITERATIONS = 100
NEVER = 1e-30


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
    warnings.simplefilter("ignore", ConvergenceWarning)
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
