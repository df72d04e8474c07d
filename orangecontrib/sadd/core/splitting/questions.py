"""The questions that the splitter asks of a column, and the answers of its parts.

The splitter does not call a column, it *yields* questions and is sent the answers.
So it does not matter who answers: a column in memory at once (`answer_from`),
or a cluster, which collects the questions about all columns and intervals and
answers them in one pass over the data.

A partition of the data holds `ClassRuns` of its own rows. Of these it sends the blocks
that are asked for (`within`), or some values to be used as thresholds (`sample`); the
blocks of all partitions together are `ClassRuns` again (`merge`).

Where a question travels, questions of many searches are sent together
(`search_in_rounds`): a round asks one question of each of them.
"""

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.splitting.runs import (
    COMPRESS_BELOW,
    ClassRuns,
    block_index,
    compress,
    cumulate,
)

__all__ = ["ROUND", "Adjacent", "Blocks", "Count", "Distinct", "FiniteRange", "Sample",
           "Table", "answer_from", "as_one_class", "merge", "sample",
           "search_in_rounds", "within"]

EVERYTHING = np.array([-np.inf]), np.array([np.nan])

# Numbers that are sent in a round. With eight times as many, a third of the rounds take
# as long together, and a client needs a hundred megabytes more.
ROUND = 2 ** 17


def within(runs, lower, upper):
    """
    Return the runs of the blocks ``lower <= value < upper`` alone.

    Equal values are sent once, with their weight, if this is shorter: a block may
    consist of a single value that is very frequent.

    Parameters
    ----------
    runs : ClassRuns
    lower, upper : ndarray of float64
        As for `ClassRuns.rows`.

    Returns
    -------
    ClassRuns

    Examples
    --------
    >>> runs = ClassRuns([np.array([1., 2, 3]), np.array([2., 2, 2, 2, 4])])
    >>> values, counts = within(runs, np.array([2.]), np.array([3.])).distinct()
    >>> values, counts
    (array([2.]), array([[1],
           [4]]))
    """
    first = runs.positions(lower)
    lengths = runs.positions(upper) - first
    values, cumulative = [], []
    for klass, (run, start, length) in enumerate(
            zip(runs.values, first, lengths, strict=True)):
        index = block_index(start, length)
        values.append(np.array(run[index]))  # no view of a file that may vanish
        if runs.cumulative is not None:
            weights = runs.cumulative[klass]
            cumulative.append(cumulate(weights[1:][index] - weights[:-1][index]))
    if runs.cumulative is not None:
        return ClassRuns(values, cumulative)
    return _compressed(ClassRuns(values))


def merge(parts):
    """
    Return the union of parts of a column.

    Parameters
    ----------
    parts : sequence of ClassRuns
        At least one, all with the same classes.

    Returns
    -------
    ClassRuns

    Examples
    --------
    >>> parts = [ClassRuns([np.array([1., 3])]), ClassRuns([np.array([2.])])]
    >>> merge(parts).values
    [array([1., 2., 3.])]
    """
    if len(parts) == 1:
        return parts[0]
    unit = all(part.cumulative is None for part in parts)
    values, cumulative = [], []
    for klass, runs in enumerate(zip(*(part.values for part in parts), strict=True)):
        run = np.concatenate(runs)
        # The sort that numpy calls stable merges runs that are sorted already
        if unit:
            run.sort(kind="stable")
            values.append(run)
        else:
            order = np.argsort(run, kind="stable")
            values.append(run[order])
            weights = np.concatenate([
                np.ones(len(run), dtype=np.int64) if part.cumulative is None
                else np.diff(part.cumulative[klass])
                for part, run in zip(parts, runs, strict=True)])
            cumulative.append(cumulate(weights[order]))
    if unit:
        return _compressed(ClassRuns(values))
    pairs = map(compress, values, cumulative)
    return ClassRuns(*map(list, zip(*pairs, strict=True)))


def as_one_class(runs):
    """Return the same rows without regard to the class."""
    return merge([
        ClassRuns([run], None if runs.cumulative is None else [runs.cumulative[klass]])
        for klass, run in enumerate(runs.values)])


def sample(runs, lower, upper, step, offset=0.5):
    """
    Return a value for about each `step` of weight in some blocks.

    Parameters
    ----------
    runs : ClassRuns
    lower, upper : ndarray of float64
        Ends of the blocks, as for `ClassRuns.rows`.
    step : float
    offset : float
        From 0 to 1: weight, as a share of `step`, before the first value. If parts of
        a column have different offsets, they do not all begin with their lowest values.

    Returns
    -------
    ndarray of float64
        In no particular order, possibly with duplicates.

    Examples
    --------
    >>> runs = ClassRuns([np.arange(10.)])
    >>> sample(runs, np.array([2.]), np.array([9.]), 3)
    array([3., 6.])
    """
    first, last = runs.positions(lower), runs.positions(upper)
    found = []
    start = offset * step
    for klass, run in enumerate(runs.values):
        begin, end = first[klass], last[klass]
        if runs.cumulative is not None:
            begin, end = (runs.cumulative[klass][place] for place in (begin, end))
        lengths = end - begin
        passed = np.cumsum(lengths)
        targets = np.arange(start, passed[-1], step)
        start = max(0., start + len(targets) * step - passed[-1])
        if not len(targets):
            continue
        block = np.searchsorted(passed, targets, side="right")
        block = np.minimum(block, np.flatnonzero(lengths)[-1])  # rounding of targets
        place = begin[block] + targets - (passed - lengths)[block]
        if runs.cumulative is not None:
            place = np.searchsorted(runs.cumulative[klass], place, side="right") - 1
        place = np.clip(place.astype(np.int64), first[klass][block],
                        last[klass][block] - 1)
        found.append(run[place])
    return np.concatenate(found) if found else np.zeros(0)


