"""Tables that tell what a discretization has done, as widgets and scripts give them."""

from dataclasses import dataclass

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)
from Orange.data.util import get_unique_names
from Orange.util import dummy_callback

from orangecontrib.sadd.discretize import SADDDiscretize
from orangecontrib.sadd.intervals import discretized_variable

__all__ = ["Results", "cut_point_table", "joint_pool", "make_preprocessor",
           "make_results", "pseudo_labelled_table"]

SOURCES = ("labelled", "unlabelled", "pool")


@dataclass(frozen=True, eq=False)
class Results:
    """All tables, and the preprocessor."""

    data: Table
    unlabelled: Table | None
    pseudo_labelled: Table
    cut_points: Table
    preprocessor: SADDDiscretize


def make_results(analysis, explained, parameters, remove_const=True,
                 callback=dummy_callback):
    """
    Make all tables.

    Parameters
    ----------
    analysis : Analysis
    explained : Explained
    parameters : Parameters
    remove_const : bool
        Leave out variables with a single interval.
    callback : callable
        Is told the share of work done. May raise an exception to stop the work.

    Returns
    -------
    Results
    """
    found, pool = explained.found, analysis.pool
    data = found.transform(analysis.data, remove_const)
    callback(0.3)
    if pool is not None:
        pool = found.transform(pool, remove_const)
    callback(0.5)
    pseudo_labelled = pseudo_labelled_table(analysis, analysis.labels(parameters))
    callback(0.7)
    cut_points = cut_point_table(analysis, explained)
    callback(0.9)
    return Results(data, pool, pseudo_labelled, cut_points, make_preprocessor(
        parameters, joint_pool(analysis), remove_const))


def make_preprocessor(parameters, pool, remove_const=True):
    """Give the preprocessor that does the same to other data."""
    return SADDDiscretize(pool, parameters.k, parameters.n0, parameters.normalize,
                          parameters.method, remove_const)


def joint_pool(analysis):
    """
    Give all unlabelled rows in a table: those of the data and those of the pool.

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
    return Table.concatenate([rows.transform(domain), analysis.pool.transform(domain)])


def pseudo_labelled_table(analysis, labels):
    """
    Give all rows with a class, and how they have got it.

    Parameters
    ----------
    analysis : Analysis
    labels : PseudoLabels or None
        None if no row is unlabelled.

    Returns
    -------
    Table
        In the domain of the data. Metas: the share of neighbours that voted for the
        class, 1 for labelled rows; and the source of the row, which is "labelled" and
        "unlabelled" for the data, and "pool".
    """
    data, pool, rows = analysis.data, analysis.pool, analysis.rows
    tables = [data]
    if pool is not None:
        pool = pool[~np.isin(pool.ids, data.ids)].transform(data.domain)
        tables.append(pool)
    table = Table.concatenate(tables) if len(tables) > 1 else data.copy()
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


def cut_point_table(analysis, explained):
    """
    Give a table with a row for each interval.

    Returns
    -------
    Table
        Ends of the interval, missing if there is none; number of rows, of unlabelled
        ones, and of those of each class. Metas: name of the variable and of the
        interval.
    """
    names = get_unique_names(
        list(analysis.class_var.values), ["From", "To", "Rows", "Unlabelled rows"])
    attributes = [ContinuousVariable(name, number_of_decimals=decimals)
                  for name, decimals in zip(names, (3, 3, 0, 0), strict=True)]
    attributes += [ContinuousVariable(value, number_of_decimals=0)
                   for value in analysis.class_var.values]
    cells, labels = [np.zeros((0, len(attributes)))], []
    for var, cuts, counts in zip(
            analysis.variables, explained.cut_points, explained.counts, strict=True):
        lower, upper = np.append(np.nan, cuts), np.append(cuts, np.nan)
        cells.append(np.column_stack(
            (lower, upper, counts.sum(axis=0), counts[-1], counts[:-1].T)))
        values = discretized_variable(var, cuts).values if len(cuts) \
            else ("all values",)
        labels += [(var.name, value) for value in values]
    domain = Domain(attributes, None,
                    [StringVariable("Variable"), StringVariable("Interval")])
    metas = np.array(labels, dtype=object).reshape(-1, 2)
    table = Table.from_numpy(domain, np.vstack(cells), None, metas)
    table.name = f"{analysis.data.name}: cut points"
    return table
