"""Sort columns: distinct values, and the weights of classes at them (a compiled page).

A number becomes a key: 64 bits which, as an unsigned integer, are in the order of the
numbers. The sign of zero is dropped. A radix sort puts the keys in order, digit by
digit, the lowest first. A digit takes two passes over the rows: the first counts how
often it has each value, the second moves each row to its place. Equal digits keep their
order. Only bits in which rows differ are looked at. Three digits from the highest of
these leave few rows out of order, which are then inserted where they belong. If they
are many, all digits are sorted. So n rows take O(n).

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

__all__ = ["COMPILED", "Sorter", "count"]

COMPILED = cython.compiled

# The sign's bit, infinity, and all bits
SIGN, INFINITY, ALL = 2 ** 63, 0x7FF0_0000_0000_0000, 2 ** 64 - 1

# From this many rows on, digits have the larger number of bits
MANY_ROWS, FEW_BITS, MANY_BITS = 4096, 8, 10

# Digits that are sorted first
N_DIGITS = 3


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
        The first cell of each distinct value, and the number of cells; not set by
        `sort` and `join` alone.
    """

    def __init__(self, classes, weights, n_classes):
        n_rows = len(classes)
        self.given_classes, self.given_weights = classes, weights
        self.unit = np.all(weights == 1)
        self.order = np.empty(n_rows, dtype=np.intc)
        self.order_by_class(np.zeros(n_classes + 1, dtype=np.intc))
        self.tags = classes[self.order] if self.unit else self.order
        numbers = np.empty((2, n_rows))
        self.numbers, self.keys = numbers, numbers.view(np.uint64)
        self.payload = np.empty((2, n_rows), dtype=np.intc)
        self.weights = np.empty(n_rows)
        self.bounds = np.empty(n_rows + 1, dtype=np.intc)
        self.places = np.empty(1 << MANY_BITS, dtype=np.intc)

    def order_by_class(self, places):
        """Set `order` to the rows of class 0, of class 1, and so on."""
        for row in range(self.given_classes.shape[0]):
            places[self.given_classes[row] + 1] += 1
        for klass in range(1, places.shape[0]):
            places[klass] += places[klass - 1]
        for row in range(self.given_classes.shape[0]):
            klass = self.given_classes[row]
            self.order[places[klass]] = row
            places[klass] += 1

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
            self.sort(column)
            self.join()
            keys = self.keys[self.side]
            for cell in range(self.n_cells):
                if cell == 0 or keys[cell] != keys[cell - 1]:
                    bounds[n_values] = cell
                    n_values += 1
            bounds[n_values] = self.n_cells
        return n_values, self.side

    def sort(self, column):
        """Sort the values of a column that are not missing."""
        sign: cython.ulonglong = SIGN
        infinity: cython.ulonglong = INFINITY
        bits: cython.ulonglong
        first: cython.ulonglong = 0
        differing: cython.ulonglong = 0
        n: cython.Py_ssize_t = 0
        keys, payload = self.keys[0], self.payload[0]
        for i in range(column.shape[0]):
            bits = cython.cast(cython.ulonglong, column[self.order[i]])
            if bits & (sign - 1) > infinity:
                continue  # missing
            if bits == sign:
                bits = 0
            bits = bits ^ (ALL if bits >= sign else sign)
            if n == 0:
                first = bits
            differing |= bits ^ first
            keys[n], payload[n] = bits, self.tags[i]
            n += 1
        self.side, self.n_rows = 0, n
        end = 0
        while end < 64 and differing >> end:
            end += 1
        bits_each = FEW_BITS if n < MANY_ROWS else MANY_BITS
        self.sort_digits(max(0, end - N_DIGITS * bits_each), end, bits_each)
        if not self.insert():
            self.sort_digits(0, end, bits_each)

    def sort_digits(self, shift, end, n_bits):
        """Sort by digits of some bits, from the lowest one."""
        key: cython.ulonglong
        place: cython.int
        n = self.n_rows
        places = self.places
        mask = (1 << n_bits) - 1
        while shift < end:
            keys, payload = self.keys[self.side], self.payload[self.side]
            self.side = 1 - self.side
            new_keys, new_payload = self.keys[self.side], self.payload[self.side]
            for digit in range(mask + 1):
                places[digit] = 0
            for row in range(n):
                key = cython.cast(cython.ulonglong, keys[row])
                places[key >> shift & mask] += 1
            place = 0
            for digit in range(mask + 1):
                count = places[digit]
                places[digit] = place
                place += count
            for row in range(n):
                key = cython.cast(cython.ulonglong, keys[row])
                place = places[key >> shift & mask]
                places[key >> shift & mask] = place + 1
                new_keys[place], new_payload[place] = key, payload[row]
            shift += n_bits

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


def count(values, bounds, classes, weights, cuts, counts):
    """
    Add the weights of classes between cuts.

    Parameters
    ----------
    values : ndarray of float64, shape (n_values,)
        In increasing order.
    bounds : ndarray of int32, shape (n_values + 1,)
        Cells of the value i are those from bounds[i] to bounds[i + 1].
    classes : ndarray of int32, shape (n_cells,)
    weights : ndarray of float64, shape (n_cells,)
    cuts : ndarray of float64, shape (n_cuts,)
        In increasing order. A value equal to a cut lies above it.
    counts : ndarray of float64, shape (n_cuts + 1, n_classes)
    """
    interval: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(values.shape[0]):
            while interval < cuts.shape[0] and values[i] >= cuts[interval]:
                interval += 1
            for cell in range(bounds[i], bounds[i + 1]):
                counts[interval, classes[cell]] += weights[cell]
