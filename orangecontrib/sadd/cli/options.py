"""Options of commands: types of arguments, and the parameters of methods."""

import argparse
import math
from collections.abc import Callable
from typing import Any

from orangecontrib.sadd.cli.terminal import UsageError
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import (
    DISCRETIZERS,
    Parameter,
    find_method,
    make_discretizer,
)

__all__ = ["CLASS_ADVICE", "add_method_options", "fraction", "given_parameters",
           "make_estimator", "neighbours", "option_of", "positive", "whole"]

# What to do about data without a class
CLASS_ADVICE = "with --target, or take a --method without: " + ", ".join(
    name for name, method in DISCRETIZERS.items() if not method.uses_class)


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
    """Read a number above 0 and up to 1."""
    return _number(text, lambda number: 0 < number <= 1, "a share above 0, at most 1,")


def positive(text: str) -> float:
    """Read a number above 0."""
    return _number(text, lambda number: 0 < number < math.inf, "a number above 0")


def _number(text, is_allowed, wish):
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not is_allowed(number):
        raise argparse.ArgumentTypeError(f"{wish} is needed, not {text!r}")
    return number


def neighbours(text: str) -> str | int:
    """Read the number of neighbours, ``auto`` or ``validation``."""
    if text in ("auto", "validation"):
        return text
    try:
        return whole(1)(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"auto, validation or {error}") from None


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
        Or a group of it. Options that are left out are None.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_method_options(parser)
    >>> args = parser.parse_args(["--method", "ew", "--n-bins", "4"])
    >>> make_estimator(args)
    EqualWidthDiscretizer(n_bins=4)
    """
    parser.add_argument(
        "--method", type=_method_name, metavar="NAME",
        help=f"one of {', '.join(DISCRETIZERS)}; by default SADD")
    for name, users in _parameters().items():
        (parameter, *_) = users.values()
        text = parameter.description.rstrip(".")
        text = f"{text[0].lower()}{text[1:]} ({', '.join(users)}; by default " \
            f"{parameter.default})".replace("%", "%%")
        kind: dict[str, Any] = {"action": argparse.BooleanOptionalAction} \
            if isinstance(parameter.default, bool) \
            else {"type": _value, "metavar": "VALUE"}
        parser.add_argument(option_of(name), help=text, **kind)


def make_estimator(args: argparse.Namespace) -> Discretizer:
    """
    Make the discretizer that the options describe.

    Parameters
    ----------
    args : argparse.Namespace

    Returns
    -------
    estimator
        With parameters that have been checked.
    """
    method = DISCRETIZERS[args.method or "SADD"]
    given = given_parameters(args)
    for name in given:
        if not method.has_parameter(name):
            users = " and ".join(_parameters()[name])
            raise UsageError(
                f"{option_of(name)} is for {users}, not for {method.name}.")
    try:
        estimator = make_discretizer(method.name, **given)
        estimator.check_parameters()
    except ValueError as error:
        raise UsageError(str(error)) from error
    return estimator


def given_parameters(args: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of methods among the options, by name."""
    values = {name: getattr(args, name) for name in _parameters()}
    return {name: None if value == "none" else value
            for name, value in values.items() if value is not None}


def _parameters() -> dict[str, dict[str, Parameter]]:
    """Return parameters by name, and by the name of the method that has them."""
    found: dict[str, dict[str, Parameter]] = {}
    for method in DISCRETIZERS.values():
        for parameter in method.parameters:
            found.setdefault(parameter.name, {})[method.name] = parameter
    return found


def _method_name(text):
    method = find_method(text)
    if method is None:
        raise argparse.ArgumentTypeError(
            f"there is no method {text!r}; choose one of {', '.join(DISCRETIZERS)}")
    return method.name


def _value(text):
    """Read a number, numbers separated by commas, or a word such as auto and none."""
    if "," in text:
        return [_value(part) for part in text.split(",")]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text.strip().lower()
