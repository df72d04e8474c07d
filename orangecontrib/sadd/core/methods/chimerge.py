"""ChiMerge: bottom-up merging of neighbouring intervals with similar classes."""

import heapq
import math
from itertools import pairwise

import numpy as np
from scipy.special import chdtri

from orangecontrib.sadd.core.arithmetic import cut_between, tie_keys

__all__ = ["chimerge_cuts"]

# Values of chi2 that are closer, relatively, are equal. Their rounding errors depend on
# the order of the classes.
_TOLERANCE = 1e-12


def chimerge_cuts(cells, significance=0.05, max_intervals=None):
    """
    Cut a column where the classes of neighbouring intervals differ significantly.

    As in Kerber (1992), each value begins as an interval of its own. The neighbours
    with the smallest chi2 are merged, the first ones on ties, while their chi2 is below
    a threshold. The threshold is the quantile ``1 - significance`` of the chi-squared
    distribution. The degrees of freedom are C - 1 for C classes. Expected counts of
    zero contribute 0.

    Preparing the intervals takes time proportional to the counts that are not zero. A
    merge takes O(log n), plus the number of classes in the interval with fewer classes.

    Parameters
    ----------
    cells : Cells
    significance : float, optional
        Significance level, between 0 and 1 (default: 0.05).
    max_intervals : int, optional
        Maximum number of intervals. More intervals are merged even if they differ
        significantly.

    Returns
    -------
    ndarray of float64
        Increasing cut points.

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.methods.cells import cells_of
    >>> x, classes = np.arange(8.), np.array([0, 0, 0, 0, 0, 1, 1, 1], dtype=np.intc)
    >>> cells, = cells_of([x], classes, np.ones(8), 2)
    >>> chimerge_cuts(cells)
    array([4.5])
    >>> chimerge_cuts(cells, max_intervals=1)
    array([], dtype=float64)
    """
    values = cells.values
    n_classes = len(np.unique(cells.classes))
    if len(values) < 2 or n_classes < 2:
        return np.empty(0)

    threshold = chdtri(n_classes - 1, significance)
    starts, runs = _join_pure(cells.classes, cells.weights, cells.bounds)
    most = math.inf if max_intervals is None else max_intervals
    positions = starts[_merge(runs, threshold, most)[1:]]
    return cut_between(values[positions - 1], values[positions])


def _join_pure(classes, weights, bounds):
    """
    Join neighbouring values with rows of one and the same class.

    Their chi2 is 0, and no chi2 is smaller. So they are merged first, in any order.

    Parameters
    ----------
    classes, weights, bounds
        From `cells_of`.

    Returns
    -------
    starts : ndarray of int
        First value of each run.
    runs : list of dict
        From class to weight.
    """
    n_cells = np.diff(bounds)
    # The class of a value with rows of one class, and -1 of other values
    pure = np.where(n_cells == 1, classes[bounds[:-1]], -1)
    is_start = np.append(True, (pure[1:] != pure[:-1]) | (pure[1:] < 0))
    first = np.flatnonzero(np.repeat(is_start, n_cells))
    classes, sums = classes[first].tolist(), np.add.reduceat(weights, first).tolist()
    ends = np.cumsum(n_cells[is_start]).tolist()
    return np.flatnonzero(is_start), [
        dict(zip(classes[start:end], sums[start:end], strict=True))
        for start, end in pairwise([0, *ends])]


def _merge(intervals, threshold, max_intervals):
    """Merge the neighbours with the smallest chi2; return the remaining indices.

    Intervals form a linked list; each is identified by the index of its first run. The
    heap holds their chi2 with the next interval. An entry is out of date if it was made
    at a different stage of its interval.
    """
    n_runs = n_intervals = len(intervals)
    totals = [math.fsum(interval.values()) for interval in intervals]
    previous = list(range(-1, n_runs - 1))
    following = list(range(1, n_runs + 1))
    stages = [0] * n_runs
    tie_key = tie_keys(_TOLERANCE)

    def entry(left):
        right = following[left]
        chi2 = _chi2(intervals[left], totals[left], intervals[right], totals[right])
        key = tie_key(math.log(chi2)) if chi2 > 0 else -math.inf
        return key, left, stages[left], chi2

    heap = [entry(left) for left in range(n_runs - 1)]
    heapq.heapify(heap)
    while heap:
        _, left, stage, chi2 = heap[0]
        if stage != stages[left]:
            heapq.heappop(heap)
            continue
        if chi2 >= threshold and n_intervals <= max_intervals:
            break
        heapq.heappop(heap)
        right = following[left]
        intervals[left] = _sum(intervals[left], intervals[right])
        totals[left] += totals[right]
        following[left] = following[right]
        if following[left] < n_runs:
            previous[following[left]] = left
        n_intervals -= 1
        intervals[right] = None
        stages[right] = None
        for changed in (previous[left], left):
            if changed >= 0:
                stages[changed] += 1
                if following[changed] < n_runs:
                    heapq.heappush(heap, entry(changed))
    return [index for index, stage in enumerate(stages) if stage is not None]


def _chi2(first, first_total, second, second_total):
    """Return chi2 of two intervals.

    With counts a and b of a class, and totals A and B, chi2 is the sum over classes of

        (a B - b A) ** 2 / ((a + b) A B).

    In this form, rounding errors do not cancel. The term of a class with b = 0 is
    a B / A, so only common classes are visited. The square of large weights would
    overflow.
    """
    if len(first) > len(second):
        first, first_total, second, second_total = (
            second, second_total, first, first_total)
    common = first_common = second_common = chi2 = 0
    product = first_total * second_total
    for label, count in first.items():
        if label in second:
            other = second[label]
            common += 1
            first_common += count
            second_common += other
            difference = count * second_total - other * first_total
            chi2 += difference / product * difference / (count + other)
    if common < len(first):
        chi2 += (first_total - first_common) * second_total / first_total
    if common < len(second):
        chi2 += (second_total - second_common) * first_total / second_total
    return chi2


def _sum(first, second):
    """Add the smaller of two dictionaries to the larger, which is changed."""
    if len(first) < len(second):
        first, second = second, first
    for label, count in second.items():
        first[label] = first.get(label, 0) + count
    return first
