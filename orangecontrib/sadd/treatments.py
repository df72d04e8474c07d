"""Discretization with user-defined treatments of some variables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from Orange.data import Domain, Table, Variable
from Orange.preprocess import Preprocess

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.core.types import Callback
from orangecontrib.sadd.cutting import Discretized
from orangecontrib.sadd.encodings import IntervalsAs, encode_intervals
from orangecontrib.sadd.preprocessors import SADDDiscretize

__all__ = ["NUMERIC", "REMOVE", "DiscretizeByVariable", "Treatment", "apply_treatments",
           "is_treatment", "treat", "variable_key"]

#: Treatments of a variable that is not discretized
NUMERIC, REMOVE = "numeric", "remove"

#: Cuts, `NUMERIC`, `REMOVE`, or the name of a method
Treatment: TypeAlias = Sequence[float] | str
Key: TypeAlias = tuple[str, str]


def variable_key(variable: Variable) -> Key:
    """Return name and type, which identify a variable in other data."""
    return variable.name, "time" if variable.is_time else "continuous"


def is_treatment(treatment: Any) -> bool:
    """
    Return whether a value, such as one from a file, is a treatment.

    Examples
    --------
    >>> [is_treatment(value) for value in ([1., 2.], [], "MDLP", [2., 1.], "?", None)]
    [True, True, True, False, False, False]
    """
    if isinstance(treatment, str):
        return treatment in (NUMERIC, REMOVE) or treatment in DISCRETIZERS
    return isinstance(treatment, list | tuple) and all(
        isinstance(cut, float) and np.isfinite(cut) for cut in treatment) and all(
        low < high for low, high in zip(treatment, treatment[1:], strict=False))


def treat(found: Discretized, treatments: Mapping[Key, Treatment],
          find: Callable[[str], Discretized]) -> Discretized:
    """
    Replace the cuts of variables by those of their treatments.

    Parameters
    ----------
    found : Discretized
    treatments : mapping
        By `variable_key`. Variables that are not in the data are ignored.
    find : callable
        Called with the name of a method, returns its cuts.
    """
    cut_points = []
    for index, (variable, cuts) in enumerate(
            zip(found.variables, found.cut_points, strict=True)):
        treatment = treatments.get(variable_key(variable), cuts)
        if isinstance(treatment, str):
            treatment = find(treatment).cut_points[index] \
                if treatment in DISCRETIZERS else ()
        cut_points.append(np.asarray(treatment, dtype=np.float64))
    return replace(found, cut_points=cut_points)


def apply_treatments(treated: Discretized, data: Table,
                     treatments: Mapping[Key, Treatment], *,
                     remove_const: bool = True,
                     intervals_as: IntervalsAs = "categories") -> Table:
    """
    Discretize a table, except variables that stay numeric or are removed.

    Parameters
    ----------
    treated : Discretized
        As returned by `treat`.
    data : Table
    treatments : mapping
    remove_const, intervals_as
        As for `SADDDiscretize`.
    """
    table = treated.transform(data, remove_const)
    special = {var: treatments[variable_key(var)] for var in treated.variables
               if treatments.get(variable_key(var)) in (NUMERIC, REMOVE)}
    if special:
        made = {var.name: var for var in table.domain.attributes}
        attributes = [var if special.get(var) == NUMERIC else made[var.name]
                      for var in data.domain.attributes
                      if special.get(var) == NUMERIC
                      or var not in special and var.name in made]
        table = data.transform(
            Domain(attributes, data.domain.class_vars, data.domain.metas))
    return encode_intervals(table, intervals_as)


class DiscretizeByVariable(Preprocess):
    """
    Discretize variables by their treatments, and all other variables as usual.

    Cuts of a treatment are used unchanged.

    Parameters
    ----------
    discretize : SADDDiscretize
    treatments : sequence of (str, str, treatment)
        Name and type ("continuous" or "time") of a variable, and its treatment. A
        treatment is a list of cuts, "numeric", "remove" or the name of a method.
        Variables that are not in the data are ignored.

    Examples
    --------
    >>> iris = Table("iris")
    >>> fixed = DiscretizeByVariable(SADDDiscretize(), [
    ...     ["petal length", "continuous", [2.5]],
    ...     ["sepal length", "continuous", "numeric"],
    ...     ["sepal width", "continuous", "remove"]])
    >>> fixed(iris)[0]
    [5.1, < 2.5, < 0.8 | Iris-setosa]
    """

    def __init__(self, discretize: SADDDiscretize,
                 treatments: Sequence[tuple[str, str, Treatment]]) -> None:
        self.discretize = discretize
        self.treatments = treatments

    def __call__(self, data: Table, callback: Callback | None = None) -> Table:
        """Return the discretized data."""
        treatments = {(name, kind): treatment
                      for name, kind, treatment in self.treatments}
        treated = treat(
            self.discretize.find(data, callback), treatments,
            lambda method: replace(self.discretize, method=method).find(data))
        return apply_treatments(
            treated, data, treatments, remove_const=self.discretize.remove_const,
            intervals_as=self.discretize.intervals_as)
