"""CACC with the stopping rule of a MATLAB program, beside the paper's figures.

    python benchmarks/paper/cacc.py ../shared/datasets

The rule forces one cut more than that of Tsai, Lee and Yang (2008): as many cuts as
there are classes. It makes at most one interval for three rows of each class.
Accuracies of naive Bayes with 10 folds are written to
``doc/benchmark-report/cacc.csv``. `results.py` compares them with the published ones in
``doc/results.md``.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.core import CACCDiscretizer
from orangecontrib.sadd.core.methods import greedy
from orangecontrib.sadd.evaluation.experiment import PUBLISHED, Experiment
from orangecontrib.sadd.evaluation.protocol import evaluate_fold
from orangecontrib.sadd.evaluation.summaries import accuracy_table

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import papers_data  # noqa: E402

EXPERIMENT = Experiment(**PUBLISHED | {
    "discretizers": ("CACC",), "classifiers": ("NB",), "label_fractions": (1.0,)})


def cuts_by_the_other_rule(cells, min_samples=None, max_intervals=None):
    """Return the cuts of a column. Another class, without rows, forces another cut."""
    totals = greedy._class_totals(cells)
    most = totals.sum() // (3 * np.count_nonzero(totals))
    return greedy._cuts(cells, np.append(totals, 1.0), False, greedy._TOLERANCE,
                        None, max(int(most), 1))


def main(source):
    CACCDiscretizer._cuts = staticmethod(cuts_by_the_other_rule)
    found = []
    for path in papers_data.files(source):
        data = papers_data.load(path)
        with threadpool_limits(1):
            found += [evaluate_fold(data, EXPERIMENT, fold=fold)
                      for fold in range(EXPERIMENT.folds)]
        print(data.name, flush=True)
    frame = accuracy_table(pd.concat(found))[["dataset", "folds", "mean", "std"]]
    frame.round(6).to_csv(
        HERE.parents[1] / "doc" / "benchmark-report" / "cacc.csv", index=False)


if __name__ == "__main__":
    main(sys.argv[1])
