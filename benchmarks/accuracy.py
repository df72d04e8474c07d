"""Accuracy of the naive Bayes family on the paper's data sets, beside what to reach.

    python benchmarks/accuracy.py [data set ...]

The benchmark of the package, with variables standardized for SADD. It is transductive,
as in the paper: the rows of the test fold are its unlabelled rows. A part of its gain
comes from its nearest neighbours. So figures without these rows ("inductive") and
figures of the k-NN that labels them are also shown. Targets are what an independent
prototype has reached; a difference of 1.5 points is allowed.

`paper/papers_data.py` describes where the data sets are.
"""

import sys
import tempfile
from pathlib import Path

from orangecontrib.sadd.evaluation.contenders import NEIGHBOURS
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.run import run_benchmark

sys.path.insert(0, str(Path(__file__).parent / "paper"))

from papers_data import FOLDER, load  # noqa: E402

ALLOWED = 1.5

# data set, classifier, discretizer, percentage to reach
TARGETS = [
    ("pendigit", "NB", "MDLP", 88.2), ("pendigit", "NB", "SADD", 88.5),
    ("pendigit", "WANBIA", "SADD", 90.1), ("pendigit", "CAWNB", "SADD", 93.8),
    ("pendigit", "RNB", "MDLP", 93.1), ("pendigit", "RNB", "SADD", 93.8),
    ("magic", "RNB", "MDLP", 83.4), ("magic", "WANBIA", "MDLP", 82.4),
    ("page_block", "RNB", "SADD", 96.8), ("wall_following", "RNB", "SADD", 98.1),
    ("spambase", "RNB", "SADD", 94.6), ("satellite", "RNB", "SADD", 86.8),
    ("opdigit", "RNB", "SADD", 96.2),
]
EXPERIMENT = Experiment(
    discretizers=("SADD", "MDLP"), classifiers=("NB", "WANBIA", "CAWNB", "RNB"),
    k="validation", impute=True)


def accuracies(names):
    """Mean accuracies in per cent, by data set, discretizer, pool and classifier."""
    data_sets = [load(FOLDER / f"{name}.csv.gz") for name in names]
    with tempfile.TemporaryDirectory() as folder:
        table, _ = run_benchmark(data_sets, EXPERIMENT, folder, jobs=2)
    keys = ["dataset", "discretizer", "pool", "classifier"]
    fits = table[table["measure"] == "accuracy"]
    return (100 * fits.groupby(keys)["value"].mean()).to_dict()


def main(names):
    if not FOLDER.is_dir():
        sys.exit(f"There is no folder {FOLDER}. Put the data sets there, or set "
                 "SADD_SHARED to the folder in which `datasets` is.")
    known = list(dict.fromkeys(name for name, *_ in TARGETS))
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"There are no targets for {', '.join(sorted(unknown))}; choose from "
                 f"{', '.join(known)}.")
    found = accuracies(names or known)
    print(f"{'':30}{'accuracy':>9}{'target':>8}{'diff.':>7}{'':8}{'inductive':>10}"
          f"{'k-NN':>7}")
    missed = 0
    for name, classifier, method, target in TARGETS:
        if names and name not in names:
            continue
        pool = "test" if method == "SADD" else "none"
        accuracy = found[name, method, pool, classifier]
        met = abs(accuracy - target) <= ALLOWED
        missed += not met
        verdict = "met" if met else "MISSED"
        line = (f"{name:15} {classifier:>6} + {method:5}{accuracy:9.2f}"
                f"{target:8.1f}{accuracy - target:+7.2f}  {verdict:6}")
        if method == "SADD":
            inductive = found[name, method, "none", classifier]
            line += f"{inductive:10.2f}{found[name, NEIGHBOURS, pool, '']:7.2f}"
        print(line)
    print(f"{missed} missed")


if __name__ == "__main__":
    main(sys.argv[1:])
