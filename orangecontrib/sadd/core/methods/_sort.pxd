# Types of `_sort.py`, with which Cython compiles it
import cython

cdef unsigned long long SIGN, INFINITY, ALL
cdef int BITS, N_DIGITS, MORE_DIGITS, MANY_ROWS


cdef class Sorter:
    # `n_rows` are rows of the column that are not missing. `side`: which of the two
    # copies is in use. `unit`: all weights are 1.
    cdef Py_ssize_t n_rows, n_cells, side
    cdef bint unit
    # Classes and weights as they are given; rows by class, and where each class begins.
    # What is sorted with rows are their classes or, if there are weights, their numbers
    cdef const int[::1] given_classes
    cdef const double[::1] given_weights
    cdef int[::1] order, class_starts
    # Rows of a column by value, twice, then cells. Keys are the bits of the numbers.
    cdef unsigned long long[:, ::1] keys
    cdef readonly double[:, ::1] numbers
    cdef readonly int[:, ::1] payload
    cdef readonly double[::1] weights
    cdef readonly int[::1] bounds
    cdef readonly double[::1] missing
    cdef readonly double low, high
    cdef double infinity
    # How often a digit has each value, then where the next of these rows belongs; and
    # how often the next digit has it
    cdef int[:, ::1] places

    @cython.locals(starts="int[::1]")
    cdef void order_by_class(self) noexcept
    @cython.locals(keys="unsigned long long[::1]", bounds="int[::1]")
    cpdef distinct(self, const unsigned long long[::1] column)
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t, numbers="double[::1]")
    cdef void arrange(self, const unsigned long long[::1] column) noexcept nogil
    @cython.locals(keys="unsigned long long[::1]", payload="int[::1]")
    cdef void sort(self, const unsigned long long[::1] column) noexcept nogil
    @cython.locals(keys="unsigned long long[::1]", payload="int[::1]",
                   new_keys="unsigned long long[::1]", new_payload="int[::1]",
                   places="int[::1]", next_places="int[::1]")
    cdef void sort_digits(self, int shift, int end) noexcept nogil
    @cython.locals(keys="unsigned long long[::1]", payload="int[::1]")
    cdef bint insert(self) noexcept nogil
    @cython.locals(keys="unsigned long long[::1]", payload="int[::1]",
                   new_keys="unsigned long long[::1]", classes="int[::1]",
                   weights="double[::1]")
    cdef void join(self) noexcept nogil


@cython.locals(inside="double[::1]", of_classes="double[::1]")
cpdef double count(
    const int[::1] ends, const int[::1] classes, const double[::1] weights,
    double[:, ::1] sums, double[:, ::1] counts) except -1
cpdef Py_ssize_t nearest_places(
    const double[::1] rows, const double[::1] boundaries, double tolerance,
    Py_ssize_t[::1] places) except -1
