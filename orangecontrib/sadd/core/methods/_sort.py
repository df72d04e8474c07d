"""Sort columns: distinct values, and the weights of classes at them (a compiled page).

A number becomes a key: 64 bits which, as an unsigned integer, are in the order of the
numbers. The sign of zero is dropped. A radix sort puts the keys in order, digit by
digit, the lowest first. A pass over the rows moves each row to its place by one digit,
and counts how often the next digit has each value. Equal digits keep their order. Only
bits in which rows differ are looked at. Three or four digits from the highest of these
leave few rows out of order, which are then inserted where they belong. If they are
many, all digits are sorted. So n rows take O(n).

Rows are read class by class. As the sort keeps the order of equal values, rows of equal
value and class are neighbours then. They become one *cell*: a value, a class, and the
weight of the rows. Weights are added in the order of the rows.

The types for Cython are in `_sort.pxd`. Without a C compiler the same code runs
interpreted, many times slower.
"""

import numpy as np

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import log2
else:
    from math import log2

__all__ = ["COMPILED", "Sorter", "count", "nearest_places"]

COMPILED = cython.compiled

# The sign's bit, infinity, and all bits
SIGN, INFINITY, ALL = 2 ** 63, 0x7FF0_0000_0000_0000, 2 ** 64 - 1

# Bits of a digit; with more, rows are moved to more places than a cache holds
BITS = 8

# Digits that are sorted first: for few rows, and from MANY_ROWS on
N_DIGITS, MORE_DIGITS, MANY_ROWS = 3, 4, 4096


