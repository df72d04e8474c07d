"""User-defined treatments of some variables, for `SADDDiscretize`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from Orange.data import Domain, Table, Variable

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.cutting import Discretized

__all__ = ["NUMERIC", "REMOVE", "Key", "Treatment", "apply_treatments", "is_treatment",
           "treat", "variable_key"]

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
                     treatments: Mapping[Key, Treatment],
                     remove_const: bool = True) -> Table:
    """
    Discretize a table, except variables that stay numeric or are removed.

    Parameters
    ----------
    treated : Discretized
        As returned by `treat`.
    data : Table
    treatments : mapping
    remove_const : bool
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
    return table
