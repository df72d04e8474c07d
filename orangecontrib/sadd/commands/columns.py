"""Columns as a person means them, where the file does not tell what they are."""

from difflib import get_close_matches

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess.transformation import Lookup

from orangecontrib.sadd.commands.errors import CommandError
from orangecontrib.sadd.tables import match_columns

__all__ = ["join_pool", "set_target", "with_numeric"]


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
        raise CommandError(f"There is no variable {name!r} to be the target"
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
            raise CommandError(
                f"The target {var.name!r} has numbers that are not whole, so they are "
                "no classes; name another.")
        names = [str(int(value)) for value in values]
    elif var.is_string:
        values, codes = np.unique(column[known].astype(str), return_inverse=True)
        names = values.tolist()
    else:
        raise CommandError(f"The target {var.name!r} is a time, which is no class; "
                           "name another.")
    result = np.full(len(column), np.nan)
    result[known] = codes
    return DiscreteVariable(var.name, names), result


def with_numeric(data: Table, names: set[str]) -> Table:
    """
    Give the data with these attributes numeric, if their values are numbers.

    In a file without types, Orange takes a column with few different numbers for a
    categorical one, so the same column may be numeric in one file and not in another.

    Parameters
    ----------
    data : Table
    names : set of str

    Returns
    -------
    Table

    Examples
    --------
    >>> heart = with_numeric(Table("heart_disease"), {"major vessels colored"})
    >>> heart.domain["major vessels colored"].is_continuous
    True
    """
    attributes = [
        _numeric_twin(var) if var.name in names and var.is_discrete else var
        for var in data.domain.attributes]
    if attributes == list(data.domain.attributes):
        return data
    return data.transform(Domain(attributes, data.domain.class_vars, data.domain.metas))


def _numeric_twin(var):
    try:
        numbers = np.array([float(value) for value in var.values])
    except ValueError:
        return var
    return ContinuousVariable(var.name, compute_value=Lookup(var, numbers))


def join_pool(tables: list[Table], data: Table) -> tuple[Table, list[str]]:
    """
    Give the rows of all tables, with the attributes of the data.

    Parameters
    ----------
    tables : list of Table
    data : Table

    Returns
    -------
    pool : Table
    missing : list of str
        Names of attributes that some of the tables lack.
    """
    attributes = data.domain.attributes
    numeric = {var.name for var in attributes if var.is_continuous}
    blocks, weights = [], []
    missing: list[str] = []
    for table in tables:
        X, lacking = match_columns(with_numeric(table, numeric), attributes)
        if attributes and len(lacking) == len(attributes):
            raise CommandError(
                "The unlabelled data has none of the attributes; are the names in its "
                "first line the same?")
        blocks.append(X)
        weights.append(table.W.reshape(len(table), -1)[:, :1] if table.has_weights()
                       else np.ones((len(table), 1)))
        missing += [var.name for var in lacking if var.name not in missing]
    sparse = any(map(sp.issparse, blocks))
    X = sp.csr_matrix(sp.vstack(blocks)) if sparse else np.concatenate(blocks)
    weighted = any(table.has_weights() for table in tables)
    W = np.concatenate(weights) if weighted else None
    return Table.from_numpy(Domain(attributes), X, W=W), missing
