"""The settings of a user: a method, and parameters of the method and the labeller."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.parameters import Parameter, shared_parameters
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer

__all__ = ["LIMITS", "Parameters", "adjustable", "full_name", "is_valid_number",
           "main_parameters"]

#: Limits of intervals, which methods share
LIMITS = ("min_samples", "max_intervals", "missing")

SADD = shared_parameters(SADDDiscretizer)


def adjustable(method: str) -> tuple[Parameter, ...]:
    """
    Return the parameters of a method that are numbers with a control.

    Examples
    --------
    >>> [parameter.title for parameter in adjustable("EW")]
    ['Intervals']
    """
    return tuple(parameter for parameter in DISCRETIZERS[method].parameters.values()
                 if parameter.lowest is not None)


def main_parameters(method: str) -> tuple[Parameter, ...]:
    """
    Return the parameters of a method that are numbers and not limits of intervals.

    Examples
    --------
    >>> [parameter.title for parameter in main_parameters("SADD")]
    ['Sensitivity (N0)']
    """
    return tuple(parameter for parameter in adjustable(method)
                 if parameter.name not in LIMITS)


def full_name(method: str) -> str:
    """
    Return the acronym of a method and its words.

    Examples
    --------
    >>> full_name("EW")
    'EW – equal width'
    """
    return f"{method} – {DISCRETIZERS[method].title}"


def is_valid_number(parameter: Parameter, value: Any) -> bool:
    """
    Return whether a value is in the range of a parameter.

    Examples
    --------
    >>> bins, = adjustable("EW")
    >>> [is_valid_number(bins, value) for value in (5, 5.5, 0, None, "5")]
    [True, False, False, False, False]
    """
    if value is None:
        return parameter.optional
    kinds = int if isinstance(parameter.lowest, int) else (int, float)
    return (isinstance(value, kinds) and not isinstance(value, bool)
            and parameter.lowest <= value <= parameter.highest)


@dataclass(frozen=True)
class Parameters:
    """
    A method, and parameters of the method and the labeller.

    Attributes
    ----------
    method : str
    values : dict
        Parameters of the method, limits included, by name. Others are ignored.

    Examples
    --------
    >>> Parameters("EW", {"n_bins": 5}).estimator()
    EqualWidthDiscretizer(n_bins=5)
    """

    method: str = "SADD"
    values: Mapping[str, Any] = field(default_factory=dict)
    k: int | str = SADD["k"].default
    standardize: bool = SADD["standardize"].default
    labeller: Any = SADD["labeller"].default
    min_confidence: float = SADD["min_confidence"].default

    @property
    def numbers(self) -> dict[str, Any]:
        """All parameters of the method that are numbers, by name."""
        return {parameter.name: self.values.get(parameter.name, parameter.default)
                for parameter in adjustable(self.method)}

    @property
    def changed(self) -> dict[str, Any]:
        """The parameters of the method that differ from their defaults."""
        defaults = replace(self, values={}).numbers
        changed = {name: number for name, number in self.numbers.items()
                   if number != defaults[name]}
        return {**changed, "missing": "interval"} if self.values.get("missing") \
            else changed

    @property
    def of_labels(self) -> tuple:
        """The parameters on which pseudo-labels depend."""
        return self.labeller, self.k, self.standardize

    @property
    def of_labeller(self) -> dict[str, Any]:
        """Names and values of the parameters about pseudo-labels."""
        return {"k": self.k, "standardize": self.standardize, "labeller": self.labeller,
                "min_confidence": self.min_confidence}

    @property
    def uses_unlabelled(self) -> bool:
        """Whether the method learns from unlabelled rows."""
        return DISCRETIZERS[self.method].uses_unlabelled

    @property
    def key(self) -> tuple:
        """The parameters on which cuts depend."""
        key: tuple = (self.method, *self.changed.items())
        if self.uses_unlabelled:
            key += (self.min_confidence, *self.of_labels)
        return key

    def with_n0(self, n0: int | None) -> "Parameters":
        """Return the same parameters with another N0; None for the default."""
        values = {key: value for key, value in self.values.items() if key != "n0"}
        return replace(self, values=values if n0 is None else {**values, "n0": n0})

    def estimator(self, store_decisions: bool = True) -> Discretizer:
        """Return the estimator, which keeps its decisions if it makes any."""
        labeller = self.of_labeller if self.uses_unlabelled else {}
        estimator: Any = make_discretizer(self.method, **self.changed, **labeller)
        if estimator.makes_decisions:
            # Not set_params, which takes Orange's learners for estimators
            estimator.store_decisions = store_decisions
        return estimator
