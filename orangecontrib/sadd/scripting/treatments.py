"""User-defined treatments of some variables, for `SADDDiscretize`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from Orange.data import Variable

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.scripting.cutting import Discretized

__all__ = ["NUMERIC", "REMOVE", "Key", "Treatment", "is_treatment", "treat",
           "variable_key"]

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
    Apply treatments: other cuts, variables that stay numeric, and removed variables.

    Parameters
    ----------
    found : Discretized
    treatments : mapping
        By `variable_key`. Variables that are not in the data are ignored.
    find : callable
        Called with the name of a method, returns its cuts.
    """
    cut_points, exempt = [], {}
    for index, (column, variable) in enumerate(
            zip(found.columns, found.variables, strict=True)):
        treatment = treatments.get(variable_key(variable), found.cut_points[index])
        if isinstance(treatment, str):
            if treatment in DISCRETIZERS:
                treatment = find(treatment).cut_points[index]
            else:
                exempt[column] = variable if treatment == NUMERIC else None
                treatment = ()
        cut_points.append(np.asarray(treatment, dtype=np.float64))
    return replace(found, cut_points=cut_points, exempt=exempt)
