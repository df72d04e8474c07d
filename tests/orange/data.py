"""Tables for tests."""

import functools

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.sadd import SADDTablesLearner
from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.core.parameters import same, takes
from orangecontrib.sadd.scripting.discretize import CoreDiscretization
from tests.shared import load


def unlabel(data, rows):
    """Return the data with these rows unlabelled; rows keep their ids."""
    Y = data.Y.copy()
    Y[rows] = np.nan
    return replace(data, Y=Y)


def replace(data, X=None, Y=None, W=None, ids=None):
    """Return the data with some of its arrays replaced."""
    result = Table.from_numpy(
        data.domain, data.X if X is None else X, data.Y if Y is None else Y,
        data.metas, W, dict(data.attributes), data.ids if ids is None else ids)
    result.name = data.name
    return result


def set_column(data, column, values):
    """Return the data with other values in a column."""
    X = data.X.copy()
    X[:, column] = values
    return replace(data, X)


def discretization_of(method, **parameters):
    """Return a discretization of a variable by any method."""
    cls = type(method, (CoreDiscretization,), {}, core=DISCRETIZERS[method].estimator)
    return cls(**parameters)


def cut_points(domain):
    """Return the cut points of each discretized attribute by name."""
    return {var.name: var.compute_value.points for var in domain.attributes
            if var.compute_value is not None}


@functools.cache
def shared_table(name):
    """Return one of the shared data sets; text columns are categorical."""
    frame, labels = load(name)
    attributes, columns = [], []
    for column in frame:
        if frame[column].dtype.kind in "if":
            attributes.append(ContinuousVariable(column))
            columns.append(frame[column].to_numpy(dtype=float))
        else:
            values, codes = np.unique(frame[column].to_numpy(dtype=str),
                                      return_inverse=True)
            attributes.append(DiscreteVariable(column, values))
            columns.append(codes)
    classes, y = np.unique(labels, return_inverse=True)
    domain = Domain(attributes, DiscreteVariable("class", classes))
    return Table.from_numpy(domain, np.column_stack(columns), y.astype(float))


@takes()
class PlainTablesLearner(SADDTablesLearner):
    """SADD Tables that chooses neither penalty nor pairs: it is faster."""

    penalty: float = same(SADDTablesLearner, "penalty", default=1)
    pairs: int = same(SADDTablesLearner, "pairs", default=0)
