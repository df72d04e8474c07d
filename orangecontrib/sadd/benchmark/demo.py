"""The demo: every method on bundled data. ``make demo`` runs it."""

import argparse
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.benchmark.datasets import BUNDLED, load_bundled
from orangecontrib.sadd.benchmark.evaluation import stratified_folds
from orangecontrib.sadd.benchmark.methods import (
    FAMILY,
    VARIANTS,
    accuracy_of,
    evaluate,
    mean_information,
)
from orangecontrib.sadd.benchmark.progress import Progress

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
FAMILY_VARIANTS = [v for v in VARIANTS if v.method in ("MDLP", "SADD")]
FAMILY_HEADER = ("accuracy", *(variant.label for variant in FAMILY_VARIANTS))
NEIGHBOURS = "The k-NN that gives SADD its pseudo-labels has {:.1f} by itself."


class Demo:
    """
    The evaluation of one data set after the other.

    Parameters
    ----------
    n_folds : int
    progress : Progress
        Makes a step with each model.
    """

    def __init__(self, n_folds, progress):
        self.n_folds = n_folds
        self.progress = progress
        # For each data set: mean accuracy in per cent, classifiers x FAMILY_VARIANTS,
        # and that of k-NN.
        self.family = []
        self.neighbours = []

    @staticmethod
    def n_steps(n_data_sets, n_folds):
        """Return the number of models that will be fitted."""
        n_models = len(VARIANTS) + (len(FAMILY) - 1) * len(FAMILY_VARIANTS)
        return n_data_sets * n_folds * n_models

    def add(self, data):
        """Evaluate a data set and return its tables as text."""
        folds = stratified_folds(data.y, self.n_folds)
        results = {
            variant: evaluate(data, variant, folds, self._step(data, variant.label))
            for variant in VARIANTS
        }
        accuracy = [[np.mean(results[v].accuracy) for v in FAMILY_VARIANTS]]
        for classifier in list(FAMILY)[1:]:
            step = self._step(data, classifier)
            accuracy.append([
                np.mean(accuracy_of(classifier, data, variant, folds, step))
                for variant in FAMILY_VARIANTS
            ])
        self.family.append(100 * np.array(accuracy))
        self.neighbours.extend(
            100 * np.mean(result.neighbour_accuracy)
            for result in results.values() if result.neighbour_accuracy is not None
        )
        rows = method_rows(results, information_before(data, folds))
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

    def _step(self, data, what):
        return partial(self.progress.step, f"{data.name}, {what}")


def information_before(data, folds):
    """Return the mean information in the training rows' numeric values, in bits."""
    numeric = data.X[:, ~data.categorical]
    return np.mean([mean_information(numeric[rows], data.y[rows]) for rows, _ in folds])


def method_rows(results, bits_before):
    """Return the rows under `METHOD_HEADER`, of a dict of variants and results."""
    return [
        (
            variant.label,
            f"{np.mean(result.intervals):.1f}",
            f"{np.mean(result.bits):.3f}",
            f"{100 * np.mean(result.bits) / bits_before:.0f} %",
            f"{100 * np.mean(result.accuracy):.1f} ± "
            f"{100 * np.std(result.accuracy, ddof=1):4.1f}",
        )
        for variant, result in results.items()
    ]


def family_table(accuracy, neighbour_accuracy):
    """Return the accuracies of the family and of k-NN, in per cent, as text."""
    rows = [
        (name, *(f"{cell:.1f}" for cell in row))
        for name, row in zip(FAMILY, accuracy, strict=True)
    ]
    table = format_table(FAMILY_HEADER, rows)
    return f"{table}\n{NEIGHBOURS.format(neighbour_accuracy)}\n"


def format_table(header, rows):
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


def add_subcommand(subcommands):
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
        "--folds", type=_n_folds, default=10, metavar="N", help="by default %(default)s"
    )
    parser.set_defaults(run=run)


def _n_folds(text):
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError("a number of 2 or more is needed")
    return int(text)


def run(args):
    """Print the tables and return the exit status."""
    print(LEGEND.format(folds=args.folds), flush=True)
    n_steps = Demo.n_steps(len(args.data), args.folds)
    # On data this small, threads wait for each other longer than they work.
    with threadpool_limits(1), Progress(n_steps) as progress:
        demo = Demo(args.folds, progress)
        for name in args.data:
            text = demo.add(load_bundled(name))
            progress.clear()
            print(text, flush=True)
    print(demo.summary(), end="")
    return 0
