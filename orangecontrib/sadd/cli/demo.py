"""The demo: every method on bundled data. ``make demo`` runs it."""

import argparse
from collections.abc import Sequence

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.cli.options import whole
from orangecontrib.sadd.cli.terminal import ProgressBar
from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.evaluation.datasets import BUNDLED, load_bundled
from orangecontrib.sadd.evaluation.protocol import (
    NEIGHBOURS,
    Experiment,
    evaluate_fold,
    information,
)
from orangecontrib.sadd.evaluation.splits import stratified_folds

__all__ = ["add_subcommand", "format_table"]

LEGEND = """\
All figures are means over {folds} stratified folds.
intervals  of a numeric attribute
bits       mutual information of intervals and class in the training rows
share      the same as a part of what the values had before discretization
accuracy   of naive Bayes in the test rows, with its standard deviation over folds
SADD is shown twice. Inductive: cut points come from the training rows, as for the
other methods. Transductive, as published: it sees the test rows, too, unlabelled.
"""
METHOD_HEADER = ("method", "intervals", "bits", "share", "accuracy")

# What the classifiers are shown with; RNB with transductive SADD is RNB+.
FAMILY_VARIANTS = (("SADD", "none"), ("SADD", "test"), ("MDLP", "none"))
KNN = "The k-NN that gives SADD its pseudo-labels has {:.1f} by itself."

# A third of the digits will do, so that the demo does not take longer for them than
# for all the rest.
EVERY = {"digits": 3}


class Demo:
    """
    The evaluation of one data set after the other.

    Parameters
    ----------
    n_folds : int
    progress : ProgressBar
        Makes a step for each fold.
    """

    def __init__(self, n_folds, progress):
        # As the methods are used, not as the paper has it: attributes are normalized,
        # and missing values are left to the methods.
        self.experiment = Experiment(
            folds=n_folds, label_fractions=(1.0,), standardize=True, impute=False)
        self.progress = progress
        # For each data set: mean accuracy in per cent, classifiers x FAMILY_VARIANTS,
        # and that of k-NN.
        self.family = []
        self.neighbours = []

    def add(self, data):
        """Evaluate a data set and return its tables as text."""
        parts = []
        for fold in range(self.experiment.folds):
            parts.append(evaluate_fold(data, self.experiment, fold=fold))
            self.progress.step(f"{data.name}, fold {fold + 1}")
        table = pd.concat(parts)
        accuracy = 100 * table[table["measure"] == "accuracy"].groupby(
            ["method", "pool", "classifier"])["value"].mean()
        self.family.append(np.array([
            [accuracy[(*variant, classifier)] for variant in FAMILY_VARIANTS]
            for classifier in CLASSIFIERS
        ]))
        self.neighbours.append(accuracy[NEIGHBOURS, "test", ""])
        rows = method_rows(table, information_before(data, self.experiment))
        return (
            f"{data.summary}\n{format_table(METHOD_HEADER, rows)}\n\n"
            f"{family_table(self.family[-1], self.neighbours[-1])}\n"
        )

    def summary(self):
        """Return the table of means over the data sets as text."""
        return (
            f"Mean of {len(self.family)} data sets\n"
            f"{family_table(np.mean(self.family, axis=0), np.mean(self.neighbours))}"
        )


def information_before(data, experiment):
    """Return the mean information in the training rows' numeric values, in bits."""
    numeric = data.X[:, ~data.categorical]
    return np.mean([
        information(column, data.y[rows])
        for rows, _ in stratified_folds(data.y, experiment.folds, experiment.seed)
        for column in numeric[rows].T
    ])


def label(method, pool):
    """Return the name of a method; SADD, which may learn from test rows, has two."""
    if method != "SADD":
        return method
    return f"{method}, {'in' if pool == 'none' else 'trans'}ductive"


def method_rows(table, bits_before):
    """Return the rows under `METHOD_HEADER`, with the results of naive Bayes."""
    fits = table[(table["measure"] == "accuracy") & (table["classifier"] == "NB")]
    figures = table.groupby(["method", "pool", "measure"])["value"].mean()
    rows = []
    for (method, pool), accuracy in fits.groupby(["method", "pool"], sort=False)[
            "value"]:
        found, intervals, bits = 100 * accuracy, *(
            figures[method, pool, measure] for measure in ("intervals", "information"))
        rows.append((
            label(method, pool),
            f"{intervals:.1f}",
            f"{bits:.3f}",
            f"{100 * bits / bits_before:.0f} %",
            f"{found.mean():.1f} ± {found.std():4.1f}",
        ))
    return rows


def family_table(accuracy, neighbour_accuracy):
    """Return the accuracies of the family and of k-NN, in per cent, as text."""
    header = ("accuracy", *(label(*variant) for variant in FAMILY_VARIANTS))
    rows = [
        (name, *(f"{cell:.1f}" for cell in row))
        for name, row in zip(CLASSIFIERS, accuracy, strict=True)
    ]
    return f"{format_table(header, rows)}\n{KNN.format(neighbour_accuracy)}\n"


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """
    Align the cells of a table: the first column to the left, others to the right.

    Examples
    --------
    >>> print(format_table(("method", "bits"), [("MDLP", "1.25"), ("CAIM", "0.5")]))
    method  bits
    ------------
    MDLP    1.25
    CAIM     0.5
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells):
        first, *others = zip(cells, widths, strict=True)
        return "  ".join(
            [first[0].ljust(first[1])] + [cell.rjust(width) for cell, width in others]
        )

    return "\n".join([line(header), "-" * len(line(header)), *map(line, rows)])


def add_subcommand(subcommands: "argparse._SubParsersAction") -> None:
    """Add ``demo`` to the subcommands of a parser."""
    parser = subcommands.add_parser(
        "demo",
        help="compare the methods on bundled data",
        description="Compare the methods on data that come with Orange and "
        "scikit-learn.",
    )
    parser.add_argument(
        "--data",
        nargs="+",
        choices=list(BUNDLED),
        default=list(BUNDLED),
        metavar="NAME",
        help=f"data sets out of {', '.join(BUNDLED)}; by default all",
    )
    parser.add_argument(
        "--folds", type=whole(2), default=10, metavar="N", help="by default %(default)s"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the tables and return the exit status."""
    print(LEGEND.format(folds=args.folds), flush=True)
    # On data this small, threads wait for each other longer than they work.
    n_steps = len(args.data) * args.folds
    with threadpool_limits(1), ProgressBar(n_steps, disable=None) as progress:
        demo = Demo(args.folds, progress)
        for name in args.data:
            text = demo.add(load_bundled(name, EVERY.get(name, 1)))
            with progress.external_write_mode():
                print(text, flush=True)
    print(demo.summary(), end="")
    return 0
