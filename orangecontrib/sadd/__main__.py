"""The command line: ``python -m orangecontrib.sadd``."""

import argparse
import sys

import orangecontrib.sadd
from orangecontrib.sadd.cli import benchmark, demo, discretize
from orangecontrib.sadd.cli.terminal import run_command


def make_parser():
    """Return the parser; each subcommand adds itself and sets `run`, its function."""
    parser = argparse.ArgumentParser(
        prog="python -m orangecontrib.sadd",
        description="Semi-supervised adaptive discriminative discretization.",
    )
    parser.add_argument(
        "--version", action="version", version=orangecontrib.sadd.__version__
    )
    subcommands = parser.add_subparsers(required=True)  # usage lists them
    for module in (demo, discretize, benchmark):
        module.add_subcommand(subcommands)
    for name, command in subcommands.choices.items():
        command.set_defaults(command=name, fail=command.error)
    return parser


def main(argv=None):
    """Run the command line with `argv` and return the exit status."""
    return run_command(make_parser().parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
