"""The subcommand ``discretize``: tables in, tables of intervals out."""

import argparse
import os
import sys
import time
import traceback

from tqdm import tqdm

from orangecontrib.sadd.cli import files, options
from orangecontrib.sadd.cli.terminal import CommandError, UsageError, reason_of
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.evaluation.run import progress_bar

__all__ = ["add_subcommand", "run"]

DESCRIPTION = """\
Replace the numeric columns of tables by intervals. Cut points are learned from each
file by itself, or taken from a file that an earlier run has written."""

EPILOG = """\
All formats of Orange are read: .tab, .csv, .xlsx and others, compressed or not.
Rows with a missing target are unlabelled. SADD also learns from them.

  discretize iris.tab -o binned.tab
  discretize few.csv --target species --unlabelled many.csv -o binned.csv
  discretize train.csv --target species --cuts cuts.json --evidence evidence.csv
  discretize day/*.csv --apply cuts.json -o binned/

A file is written completely or not at all, and is replaced only with --force. If one
of several files fails, the other files are still written.

exit status: 0 success; 1 a file could not be discretized, with the reason on standard
error; 2 wrong arguments; 130 interrupted; 143 terminated"""


def add_subcommand(subcommands: "argparse._SubParsersAction") -> None:
    """Add ``discretize`` to the subcommands of a parser."""
    parser = subcommands.add_parser(
        "discretize", help="replace numbers in files by intervals",
        usage="%(prog)s FILE [FILE ...] [-o PATH] [--cuts PATH] [options]",
        description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", metavar="FILE", help="a table")
    parser.add_argument(
        "-o", "--output", metavar="PATH",
        help="write the tables to a file or a folder; a new folder ends with /")
    parser.add_argument(
        "--cuts", metavar="PATH",
        help="write the cut points as JSON to a file or a folder")
    parser.add_argument(
        "--evidence", metavar="PATH",
        help="write rows, class shares and weights of evidence of each interval as CSV "
        "to a file or a folder")
    parser.add_argument(
        "--apply", metavar="CUTS", help="take the cut points from a file of --cuts")
    parser.add_argument(
        "--target", metavar="NAME",
        help="the class, if the file does not mark it; whole numbers and texts become "
        "categories")
    parser.add_argument(
        "--unlabelled", nargs="+", action="extend", default=[], metavar="FILE",
        help="tables with unlabelled rows; classes in them are not read")
    options.add_method_options(parser.add_argument_group("method"))
    group = parser.add_argument_group("files")
    group.add_argument("--encode", choices=["interval", "ordinal", "onehot"],
                       default="interval",
                       help="write names of intervals, their numbers, or a column of "
                       "0 and 1 for each; other columns do not change; by default "
                       "%(default)s")
    group.add_argument("--plain", action="store_true",
                       help="write names of columns only, without types and roles")
    group.add_argument("--keep-constant", action="store_true",
                       help="keep variables that have a single interval")
    group.add_argument("--force", action="store_true", help="replace files that exist")
    group.add_argument("--trust-metadata", action="store_true",
                       help="read pickles, which can run any program")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Discretize the files and return the exit status."""
    targets = {"data": args.output, "cuts": args.cuts, "evidence": args.evidence}
    targets = {kind: path for kind, path in targets.items() if path is not None}
    if not targets:
        raise UsageError("Choose where to write: -o for data, --cuts for cut points.")
    _check(args)
    jobs = files.plan_jobs(args.inputs, targets,
                           [*args.unlabelled, *([args.apply] if args.apply else [])])
    start, n_failed, is_batch = time.monotonic(), 0, len(jobs) > 1
    with progress_bar(len(jobs)) as progress:
        for job in jobs:
            failed, text = _discretize(job, args)
            n_failed += failed
            if failed or not is_batch:
                _print(f"{job.source}: {text}")
            progress.update()
    if is_batch:
        _print(f"{len(jobs) - n_failed} of {len(jobs)} files discretized, {n_failed} "
               f"failed, in {time.monotonic() - start:.1f} s")
    return 1 if n_failed else 0


def _check(args):
    """Check that options fit together; add the estimator, or saved cut points."""
    # Orange takes a second to import, and --help does not need it
    from orangecontrib.sadd.cli.onefile import read_cuts

    args.estimator = args.saved = None
    if args.apply is None:
        args.estimator = options.make_estimator(args)
        if args.unlabelled and not DISCRETIZERS[args.method].uses_unlabelled:
            raise UsageError(f"{args.method} does not use unlabelled data.")
        return
    learning = [name for name in ("cuts", "evidence", "unlabelled")
                if getattr(args, name)] + list(options.given_parameters(args))
    if learning:
        option = options.option_of(learning[0])
        raise UsageError(f"{option} has no effect with --apply.")
    args.saved = read_cuts(args.apply)


def _discretize(job, args):
    """Discretize a file; return whether that failed, and a message."""
    from orangecontrib.sadd.cli.onefile import discretize_file

    try:
        with files.written(job.targets, args.force) as paths:
            text = discretize_file(job.source, paths, args, lambda note: _print(
                f"{job.source}: note: {note}"))
        return False, f"{text} -> {', '.join(job.targets.values())}"
    except (CommandError, OSError) as error:
        return True, reason_of(error)
    except Exception as error:  # a bug in this package must not stop thousands of files
        place = traceback.extract_tb(error.__traceback__)[-1]
        return True, (f"unexpected {type(error).__name__}: {reason_of(error)} "
                      f"({os.path.basename(place.filename)}, line {place.lineno}); "
                      "please report it")


def _print(text):
    tqdm.write(text, file=sys.stderr)
