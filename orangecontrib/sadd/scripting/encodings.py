"""Numeric columns in place of categorical attributes, for learners that need them."""

from typing import Literal, TypeAlias

import numpy as np
from Orange.data import ContinuousVariable, Domain, Table, Variable
from Orange.data.util import get_unique_names
from Orange.preprocess.transformation import Lookup

from orangecontrib.sadd.core.arithmetic import contingency
from orangecontrib.sadd.core.intervals.evidence import shown_classes, weight_of_evidence
from orangecontrib.sadd.scripting.tables import class_codes, row_weights

__all__ = ["ENCODINGS", "TableEncoding", "encode_intervals"]

TableEncoding: TypeAlias = Literal["interval", "onehot", "evidence"]
ENCODINGS = ("interval", "onehot", "evidence")


def encode_intervals(table: Table, encode: TableEncoding) -> Table:
    """
    Replace the categorical attributes of a table by numeric columns.

    A missing value is 0 in all columns of its attribute. New data are converted by
    `compute_value`, with the evidence of the rows of this table.

    Parameters
    ----------
    table : Table
        Discretized data.
    encode : {"interval", "onehot", "evidence"}
        "interval" leaves the table unchanged. "onehot" makes a column of zeros and ones
        for each value. "evidence" makes a column with the weight of evidence in favour
        of the second of two classes. With more classes, it makes a column for each
        class; see `weight_of_evidence`. Without a class, evidence is replaced by
        "onehot".

    Returns
    -------
    Table

    Examples
    --------
    >>> from Orange.preprocess import Discretize
    >>> intervals = Discretize()(Table("heart_disease"))
    >>> indicators = encode_intervals(intervals, "onehot")
    >>> [var.name for var in indicators.domain.attributes[:2]]
    ['age=< 47.5', 'age=47.5 - 55.5']
    """
    if encode == "interval":
        return table
    domain = table.domain
    if encode == "evidence" and domain.has_discrete_class:
        columns = _evidence_columns(table)
    else:
        columns = [(var, value, 0, row) for var in domain.attributes if var.is_discrete
                   for value, row in zip(var.values, np.eye(len(var.values)),
                                         strict=True)]
    made: dict[Variable, list[Variable]] = {var: [] for var in domain.attributes}
    names = get_unique_names(
        [var.name for var in (*domain.variables, *domain.metas)],
        [f"{var.name}{'=' if not decimals else ': '}{value}"
         for var, value, decimals, _ in columns])
    for name, (var, _, decimals, row) in zip(names, columns, strict=True):
        made[var].append(ContinuousVariable(
            name, compute_value=Lookup(var, row, unknown=0.),
            number_of_decimals=decimals))
    attributes = [new for var in domain.attributes
                  for new in (made[var] if var.is_discrete else [var])]
    return table.transform(Domain(attributes, domain.class_vars, domain.metas))


def _evidence_columns(table):
    """Return variable, class, decimals and weights of each column of evidence."""
    names = table.domain.class_var.values
    y, weights = class_codes(table), row_weights(table)
    classes = np.where(np.isnan(y), -1, y).astype(int)
    columns = []
    for var in table.domain.attributes:
        if var.is_discrete:
            counts = contingency(
                np.asarray(table.get_column(var), dtype=np.float64), classes,
                len(names), weights, len(var.values))
            evidence, _ = weight_of_evidence(counts)
            columns += [(var, names[shown], 3, evidence[shown])
                        for shown in shown_classes(len(names))]
    return columns
