"""Speed of RNB's objective and of RNB+, against BLAS and scikit-learn, in one run.

    python benchmarks/bench_weights.py [--quick]

A dense objective multiplies the logarithms of probabilities, rows x classes x
attributes, by two columns of weights, and their transpose by two columns of
derivatives: 8 n m C operations. The GEMM of equal flops is the product of this tensor
and 4 columns, on one thread. One that has the best shape for BLAS, (n x m) (m x 4 C),
is shown below each row.
"""

import argparse
import tracemalloc
import warnings
from copy import copy

import numpy as np
from peers import Table, columns, fastest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core import (
    EqualFrequencyDiscretizer,
    RNBPlusClassifier,
    SADDDiscretizer,
)
from orangecontrib.sadd.core.bayes.objective import RowObjective
from orangecontrib.sadd.core.bayes.tables import fit_tables
from orangecontrib.sadd.core.pseudolabels.labellers import Labeller

# Both optimizers must make all of their iterations
ITERATIONS = 100
NEVER = 1e-30


def bench_objective(table, n_rows, n_columns, n_classes, target, repeats):
    X, y = columns(n_rows, n_columns, n_classes)
    codes = EqualFrequencyDiscretizer(n_bins=10).fit_transform(X)
    tables = fit_tables(codes, y, n_classes)
    objective = RowObjective(tables, tables.encode(codes), y)
    theta = objective.layout.start
    rng = np.random.default_rng(0)
    tensor = rng.random((n_classes, n_rows, n_columns))
    four = rng.random((n_columns, 4))
    flat = rng.random((n_rows, n_columns))
    wide = rng.random((n_columns, 4 * n_classes))
    with threadpool_limits(1, user_api="blas"):
        gemm, best_gemm, ours = fastest(
            repeats, lambda: tensor @ four, lambda: flat @ wide,
            lambda: objective.value_and_gradient(theta))
    what = f"{n_rows:,} x {n_columns} x {n_classes} classes"
    if target is None:
        print(f"{what:58}{ours / gemm:9.2f}x   no target: here calls cost more than "
              "computing")
    else:
        table.row(what, ours / gemm, target)
    print(f"    {1e3 * ours:.2f} ms; {ours / best_gemm:.2f}x a GEMM of the best shape; "
          f"the tensor would take {tensor.nbytes / 2 ** 20:,.0f} MB")


def bench_memory(table, n_rows, n_columns, n_classes):
    X, y = columns(n_rows, n_columns, n_classes)
    codes = EqualFrequencyDiscretizer(n_bins=10).fit_transform(X)
    tables = fit_tables(codes, y, n_classes)
    rows = tables.encode(codes)
    tracemalloc.start()
    objective = RowObjective(tables, rows, y)
    objective.value_and_gradient(objective.layout.start)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    table.row(
        f"extra memory, {n_rows:,} x {n_columns} x {n_classes}, share of the tensor",
        peak / (8 * n_rows * n_columns * n_classes), 1)


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
    theirs, ours, threads = fastest(
        repeats, lambda: peer.predict_proba(X), lambda: rnb.predict_proba(X),
        lambda: clone_with(rnb, n_jobs=2).predict_proba(X))
    table.row(f"{n_rows:,} x {n_columns}, {n_classes} classes", ours / theirs, 1.2)
    print(f"    {ours:.2f} s, {threads:.2f} s with n_jobs=2, {theirs:.2f} s")


def clone_with(fitted, **parameters):
    return copy(fitted).set_params(**parameters)


def bench_recipe(table, n_labelled, n_pool, n_columns, n_classes, repeats):
    X, y = columns(n_labelled + n_pool, n_columns, n_classes)
    labelled, pool, y = X[:n_labelled], X[n_labelled:], y[:n_labelled]
    published = RNBPlusClassifier(k="validation")
    few = RNBPlusClassifier(labeller="committee", pool_use="counts", objective="cll",
                            shrinkage=1)
    peer, labelling, ours = fastest(
        repeats, lambda: published.fit(labelled, y, X_unlabelled=pool),
        lambda: Labeller("committee", labelled, y, n_classes)(pool),
        lambda: few.fit(labelled, y, X_unlabelled=pool))
    table.row(f"{n_labelled:,} + {n_pool:,} x {n_columns}, {n_classes} classes",
              (ours - labelling) / peer, 1.5)
    print(f"    {ours:.2f} s, of which labels take {labelling:.2f} s; {peer:.2f} s as "
          f"published; {few.n_iter_} and {published.n_iter_} iterations")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the largest")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore", ConvergenceWarning)
    objective = Table("Time of RNB's objective and gradient / GEMM of equal flops")
    bench_objective(objective, 1_000, 10, 3, None, repeats=300)
    bench_objective(objective, 10_000, 20, 10, 6, repeats=30)
    bench_objective(objective, 100_000, 20, 5, 5.5, repeats=10)
    if not quick:
        bench_objective(objective, 20_000, 500, 3, 6, repeats=10)
    bench_memory(objective, 100_000, 20, 5)
    prediction = Table(
        "Time of predict_proba of RNB+ / LogisticRegression, encoding included")
    bench_prediction(prediction, 100_000 if quick else 1_000_000, 20, 5, repeats=3)
    whole = Table("Time of a whole RNB+ fit / LogisticRegression on its one-hot bins")
    bench_fit(whole, 10_000, 20, 10, repeats=5)
    bench_fit(whole, 100_000, 20, 2, repeats=3)
    bench_fit(whole, 100_000, 20, 5, repeats=3)
    recipe = Table("Time of RNB+ few labels, without its labeller / RNB+ as published")
    bench_recipe(recipe, 100, 5_000, 20, 5, repeats=5)
    bench_recipe(recipe, 1_000, 10_000, 20, 5, repeats=5)
    bench_recipe(recipe, 10_000, 10_000, 20, 10, repeats=3)
    tables = (objective, prediction, whole, recipe)
    print(f"{sum(table.missed for table in tables)} missed")


if __name__ == "__main__":
    main()
