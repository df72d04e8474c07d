"""SADD Tables beside its rivals on the paper's data sets of up to 7,000 rows.

    python benchmarks/smooth_tables.py ample [data set ...]
    python benchmarks/smooth_tables.py few [data set ...]

`ample` labels all rows and cross-validates (10 folds). `few` draws 10, 30 and 100
labels (with at least one row of each class, ten draws each) and a pool of up to 600
unlabelled rows. It predicts other rows, which no model has seen. For each model it
prints the mean over data sets, and the mean difference of SADD Tables from it, with a
95 % interval over data sets (bootstrap). Measures are accuracy in points, log loss
(probabilities below 1e-6 count as that), calibration error of the predicted class (10
bins, in points), and CPU seconds of fitting.

The data sets are not a part of the package: they are expected in the folder `shared`
beside the repository, or in the one that the variable SADD_SHARED names.
"""

import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from orangecontrib.sadd.core import (
    EqualFrequencyDiscretizer,
    RNBPlusClassifier,
    SADDDiscretizer,
    SADDTablesClassifier,
)

SHARED = Path(os.environ.get("SADD_SHARED", Path(__file__).parents[2] / "shared"))
MOST_ROWS = 7_000
MOST_POOL = 600
N_FOLDS, N_DRAWS = 10, 10
LABEL_COUNTS = (10, 30, 100)
MEASURES = ("accuracy", "log loss", "calibration", "seconds")


def numbers(frame):
    """Return a transformer to standardized columns and one-hot categories."""
    return make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()),
         make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"),
         make_column_selector(dtype_exclude="number")), sparse_threshold=0)


class SADDLogistic:
    """Logistic regression on one-hot intervals; SADD uses the pool."""

    def fit(self, X, y, unlabelled=None):
        labels = y
        if unlabelled is not None:
            X = pd.concat((X, unlabelled))
            labels = np.append(y.astype(object), [None] * len(unlabelled))
        self.sadd = SADDDiscretizer(
            categorical_features="from_dtype", encode="onehot").fit(X, labels)
        self.model = LogisticRegression(max_iter=1000).fit(
            self.sadd.transform(X[:len(y)]), y)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(self.sadd.transform(X))


def models(frame):
    """Return the models by name; those with True use the pool."""
    twenty = EqualFrequencyDiscretizer(20)
    return {
        "SADD Tables": (SADDTablesClassifier(), True),
        "SADD Tables, 20 quantiles": (SADDTablesClassifier(twenty), True),
        "SADD Tables, no pool": (SADDTablesClassifier(), False),
        "RNB+": (RNBPlusClassifier(), True),
        "logistic regression": (make_pipeline(
            numbers(frame), LogisticRegression(max_iter=1000)), False),
        "SADD -> logistic regression": (SADDLogistic(), True),
        "forest": (make_pipeline(
            numbers(frame), RandomForestClassifier(random_state=0)), False),
        "boosting": (make_pipeline(
            numbers(frame), HistGradientBoostingClassifier(random_state=0)), False),
    }


def evaluate(model, uses_pool, train, pool, test):
    """Return the measures of one fit."""
    (X, y), (X_test, y_test) = train, test
    given = {"unlabelled": pool} if uses_pool and pool is not None else {}
    start = time.process_time()
    model.fit(X, y, **given)
    seconds = time.process_time() - start
    proba = np.clip(model.predict_proba(X_test), 1e-6, 1)
    best = proba.argmax(axis=1)
    right = model.classes_[best] == y_test
    place = np.searchsorted(model.classes_, y_test)
    confidence = proba[np.arange(len(best)), best]
    bins = np.minimum((10 * confidence).astype(int), 9)
    gaps = np.bincount(bins, confidence - right, 10)
    return (100 * right.mean(), -np.log(proba[np.arange(len(best)), place]).mean(),
            100 * np.abs(gaps).sum() / len(right), seconds)


def ample_splits(frame, y):
    """Yield the number of labels, rows of training, pool and test."""
    for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(
            frame, y):
        yield "all", train, None, test


def few_splits(frame, y):
    """Yield the same for few labels."""
    classes, codes = np.unique(y, return_inverse=True)
    for n_labels in LABEL_COUNTS:
        if n_labels < len(classes):
            continue
        for draw in range(N_DRAWS):
            order = np.random.default_rng(draw).permutation(len(y))
            first = np.unique(codes[order], return_index=True)[1]
            order = np.append(order[first], np.delete(order, first))
            rest = order[n_labels:]
            pool = rest[:min(MOST_POOL, len(rest) // 2)]
            yield n_labels, order[:n_labels], pool, rest[len(pool):][:2000]


def run(name, splits):
    """Return a row for each fit on a data set."""
    table = pd.read_csv(SHARED / "datasets" / f"{name}.csv.gz")
    frame, y = table.drop(columns="class"), table["class"].to_numpy(str)
    found = []
    for n_labels, train, pool, test in splits(frame, y):
        for title, (model, uses_pool) in models(frame).items():
            if pool is None and title == "SADD Tables, no pool":
                continue
            measures = evaluate(
                model, uses_pool, (frame.iloc[train], y[train]),
                None if pool is None else frame.iloc[pool],
                (frame.iloc[test], y[test]))
            found.append((name, n_labels, title, *measures))
    return found


def report(fits):
    """Print means over data sets, and differences of SADD Tables."""
    by_set = fits.groupby(["labels", "model", "dataset"], sort=False)[
        list(MEASURES)].mean()
    random = np.random.default_rng(0)
    for n_labels in fits["labels"].unique():
        chosen = by_set.loc[n_labels]
        ours = chosen.loc["SADD Tables"]
        print(f"\n{n_labels} labels, {len(ours)} data sets")
        for title in fits["model"].unique():
            if title not in chosen.index:
                continue
            means = chosen.loc[title].mean()
            text = (f"{title:28}{means['accuracy']:6.1f}{means['log loss']:7.3f}"
                    f"{means['calibration']:6.1f}{means['seconds']:8.3f}")
            if title != "SADD Tables":
                gaps = (ours - chosen.loc[title])[["accuracy", "log loss"]].to_numpy()
                draws = gaps[random.integers(len(gaps), size=(2000, len(gaps)))].mean(1)
                low, high = np.percentile(draws, [2.5, 97.5], axis=0)
                mean = gaps.mean(axis=0)
                text += (f"   {mean[0]:+5.1f} [{low[0]:+.1f}, {high[0]:+.1f}]"
                         f"   {mean[1]:+.3f} [{low[1]:+.3f}, {high[1]:+.3f}]")
            print(text)


def main(kind, names):
    warnings.simplefilter("ignore")
    sizes = pd.read_csv(SHARED / "datasets" / "MANIFEST.csv", index_col="name")["rows"]
    names = names or sizes.index[sizes <= MOST_ROWS].tolist()
    splits = {"ample": ample_splits, "few": few_splits}[kind]
    fits = []
    for name in names:
        fits += run(name, splits)
        print(name, end=" ", flush=True, file=sys.stderr)
    fits = pd.DataFrame(fits, columns=["dataset", "labels", "model", *MEASURES])
    if output := os.environ.get("SADD_OUTPUT"):
        fits.to_csv(output, index=False)
    print(f"{'':28}{'acc.':>6}{'log l.':>7}{'cal.':>6}{'sec.':>8}"
          "   SADD Tables less it: accuracy, log loss")
    report(fits)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("ample", "few"):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
