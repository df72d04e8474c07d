"""Discretization methods and the naive Bayes family, evaluated on folds."""

import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from orangecontrib.sadd.benchmark.evaluation import fit_folds, information
from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.registry import DISCRETIZERS

__all__ = ["FAMILY", "VARIANTS", "MethodResult", "Variant", "accuracy_of", "evaluate"]

FAMILY = {
    "NB": NaiveBayesClassifier,
    "WANBIA": WANBIAClassifier,
    "CAWNB": CAWNBClassifier,
    "AIWNB eager": partial(AIWNBClassifier, instance_weighting="eager"),
    "AIWNB lazy": partial(AIWNBClassifier, instance_weighting="lazy"),
    "RNB": RNBClassifier,
}


@dataclass(frozen=True)
class Variant:
    """
    A discretization method as it is evaluated.

    Attributes
    ----------
    method : str
        A key of `DISCRETIZERS`.
    transductive : bool or None
        Whether it learns from the test rows, unlabelled; None if it never could.
    """

    method: str
    transductive: bool | None = None

    @property
    def label(self):
        """Name to show."""
        if self.transductive is None:
            return self.method
        return f"{self.method}, {'trans' if self.transductive else 'in'}ductive"


VARIANTS = [
    Variant(method.name, transductive)
    for method in DISCRETIZERS.values()
    for transductive in ([False, True] if method.uses_unlabelled else [None])
]


@dataclass(frozen=True, eq=False)
class MethodResult:
    """
    A discretization method with naive Bayes; each array has one figure a fold.

    Attributes
    ----------
    intervals : ndarray
        Mean number of intervals of a numeric attribute.
    bits : ndarray
        Mean mutual information of the intervals of a numeric attribute and the class,
        in the training rows.
    accuracy : ndarray
        Accuracy of naive Bayes in the test rows.
    neighbour_accuracy : ndarray or None
        Share of test rows whose pseudo-label is right: the accuracy of the k-NN that
        makes the pseudo-labels. None unless the variant is transductive.
    """

    intervals: np.ndarray
    bits: np.ndarray
    accuracy: np.ndarray
    neighbour_accuracy: np.ndarray | None


def evaluate(data, variant, folds, step=lambda: None):
    """
    Evaluate a discretization method.

    Parameters
    ----------
    data : DataSet
    variant : Variant
    folds : list of (ndarray, ndarray)
        Training and test rows.
    step : callable
        Called after each fold.

    Returns
    -------
    MethodResult
    """
    numeric = ~data.categorical
    figures = []
    for fold in _fit("NB", data, variant, folds):
        discretizer = fold.model.discretizer_
        bits = np.mean(discretizer.mutual_information_[numeric])
        neighbours = np.nan
        if variant.transductive:
            # `mutual_information_` counts the test rows, too, by their pseudo-labels.
            codes = discretizer.transform(data.X[fold.train])
            bits = mean_information(codes[:, numeric], data.y[fold.train])
            # The unlabelled rows are the test rows, in their order.
            neighbours = np.mean(discretizer.pseudo_labels_ == data.y[fold.test])
        intervals = np.mean(discretizer.n_intervals_[numeric])
        figures.append((intervals, bits, fold.accuracy, neighbours))
        step()
    intervals, bits, accuracy, neighbours = np.array(figures).T
    return MethodResult(
        intervals, bits, accuracy, neighbours if variant.transductive else None
    )


def accuracy_of(classifier, data, variant, folds, step=lambda: None):
    """
    Return the accuracy of a classifier in the test rows of each fold.

    Parameters
    ----------
    classifier : str
        A key of `FAMILY`.
    data, variant, folds, step
        As for `evaluate`.

    Returns
    -------
    ndarray of shape (n_folds,)
    """
    accuracy = []
    for fold in _fit(classifier, data, variant, folds):
        accuracy.append(fold.accuracy)
        step()
    return np.array(accuracy)


def _fit(classifier, data, variant, folds):
    estimator = FAMILY[classifier](
        variant.method, categorical_features=data.categorical
    )
    with warnings.catch_warnings():
        # A limited number of iterations is part of the published method.
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield from fit_folds(estimator, data.X, data.y, folds, variant.transductive)


def mean_information(columns, y):
    """Return the mean mutual information of columns and class, in bits."""
    return np.mean([information(column, y) for column in columns.T])
