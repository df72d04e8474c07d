"""The experiment: which rows train, which rows test, and the evaluation of one fold.

Training never uses the label of a test row. A transductive method, as SADD is in the
paper, uses the test rows themselves without their labels.
"""

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss, mutual_info_score
from sklearn.preprocessing import FunctionTransformer

from orangecontrib.sadd.core.registry import (
    CLASSIFIERS,
    DISCRETIZERS,
    make_discretizer,
)
from orangecontrib.sadd.core.types import Floats, Integers
from orangecontrib.sadd.evaluation.candidates import CANDIDATES, LabellerClassifier
from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.splits import (
    label_numbers,
    labelled_part,
    random_split,
    stratified_folds,
    stratified_order,
)

__all__ = ["COLUMNS", "NEIGHBOURS", "NUMBERS", "N_BINS", "Experiment", "Variant",
           "calibration_rows", "evaluate_fold", "information", "probability_measures"]

# The paper compares all discretizers by NB, and the other classifiers on these two.
FAMILY_METHODS = ("SADD", "MDLP")

#: Name of the labeller of SADD in the column ``method``
NEIGHBOURS = "k-NN"

#: Columns of the results
COLUMNS = ["dataset", "repeat", "fold", "labelled", "classifier_labels", "method",
           "pool", "classifier", "measure", "item", "value"]

#: Columns of the results that are numbers; the others are text
NUMBERS = {"repeat": "int64", "fold": "int64", "labelled": "float64",
           "value": "float64"}

#: Bins of the probability of the predicted class, of equal width
N_BINS = 15

# The label of unlabelled rows. With a single class, a discretizer could treat
# scikit-learn's -1 as another class.
UNLABELLED = np.nan


class Variant(NamedTuple):
    """
    A discretization method and its unlabelled rows.

    Attributes
    ----------
    method : str
        A key of `DISCRETIZERS`.
    pool : str
        Source of the unlabelled rows: "none", "test" or "training".
    """

    method: str
    pool: str = "none"


@dataclass(frozen=True)
class Experiment:
    """
    Settings of a benchmark. Settings and data determine every figure except times.

    Attributes
    ----------
    methods, classifiers : tuple of str
        Keys of `DISCRETIZERS` and `CLASSIFIERS`.
    all_pairs : bool
        Whether each classifier is evaluated on each method. By default, NB is evaluated
        on each method, and other classifiers on SADD and MDLP.
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
        Whether missing values become means and modes of all rows, as in the paper.
    label_counts : tuple of int
        Numbers of labelled rows in learning curves. If there are any, each repetition
        is a random split, and candidates replace `methods` and `classifiers`.
    rivals : bool
        Whether rivals are evaluated on the same folds.
    """

    methods: tuple[str, ...] = tuple(DISCRETIZERS)
    classifiers: tuple[str, ...] = tuple(CLASSIFIERS)
    all_pairs: bool = False
    folds: int = 10
    repeats: int = 1
    seed: int = 0
    label_fractions: tuple[float, ...] = (1.0, 0.4)
    k: str | int = "validation"
    n0: float = 2000.0
    standardize: bool = False
    impute: bool = True
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

    def variants(self, labelled: float) -> Iterator[Variant]:
        """Yield the methods to evaluate with a fraction of labels."""
        for name in self.methods:
            method = DISCRETIZERS[name]
            if method.uses_unlabelled:
                yield Variant(name, "test" if labelled == 1 else "training")
            if labelled == 1 or method.uses_class:
                yield Variant(name)

    def classifiers_of(self, method: str, labelled: float) -> list[str]:
        """Return the classifiers to train on the intervals of a method."""
        with_family = labelled == 1 and method in FAMILY_METHODS
        return [name for name in self.classifiers
                if name == "NB" or with_family or self.all_pairs]

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
    Fit and test every method and classifier on one fold, or on one random split.

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
        * ``method``, ``pool``: the discretizer, see `Variant`. For the labeller of
          SADD, ``method`` is `NEIGHBOURS`. For candidates it is empty.
        * ``classifier``: empty where a figure belongs to the discretizer alone.
        * ``measure``, ``value``: "accuracy"; for candidates also "log_loss" and
          "brier"; "intervals" and "information" (in bits, in the training rows) of a
          numeric attribute; "rows", "confidence" and "right", the sums over a bin of
          `calibration_rows`; "chosen_k"; "seconds_discretize", "seconds_classify";
          "error".
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
    """Yield rows of all methods, and of the rivals, on one fold."""
    repeat, fold = place["repeat"], place["fold"]
    train, test = stratified_folds(
        data.y, experiment.folds, experiment.seed + repeat)[fold]
    complete = data.imputed() if experiment.impute else data
    for labelled in experiment.label_fractions:
        known = labelled_part(train, data.y, labelled, [experiment.seed, repeat, fold])
        for variant in experiment.variants(labelled):
            keys = {**place, **variant._asdict(), "labelled": labelled}
            yield from _with_errors(keys, _variant_rows(
                complete, experiment, variant, known, train, test, keys))
    for candidate in CANDIDATES if experiment.rivals else ():
        if candidate.is_rival:
            yield from _candidate_rows(candidate, "none", data, experiment, train,
                                       train[:0], test, place)


def _curve_rows(data, experiment, place):
    """Yield rows of all candidates with each number of labels, on a random split."""
    seed = [experiment.seed, place["repeat"]]
    train, test = random_split(data.y, seed)
    # A row that is labelled in a small sample is labelled in each larger one.
    order = stratified_order(train, data.y, np.random.default_rng([*seed, 1]),
                             each_class_first=True)
    for n in label_numbers(data, experiment.label_counts):
        known, pool = np.sort(order[:n]), np.sort(order[n:])
        for candidate in CANDIDATES:
            for source in candidate.pools:
                yield from _candidate_rows(candidate, source, data, experiment, known,
                                           pool, test, {**place, "labelled": float(n)})


