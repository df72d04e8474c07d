"""``python -m orangecontrib.sadd benchmark``: the paper's tables, or one's own."""

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from orangecontrib.sadd.cli.options import fraction, neighbours, positive, whole
from orangecontrib.sadd.cli.terminal import CommandError, ProgressBar, with_notes
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.evaluation.datasets import BUNDLED, expand, load
from orangecontrib.sadd.evaluation.experiment import (
    FAMILY,
    Experiment,
    check_folds,
    label_numbers,
)
from orangecontrib.sadd.evaluation.resulttables import ResultTables
from orangecontrib.sadd.evaluation.run import run_benchmark

__all__ = ["add_subcommand", "run"]

DESCRIPTION = """\
Compare discretization methods, and classifiers on what they make of the data, by
cross-validation. Writes tables for programs and a report, report.html, for people.

SADD is evaluated as published, with each fold's test rows among its unlabelled rows;
beside it always stand its results without them, and those of the plain k-NN that
labels them. Started again after an interruption, with the same arguments, it goes on
with what is left."""

EPILOG = """\
examples:
  the paper:     benchmark datasets/ --jobs 2
  one's own:     benchmark mine.tab other.csv --target diagnosis
  few labels:    benchmark datasets/ --labels 10 20 50 100 --repeats 10 --normalize
  rivals:        benchmark datasets/ --rivals --methods SADD --classifiers RNB
  sweeps:        benchmark iris --k auto 1 5 --n0 500 1000 2000 --labelled 1
  from OpenML:   benchmark openml:vowel openml:54

exit status: 0 if all is well, 1 if something failed and is listed, 2 for a wrong call,
130 or 143 if interrupted or terminated"""


