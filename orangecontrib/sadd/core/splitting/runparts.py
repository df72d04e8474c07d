"""Parts of a column that lie in different places: what each sends, and their union.

A partition of the data holds `ClassRuns` of its own rows. Of these it sends the blocks
that are asked for, or some values to be used as thresholds; the blocks of all
partitions together are `ClassRuns` again.
"""

import numpy as np

from orangecontrib.sadd.core.splitting.runs import (
    COMPRESS_BELOW,
    ClassRuns,
    block_index,
    compress,
    cumulate,
)

__all__ = ["as_one_class", "merge", "sample", "within"]


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
    >>> import numpy as np
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
    >>> import numpy as np
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
        In no particular order, maybe with equals.

    Examples
    --------
    >>> import numpy as np
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