class Sorter:
    """
    Sort columns of the same rows, one after another.

    Parameters
    ----------
    classes : ndarray of int32, shape (n_rows,)
        From 0.
    weights : ndarray of float64, shape (n_rows,)
        Above 0.
    n_classes : int

    Attributes
    ----------
    numbers : ndarray of float64, shape (2, n_rows)
        One row holds the value of each cell. The other is free after sorting.
    payload : ndarray of int32, shape (2, n_rows)
        The same row holds the class of each cell.
    weights : ndarray of float64, shape (n_rows,)
        The weight of each cell.
    bounds : ndarray of int32, shape (n_rows + 1,)
        The first cell of each distinct value, and the number of cells; set by
        `distinct` alone.
    missing : ndarray of float64, shape (n_classes,)
        The weight of rows of each class whose value is missing.
    low, high : float
        The least and the largest finite value, or NaN.
    """

    def __init__(self, classes, weights, n_classes):
        n_rows = len(classes)
        self.given_classes, self.given_weights = classes, weights
        self.unit = np.all(weights == 1)
        self.order = np.empty(n_rows, dtype=np.intc)
        self.class_starts = np.zeros(n_classes + 1, dtype=np.intc)
        self.order_by_class()
        numbers = np.empty((2, n_rows))
        self.numbers, self.keys = numbers, numbers.view(np.uint64)
        self.payload = np.empty((2, n_rows), dtype=np.intc)
        self.weights = np.empty(n_rows)
        self.bounds = np.empty(n_rows + 1, dtype=np.intc)
        self.missing = np.zeros(n_classes)
        self.infinity = np.inf
        self.places = np.empty((2, 1 << BITS), dtype=np.intc)

    def order_by_class(self):
        """Set `order` to the rows of class 0, of class 1, and so on."""
        starts = self.class_starts
        for row in range(self.given_classes.shape[0]):
            starts[self.given_classes[row]] += 1
        for klass in range(1, starts.shape[0]):
            starts[klass] += starts[klass - 1]
        # From the last row on, so that the ends of classes become their starts
        for row in range(self.given_classes.shape[0] - 1, -1, -1):
            klass = self.given_classes[row]
            starts[klass] -= 1
            self.order[starts[klass]] = row

    def distinct(self, column):
        """
        Find the cells of a column, and where each distinct value begins.

        Parameters
        ----------
        column : ndarray of uint64, shape (n_rows,)
            The bits of the numbers.

        Returns
        -------
        n_values : int
        side : int
            The row of `numbers` and `payload` that holds the cells.
        """
        n_values: cython.Py_ssize_t = 0
        if column.shape[0] != self.given_classes.shape[0]:
            raise ValueError("There must be a class and a weight for each row.")
        bounds = self.bounds
        with cython.nogil:
            self.arrange(column)
            keys = self.keys[self.side]
            for cell in range(self.n_cells):
                if cell == 0 or keys[cell] != keys[cell - 1]:
                    bounds[n_values] = cell
                    n_values += 1
            bounds[n_values] = self.n_cells
        return n_values, self.side

    def arrange(self, column):
        """Make the cells of a column, and find its range."""
        self.sort(column)
        self.join()
        first, last = 0, self.n_cells - 1
        numbers = self.numbers[self.side]
        while first <= last and numbers[first] == -self.infinity:
            first += 1
        while first <= last and numbers[last] == self.infinity:
            last -= 1
        self.low = self.high = self.infinity - self.infinity
        if first <= last:
            self.low, self.high = numbers[first], numbers[last]

    def sort(self, column):
        """Sort the values of a column that are not missing; weigh those that are."""
        sign: cython.ulonglong = SIGN
        infinity: cython.ulonglong = INFINITY
        bits: cython.ulonglong
        first: cython.ulonglong = 0
        differing: cython.ulonglong = 0
        n: cython.Py_ssize_t = 0
        keys, payload = self.keys[0], self.payload[0]
        for klass in range(self.missing.shape[0]):
            self.missing[klass] = 0
            for i in range(self.class_starts[klass], self.class_starts[klass + 1]):
                row = self.order[i]
                bits = cython.cast(cython.ulonglong, column[row])
                if bits & (sign - 1) > infinity:
                    self.missing[klass] += self.given_weights[row]
                    continue
                if bits == sign:
                    bits = 0
                bits = bits ^ (ALL if bits >= sign else sign)
                if n == 0:
                    first = bits
                differing |= bits ^ first
                keys[n], payload[n] = bits, klass if self.unit else row
                n += 1
        self.side, self.n_rows = 0, n
        end = 0
        while end < 64 and differing >> end:
            end += 1
        n_digits = N_DIGITS if n < MANY_ROWS else MORE_DIGITS
        self.sort_digits(max(0, end - n_digits * BITS), end)
        if not self.insert():
            self.sort_digits(0, end)

    def sort_digits(self, shift, end):
        """Sort by the digits of some bits, from the lowest one."""
        key: cython.ulonglong
        place: cython.int
        n = self.n_rows
        mask = (1 << BITS) - 1
        places, next_places = self.places[0], self.places[1]
        keys = self.keys[self.side]
        for digit in range(mask + 1):
            places[digit] = 0
        for row in range(n if shift < end else 0):
            key = cython.cast(cython.ulonglong, keys[row])
            places[key >> shift & mask] += 1
        while shift < end:
            keys, payload = self.keys[self.side], self.payload[self.side]
            self.side = 1 - self.side
            new_keys, new_payload = self.keys[self.side], self.payload[self.side]
            place = 0
            for digit in range(mask + 1):
                count = places[digit]
                places[digit] = place
                place += count
                next_places[digit] = 0
            for row in range(n):
                key = cython.cast(cython.ulonglong, keys[row])
                place = places[key >> shift & mask]
                places[key >> shift & mask] = place + 1
                new_keys[place], new_payload[place] = key, payload[row]
                next_places[key >> shift >> BITS & mask] += 1
            places, next_places = next_places, places
            shift += BITS

    def insert(self):
        """Sort n rows by insertion; return False if this takes more than n steps."""
        key: cython.ulonglong
        place: cython.Py_ssize_t
        keys, payload = self.keys[self.side], self.payload[self.side]
        steps = self.n_rows
        for row in range(1, self.n_rows):
            key = keys[row]
            if keys[row - 1] <= key:
                continue
            tag, place = payload[row], row
            while place > 0 and keys[place - 1] > key:
                keys[place], payload[place] = keys[place - 1], payload[place - 1]
                place -= 1
            keys[place], payload[place] = key, tag
            steps -= row - place
            if steps < 0:
                return False
        return True

    def join(self):
        """Join rows of equal value and class to cells, in the other copy."""
        key: cython.ulonglong
        last_key: cython.ulonglong = 0
        klass: cython.int
        last_class: cython.int = -1
        weight: cython.double = 1
        cell: cython.Py_ssize_t = -1
        sign: cython.ulonglong = SIGN
        keys, payload = self.keys[self.side], self.payload[self.side]
        self.side = 1 - self.side
        new_keys, classes = self.keys[self.side], self.payload[self.side]
        weights = self.weights
        for row in range(self.n_rows):
            key, klass = cython.cast(cython.ulonglong, keys[row]), payload[row]
            if not self.unit:
                weight = self.given_weights[klass]
                klass = self.given_classes[klass]
            if key == last_key and klass == last_class:
                weights[cell] += weight
                continue
            cell += 1
            new_keys[cell] = key ^ (sign if key >= sign else ALL)
            classes[cell], weights[cell] = klass, weight
            last_key, last_class = key, klass
        self.n_cells = cell + 1


