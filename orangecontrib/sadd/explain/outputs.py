"""The tables, and the preprocessor, that widgets send."""

from inspect import signature
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)
from Orange.data.util import get_unique_names
from Orange.preprocess import Preprocess
from Orange.util import dummy_callback

from orangecontrib.sadd.core.intervals.evidence import interval_table
from orangecontrib.sadd.discretize import make_discretization
from orangecontrib.sadd.intervals import discretized_variable
from orangecontrib.sadd.preprocessors import FixedCutsDiscretize, SADDDiscretize

__all__ = ["Outputs", "make_outputs", "make_preprocessor", "select_rows",
           "weights_output"]

SOURCES = ("labelled", "unlabelled", "pool")


class Outputs(NamedTuple):
    """What SADD Discretize sends; None if there is no such thing."""

    data: Table | None = None
    unlabelled: Table | None = None
    pseudo_labelled: Table | None = None
    cut_points: Table | None = None
    preprocessor: Preprocess | None = None


def make_outputs(analysis, found, parameters, remove_const=True, fixed=(),
                 callback=dummy_callback):
    """
    Make all outputs.

    Parameters
    ----------
    analysis : Analysis
    found : Discretized
    parameters : Parameters
    remove_const : bool
        Whether to leave out variables with a single interval.
    fixed : sequence
        Cuts that the preprocessor carries; see `FixedCutsDiscretize`.
    callback : callable
        Called with the fraction done. May raise an exception to stop the work.

    Returns
    -------
    Outputs
    """
    pool = analysis.pool
    data = found.transform(analysis.data, remove_const)
    callback(0.3)
    if pool is not None:
        pool = found.transform(pool, remove_const)
    callback(0.5)
    pseudo_labelled = _pseudo_labelled_table(analysis, analysis.labels(parameters))
    callback(0.7)
    cut_points = _cut_point_table(analysis, found.cut_points)
    callback(0.9)
    return Outputs(data, pool, pseudo_labelled, cut_points, make_preprocessor(
        parameters, _joint_pool(analysis), remove_const, fixed))


def make_preprocessor(parameters, pool, remove_const=True, fixed=()):
    """Return the preprocessor that does the same to other data, with fixed cuts."""
    method, numbers = parameters.method, parameters.changed
    if not (parameters.uses_unlabelled
            and numbers.keys() <= signature(SADDDiscretize).parameters.keys()):
        if numbers:  # which the preprocessor does not take
            method = make_discretization(method, **numbers, **(
                parameters.of_labeller if parameters.uses_unlabelled else {}))
        numbers = {}
    preprocessor = SADDDiscretize(pool, method=method, remove_const=remove_const,
                                  **parameters.of_labeller, **numbers)
    return FixedCutsDiscretize(preprocessor, fixed) if len(fixed) else preprocessor


def select_rows(data, variable, lower, upper):
    """
    Return the rows of a table whose value is in an interval.

    Examples
    --------
    >>> len(select_rows(Table("iris"), "petal length", 1, 2.45))
    50
    """
    values = data.get_column(variable)
    return data[(values >= lower) & (values < upper)]


def _joint_pool(analysis):
    """
    Return all unlabelled rows in a table: those of the data and those of the pool.

    Test & Score removes unlabelled rows from data, so that a preprocessor knows of
    them only if it holds them.
    """
    unlabelled = np.isnan(analysis.data.get_column(analysis.class_var))
    if not unlabelled.any():
        return analysis.given_pool
    rows = analysis.data[unlabelled]
    if analysis.pool is None:
        return rows
    domain = Domain(analysis.data.domain.attributes, analysis.class_var)
    return _concatenate([rows.transform(domain), analysis.pool.transform(domain)])


def _concatenate(tables):
    """
    Return the rows of tables with the same domain in one table.

    Unlike `Table.concatenate`, this does not fail if only some tables have weights, in
    which case other rows have a weight of 1, and keeps infinite values.
    """
    domain, matrices = tables[0].domain, [table.X for table in tables]
    tables = [table.transform(Domain((), domain.class_vars, domain.metas))
              for table in tables]
    weighted = any(table.has_weights() for table in tables)
    for table in tables:
        if table.has_weights() != weighted or not len(table):
            with table.unlocked_reference():
                table.W = np.ones(len(table)) if weighted else np.empty((len(table), 0))
    result = Table.concatenate(tables)
    with result.unlocked_reference():
        result.domain = domain
        result.X = sp.vstack(matrices, format="csr") \
            if any(map(sp.issparse, matrices)) else np.concatenate(matrices)
    return result


