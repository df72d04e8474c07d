"""The command line: ``orange-sadd``, or ``python -m orangecontrib.sadd``."""

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from orangecontrib.sadd.cli.interrupts import (
    end_at_once,
    ignore_interrupts,
    raise_interrupts,
)

if TYPE_CHECKING:
    import argparse


def make_parser() -> "argparse.ArgumentParser":
    """Return the parser; each subcommand adds itself and sets `run`, its function."""
    import argparse

    from orangecontrib.sadd.cli import benchmark, demo, discretize

    parser = argparse.ArgumentParser(
        prog="orange-sadd",
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
    from orangecontrib import sadd
    from orangecontrib.sadd import core

    pages = (f"{page.parent.name}.{page.stem}"
             for page in Path(core.__file__).parent.glob("*/_[!_]*.py"))
    slow = any(str(import_module(f"{core.__name__}.{page}").__file__).endswith(".py")
               for page in pages)
    return (f"Orange3-SADD {sadd.__version__}, "
            f"{'interpreted (slow)' if slow else 'compiled'}")


def main(argv: list[str] | None = None) -> int:
    """Run the command line with `argv` and return the exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed, as by 2>&-
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
    # Imports that take time come here, where a program can already be interrupted
    try:
        from orangecontrib.sadd.cli.terminal import run_command

        parser = make_parser()
    except ModuleNotFoundError as error:
        sys.exit(f"{version()}. The command line needs {error.name}, which is not "
                 "installed: install the package without --no-deps.")
    args = parser.parse_args(argv)
    if args.command == "benchmark":
        raise_interrupts()
    return run_command(args)


def program() -> None:
    """Run the command line as a program, which interrupts end."""
    end_at_once()
    status = main()
    ignore_interrupts()
    sys.exit(status)


if __name__ == "__main__":
    program()
