"""The experiment: which rows train, which rows test, and the evaluation of one fold.

Training never uses the label of a test row. A transductive method, as SADD is in the
paper, uses the test rows themselves without their labels.
"""

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

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
    SADD_TABLES,
    WHOLE,
    Contender,
    LabellerClassifier,
    Whole,
)
from orangecontrib.sadd.evaluation.datasets import DataSet
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

__all__ = ["COLUMNS", "NUMBERS", "PUBLISHED", "Experiment", "evaluate_fold"]

# The paper compares all discretizers by NB, and the other classifiers on these two.
FAMILY = ("SADD", "MDLP")

#: Settings of the paper
PUBLISHED: dict[str, Any] = {
    "published": True, "k": "validation", "standardize": False, "impute": True,
    "classifiers": tuple(name for name in CLASSIFIERS if name != SADD_TABLES),
    "label_fractions": (1.0, 0.4)}

#: Columns of the results
COLUMNS = ["dataset", "repeat", "fold", "labelled", "classifier_labels",
           "discretizer", "pool", "classifier", "measure", "item", "value"]

#: Columns of the results that are numbers; the others are text
NUMBERS = {"repeat": "int64", "fold": "int64", "labelled": "float64",
           "value": "float64"}

# The label of unlabelled rows. With a single class, a discretizer could treat
# scikit-learn's -1 as another class.
UNLABELLED = np.nan


@dataclass(frozen=True)
class Experiment:
    """
    Settings of a benchmark. Settings and data determine every figure except times.

    Attributes
    ----------
    discretizers : tuple of str
        Keys of `DISCRETIZERS`.
    classifiers : tuple of str
        Keys of `CLASSIFIERS`. SADD Tables discretizes on its own.
    all_pairs : bool
        Whether each classifier is evaluated on each discretizer. By default, NB is
        evaluated on each, and other classifiers on SADD and MDLP.
    folds, repeats : int
        Repeated stratified cross-validation.
    seed : int
    label_fractions : tuple of float
        Fractions of the training rows whose label the discretizer gets.
    k, n0 : str or int, float
        Number of neighbours and N0 of SADD.
    standardize : bool
        Whether SADD standardizes attributes; the paper does not.
    impute : bool
        Whether missing values become means and modes. They are those of the training
        rows; for transductive SADD, of all rows, as in the paper.
    published : bool
        Whether significance is counted by the paper's test, and transductive SADD is
        the first of its rows.
    label_counts : tuple of int
        Numbers of labelled rows in learning curves. If there are any, each repetition
        is a random split, and classifiers as a whole replace `discretizers` and
        `classifiers`.
    rivals : bool
        Whether classifiers of scikit-learn are evaluated on the same rows.
    """

    discretizers: tuple[str, ...] = tuple(DISCRETIZERS)
    classifiers: tuple[str, ...] = tuple(CLASSIFIERS)
    all_pairs: bool = False
    folds: int = 10
    repeats: int = 1
    seed: int = 0
    label_fractions: tuple[float, ...] = (1.0,)
    k: str | int = "auto"
    n0: float = 2000.0
    standardize: bool = True
    impute: bool = False
    published: bool = False
    label_counts: tuple[int, ...] = ()
    rivals: bool = False

    def check(self, data: DataSet) -> None:
        """
        Raise a ValueError if a data set cannot be evaluated.

        Examples
        --------
        >>> from orangecontrib.sadd.evaluation.datasets import load
        >>> Experiment(folds=60).check(load("iris"))
        Traceback (most recent call last):
        ValueError: The largest class has 50 rows, fewer than the 60 folds.
        """
        facts, largest = data.facts, int(np.bincount(data.y, minlength=1).max())
        if not data.X.shape[1]:
            raise ValueError("There are no variables.")
        if facts["classes"] < 2:
            raise ValueError("There are fewer than two classes.")
        if self.label_counts and not label_numbers(data, self.label_counts):
            raise ValueError(
                f"{facts['rows']} rows of {facts['classes']} classes are too few for "
                "these --label-counts. Each class needs a labelled row, and as many "
                "training rows must stay unlabelled.")
        if not self.label_counts and largest < self.folds:
            raise ValueError(f"The largest class has {largest} rows, fewer than the "
                             f"{self.folds} folds.")

    def contenders(self, labelled: float) -> Iterator[Contender]:
        """Yield the discretizers to evaluate with a fraction of labels."""
        for name in self.discretizers:
            found = [Contender(name)]
            if DISCRETIZERS[name].uses_unlabelled:
                found.append(Contender(name, "test" if labelled == 1 else "training"))
            elif labelled < 1 and not DISCRETIZERS[name].uses_class:
                continue
            yield from reversed(found) if self.published else found

    def classifiers_of(self, discretizer: str, labelled: float) -> list[str]:
        """Return the classifiers to train on the intervals of a discretizer."""
        with_family = labelled == 1 and discretizer in FAMILY
        return [name for name in self.classifiers if name != SADD_TABLES
                and (name == "NB" or with_family or self.all_pairs)]

    def whole(self) -> list[Whole]:
        """Return the classifiers to evaluate as a whole."""
        if self.label_counts:
            return [one for one in WHOLE if self.rivals or not one.is_rival]
        chosen = {SADD_TABLES, "RNB+"} if SADD_TABLES in self.classifiers else set()
        more = {"logistic regression", "committee"} if self.rivals else set()
        return [one for one in WHOLE if "none" in one.pools and (
            one.name in chosen | more or self.rivals and one.is_rival)]

    def sadd_parameters(self, data: DataSet) -> dict[str, Any]:
        """Return the parameters of SADD for a data set."""
        return {
            "k": self.k, "n0": self.n0,
            "standardize": self.standardize, "random_state": self.seed,
            "categorical_features": data.categorical, "unlabelled_label": None,
        }


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
        yield from _rows(keys, {**probability_measures(data.y[test], proba),
                                "seconds_classify": seconds})
        for number, sums in calibration_rows(data.y[test], proba).items():
            yield from _rows(keys, sums, str(number))

    return _with_errors(keys, rows())


def _rows(keys, figures, item=""):
    return [{**keys, "measure": measure, "item": item, "value": value}
            for measure, value in figures.items()]
