"""Gain of pairs on left-out rows."""

from collections.abc import Callable, Iterator
from copy import copy
from typing import NamedTuple

import numpy as np
from Orange.data import Table
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore
from orangecontrib.sadd.explain.resampling import least_difference, split_folds
from orangecontrib.sadd.scripting.smoothtables import (
    SADDTablesLearner,
    SADDTablesModel,
)
from orangecontrib.sadd.scripting.tables import class_codes, rows_of

__all__ = ["Gain", "describe_gain", "measure_gain"]


class Gain(NamedTuple):
    """
    Labelled rows that are predicted correctly when they are left out.

    Attributes
    ----------
    right : int
        Rows that the model predicts correctly.
    gained, lost : int
        Of these, rows that it does not predict correctly without pairs, and rows that
        it predicts correctly only without them. Both are 0 if no fold chose a pair.
    total : int
        Rows that were left out so far.
    n_done, n_folds : int
        Folds.
    """

    right: int = 0
    gained: int = 0
    lost: int = 0
    total: int = 0
    n_done: int = 0
    n_folds: int = 0

    @property
    def without(self) -> int:
        """Rows that are predicted correctly without pairs."""
        return self.right - self.gained + self.lost

    @property
    def is_chance(self) -> bool:
        """Whether a difference as large is no surprise if pairs bring nothing."""
        return abs(self.gained - self.lost) < least_difference(self.gained + self.lost)


def measure_gain(learner: SADDTablesLearner, data: Table,
                 callback: Callable = dummy_callback) -> Iterator[Gain]:
    """
    Leave out each labelled row once, and yield the counts after each fold.

    The folds are those of `cross_validate`. Penalty and pairs are chosen again in each
    fold, from the other rows. Left-out rows are not in the pool.

    Parameters
    ----------
    learner : SADDTablesLearner
    data : Table
    callback : callable
        Called with the fraction done. May raise an exception to stop the work.

    Examples
    --------
    >>> *_, gain = measure_gain(SADDTablesLearner(pairs=0, penalty=1), Table("iris"))
    >>> gain.right == gain.without, gain.total, gain.n_folds
    (True, 150, 10)
    """
    learner = copy(learner)
    if learner.unlabelled is not None:
        learner.unlabelled = learner.unlabelled[
            ~np.isin(learner.unlabelled.ids, data.ids)]
    alone = copy(learner)
    alone.pairs = 0
    classes, tests = class_codes(data), split_folds(rows_of(data))
    gain = Gain(n_folds=len(tests))
    for fold, test in enumerate(tests):
        part = wrap_callback(callback, fold / len(tests), (fold + 1) / len(tests))
        train = data[np.setdiff1d(np.arange(len(data)), test)]
        model = learner(train, wrap_callback(part, end=.6))
        is_right = lone_is_right = model(data[test]) == classes[test]
        if model.fitted.pairs:
            lone_is_right = alone(train, wrap_callback(part, start=.6))(
                data[test]) == classes[test]
        gain = Gain(gain.right + int(is_right.sum()),
                    gain.gained + int((is_right & ~lone_is_right).sum()),
                    gain.lost + int((lone_is_right & ~is_right).sum()),
                    gain.total + len(test), fold + 1, len(tests))
        yield gain


def describe_gain(gain: Gain, model: SADDTablesModel) -> str:
    """
    Return what pairs bring, in a sentence.

    Examples
    --------
    >>> model = SADDTablesLearner(pairs=4, penalty=1)(Table("heart_disease"))
    >>> describe_gain(Gain(261, 10, 2, 303, 10, 10), model)
    '4 of 78 pairs help: 253 → 261 of 303 right'
    >>> describe_gain(Gain(255, 10, 8, 303, 10, 10), model)
    '4 of 78 pairs: 253 → 255 of 303 right, which may be chance'
    >>> describe_gain(Gain(98, 0, 0, 121, 4, 10), model)
    'Fold 4 of 10: 98 of 121 right'
    """
    score = LabellerScore(gain.right, gain.total)
    right = f"{gain.right:,} of {gain.total:,} right"
    if gain.n_done < gain.n_folds:
        return f"Fold {gain.n_done} of {gain.n_folds}: {right}"
    n_features, n_pairs = len(model.domain.attributes), len(model.fitted.pairs)
    if not n_pairs:
        return f"{right}, ±{score.margin:,}"
    n_possible = n_features * (n_features - 1) // 2
    text = f"{n_pairs:,} of {n_possible:,} pairs"
    change = f"{gain.without:,} → {right}"
    if gain.gained == gain.lost:
        return f"{text} change nothing: {change}"
    if gain.is_chance:
        return f"{text}: {change}, which may be chance"
    verb = "help" if gain.gained > gain.lost else "harm"
    return f"{text} {verb if n_pairs > 1 else verb + 's'}: {change}"
