"""What pairs bring on left-out rows."""

from collections.abc import Callable, Iterator
from copy import copy
from typing import NamedTuple

import numpy as np
from Orange.data import Table
from Orange.util import dummy_callback, wrap_callback

from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore
from orangecontrib.sadd.explain.resampling import split_rows
from orangecontrib.sadd.scripting.smoothtables import (
    SADDTablesLearner,
    SADDTablesModel,
)
from orangecontrib.sadd.scripting.tables import class_codes, read_rows

__all__ = ["Gain", "describe_gain", "measure_gain"]


class Gain(NamedTuple):
    """
    Labelled rows that are predicted correctly when they are left out.

    Attributes
    ----------
    without, right : int
        Without pairs, and by the model. They are equal if no fold chose a pair.
    total : int
        Rows that were left out so far.
    n_done, n_folds : int
        Folds.
    """

    without: int = 0
    right: int = 0
    total: int = 0
    n_done: int = 0
    n_folds: int = 0


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
    classes, tests = class_codes(data), split_rows(read_rows(data))
    gain = Gain(n_folds=len(tests))
    for fold, test in enumerate(tests):
        part = wrap_callback(callback, fold / len(tests), (fold + 1) / len(tests))
        train = data[np.setdiff1d(np.arange(len(data)), test)]
        model = learner(train, wrap_callback(part, end=.6))
        right = without = _count(model, data[test], classes[test])
        if model.fitted.pairs:
            without = _count(alone(train, wrap_callback(part, start=.6)), data[test],
                             classes[test])
        gain = Gain(gain.without + without, gain.right + right, gain.total + len(test),
                    fold + 1, len(tests))
        yield gain


def _count(model, data, classes):
    return int(np.count_nonzero(model(data) == classes))


def describe_gain(gain: Gain, model: SADDTablesModel) -> str:
    """
    Return what pairs bring, in a sentence.

    Examples
    --------
    >>> model = SADDTablesLearner(pairs=4, penalty=1)(Table("heart_disease"))
    >>> describe_gain(Gain(253, 261, 303, 10, 10), model)
    '4 of 78 pairs help: 253 → 261 of 303 right'
    >>> describe_gain(Gain(100, 98, 121, 4, 10), model)
    'Fold 4 of 10: 98 of 121 right'
    """
    score = LabellerScore(gain.right, gain.total)
    right = f"{gain.right:,} of {gain.total:,} right"
    if gain.n_done < gain.n_folds:
        return f"Fold {gain.n_done} of {gain.n_folds}: {right}"
    n_features, n_pairs = len(model.domain.attributes), len(model.fitted.pairs)
    if not n_pairs:
        return f"{right}, ±{score.margin:,}"
    change = "help" if gain.right > gain.without else "change nothing" \
        if gain.right == gain.without else "do not help"
    n_possible = n_features * (n_features - 1) // 2
    return (f"{n_pairs:,} of {n_possible:,} pairs {change}: "
            f"{gain.without:,} → {right}")
