"""The subcommand ``discretize``: files in, files of intervals out, without a canvas."""

import argparse
import sys
import time
import traceback
from collections.abc import Callable

from orangecontrib.sadd.cli.files import read_cuts
from orangecontrib.sadd.cli.jobs import (
    PARQUET,
    STREAM,
    Job,
    JobSettings,
    Worker,
    make_folders,
    plan_jobs,
)
from orangecontrib.sadd.cli.options import (
    add_method_options,
    given_parameters,
    make_estimator,
    option_of,
)
from orangecontrib.sadd.cli.terminal import (
    CommandError,
    ProgressBar,
    UsageError,
    reason_of,
)
from orangecontrib.sadd.core.registry import DISCRETIZERS

__all__ = ["Batch", "add_subcommand", "run"]

DESCRIPTION = """\
Replace the numeric columns of tables by intervals, for people and scripts without a
canvas. Cut points are learned from each file by itself, or taken from a file that
an earlier run has written."""

EPILOG = """\
Any format that Orange reads is read: .tab, .csv, .xlsx and others, compressed or not.
Rows whose target is missing are unlabelled, and SADD learns from them, too.
Dask reads parquet files and folders, which may be larger than memory.

  discretize iris.tab -o binned.tab
  discretize few.csv --target species --unlabelled many.csv -o binned.csv
  discretize train.csv --target species --cuts cuts.json --evidence evidence.csv
  discretize day/*.csv --apply cuts.json -o binned/
  discretize day/*.csv --method EF --n-bins 4 -o 'binned/{name}-4.tab'
  discretize data.parquet/ --target y -o binned.parquet/ --scheduler tcp://host:8786
  zcat a.csv.gz | discretize - --from csv --apply cuts.json -o - --to csv >b.csv

Files appear complete or not at all, and none is replaced without --force. If one of
several files fails, the others are done nevertheless.

exit status: 0 all went well; 1 a file could not be discretized, and standard error says
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
        "--evidence", metavar="PATH",
        help="write what each interval tells about the class, rows, shares and weights "
        "of evidence, as CSV to a file, a folder, or a name with {name}")
    parser.add_argument(
        "--apply", metavar="CUTS",
        help="take the cut points from a file that --cuts wrote")
    parser.add_argument(
        "--target", metavar="NAME",
        help="the class, if the file does not mark it; whole numbers and texts become "
        "categories")
    parser.add_argument(
        "--unlabelled", nargs="+", action="extend", default=[], metavar="FILE",
        help="tables with more rows, whose labels are unknown or not used")
    method = parser.add_argument_group("method")
    add_method_options(method)
    files = parser.add_argument_group("files")
    files.add_argument("--from", dest="source_format", metavar="FORMAT",
                       help="format of the input, and of unlabelled tables whose names "
                       "do not show it")
    files.add_argument("--to", dest="output_format", metavar="FORMAT",
                       help="format of the output, if its name does not show it")
    files.add_argument("--trust-metadata", action="store_true",
                       help="read pickles, .pkl and .metadata files, which can run any "
                       "program")
    files.add_argument("--scheduler", metavar="ADDRESS",
                       help="of a Dask cluster for parquet, for example "
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
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Discretize the files and return the exit status."""
    source_format, output_format = (
        suffix and f".{suffix.lstrip('.')}"
        for suffix in (args.source_format, args.output_format))
    jobs = plan_jobs(
        args.inputs, args.output, args.cuts, args.evidence,
        source_format=source_format, output_format=output_format, pools=args.unlabelled,
        used=[args.apply] if args.apply else [])
    settings = _settings(args, source_format)
    if args.scheduler and not any(job.is_parquet for job in jobs):
        raise UsageError("--scheduler is for parquet.")
    make_folders(args.output, args.cuts, args.evidence)
    verbosity = 0 if args.quiet else 2 if args.verbose else 1
    return Batch(settings, jobs, verbosity, args.skip_existing).run()


def _settings(args, source_format):
    """Check that options fit together, and read what all files need."""
    if args.output is None and args.cuts is None and args.evidence is None:
        raise UsageError("Say where to write: -o for data, --cuts for cut points.")
    if args.apply == STREAM:
        raise UsageError("Cut points are read from a file, not from standard input.")
    common = {"target": args.target, "keep_constant": args.keep_constant,
              "annotations": not args.plain, "force": args.force,
              "trusted": args.trust_metadata,
              "scheduler": args.scheduler,
              "say": (lambda text: None) if args.quiet else _print,
              "show_progress": len(args.inputs) == 1 and not args.quiet
              and sys.stderr.isatty()}
    if args.apply is not None:
        learning = [name for name in ("cuts", "evidence", "method", "unlabelled")
                    if getattr(args, name)] + list(given_parameters(args))
        if learning:
            raise UsageError(f"{option_of(learning[0])} is for learning, and --apply "
                             "does not learn.")
        return JobSettings(saved=read_cuts(args.apply), **common)
    estimator = make_estimator(args)
    method = DISCRETIZERS[args.method or "SADD"]
    if args.unlabelled and not method.uses_unlabelled:
        raise UsageError(f"{method.name} does not use unlabelled data.")
    return JobSettings(estimator=estimator, unlabelled=tuple(args.unlabelled),
                       pool_suffix=source_format, **common)