def add_subcommand(subcommands: "argparse._SubParsersAction") -> None:
    """Add ``benchmark`` to the subcommands of a parser."""
    parser = subcommands.add_parser(
        "benchmark",
        help="compare methods by cross-validation and write a report",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    defaults = Experiment()
    parser.add_argument(
        "data", nargs="*", default=list(BUNDLED), metavar="DATA",
        help="files, folders of files, names of data sets that come with Orange or "
        f"scikit-learn, or openml:NAME; by default {', '.join(BUNDLED)}")
    parser.add_argument(
        "-o", "--output", default="sadd-benchmark", metavar="FOLDER",
        help="where to write; by default %(default)s")
    parser.add_argument(
        "--target", metavar="NAME",
        help="column to predict in files that do not mark it; by default class")
    parser.add_argument(
        "--methods", nargs="+", choices=list(DISCRETIZERS), metavar="NAME",
        default=defaults.methods,
        help=f"discretizers out of {', '.join(DISCRETIZERS)}; by default all")
    parser.add_argument(
        "--classifiers", nargs="+", choices=list(FAMILY), metavar="NAME",
        default=defaults.classifiers,
        help=f"classifiers out of {', '.join(map(repr, FAMILY))}; by default all")
    parser.add_argument(
        "--all-pairs", action="store_true",
        help="each classifier on each discretizer; by default NB on each, the others "
        "on SADD and MDLP")
    parser.add_argument(
        "--folds", type=whole(2), default=defaults.folds, metavar="N",
        help="by default %(default)s")
    parser.add_argument(
        "--repeats", type=whole(1), default=defaults.repeats, metavar="N",
        help="repetitions of the cross-validation; by default %(default)s")
    parser.add_argument(
        "--seed", type=whole(0), default=defaults.seed, metavar="N",
        help="by default %(default)s")
    parser.add_argument(
        "--labelled", nargs="+", type=fraction, default=defaults.labelled,
        metavar="SHARE",
        help="shares of training rows whose label discretizers see; by default 1 0.4")
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--labels", nargs="+", type=whole(2), default=defaults.labels, metavar="N",
        help="learning curves instead: RNB+ as published and by the recipe for few "
        "labels, with and without the other training rows as its pool, beside naive "
        "Bayes, labellers and logistic regression, with so many labelled rows; each of "
        "the --repeats is a random split")
    other.add_argument(
        "--rivals", action="store_true",
        help="also classifiers of scikit-learn, SADD's intervals for logistic "
        "regression, and RNB+ by the recipe for few labels on the same folds, with log "
        "loss, Brier score, calibration and time")
    parser.add_argument(
        "--max-rows", type=whole(1), metavar="N",
        help="leave out data sets with more rows")
    parser.add_argument(
        "--k", nargs="+", type=neighbours, default=defaults.k, metavar="K",
        help="numbers of neighbours of SADD; validation, the default, chooses as "
             "published, auto by leaving out one row at a time, "
        "1 is that of the authors' code")
    parser.add_argument(
        "--n0", nargs="+", type=positive, default=defaults.n0, metavar="N0",
        help="values of N0 of SADD; by default 2000")
    parser.add_argument(
        "--normalize", action="store_true",
        help="standardize attributes for SADD's neighbours; the paper does not")
    parser.add_argument(
        "--keep-missing", action="store_true",
        help="leave missing values to the methods; by default they become means and "
        "modes, as in the paper")
    parser.add_argument(
        "--trust-metadata", action="store_true",
        help="read pickles, .pkl and .metadata files, which can run any program")
    parser.add_argument(
        "--cache", metavar="FOLDER",
        help="where to keep downloaded data; by default scikit-learn's folder")
    parser.add_argument(
        "--jobs", type=whole(1), default=1, metavar="N",
        help="processes at a time; by default %(default)s")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the benchmark, write the report, and return the exit status."""
    data_sets, failures = _load(args)
    for failure in failures:
        print(failure, file=sys.stderr)
    if not data_sets:
        raise CommandError("There is no data set to work on.")
    experiment = Experiment(
        methods=_once(args.methods), classifiers=_once(args.classifiers),
        all_pairs=args.all_pairs, folds=args.folds, repeats=args.repeats,
        seed=args.seed, labelled=_once(args.labelled), k=_once(args.k),
        n0=_once(args.n0), normalize=args.normalize, impute=not args.keep_missing,
        labels=tuple(sorted(set(args.labels))), rivals=args.rivals)
    from orangecontrib.sadd.evaluation.report.page import write_report

    try:
        with ProgressBar(disable=None) as progress:
            outcome = run_benchmark(
                data_sets, experiment, args.output, jobs=args.jobs,
                command=_command_line(), progress=progress)
        # From the files, so that it can be written again from them
        page = write_report(
            args.output, ResultTables.read(Path(args.output)), outcome.facts)
    except OSError as error:
        raise CommandError(f"{args.output} cannot be written to: {error}") from error
    except KeyboardInterrupt:
        print(f"What was done is kept in {args.output}; the same command goes on from "
              "there.", file=sys.stderr)
        raise
    _print_summary(outcome, page)
    return 1 if failures or outcome.failures else 0


def _load(args):
    """Return the data sets that can be read, and what is wrong with the others."""
    found, failures = [], []
    for source in args.data:
        try:
            singles = list(expand(source))
        except ValueError as error:
            failures.append(f"{source}: {error}")
            continue
        for single in singles:
            try:
                data, notes = with_notes(
                    load, single, args.target, args.cache, args.trust_metadata)
                for note in notes:
                    print(f"{single}: note: {note}", file=sys.stderr)
                if args.max_rows and len(data.y) > args.max_rows:
                    continue
                _check(data, args)
                found.append(data)
            except Exception as error:  # Orange's readers raise what a file provokes
                failures.append(f"{single}: {error}")
    return list(_with_own_names(found)), failures


def _check(data, args):
    """Raise a ValueError if a data set cannot be evaluated."""
    if not args.labels:
        check_folds(data, args.folds)
    elif data.n_classes < 2 or not label_numbers(data, args.labels):
        raise ValueError(
            f"{len(data.y)} rows of {data.n_classes} classes are not enough for "
            "learning curves with these numbers of labels: each class needs one, and "
            "as many training rows must be left without.")


def _once(values):
    return tuple(dict.fromkeys(values))


def _print_summary(outcome, page):
    """Print what was done, what failed, and where the report is."""
    computed, tasks = outcome.facts["computed"], outcome.facts["tasks"]
    known = f", {tasks - computed} were known" if computed < tasks else ""
    what = "splits" if outcome.facts["settings"]["labels"] else "folds"
    print(f"{computed} {what} in {duration(outcome.facts['seconds'])}{known}.")
    for failure in outcome.failures[:20]:
        print(f"failed: {failure}", file=sys.stderr)
    if len(outcome.failures) > 20:
        print(f"{len(outcome.failures) - 20} more failures are in the report.",
              file=sys.stderr)
    print(f"The report is {page}.")


def duration(seconds: float) -> str:
    """
    Return a time span in words.

    Examples
    --------
    >>> duration(42), duration(150), duration(3 * 3600 + 60)
    ('42 s', '2 min 30 s', '3 h 1 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    if not minutes:
        return f"{seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def _with_own_names(data_sets):
    """Yield the data sets, those of the same name numbered."""
    taken = {data.name for data in data_sets}
    seen = set()
    for data in data_sets:
        name, number = data.name, 1
        while name in seen or (number > 1 and name in taken):
            number += 1
            name = f"{data.name} ({number})"
        seen.add(name)
        yield replace(data, name=name)


def _command_line():
    """Return the command as one would type it."""
    return shlex.join(["python", "-m", "orangecontrib.sadd", *sys.argv[1:]])
