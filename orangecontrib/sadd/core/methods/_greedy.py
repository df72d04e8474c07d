"""Merge or cut intervals, the best first: ChiMerge, CAIM and CACC (a compiled page).

All three take one step after another, and a step changes the worth of its neighbours
only. So a queue holds what each possible step is worth. Worths that are equal up to
rounding are ties, as rounding depends on the order of classes; the lowest step is first
then.

Neighbouring values with the same single class are one from the start, a *run*, as no
method cuts between them: their chi2 is 0, and the criteria of CAIM and CACC are convex.

ChiMerge begins with many intervals. Their cells, sorted by class, lie one after the
other in memory. The two neighbours with the smallest chi2 are merged, in the memory of
both. A merge takes time for the cells of both, and O(log n) for the queue.

CAIM and CACC begin with one interval. The criterion rises with a sum over intervals: of
max^2 / total for CAIM, of sum_c count_c^2 / (total T_c) for CACC, with T_c rows of
class c in the column. `below` and `above` are these for the parts of an interval up to
each value, and from it on. A cut leaves `below` in its left part as it is, and `above`
in its right part. The other two are computed anew, in time for the cells of the
interval.

The types for Cython are in `_greedy.pxd`. Without a C compiler the same code runs
interpreted, many times slower.
"""

import numpy as np

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import log
else:
    from math import log

__all__ = ["Cutter", "Merger", "join_pure"]

# Larger chi2 are this one, so that none is infinite
MOST_CHI2 = 1e300


class Queue:
    """
    Keys of steps, to find the lowest step with the least key.

    Keys are in groups of 16. The least keys of groups are in groups of 16 again, and so
    on, up to the least of all.

    Parameters
    ----------
    n : int
        Number of steps, above 1.
    """

    def __init__(self, n):
        starts, n_keys = [0], 0
        while n > 1:
            n = (n + 15) // 16
            n_keys += 16 * n
            starts.append(n_keys)
        self.n_levels, self.starts = len(starts), np.array(starts, dtype=np.intp)
        self.keys = np.full(n_keys + 1, np.inf)

    def least(self):
        """Return the least key; infinity if there is no step."""
        return self.keys[self.starts[self.n_levels - 1]]

    def first(self, most):
        """Return the lowest step whose key is at most a number; there must be one."""
        place: cython.Py_ssize_t = 0
        for level in range(self.n_levels - 2, -1, -1):
            place = self.starts[level] + 16 * place
            while self.keys[place] > most:
                place += 1
            place -= self.starts[level]
        return place

    def put(self, step, key):
        """Set the key of a step; infinity if there is no such step any more."""
        place: cython.Py_ssize_t = step
        old = self.keys[step]
        self.keys[step] = key
        for level in range(1, self.n_levels):
            place >>= 4
            least = self.keys[self.starts[level] + place]
            if key > least:
                if old > least:
                    return
                key = self.least_of(self.starts[level - 1] + 16 * place)
            if key == least:
                return
            self.keys[self.starts[level] + place] = key
            old = least

    def least_of(self, first):
        """Return the least key of a group."""
        least = self.keys[first]
        for place in range(first + 1, first + 16):
            least = min(least, self.keys[place])
        return least


def join_pure(bounds, classes, weights, places, new_bounds, new_classes, new_weights):
    """
    Join neighbouring values with the same single class to runs.

    Parameters
    ----------
    bounds, classes, weights : ndarray
        Of `Cells`.
    places : ndarray of int32, shape (n_values,)
        Filled with the first value of each run.
    new_bounds, new_classes, new_weights : ndarray
        Filled with the cells of the runs.

    Returns
    -------
    int
        Number of runs.
    """
    n_runs: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = 0
    with cython.nogil:
        for value in range(bounds.shape[0] - 1):
            first, end = bounds[value], bounds[value + 1]
            if n_runs and end == first + 1 and n == new_bounds[n_runs - 1] + 1 \
                    and classes[first] == new_classes[n - 1]:
                new_weights[n - 1] += weights[first]
                continue
            places[n_runs], new_bounds[n_runs] = value, n
            n_runs += 1
            for cell in range(first, end):
                new_classes[n], new_weights[n] = classes[cell], weights[cell]
                n += 1
        new_bounds[n_runs] = n
    return n_runs


