"""One fold of a cross-validation: every method and classifier, fitted and tested.

Training never sees the label of a test row. It may see the row itself, unlabelled, if
a method is transductive, as SADD is in the paper.
"""

import time
import warnings
from dataclasses import asdict

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.cluster import contingency_matrix
from sklearn.preprocessing import FunctionTransformer

from orangecontrib.sadd.core.pseudolabels.labellers import Labeller
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.core.types import Floats, Integers
from orangecontrib.sadd.evaluation.candidates import candidates_of, evaluate_candidate
from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.experiment import (
    FAMILY,
    Experiment,
    Variant,
    label_numbers,
    labelled_part,
    random_split,
    stratified_folds,
    stratified_order,
)
from orangecontrib.sadd.evaluation.resulttables import ResultTables

__all__ = ["NEIGHBOURS", "evaluate_fold", "information", "n_fits"]

# The label of rows whose class is not known. scikit-learn's -1 would not do: with one
# other class, a discretizer could take it for a class.
UNLABELLED = np.nan

# The "method" of the k-NN that makes the pseudo-labels
NEIGHBOURS = "k-NN"


def n_fits(data: DataSet, experiment: Experiment) -> int:
    """Return the number of fits in a fold, or in a random split."""
    n_candidates = len(candidates_of(experiment))
    if experiment.labels:
        return n_candidates * len(label_numbers(data, experiment.labels))
    return n_candidates + experiment.n_fits


def evaluate_fold(
    data: DataSet, experiment: Experiment, repeat: int = 0, fold: int = 0
) -> ResultTables:
    """
    Fit and test every method and classifier on one fold, or on one random split.

    Parameters
    ----------
    data : DataSet
    experiment : Experiment
    repeat, fold : int
        Which fold of which repetition.

    Returns
    -------
    ResultTables
        In an order that depends on the experiment only. A method or classifier that
        fails leaves an error in its rows, and does not stop the others.
    """
    place = {"dataset": data.name, "repeat": repeat, "fold": fold}
    if experiment.labels:
        return _evaluate_curves(data, experiment, place)
    train, test = stratified_folds(
        data.y, experiment.folds, experiment.seed + repeat)[fold]
    complete = data.imputed() if experiment.impute else data
    fits, attributes = [], []
    for labelled in experiment.labelled:
        seed = [experiment.seed, repeat, fold]
        known = labelled_part(train, data.y, labelled, seed)
        work = _Work(complete, experiment, {**place, "labelled": labelled}, known,
                     train, test)
        for variant in experiment.variants(labelled):
            work.evaluate(variant)
        fits += work.fits
        attributes += work.attributes
    found, bins = _evaluate_candidates(
        data, experiment, {**place, "labelled": 1.0}, train, train[:0], test)
    return ResultTables.of([*fits, *found], attributes, bins)


def _evaluate_curves(data, experiment, place):
    """Test every candidate with each number of labels, on a random split."""
    seed = [experiment.seed, place["repeat"]]
    train, test = random_split(data.y, seed)
    # The rows labelled first are labelled in all numbers.
    order = stratified_order(train, data.y, np.random.default_rng([*seed, 1]),
                             each_class_first=True)
    fits, bins = [], []
    for n in label_numbers(data, experiment.labels):
        known, pool = np.sort(order[:n]), np.sort(order[n:])
        for part, whole in zip(_evaluate_candidates(
            data, experiment, {**place, "labelled": n}, known, pool, test
        ), (fits, bins), strict=True):
            whole += part
    return ResultTables.of(fits, [], bins)


def _evaluate_candidates(data, experiment, place, known, pool, test):
    """Return the rows of results of all candidates, and those of their bins."""
    fits, bins = [], []
    for candidate in candidates_of(experiment):
        keys = {**place, "classifier_labels": "labelled" if len(pool) else "all",
                "method": "", "pool": candidate.pool, "k": "", "n0": np.nan,
                "classifier": candidate.name}
        try:
            figures, found = evaluate_candidate(
                candidate, data, experiment, known, pool, test)
        except Exception as error:
            figures, found = _failure(error), []
        fits.append({**keys, "seconds_discretize": 0.0, **figures})
        bins += [{**keys, **row} for row in found]
    return fits, bins


