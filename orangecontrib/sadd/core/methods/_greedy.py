"""Merge or cut intervals, the best first: ChiMerge, CAIM and CACC (a compiled page).

All three take one step after another, and a step changes the worth of its neighbours
only. So a heap holds what each possible step is worth. Worths that are equal up to
rounding are ties, as rounding depends on the order of classes; the lowest step is first
then. To know ties, each worth is rounded to an integer. If this integer or one beside
it was seen before, the worth gets that one.

ChiMerge begins with many intervals. Their cells, sorted by class, lie one after the
other in memory. The two neighbours with the smallest chi2 are merged, in the memory of
both. A merge takes time for the cells of both, and O(log n) for the heap.

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
    from cython.cimports.libc.math import fabs, log, rint
else:
    from math import fabs, log

    from numpy import rint

__all__ = ["Cutter", "Merger"]

# A place in the table of known integers that is not in use
EMPTY = -2 ** 62

# The table finds 8 neighbouring integers at the same place, which is spread by Knuth's
# multiplicative hashing, from the highest bits of the product
NEIGHBOURS, MULTIPLIER, ALL = 3, 0x9E37_79B9_7F4A_7C15, 2 ** 64 - 1

# Larger numbers are not rounded: they would not be integers of 64 bits
MOST = 1e18


class Queue:
    """
    Steps by worth, the smallest first; of equal ones, the lowest step.

    Parameters
    ----------
    n : int
        Number of steps.
    tolerance : float
        Worths that differ by less are equal.
    """

    def __init__(self, n, tolerance):
        self.tolerance, self.length, self.n_known = tolerance, 0, 0
        self.keys = np.empty(n)
        self.steps = np.empty(n, dtype=np.intc)
        self.places = np.full(n, -1, dtype=np.intc)
        self.set_known(10)

    def set_known(self, n_bits):
        """Make room for known integers: twice as many as are allowed."""
        self.shift = 64 - n_bits
        self.known = np.full(1 << n_bits, EMPTY, dtype=np.int64)

    def is_full(self):
        """Return whether `enlarge` must be called before the next three roundings."""
        return 2 * (self.n_known + 3) > self.known.shape[0]

    def enlarge(self):
        """Make room for twice as many known integers."""
        number: cython.longlong
        known = self.known
        self.set_known(65 - self.shift)
        for i in range(known.shape[0]):
            number = cython.cast(cython.longlong, known[i])
            if number != EMPTY:
                self.known[self.find(number)] = number

    def find(self, number):
        """Return the place of a known integer, or where it belongs."""
        group: cython.ulonglong = (number >> NEIGHBOURS) & ALL
        place: cython.Py_ssize_t = (group * MULTIPLIER & ALL) >> self.shift
        while self.known[place] != EMPTY and self.known[place] != number:
            place += 1
            if place == self.known.shape[0]:
                place = 0
        return place

    def round(self, worth):
        """Return a worth as an integer, the same for all that are equal."""
        number: cython.longlong
        rounded = rint(worth / self.tolerance)
        if not fabs(rounded) < MOST:
            return rounded
        number = cython.cast(cython.longlong, rounded)
        place = self.find(number)
        if self.known[place] == number:
            return rounded
        if self.known[self.find(number - 1)] != EMPTY:
            return rounded - 1
        if self.known[self.find(number + 1)] != EMPTY:
            return rounded + 1
        self.known[place] = number
        self.n_known += 1
        return rounded

    def put(self, step, key):
        """Set the key of a step, which may be in the queue already."""
        place = self.places[step]
        if place < 0:
            place = self.length
            self.length += 1
        self.settle(step, key, place)

    def remove(self, step):
        """Take a step out of the queue."""
        place = self.places[step]
        self.places[step] = -1
        self.length -= 1
        if place < self.length:
            self.settle(self.steps[self.length], self.keys[self.length], place)

    def settle(self, step, key, place):
        """Put a step where it belongs, from a free place up or down."""
        parent: cython.Py_ssize_t
        child: cython.Py_ssize_t
        least: cython.Py_ssize_t
        while place > 0:
            parent = (place - 1) >> 2
            if not self.precedes(step, key, parent):
                break
            self.move(parent, place)
            place = parent
        while 4 * place + 1 < self.length:
            least = 4 * place + 1
            for child in range(least + 1, min(least + 4, self.length)):
                if self.precedes(self.steps[child], self.keys[child], least):
                    least = child
            if self.precedes(step, key, least):
                break
            self.move(least, place)
            place = least
        self.keys[place], self.steps[place] = key, step
        self.places[step] = place

    def precedes(self, step, key, place):
        """Return whether a step comes before the one at a place."""
        return key < self.keys[place] \
            or key == self.keys[place] and step < self.steps[place]

    def move(self, old, new):
        """Move a step to a free place."""
        self.keys[new], self.steps[new] = self.keys[old], self.steps[old]
        self.places[self.steps[new]] = new


class Merger:
    """
    Merge neighbouring intervals with the smallest chi2.

    Parameters
    ----------
    first : ndarray of int32, shape (n_values + 1,)
        First cell of each value, and the number of cells.
    classes : ndarray of int32, shape (n_cells,)
        Increasing at each value. Changed.
    weights : ndarray of float64, shape (n_cells,)
        Above 0. Changed.
    n_classes : int
    threshold : float
        Intervals stay apart if their chi2 is at least this,
    max_intervals : int
        and if they are not more than these.
    tolerance : float
        Values of log(chi2) that differ by less are equal.

    Attributes
    ----------
    following : ndarray of int32, shape (n_values,)
        The first value of the interval after that which begins at a value. Only values
        at which an interval begins count, such as the first one.
    """

    def __init__(self, first, classes, weights, n_classes, threshold, max_intervals,
                 tolerance):
        n = len(first) - 1
        self.first, self.classes, self.weights = first, classes, weights
        self.max_intervals = max_intervals
        self.n_intervals, self.n_seen = n, 0
        self.sizes, self.previous, self.following = np.empty((3, n), dtype=np.intc)
        self.totals = np.empty(n)
        self.left_classes = np.empty(n_classes, dtype=np.intc)
        self.left_weights = np.empty(n_classes)
        self.queue = Queue(n, tolerance)
        self.most_key = self.key(threshold)
        self.join_pure()

    def join_pure(self):
        """
        Make an interval of each value, and of neighbours with the same single class.

        Their chi2 is 0, and no chi2 is smaller. So they are merged first, in any order.
        """
        last: cython.Py_ssize_t = -1
        for value in range(self.sizes.shape[0]):
            cell = self.first[value]
            size = self.first[value + 1] - cell
            if last >= 0 and size == 1 and self.sizes[last] == 1 \
                    and self.classes[cell] == self.classes[self.first[last]]:
                self.weights[self.first[last]] += self.weights[cell]
                self.totals[last] += self.weights[cell]
                self.n_intervals -= 1
                continue
            if last >= 0:
                self.following[last] = value
            self.previous[value], self.sizes[value] = last, size
            self.totals[value] = 0
            for i in range(cell, cell + size):
                self.totals[value] += self.weights[i]
            last = value
        self.following[last] = self.sizes.shape[0]

    def run(self):
        """Merge intervals until there is nothing to merge."""
        while not self.go_on():
            self.queue.enlarge()

    def go_on(self):
        """Merge intervals; return False where the queue must be enlarged."""
        with cython.nogil:
            while self.following[self.n_seen] < self.totals.shape[0]:
                if self.queue.is_full():
                    return False
                self.compare(self.n_seen)
                self.n_seen = self.following[self.n_seen]
            while self.queue.length:
                if self.queue.is_full():
                    return False
                if self.queue.keys[0] >= self.most_key \
                        and self.n_intervals <= self.max_intervals:
                    break
                self.merge(self.queue.steps[0])
        return True

    def compare(self, left):
        """Put an interval into the queue by its chi2 with the next one."""
        self.queue.put(left, self.key(self.chi2_of(left, self.following[left])))

    def key(self, chi2):
        """Return the key of a chi2."""
        return self.queue.round(log(chi2)) if chi2 > 0 else -MOST

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
        i, j = self.first[one], self.first[other]
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
        self.following[left] = after
        self.n_intervals -= 1
        if after < self.totals.shape[0]:
            self.previous[after] = left
            self.queue.remove(right)
        else:
            self.queue.remove(left)
        if self.previous[left] >= 0:
            self.compare(self.previous[left])
        if after < self.totals.shape[0]:
            self.compare(left)

    def join_cells(self, left, right):
        """Join the cells of two intervals, where those of the left one are."""
        start, n_left = self.first[left], self.sizes[left]
        place, j = start, self.first[right]
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
        Cells of the value i are those from bounds[i] to bounds[i + 1].
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
        self.queue = Queue(n_values, tolerance)
        self.reached = 0.
        self.fill(0, n_values, 1)
        self.total = self.below[n_values - 1]
        self.find_cut(0, n_values, -1)

    def run(self):
        """Cut intervals until the criterion falls."""
        while not self.go_on():
            self.queue.enlarge()

    def go_on(self):
        """Cut intervals; return False where the queue must be enlarged."""
        with cython.nogil:
            while self.queue.length and self.n_intervals < self.max_intervals:
                if self.queue.is_full():
                    return False
                cut = self.queue.steps[0]
                start, stop = self.starts[cut], self.stops[cut]
                self.total += self.gain(cut, stop)
                # The criterion has to rise by more than rounding can account for
                if self.n_intervals >= self.n_classes and self.criterion(
                        self.total - self.tolerance) <= self.reached:
                    break
                # As published: also if it falls, to have as many intervals as classes
                self.reached = self.criterion(self.total)
                self.n_intervals += 1
                self.is_cut[cut] = True
                self.queue.remove(cut)
                self.find_cut(start, cut, -1)
                self.find_cut(cut, stop, 1)
        return True

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
        self.queue.put(cut, -self.queue.round(self.gain(cut, stop)))

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
                if part > best and self.may_cut(start, value + (step > 0), stop):
                    best = part
            value += step
        if end_cell - first_cell < self.counts.shape[0]:
            for cell in range(first_cell, end_cell):
                self.counts[self.classes[cell]] = 0
        else:
            for klass in range(self.counts.shape[0]):
                self.counts[klass] = 0
        return best
