"""The evaluation of one fold: which rows train, and which rows test.

Training never uses the label of a test row. A transductive method, as SADD is in the
paper, uses the test rows themselves without their labels.
"""

import time
import warnings
from functools import partial

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import FunctionTransformer

from orangecontrib.sadd.core.registry import (
    CLASSIFIERS,
    DISCRETIZERS,
    make_discretizer,
)
from orangecontrib.sadd.evaluation.contenders import (
    NEIGHBOURS,
    LabellerClassifier,
)
from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.measures import (
    calibration_rows,
    information,
    probability_measures,
)
from orangecontrib.sadd.evaluation.splits import (
    label_numbers,
    labelled_part,
    random_split,
    stratified_folds,
    stratified_order,
)

__all__ = ["COLUMNS", "NUMBERS", "evaluate_fold"]

#: Columns of the results
COLUMNS = ["dataset", "repeat", "fold", "labelled", "classifier_labels",
           "discretizer", "pool", "classifier", "measure", "item", "value"]

#: Columns of the results that are numbers; the others are text
NUMBERS = {"repeat": "int64", "fold": "int64", "labelled": "float64",
           "value": "float64"}

# The label of unlabelled rows. With a single class, a discretizer could treat
# scikit-learn's -1 as another class.
UNLABELLED = np.nan


def evaluate_fold(data: DataSet, experiment: Experiment, repeat: int = 0, fold: int = 0
                  ) -> pd.DataFrame:
    """
    Fit and test every contender on one fold, or on one random split.

    Parameters
    ----------
    data : DataSet
    experiment : Experiment
    repeat, fold : int

    Returns
    -------
    DataFrame
        A row for each figure, with the columns `COLUMNS`.

        * ``dataset``, ``repeat``, ``fold``.
        * ``labelled``: fraction of the training rows with a label for the discretizer.
          In learning curves, the number of labelled rows.
        * ``classifier_labels``: "all" if the classifier gets the labels of all training
          rows, as in the paper. "labelled" if it gets the labels of the discretizer.
        * ``discretizer``, ``pool``, ``classifier``: see `Contender`.
        * ``measure``, ``value``: "accuracy"; for classifiers as a whole also
          "log_loss" and "brier"; "intervals" and "information" (in bits, in the
          training rows) of a numeric attribute; "rows", "confidence" and "right", the
          sums over a bin of `calibration_rows`; "chosen_k"; "seconds_discretize",
          "seconds_classify"; "error".
        * ``item``: name of the attribute, number of the bin, or text of the error.
    """
    place = dict.fromkeys(COLUMNS, "") | {
        "dataset": data.name, "repeat": repeat, "fold": fold, "labelled": 1.0,
        "classifier_labels": "all"}
    evaluate = _curve_rows if experiment.label_counts else _fold_rows
    rows = _with_errors(place, evaluate(data, experiment, place))
    return pd.DataFrame(rows, columns=COLUMNS).astype(NUMBERS)


def _with_errors(keys, rows):
    """Yield rows; if they raise an exception, the last row has it in one line."""
    try:
        yield from rows
    except Exception as error:
        text = f"{type(error).__name__}: {' '.join(str(error).split())}"
        yield {**keys, "measure": "error", "item": text, "value": np.nan}


def _fold_rows(data, experiment, place):
    """Yield rows of all contenders on one fold."""
    repeat, fold = place["repeat"], place["fold"]
    train, test = stratified_folds(
        data.y, experiment.folds, experiment.seed + repeat)[fold]
    for labelled in experiment.label_fractions:
        known = labelled_part(train, data.y, labelled, [experiment.seed, repeat, fold])
        for contender in experiment.contenders(labelled):
            keys = {**place, **contender._asdict(), "labelled": labelled}
            yield from _with_errors(keys, _discretizer_rows(
                data, experiment, known, train, test, keys))
    for whole in experiment.whole():
        yield from _whole_rows(whole, "none", data, experiment, train, train[:0], test,
                               place)


def _curve_rows(data, experiment, place):
    """Yield rows of all classifiers with each number of labels, on a random split."""
    seed = [experiment.seed, place["repeat"]]
    train, test = random_split(data.y, seed)
    # A row that is labelled in a small sample is labelled in each larger one.
    order = stratified_order(train, data.y, np.random.default_rng([*seed, 1]),
                             each_class_first=True)
    for n in label_numbers(data, experiment.label_counts):
        known, pool = np.sort(order[:n]), np.sort(order[n:])
        for whole in experiment.whole():
            for source in whole.pools:
                yield from _whole_rows(whole, source, data, experiment, known, pool,
                                       test, {**place, "labelled": float(n)})