def count(ends, classes, weights, sums, counts):
    """
    Add the weights of classes in intervals.

    Parameters
    ----------
    ends : ndarray of int32, shape (n_intervals,)
        The cell after the last one of each interval.
    classes : ndarray of int32, shape (n_cells,)
    weights : ndarray of float64, shape (n_cells,)
    sums : ndarray of float64, shape (2, n_classes)
        Zeros. Changed.
    counts : ndarray of float64, shape (n_intervals, n_classes) or (0, n_classes)
        Filled, unless it has no rows.

    Returns
    -------
    float
        Mutual information of intervals and classes, in bits.
    """
    first: cython.Py_ssize_t = 0
    klass: cython.Py_ssize_t
    total: cython.double = 0
    rows: cython.double
    bits: cython.double = 0
    n_classes: cython.Py_ssize_t = sums.shape[1]
    with cython.nogil:
        inside, of_classes = sums[0], sums[1]
        for interval in range(ends.shape[0]):
            n = ends[interval] - first
            for cell in range(first, first + n):
                inside[classes[cell]] += weights[cell]
            rows = 0
            for i in range(min(n, n_classes)):
                klass = i if n_classes < n else classes[first + i]
                weight = inside[klass]
                if weight > 0:
                    inside[klass] = 0
                    of_classes[klass] += weight
                    rows += weight
                    bits += weight * log2(weight)
                    if counts.shape[0]:
                        counts[interval, klass] = weight
            if rows > 0:
                bits -= rows * log2(rows)
                total += rows
            first += n
        for klass in range(n_classes):
            if of_classes[klass] > 0:
                bits -= of_classes[klass] * log2(of_classes[klass])
    # The difference of nearly equal numbers may be -1e-17
    return max(bits / total + log2(total), 0.) if total > 0 else 0.


def nearest_places(rows, boundaries, tolerance, places):
    """
    Find the ends of values at which the rows below are nearest to boundaries.

    Parameters
    ----------
    rows : ndarray of float64, shape (n_values,)
        Weight of rows at each value.
    boundaries : ndarray of float64
        Weights of rows below, in increasing order.
    tolerance : float
        Distances that differ by less are equal; the lower end is taken.
    places : ndarray of int, of the length of `boundaries`
        Filled with the values above each end: in increasing order, each once, without
        0 and `n_values`.

    Returns
    -------
    int
        Number of places.
    """
    n_values = rows.shape[0]
    n: cython.Py_ssize_t = 0
    upper: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t
    last: cython.Py_ssize_t = 0
    below: cython.double = 0
    above: cython.double = 0
    with cython.nogil:
        for i in range(boundaries.shape[0]):
            while upper < n_values and (upper == 0 or above < boundaries[i]):
                below = above
                above += rows[upper]
                upper += 1
            place = upper
            if boundaries[i] - below <= above - boundaries[i] + tolerance:
                place -= 1
            if last < place < n_values:
                places[n] = last = place
                n += 1
    return n
