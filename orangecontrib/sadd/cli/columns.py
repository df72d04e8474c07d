"""Columns as a person means them, where the file does not tell what they are."""

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, Table
from Orange.preprocess.transformation import Lookup

from orangecontrib.sadd.cli.errors import CommandError
from orangecontrib.sadd.tables import match_columns

__all__ = ["join_pool", "with_numeric"]


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
