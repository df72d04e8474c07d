"""Cross-validation in which the test rows may be given, unlabelled, to the training."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics.cluster import contingency_matrix
from sklearn.model_selection import StratifiedKFold

from orangecontrib.sadd.core.entropy import mutual_information

__all__ = ["UNLABELLED", "FoldResult", "fit_folds", "information", "stratified_folds"]

# scikit-learn's label for rows whose class is not known.
UNLABELLED = -1


@dataclass(frozen=True, eq=False)
class FoldResult:
    """
    What came out of one fold.

    Attributes
    ----------
    model : estimator
        The fitted model.
    train, test : ndarray of int
        The rows it was trained on with their labels, and those it was tested on.
    predictions : ndarray of shape (n_test,)
        Predicted classes of the test rows.
    accuracy : float
        Share of the test rows that are predicted right.
    """

    model: Any
    train: np.ndarray
    test: np.ndarray
    predictions: np.ndarray
    accuracy: float


def stratified_folds(y, n_folds=10, random_state=0):
    """
    Split rows into folds in which the classes have about the same shares.

    A class may have fewer rows than there are folds; some folds then lack it.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Classes.
    n_folds : int
        Number of folds.
    random_state : int
        Seed of the shuffle.

    Returns
    -------
    list of (ndarray, ndarray)
        Training and test rows of each fold.

    Examples
    --------
    >>> folds = stratified_folds([0] * 6 + [1] * 3, n_folds=3)
    >>> [len(test) for train, test in folds]
    [3, 3, 3]
    """
    y = np.asarray(y)
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(splitter.split(np.zeros(len(y)), y))


def fit_folds(estimator, X, y, folds, transductive=False):
    """
    Fit a clone of a classifier on each fold, and test it.

    Parameters
    ----------
    estimator : classifier
        Not changed. If `transductive`, it must take `UNLABELLED` rows.
    X : ndarray of shape (n_rows, n_attributes)
        Values.
    y : ndarray of int of shape (n_rows,)
        Classes, none of them `UNLABELLED`.
    folds : iterable of (ndarray, ndarray)
        Training and test rows, as from `stratified_folds`.
    transductive : bool
        Whether a fold's test rows are given to the training as unlabelled rows. Their
        labels are never used for training.

    Yields
    ------
    FoldResult
        One for each fold, in order, as soon as it is done.
    """
    if np.any(y == UNLABELLED):
        raise ValueError(
            f"The class {UNLABELLED} marks unlabelled rows; evaluation needs a label "
            "in every row."
        )
    for train, test in folds:
        rows, labels = train, y[train]
        if transductive:
            rows = np.concatenate([train, test])
            labels = np.concatenate([labels, np.full(len(test), UNLABELLED)])
        model = clone(estimator).fit(X[rows], labels)
        predictions = model.predict(X[test])
        accuracy = float(np.mean(predictions == y[test]))
        yield FoldResult(model, train, test, predictions, accuracy)


def information(values, y):
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