class Merger:
    """
    Merge neighbouring intervals with the smallest chi2.

    Parameters
    ----------
    bounds : ndarray of int32, shape (n_runs + 1,)
        Cells of the run i are those from bounds[i] to bounds[i + 1].
    classes : ndarray of int32, shape (n_cells,)
        Increasing in each run. Changed.
    weights : ndarray of float64, shape (n_cells,)
        Above 0. Changed.
    n_classes : int
    threshold : float
        Intervals stay apart if their chi2 is at least this,
    max_intervals : int
        and if they are not more than these.
    tolerance : float
        Values of chi2 that differ by less, relative to them, are equal.

    Attributes
    ----------
    totals : ndarray of float64, shape (n_runs,)
        The weight of the interval that begins at a run; 0 if none does.
    """

    def __init__(self, bounds, classes, weights, n_classes, threshold, max_intervals,
                 tolerance):
        n = len(bounds) - 1
        self.bounds, self.classes, self.weights = bounds, classes, weights
        self.n_intervals, self.max_intervals = n, max_intervals
        self.tolerance, self.threshold = tolerance, threshold * (1 - tolerance)
        self.infinity = np.inf  # a C double, for code without the lock of Python
        self.previous = np.arange(-1, n - 1, dtype=np.intc)
        self.following = np.arange(1, n + 1, dtype=np.intc)
        self.sizes = np.diff(bounds)
        self.totals = np.add.reduceat(weights, bounds[:n])
        self.left_classes = np.empty(n_classes, dtype=np.intc)
        self.left_weights = np.empty(n_classes)
        self.queue = Queue(n)

    def run(self):
        """Merge intervals until there is nothing to merge."""
        with cython.nogil:
            for left in range(self.totals.shape[0] - 1):
                self.compare(left)
            while not self.stay_apart(self.queue.least()):
                self.merge(self.queue.first(
                    self.queue.least() * (1 + self.tolerance)))

    def stay_apart(self, chi2):
        """Return whether intervals with this chi2, or a larger one, are not merged."""
        return chi2 >= self.threshold and self.n_intervals <= self.max_intervals

    def compare(self, left):
        """Put an interval into the queue by its chi2 with the next one."""
        chi2 = min(self.chi2_of(left, self.following[left]), MOST_CHI2)
        self.queue.put(left, self.infinity if self.stay_apart(chi2) else chi2)

    def chi2_of(self, one, other):
        """
        Return chi2 of two intervals.

        With counts a and b of a class, and totals A and B, chi2 is the sum over classes
        of

            (a B - b A) ** 2 / ((a + b) A B).

        In this form, rounding errors do not cancel. The term of a class with b = 0 is
        a B / A, so only common classes are looked at. The square of large weights would
        overflow.
        """
        common: cython.Py_ssize_t = 0
        one_common: cython.double = 0
        other_common: cython.double = 0
        chi2: cython.double = 0
        if self.sizes[one] > self.sizes[other]:
            one, other = other, one
        i, j = self.bounds[one], self.bounds[other]
        end, other_end = i + self.sizes[one], j + self.sizes[other]
        total, other_total = self.totals[one], self.totals[other]
        product = total * other_total
        while i < end and j < other_end:
            if self.classes[i] < self.classes[j]:
                i += 1
            elif self.classes[i] > self.classes[j]:
                j += 1
            else:
                weight, other_weight = self.weights[i], self.weights[j]
                common += 1
                one_common += weight
                other_common += other_weight
                difference = weight * other_total - other_weight * total
                chi2 += difference / product * difference / (weight + other_weight)
                i += 1
                j += 1
        if common < self.sizes[one]:
            chi2 += (total - one_common) * other_total / total
        if common < self.sizes[other]:
            chi2 += (other_total - other_common) * total / other_total
        return chi2

    def merge(self, left):
        """Merge an interval with the next one."""
        right = self.following[left]
        after = self.following[right]
        self.join_cells(left, right)
        self.totals[left] += self.totals[right]
        self.totals[right] = 0
        self.following[left] = after
        self.n_intervals -= 1
        self.queue.put(right, self.infinity)
        if self.previous[left] >= 0:
            self.compare(self.previous[left])
        if after < self.totals.shape[0]:
            self.previous[after] = left
            self.compare(left)
        else:
            self.queue.put(left, self.infinity)

    def join_cells(self, left, right):
        """Join the cells of two intervals, where those of the left one are."""
        start, n_left = self.bounds[left], self.sizes[left]
        place, j = start, self.bounds[right]
        end = j + self.sizes[right]
        for i in range(n_left):
            self.left_classes[i] = self.classes[start + i]
            self.left_weights[i] = self.weights[start + i]
        i = 0
        while i < n_left or j < end:
            if j == end or i < n_left and self.left_classes[i] < self.classes[j]:
                self.classes[place] = self.left_classes[i]
                self.weights[place] = self.left_weights[i]
                i += 1
            else:
                klass, weight = self.classes[j], self.weights[j]
                if i < n_left and self.left_classes[i] == klass:
                    weight += self.left_weights[i]
                    i += 1
                self.classes[place], self.weights[place] = klass, weight
                j += 1
            place += 1
        self.sizes[left] = place - start


