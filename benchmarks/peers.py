"""Parts of several benchmarks: data, interleaved timing, and a table of results."""

import time

import numpy as np


def columns(n_rows, n_columns, n_classes, digits=None, seed=0):
    """
    Make data in which every second column depends on the class.

    In these, the means of neighbouring classes are 0.2 standard deviations apart.
    """
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n_rows)
    X = random.normal(size=(n_rows, n_columns))
    X[:, ::2] += 0.2 * y[:, None]
    return (X if digits is None else X.round(digits)), y


def fastest(repeats, *functions, clock=time.perf_counter):
    """
    Return the least seconds that each of some functions takes.

    They take turns, so that a machine that is slow for a while is so for all.
    """
    least = [np.inf] * len(functions)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            start = clock()
            function()
            least[i] = min(least[i], clock() - start)
    return least


class Table:
    """Prints a row for each measurement, with its target and whether it is met."""

    def __init__(self, title):
        print(f"\n{title}\n{'':58}{'measured':>10}{'target':>9}")
        self.missed = 0

    def row(self, what, measured, target, unit="x", at_least=False):
        """Print a measurement; the target is a maximum unless `at_least`."""
        met = measured >= target if at_least else measured <= target
        self.missed += not met
        sign = ">=" if at_least else "<="
        print(f"{what:58}{measured:9.2f}{unit}{f'{sign} {target:g}{unit}':>10}  "
              f"{'met' if met else 'MISSED'}", flush=True)
