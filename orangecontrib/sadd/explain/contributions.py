"""Contributions of the values of an attribute in log-odds, and their rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from Orange.data import DiscreteVariable, Table, Variable
from scipy.special import log_softmax, logsumexp

from orangecontrib.sadd.core.additive.rowsums import log_odds
from orangecontrib.sadd.core.additive.tables import sum_by_attribute
from orangecontrib.sadd.core.types import Floats, Integers
from orangecontrib.sadd.core.validation import dense
from orangecontrib.sadd.explain.picture import bin_edges
from orangecontrib.sadd.scripting.models import WeightedNaiveBayesModel
from orangecontrib.sadd.scripting.smoothtables import SADDTablesModel
from orangecontrib.sadd.scripting.tables import class_codes, match_columns

__all__ = ["ValueContributions", "bayes_contributions", "phrase_contributions",
           "split_columns", "tables_contributions", "value_name"]

AVERAGE = "compared with an average row"
MIXTURE = "at the mean of the data, because the model is a mixture"
# Classes in a description
LISTED_CLASSES = 4
LAZY = "with all other values missing, because weights depend on them"


@dataclass(frozen=True, eq=False)
class ValueContributions:
    """
    The contribution of each value of an attribute to each class.

    A value is a category, an interval, or a knot of a curve.

    Attributes
    ----------
    variable : Variable
    class_var : DiscreteVariable
    classes : ndarray of int
        Indices of the classes that occur in the training rows.
    adds : ndarray, shape (n_values, n_classes)
        Log-odds of each class that occurs: for two classes, against the other one;
        for more, against the mean of all classes. The numbers of a value sum to 0.
    labelled, unlabelled : ndarray of int
        Rows with each value, or in each bin of the histogram of a curve.
    labels : tuple of str
        Names of the values or intervals; none for a curve.
    knots : ndarray or None
        The values of a curve, which is linear between them and constant beyond.
    edges : ndarray or None
        Of the bins of the histogram of a curve.
    reference : str
        The state of the other attributes, in a few words.
    cuts : tuple of float
        The cuts of the method of discretization, for a curve.
    """

    variable: Variable
    class_var: DiscreteVariable
    classes: Integers
    adds: Floats
    labelled: Integers
    unlabelled: Integers
    labels: tuple[str, ...] = ()
    knots: Floats | None = None
    edges: Floats | None = None
    reference: str = AVERAGE
    cuts: tuple[float, ...] = ()

    @property
    def is_smooth(self) -> bool:
        """Whether the contributions are a curve."""
        return self.knots is not None

    @property
    def shown(self) -> tuple[Integers, Floats]:
        """
        The classes to show, and the contribution of each value to them.

        For two classes, this is the second class with its log-odds against the first.
        """
        if len(self.classes) != 2:
            return self.classes, self.adds
        return self.classes[1:], self.adds[:, 1:]

    @property
    def scale(self) -> str:
        """What the numbers of a curve are."""
        return "Log-odds" if len(self.classes) != 2 \
            else f"Log-odds for {self.class_var.values[self.classes[1]]}"

    def phrase(self, row: int) -> str:
        """Return the largest contribution of a value, and its class."""
        return self._phrases(self.shown[1][row])[0]

    def describe(self, row: int) -> str:
        """Return the contributions of a value, and its rows, in two lines."""
        return self._describe(self.shown[1][row], row, "")

    def describe_at(self, value: float) -> str:
        """Return the contributions at a place on a curve, and the rows nearby."""
        assert self.knots is not None and self.edges is not None
        adds = np.array([np.interp(value, self.knots, column)
                         for column in self.shown[1].T])
        row = np.clip(np.searchsorted(self.edges, value, side="right") - 1, 0,
                      len(self.labelled) - 1)
        text = self._describe(adds, int(row), " nearby").replace("\n", "; ")
        return f"{self.variable.name} {value_name(self.variable, value)}: {text}"

    def _describe(self, adds, row, nearby):
        phrases = self._phrases(adds)
        text = f"adds {', '.join(phrases[:LISTED_CLASSES])}"
        if len(phrases) > LISTED_CLASSES:
            text += f" and {len(phrases) - LISTED_CLASSES} more"
        rows = [f"{count:,} {kind}" for count, kind in (
            (self.labelled[row], "labelled"), (self.unlabelled[row], "unlabelled"))
            if count or kind == "labelled"]
        return f"{text}\n{' and '.join(rows)} rows{nearby}"

    def _phrases(self, adds):
        return phrase_contributions(adds, self.classes, self.class_var)


def phrase_contributions(adds: Floats, classes: Integers, class_var: DiscreteVariable
                         ) -> list[str]:
    """
    Return contributions with their classes, the largest first.

    Parameters
    ----------
    adds : ndarray of float64
        For each class, or for the second one of two.
    classes : ndarray of int
        Indices of the classes.
    class_var : DiscreteVariable
    """
    names = class_var.values
    if len(classes) == 2:
        return [f"{abs(adds[0]):.2f} for {names[classes[int(adds[0] > 0)]]}"]
    return [f"{adds[index]:+.2f} for {names[classes[index]]}"
            for index in np.argsort(-np.abs(adds), kind="stable")]


def value_name(variable: Variable, value: float) -> str:
    """Return a value as the variable writes it: with its decimals, or two digits."""
    if variable.is_continuous and not variable.is_time:
        value = float(value)  # numpy would overflow
        value = min(round(value, variable.number_of_decimals), float(f"{value:.2g}"),
                    key=lambda rounded: abs(rounded - value))
    try:
        return str(variable.str_val(value))
    except (OSError, OverflowError, ValueError):  # a time beyond the calendar
        return f"{value:.4g}"


def bayes_contributions(model: WeightedNaiveBayesModel, data: Table,
                        pool: Table | None, index: int) -> ValueContributions:
    """
    Return the contributions of an attribute of a naive Bayes model.

    Log-odds of an additive model are the log-odds of an average row plus the
    contributions of all attributes. For a mixture, other attributes have their mean.
    For AIWNB^L, other values are missing.

    Parameters
    ----------
    model : WeightedNaiveBayesModel
    data : Table
        The training rows, labelled and unlabelled.
    pool : Table or None
        Further unlabelled rows.
    index : int
        Of the attribute in the domain of the model.

    Returns
    -------
    ValueContributions

    Examples
    --------
    >>> from orangecontrib.sadd.scripting.classification import WANBIALearner
    >>> iris = Table("iris")
    >>> petal = bayes_contributions(WANBIALearner()(iris), iris, None, 2)
    >>> petal.labels
    ('< 2.45', '2.45 - 4.75', '≥ 4.75')
    >>> petal.labelled
    array([50, 45, 55])
    >>> petal.adds.round(1)
    array([[ 2.5, -1.3, -1.2],
           [-1.1,  1.6, -0.5],
           [-1.4, -0.1,  1.5]])
    """
    variable, tables = model.domain.attributes[index], model.tables
    present, values = tables.class_counts > 0, np.arange(len(variable.values))
    if model.lazy is not None:
        codes = np.full((len(values) + 1, tables.n_attributes), np.nan)
        codes[:-1, index] = values
        logs, reference = model.fitted.log_posterior(codes), LAZY
    else:
        parts = model.fitted.parts
        alpha = 1. if len(parts) == 1 or model.alpha is None else model.alpha
        shares = np.array([alpha, 1 - alpha])[:len(parts)]
        logs = logsumexp([_log_probabilities(tables, part, values, index)
                          for part in parts], axis=0, b=shares[:, None, None])
        reference = MIXTURE if len(parts) == 2 else AVERAGE
    adds = log_odds(logs[:-1, present] - logs[-1, present])
    labelled, unlabelled = _count_rows(variable, data, pool)
    return ValueContributions(
        variable, model.domain.class_var, np.flatnonzero(present),
        adds, labelled, unlabelled,
        ("all values",) if variable.values == ("single_value",) else variable.values,
        reference=reference)


def _log_probabilities(tables, weights, values, index):
    """Return ln P(c) of an average row, with each value of an attribute and without."""
    counts, scores = tables.counts[:, :-1].sum(axis=0), tables.weighted(weights)
    means = sum_by_attribute(counts * scores[:, :-1], tables.n_values) \
        / np.maximum(sum_by_attribute(counts, tables.n_values), np.finfo(float).tiny)
    first, end = tables.starts[index:index + 2]
    columns = tables.lookup[np.minimum(first + values, end - 1)]
    own = np.append(scores[:, columns], means[:, [index]], axis=1) - means[:, [index]]
    return log_softmax((tables.log_prior + means.sum(axis=1))[:, None] + own, axis=0).T


def tables_contributions(model: SADDTablesModel, data: Table, pool: Table | None,
                         index: int) -> ValueContributions:
    """
    Return the contributions of an attribute of a SADD Tables model.

    Parameters are those of `bayes_contributions`.

    Returns
    -------
    ValueContributions
        A curve for a numeric attribute.

    Examples
    --------
    >>> from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner
    >>> iris = Table("iris")
    >>> petal = tables_contributions(SADDTablesLearner()(iris), iris, None, 2)
    >>> petal.knots.round(2)
    array([-1.52,  1.46,  4.18,  4.98,  5.83,  9.03])
    >>> petal.describe_at(4.12).split("; ")[1]
    '3 labelled rows nearby'
    """
    variable, fitted = model.domain.attributes[index], model.fitted
    classes = np.flatnonzero(np.isfinite(fitted.intercept))
    term = fitted.terms[index]
    adds, (knots,) = term.table[:, classes], term.knots
    if knots is None:
        labelled, unlabelled = _count_rows(variable, data, pool)
        return ValueContributions(
            variable, model.domain.class_var, classes, adds[:len(variable.values)],
            labelled, unlabelled, variable.values)
    parts = [part[np.isfinite(part)]
             for part in split_columns([variable], data, pool)[:2]]
    values = np.concatenate(parts)
    edges = bin_edges(values if len(values) else knots)
    labelled, unlabelled = (
        np.histogram(np.clip(part, edges[0], edges[-1]), edges)[0] for part in parts)
    return ValueContributions(variable, model.domain.class_var, classes, adds, labelled,
                              unlabelled, knots=knots, edges=edges,
                              cuts=tuple(model.cut_points[index]))


def _count_rows(variable, data, pool):
    """Count the labelled and the unlabelled rows with each value."""
    for part in split_columns([variable], data, pool)[:2]:
        codes = part[~np.isnan(part)].astype(np.intp)
        yield np.bincount(codes, minlength=len(variable.values))


def split_columns(variables: Sequence[Variable], data: Table, pool: Table | None
                  ) -> tuple[Floats, Floats, Floats]:
    """
    Return the values of variables in labelled and unlabelled rows, and the classes.

    Parameters
    ----------
    variables : sequence of Variable
    data : Table
    pool : Table or None
        Further unlabelled rows.
    """
    columns, classes = _columns(variables, data), class_codes(data)
    labelled = ~np.isnan(classes)
    unlabelled = [columns[~labelled]]
    if pool is not None:
        unlabelled.append(_columns(variables, pool[~np.isin(pool.ids, data.ids)]))
    return columns[labelled], np.concatenate(unlabelled), classes[labelled]


def _columns(variables, table):
    return dense(match_columns(table, variables)[0])