class _Work:
    """The work on a fold with one fraction of labels, and the rows of results."""

    def __init__(self, data, experiment, place, known, train, test):
        self.data, self.experiment, self.place = data, experiment, place
        self.known, self.train, self.test = known, train, test
        self.labelled = place["labelled"]
        # The rows that train a classifier. With few labels, the paper's classifier
        # still has them all; in practice it has as many as the discretizer.
        self.training = {"all": train}
        if self.labelled < 1:
            self.training["labelled"] = known
        self.fits, self.attributes = [], []

    def evaluate(self, variant: Variant) -> None:
        """Discretize by a method, and classify."""
        k = "" if variant.k is None else str(variant.k)
        keys = {**self.place, **asdict(variant), "k": k}
        classifiers = list(self.experiment.classifiers_of(variant, self.labelled))
        started = time.perf_counter()
        try:
            discretizer = self._discretize(variant)
            seconds = time.perf_counter() - started
            attributes = self._attributes(keys, discretizer)
        except Exception as error:
            self.fits += [
                {**keys, "classifier": classifier, "classifier_labels": labels,
                 **_failure(error)}
                for classifier in classifiers for labels in self.training
            ]
            return
        self.attributes += attributes
        keys |= {"chosen_k": getattr(discretizer, "k_", None),
                 "seconds_discretize": seconds}
        test_codes = discretizer.transform(self.data.X[self.test])
        for labels, rows in self.training.items():
            codes = discretizer.transform(self.data.X[rows])
            for classifier in classifiers:
                self.fits.append({
                    **keys, "classifier": classifier, "classifier_labels": labels,
                    **self._classify(classifier, codes, rows, test_codes)})
        if self.experiment.with_neighbours(variant):
            self.fits.append({**keys, **self._neighbours(variant.pool, discretizer)})

    def _discretize(self, variant):
        rows, y = self.known, self.data.y[self.known].astype(float)
        if variant.pool != "none":
            # Rows of a data set are distinct, even if their values are not.
            pool = self.test
            if variant.pool == "training":
                pool = np.setdiff1d(self.train, self.known)
            rows = np.concatenate([rows, pool])
            y = np.concatenate([y, np.full(len(pool), UNLABELLED)])
        discretizer = variant.make(
            self.data, self.experiment.normalize, self.experiment.seed)
        return discretizer.fit(self.data.X[rows], y)

    def _attributes(self, keys, discretizer):
        """Return the rows on the intervals of numeric attributes."""
        numeric = np.flatnonzero(~self.data.categorical)
        bits = np.full(len(numeric), np.nan)
        if self.labelled == 1:
            bits = discretizer.mutual_information_[numeric]
            if keys["pool"] != "none":
                # That of the discretizer counts pseudo-labels as labels.
                codes = discretizer.transform(self.data.X[self.train])[:, numeric]
                y = self.data.y[self.train]
                bits = [information(column, y) for column in codes.T]
        return [
            {**keys, "attribute": self.data.attributes[j],
             "intervals": discretizer.n_intervals_[j],
             # Rounding leaves no negative zeros and nothing that depends on a machine.
             "information": round(max(float(b), 0.0), 6) if b == b else b}
            for j, b in zip(numeric, bits, strict=True)
        ]

    def _classify(self, classifier, codes, rows, test_codes):
        """Train and test a classifier; everything is discretized already."""
        started = time.perf_counter()
        model = FAMILY[classifier](FunctionTransformer(), unlabelled_label=None)
        try:
            with warnings.catch_warnings():
                # A limited number of iterations is part of the published method.
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(codes, self.data.y[rows])
            predictions = model.predict(test_codes)
        except Exception as error:
            return _failure(error)
        return self._success(predictions, started)

    def _neighbours(self, pool, discretizer):
        """Test the k-NN that makes the pseudo-labels."""
        started = time.perf_counter()
        if pool == "test":
            predictions = discretizer.pseudo_labels_
        else:
            known, codes = np.unique(self.data.y[self.known], return_inverse=True)
            labeller = Labeller(
                "neighbours", self.data.X[self.known], codes, len(known),
                categorical=self.data.categorical, k=discretizer.k_,
                normalize=self.experiment.normalize)
            predictions = known[labeller(self.data.X[self.test]).classes]
        return {
            "method": NEIGHBOURS, "n0": np.nan, "classifier": "",
            "classifier_labels": "all" if self.labelled == 1 else "labelled",
            "seconds_discretize": 0.0, **self._success(predictions, started),
        }

    def _success(self, predictions, started):
        return {
            "accuracy": float(np.mean(predictions == self.data.y[self.test])),
            "error": "", "seconds_classify": time.perf_counter() - started,
        }


def information(values: Floats, y: Integers) -> float:
    """
    Compute the mutual information of an attribute and the class, in bits.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Values or codes of intervals; equal ones belong together. NaN is left out.
    y : ndarray of shape (n_rows,)
        Classes.

    Returns
    -------
    float

    Examples
    --------
    >>> information(np.array([0.5, 0.5, 2, 2]), np.array([0, 0, 1, 1]))
    1.0
    """
    known = ~np.isnan(values)
    if not known.any():
        return 0.0
    return float(mutual_information(contingency_matrix(y[known], values[known])))


def _failure(error):
    """Return what a row has in place of figures: the exception in one line."""
    text = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return {"accuracy": np.nan, "error": text}
