"""The questions that the splitter asks of a column.

The splitter does not call a column, it *yields* questions and is sent the answers.
Thus it is all the same to it who answers: a column in memory at once (`answer_from`),
or a cluster, which collects the questions about all columns and intervals and
answers them in one pass over the data.

Each question knows its `answer` from `ClassRuns` of the whole column. Where rows lie
in partitions, each contributes a `part`, any number of parts are united by `combine`,
and `finish` makes the answer. `numbers` tells about how many are sent, given the number
of classes.
"""

from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.splitting import runparts

__all__ = ["Blocks", "Count", "Neighbours", "Sample", "answer_from"]


class Count(NamedTuple):
    """How many rows of each class are below these thresholds?"""

    thresholds: np.ndarray

    def numbers(self, n_classes):
        """Thresholds, and a count of each class."""
        return len(self.thresholds) * (1 + n_classes)

    def answer(self, runs):
        """Give the weights, an ndarray of shape (n_classes, n_thresholds)."""
        return runs.count(self.thresholds)

    def part(self, runs, offset):
        """Give the weights in a partition."""
        return runs.count(self.thresholds)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return sum(parts[1:], start=parts[0])

    def finish(self, part):
        """Give the answer."""
        return part


class Blocks(NamedTuple):
    """Which rows lie in these blocks?"""

    lower: np.ndarray
    upper: np.ndarray
    size: float = 0

    def numbers(self, _):
        """About the number of rows."""
        return self.size

    def answer(self, runs):
        """Give the rows, an instance of `Rows`."""
        return runs.rows(self.lower, self.upper)

    def part(self, runs, offset):
        """Give the runs of the blocks in a partition."""
        return runparts.within(runs, self.lower, self.upper)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return runparts.merge(parts)

    def finish(self, part):
        """Give the answer."""
        return part.rows(self.lower, self.upper)


class Neighbours(NamedTuple):
    """What lies below these values: how many rows, and next to them which values?"""

    thresholds: np.ndarray

    def numbers(self, n_classes):
        """Thresholds, a count of each class, and two values."""
        return len(self.thresholds) * (3 + n_classes)

    def answer(self, runs):
        """Give the weights as for `Count`, values below, and values not below."""
        return runs.count(self.thresholds), *runs.neighbours(self.thresholds)

    def part(self, runs, offset):
        """Give the same for a partition."""
        return self.answer(runs)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        counts, below, above = zip(*parts, strict=True)
        return Count.combine(counts), np.max(below, axis=0), np.min(above, axis=0)

    def finish(self, part):
        """Give the answer."""
        return part


class Sample(NamedTuple):
    """Which values divide these blocks into parts that weigh about `step` each?"""

    lower: np.ndarray
    upper: np.ndarray
    step: float
    size: float = 0

    def numbers(self, n_classes):
        """About the number of values, which will soon be counted."""
        return self.size * (1 + n_classes)

    def answer(self, runs):
        """Give the values, sorted, without equals."""
        return self.finish(self.part(runs, 0.5))

    def part(self, runs, offset):
        """Give values of a partition."""
        return runparts.sample(runs, self.lower, self.upper, self.step, offset)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return np.concatenate(parts)

    def finish(self, part):
        """Give the answer."""
        return np.unique(part)


def answer_from(runs, search):
    """
    Answer all that a search asks from a column in memory, and give its result.

    Parameters
    ----------
    runs : ClassRuns
    search : generator
        Yields questions, is sent the answers, and returns the result.
    """
    answer = None
    while True:
        try:
            question = search.send(answer)
        except StopIteration as stop:
            return stop.value
        answer = question.answer(runs)
