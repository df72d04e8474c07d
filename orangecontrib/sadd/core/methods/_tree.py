"""Where to cut: grow the trees of decisions of columns (a compiled page).

The rows of a column are sorted by value, those of equal value and class as one, see
`_sort`. Rows count by their weights. An interval has N
rows, T_c of class c. It is cut where the class entropy of its two parts is least, so
the gain G is largest. With l_c rows of class c and p rows in all to the left of a cut,
and F(n) = n log2(n),

    N G = score + F(N) - sum_c F(T_c) = score + N E(S),
    score = sum_c phi_c(l_c) - F(p) - F(N - p),  phi_c(l) = F(l) + F(T_c - l).

From row to row only the phi of the row's own class changes. So a scan costs two
look-ups of F per row and two more per cut, for any number of classes. A long interval
is not scanned as a whole. Class counts are stored before each block of 32 rows. Between
two of these counts, a and b, all cuts satisfy

    score <= sum_c phi_c(a_c) - h(m) + h'(m) (m - p_a)
         + sum_c max(0, phi_c(b_c) - phi_c(a_c) - h'(m) (b_c - a_c)),

with h(p) = F(p) + F(N - p), and m halfway between p_a and p_b. The function phi_c is
convex and below its chord; -h is concave and below its tangent. Only blocks that may
hold the best cut are scanned. Cuts whose score is equal up to rounding are equally
good, and the lowest is taken.

The best cut is compared with MDLP's threshold (Fayyad and Irani, 1993)

    theta = (log2(N - 1) + log2(3^k - 2) - (k E(S) - k1 E(S1) - k2 E(S2))) / N,

for an interval S with k classes and entropy E(S) in bits. Its parts S1 and S2 have k1
and k2 classes. Only classes that occur are counted. SADD's factor on this threshold
is s(N / N0) = 1 / (1 + exp(-N / N0)) (Wang, Ren and Bai, 2023). If the gain exceeds the
product, both parts become nodes of the tree. Growing takes O(n log n) for n rows in a
tree of usual depth. Except for tied cuts, nothing grows with rows times classes.

The types for Cython are in `_tree.pxd`. Without a C compiler the same code runs
interpreted, many times slower.
"""

import numpy as np

from orangecontrib.sadd.core.methods.criterion import n_log_n

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log2
else:
    from math import exp, log2

__all__ = ["Grower"]

# n log2 n of counts that are looked up; larger ones are computed
TABLE = n_log_n(np.arange(2 ** 16))

# Rows in a block, before which the counts of classes are stored; intervals of up to
# SHORT rows are scanned as a whole. Both are more for many classes.
BLOCK, SHORT = 32, 256

# Sums of whole weights up to this are exact
MOST_EXACT = 2 ** 53


