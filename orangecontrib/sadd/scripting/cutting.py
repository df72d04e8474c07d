"""Cuts of Orange tables: find them, count rows between them, and apply them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from Orange.data import Domain, Table, Variable

from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import Callback, Integers
from orangecontrib.sadd.scripting.intervals import discretized_variable, name_cuts
from orangecontrib.sadd.scripting.labelling import with_labeller
from orangecontrib.sadd.scripting.tables import Rows, dense

__all__ = ["check_class", "count_rows", "cuts_of", "discretized_table",
           "find_constant", "find_cuts", "find_reason"]


def check_class(domain: Domain, estimator: Discretizer) -> None:
    """
    Raise a ValueError if a method needs a class, and the data has none.

    A fold may lack labels, but the class variable is that of the whole data.

    Parameters
    ----------
    domain : Domain
    estimator : Discretizer
    """
    if estimator.requires_target and not domain.has_discrete_class:
        names = ", ".join(name for name, method in DISCRETIZERS.items()
                          if not method.uses_class)
        raise ValueError(
            f"{estimator.short_name} needs data with a single categorical class. "
            f"Choose one, or a method that needs none: {names}.")


def find_reason(rows: Rows, estimator: Discretizer) -> str:
    """Return the reason why no variable can be cut; empty if there is none."""
    if rows.categorical.all():
        return "There are no numeric variables."
    if not estimator.requires_target:
        return "" if rows.data_weights.any() else "There are no rows."
    if not rows.has_class:
        return f"{estimator.short_name} needs data with a categorical class."
    if not rows.labelled.any():
        return "There are no labelled rows."
    if np.ptp(rows.y[rows.labelled]) == 0:
        return "All labelled rows are of the same class."
    return ""


def find_cuts(rows: Rows, estimator: Discretizer, labels: PseudoLabels | None = None,
              *, features: Integers | None = None, callback: Callback | None = None
              ) -> Cuts:
    """
    Find the cut points of numeric variables.

    Data without enough rows, classes or values has no cuts; see `find_reason`.

    Parameters
    ----------
    rows : Rows
        From `orangecontrib.sadd.scripting.tables.read_rows`. Methods other than SADD
        use rows of the data only, and supervised methods labelled rows only.
    estimator : estimator
        Any of the discretizers in `orangecontrib.sadd.core`. It is not changed.
    labels : PseudoLabels, optional
        Of the unlabelled rows, if already computed; from `labelling.label_rows`.
    features : ndarray of int, optional
        The variables to be cut, by default all numeric ones.
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
    >>> from orangecontrib.sadd.scripting.tables import read_rows
    >>> iris = Table("iris")
    >>> cuts = find_cuts(read_rows(iris[::2], iris), SADDDiscretizer())
    >>> cuts.names[3]
    ('< 0.8', '0.8 - 1.55', '1.55 - 1.85', '≥ 1.85')
    """
    if features is None:
        features = np.flatnonzero(~rows.categorical)
    if find_reason(rows, estimator):  # no variable is discretized
        data = rows.as_data(False, features[:0]).without_labels()
    else:
        data = rows.as_data(estimator.requires_target, features)
        if labels is not None and estimator.uses_unlabelled:
            data = data.with_labels(labels, estimator.min_confidence)
    fitted = with_labeller(estimator, rows.attributes).set_features(rows.categories)
    with use_threads():
        cuts = fitted.fit_rows(data, callback).cuts_
    return cuts_of([rows.attributes[feature] for feature in features],
                   cuts.take(features))


def cuts_of(variables: Sequence[Variable], cuts: Cuts) -> Cuts:
    """Return cuts with the names, and the format of numbers, of Orange's variables."""
    return replace(
        cuts, features=[var.name for var in variables],
        times=[var.is_time for var in variables],
        formats=[partial(name_cuts, var) for var in variables])


def count_rows(cuts: Cuts, rows: Rows, classes: Sequence[str] = ()) -> Cuts:
    """
    Return cuts with the rows counted: by class if they are labelled, and others.

    Parameters
    ----------
    cuts : Cuts
    rows : Rows
    classes : sequence of str
        Values of the class variable; empty without a class variable.
    """
    columns = {var.name: column for column, var in enumerate(rows.attributes)}
    return cuts.counted(
        (dense(rows.X[:, [columns[name]]]).ravel() for name in cuts.feature_names),
        np.where(np.isnan(rows.y), -1, rows.y).astype(np.int64), rows.weights, classes)


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
