"""ChiMerge: bottom-up merging of neighbouring intervals with similar classes."""

import heapq
import math
from itertools import pairwise

import numpy as np
from scipy.sparse import csc_array, csr_array, issparse
from scipy.special import chdtri

from orangecontrib.sadd.core.cuts import cut_between, tie_keys

__all__ = ["chimerge_cuts"]

# Cells of a table of classes and values that may be dense
FEW_CELLS = 2 ** 18

# Values of chi2 (relative) and shares of classes that are closer are equal. Their
# rounding errors depend on the order of the classes.
_TOLERANCE = 1e-12


def chimerge_cuts(values, counts, significance=0.05, max_intervals=None):
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
    values : ndarray of float64, shape (n,)
        Distinct values of the column, increasing.
    counts : ndarray or sparse array of int64 or float64, shape (C, n)
        Number, or weight, of rows of each class at each value.
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
    >>> values = np.array([1., 2, 3, 4])
    >>> counts = np.array([[5, 4, 0, 1], [0, 1, 5, 5]])
    >>> chimerge_cuts(values, counts)
    array([2.5])
    >>> chimerge_cuts(values, counts, max_intervals=1)
    array([], dtype=float64)
    """
    if not 0 < significance < 1:
        raise ValueError(
            f"Significance level must be between 0 and 1, not {significance}.")
    if max_intervals is None:
        max_intervals = math.inf
    elif max_intervals < 1:
        raise ValueError(
            f"Number of intervals must be at least 1, not {max_intervals}.")
    if issparse(counts) and math.prod(counts.shape) <= FEW_CELLS:
        counts = counts.toarray()  # faster, if there is room
    n_classes = np.count_nonzero(counts.sum(axis=1))
    if len(values) < 2 or n_classes < 2:
        return np.empty(0)

    threshold = chdtri(n_classes - 1, significance)
    starts = _starts_of_runs(counts)
    remaining = _merge(_class_counts(counts, starts), threshold, max_intervals)
    positions = starts[remaining[1:]]
    return cut_between(values[positions - 1], values[positions])


def _starts_of_runs(counts):
    """Return indices of values whose classes are not in the preceding proportions.

    chi2 of two intervals is 0 if and only if their classes are in equal proportions.
    Merging does not change the proportions, and no chi2 is smaller. So all such runs
    are merged first, in any order.
    """
    if issparse(counts):
        shares = csc_array(counts, dtype=np.float64)
        shares.data /= np.repeat(counts.sum(axis=0), np.diff(shares.indptr))
        change = abs(shares[:, 1:] - shares[:, :-1]).max(axis=0).toarray()
    else:
        shares = counts / counts.sum(axis=0)
        change = np.abs(shares[:, 1:] - shares[:, :-1]).max(axis=0)
    return np.append(0, 1 + np.flatnonzero(change > _TOLERANCE))


def _class_counts(counts, starts):
    """Return a dictionary from class to count for each run of values.

    If there are many classes, most intervals hold few of them.
    """
    n_classes, n_values = counts.shape
    if issparse(counts):
        run_of_value = np.searchsorted(starts, np.arange(n_values), side="right") - 1
        cells = counts.tocoo()
        table = csr_array((cells.data, (run_of_value[cells.col], cells.row)),
                          shape=(len(starts), n_classes))
        classes, weights, ends = table.indices, table.data, table.indptr
    else:
        table = np.add.reduceat(counts, starts, axis=1).T
        run, classes = np.nonzero(table)
        weights, ends = table[run, classes], np.searchsorted(
            run, np.arange(len(starts) + 1))
    classes, weights = classes.tolist(), weights.astype(np.float64).tolist()
    return [dict(zip(classes[start:end], weights[start:end], strict=True))
            for start, end in pairwise(ends.tolist())]


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
