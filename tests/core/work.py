"""Work as numbers that no other work on the machine changes."""

import gc
import sys
import tracemalloc

import numpy as np

__all__ = ["peak_of", "work_of"]


def work_of(function):
    """Return the numbers of calls, and of cells of arrays that functions are given."""
    calls = cells = 0

    def count(frame, event, called):
        nonlocal calls, cells
        if event == "call":
            calls += 1
            code = frame.f_code
            given = map(frame.f_locals.get, code.co_varnames[:code.co_argcount])
            cells += sum(value.size for value in given if type(value) is np.ndarray)
        elif event == "c_call":
            calls += 1
            owner = getattr(called, "__self__", None)
            cells += owner.size if type(owner) is np.ndarray else 0

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls, cells


def peak_of(function, *arguments):
    """
    Return the bytes that a call needs at most, after a first one.

    Every thread of the process is counted, also threads of other tests and of coverage.
    So call it in a process of its own.
    """
    function(*arguments)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function(*arguments)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
