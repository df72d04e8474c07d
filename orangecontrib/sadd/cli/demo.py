"""The subcommand ``demo``: few labels, then all discretizers. ``make demo`` runs it."""

import argparse
import os
import re
from dataclasses import dataclass

import pandas as pd
from threadpoolctl import threadpool_limits

from orangecontrib.sadd.cli.benchmark import run_with_report
from orangecontrib.sadd.cli.options import whole
from orangecontrib.sadd.cli.terminal import CommandError
from orangecontrib.sadd.evaluation.contenders import (
    SADD_TABLES,
    WHOLE,
    Whole,
    shown_name,
)
from orangecontrib.sadd.evaluation.datasets import load
from orangecontrib.sadd.evaluation.experiment import Experiment
from orangecontrib.sadd.evaluation.protocol import evaluate_fold
from orangecontrib.sadd.evaluation.summaries import (
    IS_WHOLE,
    whole_averages,
    whole_differences,
    whole_table,
)

__all__ = ["add_subcommand", "run"]

# Data that come with Orange and scikit-learn. The digits alone would take minutes.
DATA = ("iris", "wine", "breast_cancer", "heart_disease", "brown-selected")
# Classifiers as a whole, and whether they get the unlabelled rows
CONTENDERS = {(SADD_TABLES, "training"), (SADD_TABLES, "none"), ("RNB+", "training"),
              ("logistic regression", "none"), ("self-training", "training"),
              ("random forest", "none")}

PROMISE = """\
{labels} labelled rows of each data set. Classifiers "+ unlabelled" also get up to
{pool} rows without labels. Accuracy on unseen rows in per cent, mean of {draws}
draws of labels. Log loss is a mean over data sets. Lower is better.
"""
DISCRETIZERS = """\
Discretizers, with all labels: intervals of a numeric variable, their information
about the class in bits, and the accuracy of naive Bayes. Means of {folds} folds and all
data. SADD is shown without the test rows (inductive) and, as published, with them but
without their classes (transductive).
"""


def _name(classifier: str, pool: str) -> str:
    return classifier if pool == "none" else f"{classifier} + unlabelled"


BASE = _name(SADD_TABLES, "training")


@dataclass(frozen=True)
class Promise(Experiment):
    """Few labels; only the contenders of the demo."""

    def whole(self) -> list[Whole]:
        """Return the classifiers to evaluate as a whole."""
        return [one._replace(pools=tuple(
            pool for pool in one.pools if (one.name, pool) in CONTENDERS))
            for one in WHOLE if one.name in dict(CONTENDERS)]


def add_subcommand(subcommands: "argparse._SubParsersAction") -> None:
    """Add ``demo`` to the subcommands of a parser."""
    parser = subcommands.add_parser(
        "demo", help="compare methods with few labels, on bundled data",
        description="Compare classifiers with few labels, and discretizers, on data "
        "that come with Orange and scikit-learn.")
    parser.add_argument(
        "--data", nargs="+", choices=DATA, default=list(DATA),
        metavar="NAME", help=f"data sets out of {', '.join(DATA)}; by default all")
    parser.add_argument("--labels", type=whole(10), default=30, metavar="N",
                        help="labelled rows; by default %(default)s")
    parser.add_argument("--draws", type=whole(2), default=10, metavar="N",
                        help="random draws of labelled rows; by default %(default)s")
    parser.add_argument("--folds", type=whole(2), default=3, metavar="N",
                        help="for discretizers; by default %(default)s")
    parser.add_argument(
        "-o", "--output", default="sadd-demo", metavar="FOLDER",
        help="folder for the report; by default %(default)s")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the tables, write the reports, and return the exit status."""
    data_sets = [load(name) for name in dict.fromkeys(args.data)]
    promise = Promise(label_counts=(args.labels,), repeats=args.draws, rivals=True)
    cuts = Experiment(folds=args.folds, classifiers=("NB",))
    for data in data_sets:
        try:
            promise.check(data)
            cuts.check(data)
        except ValueError as error:
            raise CommandError(f"{data.name}: {error}") from error
    largest = max(len(data.y) - len(data.y) // 3 for data in data_sets) - args.labels
    print(PROMISE.format(labels=args.labels, draws=args.draws, pool=largest),
          flush=True)
    table, _, page = run_with_report(data_sets, promise, args.output,
                                     jobs=min(2, os.cpu_count() or 1))
    text = _few_labels(table, [data.name for data in data_sets])
    chance = ("* differs from the first row by more than chance (5 %)." if "*" in text
              else "No difference from the first row is more than chance.")
    print(text, chance, f"The report is {page}.\n",
          DISCRETIZERS.format(folds=args.folds), sep="\n", flush=True)
    # On data this small, threads wait for each other longer than they work
    with threadpool_limits(1):
        table = pd.concat(evaluate_fold(data, cuts, fold=fold)
                          for data in data_sets for fold in range(args.folds))
    print(_discretizers(table), end="")
    return 0


def _few_labels(table: pd.DataFrame, names: list[str]) -> str:
    """Return accuracies of contenders, a column for each data set, and log loss."""
    found = {name: _column(table[table["dataset"] == name]) for name in names}
    found |= {"mean": _column(table), "log loss": _column(table, "log_loss", 3)}
    accuracy = found["mean"].drop(BASE).str.rstrip("* ").astype(float)
    order = accuracy.sort_values(ascending=False, kind="stable").index
    return _text("classifier", pd.DataFrame(found).loc[[BASE, *order]])


def _column(table: pd.DataFrame, measure: str = "accuracy", digits: int = 1
            ) -> pd.Series:
    """Return means over draws, marked where they differ from that of the first row."""
    frame = whole_table(table)
    means = whole_averages(frame).set_index(IS_WHOLE)[measure]
    gaps = whole_differences(table, frame)
    gaps = gaps[(gaps["base"] == SADD_TABLES) & (gaps["measure"] == measure)].set_index(
        IS_WHOLE)
    differs = (gaps["low"] > 0) | (gaps["high"] < 0)
    return pd.Series({
        _name(*key): f"{mean:.{digits}f}{'*' if differs.get(key, False) else ' '}"
        for key, mean in means.items()})


def _discretizers(table: pd.DataFrame) -> str:
    """Return intervals, information and accuracy of discretizers."""
    rows = table[table["measure"].isin(["intervals", "information"])
                 | (table["measure"] == "accuracy") & (table["classifier"] == "NB")]
    names = [shown_name(*key) for key in zip(
        rows["discretizer"], rows["pool"], strict=True)]
    means = rows.assign(name=names).groupby(
        ["name", "measure", "dataset"], sort=False)["value"].mean()
    means = means.groupby(level=["name", "measure"], sort=False).mean().unstack()
    return _text("discretizer", pd.DataFrame({
        "intervals": means["intervals"].map("{:.1f}".format),
        "bits": means["information"].map("{:.3f}".format),
        "accuracy": (100 * means["accuracy"]).map("{:.1f}".format)}))


def _text(name, frame):
    """Return a table as text, with long heads in two lines and a line below them."""
    heads = [["", *re.split("[ _-]", head, maxsplit=1)][-2:] for head in frame]
    text = frame.rename_axis(None).set_axis(
        pd.MultiIndex.from_tuples(heads), axis=1).to_string(sparsify=False)
    above, header, *lines = text.splitlines()
    header = name + header[len(name):]
    return "\n".join([*[above.rstrip()][:bool(above.strip())], header,
                      "-" * len(header), *(line.rstrip() for line in lines)]) + "\n"
