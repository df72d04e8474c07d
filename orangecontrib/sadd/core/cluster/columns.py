"""Sorted columns in partitions, and their answers to the questions of the splitter.

A round of questions goes to all partitions, or what they were merged into, is answered
by each, and the answers are united first on the workers, then here.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.cluster.limits import limit
from orangecontrib.sadd.core.cluster.sortedparts import add_summaries, merge, sort
from orangecontrib.sadd.core.splitting import runparts
from orangecontrib.sadd.core.splitting.questions import Blocks, Count

__all__ = ["SortedColumns"]

# Partitions are merged as long as they have no more rows than this together. A column
# is in memory while it is merged, three times.
MERGED_ROWS = 2 ** 22

# Share of what comes before merging in the progress
BEFORE_MERGING = 0.75

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
        parts = runner.keep("sadd-sort", sort, partitions, reader, labeller, n_classes,
                            progress=progress and (
                                lambda share: progress(BEFORE_MERGING * share)))
        totals, sizes, self._largest, codes, self.n_rows = add_summaries(
            runner.ask("sadd-totals", _summaries, parts))
        self.totals, self.sizes = list(totals), sizes.tolist()
        self.code_counts = codes
        self._kept = runner.merge(
            "sadd-merge", merge, parts,
            runner.ask("sadd-sizes", _sizes, parts, each=True), MERGED_ROWS,
            progress and (
                lambda share: progress(BEFORE_MERGING + (1 - BEFORE_MERGING) * share)))

    @property
    def threshold_cost(self):
        """Bytes that a threshold takes, in units of those of a row."""
        n_places, n_classes = self.runner.n_places, len(self.totals[0])
        # It is found, and sent to all places, which reply with counts of two bytes
        return (8 + 8 * n_places + 2 * n_classes * n_places) / 8

    @property
    def round_size(self):
        """About how many numbers may be sent in a round."""
        return limit("round-size")

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


def _summaries(parts):
    return add_summaries([part.summary for part in parts])


def _sizes(parts):
    return [part.summary.n_rows for part in parts]


def _answer(parts, questions):
    """Answer for some partitions, one after another, and unite the answers."""
    collected = [[] for _ in questions]
    by_column = sorted(zip(questions, collected, strict=True),
                       key=lambda pair: pair[0][0])
    for part in parts:
        runs = part.open()
        for (column, question), found in by_column:
            found.append(question.part(runs[column], part.offset))
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
