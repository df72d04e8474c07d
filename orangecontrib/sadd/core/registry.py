"""The one table of discretization methods.

Widgets, benchmarks and documentation read names, descriptions and parameters here.
"""

import inspect
from dataclasses import dataclass
from typing import Any

from orangecontrib.sadd.core import discretizers
from orangecontrib.sadd.core.discretizer_base import Discretizer

__all__ = ["DISCRETIZERS", "Method", "Parameter", "make_discretizer"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method that a user may want to set."""

    name: str
    description: str
    default: object


@dataclass(frozen=True)
class Method:
    """
    A method of discretization.

    Attributes
    ----------
    name : str
        As the paper prints it.
    title : str
        The name in full.
    description : str
        What it does, in a sentence.
    estimator : type
        The scikit-learn transformer.
    parameters : tuple of Parameter
    """

    name: str
    title: str
    description: str
    estimator: type[Discretizer]
    parameters: tuple[Parameter, ...]


    @property
    def uses_class(self) -> bool:
        """Whether cuts depend on the class."""
        return self.estimator.requires_target

    @property
    def uses_unlabelled(self) -> bool:
        """Whether rows without a label take part."""
        return self.estimator.uses_unlabelled


def _method(name, title, description, estimator, **parameters):
    signature = inspect.signature(estimator).parameters
    parameters = tuple(Parameter(key, text, signature[key].default)
                       for key, text in parameters.items())
    return name, Method(name, title, description, estimator, parameters)


DISCRETIZERS: dict[str, Method] = dict((
    _method(
        "SADD", "Semi-supervised adaptive discriminative discretization",
        "MDLP with a threshold that is lower where rows are few, learned from "
        "unlabelled rows, too, by the labels of their nearest neighbours.",
        discretizers.SADDDiscretizer,
        k="Number of neighbours that label a row; chosen by leave-one-out if 'auto'.",
        n0="Number of rows above which the threshold approaches that of MDLP.",
        normalize="Standardize variables before distances are computed."),
    _method(
        "MDLP", "Minimum description length principle",
        "Cuts where the class entropy is least, as long as the information gain pays "
        "for the description of the cut.",
        discretizers.MDLPDiscretizer),
    _method(
        "CAIM", "Class-attribute interdependence maximization",
        "Adds cuts as long as the leading classes of intervals become clearer; at "
        "least as many intervals as classes.",
        discretizers.CAIMDiscretizer),
    _method(
        "CACC", "Class-attribute contingency coefficient",
        "Adds cuts as long as the contingency of intervals and class rises; at least "
        "as many intervals as classes.",
        discretizers.CACCDiscretizer),
    _method(
        "ChiMerge", "ChiMerge",
        "Merges neighbouring intervals whose classes are distributed alike by "
        "chi-square.",
        discretizers.ChiMergeDiscretizer,
        alpha="Significance level of chi-square.",
        max_intervals="Merge until there are no more intervals than this."),
    _method(
        "EW", "Equal width", "Intervals of equal width.",
        discretizers.EqualWidthDiscretizer,
        n_bins="Number of intervals."),
    _method(
        "EF", "Equal frequency", "Intervals with equally many rows.",
        discretizers.EqualFrequencyDiscretizer,
        n_bins="Number of intervals."),
    _method(
        "PKID", "Proportional k-interval discretization",
        "As many intervals as each has rows: the square root of their number.",
        discretizers.PKIDDiscretizer),
    _method(
        "FFD", "Fixed frequency discretization",
        "Intervals with a fixed number of rows.",
        discretizers.FFDDiscretizer,
        frequency="Number of rows in an interval."),
))


def make_discretizer(name: str, **parameters: Any) -> Discretizer:
    """
    Make a discretizer by the name of its method.

    Parameters
    ----------
    name : str
        A key of `DISCRETIZERS`; upper and lower case do not matter.
    **parameters
        Parameters of the estimator.

    Examples
    --------
    >>> make_discretizer("ChiMerge", alpha=0.1)
    ChiMergeDiscretizer(alpha=0.1)
    """
    for method in DISCRETIZERS.values():
        if isinstance(name, str) and method.name.lower() == name.lower():
            return method.estimator(**parameters)
    raise ValueError(f"There is no discretization method {name!r}; choose one of "
                     f"{', '.join(DISCRETIZERS)}.")
