"""Compare the results of two versions of the package, bit for bit.

    python benchmarks/same_results.py --against PYTHON [--tables N] [--folder FOLDER]

PYTHON is the interpreter of an environment with the other version. Both versions fit
the same random tables, each in a process of its own, and then the data sets of a folder
of .csv.gz files whose last column is the class. The tables have ties, missing and
infinite values, extreme numbers, weights, few or many classes, and random parameters.
Nine discretizers are fitted, SADD also with unlabelled rows, and six classifiers.
SADD Tables is left out, as it is another model by now.

Printed is how many columns, or other parts, were compared, and how many of them are
equal bit for bit, equal up to 1e-9, or different. Parts that differ where also the
pseudo-labels do are counted apart: ties of neighbours follow another rule since. So
does the evidence of intervals that lack a class.
"""

import argparse
import json
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from orangecontrib.sadd import core

TOLERANCE = 1e-9

# At most so many rows of a table are for discretizers, and for classifiers
MOST_ROWS, FEW_ROWS = 2000, 150

# The evidence about more classes is not compared
MOST_CLASSES = 12

# How parts agree: bit for bit, up to rounding, not but for other pseudo-labels, or not
EQUAL, CLOSE, RELABELLED, DIFFERENT = KINDS = (
    "equal", "to 1e-9", "relabelled", "different")

CLASSIFIERS = {
    "NB": (core.NaiveBayesClassifier, {}),
    "WANBIA": (core.WANBIAClassifier, {}),
    "CAWNB": (core.CAWNBClassifier, {}),
    "AIWNB^E": (core.AIWNBClassifier, {"instance_weighting": "eager"}),
    "AIWNB^L": (core.AIWNBClassifier, {"instance_weighting": "lazy"}),
    "RNB+": (core.RNBPlusClassifier, {})}

EXTREME = [np.nan, np.inf, -np.inf, 0., -0., 5e-324, -1e-310, 1.7e308, -1.7e308, 1e17]


def random_table(random):
    """Return values, classes and weights of a random table."""
    n_rows = int(np.exp(random.uniform(0, np.log(MOST_ROWS))))
    n_columns = random.integers(1, 6)
    n_classes = random.choice([1, 2, 3, 5, 12, 300], p=[.05, .3, .3, .2, .1, .05])
    y = random.integers(0, n_classes, n_rows)
    X = random.normal(size=(n_rows, n_columns))
    X += y[:, None] * random.choice([0, .1, .5, 3], n_columns)
    for column in X.T:
        kind = random.integers(8)
        if kind < 3:
            column[:] = column.round(kind)
        elif kind == 3:
            column[:] = np.exp(random.uniform(0, 300) * column)
        elif kind == 4:
            column[:] = random.choice(column, min(3, n_rows))[
                random.integers(0, min(3, n_rows), n_rows)]
        if random.random() < .4:
            values = EXTREME if random.random() < .5 else [np.nan]
            share = random.choice([.02, .3, 1], p=[.6, .35, .05])
            strange = random.random(n_rows) < share
            column[strange] = random.choice(values, np.count_nonzero(strange))
    weights = [None, None, random.integers(0, 4, n_rows), random.random(n_rows),
               random.integers(1, 9, n_rows) / 8][random.integers(5)]
    return X, y, weights


def random_parameters(estimator, random):
    """Return values of some parameters, which every version has."""
    values = {"max_intervals": [None, None, 1, 2, 5, 40],
              "min_samples": [None, None, 1, 5, .1], "n_bins": [1, 2, 10, 300],
              "frequency": [4, 7, 30], "significance": [.001, .05, .5],
              "n0": [10, 2000, 1e6, None], "k": [1, 5, "auto", "validation"],
              "missing": ["ignore", "interval"], "min_confidence": [0, 0, .7]}
    known = estimator.get_params()
    return {name: choices[random.integers(len(choices))]
            for name, choices in values.items() if name in known}


def cases(n_tables, folder):
    """Yield name, values, classes, weights and random numbers of tables."""
    for seed in range(n_tables):
        random = np.random.default_rng(seed)
        yield f"table {seed}", *random_table(random), random
    for path in sorted(Path(folder).glob("*.csv.gz")) if folder else []:
        table = pd.read_csv(path)
        random = np.random.default_rng(0)
        rows = random.permutation(len(table))[:MOST_ROWS]
        X = table.iloc[rows, :-1].select_dtypes("number").to_numpy(dtype=float)
        y = pd.factorize(table.iloc[rows, -1], sort=True)[0]
        yield path.name.partition(".")[0], X, y, None, random


