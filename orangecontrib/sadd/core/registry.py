"""The tables of discretizers and classifiers.

Widgets, benchmarks and documentation read names, descriptions and parameters here.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orangecontrib.sadd.core import classifiers, discretizers
from orangecontrib.sadd.core.discretizer_base import Discretizer

__all__ = ["CLASSIFIERS", "DISCRETIZERS", "Method", "Parameter", "find_method",
           "make_discretizer", "method_of"]


@dataclass(frozen=True)
class Parameter:
    """
    A parameter of a method.

    Attributes
    ----------
    name : str
        Name in the estimator.
    description : str
        Description in one sentence.
    default : object
    title : str
        Text beside a control for a number; empty if there is no such control, as for
        parameters of labellers.
    lowest, highest : float
        Range of the control, not of the estimator. Whole numbers if `lowest` is an int.
    logarithmic : bool
        Whether the control is a slider on a logarithmic scale.
    optional : bool
        Whether it may be None, in which case the control is switched off.
    """

    name: str
    description: str
    default: object
    title: str = ""
    lowest: float = 1
    highest: float = 10 ** 6
    logarithmic: bool = False
    optional: bool = False


@dataclass(frozen=True)
class Method:
    """
    A method of discretization or classification.

    Attributes
    ----------
    name : str
        As the paper prints it.
    title : str
        The words of the acronym, in short.
    description : str
        Description in one sentence.
    estimator : type
        The scikit-learn transformer or classifier.
    parameters : tuple of Parameter
    settings : dict
        Parameters of the estimator that distinguish this method from others.
    """

    name: str
    title: str
    description: str
    estimator: type[Any]
    parameters: tuple[Parameter, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def uses_class(self) -> bool:
        """Whether cuts depend on the class."""
        return self.estimator.requires_target

    @property
    def uses_unlabelled(self) -> bool:
        """Whether rows without a label take part."""
        return self.estimator.uses_unlabelled

    def make(self, *arguments: Any, **parameters: Any) -> Any:
        """Return the estimator."""
        return self.estimator(*arguments, **self.settings, **parameters)

    def has_parameter(self, name: str) -> bool:
        """Return whether there is a parameter of this name."""
        return any(parameter.name == name for parameter in self.parameters)


def _of(description, title="", **control):
    return description, {"title": title, **control}


def _classifier(name, title, description, estimator, settings=None, **parameters):
    """Return the name of a method, and the method with defaults of parameters."""
    signature = inspect.signature(estimator).parameters
    return name, Method(name, title, description, estimator, tuple(
        Parameter(key, text, signature[key].default, **control)
        for key, (text, control) in parameters.items()), settings or {})


def _method(title, description, estimator, **parameters):
    """Return the same for a discretizer."""
    return _classifier(
        estimator.short_name, title, description, estimator, **parameters,
        missing=_of("Missing values: ignore, or interval to make them an interval."))


_LIMITS: dict[str, Any] = {
    "min_samples": _of("Minimum number of rows in an interval. A number below 1 is "
                       "a share of the rows.", "Minimum rows", optional=True),
    "max_intervals": _of("Maximum number of intervals. Cuts with the highest gain are "
                         "kept.", "Maximum intervals", optional=True),
}

DISCRETIZERS: dict[str, Method] = dict((
    _method(
        "semi-supervised adaptive",
        "Like MDLP, but also uses unlabelled rows (labelled by their nearest "
        "neighbours) and cuts more readily in small samples.",
        discretizers.SADDDiscretizer,
        k=_of(
            "Number of neighbours that label a row; chosen by leave-one-out if "
            "'auto'."),
        n0=_of(
            "Number of rows above which the threshold approaches that of MDLP.",
            "Sensitivity (N0)", highest=10 ** 7, logarithmic=True),
        standardize=_of("Standardize variables before distances are computed."),
        **_LIMITS),
    _method(
        "minimum description length",
        "Cuts where the class entropy is least, while the information gain exceeds the "
        "description length of the cut.",
        discretizers.MDLPDiscretizer, **_LIMITS),
    _method(
        "class interdependence",
        "Adds cuts as long as the leading classes of intervals become clearer; at "
        "least as many intervals as classes.",
        discretizers.CAIMDiscretizer, **_LIMITS),
    _method(
        "class contingency",
        "Adds cuts as long as the contingency of intervals and class rises; at least "
        "as many intervals as classes.",
        discretizers.CACCDiscretizer, **_LIMITS),
    _method(
        "chi-square",
        "Merges neighbouring intervals whose classes are distributed alike by "
        "chi-square.",
        discretizers.ChiMergeDiscretizer,
        significance=_of("Significance level of chi-square.", "Significance level",
                         lowest=0.001, highest=0.999),
        max_intervals=_of("Merge until there are no more intervals than this.",
                          "Maximum intervals", optional=True)),
    _method(
        "equal width", "Intervals of equal width.",
        discretizers.EqualWidthDiscretizer,
        n_bins=_of("Number of intervals.", "Intervals", highest=1000)),
    _method(
        "equal frequency", "Intervals with equally many rows.",
        discretizers.EqualFrequencyDiscretizer,
        n_bins=_of("Number of intervals.", "Intervals", highest=1000)),
    _method(
        "proportional intervals",
        "About √n intervals of √n rows each.",
        discretizers.PKIDDiscretizer),
    _method(
        "fixed frequency",
        "Intervals with a fixed number of rows.",
        discretizers.FFDDiscretizer,
        frequency=_of("Number of rows in an interval.", "Rows in an interval")),
))

_SEARCH: dict[str, Any] = {
    "objective": _of("The loss on training rows that the search for weights minimizes: "
                     "squared_error or log_loss."),
    "max_iter": _of("Maximum number of iterations.", "Iterations",
                    highest=10 ** 5),
    "tol": _of("The largest derivative of the mean loss that counts as zero."),
}


CLASSIFIERS: dict[str, Method] = dict((
    _classifier(
        "NB", "no weights", "Naive Bayes, in which all variables count the same.",
        classifiers.NaiveBayesClassifier),
    _classifier(
        "WANBIA", "class-independent weights", "A weight for each variable.",
        classifiers.WANBIAClassifier, **_SEARCH),
    _classifier(
        "CAWNB", "class-specific weights", "A weight for each variable and class.",
        classifiers.CAWNBClassifier, **_SEARCH),
    _classifier(
        "AIWNB eager", "instance weights",
        "Variables are weighted by their information about the class and about each "
        "other. Rows are weighted by the frequency of their values.",
        classifiers.AIWNBClassifier, {"instance_weighting": "eager"}),
    _classifier(
        "AIWNB lazy", "instance weights",
        "Variables are weighted by their information about the class and about each "
        "other. Rows are weighted by their similarity to the predicted row.",
        classifiers.AIWNBClassifier, {"instance_weighting": "lazy"}),
    _classifier(
        "RNB", "regularized naive Bayes",
        "A mixture of two models: class-specific weights (CAWNB) and shared weights "
        "(WANBIA). The shares of the mixture are also learned.",
        classifiers.RNBClassifier, **_SEARCH),
))


def find_method(name: object) -> Method | None:
    """
    Return a discretization method by its name; None if there is no such method.

    Upper and lower case do not matter.

    Examples
    --------
    >>> find_method("chimerge").name
    'ChiMerge'
    """
    return next((method for method in DISCRETIZERS.values() if isinstance(name, str)
                 and method.name.lower() == name.lower()), None)


def method_of(estimator: Discretizer) -> Method:
    """
    Return the method of an estimator.

    Examples
    --------
    >>> method_of(make_discretizer("caim")).name
    'CAIM'
    """
    return next(method for method in DISCRETIZERS.values()
                if method.estimator is type(estimator))


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
    >>> make_discretizer("chimerge", significance=0.1)
    ChiMergeDiscretizer(significance=0.1)
    """
    method = find_method(name)
    if method is None:
        raise ValueError(f"There is no discretization method {name!r}; choose one of "
                         f"{', '.join(DISCRETIZERS)}.")
    return method.make(**parameters)
