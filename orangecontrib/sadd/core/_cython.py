"""Stand-in for the module `cython`, for compiled pages that run interpreted.

It has only the decorators and types that the pages use outside of annotations, which
are not evaluated. None of them does anything.
"""

compiled = False


class _Nothing:
    """A decorator, with or without arguments, and a context, without an effect."""

    def __call__(self, function=None, **_):
        return self if function is None else function

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


cfunc = exceptval = inline = locals = nogil = _Nothing()
cclass = cfunc
Py_ssize_t = int
bint, double = bool, float


def cast(kind, value):
    """Convert a number to a type."""
    return kind(value)
