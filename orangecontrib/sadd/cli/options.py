"""Options of commands: types of arguments, and the parameters of methods."""

import argparse
from collections.abc import Callable
from typing import Any

from orangecontrib.sadd.cli.terminal import UsageError
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import DISCRETIZERS, find_method, make_discretizer

__all__ = ["add_method_options", "checked_discretizer", "fraction",
           "given_parameters", "make_estimator", "option_of", "value", "whole"]


def whole(least: int) -> Callable[[str], int]:
    """
    Return a type of whole numbers.

    Parameters
    ----------
    least : int
        The smallest number that is allowed.

    Examples
    --------
    >>> whole(2)("10")
    10
    """

    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a number of {least} or more is needed")
        return int(text)

    return number


def fraction(text: str) -> float:
    """Return a number above 0 and up to 1."""
    number = value(text)
    if not isinstance(number, int | float) or not 0 < number <= 1:
        raise argparse.ArgumentTypeError(
            f"a share above 0, at most 1, is needed, not {text!r}")
    return float(number)


def value(text: str) -> Any:
    """
    Return a number, numbers separated by commas, or a word such as auto or none.

    Examples
    --------
    >>> value("1,3"), value("0.5"), value("Auto")
    ([1, 3], 0.5, 'auto')
    """
    if "," in text:
        return [value(part) for part in text.split(",")]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text.strip().lower()


def option_of(name: str) -> str:
    """
    Return the option that sets a parameter.

    Examples
    --------
    >>> option_of("n_bins")
    '--n-bins'
    """
    return f"--{name.replace('_', '-')}"


def add_method_options(parser: argparse._ActionsContainer) -> None:
    """
    Add ``--method``, and an option for each parameter of any method.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Parser, or a group of it. Options that are left out are None.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_method_options(parser)
    >>> args = parser.parse_args(["--method", "ew", "--n-bins", "4"])
    >>> make_estimator(args)
    EqualWidthDiscretizer(n_bins=4)
    """
    parser.add_argument(
        "--method", type=_method_name, metavar="NAME", default="SADD",
        help=f"one of {', '.join(DISCRETIZERS)}; by default %(default)s")
    for name, users in _users().items():
        found = DISCRETIZERS[users[0]].parameters[name]
        text = found.description[0].lower() + found.description[1:].rstrip(".")
        text = f"{text} ({', '.join(users)}; by default {found.default})"
        kind: dict[str, Any] = {"action": argparse.BooleanOptionalAction} if isinstance(
            found.default, bool) else {"type": value, "metavar": "VALUE"}
        parser.add_argument(option_of(name), help=text.replace("%", "%%"), **kind)


def make_estimator(args: argparse.Namespace) -> Discretizer:
    """
    Return the discretizer that the options describe, with valid parameters.

    Parameters
    ----------
    args : argparse.Namespace
    """
    given = given_parameters(args)
    for name in given:
        users = _users()[name]
        if args.method not in users:
            raise UsageError(f"{option_of(name)} is for {' and '.join(users)}, not for "
                             f"{args.method}.")
    return checked_discretizer(args.method, **given)


def checked_discretizer(method: str, **parameters: Any) -> Discretizer:
    """Return a discretizer; raise a UsageError if a parameter is wrong."""
    try:
        estimator = make_discretizer(method, **parameters)
        estimator.check_parameters()
    except ValueError as error:
        raise UsageError(str(error)) from error
    return estimator


def given_parameters(args: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of methods among the options, by name."""
    values = {name: getattr(args, name) for name in _users()}
    return {name: None if value == "none" else value
            for name, value in values.items() if value is not None}


def _users() -> dict[str, list[str]]:
    """Return the names of parameters, and the methods that have them."""
    users: dict[str, list[str]] = {}
    for method in DISCRETIZERS.values():
        for name in method.parameters:
            users.setdefault(name, []).append(method.name)
    return users


def _method_name(text):
    method = find_method(text)
    if method is None:
        raise argparse.ArgumentTypeError(
            f"there is no method {text!r}; choose one of {', '.join(DISCRETIZERS)}")
    return method.name