class Cutter:
    """
    Cut a column where the criterion of CAIM or CACC rises most.

    Parameters
    ----------
    bounds : ndarray of int32, shape (n_values + 1,)
        Cells of the value, or run, i are those from bounds[i] to bounds[i + 1].
    classes : ndarray of int32, shape (n_cells,)
    weights : ndarray of float64, shape (n_cells,)
    class_totals : ndarray of float64, shape (n_classes,)
    is_caim : bool
    rows_below : ndarray of float64, shape (n_values + 1,) or (0,)
        Weight below each value, and of all. Empty if `least_rows` is 0.
    least_rows : float
        Weight that each interval must hold.
    max_intervals : int
    tolerance : float
        Contributions that differ by less are equal.

    Attributes
    ----------
    is_cut : ndarray of uint8, shape (n_values,)
        Whether there is a cut below each value.
    """

    def __init__(self, bounds, classes, weights, class_totals, is_caim, rows_below,
                 least_rows, max_intervals, tolerance):
        n_values = len(bounds) - 1
        self.bounds, self.classes, self.weights = bounds, classes, weights
        self.class_totals, self.is_caim = class_totals, is_caim
        self.rows_below, self.least_rows = rows_below, least_rows
        self.tolerance, self.infinity = tolerance, np.inf
        self.n_classes = np.count_nonzero(class_totals)
        self.n_intervals, self.max_intervals = 1, max_intervals
        self.counts = np.zeros(len(class_totals))
        self.below, self.above = np.zeros((2, n_values))
        self.starts, self.stops = np.empty((2, n_values), dtype=np.intc)
        self.is_cut = np.zeros(n_values, dtype=np.uint8)
        self.queue = Queue(n_values)
        self.reached = 0.
        self.fill(0, n_values, 1)
        self.total = self.below[n_values - 1]
        self.find_cut(0, n_values, -1)

    def run(self):
        """
        Cut intervals until the criterion falls.

        Returns
        -------
        bool
            Whether each cut gained something; False also if there were too few. Then
            the lowest of many cuts may be inside a run.
        """
        gains = True
        with cython.nogil:
            while self.n_intervals < self.max_intervals \
                    and self.queue.least() < self.infinity:
                cut = self.queue.first(self.queue.least() + self.tolerance)
                start, stop = self.starts[cut], self.stops[cut]
                gain = self.gain(cut, stop)
                self.total += gain
                # The criterion has to rise by more than rounding can account for
                if self.n_intervals >= self.n_classes and self.criterion(
                        self.total - self.tolerance) <= self.reached:
                    return gains
                # As published: also if it falls, to have as many intervals as classes
                gains = gains and gain > 2 * self.tolerance
                self.reached = self.criterion(self.total)
                self.n_intervals += 1
                self.is_cut[cut] = True
                self.queue.put(cut, self.infinity)
                self.find_cut(start, cut, -1)
                self.find_cut(cut, stop, 1)
        return gains and self.n_intervals >= min(self.n_classes, self.max_intervals)

    def criterion(self, total):
        """Return the criterion after another cut."""
        n_intervals = self.n_intervals + 1
        return total / n_intervals if self.is_caim else (total - 1) / log(n_intervals)

    def gain(self, cut, stop):
        """Return what a cut adds to the sum of contributions."""
        return self.below[cut - 1] + self.above[cut] - self.below[stop - 1]

    def find_cut(self, start, stop, step):
        """
        Put the best cut of an interval into the queue, the lowest of equal ones.

        `below` is set if the step is 1, `above` if it is -1; the other one is known.
        """
        cut: cython.Py_ssize_t
        least: cython.double
        if stop - start < 2:
            return
        best = self.fill(start, stop, step)
        if best == -self.infinity:
            return
        whole = self.below[stop - 1]
        least = best - whole - self.tolerance
        cut = start + 1
        while self.below[cut - 1] + self.above[cut] - whole < least \
                or not self.may_cut(start, cut, stop):
            cut += 1
        self.starts[cut], self.stops[cut] = start, stop
        self.queue.put(cut, -self.gain(cut, stop))

    def may_cut(self, start, cut, stop):
        """Return whether a cut leaves enough rows on both sides."""
        if self.rows_below.shape[0] == 0:
            return True
        left = self.rows_below[cut] - self.rows_below[start]
        right = self.rows_below[stop] - self.rows_below[start] - left
        return left >= self.least_rows and right >= self.least_rows

    def fill(self, start, stop, step):
        """
        Set `below` of an interval, or `above` if the step is -1.

        Return the largest sum of both parts at a cut, if the other one is known.
        """
        best: cython.double = -self.infinity
        total: cython.double = 0
        most: cython.double = 0
        sum_of_shares: cython.double = 0
        klass: cython.Py_ssize_t
        is_caim = self.is_caim
        first_cell, end_cell = self.bounds[start], self.bounds[stop]
        value, last, cell = start, stop - 1, first_cell
        if step < 0:
            value, last, cell = last, value, end_cell - 1
        for _ in range(stop - start):
            for _ in range(self.bounds[value + 1] - self.bounds[value]):
                klass, weight = self.classes[cell], self.weights[cell]
                count = self.counts[klass] + weight
                self.counts[klass] = count
                total += weight
                if is_caim:
                    most = max(most, count)
                else:
                    # (count ^ 2 - (count - weight) ^ 2) / T_c
                    growth = weight * (2 * count - weight)
                    sum_of_shares += growth / self.class_totals[klass]
                cell += step
            part = (most * most if is_caim else sum_of_shares) / total
            if step > 0:
                self.below[value] = part
            else:
                self.above[value] = part
            # In either direction, all but one value have a cut on the side ahead
            if value != last:
                part += self.above[value + 1] if step > 0 else self.below[value - 1]
                if self.may_cut(start, value + (step > 0), stop):
                    best = max(best, part)
            value += step
        if end_cell - first_cell < self.counts.shape[0]:
            for cell in range(first_cell, end_cell):
                self.counts[self.classes[cell]] = 0
        else:
            for klass in range(self.counts.shape[0]):
                self.counts[klass] = 0
        return best
