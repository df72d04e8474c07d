# Types of `_greedy.py`, with which Cython compiles it
import cython

cdef long long EMPTY
cdef int NEIGHBOURS
cdef unsigned long long MULTIPLIER, ALL
cdef double MOST


cdef class Queue:
    # `length`: number of steps in the queue; `n_known`: of integers in `known`
    cdef double tolerance
    cdef Py_ssize_t length, n_known
    cdef int shift
    # The steps as a heap, in which each has four below it; their keys, in the same
    # order; the place of each step
    cdef double[::1] keys
    cdef int[::1] steps, places
    cdef long long[::1] known

    cdef void set_known(self, int n_bits)
    cdef inline bint is_full(self) noexcept nogil
    @cython.locals(known="long long[::1]")
    cpdef enlarge(self)
    cdef Py_ssize_t find(self, long long number) noexcept nogil
    cdef double round(self, double worth) noexcept nogil
    cdef void put(self, Py_ssize_t step, double key) noexcept nogil
    cdef void remove(self, Py_ssize_t step) noexcept nogil
    cdef void settle(
        self, Py_ssize_t step, double key, Py_ssize_t place) noexcept nogil
    cdef inline bint precedes(
        self, Py_ssize_t step, double key, Py_ssize_t place) noexcept nogil
    cdef inline void move(self, Py_ssize_t old, Py_ssize_t new) noexcept nogil


cdef class Merger:
    # `n_seen`: the first value of the first interval that is not in the queue yet
    cdef Py_ssize_t max_intervals, n_intervals, n_seen
    cdef double most_key
    # Cells of values. Of intervals, at their first value: number of cells, weight, and
    # the intervals beside it
    cdef const int[::1] first
    cdef int[::1] classes, sizes, previous
    cdef double[::1] weights, totals
    cdef readonly int[::1] following
    # A copy of the cells of an interval that is merged with the next one
    cdef int[::1] left_classes
    cdef double[::1] left_weights
    cdef Queue queue

    cdef void join_pure(self) noexcept
    cpdef bint go_on(self) except -1
    cdef void compare(self, Py_ssize_t left) noexcept nogil
    cdef double key(self, double chi2) noexcept nogil
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

    cpdef bint go_on(self) except -1
    cdef double criterion(self, double total) noexcept nogil
    cdef inline double gain(self, Py_ssize_t cut, Py_ssize_t stop) noexcept nogil
    cdef void find_cut(
        self, Py_ssize_t start, Py_ssize_t stop, int step) noexcept nogil
    cdef inline bint may_cut(
        self, Py_ssize_t start, Py_ssize_t cut, Py_ssize_t stop) noexcept nogil
    @cython.locals(value=Py_ssize_t, last=Py_ssize_t, cell=Py_ssize_t, is_caim=bint,
                   part=double)
    cdef double fill(self, Py_ssize_t start, Py_ssize_t stop, int step) noexcept nogil
