# Types of `_greedy.py`, with which Cython compiles it
import cython

cdef double MOST_CHI2


cdef class Queue:
    cdef Py_ssize_t n_levels
    # Where each level begins in `keys`: that of steps, that of their groups, and so on
    cdef Py_ssize_t[::1] starts
    cdef double[::1] keys

    cdef inline double least(self) noexcept nogil
    cdef Py_ssize_t first(self, double most) noexcept nogil
    cdef void put(self, Py_ssize_t step, double key) noexcept nogil
    cdef inline double least_of(self, Py_ssize_t first) noexcept nogil


cpdef Py_ssize_t join_pure(
    const int[::1] bounds, const int[::1] classes, const double[::1] weights,
    int[::1] places, int[::1] new_bounds, int[::1] new_classes,
    double[::1] new_weights) except -1


cdef class Merger:
    cdef Py_ssize_t max_intervals, n_intervals
    cdef double threshold, tolerance, infinity
    # Cells of runs. Of intervals, at their first run: number of cells, weight, and the
    # intervals beside it
    cdef const int[::1] bounds
    cdef int[::1] classes, sizes, previous, following
    cdef double[::1] weights
    cdef readonly double[::1] totals
    # A copy of the cells of an interval that is merged with the next one
    cdef int[::1] left_classes
    cdef double[::1] left_weights
    cdef Queue queue

    cpdef run(self)
    cdef inline bint stay_apart(self, double chi2) noexcept nogil
    cdef void compare(self, Py_ssize_t left) noexcept nogil
    @cython.locals(i=Py_ssize_t, j=Py_ssize_t)
    cdef double chi2_of(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    cdef void merge(self, Py_ssize_t left) noexcept nogil
    @cython.locals(i=Py_ssize_t, j=Py_ssize_t, n_left=Py_ssize_t, place=Py_ssize_t,
                   end=Py_ssize_t)
    cdef void join_cells(self, Py_ssize_t left, Py_ssize_t right) noexcept nogil


cdef class Cutter:
    # `total`: sum of contributions; `reached`: criterion with the cuts so far
    cdef Py_ssize_t n_classes, n_intervals, max_intervals
    cdef bint is_caim
    cdef double least_rows, tolerance, infinity, total, reached
    cdef const int[::1] bounds, classes
    cdef const double[::1] weights, class_totals, rows_below
    # Weights of classes; contributions of parts of intervals
    cdef double[::1] counts, below, above
    # The interval of each possible cut
    cdef int[::1] starts, stops
    cdef readonly unsigned char[::1] is_cut
    cdef Queue queue

    @cython.locals(gains=bint)
    cpdef bint run(self) except -1
    cdef double criterion(self, double total) noexcept nogil
    cdef inline double gain(self, Py_ssize_t cut, Py_ssize_t stop) noexcept nogil
    cdef void find_cut(
        self, Py_ssize_t start, Py_ssize_t stop, int step) noexcept nogil
    cdef inline bint may_cut(
        self, Py_ssize_t start, Py_ssize_t cut, Py_ssize_t stop) noexcept nogil
    @cython.locals(value=Py_ssize_t, last=Py_ssize_t, cell=Py_ssize_t, is_caim=bint,
                   part=double)
    cdef double fill(self, Py_ssize_t start, Py_ssize_t stop, int step) noexcept nogil
