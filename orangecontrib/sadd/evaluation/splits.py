"""Stratified folds and random splits."""

import warnings

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, train_test_split

from orangecontrib.sadd.core.types import ArrayLike, Integers, RandomState
from orangecontrib.sadd.evaluation.datasets import DataSet

__all__ = ["label_numbers", "labelled_part", "random_split", "stratified_folds",
           "stratified_order"]

# Test rows of a random split: a third, but at most this number
MOST_TEST_ROWS = 2000


def stratified_folds(y: ArrayLike, n_folds: int = 10, random_state: RandomState = 0
                     ) -> list[tuple[Integers, Integers]]:
    """
    Split rows into stratified folds. A class may have fewer rows than there are folds.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Classes.
    n_folds : int
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


def labelled_part(train: Integers, y: Integers, fraction: float, seed: list[int]
                  ) -> Integers:
    """Choose a fraction of the training rows, about the same of each class."""
    if fraction == 1:
        return train
    state = np.random.default_rng(seed).integers(2**31)
    # scikit-learn needs two rows in a stratum. Classes with a single row form one
    # stratum; if there is only one such class, its row joins the largest class.
    counts = np.bincount(y[train])
    strata = np.where(counts[y[train]] > 1, y[train], -1)
    if np.sum(strata == -1) == 1:
        strata[strata == -1] = np.argmax(counts)
    n_strata = len(np.unique(strata))
    n_known = int(np.clip(round(fraction * len(train)), n_strata,
                          len(train) - n_strata))
    known, _ = train_test_split(
        train, train_size=n_known, stratify=strata, random_state=state)
    return np.sort(known)


def stratified_order(rows: Integers, y: Integers, random: np.random.Generator,
                     *, each_class_first: bool = False) -> Integers:
    """
    Shuffle rows so that every beginning of the list is stratified.

    Parameters
    ----------
    rows : ndarray of int
        Indices of rows.
    y : ndarray of int
        Classes of all rows.
    random : Generator
    each_class_first : bool
        Begin with one row of each class, the most frequent class first.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> y = np.array([0] * 8 + [1] * 4)
    >>> order = stratified_order(np.arange(12), y, np.random.default_rng(0))
    >>> np.bincount(y[order[:6]])
    array([4, 2])
    """
    rows = random.permutation(rows)
    groups = pd.Series(rows).groupby(y[rows])
    rank, size = groups.cumcount().to_numpy(), groups.transform("size").to_numpy()
    start = random.random(int(y.max()) + 1)[y[rows]]
    first = np.where(each_class_first & (rank == 0), -size, 0)
    return rows[np.lexsort(((rank + start) / size, first))]


def random_split(y: Integers, seed: list[int]) -> tuple[Integers, Integers]:
    """
    Split rows at random into training rows and a third, at most 2,000, test rows.

    Examples
    --------
    >>> train, test = random_split(np.repeat([0, 1], [60, 30]), [0])
    >>> len(train), len(test)
    (60, 30)
    """
    order = stratified_order(np.arange(len(y)), y, np.random.default_rng(seed))
    n_test = min(len(y) // 3, MOST_TEST_ROWS)
    return np.sort(order[n_test:]), np.sort(order[:n_test])


def label_numbers(data: DataSet, wanted: tuple[int, ...]) -> list[int]:
    """
    Return the numbers of labelled rows that a data set allows.

    Each class needs a label, and at least as many training rows stay unlabelled.

    Examples
    --------
    >>> from orangecontrib.sadd.evaluation.datasets import load
    >>> label_numbers(load("iris"), (2, 10, 50, 100))
    [10, 50]
    """
    n_train = len(data.y) - min(len(data.y) // 3, MOST_TEST_ROWS)
    return [n for n in wanted if data.facts["classes"] <= n <= n_train // 2]
