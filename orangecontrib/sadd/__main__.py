"""The command line: ``python -m orangecontrib.sadd``."""

import os
import sys
from contextlib import nullcontext

from orangecontrib.sadd.cli.interrupts import (
    caught_interrupts,
    end_at_once,
    ignore_interrupts,
)

if __name__ == "__main__":
    end_at_once()  # before anything is imported that takes time

import argparse
from importlib import import_module

import orangecontrib.sadd
from orangecontrib.sadd.cli import benchmark, demo, discretize
from orangecontrib.sadd.cli.terminal import run_command


def make_parser() -> argparse.ArgumentParser:
    """Return the parser; each subcommand adds itself and sets `run`, its function."""
    parser = argparse.ArgumentParser(
        prog="python -m orangecontrib.sadd",
        description="Semi-supervised adaptive discriminative discretization.")
    parser.add_argument("--version", action="version", version=version())
    subcommands = parser.add_subparsers(required=True)  # usage lists them
    for module in (demo, discretize, benchmark):
        module.add_subcommand(subcommands)
    for name, command in subcommands.choices.items():
        command.set_defaults(command=name, fail=command.error)
    return parser


def version() -> str:
    """Return the version, and whether the compiled modules are in use."""
    paths = (import_module(f"orangecontrib.sadd.core.{name}").__file__ or ""
             for name in ("methods._sort", "methods._tree", "additive._aiwnb",
                          "additive._objective"))
    slow = any(path.endswith(".py") for path in paths)
    return (f"Orange3-SADD {orangecontrib.sadd.__version__}, "
            f"{'interpreted (slow)' if slow else 'compiled'}")


def main(argv: list[str] | None = None) -> int:
    """Run the command line with `argv` and return the exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed, as by 2>&-
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
    args = make_parser().parse_args(argv)
    # The message of an interrupted benchmark explains how to resume it
    with caught_interrupts(True) if args.command == "benchmark" else nullcontext():
        return run_command(args)


if __name__ == "__main__":
    status = main()
    ignore_interrupts()
    sys.exit(status)
