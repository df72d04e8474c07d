"""SADD Tables beside other classifiers on the paper's data sets of up to 7,000 rows.

    python benchmarks/smooth_tables.py measure ample|few [--models NAME ...]
    python benchmarks/smooth_tables.py report ample|few

`ample` labels all rows and cross-validates (10 folds). `few` draws 10, 30 and 100
labels (with at least one row of each class, ten draws each) and a pool of up to 600
unlabelled rows. It predicts other rows, which no model has seen. Measures are accuracy
in points, log loss (probabilities below 1e-6 count as that), calibration error of the
predicted class (10 bins, in points), and CPU seconds of fitting.

`measure` writes a file for each model and data set to the folder that the variable
SADD_MEASURED names, by default ``measured`` beside the repository. Splits that are
there are not measured again, so delete a folder to measure its model again. `report`
averages the splits that all models of a table share, and writes the averages to
``doc/benchmark-report``. Then `results.py` writes the tables of ``doc/results.md``.

The data sets are not a part of the package: they are expected in the folder `shared`
beside the repository, or in the one that the variable SADD_SHARED names. EBM needs the
extra bench of this package.
"""

import argparse
import os
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core import (
    EqualFrequencyDiscretizer,
    NaiveBayesClassifier,
    RNBPlusClassifier,
    SADDDiscretizer,
    SADDTablesClassifier,
)

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("SADD_SHARED", ROOT.parent / "shared"))
MEASURED = Path(os.environ.get("SADD_MEASURED", ROOT.parent / "measured"))
MOST_ROWS = 7_000
MOST_POOL = 600
MOST_TEST_ROWS = 2_000
N_SPLITS = 10
LABEL_COUNTS = (10, 30, 100)
MEASURES = ["accuracy", "log loss", "calibration", "seconds"]
OURS = "SADD Tables"


def numbers():
    """Return a transformer to standardized columns and one-hot categories."""
    return make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()),
         make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"),
         make_column_selector(dtype_exclude="number")), sparse_threshold=0)


class Encoded:
    """A classifier of scikit-learn, or the mean of several, on standardized columns."""

    def __init__(self, *members):
        self.members = members

    def fit(self, X, y, **_):
        self.numbers = numbers().fit(X)
        for member in self.members:
            member.fit(self.numbers.transform(X), y)
        self.classes_ = self.members[0].classes_
        return self

    def predict_proba(self, X):
        X = self.numbers.transform(X)
        return np.mean([member.predict_proba(X) for member in self.members], axis=0)


class SemiSupervised(Encoded):
    """A semi-supervised classifier of scikit-learn on standardized columns."""

    def fit(self, X, y, pool):
        self.numbers, (member,) = numbers().fit(pd.concat((X, pool))), self.members
        self.classes_, codes = np.unique(y, return_inverse=True)
        codes = np.append(codes, np.full(len(pool), -1))
        member.fit(self.numbers.transform(pd.concat((X, pool))), codes)
        return self

    def predict_proba(self, X):
        # Rows without a labelled neighbour have no probabilities.
        return np.nan_to_num(super().predict_proba(X), nan=1 / len(self.classes_))


class SADDLogistic:
    """Logistic regression on one-hot intervals; SADD uses the pool."""

    def fit(self, X, y, pool=None):
        labels = y
        if pool is not None:
            X = pd.concat((X, pool))
            labels = np.append(y.astype(object), [None] * len(pool))
        self.sadd = SADDDiscretizer(
            categorical_features="from_dtype", encode="onehot").fit(X, labels)
        self.model = LogisticRegression(max_iter=1000).fit(
            self.sadd.transform(X[:len(y)]), y)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(self.sadd.transform(X))


class Ours:
    """A classifier of this package."""

    def __init__(self, classifier):
        self.classifier = classifier

    def fit(self, X, y, pool=None):
        self.classifier.fit(X, y, unlabelled=pool)
        self.classes_ = self.classifier.classes_
        return self

    def predict_proba(self, X):
        return self.classifier.predict_proba(X)


class Boosted:
    """EBM, which reads a data frame as it is."""

    def __init__(self, **parameters):
        from interpret.glassbox import ExplainableBoostingClassifier
        self.ebm = ExplainableBoostingClassifier(
            n_jobs=1, random_state=0, **parameters)

    def fit(self, X, y, **_):
        self.ebm.fit(X, y)
        self.classes_ = self.ebm.classes_
        return self

    def predict_proba(self, X):
        return self.ebm.predict_proba(X)


def logistic_regression():
    return LogisticRegression(max_iter=1000)


def sadd_tables():
    return Ours(SADDTablesClassifier())


