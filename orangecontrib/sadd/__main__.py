"""The command line: ``python -m orangecontrib.sadd``."""

import argparse
import sys

import orangecontrib.sadd
from orangecontrib.sadd.cli import benchmark, demo, discretize


def make_parser():
    """Return the parser; a subcommand adds itself and sets `run`, its function."""
    parser = argparse.ArgumentParser(
        prog="python -m orangecontrib.sadd",
        description="Semi-supervised adaptive discriminative discretization.",
    )
    parser.add_argument(
        "--version", action="version", version=orangecontrib.sadd.__version__
    )
    subcommands = parser.add_subparsers(required=True, metavar="command")
    demo.add_subcommand(subcommands)
    discretize.add_subcommand(subcommands)
    benchmark.add_subcommand(subcommands)
    return parser


def main(argv=None):
    """Run the command line with `argv` and return the exit status."""
    args = make_parser().parse_args(argv)
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
