"""The tables of discretizers and classifiers.

Widgets, benchmarks and documentation read names, descriptions and parameters here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orangecontrib.sadd.core import classifiers, columnwise, discretizers
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.parameters import Parameter, shared_parameters
from orangecontrib.sadd.core.tables_classifier import SADDTablesClassifier

__all__ = ["CLASSIFIERS", "DISCRETIZERS", "Method", "find_method", "make_discretizer"]


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
    settings : dict
        Parameters of the estimator that distinguish this method from others.
    """

    name: str
    title: str
    description: str
    estimator: type[Any]
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

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters that windows, commands and Orange's classes have, by name."""
        return shared_parameters(self.estimator)


DISCRETIZERS: dict[str, Method] = {estimator.short_name: Method(
    estimator.short_name, title, description, estimator)
    for estimator, title, description in (
        (discretizers.SADDDiscretizer, "semi-supervised adaptive",
         "Like MDLP, but also uses unlabelled rows (labelled by their nearest "
         "neighbours) and cuts more readily in small samples."),
        (discretizers.MDLPDiscretizer, "minimum description length",
         "Cuts where the class entropy is least, while the information gain exceeds "
         "the description length of the cut."),
        (columnwise.CAIMDiscretizer, "class interdependence",
         "Adds cuts as long as the leading classes of intervals become clearer; at "
         "least as many intervals as classes."),
        (columnwise.CACCDiscretizer, "class contingency",
         "Adds cuts as long as the contingency of intervals and class rises; at least "
         "as many intervals as classes."),
        (columnwise.ChiMergeDiscretizer, "chi-square",
         "Merges neighbouring intervals whose classes are distributed alike by "
         "chi-square."),
        (columnwise.EqualWidthDiscretizer, "equal width",
         "Intervals of equal width."),
        (columnwise.EqualFrequencyDiscretizer, "equal frequency",
         "Intervals with equally many rows."),
        (columnwise.PKIDDiscretizer, "proportional intervals",
         "About √n intervals of √n rows each."),
        (columnwise.FFDDiscretizer, "fixed frequency",
         "Intervals with a fixed number of rows."))}

CLASSIFIERS: dict[str, Method] = {method.name: method for method in (
    Method("NB", "no weights", "Naive Bayes, in which all variables count the same.",
           classifiers.NaiveBayesClassifier),
    Method("WANBIA", "class-independent weights", "A weight for each variable.",
           classifiers.WANBIAClassifier),
    Method("CAWNB", "class-specific weights", "A weight for each variable and class.",
           classifiers.CAWNBClassifier),
    Method("AIWNB eager", "instance weights",
           "Variables are weighted by their information about the class and about each "
           "other. Rows are weighted by the frequency of their values.",
           classifiers.AIWNBClassifier, {"instance_weighting": "eager"}),
    Method("AIWNB lazy", "instance weights",
           "Variables are weighted by their information about the class and about each "
           "other. Rows are weighted by their similarity to the predicted row.",
           classifiers.AIWNBClassifier, {"instance_weighting": "lazy"}),
    Method("RNB", "regularized naive Bayes",
           "A mixture of two models: class-specific weights (CAWNB) and shared weights "
           "(WANBIA). The shares of the mixture are also learned.",
           classifiers.RNBClassifier),
    Method("SADD Tables", "lines, curves and pairs",
           "What each variable and some pairs of variables add to log-odds. It finds "
           "its own cuts, and also learns from unlabelled rows.",
           SADDTablesClassifier))}


def find_method(name: object) -> Method:
    """
    Return a discretization method by its name; ValueError if there is no such method.

    Upper and lower case do not matter.

    Examples
    --------
    >>> find_method("chimerge").name
    'ChiMerge'
    """
    for method in DISCRETIZERS.values():
        if isinstance(name, str) and method.name.lower() == name.lower():
            return method
    raise ValueError(f"There is no discretization method {name!r}; choose one of "
                     f"{', '.join(DISCRETIZERS)}.")


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
    return find_method(name).make(**parameters)
