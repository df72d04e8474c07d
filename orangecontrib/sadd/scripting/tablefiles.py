"""Tables from files: read without running code, with types that a target implies."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    Variable,
)
from Orange.data.io import CSVReader, FileFormat, PickleReader
from Orange.data.table import dataset_dirs
from Orange.preprocess.transformation import Lookup

__all__ = ["read_table", "set_target", "with_columns", "with_numeric"]

# Orange's readers need minutes for a longer line, which a small archive can hold
LONGEST_LINE = 16  # MB


def read_table(path: str, reader: type[FileFormat] | None = None, *,
               trusted: bool = False) -> Table:
    """
    Read a table from a file, without running code that the file may contain.

    A pickle can run any program. Unless files are trusted, ``.pkl`` files are rejected,
    and files such as ``NAME.csv.metadata``, which Orange's readers unpickle, are not
    read.

    Parameters
    ----------
    path : str
        A file; without `reader` also the name of a data set that comes with Orange.
    reader : subclass of FileFormat, optional
        By default that for the suffix of the path.
    trusted : bool
        Whether pickles are read.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If the file is a pickle and not trusted, is not text in UTF-8, or has a line of
        more than 16 MB. Readers raise other exceptions.

    Examples
    --------
    >>> read_table("zoo").domain.class_var.name
    'type'
    """
    source = reader(path) if reader is not None else FileFormat.get_reader(
        FileFormat.locate(path, dataset_dirs))
    if not trusted:
        if isinstance(source, PickleReader):
            raise ValueError("a pickle can run any program; --trust-metadata reads it, "
                             "if you trust its source")
        source.set_table_metadata = lambda filename, table: None
    if isinstance(source, CSVReader):
        _check_lines(source)
    try:
        return source.read()
    except UnicodeDecodeError as error:
        raise ValueError("it is not text in UTF-8. Save it in this encoding") from error


def _check_lines(source):
    """Raise a ValueError if a line of a text file is too long."""
    n_without = 0
    with source.open(source.filename, "rb") as file:
        while part := file.read(1_000_000):
            n_without = 0 if b"\n" in part or b"\r" in part else n_without + 1
            if n_without >= LONGEST_LINE:
                raise ValueError(f"it has a line of more than {LONGEST_LINE} MB. Is it "
                                 "a table?")


def set_target(data: Table, name: str) -> Table:
    """
    Return the data with a certain variable as the class.

    In files without types, Orange reads a class with values such as 1 to 10 as a
    number. It reads a class with many values as text. In the target, whole numbers and
    texts are classes. Other class variables become metas: they are kept, but not
    learned from.

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
    target, codes = (var, None) if var.is_discrete else _categories(data, var)
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
    """Return a categorical variable with the values of a column, and their codes."""
    column = np.asarray(data.get_column(var))
    known = np.isfinite(column.astype(np.float64)) if var.is_primitive() \
        else np.array([bool(str(value)) for value in column], dtype=bool)
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


def with_numeric(data: Table, names: set[str]) -> Table:
    """
    Return the data with these attributes numeric, if their values are numbers.

    In files without types, Orange reads a column with few different numbers as
    categorical. So the same column may be numeric in one file but not in another.

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


def with_columns(data: Table, columns: Mapping[str, Any]) -> Table:
    """
    Return the data with columns of the types and in the order of other data.

    In files without types, Orange reads a column of texts as categorical or as text. It
    numbers categories by the values in this file.

    Parameters
    ----------
    data : Table
    columns : mapping
        For each column its categories, "text", or another word for a number. Columns
        with other values or names are not changed, or come last.

    Returns
    -------
    Table

    Examples
    --------
    >>> zoo = with_columns(Table("zoo")[:3], {"name": ["boar", "bear"], "hair": "text"})
    >>> zoo.domain["name"].values, zoo[0, "name"]
    (('boar', 'bear', 'aardvark', 'antelope', 'bass'), Value('name', aardvark))
    """
    given = {var.name: var for var in (*data.domain.variables, *data.domain.metas)}
    classes = data.domain.class_vars
    texts = {name: _texts(data, given[name]) for name, kind in columns.items()
             if name in given and _differs(given[name], kind)}
    made: dict[str, Variable] = {}
    for name, column in texts.items():
        known = columns[name]
        if known == "text":
            made[name] = StringVariable(name)
        else:
            own = sorted(set(filter(None, column)).difference(known))
            made[name] = DiscreteVariable(name, [*known, *own])
    order = [*(name for name in columns if name in given),
             *(name for name in given if name not in columns)]
    variables = [made.get(name, given[name]) for name in order
                 if given[name] not in classes]
    metas = {var.name for var in data.domain.metas
             if var.name not in made or not var.is_string}
    is_meta = [var.is_string or var.name in metas for var in variables]
    domain = Domain(
        [var for var, meta in zip(variables, is_meta, strict=True) if not meta],
        [made.get(var.name, var) for var in classes],
        [var for var, meta in zip(variables, is_meta, strict=True) if meta])
    result = data.transform(domain).copy()
    with result.unlocked():
        for name, column in texts.items():
            var = made[name]
            result[:, var] = np.array(
                column if var.is_string else list(map(var.to_val, column)),
                dtype=object if var.is_string else float)[:, None]
    result.name, result.attributes = data.name, data.attributes
    return result


def _differs(var, kind):
    """Return whether a column has to become categorical, or text."""
    if kind == "text":
        return var.is_discrete
    return isinstance(kind, list) and not var.is_time and not (
        var.is_discrete and list(var.values) == kind)


def _texts(data, var):
    """Return the texts of a column, empty ones for missing values."""
    return ["" if np.isnan(value) else var.str_val(value)
            for value in data.get_column(var)] if var.is_primitive() else [
        "" if text is None else str(text) for text in data.get_column(var)]
