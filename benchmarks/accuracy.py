"""Accuracy of the naive Bayes family on the paper's data sets, beside what to reach.

    python benchmarks/accuracy.py [data set ...]

Stratified 10-fold cross-validation, seed 0. SADD is transductive, as in the paper: the
rows of the test fold are its unlabelled rows. A part of what it gains comes from its
nearest neighbours, so the figures without these rows ("inductive") and those of plain
k-NN, which makes the pseudo-labels, stand beside. Targets are what an independent
prototype has reached; a difference of 1.5 points is allowed.

The data sets are not a part of the package: they are expected in the folder `shared`
beside the repository, or in the one that the variable SADD_SHARED names.
"""

import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from orangecontrib.sadd.core.classifiers import (
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)

SHARED = Path(os.environ.get("SADD_SHARED", Path(__file__).parents[2] / "shared"))
ALLOWED = 1.5

MODELS = {"NB": NaiveBayesClassifier, "WANBIA": WANBIAClassifier,
          "CAWNB": CAWNBClassifier, "RNB": RNBClassifier}

# data set, model, discretizer, percentage to reach
TARGETS = [
    ("pendigit", "NB", "MDLP", 88.2), ("pendigit", "NB", "SADD", 88.5),
    ("pendigit", "WANBIA", "SADD", 90.1), ("pendigit", "CAWNB", "SADD", 93.8),
    ("pendigit", "RNB", "MDLP", 93.1), ("pendigit", "RNB", "SADD", 93.8),
    ("magic", "RNB", "MDLP", 83.4), ("magic", "WANBIA", "MDLP", 82.4),
    ("page_block", "RNB", "SADD", 96.8), ("wall_following", "RNB", "SADD", 98.1),
    ("spambase", "RNB", "SADD", 94.6), ("satellite", "RNB", "SADD", 86.8),
    ("opdigit", "RNB", "SADD", 96.2),
]


def load(name):
    table = pd.read_csv(SHARED / "datasets" / f"{name}.csv.gz")
    return table.drop(columns="class"), table["class"].to_numpy(dtype=object)


def fold_accuracies(X, y, train, test, model, discretizer):
    """Give the accuracies with and without the test rows in discretization."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    classifier = MODELS[model](discretizer=discretizer)
    inductive = classifier.fit(X.iloc[train], y[train]).score(X.iloc[test], y[test])
    if discretizer != "SADD":
        return inductive, inductive
    unlabelled = y.copy()
    unlabelled[test] = None
    return classifier.fit(X, unlabelled).score(X.iloc[test], y[test]), inductive


def neighbour_accuracy(X, y, train, test):
    """Give the accuracy of k-NN, for the k that SADD has chosen."""
    unlabelled = y.copy()
    unlabelled[test] = None
    sadd = NaiveBayesClassifier("SADD").fit(X, unlabelled).discretizer_
    neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(sadd.k_))
    return neighbours.fit(X.iloc[train], y[train]).score(X.iloc[test], y[test])


def over_folds(function, X, y, *args):
    """Average what a function gives for each fold, in per cent."""
    folds = StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)
    results = Parallel(n_jobs=2)(
        delayed(function)(X, y, train, test, *args) for train, test in folds)
    return 100 * np.mean(results, axis=0)


def main(names):
    if not (SHARED / "datasets").is_dir():
        sys.exit(f"There is no folder {SHARED / 'datasets'}. Put the data sets there, "
                 "or set SADD_SHARED to the folder in which `datasets` is.")
    known = list(dict.fromkeys(name for name, *_ in TARGETS))
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"There are no targets for {', '.join(sorted(unknown))}; choose from "
                 f"{', '.join(known)}.")
    print(f"{'':30}{'accuracy':>9}{'target':>8}{'diff.':>7}{'':8}{'inductive':>10}"
          f"{'k-NN':>7}")
    missed = 0
    for name in names or known:
        X, y = load(name)
        neighbours = None
        for _, model, discretizer, target in (t for t in TARGETS if t[0] == name):
            accuracy, inductive = over_folds(
                fold_accuracies, X, y, model, discretizer)
            difference = accuracy - target
            met = abs(difference) <= ALLOWED
            missed += not met
            line = (f"{name:15} {model:>6} + {discretizer:5}{accuracy:9.2f}"
                    f"{target:8.1f}{difference:+7.2f}  {'met' if met else 'MISSED':6}")
            if discretizer == "SADD":
                if neighbours is None:
                    neighbours = over_folds(neighbour_accuracy, X, y)
                line += f"{inductive:10.2f}{neighbours:7.2f}"
            print(line, flush=True)
    print(f"{missed} missed")


if __name__ == "__main__":
    main(sys.argv[1:])