def _pseudo_labelled_table(analysis, labels):
    """
    Return all rows with a class, and where it comes from.

    In the domain of the data, with two metas: the probability of the class by the
    labeller, 1 for labelled rows; and the source of the row, which is "labelled" or
    "unlabelled" for rows of the data, and "pool".
    """
    data, pool, rows = analysis.data, analysis.pool, analysis.rows
    if pool is None:
        table = data.copy()
    else:
        pool = pool[~np.isin(pool.ids, data.ids)]
        table = _concatenate([data, pool.transform(data.domain)])
    table.name = data.name
    unlabelled = np.isnan(rows.y)
    classes, confidence = rows.y.copy(), np.ones(len(rows))
    if labels is not None:
        classes[unlabelled] = labels.classes
        confidence[unlabelled] = labels.confidence
    source = unlabelled.astype(np.float64)
    source[rows.n_data:] = SOURCES.index("pool")
    with table.unlocked(table.Y):
        table.Y = classes
    names = get_unique_names(data.domain, ["Confidence", "Source"])
    table = table.add_column(ContinuousVariable(names[0]), confidence, to_metas=True)
    return table.add_column(DiscreteVariable(names[1], SOURCES), source, to_metas=True)


def _cut_point_table(analysis, cut_points):
    """
    Return a table with a row for each interval.

    Columns are the ends of the interval, missing if there is none; the number of rows,
    of unlabelled ones, and of those of each class. Metas are the names of the variable
    and of the interval, and its evidence about the class, as in `interval_table`.
    """
    classes = analysis.class_var.values
    counted = [analysis.counted(index, cuts) for index, cuts in enumerate(cut_points)]
    evidence = _evidence_metas(interval_table(counted, classes), classes)
    *names, variable, interval = get_unique_names(
        list(classes),
        ["From", "To", "Rows", "Unlabelled rows", "Variable", "Interval"])
    titles = get_unique_names(
        [*classes, *names, variable, interval], list(evidence), equal_numbers=False)
    attributes = [ContinuousVariable(name, number_of_decimals=decimals)
                  for name, decimals in zip(names, (3, 3, 0, 0), strict=True)]
    attributes += [ContinuousVariable(value, number_of_decimals=0) for value in classes]
    cells, labels = [np.zeros((0, len(attributes)))], []
    for index, (var, cuts) in enumerate(
            zip(analysis.variables, cut_points, strict=True)):
        counts = analysis.count(index, cuts).table
        lower, upper = np.append(np.nan, cuts), np.append(cuts, np.nan)
        cells.append(np.column_stack(
            (lower, upper, counts.sum(axis=0), counts[-1], counts[:-1].T)))
        values = discretized_variable(var, cuts).values if len(cuts) \
            else ("all values",)
        labels += [(var.name, value) for value in values]
    domain = Domain(attributes, None, [
        StringVariable(variable), StringVariable(interval),
        *(ContinuousVariable(title, number_of_decimals=3) for title in titles)])
    metas = np.empty((len(labels), len(domain.metas)), dtype=object)
    metas[:, :2] = np.array(labels, dtype=object).reshape(-1, 2)
    metas[:, 2:] = np.column_stack(
        [np.zeros((len(labels), 0)), *evidence.values()])
    table = Table.from_numpy(domain, np.vstack(cells), None, metas)
    table.name = f"{analysis.data.name}: cut points"
    return table


def _evidence_metas(table, classes):
    """Return columns of a table of intervals by the title that they have in Orange."""
    titles = {"missing": "Missing values"}
    suffixes = {"": ""} if len(classes) == 2 else {
        f"_{label}": f" of {label}" for label in classes}
    titles.update((f"share_{label}", f"Share of {label}") for label in classes)
    for name, title in (("woe", "Weight of evidence"), ("iv", "Information value"),
                        ("total_iv", "Total information value"),
                        ("monotonic", "Monotonic")):
        titles.update((f"{name}{suffix}", f"{title}{of_class}")
                      for suffix, of_class in suffixes.items())
    return {title: table[name].to_numpy(dtype=np.float64)
            for name, title in titles.items() if name in table}


def weights_output(model):
    """
    Return the weights that a model has, ready for Heat Map and Bar Plot.

    Columns of weights that the model lacks are left out. Alpha is the same in all rows
    and not a weight, so it is a meta, beside the names of attributes. Weights of
    attributes with a single interval are missing, since they have no effect.

    Returns
    -------
    Table or None
        None if the model has no weights.

    Examples
    --------
    >>> from orangecontrib.sadd.classification import RNBLearner, WANBIALearner
    >>> print(weights_output(WANBIALearner()(Table("iris"))).domain)
    [w] {Attribute}
    >>> print(weights_output(RNBLearner()(Table("iris"))).domain)
    [Iris-setosa, Iris-versicolor, Iris-virginica, w] {Attribute, alpha}
    """
    if model.weights is None and model.class_weights is None:
        return None
    table = model.weights_table()
    *columns, alpha = table.domain.attributes
    names = table.domain.metas
    if model.class_weights is None:
        columns = columns[-1:]
    elif model.weights is None:
        columns = columns[:-1]
    else:
        names = (*names, alpha)
    result = table.transform(Domain(columns, metas=names))
    result.name = f"Weights of {model.name}"
    return result
