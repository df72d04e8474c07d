"""The class, as a person means it, where a file does not tell what it is."""

from difflib import get_close_matches

import numpy as np
from Orange.data import DiscreteVariable, Domain, Table

__all__ = ["set_target"]


def set_target(data: Table, name: str) -> Table:
    """
    Give the data with a certain variable as the class.

    Files without types leave it to Orange to guess that a class with values such as 1
    to 10 is a number, and one with many values is text. Named as the target, whole
    numbers and texts are classes. Other class variables become metas, so that they are
    kept, but not learned from.

    Parameters
    ----------
    data : Table
    name : str

    Returns
    -------
    Table

    Examples
    --------
    >>> heart = set_target(Table("heart_disease"), "gender")
    >>> heart.domain.class_var.name, len(heart.domain.attributes)
    ('gender', 12)
    >>> heart.domain.metas
    (DiscreteVariable(name='diameter narrowing', values=('0', '1')),)
    """
    if name not in data.domain:
        variables = (*data.domain.variables, *data.domain.metas)
        close = get_close_matches(name, [var.name for var in variables], 1)
        raise ValueError(f"There is no variable {name!r} to be the target"
                           + (f"; is it {close[0]!r}?" if close else "."))
    var = data.domain[name]
    codes = None
    if not var.is_discrete:
        target, codes = _categories(data, var)
    else:
        target = var
    domain = data.domain
    domain = Domain(
        [other for other in domain.attributes if other is not var], target,
        [other for other in (*domain.metas, *domain.class_vars) if other is not var])
    result = data.transform(domain)
    if codes is not None:
        with result.unlocked(result.Y):
            result.Y = codes
    result.name, result.attributes = data.name, data.attributes
    return result


def _categories(data, var):
    """Give a categorical variable with the values of a column, and their codes."""
    column = np.asarray(data.get_column(var))
    known = np.array([not var.is_primitive() and bool(str(value))
                      or var.is_primitive() and np.isfinite(value)
                      for value in column], dtype=bool)
    if var.is_continuous and not var.is_time:
        values, codes = np.unique(column[known].astype(np.float64), return_inverse=True)
        if not (values == np.rint(values)).all() or (np.abs(values) > 2 ** 53).any():
            raise ValueError(
                f"The target {var.name!r} has numbers that are not whole, so they are "
                "no classes; name another.")
        names = [str(int(value)) for value in values]
    elif var.is_string:
        values, codes = np.unique(column[known].astype(str), return_inverse=True)
        names = values.tolist()
    else:
        raise ValueError(f"The target {var.name!r} is a time, which is no class; "
                           "name another.")
    result = np.full(len(column), np.nan)
    result[known] = codes
    return DiscreteVariable(var.name, names), result
