"""Results that look like those of a benchmark, made up."""

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.contenders import NEIGHBOURS
from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.protocol import COLUMNS

LEVELS = {"SADD": 85.0, "MDLP": 82.0, NEIGHBOURS: 84.0}
ATTRIBUTES = ("length", "width")


def run_of(datasets, experiment):
    """Return a description of a run."""
    data = DataSet("", np.zeros((20, 2)), np.arange(20) % 2, np.zeros(2, bool),
                   ATTRIBUTES)
    return {
        "command": "python -m orangecontrib.sadd benchmark --jobs 2",
        "started": "2026-08-01T10:00:00+00:00", "finished": "2026-08-01T12:00:00+00:00",
        "seconds": 7200.0, "jobs": 2, "computed": 2, "tasks": 2,
        "settings": vars(experiment), "versions": {"Python": "3.11.2"},
        "machine": {"cpu": "Some Processor", "cores": 2, "system": "Linux x86_64"},
        "datasets": {name: data.facts | {"digest": "0"} for name in datasets},
    }


def make(datasets=("iris", "mine"), seed=0, **settings):
    """Return a table of results, and a run."""
    experiment = Experiment(**({"folds": 3} | settings))
    rng, rows = np.random.default_rng(seed), []
    for dataset in datasets:
        for repeat, fold in np.ndindex(experiment.repeats, experiment.folds):
            hard = rng.normal(0, 2)
            for labelled in experiment.label_fractions:
                place = {"dataset": dataset, "repeat": repeat, "fold": fold,
                         "labelled": labelled, "item": ""}
                for contender in experiment.contenders(labelled):
                    rows += _rows(rng, experiment, place, contender, hard)
    return pd.DataFrame(rows, columns=COLUMNS), run_of(datasets, experiment)


def _rows(rng, experiment, place, contender, hard):
    labelled = place["labelled"]
    keys = {**place, **contender._asdict(), "classifier_labels": "all"}

    def accuracy(level_of, **more):
        level = LEVELS.get(level_of, 80.0) - 2 * (labelled < 1) + hard + rng.normal()
        found = {"accuracy": round(level / 100, 3), "seconds_classify": rng.gamma(2)}
        return [{**keys, **more, "measure": measure, "value": value}
                for measure, value in found.items()]

    rows = [{**keys, "measure": "seconds_discretize", "value": rng.gamma(2)}]
    for which in ("all", "labelled")[:1 + (labelled < 1)]:
        for classifier in experiment.classifiers_of(contender.discretizer, labelled):
            rows += accuracy(contender.discretizer, classifier=classifier,
                             classifier_labels=which)
    if labelled == 1:
        rows += [{**keys, "measure": measure, "item": name, "value": value}
                 for name in ATTRIBUTES for measure, value in
                 (("intervals", 1.0 + rng.poisson(3)), ("information", rng.random()))]
    if contender.pool != "none":
        rows += accuracy(NEIGHBOURS, discretizer=NEIGHBOURS,
                         classifier_labels="all" if labelled == 1 else "labelled")
    return rows
