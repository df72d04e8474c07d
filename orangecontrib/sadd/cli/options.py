"""Options for the parameters of methods, made from the table of methods."""

import argparse
from typing import Any

from orangecontrib.sadd.cli.errors import UsageError
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import DISCRETIZERS, Parameter, make_discretizer

__all__ = ["add_method_options", "given_parameters", "make_estimator", "option_of"]


def add_method_options(parser: argparse._ActionsContainer) -> None:
    """
    Add ``--method``, and an option for each parameter of any method.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Or a group of it. Options that are not given are None, or False and True for
        switches that are.

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
        Its parameters have been checked.
    """
    method = DISCRETIZERS[args.method or "SADD"]
    given = given_parameters(args)
    own = {parameter.name for parameter in method.parameters}
    for name in given:
        if name not in own:
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
    """Give the parameters of methods that were set, by their names."""
    values = {name: getattr(args, name) for name in _parameters()}
    return {name: None if value == "none" else value
            for name, value in values.items() if value is not None}


def _parameters() -> dict[str, dict[str, Parameter]]:
    """Parameters by name and by the name of the method that has them."""
    found: dict[str, dict[str, Parameter]] = {}
    for method in DISCRETIZERS.values():
        for parameter in method.parameters:
            found.setdefault(parameter.name, {})[method.name] = parameter
    return found


def option_of(name: str) -> str:
    """
    Give the option that sets a parameter.

    Examples
    --------
    >>> option_of("n_bins")
    '--n-bins'
    """
    return f"--{name.replace('_', '-')}"


def _method_name(text):
    for name in DISCRETIZERS:
        if name.lower() == text.lower():
            return name
    raise argparse.ArgumentTypeError(
        f"there is no method {text!r}; choose one of {', '.join(DISCRETIZERS)}")


def _value(text):
    """A number, numbers with commas between them, or a word such as auto and none."""
    if "," in text:
        return [_value(part) for part in text.split(",")]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text.strip().lower()
