"""User-defined treatments of some variables, for `SADDDiscretize`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from Orange.data import Variable

from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.core.types import ArrayLike

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


def treat(cuts: Cuts, variables: Sequence[Variable],
          treatments: Mapping[Key, Treatment],
          find: Callable[[str], Cuts]) -> tuple[Cuts, dict[str, bool]]:
    """
    Apply treatments: other cuts, variables that stay numeric, and removed variables.

    Parameters
    ----------
    cuts : Cuts
    variables : sequence of Variable
        The variables of the cuts.
    treatments : mapping
        By `variable_key`. Variables that are not in the data are ignored.
    find : callable
        Called with the name of a method, returns its cuts of the same variables. It is
        called once for each method.

    Returns
    -------
    cuts : Cuts
        With other cuts of treated variables.
    exempt : dict
        By name, variables that are not discretized: whether they are kept.
    """
    changed: dict[int, ArrayLike] = {}
    exempt: dict[str, bool] = {}
    found: dict[str, Cuts] = {}
    for index, variable in enumerate(variables):
        treatment = treatments.get(variable_key(variable))
        if treatment in (NUMERIC, REMOVE):
            exempt[variable.name] = treatment == NUMERIC
            changed[index] = ()
        elif isinstance(treatment, str):
            if treatment not in found:
                found[treatment] = find(treatment)
            changed[index] = found[treatment].cut_points[index]
        elif treatment is not None:
            changed[index] = treatment
    return cuts.with_cuts(changed), exempt
