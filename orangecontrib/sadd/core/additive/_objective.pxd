# Types of `_objective.py`, with which Cython compiles it

cimport cython

# Listed locals start as 0, which Cython would take for a whole number, or are flags


@cython.locals(first=double, second=double, highest=double)
cpdef score_rows(
    const int[:, ::1] columns, const double[::1] prior, const double[:, ::1] table,
    double[::1] total, double[:, :, ::1] scores)
@cython.locals(total=double)
cdef double norm(
    const double[:, :, ::1] posterior, Py_ssize_t i, Py_ssize_t m) noexcept nogil
@cython.locals(r=double, p_first=double, p_second=double,
               norm_first=double, norm_second=double, value=double, by_alpha=double,
               total=double, mixed=double, mean_first=double, mean_second=double)
cpdef squared_errors(
    const int[::1] classes, const double[::1] weights, double alpha,
    const double[:, :, ::1] scores, const double[:, :, ::1] posterior,
    double[:, ::1] slopes)
@cython.locals(first=double, second=double, log_p=double,
               total=double, norm_first=double, norm_second=double, value=double,
               by_alpha=double)
cpdef log_losses(
    const int[::1] classes, const double[::1] weights, double alpha,
    const double[:, :, ::1] scores, const double[:, :, ::1] posterior,
    double[:, ::1] slopes)
@cython.locals(first=double, second=double)
cpdef add_slopes(
    const int[:, ::1] columns, const double[:, ::1] slopes, double[:, ::1] gradient)
