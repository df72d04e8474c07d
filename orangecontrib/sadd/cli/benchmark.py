"""``python -m orangecontrib.sadd benchmark``: compare methods by cross-validation."""

import argparse
import shlex
import sys
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pandas as pd

from orangecontrib.sadd.cli.options import checked_discretizer, fraction, value, whole
from orangecontrib.sadd.cli.terminal import (
    CommandError,
    UsageError,
    reason_of,
    with_notes,
)
from orangecontrib.sadd.core.registry import CLASSIFIERS, DISCRETIZERS
from orangecontrib.sadd.evaluation.datasets import BUNDLED, DataSet, expand, load
from orangecontrib.sadd.evaluation.experiment import PUBLISHED, Experiment
from orangecontrib.sadd.evaluation.run import failures_of, run_benchmark

__all__ = ["add_subcommand", "run", "run_with_report"]

DESCRIPTION = """\
Compare discretizers and classifiers by cross-validation, with the package's defaults.
Writes results.csv, summaries as CSV files, and a report, report.html.

SADD is listed twice: inductive, without the test rows, and transductive, as published,
with each fold's test rows among its unlabelled rows. The k-NN that labels these is also
listed.
If the command is interrupted, the same command continues from the finished folds."""

EPILOG = """\
examples:
  your files:    benchmark mine.tab other.csv --target diagnosis --jobs 2
  few labels:    benchmark folder/ --label-counts 10 20 50 --repeats 10 --rivals
  rivals:        benchmark mine.tab --rivals --classifiers NB "SADD Tables"

exit status: 0 success; 1 failures are listed; 2 wrong arguments; 130 interrupted;
143 terminated"""


def add_subcommand(subcommands: "argparse._SubParsersAction") -> None:
    """Add ``benchmark`` to the subcommands of a parser."""
    parser = subcommands.add_parser(
        "benchmark", help="compare methods by cross-validation and write a report",
        description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "data", nargs="*", default=list(BUNDLED), metavar="DATA",
        help="files, folders, or names of data sets in Orange or scikit-learn; by "
        f"default {', '.join(BUNDLED)}")
    parser.add_argument(
        "-o", "--output", default="sadd-benchmark", metavar="FOLDER",
        help="folder for the results; by default %(default)s")
    parser.add_argument(
        "--target", metavar="NAME",
        help="column to predict in files that do not mark it; by default class")
    parser.add_argument(
        "--discretizers", nargs="+", choices=list(DISCRETIZERS), metavar="NAME",
        help=f"out of {', '.join(DISCRETIZERS)}; by default all")
    parser.add_argument(
        "--classifiers", nargs="+", choices=CLASSIFIERS, metavar="NAME",
        help=f"out of {', '.join(map(repr, CLASSIFIERS))}; by default all")
    parser.add_argument(
        "--all-pairs", action="store_true",
        help="each classifier on each discretizer; by default NB on each, and "
        "the other classifiers on SADD and MDLP")
    parser.add_argument("--folds", type=whole(2), metavar="N",
                        help="folds of the cross-validation; by default %(default)s")
    parser.add_argument(
        "--repeats", type=whole(1), metavar="N",
        help="repetitions of the cross-validation, or random splits with "
        "--label-counts; by default %(default)s")
    parser.add_argument("--seed", type=whole(0), metavar="N",
                        help="seed of folds and splits; by default %(default)s")
    parser.add_argument(
        "--label-fraction", nargs="+", type=fraction, metavar="SHARE",
        dest="label_fractions",
        help="shares of training rows with a label for discretizers; by default 1")
    parser.add_argument(
        "--label-counts", nargs="+", type=whole(2), metavar="N",
        help="learning curves instead, with these numbers of labelled rows: SADD "
        "Tables and RNB+ with and without unlabelled rows, naive Bayes, k-NN, the "
        "committee and logistic regression")
    parser.add_argument(
        "--rivals", action="store_true",
        help="also evaluate classifiers of scikit-learn on the same rows; with "
        "--label-counts also self-training and label spreading")
    parser.add_argument(
        "--published", action="store_true",
        help="settings of the paper: k validated, variables not standardized, missing "
        "values imputed, label fractions 1 and 0.4, without SADD Tables, and wins "
        "counted by the paper's test")
    parser.add_argument(
        "--k", type=value, metavar="K",
        help="number of neighbours of SADD, or auto (leave-one-out), the default, or "
        "validation, as published")
    parser.add_argument("--n0", type=value, metavar="N0",
                        help="N0 of SADD; by default %(default)g")
    parser.add_argument(
        "--trust-metadata", action="store_true",
        help="read pickles, .pkl and .metadata files, which can run any program")
    parser.add_argument("--jobs", type=whole(1), default=1, metavar="N",
                        help="number of processes; by default %(default)s")
    defaults = asdict(Experiment())
    # Whether they are given matters for --published.
    defaults |= dict.fromkeys(PUBLISHED) | {"published": False}
    parser.set_defaults(run=run, **defaults)