def _table_worker(settings):
    # Orange takes a second to import, and --help does not need it
    from orangecontrib.sadd.cli.workers import TableWorker

    return TableWorker(settings)


def _parquet_worker(settings):
    # So does Dask
    from orangecontrib.sadd.cli.workers import ParquetWorker

    return ParquetWorker(settings)


# Makers of workers for files with certain suffixes; Orange reads all others
WORKERS: dict[str, Callable[[JobSettings], Worker]] = {PARQUET: _parquet_worker}


def _maker(job):
    return WORKERS.get(job.source_suffix.lower(), _table_worker)


class Batch:
    """
    Files to discretize one after the other; those that fail do not stop the others.

    Parameters
    ----------
    settings : JobSettings
    jobs : list of Job
    verbosity : int
        0 for errors only, 2 for every cut point.
    skip_existing : bool
        Whether to leave out jobs whose files are there.
    """

    def __init__(self, settings: JobSettings, jobs: list[Job], verbosity: int = 1,
                 skip_existing: bool = False) -> None:
        self.settings, self.jobs = settings, jobs
        self.verbosity, self.skip_existing = verbosity, skip_existing
        self.failed = self.skipped = 0

    def run(self) -> int:
        """Discretize the files and return the exit status."""
        start = time.monotonic()
        self.workers = {make: make(self.settings)
                        for make in dict.fromkeys(map(_maker, self.jobs))}
        n_jobs = len(self.jobs)
        is_summarized = n_jobs > 1 and self.verbosity > 0
        with ProgressBar(n_jobs, disable=None if is_summarized else True) as progress:
            for job in self.jobs:
                self._discretize(job)
                progress.step(job.source)
        if is_summarized:
            n_done = n_jobs - self.failed - self.skipped
            _print(f"{n_done} of {n_jobs} files discretized"
                   + (f", {self.skipped} skipped" if self.skipped else "")
                   + (f", {self.failed} failed" if self.failed else "")
                   + f", in {time.monotonic() - start:.1f} s")
        return 1 if self.failed else 0

    def _discretize(self, job):
        if self.skip_existing and job.is_done():
            self.skipped += 1
            return
        try:
            job.check_free(self.settings.force)
            result = self.workers[_maker(job)](job)
        except BrokenPipeError:
            raise
        except (CommandError, OSError) as error:
            self.failed += 1
            _print(f"{job.source}: {reason_of(error)}")
        except Exception as error:  # a fault of ours must not end thousands of files
            self.failed += 1
            if self.verbosity > 1:
                _print(traceback.format_exc().rstrip())
            _print(f"{job.source}: unexpected {type(error).__name__}: "
                   f"{reason_of(error)}; please report it, with what --verbose says")
        else:
            self._print_result(job, result)

    def _print_result(self, job, result):
        if not self.verbosity:
            return
        for note in result.notes:
            _print(f"{job.source}: note: {note}")
        if len(self.jobs) == 1 or self.verbosity > 1:
            files = f" -> {', '.join(job.written)}" if job.written else ""
            _print(f"{job.source}: {_summary(result, self.settings)}{files}")
        if self.verbosity > 1:
            for var in result.cuts.cut_variables:
                cuts = ", ".join(f"{cut:g}" for cut in var.cuts) or "no cuts"
                bits = "" if var.information is None \
                    else f" ({var.information:.3f} bits)"
                _print(f"  {var.name}: {cuts}{bits}")


def _print(text):
    # Standard output is for data
    ProgressBar.write(text, file=sys.stderr)


def _summary(result, settings):
    variables = result.cuts.cut_variables
    rows = f"{result.n_rows} rows"
    if settings.estimator is None:
        how = "by cut points of an earlier run"
    else:
        how = f"by {result.cuts.about['method']}"
        if result.n_labelled < result.n_rows and result.cuts.about["target"]:
            rows += f", {result.n_labelled} of them labelled"
        if result.n_pool:
            rows += f", {result.n_pool} more unlabelled"
        if result.k is not None:
            how += f" with k = {result.k}"
    n_intervals = sum(len(var.cuts) + 1 for var in variables if var.cuts)
    n_cut = sum(bool(var.cuts) for var in variables)
    return f"{rows}; {n_cut} of {len(variables)} numeric variables in " \
        f"{n_intervals} intervals {how}"
