"""The subcommand ``discretize``: files in, files of intervals out, without a canvas."""

import argparse
import os
import sys

from orangecontrib.sadd.cli.batch import Batch
from orangecontrib.sadd.cli.cutsfile import read_cuts
from orangecontrib.sadd.cli.errors import CommandError, UsageError
from orangecontrib.sadd.cli.options import (
    add_method_options,
    given_parameters,
    make_estimator,
    option_of,
)
from orangecontrib.sadd.cli.plan import make_folders, plan_jobs
from orangecontrib.sadd.cli.signals import sigterm_as_interrupt
from orangecontrib.sadd.cli.work import Settings
from orangecontrib.sadd.core.registry import DISCRETIZERS

__all__ = ["add_subcommand", "run"]

DESCRIPTION = """\
Replace the numeric columns of tables by intervals, for people and scripts without a
canvas. Cut points are learned from each file by itself, or taken from a file that
an earlier run has written."""

EPILOG = """\
Any format that Orange reads is read: .tab, .csv, .xlsx, .pkl and others, compressed or
not. Rows whose target is missing are unlabelled, and SADD learns from them, too.
Parquet files and folders, which may be larger than memory, are treated by Dask.

  discretize iris.tab -o binned.tab
  discretize few.csv --target species --unlabelled many.csv -o binned.csv
  discretize train.csv --target species --cuts cuts.json
  discretize day/*.csv --apply cuts.json -o binned/
  discretize day/*.csv --method EF --n-bins 4 -o 'binned/{name}-4.tab'
  discretize data.parquet/ --target y -o binned.parquet/ --scheduler tcp://host:8786
  zcat a.csv.gz | discretize - --from csv --apply cuts.json -o - --to csv >b.csv

Files appear complete or not at all, and none is replaced without --force. If one of
several files fails, the others are treated nevertheless.

exit status: 0 all went well; 1 a file could not be treated, and standard error says
why; 2 wrong arguments, nothing was done; 130 and 143 interrupted or terminated."""


def add_subcommand(subcommands: "argparse._SubParsersAction") -> None:
    """Add ``discretize`` to the subcommands of a parser."""
    parser = subcommands.add_parser(
        "discretize", help="replace numbers in files by intervals",
        usage="%(prog)s FILE [FILE ...] [-o PATH] [--cuts PATH] [options]",
        description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", metavar="FILE",
                        help="a table; - is standard input")
    parser.add_argument(
        "-o", "--output", metavar="PATH",
        help="a file, a folder (new ones end with /), a name with {name} in it for "
        "that of the input, or - for standard output")
    parser.add_argument(
        "--cuts", metavar="PATH",
        help="write the cut points as JSON to a file, a folder, or a name with {name}")
    parser.add_argument(
        "--apply", metavar="CUTS",
        help="take the cut points from a file that --cuts has written")
    parser.add_argument(
        "--target", metavar="NAME",
        help="the class, if the file does not tell it; whole numbers and texts are "
        "made categories")
    parser.add_argument(
        "--unlabelled", nargs="+", action="extend", default=[], metavar="FILE",
        help="tables with more rows, whose labels are not known or not looked at")
    method = parser.add_argument_group("method")
    add_method_options(method)
    files = parser.add_argument_group("files")
    files.add_argument("--from", dest="source_format", metavar="FORMAT",
                       help="format of the input, if its name does not tell it")
    files.add_argument("--to", dest="output_format", metavar="FORMAT",
                       help="format of the output, if its name does not tell it")
    files.add_argument("--scheduler", metavar="ADDRESS",
                       help="of a Dask cluster that shall treat parquet, for example "
                       "tcp://scheduler:8786, or the file of its scheduler")
    files.add_argument("--plain", action="store_true",
                       help="write names of columns only, without types and roles")
    files.add_argument("--keep-constant", action="store_true",
                       help="keep variables that have a single interval")
    existing = files.add_mutually_exclusive_group()
    existing.add_argument("--force", action="store_true",
                          help="replace files that exist")
    existing.add_argument("--skip-existing", action="store_true",
                          help="leave out inputs whose outputs exist")
    talk = parser.add_mutually_exclusive_group()
    talk.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    talk.add_argument("-v", "--verbose", action="store_true",
                      help="print the cut points of each variable")
    parser.set_defaults(run=run, fail=parser.error)


def run(args: argparse.Namespace) -> int:
    """Discretize the files and return the exit status."""
    verbosity = 0 if args.quiet else 2 if args.verbose else 1
    try:
        jobs = plan_jobs(
            args.inputs, args.output, args.cuts, source_format=args.source_format,
            output_format=args.output_format,
            used=[*args.unlabelled, *([args.apply] if args.apply else [])])
        settings = _settings(args)
        if args.scheduler and not any(
                job.source_suffix.lower() == ".parquet" for job in jobs):
            raise UsageError("--scheduler is for parquet.")
        make_folders(args.output, args.cuts)
        with sigterm_as_interrupt():
            return Batch(settings, jobs, verbosity, args.skip_existing).run()
    except UsageError as error:
        args.fail(str(error))  # ends the program with this status
        return 2
    except CommandError as error:
        print(f"discretize: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as interrupt:
        print("discretize: interrupted", file=sys.stderr)
        return 143 if "SIGTERM" in interrupt.args else 130
    except BrokenPipeError:  # whoever read our output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _settings(args):
    """Check that options fit together, and read what all files need."""
    if args.output is None and args.cuts is None:
        raise UsageError("Say where to write: -o for data, --cuts for cut points.")
    common = {"target": args.target, "keep_constant": args.keep_constant,
              "annotations": not args.plain, "force": args.force,
              "scheduler": args.scheduler,
              "show_progress": len(args.inputs) == 1 and not args.quiet
              and sys.stderr.isatty()}
    if args.apply is not None:
        learning = [name for name in ("cuts", "method", "unlabelled")
                    if getattr(args, name)] + list(given_parameters(args))
        if learning:
            raise UsageError(f"{option_of(learning[0])} is for learning, and --apply "
                             "does not learn.")
        return Settings(saved=read_cuts(args.apply), **common)
    estimator = make_estimator(args)
    method = DISCRETIZERS[args.method or "SADD"]
    if args.unlabelled and not method.uses_unlabelled:
        raise UsageError(f"{method.name} does not use unlabelled data.")
    return Settings(estimator=estimator, unlabelled=tuple(args.unlabelled), **common)