class Grower:
    """
    Grow the trees of columns of the same rows, one after another.

    Parameters
    ----------
    sorter : Sorter
    weights : ndarray of float64, shape (n_rows,)
        As the sorter has got them.
    n_classes : int
    inverse_n0 : float
        1 / N0: infinity for MDLP; 0 for a tree that serves any N0, since then the
        factor is 1/2, the least there is. With 0, the best cut of an interval is also
        stored where no cut can exceed the threshold.
    min_samples : float
        Weight that each interval must hold, or a share if it is below 1.
    """

    def __init__(self, sorter, weights, n_classes, inverse_n0, min_samples):
        n_rows = len(weights)
        self.sorter, self.weights = sorter, sorter.weights
        self.n_classes = n_classes
        # So `before` has at most about a quarter as many numbers as there are rows
        self.block = max(BLOCK, 4 * n_classes)
        self.short = max(SHORT, 8 * n_classes)
        self.table, self.n_table = TABLE, len(TABLE)
        self.whole = np.all(weights == np.floor(weights)) \
            and weights.sum() < MOST_EXACT
        self.inverse_n0, self.min_samples = inverse_n0, min_samples
        self.infinity = np.inf  # a C double, for code without the lock of Python
        n_blocks = n_rows // self.block + 2
        self.before = np.empty((n_blocks, n_classes))
        self.bounds = np.empty(n_blocks)
        self.present = np.empty(n_classes, dtype=np.intp)
        self.totals, self.left, self.right, self.before_start, self.counted = np.zeros(
            (5, n_classes))
        self.before_block, self.phi_before, self.upto_row, self.phi_upto = np.zeros(
            (4, n_classes))

    def grow(self, columns, first, roots, sums, missing, ranges, places, numbers,
             below):
        """
        Grow the trees of columns, from column `first` on.

        Parameters
        ----------
        columns : ndarray of uint64, shape (n_columns, n_rows)
            The bits of the numbers.
        first : int
        roots : ndarray, shape (n_columns + 1,)
            Filled with the first node of each column; ``roots[first]`` is given.
        sums : ndarray, shape (n_columns, n_classes) or (n_columns, 0)
            Filled with the weights of classes, unless it has no columns.
        missing : ndarray, shape (n_columns, n_classes)
            Filled with the weights of classes of rows whose value is missing.
        ranges : ndarray, shape (n_columns, 2)
            Filled with the least and the largest finite value, or NaN.
        places : ndarray of int, shape (n_nodes, 4)
            Filled with start, end, place of the cut (-1 without one), and parent, which
            is the node itself for a root.
        numbers : ndarray of float64, shape (n_nodes, 6)
            Filled with the values below and above the cut, rows, rows to the left, gain
            and theta.
        below : ndarray of float64, shape (n_nodes, n_classes) or (n_nodes, 0)
            Filled with the weights of classes below the cut.

        Returns
        -------
        int
            Number of columns that are done; not all if the next one has no room.
        """
        self.places, self.numbers, self.below = places, numbers, below
        with cython.nogil:
            for column in range(first, columns.shape[0]):
                self.sort(columns[column])
                ranges[column, 0] = self.sorter.low
                ranges[column, 1] = self.sorter.high
                for klass in range(self.n_classes):
                    missing[column, klass] = self.sorter.missing[klass]
                self.count_blocks(sums, column)
                n_nodes = self.grow_column(roots[column])
                if n_nodes < 0:
                    break
                roots[column + 1] = n_nodes
            else:
                column = columns.shape[0]
        return column

    def sort(self, column):
        """Sort the rows of a column."""
        self.sorter.arrange(column)
        side = self.sorter.side
        self.n_rows = self.sorter.n_cells
        self.values = self.sorter.numbers[side]
        self.classes = self.sorter.payload[side]
        # Memory that is free after sorting
        self.scores = self.sorter.numbers[1 - side]
        self.candidates = self.sorter.payload[1 - side]

    def count_blocks(self, sums, column):
        """Store the weights of classes before each block, and in the column."""
        total = 0.
        n_blocks = (self.n_rows + self.block - 1) // self.block
        for klass in range(self.n_classes):
            self.counted[klass] = 0
        for block in range(n_blocks + 1):
            for klass in range(self.n_classes):
                self.before[block, klass] = self.counted[klass]
            for row in range(block * self.block,
                             min(self.n_rows, (block + 1) * self.block)):
                self.counted[self.classes[row]] += self.weights[row]
        for klass in range(self.n_classes):
            total += self.counted[klass]
            if sums.shape[1]:
                sums[column, klass] = self.counted[klass]
        # Rounding: 0.1 + 0.7 is less than 0.8
        self.least_rows = self.min_samples * (1 - 1e-9) * (
            total if self.min_samples < 1 else 1)

    def n_log_n(self, n):
        if n <= 0:
            return 0
        if self.whole and n < self.n_table:
            return self.table[cython.cast(cython.Py_ssize_t, n)]
        return n * log2(n)

    def grow_column(self, root):
        """Grow a tree; return the end of its nodes, or -1 if they have no room."""
        node = root
        end = root + 1
        if end > self.places.shape[0]:
            return -1
        self.places[root, 0], self.places[root, 1] = 0, self.n_rows
        self.places[root, 3] = root
        while node < end:
            if end + 2 > self.places.shape[0]:
                return -1
            if self.split(node):
                self.places[end, 0] = self.places[node, 0]
                self.places[end, 1] = self.places[node, 2]
                self.places[end + 1, 0] = self.places[node, 2]
                self.places[end + 1, 1] = self.places[node, 1]
                self.places[end, 3] = self.places[end + 1, 3] = node
                end += 2
            node += 1
        return end

    def split(self, node):
        """Find the best cut of a node, and return whether its parts become nodes."""
        start = self.places[node, 0]
        end = self.places[node, 1]
        place = -1
        rows = self.count(start, end, self.totals, True)
        entropy = self.entropy(self.totals, rows)
        factor = 1 / (1 + exp(-rows * self.inverse_n0))
        noise = 1e-13 * self.n_log_n(rows)
        k = self.n_present
        # As in Algorithm 1, line 9, a single row is not divided; rows are weights here
        if k >= 2 and rows >= 2 * (1 - 1e-9) and rows >= 2 * self.least_rows:
            # N theta is least if both sides are pure; N G = score + N E(S)
            least = noise if self.inverse_n0 == 0 else max(noise, factor * (
                log2(rows - 1) + log2_schemes(k) - k * entropy))
            place = self.find_cut(start, end, rows, noise, least - rows * entropy)
        self.places[node, 2], self.numbers[node, 2] = place, rows
        if place < 0:
            self.clear(self.totals)
            return False
        rows_left = self.count(start, place, self.left, False)
        rows_right = self.count(place, end, self.right, False)
        entropy_left = self.entropy(self.left, rows_left)
        entropy_right = self.entropy(self.right, rows_right)
        k1: cython.Py_ssize_t = 0
        k2: cython.Py_ssize_t = 0
        for i in range(self.n_present):
            k1 += self.left[self.present[i]] > 0
            k2 += self.right[self.present[i]] > 0
        gain = entropy - (
            rows_left * entropy_left + rows_right * entropy_right) / rows
        theta = (log2(rows - 1) + log2_schemes(k) - (
            k * entropy - k1 * entropy_left - k2 * entropy_right)) / rows
        self.numbers[node, 0] = self.values[place - 1]
        self.numbers[node, 1] = self.values[place]
        self.numbers[node, 3] = rows_left
        self.numbers[node, 4], self.numbers[node, 5] = gain, theta
        if self.below.shape[1]:
            self.count_below(place, self.counted)
            for i in range(self.n_classes):
                self.below[node, i] = self.counted[i]
        self.clear(self.left)
        self.clear(self.right)
        self.clear(self.totals)
        return gain > factor * theta and gain * rows > noise

    def count(self, start, end, counts, new):
        """
        Add the weights of classes in an interval to `counts`, which must be zero.

        Return their sum. If the interval is `new`, also list its classes in `present`.
        A long interval is counted by differences of `before`, if these are exact; any
        other interval row by row.
        """
        total = 0.
        n = 0
        if self.whole and end - start > self.short:
            self.count_below(start, self.before_start)
            self.count_below(end, counts)
            for klass in range(self.n_classes):
                counts[klass] -= self.before_start[klass]
                total += counts[klass]
                if new and counts[klass] > 0:
                    self.present[n] = klass
                    n += 1
        else:
            for row in range(start, end):
                klass = self.classes[row]
                if new and counts[klass] == 0:
                    self.present[n] = klass
                    n += 1
                counts[klass] += self.weights[row]
                total += self.weights[row]
        if new:
            self.n_present = n
        return total

    def count_below(self, place, counts):
        """Set `counts` to the weights of classes in all rows before a place."""
        for klass in range(self.n_classes):
            counts[klass] = self.before[place // self.block, klass]
        for row in range(place - place % self.block, place):
            counts[self.classes[row]] += self.weights[row]

    def clear(self, counts):
        for i in range(self.n_present):
            counts[self.present[i]] = 0

    def entropy(self, counts, rows):
        """Return the entropy of classes, in bits."""
        total = self.n_log_n(rows)
        for i in range(self.n_present):
            total -= self.n_log_n(counts[self.present[i]])
        return total / rows if rows > 0 else 0

    def find_cut(self, start, end, rows, noise, least):
        """Return the row before which to cut; -1 if no score is above `least`."""
        first = start // self.block
        last = (end - 1) // self.block
        best = least
        # Running sums collect more rounding errors than a single sum
        slack = 1000 * noise
        if end - start <= self.short:
            for block in range(first, last + 1):
                self.bounds[block] = self.infinity
        else:
            best = self.bound_blocks(start, end, rows, least)
            # The most promising block first: its best score rules out others
            top = first
            for block in range(first + 1, last + 1):
                if self.bounds[block] > self.bounds[top]:
                    top = block
            best = max(best, self.scan(top, top + 1, start, end, rows))
        block = first
        while block <= last:
            stop = block
            while stop <= last and self.bounds[stop] >= best - slack:
                stop += 1
            if stop > block:
                best = max(best, self.scan(block, stop, start, end, rows))
            block = stop + 1
        if best > least:
            place = self.choose(start, end, rows, noise, best - slack)
        else:
            place = -1
        return place

    def bound_blocks(self, start, end, rows, best):
        """Bound the score in each block; return the best between blocks, or `best`."""
        p: cython.double = 0
        below: cython.double
        bound: cython.double
        total = 0.
        last = (end - 1) // self.block
        self.count_below(start, self.before_start)
        for i in range(self.n_present):
            klass = self.present[i]
            self.before_block[klass] = 0
            self.phi_before[klass] = self.n_log_n(self.totals[klass])
            total += self.phi_before[klass]
        for block in range(start // self.block, last + 1):
            below = p
            if block < last:
                p = 0.
                for i in range(self.n_present):
                    klass = self.present[i]
                    p += self.before[block + 1, klass] - self.before_start[klass]
            else:
                p = rows
            middle = below + (p - below) / 2
            slope = log2(middle / (rows - middle))
            bound = total - middle * log2(middle) \
                - (rows - middle) * log2(rows - middle) + slope * (middle - below)
            total = 0.
            # a_c is `before_block`, b_c is `count`, p_a is `below` and p_b is `p`
            for i in range(self.n_present):
                klass = self.present[i]
                count = self.totals[klass] if block == last \
                    else self.before[block + 1, klass] - self.before_start[klass]
                phi = self.n_log_n(count) + self.n_log_n(self.totals[klass] - count)
                bound += max(0, phi - self.phi_before[klass]
                             - slope * (count - self.before_block[klass]))
                self.before_block[klass], self.phi_before[klass] = count, phi
                total += phi
            self.bounds[block] = bound
            row = (block + 1) * self.block
            if block < last and self.may_cut(row, p, rows):
                best = max(best, total - self.n_log_n(p) - self.n_log_n(rows - p))
        return best

    def may_cut(self, row, below, rows):
        """Return whether a cut before a row separates values, and enough rows."""
        return self.values[row - 1] < self.values[row] \
            and below >= self.least_rows and rows - below >= self.least_rows

    def scan(self, block, next_block, start, end, rows):
        """
        Set `scores` to those of cuts after the rows of blocks; return the best.

        For a block after the first, `before_start` must be set, as by `bound_blocks`.
        Differences of fractional weights are inexact, but within the slack.
        """
        best: cython.double = -self.infinity
        score: cython.double
        total: cython.double = 0
        below: cython.double = 0
        left: cython.double
        first_row = max(start, block * self.block)
        for i in range(self.n_present):
            klass = self.present[i]
            left = 0 if first_row == start else \
                self.before[block, klass] - self.before_start[klass]
            phi = self.n_log_n(left) + self.n_log_n(self.totals[klass] - left)
            self.upto_row[klass], self.phi_upto[klass] = left, phi
            below += left
            total += phi
        for row in range(first_row, min(end, next_block * self.block)):
            klass = self.classes[row]
            weight = self.weights[row]
            left = self.upto_row[klass] + weight
            phi = self.n_log_n(left) + self.n_log_n(self.totals[klass] - left)
            total += phi - self.phi_upto[klass]
            self.upto_row[klass], self.phi_upto[klass] = left, phi
            below += weight
            score = -self.infinity
            if row + 1 < end and self.may_cut(row + 1, below, rows):
                score = total - self.n_log_n(below) - self.n_log_n(rows - below)
                best = max(best, score)
            self.scores[row] = score
        return best

    def choose(self, start, end, rows, noise, least):
        """
        Return the lowest of the best cuts, from `scores` that are at least `least`.

        If there are several, their scores are computed again, each side by itself. So
        mirror images have the same score. Blocks with a bound below `least` hold scores
        of other intervals.
        """
        n: cython.Py_ssize_t = 0
        row: cython.Py_ssize_t
        place: cython.Py_ssize_t = -1
        below: cython.double = 0
        best: cython.double = -self.infinity
        for block in range(start // self.block, (end - 1) // self.block + 1):
            if self.bounds[block] >= least:
                for row in range(max(start, block * self.block),
                                 min(end, (block + 1) * self.block)):
                    if self.scores[row] >= least:
                        place = row + 1
                        self.candidates[n] = place
                        n += 1
        if n < 2:
            return place
        self.clear(self.upto_row)
        row = start
        for j in range(n):
            while row < self.candidates[j]:
                below += self.weights[row]
                self.upto_row[self.classes[row]] += self.weights[row]
                row += 1
            left, right = -self.n_log_n(below), -self.n_log_n(rows - below)
            for i in range(self.n_present):
                klass = self.present[i]
                left += self.n_log_n(self.upto_row[klass])
                right += self.n_log_n(self.totals[klass] - self.upto_row[klass])
            self.scores[row - 1] = left + right
            best = max(best, left + right)
        for j in range(n):
            place = self.candidates[j]
            if self.scores[place - 1] >= best - noise:
                break
        return place


def log2_schemes(k):
    """Return log2(3^k - 2); 3^k itself overflows from 647 classes on."""
    return k * log2(3.) + log2(1 - 2 * 3. ** -k)