def _compressed(runs):
    """Join equal values if they are many."""
    distinct = sum(1 + np.count_nonzero(run[1:] != run[:-1])
                   for run in runs.values if len(run))
    if distinct > COMPRESS_BELOW * runs.size:
        return runs
    pairs = map(compress, runs.values)
    return ClassRuns(*map(list, zip(*pairs, strict=True)))


class Question:
    """
    What all questions have in common.

    Each knows its `answer` from `ClassRuns` of the whole column. Where rows lie in
    partitions, each contributes a `part`, any number of parts are united by `combine`,
    and `finish` makes the answer. `numbers` returns about how many of them are sent,
    given the number of classes and of stored values of the column.
    """

    def answer(self, runs):
        """Return the answer of a column in memory."""
        return self.finish(self.part(runs, 0.5))

    def part(self, runs, offset):
        """Return what a partition contributes."""
        return self.answer(runs)

    @staticmethod
    def combine(parts):
        """Unite the parts."""
        return sum(parts[1:], start=parts[0])

    def finish(self, part):
        """Return the answer, given all parts as one."""
        return part

    def __reduce__(self):
        # Names of fields are not worth sending
        return type(self), tuple(vars(self).values())


@dataclass(eq=False)
class Count(Question):
    """How many rows of each class are below these thresholds?"""

    thresholds: np.ndarray

    def numbers(self, n_classes, size):
        """Thresholds, and a count of each class."""
        return len(self.thresholds) * (1 + n_classes)

    def answer(self, runs):
        """Return the weights, an ndarray of shape (n_classes, n_thresholds)."""
        return runs.count(self.thresholds)


@dataclass(eq=False)
class Table(Question):
    """How many rows of each class are between these cuts? For many classes and cuts."""

    cuts: np.ndarray

    def numbers(self, n_classes, size):
        """Counts that are not zero, and their places."""
        return 2 * size

    def answer(self, runs):
        """Return the weights, sparse, as `ClassRuns.table` does."""
        return runs.table(self.cuts)


@dataclass(eq=False)
class Blocks(Question):
    """Which rows lie in these blocks?"""

    lower: np.ndarray
    upper: np.ndarray
    size: float = 0

    combine = staticmethod(merge)

    def numbers(self, n_classes, size):
        """About the number of rows."""
        return self.size

    def answer(self, runs):
        """Return the rows, an instance of `Rows`."""
        return runs.rows(self.lower, self.upper)

    def part(self, runs, offset):
        """Return the runs of the blocks in a partition."""
        return within(runs, self.lower, self.upper)

    def finish(self, part):
        return self.answer(part)


@dataclass(eq=False)
class Adjacent(Question):
    """What lies below these values: how many rows, and next to them which values?"""

    thresholds: np.ndarray

    def numbers(self, n_classes, size):
        """Thresholds, a count of each class, and two values."""
        return len(self.thresholds) * (3 + n_classes)

    def answer(self, runs):
        """Return the weights as for `Count`, values below, and values not below."""
        return runs.count(self.thresholds), *runs.neighbours(self.thresholds)

    @staticmethod
    def combine(parts):
        counts, below, above = zip(*parts, strict=True)
        return Count.combine(counts), np.max(below, axis=0), np.min(above, axis=0)


@dataclass(eq=False)
class Sample(Question):
    """Which values divide these blocks into parts that weigh about `step` each?"""

    lower: np.ndarray
    upper: np.ndarray
    step: float
    size: float = 0

    combine = staticmethod(np.concatenate)

    def numbers(self, n_classes, size):
        """About the number of values, which will soon be counted."""
        return self.size * (1 + n_classes)

    def part(self, runs, offset):
        """Return values of a partition."""
        return sample(runs, self.lower, self.upper, self.step, offset)

    def finish(self, part):
        """Return the values, sorted, without duplicates."""
        return np.unique(part)


@dataclass(eq=False)
class Distinct(Question):
    """Which values are there, and what is their weight, by class or altogether?"""

    by_class: bool = True

    combine = staticmethod(merge)

    def numbers(self, n_classes, size):
        """Values and their weights."""
        return 2 * size

    def answer(self, runs):
        """Return values and weights, as `ClassRuns.distinct` does."""
        return (runs if self.by_class else as_one_class(runs)).distinct()

    def part(self, runs, offset):
        """Return all runs of a partition."""
        runs = within(runs, *EVERYTHING)
        return runs if self.by_class else as_one_class(runs)

    def finish(self, part):
        return part.distinct()


@dataclass(eq=False)
class FiniteRange(Question):
    """Between which finite values are all others?"""

    def numbers(self, n_classes, size):
        """Two values."""
        return 2

    def part(self, runs, offset):
        """Return the least and the largest value of a partition, if there are any."""
        ends = np.array(runs.finite_range())
        return ends[~np.isnan(ends)]

    @staticmethod
    def combine(parts):
        ends = np.concatenate(parts)
        return np.array([ends.min(), ends.max()] if len(ends) else [])

    def finish(self, part):
        """Return the least and the largest; one if they are equal, none without any."""
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
