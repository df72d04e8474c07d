"""Cross-validation where some rows have no label."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator, KFold, StratifiedKFold

from orangecontrib.sadd.core.labels import is_unlabelled, read_target
from orangecontrib.sadd.core.types import Data, Integers, RandomState
from orangecontrib.sadd.core.validation import count_rows

__all__ = ["SemiSupervisedKFold"]


class SemiSupervisedKFold(BaseCrossValidator):
    """
    Folds of labelled rows; unlabelled rows are in every training part.

    Test parts contain labelled rows only, because unlabelled rows cannot be scored.
    Training does not use the rows of the test part, so the result is the accuracy on
    new rows (inductive). For a transductive test, append the tested rows without their
    labels to the unlabelled rows; see the manual, *Fair comparison*.

    Parameters
    ----------
    n_splits : int
    shuffle : bool
        Whether to shuffle labelled rows before they are divided.
    random_state : int, RandomState instance or None
        For shuffling.
    stratified : bool
        Whether shares of classes are about the same in all folds.
    unlabelled_label : label or None
        Rows with this label, and rows with a missing label, are unlabelled. None if all
        labels are real. Do not mix numbers and None: scikit-learn does not score such
        columns of objects.

    Examples
    --------
    >>> X, y = np.arange(8)[:, None], np.array([0, -1, 1, -1, 0, 1, -1, -1])
    >>> for train, test in SemiSupervisedKFold(n_splits=2).split(X, y):
    ...     print(train, test)
    [1 3 4 5 6 7] [0 2]
    [0 1 2 3 6 7] [4 5]
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from orangecontrib.sadd.core import RNBPlusClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1
    >>> folds = SemiSupervisedKFold(n_splits=3, shuffle=True, random_state=0)
    >>> cross_val_score(RNBPlusClassifier(), X, y, cv=folds).round(2)
    array([0.96, 1.  , 0.92])
    """

    def __init__(self, n_splits: int = 5, *, shuffle: bool = False,
                 random_state: RandomState = None, stratified: bool = True,
                 unlabelled_label: object = -1) -> None:
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state
        self.stratified = stratified
        self.unlabelled_label = unlabelled_label
        self._folds()

    def _folds(self):
        kind = StratifiedKFold if self.stratified else KFold
        return kind(self.n_splits, shuffle=self.shuffle, random_state=self.random_state)

    def split(self, X: Data, y: Data = None, groups: Any = None
              ) -> Iterator[tuple[Integers, Integers]]:
        """
        Yield indices of the rows of the training and the test part of each fold.

        Parameters
        ----------
        X : array_like or data frame
            Only its length matters.
        y : array_like, shape (n_rows,)
        groups : object
            Is not used.
        """
        y = read_target(self, y, count_rows(X))
        unlabelled = is_unlabelled(y, self.unlabelled_label)
        labelled = np.flatnonzero(~unlabelled)
        if len(labelled) < self.n_splits:
            raise ValueError(
                f"There are {len(labelled)} labelled rows, too few for {self.n_splits} "
                "folds. Label more rows, or set n_splits to a smaller number.")
        others = np.flatnonzero(unlabelled)
        # Labels of a column of objects may be of any type: as numbers
        codes = np.unique(y[labelled], return_inverse=True)[1]
        for train, test in self._folds().split(labelled, codes):
            yield np.sort(np.concatenate((labelled[train], others))), labelled[test]

    def get_n_splits(self, X: Data = None, y: Data = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits
