"""Parameters of estimators: each is declared once, as a field of its class.

A declaration has the default, the valid values and the description. Checks, docstrings,
Orange's classes, options of commands and controls of windows are made from it.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from numbers import Integral, Real
from textwrap import fill
from typing import Any, TypeVar, dataclass_transform

import numpy as np
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
    make_constraint,
)

__all__ = ["EstimatorMixin", "Parameter", "estimator_class", "has_methods",
           "one_of", "parameter", "parameters_of", "real", "same", "select",
           "shared_parameters", "share_or_count", "takes", "whole"]

_Class = TypeVar("_Class", bound=type)

# Sections of a docstring: a title, and a line of hyphens
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


@dataclass(frozen=True)
class Parameter:
    """
    A parameter of an estimator.

    Attributes
    ----------
    default : object
    valid : sequence
        Constraints as in scikit-learn, one of which a value has to satisfy. Without
        constraints, the estimator checks the value itself.
    kind : str
        The type, for the docstring.
    description : str
        Description in one sentence.
    details : str
        The rest of the description, for the docstring.
    title : str
        Text beside a control.
    lowest, highest : float or None
        Range of a control for a number. None if there is no such control. Whole numbers
        if `lowest` is an int.
    fitted : tuple of int, or None
        Range that Parameter Fitter proposes.
    logarithmic : bool
        Whether the control is a slider on a logarithmic scale.
    shared : bool
        Whether Orange's classes, commands and windows have the parameter as well.
        Others are about arrays, or about the way to compute.
    kw_only : bool
        Whether a field is keyword-only, regardless of where it is.
    name : str
    annotation : object
        The type, for signatures.
    """

    default: Any
    valid: Sequence[Any]
    kind: str
    description: str
    details: str = ""
    title: str = ""
    lowest: Any = None
    highest: Any = None
    fitted: tuple[int, int] | None = None
    logarithmic: bool = False
    shared: bool = True
    kw_only: bool = False
    name: str = ""
    annotation: Any = None

    @property
    def optional(self) -> bool:
        """Whether it may be None."""
        return self.is_valid(None)

    def is_valid(self, value: Any) -> bool:
        """Return whether a value is valid."""
        return any(constraint.is_satisfied_by(value) for constraint in self.valid)

    def check(self, value: Any, owner: str) -> None:
        """Raise a ValueError if a value is not valid."""
        if type(value) is type(self.default) and value == self.default:
            return  # scikit-learn's constraints take a tenth of a small fit
        if isinstance(value, Real) and (
                np.asarray(value).dtype == object or np.asarray(value).nbytes > 8):
            raise ValueError(f"The parameter {self.name} must be an int or a float of "
                             "at most 64 bits.")
        if self.valid and not self.is_valid(value):
            *most, last = [str(constraint) for constraint in self.valid
                           if not constraint.hidden]
            raise ValueError(
                f"The {self.name!r} parameter of {owner} must be "
                f"{' or '.join(filter(None, (', '.join(most), last)))}. "
                f"Got {value!r} instead.")

    def as_field(self) -> Any:
        """Return a field of a dataclass."""
        return field(default=self.default, metadata={"parameter": self},
                     kw_only=self.kw_only or MISSING)


def parameter(default: Any, valid: Iterable[Any], kind: str, description: str,
              details: str = "", **shown: Any) -> Any:
    """
    Declare a parameter, as the value of a field of an `estimator_class`.

    Parameters
    ----------
    default, valid, kind, description, details, **shown
        Attributes of `Parameter`.
    """
    return Parameter(default, tuple(map(make_constraint, valid)), kind, description,
                     details, **shown).as_field()


def same(cls: type, name: str, **changed: Any) -> Any:
    """Declare the parameter that another estimator has, with changed attributes."""
    return replace(parameters_of(cls)[name], **changed).as_field()


def whole(low: int | None = 1, high: int | None = None) -> Any:
    """Return the constraint to whole numbers, the ends included."""
    return Interval(Integral, low, high, closed="right" if low is None else "left")


def real(low: float, high: float | None = None, closed: str = "neither") -> Any:
    """Return the constraint to numbers, the ends included as in scikit-learn."""
    return Interval(Real, low, high, closed=closed)


def one_of(*words: str) -> Any:
    """Return the constraint to certain words."""
    return StrOptions(set(words))


def has_methods(*names: str) -> Any:
    """Return the constraint to objects with certain methods."""
    return HasMethods(list(names))


#: Constraints to a number of rows, or a share of them
share_or_count = (whole(), Interval(RealNotInt, 0, 1, closed="neither"))


@cache
def parameters_of(cls: Any) -> Mapping[str, Parameter]:
    """
    Return the parameters of a class by name.

    Positional ones come first, and then keyword-only ones of the class before those of
    its bases.

    Examples
    --------
    >>> from orangecontrib.sadd.core import ChiMergeDiscretizer
    >>> parameters_of(ChiMergeDiscretizer)["significance"].default
    0.05
    """
    owners = [inspect.get_annotations(owner) for owner in cls.__mro__]

    def place(found):
        return found.kw_only and 1 + next(
            index for index, names in enumerate(owners) if found.name in names)

    return {found.name: replace(
        found.metadata["parameter"], name=found.name, default=found.default,
        annotation=found.type) for found in sorted(fields(cls), key=place)
        if found.init and "parameter" in found.metadata}


def shared_parameters(cls: type) -> Mapping[str, Parameter]:
    """Return the parameters that Orange's classes have as well, by name."""
    return {name: found for name, found in parameters_of(cls).items() if found.shared}


def select(cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of those shared parameters that a class has."""
    return {name: values[name] for name in shared_parameters(cls) if name in values}


class EstimatorMixin:
    """Parameter checks, and tags that allow NaN and infinity."""

    requires_target = True

    def check_parameters(self) -> None:
        """Raise a ValueError if a parameter is invalid."""
        cls: Any = type(self)
        for name, found in parameters_of(cls).items():
            found.check(getattr(self, name), cls.__name__)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = self.requires_target
        return tags

    def _more_tags(self):  # scikit-learn 1.5
        return {"allow_nan": True, "requires_y": self.requires_target}


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def estimator_class(cls: _Class, *sources: type) -> _Class:
    """
    Make a dataclass, and complete its docstring.

    Parameters are described from their declarations. Attributes follow those that the
    docstrings of base classes describe. Estimators that are sources are named.
    """
    dataclass(repr=False, eq=False)(cls)
    lead, *sections = SECTION.split(inspect.cleandoc(cls.__doc__ or ""))
    found = {title: text.strip("\n") for title, text in zip(
        sections[::2], sections[1::2], strict=True)}
    found = {
        "Parameters": "\n".join(map(_described, parameters_of(cls).values())),
        "Attributes": "\n".join(filter(None, (
            getattr(cls, "_attributes", ""), found.pop("Attributes", "")))),
        "See Also": "\n".join(
            f"orangecontrib.sadd.core.{source.__name__}" for source in sources),
        **found}
    setattr(cls, "_attributes", found["Attributes"])  # noqa: B010
    cls.__doc__ = "\n\n".join([lead.rstrip(), *(
        f"{title}\n{'-' * len(title)}\n{text}" for title, text in found.items() if text
        )]) + "\n"
    return cls


def takes(*sources: type, without: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """
    Decorate a class with the parameters that estimators share; see `estimator_class`.

    Parameters
    ----------
    *sources : type
        Estimators. They follow the parameters of the class itself. A parameter that the
        class only annotates is that of the first of these estimators that has it.
    without : sequence of str
        Names of parameters that are left out.
    """
    taken: dict[str, Parameter] = {}
    for source in sources:
        for name, found in shared_parameters(source).items():
            taken.setdefault(name, found)

    def decorate(cls):
        types = dict(inspect.get_annotations(cls))
        for name, found in taken.items():
            if name not in (*vars(cls), *without):
                types[name] = found.annotation
                setattr(cls, name, found.as_field())
        cls.__annotations__ = types
        return estimator_class(cls, *sources)

    return decorate


def _described(found):
    """Return the entry of a parameter in a docstring."""
    text = fill(f"{found.description} {found.details}".strip(), 80,
                initial_indent="    ", subsequent_indent="    ",
                break_on_hyphens=False)
    return f"{found.name} : {found.kind}\n{text}"