def parts_of(discretizer):
    """Return what a fitted discretizer has found, by name: a list of parts each."""
    found = {
        "cuts": [cuts.tolist() for cuts in discretizer.cut_points_],
        "counts": [None if counts is None else counts.tolist()
                   for counts in discretizer.counts_],
        "missing": discretizer.missing_counts_.tolist(),
        "information": discretizer.mutual_information_.tolist(),
        "ranges": discretizer.ranges_.tolist(),
        "JSON": [json.loads(discretizer.to_json())]}
    if hasattr(discretizer, "store_decisions"):
        found["decisions"] = [list(map(list, one)) for one in discretizer.decisions_]
    if hasattr(discretizer, "pseudo_labels_"):
        found["labels"] = [discretizer.pseudo_labels_.tolist(),
                           discretizer.pseudo_label_confidence_.tolist()]
    if len(discretizer.classes_) <= MOST_CLASSES:
        table = discretizer.interval_table()
        if "woe" in table:  # of two classes, it was once that of the first
            table["woe"] = table["woe"].abs()
        for _, rows in table.groupby("variable", sort=False):
            is_empty = (rows.filter(regex="^rows_") == 0).any(axis=None)
            part = "evidence of empty cells" if is_empty else "evidence"
            found.setdefault(part, []).append(rows.astype(object).to_numpy().tolist())
    return found


def results(n_tables, folder):
    """Yield case, method, parameters, and its parts; None if data are rejected."""
    for case, X, y, weights, random in cases(n_tables, folder):
        for name, method in core.DISCRETIZERS.items():
            parameters = random_parameters(method.make(), random)
            discretizer = method.make(**parameters)
            if hasattr(discretizer, "store_decisions"):
                discretizer.set_params(store_decisions=True)
            yield case, name, parameters, fit(discretizer, X, y, weights, parts_of)
            if discretizer.uses_unlabelled:
                some = np.where(random.random(len(y)) < .4, -1, y)
                yield (case, f"{name}, unlabelled", parameters,
                       fit(discretizer, X, some, weights, parts_of))
        X, y = X[:FEW_ROWS], y[:FEW_ROWS]
        weights = None if weights is None else weights[:FEW_ROWS]
        for name, (classifier, parameters) in CLASSIFIERS.items():
            if name != "RNB+":
                parameters = {**parameters, "discretizer": str(
                    random.choice(list(core.DISCRETIZERS)))}
            yield case, name, parameters, fit(
                classifier(**parameters), X, y, weights,
                lambda model, X=X: {"probabilities": model.predict_proba(X).tolist()})


def fit(estimator, X, y, weights, found):
    try:
        return found(estimator.fit(X, y, weights))
    except ValueError:
        return None


def distance(one, other):
    """Return the largest relative difference of numbers; infinity if others differ."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max(map(distance, one, other), default=0)
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((distance(one[key], other[key]) for key in one), default=0)
    if one == other or one != one and other != other:
        return 0
    try:
        gap = abs(one - other) / max(1, abs(one))
    except TypeError:
        return np.inf
    return gap if gap == gap else np.inf


def compare(ours, theirs):
    """Count how parts agree, by method and part, and list the cases that differ."""
    agreement, different = {}, {}
    for line, other_line in zip(ours, theirs, strict=True):
        case, name, parameters, found = json.loads(line)
        *same_case, other = json.loads(other_line)
        if same_case != [case, name, parameters]:
            sys.exit(f"The versions have fitted other cases: {case}, {name}")
        found, other = ({"rejected": ["yes"]} if parts is None else parts
                        for parts in (found, other))
        relabelled = distance(found.get("labels"), other.get("labels")) > TOLERANCE
        for part in sorted(found.keys() | other.keys()):
            one, two = found.get(part, []), other.get(part, [])
            one, two = one + [None] * (len(two) - len(one)), two + [""] * (
                len(one) - len(two))
            for gap in map(distance, one, two):
                kind = EQUAL if gap == 0 else CLOSE if gap <= TOLERANCE \
                    else RELABELLED if relabelled else DIFFERENT
                agreement.setdefault((name, part), Counter())[kind] += 1
                if kind == DIFFERENT:
                    different.setdefault((name, part), {})[case] = parameters
    return agreement, different


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", metavar="PYTHON")
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--folder", help="data sets, as .csv.gz")
    parser.add_argument("--results", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.results:
        warnings.simplefilter("ignore")
        for result in results(args.tables, args.folder):
            print(json.dumps(result, default=str), flush=True)
        return
    command = [__file__, "--results", f"--tables={args.tables}",
               *([f"--folder={args.folder}"] if args.folder else [])]
    processes = [subprocess.Popen([python, *command], stdout=subprocess.PIPE, text=True)
                 for python in (sys.executable, args.against)]
    agreement, different = compare(*(process.stdout for process in processes))
    if any(process.wait() for process in processes):
        sys.exit("A version has failed.")
    print(f"{'':19}{'':24}{'compared':>10}" + "".join(f"{kind:>12}" for kind in KINDS))
    for (name, part), counter in sorted(agreement.items()):
        print(f"{name:19}{part:24}{counter.total():10}"
              + "".join(f"{counter[kind]:12}" for kind in KINDS))
    for (name, part), found in different.items():
        print(f"\n{name}, {part}: {len(found)} cases, of these")
        for case, parameters in list(found.items())[:3]:
            print(f"    {case}, {parameters}")


if __name__ == "__main__":
    main()
