"""Stand-in for the module `cython`, for compiled pages that run interpreted."""

from contextlib import nullcontext

compiled = False
nogil = nullcontext()
Py_ssize_t = longlong = ulonglong = int
int = int


def cast(kind, value):
    """Convert a number to a type."""
    return kind(value)
