"""Cuts of Orange tables: find them, count rows between them, and apply them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from Orange.data import Domain, Table, Variable

from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.labels import find_obstacle
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.core.rows import Rows
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import Callback, Integers
from orangecontrib.sadd.core.validation import dense
from orangecontrib.sadd.scripting.intervals import discretized_variable, name_cuts
from orangecontrib.sadd.scripting.labelling import with_labeller

__all__ = ["check_class", "cuts_of", "discretized_table",
           "find_constant", "find_cuts", "used_rows", "with_counts"]


def check_class(rows: Rows, estimator: Discretizer) -> None:
    """
    Raise a ValueError if a method needs a class, and the data has none.

    A fold may lack labels, but the class variable is that of the whole data.
    """
    if find_obstacle(rows.labels, rows.categorical, estimator) == "no_class":
        names = ", ".join(name for name, method in DISCRETIZERS.items()
                          if not method.uses_class)
        raise ValueError(
            f"{estimator.short_name} needs data with a single categorical class. "
            f"Choose one, or a method that needs none: {names}.")


def used_rows(rows: Rows, estimator: Discretizer) -> Rows:
    """Return the rows that a method uses; without a class, those of the data only."""
    if estimator.requires_target:
        return rows
    rows = rows.without_pool()
    return rows.without_labels() if rows.labels.n_unlabelled else rows


def find_cuts(rows: Rows, estimator: Discretizer, labels: PseudoLabels | None = None,
              *, features: Integers | None = None, named: bool = True,
              callback: Callback | None = None) -> Cuts:
    """
    Find the cut points of numeric variables.

    Data without enough rows, classes or values has no cuts; see `find_obstacle`.

    Parameters
    ----------
    rows : Rows
        From `orangecontrib.sadd.scripting.tables.rows_of`. Methods other than SADD
        use rows of the data only, and supervised methods labelled rows only.
    estimator : estimator
        Any of the discretizers in `orangecontrib.sadd.core`. It is not changed.
    labels : PseudoLabels, optional
        Of the unlabelled rows, if already computed; from `labelling.label_rows`.
    features : ndarray of int, optional
        The variables to be cut, by default all numeric ones.
    named : bool
        Whether cuts have the names and formats of variables. These are thousands of
        objects for thousands of variables, which garbage collection visits.
    callback : callable, optional
        Called with the fraction done, from 0 to 1. May raise an exception to stop
        the work.

    Returns
    -------
    Cuts
        Of these variables, in their order.

    Examples
    --------
    >>> from orangecontrib.sadd.core import SADDDiscretizer
    >>> from orangecontrib.sadd.scripting.tables import rows_of
    >>> iris = Table("iris")
    >>> cuts = find_cuts(rows_of(iris[::2], iris), SADDDiscretizer())
    >>> cuts.names[3]
    ('< 0.8', '0.8 - 1.55', '1.55 - 1.85', '≥ 1.85')
    """
    if features is None:
        features = rows.features
    used = replace(used_rows(rows, estimator), wanted=features)
    if find_obstacle(used.labels, used.categorical, estimator):
        used = replace(used.without_labels(), wanted=features[:0])
    elif estimator.uses_unlabelled:
        used = used.with_labels(labels, estimator.min_confidence)
    with use_threads():
        cuts = with_labeller(estimator, rows.variables).discretize(used, callback)
    cuts = cuts.take(features)
    return cuts_of([rows.variables[feature] for feature in features], cuts) \
        if named else cuts


def cuts_of(variables: Sequence[Variable], cuts: Cuts) -> Cuts:
    """Return cuts with the names, and the format of numbers, of Orange's variables."""
    return replace(
        cuts, features=[var.name for var in variables],
        times=[var.is_time for var in variables],
        formats=[partial(name_cuts, var) for var in variables])


def with_counts(cuts: Cuts, rows: Rows, classes: Sequence[str] = ()) -> Cuts:
    """
    Return cuts with the rows counted: by class if they are labelled, and others.

    Parameters
    ----------
    cuts : Cuts
    rows : Rows
    classes : sequence of str
        Values of the class variable; empty without a class variable.
    """
    columns = {var.name: column for column, var in enumerate(rows.variables)}
    return cuts.counted(
        (dense(rows.X[:, [columns[name]]]).ravel() for name in cuts.feature_names),
        rows.given, rows.weights, classes)


def discretized_table(
    data: Table, cuts: Cuts, *, exempt: Mapping[str, bool] | None = None,
    remove_const: bool = True, constant: Collection[str] | None = None
) -> Table:
    """
    Replace numeric attributes by their intervals.

    Parameters
    ----------
    data : Table
    cuts : Cuts
        Attributes without cuts, by name, are not changed.
    exempt : mapping
        By name, attributes that are not discretized: whether they are kept.
    remove_const : bool
        Whether to leave out variables with a single interval. They are kept if no
        other attribute is left, because Orange cannot predict without attributes.
        An interval of missing values counts if there are any.
    constant : collection of str, optional
        Names of these variables, if they were found in other data.

    Returns
    -------
    Table
    """
    exempt = exempt or {}
    places = {name: place for place, name in enumerate(cuts.feature_names)}
    attributes = [var for var in data.domain.attributes if exempt.get(var.name, True)]
    cut = {var: places[var.name] for var in attributes
           if var.is_continuous and var.name in places and var.name not in exempt}
    if constant is None:
        constant = find_constant(data, cuts)
    left = [var for var in attributes if var not in cut or var.name not in constant]
    if remove_const and left:
        attributes = left
    return data.transform(Domain(
        [discretized_variable(var, cuts.cut_points[cut[var]], cuts.names[cut[var]],
                              cuts.missing) if var in cut else var
         for var in attributes], data.domain.class_vars, data.domain.metas))


def find_constant(data: Table, cuts: Cuts) -> set[str]:
    """Return the names of variables that have a single interval in the data."""
    return {name for name, points in zip(
        cuts.feature_names, cuts.cut_points, strict=True) if not len(points)
        and not (cuts.missing and np.isnan(data.get_column(name)).any())}
