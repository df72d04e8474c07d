"""The questions that the splitter asks of a column.

The splitter does not call a column, it *yields* questions and is sent the answers.
So it does not matter who answers: a column in memory at once (`answer_from`),
or a cluster, which collects the questions about all columns and intervals and
answers them in one pass over the data.

Each question knows its `answer` from `ClassRuns` of the whole column. Where rows lie
in partitions, each contributes a `part`, any number of parts are united by `combine`,
and `finish` makes the answer. `numbers` returns about how many of them are sent, given
the number of classes and of stored values of the column.

Where a question travels, questions of many searches are sent together
(`search_in_rounds`): a round asks one question of each of them.
"""

from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.core.splitting import runparts

__all__ = ["ROUND", "Adjacent", "Blocks", "Count", "Distinct", "FiniteRange", "Sample",
           "Table", "answer_from", "search_in_rounds"]

EVERYTHING = np.array([-np.inf]), np.array([np.nan])

# Numbers that are sent in a round. With eight times as many, a third of the rounds take
# as long together, and a client needs a hundred megabytes more.
ROUND = 2 ** 17


class Count(NamedTuple):
    """How many rows of each class are below these thresholds?"""

    thresholds: np.ndarray

    def numbers(self, n_classes, size):
        """Thresholds, and a count of each class."""
        return len(self.thresholds) * (1 + n_classes)

    def answer(self, runs):
        """Return the weights, an ndarray of shape (n_classes, n_thresholds)."""
        return runs.count(self.thresholds)

    def part(self, runs, offset):
        """Return the weights in a partition."""
        return runs.count(self.thresholds)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return sum(parts[1:], start=parts[0])

    def finish(self, part):
        """Return the answer."""
        return part


class Table(NamedTuple):
    """How many rows of each class are between these cuts? For many classes and cuts."""

    cuts: np.ndarray

    def numbers(self, n_classes, size):
        """Counts that are not zero, and their places."""
        return 2 * size

    def answer(self, runs):
        """Return the weights, sparse, as `ClassRuns.table` does."""
        return runs.table(self.cuts)

    def part(self, runs, offset):
        """Return the weights in a partition."""
        return runs.table(self.cuts)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return Count.combine(parts)

    def finish(self, part):
        """Return the answer."""
        return part


class Blocks(NamedTuple):
    """Which rows lie in these blocks?"""

    lower: np.ndarray
    upper: np.ndarray
    size: float = 0

    def numbers(self, n_classes, size):
        """About the number of rows."""
        return self.size

    def answer(self, runs):
        """Return the rows, an instance of `Rows`."""
        return runs.rows(self.lower, self.upper)

    def part(self, runs, offset):
        """Return the runs of the blocks in a partition."""
        return runparts.within(runs, self.lower, self.upper)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return runparts.merge(parts)

    def finish(self, part):
        """Return the answer."""
        return part.rows(self.lower, self.upper)


class Adjacent(NamedTuple):
    """What lies below these values: how many rows, and next to them which values?"""

    thresholds: np.ndarray

    def numbers(self, n_classes, size):
        """Thresholds, a count of each class, and two values."""
        return len(self.thresholds) * (3 + n_classes)

    def answer(self, runs):
        """Return the weights as for `Count`, values below, and values not below."""
        return runs.count(self.thresholds), *runs.neighbours(self.thresholds)

    def part(self, runs, offset):
        """Return the same for a partition."""
        return self.answer(runs)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        counts, below, above = zip(*parts, strict=True)
        return Count.combine(counts), np.max(below, axis=0), np.min(above, axis=0)

    def finish(self, part):
        """Return the answer."""
        return part


