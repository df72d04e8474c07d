# Types of `_aiwnb.py`, with which Cython compiles it


cpdef mutual_informations(
    const int[::1] order, const int[::1] ends, const int[:, ::1] rows, Py_ssize_t first,
    const double[::1] weights, const int[::1] attribute, int[::1] found,
    double[:, ::1] by_value, double[:, ::1] by_attribute)
cpdef compare(
    const int[:, ::1] queries, const int[:, ::1] rows, const int[::1] classes,
    const double[::1] weights, double[:, :, ::1] counts, double[:, :, ::1] totals)
