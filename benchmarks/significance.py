"""How often the report's test finds a difference where there is none.

    python benchmarks/significance.py [number of runs]

Each run cross-validates two contenders on fresh data of two classes (10 folds). They
are equally good by symmetry, so a test at the level 0.05 should reject in 5 % of the
runs. Each variable has a twin, which predicts the class equally well:

* the nearest mean of 50 variables, or of the best of 10 variables, against the same of
  their twins (100 rows)
* naive Bayes with 5 variables cut by SADD and their twins by MDLP, against the reverse
  (300 rows). As in the report, both contenders see the same rows and variables.
* naive Bayes with MDLP on 5 variables, against the same on their twins (300 rows)

The report's test assumes that differences in two folds are correlated by 1 / 10, the
share of test rows. It rejects too seldom where the correlation is lower, and too often
where it is higher.

Shares and correlations are written to ``doc/benchmark-report/significance.csv``, and
`results.py` writes the table of ``doc/results.md``.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.preprocessing import FunctionTransformer

from orangecontrib.sadd.core import (
    MDLPDiscretizer,
    NaiveBayesClassifier,
    SADDDiscretizer,
)
from orangecontrib.sadd.evaluation.significance import corrected_test
from orangecontrib.sadd.evaluation.splits import stratified_folds

N_FOLDS = 10
# Rows, variables without twins, and the range of distances between means of the classes
STEADY, UNSTEADY = "nearest mean, 50 variables", "nearest mean, best of 10 variables"
EXCHANGED, TWINS = "naive Bayes, SADD and MDLP exchanged", "naive Bayes, MDLP"
KINDS = {STEADY: (100, 50, (0.2, 0.2)), UNSTEADY: (100, 10, (0.6, 0.6)),
         EXCHANGED: (300, 5, (0, 1)), TWINS: (300, 5, (0, 1))}


def nearest_mean(X, y, train, kind):
    """Return predictions by the nearest mean, of all variables or of the best."""
    means = np.array([X[train][y[train] == c].mean(axis=0) for c in (0, 1)])
    ways = means[1] - means[0]
    weights = ways if kind == STEADY else np.where(
        np.abs(ways) == np.abs(ways).max(), ways, 0)
    return (X - means.mean(axis=0)) @ weights > 0


def naive_bayes(codes, y, train):
    """Return predictions by naive Bayes on intervals."""
    model = NaiveBayesClassifier(FunctionTransformer(), unlabelled_label=None)
    return model.fit(codes[train], y[train]).predict(codes)


def predictions(X, y, train, kind):
    """Return the predictions of both contenders."""
    halves = np.split(X, 2, axis=1)
    if kind in (STEADY, UNSTEADY):
        return [nearest_mean(half, y, train, kind) for half in halves]
    mdlp, sadd = (np.split(
        discretizer.fit(X[train], y[train]).transform(X), 2, axis=1)
        for discretizer in (MDLPDiscretizer(), SADDDiscretizer()))
    parts = mdlp if kind == TWINS else [
        np.hstack([sadd[0], mdlp[1]]), np.hstack([mdlp[0], sadd[1]])]
    return [naive_bayes(codes, y, train) for codes in parts]


def differences(kind, seed):
    """Return differences in accuracy of two equally good contenders over folds."""
    n_rows, n, distances = KINDS[kind]
    random, y = np.random.default_rng(seed), np.arange(n_rows) % 2
    X = random.normal(size=(n_rows, 2 * n))
    X += np.tile(random.uniform(*distances, n), 2) * y[:, None]
    found = []
    for train, test in stratified_folds(y, N_FOLDS, seed):
        one, other = (np.mean(predicted[test] == y[test])
                      for predicted in predictions(X, y, train, kind))
        found.append(one - other)
    return found


def correlation(gaps):
    """Return the correlation of two folds, from variances of means and in runs."""
    within, of_means = gaps.var(axis=1, ddof=1).mean(), gaps.mean(axis=1).var(ddof=1)
    shared = of_means - within / gaps.shape[1]
    return shared / (shared + within)


def rejections(kind, n_runs):
    """Return shares of runs in which tests reject, and the correlation of folds."""
    gaps = np.array([differences(kind, seed) for seed in range(n_runs)])
    p = {"corrected": corrected_test(gaps, 1 / (N_FOLDS - 1))[0],
         "uncorrected": stats.ttest_1samp(gaps, 0, axis=1).pvalue}
    return {name: float(np.mean(values < 0.05)) for name, values in p.items()} | {
        "correlation": float(correlation(gaps))}


def main(n_runs):
    frame = pd.DataFrame({kind: rejections(kind, n_runs) for kind in KINDS}).T
    frame.insert(0, "runs", n_runs)
    print(frame)
    frame.round(4).to_csv(Path(__file__).parents[1] / "doc" / "benchmark-report"
                          / "significance.csv", index_label="contenders")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1000)