def _discretizer_rows(data, experiment, known, train, test, keys):
    """Yield rows of a discretizer and of the classifiers on its intervals."""
    name, source, labelled = keys["discretizer"], keys["pool"], keys["labelled"]
    pool = {"none": train[:0], "test": test,
            "training": np.setdiff1d(train, known)}[source]
    inductive = data.imputed(train) if experiment.impute else data
    # Only what is called transductive may see test rows.
    seen = data.imputed() if experiment.impute and source == "test" else inductive
    parameters = {"categorical_features": data.categorical}
    if DISCRETIZERS[name].uses_unlabelled:
        parameters = experiment.sadd_parameters(data)
    discretizer = make_discretizer(name, **parameters)
    started = time.perf_counter()
    discretizer.fit(seen.X[np.concatenate([known, pool])], np.concatenate(
        [data.y[known], np.full(len(pool), UNLABELLED)]))
    seconds = time.perf_counter() - started
    codes, test_codes = map(discretizer.transform, (seen.X[train], seen.X[test]))
    yield from _rows(keys, {"seconds_discretize": seconds})
    if source != "none":
        yield from _rows(keys, {"chosen_k": discretizer.k_})
    if labelled == 1:
        yield from _interval_rows(keys, discretizer, data, codes, data.y[train])
    # With few labels, the paper's classifier still gets those of all training rows.
    training = {"all": np.arange(len(train))}
    if labelled < 1:
        training["labelled"] = np.searchsorted(train, known)
    for which, rows in training.items():
        for classifier in experiment.classifiers_of(name, labelled):
            model = CLASSIFIERS[classifier].make(
                FunctionTransformer(), unlabelled_label=None)
            yield from _accuracy_rows(
                {**keys, "classifier": classifier, "classifier_labels": which},
                partial(_predict, model, codes[rows], data.y[train[rows]], test_codes),
                data.y[test])
    if source != "none":
        labeller = LabellerClassifier("neighbours", parameters, k=discretizer.k_,
                                      standardize=experiment.standardize)
        yield from _accuracy_rows(
            {**keys, "discretizer": NEIGHBOURS,
             "classifier_labels": "all" if labelled == 1 else "labelled"},
            partial(_predict, labeller, inductive.X[known], data.y[known],
                    inductive.X[test]), data.y[test])


def _predict(model, X, y, X_test):
    with warnings.catch_warnings():
        # A limited number of iterations is part of the published method.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y).predict(X_test)


def _accuracy_rows(keys, predict, y):
    """Yield accuracy and time of predictions, or the error."""
    def rows():
        started = time.perf_counter()
        accuracy = float(np.mean(predict() == y))
        yield from _rows(keys, {"accuracy": accuracy,
                                "seconds_classify": time.perf_counter() - started})

    return _with_errors(keys, rows())


def _interval_rows(keys, discretizer, data, codes, y):
    """Yield numbers of intervals, and their information, of numeric attributes."""
    for j in np.flatnonzero(~data.categorical):
        # With a pool, the discretizer's own figure counts pseudo-labels as labels.
        bits = (discretizer.mutual_information_[j] if keys["pool"] == "none"
                else information(codes[:, j], y))
        # Rounded, so that it is the same on every machine
        yield from _rows(keys, {"intervals": float(discretizer.n_intervals_[j]),
                                "information": round(max(float(bits), 0.0), 6)},
                         data.attributes[j])


def _whole_rows(whole, source, data, experiment, known, pool, test, place):
    """Yield measures, calibration and time of a classifier, or the error."""
    keys = {**place, "classifier_labels": "labelled" if len(pool) else "all",
            "pool": source, "classifier": whole.name}
    more = {} if source == "none" else {"unlabelled": data.X[pool]}

    def rows():
        started = time.perf_counter()
        model = whole.make(experiment.sadd_parameters(data))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(data.X[known], data.y[known], **more)
        found = model.predict_proba(data.X[test])
        seconds = time.perf_counter() - started
        # A class without a labelled row has the probability 0.
        proba = np.zeros((len(test), int(data.y.max()) + 1))
        proba[:, model.classes_] = found
        # Those of GaussianNB add up to 1 only roughly.
        proba /= proba.sum(axis=1, keepdims=True)
        yield from _rows(keys, {**probability_measures(data.y[test], proba),
                                "seconds_classify": seconds})
        for number, sums in calibration_rows(data.y[test], proba).items():
            yield from _rows(keys, sums, str(number))

    return _with_errors(keys, rows())


def _rows(keys, figures, item=""):
    return [{**keys, "measure": measure, "item": item, "value": value}
            for measure, value in figures.items()]
