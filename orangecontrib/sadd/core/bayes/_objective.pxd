# Types of `_objective.py`, with which Cython compiles it

cimport cython

# Listed locals start as 0, which Cython would take for a whole number, or are flags


@cython.locals(interpolated=bint, part=double, first=double, second=double,
               highest=double)
cpdef score_rows(
    const int[:, ::1] columns, const double[:, ::1] fractions, const double[::1] prior,
    const double[:, ::1] table, double[::1] total, double[:, :, ::1] scores)
@cython.locals(interpolated=bint, part=double, first=double, second=double)
cpdef add_rows(
    const int[:, ::1] columns, const double[:, ::1] fractions, const int[::1] classes,
    const double[:, ::1] targets, const double[::1] weights, double alpha, bint squared,
    const double[:, :, ::1] scores, const double[:, :, ::1] posterior,
    double[::1] residual, double[::1] slope, double[::1] sums, double[:, ::1] gradient)
@cython.locals(soft=bint, t=double, r=double, p_first=double, p_second=double,
               norm_first=double, norm_second=double, value=double, by_alpha=double,
               mean_first=double, mean_second=double)
cdef inline void _squared_error(
    Py_ssize_t i, const int[::1] classes, const double[:, ::1] targets, double weight,
    double alpha, const double[:, :, ::1] posterior, double[::1] residual,
    double[::1] slope, double[::1] sums) noexcept nogil
@cython.locals(soft=bint, t=double, first=double, second=double, highest=double,
               total=double, total_first=double, total_second=double, value=double,
               by_alpha=double, sum_first=double, sum_second=double)
cdef inline void _log_loss(
    Py_ssize_t i, const int[::1] classes, const double[:, ::1] targets, double weight,
    double alpha, const double[:, :, ::1] scores, const double[:, :, ::1] posterior,
    double[::1] slope, double[::1] sums) noexcept nogil
