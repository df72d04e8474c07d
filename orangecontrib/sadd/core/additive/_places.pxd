# Types of `_places.py`, with which Cython compiles it

cimport cython

# Listed locals start as 0, which Cython would take for a whole number


cdef double INFINITY
cdef double HUGE

@cython.locals(value=double, weight=double, low=double, high=double, factor=double,
               above=double, n_attributes=int, n=int, a=int, half=int)
cpdef measure_intervals(
    const double[:, :] values, const double[::1] weights, const double[::1] cuts,
    const int[::1] starts, double[:, ::1] sums, double[::1] total,
    double[:, ::1] ranges)
@cython.locals(value=double, place=double, n=int, a=int, half=int, first=int)
cpdef place_values(
    const double[:, ::1] values, const double[::1] knots, const double[::1] slopes,
    const int[::1] starts, const int[::1] offsets, const int[::1] is_numeric,
    double missing, double[:, ::1] places)
@cython.locals(place=double, other=double, part=double, second=double, total=double,
               low=double, high=double, highest=double, a=int, b=int, step=int)
cpdef score_places(
    const double[:, ::1] places, const double[:, ::1] pair_places,
    const int[:, ::1] pairs, const double[::1] prior, const double[:, :, ::1] table,
    double[:, :, ::1] scores)
@cython.locals(value=double, norm=double, mass=double, inner=double)
cpdef target_losses(
    const double[:, ::1] targets, const double[::1] weights,
    const double[:, :, ::1] scores, const double[:, :, ::1] posterior,
    double[:, ::1] slopes)
@cython.locals(place=double, other=double, part=double, second=double, slope=double,
               low=double, high=double, a=int, b=int, step=int)
cpdef add_at_places(
    const double[:, ::1] places, const double[:, ::1] pair_places,
    const int[:, ::1] pairs, const double[:, ::1] slopes,
    double[:, :, ::1] gradient)