def run(args: argparse.Namespace) -> int:
    """Run the benchmark, write the report, and return the exit status."""
    experiment = _experiment(args)
    data_sets, unread = _load(args, experiment)
    for reason in unread:
        print(reason, file=sys.stderr)
    if not data_sets:
        raise CommandError("There is no data set to evaluate.")
    try:
        table, facts, page = run_with_report(
            data_sets, experiment, args.output, jobs=args.jobs)
    except KeyboardInterrupt:
        print(f"Finished folds are kept in {args.output}; the same command continues "
              "from there.", file=sys.stderr)
        raise
    failures = failures_of(table)
    for failure in failures[:20]:
        print(f"failed: {failure}", file=sys.stderr)
    if len(failures) > 20:
        print(f"{len(failures) - 20} more failures are in the report.", file=sys.stderr)
    print(f"{facts['computed']} of {facts['tasks']} "
          f"{'splits' if experiment.label_counts else 'folds'} were computed in "
          f"{facts['seconds']:.0f} s.\nThe report is {page}.")
    return 1 if unread or failures else 0


def run_with_report(data_sets: list[DataSet], experiment: Experiment, folder: str, *,
                    jobs: int) -> tuple[pd.DataFrame, dict[str, Any], Path]:
    """Run a benchmark; return its results, its description, and the page."""
    from orangecontrib.sadd.evaluation.page import write_report

    try:
        table, facts = run_benchmark(
            data_sets, experiment, folder, jobs=jobs,
            command=shlex.join(["orange-sadd", *sys.argv[1:]]))
        return table, facts, write_report(folder, table, facts)
    except OSError as error:
        raise CommandError(f"{folder} cannot be written to: {reason_of(error)}."
                           ) from error


def _experiment(args):
    """Return the settings: those given, of the paper if asked for, and defaults."""
    settings = PUBLISHED.copy() if args.published else {}
    for field in fields(Experiment):
        given = getattr(args, field.name)
        if given is not None:
            settings[field.name] = (
                tuple(dict.fromkeys(given)) if isinstance(given, list) else given)
    if args.label_counts and args.published:
        raise UsageError("--published has no --label-counts.")
    settings["label_counts"] = tuple(sorted(settings["label_counts"]))
    experiment = Experiment(**settings)
    checked_discretizer("SADD", k=experiment.k, n0=experiment.n0)
    return experiment


def _load(args, experiment):
    """Return data sets with distinct names, and reasons why data sets are left out."""
    found, unread = {}, []
    for source in dict.fromkeys(args.data):
        try:
            singles = list(expand(source))
        except ValueError as error:
            unread.append(f"{source}: {error}")
            continue
        for single in singles:
            try:
                data, notes = with_notes(
                    load, single, args.target, args.trust_metadata)
                for note in notes:
                    print(f"{single}: note: {note}", file=sys.stderr)
                experiment.check(data)
            except Exception as error:  # readers raise any exception
                unread.append(f"{single}: {error}")
            else:
                # Files of the same name in several folders are named by their paths.
                name = single if data.name in found else data.name
                found[name] = replace(data, name=name)
    return list(found.values()), unread
