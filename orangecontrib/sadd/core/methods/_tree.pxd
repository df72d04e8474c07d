# Types of `_tree.py`, with which Cython compiles it
from orangecontrib.sadd.core.methods._sort cimport Sorter


cdef class Grower:
    # `n_rows` are rows of the column after joining, while `rows` are weights.
    # `whole`: all weights are integers.
    cdef Py_ssize_t n_classes, block, short, n_table, n_rows, n_present
    cdef bint whole
    cdef double inverse_n0, infinity, min_samples, least_rows
    cdef const double[::1] table
    cdef Sorter sorter
    # Rows of a column by value
    cdef double[::1] values
    cdef int[::1] classes
    cdef const double[::1] weights
    # Weights of classes before each block; bounds of blocks; scores of cuts after each
    # row; rows before which the best cuts are
    cdef double[:, ::1] before
    cdef double[::1] bounds, scores
    cdef int[::1] candidates
    # Classes of an interval, and their weights: in it, before it, and on both sides of
    # a cut
    cdef Py_ssize_t[::1] present
    cdef double[::1] totals, before_start, left, right
    # Weights of classes, and their phi: before the block that is bounded, and up to the
    # row that is scanned
    cdef double[::1] before_block, phi_before, upto_row, phi_upto
    # Weights of classes in all rows before a place
    cdef double[::1] counted
    # The trees: start, end, place of the cut, parent; values beside the cut, rows,
    # rows to the left, gain, theta; weights of classes below the cut
    cdef Py_ssize_t[:, ::1] places
    cdef double[:, ::1] numbers, below

    cpdef Py_ssize_t grow(
        self, const unsigned long long[:, ::1] columns, Py_ssize_t first,
        Py_ssize_t[::1] roots, double[:, ::1] sums, double[:, ::1] missing,
        double[:, ::1] ranges, Py_ssize_t[:, ::1] places, double[:, ::1] numbers,
        double[:, ::1] below) except -1
    cdef void sort(self, const unsigned long long[::1] column) noexcept nogil
    cdef void count_blocks(
        self, double[:, ::1] sums, Py_ssize_t column) noexcept nogil
    cdef inline double n_log_n(self, double n) noexcept nogil
    cdef Py_ssize_t grow_column(self, Py_ssize_t root) noexcept nogil
    cdef bint split(self, Py_ssize_t node) noexcept nogil
    cdef double count(
        self, Py_ssize_t start, Py_ssize_t end, double[::1] counts, bint new
        ) noexcept nogil
    cdef void count_below(self, Py_ssize_t place, double[::1] counts) noexcept nogil
    cdef void clear(self, double[::1] counts) noexcept nogil
    cdef double entropy(self, double[::1] counts, double rows) noexcept nogil
    cdef Py_ssize_t find_cut(
        self, Py_ssize_t start, Py_ssize_t end, double rows, double noise,
        double least) noexcept nogil
    cdef double bound_blocks(
        self, Py_ssize_t start, Py_ssize_t end, double rows, double best
        ) noexcept nogil
    cdef inline bint may_cut(
        self, Py_ssize_t row, double below, double rows) noexcept nogil
    cdef double scan(
        self, Py_ssize_t block, Py_ssize_t next_block, Py_ssize_t start,
        Py_ssize_t end, double rows) noexcept nogil
    cdef Py_ssize_t choose(
        self, Py_ssize_t start, Py_ssize_t end, double rows, double noise,
        double least) noexcept nogil


cdef double log2_schemes(Py_ssize_t k) noexcept nogil
