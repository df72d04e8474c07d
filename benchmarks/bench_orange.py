"""Speed of `SADDDiscretize` on Orange tables, against Orange's own, in one run.

    python benchmarks/bench_orange.py [--quick]

Orange's is ``Discretize(EntropyMDL())``: MDLP, by the same rule of cuts but for the
threshold. Both give a discretized table. Beside them is our MDLP, by the same cuts as
Orange's. Then all methods of both on one table.
"""

import argparse

import Orange.data
from Orange.preprocess import Discretize
from Orange.preprocess.discretize import (
    Binning,
    EntropyMDL,
    EqualFreq,
    EqualWidth,
    FixedWidth,
)
from peers import Table, columns, fastest

import orangecontrib.sadd as ours
from orangecontrib.sadd import SADDDiscretize
from orangecontrib.sadd.core import DISCRETIZERS


def make_table(n_rows, n_columns, n_classes):
    X, y = columns(n_rows, n_columns, n_classes)
    domain = Orange.data.Domain(
        [Orange.data.ContinuousVariable(f"x{i}") for i in range(n_columns)],
        Orange.data.DiscreteVariable("y", values=[f"c{i}" for i in range(n_classes)]))
    return Orange.data.Table.from_numpy(domain, X, y.astype(float))


def bench(table, n_rows, n_columns, n_classes, target, repeats):
    data = make_table(n_rows, n_columns, n_classes)
    sadd, mdlp = SADDDiscretize(), SADDDiscretize(method="MDLP")
    orange = Discretize(EntropyMDL())
    orange_time, sadd_time, mdlp_time = fastest(
        repeats, lambda: orange(data), lambda: sadd(data), lambda: mdlp(data))
    table.row(f"{n_rows:,} x {n_columns}, {n_classes} classes, times faster",
              orange_time / sadd_time, target, at_least=True)
    print(f"    SADD {sadd_time:.3f} s, MDLP {mdlp_time:.3f} s, "
          f"Orange {orange_time:.3f} s")


def bench_methods(n_rows):
    """Print the time of each method as a preprocessor, and for one variable a time."""
    data = make_table(n_rows, 20, 3)
    work = {f"Orange: {type(method).__name__}": Discretize(method)
            for method in (EqualWidth(n=10), EqualFreq(n=10), FixedWidth(0.5),
                           Binning(n=10), EntropyMDL())}
    for name in DISCRETIZERS:
        work[f"SADDDiscretize(method={name!r})"] = SADDDiscretize(method=name)
        if hasattr(ours, name):
            work[f"Discretize({name}())"] = Discretize(getattr(ours, name)())
    times = fastest(2, *(lambda each=each: each(data) for each in work.values()))
    print(f"\nAll methods, {n_rows:,} x 20, 3 classes")
    for name, seconds in zip(work, times, strict=True):
        print(f"{name:40}{seconds:8.3f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out a million rows")
    quick = parser.parse_args().quick
    table = Table("SADDDiscretize against Discretize(EntropyMDL())")
    if not quick:
        bench(table, 1_000_000, 20, 5, 15, repeats=2)
    bench(table, 100_000, 20, 5, 9, repeats=5)
    bench(table, 10_000, 20, 3, 4.5, repeats=30)
    bench(table, 2_000, 2_000, 10, 3, repeats=3)
    bench_methods(100_000)
    print(f"{table.missed} missed")


if __name__ == "__main__":
    main()