# A function that makes each model, and whether it gets the pool
MODELS = {
    OURS: (sadd_tables, True),
    f"{OURS}, labelled rows": (sadd_tables, False),
    f"{OURS}, no pairs": (lambda: Ours(SADDTablesClassifier(pairs=0)), True),
    f"{OURS}, 20 quantiles": (
        lambda: Ours(SADDTablesClassifier(EqualFrequencyDiscretizer(20))), True),
    "RNB+": (lambda: Ours(RNBPlusClassifier()), True),
    "RNB+, labelled rows": (lambda: Ours(RNBPlusClassifier()), False),
    "naive Bayes, SADD": (
        lambda: Ours(NaiveBayesClassifier(SADDDiscretizer())), True),
    "naive Bayes, MDLP": (lambda: Ours(NaiveBayesClassifier("MDLP")), False),
    "SADD, logistic regression": (SADDLogistic, True),
    "logistic regression": (lambda: Encoded(logistic_regression()), False),
    "self-training": (lambda: SemiSupervised(
        SelfTrainingClassifier(logistic_regression())), True),
    "label spreading": (lambda: SemiSupervised(LabelSpreading(kernel="knn")), True),
    "committee": (lambda: Encoded(
        logistic_regression(), ExtraTreesClassifier(random_state=0)), False),
    "random forest": (
        lambda: Encoded(RandomForestClassifier(random_state=0)), False),
    "boosting": (
        lambda: Encoded(HistGradientBoostingClassifier(random_state=0)), False),
    "EBM": (Boosted, False),
    "EBM, no interactions": (lambda: Boosted(interactions=0), False),
}
NEED_POOL = ("self-training", "label spreading")
# Measured on a subset of the data sets, for a table of its own
SLOW = (f"{OURS}, 20 quantiles", "EBM", "EBM, no interactions")


def measured(name, train, pool, test):
    """Return the measures of one fit of a model."""
    (X, y), (X_test, y_test) = train, test
    make, uses_pool = MODELS[name]
    model, given = make(), {"pool": pool} if uses_pool and pool is not None else {}
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


def ample_splits(y):
    """Yield the number of labels and of the split, rows of training, pool and test."""
    folds = StratifiedKFold(N_SPLITS, shuffle=True, random_state=0)
    for number, (train, test) in enumerate(folds.split(y, y)):
        yield "all", number, train, None, test


def few_splits(y):
    """Yield the same for few labels."""
    classes, codes = np.unique(y, return_inverse=True)
    for draw in range(N_SPLITS):
        order = np.random.default_rng(draw).permutation(len(y))
        first = np.unique(codes[order], return_index=True)[1]
        order = np.append(order[first], np.delete(order, first))
        for n_labels in LABEL_COUNTS:
            if n_labels >= len(classes):
                rest = order[n_labels:]
                pool = rest[:min(MOST_POOL, len(rest) // 2)]
                yield (str(n_labels), draw, order[:n_labels], pool,
                       rest[len(pool):][:MOST_TEST_ROWS])


SPLITS = {"ample": ample_splits, "few": few_splits}


def measure(kind, model, data_set, n_splits):
    """Measure the splits of a data set that are not in the file of the model."""
    path = MEASURED / kind / model / f"{data_set}.csv"
    table = pd.read_csv(SHARED / "datasets" / f"{data_set}.csv.gz")
    frame, y = table.drop(columns="class"), table["class"].to_numpy(str)
    done = set()
    if path.exists():
        known = pd.read_csv(path, dtype={"labels": str})
        done = set(zip(known["labels"], known["split"], strict=True))
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8") as file:
        if not done:
            print("labels,split," + ",".join(MEASURES), file=file, flush=True)
        for labels, split, train, pool, test in SPLITS[kind](y):
            if split < n_splits and (labels, split) not in done:
                found = measured(model, (frame.iloc[train], y[train]),
                                 None if pool is None else frame.iloc[pool],
                                 (frame.iloc[test], y[test]))
                print(labels, split, *found, sep=",", file=file, flush=True)


def models_of(kind):
    """Return the models of a table, without those that take long."""
    names = [name for name in MODELS if name not in SLOW]
    return names if kind == "few" else [
        name for name in names
        if name not in NEED_POOL and not name.endswith("labelled rows")]


def read(kind, models):
    """Return means of data sets, over the splits that all these models share."""
    parts = [pd.read_csv(path, dtype={"labels": str}).assign(
        model=model, dataset=path.stem)
        for model in models for path in sorted((MEASURED / kind / model).glob("*.csv"))
        if path.stat().st_size]
    fits, keys = pd.concat(parts), ["dataset", "labels", "split"]
    shared = fits.groupby(keys)["model"].transform("nunique") == len(models)
    groups = fits[shared].groupby(["labels", "model", "dataset"])
    means = groups[MEASURES].mean()
    means.insert(0, "splits", groups.size())
    return means.reset_index()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["measure", "report"])
    parser.add_argument("kind", choices=list(SPLITS))
    parser.add_argument("--models", nargs="+", choices=list(MODELS), metavar="NAME")
    parser.add_argument("--sets", nargs="+", metavar="NAME")
    parser.add_argument("--splits", type=int, default=N_SPLITS, metavar="N",
                        help="the first N folds or draws")
    args = parser.parse_args()
    models = args.models or models_of(args.kind)
    if args.command == "measure":
        warnings.simplefilter("ignore")
        sizes = pd.read_csv(SHARED / "datasets" / "MANIFEST.csv", index_col="name")
        names = args.sets or sizes.index[sizes["rows"] <= MOST_ROWS]
        with threadpool_limits(1):
            for name in names:
                for model in models:
                    measure(args.kind, model, name, args.splits)
        return
    means = read(args.kind, models)
    suffix = "-ebm" if set(models) & set(SLOW) else ""
    means.round(5).to_csv(
        ROOT / "doc" / "benchmark-report" / f"sadd-tables-{args.kind}{suffix}.csv",
        index=False)


if __name__ == "__main__":
    main()