class Sample(NamedTuple):
    """Which values divide these blocks into parts that weigh about `step` each?"""

    lower: np.ndarray
    upper: np.ndarray
    step: float
    size: float = 0

    def numbers(self, n_classes, size):
        """About the number of values, which will soon be counted."""
        return self.size * (1 + n_classes)

    def answer(self, runs):
        """Return the values, sorted, without equals."""
        return self.finish(self.part(runs, 0.5))

    def part(self, runs, offset):
        """Return values of a partition."""
        return runparts.sample(runs, self.lower, self.upper, self.step, offset)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return np.concatenate(parts)

    def finish(self, part):
        """Return the answer."""
        return np.unique(part)


class Distinct(NamedTuple):
    """Which values are there, and how much do they weigh in each class, or in all?"""

    by_class: bool = True

    def numbers(self, n_classes, size):
        """Values and their weights."""
        return 2 * size

    def answer(self, runs):
        """Return values and weights, as `ClassRuns.distinct` does."""
        return (runs if self.by_class else runparts.as_one_class(runs)).distinct()

    def part(self, runs, offset):
        """Return all runs of a partition."""
        runs = runparts.within(runs, *EVERYTHING)
        return runs if self.by_class else runparts.as_one_class(runs)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return runparts.merge(parts)

    def finish(self, part):
        """Return the answer."""
        return part.distinct()


class FiniteRange(NamedTuple):
    """Between which finite values are all others?"""

    def numbers(self, n_classes, size):
        """Two values."""
        return 2

    def answer(self, runs):
        """Return the least and the largest; one if they are equal, none without any."""
        return self.finish(self.part(runs, 0))

    def part(self, runs, offset):
        """Return the least and the largest value of a partition, if there are any."""
        ends = np.array(runs.finite_range())
        return ends[~np.isnan(ends)]

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        ends = np.concatenate(parts)
        return np.array([ends.min(), ends.max()] if len(ends) else [])

    def finish(self, part):
        """Return the answer."""
        return np.unique(self.combine([part]))


def answer_from(runs, search):
    """
    Answer all that a search asks from a column in memory, and return its result.

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


def search_in_rounds(parts, start, ask, numbers, room=ROUND, progress=None):
    """
    Search parts of columns, and the parts into which they fall, side by side.

    Each search remembers its thresholds and their counts, so no more are under way than
    fit into one round, and what has begun is finished before anything else begins.
    Memory then hardly depends on the number of rows or of columns.

    Parameters
    ----------
    parts : iterable of tuple
        An interval, the column it belongs to, and whatever `start` needs.
    start : callable
        Returns, for the elements of such a tuple, a generator that yields questions, is
        sent the answers, and returns more parts.
    ask : callable
        Takes a list of pairs of column and question; returns the list of answers.
    numbers : callable
        Returns about how many numbers are sent for a column and a question.
    room : int
        About how many numbers may be sent in a round.
    progress : callable, optional
        Called with the fraction of rows, of all columns, that need not be asked about
        any more. May raise an exception to stop the work.
    """
    waiting = [_Search(part, start) for part in parts][::-1]
    overall = max(1., sum(search.size for search in waiting))

    def advance(search, answer):
        more = search.send(answer)
        # Those that come first must be on top
        waiting.extend([search] if more is None else
                       [_Search(part, start) for part in reversed(more)])

    while waiting:
        if progress is not None:
            progress(1 - min(1., sum(search.size for search in waiting) / overall))
        turn, left = [], room
        while waiting and left > 0:
            search = waiting.pop()
            if search.question is None:
                advance(search, None)
                continue
            needed = numbers(search.column, search.question)
            if turn and needed > left:
                waiting.append(search)
                break
            turn.append(search)
            left -= needed
        answers = ask([(search.column, search.question) for search in turn]) \
            if turn else []
        for search, answer in zip(turn[::-1], answers[::-1], strict=True):
            advance(search, answer)


class _Search:
    """A search and the question that it has asked last."""

    def __init__(self, part, start):
        interval, self.column, *_ = part
        self.size = interval.size
        self.question = None
        self._search = start(*part)

    def send(self, answer):
        """Go on with the search; return more parts if it has ended, or else None."""
        try:
            self.question = self._search.send(answer)
        except StopIteration as stop:
            return stop.value
        return None
