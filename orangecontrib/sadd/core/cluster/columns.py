"""Sorted columns in partitions, and their answers to the questions of the splitter.

Each partition keeps `ClassRuns` of its rows. A round of questions goes to all of them,
is answered by each, and the answers are united first on the workers, then here.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core import runparts
from orangecontrib.sadd.core.cluster.limits import limit
from orangecontrib.sadd.core.cluster.reading import UNLABELLED
from orangecontrib.sadd.core.cluster.store import Stored
from orangecontrib.sadd.core.questions import Blocks, Count
from orangecontrib.sadd.core.runs import ClassGroups

__all__ = ["SortedColumns"]

# Fractions of multiples of this are spread evenly, however many there are
GOLDEN = (5 ** 0.5 - 1) / 2

EVERYTHING = np.array([-np.inf]), np.array([np.nan])


class SortedColumns:
    """
    Columns of all partitions, sorted where they are.

    Parameters
    ----------
    runner : Runner
    source : Source
    reader : Reader
    labeller : Labeller, optional
        Labels the unlabelled rows; without it they are left out.
    n_classes : int
    progress : callable, optional

    Attributes
    ----------
    features : ndarray of int
        The features that are numeric, in the order of columns here.
    totals : list of ndarray, shape (n_classes,)
        Weight of each class in each column.
    sizes : list of int
        Number of stored values of each column.
    code_counts : dict
        For each categorical feature, the weights: classes x codes.
    n_rows : int
        Rows that have a weight.
    """

    def __init__(self, runner, source, reader, n_classes, labeller=None,
                 progress=None):
        self.runner = runner
        categorical = reader.estimator.categorical_features_
        self.features = np.flatnonzero(~categorical)
        partitions = [(index, *part) for index, part in enumerate(source.parts)]
        self._kept = runner.keep("sadd-sort", _sort, partitions, reader, labeller,
                                 n_classes, progress=progress)
        totals, sizes, self._largest, codes, self.n_rows = _add_summaries(
            runner.ask("sadd-totals", _summaries, self._kept))
        self.totals, self.sizes = list(totals), sizes.tolist()
        self.code_counts = codes

    @property
    def threshold_cost(self):
        """Bytes that a threshold takes, in units of those of a row."""
        n_places, n_classes = self.runner.n_places, len(self.totals[0])
        # It is found, and sent to all places, which reply with counts of two bytes
        return (8 + 8 * n_places + 2 * n_classes * n_places) / 8

    def answer(self, questions):
        """
        Answer questions about columns.

        Parameters
        ----------
        questions : list of (int, question)
            Number of the column, and what is asked about it.

        Returns
        -------
        list
        """
        moves_rows = any(isinstance(question, Blocks) for _, question in questions)
        name = "sadd-rows" if moves_rows else "sadd-count"
        replies = self.runner.ask(name, _answer, self._kept, questions)
        return [question.finish(question.combine(parts))
                for (_, question), parts
                in zip(questions, zip(*replies, strict=True), strict=True)]

    def counts(self, cut_points):
        """Give the weights, classes x intervals, for the cuts of each column."""
        below = self.answer([(column, Count(np.append(cuts, np.nan)))
                             for column, cuts in enumerate(cut_points)])
        return [np.diff(count, axis=1, prepend=0) for count in below]

    def distinct(self, column, by_class=True):
        """Give distinct values and weights as `ClassRuns.distinct` does."""
        most = limit("max-distinct")
        if self._largest[column] > most:
            _complain(most)
        runs, = self.answer([(column, _Distinct(most, by_class))])
        return runs.distinct()

    @cached_property
    def finite_range(self):
        """The least and the largest finite value of each column, if there are any."""
        return self.answer([(column, _FiniteRange())
                            for column in range(len(self.features))])


class _Columns(NamedTuple):
    """What a partition keeps."""

    runs: list
    offset: float


class _Summary(NamedTuple):
    """What a partition tells about itself."""

    totals: np.ndarray
    sizes: np.ndarray
    largest: np.ndarray
    codes: dict
    n_rows: int


class _Sorted:
    """Sorted columns of a partition, and a summary."""

    def __init__(self, columns, summary):
        self.columns = Stored(columns)
        self.summary = summary


def _sort(reader, labeller, n_classes, index, *partition):
    part = reader(*partition)
    unlabelled = part.classes == UNLABELLED
    if unlabelled.any():
        if labeller is None:
            part = part.rows(~unlabelled)
        else:
            part.classes[unlabelled], _ = labeller(part.X[unlabelled])
    groups = ClassGroups(part.classes, n_classes, part.weights)
    categorical = reader.estimator.categorical_features_
    runs = [groups.runs(np.ascontiguousarray(part.X[:, feature]))
            for feature in np.flatnonzero(~categorical)]
    codes = {feature: _code_counts(part, feature, n_classes)
             for feature in np.flatnonzero(categorical).tolist()}
    sizes = np.array([run.size for run in runs], dtype=np.int64)
    summary = _Summary(
        np.array([run.totals for run in runs]).reshape(len(runs), n_classes), sizes,
        sizes, codes, len(groups.order))
    return _Sorted(_Columns(runs, index * GOLDEN % 1), summary)


def _code_counts(part, feature, n_classes):
    codes = part.X[:, feature]
    known = ~np.isnan(codes)
    codes = codes[known].astype(np.int64)
    width = codes.max(initial=-1) + 1
    counts = np.bincount(
        part.classes[known] * width + codes,
        None if part.weights is None else part.weights[known], n_classes * width)
    return counts.reshape(n_classes, width)


def _summaries(parts):
    return _add_summaries([part.summary for part in parts])


def _add_summaries(summaries):
    """Add summaries; codes that some have not met are zero there."""
    totals, sizes, largest, codes, n_rows = zip(*summaries, strict=True)
    added = {}
    for feature in codes[0]:
        width = max(code[feature].shape[1] for code in codes)
        added[feature] = sum(
            np.pad(code[feature], ((0, 0), (0, width - code[feature].shape[1])))
            for code in codes)
    return _Summary(sum(totals), sum(sizes), np.max(largest, axis=0), added,
                    sum(n_rows))


def _answer(parts, questions):
    """Answer for some partitions, one after another, and unite the answers."""
    collected = [[] for _ in questions]
    for part in parts:
        columns = part.columns.open()
        for found, (column, question) in zip(collected, questions, strict=True):
            found.append(question.part(columns.runs[column], columns.offset))
            if len(found) > 1 and isinstance(question, Count | _Distinct):
                found[:] = [question.combine(found)]
    return [question.combine(found)
            for found, (_, question) in zip(collected, questions, strict=True)]


class _Distinct(NamedTuple):
    """Which values are there, and how often?"""

    most: int
    by_class: bool

    def part(self, runs, offset):
        runs = runparts.within(runs, *EVERYTHING)
        return runs if self.by_class else runparts.as_one_class(runs)

    def combine(self, parts):
        runs = runparts.merge(parts)
        if runs.size > self.most:
            _complain(self.most)
        return runs

    def finish(self, runs):
        return runs


def _complain(most):
    raise ValueError(
        f"A column has more than {most:,} distinct values, counted by class. This "
        "method needs all of them in one place, which would take too much memory. "
        "Round the data, choose SADD or MDLP, which fetch a few rows only, or raise "
        'the limit with dask.config.set({"sadd.max-distinct": ...}).')


class _FiniteRange(NamedTuple):
    """Between which finite values are all others?"""

    def part(self, runs, offset):
        ends = [run[index] for run in runs.values
                for run in (run[np.isfinite(run)],) if len(run) for index in (0, -1)]
        return np.array([min(ends), max(ends)] if ends else [])

    def combine(self, parts):
        ends = np.concatenate(parts)
        return np.array([ends.min(), ends.max()] if len(ends) else [])

    def finish(self, ends):
        return np.unique(ends)