def _variant_rows(data, experiment, variant, known, train, test, keys):
    """Yield rows of a discretizer and of the classifiers on its intervals."""
    labelled = keys["labelled"]
    pool = {"none": train[:0], "test": test,
            "training": np.setdiff1d(train, known)}[variant.pool]
    y = np.concatenate([data.y[known], np.full(len(pool), UNLABELLED)])
    parameters = {"categorical_features": data.categorical}
    if DISCRETIZERS[variant.method].uses_unlabelled:
        parameters = experiment.sadd_parameters(data)
    discretizer = make_discretizer(variant.method, **parameters)
    started = time.perf_counter()
    discretizer.fit(data.X[np.concatenate([known, pool])], y)
    seconds = time.perf_counter() - started
    codes = discretizer.transform(data.X[train])
    test_codes = discretizer.transform(data.X[test])
    yield from _rows(keys, {"seconds_discretize": seconds})
    if variant.pool != "none":
        yield from _rows(keys, {"chosen_k": discretizer.k_})
    if labelled == 1:
        yield from _interval_rows(keys, discretizer, data, codes, data.y[train])
    # With few labels, the paper's classifier still gets those of all training rows.
    training = {"all": np.arange(len(train))}
    if labelled < 1:
        training["labelled"] = np.searchsorted(train, known)
    for which, rows in training.items():
        for classifier in experiment.classifiers_of(variant.method, labelled):
            model = CLASSIFIERS[classifier].make(
                FunctionTransformer(), unlabelled_label=None)
            yield from _accuracy_rows(
                {**keys, "classifier": classifier, "classifier_labels": which},
                partial(_predict, model, codes[rows], data.y[train[rows]], test_codes),
                data.y[test])
    if variant.pool != "none":
        labeller = LabellerClassifier("neighbours", parameters, k=discretizer.k_,
                                      standardize=experiment.standardize)
        yield from _accuracy_rows(
            {**keys, "method": NEIGHBOURS,
             "classifier_labels": "all" if labelled == 1 else "labelled"},
            partial(_predict, labeller, data.X[known], data.y[known], data.X[test]),
            data.y[test])


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


def _candidate_rows(candidate, source, data, experiment, known, pool, test, place):
    """Yield measures, calibration and time of a candidate, or the error."""
    keys = {**place, "classifier_labels": "labelled" if len(pool) else "all",
            "pool": source, "classifier": candidate.name}
    more = {} if source == "none" else {"unlabelled": data.X[pool]}

    def rows():
        started = time.perf_counter()
        model = candidate.make(experiment.sadd_parameters(data))
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


def information(values: Floats, y: Integers) -> float:
    """
    Compute the mutual information of an attribute and the class, in bits.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Values or codes of intervals. Rows with NaN are left out.
    y : ndarray of shape (n_rows,)
        Classes.

    Returns
    -------
    float

    Examples
    --------
    >>> round(information(np.array([0.5, 0.5, 2, 2]), np.array([0, 0, 1, 1])), 6)
    1.0
    """
    known = ~np.isnan(values)
    if not known.any():
        return 0.0
    codes = np.unique(values[known], return_inverse=True)[1]
    return float(mutual_info_score(y[known], codes) / np.log(2))


def probability_measures(y: Integers, proba: Floats) -> dict[str, float]:
    """
    Compute accuracy, log loss and Brier score of predictions.

    Parameters
    ----------
    y : ndarray of int, shape (n_rows,)
        Classes from 0.
    proba : ndarray of float, shape (n_rows, n_classes)
        Probabilities. As in scikit-learn, a true class with probability 0 costs a log
        loss of 36.

    Returns
    -------
    dict
        The Brier score is summed over classes and lies between 0 and 2.

    Examples
    --------
    >>> found = probability_measures(np.array([0, 1]), np.array([[1., 0], [0.5, 0.5]]))
    >>> {name: round(value, 3) for name, value in found.items()}
    {'accuracy': 0.5, 'log_loss': 0.347, 'brier': 0.25}
    """
    truth = np.eye(proba.shape[1])[y]
    return {
        "accuracy": float(np.mean(proba.argmax(axis=1) == y)),
        "log_loss": float(log_loss(y, proba, labels=np.arange(proba.shape[1]))),
        "brier": float(np.mean(np.sum((proba - truth) ** 2, axis=1))),
    }


def calibration_rows(y: Integers, proba: Floats) -> dict[int, dict[str, float]]:
    """
    Count rows and correct predictions by the probability of the predicted class.

    Returns
    -------
    dict
        For each bin with rows: the number of ``rows``, their summed ``confidence``, and
        the number of ``right`` predictions.

    Examples
    --------
    >>> proba = np.array([[1., 0.], [0.6, 0.4], [0.65, 0.35]])
    >>> calibration_rows(np.array([0, 1, 0]), proba)[9]
    {'rows': 2.0, 'confidence': 1.25, 'right': 1.0}
    """
    confidence = proba.max(axis=1)
    frame = pd.DataFrame({
        "rows": 1.0, "confidence": confidence,
        "right": (proba.argmax(axis=1) == y).astype(float)})
    bins = np.clip((confidence * N_BINS).astype(int), 0, N_BINS - 1)
    return frame.groupby(bins).sum().to_dict("index")
