"""The subcommand ``demo``: all discretizers on bundled data. ``make demo`` runs it."""

import argparse
from dataclasses import replace

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.cli.options import whole
from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.evaluation.contenders import NEIGHBOURS
from orangecontrib.sadd.evaluation.datasets import BUNDLED, load
from orangecontrib.sadd.evaluation.measures import information
from orangecontrib.sadd.evaluation.protocol import Experiment, evaluate_fold
from orangecontrib.sadd.evaluation.run import progress_bar
from orangecontrib.sadd.evaluation.splits import stratified_folds

__all__ = ["add_subcommand", "run"]

LEGEND = """\
All figures are means over {folds} stratified folds.
intervals  number of intervals of a numeric variable
bits       mutual information of intervals and class in the training rows
share      bits divided by the mutual information of values and class
accuracy   of naive Bayes in the test rows, with its standard deviation over folds
SADD is shown twice. Inductive: cut points come from the training rows, as for the
others. Transductive, as published: SADD also uses the test rows without classes.
"""
# Titles of discretizers by name and unlabelled rows; RNB on transductive SADD is RNB+
TITLES = {("SADD", "none"): "SADD, inductive", ("SADD", "test"): "SADD, transductive"}
FAMILY = [*TITLES.values(), "MDLP"]
# Titles of the measures of classifiers as a whole
MEASURES = {"accuracy": "accuracy", "log_loss": "log loss", "brier": "Brier score",
            "seconds_classify": "seconds"}

# A third of the digits takes as long as all other data
FEWER = {"digits": 3}


def add_subcommand(subcommands: "argparse._SubParsersAction") -> None:
    """Add ``demo`` to the subcommands of a parser."""
    parser = subcommands.add_parser(
        "demo", help="compare discretizers and classifiers on bundled data",
        description="Compare discretizers and classifiers on data that come with "
        "Orange and scikit-learn.")
    parser.add_argument(
        "--data", nargs="+", choices=list(BUNDLED), default=list(BUNDLED),
        metavar="NAME", help=f"data sets out of {', '.join(BUNDLED)}; by default all")
    parser.add_argument("--folds", type=whole(2), default=10, metavar="N",
                        help="by default %(default)s")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the tables and return the exit status."""
    print(LEGEND.format(folds=args.folds), flush=True)
    experiment = Experiment(folds=args.folds, rivals=True)
    tables = []
    # On data this small, threads wait for each other longer than they work
    with threadpool_limits(1), progress_bar(len(args.data) * args.folds) as progress:
        for name in args.data:
            progress.set_description_str(name)
            data = load(name)
            if every := FEWER.get(name):
                data = replace(data, name=f"{name} (one row in {every})",
                               X=data.X[::every], y=data.y[::every])
            tables.append(_evaluate(data, experiment, progress))
            with progress.external_write_mode():
                print(data.summary, _discretizers(tables[-1], data, experiment),
                      _family(tables[-1]), sep="\n", flush=True)
    # Each data set has the same number of folds, and so the same weight
    table = pd.concat(tables)
    print("Mean of all data sets", _family(table),
          "Other classifiers, on the same folds; RNB+ and SADD are inductive",
          _whole(table, experiment), sep="\n", end="")
    return 0


def _evaluate(data, experiment, progress):
    """Return the results of all folds, with titles of discretizers."""
    parts = []
    for fold in range(experiment.folds):
        parts.append(evaluate_fold(data, experiment, fold=fold))
        progress.update()
    table = pd.concat(parts)
    titles = [TITLES.get(key, key[0])
              for key in zip(table["discretizer"], table["pool"], strict=True)]
    return table.assign(title=titles)


def _discretizers(table, data, experiment):
    """Return a table of discretizers, with the results of naive Bayes."""
    numeric = data.X[:, ~data.categorical]
    before = np.mean([
        information(column, data.y[rows])
        for rows, _ in stratified_folds(data.y, experiment.folds, experiment.seed)
        for column in numeric[rows].T])
    accuracy = 100 * table[(table["measure"] == "accuracy")
                           & (table["classifier"] == "NB")].groupby(
        "title", sort=False)["value"].agg(["mean", "std"])
    means = table.pivot_table("value", "title", "measure").loc[accuracy.index]
    return _text("discretizer", pd.DataFrame({
        "intervals": means["intervals"], "bits": means["information"],
        "share": 100 * means["information"] / before,
        "accuracy": [f"{mean:.1f} ± {deviation:4.1f}"
                     for mean, deviation in accuracy.to_numpy()],
    }), {"intervals": "{:.1f}", "bits": "{:.3f}", "share": "{:.0f} %"})


def _family(table):
    """Return a table of the accuracy of classifiers, and that of k-NN."""
    accuracy = 100 * table[table["measure"] == "accuracy"].pivot_table(
        "value", "classifier", "title")
    text = _text("accuracy", accuracy.loc[list(CLASSIFIERS), FAMILY],
                 dict.fromkeys(FAMILY, "{:.1f}"))
    return (f"{text}The k-NN that predicts the pseudo-labels of SADD has "
            f"{accuracy.loc['', NEIGHBOURS]:.1f} on its own.\n\n")


def _whole(table, experiment):
    """Return a table of classifiers that are evaluated as a whole."""
    means = table.pivot_table("value", "classifier", "measure").loc[
        [whole.name for whole in experiment.whole()]]
    means["accuracy"] *= 100
    return _text("classifier", means[list(MEASURES)].rename(columns=MEASURES),
                 dict.fromkeys(MEASURES.values(), "{:.3f}") | {"accuracy": "{:.1f}"})


def _text(name, frame, formats):
    """Return a table as text, with a name of its rows and a line below its header."""
    frame = frame.assign(**{
        column: frame[column].map(text.format) for column, text in formats.items()})
    header, *lines = frame.rename_axis(None).to_string().splitlines()
    header = name + header[len(name):]
    return "\n".join([header, "-" * len(header), *lines]) + "\n"
